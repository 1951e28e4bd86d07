"""What the measures of a report mean: each from its own declaration, with the example that its author worked."""

from __future__ import annotations

from collections.abc import Sequence
from doctest import DocTestParser
from inspect import cleandoc

from assay.measures.define import Declaration
from assay.measures.measure import Measure
from assay.reports import model
from assay.reports.model import Cell, Section, Table, TableColumn

AVERAGE = {"mean": "the mean over {}s", "sum": "the sum over {}s", "geometric": "the geometric mean over {}s"}
BETTER = {True: "higher is better", False: "lower is better", None: "neither is better"}


def definitions(measures: Sequence[Measure], noun: str) -> Section | None:
    """A table per measure that the report uses; those that differ in a parameter only are one."""
    used: dict[Declaration, list[str]] = {}
    for measure in measures:
        used.setdefault(measure.declaration, []).append(measure.name)
    tables = tuple(_definition(place, one, names, noun) for place, (one, names) in enumerate(used.items(), start=1))
    return Section("definitions", "Definitions", tables) if tables else None


def _definition(place: int, declared: Declaration, names: Sequence[str], noun: str) -> Table:
    documented = cleandoc(declared.function.__doc__ or "")
    said, _, _ = documented.partition(">>>")
    level = {
        "topic": AVERAGE[declared.average].format(noun),
        "sums": f"a formula on sums over {noun}s",
        "whole": f"all {noun}s at once",
    }
    low = "−∞" if declared.low is None else f"{declared.low:g}"
    high = "∞" if declared.high is None else f"{declared.high:g}"
    facts = [
        ("Meaning", words(said)),
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
    """The examples of a docstring as equations; what only prepares one stands before it.

    >>> worked("Twice.\\n\\n>>> from a import b\\n>>> n = 2\\n>>> 2 * n\\n4")
    ['n = 2; 2 * n → 4']
    """
    found: list[str] = []
    before: list[str] = []
    for example in DocTestParser().get_examples(documentation):
        source = " ".join(example.source.split())
        if example.want:
            found.append(f"{'; '.join([*before, source])} → {' '.join(example.want.split())}")
            before = []
        elif not source.startswith(("from ", "import ")):
            before.append(source)
    return found


def words(text: str) -> str:
    """A sentence of a docstring for a reader who knows no markup: on one line, nothing in backquotes.

    >>> words("the mean of `P@k`,\\n  over topics")
    'the mean of P@k, over topics'
    """
    return " ".join(text.replace("`", "").split())
