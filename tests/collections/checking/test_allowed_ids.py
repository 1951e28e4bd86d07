"""Ids of topics and documents, from whatever holds them."""

from __future__ import annotations

import pytest

from assay.collections.checking.allowed_ids import document_ids, topic_ids
from assay.errors import InputError


@pytest.mark.parametrize(
    "given",
    [
        b"301\n302\n",
        b"# asked\n301\n\n302",
        b"301\tcrime\n302\tpolio\n",
        b'{"id": "301", "text": "crime"}\n{"qid": 302}\n',
        b"<top><num> Number: 301 <title> crime</top><top><num> Number: 302 <title> polio</top>",
        [301, "302"],
    ],
)
def test_topics(given) -> None:
    assert topic_ids(given) == ["301", "302"]


def test_documents_need_no_text(tmp_path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"docno": "d1"}\n{"docno": "d2", "text": "x"}\n')
    assert document_ids(str(tmp_path / "docs.jsonl")) == document_ids(["d1", "d2"]) == {"d1", "d2"}


def test_none_are_none() -> None:
    assert topic_ids(None) is None
    assert document_ids(None) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "holds no topics"),
        (b"301\n302 polio\n", ":2: found '302 polio'"),
        (b'{"text": "crime"}', "has no id"),
        (b"PAR1xxxx", "is no text"),
        (7, "expected a file or ids"),
    ],
)
def test_refused(given, said) -> None:
    with pytest.raises(InputError, match=said):
        topic_ids(given)
