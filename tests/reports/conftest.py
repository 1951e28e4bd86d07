"""Campaigns made up for the drawing tests. The numbers are consistent with each other, and nobody's results."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.made_items import MadeItems

import assay
from assay.analyses.campaign.finding import with_finding
from assay.analyses.campaign.result import CampaignResults, MeasureResults, RunPair
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS, write_data
from assay.figures.items.model import ReturnedItem, TopicItems
from assay.figures.ranked import CUTOFFS, RankedFigures, RankedRunFigures
from assay.reports.model import Document
from assay.reports.pages import ranked
from assay.reports.report import assemble

BROWSER = os.environ.get("ASSAY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AWKWARD = ("<script>alert(1)</script>", "quote\"s 'n' &amp;", "emoji 😀 run", "=HYPERLINK(1)", "ümlaut-Ω-ж", "中文")


def make_figures(
    runs: int, topics: int, names: Sequence[str] = (), seed: int = 1, empty: Sequence[int] = ()
) -> RankedFigures:
    """Runs of different quality over topics of different difficulty; those in `empty` retrieved nothing."""
    chance = random.Random(seed)
    labels = [*names[:runs], *(f"run{number:03d}" for number in range(len(names[:runs]) + 1, runs + 1))]
    topic_names = tuple(str(number) for number in range(1, topics + 1))
    relevant = tuple(chance.randint(4, 120) for _ in topic_names)
    ease = [chance.uniform(0.15, 0.9) for _ in topic_names]
    made: list[tuple[list[tuple[int, ...]], float]] = []
    for number in range(runs):
        quality = 0.35 + 0.6 * (runs - number) / runs
        ranks = [
            ()
            if number in empty
            else tuple(
                sorted(
                    {
                        min(1000, 1 + int(chance.expovariate(1 / (found * 3 / (quality * easy)))))
                        for found in range(1, 1 + int(total * quality))
                    }
                )
            )
            for total, easy in zip(relevant, ease, strict=True)
        ]
        made.append((ranks, quality))
    precisions = [[_average_precision(r, total) for r, total in zip(ranks, relevant, strict=True)] for ranks, _ in made]
    medians = tuple(statistics.median(column) for column in zip(*precisions, strict=True))
    levels = [[_levels(r, total) for r, total in zip(ranks, relevant, strict=True)] for ranks, _ in made]
    means = [tuple(statistics.fmean(level) for level in zip(*rows, strict=True)) for rows in levels]
    figures = [
        RankedRunFigures(
            run=label,
            topics=topics,
            retrieved=0 if number in empty else 1000 * topics,
            relevant=sum(relevant),
            relevant_retrieved=sum(len(r) for r in ranks),
            recall_levels=means[number],
            average_precision=statistics.fmean(precisions[number]),
            cutoffs=tuple((k, statistics.fmean(sum(rank <= k for rank in r) / k for r in ranks)) for k in CUTOFFS),
            r_precision=statistics.fmean(
                sum(rank <= total for rank in r) / total for r, total in zip(ranks, relevant, strict=True)
            ),
            topic_average_precision=tuple(precisions[number]),
            difference=tuple(a - m for a, m in zip(precisions[number], medians, strict=True)),
            ranks=tuple(ranks),
        )
        for number, (label, (ranks, _)) in enumerate(zip(labels, made, strict=True))
    ]
    middle = tuple(statistics.median(column) for column in zip(*means, strict=True))
    return RankedFigures(topic_names, relevant, tuple(figures), medians, middle)


def make_campaign(figures: RankedFigures, statistics_too: bool = True) -> CampaignResults:
    runs = [run.run for run in figures.runs]
    ap = [run.average_precision for run in figures.runs]
    half = [0.02 + 0.1 * (value or 0) for value in ap]
    pairs = [
        RunPair(
            a,
            b,
            (ap[a] or 0) - (ap[b] or 0),
            (ap[a] or 0) - (ap[b] or 0) - 0.03,
            (ap[a] or 0) - (ap[b] or 0) + 0.03,
            0.04,
        )
        for a in range(len(runs))
        for b in range(a + 1, len(runs))
        if len(runs) <= 30
    ]
    main = MeasureResults(
        "AP",
        ap,
        [run.topic_average_precision for run in figures.runs],
        [(value - h, value + h) if value is not None else None for value, h in zip(ap, half, strict=True)]
        if statistics_too
        else (),
        ["A" if place < len(runs) / 3 else "B" for place in range(len(runs))] if statistics_too else (),
        pairs if statistics_too else (),
    )
    others = [
        MeasureResults("P@10", [dict(run.cutoffs)[10] for run in figures.runs]),
        MeasureResults("Rprec", [run.r_precision for run in figures.runs]),
        MeasureResults("Undefined", [None for _ in figures.runs]),
    ]
    names = ["AP", "P@10", "Rprec", "Undefined"]
    tau = {(a, b): None if "Undefined" in (a, b) else 1.0 if a == b else 0.8 for a in names for b in names}
    made = CampaignResults(
        runs,
        figures.topics,
        [main, *others],
        f"{len(figures.topics)} topics; made up for the tests.",
        {run: {"type": "automatic" if number % 3 else "manual"} for number, run in enumerate(runs)},
        interval_rule="95% intervals, made up." if statistics_too else "",
        tier_rule="Tiers: made up." if statistics_too else "",
        pair_rule="Interval and p made up.",
        required_difference="A difference of 0.05 in AP is needed (made up)." if statistics_too else "",
        agreement=tau,
    )
    return with_finding(made)


def _average_precision(ranks: Sequence[int], relevant: int) -> float:
    return sum(found / rank for found, rank in enumerate(ranks, start=1)) / relevant


def _levels(ranks: Sequence[int], relevant: int) -> list[float]:
    return [
        max((found / rank for found, rank in enumerate(ranks, start=1) if 10 * found >= level * relevant), default=0.0)
        for level in range(11)
    ]


def make_items(figures: RankedFigures) -> MadeItems:
    """The first ten documents of every run on every topic, relevant where its figures say so."""
    made: list[TopicItems] = []
    for place, topic in enumerate(figures.topics):
        lists: list[tuple[ReturnedItem, ...]] = []
        for run in figures.runs:
            ranks = run.ranks[place] or ()
            relevant = {rank: f"doc-{topic}-{number}" for number, rank in enumerate(ranks, start=1)}
            lists.append(
                tuple(
                    ReturnedItem(
                        relevant.get(rank, f"other-{topic}-{rank}"),
                        rank,
                        "grade 1" if rank in relevant else "not relevant",
                        rank in relevant,
                        10 - rank / 2,
                        "<b>a snippet</b>" if rank == 1 else "",
                    )
                    for rank in range(1, 11)
                )
            )
        text = f"What is <i>topic {topic}</i> about?"
        made.append(
            TopicItems(topic, text, (f"unseen-{topic}",), {"kind": "odd" if place % 2 else "even"}, tuple(lists))
        )
    return MadeItems([run.run for run in figures.runs], made)


@pytest.fixture(scope="session")
def make_report() -> Callable[..., Document]:
    def make(
        runs: int = 24,
        topics: int = 30,
        *,
        names: Sequence[str] = (),
        empty: Sequence[int] = (),
        items: bool = False,
        **more: object,
    ) -> Document:
        figures = make_figures(runs, topics, names, empty=empty)
        titles = ("A made-up campaign", "Drawn to be looked at")
        made = assemble(ranked, figures, make_campaign(figures, runs > 1), *titles, **more)  # type: ignore[arg-type]
        return replace(made, items=make_items(figures) if items else None)

    return make


@pytest.fixture(scope="session")
def scores():
    """Six runs over twelve topics, each worse than the one before."""
    chance = random.Random(7)
    qrels = {f"t{t}": {f"d{d}": int(d % 4 == t % 4) for d in range(24)} for t in range(12)}
    runs = {
        f"run{r}": {
            topic: {document: grade * (3.0 - r / 2) + 2 * chance.random() for document, grade in judged.items()}
            for topic, judged in qrels.items()
        }
        for r in range(6)
    }
    return assay.evaluate(qrels, runs, ["AP", "P@5"])


@pytest.fixture(scope="session")
def gallery(tmp_path_factory):
    """The report of a campaign of the gallery, with fewer trials; each is made once, when somebody asks for it."""
    folder = tmp_path_factory.mktemp("gallery")

    def made(name: str) -> Path:
        page, data = folder / f"{name}.html", folder / "data" / name
        if not page.exists():
            write_data(str(data), name)
            with contextlib.chdir(data):
                assert main([*CAMPAIGNS[name].command(str(page)), "--trials", "50"]) == 0
        return page

    return made


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core's script, which npm puts into a folder that git ignores."""
    script = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        pytest.skip("axe-core is not installed: npm install --no-save axe-core")
    return script.read_text("utf-8")


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if BROWSER is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_api.sync_playwright() as play:
        launched = play.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def visit(browser):
    """Open an address, and at the end insist that nothing was fetched and nothing was complained about."""
    opened = []

    def open_page(address, **options):
        window = {"viewport": {"width": 1300, "height": 900}, "reduced_motion": "reduce"}
        page = browser.new_page(**{**window, **options})
        page.set_default_timeout(15_000)
        heard = {"requests": [], "complaints": []}
        page.on("request", lambda request: heard["requests"].append(request.url))
        page.on("console", lambda message: heard["complaints"].append(message.text))
        page.on("pageerror", lambda problem: heard["complaints"].append(str(problem)))
        page.on("dialog", lambda dialog: heard["complaints"].append(f"dialog {dialog.message}"))
        page.goto(address)
        opened.append((page, heard))
        return page

    yield open_page
    for page, heard in opened:
        assert heard["complaints"] == []
        assert [url for url in heard["requests"] if not url.startswith(("file:", "blob:"))] == []
        assert sum(url.startswith("file:") for url in heard["requests"]) <= 1
        page.close()
