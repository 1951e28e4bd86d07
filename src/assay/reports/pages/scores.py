"""The pages of scores without other figures: each run's values by topic."""

from __future__ import annotations

from typing import Any

from assay.analyses.campaign.result import CampaignResults
from assay.reports import model
from assay.reports.model import RunPage, Table
from assay.reports.pages.page_parts import (
    heading,
    measure_table,
    page_id,
    page_of,
    split_columns,
    topic_section,
    topic_table,
)


def run_page(figures: Any, campaign: CampaignResults, position: int) -> RunPage:
    """Return the page of a run; `figures` are those of any task and unused."""
    run, prefix, unit = campaign.runs[position], page_id(position), campaign.unit
    title, caption = f"Values by {unit}", f"Values of {run} on each {unit}."
    tables: list[Table] = []
    for number, part in split_columns([measure for measure in campaign.measures if measure.topics]):
        rows = [
            (model.text(topic), *(model.number(measure.topics[position][i]) for measure in part))
            for i, topic in enumerate(campaign.topics)
        ]
        heads = [heading(measure) for measure in part]
        tables.append(topic_table(campaign, f"{prefix}-values-{number}", title, heads, rows, caption))
    values = measure_table(campaign, position, campaign.measures)
    more = [topic_section(campaign, position, *tables)] if tables else []
    return page_of(campaign, position, [values], *more)
