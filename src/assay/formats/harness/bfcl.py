"""BFCL, the Berkeley Function Calling Leaderboard: a score file per model and category, which lists the failures alone.

The first line has the totals; a question of the category that no line names was right. Questions are CATEGORY_0, CATEGORY_1 … in
the order of the data; the ids of some categories go on (live_simple_12-3-5). Old score files count them from 1 instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from assay.formats.answers.rows import CORRECT, INCORRECT, UNPARSED, Rows
from assay.formats.harness.logs import MAX_UNLISTED, Log, LogReading, folder_of
from assay.formats.json_files import decode_lines, decode_part, has_keys, stated
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

EXPECTED = "a score file of BFCL, a line {accuracy, correct_count, total_count} and then a line per failure"
EXPECTED_RESULT = "a result file of BFCL, a line {id, result} per question"
NAMED = re.compile(r"^(?:BFCL_v\d+_|gorilla_openfunctions_v\d+_)?(.+)_score$")
OLD_RESULTS = "gorilla_openfunctions_v1_test_"
"""What begins the name of a result file of 2024, whose score file has the rest of it."""
PLACE = re.compile(r"^(.+?)_(\d+)(?:[-:].*)?$")
"""An id: the category and the place in its data, and what may follow."""
INFERENCE = "inference_error"
"""The end of the error types that say that the model's API failed."""
TOLERANCE = 1e-6


class _Header(msgspec.Struct):
    accuracy: float
    correct_count: int
    total_count: int


class _Failure(msgspec.Struct):
    id: int | str
    valid: bool
    model_name: str | None = None
    test_category: str | None = None
    error_type: str | None = None
    error: Any = None
    prompt: Any = None


class _Result(msgspec.Struct):
    id: str
    latency: Any = None
    input_token_count: Any = None
    output_token_count: Any = None


class _Failed(NamedTuple):
    line: int
    id: str
    row: _Failure


def _scores(head: Head) -> bool:
    """a first line with `accuracy`, `correct_count` and `total_count`."""
    return head.shape == "json" and has_keys(head, "accuracy", "correct_count", "total_count")


@reads(
    "bfcl",
    role="log",
    task="outcomes",
    yields="BFCL: a score file, the failures of a category",
    recognises=_scores,
    shapes="json",
    markers=("correct_count",),
    companions={
        ("json", "id", "result", "input_token_count", "latency"): (
            "holds what a model answered; give the score file of BFCL, …_score.json"
        ),
    },
)
def read_bfcl(source: Source, reading: LogReading) -> list[Rows]:
    """Return one run on one category. Output that could not be decoded is unparsed, a failed request is failed."""
    header, failures = _decoded(source)
    log = reading.log(source, "BFCL")
    run, category = _names(source, failures)
    numbered = category or "question"
    failed: dict[int, _Failed] = {}
    _check(log, header, len(failures))
    used = _results(source)
    # A run on some questions has the result file alone to name them.
    places = sorted(used) if len(used) == header.total_count else range(header.total_count)
    known = {*places}
    for line, row in failures:
        identity, place = _identity(log, line, row, numbered)
        if place not in known:
            raise log.error(
                line, "", f"question {identity!r} is not one of the {header.total_count} of the first line, counted from 0. Fix: a "
                "run on some of the questions needs its result file in the folder result beside score",
            )  # fmt: skip
        if place in failed:
            raise log.error(line, "", f"question {identity!r} is also on line {failed[place].line}; expected each once")
        failed[place] = _Failed(line, identity, row)
    for place in places:
        usage = used.get(place)
        if place not in failed:
            log.add(f"{numbered}_{place}", run=run, task=category, state=CORRECT, usage=usage, line=1)
            continue
        line, _, row = failed[place]
        kind = _error_type(row)
        log.add(
            f"{numbered}_{place}", run=run, task=category, state=INCORRECT, line=line, usage=usage,
            kind=UNPARSED if "_decoder:" in kind else None, problem=kind if kind.endswith(INFERENCE) else None,
        )  # fmt: skip
    return log.finish()


def _decoded(source: Source) -> tuple[_Header, list[tuple[int, _Failure]]]:
    """Return the totals and the failures with their lines; the header is the first line that is not blank."""
    header: _Header | None = None
    failures: list[tuple[int, _Failure]] = []
    for line, raw in decode_lines(source, msgspec.Raw, EXPECTED):
        if header is None:
            header = decode_part(source, raw, _Header, EXPECTED, line)
        else:
            row = decode_part(source, raw, _Failure, EXPECTED, line)
            if row.valid:
                raise source.error(line, "`valid` is true; expected failures alone below the first line")
            failures.append((line, row))
    assert header is not None  # an empty file is an error of `decode_lines`
    return header, failures


def _check(log: Log, header: _Header, failures: int) -> None:
    """Refuse totals that are not those of the failures: every line that is missing would count as right."""
    total, right = header.total_count, header.correct_count
    if total < 1 or not 0 <= right <= total or abs(right / total - header.accuracy) > TOLERANCE:
        raise log.error(1, "", f"accuracy {header.accuracy:g} is not correct_count {right} of total_count {total}")
    if total > MAX_UNLISTED:
        raise log.error(1, "", f"total_count is {total}; expected at most {MAX_UNLISTED} questions")
    if failures != total - right:
        raise log.error(
            1, "", f"states {total - right} failures ({right} right of {total}); the file lists {failures}. Fix: get the "
            "complete file, since a question that it does not list counts as right",
        )  # fmt: skip


def _identity(log: Log, line: int, row: _Failure, category: str) -> tuple[str, int]:
    """Return the id of a failure and its place in the data, from 0."""
    if isinstance(row.id, int):
        if row.id < 1:
            raise log.error(line, "", f"id {row.id}: expected a number from 1")
        asked = row.prompt.get("id") if isinstance(row.prompt, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        match = PLACE.match(asked) if isinstance(asked, str) else None
        if match and int(match[2]) != row.id - 1:
            raise log.error(line, "", f"id {row.id} has the prompt {asked!r}; expected number {row.id - 1}")
        return f"{category}_{row.id - 1}", row.id - 1
    match = PLACE.match(row.id)
    if match is None:
        raise log.error(line, "", f"id {row.id!r:.60}: expected CATEGORY_NUMBER")
    return row.id, int(match[2])


def _error_type(row: _Failure) -> str:
    """Return the type of an error, which newer files have inside of `error`."""
    inside = row.error.get("error_type") if isinstance(row.error, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return row.error_type or (inside if isinstance(inside, str) else "")


def _names(source: Source, failures: list[tuple[int, _Failure]]) -> tuple[str, str]:
    """Return model and category: by the path, score/MODEL/…/BFCL_v4_CATEGORY_score.json, else by the failures."""
    for name in ("model_name", "test_category"):
        values = list(dict.fromkeys(getattr(row, name) for _, row in failures if getattr(row, name) is not None))
        if len(values) > 1:
            raise source.error(failures[0][0], f"{name} is {values[0]!r} and {values[1]!r}; expected one in a file")
    prefixes = {match[1]: line for line, row in failures if isinstance(row.id, str) and (match := PLACE.match(row.id))}
    if len(prefixes) > 1:
        first, second = list(prefixes)[:2]
        raise source.error(prefixes[second], f"ids of {first} and of {second}; expected one category in a file")
    row = failures[0][1] if failures else None
    match = NAMED.match(source.stem)
    category = match[1] if match else (row and row.test_category) or ""
    folder = folder_of(source)
    if not folder:
        return source.label or (row and row.model_name) or source.stem, category
    folders = folder.split(os.sep)
    after = folders[len(folders) - folders[::-1].index("score") :] if "score" in folders else []
    # The failures of a model may name it otherwise than its folder; a category without failures has the folder alone.
    model = after[0] if after else (row and row.model_name) or folders[-1]
    return source.label or model, category


def _results(source: Source) -> dict[int, dict[str, float | None]]:
    """Return what each question took, by its place, from the result file of the same category, where there is one."""
    folders = folder_of(source).split(os.sep)
    if source.path is None or "score" not in folders or not NAMED.match(source.stem):
        return {}
    last = len(folders) - 1 - folders[::-1].index("score")
    name = os.path.basename(source.path).replace("_score.", "_result.")
    for beside in (name, f"{OLD_RESULTS}{name}"):
        path = os.sep.join([*folders[:last], "result", *folders[last + 1 :], beside])
        if os.path.isfile(path):
            return dict(_usages(Source(path, path=path)))
    return {}


def _usages(source: Source) -> Iterator[tuple[int, dict[str, float | None]]]:
    for _, row in decode_lines(source, _Result, EXPECTED_RESULT):
        match = PLACE.match(row.id)
        tokens = [stated(row.input_token_count), stated(row.output_token_count)]
        if match:
            both = None if None in tokens else sum(filter(None, tokens))
            yield int(match[2]), {"latency": stated(row.latency), "tokens": both}
