// One switch for the whole book, kept in the reader's browser: all code, also what draws a figure or checks a number, or only what teaches.
{
  const KEY = "attn:code";
  const button = document.querySelector("button.code-switch");

  function show(all) {
    document.documentElement.dataset.code = all ? "all" : "";
    for (const cell of document.querySelectorAll("details.hide")) cell.open = all;
    button.setAttribute("aria-pressed", all);
  }

  if (button && document.querySelector("details.hide, .cell.tag_check")) {
    button.hidden = false;
    show(attnKept.text(KEY) === "all");
    button.addEventListener("click", () => {
      attnKept.set(KEY, attnKept.text(KEY) === "all" ? "" : "all");
      show(attnKept.text(KEY) === "all");
    });
  }
}
