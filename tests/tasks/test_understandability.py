"""A second qrels file with judgments of understandability, beside that of relevance."""

from __future__ import annotations

import lzma

import pytest

import assay
from assay.errors import FormatError, InputError, UsageError

GOLD = b"t 0 a 1\nt 0 b 2\nt 0 c 0\nu 0 d 1\n"
SECOND = b"t 0 a 3\nt 0 b 1\nt 0 c 3\nu 0 d 2\nv 0 x 1\n"
RUN = b"t Q0 c 1 3.0 r\nt Q0 b 2 2.0 r\nt Q0 a 3 1.0 r\nu Q0 x 1 2.0 r\nu Q0 d 2 1.0 r\n"
EASY, GRADED = "uRBP(easy=2,p=0.5)", "uRBPgr(worth=1:0.4,2:0.8,3:1,p=0.5)"
BY_HAND = {EASY: {"t": 0.5 * 0.25, "u": 0.5 * 0.5}, GRADED: {"t": 0.5 * (0.5 * 0.4 + 0.25), "u": 0.5 * 0.5 * 0.8}}


def test_by_hand_from_files_and_from_python(tmp_path) -> None:
    (tmp_path / "qunder.xz").write_bytes(lzma.compress(SECOND))
    nested = {"t": {"a": 3, "b": 1, "c": 3}, "u": {"d": 2}}
    for second in (SECOND, str(tmp_path / "qunder.xz"), nested):
        scores = assay.evaluate(GOLD, [RUN], [EASY, GRADED, "AP"], understandability=second)
        assert {name: scores.values(name, "r") for name in BY_HAND} == {
            name: pytest.approx(values) for name, values in BY_HAND.items()
        }
        assert scores.values("AP", "r") == assay.evaluate(GOLD, [RUN], "AP").values("AP", "r")


def test_a_gold_read_once_and_runs_not_kept() -> None:
    gold = assay.read_gold(GOLD, understandability=SECOND)
    for keep in (True, False):
        assert gold.evaluate([RUN], [EASY], keep=keep).values(EASY, "r") == pytest.approx(BY_HAND[EASY])
    assert gold.evaluate({"t": {"a": 1.0}}, [EASY]).values(EASY, "run") == {"t": 0.5, "u": 0.0}


def test_settings_of_ranked_retrieval_hold() -> None:
    cut = assay.evaluate(GOLD, [RUN], [EASY], understandability=SECOND, depth=2)
    assert cut.values(EASY, "r") == {"t": 0.0, "u": pytest.approx(0.25)}
    judged = assay.evaluate(GOLD, [RUN], [EASY], understandability=SECOND, judged_only=True)
    assert judged.values(EASY, "r")["u"] == 0.5
    level = assay.evaluate(GOLD, [RUN], [GRADED], understandability=SECOND, level=2)
    assert level.values(GRADED, "r") == {"t": pytest.approx(0.5 * 0.5 * 0.4), "u": 0.0}


def test_documents_without_a_second_judgment_are_counted() -> None:
    """Of those in topics that have such judgments; `u` has none but a negative one, and is undefined."""
    scores = assay.evaluate(GOLD, [RUN], [EASY], understandability=b"t 0 a 3\nu 0 d -1\n")
    assert scores.values(EASY, "r") == {"t": pytest.approx(0.125), "u": None}
    [warning] = scores.run("r").notes.warnings
    assert "no judgment of understandability for 1 of 2 relevant documents of <gold>" in warning


def test_without_it_the_measure_is_refused() -> None:
    for task in ("ranked", "diversity"):
        gold = GOLD if task == "ranked" else {"t": {"1": {"a": 1}}}
        with pytest.raises(UsageError, match=r"'uRBP\(easy=2,p=0.5\)' needs judgments of understandability"):
            assay.evaluate(gold, [RUN], [EASY], task=task)


def test_a_second_file_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="no topic in common with <gold>: it has topics such as 'x'"):
        assay.evaluate(GOLD, [RUN], [EASY], understandability=b"x 0 a 3\n")
    with pytest.raises(FormatError, match="expected 4 fields"):
        assay.evaluate(GOLD, [RUN], [EASY], understandability=b"t 0 a\n")
    with pytest.raises(UsageError, match="is a setting of the task ranked; this is diversity"):
        assay.evaluate({"t": {"1": {"a": 1}}}, [RUN], "AP", understandability=SECOND, task="diversity")


def test_compared_as_any_measure_of_topics() -> None:
    topics = [str(number) for number in range(12)]
    gold, second = ({t: {"a": 1, "b": 1} for t in topics}, {t: {"a": 3, "b": 0} for t in topics})
    runs = {"easy": {t: {"a": 2.0, "b": 1.0} for t in topics}, "hard": {t: {"b": 2.0, "a": 1.0} for t in topics}}
    scores = assay.evaluate(gold, runs, [EASY], understandability=second)
    [pair] = assay.compare(scores, EASY).pairs
    assert abs(pair.difference) == pytest.approx(0.25)
