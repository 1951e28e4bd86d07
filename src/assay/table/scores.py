"""The immutable score table: run × topic × measure, each cell scored, missing, failed or undefined.

Cells hold the values as computed. Averages apply the policies of `missing_topics.py` on request.
"""

from __future__ import annotations

from array import array
from operator import attrgetter
from types import MappingProxyType

from assay.errors import AssayError, InputError, UsageError
from assay.table import missing_topics
from assay.table.notes import JUDGED
from assay.table.remarks import Remark, join_remarks
from assay.table.results import Result
from assay.table.run_scores import RunScores, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from assay.measures.measure import Measure
    from assay.settings import Settings
    from assay.table.run_scores import Cell
    from assay.tasks import Task

TASK_FIELD = "task"
"""The field of the gold with the task of each topic, in a suite of several tasks."""
SCORED, MISSING, UNDEFINED, FAILED = "scored", "missing", "undefined", "failed"
SAMPLES = "samples"
"""The column of the number of samples per topic, where some topic has several."""


def _samples(run: RunScores) -> dict[str, Any]:
    """Return the counts of samples for the JSON output; nothing where every topic has one sample."""
    if run.samples is None:
        return {}
    known = [count for count in run.samples if count]
    ends = {"fewest": min(known, default=0), "most": max(known, default=0)}
    return {"samples": {**ends, "scored": sum(known), "failed": run.notes.failed or 0}}


class Scores(Result):
    """A score table: runs × topics × measures. It prints as a table; `assay.evaluate` and `assay.read_scores` return one.

    task       the kind of evaluation
    settings   the settings the scores were computed with
    topics     the topics' ids
    measures   the measures
    runs       the columns of each run
    fields     by name, what the gold says of each topic: type, cluster, language …
    arrivals   per topic, its place in the order of the file it came from; None where that is not known

    `scores[measure]` is {run: average}, `scores[measure, run]` is {topic: value}. An unknown run, topic or measure raises
    UsageError.

    >>> import assay
    >>> scores = assay.evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d0": 2.0, "d1": 1.0}}}, measures=["RR"])
    >>> scores["RR"]
    {'r': 0.5}
    >>> scores["RR", "r"]
    {'q1': 0.5}
    """

    def __init__(
        self,
        task: Task,
        settings: Settings,
        topics: Sequence[str],
        measures: Sequence[Measure],
        runs: Iterable[RunScores],
        fields: Mapping[str, Sequence[Any]] | None = None,
        arrivals: Sequence[int] | None = None,
    ) -> None:
        self.task = task
        self.settings = settings
        self.topics: list[str] = list(topics)
        self.measures: list[Measure] = list(measures)
        self.fields: dict[str, Sequence[Any]] = dict(fields or {})
        """By name, what the gold says of each topic: type, cluster, language …"""
        self.arrivals: list[int] | None = None if arrivals is None else list(arrivals)
        """Per topic, its place in the order of the file it came from; None where that is not known."""
        self._runs: dict[str, RunScores] = {}
        for run in runs:
            self._runs[run.name] = run
        self._derived: list[Measure] = []
        """Measures derived from those of the table on request."""
        self._position: dict[str, int] | None = None
        self._common: list[bool] | None = None
        self._summary: dict[str, Mapping[str, Value]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_position": None, "_common": None, "_summary": None}  # caches

    @property
    def runs(self) -> list[str]:
        """The names of the runs, in the order they were given."""
        return list(self._runs)

    def run(self, name: str) -> RunScores:
        """Return the columns of one run.

        name   the run's name; UsageError lists the runs where it is unknown
        """
        try:
            return self._runs[name]
        except KeyError:
            from assay.table.run_names import unknown_run

            raise UsageError(unknown_run(name, self._runs)) from None

    @property
    def is_suite(self) -> bool:
        """Whether the topics are of several tasks."""
        return len({*map(str, self.fields.get(TASK_FIELD, ()))}) > 1

    @property
    def common(self) -> list[bool]:
        """For each topic, whether every run has it."""
        if self._common is None:
            self._common = [not any(gone) for gone in zip(*(r.missing for r in self._runs.values()), strict=True)]
        return self._common

    def measure(self, name: str | Measure) -> Measure:
        """Return the measure of this table with this name, or equal to it."""
        for known in (*self.measures, *self._derived):
            if name is known or (isinstance(name, str) and name == known.name):
                return known
        from assay.measures.registry import resolve

        if self.task.name == "scores" and (derived := self._derive(name)) is not None:
            return derived
        resolved = resolve(name, self.task.name)
        for known in self.measures:
            if known == resolved:
                return known
        raise UsageError(f"{resolved} was not computed; measures are {', '.join(m.name for m in self.measures)}")

    def _derive(self, name: str | Measure) -> Measure | None:
        """Derive a measure from the table's reciprocal ranks and add its columns; None where impossible."""
        from assay.measures.reciprocal_ranks import follow_by_topic, source_of
        from assay.measures.registry import find

        try:
            derived = find(str(name))
        except UsageError:
            return None
        source = source_of(derived, self.measures)
        if source is None:
            return None
        for run in self._runs.values():
            cells = dict(zip(self.topics, run.columns[source.name], strict=True))
            column = follow_by_topic(derived, source.name, cells, f"run {run.name}")
            self._runs[run.name] = run.but(columns={**run.columns, derived.name: tuple(column.values())})
        self._derived.append(derived)
        return derived

    def column(self, run: str, name: str) -> list[Any]:
        """Return a column of a run (a measure or an ingredient), aligned with `topics`, under the table's policies.

        A cell is None where the measure is undefined, and where the topic is excluded. The cells of `state`, how each question of
        an outcomes task ended, are words.
        """
        return list(self.cells(run, name))

    def cells(self, run: str, name: str) -> Sequence[Any]:
        """Return `column` without a copy; do not change it."""
        run_scores = self.run(run)
        known = next((m for m in (*self.measures, *self._derived) if m.name == name), None)
        if known is None and name == SAMPLES:
            counts = run_scores.samples or [1] * len(self.topics)
            return [
                None if state != SCORED else count
                for state, count in zip(self._states(run_scores), counts, strict=True)
            ]
        if known is None and name in run_scores.columns:
            from assay.formats.answers.states import STATE, in_words

            if name == STATE:
                return in_words(run_scores.columns[STATE])
        if known is None and name not in run_scores.columns:
            known = self.measure(name)
        cells = (
            run_scores.columns[name]
            if known is None or known.level != "topic"
            else missing_topics.counted(self, run, known)
        )
        places = missing_topics.present(self, run_scores)
        if isinstance(places, range):
            return cells
        column: list[Cell] = [None] * len(self.topics)
        for place in places:
            column[place] = cells[place]
        return column

    def status(self, run: str, name: str) -> list[str]:
        """Return scored, missing, failed or undefined for each topic."""
        cells = zip(self._states(self.run(run)), self.column(run, name), strict=True)
        return [UNDEFINED if state == SCORED and value is None else state for state, value in cells]

    def _states(self, run: RunScores) -> list[str]:
        """Return scored, missing, or failed (every sample) for each topic."""
        counts = run.samples or [1] * len(run.missing)
        return [
            MISSING if gone else SCORED if count else FAILED for gone, count in zip(run.missing, counts, strict=True)
        ]

    def value(self, run: str, measure: str | Measure, topics: Iterable[str] | None = None) -> Value:
        """Return one run's number for a measure, over all topics or some, under the table's policies."""
        return self.value_at(run, measure, None if topics is None else self.places(topics))

    def value_at(self, run: str, measure: str | Measure, looked_at: Sequence[int] | None) -> Value:
        """Return `value` for topics given by their positions."""
        resolved = self.measure(measure)
        run_scores = self.run(run)
        places = missing_topics.present(self, run_scores, looked_at)
        every = isinstance(places, range)
        if looked_at is None or (run_scores.samples is None and not run_scores.gone):
            missing = run_scores.gone
        else:
            missing = sum(run_scores.missing[i] for i in looked_at)
        if resolved.level == "topic":
            column = missing_topics.counted(self, run, resolved)
            cells: Sequence[Cell] = column if every else [column[i] for i in places]
            defined = cells if isinstance(cells, array) else [cell for cell in cells if cell is not None]
            undefined = len(cells) - len(defined)
            if undefined and not missing_topics.leaves_out_undefined(self.settings, resolved):
                defined = [0.0 if cell is None else cell for cell in cells]
            return Value(missing_topics.AVERAGES[resolved.average](defined), len(defined), missing, undefined)
        try:
            if resolved.level == "sums":
                n, sums = run_scores.sums(resolved, places)
                numerator, denominator = resolved(n, *sums)
                counts = resolved.average == "sum"
                result = numerator if counts else numerator / denominator if denominator else None
            else:
                result = resolved(*run_scores.ingredients(resolved, places))
            if result is not None and result - result != 0:
                raise ValueError(f"{result} is no finite number")
        except (AssayError, MemoryError):
            raise
        except Exception as problem:
            expected = "numerator and denominator" if resolved.level == "sums" else "a number, or None where undefined"
            what = f"{type(problem).__name__}: {problem}"
            raise InputError(f"measure {resolved.name} failed for {run}: {what}; expected {expected}") from problem
        return Value(result, len(places), missing, int(result is None))

    def places(self, topics: Iterable[str]) -> list[int]:
        """Return the positions of some topics."""
        if self._position is None:
            self._position = {topic: i for i, topic in enumerate(self.topics)}
        try:
            return [self._position[topic] for topic in topics]
        except KeyError as unknown:
            raise UsageError(f"no {self.task.noun} {unknown.args[0]!r} in this table") from None

    def entering(self, run: str) -> Sequence[int]:
        """Return the positions of the topics that enter a run's averages under the table's policies."""
        return missing_topics.present(self, self.run(run))

    def count_samples(self, run: str, looked_at: Sequence[int] | None = None) -> int:
        """Return how many samples of the topics enter a run's counts: one per topic unless topics have several.

        run         one of the runs
        looked_at   positions of the topics; all where left out
        """
        run_scores = self.run(run)
        places = missing_topics.present(self, run_scores, looked_at)
        return len(places) if run_scores.samples is None else sum(run_scores.samples[i] for i in places)

    def summary(self) -> dict[str, Mapping[str, Value]]:
        """Return the number, its denominator and the counts of missing and undefined topics by run and measure."""
        if self._summary is None:
            self._summary = {}
            for run in self._runs:
                self._summary[run] = MappingProxyType({m.name: self.value(run, m) for m in self.measures})
        return dict(self._summary)

    def remarks(self) -> list[str]:
        """Return a line, naming the runs, for everything missing from, changed in or excluded from them."""
        noun, remarks = self.task.noun, list[Remark]()
        how = missing_topics.remark(self.settings, "missing")
        for run in self._runs.values():
            if run.gone:
                text = f"{{}} of {len(self.topics)} {noun}s missing, {how} (`missing=`)"
                remarks.append(Remark(run.name, text, run.gone))
            remarks += run.notes.remarks(run.name, noun)
        return [*self._repeats(), *join_remarks(remarks, len(self._runs))]

    def judging(self) -> list[str]:
        """Return the rules by which answers were judged, but for those that are judged in the file."""
        rules = (run.notes.judging for run in self._runs.values())
        return list(dict.fromkeys(rule for rule in rules if rule and rule != JUDGED))

    def extent(self, runs: Iterable[str] | None = None, places: Sequence[int] | None = None) -> str:
        """Describe the number of topics, and of samples where a run has several: 12 questions × 4 samples.

        runs     all where left out
        places   positions of topics; all where left out
        """
        from assay.table import repeats

        looked_at = [self._runs[run] for run in (self._runs if runs is None else runs)]
        positions: Sequence[int] = range(len(self.topics)) if places is None else places
        # Topics that none of the runs was asked about do not count.
        positions = [
            i
            for i in positions
            if any(run.samples is None or run.samples[i] or not run.missing[i] for run in looked_at)
        ]
        noun, counts = self.task.noun, [run.samples for run in looked_at]
        if not any(samples is not None and any(samples[i] > 1 for i in positions) for samples in counts):
            return f"{len(positions)} {noun}{'' if len(positions) == 1 else 's'}"
        # The range over all runs follows from the fewest and the most samples of each topic.
        cells = [[1 if samples is None else samples[i] for samples in counts] for i in positions]
        low = [min((cell for cell in row if cell), default=0) for row in cells]
        return repeats.described([*low, *map(max, cells)], noun, len(positions))

    def _repeats(self) -> list[str]:
        """Return the numbers of topics and samples: one line where all runs agree, else a line per run."""
        lines = [f"{run.name}: {self.extent([run.name])}" for run in self._runs.values() if run.repeated]
        extents = {line.partition(": ")[2] for line in lines}
        return [*extents] if len(extents) == 1 and len(lines) == len(self._runs) else lines

    def undefined(self) -> list[str]:
        """Return a line for each measure that is undefined on some topics: on how many, why, and what they count."""
        noun, lines, summary = self.task.noun, list[str](), self.summary()
        for measure in self.measures:
            values = [row[measure.name] for row in summary.values()] if measure.level == "topic" else []
            most = max(map(attrgetter("undefined"), values), default=0)
            if not most:
                continue
            how = missing_topics.remark(self.settings, "undefined")
            if missing_topics.leaves_out_undefined(self.settings, measure):
                over = sorted({value.topics for value in values})
                ends = " to ".join(map(str, (over[0], over[-1])[: len(over)]))
                how += f", so that its average is over {ends} {noun}s"
            why = measure.declaration.undefined
            lines.append(f"{measure.name} is undefined on {most} {noun}s ({why}), {how} (`undefined=`)")
        return lines

    def mean(self, measure: str | Measure) -> dict[str, Cell]:
        """Return each run's number for a measure, by its declared average and the table's policies."""
        return {name: self.value(name, measure).value for name in self._runs}

    def upwards(self, measure: str | Measure) -> dict[str, Cell]:
        """Return each run's number for a measure, negated where lower is better."""
        sign = -1 if self.measure(measure).declaration.higher_is_better is False else 1
        return {run: None if value is None else sign * value for run, value in self.mean(measure).items()}

    def values(self, measure: str | Measure, run: str) -> dict[str, Cell]:
        """Return one run's value on each topic; None where the measure is undefined."""
        resolved = self.measure(measure)
        if resolved.level != "topic":
            raise UsageError(f"{resolved} has no value per topic: it is computed from all of a run's topics at once")
        return dict(zip(self.topics, self.column(run, resolved.name), strict=True))

    def texts(self, run: str, topic: str) -> dict[int, Any]:
        """Return the texts of one topic by sample: `question`, `gold`, `prompt` and `answer`, read from the log now.

        run     one of the runs
        topic   one of its questions
        """
        self.places([topic])
        read = getattr(self.run(run).views, "read_texts", None)
        if read is None:
            raise UsageError(f"{run}: this table has no texts. Fix: evaluate logs or answers with `keep=True`.")
        return read(topic)

    def __getitem__(self, key: Any) -> dict[str, Cell]:
        return self.values(*key) if isinstance(key, tuple) else self.mean(key)

    def with_runs(self, runs: Iterable[RunScores], measures: Sequence[Measure] | None = None) -> Scores:
        """Return the table with other runs, and other measures where given."""
        chosen = self.measures if measures is None else measures
        return Scores(self.task, self.settings, self.topics, chosen, runs, self.fields, self.arrivals)

    def restricted(self, topics: Iterable[str]) -> Scores:
        """Return the table restricted to some topics.

        topics   their ids, in any order; the table's order stays
        """
        places = sorted(set(self.places(topics)))
        fields = {name: [column[i] for i in places] for name, column in self.fields.items()}
        runs = (run.at(places) for run in self._runs.values())
        arrivals = None if self.arrivals is None else [self.arrivals[i] for i in places]
        return Scores(self.task, self.settings, [self.topics[i] for i in places], self.measures, runs, fields, arrivals)

    def described(self, characteristics_of: Callable[[str], Mapping[str, Any]]) -> Scores:
        """Return the table with the characteristics of each run in its notes."""
        return self.with_runs(
            run.but(notes=run.notes.copy(characteristics=characteristics_of(run.name))) for run in self._runs.values()
        )

    @property
    def per_topic(self) -> list[str]:
        """The columns to show per topic: samples where a topic has several, ingredients, measures."""
        ingredients = [name for name in self.task.columns if all(name in run.columns for run in self._runs.values())]
        counted = [SAMPLES] if any(run.repeated for run in self._runs.values()) else []
        return [*counted, *ingredients, *(m.name for m in self.measures if m.level == "topic")]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return a row per run and topic: run, topic, status and a column per topic-level measure."""
        names = self.per_topic
        rows: list[list[Any]] = []
        for run in self._runs.values():
            columns = [self.column(run.name, name) for name in names]
            rows += [[run.name, *cells] for cells in zip(self.topics, self._states(run), *columns, strict=True)]
        return ["run", "topic", "status", *names], rows

    def to_csv(self, measure: str | Measure) -> str:
        """Return one topic-level measure as a topic × run matrix in CSV, which `assay.read_scores` reads; empty where undefined.

        measure   one of the table's, such as AP
        """
        from assay.formats.score_tables import Matrix, write_matrix

        resolved = self.measure(measure)
        if resolved.level != "topic":
            raise UsageError(f"{resolved.name} has no value per topic, so there is no topic × run matrix of it")
        columns = [self.column(name, resolved.name) for name in self._runs]
        rows = [list(row) for row in zip(*columns, strict=True)]
        return write_matrix(Matrix(self.topics, self.runs, rows, resolved.name))

    def to_dict(self, per_topic: bool = True) -> dict[str, Any]:
        """Return the documented JSON: settings, and per run its scores, denominators and missing counts.

        per_topic   with each topic's values, under `topics`
        """
        from assay._version import NUMBERS, __version__

        runs: list[dict[str, Any]] = []
        for name, row in self.summary().items():
            run = self.run(name)
            entry: dict[str, Any] = {
                "run": name,
                "file": run.file,
                "scores": {measure: v.value for measure, v in row.items()},
                "denominators": {measure: v.topics for measure, v in row.items()},
                "missing": run.gone,
                **_samples(run),
                "undefined": {measure: v.undefined for measure, v in row.items()},
                **run.notes.as_dict(),
            }
            if per_topic:
                shown = self.per_topic
                columns = [self.column(name, column) for column in shown]
                entry["topics"] = {
                    topic: dict(zip(shown, cells, strict=True))
                    for topic, *cells in zip(self.topics, *columns, strict=True)
                }
            runs.append(entry)
        return {
            "assay": __version__,
            "numbers": NUMBERS,
            "task": self.task.name,
            "settings": self.settings.as_dict(),
            "runs": runs,
        }
