// The axes of the tensor in their order: beside each letter its size, below it its stride. When axes change places, their letters, sizes
// and strides fly with them.

import { element, letter, setAttributes, setText } from "../kit/dom.js";
import { placeOf } from "./model.js";
import { columnsAt } from "./scene.js";

/** @typedef {import("./model.js").Letter} Letter */
/** @typedef {{ name: string, axes: readonly Letter[], shape: readonly number[], strides: readonly number[], at: readonly number[] }} Tensor at: the index of the number that is looked at */

const PITCH = 58; // pixels from letter to letter
const RISE = 4;

/**
 * @typedef {object} Line
 * @property {Tensor} from
 * @property {Tensor} to
 * @property {number} n
 * @property {string} call the line that makes the tensor
 * @property {string} source the line that makes what the call starts from
 * @property {number} number
 * @property {boolean} quiet only the call and the sizes are seen
 */

export function axesLine() {
  const source = element("code", { class: "grid-from" });
  const code = element("code", { class: "grid-call" });
  const found = element("code");
  const sum = element("span", { class: "grid-sum" });
  const columns = element("div", { class: "grid-columns" });
  const heads = element("div", { class: "grid-heads" }, ...["size", "stride"].map((text) => element("span", {}, text)));
  const told = element("div", { class: "grid-told" }, code, source, found, sum);
  const node = element("div", { class: "grid-axes" }, told, element("div", { class: "grid-line" }, heads, columns));
  /** @type {Partial<Record<Letter, { node: HTMLElement, size: HTMLElement, stride: HTMLElement }>>} */
  const all = {};

  /** @param {Letter} axis */
  function columnOf(axis) {
    const [size, stride] = [element("b"), element("span")];
    all[axis] ??= {
      node: element("div", { "data-axis": axis }, element("span", {}, letter(axis), " ", size), stride),
      size,
      stride,
    };
    return all[axis];
  }

  /** @param {Line} line */
  function draw({ from, to, n, source: before, call, number, quiet }) {
    node.classList.toggle("quiet", quiet);
    const { name, at, strides } = to;
    setText(source, before);
    setText(code, call);
    setText(found, `${name}[${at.join(", ")}] = ${number}`);
    const terms = at.map((i, axis) => `${i}·${strides[axis]}`).join(" + ");
    setText(sum, `place ${terms} = ${placeOf(strides, at)}`);
    const wanted = columnsAt(from.axes, to.axes, n).map(({ axis, x, lift, alpha }) => {
      const column = columnOf(axis);
      const { axes, shape, strides } = to.axes.includes(axis) ? to : from;
      const nth = axes.indexOf(axis);
      setText(column.size, String(shape[nth]));
      setText(column.stride, String(strides[nth]));
      const move = `translate(${(PITCH * x).toFixed(2)}px, ${(-RISE * lift).toFixed(2)}px)`;
      setAttributes(column.node, { style: `transform:${move};opacity:${alpha.toFixed(3)};z-index:${Number(lift < 0)}` });
      return column.node;
    });
    if (wanted.length !== columns.childElementCount || wanted.some((one, nth) => columns.children[nth] !== one))
      columns.replaceChildren(...wanted);
  }

  return { node, draw };
}
