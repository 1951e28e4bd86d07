"""The page and the chart of the public boards: docs/how_many_places.md and docs/pictures/boards.svg, from docs/boards.json.

The regions of the page between `<!-- boards:NAME -->` and `<!-- /boards -->` are written here, so that every number follows from the
JSON; the rest of the page has none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any

from assay.figures.palette import DARK, LIGHT
from assay.io.escaping import in_html as escape
from assay.reports.chart_theme import PAGE_FONT
from assay.resampling.sign_flips import SMALL_UNITS
from boards import DRAWS, HALVES, LEVEL, MIN_ROWS, cells, described, results

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER / "how_many_places.md"
REGION = re.compile(r"(<!-- boards:(\w+) -->\n)(?:.*?\n)??(<!-- /boards -->)", re.DOTALL)
SINGLE_ITEMS = ("question", "instruction", "problem", "behaviour")
"""Rows that are one item each; those of other boards are tasks or data sets."""


@dataclass(frozen=True)
class Board:
    """A board: what docs/boards.toml says of it, and its line in docs/boards.json."""

    about: dict[str, Any]
    line: dict[str, Any]

    @property
    def compared(self) -> bool:
        """Whether it has rows enough."""
        return "too_few_items" not in self.line

    @property
    def of_items(self) -> bool:
        """Whether a row is a single question and not a task."""
        return self.about["row"] in SINGLE_ITEMS

    @property
    def title(self) -> str:
        return self.about["title"]

    def width(self, doubled: bool = False) -> float:
        """The places that the median rank interval holds, as a share of all."""
        places = self.line["doubled"] if doubled else self.line
        return places["median_width"] / self.line["models"]


def boards() -> list[Board]:
    """All boards, in the order of docs/boards.toml."""
    about = described()["board"]
    lines = {line["board"]: line for line in results()}
    if {*about} != {*lines}:
        raise SystemExit(
            f"docs/boards.json: {sorted({*about} ^ {*lines})} differ from docs/boards.toml. Fix: `make boards DIR=…`"
        )
    return [Board(about[name], lines[name]) for name in about]


def compared() -> list[Board]:
    """The boards with rows enough."""
    return [board for board in boards() if board.compared]


def percent(share: float) -> str:
    """A share, rounded.

    >>> percent(0.4449)
    '44%'
    """
    return f"{share:.0%}"


def middle(of: Sequence[Board], name: str, *, doubled: bool = False) -> float:
    """The median of a number over boards, as they are or with twice the rows."""
    return float(median((board.line["doubled"] if doubled else board.line)[name] for board in of))


def median_width(of: Sequence[Board], *, doubled: bool = False) -> float:
    """The median over boards of the median interval, as a share of all places."""
    return float(median(board.width(doubled) for board in of))


def total(of: Sequence[Board], name: str) -> int:
    """The sum of a count over boards."""
    return sum(board.line[name] for board in of)


def counted(number: int, singular: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "board"), counted(3, "board")
    ('1 board', '3 boards')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def prose(text: str, *, item: bool = False) -> str:
    """A paragraph, or an item of a list, wrapped as the pages are.

    >>> prose("Two\\n  lines", item=True)
    '- Two lines'
    """
    start, rest = ("- ", "  ") if item else ("", "")
    words = " ".join(text.split())
    return fill(
        words, 140, initial_indent=start, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def finding() -> str:
    """The first paragraph."""
    of = compared()
    models, certain = total(of, "models"), total(of, "certain")
    only = sum(board.line["may_be_first"] == 1 for board in of)
    return prose(f"""
        Far fewer than it prints. On {len(of)} public leaderboards with {models:,} models, {certain} places
        ({percent(certain / models)}) are certain. On the median board, the confidence interval of a rank holds
        {percent(median_width(of))} of all places. {middle(of, "may_be_first"):g} models may be first there; on
        {counted(only, "board")} only one may. Of {models - len(of):,} pairs of neighbours,
        {total(of, "neighbours_differ")} differ significantly.
    """)


def rows() -> str:
    """What makes the difference: questions or tasks."""
    single, tasks = ([board for board in compared() if board.of_items == kind] for kind in (True, False))
    narrow, wide = (choice(compared(), key=Board.width) for choice in (min, max))
    return prose(f"""
        On the {len(single)} boards whose rows are single questions ({row_range(single)} of them),
        {percent(middle(single, "pairs_differ"))} of the pairs differ in the median, and the median interval holds
        {percent(median_width(single))} of the places. On the {len(tasks)} boards whose rows are tasks or data sets
        ({row_range(tasks)}), these are {percent(middle(tasks, "pairs_differ"))} and {percent(median_width(tasks))}.
        The order of {narrow.title} is the surest: its median interval holds {narrow.line["median_width"]:g} of
        {narrow.line["models"]} places. That of {wide.title} says least: {wide.line["median_width"]:g} of
        {wide.line["models"]}.
    """)


def row_range(of: Sequence[Board]) -> str:
    """How many rows the boards have, from the fewest to the most."""
    counts = [board.line["items"] for board in of]
    return f"{min(counts):,} to {max(counts):,}"


COLUMNS = (
    "board", "models", "rows", "pairs that differ", "neighbours that differ", "may be first", "certain places", "median width",
    "pairs, doubled", "may be first, doubled", "median width, doubled",
)  # fmt: skip


def table() -> str:
    """A row per board."""
    lines = [f"| {' | '.join(COLUMNS)} |", f"|---|{'--:|' * (len(COLUMNS) - 1)}"]
    for board in boards():
        row = cells(board.line, board.title)
        lines.append(f"| {' | '.join([*row, *[''] * (len(COLUMNS) - len(row))])} |")
    return "\n".join(lines)


def doubling() -> str:
    """What twice the rows would do, and how well the prediction does where the answer is known."""
    of = compared()
    checked = [board for board in of if board.line["predicted_from_halves"]]
    errors = [board.line["predicted_from_halves"]["pairs_differ"] - board.line["pairs_differ"] for board in checked]
    points = [100 * abs(error) for error in errors]
    worst = checked[points.index(max(points))]
    large = [error for error, board in zip(points, checked, strict=True) if board.line["items"] >= 2 * SMALL_UNITS]
    effect = prose(f"""
        Somewhat. With twice the rows, the share of pairs that differ on the median board would rise from
        {percent(middle(of, "pairs_differ"))} to {percent(middle(of, "pairs_differ", doubled=True))}. The median interval would
        shrink from {percent(median_width(of))} to {percent(median_width(of, doubled=True))} of the places, and
        {middle(of, "may_be_first", doubled=True):.0f} instead of {middle(of, "may_be_first"):.0f} models might be first.
    """)
    check = prose(f"""
        The prediction averages {DRAWS} simulated boards: the models' means are shrunk by their noise (empirical Bayes) and
        varied by what remains unknown of them, and rows are drawn from those of the board. It was
        checked on {len(checked)} boards, where the share of pairs that differ was predicted from {HALVES} random
        halves of the rows. The error is {counted(round(median(points)), "point")} in the median
        and {max(points):.0f} at most ({worst.title}, {worst.line["items"]} rows). Where a half has at least {SMALL_UNITS} rows,
        it is {max(large):.0f} at most. {sum(error > 0 for error in errors)} of the {len(errors)} predictions are too high. The
        other {len(of) - len(checked)} boards have too few rows for this check; their predictions are rough.
        The method was chosen over raw and over merely shrunk means by the same check on some of these boards, which flatters it a little.
    """)
    return f"{effect}\n\n{check}"


def caveats() -> str:
    """What the numbers do not say."""
    paragraphs = (_tasks(), FAMILIES, _printed_figures(), _few_rows(), _missing_cells(), _overlap(), _seeds())
    return "\n".join(prose(paragraph, item=True) for paragraph in paragraphs)


def _tasks() -> str:
    tasks = [board for board in boards() if not board.of_items]
    return f"""
        **Tasks are not a sample.** Rows are treated as a sample of those that could have been asked. The tasks of {len(tasks)}
        boards were chosen by their makers. If only these tasks matter, the order by their mean is uncertain by the noise within
        each task alone, which these files do not show. Some results of MTEB are those that the models' authors reported.
    """


FAMILIES = """
    **Models of one family** (sizes, versions, fine-tunings of one model) answer alike and crowd together. A board that lists one
    model of each family would have fewer pairs, and probably a larger share of them would differ. The test itself allows for
    models that answer alike.
"""


def _printed_figures() -> str:
    everything = boards()
    agree = [board for board in everything if "agree" in board.about]
    partly = [board for board in agree if board.about["agree"] < board.about["of"]]
    why = Counter(board.about.get("unchecked") for board in everything)
    partial = "".join(f", on {b.title} for {b.about['agree']} of {b.about['of']}" for b in partly)
    return f"""
        **Printed figures.** The mean of the rows is the figure that the board prints for all models of {len(agree) - len(partly)}
        boards{partial}. On {why["differs"]} boards the printed figure is another one: MMLU-Pro adds random guesses, EuroEval
        prints a rank score, and a task of MTEB multilingual is missing here. For {why["none at hand"]} there was none to compare
        with. What is counted here is the order by the mean, which these boards may not print.
    """


def _few_rows() -> str:
    few = [board.title for board in boards() if not board.compared]
    small = [board for board in compared() if board.line["items"] < SMALL_UNITS]
    return f"""
        **Few rows.** {counted(len(few), "board")} with fewer than {MIN_ROWS} rows {"is" if len(few) == 1 else "are"} not compared:
        {", ".join(few)}. {len(small)} more have fewer than {SMALL_UNITS} rows; what they show says more about the test than about
        the models.
    """


def _missing_cells() -> str:
    lacking = [board for board in boards() if board.line["items"] < board.line["items_in_file"]]
    kept = " and ".join(f"{b.line['items']:,} of {b.line['items_in_file']:,} rows of {b.title}" for b in lacking)
    return f"""
        **Missing cells.** A row that any model lacks is left out, which leaves {kept}. These boards average each model over the
        rows it has.
    """


def _overlap() -> str:
    families = Counter(board.about["source"] for board in boards())
    [(family, count)] = families.most_common(1)
    return f"""
        **The boards overlap.** {count} of the {families.total()} are of {described()["source"][family]["title"]}, with many models
        and some tasks in common. Columns of JailbreakBench are attacks on a model.
    """


def _seeds() -> str:
    counts = [board.line["may_be_first_by_seed"] for board in compared()]
    swings = [max(of_board) - min(of_board) for of_board in counts]
    return f"""
        **Counts near the level depend on the random signs.** With {len(counts[0])} seeds, the number that may be first changes on
        {counted(sum(map(bool, swings)), "board")}, by {max(swings)} at most.
    """


def method() -> str:
    """How places are bounded."""
    return prose(f"""
        Each board is a matrix of rows and models. All pairs of models are compared, paired by row, by
        [sign flips with max-T](inference.md): the chance of any wrong difference on a board is {percent(LEVEL)}. The interval of
        a rank runs from 1 + the number of models that are significantly better to the last place less the number that are
        significantly worse. With {percent(1 - LEVEL)} confidence all intervals of a board hold at once. A place is certain if its
        interval holds no other. A model may be first if none is significantly better. The width of an interval is the number of
        places it holds.
    """)


def sources() -> str:
    """Where the rows are from."""
    counts = Counter(board.about["source"] for board in boards())
    return "\n".join(
        f"- [{source['title']}]({source['url']}), commit {source['commit']}, {source['licence']}: {counted(counts[name], 'board')}"
        for name, source in described()["source"].items()
    )


REGIONS: dict[str, Callable[[], str]] = {
    "finding": finding, "chart": lambda: f"![{alt()}](pictures/boards.svg)", "rows": rows, "table": table, "doubling": doubling,
    "caveats": caveats, "method": method, "sources": sources,
}  # fmt: skip


def page() -> str:
    """docs/how_many_places.md with its regions written anew."""
    return REGION.sub(lambda at: f"{at[1]}{REGIONS[at[2]]()}\n{at[3]}", PAGE.read_text(encoding="utf-8"))


def title() -> str:
    """What the chart shows, as a sentence."""
    return f"On the median board, a model may hold any of {percent(median_width(compared()))} of the places"


def alt() -> str:
    """The chart in words."""
    of = compared()
    widths, less = sorted(board.width() for board in of), sum(board.width(True) < board.width() for board in of)
    return (
        f"Bars of {len(of)} boards: the share of all places that the median rank interval holds, "
        f"from {percent(widths[0])} to {percent(widths[-1])}; with twice the rows, less on {less} of them. The table has the numbers."
    )


WIDTH, MARGIN = 960, 24
ROW, BAR = 24, 12
LABEL_END, AXIS_START, AXIS_END = 190, 290, 740
FIRST_END, CERTAIN_END = 840, WIDTH - MARGIN
TOP = 118
SUBTITLE = f"Bar: places that the median rank interval holds, as a share of the board ({percent(1 - LEVEL)}, all intervals at once)"
CLASSES = {"paper": "paper", "ink": "ink", "soft": "soft", "grid": "grid", "run": "c1"}
"""Classes of the SVG → colours of the palette."""


def chart() -> str:
    """docs/pictures/boards.svg: a bar for each board, and a circle for twice its rows."""
    groups = [
        ("Rows are single questions", [board for board in compared() if board.of_items]),
        ("Rows are tasks or data sets", [board for board in compared() if not board.of_items]),
    ]
    y, marks = TOP, list[str]()
    for name, of in groups:
        marks.append(_text(MARGIN, y + 17, name, "ink strong"))
        y += ROW + 4
        for board in sorted(of, key=Board.width):
            marks += _row(board, y)
            y += ROW
        y += 14
    bottom = y - 8
    head = [
        _text(MARGIN, 38, title(), "ink title"),
        _text(MARGIN, 62, SUBTITLE, "soft"),
        _text(AXIS_START, 104, "share of all places", "soft"), _text(LABEL_END + 84, 104, "models × rows", "soft end"),
        _text(FIRST_END, 104, "may be first", "soft end"), _text(CERTAIN_END, 104, "certain", "soft end"),
        '<circle class="ring" cx="30" cy="78" r="4"/>', _text(42, 82, "the same with twice as many rows, predicted", "soft"),
    ]  # fmt: skip
    grid = [
        mark
        for share in (0, 0.25, 0.5, 0.75, 1)
        for mark in (
            f'<line class="grid" x1="{_x(share):g}" x2="{_x(share):g}" y1="{TOP - 6}" y2="{bottom}"/>',
            _text(_x(share), bottom + 16, percent(share), "soft mid"),
        )
    ]
    height = bottom + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img">',
        f"<title>{escape(title())}</title>", f"<style>{_style()}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height:g}"/>', *grid, *head, *marks, "</svg>",
    ]  # fmt: skip
    return "\n".join(parts) + "\n"


def _row(board: Board, y: float) -> list[str]:
    """Name, size, bar, circle and counts of one board."""
    line, base, centre = board.line, y + 16, y + ROW / 2
    now, then = _x(board.width()), _x(board.width(True))
    return [
        _text(MARGIN, base, board.title, "ink"),
        _text(LABEL_END + 84, base, f"{line['models']} × {line['items']:,}", "soft end"),
        f'<rect class="run" x="{AXIS_START}" y="{centre - BAR / 2:g}" width="{now - AXIS_START:.1f}" height="{BAR}"/>',
        f'<circle class="paper" cx="{then:.1f}" cy="{centre:g}" r="7"/>',
        f'<circle class="ring" cx="{then:.1f}" cy="{centre:g}" r="4"/>',
        _text(FIRST_END, base, f"{line['may_be_first']}", "ink end"),
        _text(CERTAIN_END, base, f"{line['certain']}", "ink end"),
    ]


def _x(share: float) -> float:
    return AXIS_START + share * (AXIS_END - AXIS_START)


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def _style() -> str:
    """Classes by role, light and dark."""

    def colours(palette: dict[str, str]) -> str:
        fills = "".join(f".{name}{{fill:{palette[colour]}}}" for name, colour in CLASSES.items() if name != "grid")
        ring = f".ring{{fill:{palette['paper']};stroke:{palette['c1']}}}"
        return f"{fills}{ring}.grid{{stroke:{palette['grid']}}}"

    font = escape(PAGE_FONT.replace('"', "'"))
    return (
        f"text{{font:13px {font}}}.title{{font-size:22px}}.strong{{font-weight:600}}.end{{text-anchor:end}}.mid{{text-anchor:middle}}"
        f".ring{{stroke-width:2}}{colours(LIGHT)}@media (prefers-color-scheme:dark){{{colours(DARK)}}}"
    )
