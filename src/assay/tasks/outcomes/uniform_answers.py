"""The fast path for runs whose rows are alike: all with an outcome, or all to be judged, one answer a question."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from assay.formats.answers.rows import CORRECT, INCORRECT, UNANSWERED, Rows
from assay.matching.answer_key import RunJudge
from assay.matching.refusals import refusal_phrase
from assay.tasks.outcomes.views import OutcomeViews


def fill_uniform(
    run: OutcomeViews, rows: Rows, outcomes: Sequence[int | None], judge: RunJudge | None, suspects: dict[int, str]
) -> bool:
    """Fill the codes and confidences of a run whose rows are alike; return False, with no change, where they are not.

    outcomes   of every row, under the settings
    suspects   collects answers that look like refusals, by question
    """
    if rows.tool or rows.candidates or rows.several or rows.docs:
        return False
    if rows.texts.count(None) == len(rows.texts):
        ended: Any = outcomes if isinstance(outcomes, array) else [outcome or UNANSWERED for outcome in outcomes]
    elif judge is not None and outcomes.count(None) == len(outcomes):
        ended = _judged(run, rows, judge, suspects)
    else:
        return False
    stated: Any = rows.confidences
    if isinstance(run.position, range):
        run.codes[:] = bytes(ended)
        run.confidences = stated if isinstance(stated, array) else stated[:]
    else:
        for place, code, confidence in zip(run.position, ended, stated, strict=True):
            run.codes[place] = code
            run.confidences[place] = confidence
    return True


def _judged(run: OutcomeViews, rows: Rows, judge: RunJudge, suspects: dict[int, str]) -> list[int]:
    """Return the outcome of each row; add those that look like refusals to the suspects."""
    right, ended = run.gold.right, [UNANSWERED] * len(rows.ids)
    for row, (place, text, known) in enumerate(zip(run.position, rows.texts, judge.seen(), strict=True)):
        if text is None:
            continue
        verdict = known.get(text) or judge(row, text, None)
        ended[row] = CORRECT if verdict.judgment in right else INCORRECT
        if verdict.nil:
            run.nil_answers.add(place)
        elif ended[row] == INCORRECT and (phrase := refusal_phrase(text)):
            suspects[place] = phrase
    return ended
