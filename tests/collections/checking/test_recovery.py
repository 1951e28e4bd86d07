"""Each format recovers after a fault as its declaration says, so that `check` tells of the next one."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib

import inspect_logs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_runs import CASES, JUDGED, mutated
from reader_examples import EXAMPLES, IN_PARQUET, READERS

import assay
from assay.collections.checking.answers import FIRST_ALONE
from assay.collections.checking.check import check_file
from assay.collections.checking.expectations import Expectations
from assay.collections.checking.findings import File
from assay.collections.checking.recovery import MAX_FAULTY_SAMPLES, MEMBER_OF, NUMBERED_LINE, parts
from assay.collections.checking.rules import read_rules
from assay.errors import AssayError
from assay.formats.answers.generation import ARGUE_COUNTS
from assay.io.sources import Source

RECOVERS = ["labels", *(reader.name for reader in READERS.values() if reader.recovers)]


def lines(*rows: object) -> bytes:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows).encode()


COUNTS = "".join(f"r\t1\t{name}\t2.0\n" for name in ARGUE_COUNTS)
NO_COUNTS = COUNTS.replace("2.0", "x").replace("\t1\t", "\t2\t")
TWO_FAULTS = {
    "trec-run": b"1 Q0 a 1 9\n1 Q0 b 2 8 t\n1 Q0 c 3 x t\n",
    "answers": lines({"id": "q1", "answer": "x", "confidence": 7}, {"id": "q2", "answer": "x"}, "{broken"),
    "table run": b"id,answer,confidence\nq1,x,7\nq2,x,0.5\nq3,x\n",
    "pan-answers": b"q1 0.5\nq2 7\nq3 0.1\nq4 0.2\nq5 0.2 1\n",
    "labels": b"q1 TRUE\nq2\nq3 FALSE\nq4\nq5 TRUE\n",
    "sets": b"R1 d1\nR1\nR2 d2\nR2\nR3 d1\nR3 d2\nR3 d3\n",
    "battles": lines({"question": "q", "a": "x", "b": "y", "winner": "z"}, "{broken"),
    "squad-predictions": b'{"a": "x", "b": 7, "c": []}',
    "squad-na-prob": b'{"a": 7, "b": 0.5,\n "c": -1}',
    "argue-scores": f"run_id\trequest_id\tmetric\tvalue\n{COUNTS}{NO_COUNTS}r\t3\n".encode(),
    "ragas": b"user_input,response,faithfulness\na,b,0.5\nc,d\ne,f,0.1\ng\n",
}


def with_two_faults(name: str) -> bytes:
    """The example of a reader of JSON, with two units more that cannot be read."""
    unit, _, place = READERS[name].recovers.partition(", ")[0].partition(" of ")
    if unit in ("line", "numbered line"):
        return EXAMPLES[name].encode() + lines("{broken", "[]")
    document = units = json.loads(EXAMPLES[name])
    for key in filter(None, place.split(".")):
        units = units[key]
    if isinstance(units, list):
        units += [7, "x"]
    else:
        units.update({"x": 7, "y": 7})
    return json.dumps(document).encode()


@pytest.mark.parametrize("name", RECOVERS)
def test_both_of_two_faults_are_told(name) -> None:
    rules = {"labels": {"labels": ["TRUE", "FALSE"]}, "squad-predictions": {"format": name}}.get(name)
    (file,) = assay.check([TWO_FAULTS.get(name) or with_two_faults(name)], rules=rules).files
    assert file.format == name
    errors = [finding for finding in file.findings if finding.level == "error"]
    assert sum(finding.count for finding in errors) >= 2, [finding.as_dict() for finding in errors]
    assert all(FIRST_ALONE not in finding.mend for finding in errors)


def test_of_nested_parquet_the_first_is_told_and_said_to_be() -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    (row,) = IN_PARQUET["lighteval"]
    rows = [{**row, "doc": {**row["doc"], "id": id}, "metric": {"acc": [1.0, 0.0]}} for id in "12"]
    held = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), held)
    (file,) = assay.check([held.getvalue()]).files
    (finding,) = file.findings
    assert (file.format, finding.level, finding.count) == ("lighteval", "error", 1)
    assert finding.mend.endswith(FIRST_ALONE)


@pytest.mark.parametrize("name", ["deepeval", "promptfoo", "simple-evals", "evalplus", "helm", "squad-predictions"])
def test_a_document_that_is_cut_off_says_that_there_may_be_more(name) -> None:
    (file,) = assay.check(
        [EXAMPLES[name].encode()[:-3]], rules={"format": name} if name.startswith("squad") else None
    ).files
    (finding,) = (finding for finding in file.findings if finding.level == "error")
    assert finding.mend.endswith(FIRST_ALONE)


CASE = json.loads(EXAMPLES["deepeval"])["testCases"][0]
EVENT = json.loads(EXAMPLES["openai-evals"].splitlines()[-1])


def checked(data: bytes) -> File:
    return assay.check([data]).files[0]


def errors(file: File) -> list[tuple[str, int, list[int], str]]:
    return [(one.kind, one.count, one.lines, one.found) for one in file.findings if one.level == "error"]


def test_members_keep_their_places_when_one_before_them_is_left_out() -> None:
    pages = ["<p>Score: 1</p>", "<p>none</p>", "<p>Score: 0</p>", "<p>none</p>", 7]
    file = checked(json.dumps({"score": 1, "metrics": {}, "htmls": pages}).encode())
    told = ["Expected `str`, got `int` - at `$.htmls[4]`", "htmls[1]: has no `Score:`"]
    assert [found for *_, found in errors(file)] == told
    assert ([count for _, count, *_ in errors(file)], file.topics) == ([1, 2], 2)


def test_a_log_of_events_goes_on_behind_a_line_that_is_broken() -> None:
    more = json.dumps({**EVENT, "sample_id": "s2"})
    file = checked(f"{EXAMPLES['openai-evals']}{{broken\n{more}\n{{bad\n".encode())
    ((kind, count, lines, _),) = errors(file)
    assert (kind, count, lines, file.topics) == ("fields", 2, [3, 5], 2)


class TestArchives:
    GOOD = [inspect_logs.sample(f"q{number}") for number in range(4)]
    BAD = [GOOD[0], {**GOOD[1], "scores": 7}, GOOD[2], {**GOOD[3], "scores": 9}]

    def test_the_next_sample_is_read(self) -> None:
        file = checked(inspect_logs.eval_log(self.BAD, summaries=[]))
        told = [found.partition(": ")[0] for *_, found in errors(file)]
        assert told == ["member samples/q1_epoch_1.json", "member samples/q3_epoch_1.json"]
        assert (file.topics, file.lines) == (2, 2)

    def test_where_the_summaries_are_broken_the_samples_are_read(self) -> None:
        file = checked(inspect_logs.eval_log(self.GOOD, summaries=[7]))
        told = [found.partition(": ")[0] for *_, found in errors(file)]
        assert told == ["member summaries.json", "member _journal/summaries/1.json"]
        assert file.topics == 4

    def test_summaries_that_speak_of_a_sample_that_is_left_out_are_not_believed(self) -> None:
        """Neither the whole ones nor those of the journal: an old log, whose summaries have not all of a score."""
        rows = [inspect_logs.summary(sample) for sample in self.GOOD]
        file = checked(inspect_logs.eval_log(self.BAD, inspect_logs.header("0.3.60"), summaries=rows))
        assert ([count for _, count, *_ in errors(file)], file.topics) == ([1, 1], 2)

    def test_a_member_that_does_not_unpack(self) -> None:
        members = [
            inspect_logs.Member("header.json", json.dumps(inspect_logs.header("0.3.60")).encode()),
            *(inspect_logs.member_of(sample) for sample in self.GOOD),
        ]
        members[2] = members[2]._replace(crc=zlib.crc32(b"other"))
        file = checked(inspect_logs.archive(members))
        ((_, count, _, found),) = errors(file)
        assert (count, found.startswith("member samples/q1_epoch_1.json"), file.topics) == (1, True, 3)

    def test_an_archive_without_its_end_has_one_fault(self) -> None:
        (finding,) = checked(inspect_logs.eval_log(self.GOOD)[:-30]).findings
        assert "is no whole zip archive" in finding.found
        assert finding.mend.endswith(FIRST_ALONE)


def test_after_twenty_faults_it_is_said_that_there_may_be_more() -> None:
    cases = [{**CASE, "name": f"c{number}", "metricsData": number} for number in range(MAX_FAULTY_SAMPLES + 5)]
    file = checked(json.dumps({"testCases": cases, "hyperparameters": {"model": "m"}}).encode())
    assert [count for _, count, *_ in errors(file)] == [MAX_FAULTY_SAMPLES, 1]
    assert [finding.mend.endswith(FIRST_ALONE) for finding in file.findings] == [False, True]


@pytest.mark.parametrize("name", ["deepeval", "promptfoo", "simple-evals", "inspect", "openai-evals", "ragas"])
def test_a_log_in_order_has_nothing_wrong(name) -> None:
    assert errors(checked(EXAMPLES[name].encode())) == []


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
    # Which of several metrics is meant is a person's choice, and whether all gold is there is no matter of one file; a mutated file
    # may be a run to be judged (`0 0`).
    choice = re.search(r"no runs given|choose one|`(metric|scorer|outcomes|judge|threshold)=", problem)
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
    taken = list(parts(source, name, Expectations()))
    assert taken
    for part in taken:
        file = check_file(
            Source("a", data=part.data), Expectations(read_rules({"format": name} if name == "sets" else None))
        )
        assert [finding.as_dict() for finding in file.findings if finding.level == "error"] == []
