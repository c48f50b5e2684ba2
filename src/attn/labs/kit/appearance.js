// Changes after which a lab must be drawn again, although no setting has changed.

/**
 * Call `redraw` when the width of the lab or the theme changes: a canvas follows neither by itself. Returns a
 * function that stops it.
 *
 * @param {HTMLElement} root
 * @param {() => void} redraw
 */
export function watchAppearance(root, redraw) {
  let width = root.clientWidth;
  const resized = new ResizeObserver(() => {
    if (root.clientWidth === width) return; // the height changes with every drawing
    width = root.clientWidth;
    redraw();
  });
  resized.observe(root);
  const themed = new MutationObserver(redraw);
  for (const node of [document.documentElement, document.body])
    themed.observe(node, { attributeFilter: ["data-theme", "data-jp-theme-light"] });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", redraw);
  return () => {
    resized.disconnect();
    themed.disconnect();
    dark.removeEventListener("change", redraw);
  };
}
