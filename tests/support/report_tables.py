"""The tables of a report, read from its HTML, and from the pages that wait in it deflated."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser


def inflated(text):
    """Return the value that a page's script would read from deflated text."""
    return json.loads(zlib.decompress(base64.b64decode(text)))


BESIDE = {"team", "failed", "beside"}
"""Classes of what stands beside the name of a run or the id of a topic."""


class Tables(HTMLParser):
    """Every table of a page: by the id of its figure, rows of (shown, whole value or None, ends or None).

    Drawings, feet, and what stands beside a name, are left out.
    """

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.found, self.figure, self.cell, self.row, self.unread = {}, None, None, None, 0
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if self.unread or tag in ("svg", "tfoot") or named.get("class") in BESIDE:
            self.unread += 1
        elif tag == "figure":
            self.figure = named["id"]
        elif tag == "table":
            self.found[self.figure] = []
        elif tag == "tr":
            self.row = []
        elif tag in ("td", "th") and self.row is not None:
            self.cell = ["", named.get("data-v"), (named.get("data-low"), named.get("data-high"))]

    def handle_data(self, data):
        if self.cell is not None and not self.unread:
            self.cell[0] += data

    def handle_endtag(self, tag):
        if self.unread:
            self.unread -= 1
        elif tag in ("td", "th") and self.cell is not None:
            shown, value, ends = self.cell
            self.row.append((shown.strip(), value, ends))
            self.cell = None
        elif tag == "tr" and self.row is not None:
            self.found[self.figure].append(self.row)
            self.row = None


def opened(page):
    """Every table of a file, those of the pages that wait until they are opened too, and what else waits."""
    packed = json.loads(re.search(r'id="report-pages">(.*?)</script>', page, re.DOTALL)[1])
    waiting = {address: inflated(text) for address, text in packed.items()}
    found, plots = Tables(page).found, {}
    for address, sheet in waiting.items():
        for section in sheet["sections"] if address.startswith("run/") else ():
            for block in [part for one in section["blocks"] for part in one.get("blocks", [one])]:
                if block["kind"] == "table":
                    head = [[(column["label"], None, (None, None)) for column in block["columns"]]]
                    rows = [
                        [(row, None, (None, None))] if isinstance(row, str) else list(map(read, row))
                        for row in block["rows"]
                    ]
                    found[block["id"]] = [*(head if block["columns"] else []), *rows]
                plots |= {name: drawn for name, _, drawn in block.get("charts", ())}
    return found, waiting, plots


def read(cell):
    """A cell of a page that waits, as `Tables` reads one that stands in the file."""
    shown, more = cell if isinstance(cell, list) else (cell, {})
    value, ends = more.get("v"), more.get("ends")
    return shown, None if value is None else repr(value), (str(ends[0]), str(ends[1])) if ends else (None, None)


def number(cell):
    shown, value, _ = cell
    return None if shown == "n/a" else float(value if value is not None else shown)
