"""Choices are declared once: their checks, their words and the command line's options follow."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import assay
from assay.analyses.abstention.threshold import threshold
from assay.errors import UsageError
from assay.settings import BETWEEN, POSITIVE, SHARE, YES_OR_NO, Settings, option
from assay.stats.calibration import calibration
from assay.tasks import every


class Mine(Settings):
    """A task's own."""

    depth: int | None = option(None, POSITIVE, "how deep")
    sure: float | None = option(None, SHARE, "how sure")
    strict: bool = option(False, YES_OR_NO, "no mercy")


def test_defaults_and_choices() -> None:
    assert Mine().as_dict() == {
        "missing": "zero",
        "undefined": "zero",
        "seed": 0,
        "depth": None,
        "sure": None,
        "strict": False,
    }
    made = Mine(depth=3, sure=0.5, strict=True, seed=7)
    assert (made.depth, made.sure, made.strict, made.seed) == (3, 0.5, True, 7)
    assert repr(made).startswith("Mine(missing='zero'")


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"depth": 0}, "`depth=0`: expected a whole number of at least 1"),
        ({"depth": 1.5}, "`depth=1.5`: expected a whole number of at least 1"),
        ({"depth": True}, "`depth=True`: expected a whole number"),
        ({"sure": 2}, "`sure=2`: expected a number from 0 to 1"),
        ({"sure": "x"}, "`sure='x'`: expected a number from 0 to 1"),
        ({"strict": 1}, "`strict=1`: expected True or False"),
        ({"missing": "ignore"}, "`missing='ignore'`: expected one of zero, skip, common, error"),
        ({"seed": None}, "`seed=None`: expected a whole number"),
        ({"deep": 1}, "`deep=1`: unknown setting; settings are `missing=…`, `undefined=…`"),
    ],
)
def test_what_a_choice_may_not_be(choice, problem) -> None:
    with pytest.raises(UsageError) as error:
        Mine(**choice)
    assert problem in str(error.value)


@pytest.mark.parametrize("task", every(), ids=lambda task: task.name)
def test_every_choice_of_every_task_says_what_it_is(task) -> None:
    for name, declared in task.settings.options().items():
        assert declared.help, name
        if declared.default is not None:
            assert declared.kind.check(declared.default) == declared.default
    directions = (
        {"higher_is_better"} if task.name == "scores" else set()
    )  # set by --lower-is-better and --higher-is-better
    assert set(task.settings().as_dict()) == set(task.settings.options()) | directions


def test_files_are_told_by_name_and_not_by_content(tmp_path) -> None:
    settings = type(assay.evaluate({"q": "x"}, {"r": {"q": "x"}}).settings)
    assert settings(refusal=b"I cannot").as_dict()["refusal"] == "<bytes>"
    assert settings(refusal=tmp_path / "no.txt").as_dict()["refusal"].endswith("no.txt")


def test_the_command_line_has_an_option_for_every_choice(capsys) -> None:
    from assay.cli import main

    with pytest.raises(SystemExit):
        main(["evaluate", "--help", "all"])
    text = capsys.readouterr().out
    for task in every():
        for name in task.settings.options():
            assert f"--{name.replace('_', '-')}" in text


JUDGED = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2, "d3": 1}}


RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 5.0, "d1": 4.0, "x": 9.0}}


class TestSettingsThatMeanNothing:
    def test_misspelt_names(self) -> None:
        with pytest.raises(assay.UsageError, match=r"^unknown parameter `levle`; did you mean `level`\?$"):
            assay.evaluate(JUDGED, RUN, ["AP"], levle=2)
        with pytest.raises(assay.UsageError, match="name_by='zzz'"):
            assay.evaluate(JUDGED, RUN, ["AP"], name_by="zzz")

    @pytest.mark.parametrize("settings", [{"level": 1.5}, {"depth": "5"}, {"seed": None}, {"missing": "unanswered"}])
    def test_wrong_kinds(self, settings) -> None:
        with pytest.raises(assay.UsageError, match="expected"):
            assay.evaluate(JUDGED, RUN, ["AP"], **settings)


def test_a_share_is_kept_as_a_number_with_a_point() -> None:
    """1 and 1.0 print alike in every result that carries the setting."""
    kept = SHARE.check(1)
    assert (kept, type(kept)) == (1.0, float)
    assert type(POSITIVE.check(1)) is int


@pytest.mark.parametrize("number", [1 << 63, (1 << 64) + 1, 10**400, -(1 << 63) - 1])
@pytest.mark.parametrize("name", ["depth", "level", "seed"])
def test_no_number_becomes_another_one(name, number) -> None:
    """2⁶⁴ + 1 would be 1 where 64 bits are kept."""
    qrels, run = {"q": {"d": 1, "e": 1}}, {"q": {"d": 2.0, "e": 1.0}}
    with pytest.raises(UsageError, match=rf"`{name}={str(number)[:20]}.*`: expected a whole number"):
        assay.evaluate(qrels, run, "NumRet", **{name: number})


def test_the_largest_numbers_there_are() -> None:
    qrels, run = {"q": {"d": 1, "e": 1}}, {"q": {"d": 2.0, "e": 1.0}}
    deep = assay.evaluate(qrels, {"r": run}, "NumRet", depth=(1 << 63) - 1, seed=-(1 << 63))
    assert deep["NumRet"] == {"r": 2.0}


GRADES = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}


@pytest.mark.parametrize(
    "call",
    [
        lambda c: assay.agree({"ann": GRADES, "bob": GRADES}, confidence=c),
        lambda c: assay.correct({"a": {"q1": 1}}, {"q1": 1}, human="none", confidence=c),
        lambda c: threshold(None, "none", risk=0.1, confidence=c),
        lambda c: assay.plan(variance=0.1, difference=0.1, confidence=c),
        lambda c: assay.plan_labels(width=0.1, correlation=0.5, confidence=c),
        lambda c: calibration([1, 0], [0.9, 0.2], confidence_level=c),
    ],
    ids=["agree", "correct", "guarantee", "plan", "plan_labels", "calibration"],
)
def test_every_confidence_is_checked_alike(call) -> None:
    for value in ("high", 0, 1.0, float("nan"), True, None):
        expected = rf"`confidence(_level)?={re.escape(repr(value))}`: expected a number between 0 and 1, such as 0.95$"
        with pytest.raises(UsageError, match=expected):
            call(value)


def test_bounds_that_are_not_included() -> None:
    assert BETWEEN.check(Fraction(1, 2)) == 0.5
    for value in (0, 1, float("nan"), [0.5]):
        with pytest.raises(ValueError, match="a number between 0 and 1"):
            BETWEEN.check(value)
