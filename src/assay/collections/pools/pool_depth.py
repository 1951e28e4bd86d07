"""The default pool depth and the default strata."""

from __future__ import annotations

DEFAULT_POOL_DEPTH = 100
"""Documents of each run and topic that enter a pool by default."""
WHOLE_DEPTH, SHARE = 20, 0.2
"""Default strata, as in TREC's sampled tracks: all documents of the first ranks, and this share of the others."""
