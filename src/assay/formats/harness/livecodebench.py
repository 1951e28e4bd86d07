"""LiveCodeBench: …_eval_all.json, every question with its generations and whether each passed.

The tool writes output/MODEL/SCENARIO_N_TEMPERATURE_eval_all.json. In code generation a question has one id; in code execution several
rows share it and have an `id` each, in test output prediction a `test_id`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from assay.errors import UnscoredError
from assay.formats.answers.rows import CORRECT, INCORRECT, UNPARSED, Rows, RowTexts
from assay.formats.harness.logs import LogReading, folder_of
from assay.formats.json_files import decode, has_keys
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "LiveCodeBench's …_eval_all.json, [{question_id, graded_list, pass@1}]"
NAMED = re.compile(r"^(?:Scenario\.)?([a-z]+)(?:_(\d+)_([\d.]+))?(?:_.*)?_eval_all(?:_.*)?$")
TOLERANCE = 1e-6
UNGRADED = "holds answers that LiveCodeBench has not graded; give …_eval_all.json, which --evaluate writes"
RUNNER_ERROR = "TestRunnerError"
"""What the tool notes where its runner raised, which a program that never ends also brings about."""


class _Question(msgspec.Struct):
    question_id: str
    graded_list: list[bool] | None = None
    stated: float | None = msgspec.field(name="pass@1", default=None)
    code_list: list[str] | None = None
    pred_list: list[Any] | None = None
    id: str | None = None
    test_id: int | None = None
    question_content: str | None = None
    difficulty: str | None = None
    platform: str | None = None
    contest_date: str | None = None
    metadata: Any = None

    @property
    def identity(self) -> str:
        """The id of the row, which is one question."""
        own = self.id if self.id is not None else self.test_id
        return self.question_id if own is None else f"{self.question_id}/{own}"

    @property
    def answers(self) -> list[str | None]:
        """The extracted code, or what was predicted, by generation."""
        found = self.code_list if self.code_list is not None else self.pred_list
        if found is None:
            return [None] * len(self.graded_list or ())
        return [answer if isinstance(answer, str) else None for answer in found]


def _graded(head: Head) -> bool:
    """a JSON array of objects with `question_id`, `graded_list` and `pass@1`, or whose `output_list` is longer than the head."""
    if head.shape != "array" or not has_keys(head, "[].question_id"):
        return False
    cut = not (has_keys(head, "[].code_list") or has_keys(head, "[].pred_list")) and not head.text.rstrip().endswith(
        b"]"
    )
    return has_keys(head, "[].graded_list", "[].pass@1") or (cut and has_keys(head, "[].output_list"))


@reads(
    "livecodebench",
    role="log",
    task="outcomes",
    yields="LiveCodeBench: …_eval_all.json",
    recognises=_graded,
    shapes="array",
    markers=("graded_list", "output_list"),
    recovers="member",
    companions={
        ("array", "[].pass@1", "[].detail"): "holds means of LiveCodeBench; give …_eval_all.json beside it",
        ("array", "[].question_id", "[].output_list"): UNGRADED,
    },
)
def read_livecodebench(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run; the generations of a question are its samples."""
    questions = decode(source, list[_Question], EXPECTED)
    if questions and all(question.graded_list is None for question in questions):
        raise UnscoredError(f"{source.name}: {UNGRADED}")
    log = reading.log(source, "LiveCodeBench")
    run, scenario, variant = _names(source)
    broken = 0
    for place, question in enumerate(questions):
        where = f"question {place}"
        graded, answers = question.graded_list, question.answers
        if not graded:
            raise log.error(0, where, "has no graded_list, or an empty one; expected a verdict on every generation")
        if len(answers) != len(graded):
            raise log.error(0, where, f"graded_list has {len(graded)} verdicts on {len(answers)} generations")
        share = sum(graded) / len(graded)
        if question.stated is not None and abs(question.stated - share) > TOLERANCE:
            raise log.error(0, where, f"pass@1 is {question.stated:g}, but {sum(graded)} of {len(graded)} are right")
        noted = question.metadata if isinstance(question.metadata, list) else []  # pyright: ignore[reportUnknownVariableType]
        broken += sum(isinstance(note, str) and RUNNER_ERROR in note for note in noted)  # pyright: ignore[reportUnknownVariableType]
        about = {
            "difficulty": question.difficulty,
            "platform": question.platform,
            "contest_date": question.contest_date,
        }
        for number, (right, answer) in enumerate(zip(graded, answers, strict=True), 1):
            log.add(
                question.identity, run=run, task=scenario, where=where, sample=number, text=answer,
                state=CORRECT if right else INCORRECT, kind=UNPARSED if answer == "" and not right else None,
                fields={name: value for name, value in about.items() if value is not None}, content=question.question_content,
            )  # fmt: skip
    if broken:
        log.warnings.append(
            f"{source.name}: {broken} generation{'' if broken == 1 else 's'} ended the test runner ({RUNNER_ERROR}), which a "
            "program without end does too; incorrect, as in LiveCodeBench"
        )

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for question in decode(source, list[_Question], EXPECTED):
            for answer in question.answers:
                yield run, question.identity, RowTexts(question=question.question_content, answer=answer)

    log.take_texts(texts)
    runs = log.finish()
    for rows in runs:
        rows.variant = variant
    return runs


def _names(source: Source) -> tuple[str, str, str]:
    """Return the run, the scenario and the settings, of MODEL/SCENARIO_N_TEMPERATURE_eval_all.json."""
    match = NAMED.match(source.stem)
    if match is None:
        return source.label or source.stem.removesuffix("_eval_all"), "", ""
    folder = os.path.basename(folder_of(source))
    settings = f"n {match[2]}, temperature {match[3]}" if match[2] else ""
    return source.label or folder or source.stem, match[1], settings
