"""assay: which system is really better, and is the test big enough to say so?

    import assay

    scores = assay.evaluate("qrels.txt", ["bm25.run", "dense.run"], measures=["AP", "nDCG@10"])
    scores.mean("AP")              # {run: value}
    scores.values("AP", "bm25")    # {topic: value}
    scores.to_frame()              # pandas, polars or pyarrow

Everything else is imported when it is first used, so that `import assay` costs next to nothing.
"""

from __future__ import annotations

from assay._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.errors import AssayError, FormatError, InputError, UsageError
    from assay.measures.declare import declarations, sums, whole
    from assay.measures.declare import find as measure
    from assay.measures.declare import measure as declare
    from assay.scoring import evaluate
    from assay.settings import Settings
    from assay.stats.comparing import compare
    from assay.table import Scores

_PLACES = {
    "AssayError": ("assay.errors", "AssayError"),
    "FormatError": ("assay.errors", "FormatError"),
    "InputError": ("assay.errors", "InputError"),
    "UsageError": ("assay.errors", "UsageError"),
    "Scores": ("assay.table", "Scores"),
    "Settings": ("assay.settings", "Settings"),
    "compare": ("assay.stats.comparing", "compare"),
    "declarations": ("assay.measures.declare", "declarations"),
    "declare": ("assay.measures.declare", "measure"),
    "evaluate": ("assay.scoring", "evaluate"),
    "read_gold": ("assay.scoring", "read_gold"),
    "read_scores": ("assay.score_files", "read_scores"),
    "scores": ("assay.score_files", "scores"),
    "measure": ("assay.measures.declare", "find"),
    "sums": ("assay.measures.declare", "sums"),
    "whole": ("assay.measures.declare", "whole"),
}

__all__ = [
    "AssayError",
    "FormatError",
    "InputError",
    "Scores",
    "Settings",
    "UsageError",
    "__version__",
    "compare",
    "declarations",
    "declare",
    "evaluate",
    "measure",
    "sums",
    "whole",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)
