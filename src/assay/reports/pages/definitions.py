"""Definitions of a report's measures, from their declarations, with worked examples."""

from __future__ import annotations

from collections.abc import Sequence
from doctest import DocTestParser
from inspect import cleandoc

from assay.measures.define import Declaration
from assay.measures.measure import Measure
from assay.reports import model
from assay.reports.model import Cell, Section, Table, TableColumn

AVERAGE = {"mean": "the mean over {}s", "sum": "the sum over {}s", "geometric": "the geometric mean over {}s"}
BETTER: dict[bool | None, str] = {True: "higher is better", False: "lower is better", None: "neither is better"}


def definitions(measures: Sequence[Measure], noun: str) -> Section | None:
    """Return a table per measure; measures that differ only in a parameter share a table."""
    used: dict[Declaration, list[str]] = {}
    for measure in measures:
        used.setdefault(measure.declaration, []).append(measure.name)
    tables = tuple(
        _definition(place, declared, names, noun) for place, (declared, names) in enumerate(used.items(), start=1)
    )
    return Section("definitions", "Definitions", tables) if tables else None


def _definition(place: int, declared: Declaration, names: Sequence[str], noun: str) -> Table:
    documented = cleandoc(declared.function.__doc__ or "")
    meaning, _, _ = documented.partition(">>>")
    level = {
        "topic": AVERAGE[declared.average].format(noun),
        "sums": f"a formula on sums over {noun}s",
        "whole": f"all {noun}s at once",
    }
    low = "−∞" if declared.low is None else f"{declared.low:g}"
    high = "∞" if declared.high is None else f"{declared.high:g}"
    facts = [
        ("Meaning", words(meaning)),
        ("Range", f"{low} to {high}, {BETTER[declared.higher_is_better]}"),
        (f"Over {noun}s", level[declared.level]),
        ("Undefined", words(declared.undefined)),
        ("Defined in", words(declared.cite)),
        *((f"Example {number}", example) for number, example in enumerate(worked(documented), start=1)),
    ]
    rows: list[tuple[Cell, Cell]] = [(model.text(label), model.text(text)) for label, text in facts if text]
    return Table(
        f"definition-{place}", ", ".join(names), (TableColumn(""), TableColumn("")), tuple(rows), show_header=False
    )


def worked(documentation: str) -> list[str]:
    """Return the examples of a docstring as equations, with the statements before them.

    >>> worked("Twice.\\n\\n>>> from a import b\\n>>> n = 2\\n>>> 2 * n\\n4")
    ['n = 2; 2 * n → 4']
    """
    equations: list[str] = []
    before: list[str] = []
    for example in DocTestParser().get_examples(documentation):
        source = " ".join(example.source.split())
        if example.want:
            equations.append(f"{'; '.join([*before, source])} → {' '.join(example.want.split())}")
            before = []
        elif not source.startswith(("from ", "import ")):
            before.append(source)
    return equations


def words(text: str) -> str:
    """Return a docstring's text on one line without backquotes.

    >>> words("the mean of `P@k`,\\n  over topics")
    'the mean of P@k, over topics'
    """
    return " ".join(text.replace("`", "").split())
