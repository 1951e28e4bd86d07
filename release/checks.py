"""Check a wheel before its release; every message has what was found and what was expected."""

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
    """Return the faults of a wheel, a line each.

    name      the file name, from which an installer reads the tag
    exports   the functions of the core
    """
    matched = NAME.fullmatch(name)
    target = named(matched["platform"]) if matched else None
    if matched is None or target is None or matched["tag"] != target.tag:
        return [f"{name}: expected a name that ends in the tag and .whl of a target in release/targets.py"]
    files = members(wheel)
    head = f"{matched['project']}-{matched['version']}.dist-info/"
    faults = [*_tags(files, head, matched["tag"]), *_records(files, head), *_library(files, target, exports)]
    return [f"{name}: {line}" for line in faults]


def _tags(files: dict[str, bytes], head: str, tag: str) -> Iterator[str]:
    metadata = message_from_string(files.get(head + "WHEEL", b"").decode())
    tags = metadata.get_all("Tag", [])
    if tags != platforms(tag):
        yield f"WHEEL has the tags {tags}, expected {platforms(tag)}"
    if metadata["Root-Is-Purelib"] != "false":
        yield f"Root-Is-Purelib is {metadata['Root-Is-Purelib']}, expected false of a wheel with a library"


def _records(files: dict[str, bytes], head: str) -> Iterator[str]:
    record = head + "RECORD"
    listed = {row[0]: row[1:] for row in csv.reader(io.StringIO(files.get(record, b"").decode()))}
    for name in sorted(listed.keys() ^ files.keys()):
        here, there = ("the wheel", "RECORD") if name in files else ("RECORD", "the wheel")
        yield f"{name} is in {here} and not in {there}"
    for name in sorted(listed.keys() & files.keys() - {record}):
        if listed[name] != [digest(files[name]), str(len(files[name]))]:
            yield f"{name}: its digest or size differs from RECORD"


def _library(files: dict[str, bytes], target: Target, exports: Collection[str]) -> Iterator[str]:
    expected = FOLDER + target.library
    compiled = sorted(name for name in files if re.search(r"\.(so|dylib|dll|pyd|pdb|lib|a|o)\b", name))
    if compiled != [expected]:
        yield f"compiled files {compiled}, expected {expected} alone"
    if expected in files:
        library = facts(files[expected])
        yield from [f"{expected} is no library"] if library is None else misfits(library, target, exports)


def misfits(library: Facts, target: Target, exports: Collection[str]) -> Iterator[str]:
    """Yield why systems of this tag cannot load a library, or why it is not the core."""
    if (library.kind, library.machine) != (target.kind, target.machine):
        yield f"a library of {library.kind} for {library.machine}, expected {target.kind} for {target.machine}"
    exports = {*exports, "PyInit__core"} if target.is_module else exports
    if missing := sorted(set(exports) - library.exports):
        yield f"{', '.join(missing)} not exported"
    if more := sorted(library.exports - set(exports)):
        yield f"{', '.join(more)} exported, but no function of the core"
    if foreign := sorted(name for name in library.needs - target.may_need if not _windows_own(name, target)):
        yield f"needs {', '.join(foreign)}, which some systems of this tag lack"
    if library.glibc > target.glibc:
        yield f"needs glibc {_dotted(library.glibc)}, expected {_dotted(target.glibc) or 'none'} at most"
    if library.macos > target.macos:
        yield f"needs macOS {_dotted(library.macos)}, expected {_dotted(target.macos)} at most"
    if target.machine == "arm64" and not library.signed:
        yield "not signed; an ARM Mac loads signed libraries only"
    if library.has_debug_symbols:
        yield "contains debug symbols, and with them paths of the build machine"


def _windows_own(name: str, target: Target) -> bool:
    """Whether a library is part of the C runtime, which Windows 10 and later split into many files."""
    return target.kind == "PE" and re.fullmatch(r"api-ms-win-crt-\w+-l1-1-0\.dll", name) is not None


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
