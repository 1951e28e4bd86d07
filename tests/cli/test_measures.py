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
