"""AlpacaEval: annotations of pairs, in which a judge prefers the output of a model to that of a baseline, or does not.

A preference of 1 is for the baseline, 2 for the model; 1.5 or 0 is a draw, and weighted annotators say anything from 1 to 2.
What counts is the preference less 1, whose mean is the win rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

import msgspec

from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.harness.logs import LogReading
from assay.formats.json_files import decode, has_keys
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "AlpacaEval's annotations, [{instruction, output_1, output_2, generator_1, generator_2, preference}]"
TASK = "alpaca_eval"


class Pair(msgspec.Struct):
    """One annotation, without the texts that no score needs."""

    instruction: str
    generator_2: str
    generator_1: str = "its baseline"
    preference: float | None = None
    dataset: str | None = None
    annotator: str | None = None
    output_2: str | None = None


def _pairs(head: Head) -> bool:
    """a JSON array of objects with `instruction`, `output_1`, `output_2` and `generator_2`."""
    return head.shape == "array" and has_keys(head, "[].instruction", "[].output_1", "[].output_2", "[].generator_2")


@reads(
    "alpaca-eval",
    role="log",
    task="outcomes",
    yields="AlpacaEval's preferences between outputs",
    recognises=_pairs,
    shapes="array",
    markers=("generator_2",),
    recovers="member",
    companions={
        ("array", "[].instruction", "[].output", "[].generator"): (
            "holds outputs without annotations; give AlpacaEval's annotations.json"
        ),
    },
)
def read_alpaca_eval(source: Source, reading: LogReading) -> list[Rows]:
    """Return a run for every model that was compared with the baseline."""
    pairs = decode(source, list[Pair], EXPECTED)
    log = reading.log(source, "AlpacaEval")
    judge = judge_of(pairs, source, reading)
    baselines = list(dict.fromkeys(pair.generator_1 for pair in pairs))
    for place, pair in enumerate(pairs):
        if pair.annotator == judge:
            preference, where = pair.preference, f"pair {place}"
            if problem := problem_of(pair):
                raise log.error(0, where, problem)
            log.add(
                question_of(pair.instruction), run=pair.generator_2, where=where, content=pair.instruction,
                task=TASK if len(baselines) == 1 else f"{TASK}:{pair.generator_1}", text=pair.output_2,
                problem="it is not annotated" if preference is None else None,
                value=won(pair), fields={"dataset": pair.dataset},
            )  # fmt: skip
    log.warnings.append(
        f"{source.name}: outcomes are preferences of {judge or 'a judge'} to {', '.join(baselines)}; a draw counts half"
    )

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for pair in decode(source, list[Pair], EXPECTED):
            if pair.annotator == judge:
                texts = RowTexts(question=pair.instruction, answer=pair.output_2)
                yield pair.generator_2, question_of(pair.instruction), texts

    log.take_texts(texts)
    return log.finish()


def judge_of(pairs: Sequence[Pair], source: Source, reading: LogReading) -> str | None:
    """Return the annotator whose preferences count: the only one, or the chosen one."""
    annotators = list(dict.fromkeys(pair.annotator for pair in pairs if pair.annotator is not None))
    return reading.choose("scorer", annotators, source) if annotators else None


def problem_of(pair: Pair) -> str | None:
    """Return what is wrong with a preference, or None."""
    preference = pair.preference
    if preference is None or preference == 0 or 1 <= preference <= 2:
        return None
    return f"preference {preference:g}: expected a number from 1 to 2, 0 for a draw, or null"


def won(pair: Pair) -> float:
    """Return the share that the model wins against the baseline, 0.5 for a draw.

    >>> won(Pair("Do it", "m", preference=1.75)), won(Pair("Do it", "m", preference=0))
    (0.75, 0.5)
    """
    return 0.5 if pair.preference == 0 else (pair.preference or 0) - 1


def question_of(instruction: str) -> str:
    """Return a digest of a question's text, as its id.

    >>> question_of("What is the capital of France?")
    'ebf5d23c682b'
    """
    return blake2b(instruction.encode("utf-8", "replace"), digest_size=6).hexdigest()
