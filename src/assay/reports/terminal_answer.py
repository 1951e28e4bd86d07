"""What most commands print: the finding, the table that carries it, the method; with --verbose also the pages of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.reports.model import Block, Chart, Note, Section, Table


def answer(
    finding: str, carrying: Sequence[Block], method: Sequence[str], pages: Sequence[Section], more: str, verbose: bool
) -> list[Section]:
    """Return the sections of a command.

    carrying   the table, and what options asked for; its caption comes with `verbose`
    method     how the numbers were made, a line each
    pages      of the report; with `verbose` they follow, without what is printed already
    more       what these have, for the last line
    """
    lines = [*method, *([] if verbose or not more else [f"More: -v ({more})"])]
    tables = [block if verbose or not isinstance(block, Table) else replace(block, caption="") for block in carrying]
    first = Section("answer", "", (Note(finding), *tables, *(Note(line) for line in lines if line)))
    return [first, *_without(pages, finding, carrying, lines)] if verbose else [first]


def _without(pages: Sequence[Section], finding: str, carrying: Sequence[Block], lines: Sequence[str]) -> list[Section]:
    """Leave out what is printed already: the finding, lines on the method, and tables and charts of the same id."""
    printed = {block.id for block in carrying if isinstance(block, Table | Chart)}
    left: list[Section] = []
    for section in pages:
        blocks: list[Block] = []
        for block in section.blocks:
            if isinstance(block, Table | Chart) and block.id in printed:
                continue
            if isinstance(block, Note):
                rest = block.body.removeprefix(finding).strip()
                blocks += [replace(block, body=rest)] if rest and rest not in lines else []
            else:
                blocks.append(block)
        left += [replace(section, blocks=tuple(blocks))] if blocks else []
    return left
