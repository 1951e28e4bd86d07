"""Errors speak the caller's language."""

from __future__ import annotations

import pytest

import assay
from assay.cli import main
from assay.errors import AssayError, FormatError, InputError, UsageError, for_command_line


@pytest.mark.parametrize(
    ("python", "typed"),
    [
        ("`size=300`: too many", "--size 300: too many"),
        ("`missing='zero'` counts them as 0", "--missing zero counts them as 0"),
        ("`judged_only=True` goes elsewhere", "--judged-only goes elsewhere"),
        ("`period_count=4` needs `periods=FILE`", "--period-count 4 needs --periods FILE"),
        ("`no_swap=True`, or `gold=None`", "--no-swap, or --judged"),
        ("`measures=c@1` is no measure", "-m c@1 is no measure"),
        ("no choice named here: a `word` stays", "no choice named here: a `word` stays"),
    ],
)
def test_a_choice_is_named_as_the_caller_wrote_it(python, typed) -> None:
    assert for_command_line(python) == typed


def test_the_same_mistake_from_both_sides(tmp_path, capsys) -> None:
    (tmp_path / "q").write_text("1 0 d 1\n")
    (tmp_path / "r").write_text("1 Q0 d 1 1.0 t\n")
    with pytest.raises(UsageError, match=r"^`depth=0`: expected a whole number of at least 1$"):
        assay.evaluate(tmp_path / "q", tmp_path / "r", depth=0)
    assert main(["evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "--depth", "0"]) == 2
    assert capsys.readouterr().err == (
        "assay evaluate: --depth 0: expected a whole number of at least 1 (assay evaluate --help)\n"
    )


def test_the_tree() -> None:
    assert [kind.exit_code for kind in (UsageError, InputError, FormatError)] == [2, 3, 3]
    assert all(issubclass(kind, AssayError) for kind in (UsageError, InputError, FormatError))
    assert str(FormatError("a.run", None, "is empty")) == "a.run: is empty"
