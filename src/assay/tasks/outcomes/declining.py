"""Questions that should be declined: how declining and answering them counts.

A question is declined by leaving it unanswered, by refusing it, or by answering NIL. An answer that could not be extracted is
not a refusal, and a missing question is not declined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.formats.answers.rows import CORRECT, INCORRECT, MISSING, UNANSWERED, UNPARSED, Rows

if TYPE_CHECKING:
    from assay.tasks.outcomes.views import OutcomeViews


def settle_declining(run: OutcomeViews, rows: Rows) -> None:
    """Mark declining as correct and answering as incorrect where a question should be declined.

    NIL declines; an answer that could not be extracted does not. Where the file states the outcome, correct means declined.
    """
    should = run.gold.should_decline
    if not any(should):
        return
    for row, place in enumerate(run.position):
        if not should[place]:
            continue
        code = run.codes[place]
        if place in run.lists:
            run.lists[place] = [(1 if nil else -1, sure, nil) for _, sure, nil in run.lists[place]]
        if code in (INCORRECT, UNANSWERED) and _declines(run, place):
            run.codes[place] = CORRECT
        elif code == CORRECT and rows.outcomes[row] is None and place not in run.nil_answers:
            run.codes[place] = INCORRECT
        if run.codes[place] == CORRECT and place not in run.nil_answers:
            run.declined.add(place)
            run.kinds.pop(place, None)
            run.candidates.pop(place, None)


def declined_rightly(run: OutcomeViews) -> bytes:
    """Return 1 for each question that should be declined, or has no answer, and is declined."""
    should, _ = run.gold.declining()
    return bytes(flag and _declines(run, place) for place, flag in enumerate(should))


def declined_wrongly(run: OutcomeViews) -> bytes:
    """Return 1 for each question that should be answered and is declined, or is missing where that counts as unanswered."""
    _, should = run.gold.declining()
    left_out = MISSING in run.unanswered_codes
    return bytes(
        flag and (_declines(run, place) or (left_out and run.codes[place] == MISSING))
        for place, flag in enumerate(should)
    )


def _declines(run: OutcomeViews, place: int) -> bool:
    if place in run.declined or place in run.nil_answers:
        return True
    return run.codes[place] == UNANSWERED and run.kinds.get(place) != UNPARSED
