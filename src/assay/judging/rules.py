"""The rules by which answers are held against gold: by name, in words (the output states them), and as settings.

exact       equal to a gold answer after normalisation
patterns    matched by one of the question's regular expressions
letter      the option the answer names is the gold one
judgments   what an assessor said, in a judgments file; `judgments-lenient` also accepts unsupported answers
auto        judgments where there are any, patterns where the gold has any, letter where every gold answer is one,
            exact otherwise
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.errors import UsageError
from assay.judging.letters import all_letters
from assay.judging.normalising import NORMALISED
from assay.settings import Settings, anything, one_of, option

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from assay.judging.known import Known

_SUPPORT = "where supporting documents are named and the answer names another one, it is unsupported"
DESCRIPTIONS = {
    "exact": f"exact match {NORMALISED}; {_SUPPORT}",
    "patterns": "regular expressions searched anywhere in the answer, case ignored; for questions without any, exact "
    f"match {NORMALISED}; {_SUPPORT}",
    "judgments": "the judgments file",
    "letter": "the option letter of the answer: all of it, what it begins with before ) ] . or :, or what follows "
    "'answer is'; an answer without a letter is incorrect",
}
FOR_LISTS = ("auto", "exact", "patterns", "judgments")
"""Strict and lenient stand side by side in a list's measures, and a letter is an answer like any other."""
LENIENT_RULE = "judgments-lenient"
RULES = (*FOR_LISTS, "letter", LENIENT_RULE)


class JudgingSettings(Settings):
    """The choices of every task that judges answers."""

    judging: str = option(
        "auto", one_of(*RULES), "how answers are held against the gold (auto: what the gold calls for)"
    )
    judgments: Any = option(None, anything("FILE"), "what assessors said of each answer, as JSONL")
    unjudged: str = option("error", one_of("error", "incorrect"), "what an answer counts that nobody judged (error)")
    unused_judgments: str = option(
        "error", one_of("error", "ignore"), "what to do about a judgment of an answer no run gave (error)"
    )
    support: Any = option(None, anything("FILE"), "documents that support an answer, beside answer patterns")


def check(rule: str, allowed: Sequence[str]) -> None:
    """Refuse a rule the task does not have."""
    if rule not in allowed:
        raise UsageError(
            f"`judging={rule!r}`: expected one of {', '.join(allowed)}; strict and lenient stand side by side in this task"
        )


def choose(rule: str, known: Collection[Known], judged: bool, patterns: bool, allowed: Sequence[str]) -> str:
    """The rule asked for, or where that is `auto`, what the gold calls for among those the task allows."""
    if rule.startswith("judgments") and not judged:
        raise UsageError(f"`judging={rule!r}` needs `judgments=FILE`")
    if rule != "auto":
        return rule
    if judged:
        return "judgments"
    if patterns:
        return "patterns"
    return "letter" if "letter" in allowed and all_letters(known) else "exact"
