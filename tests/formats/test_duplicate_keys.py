"""What stands twice is found, named, and found without comparing every name with every other."""

from __future__ import annotations

import json

import pytest
from counted_names import Counted
from hypothesis import given
from hypothesis import strategies as st

from assay.formats.duplicate_keys import RepeatedKeyError, first_repeated, lost_nothing, repeated_key, unique_keys


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
