// Runs programs as the page does. Arguments: the folder of the labs' modules, or the page's scripts, which give what is used here to
// attnFirst. Input: a list of programs. Output: for each, what `run_in_torch` in tests/codelab.py notes of the same program, or
// { crash }; null for a program that asks for the second script.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";

const isScript = process.argv[2].endsWith(".js");
const { Float, Foreign, Tuple, execute, missing, modules, session, Tensor, numbersOf, isContiguous, rest } = isScript
  ? ofScript(process.argv[2])
  : await ofModules(pathToFileURL(`${process.argv[2]}/`));

function ofScript(path) {
  Object.assign(globalThis, { addEventListener() {}, postMessage() {} }); // it takes this for a worker
  runInThisContext(readFileSync(path, "utf8"));
  return globalThis.attnFirst;
}

async function ofModules(labs) {
  for (const room of ["python", "torch"]) await import(new URL(`kit/${room}/more.js`, labs));
  const names = ["python/values", "python/run", "python/rest", "torch/torch", "torch/tensor", "torch/layout"];
  return Object.assign({}, ...(await Promise.all(names.map((name) => import(new URL(`kit/${name}.js`, labs))))));
}

const number = (value) => (Number.isFinite(value) ? value : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");

function describedTensor(tensor, storages) {
  if (tensor.count > 0 && !storages.has(tensor.storage)) storages.set(tensor.storage, storages.size);
  return {
    kind: "tensor",
    shape: [...tensor.shape],
    strides: [...tensor.strides],
    offset: tensor.offset,
    contiguous: isContiguous(tensor),
    dtype: tensor.dtype.name,
    storage: tensor.count > 0 ? storages.get(tensor.storage) : -1,
    values: Buffer.from(Float64Array.from(numbersOf(tensor)).buffer).toString("base64"),
  };
}

function described(value, storages, depth = 0) {
  if (value instanceof Tensor) return describedTensor(value, storages);
  if (value instanceof Float) return { kind: "float", value: number(value.value) };
  if (value === null) return { kind: "NoneType", value };
  if (typeof value === "boolean") return { kind: "bool", value };
  if (typeof value === "number") return { kind: "int", value };
  if (typeof value === "string") return { kind: "str", value };
  const type = value instanceof Foreign && value.typeName.replace("torch.", "");
  if (type === "dtype" || type === "device") return { kind: type, value: value.repr() };
  if (depth === 3) return null;
  const all = (values) => Array.from(values, (one) => described(one, storages, depth + 1));
  if (Array.isArray(value)) return { kind: value instanceof Tuple ? "tuple" : "list", items: all(value) };
  if (value instanceof Map) return { kind: "dict", keys: all(value.keys()), items: all(value.values()) };
  return null;
}

const plain = ({ type, message, line }) => ({ type, message: message.split("\n")[0], line });

function noted({ error, out, variables }) {
  // Python runs nothing of a program that it cannot read; the page runs the lines that it can.
  if (error?.syntax) return { variables: {}, printed: "", error: plain(error) };
  const storages = new Map();
  const named = [...variables]
    .filter(([name]) => !name.startsWith("__"))
    .map(([name, value]) => [name, described(value, storages)]);
  return {
    variables: Object.fromEntries(named.filter(([, value]) => value !== null)),
    printed: out,
    error: error && plain(error),
  };
}

function run(program) {
  session.reset({ seed: 0 });
  missing.isNoted = false;
  try {
    const found = noted(execute(program, { modules }));
    return isScript && missing.isNoted && !rest.isHere ? null : found;
  } catch (error) {
    if (isScript && missing.isNoted && !rest.isHere) return null;
    return { crash: String(error.stack).split("\n").slice(0, 3).join(" | ") };
  }
}

const programs = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(programs.map(run)));
