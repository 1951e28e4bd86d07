"""Order, ties, depth and missing topics of ranked retrieval, on numbers a reader can check."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.core import Gold, Ranker, measure_plans
from assay.core.binding import KERNELS
from assay.errors import InputError, UsageError
from assay.tasks.ranked import one_run
from assay.tasks.ranked_runs import rank_run

QRELS = {"1": {"a": 1, "b": 0, "c": 2, "n": -1}, "2": {"a": 1}}


def run(*documents: str, topic: str = "1") -> bytes:
    """`document score` as a TREC run; the rank column is nonsense on purpose."""
    return "".join(f"{topic} Q0 {line.split()[0]} 7 {line.split()[1]} tag\n" for line in documents).encode()


def value(measure: str, found: bytes, qrels: dict[str, dict[str, int]] = QRELS, **settings: object) -> object:
    """Of the first topic."""
    return assay.evaluate(qrels, [found], measure, **settings).values(measure, "tag")["1"]


def test_scores_decide_the_order_whatever_the_file_and_its_ranks_say() -> None:
    """x, a, c by score: relevant at ranks 2 and 3."""
    found = run("c 0.5", "x 2", "a 1e0")
    assert value("RR", found) == 1 / 2
    assert value("AP", found) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_scores_are_numbers_not_words() -> None:
    assert value("RR", run("b 9", "a 10", "x -1e3")) == 1


def test_ties_break_by_document_id_descending() -> None:
    """c, b, a: relevant at ranks 1 and 3, wherever they stand in the file."""
    for documents in (("a 1", "b 1", "c 1"), ("c 1", "a 1", "b 1")):
        assert value("AP", run(*documents)) == pytest.approx((1 + 2 / 3) / 2)


def test_ids_are_compared_as_bytes() -> None:
    """é is two bytes above every letter of ASCII, so it stands first; d9 stands before d10."""
    assert value("RR", run("z 1", "é 1"), {"1": {"é": 1}}) == 1
    assert value("RR", run("d10 1", "d9 1"), {"1": {"d10": 1}}) == 1 / 2


def test_scores_that_differ_in_the_last_bit_are_no_tie() -> None:
    assert value("RR", run("b 0.3", "a 0.30000000000000004")) == 1
    assert value("RR", run("b 0.3", "a 0.3")) == 1 / 2


def test_depth() -> None:
    """b, a, c: within 2, one relevant of 2 at rank 2; within 1, none."""
    found = run("b 3", "a 2", "c 1")
    assert value("AP", found, depth=2) == pytest.approx((1 / 2) / 2)
    assert value("NumRet", found, depth=2) == 2
    assert value("AP", found, depth=1) == 0
    assert value("AP", found, depth=9) == value("AP", found)


def test_judged_only_drops_what_nobody_judged() -> None:
    """x is not in the judgments; n, of grade -1, was pooled and not judged: b, c are left."""
    found = run("x 5", "n 4", "b 3", "c 2")
    assert value("RR", found) == 1 / 4
    assert value("RR", found, judged_only=True) == 1 / 2
    assert value("NumRet", found, judged_only=True) == 2


def test_depth_goes_before_judged_only() -> None:
    """Of x, b, c the first alone is x, which is then dropped; of all three b and c are left."""
    found = run("x 5", "b 3", "c 2")
    assert value("NumRet", found, judged_only=True, depth=1) == 0
    assert value("RR", found, judged_only=True, depth=3) == 1 / 2


def test_level() -> None:
    """From grade 2, c alone is relevant, at rank 2; gains stay what they are."""
    found = run("a 3", "c 2", "b 1")
    assert value("RR", found, level=1) == 1
    assert value("RR", found, level=2) == 1 / 2
    assert value("P@2", found, level=2) == 1 / 2


@pytest.mark.parametrize(("policy", "mean", "topics"), [("zero", 0.5, 2), ("skip", 1.0, 1), ("common", 1.0, 1)])
def test_topics_the_run_leaves_out(policy: str, mean: float, topics: int) -> None:
    scores = assay.evaluate(QRELS, [run("a 1")], ["RR"], missing=policy)
    found = scores.value("tag", "RR")
    assert (found.value, found.topics) == (mean, topics)
    assert list(scores.run("tag").missing) == [False, True]


def test_a_topic_left_out_may_be_an_error() -> None:
    with pytest.raises(InputError, match="run 'tag' has no results for topic '2'"):
        assay.evaluate(QRELS, [run("a 1")], ["RR"], missing="error").mean("RR")


def test_topics_nobody_judged_are_counted_and_left_out() -> None:
    scores = assay.evaluate(QRELS, [run("a 1") + run("a 1", topic="9") + run("a 1", topic="8")], ["RR"])
    assert (scores.topics, scores.run("tag").notes.ignored_topics) == (["1", "2"], 2)


def test_no_topic_in_common() -> None:
    with pytest.raises(
        InputError,
        match=r"no topic in common with .*: it has topics such as '9', the judgments have topics such as '1'",
    ):
        assay.evaluate(QRELS, [run("a 1", topic="9")], ["RR"])


@pytest.mark.parametrize("task", ["ranked", "diversity", "preferences", "filtering"])
def test_another_prefix_is_named_once(task) -> None:
    qrels = "".join(f"clef2015.test.{topic} 0 a 1\n" for topic in range(1, 9)).encode()
    if task == "preferences":
        qrels = "".join(f"clef2015.test.{topic} g s a 1\n" for topic in range(1, 9)).encode()
    lines = b"".join(run("a 1", topic=f"qtest.{topic}") for topic in range(1, 9))
    with pytest.raises(InputError) as refused:
        assay.evaluate(qrels, [lines], task=task)
    assert str(refused.value).count("; ids begin with 'qtest.' here and with 'clef2015.test.' in <gold>. Fix:") == 1


def test_names() -> None:
    """A run is called by its tag, or by what the caller calls it."""
    assert assay.evaluate(QRELS, [run("a 1")], ["RR"]).runs == ["tag"]
    assert assay.evaluate(QRELS, {"mine": run("a 1")}, ["RR"]).runs == ["mine"]
    assert assay.evaluate(QRELS, {"1": {"a": 1.0}}, ["RR"]).runs == ["run"]
    assert assay.evaluate(QRELS, {"mine": {"1": {"a": 1.0}}}, ["RR"]).runs == ["mine"]


def test_where_the_relevant_documents_stand() -> None:
    scores = assay.evaluate(QRELS, [run("b 3", "a 2", "c 1")], ["RR"])
    views = scores.run("tag").views
    assert views.column("relevant_ranks") == [[2, 3], []]
    assert views.column("P@1") == [0.0, 0.0]
    with pytest.raises(UsageError):
        views.column("correct")


@pytest.mark.parametrize("choice", [{"depth": 0}, {"level": 1.5}, {"judged_only": "yes"}, {"missing": "unanswered"}])
def test_choices_that_mean_nothing(choice: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=f"`{next(iter(choice))}=.*`: expected"):
        assay.evaluate(QRELS, [run("a 1")], ["RR"], **choice)


def test_levels_depth_and_judged_only() -> None:
    judged = {"q": {"a": 2, "b": 1, "c": 0}}
    run = {"q": {"x": 9.0, "c": 8.0, "b": 7.0, "a": 6.0}}

    def rr(**settings) -> float:
        return assay.evaluate(judged, run, ["RR"], **settings).mean("RR")["run"]

    assert rr() == pytest.approx(1 / 3)
    assert rr(level=2) == 0.25
    assert rr(judged_only=True) == 0.5
    assert rr(depth=2) == 0.0
    with pytest.raises(assay.UsageError, match="depth"):
        rr(depth=0)
    with pytest.raises(assay.UsageError, match="missing"):
        rr(missing="ignore")


@pytest.mark.parametrize("level", [0, -1, 1, 2, 3])
def test_levels_agree_with_filtering_by_hand(level) -> None:
    judged = {"q": {"a": 2, "b": 1, "c": 0, "e": -1}}
    run = {"q": {"c": 8.0, "e": 7.5, "b": 7.0, "a": 6.0}}
    grades = [judged["q"][d] for d in run["q"]]
    relevant = [rank for rank, grade in enumerate(grades, 1) if grade >= max(level, 0)]
    expected = sum(i / rank for i, rank in enumerate(relevant, 1)) / len(relevant) if relevant else None
    assert assay.evaluate(judged, run, [f"AP(rel={level})"]).values(f"AP(rel={level})", "run")["q"] == expected


def test_one_run_is_told_from_several_by_the_first_document_of_each_topic() -> None:
    assert one_run({"q1": {"d1": 1.0}, "q2": {}})
    assert not one_run({"bm25": {"q1": {"d1": 1.0}}, "dense": {"q1": {}}})
    assert not one_run({"q1": {}})
    with pytest.raises(InputError, match=r"run: topic q1: document d2: expected a number as score, found \{'d3': 1\}"):
        assay.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1.0, "d2": {"d3": 1}}})


MEASURES = ("AP", "nDCG", "nDCG@10", "P@10", "Rprec", "R@1000", "RR", "Bpref", "IPrec@0.5")
"""Which the core has, all of them."""


def many(topics: int = 3, documents: int = 6000) -> tuple[dict[str, dict[str, int]], bytes]:
    """Judgments of every grade, and a run with some of them; more relevant documents than there is room for at first."""
    judged = {str(t): {f"d{d}": (d + t) % 5 - 1 for d in range(documents)} for t in range(topics)}
    lines = [f"{t} Q0 d{7 * d % 8011} 0 {-d} tag\n" for t in judged for d in range(documents)]
    return judged, "".join(lines).encode()


@pytest.mark.parametrize("settings", [{}, {"depth": 50}, {"judged_only": True}, {"level": 2}])
def test_numbers_are_the_same_whether_or_not_a_run_is_kept(settings, tmp_path) -> None:
    judged, lines = many()
    file = tmp_path / "a.run"
    file.write_bytes(lines)
    kept = assay.evaluate(judged, [file], MEASURES, **settings)
    for measures in (MEASURES, (*MEASURES, "nDCG'@10")):
        alone = assay.evaluate(judged, [file], measures, keep=False, **settings)
        assert [alone.values(m, "tag") for m in MEASURES] == [kept.values(m, "tag") for m in MEASURES]
        assert alone.mean("Bpref")["tag"] > 0


@pytest.mark.native_only
@pytest.mark.parametrize(
    ("measures", "level", "quick"),
    [(MEASURES, 1, True), (MEASURES, 2, False), (("AP", "nDCG'@10"), 1, False), (("AP", "P(rel=2)@5"), 1, False)],
)
def test_no_more_is_noted_of_a_run_than_its_measures_need(measures, level, quick, monkeypatch) -> None:
    judged, lines = many(documents=5)
    asked: list[bool] = []

    def reading(*given, relevant_only=False, **options):
        asked.append(relevant_only)
        return rank_run(*given, relevant_only=relevant_only, **options)

    monkeypatch.setattr("assay.tasks.ranked_runs.rank_run", reading)
    assay.evaluate(judged, [lines], measures, keep=False, level=level)
    assay.evaluate(judged, [lines], measures, keep=True, level=level)
    assert asked == [quick, False]


@pytest.mark.native_only
@pytest.mark.parametrize("kernel", KERNELS)
def test_relevant_documents_are_enough_for_the_definition_of_every_measure_of_the_core(kernel, monkeypatch) -> None:
    """Of a ranking that is too deep for the core, say."""
    measure = {"P": "P@5", "R": "R@5", "RelP": "RelP@5", "Success": "Success@5", "IPrec": "IPrec@0.5"}.get(
        kernel, kernel
    )
    judged, lines = many(documents=20)
    expected = assay.evaluate(judged, [lines], measure).values(measure, "tag")
    monkeypatch.setattr(measure_plans, "MAX_RANK", 19)
    assert assay.evaluate(judged, [lines], measure, keep=False).values(measure, "tag") == expected


@pytest.mark.native_only
def test_who_asks_for_what_was_not_noted_is_refused() -> None:
    gold = Gold.read(b"1 0 a 0\n1 0 b 1\n")
    ranker = Ranker(gold, relevant_only=True)
    ranker.feed(b"1 Q0 a 0 9 tag\n1 Q0 b 0 8 tag\n")
    found = ranker.finish()
    assert found.relevant(0) == ([2], [1], [1])
    for ask in (found.pooled, found.pooled_grades, lambda topic: found.graded(topic, 0)):
        with pytest.raises(RuntimeError, match="relevant documents alone"):
            ask(0)


def put(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


class TestKnownItem:
    def test_counts_and_shares(self, tmp_path):
        # Ranks 1, 3, 11 and 101, and one topic never found.
        qrels = put(tmp_path, "q.txt", "".join(f"{t} 0 home{t} 1\n" for t in range(1, 6)))
        lines: list[str] = []
        for topic, rank in ((1, 1), (2, 3), (3, 11), (4, 101)):
            names = [f"d{i}" for i in range(1, rank)] + [f"home{topic}"]
            lines += [f"{topic} Q0 {name} 0 {1000 - place} run\n" for place, name in enumerate(names)]
        scores = assay.evaluate(qrels, put(tmp_path, "r.txt", "".join(lines)), task="known-item")
        values = {m.name: scores.mean(m)["run"] for m in scores.measures}
        assert values["RR"] == pytest.approx((1 + 1 / 3 + 1 / 11 + 1 / 101) / 5)
        assert (values["Found@1"], values["Found@10"], values["NotFound@100"]) == (1, 2, 2)
        assert (values["Success@1"], values["Success@10"]) == (1 / 5, 2 / 5)

    def test_any_of_several_right_pages(self, tmp_path):
        qrels = put(tmp_path, "q.txt", "1 0 a 1\n1 0 b 1\n")
        run = put(tmp_path, "r.txt", "1 Q0 x 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n")
        assert assay.evaluate(qrels, run, ["Rank"], task="known-item").values("Rank", "t") == {"1": 2}


def test_a_run_without_any_relevant_document_is_remarked():
    qrels, other = b"q1 0 d1 1\nq2 0 d2 1\nq2 0 d3 0\n", b"q1 Q0 doc1 1 2.0 t\nq2 Q0 doc2 1 2.0 t\n"
    remark = "t: no relevant document was retrieved for any topic; check that run and judgments name documents alike"
    assert remark in assay.evaluate(qrels, other, "AP").remarks()
    one = b"q1 Q0 doc1 1 2.0 t\nq2 Q0 d2 1 2.0 t\n"
    assert remark not in assay.evaluate(qrels, one, "AP").remarks()
