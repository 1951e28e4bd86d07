"""Words of the usual shape are read as argparse reads them, or left to argparse; the usual ones are not left to it."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.cli import COMMANDS
from assay.cli.parser import Namespace, Parser

DECLARED = [name for name, (module, _) in COMMANDS.items() if not hasattr(import_module(f"assay.cli.{module}"), "main")]
WORDS = (
    "qrels", "a.run", "-", "", "--", "-1", "-.5", "-1e3", "0", "5", "0.5", "nan", "AP", "tag", "file", "json", "csv", "local",
    "5,10", "5 10", "-q", "-m", "-qm", "-mAP", "-f=json", "--=", "--no-such", "--measur", "a b", "-a b", "é", "=",
)  # fmt: skip


@cache
def parser(command: str) -> Parser:
    module = import_module(f"assay.cli.{COMMANDS[command][0]}")
    made = Parser(command, module.DESCRIPTION, module.EPILOG)
    module.add_options(made, [command, "--help"])
    return made


@cache
def flags(command: str) -> list[str]:
    return sorted(set(parser(command).thorough()._option_string_actions) - {"-h", "--help"})


@cache
def argparse_of(command: str) -> ArgumentParser:
    return parser(command).thorough()


def by_argparse(command: str, words: list[str]) -> dict[str, object] | None:
    """What argparse finds; None where it complains."""
    try:
        return vars(argparse_of(command).parse_args(words))
    except SystemExit:
        return None


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, list[str]]:
    command = draw(st.sampled_from(DECLARED))
    flag = st.sampled_from(flags(command))
    word = st.sampled_from(WORDS)
    several = st.one_of(
        flag.map(lambda f: [f]),
        word.map(lambda w: [w]),
        st.tuples(flag, word).map(list),
        st.tuples(flag, word).map(lambda both: ["=".join(both)]),
    )
    return command, [one for some in draw(st.lists(several, max_size=6)) for one in some]


@given(lines())
def test_what_is_read_is_read_as_argparse_would(line: tuple[str, list[str]]) -> None:
    command, words = line
    found = parser(command)._read(words)
    if found is not None:
        expected = by_argparse(command, words)
        assert expected is not None
        assert repr(sorted(vars(found).items())) == repr(sorted(expected.items()))


@pytest.mark.parametrize("command", DECLARED)
def test_every_option_alone_is_read_as_argparse_would(command: str) -> None:
    """The defaults of all options, and each with a value that suits it, if any of these does."""
    for words in [
        [],
        ["x"],
        *([f, v, "x"] for f in flags(command) for v in WORDS),
        *(["x", f] for f in flags(command)),
    ]:
        found = parser(command)._read(words)
        if found is not None:
            assert repr(sorted(vars(found).items())) == repr(sorted((by_argparse(command, words) or {}).items()))


def test_usual_words_are_not_left_to_argparse() -> None:
    words = [
        "qrels",
        "a.run",
        "-",
        "-m",
        "AP",
        "--measure=nDCG@10",
        "-q",
        "-f",
        "json",
        "-o",
        "-",
        "--name-by",
        "file",
        "--depth",
        "10",
        "--judged-only",
    ]
    found = parser("evaluate")._read(words)
    assert isinstance(found, Namespace)
    assert (found.sources, found.measures, found.per_topic) == (["qrels", "a.run", "-"], ["AP", "nDCG@10"], True)
    assert (found.format, found.output, found.name_by, found.depth, found.judged_only) == (
        "json",
        "-",
        "file",
        "10",
        True,
    )


@pytest.mark.parametrize(
    "words",
    [
        ["--name-by", "neither"], ["--help"], ["--per-topic=yes"], ["-m"], ["-m", "-q"], ["a", "-q", "b"], ["--no-such"], ["-qm"],
        ["--", "a"], ["-1"],
    ],
)  # fmt: skip
def test_what_could_mean_another_thing_is_left_to_argparse(words: list[str]) -> None:
    assert parser("evaluate")._read(words) is None


def test_what_must_be_given_is_asked_for_by_argparse(capsys) -> None:
    for command, words in (("pack", ["a", "b"]), ("check", []), ("judge", []), ("judge", ["a", "b"]), ("demo", ["a"])):
        assert parser(command)._read(words) is None
        with pytest.raises(SystemExit):
            parser(command).parse_args(words)
    assert "the following arguments are required: -o/--output" in capsys.readouterr().err


def test_a_list_that_is_a_default_is_not_added_to() -> None:
    one = parser("evaluate").parse_args(["--by", "type"])
    assert (one.by, parser("evaluate").parse_args([]).by) == (["type"], [])


def test_titles_of_the_help_are_kept() -> None:
    made = Parser("evaluate", "", "")
    group = made.add_argument_group("where it goes")
    made.add_argument("--one", help="first")
    group.add_argument("--two", help="second")
    made.add_argument_group("where it goes").add_argument("--three", help="third")
    text = made.thorough().format_help()
    assert (
        text.index("--one ONE  ")
        < text.index("where it goes:")
        < text.index("--two TWO  ")
        < text.index("--three THREE  ")
    )


@pytest.mark.native_only  # the twin reads lines by regular expressions
def test_an_evaluation_needs_no_argparse(tmp_path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 t\n")
    code = "import sys, assay.cli; assay.cli.main(); print('argparse' in sys.modules, 're' in sys.modules)"
    words = ["evaluate", "qrels", "run", "-m", "AP", "-q", "-f", "tsv"]
    code = f"import sys; sys.path.insert(0, {str(Path(assay.__file__).parents[1])!r}); {code}"
    command = [sys.executable, "-S", "-c", code, *words]  # what an environment imports by itself is not ours
    out = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert out.stdout.splitlines() == ["run\ttopic\tAP", "t\t1\t1.0", "t\tall\t1.0", "False False"]
