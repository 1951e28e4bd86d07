"""The evaluation report: one model of plain data, drawn as HTML, PDF or text.

from assay.reports import report, to_html, to_pdf, to_text

pages = report("qrels.txt", "runs/", ["AP", "nDCG@10"])
open("trec.html", "w", encoding="utf-8").write(to_html(pages))
"""

from __future__ import annotations

from assay.reports.build import report, report_of
from assay.reports.html import to_html
from assay.reports.model import Report
from assay.reports.pdf import to_pdf
from assay.reports.text import to_text

__all__ = ["Report", "report", "report_of", "to_html", "to_pdf", "to_text"]
