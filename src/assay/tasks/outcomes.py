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

from assay.errors import FormatError, InputError, UsageError
from assay.formats.outcome_files import kind_of
from assay.formats.rows import CORRECT, INCORRECT, MISSING, UNANSWERED
from assay.formats.sources import Source, source_of
from assay.tasks import judging
from assay.tasks.outcome_views import OutcomeViews

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.formats.answers import GoldQuestion
    from assay.formats.outcomes_table import Table
    from assay.formats.rows import Answer, Rows
    from assay.settings import Settings
    from assay.tasks.judging import Judge

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
MISSING_POLICIES = ("unanswered", "incorrect", "skip", "common", "error")
DEFAULTS = {"missing": "unanswered", "undefined": "skip"}
TOPIC_COLUMNS = ("correct", "incorrect", "unanswered", "confidence")
"""What -q shows of every question, beside measures that have a value per question."""


class OutcomesGold:
    """The questions, in byte order of their ids, and what the gold says of each."""

    def __init__(self, name: str, kind: str, entries: Sequence[Any]) -> None:
        self.name = name
        self.kind = kind
        """answers, pan, squad, or outcomes where the runs carry their own."""
        self.entries = sorted(entries, key=lambda entry: entry.id)
        self.topics: list[str] = [entry.id for entry in self.entries]
        self.index = {topic: i for i, topic in enumerate(self.topics)}
        self.fields: dict[str, list[Any]] = {}
        self.known: list[int] = [1] * len(self.topics)
        """Per question: how many distinct right answers are known."""
        self.nil = bytes(len(self.topics))
        self.truth: bytes | None = None
        self.nothing_missing = [False] * len(self.topics)
        """Shared by all runs that leave nothing out, which is most of them."""
        self.rule = "judged"
        self.judge: Judge | None = None

    @property
    def judging(self) -> str:
        """The rule in words."""
        return judging.DESCRIPTIONS[self.rule]


def read_gold(source: Source, settings: Settings) -> OutcomesGold:
    """The gold of a file: assay's JSONL, PAN's truth, SQuAD, or a CSV file with a gold column."""
    kind = kind_of(source)
    if kind == "pan-truth":
        return _pan_gold(source)
    if kind == "squad":
        return _squad_gold(source)
    if kind == "table":
        table = _table(source, settings)
        if table.gold is None:
            raise InputError(f"{source.name}: has no gold column; name it with --columns gold=…, or give --judged")
        return _answers_gold(source.name, table.gold, settings)
    if kind == "squad-predictions":
        raise InputError(f"{source.name}: holds predictions; expected gold first, then the runs")
    if not source.is_bytes:
        from assay.formats.answers import gold_from_python

        return _answers_gold(source.name, gold_from_python(source), settings)
    from assay.formats.answers import read_gold as read_questions

    unneeded = settings.extra.get("judgments") is not None
    return _answers_gold(source.name, read_questions(source, need_answers=not unneeded), settings)


def _fields_of(entries: Sequence[Any]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for entry in entries for name in entry.fields)
    return {name: [entry.fields.get(name) for entry in entries] for name in names}


def _answers_gold(name: str, questions: Sequence[GoldQuestion], settings: Settings) -> OutcomesGold:
    gold = OutcomesGold(name, "answers", questions)
    gold.fields = _fields_of(gold.entries)
    gold.nil = bytes(question.nil for question in gold.entries)
    file = settings.extra.get("judgments")
    judgments: list[Any] = []
    if file is not None:
        from assay.formats.answers import plain, read_judgments

        judgments = read_judgments(source_of(file))
        for judgment in judgments:
            if plain(judgment.id) not in gold.index:
                raise InputError(f"{file}: judges question {plain(judgment.id)!r}, which is not in {name}")
    gold.rule = judging.choose_rule(str(settings.extra.get("judging") or "auto"), gold.entries, bool(judgments))
    gold.judge = judging.judge_by(gold.rule, name, gold.entries, judgments)
    classes = [judging.known_classes(question) for question in gold.entries]
    right = {"correct", "unsupported"} if gold.rule == "judgments-lenient" else {"correct"}
    for judgment in judgments:
        if judgment.judgment in right:
            place = gold.index[str(judgment.id)]
            classes[place].add(judging.class_of(str(judgment.text), judgment.cls))
    gold.known = [len(distinct) for distinct in classes]
    return gold


def _pan_gold(source: Source) -> OutcomesGold:
    from assay.formats.pan import read_truth

    gold = OutcomesGold(source.name, "pan", read_truth(source))
    gold.fields = _fields_of(gold.entries)
    gold.truth = bytes(problem.truth for problem in gold.entries)
    gold.rule = "yes/no"
    return gold


def _squad_gold(source: Source) -> OutcomesGold:
    from assay.formats.squad import read_gold as read_articles

    gold = OutcomesGold(source.name, "squad", read_articles(source))
    gold.nil = bytes(not question.texts for question in gold.entries)
    gold.known = [len({*map(judging.squad_normalise, question.texts)}) for question in gold.entries]
    gold.fields = {
        "type": ["NoAns" if nil else "HasAns" for nil in gold.nil],
        "article": [question.article for question in gold.entries],
        "cluster": [question.paragraph for question in gold.entries],
    }
    gold.rule = "squad"
    return gold


class _Named:
    """A question of which only the name is known: runs that carry their own outcomes need no gold."""

    def __init__(self, id: str, fields: dict[str, Any]) -> None:
        self.id = id
        self.fields = fields


def join(
    gold: Source | None, runs: Sequence[Source], settings: Settings
) -> tuple[Any, list[tuple[Source, OutcomeViews]]]:
    """Gold and all runs: a file may hold several runs, and where they carry outcomes they are their own gold."""
    _check(settings)
    runs = [_held(source) for source in runs]
    if gold is None:
        return _join_judged(runs, settings)
    gold = _held(gold)
    questions = read_gold(gold, settings)
    if not runs:
        if kind_of(gold) != "table":
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


def _held(source: Source) -> Source:
    """Standard input can be read once, and is looked at twice: first for its format."""
    return Source(source.name, data=source.read(), label=source.label) if source.is_stdin else source


def _join_judged(runs: Sequence[Source], settings: Settings) -> tuple[Any, list[tuple[Source, OutcomeViews]]]:
    found: list[tuple[Source, Rows]] = []
    fields: dict[str, dict[str, Any]] = {}
    own_gold: OutcomesGold | None = None
    for source in runs:
        if kind_of(source) == "table":
            table = _table(source, settings)
            found += [(source, rows) for rows in table.runs.values()]
            for name, values in table.fields.items():
                fields.setdefault(name, {}).update(values)
            if table.gold is not None:
                if len(runs) > 1:
                    raise InputError(f"{source.name}: has a gold column; give such a file on its own")
                own_gold = _answers_gold(source.name, table.gold, settings)
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
        "the runs", "outcomes", [_Named(i, {name: values.get(i) for name, values in fields.items()}) for i in ids]
    )
    questions.fields = _fields_of(questions.entries)
    return questions, _all_views(questions, found, settings)


def _all_views(
    gold: OutcomesGold, found: Sequence[tuple[Source, Rows]], settings: Settings
) -> list[tuple[Source, OutcomeViews]]:
    refusals = _refusals(settings)
    probabilities = _probabilities(gold, settings)
    counts: dict[str, int] = {}
    for source, _ in found:
        counts[source.name] = counts.get(source.name, 0) + 1
    pairs: list[tuple[Source, OutcomeViews]] = []
    for source, rows in found:
        if counts[source.name] > 1:
            source = Source(source.name, path=source.path, data=source.data, label=rows.name)
        pairs.append((source, _views(gold, rows, settings, refusals, probabilities)))
    return pairs


def views(gold: OutcomesGold, source: Source, settings: Settings) -> OutcomeViews:
    """The one run of a source, joined with the gold."""
    rows = _read_rows(source, gold.kind, settings)
    if len(rows) > 1:
        raise InputError(f"{source.name}: holds {len(rows)} runs; expected one")
    return _views(gold, rows[0], settings, _refusals(settings), _probabilities(gold, settings))


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


def _table(source: Source, settings: Settings) -> Table:
    from assay.formats.outcomes_table import parse_columns, read_table

    columns = settings.extra.get("columns")
    return read_table(source, parse_columns(columns) if isinstance(columns, str) else None)


def _read_rows(source: Source, kind: str, settings: Settings) -> list[Rows]:
    """The runs of a source, in the format that goes with the kind of gold."""
    if kind_of(source) == "table":
        return list(_table(source, settings).runs.values())
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


def _refusals(settings: Settings) -> Any:
    file = settings.extra.get("refusal")
    if file is None:
        return None
    source = source_of(file)
    return judging.read_refusals(source.name, source.read())


def _probabilities(gold: OutcomesGold, settings: Settings) -> Mapping[str, float] | None:
    file = settings.extra.get("na_prob")
    if file is None:
        return None
    if gold.kind != "squad":
        raise UsageError("--na-prob goes with SQuAD's gold only; other runs state a confidence of their own")
    from assay.formats.squad import read_na_probabilities

    return read_na_probabilities(source_of(file))


def _views(
    gold: OutcomesGold, rows: Rows, settings: Settings, refusals: Any, probabilities: Mapping[str, float] | None
) -> OutcomeViews:
    """One run judged, put in the gold's order, and seen through the what-ifs asked for."""
    places = _places(gold, rows)
    run = OutcomeViews(gold, rows.name, rows.file, settings.missing)
    run.notes["judging"] = gold.judging
    if rows.warnings:
        run.notes["warnings"] = list(rows.warnings)
    run.position = places
    if gold.kind == "pan":
        _fill_pan(run, rows, places)
    elif gold.kind == "squad":
        _fill_squad(gold, run, rows, places, probabilities)
    else:
        _fill_answers(gold, run, rows, places, refusals)
        if refusals is not None:
            run.notes.setdefault("refusals", 0)
    if settings.missing == "error" and MISSING in run.codes:
        first = gold.topics[run.codes.index(MISSING)]
        more = run.codes.count(MISSING) - 1
        raise InputError(
            f"{rows.file}: run {rows.name!r} has nothing for question {first!r}{f' and {more} more' if more else ''}; "
            "--missing unanswered counts such questions as unanswered, --missing skip leaves them out"
        )
    nil_confidence, threshold = settings.extra.get("nil_confidence"), settings.extra.get("abstain_below")
    if nil_confidence is not None:
        run.set_nil_confidence(float(nil_confidence))  # type: ignore[arg-type]
    if threshold is not None:
        run.abstain_below(float(threshold))  # type: ignore[arg-type]
    return run


def _places(gold: OutcomesGold, rows: Rows) -> list[int]:
    """The question of every row; one nobody asked, or one answered twice, is an error that names it."""
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
            run.confidences[place] = max(value, 1 - value)
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
            raise InputError(f"{rows.file}: question {rows.ids[row]!r} has no probability in the --na-prob file")
        if not judging.squad_normalise(predicted):
            run.decline_squad(place)
            run.confidences[place] = none
            continue
        run.exact[place] = int(any(judging.squad_normalise(t) == judging.squad_normalise(predicted) for t in texts))
        run.overlap[place] = max((judging.squad_overlap(t, predicted) for t in texts), default=0.0)
        run.codes[place] = CORRECT if run.exact[place] else INCORRECT
        run.confidences[place] = None if none is None else 1 - none


def _fill_answers(gold: OutcomesGold, run: OutcomeViews, rows: Rows, places: Sequence[int], refusals: Any) -> None:
    codes, confidences, judge = run.codes, run.confidences, gold.judge
    refused = 0
    for row, (place, text, outcome) in enumerate(zip(places, rows.texts, rows.outcomes, strict=True)):
        confidences[place] = rows.confidences[row]
        if outcome is not None:
            codes[place] = outcome
            if text == judging.NIL and outcome != UNANSWERED:
                run.nil_answers.add(place)
            continue
        if text is None:
            codes[place] = UNANSWERED
            if row in rows.candidates and judge is not None:
                run.candidates[place] = judge(gold.entries[place], rows.candidates[row], None)[0]
            continue
        if judge is None:
            raise FormatError(
                rows.file,
                rows.lines[row] or None,
                f"question {rows.ids[row]!r} has an answer but no outcome; give the gold too, or outcomes in the file",
            )
        if refusals is not None and refusals.search(text):
            codes[place] = UNANSWERED
            refused += 1
            continue
        if row in rows.several:
            run.lists[place] = _judge_list(judge, gold.entries[place], rows.several[row])
        if text.strip() == judging.NIL:
            run.nil_answers.add(place)
        codes[place] = judge(gold.entries[place], text, rows.docs.get(row))[0]
    if refused:
        run.notes["refusals"] = refused


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
    gold = OutcomesGold("arrays", "outcomes", [_Named(identity, {}) for identity in ids])
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
