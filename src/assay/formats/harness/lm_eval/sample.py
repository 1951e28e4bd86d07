"""One sample of lm-evaluation-harness: its document, its choices, the chosen one."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec

from assay.formats.answers.outcome_words import Words
from assay.formats.answers.rows import FAILED, NO_VERDICT
from assay.formats.harness.log_likelihoods import best, numbers, per_length

NO_GROUP = frozenset(
    {"id", "idx", "index", "question", "query", "answer", "answers", "answerKey", "text", "choices", "target", "gold"}
    | {"label", "prompt", "input", "output", "solution", "context", "passage", "doc_id", "question_id"}
)
LONGEST_GROUP = 40


class Continuation(msgspec.Struct):
    """A continuation that was scored after a prompt."""

    text: Any = msgspec.field(default=None, name="arg_1")


def document_hash(document: dict[str, Any]) -> str:
    """Return what the harness calls `doc_hash`, from 0.4.3 on.

    >>> document_hash({"id": 1})[:12]
    '783cf32f165f'
    """
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def likelihoods(filtered: Any) -> list[float] | None:
    """Return the log-likelihood of each choice; None where the responses are texts.

    >>> likelihoods([["-1.5", "False"], ["-2", "True"]]), likelihoods(["Paris"])
    ([-1.5, -2.0], None)
    """
    pairs = [listed(pair) for pair in listed(filtered)]
    if len(pairs) < 2 or any(len(pair) != 2 for pair in pairs):
        return None
    return numbers([pair[0] for pair in pairs])


def choice_texts(
    arguments: dict[str, Continuation] | list[list[Any]] | None, document: dict[str, Any], delimiter: str
) -> list[str]:
    """Return the choices as scored, without the delimiter after the prompt; nothing where unknown."""
    if isinstance(arguments, dict):
        choices = [choice.text for choice in arguments.values()]
    else:
        choices = [pair[1] if len(pair) > 1 else None for pair in arguments or []]
    if len({text for text in choices if isinstance(text, str)}) < 2:
        # Where the prompts hold the choices, what follows them is the same for all.
        choices = listed(document.get("choices"))
    texts = [text.removeprefix(delimiter) for text in choices if isinstance(text, str)]
    return texts if len(texts) == len(choices) else []


def chosen(metric: str, logs: list[float], options: list[str]) -> int | None:
    """Return the choice that counts for a metric; None where unknown.

    >>> chosen("acc", [-3.0, -4.0], ["one", "eighteen"]), chosen("acc_norm", [-3.0, -4.0], ["one", "eighteen"])
    (0, 1)
    """
    if metric in ("acc", "exact_match"):
        return best(logs)
    lengths = [len(text if metric == "acc_norm" else text.encode("utf-8", "surrogatepass")) for text in options]
    worth = per_length(logs, lengths)
    return None if worth is None else best(worth)


def gold_of(target: Any, options: list[str]) -> int | None:
    """Return the index of the right choice, which a log gives as a number or a text."""
    if isinstance(target, int) and not isinstance(target, bool):
        return target
    if not isinstance(target, str):
        return None
    if target.isascii() and target.isdecimal() and len(target) < 9:
        return int(target)
    return options.index(target) if target in options else None


def fields_of(document: dict[str, Any], group: str | None) -> dict[str, Any]:
    """Return fields to group questions by: short texts of the document, and the task's group."""
    fields: dict[str, Any] = {} if group is None else {"group": group}
    for name, value in document.items():
        if name not in NO_GROUP and isinstance(value, str) and 0 < len(value) <= LONGEST_GROUP:
            fields.setdefault(name, value)
    return fields


def in_a_word(value: Any, words: Words) -> bool:
    """Return whether a metric's value is an outcome word.

    >>> in_a_word("N", Words()), in_a_word("none", Words()), in_a_word(0.5, Words())
    (True, False, False)
    """
    word = value.strip().lower() if isinstance(value, str) else ""
    return words.known.get(word, FAILED) not in (FAILED, NO_VERDICT) or word in words.partial


def first_text(responses: Any) -> str | None:
    """Return the first text in nested lists of responses."""
    while isinstance(responses, list):
        responses = next(iter(listed(responses)), None)
    return responses if isinstance(responses, str) else None


def listed(value: Any) -> list[Any]:
    """Return a list unchanged, and an empty list for anything else."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]
