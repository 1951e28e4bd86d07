"""A wheel put together by hand: the library is in it, tag and RECORD tell of it, and the same things give the same bytes."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile

from release.assemble import members, record, steady, with_core

HEAD = "assay_eval-1.0.dist-info/"


def pure(date: tuple[int, ...] = (2020, 2, 2, 2, 2, 2)) -> bytes:
    """The smallest wheel without a core."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in {
            HEAD + "WHEEL": "Wheel-Version: 1.0\nGenerator: setuptools\nRoot-Is-Purelib: true\nTag: py3-none-any\n\n",
            HEAD + "RECORD": "assay/__init__.py,sha256=x,1\n",
            "assay/__init__.py": "a = 1\n",
        }.items():
            archive.writestr(zipfile.ZipInfo(name, date), text)
    return made.getvalue()


def made(date: tuple[int, ...] = (2020, 2, 2, 2, 2, 2)) -> bytes:
    tag = "cp311-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64"
    return with_core(pure(date), tag, "_core.abi3.so", b"\x7fELF")


def test_the_library_stands_where_the_package_looks_for_it_and_record_comes_last() -> None:
    assert list(members(made())) == ["assay/__init__.py", "assay/core/_core.abi3.so", HEAD + "WHEEL", HEAD + "RECORD"]


def test_the_wheel_says_each_tag_and_that_it_is_not_pure() -> None:
    assert members(made())[HEAD + "WHEEL"].decode().splitlines() == [
        "Wheel-Version: 1.0",
        "Generator: setuptools",
        "Root-Is-Purelib: false",
        "Tag: cp311-abi3-manylinux_2_17_x86_64",
        "Tag: cp311-abi3-manylinux2014_x86_64",
    ]


def test_record_has_digest_and_size_of_every_file_but_itself() -> None:
    # The digest of `a = 1` and a newline, as PEP 376 writes it: URL-safe, without padding.
    sha = base64.urlsafe_b64encode(hashlib.sha256(b"a = 1\n").digest()).decode().rstrip("=")
    told = members(made())[HEAD + "RECORD"].decode().splitlines()
    assert told[0] == f"assay/__init__.py,sha256={sha},6"
    assert told[-1] == f"{HEAD}RECORD,,"
    assert len(told) == 4


def test_nothing_tells_the_sum_of_an_empty_file() -> None:
    # sha256 of nothing is e3b0c442 98fc1c14 …, published everywhere.
    assert record({"empty": b""}, "RECORD") == "empty,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nRECORD,,\n"


def test_the_day_a_wheel_is_made_on_leaves_no_trace() -> None:
    assert made() == made((2025, 12, 31, 23, 59, 58))
    with zipfile.ZipFile(io.BytesIO(made())) as opened:
        modes = {info.filename: info.external_attr >> 16 for info in opened.infolist()}
    assert modes["assay/core/_core.abi3.so"] == 0o100755
    assert modes["assay/__init__.py"] == 0o100644


def archive(order: list[str], mtime: int, owner: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name in order:
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.uname = 3, mtime, owner
            tar.addfile(info, io.BytesIO(name.encode() * 3))
    return packed.getvalue()


def test_a_source_archive_tells_neither_day_nor_person() -> None:
    one = steady(archive(["a", "b"], 1, "ann"))
    assert one == steady(archive(["b", "a"], 1_700_000_000, "bob"))
    with tarfile.open(fileobj=io.BytesIO(one)) as tar:
        assert {info.name: tar.extractfile(info).read() for info in tar} == {"a": b"aaa", "b": b"bbb"}
