"""What the compiled core, or its twin, offers to resampling: sums under draws, exchanges, shuffles and subsets."""

# isort: off
from assay.core.resample import ROUND, Blocked, pairs, subsets, tally
from assay.core.resample import (
    bootstrap_rows,
    bootstrap_sums,
    flipped,
    half_rows,
    half_sums,
    shuffled_sums,
    studentised,
)
from assay.core.resample_reference import LEVELS, pack, unpack

__all__ = [
    "LEVELS", "ROUND", "Blocked", "bootstrap_rows", "bootstrap_sums", "flipped", "half_rows", "half_sums", "pack",
    "pairs", "shuffled_sums", "studentised", "subsets", "tally", "unpack",
]  # fmt: skip
