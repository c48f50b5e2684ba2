"""Run the probes against the bugs that BugLab shows, and record what they say: python tools/record_probes.py

Writes src/attn/labs/bug/found.json, which the lab loads. The tests run the probes again.
"""

import json

from attn.labs.bug.lab import RECORD
from attn.labs.bug.planting import SHOWN
from attn.lessons.bugs import examined


def main() -> None:
    found = {name: dict(examined(bug).evidence) for name, bug in SHOWN.items()}
    RECORD.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"Wrote {RECORD.name}: {len(found)} bugs, {RECORD.stat().st_size} bytes.")


if __name__ == "__main__":
    main()
