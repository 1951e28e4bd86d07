"""Programs nobody here wrote, which a test holds assay against."""

from __future__ import annotations

import os
from importlib import import_module

import pytest


def peer(name: str):
    """The peer's module. Where it is not installed the test is skipped, but not where every peer should be: `make peers`."""
    if os.environ.get("ASSAY_REQUIRE_PEERS"):
        return import_module(name)
    return pytest.importorskip(name)
