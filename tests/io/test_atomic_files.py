"""A file is written whole or not at all."""

from __future__ import annotations

import os

import pytest

from assay.errors import InputError
from assay.io.atomic_files import identity, is_folder, write_folder, write_whole


def test_a_file_is_replaced_and_keeps_its_rights(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_whole(str(link), b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


def test_a_device_is_written_to():
    write_whole(os.devnull, b"x")
    assert not os.path.isfile(os.devnull)


def test_what_cannot_be_written_is_named(tmp_path):
    with pytest.raises(InputError, match=r"absent/f: cannot be written: No such file"):
        write_whole(tmp_path / "absent" / "f", b"x")


def test_a_read_only_file_is_kept(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(InputError, match=r"f: cannot be written: it is read-only"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"


def test_somebody_elses_file_beside_it_is_left_alone(tmp_path):
    other = tmp_path / f"f.{os.getpid()}.part"
    other.write_bytes(b"another's")
    write_whole(tmp_path / "f", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"new", other.name: b"another's"}


def test_identity_is_not_a_name(tmp_path):
    (tmp_path / "f").write_bytes(b"")
    (tmp_path / "other").write_bytes(b"")
    (tmp_path / "soft").symlink_to("f")
    os.link(tmp_path / "f", tmp_path / "hard")
    same = {identity(str(tmp_path / name)) for name in ("f", "soft", "hard")}
    assert len(same) == 1
    assert identity(str(tmp_path / "other")) not in same
    assert identity(os.devnull) is identity(str(tmp_path / "absent")) is identity("a\0b") is None


def test_a_folder_is_made_whole(tmp_path):
    write_folder(tmp_path / "new", {"a.txt": b"1", "b.txt": b"2"})
    assert {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()} == {"a.txt": b"1", "b.txt": b"2"}
    (tmp_path / "empty").mkdir()
    write_folder(f"{tmp_path}/empty/", {"a.txt": b"1"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "new"]
    assert is_folder(str(tmp_path / "new"))
    with pytest.raises(InputError, match="exists already"):
        write_folder(tmp_path / "new", {})


def test_an_interrupted_folder_leaves_nothing(tmp_path):
    class Interrupted(dict):
        def items(self):
            yield "a.txt", b"1"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "new", Interrupted())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be written"):
        write_folder(tmp_path / "file" / "under", {})
    with pytest.raises(InputError, match="exists already"):
        write_folder(tmp_path / "file", {})
