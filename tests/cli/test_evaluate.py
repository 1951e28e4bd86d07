"""`assay evaluate` and `assay measures` on ranked retrieval, as a person types them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import main

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 2\n3 0 e 0\n"
GOOD = "1 Q0 a 1 9 good\n1 Q0 b 2 8 good\n2 Q0 d 1 9 good\n2 Q0 c 2 8 good\n3 Q0 e 1 1 good\n"
POOR = "1 Q0 b 1 9 poor\n1 Q0 a 2 8 poor\n9 Q0 z 1 1 poor\n"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(QRELS)
    Path("runs").mkdir()
    Path("runs/good.run").write_text(GOOD)
    Path("runs/poor.run").write_text(POOR)
    return tmp_path


def test_a_table_with_the_best_marked_and_remarks_on_the_side(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-m", "P@1", "-m", "NumRet"]) == 0
    out, err = capfd.readouterr()
    assert out.splitlines() == [
        "run   topics      AP      P@1   NumRet",
        "good       3  0.6667*  0.6667*       5",
        "poor       3  0.1667   0.0000        2",
    ]
    assert "poor: 2 of 3 topics missing, counted as 0 (--missing)" in err
    assert "poor: 1 topics without judgments ignored" in err
    assert "AP is undefined on 1 topics" in err


def test_policies_and_their_denominators(here, capfd) -> None:
    def value(*flags: str) -> tuple[float | None, int]:
        assert main(["evaluate", "qrels.txt", "runs/poor.run", "-m", "AP", "-f", "json", *flags]) == 0
        run = json.loads(capfd.readouterr().out)["runs"][0]
        return run["scores"]["AP"], run["denominators"]["AP"]

    assert value() == (pytest.approx(0.5 / 3), 3)
    assert value("--missing", "skip") == (0.5, 1)
    assert value("--undefined", "skip") == (0.25, 2)
    assert main(["evaluate", "qrels.txt", "runs/poor.run", "-m", "AP", "--missing", "error"]) == 3
    assert "no results for topic '2' and 1 more" in capfd.readouterr().err


def test_common_topics_only(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "--missing", "common", "-f", "json"]) == 0
    runs = json.loads(capfd.readouterr().out)["runs"]
    assert [run["scores"]["AP"] for run in runs] == [1.0, 0.5]
    assert [run["denominators"]["AP"] for run in runs] == [1, 1]


def test_json_has_the_documented_shape(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "AP", "-q", "-f", "json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert result["task"] == "ranked"
    assert result["settings"]["missing"] == "zero"
    (run,) = result["runs"]
    assert (run["run"], run["file"]) == ("good", "runs/good.run")
    assert run["topics"] == {"1": {"AP": 1.0}, "2": {"AP": 1.0}, "3": {"AP": None}}
    assert run["undefined"] == {"AP": 1}


def test_per_topic_rows_end_with_the_average(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "nDCG", "-m", "AP", "-q", "-f", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capfd.readouterr().out)))
    assert rows[0] == ["run", "topic", "nDCG", "AP"]
    assert rows[3] == ["good", "3", "", ""]
    assert rows[4][:2] == ["good", "all"]
    assert float(rows[4][3]) == pytest.approx(2 / 3)


def test_markdown_and_latex(here, capfd) -> None:
    Path("runs/poor.run").write_text(POOR.replace("poor", "po_or|&"))
    assert main(["evaluate", "qrels.txt", "runs", "-m", "P@1", "-f", "markdown"]) == 0
    assert capfd.readouterr().out == (
        "| run | topics | P@1 |\n| --- | --: | --: |\n| good | 3 | **0.6667** |\n| po_or\\|& | 3 | 0.0000 |\n"
    )
    assert main(["evaluate", "qrels.txt", "runs", "-m", "P@1", "-f", "latex"]) == 0
    out = capfd.readouterr().out
    assert r"good & 3 & \textbf{0.6667} \\" in out
    assert r"po\_or|\& & 3 & 0.0000 \\" in out


def test_parquet_and_formats_by_the_ending(here) -> None:
    polars = pytest.importorskip("polars")
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "scores.parquet"]) == 0
    frame = polars.read_parquet("scores.parquet")
    assert frame.columns == ["run", "topic", "status", "AP"]
    assert frame["AP"].to_list() == [1.0, 1.0, None, 0.5, 0.0, None]
    assert frame["status"].to_list() == ["scored"] * 3 + ["scored", "missing", "missing"]
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "scores.json"]) == 0
    assert json.loads(Path("scores.json").read_text())["task"] == "ranked"


def test_names_when_tags_collide(here, capfd) -> None:
    Path("runs/poor.run").write_text(POOR.replace("poor", "good"))
    assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-f", "tsv"]) == 0
    out, err = capfd.readouterr()
    assert [line.split("\t")[0] for line in out.splitlines()[1:]] == ["good", "poor"]
    assert "naming them by file name" in err
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "x.run").write_text(GOOD)
    assert main(["evaluate", "qrels.txt", "a/x.run", "b/x.run", "-m", "AP", "-f", "tsv"]) == 0
    assert [line.split("\t")[0] for line in capfd.readouterr().out.splitlines()[1:]] == ["a", "b"]
    assert main(["evaluate", "qrels.txt", "runs", "--name-by", "file", "-m", "AP", "-f", "tsv"]) == 0
    assert "good" in capfd.readouterr().out


def assay(*arguments: str, input: bytes = b"") -> subprocess.CompletedProcess:
    code = "import sys; from assay.cli import main; sys.exit(main())"
    return subprocess.run([sys.executable, "-c", code, *arguments], input=input, capture_output=True, check=False)


def test_standard_input_even_with_topics_interleaved(here) -> None:
    lines = GOOD.splitlines(keepends=True)
    mixed = "".join(lines[::2] + lines[1::2])
    for text in (GOOD, mixed):
        result = assay("evaluate", "qrels.txt", "-", "-m", "AP", "-f", "tsv", input=text.encode())
        assert result.stdout.decode().splitlines()[1].split("\t")[2] == "0.6666666666666666"
    twice = assay("evaluate", "-", "-", input=b"")
    assert twice.returncode == 2
    assert b"can be given once" in twice.stderr


def test_gold_from_standard_input_is_recognised_too(here) -> None:
    ranked = assay("evaluate", "-", "runs/good.run", "-m", "P@1", "-f", "tsv", input=QRELS.encode())
    assert ranked.stdout.decode().splitlines()[1].split("\t")[2] == "0.6666666666666666"
    Path("answers.jsonl").write_text('{"id": "q1", "answer": "Paris"}\n')
    gold = b'{"id": "q1", "answers": ["Paris"]}\n'
    answered = assay("evaluate", "-", "answers.jsonl", "-m", "c@1", "-f", "tsv", input=gold)
    assert answered.stdout.decode().splitlines()[1].split("\t")[2] == "1.0"


@pytest.mark.parametrize("flags", [["-q"], ["-f", "parquet"]])
def test_choices_that_would_be_ignored_are_refused(here, capfd, flags) -> None:
    Path("gold.jsonl").write_text('{"id": "q1", "type": "a", "answers": ["Paris"]}\n')
    Path("answers.jsonl").write_text('{"id": "q1", "answer": "Paris"}\n')
    assert main(["evaluate", "gold.jsonl", "answers.jsonl", "--by", "type", *flags]) == 2
    assert "give one or the other" in capfd.readouterr().err


def test_interleaved_topics_in_a_file(here, capfd) -> None:
    lines = GOOD.splitlines(keepends=True)
    Path("mixed.run").write_text("".join(lines[::2] + lines[1::2]))
    assert main(["evaluate", "qrels.txt", "mixed.run", "-m", "AP", "-m", "nDCG", "-f", "tsv"]) == 0
    mixed = capfd.readouterr().out
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "AP", "-m", "nDCG", "-f", "tsv"]) == 0
    assert mixed == capfd.readouterr().out


def test_evaluation_imports_nothing_heavy(here) -> None:
    """Start-up is most of a short evaluation; what it imports is what it costs."""
    heavy = {"numpy", "scipy", "rich", "msgspec", "narwhals", "importlib.metadata", "concurrent.futures", "dataclasses", "typing",
             "pathlib", "shutil", "lzma", "logging", "inspect", "json", "asyncio", "email", "pandas"}  # fmt: skip
    for arguments in (
        ["evaluate", "qrels.txt", "runs/good.run"],
        ["--help"],
        ["--version"],
        ["trec_eval", "qrels.txt", "runs/good.run"],
    ):
        # -S: whatever a virtual environment imports on its own is not ours.
        code = (
            f"import sys; sys.path[:0] = {[str(p) for p in sys.path]!r}; before = set(sys.modules); from assay.cli import main\n"
            f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
            f"print('HEAVY', *sorted((set(sys.modules) - before) & {heavy!r}))"
        )
        result = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
        assert result.stdout.splitlines()[-1].strip() == "HEAVY", (arguments, result.stdout.splitlines()[-1])


def test_two_runs_use_threads_and_still_import_little(here) -> None:
    code = (
        f"import sys; sys.path[:0] = {[str(p) for p in sys.path]!r}; before = set(sys.modules); from assay.cli import main\n"
        "main(['evaluate', 'qrels.txt', 'runs'])\n"
        "print('HEAVY', *sorted((set(sys.modules) - before) & {'numpy', 'concurrent.futures', 'logging', 'rich', 'multiprocessing'}))"
    )
    result = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1].strip() == "HEAVY"


def test_unknown_commands_and_bare_calls(capsys) -> None:
    assert main(["evalute"]) == 2
    assert "unknown command 'evalute'" in capsys.readouterr().err
    assert main([]) == 2
    assert main(["--help"]) == 0
    assert "assay evaluate qrels.txt bm25.run" in capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("assay ")


def test_a_closed_pipe_is_no_traceback(here) -> None:
    Path("big.txt").write_text("".join(f"{t} 0 d 1\n" for t in range(20000)))
    Path("big.run").write_text("".join(f"{t} Q0 d 1 1 r\n" for t in range(20000)))
    code = "import sys; from assay.cli import main; sys.exit(main(['evaluate', 'big.txt', 'big.run', '-q']))"
    shell = subprocess.run(
        f'{sys.executable} -c "{code}" | head -n 1', shell=True, capture_output=True, text=True, check=False
    )
    assert shell.stdout.startswith("run")
    assert "Traceback" not in shell.stderr
    assert "Exception" not in shell.stderr


def test_every_command_has_help_with_an_example(capsys) -> None:
    from assay.cli import COMMANDS

    for name in COMMANDS:
        try:
            code = main([name, "-h"])
        except SystemExit as stop:
            code = stop.code
        assert code == 0, name
        assert "example" in capsys.readouterr().out, name


PLUGIN = '''
from assay.measures import define

@define.topic("FirstGrade", cite="this test")
def first_grade(view):
    """The grade of the first document.

    >>> from assay.measures.view import RankedView
    >>> first_grade(RankedView.of([2]))
    2
    """
    return next((grade for rank, grade in view.judged() if rank == 1), None)
'''


def test_a_measure_of_your_own(here) -> None:
    Path("mine.py").write_text(PLUGIN)
    result = assay("evaluate", "qrels.txt", "runs/good.run", "--plugin", "mine.py", "-m", "FirstGrade", "-f", "tsv")
    assert result.stdout.decode().splitlines()[1].split("\t")[2] == "1.0"  # (1 + 2 + 0)/3
    listed = assay("measures", "--plugin", "mine.py")
    assert b"FirstGrade" in listed.stdout
    explained = assay("measures", "FirstGrade", "--plugin", "mine.py")
    assert b"The grade of the first document." in explained.stdout
    assert b"this test" in explained.stdout


def test_a_plugin_that_fails_is_named_with_its_line(here, capfd) -> None:
    Path("broken.py").write_text("x = 1\ny = x / 0\n")
    assert main(["evaluate", "qrels.txt", "runs", "--plugin", "broken.py"]) == 3
    assert "broken.py:2: ZeroDivisionError" in capfd.readouterr().err
    assert main(["evaluate", "qrels.txt", "runs", "--plugin", "nosuch.py"]) == 3
    assert "nosuch.py: cannot be read" in capfd.readouterr().err


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


def test_bad_usage(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs", "-m", "nosuch"]) == 2
    assert "unknown measure 'nosuch'" in capfd.readouterr().err
    assert main(["evaluate", "qrels.txt", "runs", "--task", "nosuch"]) == 2
    assert main(["evaluate", "qrels.txt", "runs", "--depth", "0"]) == 2
    with pytest.raises(SystemExit) as stop:
        main(["evaluate", "qrels.txt", "runs", "-f", "xml"])
    assert stop.value.code == 2


class TestWritingWhereItIsAsked:
    def test_a_link_stays_a_link(self, here) -> None:
        Path("real.json").write_text("old")
        Path("link.json").symlink_to("real.json")
        assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "link.json"]) == 0
        assert Path("link.json").is_symlink()
        assert json.loads(Path("real.json").read_text())["task"] == "ranked"

    def test_a_file_keeps_its_mode(self, here) -> None:
        Path("out.json").write_text("old")
        Path("out.json").chmod(0o640)
        assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-o", "out.json"]) == 0
        assert Path("out.json").stat().st_mode & 0o777 == 0o640

    def test_a_pipe_is_written_to_and_not_replaced(self, here) -> None:
        import os
        import stat
        import threading

        os.mkfifo("pipe")
        read: list[str] = []
        reader = threading.Thread(target=lambda: read.append(Path("pipe").read_text()))
        reader.start()
        assert main(["evaluate", "qrels.txt", "runs", "-m", "AP", "-f", "tsv", "-o", "pipe"]) == 0
        reader.join()
        assert read[0].startswith("run\ttopics\tAP")
        assert stat.S_ISFIFO(Path("pipe").stat().st_mode)

    def test_a_full_device_is_an_error_not_a_traceback(self, here) -> None:
        if not Path("/dev/full").is_char_device():
            pytest.skip("no /dev/full here")
        with open("/dev/full", "w") as full:
            code = (
                "import sys; from assay.cli import main; sys.exit(main(['evaluate', 'qrels.txt', 'runs', '-m', 'AP']))"
            )
            result = subprocess.run(
                [sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert result.returncode == 3
        assert "standard output: cannot be written" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_folder_of_submissions_each_in_its_own_folder(here, capfd) -> None:
    for team in ("team-b", "team-a"):
        Path("submissions", team).mkdir(parents=True)
        Path("submissions", team, "results.run").write_text(GOOD)
    assert main(["evaluate", "qrels.txt", "submissions", "-m", "AP", "-f", "tsv"]) == 0
    assert [line.split("\t")[0] for line in capfd.readouterr().out.splitlines()[1:]] == ["team-a", "team-b"]


def test_pipes_are_read_once(here) -> None:
    """As <(…) of a shell gives them, for gold and for a run whose topics are interleaved."""
    lines = GOOD.splitlines(keepends=True)
    Path("mixed.run").write_text("".join(lines[::2] + lines[1::2]))
    code = "import sys; from assay.cli import main; sys.exit(main())"
    command = f"{sys.executable} -c '{code}' evaluate <(cat qrels.txt) <(cat mixed.run) -m AP -f tsv"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.stdout.splitlines()[1].split("\t")[2] == "0.6666666666666666", result.stderr


def test_trec_evals_own_way_of_giving_parameters(here, capfd) -> None:
    assert (
        main(
            ["evaluate", "qrels.txt", "runs/good.run", "-m", "P.1,2", "-m", "rbp.p=0.8", "-m", "set_F.0.5", "-f", "tsv"]
        )
        == 0
    )
    assert capfd.readouterr().out.splitlines()[0].split("\t")[2:] == ["P@1", "P@2", "RBP(p=0.8)", "SetF(beta2=0.5)"]
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "relstring"]) == 2
    assert "assay trec_eval -m relstring" in capfd.readouterr().err


def test_the_denominator_of_a_measure_that_leaves_topics_out(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/good.run", "-m", "AP", "-m", "P@1", "--undefined", "skip"]) == 0
    assert "AP is undefined on 1 topics" in (err := capfd.readouterr().err)
    assert "its average is over 2 topics" in err


def test_lower_is_better_is_marked_so(here, capfd) -> None:
    Path("runs/poor.run").write_text("1 Q0 x 1 9 poor\n1 Q0 a 2 8 poor\n")
    assert main(["evaluate", "qrels.txt", "runs", "-m", "RBPResid"]) == 0
    good, poor = capfd.readouterr().out.splitlines()[1:]
    assert good.endswith("*")
    assert not poor.endswith("*")


def test_missing_topics_have_no_value_where_they_are_left_out(here, capfd) -> None:
    assert main(["evaluate", "qrels.txt", "runs/poor.run", "-m", "P@1", "-q", "--missing", "skip", "-f", "json"]) == 0
    topics = json.loads(capfd.readouterr().out)["runs"][0]["topics"]
    assert topics == {"1": {"P@1": 0.0}, "2": {"P@1": None}, "3": {"P@1": None}}


def test_ids_that_are_not_utf_8_make_valid_json(here, capfdbinary) -> None:
    Path("odd.txt").write_bytes(b"q\xff 0 d 1\n")
    Path("odd.run").write_bytes(b"q\xff Q0 d 1 1 r\n")
    assert main(["evaluate", "odd.txt", "odd.run", "-m", "AP", "-q", "-f", "json"]) == 0
    assert list(json.loads(capfdbinary.readouterr().out.decode())["runs"][0]["topics"]) == ["q\udcff"]
    assert main(["evaluate", "odd.txt", "odd.run", "-m", "AP", "-o", "odd.parquet"]) == 3


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / 0", "measure Mine failed on topic number 1"),
        ("return float('nan')", "measure Mine returned nan on topic number 1"),
        ("return 'text'", "measure Mine returned 'text'"),
    ],
)
def test_a_measure_of_your_own_that_misbehaves(here, capfd, body, message) -> None:
    Path("mine.py").write_text(
        f'from assay.measures import define\n@define.topic("Mine", cite="x")\ndef mine(view):\n    {body}\n'
    )
    result = assay("evaluate", "qrels.txt", "runs/good.run", "--plugin", "mine.py", "-m", "Mine")
    assert result.returncode == 3
    assert message in result.stderr.decode()
    assert b"Traceback" not in result.stderr


def test_a_plugin_with_a_syntax_error_names_its_own_line(here, capfd) -> None:
    Path("broken.py").write_text("x = 1\ndef :\n")
    assert main(["evaluate", "qrels.txt", "runs", "--plugin", "broken.py"]) == 3
    assert "broken.py:2: SyntaxError" in capfd.readouterr().err
