"""How many places do public leaderboards have? Compare all models of each board and write docs/boards.json.

    python docs/boards.py DIR                   the table, and docs/boards.json; about ten minutes on one core
    python docs/boards.py DIR --only mteb_kor_v1 --only mteb_cmn_v1    the table of these boards, nothing written

DIR holds NAME.csv.gz for each board of docs/boards.toml: a row per question or task, a column per model, higher is better. A row
that any model lacks is left out. docs/boards_page.py writes docs/how_many_places.md and its chart from the JSON (`make docs`).

Doubling: a new board has twice as many rows, drawn from the rows of the board. The models' means are shrunk towards the mean of
all, by the share of their variance that is noise (empirical Bayes), and as much noise is drawn anew as shrinking took away, so that
the spread of the means is that of the true ones. Each of `DRAWS` new boards is compared as the board itself was.
`check_doubling` predicts the board from random halves of its rows, where the answer is known. Before the method was settled, this
check on 11 boards compared it with raw means and with shrunk means that are not redrawn: it was best on MTEB English, and no variant
was best on all.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assay
from assay.analyses.comparison.compare import MIN_TASKS, compare_many
from assay.figures.common import headline

Floats = NDArray[np.float64]

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "boards.json"
LEVEL = 0.05
MIN_ROWS = MIN_TASKS
"""Below, no pair of many models could differ significantly."""
SEEDS = (0, 1, 2)
"""The sign flips of each; the first decides, and the others say how far the counts depend on it."""
DRAWS = 20
HALVES, DRAWS_OF_HALF = 4, 4
"""To check the doubling: random halves of the rows, and boards drawn from each."""


@dataclass(frozen=True)
class Places:
    """What a comparison of all models says of their places."""

    pairs_differ: float
    """The share of pairs that differ significantly."""
    neighbours_differ: float
    """How many models differ significantly from the next one of the board."""
    may_be_first: float
    """How many rank intervals begin at 1."""
    certain: float
    """How many rank intervals hold one place."""
    median_width: float
    """Places that the interval of a model's rank holds, in the median."""


def places_of(table: assay.Scores) -> Places:
    """Compare all pairs of a table's runs by max-T."""
    result = compare_many(table, headline(table), first=0)
    assert result.every is not None, "all pairs were compared"
    assert result.ranks is not None, "max-T bounds ranks"
    differ, runs = result.every.p <= LEVEL, len(result.runs)
    # Pairs are (1, 2), (1, 3) … (2, 3) …, best first: neighbours begin each block.
    neighbours = np.cumsum([0, *range(runs - 1, 1, -1)])
    widths = [rank.high - rank.low + 1 for rank in result.ranks]
    return Places(
        pairs_differ=float(differ.mean()),
        neighbours_differ=int(differ[neighbours].sum()),
        may_be_first=len(result.ranks.may_be_first),
        certain=widths.count(1),
        median_width=float(np.median(widths)),
    )


def mean_places(many: Iterable[Places]) -> Places:
    """Average each number over boards."""
    return Places(*np.mean([list(asdict(places).values()) for places in many], axis=0).tolist())


def read_board(path: Path) -> tuple[list[str], Floats]:
    """Return the names of the models, and rows × models with NaN where a cell is empty."""
    table = assay.read_scores(str(path))
    measure = headline(table).name
    columns = [table.run(run).columns[measure] for run in table.runs]
    return list(table.runs), np.array(columns, dtype=np.float64).T


def signal_share(values: Floats) -> float:
    """Return the share of the variance of the models' means that is not noise.

    values   rows × models

    Noise is the interaction of rows and models, divided by the rows. Means of 0 and 2 without any interaction are all signal;
    equal means are none.

    >>> signal_share(np.array([[0.0, 2.0], [1.0, 3.0]])), signal_share(np.array([[0.0, 1.0], [1.0, 0.0]]))
    (1.0, 0.0)
    """
    rows, models = values.shape
    means = values.mean(axis=0)
    interaction = values - means - values.mean(axis=1, keepdims=True) + means.mean()
    noise = (interaction**2).sum() / ((rows - 1) * (models - 1)) / rows
    variance = means.var(ddof=1)
    return float(max(0.0, 1 - noise / variance)) if variance > 0 else 0.0


def new_boards(values: Floats, draws: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield boards of twice as many rows, as the module's docstring says.

    values   rows × models
    """
    rows = len(values)
    means, signal = values.mean(axis=0), signal_share(values)
    # Rows drawn from a sample vary less than those of the population, by (rows - 1)/rows.
    residuals = (values - means) * np.sqrt(rows / (rows - 1))
    shrunk = means.mean() + signal * (means - means.mean())
    for _ in range(draws):
        # Whole rows are drawn: models of one family stay as alike as they are.
        truth = shrunk + np.sqrt(signal) * residuals[rng.integers(rows, size=rows)].mean(axis=0)
        yield truth + residuals[rng.integers(rows, size=2 * rows)]


def predict_doubled(values: Floats, draws: int, rng: np.random.Generator) -> Places:
    """Predict the places of a board with twice as many rows."""
    return mean_places(places_of(assay.scores(board)) for board in new_boards(values, draws, rng))


def check_doubling(values: Floats, rng: np.random.Generator) -> Places | None:
    """Predict the board from random halves of its rows; None where a half has too few rows."""
    rows = len(values)
    if rows // 2 < MIN_ROWS:
        return None
    halves = [values[rng.permutation(rows)[: rows // 2]] for _ in range(HALVES)]
    return mean_places(predict_doubled(half, DRAWS_OF_HALF, rng) for half in halves)


def board_of(name: str, path: Path) -> dict[str, Any]:
    """Return the line of one board in docs/boards.json."""
    models, values = read_board(path)
    complete = values[~np.isnan(values).any(axis=1)]
    rows, count = len(complete), len(models)
    pairs = count * (count - 1) // 2
    line: dict[str, Any] = {"board": name, "models": count, "items_in_file": len(values), "items": rows, "pairs": pairs}
    if rows < MIN_ROWS:
        return {**line, "too_few_items": True}
    by_seed = [places_of(assay.scores(complete, seed=seed)) for seed in SEEDS]
    rng = np.random.default_rng([rows, count])
    doubled, checked = predict_doubled(complete, DRAWS, rng), check_doubling(complete, rng)
    return {
        **line, **_rounded(by_seed[0]), "may_be_first_by_seed": [places.may_be_first for places in by_seed],
        "signal": round(signal_share(complete), 3), "doubled": _rounded(doubled),
        "predicted_from_halves": None if checked is None else _rounded(checked),
    }  # fmt: skip


def _rounded(places: Places) -> dict[str, float]:
    digits = {"pairs_differ": 4}
    return {name: round(value, digits.get(name, 1)) for name, value in asdict(places).items()}


def described() -> dict[str, dict[str, Any]]:
    """Return docs/boards.toml: `source` and `board`."""
    return tomllib.loads((FOLDER / "boards.toml").read_text(encoding="utf-8"))


def results() -> list[dict[str, Any]]:
    """Return the lines of docs/boards.json."""
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def as_json(lines: Sequence[dict[str, Any]]) -> str:
    """Write a list with a line per board."""
    return "[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n"


HEADER = ("board", "models", "items", "pairs that differ", "neighbours that differ", "may be first", "certain", "median width",
          "doubled: pairs", "may be first", "median width")  # fmt: skip


def cells(line: dict[str, Any], title: str) -> list[str]:
    """Return the row of a board under `HEADER`.

    >>> cells({"models": 9, "items": 6, "items_in_file": 7, "too_few_items": True}, "a board")
    ['a board', '9', '6 of 7', 'too few tasks']
    """
    items = f"{line['items']:,}" + (f" of {line['items_in_file']:,}" if line["items"] < line["items_in_file"] else "")
    row = [title, f"{line['models']:,}", items]
    if "too_few_items" in line:
        return [*row, "too few tasks"]
    doubled = line["doubled"]
    return [
        *row, f"{line['pairs_differ']:.0%}", f"{line['neighbours_differ']} of {line['models'] - 1}", f"{line['may_be_first']}",
        f"{line['certain']}", f"{line['median_width']:g}", f"{doubled['pairs_differ']:.0%}", f"{doubled['may_be_first']:.0f}",
        f"{doubled['median_width']:.0f}",
    ]  # fmt: skip


def show(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, names to the left and numbers to the right."""
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(len(HEADER))]
    for row in rows:
        first, *rest = zip(row, widths, strict=False)
        print("  ".join([first[0].ljust(first[1]), *(text.rjust(width) for text, width in rest)]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--only", action="append", help="the name of a board; repeatable; nothing is written")
    args = parser.parse_args()
    boards = described()["board"]
    unknown = sorted({*(args.only or ())} - {*boards})
    missing = [name for name in args.only or boards if not (args.folder / f"{name}.csv.gz").exists()]
    if unknown or missing:
        what = f"unknown board {unknown[0]!r}" if unknown else f"{args.folder}: {missing[0]}.csv.gz is missing"
        print(f"{what}. Fix: give the folder of the boards in docs/boards.toml.", file=sys.stderr)
        return 2
    lines: list[dict[str, Any]] = []
    for name in args.only or boards:
        print(f"{name} …", file=sys.stderr)
        lines.append(board_of(name, args.folder / f"{name}.csv.gz"))
    show([HEADER, *(cells(line, boards[line["board"]]["title"]) for line in lines)])
    if not args.only:
        RESULTS.write_text(as_json(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
