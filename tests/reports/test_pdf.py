"""The PDF: tagged, with its fonts inside, the same bytes every time, and what it prints is what the model says."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import pairwise

import pytest

pytest.importorskip("typst", reason="typst is not installed")

from assay.analyses.marked_text import MarkedText, mark
from assay.cli import main
from assay.demo.gallery import CAMPAIGNS, write_data
from assay.reports import pdf, pdf_layout
from assay.reports.charts import vega_lite
from assay.reports.model import (
    BlockRow,
    Board,
    BoardRow,
    Chart,
    ComparisonBlock,
    Document,
    Note,
    Panels,
    RunPage,
    Section,
    Table,
    TableColumn,
    number,
    text,
)

NAMES = ("<script>alert(1)</script>", "emoji 😀 run", 'quote"s #[x] *b* $m$ \\', "中文 Ω ж", "tab\tand\nline")


def poppler(tool, path, *options):
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed: apt-get install poppler-utils")
    return subprocess.run([tool, *options, str(path)], capture_output=True, text=True, check=True).stdout


def printed(path):
    """The text of each page."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    command = ["pdftotext", "-layout", str(path), "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\f")[:-1]


@pytest.fixture(scope="module")
def written(tmp_path_factory, make_report):
    folder = tmp_path_factory.mktemp("pdf")
    report = make_report(5, 8, names=NAMES, empty=(2,))
    (folder / "campaign.pdf").write_bytes(pdf.to_pdf(report))
    return report, folder / "campaign.pdf"


@pytest.fixture(scope="module")
def pages(written):
    return printed(written[1])


@pytest.fixture(scope="module")
def words(pages):
    return "\n".join(pages)


def test_the_same_report_gives_the_same_bytes(written):
    assert pdf.to_pdf(written[0]) == written[1].read_bytes()


def test_it_is_tagged_without_a_date_and_its_fonts_are_inside(written):
    about = poppler("pdfinfo", written[1])
    assert re.search(r"Tagged:\s+yes", about)
    assert "CreationDate" not in about
    assert re.search(r"Title:\s+A made-up campaign", about)
    fonts = poppler("pdffonts", written[1]).splitlines()[2:]
    assert fonts
    assert all(re.search(r"\byes yes\b", line) for line in fonts)
    assert b"pdfuaid" in written[1].read_bytes() or "PDF/UA" in poppler("pdfinfo", written[1], "-meta")


def test_charts_are_vectors(written):
    assert poppler("pdfimages", written[1], "-list").count("\n") <= 2


def test_pages_are_numbered(pages):
    for place, page in enumerate(pages, start=1):
        assert re.search(rf"\b{place} ?/ ?{len(pages)}\b", page)


def test_what_no_font_has_is_shown_as_its_number(words):
    assert "emoji ‹U+1F600› run" in words
    assert "‹U+4E2D›‹U+6587› Ω ж" in words
    assert "tab‹U+0009›and‹U+000A›line" in words
    assert "<script>alert(1)</script>" in words
    assert 'quote"s #[x] *b* $m$ \\' in words


def test_every_number_of_every_table_is_printed(written, words):
    """In a book the topics' tables are one: each run's value on each topic."""
    report, _ = written
    own = [s for page in report.pages for s in page.sections if not any(isinstance(b, Panels) for b in s.blocks)]
    topics = Section("t", "Topics", (report.grid.table,))
    tables = [
        part
        for section in [*report.sections, *own, topics]
        for block in section.blocks
        for part in getattr(block, "blocks", (block,))
        if isinstance(part, Table)
    ]
    said = set(words.split())
    for table in tables:
        for row in table.rows:
            for cell in row if isinstance(row, tuple) else ():
                if cell.kind in ("number", "count"):
                    assert cell.text in said, (table.id, cell.text)


def test_a_book_prints_each_runs_value_on_each_topic(written, words):
    report, _ = written
    (compared,) = (b for s in report.sections for b in s.blocks if isinstance(b, ComparisonBlock))
    _, _, appendix = words.partition("AP on every topic\n")
    assert len(compared.measures[0].topics) == 5
    for run, values in zip(compared.runs, compared.measures[0].topics, strict=True):
        line = " ".join(number(value, 3).text for value in values)
        assert re.sub(r" +", " ", appendix).count(line) >= 1, run


def test_a_cover_has_the_finding_the_leaderboard_and_the_contents(written, pages):
    """A short leaderboard leaves them room on the cover; five runs and their chapters have it."""
    report, _ = written
    cover, _, contents = pages[0].partition("Contents")
    assert report.title in cover
    assert report.foot in contents
    said = " ".join(cover.replace("\u200b", "").split())
    assert report.finding in said
    board = report.sections[0].blocks[0]
    assert board.direction in said
    for row in board.rows:
        line = next(line for line in cover.splitlines() if board.value_text(row) in line.split()[-4:])
        assert board.interval_text(row) in line
        assert line.split()[0] == row.rank
    assert re.search(r"^Measures[ .]+2$", contents, re.MULTILINE)
    told = re.search(r"ж[ .]*(\d+)", contents)
    assert told
    assert pages[int(told[1]) - 1].splitlines()[0].endswith("Ω ж")
    assert all(page.splitlines()[0].startswith("A made-up campaign") for page in pages[1:])


def test_each_ranked_run_is_one_sheet(make_report, tmp_path):
    path = tmp_path / "sheets.pdf"
    path.write_bytes(pdf.to_pdf(make_report(12, 50)))
    found = printed(path)
    sheets = [page for page in found if "I. Summary statistics" in page]
    assert len(sheets) == 12
    told = ("II. Recall level", "III. Document level", "Recall-precision graph", "Average precision histogram")
    assert all(part in page for page in sheets for part in told)
    assert len(found) < 12 + 10


WIDE = "said at such length that nothing stands beside"


def test_a_short_table_stays_on_one_page_and_a_long_one_leaves_no_row_alone(tmp_path):
    def table(name, count):
        rows = tuple((text(f"{name}-row{place} {WIDE}"), number(place / 1000)) for place in range(count))
        return Table(name, name, (TableColumn("What"), TableColumn("How much", numeric=True)), rows, "A caption.")

    for count in range(30, 74, 4):
        path = tmp_path / f"{count}.pdf"
        path.write_bytes(pdf.to_pdf(Document("D", sections=(Section("s", "S", (table("a", count), table("b", 20))),))))
        rows = [(len(re.findall(r"\ba-row\d", page)), len(re.findall(r"\bb-row\d", page))) for page in printed(path)]
        assert sum(long for long, _ in rows) == count
        assert sorted(short for _, short in rows if short) == [20]
        assert all(long == 0 or long > 5 for long, _ in rows), count


def test_cells_stand_on_their_row_and_off_its_sides(tmp_path):
    """Cells of one line are not padded: all of these, or all but one that has several."""
    words = r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)<'
    for more in ("", "a word " * 80):
        rows = ((text("short"), number(0.25)), (text("next"), number(0.5)), (text(f"long {more}"), number(0.75)))
        table = Table("t", "T", (TableColumn("What"), TableColumn("How", numeric=True)), rows, "Caption")
        path = tmp_path / "t.pdf"
        path.write_bytes(pdf.to_pdf(Document("D", sections=(Section("s", "S", (table,)),))))
        poppler("pdftotext", path, "-bbox")
        found = re.findall(words, path.with_suffix(".html").read_text())
        places = {word: [*map(float, edges)] for *edges, word in found}
        labels, values = [places[one] for one in ("short", "next", "long")], [places[f"0.{n}00"] for n in (25, 50, 75)]
        layout = pdf_layout.laid_out(table, pdf.TEXT_WIDTH)
        for label, value in zip(labels, values, strict=True):
            # The first column begins at the margin of 2 cm, and the last ends where the widths do.
            assert label[0] == pytest.approx(2 / 2.54 * 72 + layout.inset, abs=0.2)
            assert value[2] == pytest.approx(2 / 2.54 * 72 + sum(layout.widths) - layout.inset, abs=0.2)
            assert label[3] == pytest.approx(value[3], abs=0.01)
        for above, below in pairwise(labels):
            assert below[3] - above[3] == pytest.approx(layout.heights[0], abs=0.01)
        if not more:
            # The line below a row is 2.6 points below its letters, and a caption's capitals begin 0.7 of the letters' size below it.
            below = 2.6 + 0.7 * 9.5 + 0.658 * 8.5
            assert places["Caption"][3] - labels[-1][3] == pytest.approx(below, abs=0.5)


def test_long_tables_repeat_their_header(tmp_path):
    rows = tuple((text(f"row {place} {WIDE}"), number(place / 1000)) for place in range(150))
    table = Table("t", "Long", (TableColumn("What"), TableColumn("How much", numeric=True)), rows)
    path = tmp_path / "long.pdf"
    path.write_bytes(pdf.to_pdf(Document("Long", sections=(Section("s", "S", (table,)),))))
    found = printed(path)
    assert len(found) > 2
    assert all("How much" in page for page in found)


def test_plots_of_every_topic_are_in_one_participants_report_only(written, make_report, tmp_path):
    path = tmp_path / "one.pdf"
    path.write_bytes(pdf.to_pdf(make_report(5, 8, names=NAMES, empty=(2,), only=NAMES[0])))
    alone = "\n".join(printed(path))
    assert all(f"Topic {topic}" in alone for topic in range(1, 9))
    assert "Recall and precision on each topic" not in "\n".join(printed(written[1]))


@pytest.mark.parametrize(("runs", "topics"), [(1, 1), (2, 1), (1, 4)])
def test_unusual_sizes_still_make_a_file(make_report, runs, topics):
    assert pdf.to_pdf(make_report(runs, topics)).startswith(b"%PDF")


def test_an_empty_report_is_a_page():
    assert pdf.to_pdf(Document("Nothing", sections=(Section("s", "S", (Note("No runs."),)),))).startswith(b"%PDF")


def test_a_participants_report_says_the_name_once_and_no_page_is_nearly_empty(make_report, tmp_path):
    report = make_report(5, 8, only="run003")
    path = tmp_path / "one.pdf"
    path.write_bytes(pdf.to_pdf(replace(report, title="run003", subtitle="trec")))
    found = printed(path)
    # Further down the curve is named beside itself.
    assert [line.strip() for line in found[0].splitlines()[:20]].count("run003") == 1
    assert found[0].splitlines()[0].strip() == "run003"
    assert "Place among the runs" in found[0]
    assert "Best and worst topics" in found[0]
    assert "Average precision histogram" in found[0]
    assert "Summary statistics" in found[1]


def test_how_numbers_were_made_stands_once_on_every_page(written, pages):
    assert all(page.count(written[0].foot) == 1 for page in pages)


def test_a_section_and_its_table_are_not_called_the_same_twice(pages):
    assert sum(line.strip() == "Measures" for page in pages[1:] for line in page.splitlines()) == 1
    # The leaderboard is on the cover, and not a chapter too.
    assert not any(line.strip() == "Leaderboard" for page in pages for line in page.splitlines())


def texts_of(report, path):
    path.write_bytes(pdf.to_pdf(report))
    return [page.replace("\u200b", "") for page in printed(path)]


def test_the_contents_of_many_runs_have_a_page_and_those_of_few_the_cover(make_report, tmp_path):
    few, many = (texts_of(make_report(count, 3), tmp_path / f"{count}.pdf") for count in (16, 17))
    assert ["Contents" in page for page in few[:2]] == [True, False]
    assert ["Contents" in page for page in many[:2]] == [False, True]


def test_a_long_leaderboard_begins_on_the_cover_and_is_a_chapter(make_report, tmp_path):
    report = make_report(33, 2)
    pages = texts_of(report, tmp_path / "long.pdf")
    (board,) = report.sections[0].blocks
    assert [row.run for row in board.rows[30:] if row.run in pages[0]] == []
    assert all(row.run in pages[0] for row in board.rows[:30])
    assert "… and 3 more runs in Leaderboard." in pages[0]
    (chapter,) = (page for page in pages[2:] if any(line.strip() == "Leaderboard" for line in page.splitlines()))
    assert all(row.run in chapter for row in board.rows)


def board_report(*rows, endings=(), **more) -> Document:
    """A book of two empty runs with a board."""
    made = {
        "measure": "AP",
        "direction": "higher is better",
        "ticks": (0.0, 0.5, 1.0),
        "digits": 3,
        "interval": "95% interval",
    }
    board = Board("leaderboard", rows=rows, ranked=True, endings=endings, **{**made, **more})
    pages = tuple(
        RunPage(f"run-{place}", f"page {place}", (Section(f"s-{place}", "S", (Note("n"),)),)) for place in (1, 2)
    )
    sections = (Section("leaderboard-section", "Leaderboard", (board,)),)
    return Document(
        "T", sections=sections, pages=pages,
        finding=MarkedText.of(f"{mark('a #[x]')} leads (AP .5)."), trust=("Leads of .1 count.",), rules=("Made up.",),
    )  # fmt: skip


def test_every_kind_of_row_is_printed(tmp_path):
    """Tiers, ranks, ties, one's own run, a team, failed calls, endings, no value, and a link to a page that is not there."""
    rows = (
        BoardRow(
            "a #[x]", "run-1", 0.5, 0.25, 1.0, "1–2", "1", True, beside="team *us*", counts=(2000, 5, 3, 15), failed=7
        ),
        BoardRow("b", "run-2", 0.4, 0.2, 0.5, "1–2", "1", True, perhaps=True, own=True, counts=(0, 0, 0, 3)),
        BoardRow("c", "run-9", -0.25, -0.5, 0.1, "3", "2", False, perhaps=True),
        BoardRow("d", None, None, None, None, "", "", False, counts=(0, 0, 0, 0)),
    )
    cover = texts_of(board_report(*rows, endings=("right", "partial", "declined", "wrong")), tmp_path / "kinds.pdf")[0]
    lines = [" ".join(line.split()) for line in cover.splitlines()]
    assert "a #[x] leads (AP .5)." in lines
    assert "Leads of .1 count." in lines
    (first,) = (line for line in lines if line.startswith("Tier 1"))
    assert first.startswith("Tier 1 1–2 a #[x] team *us* × 7 failed 2000")
    assert first.endswith(".500 .25–1.00")
    assert any(line.startswith("Tier 2 3 c") and line.endswith("−.250 −.50 to .10") for line in lines)
    assert any(line.startswith("d ") and line.endswith("n/a") for line in lines)
    assert any("borderline" in line for line in lines)


@pytest.mark.parametrize(
    ("rows", "more"),
    [
        ((), {"ticks": (), "interval": ""}),
        ((BoardRow("a", None, None, None, None, "", "", True),), {"ticks": (), "interval": ""}),
        ((BoardRow("a", None, 1532, None, None, "1", "", True),), {"ticks": (), "interval": "", "digits": 0}),
        ((BoardRow("a" * 200, None, 0.5, 0.5, 0.5, "1", "1", True, own=True),), {}),
    ],
)
def test_boards_at_the_edge_still_make_a_file(rows, more):
    assert pdf.to_pdf(board_report(*rows, **more)).startswith(b"%PDF")


def test_runs_stand_in_the_order_of_their_names_whatever_their_case(make_report, tmp_path):
    path = tmp_path / "order.pdf"
    path.write_bytes(pdf.to_pdf(make_report(3, 4, names=("Zebra", "apple", "Mango"))))
    found = printed(path)
    heads = [page.split("\n")[0].split()[-1] for page in found if "I. Summary statistics" in page]
    assert heads == ["apple", "Mango", "Zebra"]
    contents = found[0].partition("Contents")[2]
    assert contents.index("apple") < contents.index("Mango") < contents.index("Zebra")


def test_a_long_narrow_table_is_set_in_columns(tmp_path):
    rows = tuple((text(f"topic{place}"), number(place / 1000)) for place in range(200))
    table = Table("t", "Values", (TableColumn("Topic"), TableColumn("AP", numeric=True)), rows, "A caption.")
    path = tmp_path / "narrow.pdf"
    path.write_bytes(pdf.to_pdf(Document("D", sections=(Section("s", "S", (table,)),))))
    found = printed(path)
    lines = [re.findall(r"topic(\d+) +0\.(\d{3})0", line) for page in found for line in page.splitlines()]
    told = [pair for line in lines for pair in line]
    assert sorted(int(topic) for topic, _ in told) == list(range(200))
    assert all(int(topic) == int(value) for topic, value in told)
    # 200 rows in four columns are 50 lines, in parts of at most 20: three parts of 67, 67 and 66, 17 lines each.
    assert [topic for topic, _ in next(line for line in lines if line)] == ["0", "17", "34", "51"]
    assert len(found) == 1


def words_of(path):
    """Each word with its top and bottom on its page."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    command = ["pdftotext", "-bbox", str(path), "-"]
    boxes = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</word>', boxes)
    return {word: (float(top), float(bottom)) for top, bottom, word in found}


def test_what_follows_a_caption_stands_below_it(tmp_path):
    def table(name, count):
        rows = tuple((text(f"row {WIDE}"), number(place / 1000)) for place in range(count))
        return Table(
            name, f"{name}-title", (TableColumn("What"), TableColumn("How much", numeric=True)), rows, f"{name}-caption"
        )

    path = tmp_path / "two.pdf"
    path.write_bytes(pdf.to_pdf(Document("D", sections=(Section("s", "S", (table("short", 5), table("long", 80))),))))
    found = words_of(path)
    assert found["short-caption"][1] < found["long-title"][0]
    assert found["long-title"][1] < found["long-caption"][0] + 2


def test_short_notes_take_the_chart_before_them_along(tmp_path):
    """However far down the page the chart ends, what is said after it does not stand alone on the next."""
    spec = vega_lite.spec(
        {"a": [{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}]},
        [vega_lite.layer("a", "line", {"x": vega_lite.quantity("x", "Across"), "y": vega_lite.quantity("y", "Up")})],
    )
    for count in range(20, 34):
        rows = tuple((text(f"row{place}"), text(WIDE)) for place in range(count))
        first = Section(
            "s",
            "S",
            (Table("t", "T", (TableColumn("a"), TableColumn("b")), rows), Chart("c", "Drawn", spec, "", "alt")),
        )
        last = Section("n", "Notes", (Note("judged by hand."),))
        path = tmp_path / f"{count}.pdf"
        path.write_bytes(pdf.to_pdf(Document("D", sections=(first, last))))
        (page,) = (page for page in printed(path) if "judged by hand." in page)
        assert "Drawn" in page, count


def test_unprintable_characters_are_found_among_many():
    assert pdf.unprintable("aé😀Ωж中\n") == {"😀", "中", "\n"}
    assert pdf.unprintable("plain") == frozenset()


def test_a_long_name_stays_on_the_page(make_report, tmp_path):
    """In its heading, the contents, captions and cells: no word of the page ends beyond the right margin."""
    out = tmp_path / "long.pdf"
    out.write_bytes(pdf.to_pdf(make_report(2, 3, names=("averylongname" * 12,))))
    command = ["pdftotext", "-bbox", str(out), "-"]
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    boxes = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    width = re.search(r'<page width="([\d.]+)"', boxes)
    ends = [float(end) for end in re.findall(r'xMax="([\d.]+)"', boxes)]
    assert width
    assert len(ends) > 100
    assert max(ends) < float(width[1]) - 40


@pytest.mark.parametrize(
    "name",
    [name if name in ("outcomes", "suite") else pytest.param(name, marks=pytest.mark.slow) for name in CAMPAIGNS],
)
def test_every_task_is_a_book(name, tmp_path):
    """All of its charts, those of costs on a scale that only the page's own library draws too."""
    write_data(str(tmp_path), name)
    with contextlib.chdir(tmp_path):
        assert main([*CAMPAIGNS[name].command("book.pdf"), "--trials", "20"]) == 0
    assert (tmp_path / "book.pdf").read_bytes().startswith(b"%PDF")


def test_on_the_pages_of_one_run_charts_come_before_tables():
    table, chart = Table("t", "T", (TableColumn("a"),), ()), Chart("c", "C", {}, "", "")
    more = Table("m", "M", (TableColumn("a"),), ())
    section = Section("s", "S", (table, BlockRow((chart,)), Note("Of the chart."), more))
    assert pdf.charts_first(section).blocks == (BlockRow((chart,)), Note("Of the chart."), table, more)
    for untouched in ((table, more), (chart, table), (Note("First."), table, chart)):
        assert pdf.charts_first(Section("s", "S", untouched)).blocks == untouched
