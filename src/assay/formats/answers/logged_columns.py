"""Recognise tables with one run's samples rather than a column per run, and suggest the `columns` that read them.

Harnesses save such tables. Their notes, such as epoch and turn_count, look like outcomes where all are 0 or 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

NOTED = re.compile(
    r"(|unnamed.*|index|idx|row|no|nr|number|epochs?|samples?|trials?|repeats?|repetitions?|attempts?|seeds?|folds?|runs?|"
    r"turns?|steps?|retries|tokens|cost|price|latency|duration|time|timestamp|date|error|errors|limit|status|"
    r"cached|truncated|timeout|completed|invalidated|length|size|rank|version|log|"
    r"sample_id|eval_id|run_id|task_id|uuid|hash|"
    r".*_(count|time|tokens|cost|seconds|ms|length|retries|error|errors|limit|usage|version)|(n|num|count|total|is|has)_.*)"
)
"""Names of columns with notes of a harness on a sample."""
SCORED = re.compile(r"(.*_)?scores?(_.*)?")
"""The score of one run: score, score_attempted, judge_score."""
MODELS = ("model", "model_name", "run", "run_name", "system", "eval_id", "run_id", "log")
"""Names of the column of runs, the likelier first."""
SAMPLES = ("epoch", "sample", "trial", "repeat", "repetition", "attempt")


def is_noted(name: str) -> bool:
    """Return whether a column is more likely a note on a sample than a system.

    >>> [name for name in ("epoch", "turn_count", "gpt-4", "Unnamed: 0", "total_time") if not is_noted(name)]
    ['gpt-4']
    """
    return NOTED.fullmatch(name.strip().lower()) is not None


def is_scored(name: str) -> bool:
    """Return whether a column is named as a score.

    >>> is_scored("score_attempted"), is_scored("judge_score"), is_scored("underscored")
    (True, True, False)
    """
    return SCORED.fullmatch(name.strip().lower()) is not None


def is_log_header(header: Sequence[str]) -> bool:
    """Return whether a header has a score and at least two notes on samples."""
    return any(map(is_scored, header)) and sum(map(is_noted, header)) >= 2


def doubtful_columns(header: Sequence[str], guessed: Sequence[str]) -> list[str]:
    """Return the columns taken as runs that are probably none: notes, or all others beside a score.

    >>> doubtful_columns(["id", "gpt", "epoch"], ["gpt", "epoch"]), doubtful_columns(["id", "a_score", "b_score"], ["a_score", "b_score"])
    (['epoch'], [])
    """
    noted = [name for name in guessed if is_noted(name)]
    others = [name for name in guessed if not is_scored(name)]
    scored = any(is_scored(name) for name in header)
    return others if scored and others else noted


def suggested_columns(
    header: Sequence[str], identity: str, runs: Sequence[str], cells: Mapping[str, Sequence[str]]
) -> str:
    """Return the `columns` that would read such a table: one line per question, or else the remaining runs."""
    scores = [name for name in header if is_scored(name)]
    roles = [f"id={identity}"]
    if not scores:
        roles.append(f"runs={'+'.join(runs) or '…'}")
        return f"`columns='{','.join(roles)}'` names the runs"
    roles.append(f"outcome={scores[0]}")
    lower = {name.lower(): name for name in header}
    model = next((lower[name] for name in MODELS if name in lower), None)
    sample = next((lower[name] for name in SAMPLES if name in lower), None)
    if model is not None:
        roles.append(f"run={model}")
    if sample is not None and all(
        cell.isascii() and cell.isdecimal() and cell != "0" for cell in cells.get(sample, ())
    ):
        roles.append(f"sample={sample}")
    more = f" (or another of {', '.join(scores)})" if len(scores) > 1 else ""
    return f"`gold=None` and `columns='{','.join(roles)}'` read it with a line per question and sample{more}"
