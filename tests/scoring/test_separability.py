"""What says that runs can be scored one by one, or why they cannot."""

from __future__ import annotations

from assay.io.sources import Source
from assay.scoring.separability import unreadable


def test_what_others_cannot_read():
    held, piped = Source("<data>", data={"1": {}}), Source("<stdin>", path="-")
    assert unreadable([held, Source("a", data=b"x")], stored=False) is None
    assert (
        unreadable([Source("a", data=b"x"), held], stored=True)
        == "<data>: expected a file, whose bytes can be read again"
    )
    assert unreadable([piped], stored=False) == "<stdin>: expected a file, whose bytes can be read again"
