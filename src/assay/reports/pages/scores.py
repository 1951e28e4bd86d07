"""The pages of a table that has nothing but its numbers: what every campaign has, and each run's values by topic."""

from __future__ import annotations

from typing import Any

from assay.reports import model
from assay.reports.model import RunPage, Table
from assay.reports.pages import campaign as shared
from assay.reports.pages.campaign import Campaign, page_id, topic_table


def run_page(figures: Any, campaign: Campaign, position: int) -> RunPage:
    """There are no figures of its own."""
    run, prefix, unit = campaign.runs[position], page_id(position), campaign.unit
    title, said = f"Values by {unit}", f"Values of {run} on each {unit}."
    tables: list[Table] = []
    for number, part in shared.split_columns([one for one in campaign.measures if one.topics]):
        rows = [
            (model.text(topic), *(model.number(one.topics[position][i]) for one in part))
            for i, topic in enumerate(campaign.topics)
        ]
        heads = [shared.heading(one) for one in part]
        tables.append(topic_table(campaign, f"{prefix}-values-{number}", title, heads, rows, said))
    values = shared.measure_table(campaign, position, campaign.measures)
    more = [shared.topic_section(campaign, position, *tables)] if tables else []
    return shared.page_of(campaign, position, [values], *more)
