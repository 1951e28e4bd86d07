"""What an Inspect log says of itself."""

from __future__ import annotations

import json

import msgspec
import pytest
from inspect_logs import Member, archive, header

from assay.errors import InputError
from assay.formats.harness.inspect.header import (
    Config,
    LogHeader,
    Scored,
    Spec,
    compare_header,
    heading,
    read_header,
    started,
    variant_of,
    version_of,
)
from assay.formats.harness.inspect.scores import ScoreKey
from assay.formats.harness.logs import Total
from assay.io.archives import Archive
from assay.io.sources import Source


def read(**members) -> tuple[LogHeader, bool]:
    content = archive([Member(name, json.dumps(told).encode()) for name, told in members.items()])
    return read_header(Archive(Source("made.eval", data=content)))


def of(about: dict) -> LogHeader:
    return read(**{"header.json": about})[0]


def test_a_finished_log_and_one_that_is_not() -> None:
    start, end = header("0.3.1"), header("0.3.2")
    found, finished = read(**{"_journal/start.json": start, "header.json": end})
    assert (heading(found), finished) == ("Inspect 0.3.2", True)
    found, finished = read(**{"_journal/start.json": start})
    assert (heading(found), finished) == ("Inspect 0.3.1", False)
    with pytest.raises(InputError, match=r"made\.eval: is a zip archive without header\.json or _journal/start\.json"):
        read(other={})


@pytest.mark.parametrize(
    ("told", "version"),
    [
        ("0.3.285", (0, 3, 285)),
        ("0.3.124.dev7+g123", (0, 3, 124)),
        ("1.0.0", (1, 0, 0)),
        ("0.3", (0, 0, 0)),
        (None, (0, 0, 0)),
        ("9" * 5000 + ".0.0", (0, 0, 0)),
    ],
)
def test_versions(told, version) -> None:
    assert version_of(of(header(told))) == version


def test_a_version_that_is_not_told() -> None:
    assert heading(of(header(None))) == "Inspect"
    assert heading(of(header(packages={"inspect_ai": 3}))) == "Inspect"


def test_how_it_ended() -> None:
    assert started(of(header(status="error", log_error={"message": "boom\nmore"}))) == "ended with an error (boom)"
    assert started(of(header(status="cancelled"))) == "was cancelled"
    assert started(of(header(status="started"))) == "was not finished (status 'started')"


@pytest.mark.parametrize(
    ("results", "scorer"),
    [
        ({"scorer": {"name": "match"}}, "match"),
        ({"scores": [{"name": "a"}, {"name": "b"}]}, "a"),
        ({}, "score"),
        (None, "score"),
    ],
)
def test_who_scored_samples_that_do_not_say(results, scorer) -> None:
    assert of(header(log_results=results)).scorer == scorer


def test_nothing_sets_it_apart() -> None:
    assert variant_of(LogHeader(Spec("m", "t", config=Config(epochs=1), task_args={}))) == ""


def test_arguments_nobody_passed_are_told_where_the_log_does_not_know() -> None:
    assert variant_of(of(header(task_args={"shots": 5}))) == "shots=5"
    assert variant_of(of(header(task_args={"shots": 5}, task_args_passed={}))) == ""


def test_what_sets_a_log_apart() -> None:
    about = header(
        task_args={"shots": 0, "style": "default"}, task_args_passed={"shots": 0}, solver="chain",
        model_roles={"grader": {"model": "judge"}, "critics": [{"model": "a"}, {"model": "b"}]},
        model_generate_config={"temperature": 0.5, "top_p": None, "system_message": "x" * 100}, config={"epochs": 2},
    )  # fmt: skip
    told = (
        "shots=0, solver=chain, grader=judge, critics=a+b, temperature=0.5, system_message=" + "x" * 39 + "…, epochs=2"
    )
    assert variant_of(of(about)) == told


PART = ScoreKey("exact")


def compared(samples: str, completed: int, accuracy: float | None, **config):
    """What is found of samples of one letter each (- is unscored) under such a header."""
    metrics = {"accuracy": {"name": "accuracy", "value": accuracy, "params": config.pop("params", {})}}
    row = {"name": "exact", "scorer": "exact", "metrics": metrics, "reducer": config.pop("reducer", None)}
    results = {"total_samples": completed, "completed_samples": completed, "scores": [row]}
    about = msgspec.convert(header(log_results=results, config=config), LogHeader)
    scored = [Scored(f"q{n}", None if letter == "-" else letter, False, False) for n, letter in enumerate(samples)]
    return compare_header(about, PART, scored)


def test_fewer_samples_and_another_mean() -> None:
    assert compared("CI", 3, 0.5) == (Total(3, 0.5), Total(2, 0.5), "accuracy")
    assert compared("CI", 2, 1.0) == (Total(2, 1.0), Total(2, 0.5), "accuracy")


@pytest.mark.parametrize(
    ("samples", "accuracy", "config"),
    [
        ("CI", 0.5, {}),
        ("CI", 0.50001, {}),
        ("C-", 1.0, {}),
        ("C-", 0.5, {}),
        ("CI", None, {}),
        ("CI", 1.0, {"epochs": 2, "reducer": "max"}),
        ("CI", 1.0, {"epochs": 2, "epochs_reducer": ["pass_at_2"]}),
        ("CI", 1.0, {"params": {"to_float": "custom"}}),
        (["C", "?"], 1.0, {}),
    ],
    ids=["same", "to four decimals", "unscored left out", "unscored as 0", "no metric", "reducer", "configured", "parameters", "no number"],
)  # fmt: skip
def test_agreement_and_what_cannot_be_compared(samples, accuracy, config) -> None:
    assert compared(samples, 2, accuracy, **config) is None
