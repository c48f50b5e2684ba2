// A link into a folded part opens it.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const folds = [...target.querySelectorAll(":scope > details.deeper")];
  for (let above = target.closest("details"); above; above = above.parentElement.closest("details")) folds.push(above);
  const closed = folds.filter((fold) => !fold.open);
  for (const fold of closed) fold.open = true;
  if (closed.length) target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
openTarget();
