"""JSON of other tools: numbers that are none, errors with their line, keys of a text that ends anywhere."""

from __future__ import annotations

import json
import math

import msgspec
import pytest
from counted_names import Counted
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, InputError
from assay.formats.json_files import (
    RepeatedKeyError,
    decode,
    decode_lines,
    decode_part,
    decode_text,
    error_text,
    has_keys,
    keys_of,
    lost_nothing,
    neighbour,
    repeated_key,
    unique_keys,
    without_nan,
)
from assay.formats.object_ids import first_repeated
from assay.io.heads import head_of_bytes
from assay.io.sources import Source


class Thing(msgspec.Struct):
    score: float | None = None
    text: str = ""


def source(content: bytes) -> Source:
    return Source("log.json", data=content)


@pytest.mark.parametrize("literal", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_none_is_null(literal) -> None:
    content = f'{{"score": {literal}, "text": "NaN \\\\"Infinity\\\\" of -Infinity"}}'.replace("\\\\", "\\").encode()
    assert decode(source(content), Thing, "a thing") == Thing(None, 'NaN "Infinity" of -Infinity')


def test_nothing_is_replaced_in_a_file_that_is_json() -> None:
    assert decode(source(b'\xef\xbb\xbf{"text": "NaN"}'), Thing, "a thing").text == "NaN"


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b'{"score": 1,\n"text": x}', 2, "broken JSON"),
        (b'{"score": NaN,\n"text": x}', 2, "broken JSON"),
        (b'{"score": 1,\n"text": "a', 2, "truncated"),
        (b'{"score": "high"}', None, r"Expected `float \| null`, got `str` - at `\$.score`; expected a thing"),
        (b'{"score": NaN, "text": 1}', None, "Expected `str`, got `int`"),
        (b'{"score": 1e999}', None, "Number out of range"),
        (b'{"other": ' + b"[" * 100_000, 1, "nested too deeply"),
        (b'{"text": "\xff"}', 1, "broken JSON"),
        (b"", 1, "truncated"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_and_the_line(content, line, said) -> None:
    with pytest.raises(FormatError, match=said) as caught:
        decode(source(content), Thing, "a thing")
    assert caught.value.line == line
    assert str(caught.value).startswith("log.json")


def test_lines_have_their_numbers() -> None:
    content = b'\n{"score": 1}\r\n\n{"score": NaN}\n'
    found = list(decode_lines(source(content), Thing, "things"))
    assert found == [(2, Thing(1.0)), (4, Thing(None))]
    with pytest.raises(FormatError, match=r"^log.json:3: broken JSON .*expected things"):
        list(decode_lines(source(b'{}\n{}\n{"score": NaN, x}'), Thing, "things"))
    with pytest.raises(InputError, match=r"^log.json: is empty; expected things"):
        list(decode_lines(source(b"\n \n"), Thing, "things"))


def test_a_part_has_the_line_of_its_whole() -> None:
    assert decode_part(source(b""), msgspec.Raw(b'{"score": 0.5}'), Thing, "a thing", 7) == Thing(0.5)
    with pytest.raises(FormatError, match=r"^log.json:7: .*expected a thing"):
        decode_part(source(b""), msgspec.Raw(b"[]"), Thing, "a thing", 7)


def test_files_in_the_same_folder(tmp_path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text("{}")
    found = neighbour(Source("a", path=str(tmp_path / "a.json")), "b.json")
    assert found is not None
    assert found.read() == b"{}"
    assert neighbour(Source("a", path=str(tmp_path / "a.json")), "c.json") is None
    assert neighbour(source(b"{}"), "b.json") is None
    assert neighbour(Source("<stdin>", path="-"), "b.json") is None


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (b'{"a": 1, "b": {"c": "d: e"}}', {"a", "b", "b.c"}),
        (b'[{"a": [{"b": 1}, {"c": 2}]}, {"d"', {"[].a", "[].a[].b", "[].a[].c"}),
        (b'{"a": "\\"b\\": 1", "c": [["x"], {"y": 1}]}', {"a", "c", "c[].y"}),
        (b'{"a": 1}\n{"b": 2}', {"a"}),
        (b'["a", "b"]', set()),
        (b'"a": 1', set()),
        (b"}", set()),
        (b'{"a": "text with \\"b\\": {\\"c\\": 1', {"a"}),
    ],
)
def test_the_keys_of_the_first_value(text, keys) -> None:
    assert keys_of(text) == keys


def test_a_key_counts_where_it_stands() -> None:
    head = head_of_bytes(b'{"eval": {"results": {"version": 3}}, "note": "results"}')
    assert has_keys(head, "eval.results.version")
    assert not has_keys(head, "results.version")
    assert not has_keys(head, "results")


@given(st.binary(max_size=60) | st.text('{}[]":\\,ab', max_size=40).map(str.encode))
def test_any_bytes_have_keys(content) -> None:
    assert isinstance(keys_of(content), frozenset)


ANY = msgspec.json.Decoder()


def of(text: bytes, decoder=ANY):
    return decode_text(text, decoder, lambda problem: FormatError("a.eval", None, f"member m: {problem}"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"NaN", None),
        (b'{"a": NaN, "b": [Infinity, -Infinity, -1, 1]}', {"a": None, "b": [None, None, -1, 1]}),
        (b'["NaN", NaN, "-Infinity: NaN,"]', ["NaN", None, "-Infinity: NaN,"]),
        (rb'["say \"NaN\", NaN", NaN, "\\", NaN]', ['say "NaN", NaN', None, "\\", None]),
        (b'[-2, "I-N", NaN]', [-2, "I-N", None]),
    ],
)
def test_numbers_that_are_none_become_null(text, expected) -> None:
    assert of(text) == expected


VALUES = st.none() | st.floats() | st.text('NaIfinty"\\-, :', max_size=12)


@given(st.recursive(VALUES, lambda inner: st.lists(inner, max_size=4)))
def test_what_python_writes_is_read(value) -> None:
    def finite(thing):
        if isinstance(thing, list):
            return [finite(one) for one in thing]
        return None if isinstance(thing, float) and not math.isfinite(thing) else thing

    assert of(json.dumps(value).encode()) == finite(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'{"a": ', "broken JSON"),
        (b'{"a": NaN', "broken JSON"),
        (b'{"a": NaNN}', "broken JSON"),
        (b'{"a": "NaN}', "broken JSON"),
        (b'{"a": Nothing, "b": NaN}', "broken JSON"),
        (b'["\xff"]', "broken JSON"),
        (b"[" * 60_000, "broken JSON"),
        (b"NaN " + b"[" * 60_000, "broken JSON"),
        (b"[" + b"9" * 5000 + b"]", "Integer value out of range"),
        (b"[1e999]", "Number out of range"),
        (b"", "broken JSON"),
    ],
)
def test_what_is_broken_is_told(text, problem) -> None:
    with pytest.raises(FormatError, match=rf"^a\.eval: member m: {problem}"):
        of(text)


@pytest.mark.parametrize("text", [b'["x"]', b'[NaN, "x"]'])
def test_what_is_of_another_type(text) -> None:
    with pytest.raises(FormatError, match=r"member m: Expected `int \| null`, got `str` - at `\$\[[01]\]`"):
        of(text, msgspec.json.Decoder(list[int | None]))


def test_a_text_is_gone_over_once() -> None:
    # Going back over what was passed would take minutes here.
    text = b"[" + b'"NaN",' * 200_000 + b"-1,NaN]"
    assert of(text)[-1] is None
    unclosed = b'[NaN, "' + b"N" * 200_000
    assert without_nan(unclosed).startswith(b"[null, ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9" * 5000, "a number of thousands of digits"),
        ("[" * 60_000, "nested too deeply"),
        ("{", "Expecting property name"),
    ],
)
def test_what_json_cannot_read(text, expected) -> None:
    with pytest.raises((ValueError, RecursionError)) as problem:
        json.loads(text)
    assert error_text(problem.value).startswith(expected)


@given(st.lists(st.sampled_from("abcd"), max_size=6))
def test_the_first_that_comes_back(names) -> None:
    again = [name for i, name in enumerate(names) if name in names[i + 1 :]]
    assert first_repeated(names) == (again[0] if again else None)


def test_names_are_not_compared_with_one_another() -> None:
    """2,000 names: 2,000,000 pairs. Equal names are compared once; different ones when a table's slots coincide."""
    Counted.compared = 0
    assert first_repeated([Counted(f"run{i}") for i in range(2000)] + [Counted("run1999")]) == "run1999"
    assert 0 < Counted.compared < 100


def written(value) -> str:
    """JSON of an object whose pairs, and those of the objects in it, may repeat a key."""
    if isinstance(value, list):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(inner)}" for key, inner in value) + "}"
    return json.dumps(value)


OBJECTS = st.recursive(
    st.sampled_from(["x", ":", "a:b", None]),
    lambda inner: st.lists(st.tuples(st.sampled_from("ab:"), inner), max_size=3),
    max_leaves=6,
)


def repeats(value) -> bool:
    if not isinstance(value, list):
        return False
    keys = [key for key, _ in value]
    return len(set(keys)) < len(keys) or any(repeats(inner) for _, inner in value)


@given(OBJECTS)
def test_a_repeated_key_is_found_at_any_depth_and_no_other(value) -> None:
    text = written(value).encode()
    assert (repeated_key(text) is not None) == repeats(value)
    if repeats(value):
        assert not lost_nothing(text, json.loads(text))
        with pytest.raises(RepeatedKeyError, match="appears twice in one object"):
            json.loads(text, object_pairs_hook=unique_keys)
    elif b":" not in text.replace(b'": ', b""):  # no colon but those behind keys
        assert lost_nothing(text, json.loads(text))


def test_what_the_second_reader_cannot_read_is_not_its_business() -> None:
    """The first one took it."""
    assert repeated_key(b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}") is None
    assert repeated_key(b'{"a": \xff}') is None
