"""The fuzzer of the readers: its seeds are accepted, every reader has one, and what escapes a reader is not hidden."""

from __future__ import annotations

import fuzz_readers
import pytest
from fuzz_readers import TARGETS, examine, joined, main, parts, seeds
from reader_examples import EXAMPLES


def test_every_reader_has_a_seed_that_it_reads() -> None:
    named = {parts(content)[0] for content in seeds().values()}
    assert named == set(TARGETS) == {*EXAMPLES, "evaluate"}
    for content in seeds().values():
        examine(content)


def test_any_name_stands_for_a_reader() -> None:
    assert parts(b"qrels\x001 0 d 1") == ("qrels", b"1 0 d 1")
    assert parts(b"\xff\xfe no reader at all")[0] in TARGETS
    examine(b"")


def test_what_escapes_a_reader_is_not_hidden(monkeypatch) -> None:
    def broken(name: str, content: bytes) -> None:
        raise KeyError(name)

    monkeypatch.setattr(fuzz_readers, "read", broken)
    with pytest.raises(KeyError, match="qrels"):
        examine(seeds()["qrels"])


@pytest.mark.native_only
def test_a_core_that_differs_from_its_twin_is_found_out(monkeypatch) -> None:
    from assay.core import reference

    examine(seeds()["evaluate"])
    monkeypatch.setattr(reference.Ranker, "_score", lambda self, score: -score)
    with pytest.raises(AssertionError, match="the core says"):
        examine(joined("evaluate", b"1 0 a 1\n1 0 b 0\n\x1e1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"))


def test_files_are_tried_again(tmp_path, capsys) -> None:
    (tmp_path / "crash").write_bytes(seeds()["answers"])
    main([str(tmp_path / "crash")])
    assert capsys.readouterr().out == "1 inputs: no complaint\n"
