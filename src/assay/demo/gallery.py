"""The gallery: a report of every task on generated data.

`assay.random` draws the data, so a seed gives the same bytes on every machine.
"""

from __future__ import annotations

import os
from html import escape
from importlib import import_module

from assay.demo.data import write_files
from assay.io.atomic_files import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 2001
TITLE = "Countries of the world"


class DemoCampaign:
    """One report of the gallery."""

    def __init__(self, title: str, shows: str, maker: str, sources: str, texts: str = "") -> None:
        self.title: str = title
        self.shows: str = shows
        self._maker = maker
        self.sources: list[str] = sources.split()
        """Arguments that name gold and runs, for any command."""
        self.texts: list[str] = texts.split()
        """Arguments that give a report its texts."""

    def files(self, seed: int = SEED) -> dict[str, str]:
        """Return the data: contents by path."""
        module, _, name = self._maker.partition(".")
        make: Callable[[int], dict[str, str]] = getattr(import_module(f"assay.demo.gallery_{module}"), name)
        return make(seed)

    def command(self, output: str) -> list[str]:
        """Return the arguments that write the report, in the folder of the data."""
        return ["report", *self.sources, *self.texts, "--title", TITLE, "-o", output]


CAMPAIGNS = {
    "ranked": DemoCampaign(
        "Ranked retrieval",
        "Eight runs on 24 topics, with the texts of topics and documents, and two baselines.",
        "documents.ranked", "qrels.txt runs --characteristics runs.toml", "--topics topics.jsonl --docs docs.jsonl",
    ),
    "filtering": DemoCampaign(
        "Filtering",
        "Sets of documents chosen from a stream, four periods, adaptive and batch systems apart.",
        "documents.filtering",
        "--task filtering qrels.txt runs --characteristics runs.toml --periods periods.txt", "--topics topics.tsv",
    ),
    "known-item": DemoCampaign(
        "Known items",
        "One right page a topic: where it stands, and where it was not found.",
        "documents.known_item", "--task known-item qrels.txt runs", "--topics topics.tsv",
    ),
    "diversity": DemoCampaign(
        "Diversity",
        "The name of a country is all that was typed: four things it may mean, and who serves them all.",
        "documents.diversity", "qrels.txt runs", "--topics topics.tsv",
    ),
    "qa": DemoCampaign(
        "Factoid questions",
        "Five ranked answers a question, strict and lenient, with questions that have no answer.",
        "questions.qa", "--task qa judgments.jsonl runs", "--topics topics.jsonl",
    ),
    "list": DemoCampaign(
        "List questions", "Several answers wanted, and how many were given.",
        "questions.lists", "--task list gold.jsonl runs",
    ),
    "context": DemoCampaign(
        "Questions in context", "Series in which later questions lean on earlier ones.",
        "questions.context", "--task context gold.jsonl runs",
    ),
    "nuggets": DemoCampaign(
        "Definitions", "Answers in sentences, and the facts found in them, vital or not.",
        "questions.nuggets", "gold.jsonl runs",
    ),
    "generation": DemoCampaign(
        "Generated answers", "Answers with citations: which nuggets each holds, and how far its citations support it.",
        "questions.generation", "assignments.jsonl support.jsonl",
    ),
    "outcomes": DemoCampaign(
        "Question answering",
        "Right, wrong, declined and failed; confidence; who leads at which price of a wrong answer.",
        "models.outcomes", "gold.jsonl runs --characteristics runs.toml",
    ),
    "samples": DemoCampaign(
        "Several samples a question", "Every question asked four times: what changes from one time to the next.",
        "models.samples", "gold.jsonl runs",
    ),
    "suite": DemoCampaign(
        "A suite of logs", "Logs of a harness: four models, three tasks, one of them incomplete.",
        "models.suite", "logs",
    ),
    "judgment-groups": DemoCampaign(
        "Judgment groups", "The ranked runs again, judged by three people who do not always agree.",
        "documents.judgment_groups", "--task judgment-groups qrels.txt runs", "--topics topics.jsonl",
    ),
    "scores": DemoCampaign(
        "A table of scores", "Scores from elsewhere: a row per topic and a column per system.",
        "documents.scores", "--scores nDCG.csv",
    ),
}  # fmt: skip
"""Campaigns by the name of their report."""

INDEX = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reports of assay</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.55 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }}
h1 {{ font: 600 2.2rem/1.1 Georgia, serif }}
dt {{ margin-top: 1.1rem; font-weight: 600 }} dd {{ margin: 0 }}
</style>
<h1>Reports of assay</h1>
<p>A finished report of every task, on made-up data.</p>
<dl>
{entries}</dl>
"""


def write_data(folder: str, name: str) -> None:
    """Write the data of one campaign into a folder."""
    write_files(folder, CAMPAIGNS[name].files())


def write_index(folder: str) -> None:
    """Write the page that links every report."""
    entries = [
        f'<dt><a href="{name}.html">{escape(campaign.title)}</a></dt><dd>{escape(campaign.shows)}</dd>\n'
        for name, campaign in CAMPAIGNS.items()
    ]
    write_whole(os.path.join(folder, "index.html"), INDEX.format(entries="".join(entries)).encode())
