"""What is judged and what is next, held against the plainest model there is: a list of what counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assay.collections.assessment.judgment_queue import GradedDocument, JudgmentQueue

POOL = {"q2": ["b", "a"], "q1": ["a", "c", "d"]}
PAIRS = [(topic, document) for topic, of in POOL.items() for document in of]
ORDERS = [[1, 2, 3, 4, 0], [0, 2, 3, 4, 1], [3, 4, 0, 1, 2], [4, 2, 0, 1, 3], [2, 3, 0, 1, 4]]
"""By place where to look next: behind it in its topic, before it in its topic, the other topics, itself."""
STEPS = st.lists(st.one_of(st.just("undo"), st.tuples(st.sampled_from(PAIRS), st.integers(0, 3))), max_size=30)


@given(STEPS)
def test_any_judgments_and_undos_are_as_a_list_and_a_dict_have_them(steps) -> None:
    queue, kept = JudgmentQueue(POOL), []
    for step in steps:
        if step == "undo":
            if kept:
                queue.undo()
                kept.pop()
        else:
            (topic, document), grade = step
            queue.judge(topic, document, grade)
            kept.append(GradedDocument(topic, document, grade))
        plain = {(one.topic, one.document): one.grade for one in kept}
        assert {pair: queue.grade(*pair) for pair in PAIRS} == {pair: plain.get(pair) for pair in PAIRS}
        assert queue.done == len(plain)
        assert queue.last == (kept[-1] if kept else None)
        assert {topic: queue.done_of(topic) for topic in POOL} == {t: sum(p[0] == t for p in plain) for t in POOL}
        for place, order in enumerate(ORDERS):
            assert queue.after(place) == next((i for i in order if PAIRS[i] not in plain), None)
        assert queue.start == (queue.after(PAIRS.index(kept[-1][:2])) if kept else 0)
        for topic, places in (("q2", [0, 1]), ("q1", [2, 3, 4])):
            assert queue.entry(topic) == next((i for i in places if PAIRS[i] not in plain), places[0])
        assert queue.grades() == {
            t: {d: plain[t, d] for d in of if (t, d) in plain}
            for t, of in POOL.items()
            if any((t, d) in plain for d in of)
        }
    again = JudgmentQueue(POOL, kept)
    assert (again.grades(), again.last, again.start) == (queue.grades(), queue.last, queue.start)


def test_what_was_skipped_comes_again_at_the_end_of_its_topic() -> None:
    queue = JudgmentQueue(POOL)
    assert queue.start == 0
    queue.judge("q2", "a", 1)  # the first was skipped
    assert queue.start == 0
    assert queue.after(0) == 2  # and skipped again
    for document in POOL["q1"]:
        queue.judge("q1", document, 0)
    assert queue.start == 0
    queue.judge("q2", "b", 0)
    assert queue.start is None
    assert queue.after(3) is None


def test_who_skips_the_only_one_left_sees_it_again() -> None:
    queue = JudgmentQueue({"q": ["a", "b"]}, [GradedDocument("q", "b", 1)])
    assert queue.after(0) == 0
    assert ("q", "a") in queue
    assert ("q", "z") not in queue
    assert queue.place("q", "b") == 1
