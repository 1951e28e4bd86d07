"""One run of answers, judged and put in the gold's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay import policies
from assay.errors import FormatError, InputError, UsageError
from assay.formats.rows import CORRECT, INCORRECT, OUTCOME_WORDS, UNANSWERED
from assay.formats.sources import source_of
from assay.judging.key import RunJudge
from assay.judging.known import is_nil
from assay.judging.normalising import squad_normalise, squad_overlap
from assay.notes import Notes
from assay.tasks.outcome_gold import JUDGED
from assay.tasks.outcome_views import OutcomeViews, complement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.formats.rows import Answer, Rows
    from assay.measures.answer_view import Judged
    from assay.tasks.outcome_gold import OutcomesGold
    from assay.tasks.outcomes import OutcomeSettings


def read_probabilities(gold: OutcomesGold, settings: OutcomeSettings) -> Mapping[str, float] | None:
    """SQuAD's probabilities of no answer, where they are given."""
    if settings.na_prob is None:
        return None
    if gold.kind != "squad":
        raise UsageError("`na_prob=FILE` goes with SQuAD's gold only; other runs state a confidence of their own")
    from assay.formats.squad import read_na_probabilities

    return read_na_probabilities(source_of(settings.na_prob))


def views_of(
    gold: OutcomesGold,
    rows: Rows,
    places: Sequence[int],
    settings: OutcomeSettings,
    refusals: Callable[[str], bool] | None,
    probabilities: Mapping[str, float] | None,
) -> OutcomeViews:
    """One run judged, put in the gold's order (`places`), and seen through the what-ifs asked for."""
    run = OutcomeViews(gold, rows.name, rows.file, policies.missing_is_wrong(settings))
    run.notes = Notes(judging=_rule(gold, rows), warnings=rows.warnings)
    run.position = places
    if gold.kind == "pan":
        _fill_pan(run, rows, places)
    elif gold.kind == "squad":
        _fill_squad(run, rows, places, probabilities)
    else:
        _fill_answers(run, rows, places, settings, refusals)
    if settings.nil_confidence is not None:
        run.set_nil_confidence(settings.nil_confidence)
    if settings.abstain_below is not None:
        run.abstain_below(settings.abstain_below)
    return run


def _rule(gold: OutcomesGold, rows: Rows) -> str:
    """How the run was judged, in words: by the gold's rule, by the file itself, or by both."""
    stated = len(rows.outcomes) - rows.outcomes.count(None)
    if not stated or gold.key is None:
        return gold.judging
    return JUDGED if stated == len(rows.outcomes) else f"{JUDGED} where it states an outcome; elsewhere {gold.judging}"


def _fill_pan(run: OutcomeViews, rows: Rows, places: Sequence[int]) -> None:
    truth = run.gold.truth
    if rows.values is None or truth is None:
        raise InputError(f"{rows.file}: expected yes/no answers with a value, as the gold has them")
    values = [0.5] * len(run.codes)
    for place, value in zip(places, rows.values, strict=True):
        values[place] = value
        if value == 0.5:
            run.codes[place] = UNANSWERED
        else:
            run.codes[place] = CORRECT if (value > 0.5) == bool(truth[place]) else INCORRECT
            run.confidences[place] = max(value, complement(value))
    run.values = values


def _fill_squad(
    run: OutcomeViews, rows: Rows, places: Sequence[int], probabilities: Mapping[str, float] | None
) -> None:
    run.exact, run.overlap = [0] * len(run.codes), [0.0] * len(run.codes)
    for row, place in enumerate(places):
        texts = run.gold.entries[place].texts
        predicted = rows.texts[row] or ""
        none = None if probabilities is None else probabilities.get(rows.ids[row])
        if probabilities is not None and none is None:
            raise InputError(f"{rows.file}: question {rows.ids[row]!r} has no probability in the file of `na_prob`")
        form = squad_normalise(predicted)
        if not form:
            run.leave_empty(place, not run.gold.known[place])
            run.confidences[place] = none
            continue
        run.exact[place] = int(any(squad_normalise(text) == form for text in texts))
        run.overlap[place] = max((squad_overlap(text, predicted) for text in texts), default=0.0)
        run.codes[place] = CORRECT if run.exact[place] else INCORRECT
        run.confidences[place] = None if none is None else complement(none)


def _fill_answers(
    run: OutcomeViews,
    rows: Rows,
    places: Sequence[int],
    settings: OutcomeSettings,
    refusals: Callable[[str], bool] | None,
) -> None:
    gold, codes = run.gold, run.codes
    judge = None if gold.key is None else RunJudge(gold.key, rows, settings)
    refused = 0
    for row, (place, text, outcome) in enumerate(zip(places, rows.texts, rows.outcomes, strict=True)):
        run.confidences[place] = rows.confidences[row]
        if outcome is not None and outcome != UNANSWERED:
            codes[place] = outcome
            if text is not None and is_nil(text):
                run.nil_answers.add(place)
        elif outcome == UNANSWERED or text is None:
            codes[place] = UNANSWERED
            _withhold(run, rows, row, place, judge)
        elif judge is None:
            raise FormatError(
                rows.file,
                rows.lines[row] or None,
                f"question {rows.ids[row]!r} has an answer but no outcome; give the gold too, or outcomes in the file",
            )
        elif refusals is not None and refusals(text):
            codes[place] = UNANSWERED
            refused += 1
        else:
            if row in rows.several:
                verdicts = [judge(row, answer.text, answer.doc) for answer in rows.several[row]]
                run.lists[place] = _evaluated(rows.several[row], verdicts, gold.right)
                verdict = verdicts[rows.finals.get(row, 1) - 1]
            else:
                verdict = judge(row, text, rows.docs.get(row))
            codes[place] = CORRECT if verdict.judgment in gold.right else INCORRECT
            if verdict.nil:
                run.nil_answers.add(place)
            continue
        if judge is not None and text is not None:
            judge.pass_over(row)
    run.notes.refusals = None if refusals is None else refused
    if judge is not None:
        judge.note(run.notes, run.name)


def _withhold(run: OutcomeViews, rows: Rows, row: int, place: int, judge: RunJudge | None) -> None:
    """Judge the candidate of an unanswered question; where there is no gold, it may itself say how it was judged."""
    candidate = rows.candidates.get(row)
    if candidate is None:
        return
    if judge is not None:
        right = judge(row, candidate, None).judgment in run.gold.right
        run.candidates[place] = CORRECT if right else INCORRECT
    elif OUTCOME_WORDS.get(candidate.strip().lower()) in (CORRECT, INCORRECT):
        run.candidates[place] = OUTCOME_WORDS[candidate.strip().lower()]


def _evaluated(
    answers: Sequence[Answer], verdicts: Sequence[Judged], right: Sequence[str]
) -> list[tuple[int, float | None, bool]]:
    """+1 right, 0 right but said before, -1 wrong; the confidence; whether the answer is NIL."""
    seen: set[str | None] = set()
    evaluated: list[tuple[int, float | None, bool]] = []
    for answer, verdict in zip(answers, verdicts, strict=True):
        evaluation = -1 if verdict.judgment not in right else 0 if verdict.cls in seen else 1
        if evaluation == 1:
            seen.add(verdict.cls)
        evaluated.append((evaluation, answer.confidence, verdict.nil))
    return evaluated
