"""How much is gathered, with which texts, and what is said of the rest."""

from __future__ import annotations

import pytest

import assay
from assay.errors import UsageError
from assay.figures.items.lazy_items import LazyItems, documents_of, items, with_snippets

QRELS = {topic: {"a": 1} for topic in ("1", "2", "3")}
RUN = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in QRELS}


def table(**settings):
    return assay.evaluate(QRELS, {"r": RUN, "s": RUN}, **settings)


def lengths(found):
    return [[len(entries) for entries in one.entries] for one in found]


def test_everything_there_is() -> None:
    found = items(table())
    assert [one.topic for one in found] == ["1", "2", "3"]
    assert lengths(found) == [[3, 3]] * 3


def test_some_topics_are_gathered_alone() -> None:
    some = LazyItems(table(), {"3": "Third"}, depth=2)
    assert (some.known, some.of_documents, some.most) == (True, True, 12)
    last, first = some.some([2, 0])
    assert (last.topic, last.text, first.topic, first.text) == ("3", "Third", "1", None)
    assert [entry.text for entry in last.entries[0]] == ["a", "b"]


def test_a_table_of_numbers_alone_has_topics_and_no_entries() -> None:
    for scores in (table(keep=False), table().restricted(["1", "3"])):
        found = items(scores, {"1": "First"})
        assert [one.topic for one in found] == scores.topics
        assert lengths(found) == [[0, 0]] * len(found)
        assert found[0].text == "First"


def test_a_task_without_items(tmp_path) -> None:
    (tmp_path / "ap.csv").write_text("topic,a,b\n1,0.5,1\n2,1,0\n")
    found = items(assay.read_scores([str(tmp_path / "ap.csv")]))
    assert [(one.topic, one.entries, one.more) for one in found] == [
        ("1", ((), ()), ("", "")),
        ("2", ((), ()), ("", "")),
    ]


def test_texts_alone_are_something_and_nothing_returned() -> None:
    numbers = table(keep=False)
    assert [(some.known, some.returned) for some in (LazyItems(numbers), LazyItems(numbers, {"1": "First"}), LazyItems(table()))] == [
        (False, False), (True, False), (True, True),
    ]  # fmt: skip


def test_texts_by_topic_and_by_number() -> None:
    found = items(table(), {"001": "First", "2": "Second"})
    assert [one.text for one in found] == ["First", "Second", None]


def test_documents_that_are_shown_may_have_beginnings() -> None:
    found = items(table(), depth=2)
    assert documents_of(found) == {"a", "b"}
    one, *_ = with_snippets(found, {"b": "Bees"})
    assert [entry.detail for entry in one.entries[1]] == ["", "Bees"]
    assert items(table(), documents={"a": "Ants"})[0].entries[0][0].detail == "Ants"


def test_answers_are_no_documents() -> None:
    scores = assay.evaluate({"q1": "Paris"}, {"r": {"q1": "Paris"}})
    assert items(scores, documents={"Paris": "A city."})[0].entries[0][0].detail == ""


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 1.5}])
def test_numbers_that_make_no_sense(wrong) -> None:
    with pytest.raises(UsageError):
        items(table(), **wrong)
