"""The colours of charts and pages, light and dark, and the meaning of each colour."""

from __future__ import annotations

# Eight hues that stay apart for colour-blind readers, each at 3:1 or more against its background.
PALETTE = {
    "ink": ("#1d2430", "#e8ebf0"),
    "soft": ("#5b6472", "#aab3c0"),
    "faint": ("#8b93a0", "#7f8998"),
    "grid": ("#e6e9ee", "#2b323d"),
    "band": ("#f3f5f8", "#1d232c"),
    "paper": ("#ffffff", "#14181f"),
    "c1": ("#1466a8", "#62b3f0"),
    "c2": ("#c4510c", "#f29a63"),
    "c3": ("#0d7d62", "#4cc9a4"),
    "c4": ("#a92c82", "#e68bca"),
    "c5": ("#6f56c9", "#b3a0ff"),
    "c6": ("#846800", "#d9bb4c"),
    "c7": ("#b92b37", "#ff8890"),
    "c8": ("#367588", "#82c3d6"),
}
"""Each colour on paper and on light pages, and on dark ones."""
LIGHT = {name: light for name, (light, _) in PALETTE.items()}
DARK = {name: dark for name, (_, dark) in PALETTE.items()}
HUES = tuple(name for name in PALETTE if name.startswith("c"))
ROLES = {
    "run": "c1", "median": "ink", "others": "faint", "interpolated": "c2", "above": "c1", "below": "c2", "right": "c3",
    "partial": "c6", "wrong": "c7", "declined": "faint", "failed": "c5",
}  # fmt: skip
"""What a colour means → its name in the palettes."""
RANGES = {
    "sides": ("above", "below"), "against-median": ("run", "median"), "outcomes": ("right", "wrong", "declined"),
    "outcomes-failed": ("right", "wrong", "declined", "failed"), "items": ("run", "others", "wrong"),
    "outcomes-partial": ("right", "partial", "wrong", "declined"), "all-outcomes": ("right", "partial", "wrong", "declined", "failed"),
}  # fmt: skip
"""Scales of a few roles, by the name a specification calls them; runs, measures and tiers take the hues in turn."""
# Agreement runs from none to perfect; one ramp that reads on either background, so the inks on it do too.
RAMP = ("#f2f0e8", "#c5dcd3", "#7fb7b5", "#3b83a0", "#17507d")
INK_ON_RAMP = {"ink-on-pale": "#1d2430", "ink-on-dark": "#ffffff"}


def css_colours(palette: dict[str, str]) -> str:
    """Return the palette as CSS custom properties: `--chart-c1: #1466a8; …`."""
    return " ".join(f"--chart-{name}: {colour};" for name, colour in palette.items())
