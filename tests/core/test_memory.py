"""Where memory runs out, the core says so: no crash, no leak, no other complaint."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NATIVE = Path(__file__).resolve().parents[2] / "src" / "assay" / "core"


def test_every_allocation_may_fail(build_program) -> None:
    """Each one alone, and all from each one on; and sizes beyond 2³⁰ entries are refused, not doubled for ever."""
    sources = sorted(path.name for path in NATIVE.glob("*.c"))
    flags = ["-O0", *(f"-D{name}=failing_{name}" for name in ("malloc", "calloc", "realloc"))]
    result = subprocess.run(
        [build_program("failing.c", sources, *flags)], capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("allocations") == 8
