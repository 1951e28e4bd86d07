"""Outcomes of two runs on two tasks, a sign per question."""

from __future__ import annotations

import assay


def graded(text: str, measures=("accuracy",)) -> assay.Scores:
    """Rows of run, task, language and outcomes, a sign per question."""
    words = {"+": "correct", "-": "incorrect"}
    lines = ["run,id,outcome,task,lang"]
    for row in text.split(";"):
        run, task, lang, signs = row.split()
        lines += [f"{run},{task}{lang}{i},{words[sign]},{task},{lang}" for i, sign in enumerate(signs)]
    return assay.evaluate(None, ("\n".join(lines) + "\n").encode(), list(measures))


BOTH = "x a en ++++++++;y a en +-------;x b de +--+;y b de +--+"
