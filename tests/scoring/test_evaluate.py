"""From gold and runs to the table: one path for every task, names that are each run's own, gold that is read once."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.scoring.evaluate import extended
from assay.tasks import TaskGold, every

QRELS = "1 0 a 1\n2 0 a 1\n"


def run(tag: str, *documents: str) -> str:
    return "".join(f"1 Q0 {d} 0 {10 - i} {tag}\n" for i, d in enumerate(documents))


@pytest.fixture
def files(tmp_path):
    def put(**texts: str) -> list[str]:
        for name, text in texts.items():
            path = tmp_path / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return [str(tmp_path / name.replace("__", "/")) for name in texts]

    return put


def test_runs_that_share_a_tag_are_called_by_their_files(files) -> None:
    gold, one, two = files(qrels=QRELS, one=run("t", "a"), two=run("t", "x", "a"))
    scores = assay.evaluate(gold, [one, two], ["RR"])
    assert scores["RR"] == {"one": 0.5, "two": 0.25}
    assert scores.run("one").notes.warnings == ["2 runs are all called 't'; naming them by file name"]


def test_files_that_share_a_name_are_called_by_their_folders(files) -> None:
    gold, one, two = files(qrels=QRELS, x__r=run("t", "a"), y__r=run("t", "x", "a"))
    assert assay.evaluate(gold, [one, two], ["RR"]).runs == ["x", "y"]


def test_the_same_file_twice_is_numbered(files) -> None:
    gold, one = files(qrels=QRELS, one=run("t", "a"))
    assert assay.evaluate(gold, [one, one, one], ["RR"]).runs == [f"{one}#{i}" for i in (1, 2, 3)]


def test_only_those_that_clash_are_renamed(files) -> None:
    gold, *runs = files(qrels=QRELS, one=run("t", "a"), two=run("t", "a"), three=run("own", "a"))
    assert assay.evaluate(gold, runs, ["RR"]).runs == ["one", "two", "own"]
    assert assay.evaluate(gold, runs, ["RR"], name_by="file").runs == ["one", "two", "three"]


def test_a_number_that_another_run_is_called_by_is_left_out() -> None:
    """Two runs called t and one called t#1: it was lost."""
    gold = {"1": {"a": 1}}
    runs = [b"1 Q0 a 0 1 <data>#1\n", *(b"1 Q0 x 0 1 t\n1 Q0 a 0 0 t\n",) * 2]
    assert assay.evaluate(gold, runs, ["RR"])["RR"] == {"<data>#1": 1.0, "<data>#2": 0.5, "<data>#3": 0.5}


def test_gold_is_read_once_and_serves_a_training_loop(files) -> None:
    gold, one = files(qrels=QRELS, one=run("t", "a"))
    judgments = assay.read_gold(gold)
    assert judgments.topics == ["1", "2"]
    assert repr(judgments) == f"<gold of {gold}: ranked retrieval, 2 topics>"
    (open(gold, "w")).close()  # what was read stays read
    for documents, expected in (({"a": 1.0}, 0.5), ({"x": 2.0, "a": 1.0}, 0.25)):
        assert judgments.evaluate({"1": documents}, "RR")["RR"] == {"run": expected}
    assert judgments.evaluate(one, ["RR", "P@1"])["P@1"] == {"t": 0.5}


def test_progress_counts_the_sources(files) -> None:
    gold, *runs = files(qrels=QRELS, one=run("s", "a"), two=run("t", "a"))
    seen: list[tuple[int, int]] = []
    assay.evaluate(gold, runs, ["RR"], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_a_table_that_holds_gold_and_runs_needs_no_more(files) -> None:
    (wide,) = files(**{"wide.csv": "id,gold,m1,m2\n1,A,A,B\n2,B,B,\n3,A,C,A\n"})
    assert assay.evaluate(wide, measures=["accuracy"])["accuracy"] == pytest.approx({"m1": 2 / 3, "m2": 1 / 3})


def test_more_is_computed_from_the_runs_when_it_is_asked_for(files) -> None:
    gold, one = files(qrels=QRELS, one=run("t", "x", "a"))
    scores = assay.evaluate(gold, one, ["RR"])
    more = extended(scores, ["P@2"], ["relevant_ranks"])
    assert more["P@2"] == {"t": 0.25}
    assert more.column("t", "relevant_ranks") == [[2], []]
    assert [m.name for m in scores.measures] == ["RR"]
    with pytest.raises(UsageError, match="has its numbers alone"):
        extended(assay.scores([[0.5], [0.25]]), (), ["relevant_ranks"])


@pytest.mark.parametrize("task", every(), ids=lambda task: task.name)
def test_every_task_is_declared_whole(task) -> None:
    assert task.title
    assert task.noun in ("topic", "question", "problem")
    assert task.name == "scores" or task.headline in task.defaults
    assert issubclass(TaskGold, object)
    assert repr(task) == f"<task {task.name}>"


def test_a_verb_takes_a_table_or_what_it_is_made_from() -> None:
    from assay.scoring.evaluate import scores_of

    scores = assay.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["RR"])
    assert scores_of(scores) is scores
    assert scores_of({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["RR"])["RR"] == {"run": 1.0}
    with pytest.raises(UsageError, match="not both"):
        scores_of(scores, {"1": {"a": 1.0}})


JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}}


RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 5.0, "d1": 4.0, "x": 9.0}}


EXPECTED = {"q1": 0.5, "q2": (1 / 2 + 2 / 3) / 2}


def test_the_example_of_the_documentation() -> None:
    scores = assay.evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d1": 3.2}}})
    assert scores.runs == ["r"]
    assert scores.mean("AP") == {"r": 1.0}


@pytest.mark.parametrize("runs", [{"r": RUN}, RUN, [RUN], {"r": {t: dict(d) for t, d in RUN.items()}}])
def test_dicts_in_every_arrangement(runs) -> None:
    scores = assay.evaluate(JUDGED, runs, ["AP"])
    assert scores.values("AP", scores.runs[0]) == pytest.approx(EXPECTED)


def test_files_bytes_and_paths(tmp_path) -> None:
    qrels = "".join(f"{t} 0 {d} {g}\n" for t, judged in JUDGED.items() for d, g in judged.items())
    run = "".join(f"{t} Q0 {d} 0 {s} tag\n" for t, documents in RUN.items() for d, s in documents.items())
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text(run)
    for gold, runs in (
        (tmp_path / "q", tmp_path / "r"),
        (str(tmp_path / "q"), [str(tmp_path / "r")]),
        (qrels.encode(), [run.encode()]),
    ):
        scores = assay.evaluate(gold, runs, ["AP"])
        assert scores.values("AP", "tag") == pytest.approx(EXPECTED)


def test_what_runs_were_scored_from_is_kept_only_where_it_is_wanted() -> None:
    for keep in (True, False):
        scores = assay.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, ["RR"], keep=keep)
        assert (scores.run("run").views is not None) is keep
        assert scores["RR"] == {"run": 1.0}


GOLD_LINE = b'{"id": "q1", "answers": ["Paris"]}\n'


@pytest.mark.parametrize(
    ("gold", "run", "task", "name"),
    [
        (GOLD_LINE, b'{"id": "q1", "answer": "Paris", "run": "llama"}\n', None, "llama"),
        (GOLD_LINE, b'{"id": "q1", "answer": "Paris"}\n', None, "run"),
        (GOLD_LINE, b'{"id": "q1", "answers": ["Paris"], "run": "llama"}\n', "qa", "llama"),
        (None, b'{"id": "q1", "outcome": "correct", "run": "llama"}\n', None, "llama"),
        (None, b"id,model,outcome\nq1,llama,correct\n", None, "llama"),
        (None, b"id,outcome\nq1,correct\n", None, "run"),
        (b"q1 0 d1 1\n", b"q1 Q0 d1 1 2.5 bm25\n", None, "bm25"),
        (b"q1 0 d1 1\n", b"q1 Q0 d1 1 2.5 bm25\n", "known-item", "bm25"),
        (b"q1 0 d1 1\n", b"q1 Q0 d1 1 2.5 bm25\n", "filtering", "bm25"),
    ],
)
def test_bytes_name_their_run_as_a_file_of_them_does(gold, run, task, name, tmp_path):
    """One run as bytes has the name inside it, or else `run`, and in a dict the name that it has there."""
    (tmp_path / "run").write_bytes(run)
    for given in (tmp_path / "run", run, bytearray(run)):
        assert assay.evaluate(gold, given, task=task).runs == [name]
    assert assay.evaluate(gold, {"mine": run}, task=task).runs == ["mine"]
    if gold is None and name != "run":
        assert assay.evaluate(run).runs == [name]  # runs that carry their outcomes, in place of gold
