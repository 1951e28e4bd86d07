"""A file is written whole or not at all."""

from __future__ import annotations

import os

import pytest

from assay.errors import InputError
from assay.files import write_whole


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
