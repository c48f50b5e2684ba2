// A link into a folded part opens it, and so does the search.
function openTo(target) {
  const folds = [...target.querySelectorAll(":scope > details.deeper")];
  for (let above = target.closest("details"); above; above = above.parentElement.closest("details")) folds.push(above);
  const closed = folds.filter((fold) => !fold.open);
  for (const fold of closed) fold.open = true;
  return closed.length > 0;
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && openTo(target)) target.scrollIntoView();
}

// The search leaves its words for the page that it leads to. The page shows its smallest part that has them, best side by side.
function openFound() {
  const words = (attnKept.text("sphinx_highlight_terms") ?? "").split(" ").filter((word) => word);
  if (location.hash || words.length === 0) return;
  const has = (words) => (part) => words.every((word) => part.textContent.toLowerCase().includes(word));
  const parts = [...document.querySelectorAll("section section")];
  const found = [[words.join(" ")], words].map((any) => parts.filter(has(any))).find(({ length }) => length > 0);
  const smallest = found?.find((part) => !found.some((other) => other !== part && part.contains(other)));
  if (!smallest) return;
  openTo(smallest);
  smallest.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
openFound();
