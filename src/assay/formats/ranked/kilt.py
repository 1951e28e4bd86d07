"""KILT: Wikipedia pages retrieved as the provenance of an output, and the pages of the gold.

    {"id": "k1", "input": "who …", "output": [{"answer": "…", "provenance": [{"wikipedia_id": "12", …}, …]}]}

An object a line. Pages are documents; a page that occurs again (other paragraphs of it) counts once, at its first place. In a run one
output has a provenance, best first. In the gold every page of any output is relevant, grade 1. KILT itself takes the outputs as
alternative evidence sets: see docs/ranked_inputs.md for the measures that agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assay.errors import counted
from assay.formats.json_files import has_keys
from assay.formats.jsonl import Id, plain
from assay.formats.object_ids import note_line
from assay.formats.recognition import reads
from assay.formats.records import typed_records
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "a line of KILT (id, output)"


class _Provenance(msgspec.Struct):
    wikipedia_id: Id


class _Output(msgspec.Struct):
    provenance: list[_Provenance] | None = None


class _Line(msgspec.Struct):
    id: Id
    output: Annotated[list[_Output], msgspec.Meta(min_length=1)]


def _kilt(head: Head) -> bool:
    """a first line with `id` and `output`, and `wikipedia_id` in the first lines; a list of such dicts with `input`."""
    if head.shape == "records":
        return {"id", "input", "output"} <= {*head.columns}
    return has_keys(head, "id", "output")


@reads(
    "kilt",
    role="run",
    task="ranked",
    yields="KILT: pages retrieved as provenance",
    recognises=_kilt,
    shapes="json records",
    markers=("wikipedia_id",),
)
def read_provenance(source: Source) -> dict[str, dict[str, float]]:
    """Return {id: {page: -rank}}.

    >>> line = b'{"id": "k1", "output": [{"provenance": [{"wikipedia_id": "12"}, {"wikipedia_id": "7"}, {"wikipedia_id": "12"}]}]}'
    >>> read_provenance(Source("kilt", data=line))
    {'k1': {'12': -1.0, '7': -2.0}}
    """
    scores: dict[str, dict[str, float]] = {}
    for line, identity, pages in _pages(source):
        ranked = [pages_of_output for pages_of_output in pages if pages_of_output is not None]
        if len(ranked) > 1:
            many = f"question {identity!r} has {len(ranked)} outputs with a provenance"
            raise source.error(line, f"{many}; expected one in a run (the gold is given first)")
        scores[identity] = {page: -float(rank) for rank, page in enumerate(ranked[0] if ranked else (), 1)}
    return scores


@reads(
    "kilt-gold",
    role="gold",
    task="ranked",
    yields="KILT: relevant pages",
    recognises=_kilt,
    shapes="json records",
    markers=("wikipedia_id",),
)
def read_evidence(source: Source) -> dict[str, dict[str, int]]:
    """Return {id: {page: 1}}.

    >>> line = b'{"id": "k1", "output": [{"answer": "a", "provenance": [{"wikipedia_id": "12"}]}, {"answer": "b"}]}'
    >>> read_evidence(Source("kilt", data=line))
    {'k1': {'12': 1}}
    """
    grades: dict[str, dict[str, int]] = {}
    several = 0
    for _, identity, pages in _pages(source):
        sets = {frozenset(output) for output in pages if output}
        several += len(sets) > 1
        grades[identity] = {page: 1 for output in pages for page in output or ()}
    if several:
        what = f"{counted(several, 'question')} with several evidence sets: every page is relevant here"
        source.assumptions[f"{what}, KILT's own Rprec takes the best set"] = None
    return grades


def _pages(source: Source) -> Iterator[tuple[int, str, list[list[str] | None]]]:
    """Yield the line and id of every question, and the different pages of each output, None where it has no provenance."""
    first: dict[str, int] = {}
    for line, row in typed_records(source, _Line, EXPECTED):
        identity = plain(row.id).strip()
        note_line(first, identity, source, line, f"question {identity!r}")
        yield line, identity, [_distinct(output.provenance) for output in row.output]


def _distinct(provenance: list[_Provenance] | None) -> list[str] | None:
    return None if provenance is None else list(dict.fromkeys(plain(page.wikipedia_id).strip() for page in provenance))
