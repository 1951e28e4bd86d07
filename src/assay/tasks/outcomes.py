"""Answers with non-response and confidence: every question ends correct, incorrect or unanswered.

Gold and run come as assay's JSONL, CSV/TSV, PAN's or SQuAD's files (`formats/`), answers are judged (`judging/`), and
the run becomes columns: one byte per question for the outcome, one number for the confidence.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, UsageError
from assay.formats.answers import answers_from_python, read_answers
from assay.formats.questions import GoldQuestion
from assay.formats.readers import recognise
from assay.formats.rows import CORRECT, INCORRECT, UNANSWERED
from assay.formats.sources import Source, source_of
from assay.judging.key import AnswerKey
from assay.judging.rules import JudgingSettings, read_refusals
from assay.policies import FOR_QUESTIONS
from assay.settings import anything, missing_topics, option, share, undefined_topics
from assay.tasks import Task, in_byte_order
from assay.tasks.answer_rows import places_of
from assay.tasks.outcome_gold import OutcomesGold, answers_gold, read_gold, read_table_of
from assay.tasks.outcome_runs import read_probabilities, views_of
from assay.tasks.outcome_views import OutcomeViews

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.formats.rows import Rows


class OutcomeSettings(JudgingSettings):
    """The choices of answers with non-response and confidence."""

    missing: str = missing_topics("unanswered", FOR_QUESTIONS)
    undefined: str = undefined_topics("skip")
    refusal: Any = option(None, anything("FILE"), "patterns of refusals in words, which count as unanswered")
    na_prob: Any = option(None, anything("FILE"), "SQuAD's probabilities of no answer")
    columns: str | None = option(None, anything("ROLE=NAME,…"), "the columns of a CSV file, as in run=llm,id=qid")
    nil_confidence: float | None = option(None, share(), "what if every NIL answer had this confidence")
    abstain_below: float | None = option(None, share(), "what if answers below it had been withheld")


DEFAULT_MEASURES = ("correct", "incorrect", "unanswered", "accuracy", "c@1", "UF", "coverage", "precision")
CONFIDENCE_MEASURES = ("CWS", "K1", "r", "Brier", "ECE", "AUROC", "AURC")
LIST_MEASURES = ("K",)
VERIFICATION_MEASURES = ("AUC", "F1", "F0.5u", "1-Brier", "overall")
SQUAD_MEASURES = ("EM", "TokenF1", "HasAns_EM", "HasAns_F1", "NoAns_EM")
RULE_OF = {"pan": "by their values", "squad": "by SQuAD's own rule", "outcomes": "already"}


def read(gold: Source | None, runs: Sequence[Source], settings: OutcomeSettings) -> OutcomesGold:
    """The gold; a table may hold runs beside it, and runs that carry outcomes are their own gold."""
    if gold is None:
        return _read_judged(runs, settings)
    found = read_gold(gold, settings)
    if _is_table(gold):
        found.runs = [gold]
    return found


def join(gold: OutcomesGold, source: Source, settings: OutcomeSettings) -> list[OutcomeViews]:
    """The runs of a source, judged; a table may hold several."""
    _check_rule(gold, settings)
    refusals = None if settings.refusal is None else read_refusals(source_of(settings.refusal))
    probabilities = read_probabilities(gold, settings)
    joined: list[OutcomeViews] = []
    ids: list[str] | None = None
    places: list[int] = []
    for rows in gold.rows.get(source.name) or _read_rows(source, gold.kind, settings):
        if rows.ids is not ids:  # the columns of a wide table share theirs
            ids, places = rows.ids, places_of(rows, gold.index, gold.name)
        joined.append(views_of(gold, rows, places, settings, refusals, probabilities))
    return joined


def check(gold: OutcomesGold, settings: OutcomeSettings) -> None:
    """Refuse judgments that nobody needed."""
    if gold.key is not None:
        gold.key.check_used(settings)


def _check_rule(gold: OutcomesGold, settings: OutcomeSettings) -> None:
    """Refuse choices of judging where nothing is left to choose."""
    if gold.kind == "answers":
        return
    for name in ("judging", "judgments", "support", "refusal"):
        value = getattr(settings, name)
        if value not in (None, "auto"):
            raise UsageError(f"`{name}={value!r}` goes with gold answers; these runs are judged {RULE_OF[gold.kind]}")


def _read_judged(runs: Sequence[Source], settings: OutcomeSettings) -> OutcomesGold:
    """The questions of runs that carry their own outcomes, or of one table with a gold column."""
    found: dict[str, list[Rows]] = {}
    fields: dict[str, dict[str, Any]] = {}
    gold: OutcomesGold | None = None
    for source in runs:
        if _is_table(source):
            table = read_table_of(source, settings)
            found[source.name] = list(table.runs.values())
            for name, values in table.fields.items():
                fields.setdefault(name, {}).update(values)
            if table.gold is not None:
                if len(runs) > 1:
                    raise InputError(f"{source.name}: has a gold column; give such a file on its own")
                gold = answers_gold(AnswerKey(source.name, table.gold, settings), found)
        else:
            found[source.name] = _read_rows(source, "outcomes", settings)
            for rows in found[source.name]:
                for place, extra in rows.extra.items():
                    for name, value in extra.items():
                        fields.setdefault(name, {}).setdefault(rows.ids[place], value)
    if gold is None:
        ids = dict.fromkeys(identity for several in found.values() for rows in several for identity in rows.ids)
        named = [GoldQuestion(i, 0, [], fields={name: values.get(i) for name, values in fields.items()}) for i in ids]
        gold = OutcomesGold("the runs", "outcomes", in_byte_order(named), rows=found)
    return gold


def more(gold: OutcomesGold, runs: Sequence[OutcomeViews], settings: OutcomeSettings) -> tuple[str, ...]:
    """What is worth showing of these runs: measures of confidence only where somebody states one, and so on."""
    names = DEFAULT_MEASURES
    if any(run.has_confidence for run in runs):
        names += CONFIDENCE_MEASURES
        if any(run.has_lists for run in runs):
            names += LIST_MEASURES
    if gold.kind == "pan":
        names += VERIFICATION_MEASURES
    if gold.kind == "squad":
        names += SQUAD_MEASURES
    return names


def _is_table(source: Source) -> bool:
    reader = recognise(source, "run")
    return reader is not None and reader.name == "table run"


def _read_rows(source: Source, kind: str, settings: OutcomeSettings) -> list[Rows]:
    """The runs of a source, in the format that goes with the kind of gold."""
    if _is_table(source):
        return list(read_table_of(source, settings).runs.values())
    if not source.is_bytes:
        return [answers_from_python(source)]
    if kind == "pan":
        from assay.formats.pan import read_values

        return [read_values(source)]
    if kind == "squad":
        from assay.formats.squad import read_predictions

        return [read_predictions(source)]
    return [read_answers(source)]


def one_run(runs: Mapping[Any, Any]) -> bool:
    """{question: answer}, with or without a confidence."""
    return bool(runs) and all(v is None or isinstance(v, (str, int, float, tuple)) for v in runs.values())


def from_arrays(
    outcomes: Any, confidence: Any = None, *, runs: Sequence[str] | None = None, topics: Sequence[str] | None = None
) -> tuple[OutcomesGold, list[OutcomeViews]]:
    """Outcomes that are in memory already: runs × questions of 1 correct, 0 incorrect, -1 unanswered.

    `confidence` has the same shape, NaN where a run states none. `assay.outcomes` scores them.

    >>> gold, views = from_arrays([[1, 0, -1], [1, 1, 0]], runs=["a", "b"])
    >>> gold.topics, list(views[0].column("correct"))
    (['q1', 'q2', 'q3'], [1, 0, 0])
    """
    import numpy as np

    table = np.atleast_2d(np.asarray(outcomes))
    if not np.isin(table, (1, 0, -1)).all():
        raise InputError("outcomes: expected 1 correct, 0 incorrect or -1 unanswered in every cell")
    stated = None if confidence is None else np.atleast_2d(np.asarray(confidence, np.float64))
    if stated is not None and stated.shape != table.shape:
        raise InputError(f"confidence: expected {table.shape[0]} runs × {table.shape[1]} questions as outcomes have")
    if stated is not None and ((stated < 0) | (stated > 1)).any():
        raise InputError("confidence: expected a number from 0 to 1, or NaN where there is none, in every cell")
    names = list(runs) if runs is not None else [f"run{i + 1}" for i in range(len(table))]
    width = len(str(table.shape[1]))
    ids = list(topics) if topics is not None else [f"q{i + 1:0{width}}" for i in range(table.shape[1])]
    if len(names) != table.shape[0] or len(ids) != table.shape[1] or ids != sorted(ids):
        raise InputError("expected a name for every run and every question, the questions in byte order")
    gold = OutcomesGold("arrays", "outcomes", [GoldQuestion(identity, 0, []) for identity in ids])
    code = np.array([INCORRECT, CORRECT, UNANSWERED], np.uint8)  # at 0, 1 and -1
    views: list[OutcomeViews] = []
    for i, name in enumerate(names):
        run = OutcomeViews(gold, name, None)
        run.codes = bytearray(code[table[i].astype(np.int64)].tobytes())
        if stated is not None:
            run.confidences = array("d", stated[i].tobytes())
            if np.isnan(stated[i]).any():
                run.confidences = [None if cell != cell else cell for cell in run.confidences]
        views.append(run)
    return gold, views


TASK = Task(
    "outcomes",
    title="Answers with non-response",
    noun="question",
    headline="c@1",
    defaults=DEFAULT_MEASURES,
    more=more,
    settings=OutcomeSettings,
    read=read,
    join=join,
    check=check,
    one_run=one_run,
    columns=("correct", "incorrect", "unanswered", "confidence"),
    figures="assay.figures.outcomes",
    pages="assay.reports.pages.outcomes",
)
