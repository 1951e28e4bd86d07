"""Questions worth reading first: all runs wrong, confident mistakes, and those that one run alone got right."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import natural
from assay.figures.items.question_outcomes import ReadingList
from assay.reports import model
from assay.reports.model import BlockRow, Cell, Section, Table, TableColumn, counted, numbers
from assay.reports.pages.page_parts import page_id

MAX_LISTED_QUESTIONS = 50
"""Questions listed; the figures have all."""
TITLE = "Questions worth reading first"


def everybody_section(reading: ReadingList | None, campaign: CampaignResults) -> Section | None:
    """Return the questions that no run got right; None where there are none."""
    if reading is None or not reading.everybody_wrong:
        return None
    questions = reading.everybody_wrong
    rows = [
        (_question(topic), model.count(wrong), model.count(reading.runs))
        for topic, wrong in questions[:MAX_LISTED_QUESTIONS]
    ]
    columns = (TableColumn(campaign.unit.capitalize()), *numbers("Wrong answers", "Runs"))
    caption = (
        f"The {counted(len(questions), campaign.unit)} that no run got right and at least two answered, the most wrong answers "
        f"first: this is where the gold is often mistaken.{_first(questions)}{_most_often(campaign)} {campaign.method}"
    )
    table = Table("everybody-wrong", "All runs wrong", columns, tuple(rows), caption, sortable=True)
    return Section("reading-section", TITLE, (table,))


def run_section(reading: ReadingList | None, campaign: CampaignResults, position: int) -> Section | None:
    """Return a run's confident mistakes, and what it alone got right."""
    if reading is None:
        return None
    run, prefix, unit = campaign.runs[position], page_id(position), campaign.unit
    tables: list[Table] = []
    if mistakes := reading.confidently_wrong[run]:
        rows = [
            (_question(mistake.topic), model.number(mistake.confidence)) for mistake in mistakes[:MAX_LISTED_QUESTIONS]
        ]
        caption = f"Wrong answers that {run} gave with a confidence of {reading.sure:g} or more, the surest first."
        title = f"Confidently wrong: {counted(len(mistakes), unit)} of confidence {reading.sure:g} or more"
        tables.append(
            _table(f"{prefix}-sure", title, (*numbers("Confidence"),), rows, caption + _first(mistakes), campaign)
        )
    if alone := reading.right_only_here[run]:
        caption = f"What {run} got right and none of the other {counted(reading.runs - 1, 'run')} did."
        title = f"Right only here: {counted(len(alone), unit)}"
        rows = [(_question(topic),) for topic in sorted(alone, key=natural)[:MAX_LISTED_QUESTIONS]]
        tables.append(_table(f"{prefix}-alone", title, (), rows, caption + _first(alone), campaign))
    if not tables:
        return None
    return Section(f"{prefix}-reading-section", TITLE, (BlockRow(tuple(tables)) if len(tables) > 1 else tables[0],))


def _table(
    id: str,
    title: str,
    columns: Sequence[TableColumn],
    rows: Sequence[tuple[Cell, ...]],
    caption: str,
    campaign: CampaignResults,
) -> Table:
    heads = (TableColumn(campaign.unit.capitalize()), *columns)
    return Table(id, title, heads, tuple(rows), f"{caption}{_most_often(campaign)} {campaign.method}", sortable=True)


def _question(topic: str) -> Cell:
    return model.text(topic, link=model.address("topic", topic))


def _first(questions: Sequence[object]) -> str:
    return f" The first {MAX_LISTED_QUESTIONS} of {len(questions)}." if len(questions) > MAX_LISTED_QUESTIONS else ""


def _most_often(campaign: CampaignResults) -> str:
    """Explain how several samples of a question count."""
    return f" A {campaign.unit} counts by what its samples did most often." if campaign.samples else ""
