"""A pool: the documents to judge for each topic, in an order that reveals no ranking."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from assay.collections.pools.stratified_pools import DrawChance
from assay.errors import InputError, UsageError
from assay.formats.ranked.sampled_judgments import Pools, written_prels, written_strata
from assay.io.atomic_files import file_names, is_folder, write_folder, write_whole
from assay.io.csv_escaping import csv_of
from assay.io.escaping import in_json
from assay.table.results import Result

DRAW_WRITERS = {"prels": written_prels, "strata": written_strata}
"""Writers of a judged draw, by the ending of the file."""
Grades = Mapping[str, Mapping[str, int]]
"""By topic, the grades of its documents."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Pool(Result):
    """The documents to judge, each once, whoever brought it.

    topics      by topic, its documents in an order of chance
    settings    what it was made with
    sizes       by topic, how many documents the runs have down to the depth
    excluded    by topic, how many of these are judged already
    runs        how many runs contribute, `teams` how many teams they are of
    drawn       of a sample, what became of every document of the pool; else None
    remarks     what a careful organiser should know
    """

    topics: dict[str, list[str]]
    settings: dict[str, Any]
    sizes: dict[str, int]
    excluded: dict[str, int]
    runs: int
    teams: int
    drawn: dict[str, dict[str, DrawChance]] | None = None
    grades: Grades | None = None
    remarks: Sequence[str] = ()

    @property
    def documents(self) -> int:
        """The number of documents to judge."""
        return sum(map(len, self.topics.values()))

    @property
    def sentence(self) -> str:
        """The number of judgments needed, as a sentence."""
        counts = [len(of) for of in self.topics.values()]
        low, high = min(counts), max(counts)
        span = str(low) if low == high else f"{low} to {high}, median {median(counts):g},"
        whose = f" of {self.teams} team{'' if self.teams == 1 else 's'}" if self.teams < self.runs else ""
        named = ((self.documents, "document"), (len(counts), "topic"), (self.runs, "run"))
        documents, topics, runs = (f"{n} {noun}{'' if n == 1 else 's'}" for n, noun in named)
        return f"{documents} to judge: {span} a topic, for {topics}; from {runs}{whose}."

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return a row per document to judge."""
        return ["topic", "document"], [[topic, document] for topic, of in self.topics.items() for document in of]

    def to_dict(self) -> dict[str, Any]:
        """Return the documented JSON: settings, documents by topic, and drawing probabilities."""
        content: dict[str, Any] = {**self.settings, "runs": self.runs, "teams": self.teams, "documents": self.documents}
        content["topics"] = {
            topic: {"pooled": self.sizes[topic], "already_judged": self.excluded[topic], "documents": of}
            for topic, of in self.topics.items()
        }
        if self.drawn is not None:
            content["sample"] = {
                topic: {d: list(chance) for d, chance in pool.items()} for topic, pool in self.drawn.items()
            }
        return content

    def to_jsonl(self) -> str:
        """Return a line per document: {"topic": …, "document": …}."""
        return "".join(_json({"topic": topic, "document": document}) for topic, document in self.rows()[1])

    def to_files(self) -> dict[str, bytes]:
        """Return a file per topic with a document id per line; topics.csv maps renamed files."""
        names = file_names(self.topics)
        multiline = next((text for of in self.topics.values() for text in of if text.splitlines() != [text]), None)
        if multiline is not None:
            raise InputError(f"document {multiline!r}: does not fit on a line; write the pool as .jsonl")
        files = {
            f"{name}.txt": "".join(f"{document}\n" for document in of).encode("utf-8", "surrogateescape")
            for name, of in zip(names, self.topics.values(), strict=True)
        }
        if names == list(self.topics):
            return files
        whose = [["file", "topic"], *([f"{name}.txt", topic] for name, topic in zip(names, self.topics, strict=True))]
        return {**files, "topics.csv": csv_of(whose)}

    def judged(self, grades: Grades) -> Pools:
        """Return the drawn documents with their grades, as the task `sampled` reads them.

        grades   by topic, of every drawn document
        """
        if self.drawn is None:
            raise UsageError(
                f"a pool by `strategy={self.settings['strategy']!r}` has no strata: its judgments are plain qrels"
            )
        lacking = [
            (topic, document)
            for topic, pool in self.drawn.items()
            for document, drawn_chance in pool.items()
            if drawn_chance.probability is not None and grades.get(topic, {}).get(document, -1) < 0
        ]
        if lacking:
            topic, document = lacking[0]
            raise InputError(
                f"{len(lacking)} documents were drawn but are not judged, first {document} of topic {topic}; grade all of them, or check "
                "that runs, seed and strata are those of the original draw"
            )
        return {
            topic: {
                document: (-1 if chance is None else grades[topic][document], stratum, chance)
                for document, (stratum, chance) in pool.items()
            }
            for topic, pool in self.drawn.items()
        }

    def written(self, form: str) -> str:
        """Return the judged draw as `prels` or `strata`, with the grades given to `assay.pool`."""
        if self.grades is None:
            raise UsageError(f"`format={form!r}`: needs judgments; pass them as `grades=`")
        pools = self.judged(self.grades)
        if form == "prels":
            _check_no_numeric_ids(pools)
        return DRAW_WRITERS[form](pools)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the pool atomically, in the form of its ending.

        path   .jsonl, .json, .prels or .strata (the latter two need grades), or a folder (ends with /) with a file per topic
        """
        name = os.fspath(path)
        if is_folder(name):
            write_folder(name, self.to_files())
            return
        write_whole(name, self.in_form(form_of(name)).encode("utf-8", "surrogateescape"))

    def in_form(self, form: str) -> str:
        """Return the content of a file: jsonl, json, prels or strata."""
        if form == "jsonl":
            return self.to_jsonl()
        if form == "json":
            return _json(self.to_dict(), indent=1)
        return self.written(form)


def _json(data: Any, indent: int | None = None) -> str:
    """Return JSON with a final newline; non-UTF-8 ids and control characters are escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(data, indent=indent)
    return in_json(text) + "\n"


def form_of(path: str) -> str:
    """Return the form that a file's ending names.

    >>> form_of("pool.jsonl"), form_of("sample.prels")
    ('jsonl', 'prels')
    """
    form = path.rpartition(".")[2].lower()
    if form not in ("jsonl", "json", *DRAW_WRITERS):
        raise UsageError(f"{path}: expected a file that ends in .jsonl, .json, .prels or .strata, or a folder: {path}/")
    return form


def _check_no_numeric_ids(pools: Pools) -> None:
    """Refuse numeric document ids: prels would be read as strata."""
    for pool in pools.values():
        number = next((document for document in pool if document.removeprefix("-").isdigit()), None)
        if number is not None:
            raise InputError(
                f"document {number} is a whole number, which prels cannot distinguish from a stratum; write .strata"
            )
