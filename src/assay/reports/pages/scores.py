"""The pages of a table that has nothing but its numbers: what every campaign has, and each run's values by topic."""

from __future__ import annotations

from typing import Any

from assay.reports import model
from assay.reports.model import Page
from assay.reports.pages.campaign import (
    Campaign,
    heading,
    measure_table,
    page_id,
    page_of,
    split_columns,
    topic_section,
    topic_table,
)


def run_page(figures: Any, campaign: Campaign, position: int) -> Page:
    """There are no figures of its own."""
    run, prefix, unit = campaign.runs[position], page_id(position), campaign.unit
    tables = [
        topic_table(
            campaign,
            f"{prefix}-values-{number}",
            f"Values by {unit}",
            [heading(one) for one in part],
            (
                (model.text(topic), *(model.number(one.topics[position][i]) for one in part))
                for i, topic in enumerate(campaign.topics)
            ),
            f"Values of {run} on each {unit}.",
        )
        for number, part in split_columns([one for one in campaign.measures if one.topics])
    ]
    values = measure_table(campaign, position, campaign.measures)
    return page_of(campaign, position, [values], *([topic_section(campaign, position, *tables)] if tables else []))
