"""The one place the version is written."""

__version__ = "0.2.0"
NUMBERS = 2
"""Raised with every release in which some input gives another number than before. CHANGELOG lists under "Numbers" what changed,
and tests/golden holds the figures of each."""
