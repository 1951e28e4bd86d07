"""The base of all results: printing, rows, JSON, data frames, documents."""

from __future__ import annotations

from assay.errors import InputError, UsageError
from assay.settings import checked, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.reports.plots import Plot

BACKENDS = ("pandas", "polars", "pyarrow")


class Result:
    """A result: it prints as on the terminal, and as HTML in a notebook."""

    __slots__ = ()

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return header and rows of the result as a table."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return the result as documented JSON data."""
        raise NotImplementedError

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a data frame of `rows()`.

        backend   pandas, polars or pyarrow; the package must be installed (`pip install 'assay-eval[frames]'`)
        """
        checked("backend", backend, one_of(*BACKENDS))
        import narwhals as nw

        header, rows = self.rows()
        columns = {name: [row[i] for row in rows] for i, name in enumerate(header)}
        chosen: Any = backend
        try:
            return nw.from_dict(columns, backend=chosen).to_native()
        except ModuleNotFoundError:
            raise UsageError(f"{backend} is not installed: pip install 'assay-eval[frames]'") from None
        except UnicodeEncodeError:
            raise InputError("an id is not UTF-8, which a data frame needs. Fix: use `format=json` or tsv.") from None

    def __repr__(self) -> str:
        from assay.reports import results

        return results.text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from assay.reports import results

        return results.html(self)

    def plot(self, kind: str = "", **options: Any) -> Plot:
        """Return the result as a chart, which shows in notebooks and saves as SVG, PDF or PNG.

        kind      leaderboard, ranks, swap, …; the first that the result has by default
        options   of the kind, such as `run="bm25"`
        """
        from assay.reports import results

        return results.plot(self, kind, **options)

    def save_as(self, path: Any, title: str, subtitle: str = "") -> None:
        """Write the result as a document: .html, .pdf or .txt."""
        from assay.reports import results

        results.save(self, path, title, subtitle)


class Listing(Result):
    """A result that is a table: columns and rows, and JSON data."""

    def __init__(
        self, header: list[str], cells: list[list[Any]], data: Any, titles: list[str] | None = None,
        shown: list[list[Any]] | None = None, remarks: Sequence[str] = (), finding: str = "",
    ) -> None:  # fmt: skip
        self.header = header
        self.titles: list[str] = titles or header
        """Column titles for people; `header` has unique names for programs."""
        self.cells = cells
        self.shown: list[list[Any]] = cells if shown is None else shown
        """Cells for people; `cells` has them for programs."""
        self.data = data
        self.remarks = remarks
        """Lines for standard error."""
        self.finding = finding
        """What the table shows, in a sentence; nothing where it answers no question."""

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return header and rows of the result as a table."""
        return self.header, self.cells

    def to_dict(self) -> dict[str, Any]:
        """Return the result as documented JSON data."""
        return self.data
