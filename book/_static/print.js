// Paper is white: a page in the dark theme is printed in the light one.
const page = document.documentElement.dataset;
let onScreen = page.theme;

matchMedia("print").addEventListener("change", ({ matches }) => {
  if (matches) onScreen = page.theme;
  page.theme = matches ? "light" : onScreen;
});
