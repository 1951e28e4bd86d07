"""The file: what is acknowledged is in it, whatever happens; what is not is not."""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.collections.assessment.judgments_file import JudgmentsFile, written
from assay.errors import InputError

ONE = written("1", "d1", 2, "ann", "t")
TWO = written("1", "d2", 0, "ann", "t")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "ann.judgments.jsonl")


def opened(path, *lines):
    ledger = JudgmentsFile(path)
    for line in lines:
        ledger.append(line)
    ledger.close()
    return ledger


def content(path) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def test_lines_are_added_and_found_again(path) -> None:
    opened(path, ONE)
    assert opened(path, TWO).content == ONE
    assert content(path) == ONE + TWO


def test_a_line_says_everything() -> None:
    assert json.loads(ONE) == {"topic": "1", "document": "d1", "grade": 2, "judge": "ann", "time": "t"}
    undone = json.loads(written("1", "d", None, "ann", "t", undo=True))
    assert (undone["grade"], undone["undo"]) == (None, True)


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_id_is_one_line_and_comes_back(topic, document) -> None:
    line = written(topic, document, 1, "ann", "t")
    assert line.count(b"\n") == 1
    assert (json.loads(line)["topic"], json.loads(line)["document"]) == (topic, document)
    assert b"\x1b" not in line


def test_an_id_that_is_not_utf8_is_written_as_an_escape() -> None:
    """Byte 0xff arrives as U+DCFF; the other fields keep their letters readable where the line can be encoded."""
    line = written("é", "d\udcff", 1, "ann", "t")
    assert line.startswith(rb'{"topic": "\u00e9", "document": "d\udcff", "grade": 1')
    assert json.loads(line)["document"] == "d\udcff"
    assert written("é", "d", 1, "ann", "t").startswith('{"topic": "é"'.encode())


def test_a_last_line_cut_off_anywhere_is_left_out_and_said(path) -> None:
    for cut in range(1, len(TWO) - 1):
        with open(path, "wb") as file:
            file.write(ONE + TWO[:cut])
        ledger = opened(path)
        assert ledger.content == ONE == content(path)
        assert ledger.repaired.startswith(f"{path}:2: is incomplete")


def test_a_last_line_that_lacks_but_its_end_counts(path) -> None:
    with open(path, "wb") as file:
        file.write(ONE + TWO[:-1])
    ledger = opened(path)
    assert (ledger.content, ledger.repaired) == (ONE + TWO, "")
    assert content(path) == ONE + TWO


def test_zeros_that_a_power_cut_leaves_are_cut_off(path) -> None:
    with open(path, "wb") as file:
        file.write(ONE + bytes(500))
    assert opened(path).content == ONE


def test_two_cannot_write_at_once(path) -> None:
    first = JudgmentsFile(path)
    with pytest.raises(InputError, match="another assay judge"):
        JudgmentsFile(path)
    first.close()
    opened(path, ONE)


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_what_cannot_be_saved_leaves_nothing_behind(path, monkeypatch, broken) -> None:
    ledger = JudgmentsFile(path)
    ledger.append(ONE)
    real = os.write

    def short(file, data):
        return real(file, data[:5])

    def fails(file):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, broken, short if broken == "write" else fails)
        with pytest.raises(InputError, match="nothing was saved"):
            ledger.append(TWO)
    assert content(path) == ONE
    ledger.append(TWO)
    ledger.close()
    assert content(path) == ONE + TWO


def test_it_is_on_the_disk_before_append_returns(path, monkeypatch) -> None:
    done = []
    ledger = JudgmentsFile(path)
    monkeypatch.setattr(os, "fsync", lambda file: done.append(os.fstat(file).st_size))
    ledger.append(ONE)
    assert done == [len(ONE)]
    ledger.close()


def test_a_file_that_somebody_moved_or_wrote_to_is_noticed(path) -> None:
    ledger = JudgmentsFile(path)
    os.rename(path, path + ".moved")
    with pytest.raises(InputError, match="was moved or replaced"):
        ledger.append(ONE)
    os.rename(path + ".moved", path)
    ledger.append(ONE)
    with open(path, "ab") as file:
        file.write(TWO)
    with pytest.raises(InputError, match="was changed by another program"):
        ledger.append(ONE)
    ledger.close()
    assert content(path) == ONE + TWO


def test_what_is_no_file_to_write(tmp_path, path) -> None:
    for wrong in (str(tmp_path), str(tmp_path / "nowhere" / "x.jsonl")):
        with pytest.raises(InputError, match="cannot be opened"):
            JudgmentsFile(wrong)
    opened(path, ONE)
    os.chmod(path, 0o444)
    with pytest.raises(InputError, match="read-only"):
        JudgmentsFile(path)
    packed = str(tmp_path / "x.gz")
    with open(packed, "wb") as file:
        file.write(b"\x1f\x8b\x08 and so on")
    with pytest.raises(InputError, match="is compressed"):
        JudgmentsFile(packed)
    assert content(packed).startswith(b"\x1f\x8b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        JudgmentsFile(str(tmp_path / "pipe"))


@pytest.mark.parametrize(
    "alien", [b"notes to keep", b"1 0 a 1\n1 0 b 2", b'[{"topic": "1"}]', b'{"grade": 1, "topic', b"\xff\xfe{\0"]
)
def test_the_end_of_a_file_of_others_is_not_cut_off(path, alien) -> None:
    with open(path, "wb") as file:
        file.write(alien)
    with pytest.raises(InputError, match="is not a line of assay judge"):
        JudgmentsFile(path)
    assert content(path) == alien


@pytest.mark.parametrize("cut", [1, 12, 40])
def test_a_line_half_of_which_became_zeros_is_cut_off(path, cut) -> None:
    with open(path, "wb") as file:
        file.write(ONE + TWO[:cut] + bytes(30))
    assert opened(path).content == ONE == content(path)
