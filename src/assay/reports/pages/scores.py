"""The pages of a table that has nothing but its numbers: what every campaign has, and each run's values by topic."""

from __future__ import annotations

from typing import Any

from assay.reports import model
from assay.reports.model import Block, Column, Document, Page, Table
from assay.reports.pages.assembly import assemble
from assay.reports.pages.campaign import Campaign, Frame, by_topic, by_topic_section, page_id, run_page, split_columns


def pages(figures: Any, campaign: Campaign, frame: Frame) -> Document:
    """The campaign's report, or one participant's pages; there are no figures of its own."""
    return assemble(frame, campaign, lambda position: _run_page(campaign, position))


def _run_page(campaign: Campaign, position: int) -> Page:
    run, prefix = campaign.runs[position], page_id(position)
    values = Table(
        f"{prefix}-measures",
        "Measures",
        (Column("Measure"), Column("Value", numeric=True)),
        tuple((model.text(one.name, hint=one.hint), one.cell(position)) for one in campaign.measures),
        f"Values of {run}. {campaign.how}",
    )
    topical = [one for one in campaign.measures if one.topics]
    blocks: list[Block] = []
    for number, part in split_columns(topical):
        rows = by_topic(
            (model.text(topic), *(model.number(one.topics[position][i]) for one in part))
            for i, topic in enumerate(campaign.topics)
        )
        columns = (Column(campaign.unit.capitalize()), *(Column(one.name, one.hint, numeric=True) for one in part))
        caption = f"Values of {run} on each {campaign.unit}. {campaign.how}"
        blocks.append(
            Table(f"{prefix}-values-{number}", f"Values by {campaign.unit}", columns, rows, caption, sortable=True)
        )
    return run_page(campaign, position, [values], *([by_topic_section(campaign, position, *blocks)] if blocks else []))
