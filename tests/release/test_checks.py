"""Every fault of a wheel is reported, and a correct wheel passes."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest
from release.assemble import digest, members, with_core
from release.binaries import Facts
from release.checks import misfits, problems
from release.targets import TARGETS, named
from release.wheels import exports
from test_assemble import HEAD, pure

from assay.core import binding

OURS = {"assay_read", "assay_free"}
MANYLINUX = TARGETS[0]
MAC = next(target for target in TARGETS if target.machine == "arm64")
WINDOWS = named("win_amd64")
RIGHT = Facts("ELF", "x86_64", frozenset({*OURS, "PyInit__core"}), frozenset({"libc.so.6"}), glibc=(2, 2, 5))
RIGHT_MAC = Facts("Mach-O", "arm64", frozenset(OURS), MAC.may_need, macos=(11, 0), signed=True)
RIGHT_DLL = Facts("PE", "x86_64", frozenset(OURS), frozenset({"kernel32.dll", "api-ms-win-crt-heap-l1-1-0.dll"}))


@pytest.mark.parametrize(("found", "target"), [(RIGHT, MANYLINUX), (RIGHT_MAC, MAC), (RIGHT_DLL, WINDOWS)])
def test_nothing_is_said_of_a_right_library(found, target) -> None:
    assert list(misfits(found, target, OURS)) == []


@pytest.mark.parametrize(
    ("found", "target", "told"),
    [
        (replace(RIGHT, machine="aarch64"), MANYLINUX, "a library of ELF for aarch64, expected ELF for x86_64"),
        (RIGHT, WINDOWS, "a library of ELF for x86_64, expected PE for x86_64"),
        (replace(RIGHT, exports=frozenset({"assay_read"})), MANYLINUX, "PyInit__core, assay_free not exported"),
        (replace(RIGHT, exports=RIGHT.exports | {"helper"}), MANYLINUX, "helper exported, but no function of the core"),
        (replace(RIGHT, needs=frozenset({"libgomp.so.1"})), MANYLINUX, "needs libgomp.so.1"),
        (replace(RIGHT_DLL, needs=frozenset({"libwinpthread-1.dll"})), WINDOWS, "needs libwinpthread-1.dll"),
        (replace(RIGHT, needs=frozenset({"api-ms-win-crt-heap-l1-1-0.dll"})), MANYLINUX, "needs api-ms-win-crt"),
        (replace(RIGHT, glibc=(2, 34)), MANYLINUX, "needs glibc 2.34, expected 2.17 at most"),
        (replace(RIGHT_MAC, macos=(13, 0)), MAC, "needs macOS 13.0, expected 11.0 at most"),
        (replace(RIGHT_MAC, signed=False), MAC, "not signed"),
        (replace(RIGHT, has_debug_symbols=True), MANYLINUX, "contains debug symbols"),
    ],
)
def test_a_wrong_library_is_told(found, target, told) -> None:
    assert told in "\n".join(misfits(found, target, OURS))


def test_a_symbol_of_glibc_2_2_5_is_older_than_2_17() -> None:
    assert list(misfits(replace(RIGHT, glibc=(2, 2, 5)), MANYLINUX, OURS)) == []


def test_the_header_and_python_declare_the_same_functions() -> None:
    declared = {line.partition("(")[0].rpartition(" ")[2] for line in binding.FUNCTIONS}
    assert exports() == declared
    assert {"assay_describe", "assay_gold_read", "assay_ranker_stream", "assay_pairs_ratio"} <= declared


def repacked(wheel: bytes, changed: dict[str, bytes | None]) -> bytes:
    """The wheel with some files put in, changed or, where None, taken out."""
    files = {**members(wheel), **changed}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            if content is not None:
                archive.writestr(name, content)
    return made.getvalue()


NAME = "assay_eval-1.0-py3-none-win_amd64.whl"
WHEEL = with_core(pure(), "py3-none-win_amd64", "_core.pyd", b"MZ, and not much else")


@pytest.fixture
def told(monkeypatch):
    """What is said of a wheel whose library is right, whatever its bytes."""
    monkeypatch.setattr("release.checks.facts", lambda content: RIGHT_DLL)
    return lambda name, changed: "\n".join(problems(name, repacked(WHEEL, changed), OURS))


def test_nothing_is_said_of_a_right_wheel(told) -> None:
    assert told(NAME, {}) == ""


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("assay_eval-1.0-cp311-cp311-win_amd64.whl", {}, "expected a name that ends in the tag"),
        ("assay_eval-1.0-py3-none-linux_x86_64.whl", {}, "of a target in release/targets.py"),
        ("assay_eval-1.0-cp311-abi3-win_amd64.whl", {}, "expected a name that ends in the tag"),
        ("assay_eval-1.0-py3-none-macosx_11_0_arm64.whl", {}, "WHEEL has the tags ['py3-none-win_amd64']"),
        (NAME, {HEAD + "WHEEL": b"Root-Is-Purelib: true\nTag: py3-none-win_amd64\n"}, "Root-Is-Purelib is true"),
        (NAME, {"assay/core/_core.so": b"stale"}, "expected assay/core/_core.pyd alone"),
        (NAME, {"assay/core/_core.pyd": None}, "compiled files [], expected assay/core/_core.pyd alone"),
        (NAME, {"assay/core/_core.pdb": b"x"}, "expected assay/core/_core.pyd alone"),
        (NAME, {"assay/more.py": b"x"}, "assay/more.py is in the wheel and not in RECORD"),
        (NAME, {"assay/__init__.py": None}, "assay/__init__.py is in RECORD and not in the wheel"),
        (NAME, {"assay/__init__.py": b"a = 2\n"}, "assay/__init__.py: its digest or size differs from RECORD"),
    ],
)
def test_a_wrong_wheel_is_told(told, name, changed, expected) -> None:
    assert expected in told(name, changed)


def test_bytes_that_are_no_library_are_told() -> None:
    pytest.importorskip("lief", reason="lief reads compiled libraries; `make wheels` installs it")
    assert problems(NAME, WHEEL, OURS) == [f"{NAME}: assay/core/_core.pyd is no library"]


def test_the_digest_is_of_the_content() -> None:
    assert digest(b"a") != digest(b"b")
