"""Question answering with confidence and abstention: every question ends correct, incorrect or unanswered.

Gold and run come as assay's JSONL, CSV/TSV, PAN's or SQuAD's files (`formats/`), answers are judged (`matching/`), and
the run becomes columns: one byte per question for the outcome, one number for the confidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.errors import FormatError, InputError, UsageError, counted, shorten_list
from assay.formats.answers.rows import CORRECT, GRADED, INCORRECT, MISSING, UNANSWERED, Answer, Rows, RowTexts, key_of
from assay.formats.answers.states import STATE
from assay.formats.records import JSON_RECORDS
from assay.io.heads import is_records
from assay.io.sources import Source, source_of
from assay.settings import COMMON, ERROR, SKIP
from assay.table import missing_topics
from assay.table.notes import JUDGED, Notes
from assay.tasks import Task
from assay.tasks.outcomes.gold import OutcomeSettings, OutcomesGold, is_table, read, read_rows
from assay.tasks.outcomes.states import apply_settings, settle_absent
from assay.tasks.outcomes.views import OutcomeViews, complement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.answers.outcome_words import Words
    from assay.matching.answer_key import RunJudge
    from assay.matching.refusals import Refusal
    from assay.measures.views.answers import JudgedAnswer
    from assay.tasks.outcomes.repeats import SampledViews

DEFAULT_MEASURES = ("correct", "incorrect", "unanswered", "accuracy", "c@1", "UF", "coverage", "precision")
CONFIDENCE_MEASURES = ("CWS", "K1", "r", "Brier", "ECE", "ECEd", "AUROC", "AURC")
GRADED_MEASURES = ("score", "unanswered", "coverage")
"""Where answers have partial credit and `right_from` is not set."""
LIST_MEASURES = ("K",)
VERIFICATION_MEASURES = ("AUC", "F1", "F0.5u", "1-Brier", "overall")
DECLINING_MEASURES = ("over_refusal", "missed_refusals", "decline_F1")
"""Where some questions should be declined, or SQuAD's have no answer."""
SQUAD_MEASURES = ("EM", "TokenF1", "HasAns_EM", "HasAns_F1", "NoAns_EM")
OTHERWISE_IN_LOGS = {
    "missing": "a question absent from a log failed, and `failed=` says what it counts",
    "columns": "columns are of tables",
    "unjudged": "a log is judged already",
    "unused_judgments": "a log is judged already",
}
"""Settings without effect on logs, and why."""
RULE_OF = {"pan": "by their values", "squad": "by SQuAD's own rule", "outcomes": "already"}


def join(gold: OutcomesGold, source: Source, settings: OutcomeSettings) -> list[OutcomeViews | SampledViews]:
    """Read the runs of a source (a table may have several), judge them and apply the what-ifs."""
    from assay.matching.refusals import refusals_of
    from assay.tasks.outcomes.repeats import sampled, slots_of

    _check_rule(gold, settings)
    refusals = refusals_of(settings.refusal)
    probabilities = _read_probabilities(gold, settings)
    joined: list[OutcomeViews | SampledViews] = []
    ids: list[str] | None = None
    places: Sequence[int] = []
    if source.name in gold.rows:
        read = gold.rows[source.name]
    else:
        _note_columns(gold, source, settings)
        read = read_rows(source, gold.kind, settings)
    for rows in read:
        gold.has_scores |= rows.scores is not None
        gold.has_words |= (
            not gold.names_runs and rows.values is None and any(state is not None for state in rows.outcomes)
        )
        slots: list[int] | None = None
        if rows.samples is not None:
            slots, places = slots_of(rows, gold)
            ids = None
        elif rows.ids is not ids:  # the runs of a wide table share their ids
            if rows.ids == gold.topics:  # most files have all questions in order
                places = range(len(gold.topics))
            else:
                from assay.tasks.answer_lists import places_of

                places = places_of(rows, gold.index, gold.name)
            ids = rows.ids
        shown = gold if slots is None else gold.repeated(slots)
        run = OutcomeViews(shown, rows.name, rows.file, missing_topics.missing_is_wrong(settings))
        several = rows.samples is not None or None
        run.notes = Notes(
            judging=_rule(gold, rows, settings), warnings=rows.warnings, details=rows.details, of_samples=several
        )
        run.position = places
        if gold.kind == "pan":
            _fill_pan(run, rows)
        elif gold.kind == "squad":
            _fill_squad(run, rows, probabilities)
        else:
            _fill_answers(run, rows, settings, refusals)
            if any(gold.should_decline):
                run.settle_declining(rows)
        if gold.names_runs:
            settle_absent(run, range(len(gold.topics)) if slots is None else slots, gold, settings)
        if settings.nil_confidence is not None:
            run.set_nil_confidence(settings.nil_confidence)
        if settings.abstain_below is not None:
            run.abstain_below(settings.abstain_below)
        _check_other_ranges(run, settings)
        rows.shorten()
        run.read_texts = _read_texts(rows, gold)
        run.notes.kinds = dict(Counter(run.kinds.values())) or None
        run.notes.tool = rows.tool or None
        joined.append(sampled(run, gold, slots))
    return joined


def _check_other_ranges(run: OutcomeViews, settings: OutcomeSettings) -> None:
    """Refuse to count a missing question as 0 where 0 is a score like others."""
    counts_0 = settings.missing not in (SKIP, COMMON, ERROR)
    if (
        counts_0
        and MISSING in run.codes
        and any(score is not None and not 0 <= score <= 1 for score in run.scores or ())
    ):
        absent = [topic for topic, code in zip(run.gold.topics, run.codes, strict=False) if code == MISSING]
        raise InputError(
            f"{run.file}: run {run.name!r} has no score for {counted(len(absent), 'question')} "
            f"({shorten_list(absent, 3)}), and scores outside 0 to 1 have no worst value to count. Fix: `missing={SKIP!r}` "
            f"excludes them from this run's mean, `missing={COMMON!r}` from every run's"
        )


def _note_columns(gold: OutcomesGold, source: Source, settings: OutcomeSettings) -> None:
    """Note whether `columns` applies to a source of runs, and which fields it has if not."""
    if is_table(source, settings):
        gold.has_columns = True
    elif settings.columns is not None and source.head.shape in JSON_RECORDS:
        from assay.formats.answers.column_roles import column_names

        gold.other_fields = sorted(column_names(source))


def _check_rule(gold: OutcomesGold, settings: OutcomeSettings) -> None:
    """Refuse settings of judging for runs that are judged already."""
    if gold.kind == "answers":
        return
    refusing = ("refusal",) if gold.kind != "outcomes" else ()
    for name in ("judging", "judgments", "support", *refusing):
        value = getattr(settings, name)
        if value not in (None, "auto"):
            raise UsageError(f"`{name}={value!r}` needs gold answers; these runs are judged {RULE_OF[gold.kind]}")


def check(gold: OutcomesGold, settings: OutcomeSettings) -> None:
    """Refuse unused judgments, and settings without effect on these runs."""
    if gold.key is not None:
        gold.key.check_used(settings)
    if settings.right_from == 0:
        raise UsageError("`right_from=0`: expected a score above 0, since every answer would be correct")
    if settings.right_from is not None and not gold.has_scores:
        raise UsageError(f"`right_from={settings.right_from}`: no answer has partial credit")
    for name in ("scorer", "metric", "filter", "split", "merge", "partial"):
        value = getattr(settings, name)
        if value and not gold.names_runs:
            raise UsageError(f"`{name}={value!r}` needs logs of a harness")
    usual = OutcomeSettings()
    for name, why in OTHERWISE_IN_LOGS.items() if gold.names_runs else ():
        value = getattr(settings, name)
        if value != getattr(usual, name):
            raise UsageError(f"`{name}={value!r}` has no effect on logs: {why}")
    if settings.outcomes is not None and not (gold.has_words or gold.names_runs):
        raise UsageError(f"`outcomes={settings.outcomes!r}`: no run states outcomes in words")
    if settings.columns is not None and not gold.has_columns:
        fields = f" of these columns; the runs have {shorten_list(gold.other_fields, 20)}" if gold.other_fields else ""
        raise UsageError(f"`columns={settings.columns!r}` needs a table, and no file is one{fields}")


def more(gold: OutcomesGold, runs: Sequence[OutcomeViews | SampledViews], settings: OutcomeSettings) -> tuple[str, ...]:
    """Return the default measures, with those of confidence only where a run states one, and so on."""
    graded = any(run.graded for run in runs)
    if graded:
        return GRADED_MEASURES
    names = DEFAULT_MEASURES
    if any(run.has_confidence for run in runs):
        names += CONFIDENCE_MEASURES
        if any(run.lists for run in runs):
            names += LIST_MEASURES
    if any(gold.should_decline) or (gold.kind == "squad" and any(gold.nil)):
        names += DECLINING_MEASURES
    if gold.kind == "pan":
        names += VERIFICATION_MEASURES
    if gold.kind == "squad":
        names += SQUAD_MEASURES
    return names


def _read_probabilities(gold: OutcomesGold, settings: OutcomeSettings) -> Mapping[str, float] | None:
    """Read SQuAD's probabilities of no answer, where they are given."""
    if settings.na_prob is None:
        return None
    from assay.formats.answers.squad import read_na_probabilities

    if gold.kind != "squad":
        raise UsageError("`na_prob=FILE` needs SQuAD's gold; other runs state a confidence")
    return read_na_probabilities(source_of(settings.na_prob))


def _rule(gold: OutcomesGold, rows: Rows, settings: OutcomeSettings) -> str:
    """Describe how the run was judged, in the file or by the gold's rule, and from which score."""
    rule = _judged_by(gold, rows)
    if settings.right_from is None or rows.scores is None:
        return rule
    return f"{rule}; correct from a score of {settings.right_from:g}"


def _judged_by(gold: OutcomesGold, rows: Rows) -> str:
    stated = len(rows.outcomes) - rows.outcomes.count(None)
    if not stated or gold.key is None:
        return gold.judging
    return JUDGED if stated == len(rows.outcomes) else f"{JUDGED} where it states an outcome; elsewhere {gold.judging}"


def _fill_pan(run: OutcomeViews, rows: Rows) -> None:
    truth = run.gold.truth
    if rows.values is None or truth is None:
        raise InputError(f"{rows.file}: expected yes/no answers with a value, as the gold has them")
    values = [0.5] * len(run.codes)
    for place, value in zip(run.position, rows.values, strict=True):
        values[place] = value
        if value == 0.5:
            run.codes[place] = UNANSWERED
        else:
            run.codes[place] = CORRECT if (value > 0.5) == bool(truth[place]) else INCORRECT
            run.confidences[place] = max(value, complement(value))
    run.values = values


def _fill_squad(run: OutcomeViews, rows: Rows, probabilities: Mapping[str, float] | None) -> None:
    from assay.matching.normalisation import squad_normalise, squad_overlap

    run.exact, run.overlap = [0] * len(run.codes), [0.0] * len(run.codes)
    for row, place in enumerate(run.position):
        texts = run.gold.questions[place].texts
        predicted = rows.texts[row] or ""
        none = None if probabilities is None else probabilities.get(rows.ids[row])
        if probabilities is not None and none is None:
            raise InputError(f"{rows.file}: question {rows.ids[row]!r} has no probability in `na_prob`")
        form = squad_normalise(predicted)
        if not form:
            run.leave_empty(place, not run.gold.known[place])
            run.confidences[place] = none
            continue
        run.exact[place] = int(any(squad_normalise(text) == form for text in texts))
        run.overlap[place] = max((squad_overlap(text, predicted) for text in texts), default=0.0)
        run.codes[place] = CORRECT if run.exact[place] else INCORRECT
        run.confidences[place] = None if none is None else complement(none)


def _fill_answers(run: OutcomeViews, rows: Rows, settings: OutcomeSettings, refusals: Refusal | None) -> None:
    from assay.formats.answers.outcome_words import Words
    from assay.formats.harness.logs import warn_of_constant_confidence, warn_of_refusals
    from assay.matching.known_answers import is_nil
    from assay.matching.refusals import Suspicion, suspicion

    gold, codes = run.gold, run.codes
    judge = None
    if gold.key is not None:
        from assay.matching.answer_key import RunJudge

        judge = RunJudge(gold.key, rows, settings)
    refused, suspects = 0, dict[int, Suspicion]()
    words = Words(settings.outcomes)
    outcomes, scores = apply_settings(rows, settings, run.notes)
    _carry(run, rows, scores)
    for row, (place, text, outcome) in enumerate(zip(run.position, rows.texts, outcomes, strict=True)):
        run.confidences[place] = rows.confidences[row]
        if outcome is None and text is not None and judge is None:
            problem = "has an answer but no outcome; give the gold too, or outcomes in the file"
            raise FormatError(rows.file, rows.lines[row] or None, f"question {rows.ids[row]!r} {problem}")
        kind = None
        if refusals is not None and text is not None and (outcome is None or outcome in (INCORRECT, GRADED)):
            kind = refusals(text) if outcome is None or not rows.tool else None
        if kind is not None:
            codes[place] = UNANSWERED
            run.kinds[place] = kind
            refused += 1
        elif outcome is None and text is not None and judge is not None:
            verdict = _judge(run, rows, row, place, judge)
            codes[place] = CORRECT if verdict.judgment in gold.right else INCORRECT
            if verdict.nil:
                run.nil_answers.add(place)
        elif outcome is None or outcome == UNANSWERED:
            codes[place] = UNANSWERED
            _withhold(run, rows, row, place, judge, words)
        else:
            codes[place] = outcome
            if text is not None and is_nil(text):
                run.nil_answers.add(place)
        if judge is not None and text is not None and (outcome is not None or kind is not None):
            judge.pass_over(row)
        suspicious = codes[place] == INCORRECT and refusals is None and not (rows.tool and outcome is not None)
        if suspicious and text is not None and place not in run.nil_answers and (looks := suspicion(text)):
            suspects[place] = looks
    run.notes.refusals = None if refusals is None or rows.tool else refused
    if suspects:
        run.notes.warnings.append(warn_of_refusals(run.name, list(suspects.values())))
    if not rows.tool:
        run.notes.warnings += warn_of_constant_confidence(rows)
    if judge is not None:
        judge.note(run.notes, run.name)


def _judge(run: OutcomeViews, rows: Rows, row: int, place: int, judge: RunJudge) -> JudgedAnswer:
    """Return the verdict on the only or the final answer of a row; keep the evaluation of several."""
    if row not in rows.several:
        return judge(row, rows.texts[row] or "", rows.docs.get(row))
    verdicts = [judge(row, answer.text, answer.doc) for answer in rows.several[row]]
    run.lists[place] = _evaluated(rows.several[row], verdicts, run.gold.right)
    return verdicts[rows.finals.get(row, 1) - 1]


def _carry(run: OutcomeViews, rows: Rows, scores: Sequence[float | None] | None) -> None:
    """Copy kinds, scores, texts and usage of the rows to the places of the run."""
    from assay.matching.normalisation import normalise

    run.kinds = {run.position[row]: kind for row, kind in rows.kinds.items()}
    size = len(run.codes)
    if scores is not None:
        run.scores = _placed(run, scores, size)
    if rows.samples is not None:
        run.texts = _placed(run, [None if text is None else key_of(normalise(text)) for text in rows.texts], size)
    run.usage = {kind: _placed(run, column, size) for kind, column in rows.usage.items()}


def _read_texts(rows: Rows, gold: OutcomesGold) -> Callable[[str], dict[int, RowTexts]]:
    """Return a function from a question to its texts by sample, from the log, or else from gold and answers."""
    by_question: dict[str, list[int]] = {}

    def texts(topic: str) -> dict[int, RowTexts]:
        if not by_question:
            for row, identity in enumerate(rows.ids):
                by_question.setdefault(identity, []).append(row)
        texts_by_sample: dict[int, RowTexts] = {}
        for row in by_question.get(topic, ()):
            number = 1 if rows.samples is None else rows.samples[row]
            if rows.texts_of is not None:
                texts_by_sample[number] = rows.texts_of(topic, number)
                continue
            question = gold.questions[gold.index[topic]]
            right = [answer.text for answer in getattr(question, "answers", ())]
            query = gold.fields.get("question", [None] * len(gold.topics))[gold.index[topic]]
            texts_by_sample[number] = RowTexts(query, " / ".join(map(str, right)) or None, None, rows.answer_text(row))
        return texts_by_sample

    return texts


def _placed(run: OutcomeViews, column: Sequence[Any], size: int) -> list[Any]:
    cells: list[Any] = [None] * size
    for place, cell in zip(run.position, column, strict=True):
        cells[place] = cell
    return cells


def _withhold(run: OutcomeViews, rows: Rows, row: int, place: int, judge: RunJudge | None, words: Words) -> None:
    """Judge the candidate of an unanswered question; without gold it may be the name of an outcome."""
    candidate = rows.candidates.get(row)
    if candidate is None:
        return
    if judge is not None:
        right = judge(row, candidate, None).judgment in run.gold.right
        run.candidates[place] = CORRECT if right else INCORRECT
    elif words.known.get(candidate.strip().lower()) in (CORRECT, INCORRECT):
        run.candidates[place] = words.known[candidate.strip().lower()]


def _evaluated(
    answers: Sequence[Answer], verdicts: Sequence[JudgedAnswer], right: Sequence[str]
) -> list[tuple[int, float | None, bool]]:
    """Return for each answer +1 right, 0 right but repeated, -1 wrong; its confidence; whether it is NIL."""
    seen: set[str | None] = set()
    evaluated: list[tuple[int, float | None, bool]] = []
    for answer, verdict in zip(answers, verdicts, strict=True):
        evaluation = -1 if verdict.judgment not in right else 0 if verdict.cls in seen else 1
        if evaluation == 1:
            seen.add(verdict.cls)
        evaluated.append((evaluation, answer.confidence, verdict.nil))
    return evaluated


def one_run(runs: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is one run, {question: answer}, with or without a confidence."""
    answers = runs.values()
    return bool(runs) and all(
        v is None or (isinstance(v, (str, int, float, tuple)) and not is_records(v)) for v in answers
    )


def one_table(runs: Any, columns: str | Mapping[str, str] | None) -> bool:
    """Return whether a list of dicts is a table with a dict per question, and not a list of runs, {question: answer}.

    >>> one_table([{"id": "q1", "answer": "Paris"}], None), one_table([{"q1": "Paris", "q2": "Rome"}], None)
    (True, False)
    """
    from assay.formats.answers.column_roles import is_record, parse_columns

    return is_records(runs) and is_record(runs[0], parse_columns(columns) if columns else {})


TASK = Task(
    name="outcomes",
    judged=True,
    title="Question answering",
    noun="question",
    headline="c@1",
    defaults=DEFAULT_MEASURES,
    more=more,
    settings=OutcomeSettings,
    read=read,
    join=join,
    check=check,
    one_run=one_run,
    one_table=one_table,
    columns=(STATE, "correct", "incorrect", "unanswered", "confidence"),
)
