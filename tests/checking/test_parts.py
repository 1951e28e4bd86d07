"""Files taken apart, and what holds of any file: what an evaluation refuses is an error, and what is in order it takes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_runs import CASES, mutated
from reader_examples import EXAMPLES

import assay
from assay.checking import parts
from assay.checking.check import check_file
from assay.checking.rules import read_rules
from assay.checking.wanted import Wanted
from assay.errors import AssayError
from assay.formats.readers import readers
from assay.formats.sources import Source


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_what_an_evaluation_refuses_is_an_error_and_what_is_in_order_it_takes(name, data) -> None:
    gold, run, options = CASES[name]
    changed = data.draw(mutated(run))
    task = "diversity" if name == "diversity" else None
    columns = options.get("columns")
    # A line of two words may be a set's too: what the task is, its organiser knows.
    rules = {"format": "pan-answers"} if name == "PAN in words" else None
    found = assay.check([changed], topics=["q1", "q2", "q3", "q4"], columns=columns, rules=rules)
    refused = ""
    try:
        assay.evaluate(gold.encode(), [changed], task=task, **options)
    except AssayError as problem:
        refused = str(problem)
    assert not (refused and found.ok), changed


@pytest.mark.parametrize("name", CASES)
def test_a_run_in_order_has_nothing_wrong(name) -> None:
    gold, run, options = CASES[name]
    assert assay.check([run.encode()], topics=["q1", "q2", "q3", "q4"], columns=options.get("columns")).ok
    assay.evaluate(gold.encode(), [run.encode()], task="diversity" if name == "diversity" else None, **options)


IN_PARTS = {*parts.BY_LINE, *parts.BY_MEMBER, *parts.BY_ENTRY, *parts.BY_REPORT}


@pytest.mark.parametrize("name", sorted(IN_PARTS - {"labels"}))
def test_the_parts_of_a_file_in_order_are_in_order(name, monkeypatch) -> None:
    """Where the whole cannot be read, nobody hears of faults that only the taking apart made."""
    assert name in {reader.name for reader in readers()}
    source = Source("a", data=EXAMPLES[name].encode())
    taken = list(parts.parts(source, name, Wanted()))
    assert taken
    for part in taken:
        file = check_file(Source("a", data=part.data), Wanted(read_rules({"format": name} if name == "sets" else None)))
        assert [finding.as_dict() for finding in file.findings if finding.level == "error"] == []
