"""What `assay threshold` and `assay price` print below their first lines."""

from __future__ import annotations

from dataclasses import replace

import assay
from assay.reports import results

GRADED = [("correct", "0.9"), ("incorrect", "0.2")] * 10
LINES = "\n".join(["run,id,outcome,confidence", *(f"m,{i},{','.join(answer)}" for i, answer in enumerate(GRADED))])


def test_a_threshold_has_the_numbers_of_its_first_line():
    result = replace(assay.threshold(None, LINES.encode(), folds=2, resamples=100), interval=(0.1, 0.4))
    lines = results.text(result).splitlines()
    assert lines[2].split() == ["m", "c@1", "answers"]
    assert lines[4].split() == ["as", "it", "is", ".50", "100.0%"]
    assert lines[5].split() == ["declining,", "held", "out", ".75", "50.0%"]
    assert lines[6].split() == ["gain", ".25", "(.10", "to", ".40)"]
    undefined = results.text(replace(result, held_out=None, gain=None, interval=None)).splitlines()
    assert undefined[5].split()[3:] == ["n/a", "50.0%"]
    assert undefined[6].split() == ["gain", "n/a"]
    assert "Risk" not in results.text(result)
    assert "Risk" in results.text(result, verbose=True)


def test_a_guarantee_lists_its_tests():
    pairs = [("correct", 0.95)] * 60 + [("incorrect", 0.3)] * 20
    lines = "\n".join(["id,outcome,confidence", *(f"{i},{said},{sure}" for i, (said, sure) in enumerate(pairs))])
    result = assay.threshold(None, {"m": lines.encode()}, risk=0.1, confidence=0.9)
    shown = results.text(result).splitlines()
    assert shown[0] == result.finding
    assert shown[2].split()[:5] == ["from", "a", "confidence", "of", "answers"]
    assert results.text(result, verbose=True).count(result.finding) == 1


def test_prices_that_were_asked_for_have_a_table():
    rows = [f"{run},{i},{end}" for run, ended in (("a", "ccw"), ("b", "ccu")) for i, end in enumerate(ended)]
    words = {"c": "correct", "w": "incorrect", "u": "unanswered"}
    data = "\n".join(["run,id,outcome", *(f"{row[:-1]}{words[row[-1]]}" for row in rows)]).encode()
    usual, asked = assay.price(None, data, resamples=20), assay.price(None, data, at=[0.5], resamples=20)
    assert "t = 0.5" not in results.text(usual)
    assert "t = 0.5" in results.text(asked)
    assert "Price curves" not in results.text(asked)
    assert "Price curves" in results.text(asked, verbose=True)
