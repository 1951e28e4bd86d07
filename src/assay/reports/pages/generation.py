"""The pages of generated answers: nuggets × runs, then each run's means and every question."""

from __future__ import annotations

from collections.abc import Sequence

from assay.analyses.campaign.result import CampaignResults
from assay.figures.common import natural
from assay.figures.generation import GenerationFigures, GenerationRunFigures, NuggetCredits, NuggetMatrix
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.model import (
    Cell,
    Note,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    TableRow,
    counted,
    numbers,
)
from assay.reports.pages.page_parts import (
    in_title,
    median_cells,
    page_id,
    question_page,
    split_columns,
    topic_table,
)

NAMES = {
    "StrictVitalScore": "strict vital score",
    "VitalScore": "vital score",
    "StrictAllScore": "strict all score, nugget recall",
    "AllScore": "all score",
    "WeightedScore": "weighted score",
    "StrictWeightedScore": "strict weighted score, weighted nugget recall",
    "CitationP": "citation precision, weighted",
    "CitationR": "citation recall, weighted",
    "SentenceP": "sentence precision",
    "ArgueF": "F of sentence precision and nugget recall",
    "WeightedArgueF": "F of sentence precision and weighted nugget recall",
}
"""The names of the measures on a run's page."""
ANSWER_COLUMNS = {
    TableColumn("Whole", "nuggets in the answer", numeric=True): "whole",
    TableColumn("Partly", "nuggets that are in it in part", numeric=True): "partly",
    TableColumn("Not", "nuggets that are not in it", numeric=True): "lacking",
    TableColumn("Sentences", "sentences of the answer", numeric=True): "sentences",
    TableColumn("Citing", "sentences with a citation", numeric=True): "citing",
}
"""The columns of a run's questions before the measures, and their figures."""


MARKS: dict[float | None, tuple[str, str]] = {
    1.0: ("●", "whole"),
    0.5: ("◐", "in part"),
    0.0: ("○", "missing"),
    None: ("", "not judged"),
}
"""The mark of a credit, readable without colour, and its meaning."""


def sections(figures: GenerationFigures, campaign: CampaignResults) -> list[Section]:
    """Return the matrix of nuggets × runs."""
    if not figures.matrices:
        return []
    ordered = sorted(figures.matrices, key=lambda matrix: natural(matrix.id))
    groups = split_columns(campaign.order, beside=3)
    tables = tuple(_matrix(ordered, campaign, number, few, len(groups)) for number, few in groups)
    key = Note("● in the answer · ◐ in part · ○ missing · empty: answer not judged")
    return [Section("nuggets-section", "Nugget by nugget", (key, *tables))]


def _matrix(
    matrices: Sequence[NuggetMatrix], campaign: CampaignResults, number: int, places: Sequence[int], of: int
) -> Table:
    """Return a table with a row per nugget, under a heading per question, and a column per run, best on the left."""
    rows: list[TableRow] = []
    for matrix in matrices:
        rows.append(Span(f"{matrix.id}: {matrix.question}" if matrix.question else matrix.id))
        rows += [_nugget(nugget, places) for nugget in matrix.nuggets]
    heads = (
        TableColumn("Nugget"),
        TableColumn("Importance"),
        *(TableColumn(campaign.runs[place]) for place in places),
        TableColumn("Whole", f"how many of {counted(len(campaign.runs), 'run')} have it whole", numeric=True),
        TableColumn("In part", f"how many of {counted(len(campaign.runs), 'run')} have part of it", numeric=True),
    )
    title = "Nuggets by run" if of == 1 else f"Nuggets by run, {number} of {of}"
    caption = f"The nuggets of each question, vital ones first, and the runs, the best on the left. {campaign.method}"
    return Table(f"nugget-matrix-{number}", title, heads, tuple(rows), caption)


def _nugget(nugget: NuggetCredits, places: Sequence[int]) -> tuple[Cell, ...]:
    marks = [MARKS[nugget.credits[place]] for place in places]
    return (
        model.text(nugget.text),
        model.text(nugget.importance),
        *(model.text(mark, hint=meaning) for mark, meaning in marks),
        model.count(nugget.credits.count(1.0)),
        model.count(nugget.credits.count(0.5)),
    )


def run_page(figures: GenerationFigures, campaign: CampaignResults, position: int) -> RunPage:
    run = figures.runs[position]
    means = [(in_title(NAMES[name]), model.number(mean)) for name, mean in run.means.items() if mean is not None]
    rows = [("Run ID", model.text(run.run)), ("Num questions", model.count(run.questions)), *means]
    table = _by_question(page_id(position), figures, run, campaign)
    return question_page(campaign, position, rows, run.against_median, NAMES, table)


def _by_question(
    prefix: str, figures: GenerationFigures, run: GenerationRunFigures, campaign: CampaignResults
) -> Table:
    shown = {
        head: name
        for head, name in ANSWER_COLUMNS.items()
        if any(getattr(answer, name) is not None for answer in run.held)
    }
    graphs = run.against_median[:2]
    measured = [head for graph in graphs for head in numbers(in_words(graph.measure), "Median", "Difference")]
    rows = (
        (
            model.text(topic),
            *(model.cell(getattr(run.held[place], name)) for name in shown.values()),
            *median_cells(graphs, place),
        )
        for place, topic in enumerate(figures.topics)
    )
    caption = f"Nuggets and sentences in the answers of {run.run}, their values, and the median of {counted(len(figures.runs), 'run')}."
    return topic_table(campaign, f"{prefix}-questions", "By question", [*shown, *measured], rows, caption)
