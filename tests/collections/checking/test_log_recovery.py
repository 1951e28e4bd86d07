"""Logs read again without what has a fault: every fault with its own place, and the answers that are left."""

from __future__ import annotations

import json
import zlib

import inspect_logs
import pytest
from reader_examples import EXAMPLES

import assay
from assay.collections.checking.answers import FIRST_ALONE
from assay.collections.checking.findings import File
from assay.collections.checking.log_recovery import MOST

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
        told = [found.partition(": is")[0] for *_, found in errors(file)]
        assert told == ["member samples/q1_epoch_1.json", "member samples/q3_epoch_1.json"]
        assert (file.topics, file.lines) == (2, 2)

    def test_where_the_summaries_are_broken_the_samples_are_read(self) -> None:
        file = checked(inspect_logs.eval_log(self.GOOD, summaries=[7]))
        told = [found.partition(": is")[0] for *_, found in errors(file)]
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
    cases = [{**CASE, "name": f"c{number}", "metricsData": number} for number in range(MOST + 5)]
    file = checked(json.dumps({"testCases": cases, "hyperparameters": {"model": "m"}}).encode())
    assert [count for _, count, *_ in errors(file)] == [MOST, 1]
    assert [finding.mend.endswith(FIRST_ALONE) for finding in file.findings] == [False, True]


@pytest.mark.parametrize("name", ["deepeval", "promptfoo", "simple-evals", "inspect", "openai-evals", "ragas"])
def test_a_log_in_order_has_nothing_wrong(name) -> None:
    assert errors(checked(EXAMPLES[name].encode())) == []
