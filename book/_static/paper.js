// Paper is white and has everything on it: a page is printed in the light theme, with its folded parts open.
const page = document.documentElement.dataset;
let onScreen = page.theme;
let opened = [];

matchMedia("print").addEventListener("change", ({ matches }) => {
  if (matches) {
    onScreen = page.theme;
    opened = [...document.querySelectorAll("details.deeper:not([open])")];
  }
  page.theme = matches ? "light" : onScreen;
  for (const fold of opened) fold.open = matches;
});

document.querySelector(".btn-download-pdf-button")?.addEventListener("click", () => print());
