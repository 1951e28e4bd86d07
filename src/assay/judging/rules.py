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
    from collections.abc import Mapping, Sequence

    from assay.formats.answers import GoldQuestion
    from assay.judging.known import RightAnswer

_SUPPORT = "where supporting documents are named and the answer names another one, it is unsupported"
DESCRIPTIONS = {
    "exact": f"exact match {NORMALISED}; {_SUPPORT}",
    "patterns": "regular expressions searched anywhere in the answer, case ignored; for questions without any, exact "
    f"match {NORMALISED}; {_SUPPORT}",
    "judgments": "the judgments file",
    "letter": "the option letter of the answer: all of it, what it begins with before ) ] . or :, or what follows "
    "'answer is'; an answer without a letter is incorrect",
}
LENIENT_RULE = "judgments-lenient"


def rule_option(*rules: str) -> Any:
    """Declare the choice among rules."""
    return option(
        "auto", one_of("auto", *rules), "how answers are held against the gold (auto: what the gold calls for)"
    )


class JudgingSettings(Settings):
    """The choices of every task that judges answers."""

    judging: str = rule_option("exact", "patterns", "judgments")
    judgments: Any = option(None, anything("FILE"), "what assessors said of each answer, as JSONL")
    unjudged: str = option("error", one_of("error", "incorrect"), "what an answer counts that nobody judged (error)")
    unused_judgments: str = option(
        "error", one_of("error", "ignore"), "what to do about a judgment of an answer no run gave (error)"
    )
    support: Any = option(None, anything("FILE"), "documents that support an answer, beside answer patterns")


def choose(
    settings: JudgingSettings,
    questions: Sequence[GoldQuestion],
    known: Mapping[str, Sequence[RightAnswer]],
    judged: bool,
) -> str:
    """The rule asked for; for `auto`, what the gold calls for among those the task has."""
    rule = settings.judging
    if rule.startswith("judgments") and not judged:
        raise UsageError(f"`judging={rule!r}` needs `judgments=FILE`")
    if rule != "auto":
        return rule
    if judged:
        return "judgments"
    if any(question.patterns for question in questions):
        return "patterns"
    # Where a question has a list of answers, a letter is an answer like any other.
    letters = "letter" in type(settings).options()["judging"].kind.choices
    return "letter" if letters and all_letters(right for several in known.values() for right in several) else "exact"
