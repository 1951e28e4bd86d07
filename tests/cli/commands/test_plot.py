"""`assay plot` from the outside: a file in the form asked for, and what is refused how."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.cli import main
from assay.cli.commands.plot import OF_COMPARISONS, OF_SCORES, OF_STUDIES
from assay.reports.plots import kinds_of

QRELS = "".join(f"{topic} 0 d{place} 1\n" for topic in range(1, 13) for place in (1, 2))


def ranked(tag: str, right: int) -> str:
    """A run that finds both relevant documents of its first topics, and on the others nothing relevant."""
    return "".join(
        f"{topic} Q0 {'d' if topic <= right else 'x'}{place} {place} {9 - place} {tag}\n"
        for topic in range(1, 13)
        for place in (1, 2)
    )


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("runs").mkdir()
    for tag, right in (("good", 12), ("fair", 10), ("half", 6), ("some", 4), ("poor", 1)):
        Path(f"runs/{tag}.run").write_text(ranked(tag, right))
    gold = ["id,gold", *(f"q{i},yes" for i in range(20))]
    Path("gold.csv").write_text("\n".join(gold) + "\n")
    Path("answers").mkdir()
    rows = ["id,answer,confidence", *(f"q{i},{'yes' if i % 4 else 'no'},{0.9 if i % 4 else 0.3}" for i in range(20))]
    Path("answers/sure.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def sources(kind: str) -> list[str]:
    if kind in ("reliability-diagram", "risk-coverage"):
        return ["gold.csv", "answers/"]
    studied = ["--trials", "20"] if kind in OF_STUDIES else []
    return ["qrels.txt", "runs/", "-m", "AP", *studied, *(["--size", "3", "--size", "6"] if kind == "sizes" else [])]


def test_the_command_has_every_kind() -> None:
    assert {*OF_SCORES, *OF_COMPARISONS, *OF_STUDIES} == set(kinds_of())


@pytest.mark.parametrize("kind", [*OF_SCORES, *OF_COMPARISONS, *OF_STUDIES])
def test_every_kind_is_written(here, capsys, kind):
    assert main(["plot", kind, *sources(kind), "-o", "a.svg", "--width", "84mm"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "assay: wrote a.svg"
    assert Path("a.svg").read_text().startswith('<svg xmlns="http://www.w3.org/2000/svg" width="317.48"')


@pytest.mark.parametrize(("ending", "begins"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<svg")])
def test_the_name_decides_on_the_form(here, ending, begins):
    if ending != "svg":
        pytest.importorskip("typst", reason="typst is not installed")
    assert main(["plot", "leaderboard", *sources("leaderboard"), "-o", f"a.{ending}"]) == 0
    assert Path(f"a.{ending}").read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["leaderboard", "-o", "a.gif"], 2, "a.gif: expected a name that ends in .svg, .pdf or .png"),
        (["leaderboard", "-o", "a.svg", "--width", "3 feet"], 2, "--width 3 feet: expected a length such as 84mm, 3.3in"),
        (["leaderboard", "-o", "a.svg", "--width", "1mm"], 2, "--width 1mm: expected 150 to 4000 pixels, which are 40 mm to 1 m"),
        (["leaderboard", "-o", "a.svg", "--height", "1"], 2, "--height: expected 20 to 4000 pixels, found 1"),
        (["ranks", "-o", "a.svg", "--run", "good"], 2, "--run goes with topics, recall-precision"),
        (["ranks", "-o", "a.svg", "--trials", "5"], 2, "--trials goes with swap, stability"),
        (["topics", "-o", "a.svg", "--run", "nobody"], 2, "unknown run 'nobody'; runs are"),
        (["risk-coverage", "-o", "a.svg"], 2, "'risk-coverage' needs answers with confidence"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_said_in_a_line_and_nothing_is_written(here, capsys, words, code, said):
    assert main(["plot", words[0], "qrels.txt", "runs/", *words[1:]]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err.splitlines()[-1]
    assert not Path("a.svg").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pie", "qrels.txt", "runs/", "-o", "a.svg"], "expected one of leaderboard, topics, recall-precision"),
        (["ranks", "qrels.txt", "runs/"], "missing -o/--output"),
    ],
)
def test_a_kind_and_a_file_are_needed(here, capsys, words, said):
    with pytest.raises(SystemExit) as ended:
        main(["plot", *words])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_missing_file_is_bad_input(here, capsys):
    assert main(["plot", "ranks", "nothing.txt", "runs/", "-o", "a.svg"]) == 3
    assert "nothing.txt" in capsys.readouterr().err


def test_one_run_is_marked(here):
    assert main(["plot", "recall-precision", *sources("recall-precision"), "-o", "a.svg", "--run", "half"]) == 0
    svg = Path("a.svg").read_text()
    assert ">half</text>" in svg
    assert ">good</text>" not in svg
