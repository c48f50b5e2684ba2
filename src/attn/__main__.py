"""`python -m attn trace FILE:NAME` and `python -m attn check FILE:NAME`; see `attn.check.command`."""

import signal
import sys

from attn.check.command import main

if hasattr(signal, "SIGPIPE"):  # not on Windows
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # where `| head` has read enough, the command ends without an error
sys.exit(main())
