"""What the verbs of assay return: each result prints as on the terminal, and knows its rows and its JSON."""

from __future__ import annotations

from assay.errors import InputError, UsageError
from assay.settings import checked, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

BACKENDS = ("pandas", "polars", "pyarrow")


class Result:
    """Prints as on the terminal; a notebook shows it as a page."""

    __slots__ = ()

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header and rows of the table a program wants."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        raise NotImplementedError

    def to_frame(self, backend: str = "pandas") -> Any:
        """A data frame of `rows()`.

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
            raise InputError(
                "an id is not UTF-8, which a data frame must be; `format=json` and tsv can hold it"
            ) from None

    def __repr__(self) -> str:
        from assay.reports import results

        return results.text(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from assay.reports import results

        return results.html(self)

    def save_as(self, path: Any, title: str, subtitle: str = "") -> None:
        """Write the result as a document: .html, .pdf or .txt."""
        from assay.reports import results

        results.save(self, path, title, subtitle)


class Listing(Result):
    """A table that is its own result: columns, rows, and the same as JSON."""

    def __init__(
        self, header: list[str], cells: list[list[Any]], data: Any, titles: list[str] | None = None,
        shown: list[list[Any]] | None = None, remarks: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.header = header
        self.titles = titles or header
        """What a person reads above the columns, where a program needs a name of its own for each."""
        self.cells = cells
        self.shown = cells if shown is None else shown
        """What a person reads below the titles."""
        self.data = data
        self.remarks = remarks
        """What a person should know before believing it."""

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header and rows of the table a program wants."""
        return self.header, self.cells

    def to_dict(self) -> dict[str, Any]:
        """The documented JSON shape."""
        return self.data
