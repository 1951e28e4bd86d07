"""The grades and their keys."""

from __future__ import annotations

import re

import pytest

from assay.collections.assessment.judging_page import _asset
from assay.collections.assessment.judging_page_keys import DEFAULT_SCALE, JUNK, NAVIGATION_KEYS, key_of, read_scale
from assay.errors import UsageError


def test_ranges_lists_and_names() -> None:
    assert read_scale("0-4") == dict.fromkeys(range(5), "")
    assert read_scale("0,2,1") == {0: "", 1: "", 2: ""}
    assert list(read_scale("0,2,1")) == [0, 1, 2]
    assert read_scale("0=not relevant, 1 = a=b") == {0: "not relevant", 1: "a=b"}
    assert read_scale({0: "no", 1: "yes"}) == {0: "no", 1: "yes"}
    assert list(read_scale(DEFAULT_SCALE)) == [0, 1, 2, 3]


def test_one_grade_below_0_has_a_key_of_its_own() -> None:
    scale = read_scale("0=not,1=relevant,-2=junk")
    assert list(scale.items()) == [(-2, "junk"), (0, "not"), (1, "relevant")]
    assert list(map(key_of, scale)) == ["j", "0", "1"]
    assert read_scale([-1, 0, 1]) == {-1: "", 0: "", 1: ""}


@pytest.mark.parametrize(
    "given",
    ["", "0", "3-1", "0-12", "-1-2", "no,yes", "0,0", "0,1,1", "0=a,0=b", "٣,1", "0-", [1], "-1,-2,0", "-12,0", "--1,0"],
)  # fmt: skip
def test_what_no_keyboard_has(given) -> None:
    with pytest.raises(UsageError, match="scale="):
        read_scale(given)


def test_every_navigation_key_has_an_action_of_the_script_and_none_is_a_grade() -> None:
    script = _asset("judging_page.js")
    actions = script[script.index("const ACTIONS = {") :].partition("};")[0]
    for action in NAVIGATION_KEYS.values():
        assert re.search(rf"\b{action}\b", actions)
    assert JUNK not in NAVIGATION_KEYS
    assert not any(key.isdigit() for key in NAVIGATION_KEYS)
