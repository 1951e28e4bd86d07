"""Names that others chose reach nobody's terminal, spreadsheet, page or paper as anything but text."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.cli import main
from assay.cli.output import to_json
from assay.errors import InputError
from assay.formats.score_tables import Matrix, read_matrix, write_matrix
from assay.reports import tables

NAMES = {
    "colour": "e\x1b[31mvil",
    "title": "\x1b]0;owned\x07t",
    "C1": "c\x9b31m",
    "next line": "n\x85l",
    "delete": "d\x7f\b\bx",
    "override": "\u202egnp.exe",
    "isolate": "\u2066iso\u2069",
    "marks": "a\u200fb\u061c",
    "raw byte": "r\udc9b31m",
    "latin-1": "caf\udce9",
    "script": "<script>alert(1)</script>",
    "image": "<img/src=x/onerror=alert(1)>",
    "entity": "&lt;b&#62;",
    "link": "[click](javascript:alert(1))",
    "code": "`a`|b",
    "formula": '=HYPERLINK("http://x","y")',
    "at": "@SUM(1)",
    "plus": "+cmd|'/C-calc'!A0",
    "minus": "-2+3",
    "wide": "\uff1d1",
    "row": "[-9cm]",
    "star": "*x",
    "input": r"\input{secrets}",
}
ANY = "".join(NAMES.values())


TURNS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


def commanding(text: str) -> list[str]:
    """Characters that a terminal obeys or that turn the direction of text: controls, separators, marks, lone bytes of C1."""
    return [
        c
        for c in text
        if (unicodedata.category(c) in ("Cc", "Zl", "Zp") and c not in "\n\t")
        or unicodedata.bidirectional(c) in TURNS
        or c in "\u200e\u200f\u061c"
        or "\udc80" <= c <= "\udc9f"
    ]


def read(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs whose tags, file names, topics and documents are all of the names; and answers whose ids and fields are."""
    monkeypatch.chdir(tmp_path)
    topics = list(NAMES.values())
    qrels = "".join(f"{t} 0 {d} {(i + j) % 2}\n" for i, t in enumerate(topics) for j, d in enumerate((t, "d1", "d2")))
    Path("qrels").write_bytes(qrels.encode("utf-8", "surrogateescape"))
    Path("runs").mkdir()
    for place, tag in enumerate(NAMES.values()):
        lines = [
            f"{t} Q0 {d} 1 {(i * place + j * (place + 1)) % 7} {tag}\n"
            for i, t in enumerate(topics)
            for j, d in enumerate(("d1", t, "d2"))
        ]
        name = os.fsencode(tag.replace("/", "_"))
        Path(os.fsdecode(b"runs/" + name)).write_bytes("".join(lines).encode("utf-8", "surrogateescape"))
    utf8 = [t for t in topics if t.isascii() or not any("\ud800" <= c <= "\udfff" for c in t)]
    gold = [{"id": t, "answers": ["A"], t: "x", "type": utf8[i % 3]} for i, t in enumerate(utf8)]
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in gold))
    answers = [{"id": t, "answer": "AB"[i % 2], "confidence": (i % 9) / 10} for i, t in enumerate(utf8)]
    Path("\x1b[1manswers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    return tmp_path


RANKED = ["qrels", "runs"]
ANSWERS = ["gold.jsonl", "\x1b[1manswers.jsonl"]
COMMANDS = {
    "evaluate": ["evaluate", *RANKED, "-m", "AP", "-m", "P@1"],
    "per topic": ["evaluate", *RANKED, "-m", "AP", "-q"],
    "by file": ["evaluate", *RANKED, "-m", "AP", "--name-by", "file"],
    "answers": ["evaluate", *ANSWERS],
    "by type": ["evaluate", *ANSWERS, "--by", "type"],
    "compare": ["compare", *RANKED, "-m", "AP"],
    "reliability": ["reliability", *RANKED, "-m", "AP", "--trials", "5", "--size", "5"],
    "plan": ["plan", *RANKED, "-m", "AP", "--difference", "0.05"],
    "threshold": ["threshold", *ANSWERS, "-m", "c@1"],
    "price": ["price", *ANSWERS, "--resamples", "20"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_lets_a_name_command(campaign, capfdbinary, command, subtests) -> None:
    for format in ("table", "csv", "tsv", "json", "markdown", "latex"):
        with subtests.test(format):
            prints_names_as_text(capfdbinary, command, format)


def prints_names_as_text(capfdbinary, command: str, format: str) -> None:
    assert main([*COMMANDS[command], "-f", format]) == 0
    out, err = map(read, capfdbinary.readouterr())
    assert commanding(out) == commanding(err) == []
    assert out
    if format == "markdown":
        assert "<" not in out
        assert "](" not in out.replace("\\](", "")
    if format == "latex":
        assert not [line for line in out.splitlines() if line.startswith(("[", "*"))]
    if format in ("csv", "tsv"):
        rows = list(csv.reader(io.StringIO(out), delimiter="," if format == "csv" else "\t"))
        assert not [cell for row in rows for cell in row if calculated(cell)]
    if format == "json" and command == "by file":
        assert {run["run"] for run in json.loads(out)["runs"]} >= {NAMES["colour"], NAMES["override"], NAMES["C1"]}


def calculated(cell: str) -> bool:
    """Whether a spreadsheet would take the cell for a formula: it begins like one, and is no number."""
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("name", ["report.html", "report.txt", None])
@pytest.mark.parametrize("sources", [RANKED, ANSWERS], ids=["ranked", "answers"])
def test_reports(campaign, capfdbinary, sources, name) -> None:
    assert main(["report", *sources, "--trials", "0", "--title", ANY, *(["-o", name] if name else [])]) == 0
    out, err = map(read, capfdbinary.readouterr())
    text = read(Path(name).read_bytes()) if name else out
    assert commanding(text) == commanding(out) == commanding(err) == []
    if name == "report.html":
        assert "<script>alert" not in text
        assert "<img/src" not in text


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_raw_csv_keeps_every_byte(campaign, capfdbinary, format) -> None:
    assert main([*COMMANDS["evaluate"], "-f", format, "--raw-csv"]) == 0
    rows = csv.reader(io.StringIO(read(capfdbinary.readouterr().out), newline=""), delimiter=",\t"[format == "tsv"])
    assert {row[0] for row in rows} == {"run", *NAMES.values()}


def test_trec_eval_prints_trec_evals_bytes_to_a_program_and_text_to_a_terminal(campaign, capfdbinary) -> None:
    tag = NAMES["colour"]
    words = ["trec_eval", "-q", "-m", "map", "-m", "runid", "qrels", f"runs/{tag}"]
    assert main(words) == 0
    assert f"runid                 \tall\t{tag}\n" in read(capfdbinary.readouterr().out)
    code = "import sys; from assay.cli import main; sys.exit(main())"
    ours, terminal = os.openpty()
    try:
        subprocess.run([sys.executable, "-c", code, *words], stdout=terminal, check=True)
        seen = read(os.read(ours, 1 << 16)).replace("\r\n", "\n")
    finally:
        os.close(terminal)
        os.close(ours)
    assert commanding(seen) == []
    assert "all\te\\x1b[31mvil\n" in seen


def test_a_table_of_scores_comes_back(campaign, capfdbinary) -> None:
    utf8 = [name for name in NAMES.values() if not any("\ud800" <= c <= "\udfff" for c in name)]
    for path in Path("runs").iterdir():
        if any("\ud800" <= c <= "\udfff" for c in path.name):
            path.unlink()
    judged = Path("qrels").read_bytes().split(b"\n")
    Path("qrels").write_bytes(b"\n".join(line for line in judged if b"caf" not in line and b"r\x9b" not in line))
    assert main(["compare", *RANKED, "-m", "AP", "--save-scores", "ap.csv"]) == 0
    assert not [cell for row in csv.reader(io.StringIO(Path("ap.csv").read_text())) for cell in row if calculated(cell)]
    capfdbinary.readouterr()
    assert main(["evaluate", "--scores", "ap.csv", "-q", "-f", "json"]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    assert {run["run"] for run in found["runs"]} == set(utf8)
    assert set(found["runs"][0]["topics"]) == set(utf8)


WRONG = {
    "a score": (3, "1 0 a 1\n", "1 Q0 a 1 {} t\n", []),
    "a field too few": (3, "1 0 a 1\n", "1 Q0 a 1 {}\n", []),
    "a document twice": (3, "1 0 a 1\n", "1 Q0 {0} 1 2 t\n1 Q0 {0} 1 2 t\n", []),
    "a topic alone": (3, "1 0 a 1\n", "{} Q0 a 1 2 t\n", []),
    "a grade": (3, "1 0 a {}\n", "1 Q0 a 1 2 t\n", []),
    "a judgment twice": (3, "{0} 0 {0} 1\n{0} 0 {0} 1\n", "1 Q0 a 1 2 t\n", []),
    "a measure": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["-m", "{}"]),
    "a parameter": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["-m", "P({}=1)"]),
    "a task": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--task={}"]),
    "an option": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--{}"]),
    "a format": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--format={}"]),
    "a setting": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--missing={}"]),
    "a file": (3, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["./{}.run"]),
    "a field": (2, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--by={}"]),
    "a key": (3, '{{"1": {{"a": 1, "{0}": 1, "{0}": 2}}}}', "1 Q0 a 1 2 t\n", []),
    "characteristics": (3, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--characteristics={}.toml"]),
    "a plugin": (3, "1 0 a 1\n", "1 Q0 a 1 2 t\n", ["--plugin={}.py"]),
}
TOO_LONG = {
    "a word": "x" * 100_000,
    "controls": "\x1b[0m" * 3_000,
    "quotes": "'\"" * 50_000,
    "open quotes": " '" * 50_000,
}


def told(capfd, name: str, what: str) -> tuple[int, str]:
    """What is said of a name where it is wrong."""
    expected, qrels, run, flags = WRONG[what]
    for path, text in (("q", qrels), ("r", run)):
        Path(path).write_bytes(text.format(name).encode("utf-8", "surrogateescape"))
    try:
        code = main(["evaluate", "q", "r", *(flag.format(name) for flag in flags)])
    except SystemExit as stopped:
        code = int(str(stopped.code))
    out, err = capfd.readouterr()
    assert out == b""
    assert (code, what) == (expected, what)
    return code, read(err)


@pytest.mark.parametrize("what", WRONG)
def test_errors_quote_names_as_text(tmp_path, monkeypatch, capfdbinary, what, subtests) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in NAMES.items():
        with subtests.test(name):
            _, err = told(capfdbinary, text.replace("/", "_"), what)
            assert commanding(err) == []
            assert "Traceback" not in err
            last = err.rstrip("\n").rpartition("\n")[2]
            assert last.startswith("assay")


@pytest.mark.parametrize("name", ["a word", "controls"])
def test_errors_quote_a_line_at_most(tmp_path, monkeypatch, capfdbinary, name, subtests) -> None:
    monkeypatch.chdir(tmp_path)
    for what in WRONG:
        if what != "a document twice":
            with subtests.test(what):
                _, err = told(capfdbinary, TOO_LONG[name], what)
                assert commanding(err) == []
                assert len(err.rstrip("\n").rpartition("\n")[2]) < 2200


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_message_is_one_line_of_bounded_length(name) -> None:
    for text in (TOO_LONG[name], repr(TOO_LONG[name]), f"found {TOO_LONG[name]!r}; expected a number"):
        shown = str(InputError(text))
        assert shown.isprintable()
        assert len(shown) < 2200
    assert str(InputError(f"found {TOO_LONG['a word']!r}; expected a number")).endswith("'; expected a number")


def test_a_name_cannot_pretend_to_be_a_message(tmp_path, monkeypatch, capfdbinary) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": "1\nassay: all is well", "answers": ["A"]}] * 2
    Path("gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("run.jsonl").write_text('{"id": "1", "answer": "A"}\n')
    assert main(["evaluate", "gold.jsonl", "run.jsonl"]) == 3
    assert read(capfdbinary.readouterr().err).count("\n") == 1


def test_an_unknown_command_is_quoted(capfdbinary) -> None:
    assert main([NAMES["title"]]) == 2
    assert commanding(read(capfdbinary.readouterr().err)) == []


@given(st.text())
def test_any_text_in_a_table(text: str) -> None:
    header, rows = [text, "n"], [[text, -0.5], ["b", 1.0]]
    for draw in (tables.terminal, tables.markdown, tables.latex):
        assert draw(header, rows, {(0, 0), (0, 1)}).replace("\n", "").isprintable()
    assert tables.markdown(header, rows).count("\n") == 4
    assert "<" not in tables.markdown(header, rows)
    line = tables.latex(header, rows).splitlines()[4]
    assert not line.startswith(("[", "*"))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_in_csv(text: str) -> None:
    made = tables.separated(["run", "n"], [[text, -0.5]], ",")
    assert commanding(made) == []
    (_, (cell, number)) = list(csv.reader(io.StringIO(made)))
    assert not calculated(cell)
    assert number == "-0.5"
    raw = tables.separated(["run", "n"], [[text, -0.5]], ",", raw=True)
    assert [*csv.reader(io.StringIO(raw, newline=""))][1][0] == text or "\r" in text


@given(st.dictionaries(st.text(), st.text()))
def test_json_gives_any_text_back(texts: dict[str, str]) -> None:
    made = to_json(texts)
    assert commanding(made) == []
    assert json.loads(made) == texts


ids = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1) | st.sampled_from(
    ["=1", "'=1", "''+x", "-5", "'-5", "-x", "@", "'", "+1e5", "-"]
)


@given(st.lists(ids, min_size=1, unique=True), st.lists(ids, min_size=2, unique=True))
def test_any_ids_come_back_from_a_matrix(topics: list[str], runs: list[str]) -> None:
    made = write_matrix(Matrix(topics, [f"{run}r" for run in runs], [[0.5] * len(runs)] * len(topics)))
    found = read_matrix(made.encode())
    assert (found.topics, found.runs) == (topics, [f"{run}r" for run in runs])
