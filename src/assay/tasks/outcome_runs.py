"""One run of answers, judged and put in the gold's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay import policies
from assay.errors import FormatError, InputError, UsageError
from assay.formats.rows import CORRECT, INCORRECT, OUTCOME_WORDS, UNANSWERED
from assay.formats.sources import source_of
from assay.notes import Notes
from assay.tasks import judging
from assay.tasks.outcome_views import OutcomeViews, complement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.formats.questions import GoldQuestion
    from assay.formats.rows import Answer, Rows
    from assay.tasks.judging import Judge
    from assay.tasks.outcome_gold import OutcomesGold
    from assay.tasks.outcomes import OutcomeSettings


def read_refusals(settings: OutcomeSettings) -> Any:
    if settings.refusal is None:
        return None
    source = source_of(settings.refusal)
    return judging.read_refusals(source.name, source.read())


def read_probabilities(gold: OutcomesGold, settings: OutcomeSettings) -> Mapping[str, float] | None:
    if settings.na_prob is None:
        return None
    if gold.kind != "squad":
        raise UsageError("`na_prob=FILE` goes with SQuAD's gold only; other runs state a confidence of their own")
    from assay.formats.squad import read_na_probabilities

    return read_na_probabilities(source_of(settings.na_prob))


def views_of(
    gold: OutcomesGold, rows: Rows, settings: OutcomeSettings, refusals: Any, probabilities: Mapping[str, float] | None
) -> OutcomeViews:
    """One run judged, put in the gold's order, and seen through the what-ifs asked for."""
    places = _places(gold, rows)
    run = OutcomeViews(gold, rows.name, rows.file, policies.missing_is_wrong(settings))
    run.notes = Notes(judging=_rule(gold, rows), warnings=rows.warnings)
    run.position = places
    if gold.kind == "pan":
        _fill_pan(run, rows, places)
    elif gold.kind == "squad":
        _fill_squad(gold, run, rows, places, probabilities)
    else:
        try:
            _fill_answers(gold, run, rows, places, refusals)
        except judging.UnjudgedError as problem:
            line = rows.lines[rows.ids.index(problem.question)]
            raise FormatError(rows.file, line or None, str(problem)) from None
    if settings.nil_confidence is not None:
        run.set_nil_confidence(settings.nil_confidence)
    if settings.abstain_below is not None:
        run.abstain_below(settings.abstain_below)
    return run


def _rule(gold: OutcomesGold, rows: Rows) -> str:
    """How the run was judged, in words: by the gold's rule, by the file itself, or by both."""
    stated = len(rows.outcomes) - rows.outcomes.count(None)
    if not stated or gold.judge is None:
        return gold.judging
    judged = judging.DESCRIPTIONS["judged"]
    return judged if stated == len(rows.outcomes) else f"{judged} where it states an outcome; elsewhere {gold.judging}"


def _places(gold: OutcomesGold, rows: Rows) -> list[int]:
    """The question of every row; one nobody asked, or one answered twice, is an error that names it."""
    if rows.ids is gold.last_ids:
        return gold.last_places  # the columns of a wide table share their ids, which were checked with the first
    index = gold.index
    places = [index.get(identity, -1) for identity in rows.ids]
    if -1 in places:
        row = places.index(-1)
        raise FormatError(
            rows.file, rows.lines[row] or None, f"answers question {rows.ids[row]!r}, which is not in {gold.name}"
        )
    if len(set(places)) < len(places):
        first: dict[int, int] = {}
        for row, place in enumerate(places):
            if place in first:
                raise FormatError(
                    rows.file,
                    rows.lines[row] or None,
                    f"question {rows.ids[row]!r} was answered already on line {rows.lines[first[place]]}",
                )
            first[place] = row
    gold.last_ids, gold.last_places = rows.ids, places
    return places


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
    gold: OutcomesGold,
    run: OutcomeViews,
    rows: Rows,
    places: Sequence[int],
    probabilities: Mapping[str, float] | None,
) -> None:
    run.exact, run.overlap = [0] * len(run.codes), [0.0] * len(run.codes)
    for row, place in enumerate(places):
        texts = gold.entries[place].texts
        predicted = rows.texts[row] or ""
        none = None if probabilities is None else probabilities.get(rows.ids[row])
        if probabilities is not None and none is None:
            raise InputError(f"{rows.file}: question {rows.ids[row]!r} has no probability in the file of `na_prob`")
        if not judging.squad_normalise(predicted):
            run.leave_empty(place, bool(gold.empty_is_right[place]))
            run.confidences[place] = none
            continue
        run.exact[place] = int(any(judging.squad_normalise(t) == judging.squad_normalise(predicted) for t in texts))
        run.overlap[place] = max((judging.squad_overlap(t, predicted) for t in texts), default=0.0)
        run.codes[place] = CORRECT if run.exact[place] else INCORRECT
        run.confidences[place] = None if none is None else complement(none)


def _fill_answers(gold: OutcomesGold, run: OutcomeViews, rows: Rows, places: Sequence[int], refusals: Any) -> None:
    codes, confidences, judge = run.codes, run.confidences, gold.judge
    says_nil = any(text is not None and text.strip() == judging.NIL for text in {*rows.texts})
    plain = not (rows.several or rows.docs or rows.candidates or refusals or says_nil)
    if judge is not None and plain and rows.outcomes.count(None) == len(places):
        _fill_texts(gold, run, rows, places, judge)
        return
    refused = 0 if refusals is not None else None
    for row, (place, text, outcome) in enumerate(zip(places, rows.texts, rows.outcomes, strict=True)):
        confidences[place] = rows.confidences[row]
        if outcome is not None:
            codes[place] = outcome
            if outcome == UNANSWERED:
                _withhold(gold, run, rows, row, place)
            elif text is not None and text.strip() == judging.NIL:
                run.nil_answers.add(place)
            continue
        if text is None:
            codes[place] = UNANSWERED
            _withhold(gold, run, rows, row, place)
            continue
        if judge is None:
            raise FormatError(
                rows.file,
                rows.lines[row] or None,
                f"question {rows.ids[row]!r} has an answer but no outcome; give the gold too, or outcomes in the file",
            )
        if refused is not None and refusals(text):
            codes[place] = UNANSWERED
            refused += 1
            continue
        if row in rows.several:
            run.lists[place] = _judge_list(judge, gold.entries[place], rows.several[row])
        if text.strip() == judging.NIL:
            run.nil_answers.add(place)
        codes[place] = judge(gold.entries[place], text, rows.docs.get(row))[0]
    run.notes.refusals = refused


def _withhold(gold: OutcomesGold, run: OutcomeViews, rows: Rows, row: int, place: int) -> None:
    """Judge the candidate of an unanswered question; where there is no gold, it may itself say how it was judged."""
    candidate = rows.candidates.get(row)
    if candidate is None:
        return
    if gold.judge is not None:
        run.candidates[place] = gold.judge(gold.entries[place], candidate, None)[0]
    elif OUTCOME_WORDS.get(candidate.strip().lower()) in (CORRECT, INCORRECT):
        run.candidates[place] = OUTCOME_WORDS[candidate.strip().lower()]


def _fill_texts(gold: OutcomesGold, run: OutcomeViews, rows: Rows, places: Sequence[int], judge: Judge) -> None:
    """The same where every answer is one text and nothing else: most files, and the large ones."""
    codes, seen = run.codes, gold.verdicts
    for place, text in zip(places, rows.texts, strict=True):
        if text is None:
            codes[place] = UNANSWERED
            continue
        verdict = seen[place].get(text)
        if verdict is None:
            verdict = seen[place][text] = judge(gold.entries[place], text, None)[0]
        codes[place] = verdict
    if rows.confidences.count(None) < len(places):
        for place, confidence in zip(places, rows.confidences, strict=True):
            run.confidences[place] = confidence


def _judge_list(
    judge: Judge, question: GoldQuestion, answers: Sequence[Answer]
) -> list[tuple[int, float | None, bool]]:
    """+1 right, 0 right but said before, -1 wrong; the confidence; whether the answer is NIL."""
    seen: set[str | None] = set()
    judged: list[tuple[int, float | None, bool]] = []
    for answer in answers:
        verdict, cls = judge(question, answer.text, answer.doc)
        evaluation = -1 if verdict == INCORRECT else 0 if cls in seen else 1
        if verdict == CORRECT:
            seen.add(cls)
        judged.append((evaluation, answer.confidence, answer.text.strip() == judging.NIL))
    return judged
