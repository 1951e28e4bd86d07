"""The samples of a table: numbers from 0 or 1, or names such as the ids of attempts, which are numbered in the order of their lines."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.io.sources import Source


class SampleNumbers:
    """Number the samples of a column; its first cell decides whether they are numbers or names.

    >>> from assay.io.sources import Source
    >>> samples = SampleNumbers(Source("runs.csv"), names_allowed=True)
    >>> samples.number("m", "q1", 2, "x7"), samples.number("m", "q1", 3, "k2"), samples.number("m", "q2", 4, "x7")
    (1, 2, 1)
    """

    def __init__(self, source: Source, names_allowed: bool) -> None:
        """Names need a column that the user named: a column called `sample` has numbers."""
        self._source = source
        self._by_name = None if names_allowed else False
        self._lines: dict[tuple[str, str], dict[str, int]] = {}
        """By run and question, the line of every name."""

    def number(self, run: str, question: str, line: int, cell: str | None) -> int | None:
        """Return the number of a sample; None where the cell is empty and samples are numbers."""
        number = None if cell is None else _whole_number(cell)
        if self._by_name is None and cell is not None:
            self._by_name = number is None
        if not self._by_name:
            if number is None and cell is not None:
                raise self._source.error(line, f"sample {cell!r:.40}: expected a whole number from 0 or 1")
            return number
        if cell is None:
            raise self._source.error(line, f"the sample of question {question!r} is empty; expected a name")
        lines = self._lines.setdefault((run, question), {})
        if cell in lines:
            problem = f"sample {cell!r:.40} of question {question!r} is already on line {lines[cell]}"
            raise self._source.error(line, problem)
        lines[cell] = line
        return len(lines)


def _whole_number(cell: str) -> int | None:
    """Return a cell as a whole number, else None; a data frame with gaps has whole numbers as 1.0.

    >>> _whole_number("0"), _whole_number("2.0"), _whole_number("-1"), _whole_number("a1")
    (0, 2, None, None)
    """
    number = cell.removesuffix(".0")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else None
