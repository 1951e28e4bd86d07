"""The leaderboard of an HTML page as one picture: rows with ranks, intervals on a common scale and values; no script needed.

Positions across are percentages, so that one drawing serves every width. More than `MAX_ROWS` runs are a curve (`html_curve`), then
the first runs and one's own as rows, and the others folded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from assay.analyses.brief_numbers import MAX_DIGITS, brief, how_many, tick_text
from assay.io.escaping import in_html as escape
from assay.reports.html_curve import curve_html, group_of
from assay.reports.model import Board, BoardRow, href, target_of
from assay.reports.page_data import rounded

MAX_ROWS, FIRST_ROWS, FOLDED_ROWS = 30, 10, 30
"""With more runs than the first, the second number is shown below the curve, and the others are folded by the third."""
MAX_TALL_ROWS = 14
"""With more runs, rows are lower, so that the line on trust stays on the first screen."""
TALL, LOW, BAR = 34, 24, 22
"""Pixels of a row, of a lower one, and of the bar in it."""
MARK = 5.5
MAX_SCALE_SHARE = 0.45
"""A longer bar of the scale leaves no room for its words beside it."""
MIN_NUMBERED_PART = 10.5
"""Percentage of a bar from which a part shows its number."""


def board_html(board: Board, addresses: Mapping[str, str]) -> str:
    """Return the figure of a leaderboard: all rows, or the curve of many runs, whose rows are `runs_html`.

    addresses   those of the runs' pages, by their ids
    """
    name = escape(board.id)
    many = len(board.rows) > MAX_ROWS
    picture = curve_html(board) if many else _table(board, board.rows, addresses, main=True)
    return f"""<figure class="block first" id="{name}" aria-label="{escape(board.alt)}">
{picture}
{_key(board, many)}
</figure>"""


def runs_html(board: Board, addresses: Mapping[str, str]) -> str:
    """Return the rows of a board that is a curve: the first runs, one's own, then the others, folded; else nothing."""
    if len(board.rows) <= MAX_ROWS:
        return ""
    name = escape(board.id)
    own = [row for row in board.rows[FIRST_ROWS:] if row.own]
    tools = f'<span class="tools"><button type="button" class="tool" data-csv="{name}-runs" hidden>CSV</button></span>'
    return f"""<section id="{name}-section-runs" aria-labelledby="{name}-runs-title">
<div class="block-head"><h2 id="{name}-runs-title" class="section-title">Runs</h2>{tools}</div>
<div id="{name}-runs">
{_table(board, board.rows[:FIRST_ROWS], addresses)}
{_table(board, own, addresses, head=False, again=True) if own else ""}
{_folded(board, addresses)}
</div>
</section>"""


def _at(board: Board, value: float) -> str:
    return f"{100 * (board.place(value) or 0):.2f}%"


def _axis(board: Board) -> str:
    title = ", ".join(filter(None, (board.measure, board.direction)))
    low, high = board.domain
    labels = "".join(
        f'<text x="{_at(board, tick)}" y="32" text-anchor="{_anchor(tick, low, high)}">{tick_text(tick)}</text>'
        for tick in board.ticks
    )
    return f'<svg width="100%" height="36" aria-hidden="true"><text x="0" y="12" class="title">{escape(title)}</text>{labels}</svg>'


def _anchor(tick: float, low: float, high: float) -> str:
    return "start" if tick == low else "end" if tick == high else "middle"


def _table(
    board: Board, rows: Sequence[BoardRow], addresses: Mapping[str, str], *, main: bool = False, head: bool = True,
    again: bool = False,
) -> str:  # fmt: skip
    """Return rows as a table; `main` shades tiers, which the curve of many runs shows instead; `again`: they stand elsewhere too."""
    tiers = main and any(row.tier for row in rows)
    dense = not main or len(rows) > MAX_TALL_ROWS
    rank = "Rank" if board.ranked else "Place"
    heads = [
        '<th class="tier"><span class="unseen">Tier</span></th>' if tiers else "",
        f'<th class="rank" scope="col">{rank}</th>',
        '<th class="run" scope="col">Run</th>',
        f'<th class="endings" scope="col">{_endings_key(board)}</th>' if board.endings else "",
        f'<th class="plot" scope="col">{_axis(board)}</th>',
        f'<th class="n val" scope="col">{escape(board.measure)}</th>',
        f'<th class="n ci" scope="col">{board.interval}</th>' if board.interval else "",
    ]
    bodies: list[str] = []
    for number, (tier, group) in enumerate(groupby(rows, key=lambda row: row.tier if main else "")):
        band = "" if not tiers else "top" if number == 0 else "odd" if number % 2 == 0 else ""
        inside = "\n".join(
            _row(board, row, addresses, tier if tiers else None, place == 0, LOW if dense else TALL)
            for place, row in enumerate(group)
        )
        bodies.append(f'<tbody class="{band}">\n{inside}\n</tbody>' if band else f"<tbody>\n{inside}\n</tbody>")
    header = f"<thead><tr>{''.join(heads)}</tr></thead>\n" if head else ""
    bodies += [_scale(board, tiers)] if main else []
    classes = ("board", "dense" if dense else "", "ended" if board.endings else "", "again" if again else "")
    return f'<table class="{" ".join(filter(None, classes))}">\n{header}{"".join(bodies)}\n</table>'


def _scale(board: Board, tiers: bool) -> str:
    """Return the foot of the table: the lead from which differences are significant, as long as it is on the scale."""
    lead = board.significant_lead
    low, high = board.domain
    if lead is None or not 0 < lead <= high - low:
        return ""
    end = f"{100 * lead / (high - low):.2f}%"
    text = f"{_written(lead, board.digits - 1)} {board.measure}: leads of this size are significant"
    # Where the bar is long, the words stand on its left half.
    place = f'<svg x="{end}" overflow="visible"><text class="title" x="8" y="20.5">{escape(text)}</text></svg>'
    if lead > MAX_SCALE_SHARE * (high - low):
        place = f'<text class="title" x="0" y="32">{escape(text)}</text>'
    bar = f'<line class="scale" x1="0" x2="{end}" y1="16" y2="16"/>'
    bar += f'<line class="scale" x1="0" x2="0" y1="11" y2="21"/><line class="scale" x1="{end}" x2="{end}" y1="11" y2="21"/>'
    before = 2 + tiers + bool(board.endings)
    after = 1 + bool(board.interval)
    picture = f'<svg width="100%" height="36" role="img" aria-label="{escape(text)}">{bar}{place}</svg>'
    return f'<tfoot><tr><td colspan="{before}"></td><td class="plot">{picture}</td><td colspan="{after}"></td></tr></tfoot>'


def _written(lead: float, digits: int) -> str:
    """Return the lead as the line on trust writes it: with at least so many digits.

    >>> _written(0.3, 2), _written(0.055, 2)
    ('.30', '.055')
    """
    digits = max(digits, 0)
    while digits < MAX_DIGITS and abs(round(lead, digits) - lead) > 10**-MAX_DIGITS:
        digits += 1
    return brief(lead, digits)


def _row(board: Board, row: BoardRow, addresses: Mapping[str, str], tier: str | None, first: bool, height: int) -> str:
    name, target = escape(row.run), target_of(row.link, addresses)
    link = f'<a href="{escape(href(target))}">{name}</a>' if target else name
    beside = f' <span class="team">{escape(row.beside)}</span>' if row.beside else ""
    failed = (
        f' <span class="failed"><span aria-hidden="true">×</span> {row.failed:,} failed</span>' if row.failed else ""
    )
    label = f"Tier {tier}" if tier else ""
    cells = [
        "" if tier is None else f'<td class="tier" data-text="{tier}">{label if first else _unseen(label)}</td>',
        f'<td class="rank" data-text="{row.rank}">{row.rank}</td>',
        f'<th class="run" scope="row">{link}{beside}{failed}</th>',
        f'<td class="endings">{_bar(board, row, height)}</td>' if board.endings else "",
        f'<td class="plot">{_mark(board, row)}</td>',
        f'<td class="n val"{_data(row)}>{board.value_text(row)}</td>',
        f'<td class="n ci">{board.interval_text(row)}</td>' if board.interval else "",
    ]
    own = ' class="own"' if row.own else ""
    return f"<tr{own}>{''.join(cells)}</tr>"


def _unseen(text: str) -> str:
    return f'<span class="unseen">{text}</span>' if text else ""


def _data(row: BoardRow) -> str:
    if row.value is None:
        return ""
    ends = (
        ""
        if row.low is None or row.high is None
        else f' data-low="{rounded(row.low)!r}" data-high="{rounded(row.high)!r}"'
    )
    return f' data-v="{rounded(row.value)!r}"{ends}'


def _mark(board: Board, row: BoardRow) -> str:
    """Draw a run's interval and value; runs that cannot be told from the leader are filled."""
    grid = "".join(
        f'<line class="gr" x1="{at}" x2="{at}" y1="0" y2="100%"/>' for at in (_at(board, tick) for tick in board.ticks)
    )
    if row.value is None:
        return f'<svg width="100%" height="100%" aria-hidden="true">{grid}</svg>'
    group = group_of(row)
    line = ""
    if row.low is not None and row.high is not None:
        line = f'<line class="iv {group}" x1="{_at(board, row.low)}" x2="{_at(board, row.high)}" y1="50%" y2="50%"/>'
    at = _at(board, row.value)
    mark = _point(at, "50%", group, row.leads and not row.perhaps)
    said = f"{row.run}: {board.measure} {board.value_text(row)}" + (
        f", {board.interval_text(row)}" if row.low is not None else ""
    )
    return f'<svg width="100%" height="100%" role="img" aria-label="{escape(said)}"><title>{escape(said)}</title>{grid}{line}{mark}</svg>'


def _point(x: str, y: str, group: str, filled: bool) -> str:
    """Return a circle, or for one's own run a diamond; filled or hollow."""
    kind = f"mark {group}{'' if filled else ' hollow'}"
    if group == "own":
        return f'<svg x="{x}" y="{y}" overflow="visible"><path class="{kind}" d="M0-6.5 6.5 0 0 6.5-6.5 0z"/></svg>'
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{MARK}"/>'


SIDES = {"right": (0.0, "start", 8), "wrong": (1.0, "end", -8)}
"""Where the number of an ending stands in its part of the bar: position, anchor, offset; others stand in the middle."""


def _bar(board: Board, row: BoardRow, height: int) -> str:
    """Draw how a run's answers ended: right begins at the left edge, wrong ends at the right one."""
    asked = sum(row.counts)
    total = max(sum(other.counts) for other in board.rows)
    if not asked:
        return ""
    said = ", ".join(f"{count:,} {ending}" for ending, count in zip(board.endings, row.counts, strict=True))
    top = (height - BAR) / 2
    shapes, texts, start = "", "", 0
    for ending, count in zip(board.endings, row.counts, strict=True):
        x, wide = 100 * start / total, 100 * count / total
        start += count
        if not count:
            continue
        shapes += f'<rect class="{ending}" x="{x:.2f}%" y="{top:g}" width="{wide:.2f}%" height="{BAR}"/>'
        if wide >= MIN_NUMBERED_PART:  # elsewhere the number is in the label alone
            side, anchor, offset = SIDES.get(ending, (0.5, "middle", 0))
            look = "on" if ending == "right" else "halo"
            text = f'<text class="{look}" x="{offset}" y="{top + 15.5:g}" text-anchor="{anchor}">{count:,}</text>'
            texts += f'<svg x="{x + side * wide:.2f}%" overflow="visible">{text}</svg>'
    return (
        f'<svg width="100%" height="{height}" role="img" aria-label="{said}"><title>{said}</title>{shapes}{texts}</svg>'
    )


def _endings_key(board: Board) -> str:
    swatches: list[str] = []
    for place, ending in enumerate(board.endings):
        if any(row.counts and row.counts[place] for row in board.rows):
            mark = f'<rect class="{ending}" x="1" y="1" width="14" height="10"/>'
            picture = f'<svg width="16" height="12" aria-hidden="true">{mark}</svg>'
            swatches.append(f'<span class="swatch">{picture}{ending}</span>')
    return "".join(swatches)


def _key(board: Board, many: bool) -> str:
    """Return the legend and the downloads."""
    perhaps = any(row.perhaps for row in board.rows)
    below = sum(not row.leads for row in board.rows)
    sure = sum(row.leads and not row.perhaps and row.value is not None for row in board.rows) - 1
    unsure = sum(row.perhaps for row in board.rows)
    tied = sure + unsure
    others = f"{how_many(sure, unsure)} other{'' if tied == 1 else 's'}"
    parts: list[str] = []
    if below:
        together = "cannot be told from the leader" + (f" ({others})" if many else "")
        parts.append(_legend("lead", True, together if tied > 0 or perhaps else "the leader"))
        if perhaps and not many:
            parts.append(_legend("lead", False, "borderline"))
        parts.append(_legend("rest", many, "significantly below it"))
    if any(row.own for row in board.rows):
        parts.append(_legend("own", True, "own runs"))
    spread = next((row.rank for row in board.rows if "–" in row.rank), "") if board.ranked else ""
    if spread:
        low, high = spread.split("–")
        parts.append(f"<span>Rank {spread}: every rank from {low} to {high} is plausible</span>")
    if board.endings and board.excluded:
        parts.append(f"<span>Bars count every {escape(board.unit)} a run was asked, excluded ones too</span>")
    if any(row.failed for row in board.rows):
        parts.append('<span><span aria-hidden="true">×</span> failed calls count in no score</span>')
    name = escape(board.id)
    buttons = "".join(
        f'<button type="button" class="tool" data-board="{name}|{form}" hidden>{form.upper()}</button>'
        for form in ("svg", "png")
    )
    # The rows below a curve have their own CSV.
    buttons += "" if many else f'<button type="button" class="tool" data-csv="{name}" hidden>CSV</button>'
    tools = f'<span class="tools">{buttons}</span>'
    return f'<div class="key">{"".join(parts)}{tools}</div>'


def _legend(group: str, filled: bool, text: str) -> str:
    line = f'<line class="iv {group}" x1="0" x2="26" y1="6" y2="6"/>{_point("13", "6", group, filled)}'
    return f'<span><svg width="26" height="12" aria-hidden="true">{line}</svg>{text}</span>'


def _folded(board: Board, addresses: Mapping[str, str]) -> str:
    """Return the other runs, folded in parts."""
    folds: list[str] = []
    for start in range(FIRST_ROWS, len(board.rows), FOLDED_ROWS):
        part = board.rows[start : start + FOLDED_ROWS]
        values = [board.value_text(row) for row in (part[0], part[-1])]
        spread = f"{escape(board.measure)} {values[0]} to {values[1]}"
        folds.append(
            f'<details class="fold small"><summary><b>{start + 1}–{start + len(part)}</b> <span>{spread}</span></summary>\n'
            f"{_table(board, part, addresses)}\n</details>"
        )
    return "\n".join(folds)
