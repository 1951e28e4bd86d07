"""The page of a diversity run."""

from __future__ import annotations


def test_what_a_run_covers(text):
    lines = text("diversity", "--run", "wide")
    said = "\n".join(lines)
    assert "Subtopics: 4" in said
    for row in (
        "Subtopics with a relevant document 4",
        "Relevant to any subtopic 16",
        "StRecall 1.0000 1.0000 1.0000",
        "P_IA 0.5000 0.4000 0.2000",
    ):
        assert row in " ".join(said.split()), row
    assert any(line.split()[:4] == ["1", "2", "2", "1.0000"] for line in lines)


def test_a_topic_the_run_lacks_is_there(text):
    lines = text("diversity", "--run", "deep")
    assert any(line.split()[:3] == ["2", "2", "0"] for line in lines)
