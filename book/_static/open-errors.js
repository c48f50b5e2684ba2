// On a page that explains the errors of its cells: each such cell opens as a program, with the cells before it that it needs.
{
  const sourceOf = (cell) => cell.querySelector(".cell_input pre")?.textContent ?? "";
  const cells = [...document.querySelectorAll("div.cell")];
  const raises = (cell) => cell.classList.contains("tag_raises-exception");
  const before = cells.filter((cell) => !raises(cell)).map(sourceOf);
  if (before.some((source) => source.includes("explain_cells(")))
    for (const cell of cells.filter(raises)) {
      const program = [...before, sourceOf(cell)].join("\n").replace(/^(?:from attn\b.*|explain_cells\(.*)\n?/gm, "");
      const link = document.createElement("a");
      link.href = `bring-your-code.html#lab-1?code=${encodeURIComponent(program)}`;
      link.textContent = "open as code";
      const line = document.createElement("p");
      line.className = "as-code";
      line.append(link);
      cell.append(line);
    }
}
