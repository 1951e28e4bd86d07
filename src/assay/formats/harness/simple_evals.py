"""OpenAI simple-evals: all results of one evaluation, as pages of HTML in JSON.

By question there is a score and nothing else: SimpleQA's not attempted and incorrect are both False there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from math import fsum
from typing import Any

import msgspec

from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.harness.logs import LogReading, Total
from assay.formats.json_files import decode, has_keys
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "what simple-evals writes as …_allresults.json, with `htmls` and `metrics`"
SCORE = re.compile(r"<p>\s*Score:\s*([^<]*?)\s*</p>")
GOLD = re.compile(r"<p>\s*Correct Answer:\s*(.*?)\s*</p>", re.DOTALL)
WHEN = re.compile(r"_\d{8}_\d{6}(_DEBUG)?$")
LONG_NAMES = ("healthbench_hard", "healthbench_consensus", "healthbench_meta")
"""Evaluations whose name has the mark in it that parts evaluation and model in the name of a file."""


class _Message(msgspec.Struct):
    content: Any = None


class _SimpleEvalsFile(msgspec.Struct):
    htmls: list[str]
    score: float | None = None
    metrics: dict[str, float | None] = {}
    convos: list[list[_Message]] = []


def _all_results(head: Head) -> bool:
    """one JSON object with `score`, `metrics` and `htmls`."""
    return head.shape == "json" and has_keys(head, "score", "metrics", "htmls")


@reads(
    "simple-evals",
    role="log",
    task="outcomes",
    yields="simple-evals: all results",
    recognises=_all_results,
    shapes="json",
    markers=("htmls",),
    recovers="member of htmls",
    companions={
        ("json", "score", "score:std"): (
            "is what simple-evals writes as means only; give the file …_allresults.json beside it"
        ),
    },
)
def read_simple_evals(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, whose questions are named by their index."""
    document = decode(source, _SimpleEvalsFile, EXPECTED)
    log = reading.log(source, "simple-evals")
    task, run = _names(source)
    seen: set[str] = set()
    values: list[float | None] = []
    for place, page in enumerate(document.htmls):
        where = f"htmls[{place}]"
        scores = SCORE.findall(page)
        if not scores:
            raise log.error(0, where, "has no `Score:`; expected one in the results of every question")
        prompt, answer = _texts(document, place)
        seen.add(prompt or str(place))
        score = scores[-1]
        if score != "None":
            values.append(_number(score))
        problem = "its score is None" if score == "None" else None
        log.add(str(place), run=run, task=task, value=score, problem=problem, where=where, text=answer, content=prompt)
    numbers = [value for value in values if value is not None]
    # The aggregate is clipped to [0, 1].
    mean = min(1.0, max(0.0, fsum(numbers) / len(numbers))) if numbers and len(numbers) == len(values) else None
    stated = Total(len(document.convos) or None, document.score)
    log.check_total("the log", stated, Total(len(document.htmls), mean))
    declined = document.metrics.get("is_not_attempted")
    if declined:
        log.warnings.append(
            f"{source.name}: {declined:.1%} were not attempted, says the log as a whole; by question they cannot be told "
            "from incorrect ones and count as incorrect (`refusal=` tells them by their words)"
        )
    if len(seen) < len(document.htmls):
        log.warnings.append(
            f"{source.name}: {len(document.htmls) - len(seen)} of {len(document.htmls)} prompts repeat another; simple-evals does "
            "not say which questions are repeats, and each counts as a question"
        )

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        file = decode(source, _SimpleEvalsFile, EXPECTED)
        for place, page in enumerate(file.htmls):
            gold = GOLD.findall(page)
            prompt, answer = _texts(file, place)
            yield run, str(place), RowTexts(prompt, unescape(gold[-1]) if gold else None, prompt, answer)

    log.take_texts(texts)
    return log.finish()


def _texts(document: _SimpleEvalsFile, place: int) -> tuple[str | None, str | None]:
    """Return prompt and answer, where the log has the conversation."""
    turns = document.convos[place] if place < len(document.convos) else []
    contents = [turn.content if isinstance(turn.content, str) else None for turn in turns]
    return (contents[-2], contents[-1]) if len(contents) > 1 else (None, None)


def _number(score: str) -> float | None:
    """Return a score as a number; None where it is none.

    >>> _number("True"), _number("0.5"), _number("C")
    (1.0, 0.5, None)
    """
    if score in ("True", "False"):
        return float(score == "True")
    try:
        return float(score)
    except ValueError:
        return None


def _names(source: Source) -> tuple[str, str]:
    """Return evaluation and model, from the file's name."""
    name = WHEN.sub("", source.stem.removesuffix("_allresults"))
    for long in LONG_NAMES:
        if name.startswith(long + "_"):
            return long, source.label or name[len(long) + 1 :]
    task, _, model = name.partition("_")
    return (task, source.label or model) if model else ("simple-evals", source.label or name)
