"""The settings `failed`, `unparsed` and `right_from`: what failures, unparsed answers and partial credit count."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError, shorten_list
from assay.formats.answers.rows import (
    CORRECT,
    FAILED,
    GRADED,
    INCORRECT,
    MISSING,
    NO_VERDICT,
    NOT_ASKED,
    UNANSWERED,
    UNPARSED,
    Rows,
)
from assay.settings import SKIP
from assay.table.notes import Notes
from assay.table.scores import TASK_FIELD
from assay.tasks.outcomes.gold import OutcomeSettings, OutcomesGold
from assay.tasks.outcomes.views import OutcomeViews

STATES = {"incorrect": INCORRECT, "unanswered": UNANSWERED, "failed": FAILED, SKIP: FAILED}


def apply_settings(
    rows: Rows, settings: OutcomeSettings, notes: Notes
) -> tuple[Sequence[int | None], Sequence[float | None] | None]:
    """Return the outcome and score of every row under the settings, and record the changes in the notes.

    An outcome is None where the answer is still to be judged; the scores are None where there are outcomes alone.
    """
    if NO_VERDICT in rows.outcomes:
        notes.no_verdict = rows.outcomes.count(NO_VERDICT)
    if not rows.kinds and rows.scores is None and FAILED not in rows.outcomes:
        return rows.outcomes, None
    outcomes, scores = list(rows.outcomes), None if rows.scores is None else list(rows.scores)
    _settle_scores(rows, outcomes, settings, notes)
    _settle_unparsed(rows, outcomes, scores, settings)
    _settle_failures(rows, outcomes, settings, notes)
    return outcomes, scores


def _settle_unparsed(
    rows: Rows, outcomes: list[int | None], scores: list[float | None] | None, settings: OutcomeSettings
) -> None:
    """Replace outcomes and scores of unparsed answers, except with `unparsed='scored'`."""
    if settings.unparsed == "scored":
        return
    for row, kind in rows.kinds.items():
        if kind == UNPARSED and outcomes[row] != FAILED:
            outcomes[row] = STATES[settings.unparsed]
            if scores is not None:
                scores[row] = None


def _settle_scores(rows: Rows, outcomes: list[int | None], settings: OutcomeSettings, notes: Notes) -> None:
    if settings.right_from is None or rows.scores is None:
        return
    partial = [
        score for score, state in zip(rows.scores, outcomes, strict=True) if state == GRADED and score is not None
    ]
    notes.warnings.append(
        f"{rows.name}: {sum(score >= settings.right_from for score in partial)} of {len(partial)} answers with partial credit "
        f"have a score of {settings.right_from:g} or more and count as correct, the others as incorrect (`right_from=`)"
    )
    for row, score in enumerate(rows.scores):
        if outcomes[row] in (CORRECT, INCORRECT, GRADED) and score is not None:
            outcomes[row] = CORRECT if score >= settings.right_from else INCORRECT


def _settle_failures(rows: Rows, outcomes: list[int | None], settings: OutcomeSettings, notes: Notes) -> None:
    failed = [row for row, outcome in enumerate(outcomes) if outcome == FAILED]
    if not failed:
        return
    if settings.failed == "error":
        names, problem = shorten_list(list(map(repr, _names(rows, failed))), 1), rows.problems.get(failed[0])
        raise InputError(
            f"{rows.file}: question {names} failed{f' ({problem})' if problem else ''}; `failed='skip'` excludes such "
            "questions, `failed='unanswered'` and `failed='incorrect'` count them"
        )
    notes.failed = len(failed)
    notes.counted_failures = "excluded" if settings.failed == SKIP else f"counted as {settings.failed}"
    names = _names(rows, failed)
    notes.failures = {name: rows.problems.get(row, "") for name, row in zip(names, failed, strict=True)}
    for row in failed:
        outcomes[row] = STATES[settings.failed]


def _names(rows: Rows, places: Sequence[int]) -> list[str]:
    """Return the questions of some rows, with the number of the sample where questions have several."""
    if rows.samples is None:
        return [rows.ids[row] for row in places]
    return [f"{rows.ids[row]} (sample {rows.samples[row]})" for row in places]


def settle_absent(run: OutcomeViews, questions: Sequence[int], gold: OutcomesGold, settings: OutcomeSettings) -> None:
    """Settle questions that are absent from a log: the task was not run, or the run was interrupted.

    Questions of a task without a log are excluded; the others count as failed. `questions` has the question of every slot.
    """
    absent = [slot for slot, code in enumerate(run.codes) if code == MISSING]
    if not absent:
        return
    tasks = gold.fields.get(TASK_FIELD) or [None] * len(gold.topics)
    tasks_seen = {tasks[questions[slot]] for slot, code in enumerate(run.codes) if code != MISSING}
    other = [slot for slot in absent if tasks[questions[slot]] not in tasks_seen]
    if other:
        named = ", ".join(str(task) for task in dict.fromkeys(tasks[questions[slot]] for slot in other))
        run.notes.warnings.append(f"{run.name}: no log of {named}, which is excluded from its numbers")
    left = [slot for slot in absent if tasks[questions[slot]] in tasks_seen]
    if left:
        topics = list(dict.fromkeys(gold.topics[questions[slot]] for slot in left))
        if settings.failed == "error":
            raise InputError(
                f"{run.file}: lacks question {topics[0]!r}, which other logs have. Fix: `failed='skip'` excludes it."
            )
        how = "excluded" if settings.failed == SKIP else f"counted as {settings.failed}"
        many = f"{len(topics)} question{'' if len(topics) == 1 else 's'}"
        few = f"{topics[0]} …" if len(topics) > 1 else topics[0]
        run.notes.warnings.append(f"{run.name}: its log lacks {many} of other logs ({few}), {how} (`failed=`)")
    for slot in other:
        run.codes[slot] = NOT_ASKED
    for slot in left:
        run.codes[slot] = NOT_ASKED if settings.failed == SKIP else STATES[settings.failed]
