"""The report object: prints as text, saves as HTML, PDF or text, and shows in a notebook or a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from assay.errors import UsageError
from assay.io.atomic_files import write_whole
from assay.reports.model import Document
from assay.table.results import Result
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.reports.pdf import Progress

# A form is imported by the method that writes it: a page for the browser needs nothing of the PDF or the terminal.
FORMS = {"html": "html", "htm": "html", "pdf": "pdf", "txt": "text", "text": "text"}
"""The form by the ending of the file."""


class Report(Result):
    """The evaluation report of a campaign, or of one run; prints as its text.

    document   its pages as plain data
    scores     the table it is about
    warnings   what is not shown, and why
    """

    def __init__(self, document: Document, scores: Scores, warnings: Sequence[str] = ()) -> None:
        self.document = document
        self.scores = scores
        self.warnings = list(warnings)

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """The table behind the report, a row per run and topic."""
        return self.scores.rows()

    def to_dict(self) -> dict[str, Any]:
        """The JSON of the table behind the report."""
        return self.scores.to_dict()

    def to_text(self, width: int = 100) -> str:
        """Return the report as text, with lines of at most `width` columns."""
        from assay.reports.text import to_text

        return to_text(self.document, width)

    def to_html(self) -> str:
        """Return the report as one HTML file that fetches nothing."""
        from assay.reports.sites import to_html

        return to_html(self.document)

    def to_pdf(self, progress: Progress | None = None) -> bytes:
        """Return the report as PDF; `progress` is called with the page being drawn and the number of pages."""
        from assay.reports.pdf import to_pdf

        return to_pdf(self.document, progress)

    def save(self, path: str | os.PathLike[str], progress: Progress | None = None) -> None:
        """Write the report in the form its ending names, whole or not at all; an HTML page too large for one file gets a
        folder of data beside it.

        path       .html, .pdf or .txt
        progress   called with the page being drawn and the number of pages
        """
        form = form_of(path)
        if form == "html":
            from assay.reports.sites import save_html

            folder = save_html(self.document, path, progress)
            if folder:
                self.warnings.append(f"{os.fspath(path)}: needs the folder {folder} beside it")
        elif form == "pdf":
            write_whole(path, self.to_pdf(progress))
        else:
            write_whole(path, self.to_text().encode("utf-8", "surrogateescape"))

    def view(self, port: int = 0, said: Callable[[str], object] = print) -> None:
        """Serve the report to a browser on this machine until interrupted; pages are built when they are opened.

        port   where to listen; any free one where it is 0
        said   called with the link to open
        """
        from assay.io.loopback_server import Server
        from assay.reports.sites import Served

        server = Server(Served(self.document), port)
        try:
            said(server.link)
            server.run()
        except KeyboardInterrupt:
            return

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        """Show the page in a frame, which keeps its styles and scripts apart from the notebook's."""
        style = "width: 100%; height: 85vh; border: 0"
        return f'<iframe srcdoc="{escape(self.to_html())}" sandbox="allow-scripts" style="{style}"></iframe>'


def form_of(path: str | os.PathLike[str]) -> str:
    """Return html, pdf or text, by the file's ending."""
    ending = os.fspath(path).rpartition(".")[2].lower()
    if ending not in FORMS:
        raise UsageError(f"{os.fspath(path)}: expected a name that ends in .html, .pdf or .txt")
    return FORMS[ending]
