"""Answers with non-response and confidence: every question ends correct, incorrect or unanswered.

Gold and run come as assay's JSONL, CSV/TSV, PAN's or SQuAD's files (`formats/`), answers are judged (`judging.py`), and
the run becomes columns: one byte per question for the outcome, one number for the confidence. Choices of this task, in
`Settings.extra`:

    judging, judgments    the rule, and the judgments file it may need
    refusal               a file of patterns: answers they match count as unanswered
    nil_confidence        what-if: the confidence of every NIL answer
    abstain_below         what-if: answers with less confidence are withheld
    columns               which column of a CSV file plays which role
    na_prob               SQuAD's probabilities of no answer
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from assay.errors import InputError, UsageError
from assay.formats.readers import recognise
from assay.formats.rows import CORRECT, INCORRECT, UNANSWERED
from assay.formats.sources import Source
from assay.tasks.outcome_gold import Named, OutcomesGold, answers_gold, fields_of, read_gold, read_table_of
from assay.tasks.outcome_runs import read_probabilities, read_refusals, views_of
from assay.tasks.outcome_views import OutcomeViews

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.formats.rows import Rows
    from assay.settings import Settings

NAME = "outcomes"
DEFAULT_MEASURES = ("correct", "incorrect", "unanswered", "accuracy", "c@1", "UF", "coverage", "precision")
CONFIDENCE_MEASURES = ("CWS", "K1", "r", "Brier", "ECE", "AUROC", "AURC")
LIST_MEASURES = ("K",)
VERIFICATION_MEASURES = ("AUC", "F1", "F0.5u", "1-Brier", "overall")
SQUAD_MEASURES = ("EM", "TokenF1", "HasAns_EM", "HasAns_F1", "NoAns_EM")
BY_MEASURES = (
    "questions", "known_answers", "answers_given", "questions_with_correct", "correct_answers", "answer_recall",
    "answer_precision", "K", "r",
)  # fmt: skip
"""The columns of CLEF 2004's table by type of question."""
RANKING_MEASURES = ("accuracy", "c@1", "UF", "CWS", "K1", "r")
OPTIONS = (
    "rankings",
    "judging",
    "judgments",
    "refusal",
    "nil_confidence",
    "abstain_below",
    "columns",
    "na_prob",
    "judged",
    "by",
)
RULE_OF = {"pan": "by their values", "squad": "by SQuAD's own rule", "outcomes": "already"}
MISSING_POLICIES = ("unanswered", "incorrect", "skip", "common", "error")
DEFAULTS = {"missing": "unanswered", "undefined": "skip"}
TOPIC_COLUMNS = ("correct", "incorrect", "unanswered", "confidence")
"""What -q shows of every question, beside measures that have a value per question."""


def join(
    gold: Source | None, runs: Sequence[Source], settings: Settings
) -> tuple[Any, list[tuple[Source, OutcomeViews]]]:
    """Gold and all runs: a file may hold several runs, and where they carry outcomes they are their own gold."""
    _check(settings)
    if gold is None:
        return _join_judged(runs, settings)
    questions = read_gold(gold, settings)
    if not runs:
        if not _is_table(gold):
            raise UsageError("no runs given; expected at least one run file")
        runs = [gold]
    found = [(source, rows) for source in runs for rows in _read_rows(source, questions.kind, settings)]
    return questions, _all_views(questions, found, settings)


def _check(settings: Settings) -> None:
    """Refuse what makes no sense for answers."""
    if settings.missing not in MISSING_POLICIES:
        raise UsageError(f"--missing {settings.missing}: for answers expected one of {', '.join(MISSING_POLICIES)}")
    for name in ("nil_confidence", "abstain_below"):
        value = settings.extra.get(name)
        if value is not None and not 0.0 <= float(str(value)) <= 1.0:
            raise UsageError(f"--{name.replace('_', '-')} {value}: expected a number from 0 to 1")
    for name, neutral in (("depth", None), ("level", 1), ("judged_only", False)):
        if getattr(settings, name) != neutral:
            raise UsageError(f"--{name.replace('_', '-')}: a question has no ranking to cut and no grades")


def _check_rule(gold: OutcomesGold, settings: Settings) -> None:
    """Refuse choices of judging where nothing is left to choose."""
    if gold.kind == "answers":
        return
    for name in ("judging", "judgments", "refusal"):
        if settings.extra.get(name) is not None:
            raise UsageError(f"--{name} goes with gold answers; these runs are judged {RULE_OF[gold.kind]}")


def _join_judged(runs: Sequence[Source], settings: Settings) -> tuple[Any, list[tuple[Source, OutcomeViews]]]:
    found: list[tuple[Source, Rows]] = []
    fields: dict[str, dict[str, Any]] = {}
    own_gold: OutcomesGold | None = None
    for source in runs:
        if _is_table(source):
            table = read_table_of(source, settings)
            found += [(source, rows) for rows in table.runs.values()]
            for name, values in table.fields.items():
                fields.setdefault(name, {}).update(values)
            if table.gold is not None:
                if len(runs) > 1:
                    raise InputError(f"{source.name}: has a gold column; give such a file on its own")
                own_gold = answers_gold(source.name, table.gold, settings)
        else:
            rows = _read_rows(source, "outcomes", settings)
            found += [(source, row) for row in rows]
            for row in rows:
                for place, extra in row.extra.items():
                    for name, value in extra.items():
                        fields.setdefault(name, {}).setdefault(row.ids[place], value)
    if own_gold is not None:
        return own_gold, _all_views(own_gold, found, settings)
    ids = dict.fromkeys(identity for _, rows in found for identity in rows.ids)
    questions = OutcomesGold(
        "the runs", "outcomes", [Named(i, {name: values.get(i) for name, values in fields.items()}) for i in ids]
    )
    questions.fields = fields_of(questions.entries)
    return questions, _all_views(questions, found, settings)


def _all_views(
    gold: OutcomesGold, found: Sequence[tuple[Source, Rows]], settings: Settings
) -> list[tuple[Source, OutcomeViews]]:
    _check_rule(gold, settings)
    refusals = read_refusals(settings)
    probabilities = read_probabilities(gold, settings)
    counts: dict[str, int] = {}
    for source, _ in found:
        counts[source.name] = counts.get(source.name, 0) + 1
    pairs: list[tuple[Source, OutcomeViews]] = []
    for source, rows in found:
        if counts[source.name] > 1:
            source = Source(source.name, path=source.path, data=source.data, label=rows.name)
        pairs.append((source, views_of(gold, rows, settings, refusals, probabilities)))
    return pairs


def fields(gold: OutcomesGold) -> dict[str, list[Any]]:
    """What the gold says of each question beside its answer: type, cluster, language …"""
    return gold.fields


def default_measures(gold: OutcomesGold, runs: Sequence[OutcomeViews], settings: Settings) -> tuple[str, ...]:
    """What is worth showing of these runs: measures of confidence only where somebody states one, and so on."""
    if settings.extra.get("rankings"):
        return RANKING_MEASURES
    if settings.extra.get("by"):
        return BY_MEASURES if gold.kind == "answers" else (*DEFAULT_MEASURES, *CONFIDENCE_MEASURES)
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


def _read_rows(source: Source, kind: str, settings: Settings) -> list[Rows]:
    """The runs of a source, in the format that goes with the kind of gold."""
    if _is_table(source):
        return list(read_table_of(source, settings).runs.values())
    if not source.is_bytes:
        from assay.formats.answers import answers_from_python

        return [answers_from_python(source)]
    if kind == "pan":
        from assay.formats.pan import read_values

        return [read_values(source)]
    if kind == "squad":
        from assay.formats.squad import read_predictions

        return [read_predictions(source)]
    from assay.formats.answers import read_answers

    return [read_answers(source)]


def from_arrays(
    outcomes: Any, confidence: Any = None, *, runs: Sequence[str] | None = None, topics: Sequence[str] | None = None
) -> tuple[OutcomesGold, list[OutcomeViews]]:
    """Outcomes that are in memory already: runs × questions of 1 correct, 0 incorrect, -1 unanswered.

    `confidence` has the same shape, NaN where a run states none. Hand both on to `assay.scoring.table`.

    >>> from assay import scoring
    >>> from assay.measures.declare import find
    >>> from assay.settings import Settings
    >>> from assay.tasks import outcomes
    >>> gold, views = outcomes.from_arrays([[1, 0, -1], [1, 1, 0]], runs=["a", "b"])
    >>> table = scoring.table(outcomes, gold, views, [find("accuracy", "outcomes")], Settings(**outcomes.DEFAULTS))
    >>> {run: round(value, 2) for run, value in table.mean("accuracy").items()}
    {'a': 0.33, 'b': 0.67}
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
    gold = OutcomesGold("arrays", "outcomes", [Named(identity, {}) for identity in ids])
    code = np.array([INCORRECT, CORRECT, UNANSWERED], np.uint8)  # at 0, 1 and -1
    views: list[OutcomeViews] = []
    for i, name in enumerate(names):
        run = OutcomeViews(gold, name, None, "unanswered")
        run.codes = bytearray(code[table[i].astype(np.int64)].tobytes())
        if stated is not None:
            run.confidences = array("d", stated[i].tobytes())
            if np.isnan(stated[i]).any():
                run.confidences = [None if cell != cell else cell for cell in run.confidences]
        views.append(run)
    return gold, views
