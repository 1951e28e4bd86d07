"""Condensed lists against ir_measures' `judged_only`, on real runs."""

from __future__ import annotations

import lzma

import pytest

import assay
from peers import peer

pytestmark = pytest.mark.peer
ir_measures = peer("ir_measures")

INSIDE = "judged_only=True"
MEASURES = [
    f"AP({INSIDE})", f"nDCG({INSIDE})", f"nDCG({INSIDE})@10", f"P({INSIDE})@5", f"P(rel=2,{INSIDE})@10", f"R({INSIDE})@100",
    f"RR({INSIDE})", f"Rprec({INSIDE})", f"Success({INSIDE})@5", f"IPrec({INSIDE})@0.2", f"SetP({INSIDE})",
    f"SetF({INSIDE})", f"SetAP({INSIDE})",
]  # fmt: skip


def test_every_measure_that_has_judged_only(shared_data):
    qrels = shared_data("trec_covid_r1", "qrels.txt")
    judgments = list(ir_measures.read_trec_qrels(str(qrels)))
    theirs = [ir_measures.parse_measure(name) for name in MEASURES]
    for path in sorted(shared_data("trec_covid_r1", "runs").iterdir())[:3]:
        run = lzma.decompress(path.read_bytes())
        expected = ir_measures.calc_aggregate(theirs, judgments, list(ir_measures.read_trec_run(run.decode())))
        (values,) = assay.evaluate(str(qrels), [run], MEASURES).summary().values()
        for name, measure in zip(MEASURES, theirs, strict=True):
            assert values[name].value == pytest.approx(expected[measure], abs=1e-9), name
