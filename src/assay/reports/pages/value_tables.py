"""Tables of every run's value on every topic, for paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from assay.figures.common import natural
from assay.reports import model
from assay.reports.model import ComparisonBlock, Note, Section, Table, TableColumn, counted

NUMBER_SPACE = "\u00a0"
"""Begins, and parts, the numbers of a cell that holds many."""
LETTERS_ACROSS, LONGEST_TOPIC, DIGITS = 92, 22, 3
"""Letters beside each other, letters of a topic's name, and digits of a value."""
MAX_PRINTED_VALUES = 20_000
"""More values are not printed."""


def every_value(comparison: ComparisonBlock) -> Section | None:
    """Return the first measure's value of every run on every topic, in tables as wide as a page."""
    measure = next((values_of_measure for values_of_measure in comparison.measures if values_of_measure.topics), None)
    if measure is None or len(comparison.topics) == 0:
        return None
    unit = comparison.unit
    title = f"{measure.name} on every {unit}"
    if len(comparison.topics) * len(comparison.runs) > MAX_PRINTED_VALUES:
        count = f"{counted(len(comparison.runs), 'run')} on {counted(len(comparison.topics), unit)}"
        return Section(
            "values", title, (Note(f"The values of {count} are in the HTML report and in the table of scores."),)
        )
    whole = all(value is None or value == int(value) for values in measure.topics for value in values)
    digits = 0 if whole else DIGITS
    texts = [[model.number(value, digits).text for value in values] for values in measure.topics]
    order = sorted(range(len(texts)), key=lambda run: natural(comparison.runs[run].casefold()))
    named = min(LONGEST_TOPIC, max(map(len, comparison.topics)))
    wide = max(named, *(len(text) for row in texts for text in row))
    # As many topics in each table as in the others, or one less.
    parts = ceil(len(comparison.topics) / max(1, LETTERS_ACROSS // (wide + 1)))
    edges = [round(part * len(comparison.topics) / parts) for part in range(parts + 1)]
    tables: list[Table] = []
    for start, end in pairwise(edges):
        topics = comparison.topics[start:end]
        rows = tuple(
            (
                model.text(comparison.runs[run], link=f"run-{run + 1}"),
                model.text(_aligned(texts[run][start:end], wide)),
            )
            for run in order
        )
        which = f"{unit.capitalize()} {topics[0]}"
        which = f"{unit.capitalize()}s {topics[0]} to {topics[len(topics) - 1]}" if len(topics) > 1 else which
        short = [topic if len(topic) <= wide else f"{topic[: wide - 1]}…" for topic in topics]
        tables.append(Table(f"values-{start}", which, (TableColumn("Run"), TableColumn(_aligned(short, wide))), rows))
    return Section("values", title, tuple(tables))


def _aligned(texts: Sequence[str], wide: int) -> str:
    """Texts in one cell, each as wide as the others; a cell for every one would make a book ten times as heavy."""
    return NUMBER_SPACE + NUMBER_SPACE.join(f"{text:>{wide}}" for text in texts)
