"""The evaluation report: one model of plain data, drawn as HTML, PDF or text.

from assay.report import report, to_html, to_pdf, to_text

pages = report("qrels.txt", "runs/", ["AP", "nDCG@10"])
open("trec.html", "w", encoding="utf-8").write(to_html(pages))
"""

from __future__ import annotations

from assay.report.build import report, report_of
from assay.report.html import to_html
from assay.report.model import Report
from assay.report.pdf import to_pdf
from assay.report.text import to_text

__all__ = ["Report", "report", "report_of", "to_html", "to_pdf", "to_text"]
