"""The default pool depth and the default strata."""

from __future__ import annotations

DEFAULT_POOL_DEPTH = 100
"""Documents of each run and topic that enter a pool unless `depth=` names another number."""
WHOLE_DEPTH, SHARE = 20, 0.2
"""Default strata: the first ranks are judged whole, of the others this share, as in TREC's sampled tracks."""
