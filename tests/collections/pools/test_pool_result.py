"""A pool as it is written."""

from __future__ import annotations

import csv
import json

import pytest

import assay
from assay.collections.pools.pool_result import form_of
from assay.errors import InputError, UsageError
from assay.formats.ranked.sampled_judgments import prels_rows, strata_rows
from assay.io.csv_escaping import unguarded
from assay.io.sources import source_of

RUNS = {
    "one": {"q/1": {"a": 3, "b": 2, "c": 1}, "q2": {"x": 1}},
    "two": {"q/1": {"b": 3, "d": 2}, "q2": {"x": 2, "y": 1}},
}
GRADES = {"q/1": {"a": 2, "b": 0, "c": 1, "d": 0}, "q2": {"x": 1, "y": 0}}


def sample(**more):
    return assay.pool(RUNS, strategy="sample", strata="1:1,3:0.5", grades=GRADES, **more)


def test_lines_and_json(tmp_path):
    made = assay.pool(RUNS, depth=2)
    made.save(tmp_path / "pool.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "pool.jsonl").read_text().splitlines()]
    assert all(set(line) == {"topic", "document"} for line in lines)
    assert sorted((line["topic"], line["document"]) for line in lines) == [
        ("q/1", "a"), ("q/1", "b"), ("q/1", "d"), ("q2", "x"), ("q2", "y"),
    ]  # fmt: skip
    made.save(tmp_path / "pool.json")
    found = json.loads((tmp_path / "pool.json").read_text())
    assert (found["strategy"], found["depth"], found["documents"]) == ("depth", 2, 5)
    assert found["topics"]["q2"] == {"pooled": 2, "already_judged": 0, "documents": made.topics["q2"]}
    assert "one" not in (tmp_path / "pool.json").read_text()


def test_a_folder_with_a_file_for_each_topic(tmp_path):
    made = assay.pool(RUNS, depth=2)
    made.save(f"{tmp_path}/assessors/")
    files = {path.name: path.read_text().split() for path in (tmp_path / "assessors").iterdir()}
    assert files == {
        "q_1.txt": made.topics["q/1"], "q2.txt": made.topics["q2"], "topics.csv": ["file,topic", "q_1.txt,q/1", "q2.txt,q2"],
    }  # fmt: skip
    with pytest.raises(InputError, match="is there already"):
        made.save(tmp_path / "assessors")


def test_a_judged_sample_is_read_back(tmp_path):
    made = sample()
    for form, read in (("prels", prels_rows), ("strata", strata_rows)):
        made.save(tmp_path / f"s.{form}")
        back = read(source_of(str(tmp_path / f"s.{form}")))
        for topic, pool in made.judged(GRADES).items():
            for document, (grade, _, probability) in pool.items():
                if probability is None:
                    assert document not in back[topic] or back[topic][document][0] == -1
                else:
                    assert (back[topic][document][0], back[topic][document][2]) == (grade, probability)


def test_a_judged_sample_can_be_scored(tmp_path):
    sample().save(tmp_path / "s.prels")
    scores = assay.evaluate(tmp_path / "s.prels", RUNS, ["statAP", "inum_rel"])
    assert scores.task.name == "sampled"


def test_what_a_sample_is_not_written_with():
    made = sample()
    with pytest.raises(InputError, match="documents were drawn but are not judged, first"):
        made.judged({"q/1": {"a": 1}})
    with pytest.raises(UsageError, match="has no strata"):
        assay.pool(RUNS).judged(GRADES)
    with pytest.raises(UsageError, match="needs judgments; pass them as `grades=`"):
        assay.pool(RUNS, strategy="sample").written("prels")
    numbered = assay.pool({"r": {"q": {"7": 1}}}, strategy="sample", grades={"q": {"7": 1}})
    with pytest.raises(InputError, match=r"document 7 is a whole number.*write \.strata"):
        numbered.written("prels")
    assert numbered.written("strata") == "q 0 7 1 1\n"


def test_endings():
    with pytest.raises(UsageError, match=r"pool\.txt: expected a file that ends in \.jsonl"):
        form_of("pool.txt")


def test_the_sentence():
    assert assay.pool(RUNS, depth=2).sentence == (
        "5 documents to judge: 2 to 3, median 2.5, a topic, for 2 topics; from 2 runs."
    )
    whose = assay.pool(RUNS, depth=1, characteristics={run: {"team": "us"} for run in RUNS})
    assert whose.sentence == "3 documents to judge: 1 to 2, median 1.5, a topic, for 2 topics; from 2 runs of 1 team."


def test_ids_of_any_bytes(tmp_path):
    odd = "caf\udce9\u202e"
    made = assay.pool({"r": {"q": {odd: 1}}})
    made.save(tmp_path / "p.jsonl")
    assert json.loads((tmp_path / "p.jsonl").read_bytes().decode())["document"] == odd
    made.save(f"{tmp_path}/f/")
    assert (tmp_path / "f" / "q.txt").read_bytes() == odd.encode("utf-8", "surrogateescape") + b"\n"
    with pytest.raises(InputError, match="does not fit on a line"):
        assay.pool({"r": {"q": {"a\nb": 1}}}).to_files()


def test_names_of_files_for_any_topic(tmp_path):
    """Nothing is written beside the folder, no two share a name where case is ignored, and topics.csv says whose each is."""
    topics = ["../x", "a/b", "A/B", "x" * 400, "CON", "nul.txt", "\u00e9", "..", "-rf", "a", "A", "=1+1", "topics"]
    assay.pool({"r": {topic: {topic: 1} for topic in topics}}).save(f"{tmp_path}/out/")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert len({name.lower() for name in names}) == len(names) == len(topics) + 1
    assert not {name.partition(".")[0].lower() for name in names} & {"con", "nul"}
    with (tmp_path / "out" / "topics.csv").open(newline="", encoding="utf-8") as file:
        told = {unguarded(row["file"]): unguarded(row["topic"]) for row in csv.DictReader(file)}
    assert {(tmp_path / "out" / name).read_text() for name in told} == {f"{topic}\n" for topic in topics}
    assert all((tmp_path / "out" / name).read_text() == f"{topic}\n" for name, topic in told.items())
