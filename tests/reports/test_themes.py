"""Colours have roles, in every palette."""

from __future__ import annotations

from assay.reports import themes


def test_right_wrong_and_declined_have_colours_of_their_own():
    for palette in (themes.LIGHT, themes.DARK):
        roles = [palette[themes.ROLES[role]] for role in ("right", "wrong", "declined")]
        assert len(set(roles)) == 3
