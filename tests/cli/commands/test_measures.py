"""assay measures: the list, and everything about one of them."""

from __future__ import annotations

import json

import pytest

from assay.cli import main


def run(capfd, *words: str) -> tuple[int, str, str]:
    code = main(["measures", *words])
    return (code, *capfd.readouterr())


def test_all_of_them_a_line_each_by_task(capfd) -> None:
    code, out, _ = run(capfd)
    assert code == 0
    for heading in ("ranked:", "outcomes:", "preferences:", "judgment-groups:", "nuggets:"):
        assert f"\n{heading}\n" in f"\n{out}"
    assert "  P@cut " in out


@pytest.mark.parametrize("name", ["nDCG", "ndcg_cut_10", "nDCG@10", "ndcg_cut"])
def test_one_of_them_by_any_of_its_names(capfd, name) -> None:
    code, out, _ = run(capfd, name)
    assert code == 0
    assert out.startswith("nDCG   (ranked)")
    for part in (
        "also written",
        "parameter",
        "range          0.0 to 1.0, higher is better",
        "undefined",
        "citation",
        ">>>",
    ):
        assert part in out


def test_one_task_as_json(capfd) -> None:
    code, out, _ = run(capfd, "--task", "nuggets", "-f", "json")
    found = json.loads(out)
    assert code == 0
    assert {one["task"] for one in found} == {"nuggets"}
    assert {"name", "written", "aliases", "level", "range", "cite", "documentation"} <= set(found[0])


def test_a_measure_of_a_plugin(tmp_path, capfd, registry) -> None:
    (tmp_path / "mine.py").write_text(
        "import assay\n@assay.define.topic('Plugged', cite='me')\ndef mine(view):\n    '''Mine alone.'''\n    return 1.0\n"
    )
    code, out, _ = run(capfd, "Plugged", "--plugin", str(tmp_path / "mine.py"))
    assert (code, out.splitlines()[0]) == (0, "Plugged   (ranked)")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nDGC"], "did you mean"),
        (["--task", "nosuch"], "unknown task 'nosuch'"),
        (["relstring"], "is a text, not a number"),
    ],
)
def test_what_is_not_there(capfd, words, problem) -> None:
    code, out, err = run(capfd, *words)
    assert (code, out) == (2, "")
    assert problem in err


COUNTS = ["--counts", "correct=237,incorrect=156,unanswered=107"]


def test_several_of_them_explained(capfd) -> None:
    code, out, _ = run(capfd, "c@1", "accuracy")
    assert code == 0
    assert [line for line in out.splitlines() if line.endswith("(outcomes)")] == [
        "c@1   (outcomes)",
        "accuracy   (outcomes)",
    ]
    code, out, _ = run(capfd, "c@1", "accuracy", "-f", "json")
    assert [one["name"] for one in json.loads(out)] == ["c@1", "accuracy"]


def test_values_of_counts_alone(capfd) -> None:
    """Table 3 of Peñas and Rodrigo 2011: c@1 .58 and accuracy .47."""
    assert run(capfd, "c@1", "accuracy", *COUNTS)[:2] == (0, "measure    value\nc@1       0.5754\naccuracy  0.4740\n")
    code, out, _ = run(capfd, "c@1", "precision", "--counts", "correct=0, unanswered=4, n=4", "-f", "json")
    found = json.loads(out)
    assert code == 0
    assert found["counts"] == {"correct": 0, "unanswered": 4, "n": 4}
    assert found["scores"] == {"c@1": 0.0, "precision": None}


def test_values_of_all_relatives(capfd) -> None:
    code, out, _ = run(capfd, *COUNTS)
    values = dict(line.split() for line in out.splitlines())
    assert code == 0
    assert (values["c@1"], values["UF"], values["correct"], values["hallucination_rate"]) == (
        "0.5754", "0.1620", "237", "0.5932",
    )  # fmt: skip


def test_a_group_of_measures(capfd) -> None:
    code, out, _ = run(capfd, "estimators")
    assert code == 0
    assert out.splitlines()[0].startswith("estimators   (outcomes)")
    assert [line.split()[0] for line in out.splitlines()[1:] if line.startswith("  ")] == [
        "accuracy", "all_unanswered_right", "half_unanswered_right", "unanswered_as_precision", "unanswered_as_error", "c@1",
    ]  # fmt: skip
    assert "  estimators " in run(capfd)[1]
    assert "0.5589" in run(capfd, "estimators", *COUNTS)[1]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["c@1", "--counts", "correct=2,correct=3"], "--counts: correct is given twice"),
        (["c@1", "--counts", "correct"], "--counts: expected NAME=NUMBER, as in correct=237, found 'correct'"),
        (["c@1", "--counts", ""], "--counts: expected NAME=NUMBER"),
        (["c@1", "--counts", "correct=2.5,incorrect=1,unanswered=0"], "found '2.5'"),
        (["c@1", "--counts", "correct=-2,incorrect=1,unanswered=0"], "found '-2'"),
        (["c@1", "--counts", "correct=" + "9" * 5000 + ",incorrect=1,unanswered=0"], "expected a whole number"),
        (["c@1", "--counts", "correct=6,incorrect=1"], "unanswered is missing"),
        (["AP", *COUNTS], "AP is averaged over topics and needs the results of each; counts are not enough"),
        (["--task", "ranked", *COUNTS], "--counts needs the task outcomes"),
    ],
)
def test_counts_that_are_refused(capfd, words, problem) -> None:
    code, out, err = run(capfd, *words)
    assert (code, out) == (2, "")
    assert problem in err


def test_measures_are_listed_and_explained(capsys) -> None:
    assert main(["measures"]) == 0
    out = capsys.readouterr().out
    assert "nDCG" in out
    assert "ndcg_cut_{cut}" in out
    for name in ("ndcg_cut_10", "nDCG", "nDCG@5", "ndcg_cut"):
        assert main(["measures", name]) == 0
        assert "Järvelin" in capsys.readouterr().out
    assert main(["measures", "-f", "json", "--task", "ranked"]) == 0
    assert {"AP", "Q", "ERR"} <= {entry["name"] for entry in json.loads(capsys.readouterr().out)}
    assert main(["measures", "nosuch"]) == 2
