"""Declare a measure of your own, by its level:

    @assay.define.topic("Last", cite="…")                        def last(view): ...
    @assay.define.sums("c@1", of=("correct", "unanswered"), …)   def c_at_1(n, correct, unanswered): return top, bottom
    @assay.define.whole("CWS", of=("correct", "confidence"), …)  def cws(correct, confidence): ...

`assay.measures.declare` says what a declaration may hold; `assay.measures.parameters` has parsers for its parameters.
"""

from __future__ import annotations

from assay.measures.declare import measure as topic
from assay.measures.declare import sums, whole

__all__ = ["sums", "topic", "whole"]
