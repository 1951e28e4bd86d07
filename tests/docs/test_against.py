"""The page against the peers: made from what was recorded of them, complete, and it notices what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pages import ROOT, load_generator

against, generate = load_generator("against"), load_generator("generate")
PEERS = against.peers()


def rows(peer):
    return [against.row(peer, name) for name in peer.measures]


def test_the_page_is_what_the_recorded_lists_make() -> None:
    assert (ROOT / "docs" / "against.md").read_text(encoding="utf-8") == against.page(generate.anchor)


def test_these_programs_are_there() -> None:
    assert {peer.name for peer in PEERS} == {
        "ir_measures", "ranx", "NTCIREVAL", "cwl-eval", "ndeval", "MTEB", "relplot", "uncertainty-calibration", "ntcir_eval",
        "torchmetrics", "scikit-learn", "sentence-transformers", "lm-eval", "HELM", "RAGAS", "DeepEval", "Inspect",
    }  # fmt: skip


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_no_measure_is_lacking_without_a_reason(peer) -> None:
    assert against.problems(peer, rows(peer)) == []
    for told in rows(peer):
        assert told.lacking == (not told.written), told.theirs
        assert not told.lacking or len(told.remark) > 20, told.theirs
        assert not told.made or told.remark, told.theirs


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_names_are_recorded_once_and_in_order(peer) -> None:
    for names in (peer.measures, peer.nothing):
        assert names == sorted({*names})
    assert not {*peer.measures} & {*peer.nothing}


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_what_holds_a_measure_is_a_test_there_is(peer) -> None:
    assert [test for test in peer.tests if not (ROOT / test).is_file()] == []
    assert {told.held for told in rows(peer)} <= {*peer.tests, ""}
    for told in rows(peer):
        assert told.held or not told.measure, told.theirs


def test_their_names_find_their_measures() -> None:
    ranx = next(peer for peer in PEERS if peer.name == "ranx")
    told = {row.theirs: row for row in rows(ranx)}
    assert [told[name].measure.declaration.name for name in ("precision", "hit_rate", "rbp")] == ["P", "Success", "RBP"]
    assert (told["precision"].written, told["precision"].by_name) == ("precision@10", True)
    assert told["rbp"].measure.parameters == {"p": 0.95}


def test_measures_of_one_note_share_a_row() -> None:
    lm_eval = next(peer for peer in PEERS if peer.name == "lm-eval")
    table = against._table(sorted(rows(lm_eval), key=against._order), generate.anchor)
    names = [cells[0] for cells in table]
    assert "`bleu`, `chrf`, `chrf++`, `ter`" in names
    assert names[0] == "`acc`, `acc_bytes`, `acc_mutual_info`, `acc_norm`, `exact_match`"
    assert sum(cell.count("`") // 2 for cell in names) == len(lm_eval.measures)


class TestWhatIsWrongIsSeen:
    peer = next(peer for peer in PEERS if peer.name == "ndeval")

    def problems(self, **changed) -> str:
        peer = replace(self.peer, **changed)
        return "\n".join(against.problems(peer, rows(peer)))

    def test_a_measure_that_they_added(self) -> None:
        assert self.problems(measures=[*self.peer.measures, "new"]) == "ndeval: new: not here, and no reason"

    def test_one_that_no_test_speaks_of(self) -> None:
        assert "strec: held nowhere" in self.problems(tests=["tests/peers/measures/test_ranx_peer.py"])

    def test_notes_that_nobody_needs(self) -> None:
        assert "gone: a note on nothing" in self.problems(notes={"gone": {"remark": "…"}})
        group = {"names": ["NRBP", "gone"], "remark": "…"}
        assert "gone: a note on nothing" in self.problems(groups=[group])
        assert "NRBP: two notes" in self.problems(groups=[group], notes={"NRBP": {"remark": "…"}})
        assert "NRBP: found by its own name" in self.problems(notes={"NRBP": {"written": "NRBP"}})

    def test_a_page_is_not_made_of_it(self, monkeypatch) -> None:
        monkeypatch.setattr(against, "peers", lambda: [replace(self.peer, measures=["new"])])
        with pytest.raises(SystemExit, match="new: not here"):
            against.page(generate.anchor)
