"""The colours of charts and pages, light and dark, and the meaning of each colour."""

from __future__ import annotations

PALETTE = {
    "ink": ("#17212b", "#e8edf2"),
    "soft": ("#52606d", "#a3b0bc"),
    "faint": ("#8b95a1", "#74808c"),
    "grid": ("#e3e8ec", "#2a333c"),
    "band": ("#f5f7f9", "#182028"),
    "top-band": ("#e9f3f6", "#13303a"),
    "paper": ("#ffffff", "#11171d"),
    "leader": ("#0b5468", "#74cbdd"),
    "below": ("#6b7783", "#8794a1"),
    "own": ("#c2410c", "#ff9b63"),
    "right": ("#0b5468", "#8ad8e8"),
    "partial": ("#5b9db0", "#3f8496"),
    "wrong": ("#f2d384", "#6d5212"),
    "wrong-edge": ("#86650c", "#dcb95a"),
    "declined": ("#75818d", "#8794a1"),
    "failed": ("#17212b", "#e8edf2"),
    "median": ("#17212b", "#e8edf2"),
    # Hues of series: at least 3:1 against the background, and ΔE 20 apart for every kind of colour vision.
    "c1": ("#0b5468", "#74cbdd"),
    "c2": ("#c2410c", "#ff9b63"),
    "c3": ("#6b32ec", "#aa5bf2"),
    "c4": ("#a37659", "#ccdc19"),
    "c5": ("#d254e3", "#cd68d5"),
    "c6": ("#741c14", "#d35c56"),
    "c7": ("#5898a6", "#3b8f93"),
    "c8": ("#681aa7", "#8a8816"),
}
"""Each colour on paper and on light pages, and on dark ones."""
LIGHT = {name: light for name, (light, _) in PALETTE.items()}
DARK = {name: dark for name, (_, dark) in PALETTE.items()}
HUES = tuple(f"c{place}" for place in range(1, 9))
ROLES = {
    "run": "leader", "leader": "leader", "below": "below", "own": "own", "median": "median", "others": "faint",
    "interpolated": "c2", "above-median": "leader", "below-median": "below", "right": "right", "partial": "partial",
    "wrong": "wrong", "declined": "declined", "failed": "failed",
}  # fmt: skip
"""Meaning of a colour → its name in the palettes."""
RANGES: dict[str, tuple[str, ...]] = {
    "sides": ("above-median", "below-median"), "against-median": ("run", "median"), "items": ("run", "others", "own"),
    "own-runs": ("own", "leader", "below", "partial", "median"),
    "outcomes": ("right", "declined", "wrong"), "outcomes-partial": ("right", "partial", "declined", "wrong"),
}  # fmt: skip
"""Scales of a few roles, by the name a specification calls them; runs, measures and tiers take the hues in turn."""
EDGES = {"wrong": "wrong-edge"}
"""Roles whose fill is too pale to end at its own edge → the colour of their outline."""
PATTERNS = {"wrong": "dots", "declined": "hatching"}
"""What is drawn over a role's fill, so that it is known without its colour."""
# Agreement runs from none to perfect; one ramp that reads on either background, so the inks on it do too.
RAMP = ("#f3f1ea", "#cfe1e0", "#8fc1c9", "#4592a3", "#0b5468")
INK_ON_RAMP = {"ink-on-pale": "#17212b", "ink-on-dark": "#ffffff"}


def css_colours(palette: dict[str, str]) -> str:
    """Return the palette as CSS custom properties: `--chart-leader: #0b5468; …`."""
    return " ".join(f"--chart-{name}: {colour};" for name, colour in palette.items())
