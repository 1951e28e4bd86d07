"""Words, help and complaints of a command's parser, which go through streams that may fail."""

from __future__ import annotations

from functools import cache

import pytest

from assay.cli import commands
from assay.cli.parser import Parser


@cache
def parser(command: str) -> Parser:
    return commands.find(command).parser(["--help"])


def test_what_must_be_given_is_asked_for(capsys) -> None:
    for command, words in (("pack", ["a", "b"]), ("check", []), ("judge", []), ("judge", ["a", "b"]), ("demo", ["a"])):
        with pytest.raises(SystemExit):
            parser(command).parse_args(words)
    assert "the following arguments are required: -o/--output" in capsys.readouterr().err


def test_a_list_that_is_a_default_is_not_added_to() -> None:
    one = parser("evaluate").parse_args(["--by", "type"])
    assert (one.by, parser("evaluate").parse_args([]).by) == (["type"], [])


def test_a_group_is_made_once() -> None:
    made = Parser("evaluate", "", "")
    group = made.add_argument_group("output")
    made.add_argument("--one", help="first")
    group.add_argument("--two", help="second")
    made.add_argument_group("output").add_argument("--three", help="third")
    text = made.format_help()
    assert text.count("output:") == 1
    assert text.index("--one ONE  ") < text.index("output:") < text.index("--two TWO  ") < text.index("--three THREE  ")


def test_help_is_a_result_and_a_complaint_is_not(capfd) -> None:
    parser = Parser("evaluate", "What it does.", "example:\n  as it stands")
    with pytest.raises(SystemExit) as done:
        parser.parse_args(["--help"])
    out, err = capfd.readouterr()
    assert (done.value.code, err) == (0, "")
    assert out.startswith("usage: assay evaluate [-h]\n\nWhat it does.\n")
    assert out.endswith("example:\n  as it stands\n")
    with pytest.raises(SystemExit) as done:
        parser.parse_args(["--nothing"])
    out, err = capfd.readouterr()
    assert (done.value.code, out) == (2, "")
    assert err.endswith("error: unrecognized arguments: --nothing\n")


def test_what_was_typed_is_shown_as_text(capsys) -> None:
    with pytest.raises(SystemExit) as stopped:
        Parser("evaluate", "", "").parse_args(["\x1b[2J" + "x" * 10_000])
    assert stopped.value.code == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert r"unrecognized arguments: \x1b[2Jxxx" in err
    assert len(err) < 500


def test_a_description_is_a_paragraph_and_examples_stay_as_they_are(capsys) -> None:
    example = "example:\n  assay evaluate " + "a" * 120
    with pytest.raises(SystemExit):
        Parser("evaluate", "What it does, at length. " * 20, example).parse_args(["--help"])
    described, kept, _ = capsys.readouterr().out.partition(example)
    assert kept
    assert max(map(len, described.splitlines())) <= 118
