"""`assay.report`, and the `Report` it returns: prints as text, saves as HTML, PDF or text, shows in a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from html import escape
from types import ModuleType
from typing import Any, Unpack

from assay.analyses.campaign.campaign import evaluate_campaign
from assay.analyses.campaign.result import CampaignResults
from assay.errors import UsageError
from assay.figures import figures_of
from assay.io.atomic_files import is_folder
from assay.measures.measure import Measure
from assay.parameters import ScoringSettings, public
from assay.reports.model import Document, Note, Section
from assay.reports.pages import module_of as pages_of
from assay.reports.pages.comparison import pairs_section
from assay.reports.pages.definitions import definitions
from assay.reports.pages.leaderboard import agreement, costs, group_leaderboards, leaderboard, with_standing
from assay.reports.pages.leaderboard import measures as measures_section
from assay.reports.pages.topics import comparison, grid
from assay.reports.results import further_sections, write_document
from assay.reports.topic_items import ReportItems
from assay.scoring.evaluate import scores_of
from assay.settings import WHOLE, checked
from assay.table.results import Result
from assay.table.scores import Scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.reports.pdf import Progress


class Report(Result):
    """The evaluation report of a campaign, or of one run; prints as its text.

    document   its pages as plain data
    scores     the table it is about
    warnings   what is omitted, and why
    """

    def __init__(self, document: Document, scores: Scores, warnings: Sequence[str] = ()) -> None:
        self.document = document
        self.scores = scores
        self.warnings: list[str] = list(warnings)

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return the table behind the report, a row per run and topic."""
        return self.scores.rows()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of the table behind the report."""
        return self.scores.to_dict()

    def to_text(self, width: int = 100) -> str:
        """Return the report as text, with lines of at most `width` columns."""
        from assay.reports.text import to_text

        return to_text(self.document, width)

    def to_html(self) -> str:
        """Return the report as one HTML file that fetches nothing."""
        from assay.reports.sites import to_html

        return to_html(self.document)

    def to_pdf(self, progress: Progress | None = None) -> bytes:
        """Return the report as PDF; `progress` is called with the page being drawn and the number of pages."""
        from assay.reports.pdf import to_pdf

        return to_pdf(self.document, progress)

    def save(self, path: str | os.PathLike[str], progress: Progress | None = None) -> None:
        """Write the report in the form its ending names, whole or not at all; an HTML page too large for one file gets a
        folder of data beside it.

        path       .html, .pdf or .txt; a folder, written with a final slash, gets the site for a static host
        progress   called with the page being drawn and the number of pages
        """
        if is_folder(os.fspath(path)):
            from assay.reports.static_site import save_site

            self.warnings.extend(save_site(self.document, path, progress))
            return
        folder = write_document(self.document, path, self.to_text, progress)
        if folder:
            self.warnings.append(f"{os.fspath(path)}: needs the folder {folder} beside it")

    def view(self, port: int = 0, said: Callable[[str], object] = print) -> None:
        """Serve the report to a browser on this machine until interrupted; pages are built when they are opened.

        port   where to listen; any free one where it is 0
        said   called with the link to open
        """
        from assay.io.loopback_server import Server
        from assay.reports.sites import Served

        server = Server(Served(self.document), port)
        try:
            said(server.link)
            server.run()
        except KeyboardInterrupt:
            return

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        """Return the page in a frame, which separates its styles and scripts from the notebook's."""
        style = "width: 100%; height: 85vh; border: 0"
        return f'<iframe srcdoc="{escape(self.to_html())}" sandbox="allow-scripts" style="{style}"></iframe>'


BASELINES = ("ranked", "apart")


@public
def report(
    scores: Any,
    runs: Any = None,
    measures: Sequence[str | Measure] | None = None,
    *,
    run: str | None = None,
    title: str | None = None,
    subtitle: str = "",
    trials: int | None = None,
    correct: str | None = None,
    intervals: bool = False,
    progress: Progress | None = None,
    task: str | None = None,
    topics: Any = None,
    docs: Any = None,
    aggregate: bool = False,
    baselines: str = "ranked",
    group_by: str | None = None,
    pool_depth: int | None = None,
    also: Sequence[Any] = (),
    executor: Executor | None = None,
    **settings: Unpack[ScoringSettings],
) -> Report:
    """Write the report of a score table, or of gold and runs, which are scored first.

    Parameters
        scores       a `Scores`, or the gold as `assay.evaluate` takes it
        runs         the runs, where `scores` is the gold
        measures     measures of the leaderboard, the first ranks the runs; by default all of the table, the headline first
        run          the one run to report on; by default all
        title        the name of the campaign
        subtitle     the line below the title
        trials       trials of the pages on reliability; by default 1,000, fewer with more than 400 runs; 0 omits these pages
        correct      the correction for many comparisons, as `assay.compare` takes it
        intervals    whether every measure of the leaderboard has an interval, not only the first
        progress     called with the number of trials done and of all
        task         the kind of evaluation, where `scores` is the gold; detected by default
        topics       a file with the texts of topics (TREC's, JSONL, TSV), or {topic: text}
        docs         a file with the texts of documents (JSONL, TSV), whose beginnings are shown, or {document: text}
        aggregate    whether to show only averages over topics, to three digits, from which no judgment can be inferred
        baselines    `ranked` among the other runs, or `apart`: after them and without a place
        group_by     a characteristic of runs, such as language: adds a leaderboard with tiers and median for each of its values
        pool_depth   how deep the runs of ranked retrieval were pooled: adds a section on the pool (`assay.left_out`)
        also         results of `assay.check`, `assay.agree`, `assay.correct`, `assay.compare` with `human=`, `assay.plan`: a section each
        executor     a concurrent.futures.Executor whose workers resample; the report does not depend on it
        settings     the choices of `assay.evaluate`, where `scores` is the gold

    Returns
        Report       prints as text; saves as .html, .pdf or .txt

    Raises
        UsageError   an unknown run, or options that contradict each other
        InputError   a file cannot be read

    >>> pages = report({"q1": {"d1": 1}}, {"mine": {"q1": {"d0": 2.0, "d1": 1.0}}})
    >>> pages.document.title, [page.run for page in pages.document.pages]
    ('Ranked retrieval', ['mine'])
    """
    if trials is not None and checked("trials", trials, WHOLE) < 0:
        raise UsageError(f"`trials={trials}`: expected 1 or more, or 0 for no pages on reliability")
    if baselines not in BASELINES:
        raise UsageError(f"`baselines={baselines!r}`: expected {' or '.join(map(repr, BASELINES))}")
    table = scores_of(scores, runs, measures, task=task, **settings)
    if run is not None:
        table.run(run)
        if group_by is not None:
            raise UsageError(
                f"`group_by={group_by!r}`: the pages of one run have no leaderboard; leave out `run={run!r}`"
            )
    listed = _listed_measures(table, measures)
    warnings: list[str] = []
    if aggregate:
        from assay.reports.aggregate import averages_among

        listed = averages_among(table, listed, topics, docs, warnings)
    campaign = evaluate_campaign(
        table, listed, run=run, trials=trials, correct=correct, intervals=intervals, baselines_apart=baselines == "apart",
        group_by=group_by, progress=progress, executor=executor,
    )  # fmt: skip
    warnings += campaign.warnings
    first, last = ([], []) if run else _analysis_sections(campaign)
    if run is None and pool_depth is not None:
        from assay.collections.pools.leave_one_out import left_out
        from assay.reports.pages.pool import left_out_sections

        without = left_out(table, None, listed[0], depth=pool_depth)
        last += left_out_sections(without, campaign.method)
        campaign = replace(campaign, trust=[*campaign.trust, *filter(None, [without.warning])])
    last += [] if run else further_sections(also)
    campaign = campaign.without_analyses()
    pages = pages_of(table.task.name)
    if aggregate and not hasattr(pages, "HAS_AVERAGES"):
        pages = pages_of("scores")
    # The report of one run has its name as title.
    title, subtitle = (run, title or subtitle or table.task.title) if run else (title or table.task.title, subtitle)
    document = assemble(pages, figures_of(table), campaign, title, subtitle, run, last, first)
    if aggregate:
        from assay.reports.aggregate import aggregated

        return Report(aggregated(document), table, warnings)
    appendix = None if run else definitions(listed, table.task.noun)
    items = ReportItems(table, topics, docs, warnings)
    document = replace(document, items=items, titles=items.titles, appendix=(appendix,) if appendix else ())
    return Report(document, table, warnings)


def _analysis_sections(campaign: CampaignResults) -> tuple[list[Section], list[Section]]:
    """Return the sections of analyses before and after the leaderboard, importing only their pages."""
    first: list[Section] = []
    last: list[Section] = []
    if campaign.suite:
        from assay.reports.pages import suites

        first.append(suites.report_section(campaign.suite, campaign))
    if campaign.items:
        from assay.reports.pages import items

        last.append(items.report_section(campaign.items, campaign.method))
    if campaign.comparison:
        last.append(pairs_section(campaign.comparison))
    if campaign.reliability:
        from assay.reports.pages.reliability import reliability_sections

        last += reliability_sections(campaign.reliability, every=False)
    return first, last


def _listed_measures(scores: Scores, measures: Sequence[str | Measure] | None) -> list[Measure]:
    """Return the measures of the leaderboard: as requested, or those of the table, the headline first."""
    if measures is not None:
        return [scores.measure(name) for name in measures]
    return sorted(scores.measures, key=lambda measure: measure.name != scores.task.headline)


def assemble(
    task_pages: ModuleType,
    figures: Any,
    campaign: CampaignResults,
    title: str,
    subtitle: str = "",
    only: str | None = None,
    last: Sequence[Section] = (),
    first: Sequence[Section] = (),
) -> Document:
    """Arrange a campaign's sections between `first` and `last`, and a page per run, or `only` the page of one run."""
    peer_graphs = getattr(task_pages, "peer_graphs", None)
    pages = tuple(
        with_standing(
            task_pages.run_page(figures, campaign, i), campaign, i, *(peer_graphs(figures, i) if peer_graphs else ())
        )
        for i, run in enumerate(campaign.runs)
        if only is None or run == only
    )
    sections: list[Section | None] = []
    if only is None:
        task_sections = task_pages.sections(figures, campaign) if hasattr(task_pages, "sections") else []
        outcomes = task_pages.outcomes_of(figures) if hasattr(task_pages, "outcomes_of") else None
        sections += [
            leaderboard(campaign, outcomes),
            *first,
            measures_section(campaign),
            group_leaderboards(campaign),
            costs(campaign),
        ]
        sections += [*task_sections, comparison(campaign), agreement(campaign)]
        sections += [replace(section, doubt=True) for section in last]
    # Readers of the report do not see standard error.
    if campaign.notes:
        notes = tuple(Note(f"{note}.") for note in campaign.notes)
        sections.append(Section("notes-section", "Notes", notes, doubt=only is None))
    decide = len(campaign.topics) if campaign.board is None else campaign.board.topics
    topics = str(decide) if decide == len(campaign.topics) else f"{decide} of {len(campaign.topics)}"
    size = f"{topics} × {campaign.samples}" if campaign.samples else topics
    task_meta = task_pages.meta(figures) if hasattr(task_pages, "meta") else []
    meta = ((f"{campaign.unit.capitalize()}s", size), *task_meta, ("Runs", str(len(campaign.runs))))
    values = grid(campaign)
    shown = tuple(section for section in sections if section is not None)
    values = values.of([only]) if values and only else values
    rules = (campaign.interval_rule, campaign.tier_rule) if only is None else ()
    finding, trust = ("", ()) if only else (campaign.finding, tuple(campaign.trust))
    return Document(
        title, subtitle, meta, shown, pages, campaign.method, grid=values, finding=finding, trust=trust,
        next_steps=() if only else tuple(campaign.next_steps),
        unnamed="" if only else campaign.unnamed_finding,
        rules=tuple(filter(None, rules)),
    )  # fmt: skip
