"""Make what a release uploads, on one machine: the source archive and a wheel for every system, each of them checked.

`python -m release.wheels dist` makes all of it, `python -m release.wheels --cores build/cross` the compiled cores alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from release.assemble import steady, with_core
from release.checks import problems
from release.targets import FLAGS, TARGETS, Target

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "assay" / "core"


def exports() -> frozenset[str]:
    """The functions that the core's header declares."""
    declared = re.findall(r"^ASSAY_FUNCTION\([^,]+, (\w+),", (SOURCES / "assay.h").read_text(), re.MULTILINE)
    return frozenset(declared)


def tracked(into: Path) -> None:
    """A copy of the files that git knows: nothing that an earlier build left behind gets into a release."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        copy = into / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())


def source_archive(folder: Path) -> tuple[str, bytes]:
    """The name and bytes of the archive that pip builds where no wheel fits."""
    tracked(folder / "tree")
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(folder / "tree")], check=True, stdout=subprocess.DEVNULL)
    made = next(folder.glob("*.tar.gz"))
    return made.name, steady(made.read_bytes())


def built_wheel(archive: Path, into: Path, compiler: str) -> Path:
    """The wheel pip builds from the source archive with a C compiler, or with one that fails."""
    into.mkdir(parents=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(into)]
    environment = {**os.environ, "CC": compiler, "ASSAY_REQUIRE_NATIVE": "0"}
    subprocess.run([*command, str(archive)], check=True, env=environment)
    return next(into.glob("*.whl"))


def compiled(target: Target, into: Path) -> bytes:
    """The core for a system, by zig, which has the headers and the start files of all of them."""
    into.mkdir(parents=True)
    sources = sorted(path.name for path in SOURCES.glob("*.c"))
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-target",
        target.triple,
        *FLAGS,
        *target.flags,
        *target.python_flags,
    ]
    # By their names alone, from where they stand: a path would stay in the library.
    subprocess.run([*command, "-o", str(into / target.library), *sources, "-lm"], cwd=SOURCES, check=True)
    return (into / target.library).read_bytes()


def cores(out: Path) -> None:
    """Every system's core in a folder of its own."""
    for target in TARGETS:
        shutil.rmtree(out / target.platform, ignore_errors=True)
        print(f"{len(compiled(target, out.resolve() / target.platform)) / 1e6:6.2f} MB  {target.platform}")


def release(out: Path) -> list[str]:
    """Write everything into a folder; what is wrong with it, a line each."""
    out.mkdir(parents=True, exist_ok=True)
    stale = [*out.glob("*.whl"), *out.glob("*.tar.gz")]
    for path in stale:
        path.unlink()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        name, archive = source_archive(work)
        (out / name).write_bytes(archive)
        pure = built_wheel(out / name, work / "pure", "false")
        for target in TARGETS:
            content = compiled(target, work / target.platform)
            called = pure.name.replace("py3-none-any", target.tag)
            wheel = with_core(pure.read_bytes(), target.tag, target.library, content)
            wrong += problems(called, wheel, exports())
            (out / called).write_bytes(wheel)
            print(f"{len(wheel) / 1e6:6.2f} MB  {called}")
    return wrong


def main(words: list[str]) -> int:
    """0, or 1 where something must not go out."""
    if words[:1] == ["--cores"]:
        cores(Path(words[1]))
        return 0
    wrong = release(Path(words[0]))
    print("".join(f"{line}\n" for line in wrong), file=sys.stderr, end="")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
