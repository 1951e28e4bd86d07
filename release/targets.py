"""The systems with a wheel: tag, compiler flags and the libraries that every such system has."""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass, field

FLAGS = [
    "-O3",
    "-std=c11",
    "-fPIC",
    "-shared",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fvisibility=hidden",
    "-s",
]
"""The flags of setup.py, without debug symbols (-s), which contain paths of the build machine."""
GLIBC = frozenset({"libc.so.6", "libm.so.6"})
MUSL = frozenset({"libc.so"})
MACOS = frozenset({"/usr/lib/libSystem.B.dylib"})
WINDOWS = frozenset({"kernel32.dll", "ucrtbase.dll"})


@dataclass(frozen=True)
class Target:
    """One system."""

    platform: str
    """The last part of a wheel's tag."""
    triple: str
    """Its name in zig."""
    kind: str
    """The format of its libraries: ELF, Mach-O or PE."""
    machine: str
    may_need: frozenset[str]
    """The libraries that every such system has."""
    glibc: tuple[int, ...] = ()
    """The newest glibc version that symbols may require."""
    macos: tuple[int, ...] = ()
    """The oldest supported macOS."""
    flags: tuple[str, ...] = field(default=())

    @property
    def library(self) -> str:
        """The file name of the core, as in `assay.core.binding`."""
        return "_core.pyd" if self.kind == "PE" else "_core.abi3.so"

    @property
    def is_module(self) -> bool:
        """Whether the core is an abi3 module too; the headers of the Python that builds fit 64-bit Linux only."""
        return self.kind == "ELF"

    @property
    def python_flags(self) -> list[str]:
        """The flags of setup.py that compile the module."""
        include = sysconfig.get_path("include")
        return ["-DASSAY_WITH_PYTHON", "-DPy_LIMITED_API=0x030B0000", "-isystem", include] if self.is_module else []

    @property
    def tag(self) -> str:
        """Return the wheel's tag: one wheel serves every CPython from 3.11 on, or without the module every Python 3."""
        return f"{'cp311-abi3' if self.is_module else 'py3-none'}-{self.platform}"


def _linux(machine: str) -> list[Target]:
    old = f"manylinux_2_17_{machine}.manylinux2014_{machine}"
    return [
        Target(old, f"{machine}-linux-gnu.2.17", "ELF", machine, GLIBC, glibc=(2, 17)),
        Target(f"musllinux_1_2_{machine}", f"{machine}-linux-musl", "ELF", machine, MUSL),
    ]


def _macos(machine: str, arch: str, oldest: tuple[int, int]) -> Target:
    # By default the library contains the path of its build folder.
    name = ("-install_name", "@rpath/_core.abi3.so")
    version = f"{oldest[0]}.{oldest[1]}"
    platform = f"macosx_{oldest[0]}_{oldest[1]}_{arch}"
    return Target(platform, f"{machine}-macos.{version}", "Mach-O", arch, MACOS, macos=oldest, flags=name)


TARGETS = [
    *_linux("x86_64"),
    *_linux("aarch64"),
    _macos("x86_64", "x86_64", (10, 13)),
    _macos("aarch64", "arm64", (11, 0)),
    Target("win_amd64", "x86_64-windows-gnu", "PE", "x86_64", WINDOWS),
]


def named(platform: str) -> Target | None:
    """Return the target of a platform tag, or None.

    >>> named("win_amd64").library
    '_core.pyd'
    """
    return next((target for target in TARGETS if target.platform == platform), None)
