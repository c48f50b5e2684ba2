"""A page names axes as attn.trace does."""

import json
import random

from node import node

from attn.trace.letters import MERGED, Letters


def test_a_page_gives_axes_the_letters_of_a_trace():
    draw = random.Random(0)
    cases = []
    for _ in range(400):
        B, L, H, D = (draw.randint(1, 7) for _ in "BLHD")
        sizes = {"B": B, "L": L, "E": draw.choice([H * D, H * D, 24]), "H": H, "D": D}
        sizes |= {letter: draw.randint(1, 9) for letter in ("S", "G", "Dv") if draw.random() < 0.5}
        known = [*sizes.values(), B * L, 3 * H * D, H * L, 4 * sizes["E"], 11]
        cases += [(sizes, [draw.choice(known) for _ in range(draw.randint(0, 5))]) for _ in range(5)]
    script = f"""import {{ lettersOf }} from './src/attn/labs/code/letters.js';
      const named = {json.dumps(cases)}.map(([sizes, shape]) => lettersOf(sizes, {json.dumps(MERGED)})(shape));
      console.log(JSON.stringify(named))"""
    run = node("--input-type=module", "-", stdin=script)
    assert run.returncode == 0, run.stderr
    wanted = [list(Letters(sizes).of(shape)) for sizes, shape in cases]
    assert json.loads(run.stdout) == wanted
    named = {label for axes in wanted for axis in axes for label in axis.split("|")}
    assert len(named & {*MERGED}) > 10, "the cases have too few products"
