"""Build and check the files of a release on one machine: the source archive and a wheel for every system.

`python -m release.wheels dist` builds everything, `python -m release.wheels --cores build/cross` the compiled cores alone.
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
    """Return the functions that the header of the core declares."""
    declared = re.findall(r"^ASSAY_FUNCTION\([^,]+, (\w+),", (SOURCES / "assay.h").read_text(), re.MULTILINE)
    return frozenset(declared)


def copy_tracked(into: Path) -> None:
    """Copy the files that git tracks, so that no build residue gets into a release."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        copy = into / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())


def source_archive(folder: Path) -> tuple[str, bytes]:
    """Return the name and bytes of the source archive, from which pip builds where no wheel fits."""
    copy_tracked(folder / "tree")
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(folder / "tree")], check=True, stdout=subprocess.DEVNULL)
    archive = next(folder.glob("*.tar.gz"))
    return archive.name, steady(archive.read_bytes())


def built_wheel(archive: Path, into: Path, compiler: str) -> Path:
    """Return the wheel that pip builds from the source archive; a compiler that fails gives the pure wheel."""
    into.mkdir(parents=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(into)]
    environment = {**os.environ, "CC": compiler, "ASSAY_REQUIRE_NATIVE": "0"}
    subprocess.run([*command, str(archive)], check=True, env=environment)
    return next(into.glob("*.whl"))


def compiled(target: Target, into: Path) -> bytes:
    """Compile the core for a system with zig, which has the headers and start files of all systems."""
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
    # Relative names: a path would be stored in the library.
    subprocess.run([*command, "-o", str(into / target.library), *sources, "-lm"], cwd=SOURCES, check=True)
    return (into / target.library).read_bytes()


def cores(out: Path) -> None:
    """Compile the core for every system, each into its own folder."""
    for target in TARGETS:
        shutil.rmtree(out / target.platform, ignore_errors=True)
        print(f"{len(compiled(target, out.resolve() / target.platform)) / 1e6:6.2f} MB  {target.platform}")


def release(out: Path) -> list[str]:
    """Write all files of a release into a folder and return their faults, a line each."""
    out.mkdir(parents=True, exist_ok=True)
    stale = [*out.glob("*.whl"), *out.glob("*.tar.gz")]
    for path in stale:
        path.unlink()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        name, archive = source_archive(work)
        (out / name).write_bytes(archive)
        pure = built_wheel(out / name, work / "pure", "false")
        for target in TARGETS:
            content = compiled(target, work / target.platform)
            file_name = pure.name.replace("py3-none-any", target.tag)
            wheel = with_core(pure.read_bytes(), target.tag, target.library, content)
            faults += problems(file_name, wheel, exports())
            (out / file_name).write_bytes(wheel)
            print(f"{len(wheel) / 1e6:6.2f} MB  {file_name}")
    return faults


def main(words: list[str]) -> int:
    """Build a release, or the cores alone; return 1 if a wheel has a fault."""
    if words[:1] == ["--cores"]:
        cores(Path(words[1]))
        return 0
    faults = release(Path(words[0]))
    print("".join(f"{line}\n" for line in faults), file=sys.stderr, end="")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
