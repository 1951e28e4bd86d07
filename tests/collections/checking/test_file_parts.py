"""Files taken apart, and what holds of any file: what an evaluation refuses is an error, and what is in order it takes."""

from __future__ import annotations

import gzip
import io
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_runs import CASES, JUDGED, mutated
from reader_examples import EXAMPLES, READERS

import assay
from assay.collections.checking import file_parts
from assay.collections.checking.check import check_file
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.log_recovery import MEMBER_OF, NUMBERED_LINE
from assay.collections.checking.rules import read_rules
from assay.errors import AssayError
from assay.io.sources import Source

FORMATS = {"PAN in words": "pan-answers", "sets": "sets"}
"""A line of two words may be of either: what the task is, its organiser knows."""
TOPICS = ["q1", "q2", "q3", "q4"]
GOLD_ALONE = "has no nugget"
"""What nobody can tell without the gold."""


def asked(name: str) -> tuple[str, str, dict, dict]:
    """Gold and run; what an evaluation is told, and what a check is told."""
    gold, run, options = CASES[name]
    told = {"task": "diversity" if name == "diversity" else None, **options}
    rules = {"format": FORMATS[name]} if name in FORMATS else None
    return gold, run, told, {"topics": TOPICS, "columns": options.get("columns"), "rules": rules}


def refused(gold: object, runs: list[object], **told: object) -> str:
    try:
        assay.evaluate(gold, runs, **told)
    except AssayError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
@settings(max_examples=60)
def test_what_an_evaluation_refuses_is_an_error(name, data) -> None:
    gold, run, told, held = asked(name)
    changed = data.draw(mutated(run))
    why = refused(gold.encode(), [changed], **told)
    assert not why or GOLD_ALONE in why or not assay.check([changed], **held).ok, changed


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("packed", ["plain", "gz", "zst", "stdin"])
def test_a_run_in_order_has_nothing_wrong_and_one_with_a_fault_has(name, packed, tmp_path, monkeypatch) -> None:
    gold, run, told, held = asked(name)
    broken = run.rstrip("\n]}") + "\n\0 {\n"
    for content, fine in ((run.encode(), True), (broken.encode(), False)):
        given = packed_as(packed, content, tmp_path, monkeypatch)
        assert assay.check([given()], **held).ok is fine
        assert (refused(gold.encode(), [given()], **told) == "") is fine


def packed_as(how: str, content: bytes, folder, monkeypatch):
    """What gives the same content, in a file, packed, or on the standard input, as often as it is asked."""
    if how == "stdin":

        def given() -> str:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
            return "-"

        return given
    path = folder / ("run" if how == "plain" else f"run.{how}")
    if how == "zst":
        content = pytest.importorskip("zstandard").ZstdCompressor().compress(content)
    path.write_bytes(gzip.compress(content) if how == "gz" else content)
    return lambda: str(path)


ALONE = {
    **JUDGED,
    "ARGUE": EXAMPLES["argue-scores"],
    **{name: example for name, example in EXAMPLES.items() if READERS[name].role == "log"},
}
"""Files that carry their own judgments."""


@pytest.mark.parametrize("name", ALONE)
@given(data=st.data())
@settings(max_examples=25)
def test_what_an_evaluation_of_judged_files_refuses_is_an_error(name, data) -> None:
    changed = data.draw(mutated(ALONE[name]))
    problem = refused(changed, [])
    # Which of several metrics is meant is a person's choice, and whether all gold is there is no matter of one file.
    choice = re.search(r"choose one|`(metric|scorer|outcomes|judge|threshold)=", problem)
    assert not (problem and not choice and assay.check([changed]).ok), problem


@pytest.mark.parametrize("name", JUDGED)
def test_judged_files_in_order_have_nothing_wrong(name) -> None:
    assert assay.check([JUDGED[name].encode()]).ok
    assay.evaluate(JUDGED[name].encode())


IN_PARTS = [
    reader.name
    for reader in READERS.values()
    if reader.recovers and reader.recovers != NUMBERED_LINE and not reader.recovers.startswith(MEMBER_OF)
]


@pytest.mark.parametrize("name", sorted({*IN_PARTS} - {"trec-run"}))
def test_the_parts_of_a_file_in_order_are_in_order(name, monkeypatch) -> None:
    """Where the whole cannot be read, nobody hears of faults that only the taking apart made."""
    source = Source("a", data=EXAMPLES[name].encode())
    taken = list(file_parts.parts(source, name, Expectations()))
    assert taken
    for part in taken:
        file = check_file(
            Source("a", data=part.data), Expectations(read_rules({"format": name} if name == "sets" else None))
        )
        assert [finding.as_dict() for finding in file.findings if finding.level == "error"] == []
