"""Pools in every form that `assay pool` writes, in their order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import AssayError, InputError
from assay.formats.auxiliary.pools import read_pool

RUNS = {"one": {"q1": {"a": 3, "b": 2}, "q 2/x": {"c": 1}}, "two": {"q1": {"c": 3, "a": 2}}}


@pytest.mark.parametrize("name", ["pool.jsonl", "pool.json", "folder/"])
def test_what_pool_writes_is_read_in_its_order(tmp_path, name) -> None:
    made = assay.pool(RUNS, depth=5)
    made.save(f"{tmp_path}/{name}")
    assert list(read_pool(f"{tmp_path}/{name}").items()) == list(made.topics.items())


def test_topics_are_kept_together_whatever_the_order_of_the_lines() -> None:
    assert read_pool(b"q2 b\nq1 a\nq2 a\n") == {"q2": ["b", "a"], "q1": ["a"]}
    assert read_pool(b"topic,document\nq2,b\n") == {"q2": ["b"]}
    assert read_pool({"q": ["b", "a"]}) == {"q": ["b", "a"]}


def test_what_is_no_pool(tmp_path) -> None:
    with pytest.raises(InputError, match=r"<pool>:3: document 'a' of topic 'q1' is already on line 1"):
        read_pool(b'{"topic": "q1", "document": "a"}\n\n{"topic": "q1", "document": "a"}\n')
    with pytest.raises(InputError, match=":1: expected a document"):
        read_pool(b'{"topic": "q1"}\n')
    for nothing in (b"", b"# nothing\n", {}):
        with pytest.raises(InputError, match="holds no"):
            read_pool(nothing)
    (tmp_path / "inner").mkdir()
    with pytest.raises(InputError, match="is no file"):
        read_pool(str(tmp_path))
    with pytest.raises(InputError):
        read_pool(b'{\n"topics": {"q": 3}}')


def test_a_folder_says_whose_its_files_are(tmp_path) -> None:
    made = assay.pool({"r": {"a/b": {"d": 1}, "=1": {"e": 1}, "A/b": {"f": 1}}}, depth=5)
    made.save(f"{tmp_path}/pool/")
    assert read_pool(f"{tmp_path}/pool") == {"=1": ["e"], "A/b": ["f"], "a/b": ["d"]}


def test_files_are_called_like_their_topics_unless_a_table_says_otherwise(tmp_path) -> None:
    (tmp_path / "a_b.txt").write_text("d\r\n")
    (tmp_path / "topics.txt").write_text("#e\n")
    assert read_pool(str(tmp_path)) == {"a_b": ["d"], "topics": ["#e"]}
    whose = tmp_path / "topics.csv"
    whose.write_text('file,topic\r\na_b.txt,"a/b, c"\r\ntopics.txt,1\r\n', newline="")
    assert read_pool(str(tmp_path)) == {"1": ["#e"], "a/b, c": ["d"]}
    for content, problem in (
        ("file,topic\na_b.txt,a/b\n", "topics.txt: is not among the files of topics.csv"),
        ("file,topic\na_b.txt,1\ntopics.txt,1\n", "topics.txt: is of topic '1', and so is .*a_b.txt"),
        ("file,topic\na_b.txt\n", "topics.csv:2: expected a file and a topic"),
        ("d1,d2\n", "topics.csv:1: says which file is whose topic"),
    ):
        whose.write_text(content)
        with pytest.raises(InputError, match=problem):
            read_pool(str(tmp_path))


@given(st.binary(max_size=120))
def test_any_bytes_are_read_or_refused_in_words(content) -> None:
    try:
        found = read_pool(content)
    except AssayError:
        return
    assert all(len({*of}) == len(of) > 0 for of in found.values())
