"""Judged generated answers: nuggets, support of citations, scores of ARGUE.

The files have the judgments: each row is of one question and one run. Rows of one run may be in several files, such as nuggets
in one and support in another; a list of nuggets without a run defines questions and nuggets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.errors import FormatError, InputError, shorten_list
from assay.formats.answers import generation
from assay.formats.answers.generation import Judged
from assay.formats.recognition import recognise
from assay.io.sources import Source
from assay.measures.generation import AnswerView
from assay.settings import FOR_UNDEFINED, NO_VALUE, Settings, one_of, option
from assay.table.notes import Notes
from assay.tasks import QuestionsGold, Task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NUGGETS = ("StrictVitalScore", "VitalScore", "StrictAllScore", "AllScore", "WeightedScore")
CITATIONS = ("CitationP", "CitationR")
REPORTS = ("ArgueF", "SentenceP")
RECALL = ("NuggetRecall",)
"""Where only counts are known: the strict score of all nuggets under ARGUE's name."""
EXPECTED = "expected nuggets or assignments of nuggetizer, judgments of support, or scores of Auto-ARGUE"
READERS: dict[str, Callable[[Source], list[Judged]]] = {
    "nugget-list": generation.read_nugget_list,
    "nugget-assignments": generation.read_assignments,
    "citation-support": generation.read_support,
    "argue-scores": generation.read_argue,
}


class GenerationSettings(Settings):
    """The settings of generated answers."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    unjudged: str = option("error", one_of("error", "incorrect"), "what a nugget counts where the judge failed (error)")


class JudgedQuestion:
    """One question: its text, and its nuggets with text and importance, from the first row that has them."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.query = ""
        self.fields: dict[str, str] = {}
        self.nuggets: list[tuple[str, str]] = []
        self.where = ""
        """File and line of that row."""
        self.cited = False
        """Whether the support of citations was judged in any run."""
        self.reported = False
        """Whether sentences were counted in any run."""

    def missing_answer(self) -> AnswerView:
        """Return the view of a missing answer: no nugget and no support, as far as these were judged."""
        nuggets = [(importance, 0.0) for _, importance in self.nuggets]
        return AnswerView(nuggets, [((), True)] if self.cited else None, (0, 1) if self.reported else None)


class JudgedGold(QuestionsGold):
    """The questions of all rows, and the rows by run."""

    names_runs = True

    def __init__(self, rows: Sequence[Judged], sources: Sequence[Source]) -> None:
        self.sources = sources
        questions: dict[str, JudgedQuestion] = {}
        self.rows: dict[str, list[Judged]] = _by_run(rows)
        for row in rows:
            question = questions.setdefault(row.topic, JudgedQuestion(row.topic))
            question.query = question.query or row.query
            question.cited |= row.sentences is not None
            question.reported |= row.attested is not None
            if row.nuggets is not None and not question.where:
                question.nuggets, question.where = row.nuggets, f"{row.file}:{row.line}"
        super().__init__("the runs", list(questions.values()))
        queries = [question.query or None for question in self.questions]
        self.fields: Mapping[str, Sequence[Any]] = {"question": queries} if any(queries) else {}


class GeneratedAnswerViews:
    """One run: a view per question; None for what was not judged."""

    def __init__(self, gold: JudgedGold, name: str, files: Sequence[str]) -> None:
        self.gold = gold
        self.name = name
        self.file: str = shorten_list(files, 1)
        self.notes: Notes = Notes()
        self.missing: list[bool] = [True] * len(gold.topics)
        self.credits: list[Sequence[float] | None] = [None] * len(gold.topics)
        """By question, the credit for each of its nuggets, in their order."""
        self.judged: list[list[Judged]] = [[] for _ in gold.topics]

    def __iter__(self) -> Iterator[AnswerView]:
        for question, credits, rows in zip(self.gold.questions, self.credits, self.judged, strict=True):
            if not rows:
                yield question.missing_answer()
                continue
            kinds = [importance for _, importance in question.nuggets]
            nuggets = () if credits is None else tuple(zip(kinds, credits, strict=True))
            sentences = next((row.sentences for row in rows if row.sentences is not None), None)
            attested = next((row.attested for row in rows if row.attested is not None), None)
            yield AnswerView(nuggets, sentences, attested)

    def column(self, name: str) -> list[Any]:
        raise KeyError(name)


def read(source: Source | None, runs: Sequence[Source], settings: GenerationSettings) -> JudgedGold:
    """Read the questions and the rows of every run."""
    sources = runs if source is None else [source]
    rows = [row for file in sources for row in read_rows(file)]
    gold = JudgedGold(rows, sources)
    if not gold.rows:
        raise FormatError(rows[0].file, None, "has nuggets and no answers. Fix: give the files of the runs too.")
    return gold


def read_rows(source: Source) -> list[Judged]:
    """Read the rows of a file of any known kind."""
    reader = recognise(source, "gold", "run")
    if reader is None or reader.name not in READERS:
        raise source.error(None, f"not a file of judged answers; {EXPECTED}")
    return READERS[reader.name](source)


def join(gold: JudgedGold, source: Source, settings: GenerationSettings) -> list[GeneratedAnswerViews]:
    """Return all runs read with the gold for its first file, or the runs of a later file."""
    rows = gold.rows
    if all(source is not known for known in gold.sources):
        rows = _by_run(read_rows(source))
    elif source is not gold.sources[0]:
        return []
    return [_run(gold, name, several, settings) for name, several in rows.items()]


def _by_run(rows: Sequence[Judged]) -> dict[str, list[Judged]]:
    by_run: dict[str, list[Judged]] = {}
    for row in rows:
        if row.run is not None:
            by_run.setdefault(row.run, []).append(row)
    return by_run


def _run(gold: JudgedGold, name: str, rows: Sequence[Judged], settings: GenerationSettings) -> GeneratedAnswerViews:
    run = GeneratedAnswerViews(gold, name, list(dict.fromkeys(row.file for row in rows)))
    seen: dict[tuple[str, str], Judged] = {}
    failed = 0
    for row in rows:
        kind = "nuggets" if row.credits is not None else "citations"
        first = seen.setdefault((row.topic, kind), row)
        if first is not row:
            where = f"{first.file}:{first.line}"
            raise FormatError(
                row.file,
                row.line,
                f"judges the {kind} of {name} on question {row.topic!r} a second time, after {where}",
            )
        place = gold.index.get(row.topic)
        if place is None:
            raise FormatError(
                row.file, row.line, f"judges question {row.topic!r}, which is not in {gold.name} before it"
            )
        run.missing[place] = False
        run.judged[place].append(row)
        if row.credits is not None:
            credits = _in_order(gold.questions[place], row, row.credits)
            failed += credits.count(None)
            if None in credits and settings.unjudged == "error":
                remedy = "judge it again, or use `unjudged='incorrect'`, which counts such nuggets as absent, as nuggetizer does"
                raise FormatError(
                    row.file, row.line, f"the judge failed on a nugget of question {row.topic!r}; {remedy}"
                )
            run.credits[place] = [credit or 0.0 for credit in credits]
    run.notes.unjudged = failed
    if failed:
        counted = f"{failed} nuggets on which the judge failed count as absent"
        run.notes.warnings.append(f"{name}: {counted} (`unjudged={settings.unjudged!r}`)")
    return run


def _in_order(question: JudgedQuestion, row: Judged, credits: list[float | None]) -> list[float | None]:
    """Return the credits of a row in the order of the question's nuggets, which must be the same."""
    listed, known = row.nuggets or [], question.nuggets
    if listed == known:
        return credits
    if sorted(listed) != sorted(known):
        odd = next(((nugget, "has") for nugget in listed if listed.count(nugget) > known.count(nugget)), None)
        odd = odd or next((nugget, "lacks") for nugget in known if known.count(nugget) > listed.count(nugget))
        (text, importance), verb = odd
        difference = f"it {verb} {text[:60]!r} ({importance or 'of no importance'})"
        problem = f"the nuggets of question {row.topic!r} are not those of {question.where}: {difference}"
        raise FormatError(row.file, row.line, problem)
    left = list(zip(listed, credits, strict=True))
    # A repeated nugget is credited in the order of its rows.
    return [left.pop(next(n for n, (candidate, _) in enumerate(left) if candidate == nugget))[1] for nugget in known]


def measures_for(
    gold: JudgedGold, runs: Sequence[GeneratedAnswerViews], settings: GenerationSettings
) -> tuple[str, ...]:
    """Return the measures of what was judged."""
    rows = [row for run in runs for several in run.judged for row in several]
    reports = any(
        row.attested is not None or any(needs is not None for _, needs in row.sentences or ()) for row in rows
    )
    assigned = any(row.credits is not None and row.attested is None for row in rows)
    measures = [
        *(REPORTS if reports else ()),
        *(NUGGETS if assigned else RECALL if reports else ()),
        *(CITATIONS if any(row.sentences is not None for row in rows) else ()),
    ]
    if not measures:
        raise InputError("these answers have no judgments; " + EXPECTED)
    return tuple(dict.fromkeys(measures))


TASK = Task(
    name="generation",
    title="Generated answers",
    noun="question",
    headline="StrictVitalScore",
    defaults=NUGGETS,
    more=measures_for,
    settings=GenerationSettings,
    read=read,
    judged=True,
    join=join,
)
