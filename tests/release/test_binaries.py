"""Properties read from small libraries, compiled here for every format."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from release.binaries import Facts, facts
from release.targets import FLAGS, TARGETS, Target

pytest.importorskip("lief", reason="lief reads compiled libraries; `make wheels` installs it")
SOURCE = """
#include <stdlib.h>
#if defined(_WIN32)
#define OPEN __declspec(dllexport)
#else
#define OPEN __attribute__((visibility("default")))
#endif
OPEN void *offered(int size) { return malloc(size); }
int kept(int size) { return size + 1; }
"""


def library(folder: Path, compiler: list[str], name: str) -> Facts | None:
    (folder / "small.c").write_text(SOURCE)
    subprocess.run([*compiler, "-o", name, "small.c"], cwd=folder, check=True)
    return facts((folder / name).read_bytes())


@pytest.mark.skipif(shutil.which("cc") is None or sys.platform != "linux", reason="no C compiler of Linux here")
def test_a_library_of_this_machine(tmp_path) -> None:
    read = library(tmp_path, ["cc", *FLAGS], "small.so")
    assert read is not None
    assert (read.kind, read.exports, read.has_debug_symbols) == ("ELF", {"offered"}, False)
    assert "libc.so.6" in read.needs
    assert library(tmp_path, ["cc", "-g", "-shared", "-fPIC"], "loud.so").has_debug_symbols
    assert library(tmp_path, ["cc", "-g", "-shared", "-fPIC"], "loud.so").exports == {"offered", "kept"}


@pytest.mark.skipif(
    find_spec("ziglang") is None, reason="ziglang compiles for other systems; `make wheels` installs it"
)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.platform)
def test_a_library_of_every_target(tmp_path, target: Target) -> None:
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", target.triple]
    read = library(tmp_path, [*zig, *FLAGS, *target.flags], target.library)
    assert read is not None
    assert (read.kind, read.machine, read.exports) == (target.kind, target.machine, {"offered"})
    assert read.macos == target.macos
    assert read.signed == (target.machine == "arm64")
    assert bool(read.glibc) == bool(target.glibc)
    assert read.glibc <= target.glibc
    assert not read.has_debug_symbols


def test_text_is_no_library() -> None:
    assert facts(b"#!/bin/sh\n") is None
