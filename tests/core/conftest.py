"""How the tests of the core compile C."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).resolve().parents[2] / "src" / "assay" / "core"
HERE = Path(__file__).resolve().parent
STRICT = ["-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror"]
STUB = ["-DASSAY_WITH_PYTHON", "-DASSAY_PYTHON_STUB", f"-I{HERE / 'python_stub'}"]
"""Compile what reads Python dicts against a stub of Python.h."""
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.fixture(scope="session")
def compiler() -> list[str]:
    command = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(command[0]) is None:
        pytest.skip("no C compiler here")
    return command


@pytest.fixture(scope="session")
def build_library(compiler, tmp_path_factory):
    """A folder with a core built from sources in which some pieces were replaced: `{file: (old, new)}`."""
    from assay.core.binding import NAME

    def build(edits: dict[str, tuple[str, str]]) -> str:
        folder = tmp_path_factory.mktemp("core")
        for path in [*NATIVE.glob("*.c"), *NATIVE.glob("*.h")]:
            text = path.read_text()
            if path.name in edits:
                old, new = edits[path.name]
                assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path.name}"
                text = text.replace(old, new)
            (folder / path.name).write_text(text)
        sources = sorted(str(path) for path in folder.glob("*.c"))
        flags = ["-O0", "-std=c11", "-fPIC", "-shared", "-pthread", "-w"]
        subprocess.run([*compiler, *flags, "-o", str(folder / NAME), *sources, "-lm"], check=True)
        return str(folder)

    return build


@pytest.fixture(scope="session")
def build_program(compiler, tmp_path_factory):
    """A program of this folder, compiled with some sources of the core, under sanitizers where the compiler has them."""

    def build(name: str, sources: list[str], *flags: str) -> Path:
        program = tmp_path_factory.mktemp("program") / name.removesuffix(".c")
        files = [str(HERE / name), *(str(NATIVE / source) for source in sources)]
        for extra in (SANITIZERS, []):
            command = [*compiler, *STRICT, *STUB, *extra, *flags, "-o", str(program), *files, "-lm", "-pthread"]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
            if result.returncode == 0:
                return program
        raise AssertionError(result.stderr)

    return build
