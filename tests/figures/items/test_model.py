"""What a topic's page shows is plain data that cannot change."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from msgspec.structs import asdict

from assay.figures.items.model import ReturnedItem, TopicItems


def test_plain_and_frozen() -> None:
    entry = ReturnedItem("d1", 1, "grade 2", True, 9.5, "Once")
    one = TopicItems("301", "Crime", ("d9",), {"type": "x"}, ((entry,), ()))
    told = {"text": "d1", "rank": 1, "verdict": "grade 2", "good": True, "value": 9.5, "detail": "Once"}
    assert asdict(one.entries[0][0]) == told
    with pytest.raises(FrozenInstanceError):
        one.topic = "302"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        entry.rank = 2  # type: ignore[misc]
