"""The compiled core (plain C, loaded by ctypes) and its reference in Python, with one interface and equal results."""

from __future__ import annotations

from assay.core.binding import LIBRARY, Problem, active

if LIBRARY is not None:
    from assay.core.compiled import Gold, Ranked, Ranker
else:
    from assay.core.reference import Gold, Ranked, Ranker

__all__ = ["Gold", "Problem", "Ranked", "Ranker", "active"]
