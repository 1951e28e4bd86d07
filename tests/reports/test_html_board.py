"""The leaderboard drawn in HTML, of boards made by hand: every mark and bar where its number puts it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assay.reports.html_board import board_html, runs_html
from assay.reports.model import Board, BoardRow

HOSTILE = "\"'><img src=x onerror=alert(1)></a></script>&amp;\u202e"
SHOWN = HOSTILE.replace("\u202e", "\\u202e")
ENDINGS = ("right", "declined", "wrong")


def row(run, value=0.5, low=None, high=None, rank="1", tier="", leads=True, **more) -> BoardRow:
    return BoardRow(run, f"id-{run}", value, low, high, rank, tier, leads, **more)


def board(*rows, ticks=(0.0, 0.5, 1.0), digits=3, ranked=True, endings=(), interval="95% interval", **more) -> Board:
    return Board(
        "leaderboard", "AP", "higher is better", rows, ticks, digits, interval, ranked, endings, "Alt.", **more
    )


class Read(HTMLParser):
    """The elements of a class, or all, each with its attributes; and what they say."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data.strip())

    def of(self, tag, name=""):
        return [
            found
            for kind, found in self.elements
            if kind == tag and (not name or name in (found.get("class") or "").split())
        ]


def html(*rows, addresses=None, **more) -> str:
    return board_html(board(*rows, **more), addresses or {})


def marks(page) -> list[tuple[str, ...]]:
    """The classes of each mark in the rows, as the legend has marks too."""
    body = page.partition("<tbody")[2].partition("</table>")[0]
    return [tuple(found.split()) for found in re.findall(r'class="(mark [^"]*)"', body)]


def bodies(page) -> list[str]:
    return re.findall(r"<tbody[^>]*>.*?</tbody>", page, re.DOTALL)


# Marks


def test_runs_that_cannot_be_told_from_the_leader_are_filled_and_those_below_hollow():
    page = html(row("a"), row("b", perhaps=True), row("c", leads=False, perhaps=True), row("d", leads=False))
    assert marks(page) == [
        ("mark", "lead"),
        ("mark", "lead", "hollow"),
        ("mark", "lead", "hollow"),
        ("mark", "rest", "hollow"),
    ]
    key = page.partition('<div class="key">')[2]
    assert [text for text in Read(key).texts if text] == [
        "cannot be told from the leader", "borderline", "significantly below it", "SVG", "PNG", "CSV",
    ]  # fmt: skip


def test_where_all_are_tied_nothing_needs_a_legend():
    assert [text for text in Read(html(row("a"), row("b")).partition('<div class="key">')[2]).texts if text] == [
        "SVG",
        "PNG",
        "CSV",
    ]


def test_ones_own_run_is_a_diamond():
    page = html(row("a"), row("b", own=True), row("c", leads=False, own=True))
    assert marks(page) == [("mark", "lead"), ("mark", "own"), ("mark", "own", "hollow")]
    assert page.count("<path") == 2 + 1, "two rows and the legend"
    assert len(Read(page).of("tr", "own")) == 2
    assert ">own runs<" in page
    assert "<path" not in html(row("a"))


def test_a_mark_and_its_interval_lie_on_the_scale():
    """From 0 to 1 in per cent: .25 at 25%, between .125 and .5."""
    page = html(row("a", 0.25, 0.125, 0.5))
    read = Read(page)
    assert [circle["cx"] for circle in read.of("circle", "mark")] == ["25.00%"]
    assert [(line["x1"], line["x2"]) for line in read.of("line", "iv")] == [("12.50%", "50.00%")]
    assert [line["x1"] for line in read.of("line", "gr")] == ["0.00%", "50.00%", "100.00%"]
    axis = page.partition("<thead>")[2].partition("</thead>")[0]
    assert [text for text in Read(axis).texts if text in ("0", ".5", "1")] == ["0", ".5", "1"]
    (said,) = (found["aria-label"] for found in read.of("svg") if found.get("role") == "img")
    assert said == "a: AP .250, .12–.50"
    (value,) = read.of("td", "val")
    assert (value["data-v"], value["data-low"], value["data-high"]) == ("0.25", "0.125", "0.5")


def test_the_scale_reaches_beyond_its_ticks():
    """From -.5, the end of an interval, to 1.5."""
    read = Read(html(row("a", 0.5, -0.5, 1.5)))
    assert [line["x1"] for line in read.of("line", "gr")] == ["25.00%", "50.00%", "75.00%"]
    assert [(line["x1"], line["x2"]) for line in read.of("line", "iv")] == [("0.00%", "100.00%")]
    assert "−.50 to 1.50" in read.texts


def test_a_run_without_a_value_has_no_mark_and_says_so():
    page = html(row("a"), row("b", None, rank=""))
    assert marks(page) == [("mark", "lead")]
    assert '<td class="n val">n/a</td>' in page
    assert page.count('role="img"') == 1


def test_equal_values_without_ticks_lie_in_the_middle():
    assert [circle["cx"] for circle in Read(html(row("a"), row("b"), ticks=(), interval="")).of("circle", "mark")] == [
        "50.00%"
    ] * 2
    assert Read(html(row("a"))).of("td", "ci")
    assert not Read(html(row("a"), interval="")).of("td", "ci")


@pytest.mark.parametrize("rows", [(), (row("a", None, rank=""),)])
def test_a_board_without_values_is_drawn(rows):
    page = html(*rows, ticks=(), interval="")
    assert len(Read(page).of("tr")) == 1 + len(rows)
    assert marks(page) == []


def test_counts_are_shown_as_counts():
    page = html(row("a", 1532), row("b", 12), ticks=(0.0, 500.0, 1000.0, 1500.0), digits=0, interval="")
    assert '<td class="n val" data-v="1532">1532</td>' in page
    assert '<td class="n val" data-v="12">12</td>' in page


# Rows


def test_tiers_are_bands_that_are_named_once():
    rows = (row("a", tier="1"), row("b", tier="1"), row("c", tier="2"), row("d", tier="3"), row("e", tier="4"))
    page = html(*rows)
    assert [re.match(r'<tbody(?: class="(\w+)")?>', body)[1] for body in bodies(page)] == ["top", None, "odd", None]
    assert [text for text in Read(page).texts if text.startswith("Tier ")] == [
        "Tier 1",
        "Tier 1",
        "Tier 2",
        "Tier 3",
        "Tier 4",
    ]
    assert page.count('<span class="unseen">Tier 1</span>') == 1, (
        "the second run of the tier says it to a screen reader"
    )


def test_baselines_after_the_tiers_have_none():
    page = html(row("a", tier="1"), row("b", rank="", tier="", beside="baseline"))
    assert [len(re.findall("<tr", body)) for body in bodies(page)] == [1, 1]
    assert '<td class="tier" data-text=""></td><td class="rank" data-text=""></td>' in page
    assert '<span class="team">baseline</span>' in page


def test_without_tiers_there_is_no_column_of_them():
    page = html(row("a"), ranked=False)
    assert 'class="tier"' not in page
    assert '<th class="rank" scope="col">Place</th>' in page
    assert '<th class="rank" scope="col">Rank</th>' in html(row("a"))


def test_an_interval_of_ranks_is_explained_by_the_first_one():
    page = html(row("a", rank="1"), row("b", rank="2–4"), row("c", rank="3–5"))
    assert "Rank 2–4: every rank from 2 to 4 is plausible" in page
    assert "plausible" not in html(row("a", rank="1"), row("b", rank="2"))


def test_a_name_leads_to_the_address_of_its_page_and_to_no_other():
    page = html(row("a"), row("javascript:alert(1)"), addresses={"id-a": 'run/a"b'})
    assert re.findall(r"<a .*?</a>", page) == ['<a href="#run/a&quot;b">a</a>']
    assert "javascript:alert(1)" in Read(page).texts


def test_a_hostile_name_is_shown_and_never_obeyed():
    rows = [row(HOSTILE, 0.5, 0.4, 0.6, "1–2", beside=HOSTILE, leads=place == 0) for place in range(2)]
    few = Board("leaderboard", HOSTILE, HOSTILE, tuple(rows), (0.0, 1.0), 3, "95% interval", True, (), HOSTILE)
    many = Board("leaderboard", HOSTILE, HOSTILE, tuple(rows * 20), (0.0, 1.0), 3, "95% interval", True, (), HOSTILE)
    for page in (board_html(few, {f"id-{HOSTILE}": HOSTILE}), board_html(many, {}), runs_html(many, {})):
        read = Read(page)
        assert "img" not in {tag for tag, _ in read.elements}
        assert not {"onerror", "src"} & {name for _, attributes in read.elements for name in attributes}
        assert "\u202e" not in page
        assert any(SHOWN in text for text in read.texts)


# Bars


def bars(page) -> list[tuple[str, str, str]]:
    return [(rect["class"], rect["x"], rect["width"]) for rect in Read(bodies(page)[0]).of("rect")]


def test_the_endings_of_a_run_fill_its_bar():
    """Of 40 answers 20, 5 and 15: right from the left edge, wrong to the right one."""
    page = html(row("a", counts=(20, 5, 15)), endings=ENDINGS)
    assert bars(page) == [("right", "0.00%", "50.00%"), ("declined", "50.00%", "12.50%"), ("wrong", "62.50%", "37.50%")]
    assert 'aria-label="20 right, 5 declined, 15 wrong"' in page
    assert [text for text in Read(bodies(page)[0]).texts if text.isdigit()] == ["1", "20", "5", "15"], (
        "a rank, then counts"
    )


def test_a_part_without_room_leaves_its_number_to_the_label():
    """1 of 100 has no room, 89 and 10 do: a tenth of the width, not quite, does not."""
    page = html(row("a", counts=(89, 1, 10)), endings=ENDINGS)
    assert [text for text in Read(bodies(page)[0]).texts if text.isdigit()] == ["1", "89"]
    assert 'aria-label="89 right, 1 declined, 10 wrong"' in page


def test_an_ending_that_no_run_has_is_neither_drawn_nor_in_the_key():
    page = html(row("a", counts=(3, 0, 1)), row("b", counts=()), row("c", counts=(0, 0, 0)), endings=ENDINGS)
    assert [kind for kind, _, _ in bars(page)] == ["right", "wrong"]
    head = page.partition("<thead>")[2].partition("</thead>")[0]
    assert [rect["class"] for rect in Read(head).of("rect")] == ["right", "wrong"]


def test_failed_calls_stand_outside_the_bar():
    page = html(row("a", counts=(3, 0, 1), failed=1200), row("b", counts=(4, 0, 0)), endings=ENDINGS)
    assert page.count('<span class="failed">') == 1
    assert "1,200 failed" in page
    assert "failed calls count in no score" in page
    assert "failed" not in html(row("a", counts=(3, 0, 1)), endings=ENDINGS)


# The scale


def scale(lead, **more) -> Read:
    return Read(
        html(row("a"), row("b", 0.1), significant_lead=lead, **more).partition("<tfoot>")[2].partition("</tfoot>")[0]
    )


def test_the_scale_is_as_long_as_a_significant_lead():
    """On a board from 0 to 1 a lead of .2 is a fifth, with words beside it; .5 is half, with words below."""
    short, long = scale(0.2), scale(0.5)
    assert [line["x2"] for line in short.of("line", "scale")] == ["20.00%", "0", "20.00%"]
    assert ".20 AP: leads of this size are significant" in short.texts
    assert [svg.get("x") for svg in short.of("svg")] == [None, "20.00%"]
    assert [svg.get("x") for svg in long.of("svg")] == [None]
    assert ".50 AP: leads of this size are significant" in long.texts


@pytest.mark.parametrize("lead", [None, 0.0, 1.5])
def test_a_lead_that_is_unknown_or_beyond_the_board_has_no_scale(lead):
    assert scale(lead).elements == []


def test_the_scale_spans_the_columns_of_the_board():
    tiered = scale(0.2, endings=ENDINGS)
    assert [cell.get("colspan") for cell in tiered.of("td")] == ["3", None, "2"]
    assert [cell.get("colspan") for cell in scale(0.2, interval="").of("td")] == ["2", None, "1"]


# Many runs


def many(count, **more) -> Board:
    """Runs r001, r002, …, .005 apart; the first 12 cannot be told from the leader; two tiers, the second from the 21st."""
    rows = [
        row(f"r{i:03}", 0.9 - i / 200, 0.85 - i / 200, 0.95 - i / 200, f"{i}–{i + 9}", "1" if i <= 20 else "2", leads=i <= 12,
            own=i in more.get("own", ()), perhaps=i == more.get("perhaps"))
        for i in range(1, count + 1)
    ]  # fmt: skip
    return board(*rows, ticks=(0.0, 0.2, 0.4, 0.6, 0.8))


def test_thirty_runs_are_rows_and_one_more_a_curve():
    assert "<svg" in board_html(many(30), {})
    assert "curve" not in board_html(many(30), {})
    assert runs_html(many(30), {}) == ""
    page = board_html(many(31), {})
    assert '<div class="curve">' in page
    assert "<table" not in page
    assert Read(runs_html(many(31), {})).of("table", "board")


def test_the_curve_has_a_point_per_run_with_a_value():
    """40 runs lie in the middle of fortieths: the first at 1.25%, the last at 98.75%."""
    rows = (*many(39).rows, row("none", None, rank="", tier="2"))
    read = Read(board_html(board(*rows), {}))
    points = [circle["cx"] for circle in read.of("circle", "mark") if circle["r"] != "5.5"]
    assert len(points) == 39
    assert (points[0], points[-1]) == ("1.25%", "96.25%")
    assert len(read.of("line", "bar")) == 39
    heights = [float(circle["cy"]) for circle in read.of("circle", "mark") if circle["r"] != "5.5"]
    assert heights == sorted(heights), "best first"
    assert "r001: AP .895, rank 1–10" in read.texts
    assert any(text == "r001 .895" for text in read.texts)
    # Values .895 to .705 in steps of .005: the middle of 39 is the 20th.
    assert "median run .80" in read.texts


def test_the_curve_marks_places_and_tiers():
    read = Read(board_html(many(129), {}))
    assert [text for text in read.texts if re.fullmatch(r"\d+(st|nd|rd|th)", text)] == [
        "1st",
        "25th",
        "50th",
        "75th",
        "100th",
        "129th",
    ]
    assert [text for text in read.texts if text.startswith("Tier 1")] == ["Tier 1: 20 runs"]
    bands = [(band["x"], band["width"]) for band in read.of("rect", "top")]
    assert bands == [("0.00%", f"{100 * 20 / 129:.2f}%")]


def test_the_key_of_the_curve_counts_who_cannot_be_told_from_the_leader():
    assert "cannot be told from the leader (eleven others)" in board_html(many(40), {})
    assert "cannot be told from the leader (ten or eleven others)" in board_html(many(40, perhaps=12), {})
    without = board(*many(40).rows, row("none", None, rank="", leads=True))
    assert "(eleven others)" in board_html(without, {}), "a run without a value is not tied"


def test_baselines_on_the_curve_have_no_rank():
    read = Read(board_html(board(*many(40).rows, row("base", 0.1, rank="", leads=False)), {}))
    assert "base: AP .100" in read.texts
    assert "r040: AP .700, rank 40–49" in read.texts


def test_of_many_runs_the_first_ten_are_open_and_the_others_folded_by_thirty():
    page = runs_html(many(75, own=(5, 33)), {"id-r033": "run/r033"})
    folds = re.findall(r"<details.*?</details>", page, re.DOTALL)
    shown = [
        re.sub(r"<.*?>", "", summary) for fold in folds for summary in re.findall(r"<summary>(.*?)</summary>", fold)
    ]
    assert shown == ["11–40 AP .845 to .700", "41–70 AP .695 to .550", "71–75 AP .545 to .525"]
    opened = page.partition("<details")[0]
    names = re.findall(r'<th class="run" scope="row">(?:<a [^>]*>)?(\w+)', opened)
    assert names == [*(f"r{i:03}" for i in range(1, 11)), "r033"], (
        "one's own run beyond the first ten stands below them"
    )
    assert len(Read(opened).of("table", "again")) == 1
    assert sum(len(re.findall(r'<th class="run" scope="row">', fold)) for fold in folds) == 65
    assert page.count('href="#run/r033"') == 2
    assert 'class="tier"' not in page, "the curve has the tiers"


@pytest.mark.slow
def test_the_board_saves_as_a_picture_with_its_words_and_colours(tmp_path, browser):
    """Run a is right on four of six answers and b on none: their bars, marks and names stand in the file, with no style sheet."""
    import xml.etree.ElementTree as ElementTree

    import assay

    gold = {f"q{i}": "yes" for i in range(6)}
    runs = {"a": {q: "yes" if i < 4 else None for i, q in enumerate(gold)}, "b & c": dict.fromkeys(gold, "no")}
    out = tmp_path / "r.html"
    assay.report(gold, runs, ["accuracy"], trials=0).save(out)
    page = browser.new_page(accept_downloads=True)
    page.goto(out.as_uri())
    saved = {}
    for form in ("svg", "png"):
        with page.expect_download() as download:
            page.click(f"button[data-board='leaderboard|{form}']")
        saved[form] = Path(download.value.path()).read_bytes()
    page.close()
    text = saved["svg"].decode()
    words = {node.text for node in ElementTree.fromstring(text).iter() if node.text}
    assert {"a", "b & c", ".67", ".00", "4", "6", "accuracy, higher is better"} <= words
    assert "var(" not in text
    assert "rgb(11, 84, 104)" in text, "the colour of the leader and of right"
    assert saved["png"].startswith(b"\x89PNG")


def test_more_than_fourteen_runs_are_lower_rows_with_their_bars_in_the_middle():
    """A bar of 22 pixels begins 6 below the edge of a row of 34, and 1 below that of one of 24."""
    for count, top, height in ((14, 6, 34), (15, 1, 24)):
        rows = [row(f"r{i}", counts=(1, 0, 1)) for i in range(count)]
        page = html(*rows, endings=("right", "declined", "wrong"))
        assert ('class="board dense' in page) == (count > 14)
        assert page.count(f'y="{top}" width="50.00%" height="22"/>') == 2 * count
        assert page.count(f'<svg width="100%" height="{height}" role="img"') >= count
