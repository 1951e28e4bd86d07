"""MMLU-Pro's own output: every question with its options, the right letter, and the letter extracted from the model's output.

The tool writes FOLDER/CATEGORY_result.json or MODEL/CoT/SUBJECTS/CATEGORY.json: the files of a folder are one run. A file of several
categories is a run of its own. Where no letter could be extracted, the tool draws one at random, which the file does not keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from assay.formats.answers.rows import CORRECT, INCORRECT, UNANSWERED, UNPARSED, Rows, RowTexts
from assay.formats.harness.logs import LogReading, folder_of
from assay.formats.json_files import decode, has_keys
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "what MMLU-Pro writes, [{question_id, answer, answer_index, pred, …}]"
TASK = "MMLU-Pro"
WHOLE_RUN = re.compile(r"^model_outputs_(.+?)(?:_\d+shots?)?$")


class _Question(msgspec.Struct):
    question_id: str | int
    answer: str
    pred: str | None
    question: str | None = None
    category: str | None = None
    src: str | None = None
    model_outputs: str | None = None
    generated_text: str | None = None
    response: str | None = None

    @property
    def output(self) -> str | None:
        """The output of the model, which has another name in each version of the tool."""
        return self.model_outputs or self.generated_text or self.response


def _questions_with_predictions(head: Head) -> bool:
    """a JSON array of objects with `question_id`, `answer`, `answer_index` and `pred`."""
    names = ("question_id", "answer", "answer_index", "pred")
    return head.shape == "array" and has_keys(head, *(f"[].{name}" for name in names))


@reads(
    "mmlu-pro",
    role="log",
    task="outcomes",
    yields="MMLU-Pro: questions with the model's letters",
    recognises=_questions_with_predictions,
    shapes="array",
    markers=("answer_index",),
    recovers="member",
    companions={
        (
            "json",
            "total.corr",
            "total.wrong",
            "total.acc",
        ): "holds totals of MMLU-Pro; give the …_result.json beside it",
    },
)
def read_mmlu_pro(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run, or the part of a run that a file of one category is; an answer without a letter is unparsed."""
    questions = decode(source, list[_Question], EXPECTED)
    log = reading.log(source, "MMLU-Pro")
    run, folder = _run_of(source, {question.category for question in questions})
    first: dict[str, int] = {}
    unparsed = 0
    for place, question in enumerate(questions):
        where, identity = f"question {place}", str(question.question_id)
        if identity in first:
            raise log.error(0, where, f"question_id {identity} is that of question {first[identity]}, too")
        first[identity] = place
        if folder:
            log.refuse_copy(f"question {identity} of {folder}", where)
        letter = (question.pred or "").strip()
        right = letter == question.answer.strip()
        unparsed += not letter
        about = {"category": question.category, "src": question.src}
        log.add(
            identity, run=run, task=TASK, where=where, text=letter or None, content=question.question,
            state=(CORRECT if right else INCORRECT) if letter else UNANSWERED, kind=None if letter else UNPARSED,
            fields={name: value for name, value in about.items() if value is not None},
        )  # fmt: skip
    if unparsed:
        log.warnings.append(
            f"{source.name}: answers without a letter are unanswered; MMLU-Pro draws an option at random for each"
        )

    def texts() -> Iterator[tuple[str, str, RowTexts]]:
        for question in decode(source, list[_Question], EXPECTED):
            yield (
                run,
                str(question.question_id),
                RowTexts(question=question.question, gold=question.answer, answer=question.output),
            )

    log.take_texts(texts)
    runs = log.finish()
    for rows in runs:
        rows.part_of = folder
    return runs


def _run_of(source: Source, categories: set[str | None]) -> tuple[str, str]:
    """Return the name of a run, and the folder whose files it is made of; no folder where a file is the whole run."""
    folder, stem = folder_of(source), source.stem
    (category,) = categories if len(categories) == 1 else (None,)
    is_part = category is not None and stem.removesuffix("_result").replace("_", " ") == category.replace("_", " ")
    if not folder or not is_part:
        match = WHOLE_RUN.match(stem)
        return source.label or (match[1] if match else stem), ""
    *_, model, method, subjects = ["", "", "", *folder.replace("\\", "/").rstrip("/").split("/")]
    return source.label or (model if method == "CoT" and model else subjects), folder
