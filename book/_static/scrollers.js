// What is wider than its place scrolls sideways, and the keyboard has to reach it: tables and formulas. (The theme sees to code.)
{
  const reach = () => {
    for (const box of document.querySelectorAll(".bd-article :is(table, .math, .pst-scrollable-table-container)")) {
      if (box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  new ResizeObserver(reach).observe(document.body); // another width, a formula that has been drawn, a part that has been opened
}
