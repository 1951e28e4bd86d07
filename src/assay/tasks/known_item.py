"""Known-item search: TREC qrels and runs, and only the rank of the first right item counts.

Gold, runs and order are those of ranked retrieval.
"""

from __future__ import annotations

from assay.tasks.ranked import fields, read_gold, views

__all__ = ["DEFAULTS", "DEFAULT_MEASURES", "NAME", "fields", "read_gold", "views"]

NAME = "known-item"
DEFAULT_MEASURES = ("RR", "Success@1", "Success@10", "Found@1", "Found@10", "NotFound@100")
DEFAULTS = {"missing": "zero", "undefined": "skip"}
