"""The bugs of the book, planted in a plain layer, and the probes that find them."""

from attn.lessons.bugs.lines import BUGS, Bug, planted
from attn.lessons.bugs.matrix import Matrix, Row, examined, probe_all
from attn.lessons.bugs.probes import PROBES, run_probe

__all__ = ["BUGS", "PROBES", "Bug", "Matrix", "Row", "examined", "planted", "probe_all", "run_probe"]
