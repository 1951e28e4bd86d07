"""Dicts walked by the core: what is plain is ranked and measured there, and all else is left to the interpreter."""

from __future__ import annotations

import subprocess
import sys
import threading
from array import array
from collections import OrderedDict, defaultdict
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.core import dicts
from assay.core.binding import KERNELS
from assay.core.dicts import DEEPEST, UNJUDGED, UNKNOWN, Wanted, walk
from assay.measures.registry import declarations, find
from assay.tasks.ranked_dicts import Topic, view_of

pytestmark = pytest.mark.native_only
np = pytest.importorskip("numpy")

IDS = st.sampled_from([*(f"d{i}" for i in range(9)), "é", "z\0", "z", "\ud800", "𝒟", ""])
SCORES = st.one_of(
    st.integers(-2, 3), st.floats(allow_nan=False),
    st.sampled_from([-0.48203352, -0.48203353, 0.0, -0.0, 1e39, 2e39, float("inf"), float("-inf"), 2**53, -(2**53), 2.0**53]),
    st.sampled_from([np.float64(1), np.float64(0.1)]),
)  # fmt: skip
GRADES = st.sampled_from([-1, 0, 0, 1, 1, 2, 3, 2**62])
CUTS = (1, 2, 3, 5, 100, 2**53, None)
WITHOUT_CUT = ("Rprec", "Bpref")


def largest(judged) -> int:
    return max(map(len, judged.values()), default=0)


def walked(run, judged, wanted: Wanted | None = None) -> list:
    found = walk(run, judged, largest(judged), wanted or Wanted())
    return [(count, values, columns, pooled()) for count, values, columns, pooled in found]


def one(documents) -> int:
    """What the core says of a topic with these documents."""
    ((count, *_),) = walked({"q": documents}, {"q": {"a": 1, "b": 0}})
    return count


def test_ranks_grades_and_counts_by_hand() -> None:
    judged = {"q": {"a": 2, "b": 0, "c": -1, "other": 1}, "lost": {"a": 1}}
    run = {"q": {"x": 1.0, "a": 2.0, "c": 3, "b": 3.0}, "nobody": {"a": 1.0}, "lost": {}}
    # c and b are tied, and c is the greater id
    assert walked(run, judged) == [
        (4, [], ([3], [2], [1]), [(1, -1), (2, 0), (3, 2)]),
        (UNJUDGED, [], ([], [], []), []),
        (0, [], ([], [], []), []),
    ]
    assert walked(run, judged, Wanted(judged_only=True))[0] == (2, [], ([2], [2], [1]), [(1, 0), (2, 2)])
    values = walked(run, judged, Wanted([("AP", None), ("P", 5), ("RR", 2), ("Bpref", None)], ranks=False))
    assert values[0] == (4, [1 / 3 / 2, 1 / 5, 0.0, 0.0], ([], [], []), [])


@given(
    st.dictionaries(IDS, GRADES, min_size=1),
    st.dictionaries(IDS, SCORES),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
)
def test_every_kernel_is_its_function_to_the_last_bit(judged, documents, judged_only, float32, level) -> None:
    choices = {"level": level, "judged_only": judged_only, "float32": float32}
    cut_off = [name for name in KERNELS if name != "IPrec"]
    names = [(name, cut) for name in cut_off for cut in ((None,) if name in WITHOUT_CUT else CUTS)]
    names = [(name, cut) for name, cut in names if cut or not find_declared(name).required]
    measures = [find(name if cut is None else f"{name}@{cut}", "ranked") for name, cut in names]
    measures += [find(f"IPrec@{level}", "ranked") for level in (0, 0.25, 0.5, 1)]
    names += [("IPrec", thousandths) for thousandths in (0, 250, 500, 1000)]
    assert [measure.kernel() for measure in measures] == names
    ((count, values, columns, pooled),) = walked(
        {"q": documents}, {"q": judged}, Wanted(names, undefined=-7.0, **choices)
    )
    view = view_of(Topic(judged), documents, **choices)
    expected = [measure.bound()(view) for measure in measures]
    assert values == [-7.0 if value is None else value for value in expected]
    assert count == view.num_ret
    assert (columns[0], pooled) == (view.relevant(1), list(view.pooled()))
    assert columns[2] == view.nonrelevant_above(1)
    assert list(zip(columns[0], columns[1], strict=True)) == list(view.gained())


def find_declared(name: str):
    return next(declared for declared in declarations("ranked") if declared.name == name)


def test_kernels_are_those_that_are_declared() -> None:
    found = {declared.kernel for declared in declarations() if declared.kernel and declared.level == "topic"}
    assert found == set(KERNELS)
    assert find("P(rel=2)@5").kernel() is None
    assert find("nDCG(gains=1:3)").kernel() is None
    assert find(f"P@{2**53 + 1}").kernel() is None  # beyond it a double is not the number


class Text(str):
    """An id that is text and compares by a program."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("the core ran a program")


class Real(float):
    """A number that is worth what a program says."""

    def __float__(self) -> float:
        raise AssertionError("the core ran a program")


class Mapping(dict):
    """A dict whose values are what a program says."""

    def values(self):
        raise AssertionError("the core ran a program")


@pytest.mark.parametrize(
    "score",
    [
        float("nan"), np.float64("nan"), np.float32(1), np.int64(1), np.array(1.0), True, None, "1", b"1", 1j, Real(1),
        Decimal(1), Fraction(1, 2), 2**53 + 1, -(2**53) - 1, 2**63, 10**400, [], {}, object(),
    ],
)  # fmt: skip
def test_what_is_no_plain_number_is_left_to_the_interpreter(score) -> None:
    assert one({"x": 1.0, "b": score}) == UNKNOWN
    assert walked({"nobody": {"x": score}}, {"q": {"a": 1}})[0][0] == UNKNOWN


@pytest.mark.parametrize("score", [0.5, 1, 0, -(2**53), 2**53, np.float64(0.5), float("inf"), 5e-324])
def test_floats_whole_numbers_and_numpys_floats_are_plain(score) -> None:
    assert one({"x": 1.0, "b": score}) == 2


@pytest.mark.parametrize("document", [1, None, b"a", Text("a"), ("a",), 1.5, np.str_("a")])
def test_what_is_no_plain_text_is_left_to_the_interpreter(document) -> None:
    assert one({"x": 1.0, document: 2.0}) == UNKNOWN
    for others in range(3):  # the fewer are looked up among the more
        judged = {"q": {document: 1, "b": 0}}
        assert walked({"q": {f"x{i}": 1.0 for i in range(2 * others)}}, judged)[0][0] == UNKNOWN
    assert walked({document: {"a": 1.0}}, {"q": {"a": 1}})[0][0] == UNKNOWN


def test_what_is_no_plain_dict_is_left_to_the_interpreter() -> None:
    for documents in (Mapping(a=1.0), OrderedDict(a=1.0), [], None, "a", {"a"}):
        assert one(documents) == UNKNOWN
    assert one(defaultdict(float, a=1.0)) == 1


def test_grades_that_have_no_place_are_left_to_the_interpreter() -> None:
    for grade in (True, 2**63, 1.0, None):
        assert walked({"q": {"a": 1.0}}, {"q": {"a": grade}})[0][0] == UNKNOWN
        assert walked({"q": {}}, {"q": {"a": grade}})[0][0] == UNKNOWN
    for levels, count in ((64, 1), (65, UNKNOWN)):
        assert walked({"q": {"a": 1.0}}, {"q": {"a": 0, **{f"d{i}": i for i in range(1, levels)}}})[0][0] == count


def test_rankings_deeper_than_the_logarithms_are_left_to_the_interpreter() -> None:
    for deep, count in ((DEEPEST, DEEPEST), (DEEPEST + 1, UNKNOWN)):
        documents = {f"d{i}": float(-i) for i in range(deep)}
        judged = {f"d{deep - 1}": 1}
        wanted = Wanted([("nDCG", None), ("RR", None)], ranks=False)
        ((found, values, *_),) = walked({"q": documents}, {"q": judged}, wanted)
        assert found == count
        ((retrieved, *_),) = walked({"q": {"a": 1.0}}, {"q": dict.fromkeys(documents, 1)}, wanted)
        assert (retrieved == UNKNOWN) == (count == UNKNOWN)
        if count != UNKNOWN:
            view = view_of(Topic(judged), documents)
            assert values == [find("nDCG").bound()(view), 1 / deep]
        assert walked({"q": documents}, {"q": judged})[0][0] == deep  # without kernels no logarithm is needed


@given(st.integers(0, 40), st.integers(1, 60), st.booleans())
@example(30, 1, True)
def test_topics_are_told_in_pieces_of_any_size(topics, words, ranks) -> None:
    judged = {f"q{i}": {f"d{j}": j % 3 for j in range(i % 7 + 1)} for i in range(topics)}
    run = {topic: {f"d{j}": float(j) for j in range(5)} for topic in [*judged, "nobody"]}
    wanted = Wanted([("P", 3), ("AP", None)], ranks=ranks)
    whole = walked(run, judged, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dicts, "WORDS", words)
        assert walked(run, judged, wanted) == whole
    assert len(whole) == topics + 1


def test_a_topic_that_has_no_room_is_left_to_the_interpreter() -> None:
    run, judged = {"p": {"a": 1.0}, "q": {"a": 1.0, "b": 2.0}}, {"p": {"a": 1}, "q": {"a": 1, "b": 1}}
    assert [count for count, *_ in walk(run, judged, 0, Wanted())] == [UNKNOWN, UNKNOWN]


def test_a_run_that_changes_meanwhile_is_noticed(monkeypatch) -> None:
    monkeypatch.setattr(dicts, "WORDS", 1)
    run = {"p": {"a": 1.0}, "q": {"a": 1.0}}
    walking = walk(run, {"p": {"a": 1}}, 1, Wanted())
    next(walking)
    del run["q"]
    with pytest.raises(RuntimeError, match="the run changed while it was evaluated"):
        next(walking)


def test_no_reference_is_kept_or_lost() -> None:
    document, score, judged = "".join(["doc", "ument"]), float("1.25"), {"q": {"document": 70000}}
    run = {"q": {document: score}}
    before = [sys.getrefcount(thing) for thing in (document, score, run, run["q"], judged, judged["q"]["document"])]
    for _ in range(100):
        walked(run, judged, Wanted([("nDCG", 5)]))
    after = [sys.getrefcount(thing) for thing in (document, score, run, run["q"], judged, judged["q"]["document"])]
    assert after == before


def test_threads_share_judgments_and_a_plan() -> None:
    judged = {f"q{i}": {f"d{j}": j % 2 for j in range(20)} for i in range(30)}
    run = {topic: {f"d{j}": float(j * 7 % 11) for j in range(50)} for topic in judged}
    wanted, found = Wanted([("AP", None)]), []
    threads = [threading.Thread(target=lambda: found.append(walked(run, judged, wanted))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [walked(run, judged, wanted)] * 4


def test_an_interpreter_that_is_laid_out_otherwise_is_not_asked(monkeypatch) -> None:
    assert dicts.interpreter() is not None
    monkeypatch.setattr(dicts, "LIBRARY", None)
    assert dicts.interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(sys.implementation, "name", "pypy")
    assert dicts.interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(dicts.ctypes, "pythonapi", object())  # one that keeps its functions to itself
    assert dicts.interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(dicts, "TYPE_AT", 2 * dicts.TYPE_AT)  # as without a global lock
    assert dicts.interpreter() is None
    monkeypatch.undo()
    monkeypatch.setattr(dicts, "REAL_AT", 0)  # where the references are counted
    assert dicts.interpreter() is None


def test_numpy_is_neither_needed_nor_imported() -> None:
    text = (
        "import sys; from assay.core.dicts import Wanted, walk\n"
        "assert [row[0] for row in walk({'q': {'a': 1.0}}, {'q': {'a': 1}}, 1, Wanted())] == [1]\n"
        "assert 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_logarithms_are_the_interpreters() -> None:
    from math import log2

    logs = dicts.logarithms()
    assert isinstance(logs, array)
    assert [logs[rank] for rank in (0, 1, 2, DEEPEST)] == [0.0, 1.0, log2(3), log2(DEEPEST + 1)]
