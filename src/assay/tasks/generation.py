"""Generated answers, judged: by the nuggets they hold, by the support of their citations, by ARGUE.

What was judged is in the files themselves: each row is of one question and one run. Rows of one run may stand in several files,
nuggets in one and support in another; a list of nuggets without a run says which questions and nuggets there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.errors import FormatError, InputError, shorten_list
from assay.formats.answers import generation
from assay.formats.answers.generation import Judged
from assay.formats.recognition import recognise
from assay.io.sources import Source
from assay.measures.generation import AnswerView
from assay.settings import FOR_UNDEFINED, NO_VALUE, Settings, one_of, option
from assay.table.notes import Notes
from assay.tasks import Task, TaskGold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NUGGETS = ("StrictVitalScore", "VitalScore", "StrictAllScore", "AllScore", "WeightedScore")
CITATIONS = ("CitationP", "CitationR")
REPORTS = ("ArgueF", "SentenceP")
RECALL = ("NuggetRecall",)
"""Where counts alone are known: the strict score of all nuggets under the name that ARGUE gives it."""
EXPECTED = "expected nuggets or assignments of nuggetizer, judgments of support, or scores of Auto-ARGUE"
READERS: dict[str, Callable[[Source], list[Judged]]] = {
    "nugget-list": generation.read_nugget_list,
    "nugget-assignments": generation.read_assignments,
    "citation-support": generation.read_support,
    "argue-scores": generation.read_argue,
}


class GenerationSettings(Settings):
    """The choices of generated answers."""

    undefined: str = option("skip", one_of(*FOR_UNDEFINED), NO_VALUE)
    unjudged: str = option(
        "error", one_of("error", "incorrect"), "what a nugget counts on which the judge failed (error)"
    )


class JudgedQuestion:
    """One question: what was asked, and its nuggets, each with its text and importance, as the first row says that has any."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.query = ""
        self.nuggets: list[tuple[str, str]] = []
        self.where = ""
        """The row that says so; none where nobody did."""
        self.cited = False
        """Whether the support of citations was judged, in the answer of any run."""
        self.reported = False
        """Whether sentences were counted, in the answer of any run."""

    def nothing(self) -> AnswerView:
        """An answer that was not given: it holds no nugget, and supports nothing, as far as these were judged."""
        nuggets = [(importance, 0.0) for _, importance in self.nuggets]
        return AnswerView(nuggets, [((), True)] if self.cited else None, (0, 1) if self.reported else None)


class JudgedGold(TaskGold):
    """Every question of some rows, and the rows by run."""

    names_runs = True

    def __init__(self, rows: Sequence[Judged], sources: Sequence[Source]) -> None:
        self.name = "the runs"
        self.sources = sources
        found: dict[str, JudgedQuestion] = {}
        self.rows: dict[str, list[Judged]] = {}
        for row in rows:
            question = found.setdefault(row.topic, JudgedQuestion(row.topic))
            question.query = question.query or row.query
            question.cited |= row.sentences is not None
            question.reported |= row.attested is not None
            if row.run is not None:
                self.rows.setdefault(row.run, []).append(row)
            if row.nuggets is not None and not question.where:
                question.nuggets, question.where = row.nuggets, f"{row.file}:{row.line}"
        self.questions = sorted(found.values(), key=lambda question: question.id.encode("utf-8", "surrogateescape"))
        self.topics = [question.id for question in self.questions]
        self.index = {topic: place for place, topic in enumerate(self.topics)}
        asked = [question.query or None for question in self.questions]
        self.fields = {"question": asked} if any(asked) else {}


class GeneratedAnswerViews:
    """One run, a view per question; what nobody judged of it is None."""

    def __init__(self, gold: JudgedGold, name: str, files: Sequence[str]) -> None:
        self.gold = gold
        self.name = name
        self.file = shorten_list(files, 1)
        self.notes = Notes()
        self.missing = [True] * len(gold.topics)
        self.credits: list[Sequence[float] | None] = [None] * len(gold.topics)
        """What the answer is credited for each nugget of the question, in the question's order."""
        self.judged: list[list[Judged]] = [[] for _ in gold.topics]

    def __iter__(self) -> Iterator[AnswerView]:
        for question, credits, rows in zip(self.gold.questions, self.credits, self.judged, strict=True):
            if not rows:
                yield question.nothing()
                continue
            kinds = [importance for _, importance in question.nuggets]
            nuggets = () if credits is None else tuple(zip(kinds, credits, strict=True))
            sentences = next((row.sentences for row in rows if row.sentences is not None), None)
            attested = next((row.attested for row in rows if row.attested is not None), None)
            yield AnswerView(nuggets, sentences, attested)

    def column(self, name: str) -> list[Any]:
        raise KeyError(name)


def read(source: Source | None, runs: Sequence[Source], settings: GenerationSettings) -> JudgedGold:
    """The questions of all files, and the rows of every run."""
    sources = runs if source is None else [source]
    rows = [row for one in sources for row in read_rows(one)]
    gold = JudgedGold(rows, sources)
    if not gold.rows:
        raise FormatError(rows[0].file, None, "lists nuggets and no answers; expected files of runs beside it")
    return gold


def read_rows(source: Source) -> list[Judged]:
    """The rows of a file of any of the kinds."""
    reader = recognise(source, "gold", "run")
    if reader is None or reader.name not in READERS:
        raise source.error(None, f"is no file of judged answers; {EXPECTED}")
    return READERS[reader.name](source)


def join(gold: JudgedGold, source: Source, settings: GenerationSettings) -> list[GeneratedAnswerViews]:
    """The runs that were read with the gold, all with the first of its files; or those of a file that came later."""
    rows = gold.rows
    if all(source is not one for one in gold.sources):
        rows = {}
        for row in read_rows(source):
            if row.run is not None:
                rows.setdefault(row.run, []).append(row)
    elif source is not gold.sources[0]:
        return []
    return [_run(gold, name, several, settings) for name, several in rows.items()]


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
                row.file, row.line, f"judges the {kind} of {name} on question {row.topic!r} again, after {where}"
            )
        place = gold.index.get(row.topic)
        if place is None:
            raise FormatError(
                row.file, row.line, f"judges question {row.topic!r}, which {gold.name} before it do not have"
            )
        run.missing[place] = False
        run.judged[place].append(row)
        if row.credits is not None:
            credits = _in_order(gold.questions[place], row, row.credits)
            failed += credits.count(None)
            if None in credits and settings.unjudged == "error":
                remedy = "judge it again, or `unjudged='incorrect'` counts such nuggets as not held, as nuggetizer does"
                raise FormatError(
                    row.file, row.line, f"the judge failed on a nugget of question {row.topic!r}; {remedy}"
                )
            run.credits[place] = [credit or 0.0 for credit in credits]
    run.notes.unjudged = failed
    if failed:
        counted = f"{failed} nuggets on which the judge failed, counted as not held"
        run.notes.warnings.append(f"{name}: {counted} (`unjudged={settings.unjudged!r}`)")
    return run


def _in_order(question: JudgedQuestion, row: Judged, credits: list[float | None]) -> list[float | None]:
    """The credits of a row in the order of the question's nuggets, which must be the same."""
    own, known = row.nuggets or [], question.nuggets
    if own == known:
        return credits
    if sorted(own) != sorted(known):
        odd = next(((nugget, "has") for nugget in own if own.count(nugget) > known.count(nugget)), None)
        odd = odd or next((nugget, "lacks") for nugget in known if known.count(nugget) > own.count(nugget))
        (text, importance), verb = odd
        found = f"it {verb} {text[:60]!r} ({importance or 'of no importance'})"
        problem = f"the nuggets of question {row.topic!r} are not those of {question.where}: {found}"
        raise FormatError(row.file, row.line, problem)
    left = list(zip(own, credits, strict=True))
    # A nugget that stands there twice is credited in the order of its rows.
    return [left.pop(next(n for n, (one, _) in enumerate(left) if one == nugget))[1] for nugget in known]


def measures_for(
    gold: JudgedGold, runs: Sequence[GeneratedAnswerViews], settings: GenerationSettings
) -> tuple[str, ...]:
    """The measures of whatever was judged."""
    rows = [row for run in runs for several in run.judged for row in several]
    reports = any(
        row.attested is not None or any(needs is not None for _, needs in row.sentences or ()) for row in rows
    )
    assigned = any(row.credits is not None and row.attested is None for row in rows)
    found = [
        *(REPORTS if reports else ()),
        *(NUGGETS if assigned else RECALL if reports else ()),
        *(CITATIONS if any(row.sentences is not None for row in rows) else ()),
    ]
    if not found:
        raise InputError("nobody judged anything of these answers; " + EXPECTED)
    return tuple(dict.fromkeys(found))


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
