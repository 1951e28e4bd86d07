"""Draw results: one model of plain data (`model`), laid out by `pages`, drawn as HTML, PDF or text.

    Result ──pages──▶ Sections, Document ──┬─ text, tables   the terminal
                                           ├─ html, notebook the page, a notebook's cell
                                           └─ pdf            paper

Nothing here computes: the numbers come from `figures`, `stats` and `analyses`.
"""
