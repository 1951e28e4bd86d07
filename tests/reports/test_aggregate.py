"""Pages from which no judgment can be told. The proof: other judgments with the same averages give the same bytes."""

from __future__ import annotations

import json
import random
import re
import subprocess
from shutil import which

import pytest
from report_tables import inflated

import assay
from assay.analyses.campaign import campaign as module
from assay.analyses.campaign.result import RunPair
from assay.analyses.marked_text import MarkedText, mark
from assay.errors import UsageError
from assay.reports import model
from assay.reports.aggregate import aggregated, rounded_text
from assay.reports.model import (
    BlockRow,
    Board,
    BoardRow,
    Cell,
    Chart,
    ComparisonBlock,
    Document,
    MeasureValues,
    Note,
    Panels,
    RunPage,
    Section,
    Span,
    Table,
    TableColumn,
    averaged,
)
from assay.reports.terminal_charts import Plot

TOPICS = [f"secret-topic-{number:02}" for number in range(12)]
DOCUMENTS = [f"secret-doc-{number:02}" for number in range(30)]


def gold_and_runs(seed: int = 0):
    """The same ranking for all topics, so that judgments that change their topics leave every average as it was."""
    draw = random.Random(seed)
    judged = [{document: int(draw.random() < 0.3) for document in DOCUMENTS} | {"lost": 1} for _ in TOPICS]
    runs = {}
    for name in ("one", "two", "three"):
        order = draw.sample(DOCUMENTS, 25)
        runs[name] = {topic: {document: 25.0 - place for place, document in enumerate(order)} for topic in TOPICS}
    return judged, runs


def files(report: assay.Report) -> tuple[str, bytes, str]:
    return inflated_page(report.to_html()), report.to_pdf(), report.to_text()


def inflated_page(page: str) -> str:
    """A page with everything that waits in it deflated, as the reader's browser has it."""
    packed = re.search(r'id="report-pages">(.*?)</script>', page, re.DOTALL)
    assert packed is not None
    opened = json.dumps(
        {address: inflated(text) for address, text in json.loads(packed[1]).items()}, ensure_ascii=False
    )
    return page.replace(packed[1], opened)


@pytest.fixture
def without_intervals(monkeypatch):
    """What is resampled depends on the order of the topics by chance, and on nothing else."""
    for name in ("run_intervals", "intervals_together"):
        monkeypatch.setattr(module, name, lambda scores, measure: dict.fromkeys(scores.runs))


def test_other_judgments_with_the_same_averages_give_the_same_bytes(without_intervals) -> None:
    judged, runs = gold_and_runs()
    mine = {"one": runs["one"]}
    here = assay.evaluate(dict(zip(TOPICS, judged, strict=True)), mine)
    there = assay.evaluate(dict(zip(TOPICS, judged[5:] + judged[:5], strict=True)), mine)
    assert assay.report(here).to_html() != assay.report(there).to_html()
    assert files(assay.report(here, aggregate=True)) == files(assay.report(there, aggregate=True))


def test_the_rank_of_a_known_item_cannot_be_told() -> None:
    order = {topic: {document: 30.0 - place for place, document in enumerate(DOCUMENTS)} for topic in TOPICS}
    runs = {"one": order, "two": {topic: {DOCUMENTS[29]: 1.0} for topic in TOPICS}}
    high = assay.evaluate({topic: {DOCUMENTS[2]: 1} for topic in TOPICS}, runs, ["Success@10"], task="known-item")
    low = assay.evaluate({topic: {DOCUMENTS[7]: 1} for topic in TOPICS}, runs, ["Success@10"], task="known-item")
    assert assay.report(high).to_html() != assay.report(low).to_html()
    assert files(assay.report(high, aggregate=True)) == files(assay.report(low, aggregate=True))


@pytest.fixture(scope="module")
def campaign() -> assay.Report:
    judged, runs = gold_and_runs()
    scores = assay.evaluate(dict(zip(TOPICS, judged, strict=True)), runs, ["AP", "P@10", "RR", "NumRelRet", "NumRel"])
    return assay.report(scores, aggregate=True, trials=50)


def test_no_topic_document_or_count_is_in_the_bytes(campaign) -> None:
    html, pdf, text = files(campaign)
    if which("pdftotext"):
        text += subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    for content in (html, text):
        assert "secret" not in content
        assert "NumRel" not in content
        assert "Rel_ret" not in content
        assert "Relevant documents" not in content
    assert b"secret" not in pdf
    # The page's own script and style hold numbers of their own; what is ours is everything else.
    ours = re.sub(r"<style.*?</style>|<script(?! type=.application/json).*?</script>", "", html, flags=re.DOTALL)
    assert re.findall(r"(?<![\w.])0?\.\d{4,}", ours + text) == []


def test_no_value_of_a_topic_and_no_rank_is_in_the_document(campaign) -> None:
    assert campaign.document.items is None
    assert campaign.document.grid is None
    for section in [
        *campaign.document.sections,
        *(s for page in campaign.document.pages for s in (*page.standing, *page.sections)),
    ]:
        for block in section.blocks:
            assert not isinstance(block, Panels)
            if isinstance(block, ComparisonBlock):
                assert block.topics == ()
                assert all(measure.topics == () for measure in block.measures)
                assert {measure.name for measure in block.measures} == {"AP"}
    assert [page.run for page in campaign.document.pages] == ["one", "two", "three"]
    assert campaign.warnings == ["excluded because they reveal counts: NumRelRet, NumRel (`aggregate=True`)"]


@pytest.mark.parametrize("task", ["filtering", "outcomes"])
def test_tasks_whose_pages_count_keep_their_averages(task) -> None:
    if task == "filtering":
        gold = {topic: dict.fromkeys(DOCUMENTS[:9], 1) for topic in TOPICS}
        scores = assay.evaluate(gold, {"r": dict.fromkeys(TOPICS, DOCUMENTS[:7])}, task="filtering")
    else:
        scores = assay.evaluate(dict.fromkeys(TOPICS, "yes"), {"r": dict.fromkeys(TOPICS, "yes")})
    html, _, text = files(assay.report(scores, aggregate=True))
    assert "secret" not in html + text
    [page] = assay.report(scores, aggregate=True).document.pages
    [table] = page.sections[0].blocks
    assert isinstance(table, Table)
    cells = [row[1] for row in table.rows if not isinstance(row, Span)]
    assert {cell.kind for cell in cells} <= {"number", "interval", "missing"}
    for cell in cells:
        assert all(end is None or round(end, 3) == end for end in (cell.low, cell.high))


def test_what_cannot_be_kept_secret_is_refused() -> None:
    judged, runs = gold_and_runs()
    scores = assay.evaluate(dict(zip(TOPICS, judged, strict=True)), runs, ["NumRelRet"])
    with pytest.raises(UsageError, match="NumRelRet reveals counts; name a measure that is an average"):
        assay.report(scores, aggregate=True)
    few = assay.evaluate({"1": {"a": 1}}, {"r": {"1": {"a": 1.0}}})
    with pytest.raises(UsageError, match="averages over 1 topics reveal single ones; expected 10 or more"):
        assay.report(few, aggregate=True)
    with pytest.raises(UsageError, match="no pages by topic"):
        assay.report(few, aggregate=True, topics={"1": "x"})


def test_only_what_is_declared_is_kept() -> None:
    table = Table(
        "t",
        "T",
        (TableColumn("Run"), TableColumn("AP"), TableColumn("n")),
        ((model.text("a", link="run-1"), model.number(0.12345), model.count(3)),),
    )
    chart = Chart(
        "c",
        "C",
        {"datasets": {"d": [{"x": 0.123456}]}, "format": ".4f"},
        "",
        "at 0.123456",
        Plot({"a": [(0.12345, 1.0)]}, "x", "y"),
    )
    blocks = (
        table,
        chart,
        Note("0.5"),
        averaged(Note("by 0.12345")),
        BlockRow((averaged(table), chart)),
        BlockRow((chart,)),
    )
    page = RunPage("run-1", "a", (Section("s", "S", (chart,)),))
    found = aggregated(
        Document(
            "D",
            meta=(("Topics", "12"), ("Relevant documents", "99")),
            sections=(Section("s", "S", blocks),),
            pages=(page,),
        )
    )
    assert found.meta == (("Topics", "12"),)
    assert found.pages == ()
    note, left = found.sections[0].blocks
    assert note == Note("by 0.123", aggregate=True)
    assert isinstance(left, Table)
    assert [column.label for column in left.columns] == ["Run", "AP"]
    assert left.rows == ((Cell("text", "a", 3), Cell("number", 0.123, 3)),)
    [kept] = aggregated(Document("D", sections=(Section("s", "S", (averaged(chart),)),))).sections[0].blocks
    assert isinstance(kept, Chart)
    assert (kept.spec, kept.alt) == ({"datasets": {"d": [{"x": 0.123}]}, "format": ".3f"}, "at 0.123")
    assert kept.drawing == Plot({"a": [(0.123, 1.0)]}, "x", "y")


def test_a_table_of_counts_is_dropped_and_so_are_rows_that_count() -> None:
    counts = averaged(Table("t", "T", (TableColumn("Run"), TableColumn("n")), ((model.text("a"), model.count(3)),)))
    facts = (Span("Means"), (model.text("AP"), model.interval(0.12345, 0.1, 0.2)), (model.text("n"), model.share(3, 4)))
    mixed = averaged(Table("m", "M", (TableColumn(""), TableColumn("")), facts))
    [section] = aggregated(Document("D", sections=(Section("s", "S", (counts, mixed)),))).sections
    [left] = section.blocks
    assert isinstance(left, Table)
    assert [row.label if isinstance(row, Span) else row[1].whole_text for row in left.rows] == [
        "Means",
        "0.123 [0.100, 0.200]",
    ]


def test_two_runs_keep_their_difference_and_no_topic() -> None:
    chart = Chart("c", "C", {"datasets": {}}, "", "")
    counts = MeasureValues("NumRet", (3, 4), ((1, 2),), pairs=(RunPair(0, 1, -1.0),))
    mean = MeasureValues(
        "AP", (0.12345, 0.5), ((0.1, 0.2), (0.3, 0.4)), pairs=(RunPair(0, 1, -0.37655, -0.5, -0.1, 0.04321),)
    )
    alone = MeasureValues("RR", (0.5, 0.5), ((0.1, 0.2), (0.3, 0.4)))
    block = ComparisonBlock("c", "C", ("a", "b"), ("t1", "t2"), (counts, mean, alone), chart)
    [section] = aggregated(Document("D", sections=(Section("s", "S", (block,)),))).sections
    [left] = section.blocks
    assert isinstance(left, ComparisonBlock)
    assert left.topics == ()
    assert left.measures == (MeasureValues("AP", (0.123, 0.5), (), 3, (RunPair(0, 1, -0.377, -0.5, -0.1, 0.043),)),)
    nothing = ComparisonBlock("c", "C", ("a", "b"), ("t1",), (alone,), chart)
    assert aggregated(Document("D", sections=(Section("s", "S", (nothing,)),))).sections == ()


def test_sentences_are_rounded_and_versions_are_not() -> None:
    assert (
        rounded_text("+0.12345, -1.99999; 0.5; 1.2.34567, at 0.58333.") == "+0.123, -2.000; 0.5; 1.2.34567, at 0.583."
    )
    # As findings have them, without a leading zero.
    assert (
        rounded_text("a leads (AP .57438), b by −.12345; .57 and .5744.")
        == "a leads (AP .574), b by −.123; .57 and .574."
    )
    assert rounded_text("assay 0.2.12345, v.12345") == "assay 0.2.12345, v.12345"


def test_the_leaderboard_keeps_its_marks_and_no_count_and_three_digits() -> None:
    rows = (
        BoardRow(
            "a", "run-1", 0.123456, 0.100049, 0.150051, "1–2", "1", True, True, beside="us", counts=(3, 4), failed=2
        ),
        BoardRow("b", "run-2", None, None, None, "", "", False, counts=(0, 7)),
    )
    board = Board(
        "leaderboard",
        "AP",
        "higher is better",
        rows,
        (0.1, 0.15),
        5,
        "95% interval",
        True,
        ("right", "wrong"),
        significant_lead=0.01234,
    )
    page = RunPage("run-2", "b", (Section("s", "S", (averaged(Note("n")),)),))
    document = Document(
        "D", sections=(Section("leaderboard-section", "L", (board,)),), pages=(page,),
        finding=MarkedText.of(f"{mark('a.12346')} leads (AP .12346)."),
        trust=("Leads of .12345 AP count.",), rules=("About 0.12345.",),
    )  # fmt: skip
    found = aggregated(document)
    (left,) = found.sections[0].blocks
    assert isinstance(left, Board)
    assert left.rows == (
        BoardRow("a", None, 0.123, 0.1, 0.15, "1–2", "1", True, True, beside="us"),
        BoardRow("b", "run-2", None, None, None, "", "", False),
    )
    assert (left.endings, left.digits, left.significant_lead) == ((), 3, 0.012)
    assert (found.finding, found.trust, found.rules) == (
        "a.12346 leads (AP .123).",
        ("Leads of .123 AP count.",),
        ("About 0.123.",),
    )
    assert found.finding_parts[0] == ("a.12346", True), "a name is no number"


def test_the_board_of_answers_reveals_no_count() -> None:
    """Of 12 questions one run answers 5 rightly, the other 8: neither number is in the files."""
    gold = dict.fromkeys(TOPICS, "yes")
    runs = {
        run: {q: "yes" if place < right else "no" for place, q in enumerate(TOPICS)}
        for run, right in (("x", 5), ("y", 8))
    }
    made = assay.report(assay.evaluate(gold, runs, ["accuracy", "c@1"]), aggregate=True, trials=0)
    (board,) = made.document.sections[0].blocks
    assert [(row.counts, row.failed) for row in board.rows] == [((), 0)] * 2
    assert [round(row.value, 3) == row.value for row in board.rows] == [True] * 2
    assert 'class="endings' not in made.to_html().partition("<main")[2].partition("</main>")[0]
    assert "declined" not in made.to_text().partition("Measures")[0]


@pytest.mark.parametrize(
    ("task", "name", "told"),
    [
        ("ranked", "AP", True),
        ("ranked", "NumRelRet", False),
        ("diversity", "alpha_nDCG@20", True),
        ("ranked", "DCG@10", False),
        ("filtering", "T10SU", True),
        ("filtering", "T10U", False),  # 2·R+ - N+, and N+ is in the run
        ("outcomes", "UF", True),
        ("outcomes", "correct", False),
    ],
)
def test_measures_say_by_their_bounds_whether_they_may_be_told(task, name, told) -> None:
    from assay.measures.registry import resolve
    from assay.reports.aggregate import is_average

    assert is_average(resolve(name, task)) is told
