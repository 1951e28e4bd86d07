"""All runs of a large leaderboard as one curve in the order of their ranks, over bands of tiers; no script needed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from assay.analyses.brief_numbers import brief, ordinal, tick_text
from assay.figures.common import median
from assay.io.escaping import in_html as escape
from assay.reports.model import Board, BoardRow, counted

TOP, HEIGHT = 14, 248
HEADROOM = 0.12
"""Space above the curve for the name of the best run, as a share of its height."""
MIN_LABELLED_TIER = 0.035
"""Share of the width that a tier needs for its number."""
MIN_WIDE_TIER = 0.09
"""Share of the width that a tier needs for its name and size."""
PLACES = (1, 10, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1000)
"""Places that may be marked below the curve."""


def group_of(row: BoardRow) -> str:
    """Return the class of a run's mark: one's own, the leader's group, or the rest."""
    return "own" if row.own else "lead" if row.leads or row.perhaps else "rest"


def curve_html(board: Board) -> str:
    """Return the drawing of all runs in the order of the board."""
    curve = _Curve(board)
    bottom = TOP + HEIGHT + 18
    shapes = _bands(board) + curve.grid() + curve.intervals() + curve.points() + curve.labels() + curve.places(bottom)
    title = f"{board.measure} of every run, best first"
    direction = f"; {board.direction}" if board.direction else ""
    return (
        f'<div class="curve"><div class="title">{escape(title + direction)}</div>'
        f'<svg width="100%" height="{bottom + 6}" role="img" aria-label="{escape(board.alt)}">{shapes}</svg></div>'
    )


class _Curve:
    """The parts of the drawing on one scale."""

    def __init__(self, board: Board) -> None:
        self.board, (self._low, high) = board, board.domain
        self._high = high + HEADROOM * (high - self._low)

    def x(self, place: int) -> str:
        return f"{100 * (place + 0.5) / len(self.board.rows):.2f}%"

    def y(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low) if self._high > self._low else 0.5
        return TOP + HEIGHT * (1 - share)

    def grid(self) -> str:
        shapes = ""
        for tick in self.board.ticks:
            y = self.y(tick)
            shapes += f'<line class="gr" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
            shapes += f'<text x="-8" y="{y + 4.5:.1f}" text-anchor="end">{tick_text(tick)}</text>'
        return shapes

    def intervals(self) -> str:
        shapes = ""
        for place, row in enumerate(self.board.rows):
            if row.value is not None and row.low is not None and row.high is not None:
                x, low, high = self.x(place), self.y(row.low), self.y(row.high)
                shapes += f'<line class="bar {group_of(row)}" x1="{x}" x2="{x}" y1="{low:.1f}" y2="{high:.1f}"/>'
        return shapes

    def points(self) -> str:
        board, shapes = self.board, ""
        for place, row in enumerate(board.rows):
            if row.value is None:
                continue
            rank = f", {'rank' if board.ranked else 'place'} {row.rank}" if row.rank else ""
            said = f"<title>{escape(row.run)}: {escape(board.measure)} {board.value_text(row)}{rank}</title>"
            at = f'cx="{self.x(place)}" cy="{self.y(row.value):.1f}" r="{4 if row.leads or row.own else 2.4}"'
            shapes += f'<circle class="mark {group_of(row)}" {at}>{said}</circle>'
        return shapes

    def labels(self) -> str:
        """Draw the median run, and the name of the best run."""
        board, shapes = self.board, ""
        middle = median([row.value for row in board.rows])
        if middle is not None:
            y, text = self.y(middle), f"median run {brief(middle, max(board.digits - 1, 0))}"
            shapes += f'<line class="median" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
            shapes += f'<text class="title halo" x="99.6%" y="{y - 6:.1f}" text-anchor="end">{text}</text>'
        first = board.rows[0]
        if first.value is not None:
            top = max(self.y(first.value if first.high is None else first.high), TOP + 12) + 4
            text = f"{escape(first.run)} {board.value_text(first)}"
            shapes += f'<text class="title halo strong" x="{self.x(0)}" dx="9" y="{top:.1f}">{text}</text>'
        return shapes

    def places(self, bottom: int) -> str:
        count, shapes = len(self.board.rows), ""
        marked = [place for place in PLACES if place <= count - max(4, count // 20)]
        for place in [*_few(marked), count]:
            anchor = "start" if place == 1 else "end" if place == count else "middle"
            shapes += f'<text x="{self.x(place - 1)}" y="{bottom}" text-anchor="{anchor}">{ordinal(place)}</text>'
        return shapes


def _few(places: Sequence[int]) -> list[int]:
    """Return at most five marks: the first, and the last four."""
    return list(places) if len(places) <= 5 else [places[0], *places[-4:]]


def _bands(board: Board) -> str:
    shapes, start, count = "", 0, len(board.rows)
    for number, (tier, group) in enumerate(groupby(board.rows, key=lambda row: row.tier)):
        size = len(list(group))
        x, wide = 100 * start / count, 100 * size / count
        start += size
        if not tier:
            continue
        band = "top" if number == 0 else "odd" if number % 2 == 0 else ""
        if band:
            shapes += f'<rect class="band {band}" x="{x:.2f}%" width="{wide:.2f}%" y="{TOP}" height="{HEIGHT}"/>'
        text = f"Tier {tier}: {counted(size, 'run')}" if wide >= 100 * MIN_WIDE_TIER or number == 0 else tier
        if wide >= 100 * MIN_LABELLED_TIER or number == 0:
            anchor, at = ("start", x) if number == 0 else ("middle", x + wide / 2)
            kind = "" if number == 0 else ' class="other"'
            shapes += f'<text{kind} x="{at:.2f}%" y="8" text-anchor="{anchor}">{text}</text>'
    return shapes
