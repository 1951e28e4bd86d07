"""Rankings held in dicts: the core's order, float32 and its ties, and the same views."""

from __future__ import annotations

import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.binding import KERNELS, MEMORY, Problem
from assay.io.sources import Source
from assay.measures.registry import declarations, find
from assay.tasks import ranked, ranked_dicts
from assay.tasks.ranked_dicts import JudgedTopic, JudgedTopics, Wanted, check_ids, check_scores, view_of
from assay.tasks.ranked_runs import rank_run

DOCUMENTS = [f"d{i}" for i in range(12)]
CLOSE = [-0.48203352, -0.48203353, 0.0, -0.0, 1e-46, 2e-46, 1e39, 2e39, float("inf"), 1e300, -1e300, float("-inf")]
SCORES = st.one_of(st.integers(-2, 3), st.floats(allow_nan=False), st.sampled_from(CLOSE))
GRADES = st.sampled_from([-1, 0, 0, 1, 1, 2])


def plain(judged, documents, *, judged_only=False, float32=False) -> list[tuple[int, int]]:
    """(rank, grade) of the documents that the judgments name, by the definition."""

    def rounded(score: float) -> float:
        try:
            return struct.unpack("f", struct.pack("f", score))[0] if float32 else score
        except OverflowError:
            return float("inf") if score > 0 else float("-inf")

    kept = {d: s for d, s in documents.items() if not judged_only or judged.get(d, -1) >= 0}
    order = sorted(kept, key=lambda d: (rounded(kept[d]), d), reverse=True)
    return [(rank, judged[d]) for rank, d in enumerate(order, 1) if d in judged]


@given(
    st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1),
    st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, max_size=12),
    st.booleans(),
    st.booleans(),
)
def test_places_are_those_of_the_definition(judged, documents, judged_only, float32) -> None:
    view = view_of(JudgedTopic(judged), documents, judged_only=judged_only, float32=float32)
    expected = plain(judged, documents, judged_only=judged_only, float32=float32)
    assert list(view.pooled()) == expected
    assert view.relevant() == [rank for rank, grade in expected if grade > 0]
    above = [sum(1 for r, g in expected if g == 0 and r < rank) for rank, grade in expected if grade > 0]
    assert view.nonrelevant_above() == above
    assert view.num_ret == sum(1 for d in documents if not judged_only or judged.get(d, -1) >= 0)


@given(
    st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1),
    st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, min_size=1),
    st.booleans(),
    st.booleans(),
)
def test_views_are_those_of_the_core(judged, documents, judged_only, float32) -> None:
    gold = ranked.read(Source("gold", data={"q": judged}), (), ranked.RankedSettings())
    source = Source("run", data={"q": documents})
    joined = rank_run(source, gold.core, judged_only=judged_only, float32=float32)
    (core,) = ranked.RankedViews(gold, joined, source, level=1)
    ours = view_of(JudgedTopic(judged), documents, judged_only=judged_only, float32=float32)
    assert (ours.num_ret, ours.relevant(), ours.nonrelevant_above()) == (
        core.num_ret,
        core.relevant(),
        core.nonrelevant_above(),
    )
    assert list(ours.gained()) == list(core.gained())
    assert ours.judged() == core.judged()


def rank_of(document: str, documents, *, float32: bool = False) -> int:
    (rank,) = view_of(JudgedTopic({document: 1}), documents, float32=float32).relevant()
    return rank


def test_scores_that_float32_cannot_tell_apart_are_tied_and_ids_decide() -> None:
    documents = {"x": -0.48203352, "y": -0.48203353}
    assert rank_of("x", documents) == 1
    assert rank_of("x", documents, float32=True) == 2


def test_scores_beyond_float32_are_infinite_and_so_tied() -> None:
    documents = {"a": 2e39, "b": 1e39, "c": float("inf"), "d": 1.0}
    assert rank_of("a", documents) == 2
    assert rank_of("a", documents, float32=True) == 3
    assert rank_of("a", {"a": float("inf"), "b": float("inf")}) == 2


def test_ids_and_scores_are_checked_where_they_stand() -> None:
    check_ids("q", {"a": 1.0})
    with pytest.raises(TypeError, match="topic 'q' has the id 3, which is no text"):
        check_ids("q", {"a": 1.0, 3: 2.0})
    check_scores("q", {"a": 1, "b": float("inf"), "c": float("-inf"), "d": True})
    with pytest.raises(TypeError, match="topic 'q', document 'b' has 'x'; expected a number"):
        check_scores("q", {"a": 1.0, "b": "x"})
    with pytest.raises(TypeError, match="document 'b' has None"):
        check_scores("q", {"b": None})
    with pytest.raises(TypeError, match="document 'b' has 1000"):
        check_scores("q", {"a": 0.5, "b": 10**400})
    with pytest.raises(ValueError, match="topic 'q', document 'b': the score is NaN"):
        check_scores("q", {"a": 1.0, "b": float("nan")})
    with pytest.raises(TypeError, match="found 'q': list"):
        check_scores("q", [])


class Odd(dict):
    """A dict that the core does not look into."""


ODD = st.sampled_from([True, 2**53 + 1, 2**53, 10**30, 1e300])


@given(
    st.dictionaries(st.sampled_from("pqr"), st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1)),
    st.dictionaries(st.sampled_from("pqrs"), st.dictionaries(st.sampled_from(DOCUMENTS), SCORES | ODD)),
    st.sampled_from([dict, Odd]),
    st.sampled_from([1, 2, 2**70]),
    st.booleans(),
    st.booleans(),
)
def test_topics_are_seen_alike_by_the_core_and_without_it(judged, run, kind, level, judged_only, float32) -> None:
    """Whatever the dicts and numbers are: of some of them the core can tell, and of the others only the interpreter."""
    choices = {"level": level, "judged_only": judged_only, "float32": float32}
    run = kind({topic: documents if i % 2 else kind(documents) for i, (topic, documents) in enumerate(run.items())})
    found = list(JudgedTopics(judged).views(run, Wanted(**choices)))
    assert [topic for topic, _, _ in found] == [topic for topic in run if topic in judged]
    for topic, view, _ in found:
        expected = view_of(JudgedTopic(judged[topic]), run[topic], **choices)
        assert view is not None
        assert (view.num_ret, view.relevant(), view.relevant(1)) == (
            expected.num_ret,
            expected.relevant(),
            expected.relevant(1),
        )
        assert view.nonrelevant_above() == expected.nonrelevant_above()
        assert list(view.pooled()) == list(expected.pooled())
        assert (list(view.gained()), view.num_rel()) == (list(expected.gained()), expected.num_rel())


def test_what_is_wrong_with_a_run_is_told_in_its_order() -> None:
    topics = JudgedTopics({"q": {"a": 1}})
    run = {"q": {"a": 1.0}, "p": {"a": None}, "r": {"a": float("nan")}}
    seen = topics.views(run, Wanted())
    assert next(seen)[0] == "q"
    with pytest.raises(TypeError, match="topic 'p', document 'a' has None"):
        next(seen)
    for documents in ({3: 1.0}, {3: 1.0, "a": 2.0}):
        with pytest.raises(TypeError, match="topic 'q' has the id 3"):
            list(topics.views({"q": documents}, Wanted()))


@pytest.mark.native_only
def test_topics_keep_what_the_core_said_of_them_though_the_run_changes_meanwhile() -> None:
    run = {"p": {"a": 1.0}, "q": {"a": 1.0}}
    seen = JudgedTopics({topic: {"a": 1} for topic in "pqr"}).views(run, Wanted())
    first, _, _ = next(seen)
    del run["q"]
    run["r"] = {"b": 1.0}  # as many topics as before: an iterator of the dict itself would go on with this one
    assert [first, *((topic, view.relevant()) for topic, view, _ in seen)] == ["p", ("q", [1])]


class Name(str):
    """A topic, or an id, that is more than text."""

    __slots__ = ()


def test_topics_and_ids_that_are_more_than_text_are_text() -> None:
    judged, run = {Name("q"): {Name("a"): 1}}, {Name("q"): {Name("a"): 1.0, "b": 2.0}}
    for gold in (judged, {"q": {"a": 1}}):
        for ranking in (run, {"q": {"a": 1.0, "b": 2.0}}, {"q": run["q"]}):
            assert [view.relevant() for _, view, _ in JudgedTopics(gold).views(ranking, Wanted())] == [[2]]


CUTS = (1, 2, 3, 5, 100, 2**53, None)
WITHOUT_CUT = ("Rprec", "Bpref")


def kernels_and_measures() -> tuple[list, list]:
    """Every kernel with every cut it takes, and the measure whose function defines it."""
    required = {declared.name for declared in declarations("ranked") if declared.required}
    names = [(name, cut) for name in KERNELS if name != "IPrec" for cut in ((None,) if name in WITHOUT_CUT else CUTS)]
    names = [(name, cut) for name, cut in names if cut or name not in required]
    measures = [find(name if cut is None else f"{name}@{cut}", "ranked") for name, cut in names]
    measures += [find(f"IPrec@{recall}", "ranked") for recall in (0, 0.25, 0.5, 1)]
    names += [("IPrec", thousandths) for thousandths in (0, 250, 500, 1000)]
    assert [measure.kernel() for measure in measures] == names
    return names, measures


@pytest.mark.native_only
@given(
    st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([-1, 0, 0, 1, 1, 2, 3, 999_999_999]), min_size=1),
    st.dictionaries(st.sampled_from(DOCUMENTS), SCORES),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
)
def test_every_kernel_is_its_function_to_the_last_bit(judged, documents, judged_only, float32, level) -> None:
    names, measures = kernels_and_measures()
    choices = {"level": level, "judged_only": judged_only, "float32": float32}
    ((_, _, values),) = JudgedTopics({"q": judged}).views({"q": documents}, Wanted(tuple(names), **choices))
    view = view_of(JudgedTopic(judged), documents, **choices)
    assert values == [measure.bound()(view) or 0.0 for measure in measures]


def test_kernels_are_those_that_are_declared() -> None:
    kernels = {declared.kernel for declared in declarations() if declared.kernel and declared.level == "topic"}
    assert kernels == set(KERNELS)
    assert find("P(rel=2)@5").kernel() is None
    assert find("nDCG(gains=1:3)").kernel() is None
    assert find(f"P@{2**53 + 1}").kernel() is None  # beyond it a double is not the number


@pytest.mark.native_only
def test_threads_share_judgments() -> None:
    judged = {f"q{i}": {f"d{j}": j % 2 for j in range(20)} for i in range(30)}
    run = {topic: {f"d{j}": float(j * 7 % 11) for j in range(50)} for topic in judged}
    topics, wanted, seen = JudgedTopics(judged), Wanted((("AP", None),), ranks=False), []
    threads = [threading.Thread(target=lambda: seen.append(list(topics.views(run, wanted)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [list(topics.views(run, wanted))] * 4


@pytest.mark.native_only
@pytest.mark.parametrize("failing", ["gold_of_dicts", "run_of_dicts"])
def test_without_memory_the_error_is_pythons(monkeypatch, failing) -> None:
    def fail(*_: object) -> None:
        raise Problem(MEMORY)

    monkeypatch.setattr(ranked_dicts.dicts_and_frames, failing, fail)
    with pytest.raises(MemoryError):
        list(JudgedTopics({"q": {"a": 1}}).views({"q": {"a": 1.0}}, Wanted()))
