"""The result of `assay.suite`: every run on every task, and its means over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import UsageError
from assay.stats.bootstrap_intervals import Interval
from assay.table.best_runs import best_place
from assay.table.results import Result


@dataclass(frozen=True, kw_only=True)
class TaskValue:
    """One run on one task."""

    value: float | int | None
    questions: int
    """How many entered."""
    interval: Interval | None = None
    missing: bool = False
    """Whether the run has no results for the task at all."""


@dataclass(frozen=True, kw_only=True)
class SuiteRun:
    """One run of the leaderboard."""

    run: str
    tasks: dict[str, TaskValue]
    macro: float | None
    """The mean over tasks; None where the run lacks one."""
    interval: Interval | None = None
    micro: float | int | None = None
    """Over all questions pooled, where it was asked for."""
    micro_interval: Interval | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Suite(Result):
    """Runs by one measure on each task of a suite; prints as a leaderboard with a column per task."""

    measure: str
    noun: str
    higher_is_better: bool | None
    field: str
    tasks: dict[str, int]
    """How many questions each task has."""
    runs: list[SuiteRun]
    """Best macro mean first; those without one last."""
    micro: bool
    intervals: bool
    settings: dict[str, Any]
    notes: list[str]

    def run(self, name: str) -> SuiteRun:
        """One run's results.

        name   its name
        """
        from assay.table.run_names import unknown_run

        match = next((row for row in self.runs if row.run == name), None)
        if match is None:
            raise UsageError(unknown_run(name, [row.run for row in self.runs]))
        return match

    @property
    def missing(self) -> list[tuple[str, str]]:
        """Which run has no results for which task."""
        return [(row.run, task) for row in self.runs for task, value in row.tasks.items() if value.missing]

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """A row per run and task, then the run's means: measure, run, of (task, macro, micro), task, questions, value, ends."""
        header = ["measure", "run", "of", "task", "questions", "value", "low", "high", "method"]
        rows: list[list[Any]] = []
        for row in self.runs:
            named = [("task", task, value.questions, value.value, value.interval) for task, value in row.tasks.items()]
            all_of_them = sum(value.questions for value in row.tasks.values())
            named.append(("macro", None, all_of_them, row.macro, row.interval))  # type: ignore[arg-type]
            if self.micro:
                named.append(("micro", None, all_of_them, row.micro, row.micro_interval))  # type: ignore[arg-type]
            rows += [[self.measure, row.run, *cells[:4], *_ends(cells[4])] for cells in named]
        return header, rows

    def board(self, together: bool = True) -> tuple[list[str], list[list[Any]], set[tuple[int, int]]]:
        """A row per run and a column per task, and where the best of each column stands.

        together   intervals as a person reads them, else as two numbers
        """
        columns, tasks = self._columns(), list(self.tasks)
        header, rows = ["measure", "run"], [[self.measure, entry.run] for entry in self.runs]
        best: set[tuple[int, int]] = set()
        for number, (name, cells) in enumerate(columns):
            place = len(header)
            header.append(name)
            values = [value for value, _ in cells]
            # The means stand after the tasks.
            row_of_best = self.best(values, tasks[number : number + 1] or tasks)
            best |= set() if row_of_best is None else {(row_of_best, place)}
            for row, value in zip(rows, values, strict=True):
                row.append(value)  # type: ignore[arg-type]
            if self.intervals:
                header += [f"{name} {self._percent}"] if together else [f"{name}_low", f"{name}_high"]
                for row, (_, end) in zip(rows, cells, strict=True):
                    row += [_span(end)] if together else list(_ends(end)[:2])
        return header, rows, best

    def _columns(self) -> list[tuple[str, list[tuple[Any, Interval | None]]]]:
        """The tasks, then the means, with a cell per run; a task that is called as a mean is, is told apart."""
        own = {"measure", "run", "macro", "micro"}
        columns = [
            (f"{task} (task)" if task in own else task, [(row.tasks[task].value, row.tasks[task].interval) for row in self.runs])
            for task in self.tasks
        ]  # fmt: skip
        columns.append(("macro", [(row.macro, row.interval) for row in self.runs]))
        if self.micro:
            columns.append(("micro", [(row.micro, row.micro_interval) for row in self.runs]))
        return columns

    def best(self, values: Sequence[Any], tasks: Sequence[str]) -> int | None:
        """Return the place of the best of some values; None where runs tie, or answered different numbers of questions.

        values   a value per run
        tasks    those that the values are over
        """
        known = [run for run, value in zip(self.runs, values, strict=True) if value is not None]
        if any(len({run.tasks[task].questions for run in known}) > 1 for task in tasks):
            return None
        return best_place(values, self.higher_is_better)

    @property
    def _percent(self) -> str:
        return f"{100 * self.settings['confidence']:g}%"

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        runs: list[dict[str, Any]] = []
        for row in self.runs:
            tasks = {
                task: {"value": value.value, "questions": value.questions, **self._told(value.interval)}
                for task, value in row.tasks.items()
            }
            entry = {"run": row.run, "tasks": tasks, "macro": {"value": row.macro, **self._told(row.interval)}}
            more = {"micro": {"value": row.micro, **self._told(row.micro_interval)}} if self.micro else {}
            runs.append({**entry, **more})
        return {
            "measure": self.measure, "field": self.field, "tasks": self.tasks, "runs": runs,
            "missing": [{"run": run, "task": task} for run, task in self.missing], "settings": self.settings,
            "notes": self.notes,
        }  # fmt: skip

    def _told(self, end: Interval | None) -> dict[str, Any]:
        """An interval as JSON has it; nothing where none were asked for."""
        if not self.intervals:
            return {}
        if end is None:
            return {"interval": None, "method": None, "confidence": self.settings["confidence"]}
        return {"interval": [end.low, end.high], "method": end.method, "confidence": end.confidence}


def _ends(end: Interval | None) -> tuple[Any, Any, Any]:
    return (None, None, None) if end is None else (end.low, end.high, end.method)


def _span(end: Interval | None) -> str:
    return "n/a" if end is None else f"[{end.low:.4f}, {end.high:.4f}]"
