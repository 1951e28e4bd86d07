"""Colours have roles, in every palette."""

from __future__ import annotations

from assay.figures import palette


def test_right_wrong_and_declined_have_colours_of_their_own():
    for colours in (palette.LIGHT, palette.DARK):
        roles = [colours[palette.ROLES[role]] for role in ("right", "wrong", "declined")]
        assert len(set(roles)) == 3
