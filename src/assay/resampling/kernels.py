"""What the compiled core, or its twin, offers to resampling: sums under draws, exchanges, shuffles and subsets."""

from assay.native.permute import bootstrap_rows, bootstrap_sums, half_rows, half_sums, shuffled_sums
from assay.native.resample import LEVELS, ROUND, add_bits, add_values, pack, pairs, subsets, tally, unpack

__all__ = [
    "LEVELS", "ROUND", "add_bits", "add_values", "bootstrap_rows", "bootstrap_sums", "half_rows", "half_sums", "pack", "pairs",
    "shuffled_sums", "subsets", "tally", "unpack",
]  # fmt: skip
