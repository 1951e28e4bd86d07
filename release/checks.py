"""What is asked of a wheel before anybody installs it; every complaint says what was found and what was expected."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from email import message_from_string

from release.assemble import FOLDER, digest, members, platforms
from release.binaries import Facts, facts
from release.targets import Target, named

NAME = re.compile(r"(?P<project>[a-z_]+)-(?P<version>[^-]+)-(?P<tag>(?:py3-none|cp311-abi3)-(?P<platform>[^-]+))\.whl")


def problems(name: str, wheel: bytes, exports: Collection[str]) -> list[str]:
    """What is wrong with a wheel, a line each; none where it may go out.

    name      the file's name, which is where an installer reads the tag
    exports   the functions of the core
    """
    matched = NAME.fullmatch(name)
    target = named(matched["platform"]) if matched else None
    if matched is None or target is None or matched["tag"] != target.tag:
        return [f"{name}: expected a name that ends in the tag and .whl of a target in release/targets.py"]
    files = members(wheel)
    head = f"{matched['project']}-{matched['version']}.dist-info/"
    told = [*_tags(files, head, matched["tag"]), *_records(files, head), *_library(files, target, exports)]
    return [f"{name}: {line}" for line in told]


def _tags(files: dict[str, bytes], head: str, tag: str) -> Iterator[str]:
    described = message_from_string(files.get(head + "WHEEL", b"").decode())
    found = described.get_all("Tag", [])
    if found != platforms(tag):
        yield f"WHEEL has the tags {found}, expected {platforms(tag)}"
    if described["Root-Is-Purelib"] != "false":
        yield f"Root-Is-Purelib is {described['Root-Is-Purelib']}, expected false of a wheel with a library"


def _records(files: dict[str, bytes], head: str) -> Iterator[str]:
    own = head + "RECORD"
    listed = {row[0]: row[1:] for row in csv.reader(io.StringIO(files.get(own, b"").decode()))}
    for name in sorted(listed.keys() ^ files.keys()):
        here, there = ("the wheel", "RECORD") if name in files else ("RECORD", "the wheel")
        yield f"{name} is in {here} and not in {there}"
    for name in sorted(listed.keys() & files.keys() - {own}):
        if listed[name] != [digest(files[name]), str(len(files[name]))]:
            yield f"{name} is not the file that RECORD tells of"


def _library(files: dict[str, bytes], target: Target, exports: Collection[str]) -> Iterator[str]:
    expected = FOLDER + target.library
    compiled = sorted(name for name in files if re.search(r"\.(so|dylib|dll|pyd|pdb|lib|a|o)\b", name))
    if compiled != [expected]:
        yield f"compiled files {compiled}, expected {expected} alone"
    if expected in files:
        found = facts(files[expected])
        yield from [f"{expected} is no library"] if found is None else misfits(found, target, exports)


def misfits(found: Facts, target: Target, exports: Collection[str]) -> Iterator[str]:
    """Where a library is not what a system of this tag can load, or not the core."""
    if (found.kind, found.machine) != (target.kind, target.machine):
        yield f"a library of {found.kind} for {found.machine}, expected {target.kind} for {target.machine}"
    exports = {*exports, "PyInit__core"} if target.is_module else exports
    if missing := sorted(set(exports) - found.exports):
        yield f"{', '.join(missing)} not exported"
    if more := sorted(found.exports - set(exports)):
        yield f"{', '.join(more)} exported, and no function of the core"
    if foreign := sorted(name for name in found.needs - target.may_need if not _windows_own(name, target)):
        yield f"needs {', '.join(foreign)}, which not every system of this tag has"
    if found.glibc > target.glibc:
        yield f"asks for glibc {_dotted(found.glibc)}, expected {_dotted(target.glibc) or 'none'} at most"
    if found.macos > target.macos:
        yield f"asks for macOS {_dotted(found.macos)}, expected {_dotted(target.macos)} at most"
    if target.machine == "arm64" and not found.signed:
        yield "not signed: no Mac with an ARM processor would load it"
    if found.told:
        yield "holds the symbols of a debugger, and with them paths of the machine that built it"


def _windows_own(name: str, target: Target) -> bool:
    """Windows 10 and later have the C library in many pieces."""
    return target.kind == "PE" and re.fullmatch(r"api-ms-win-crt-\w+-l1-1-0\.dll", name) is not None


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
