// Which chapters were read to their end is kept in the reader's browser, and nowhere else. The list of chapters and the first page mark
// them. The first page goes on where the reader stopped, and forgets everything if asked to.
{
  const READ = "attn:read";
  const chapterOf = (address) => /chapters\/[\w-]+(?=\.html)/.exec(new URL(address, location).pathname)?.[0];
  const kept = () => attnKept.get(READ, []);
  const read = new Set(kept());
  const cards = [...document.querySelectorAll(".chapter-card a[href]")];
  const links = [...document.querySelectorAll(".bd-sidebar-primary nav a[href]"), ...cards];
  const start = document.querySelector("a.start");
  const first = start && { text: start.textContent, href: start.href };
  const place = document.querySelector(".progress");

  function mark() {
    for (const link of links) link.classList.toggle("read", read.has(chapterOf(link.href)));
    if (place) tell();
  }

  /** How far the reader is: the chapters, and the first guesses in all of them. */
  function tell() {
    const next = read.size ? cards.find((link) => !read.has(chapterOf(link.href))) : undefined;
    start.querySelector("span").textContent = next ? `Continue with chapter ${1 + cards.indexOf(next)}` : first.text;
    start.href = next?.href ?? first.href;
    const sum = (kind, count) =>
      attnKept
        .keys()
        .filter((key) => key.startsWith(kind))
        .reduce((all, key) => all + count(key), 0);
    const guessed = sum("attn:guesses:", (key) => Object.keys(attnKept.get(key, {})).length);
    const right = sum("attn:right:", (key) => attnKept.get(key, 0));
    place.hidden = !read.size && !guessed;
    const guesses = guessed
      ? ` Your first guess was right for ${right} of ${guessed} ${guessed === 1 ? "question" : "questions"}.`
      : "";
    place.textContent = `You have read ${read.size} of ${cards.length} chapters.${guesses} Only this browser knows. `;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "forget my progress";
    button.addEventListener("click", () => {
      for (const key of attnKept.keys()) if (/^attn:(read|guesses|right)\b/.test(key)) attnKept.forget(key);
      read.clear();
      mark();
    });
    place.append(button);
  }

  const here = chapterOf(location.href);
  const end = document.getElementById("in-one-minute");
  if (here && end) {
    new IntersectionObserver((seen, observer) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      observer.disconnect();
      read.add(here);
      attnKept.set(READ, [...read]);
      mark();
    }).observe(end.querySelector("h2") ?? end);
  }
  // A chapter was read to its end in another tab.
  addEventListener("storage", () => {
    read.clear();
    for (const chapter of kept()) read.add(chapter);
    mark();
  });
  mark();
}
