"""What a program holds in memory, read by the core: the same as by way of Python, and whatever is odd left to Python."""

from __future__ import annotations

import random
import sys
from array import array
from collections import OrderedDict, defaultdict
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Gold, dicts_and_frames
from assay.errors import InputError
from assay.formats.frames import GRADE, SCORE
from assay.formats.ranked.trec import nested, pack_gold, read_qrels
from assay.io.sources import Source
from assay.tasks.ranked_runs import _rank_dicts, rank_run

pytestmark = pytest.mark.native_only
np = pytest.importorskip("numpy")
pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

IDS = st.sampled_from([*(f"d{i}" for i in range(12)), "é", "z", "𝒟", "", "a long id of more than twelve bytes", "12"])
SCORES = st.one_of(
    st.integers(-3, 3), st.floats(allow_nan=False), st.sampled_from([0.0, -0.0, 2**53, np.float64(0.1), 1e39])
)
GRADES = st.sampled_from([-1, 0, 0, 1, 2, 999_999_999, -999_999_999])
JUDGED = st.dictionaries(IDS, st.dictionaries(IDS, GRADES), max_size=5)
RUN = st.dictionaries(IDS, st.dictionaries(IDS, SCORES), max_size=5)
OPTIONS = st.fixed_dictionaries(
    {
        "depth": st.sampled_from([None, 1, 2, 5]),
        "judged_only": st.booleans(),
        "float32": st.booleans(),
        "ascending_ties": st.booleans(),
    }
)
GOLD = {"q": {"a": 1, "b": 0}}


def told(gold: Gold) -> list:
    return [(topic, gold.documents(i), gold.grades(i)) for i, topic in enumerate(gold.topics)]


def ranks(ranked) -> list:
    topics = [(count, ranked.relevant(i), ranked.pooled(i)) for i, count in enumerate(ranked.num_ret) if count >= 0]
    return [ranked.num_ret, topics, ranked.ignored, ranked.unjudged_topic, ranked.lines]


@given(JUDGED, RUN, OPTIONS)
def test_dicts_are_read_as_by_way_of_python(judged, run, options) -> None:
    source = Source("held", data={})
    gold = dicts_and_frames.gold_of_dicts(judged)
    assert gold is not None
    assert told(gold) == told(pack_gold(judged, source))
    found = dicts_and_frames.run_of_dicts(run, gold, options)
    assert found is not None
    assert ranks(found) == ranks(_rank_dicts(run, source, gold, options))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("depth", [None, 700])
def test_many_documents_are_found_as_by_way_of_python(ordered, depth) -> None:
    """Enough for documents that only look like a judged one, with ids shorter and longer than what is compared at once."""
    rng = random.Random(7)
    ids = [
        f"{rng.choice(['d', 'doc-', 'fifteen-letters', 'with-more-than-sixteen-letters'])}{i}" for i in range(20_000)
    ]
    grades = range(-20, 80)
    judged = {f"q{t}": {one: rng.choice(grades) for one in rng.sample(ids, 10_000 >> t)} for t in range(8)}
    run = {f"q{t}": dict(zip(rng.sample(ids, 3000), range(3000, 0, -1), strict=True)) for t in range(9)}
    if not ordered:
        run = {t: {one: rng.randrange(900) for one in documents} for t, documents in run.items()}
    source = Source("held", data={})
    gold, packed = dicts_and_frames.gold_of_dicts(judged), pack_gold(judged, source)
    assert gold is not None
    assert told(gold) == told(packed)
    found = dicts_and_frames.run_of_dicts(run, gold, {"depth": depth})
    assert found is not None
    assert ranks(found) == ranks(_rank_dicts(run, source, packed, {"depth": depth}))
    rows = [(t, one, score) for t, documents in run.items() for one, score in documents.items()]
    stream = pa.table(dict(zip("tds", zip(*rows, strict=True), strict=True))).__arrow_c_stream__()
    streamed = dicts_and_frames.run_of_stream(stream, gold, {"depth": depth})
    assert streamed is not None
    assert ranks(streamed) == ranks(found)


def test_a_ranking_by_hand() -> None:
    gold = dicts_and_frames.gold_of_dicts({"q": {"a": 2, "b": 0, "c": -1, "other": 1}, "p": {"a": 1}})
    assert gold is not None
    found = dicts_and_frames.run_of_dicts({"q": {"x": 1.0, "a": 2.0, "c": 3, "b": 3.0}, "nobody": {"a": 1.0}}, gold, {})
    assert found is not None
    assert (gold.topics, found.num_ret, found.ignored, found.unjudged_topic) == (["p", "q"], [-1, 4], 1, "nobody")
    assert found.pooled(1) == ([1, 2, 3], [2, 1, 0])  # c and b are tied, and c is the greater id
    assert found.relevant(1) == ([3], [2], [1])


class Text(str):
    """An id that compares by a program."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("the core ran a program")


class Mapping(dict):
    """A dict whose values are what a program says."""


class Real(float):
    """A number that is what a program says."""

    def __float__(self) -> float:
        raise AssertionError("the core ran a program")


ODD = [
    float("nan"), np.float32(1), np.float64("nan"), True, None, "1", Decimal(1), Fraction(1, 2), 2**53 + 1, 2**63, [], {},
    object(),
]  # fmt: skip


def test_a_subclass_of_float_is_read_by_its_value() -> None:
    """As numpy's float64 is, and as the Python path reads it; its methods are not called."""
    gold = dicts_and_frames.gold_of_dicts(GOLD)
    found = dicts_and_frames.run_of_dicts({"q": {"b": np.float64(2), "a": Real(1)}}, gold, {})
    assert found.num_ret == [2]
    assert found.relevant(0) == dicts_and_frames.run_of_dicts({"q": {"b": 2.0, "a": 1.0}}, gold, {}).relevant(0)


@pytest.mark.parametrize("score", ODD)
def test_what_is_no_plain_score_is_left_to_python(score) -> None:
    gold = dicts_and_frames.gold_of_dicts(GOLD)
    assert gold is not None
    assert dicts_and_frames.run_of_dicts({"q": {"a": 1.0, "b": score}}, gold, {}) is None
    assert dicts_and_frames.run_of_dicts({"nobody": {"b": score}}, gold, {}) is None


@pytest.mark.parametrize("written", [1, None, b"a", Text("a"), "\ud800", "a\0b", "\0", "longer than eight\0"])
def test_what_is_no_plain_id_is_left_to_python(written) -> None:
    gold = dicts_and_frames.gold_of_dicts(GOLD)
    assert gold is not None
    assert dicts_and_frames.run_of_dicts({"q": {written: 1.0}}, gold, {}) is None
    assert dicts_and_frames.run_of_dicts({written: {"a": 1.0}}, gold, {}) is None
    assert dicts_and_frames.gold_of_dicts({"q": {written: 1}}) is None
    assert dicts_and_frames.gold_of_dicts({written: {"a": 1}}) is None


def test_a_zero_anywhere_in_an_id_of_any_length_is_met() -> None:
    gold = dicts_and_frames.gold_of_dicts(GOLD)
    assert gold is not None
    for length in range(1, 36):
        plain = "\x01\x80é"[:length] + "d" * (length - 3)
        assert dicts_and_frames.run_of_dicts({"q": {plain: 1.0}}, gold, {}) is not None
        for place in range(length):
            written = "d" * place + "\0" + "d" * (length - place - 1)
            assert dicts_and_frames.run_of_dicts({"q": {"a": 2.0, written: 1.0}}, gold, {}) is None
            assert dicts_and_frames.gold_of_dicts({"q": {"a": 1, written: 1}}) is None


def test_ids_of_every_length_are_kept_and_found_again() -> None:
    """All bytes of each are different, and another differs from it in each byte."""
    letters = "".join(map(chr, range(33, 127)))
    ids = [letters[:length] for length in range(60)]
    others = {one[:i] + "\x7f" + one[i + 1 :] for one in ids for i in range(len(one))}
    gold = dicts_and_frames.gold_of_dicts({"q": {one: i for i, one in enumerate(ids)}})
    assert gold is not None
    assert gold.documents(0) == [(one, i) for i, one in enumerate(ids)]
    run = {"q": {**dict.fromkeys(others, 2.0), **{one: 1 - i / 100 for i, one in enumerate(ids)}}}
    found = dicts_and_frames.run_of_dicts(run, gold, {})
    assert found is not None
    assert found.pooled(0) == ([len(others) + i + 1 for i in range(60)], [*range(60)])


@pytest.mark.parametrize("judged", [1, 10, 100])
def test_dicts_of_every_size_and_with_gaps_are_walked_to_their_end(judged) -> None:
    """Items come in groups, and some are asked for before others are looked at: no size may lose or repeat one."""
    run = {f"q{size}": {f"d{i * 7 % 101}": float(i * 37 % 64) for i in range(size)} for size in range(101)}
    for size in range(3, 101, 2):  # as a program leaves them that takes documents out
        for gone in range(0, size, 3):
            del run[f"q{size}"][f"d{gone * 7 % 101}"]
    grades = {topic: {f"d{i}": i % 3 for i in range(judged)} for topic in run}
    source = Source("held", data={})
    gold = dicts_and_frames.gold_of_dicts(grades)
    assert gold is not None
    assert told(gold) == told(pack_gold(grades, source))
    found = dicts_and_frames.run_of_dicts(run, gold, {})
    assert found is not None
    assert ranks(found) == ranks(_rank_dicts(run, source, gold, {}))
    assert sum(found.num_ret) == sum(map(len, run.values()))


def test_what_is_no_plain_dict_or_grade_is_left_to_python() -> None:
    for odd in (Mapping(a=1), OrderedDict(a=1), [("a", 1)], None, "a"):
        assert dicts_and_frames.gold_of_dicts({"q": odd}) is None
        assert dicts_and_frames.gold_of_dicts(odd) is None
    for grade in (True, 1.0, None, 10**9, -(10**9), 2**70, np.int64(1)):
        assert dicts_and_frames.gold_of_dicts({"q": {"a": grade}}) is None
    assert dicts_and_frames.gold_of_dicts(defaultdict(dict, q=defaultdict(int, a=1))) is not None


def test_no_reference_is_kept_or_lost_and_what_changes_later_changes_nothing() -> None:
    document, grade, score = "".join(["doc", "ument"]), 70000, float("1.25")
    judged, run = {"q": {document: grade}}, {"q": {document: score}}
    things = (document, score, judged, judged["q"], run, run["q"])
    before = [sys.getrefcount(thing) for thing in things]
    for _ in range(50):
        gold = dicts_and_frames.gold_of_dicts(judged)
        assert gold is not None
        dicts_and_frames.run_of_dicts(run, gold, {})
        assert dicts_and_frames.run_of_dicts({"q": {"\ud800": 1.0}}, gold, {}) is None
    assert [sys.getrefcount(thing) for thing in things] == before
    del document, things
    judged["q"].clear()
    assert told(gold) == [("q", [("document", 70000)], [70000])]


def test_a_long_run_gives_others_their_turn(monkeypatch) -> None:
    monkeypatch.setattr(dicts_and_frames, "DOCUMENTS_PER_CALL", 3)
    gold = dicts_and_frames.gold_of_dicts({f"q{i}": {"a": 1} for i in range(20)})
    assert gold is not None
    found = dicts_and_frames.run_of_dicts({f"q{i}": {"a": 1.0, "b": float(i)} for i in range(20)}, gold, {})
    assert found is not None
    assert found.num_ret == [2] * 20


# ---- data frames

ROWS = st.lists(
    st.tuples(st.sampled_from(["1", "2", "10"]), st.sampled_from([str(i) for i in range(40)])), unique=True, max_size=40
)
TYPES = [
    pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string()),
    pa.int64(), pa.int8(), pa.uint16(), pa.uint64(), pa.dictionary(pa.int32(), pa.int64()),
]  # fmt: skip
NUMBERS = [pa.float64(), pa.float32(), pa.int64(), pa.int8(), pa.uint64(), pa.int16(), pa.uint8()]


def column(values, kind, pieces):
    """A column in so many chunks, the first of which is part of a longer one."""
    if pa.types.is_dictionary(kind):
        value = [int(v) for v in values] if pa.types.is_integer(kind.value_type) else values
        whole = pa.array(value, kind.value_type).dictionary_encode().cast(kind)
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        whole = pa.array([int(v) if pa.types.is_integer(kind) else float(v) for v in values], kind)
    else:
        whole = pa.array(values, pa.string()).cast(kind)
    size = max(len(values) // pieces, 1)
    return pa.chunked_array([whole[i : i + size] for i in range(0, len(values), size)], type=whole.type)


@given(
    ROWS,
    st.sampled_from(TYPES),
    st.sampled_from(TYPES),
    st.sampled_from(NUMBERS),
    st.integers(1, 4),
    st.integers(1, 4),
    OPTIONS,
)
def test_columns_of_every_type_are_read_as_their_cells(rows, topic, document, number, pieces, others, options) -> None:
    topics, documents = [t for t, _ in rows], [d for _, d in rows]
    numbers = [int(d) * 7 % 11 for d in documents]
    columns = [column(topics, topic, pieces), column(documents, document, others)]
    for name, values, read in (("relevance", GRADE, 0), ("score", SCORE, 1)):
        table = pa.table([*columns, column(numbers, number, pieces)], names=["query_id", "doc_id", name])
        source = Source("frame", data=table)
        cells = nested(source, values)
        if read == 0:
            expected = pack_gold(cells, source)
            gold = dicts_and_frames.gold_of_stream(table.__arrow_c_stream__())
            assert gold is not None
            assert told(gold) == told(expected)
        else:
            found = dicts_and_frames.run_of_stream(table.__arrow_c_stream__(), gold, options)
            assert found is not None
            assert ranks(found) == ranks(_rank_dicts(cells, source, gold, options))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
@pytest.mark.parametrize("skipped", [0, 1, 5])
def test_topics_stand_together_as_long_as_their_texts_do(kind, skipped) -> None:
    many = "a topic of many bytes"
    topics = ["", "", *"abb", "bb", "b", "", "", "ab", "ba", "ba", many, many.upper(), "", "b"]
    table = pa.table({"t": pa.array(topics).cast(kind), "d": [f"d{i}" for i in range(16)], "g": [*range(16)]})[skipped:]
    gold = dicts_and_frames.gold_of_stream(table.__arrow_c_stream__())
    assert gold is not None
    expected = {topic: [(f"d{i}", i) for i in range(skipped, 16) if topics[i] == topic] for topic in topics[skipped:]}
    assert {topic: gold.documents(i) for i, topic in enumerate(gold.topics)} == expected


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.int32(), pa.float64()])
def test_grades_of_a_frame_have_nine_digits(kind) -> None:
    def gold(grade):
        column = pa.array([0, grade], kind)
        return dicts_and_frames.gold_of_stream(
            pa.table({"t": ["q", "q"], "d": ["a", "b"], "g": column}).__arrow_c_stream__()
        )

    signs = (1,) if kind == pa.uint64() else (1, -1)
    for sign in signs:
        assert gold(sign * 999_999_999).documents(0) == [("a", 0), ("b", sign * 999_999_999)]
        assert gold(sign * 10**9) is None
    if kind == pa.uint64():
        assert gold(2**64 - 1) is None


PANDAS = {
    "float32": ([3, 2, 2, 1], "float32"), "nullable": ([3, 2, 2, 1], "Int64"), "objects": ([3, 2.0, 2, 1], "object"),
    "of arrow": ([3, 2, 2, 1], "float64[pyarrow]"), "bytes": ([3, 2, 2, 1], "uint8"),
}  # fmt: skip


@pytest.mark.parametrize("kind", PANDAS)
@pytest.mark.parametrize("ids", ["str", "object", "category", "string[python]", "string[pyarrow]"])
def test_columns_of_pandas_are_read_whatever_holds_them(kind, ids) -> None:
    values, number = PANDAS[kind]
    frame = pd.DataFrame({"rank": [[]] * 4, "score": pd.Series(values, dtype=number)})
    frame["docno"], frame["qid"] = pd.Series(["b", "a", "x", "c"], dtype=ids), pd.Series(["q"] * 4, dtype=ids)
    ranked = rank_run(Source("run", data=frame), read_qrels(Source("g", data=GOLD)))
    assert (ranked.num_ret, ranked.pooled(0)) == ([4], ([1, 3], [1, 0]))  # x and a are tied, and x is the greater id


@pytest.mark.parametrize("missing", [float("nan"), None, pd.NA])
def test_what_pandas_lacks_is_said_with_its_row(missing) -> None:
    gold = read_qrels(Source("g", data=GOLD))
    for kind in ("object", "Float64", *(["float64"] if missing is not pd.NA else [])):
        frame = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "score": pd.Series([1.0, missing], dtype=kind)})
        with pytest.raises(InputError, match="run: row 2: expected a number in column 'score'"):
            rank_run(Source("run", data=frame), gold)
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": pd.Series(["a", missing], dtype="object"), "score": [2.0, 1.0]})
    with pytest.raises(InputError, match="run: row 2: no topic or no document"):
        rank_run(Source("run", data=frame), gold)


FRAMES = {"polars": pl.DataFrame, "pandas": pd.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("library", FRAMES)
def test_frames_of_every_library_are_read_by_the_core(library, monkeypatch) -> None:
    make = FRAMES[library]
    read = {"gold_of_stream": [], "run_of_stream": []}
    for name, seen in read.items():
        real = getattr(dicts_and_frames, name)
        monkeypatch.setattr(
            dicts_and_frames, name, lambda *given, real=real, seen=seen: seen.append(real(*given)) or seen[-1]
        )
    qrels = make({"query_id": ["q2", "q1", "q2"], "doc_id": ["a", "a", "b"], "relevance": [1, 2, 0]})
    run = make(
        {
            "qid": ["q1", "q2", "q1", "q9"],
            "docno": ["a", "b", "z", "a"],
            "score": [1.5, 2.5, 2.5, 1.0],
            "rank": [0, 0, 0, 0],
        }
    )
    gold = read_qrels(Source("qrels", data=qrels))
    ranked = rank_run(Source("run", data=run), gold)
    assert told(gold) == [("q1", [("a", 2)], [2]), ("q2", [("a", 1), ("b", 0)], [1, 0])]
    assert (ranked.num_ret, ranked.pooled(0), ranked.pooled(1)) == ([2, 1], ([2], [0]), ([1], [1]))
    assert (ranked.ignored, ranked.unjudged_topic) == (1, "q9")
    assert [len(seen) for seen in read.values()] == [1, 1]
    assert None not in (*read["gold_of_stream"], *read["run_of_stream"])


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([("q", "a", 1.0), ("q", None, 1.0)], "run: row 2: no topic or no document"),
        ([("q", "a", 1.0), (None, "b", 1.0)], "run: row 2: no topic or no document"),
        ([("q", "a", None), ("q", "b", 1.0)], "run: row 1: expected a number in column 'score', found None"),
        ([("q", "a", 1.0), ("p", "a", 1.0), ("q", "a", 2.0)], "run: row 3: document a appears twice in topic q"),
        ([("nobody", "a", 1.0), ("nobody", "a", 1.0)], "run: row 2: document a appears twice in topic nobody"),
        ([("q", "a", float("nan"))], "run: row 1: expected a number in column 'score', found nan"),
        ([("q", "a\0", 1.0)], "run: an id contains a zero byte"),
    ],
)
def test_what_is_wrong_with_a_frame_is_said_with_its_row(rows, problem) -> None:
    gold = read_qrels(Source("gold", data=GOLD))
    run = pl.DataFrame(rows, schema={"qid": pl.String, "docno": pl.String, "score": pl.Float64}, orient="row")
    with pytest.raises(Exception, match=problem):
        rank_run(Source("run", data=run), gold)


def test_columns_that_the_core_does_not_read_are_read_as_cells() -> None:
    for values in ([True], [Decimal("1.5")], [b"a"]):
        table = pa.table({"query_id": ["q"], "doc_id": ["a"], "score": values})
        assert (
            dicts_and_frames.run_of_stream(table.__arrow_c_stream__(), read_qrels(Source("g", data=GOLD)), {}) is None
        )
    for topic in (pa.array([1.5]), pa.array([b"q"]), pa.array([["q"]]), pa.array([2**63], pa.uint64())):
        table = pa.table({"query_id": topic, "doc_id": ["a"], "score": [1.0]})
        assert (
            dicts_and_frames.run_of_stream(table.__arrow_c_stream__(), read_qrels(Source("g", data=GOLD)), {}) is None
        )
    for grade in ([0.5], [1e9], [-(10**9)]):
        assert (
            dicts_and_frames.gold_of_stream(pa.table({"t": ["q"], "d": ["a"], "g": grade}).__arrow_c_stream__()) is None
        )
    assert dicts_and_frames.gold_of_stream(pa.table({"t": ["q"], "d": ["a"]}).__arrow_c_stream__()) is None
    assert (
        dicts_and_frames.gold_of_stream(pa.table({"t": ["q", "q"], "d": ["a", "a"], "g": [1, 1]}).__arrow_c_stream__())
        is None
    )
    stream = pa.RecordBatchReader.from_batches(pa.schema([("t", pa.string())]), iter([])).__arrow_c_stream__()
    assert dicts_and_frames.gold_of_stream(stream) is None


def test_a_stream_that_breaks_off_is_not_taken_for_a_whole_one() -> None:
    schema = pa.schema([("t", pa.string()), ("d", pa.string()), ("g", pa.int64())])

    def batches():
        yield pa.record_batch([["q"], ["a"], [1]], schema=schema)
        raise OSError("gone")

    assert (
        dicts_and_frames.gold_of_stream(pa.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__())
        is None
    )


def test_scores_as_they_were_given_are_what_a_gold_is_asked_about() -> None:
    """A gold of a file, a run of a dict and of a frame: one answer."""
    gold = Gold.pack(b"q", b"a\0b", array("q", [2]), array("q", [1, 0]))
    run = {"q": {"a": 1, "b": 2.0, "c": np.float64(1.5)}}
    frame = pl.DataFrame({"t": ["q"] * 3, "d": [*run["q"]], "s": [*map(float, run["q"].values())]})
    one, other = (
        dicts_and_frames.run_of_dicts(run, gold, {}),
        dicts_and_frames.run_of_stream(frame.__arrow_c_stream__(), gold, {}),
    )
    assert one is not None
    assert other is not None
    assert ranks(one) == ranks(other)
    assert one.pooled(0) == ([1, 3], [1, 0])
