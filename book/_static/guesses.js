// The first guess at each question is kept in the reader's browser, and the chapter's end says how many were right.
{
  const page = location.pathname.split("/").slice(-2).join("/");
  const [KEY, RIGHT] = [`attn:guesses:${page}`, `attn:right:${page}`];
  const guesses = [...document.querySelectorAll("details.guess")];
  const questions = new Set(guesses.map((guess) => guess.getAttribute("name")));
  const first = attnKept.get(KEY, {});
  const choices = (question) => guesses.filter((guess) => guess.getAttribute("name") === question);
  const end = document.getElementById("in-one-minute");
  const score = document.createElement("p");
  score.className = "guesses";
  score.setAttribute("aria-live", "polite");

  /** Say how many first guesses were right, and return it. */
  function tell() {
    const guessed = [...questions].filter((question) => question in first);
    const right = guessed.filter((question) => choices(question)[first[question]]?.classList.contains("right"));
    score.hidden = !guessed.length;
    score.textContent = `Your first guess was right for ${right.length} of ${guessed.length} ${guessed.length === 1 ? "question" : "questions"}. `;
    const forget = document.createElement("button");
    forget.type = "button";
    forget.textContent = "forget my guesses";
    forget.addEventListener("click", () => {
      for (const question of questions) delete first[question];
      for (const key of [KEY, RIGHT]) attnKept.forget(key);
      for (const guess of guesses) guess.open = false;
      tell();
    });
    score.append(forget);
    return right.length;
  }

  for (const question of questions) {
    choices(question).forEach((guess, index) => {
      if (first[question] === index) guess.open = true;
      guess.addEventListener("toggle", () => {
        if (!guess.open || question in first) return;
        first[question] = index;
        attnKept.set(KEY, first);
        attnKept.set(RIGHT, tell());
      });
    });
  }
  end?.append(score);
  tell();
}
