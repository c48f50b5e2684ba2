// Where the tables of a heatmap are drawn: one for each sample (downwards) and head (across).

/** @typedef {[row: number, column: number, i: number, j: number]} Place a facet by its row and column, and a cell of it */

/**
 * @typedef {object} Plan
 * @property {number} cell the width of a cell in pixels
 * @property {boolean} labelled whether cells have room for words beside them
 * @property {boolean} upright whether the words above the columns are turned
 * @property {number} top the height of the words above a facet
 * @property {number} width
 * @property {number} height
 * @property {(row: number, column: number) => [x: number, y: number]} origin where a facet begins
 */

/** @typedef {{ rows: number, columns: number, R: number, C: number, plan: Plan }} Facets rows x columns facets with R x C cells each */

/** @typedef {{ rows: string[][], columns: string[][] }} Words for each row of facets, the labels of its rows and columns of cells */

const GAP = { across: 10, down: 22 };
const SMALLEST = 2; // pixels
const LARGEST = 26;
const LABELLED = 13; // cells of at least this size have room for words beside them
const TALLEST = 330;
const NARROW = 480;
const FEW = 12;

/**
 * The plan of rows x columns facets with R x C cells each in `width` pixels.
 *
 * @param {object} map
 * @param {number} map.rows
 * @param {number} map.columns
 * @param {number} map.R
 * @param {number} map.C
 * @param {number} map.width
 * @param {Words} map.words
 * @param {number} [map.largest] the largest size of a cell
 * @returns {Plan}
 */
export function layout({ rows, columns, R, C, width, words, largest = LARGEST }) {
  /** @param {string[][]} lists */
  const longest = (lists) => Math.max(0, ...lists.flat().map((word) => word.length));
  const long = { rows: longest(words.rows), columns: longest(words.columns) };
  /** @param {number} cell */
  const upright = (cell) => long.columns * 7 > cell; // labels of columns that do not fit across are turned
  /** @param {number} cell */
  const left = (cell) => 18 + (cell >= LABELLED ? 6 + 6.6 * long.rows : 0);
  /** @param {number} cell */
  const top = (cell) => 18 + (cell >= LABELLED ? (upright(cell) ? 6 + 6.2 * long.columns : 14) : 0);
  /** @param {number} cell */
  const wide = (cell) => left(cell) + columns * (C * cell + GAP.across) - GAP.across + 2;
  let cell = largest;
  // On a phone a short sentence keeps its words, and its facets scroll; not where a lab asks for small cells.
  const enough = largest === LARGEST && width < NARROW && Math.max(R, C) <= FEW ? LABELLED : SMALLEST;
  while (cell > enough && (wide(cell) > width || R * cell > TALLEST)) cell--;
  const [x0, y0] = [Math.ceil(left(cell)), Math.ceil(top(cell))];
  const [stepX, stepY] = [C * cell + GAP.across, y0 + R * cell + GAP.down];
  return {
    cell,
    labelled: cell >= LABELLED,
    upright: upright(cell),
    top: y0,
    width: Math.ceil(wide(cell)),
    height: rows * stepY - GAP.down + 2,
    origin: (row, column) => [x0 + column * stepX, y0 + row * stepY],
  };
}

/**
 * The place of the cell at the point (x, y), null between the facets.
 *
 * @param {Facets} map
 * @param {number} x
 * @param {number} y
 * @returns {Place | null}
 */
export function cellAt({ rows, columns, R, C, plan }, x, y) {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x0, y0] = plan.origin(row, column);
      const [i, j] = [Math.floor((y - y0) / plan.cell), Math.floor((x - x0) / plan.cell)];
      if (i >= 0 && i < R && j >= 0 && j < C) return [row, column, i, j];
    }
  return null;
}
