"""Words, help and complaints of a command's parser, which go through streams that may fail."""

from __future__ import annotations

import argparse
import os
import re
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest

from assay.cli import commands, main
from assay.cli.parser import Parser, usage_error


@cache
def parser(command: str) -> Parser:
    return commands.find(command).parser([])


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


def test_help_is_a_result_and_a_usage_error_is_not(capfd) -> None:
    parser = Parser("evaluate", "What it does.", "example:\n  as it stands")
    with pytest.raises(SystemExit) as done:
        parser.parse_args(["--help"])
    out, err = capfd.readouterr()
    assert (done.value.code, err) == (0, "")
    assert out.startswith("usage: assay evaluate [options]\n\nWhat it does.\n")
    assert out.endswith("example:\n  as it stands\n")
    with pytest.raises(SystemExit) as done:
        parser.parse_args(["--nothing"])
    out, err = capfd.readouterr()
    assert (done.value.code, out, err) == (2, "", "assay evaluate: unknown option --nothing (assay evaluate --help)\n")


@pytest.mark.parametrize(
    ("line", "is_all"),
    [
        ("--help", False),
        ("-h a.run", False),
        ("a.run -h", False),
        ("all --help", False),
        ("-h all", True),
        ("a.run --help all", True),
    ],
)
def test_help_shows_the_common_options_and_help_all_every_one(line, is_all, capsys) -> None:
    made = Parser("evaluate", "", "", line.split(), ["--often"])
    made.add_argument("runs", nargs="*")
    made.add_argument("--often", help="used")
    made.add_argument("--seldom", help="used too")
    made.add_argument("--never", help=argparse.SUPPRESS)
    with pytest.raises(SystemExit):
        made.parse_args(line.split())
    out = capsys.readouterr().out
    shown = [name for name in ("--often", "--seldom", "--never") if name in out]
    assert shown == (["--often", "--seldom"] if is_all else ["--often"])
    assert ("assay evaluate --help all shows every option." in out) == (not is_all)


USAGE = [
    ("compare --pair x", "unknown option --pair; did you mean --pairs? (assay compare --help)"),
    ("compare a.run --zzz=1", "unknown option --zzz (assay compare --help)"),
    ("compare --baseline", "--baseline: expected a value (assay compare --help)"),
    ("compare --tie x", "--tie: expected a number, found 'x' (assay compare --help)"),
    ("items --top 1.5", "--top: expected a whole number, found '1.5' (assay items --help)"),
    (
        "compare --family pair",
        "--family: expected one of pairs, measures; found 'pair'; did you mean pairs? (assay compare --help)",
    ),
    ("compare --fail-if-worse=-1", "expected a margin of 0 or more, found '-1'"),
    ("compare", "expected GOLD RUN..., or --scores FILE (assay compare --help)"),
    ("compare q a.run --pairs x", "--pairs x: expected two runs as in A:B (assay compare --help)"),
    ("evaluate --scores a.csv b.run", "--scores replaces gold and runs"),
    ("check", "missing RUN (assay check --help)"),
    ("pack a b", "missing -o/--output (assay pack --help)"),
    ("judge pool.jsonl b", "unexpected argument 'b' (assay judge --help)"),
    ("demo a", "unexpected argument 'a' (assay demo --help)"),
    ("demo -", "unexpected argument '-' (assay demo --help)"),
    ("trec_eval a", "expected QRELS and RUN, found 1 file (assay trec_eval --help)"),
    ("trec_eval -X a b", "option -X not recognized (assay trec_eval --help)"),
    ("trec_eval -l x a b", "-l x: expected a whole number (assay trec_eval --help)"),
    ("evaluate q a.run --seed x", "--seed x: expected a whole number"),
    ("plan --variance 0.04", "expected --difference D"),
]


@pytest.mark.parametrize(("line", "problem"), USAGE)
def test_a_usage_error_is_one_line_that_says_where_to_look(line, problem, capfd, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("1 0 d 1\n")
    Path("a.run").write_text("1 Q0 d 1 1 a\n")
    words = line.split()
    try:
        code = main(words)
    except SystemExit as stop:
        code = stop.code
    out, err = capfd.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"assay {words[0]}: ")
    assert problem in err
    assert err.endswith(f"(assay {words[0]} --help)\n")


def test_a_usage_error_that_says_what_to_do_needs_no_place_to_look() -> None:
    assert (
        usage_error("assay pool", "-o x is a folder. Fix: leave -f out")
        == "assay pool: -o x is a folder. Fix: leave -f out"
    )


@pytest.mark.parametrize(
    ("word", "problem"),
    [
        ("comapre", "unknown command 'comapre'; did you mean compare? (assay --help)"),
        ("zzz", "unknown command 'zzz' (assay --help)"),
        ("--hepl", "unknown option '--hepl' (assay --help)"),
    ],
)
def test_an_unknown_command_gets_a_suggestion(word, problem, capfd) -> None:
    assert main([word]) == 2
    assert capfd.readouterr() == ("", f"assay: {problem}\n")


def test_what_was_typed_is_shown_as_text(capsys) -> None:
    with pytest.raises(SystemExit) as stopped:
        Parser("evaluate", "", "").parse_args(["\x1b[2J" + "x" * 10_000])
    assert stopped.value.code == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert r"unexpected argument '\x1b[2Jxxx" in err
    assert err.endswith("(assay evaluate --help)\n")
    assert len(err) < 500


@pytest.mark.parametrize("command", commands.every(), ids=lambda command: command.name)
def test_help_has_at_most_60_lines_and_ends_with_an_example_and_the_exit_codes(command, monkeypatch, capsys) -> None:
    for columns in (80, 100, 200):
        monkeypatch.setattr(os, "get_terminal_size", lambda *_, columns=columns: os.terminal_size((columns, 24)))
        with pytest.raises(SystemExit) if command.add_options else nullcontext():
            main([command.name, "--help"])
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= 60, columns
        if command.add_options:
            example, _, codes = lines[-3:]
            assert lines[-4] == "example:"
            assert example.startswith(f"  assay {command.name}")
            assert codes.startswith("exit codes: 0 ")


@pytest.mark.parametrize(
    "command", [command for command in commands.every() if command.add_options], ids=lambda command: command.name
)
def test_help_all_names_every_option(command, capsys) -> None:
    with pytest.raises(SystemExit):
        main([command.name, "--help", "all"])
    out = capsys.readouterr().out
    every = command.parser(["--help", "all"]).options()
    assert all(action.help for action in every)
    assert {name for action in every for name in action.option_strings} <= set(re.findall(r"--?[a-z][\w-]*", out))
    known = {name for action in every for name in action.option_strings}
    assert set(command.common or ()) <= known


def test_an_option_of_one_task_is_listed_with_its_task_by_help_all_only(capsys) -> None:
    for words, listed in ((["--help"], False), (["--help", "all"], True)):
        with pytest.raises(SystemExit):
            main(["evaluate", *words])
        out = capsys.readouterr().out
        for task, option in (
            ("filtering", "--periods FILE"),
            ("diversity", "--intent-weights FILE"),
            ("outcomes", "--na-prob FILE"),
        ):
            assert (option in out) == listed
            assert out.count(f"only with --task {task}:") == listed
            if listed:
                section = out.partition(f"only with --task {task}:")[2].partition("\nonly with")[0]
                assert option in section


def test_a_description_is_a_paragraph_and_examples_stay_as_they_are(capsys) -> None:
    example = "example:\n  assay evaluate " + "a" * 120
    with pytest.raises(SystemExit):
        Parser("evaluate", "What it does, at length. " * 20, example).parse_args(["--help"])
    described, kept, _ = capsys.readouterr().out.partition(example)
    assert kept
    assert max(map(len, described.splitlines())) <= 118
