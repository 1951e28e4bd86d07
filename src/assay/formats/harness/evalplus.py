"""EvalPlus: programs, several for each problem, run on a benchmark's own tests and on added ones.

A program passes the added tests (plus) only where it passes the original ones (base) too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from assay.formats.answers.rows import CORRECT, INCORRECT, Rows, RowTexts
from assay.formats.harness.logs import LogReading
from assay.formats.json_files import decode, keys_of
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = 'EvalPlus\' {"eval": {TASK: [{solution, base_status, plus_status}]}}'
STATUSES = ("pass", "fail", "timeout")


class _Program(msgspec.Struct):
    base_status: str | None
    plus_status: str | None = None
    solution: str | None = None


class _EvalPlusFile(msgspec.Struct):
    eval: dict[str, list[_Program]]


def _results(head: Head) -> bool:
    """one JSON object with `eval`, whose lists of programs have a `base_status`."""
    if head.shape != "json" or b'"base_status"' not in head.text:
        return False
    return any(key.startswith("eval.") and key.endswith("[].base_status") for key in keys_of(head.text))


@reads(
    "evalplus",
    role="log",
    task="outcomes",
    yields="EvalPlus: programs and the tests they pass",
    recognises=_results,
    shapes="json",
    markers=("base_status",),
    recovers="entry of eval",
    companions={
        ("json", "task_id", "solution"): (
            "holds programs that were not run; give what EvalPlus makes of them, …_eval_results.json"
        ),
        ("json", "task_id", "canonical_solution"): "holds problems of EvalPlus; give the results, …_eval_results.json",
    },
)
def read_evalplus(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run; the programs of a problem are its samples."""
    tasks = decode(source, _EvalPlusFile, EXPECTED).eval
    log = reading.log(source, "EvalPlus")
    plus = any(program.plus_status is not None for programs in tasks.values() for program in programs)
    metric = reading.choose("metric", ["base", "plus"] if plus else ["base"], source, default="plus")
    if plus and reading.chosen("metric") is None:
        log.warnings.append(
            f"{source.name}: programs must pass the tests of plus (and base); `metric='base'` asks for less"
        )
    run = source.label or re.sub(r"[._]eval_results$", "", source.stem)
    for identity, programs in tasks.items():
        for number, program in enumerate(programs, 1):
            where = f"sample {number} of {identity}"
            statuses = [program.base_status] if metric == "base" else [program.base_status, program.plus_status]
            for status in statuses:
                if status is not None and status not in STATUSES:
                    raise log.error(0, where, f"status {status!r:.40}: expected {', '.join(STATUSES)}")
            log.add(
                identity, run=run, task=identity.rpartition("/")[0], where=where, sample=number, text=program.solution,
                problem=None if all(statuses) else f"it was not run on the tests of {metric}",
                state=CORRECT if all(status == "pass" for status in statuses) else INCORRECT,
            )  # fmt: skip

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for identity, programs in decode(source, _EvalPlusFile, EXPECTED).eval.items():
            yield from ((run, identity, RowTexts(answer=program.solution)) for program in programs)

    log.take_texts(texts)
    return log.finish()
