"""JSON through msgspec has the bytes of `to_json`."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.cli import large_json, main, output
from assay.cli.large_json import is_finite, quick_text
from assay.cli.output import to_json

CELLS = st.one_of(st.none(), st.floats(), st.floats(0, 1), st.integers(), st.text(), st.booleans())
TREES = st.dictionaries(st.text(), st.one_of(CELLS, st.lists(CELLS), st.dictionaries(st.text(), CELLS)))


@given(TREES)
def test_the_quick_text_is_the_careful_one_or_none(tree) -> None:
    quick = quick_text(tree) if is_finite(tree) else None
    if quick is not None:
        assert (quick.decode("ascii") if isinstance(quick, bytes) else quick) == to_json(tree)


def test_what_is_left_to_the_careful_one() -> None:
    tree = {"a": [0.25, 1 / 3, None, "é"], "dense-2": "re-ranked, e5"}
    assert quick_text(tree) == to_json(tree)
    assert quick_text({"a": [0.25]}) == b'{\n "a": [\n  0.25\n ]\n}\n'
    for cell in (1e-5, 1e16, 1.5e-7, "\x7f", "\x9b", "\ud800"):
        assert quick_text({"a": {"b": cell, "c": 0.5}}) is None
    for cell in (float("nan"), float("inf")):
        assert not is_finite({"a": {"b": cell, "c": 0.5}})


@pytest.mark.parametrize("topics", [2, 1000])
def test_json_of_many_topics_is_json_of_few(tmp_path, capfd, monkeypatch, topics) -> None:
    (tmp_path / "qrels").write_text("".join(f"{t} 0 a 1\n{t} 0 b 1\n" for t in range(topics)) + "none 0 a 0\n")
    (tmp_path / "run").write_text("".join(f"{t} Q0 x 1 2 r\n{t} Q0 {'ab'[t % 2]} 1 1 r\n" for t in range(topics)))
    options = ["-m", "AP", "-m", "P@2", "-m", "num_ret", "-q", "-f", "json"]
    words = ["evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), *options]
    quick: list[bool] = []
    monkeypatch.setattr(large_json, "quick_text", lambda tree: quick.append(True) or quick_text(tree))
    assert main(words) == 0
    written = capfd.readouterr().out
    monkeypatch.setattr(output, "MIN_ROWS_FOR_MSGSPEC", 1 if topics == 2 else 10**9)
    assert main(words) == 0
    assert capfd.readouterr().out == written
    assert quick == [True]
    rows = json.loads(written)["runs"][0]["topics"]
    assert rows["0"] == {"AP": 0.25, "P@2": 0.5, "num_ret": 2}
    assert rows["none"]["AP"] is None
