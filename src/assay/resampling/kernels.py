"""What the compiled core, or its twin, offers to resampling: sums under draws, exchanges, shuffles and subsets."""

# isort: off
from assay.native.resample import ROUND, Blocked, pairs, subsets, tally
from assay.native.resample import (
    bootstrap_rows,
    bootstrap_sums,
    flipped,
    half_rows,
    half_sums,
    shuffled_sums,
    studentised,
)
from assay.native.resample_twin import LEVELS, pack, unpack

__all__ = [
    "LEVELS", "ROUND", "Blocked", "bootstrap_rows", "bootstrap_sums", "flipped", "half_rows", "half_sums", "pack",
    "pairs", "shuffled_sums", "studentised", "subsets", "tally", "unpack",
]  # fmt: skip
