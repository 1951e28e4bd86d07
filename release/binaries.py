"""Read a compiled library: its machine, exported symbols, dependencies and minimum system versions."""

from __future__ import annotations

import re
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    import lief

MACHINES = {
    "X86_64": "x86_64", "AMD64": "x86_64", "I386": "x86", "X86": "x86", "AARCH64": "aarch64", "ARM64": "arm64",
}  # fmt: skip
LINKERS_OWN = {"___dso_handle", "__mh_dylib_header"}
"""Symbols that the linker adds to every library of macOS."""


@dataclass(frozen=True)
class Facts:
    """The properties of a library that decide where it loads."""

    kind: str
    machine: str
    exports: frozenset[str]
    needs: frozenset[str]
    """The libraries it links to; in lower case for Windows, which ignores case."""
    glibc: tuple[int, ...] = ()
    """The newest glibc version that its symbols require."""
    macos: tuple[int, ...] = ()
    """The oldest macOS that loads it."""
    signed: bool = False
    """Apple's ARM machines load signed libraries only; an ad-hoc signature suffices."""
    has_debug_symbols: bool = False
    """Debug symbols contain paths of the build machine."""


def facts(content: bytes) -> Facts | None:
    """Return the properties of a library; None for other content."""
    import lief

    lief.logging.disable()
    binary = lief.parse(list(content))
    if isinstance(binary, lief.ELF.Binary):
        return _elf(binary)
    if isinstance(binary, lief.MachO.Binary):
        return _macho(binary)
    return _pe(binary) if isinstance(binary, lief.PE.Binary) else None


def _machine(word: object) -> str:
    name = str(word).rpartition(".")[2]
    return MACHINES.get(name, name)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", version))


def _elf(binary: lief.ELF.Binary) -> Facts:
    symbols = [name.name for needed in binary.symbols_version_requirement for name in needed.get_auxiliary_symbols()]
    glibc = [_numbers(name) for name in symbols if name.startswith("GLIBC_")]
    return Facts(
        "ELF", _machine(binary.header.machine_type),
        frozenset(str(symbol.name) for symbol in binary.dynamic_symbols if symbol.exported),
        frozenset(str(name) for name in binary.libraries),
        glibc=max(glibc, default=()),
        has_debug_symbols=any(section.name.startswith(".debug") for section in binary.sections),
    )  # fmt: skip


def _macho(binary: lief.MachO.Binary) -> Facts:
    # ID_DYLIB names the library itself.
    needs = [library.name for library in binary.libraries if "ID_DYLIB" not in str(library.command)]
    oldest = binary.build_version.minos if binary.build_version else binary.version_min.version
    exports = {str(symbol.name) for symbol in binary.exported_symbols} - LINKERS_OWN
    return Facts(
        "Mach-O", _machine(binary.header.cpu_type),
        frozenset(name.removeprefix("_") for name in exports), frozenset(needs),
        macos=tuple(oldest[:2]), signed=binary.has_code_signature,
        has_debug_symbols=any(section.segment_name == "__DWARF" for section in binary.sections),
    )  # fmt: skip


def _pe(binary: lief.PE.Binary) -> Facts:
    return Facts(
        "PE", _machine(binary.header.machine),
        frozenset(entry.name for entry in binary.exported_functions),
        frozenset(library.name.lower() for library in binary.imports),
        has_debug_symbols=binary.codeview_pdb is not None or any(section.name.startswith(".debug") for section in binary.sections),
    )  # fmt: skip
