"""Every reader of logs beside every other: each file has one of them or none, and no bytes bring anything but assay's errors."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_reading import edited, read_log
from made_logs import WRITERS
from reader_examples import EXAMPLES

from assay.errors import AssayError, InputError
from assay.formats.harness.logs import LogReading
from assay.formats.recognition import readers
from assay.io.heads import head_of_bytes
from assay.io.sources import HEAD, Source

OURS = {reader.name: reader for reader in readers() if reader.name in WRITERS}
CLAIMED = {
    "deepeval/latest_test_run.json": "deepeval",
    "deepeval/test_run_20261115_070539.json": "deepeval",
    "evalplus/samples_eval_results.json": "evalplus",
    "every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl": "every-eval-ever",
    "helm/0.5.16/simple_mcqa:model=simple_model1,data_augmentation=robustness/per_instance_stats.json": "helm",
    "helm/0.5.16/simple_mcqa:model=simple_model1/per_instance_stats.json": "helm",
    "openai_evals/261115070000ABCDEFGH_made-model_capitals.jsonl": "openai-evals",
    "promptfoo/results.first8.jsonl": "promptfoo",
    "promptfoo/results.json": "promptfoo",
    "simple_evals/simpleqa_made-a_20261115_070000_allresults.json": "simple-evals",
}
METRICS = ("Contains", "accuracy", "correct", "exact_match", "base", None)


def claiming(head) -> list[str]:
    return [name for name, reader in OURS.items() if reader.recognises(head)]


def made(name: str, folder: Path) -> bytes:
    return WRITERS[name](folder).read_bytes()


@pytest.fixture(scope="module")
def logs(tmp_path_factory) -> dict[str, bytes]:
    return {name: made(name, tmp_path_factory.mktemp(name)) for name in WRITERS}


def test_all_eight_are_declared() -> None:
    assert {*OURS} == {*WRITERS}
    assert all((reader.role, reader.task) == ("log", "outcomes") for reader in OURS.values())


def drop_line(path: Path, holding: str) -> Path:
    """The file without the last line that holds a text."""
    lines = path.read_text().splitlines(keepends=True)
    del lines[max(place for place, line in enumerate(lines) if holding in line)]
    path.write_text("".join(lines))
    return path


TRUNCATED = {
    "helm": ("helm/0.5.16/simple_mcqa:model=simple_model1/per_instance_stats.json",
             lambda path: edited(path, lambda rows: rows.pop()), "stats.json states 10 samples", "has 9 samples"),
    "lm-eval": ("lm_eval/0.4.13/quizzer-bold/samples_capitals_mc_2026-11-15T06-39-13.217789.jsonl",
                lambda path: drop_line(path, "doc_id"), "states 12 samples, acc 0.8333", "has 11 samples, acc 0."),
    "simple-evals": ("simple_evals/simpleqa_made-a_20261115_070000_allresults.json",
                     lambda path: edited(path, lambda log: log["htmls"].pop()), "the log states 8 samples, score 0.6250",
                     "has 7 samples, score "),
    "promptfoo": ("promptfoo/results.json", lambda path: edited(path, lambda log: log["results"]["results"].pop()),
                  "the log states 48 samples", "has 47 samples"),
    "deepeval": ("deepeval/test_run_20261115_070539.json",
                 lambda path: edited(path, lambda log: log["testCases"].pop()), "the log states 4 samples", "has 3 samples"),
    "every-eval-ever": ("every_eval_ever/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40_samples.jsonl",
                        lambda path: (edited(path.with_name(path.name.replace("_samples.jsonl", ".json")), lambda log: log[
                            "detailed_evaluation_results"].update(total_rows=2)), path)[1],
                        "states 2 rows", "has 1 row"),
}  # fmt: skip
"""By reader: a real log, how to take one sample from it, what it states and what it then holds."""


@pytest.mark.parametrize("name", TRUNCATED)
def test_a_log_that_lacks_a_sample_it_counts_is_refused(name, shared_data, tmp_path) -> None:
    """Red before: every one of them was read as if it were whole."""
    file, truncate, states, holds = TRUNCATED[name]
    real = shared_data("harness_logs", *file.split("/"))
    path = Path(shutil.copytree(real.parent, tmp_path / real.parent.name)) / real.name
    whole = read_log(path)
    with pytest.raises(InputError) as refused:
        read_log(truncate(path))
    assert states in str(refused.value)
    assert f"the file {holds}" in str(refused.value)
    cut = read_log(path, partial=True)
    assert any(states in line for line in cut[0].warnings)
    assert not any("states" in line for line in whole[0].warnings)


def test_every_real_file_has_one_reader_or_none(shared_data) -> None:
    folder = shared_data("harness_logs")
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = {str(path.relative_to(folder)): claiming(Source(str(path), path=str(path)).head) for path in files}
    assert {name: names for name, names in found.items() if names} == {name: [one] for name, one in CLAIMED.items()}


@pytest.mark.parametrize("name", list(WRITERS))
def test_made_logs_have_their_reader_alone(name, logs) -> None:
    assert claiming(head_of_bytes(logs[name])) == [name]
    dense = b"\n".join(json.dumps(json.loads(line)).encode() for line in logs[name].splitlines()) \
        if name in ("every-eval-ever", "openai-evals") else json.dumps(json.loads(logs[name])).encode()  # fmt: skip
    assert claiming(head_of_bytes(dense)) == [name]


@pytest.mark.parametrize("name", ["every-eval-ever", "promptfoo", "deepeval"])
def test_a_log_is_recognised_though_its_first_answer_is_longer_than_what_is_looked_at(name, tmp_path) -> None:
    path = WRITERS[name](tmp_path)
    content = path.read_text()
    if name == "promptfoo":
        content = json.dumps(json.loads(content)["results"]["results"][0])
    long = json.dumps("Paris " * 20_000)
    assert claiming(head_of_bytes(content.replace('"Paris"', long).encode()[:HEAD])) == [name]


def test_other_formats_have_none_of_them() -> None:
    claims = {name: claiming(head_of_bytes(text.encode())) for name, text in EXAMPLES.items() if name not in WRITERS}
    assert {name: readers for name, readers in claims.items() if readers} == {}


# Nothing but assay's own errors escapes, whatever the bytes


def survives(name: str, content: bytes, metric: str | None) -> None:
    with suppress(AssayError):
        source = Source("log", data=content)
        claiming(source.head)
        for rows in OURS[name].read(source, LogReading({"metric": metric})):
            for question, sample in zip(rows.ids, rows.samples or [1] * len(rows.ids), strict=True):
                rows.texts_of(question, sample)


@given(st.data())
def test_damaged_logs(logs, data) -> None:
    name = data.draw(st.sampled_from([*WRITERS]))
    content = logs[name]
    place = data.draw(st.integers(0, len(content) - 1))
    patch = data.draw(st.binary(max_size=4) | st.sampled_from([b"NaN", b"null", b'"', b"{", b"1" + b"0" * 5000]))
    cut = data.draw(st.integers(0, 3) | st.just(len(content)))
    survives(name, content[:place] + patch + content[place + cut :], data.draw(st.sampled_from(METRICS)))


ODD = st.sampled_from(
    [None, True, -1, 0.5, 7, 1e308, float("nan"), float("-inf"), 10**400, "", "x", "NaN", "é\ud800", [], [None], [[1]], {}, {"a": None}]
)  # fmt: skip


def places(content, way=()) -> list[tuple]:
    """The way to everything in a JSON value."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    return [way, *(place for key, inner in items for place in places(inner, (*way, key)))]


def replaced(content, way, value):
    if not way:
        return value
    copy = dict(content) if isinstance(content, dict) else list(content)
    copy[way[0]] = replaced(content[way[0]], way[1:], value)
    return copy


@given(st.data())
def test_values_of_other_types(logs, data) -> None:
    name = data.draw(st.sampled_from([*WRITERS]))
    by_line = name in ("every-eval-ever", "openai-evals")
    content = [json.loads(line) for line in logs[name].splitlines()] if by_line else json.loads(logs[name])
    way = data.draw(st.sampled_from(places(content)[1:]))
    content = replaced(content, way, data.draw(ODD))
    whole = "\n".join(map(json.dumps, content)) if by_line else json.dumps(content)
    survives(name, whole.encode(), data.draw(st.sampled_from(METRICS)))


@pytest.mark.slow
@pytest.mark.parametrize("path", CLAIMED)
def test_damaged_real_files(shared_data, path) -> None:
    content = shared_data("harness_logs", *path.split("/")).read_bytes()[:60_000]
    for metric in METRICS:
        for part in range(0, len(content), max(1, len(content) // 40)):
            survives(CLAIMED[path], content[:part], metric)
            survives(CLAIMED[path], content[:part] + b'"\xff"' + content[part + 3 :], metric)


@pytest.mark.parametrize("name", list(WRITERS))
def test_what_is_no_log_at_all(name) -> None:
    for content in (b"", b"\n", b"[]", b"{}", b"null", b"[" * 100_000, b"\xff\xfe[", b'{"eval": {}}', b"1" * 5000):
        with pytest.raises(AssayError, match=r"^log\b"):
            OURS[name].read(Source("log", data=content), LogReading())
