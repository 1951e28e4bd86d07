"""Find duplicate names: columns of a table, ids as text, keys of a JSON object.

JSON parsers silently keep the last of two equal keys, and lose the value of the first.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any, TypeVar

    Name = TypeVar("Name", bound=Hashable)


class RepeatedKeyError(ValueError):
    """A key is repeated in one JSON object."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the key {key!r} appears twice in one object")
        self.key = key


def first_repeated(names: Iterable[Name]) -> Name | None:
    """Return the first name that occurs again later, or None.

    >>> first_repeated("abcba"), first_repeated("abc")
    ('a', None)
    """
    counts: dict[Name, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return next((name for name, count in counts.items() if count > 1), None)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object from its pairs, for `json.loads(…, object_pairs_hook=unique_keys)`; refuse repeated keys.

    >>> unique_keys([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    assay.formats.duplicate_keys.RepeatedKeyError: the key 'a' appears twice in one object
    """
    pairs_by_key = dict(pairs)
    if len(pairs_by_key) < len(pairs):
        raise RepeatedKeyError(first_repeated(key for key, _ in pairs) or "")
    return pairs_by_key


def repeated_key(text: bytes) -> str | None:
    """Return the first key repeated in an object of a valid JSON text, or None.

    >>> repeated_key(b'{"a": {"b": 1, "b": 2}}'), repeated_key(b'{"a": {"b": 1}, "b": 2}')
    ('b', None)
    """
    import json

    try:
        # Numbers stay text: the first parser has decided their values.
        json.loads(
            text.decode("utf-8", "replace"), object_pairs_hook=unique_keys, parse_int=str, parse_float=str, strict=False
        )
    except RepeatedKeyError as problem:
        return problem.key
    except (ValueError, RecursionError):
        return None
    return None


def lost_nothing(text: bytes, parsed: Any) -> bool:
    """Return whether a parsed JSON text certainly repeats no key: it has one colon per parsed key.

    >>> lost_nothing(b'{"a": {"b": 1}}', {"a": {"b": 1}}), lost_nothing(b'{"a": "b:c"}', {"a": "b:c"})
    (True, False)
    """
    keys = 0
    nested: list[Any] = [parsed]
    while nested:
        value = nested.pop()
        if isinstance(value, dict):
            keys += len(value)  # pyright: ignore[reportUnknownArgumentType]
            nested += value.values()  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(value, list):
            nested += value
    return text.count(b":") == keys
