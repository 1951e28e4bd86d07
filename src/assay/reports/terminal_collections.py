"""What `assay items` and `assay pool` print: suspicious questions, documents to judge, and what depends on a single team."""

from __future__ import annotations

from dataclasses import replace

from assay.analyses.items import Items
from assay.collections.pools.leave_one_out import LeftOut
from assay.collections.pools.pool import Pool
from assay.reports.model import Section, Table
from assay.reports.pages import items as item_pages
from assay.reports.pages.pool import left_out_rule, left_out_sections, pool_sections, team_table
from assay.reports.terminal_answer import answer


def item_sections(result: Items, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, the items on which good runs do badly or else the hardest, and what options asked for."""
    worst = result.of_kind("suspicious", "negative")
    table = item_pages.suspect_table(result, worst, "") if worst else item_pages.hard_table(result)
    table = table if worst else replace(table, title="Hardest that some run gets")
    discrimination = (
        f"Discrimination: the correlation with the runs' means over the other {result.noun}s; suspicious where it is below 0 at a false "
        f"discovery rate of {result.alpha:.0%}."
    )
    pages, requested = item_pages.sections(result), item_pages.requested_sections(result)
    method = [item_pages.summary(result), discrimination]
    more = f"chart, hardest {result.noun}s, {result.noun}s on which all runs agree"
    shown = answer(result.finding, [table], method, pages, more, verbose)
    return shown if verbose else [*shown, *requested]


def pool_answer(pool: Pool, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, and the documents to judge by topic."""
    [table] = (block for block in pool_sections(pool)[0].blocks if isinstance(block, Table))
    return answer(pool.finding, [replace(table, title="")], [table.caption], [], "", False)


def left_out_answer(result: LeftOut, width: int | None = None, verbose: bool = False) -> list[Section]:
    """Return the finding, and what depends on each team."""
    table = replace(team_table(result), title="")
    pages = left_out_sections(result)
    return answer(result.finding, [table], [left_out_rule(result)], pages, "every run without its own team", verbose)
