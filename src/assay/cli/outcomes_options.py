"""Options of answers with non-response and confidence."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Mapping
    from typing import Any

OPTIONS = (
    "judging", "judgments", "refusal", "nil_confidence", "abstain_below", "columns", "na_prob", "judged", "by",
    "rankings",
)  # fmt: skip
"""Options that only some tasks know; each task's own OPTIONS say which."""


def add_outcomes(parser: ArgumentParser) -> None:
    """How answers are judged and seen, and the tables of answers."""
    group = add_answers(parser)
    group.add_argument("--by", metavar="FIELD", help="a row per value of a field of the gold, such as type or language")
    group.add_argument("--rankings", action="store_true", help="each measure's ranking of the runs, ties as 5..14")


def add_answers(parser: ArgumentParser) -> Any:
    """How answers are judged and seen; the group, for a command that adds to it."""
    group = parser.add_argument_group("answers, non-response and confidence")
    group.add_argument("--judged", action="store_true", help="no GOLD: the runs carry outcomes, or a gold column")
    group.add_argument(
        "--judging", metavar="RULE",
        help="exact, patterns, letter, judgments, judgments-lenient, or auto (default: what the gold calls for)",
    )  # fmt: skip
    group.add_argument("--judgments", metavar="FILE", help="what assessors said of each answer, as JSONL")
    group.add_argument("--refusal", metavar="FILE", help="patterns of refusals in words, which count as unanswered")
    group.add_argument("--na-prob", metavar="FILE", help="SQuAD's probabilities of no answer")
    group.add_argument("--columns", metavar="ROLE=NAME,…", help="the columns of a CSV file, as in run=llm,id=qid")
    group.add_argument("--nil-confidence", type=float, metavar="X", help="what if every NIL answer had this confidence")
    group.add_argument("--abstain-below", type=float, metavar="X", help="what if answers below it had been withheld")
    return group


REMARKS = {
    "refusals": "answers match a refusal pattern and count as unanswered (--refusal)",
    "nil_answers": "questions have a NIL answer whose confidence was set (--nil-confidence)",
    "declined": "answers are withheld for their confidence (--abstain-below)",
}


def remarks(run: str, notes: Mapping[str, Any]) -> Iterator[str]:
    """What was changed in a run before it was scored."""
    for name, text in REMARKS.items():
        if name in notes:
            yield f"{run}: {notes[name]} {text}"
