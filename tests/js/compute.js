// Computes a lab as a page does. Input: {"lab": "shape", "settings": [...]}. Output: the results for each, with tensors as base64.
import { readFileSync } from "node:fs";

const { lab, settings } = JSON.parse(readFileSync(0, "utf8"));
const { compute } = await import(`../../src/attn/labs/${lab}/model.js`);
const coded = (numbers) => ({ float32: Buffer.from(Float32Array.from(numbers).buffer).toString("base64") });
const plain = ([name, value]) => [name, ArrayBuffer.isView(value) ? coded(value) : value];
process.stdout.write(JSON.stringify(settings.map((one) => Object.fromEntries(Object.entries(compute(one)).map(plain)))));
