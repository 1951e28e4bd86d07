"""What the compiled core, or its twin, offers to resampling: sums under draws, exchanges, shuffles and subsets."""

from assay.native.resample import (
    ROUND,
    add_bits,
    add_values,
    bootstrap_rows,
    bootstrap_sums,
    half_rows,
    half_sums,
    pairs,
    shuffled_sums,
    subsets,
    tally,
)  # fmt: skip
from assay.native.resample_twin import LEVELS, pack, unpack

__all__ = [
    "LEVELS", "ROUND", "add_bits", "add_values", "bootstrap_rows", "bootstrap_sums", "half_rows", "half_sums", "pack", "pairs",
    "shuffled_sums", "subsets", "tally", "unpack",
]  # fmt: skip
