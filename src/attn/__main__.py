"""`python -m attn trace FILE:NAME` and `python -m attn check FILE:NAME`; see `attn.check.command`."""

import sys

from attn.check.command import main

sys.exit(main())
