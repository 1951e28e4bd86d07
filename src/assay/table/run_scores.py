"""One run of a score table: its columns as computed, before any policy."""

from __future__ import annotations

from types import MappingProxyType

from assay.table.notes import Notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from assay.measures.measure import Measure
    from assay.tasks import Views

    Cell = float | int | None

EACH = "[]"
"""Suffix of a column whose cells are tuples, one value per sample."""
OF_THE_RUN = ("judging", "tool", "characteristics")
"""Notes that are true for any selection of topics."""


def each(name: str) -> str:
    """Return the name of an ingredient's column with a value per sample."""
    return name + EACH


class Value:
    """One number of one run, with its denominator and the counts of missing and undefined topics."""

    __slots__ = ("missing", "topics", "undefined", "value")

    def __init__(self, value: Cell, topics: int, missing: int, undefined: int) -> None:
        self.value: Cell = value
        self.topics: int = topics
        """The denominator: how many topics entered the average."""
        self.missing: int = missing
        """How many topics the run lacks."""
        self.undefined: int = undefined
        """On how many topics the measure is undefined."""

    def __repr__(self) -> str:
        return f"Value({self.value!r}, topics={self.topics}, missing={self.missing}, undefined={self.undefined})"


class RunScores:
    """The columns of one run, aligned with the table's topics; None means undefined.

    A column of zeros and ones may be `bytes`, which adds up fast.
    """

    __slots__ = ("columns", "file", "gone", "missing", "name", "notes", "samples", "views")

    def __init__(
        self,
        name: str,
        file: str | None,
        columns: Mapping[str, Sequence[Cell]],
        missing: Sequence[bool],
        notes: Notes | None = None,
        views: Views | None = None,
        samples: Sequence[int] | None = None,
    ) -> None:
        self.name: str = name
        self.file: str | None = file
        self.columns: Mapping[str, Sequence[Cell]] = MappingProxyType(dict(columns))
        self.missing: Sequence[bool] = missing
        self.gone: int = sum(missing) if samples is None else sum(map(all, zip(missing, samples, strict=True)))
        """How many topics are missing, without those the run was not asked about, which have no samples."""
        self.notes: Notes = notes or Notes()
        self.views: Views | None = views
        """The views the columns were computed from, or None; a report computes more columns from them."""
        self.samples: Sequence[int] | None = samples
        """Scored samples per topic, 0 where all failed; None where every topic has one sample."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickles hold the numbers alone, not the files they were read from.
        return RunScores, (self.name, self.file, dict(self.columns), self.missing, self.notes, None, self.samples)

    def __deepcopy__(self, memo: dict[int, Any]) -> RunScores:
        # A copy in the same process keeps the views.
        return self.but(notes=self.notes.copy())

    def but(self, **changes: Any) -> RunScores:
        """Return a copy with some changes."""
        return RunScores(**{**{name: getattr(self, name) for name in self.__slots__ if name != "gone"}, **changes})

    @property
    def repeated(self) -> bool:
        """Whether some topic has several samples."""
        return self.samples is not None and max(self.samples, default=0) > 1

    def at(self, places: Sequence[int]) -> RunScores:
        """Return the run restricted to some topics, without views and without notes on single topics."""
        notes = {name: getattr(self.notes, name) for name in OF_THE_RUN}

        def some(column: Any) -> Any:
            return bytes(column[i] for i in places) if isinstance(column, bytes) else [column[i] for i in places]

        return RunScores(
            self.name, self.file, {name: some(column) for name, column in self.columns.items()}, some(self.missing),
            Notes(**notes), samples=None if self.samples is None else some(self.samples),
        )  # fmt: skip

    def sums(self, measure: Measure, places: Sequence[int]) -> tuple[int, list[float | int]]:
        """Return n and the sums of a measure's ingredients over some topics."""
        from assay.table import repeats

        columns = [self.columns[name] for name in measure.of]
        if self.samples is not None and measure.average != "sum":
            return repeats.added(columns, self.samples, places)
        if not isinstance(places, range):
            columns = [[column[i] for i in places] for column in columns]
        sums = (
            column.count(1) if isinstance(column, bytes) else sum(cell or 0 for cell in column) for column in columns
        )
        return len(places), [*sums]

    def ingredients(self, measure: Measure, places: Sequence[int]) -> list[Sequence[Any]]:
        """Return the ingredients of a measure of the whole run over some topics: a cell per topic, or per sample."""
        from assay.table import repeats

        if self.samples is None:
            columns = [self.columns[name] for name in measure.of]
            return columns if isinstance(places, range) else [[column[i] for i in places] for column in columns]
        columns = [self.columns[each(name)] for name in measure.of]
        counts = [self.samples[i] for i in places]
        return [*repeats.flattened([[column[i] for i in places] for column in columns], counts)]
