"""What `make wheels` made, held to what is asked of it: checked, installed, and run where this machine can.

Everything here is skipped without `ASSAY_DIST`, the folder of what was made.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from release.assemble import FOLDER, members
from release.checks import problems
from release.targets import TARGETS, Target
from release.wheels import ROOT, built_wheel, exports

DIST = Path(os.environ.get("ASSAY_DIST", "none")).resolve()
FOREIGN = Path(os.environ.get("ASSAY_FOREIGN", "none")).resolve()
pytestmark = pytest.mark.skipif(not DIST.is_dir(), reason="no ASSAY_DIST: `make wheels` makes and tests the wheels")
LINUX = [target for target in TARGETS if target.kind == "ELF"]
TESTED = [
    "tests/core",
    "tests/measures",
    "tests/scoring/test_evaluate.py",
    "tests/table/test_scores.py",
    "tests/cli/commands/test_compare.py",
]
"""Run by an installed wheel: what calls the core, and a command with all that it imports."""
BUILDING = "--ignore=tests/core/test_build.py"
"""What is installed is built; some environments come with a setuptools too old to build it again."""


def wheel_of(target: Target) -> Path:
    [found] = DIST.glob(f"*-{target.tag}.whl")
    return found


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "ASSAY_NATIVE")}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**clean, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.platform)
def test_a_wheel_is_what_its_tag_says(target: Target) -> None:
    wheel = wheel_of(target)
    assert problems(wheel.name, wheel.read_bytes(), exports()) == []


def test_there_is_nothing_else() -> None:
    assert sorted(DIST.glob("*.whl")) == sorted(map(wheel_of, TARGETS))
    assert len(list(DIST.glob("*.tar.gz"))) == 1


def test_the_index_would_take_all_of_it(tmp_path) -> None:
    run(sys.executable, "-m", "twine", "check", "--strict", *DIST.iterdir(), cwd=tmp_path)


@pytest.mark.parametrize("compiler", ["cc", "false"])
def test_the_source_archive_builds_with_a_compiler_and_without(tmp_path, compiler) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    [archive] = DIST.glob("*.tar.gz")
    built = built_wheel(archive, tmp_path / "made", compiler)
    cores = [name for name in members(built.read_bytes()) if name.startswith(FOLDER + "_core")]
    assert cores == ([] if compiler == "false" else [FOLDER + "_core.abi3.so"])
    assert built.stem.endswith("-py3-none-any") == (compiler == "false")


def loader(target: Target) -> list[str | Path]:
    """What starts a program of that system here: its loader, under an emulator where the machine is another."""
    arch = {"x86_64": "amd64", "aarch64": "arm64"}[target.machine]
    emulator = FOREIGN / "amd64/usr/bin/qemu-aarch64-static"
    if "musl" in target.triple:
        library = FOREIGN / arch / "lib" / f"{target.machine}-linux-musl"
        command: list[str | Path] = [library / "libc.so", "--library-path", f".:{library}"]
    elif target.machine == "x86_64":
        command = [Path("/lib64/ld-linux-x86-64.so.2"), "--library-path", "."]
    else:
        library = FOREIGN / arch / "lib" / "aarch64-linux-gnu"
        command = [library / "ld-linux-aarch64.so.1", "--library-path", f".:{library}"]
    if target.machine != "x86_64":
        command = [emulator, *command]
    for needed in command:
        if isinstance(needed, Path) and not needed.exists():
            pytest.skip(f"no {needed.name} here for {target.platform}: release/foreign.sh fetches it from Debian")
    return command


def python_symbols(library: Path) -> list[str]:
    """Return the symbols a library takes from the Python that loads it."""
    import lief

    binary = lief.parse(str(library))
    return sorted(
        {
            str(symbol.name)
            for symbol in binary.dynamic_symbols
            if not symbol.exported and re.match("_?Py", str(symbol.name))
        }
    )


@pytest.mark.parametrize("target", LINUX, ids=lambda target: target.platform)
def test_the_core_of_a_linux_wheel_does_its_work(tmp_path, target: Target) -> None:
    """The fuzzer, which holds every function against plain loops, loads the very library of the wheel."""
    if sys.platform != "linux" or os.uname().machine != "x86_64" or find_spec("ziglang") is None:
        pytest.skip("programs of other systems are compiled by ziglang and started from Linux on x86_64")
    command = loader(target)
    (tmp_path / "_core.so").write_bytes(members(wheel_of(target).read_bytes())[FOLDER + target.library])
    fuzzers = [path for path in sorted((ROOT / "tests/core").glob("fuzz*.c")) if path.name != "fuzz_dicts.c"]
    stub = tmp_path / "python_symbols.c"
    stub.write_text("".join(f"void *{name}[64];\n" for name in python_symbols(tmp_path / "_core.so")))
    zig = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        target.triple,
        "-dynamic",
        "-O1",
        "-std=c11",
        "-DWITHOUT_DICTS",
        "-o",
        "fuzz",
    ]
    run(*zig, *fuzzers, stub, "_core.so", "-lm", "-pthread", cwd=tmp_path)
    told = run(*command, "./fuzz", "2000", "1", cwd=tmp_path)
    assert sum(map(int, re.findall(r"(\d+) tried", told))) == 2000


def interpreter(version: str) -> str | None:
    """A Python of this version, on the path or among pyenv's."""
    installed = Path.home() / ".pyenv" / "versions"
    found = [*installed.glob(f"{version}.*/bin/python"), *filter(None, [shutil.which(f"python{version}")])]
    return next((str(path) for path in found if _starts(str(path), version)), None)


def _starts(python: str, version: str) -> bool:
    done = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.startswith(f"Python {version}.")


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_wheel_installs_and_passes_its_tests_in_a_fresh_environment(tmp_path, version) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} here")
    wheel = next(wheel_of(target) for target in LINUX if target.glibc and target.machine == os.uname().machine)
    fresh = tmp_path / "fresh"
    run(python, "-m", "venv", fresh, cwd=tmp_path)
    pip = [fresh / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    run(*pip, wheel, "pytest", "hypothesis", cwd=tmp_path)
    native = {"ASSAY_REQUIRE_NATIVE": "1", "ASSAY_DATA": "none"}
    assert "native core" in run(fresh / "bin/assay", "--version", cwd=tmp_path, **native)
    where = run(fresh / "bin/python", "-c", "import assay; print(assay.__file__)", cwd=ROOT, **native)
    assert Path(where.strip()).is_relative_to(fresh)
    told = run(fresh / "bin/python", "-m", "pytest", "-p", "no:cacheprovider", BUILDING, *TESTED, cwd=ROOT, **native)
    print(told.splitlines()[-1])
