"""The one table everything later reads: run × topic × measure, each cell scored, missing or undefined.

Averages are policies over the table (settings.missing, settings.undefined), never baked into it.
"""

from __future__ import annotations

from assay.aggregation import AVERAGES
from assay.errors import InputError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from assay.measures.declare import Measure
    from assay.settings import Settings

    Cell = float | int | None

SCORED, MISSING, UNDEFINED = "scored", "missing", "undefined"
BACKENDS = ("pandas", "polars", "pyarrow")


class Value:
    """One number of one run, with what it was made from."""

    __slots__ = ("missing", "topics", "undefined", "value")

    def __init__(self, value: Cell, topics: int, missing: int, undefined: int) -> None:
        self.value = value
        self.topics = topics
        """The denominator: how many topics entered."""
        self.missing = missing
        """How many of the looked-at topics the run left out."""
        self.undefined = undefined
        """On how many of them the measure has no value."""

    def __repr__(self) -> str:
        return f"Value({self.value!r}, topics={self.topics}, missing={self.missing}, undefined={self.undefined})"


class RunScores:
    """The columns of one run, aligned with the table's topics. None in a column means undefined.

    A column of zeros and ones may be `bytes`: a byte a topic, and quick to add up.
    """

    __slots__ = ("columns", "file", "gone", "missing", "name", "notes")

    def __init__(
        self,
        name: str,
        file: str | None,
        columns: Mapping[str, Sequence[Cell]],
        missing: Sequence[bool],
        notes: Mapping[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.file = file
        self.columns = dict(columns)
        self.missing = missing
        self.gone = sum(missing)
        """How many topics are missing."""
        self.notes = dict(notes or {})


def _add_up(column: Sequence[Cell]) -> float | int:
    return column.count(1) if isinstance(column, bytes) else sum(cell or 0 for cell in column)


class Scores:
    """Runs × topics × measures.

    >>> import assay
    >>> scores = assay.evaluate({"q1": {"d1": 1}}, {"r": {"q1": {"d0": 2.0, "d1": 1.0}}}, measures=["RR"])
    >>> scores.mean("RR")
    {'r': 0.5}
    >>> scores.values("RR", "r")
    {'q1': 0.5}
    """

    def __init__(
        self,
        task: str,
        settings: Settings,
        topics: Sequence[str],
        measures: Sequence[Measure],
        runs: Iterable[RunScores],
        fields: Mapping[str, Sequence[Any]] | None = None,
        topic_columns: Sequence[str] = (),
    ) -> None:
        self.task = task
        self.settings = settings
        self.topics = list(topics)
        self.measures = list(measures)
        self.fields = dict(fields or {})
        """What the gold says of each topic beside its answer: type, cluster, language …"""
        self.topic_columns = tuple(topic_columns)
        """Ingredients worth showing per topic, beside the measures that have a value there."""
        self._runs = {run.name: run for run in runs}
        if settings.missing == "zero":
            self._count_missing_as_zero()
        self._position: dict[str, int] | None = None
        self._common: list[bool] | None = None

    def _count_missing_as_zero(self) -> None:
        """A missing topic is worth 0, whatever a measure would say of retrieving nothing; counts of the gold stay counts."""
        names = [
            m.name
            for m in self.measures
            if m.level == "topic" and m.average != "sum" and m.declaration.higher_is_better
        ]
        for run in self._runs.values():
            if run.gone:
                for name in names:
                    cells = zip(run.columns[name], run.missing, strict=True)
                    run.columns[name] = [0.0 if gone and cell is not None else cell for cell, gone in cells]

    @property
    def runs(self) -> list[str]:
        """The names of the runs, in the order they were given."""
        return list(self._runs)

    def run(self, name: str) -> RunScores:
        """One run's columns; an unknown name is an error that lists the known ones."""
        try:
            return self._runs[name]
        except KeyError:
            raise UsageError(f"no run {name!r}; there are {', '.join(self._runs)}") from None

    def measure(self, name: str | Measure) -> Measure:
        """The measure of this table that was written as `name`, or is equal to it."""
        for known in self.measures:
            if name in (known.name, known):
                return known
        from assay.measures.declare import resolve

        wanted = resolve(name, self.task)
        for known in self.measures:
            if known == wanted:
                return known
        raise UsageError(f"{wanted} was not computed; this table has {', '.join(m.name for m in self.measures)}")

    def column(self, run: str, name: str) -> list[Cell]:
        """A column of a run, measure or ingredient, aligned with `topics`; None where undefined."""
        columns = self.run(run).columns
        if name not in columns:
            name = self.measure(name).name
        return list(columns[name])

    def shown(self, run: str, name: str) -> list[Cell]:
        """A column as it is shown per topic: without a value where the run has none and the policy leaves such topics out."""
        column = self.column(run, name)
        if self.settings.missing not in ("skip", "common"):
            return column
        return [None if gone else cell for cell, gone in zip(column, self.run(run).missing, strict=True)]

    def status(self, run: str, name: str) -> list[str]:
        """scored, missing or undefined, for each topic."""
        missing = self.run(run).missing
        return [
            MISSING if gone else UNDEFINED if value is None else SCORED
            for gone, value in zip(missing, self.column(run, name), strict=True)
        ]

    def value(self, run: str, measure: str | Measure, topics: Iterable[str] | None = None) -> Value:
        """One run's number for a measure, over all topics or some, under the table's policies."""
        wanted = self.measure(measure)
        columns = self.run(run)
        chosen = self._entering(columns, topics)
        every = isinstance(chosen, range)
        missing = columns.gone if every else sum(1 for i in chosen if columns.missing[i])
        if wanted.level == "topic":
            column = columns.columns[wanted.name]
            cells = [column[i] for i in chosen]
            defined = [cell for cell in cells if cell is not None]
            undefined = len(cells) - len(defined)
            if self.settings.undefined == "zero" and wanted.average != "sum":
                defined = [0.0 if cell is None else cell for cell in cells]
            return Value(AVERAGES[wanted.average](defined), len(defined), missing, undefined)
        ingredients = [columns.columns[name] for name in wanted.of]
        if not every:
            ingredients = [[column[i] for i in chosen] for column in ingredients]
        if wanted.level == "sums":
            numerator, denominator = wanted(len(chosen), *map(_add_up, ingredients))
            counts = wanted.average == "sum"
            result = numerator if counts else numerator / denominator if denominator else None
        else:
            result = wanted(*ingredients)
        return Value(result, len(chosen), missing, int(result is None))

    def _entering(self, run: RunScores, topics: Iterable[str] | None) -> Sequence[int]:
        """The positions of the topics that enter this run's average; a range where all do."""
        if topics is None:
            looked_at: Sequence[int] = range(len(self.topics))
        else:
            if self._position is None:
                self._position = {topic: i for i, topic in enumerate(self.topics)}
            try:
                looked_at = [self._position[topic] for topic in topics]
            except KeyError as unknown:
                raise UsageError(f"no topic {unknown.args[0]!r} in this table") from None
        policy = self.settings.missing
        if policy == "skip":
            return [i for i in looked_at if not run.missing[i]] if run.gone else looked_at
        if policy == "common":
            if self._common is None:
                self._common = [not any(gone) for gone in zip(*(r.missing for r in self._runs.values()), strict=True)]
            return [i for i in looked_at if self._common[i]]
        if policy == "error":
            gone = [self.topics[i] for i in looked_at if run.missing[i]]
            if gone:
                more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
                raise InputError(
                    f"{run.file or run.name}: no results for topic {gone[0]}{more}; "
                    "--missing zero counts such topics as 0, --missing skip leaves them out"
                )
        return looked_at

    def beside(self, measures: Iterable[Measure]) -> Scores:
        """The same table with more measures, whose columns its runs hold already."""
        known = {m.name for m in self.measures}
        more = [m for m in measures if m.name not in known]
        runs = self._runs.values()
        return Scores(
            self.task, self.settings, self.topics, [*self.measures, *more], runs, self.fields, self.topic_columns
        )

    def entering(self, run: str) -> Sequence[int]:
        """The positions of the topics that enter a run's averages under the table's policies."""
        return self._entering(self.run(run), None)

    @property
    def per_topic(self) -> list[str]:
        """The columns with a value on every topic that are worth showing: ingredients of the task, then measures."""
        return [*self.topic_columns, *(m.name for m in self.measures if m.level == "topic")]

    def mean(self, measure: str | Measure) -> dict[str, Cell]:
        """Each run's number for a measure, by the average the measure declares and the table's policies."""
        return {name: self.value(name, measure).value for name in self._runs}

    def values(self, measure: str | Measure, run: str) -> dict[str, Cell]:
        """One run's value on each topic; None where the measure is undefined."""
        wanted = self.measure(measure)
        if wanted.level != "topic":
            raise UsageError(f"{wanted} has no value per topic: it is computed from all of a run's topics at once")
        return dict(zip(self.topics, self.shown(run, wanted.name), strict=True))

    def to_frame(self, backend: str = "pandas") -> Any:
        """A data frame with a row per run and topic: columns run, topic, status and one per topic-level measure.

        `backend` is pandas, polars or pyarrow; the package must be installed (`pip install 'assay-eval[frames]'`).
        """
        import narwhals as nw

        names = self.per_topic
        data: dict[str, list[Any]] = {"run": [], "topic": [], "status": []}
        data.update({name: [] for name in names})
        for run in self._runs.values():
            data["run"] += [run.name] * len(self.topics)
            data["topic"] += self.topics
            data["status"] += [MISSING if gone else SCORED for gone in run.missing]
            for name in names:
                data[name] += self.shown(run.name, name)
        if backend not in BACKENDS:
            raise UsageError(f"backend={backend!r}: expected one of {', '.join(BACKENDS)}")
        chosen: Any = backend
        try:
            return nw.from_dict(data, backend=chosen).to_native()
        except ModuleNotFoundError:
            raise UsageError(f"{backend} is not installed: pip install 'assay-eval[frames]'") from None
        except UnicodeEncodeError:
            raise InputError("an id is not UTF-8, which a data frame must be; use -f json or tsv") from None
