"""How samples ended; the remarks of whole logs are in test_reader.py."""

from __future__ import annotations

import json

import pytest
from inspect_logs import Member, archive, member_of, sample

from assay.formats.harness.inspect.endings import (
    Ended,
    Limit,
    SampleError,
    Stopped,
    complete,
    endings,
    refused,
    was_cancelled,
)
from assay.formats.harness.inspect.reader import InspectSample
from assay.formats.harness.inspect.scores import Edit, Score
from assay.io.archives import Archive
from assay.io.sources import Source

EDIT = {"value": "C", "provenance": {"author": "a person"}}


@pytest.mark.parametrize(
    ("message", "cancelled", "refusal"),
    [
        ('CancelledError("Cancelled via cancel scope 7f")', True, False),
        ("Cancelled()", True, False),
        ("ModelRefusalError('Model refusal (m): ')", False, True),
        ("RuntimeError('CancelledError()')", False, False),
        (None, False, False),
    ],
)
def test_errors(message, cancelled, refusal) -> None:
    for error in (message, None if message is None else SampleError(message)):
        one = InspectSample("a", error=error)
        assert (was_cancelled(one), refused(one)) == (cancelled, refusal)


def test_counts_of_another_scorer_do_not_count() -> None:
    edited = Score("C", history=[Edit("I"), Edit("C", {"author": "a person"})])
    samples = [
        InspectSample("a", limit=Limit("token")), InspectSample("b", limit="message"),
        InspectSample("c", output=Ended([Stopped("content_filter")])), InspectSample("d", scores={"exact": edited}),
    ]  # fmt: skip
    said = "of 4 samples, 2 stopped at a limit (1 token, 1 message), 1 was stopped by a content filter"
    assert endings(samples, "other") == said
    assert endings(samples, "exact") == f"{said}, 1 has an edited score"
    assert endings([InspectSample("a")], "exact") == ""


def test_damaged_samples_are_passed_over(tmp_path) -> None:
    whole = member_of(
        sample("a", output={"choices": [{"stop_reason": "content_filter"}]}, score_history=[{"value": "I"}, EDIT])
    )
    text = b'{"id": "b", "content_filter": "provenance'
    members = [whole, Member("samples/b.json", text), Member("samples/c.json", b'"content_filter"', crc=1)]
    members.append(Member("samples/d.json", json.dumps({"id": "d", "output": 3, "x": "content_filter"}).encode()))
    samples = [InspectSample(id, scores={"exact": Score("C")}) for id in "abcd"]
    with Archive(Source("made.eval", data=archive(members))) as opened:
        assert complete(opened, opened.names("samples/"), samples)
    assert endings(samples, "exact") == "of 4 samples, 1 was stopped by a content filter, 1 has an edited score"
