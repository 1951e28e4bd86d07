"""Each task's pages, from files to text and HTML: the sample tables of TREC 2001 line by line, and hand-made campaigns."""

from __future__ import annotations

import json
import re

import pytest

from assay.cli import main
from assay.reports.build import Report, how, report
from assay.reports.pages.comparing import made_by
from assay.stats.intervals import Interval
from assay.tasks import NAMES, get

AWKWARD = "<script>'\"😀"


def put(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def jsonl(folder, name, rows):
    return put(folder, name, "".join(json.dumps(row) + "\n" for row in rows))


def ranked(folder):
    gold = put(folder, "q", "".join(f"{t} 0 d{i} {int(i in (1, 2, 4, 15))}\n" for t in (1, 2) for i in range(1, 21)))
    best = "".join(f"{t} Q0 d{i} 0 {-i} best\n" for t in (1, 2) for i in range(1, 21))
    some = "".join(f"1 Q0 d{i} 0 {i} some\n" for i in range(1, 11))
    none = "1 Q0 x 0 1 none\n"
    return [gold, put(folder, "best", best), put(folder, "some", some), put(folder, "none", none)]


def outcomes(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": f"q{i}", "type": "ab"[i % 2], "answers": ["x"]} for i in range(8)])
    runs = {
        "sure": [{"id": f"q{i}", "answer": "x" if i < 6 else "n", "confidence": 0.9 - i / 20} for i in range(8)],
        "shy": [{"id": f"q{i}", "answer": "x" if i < 5 else None} for i in range(8)],
        AWKWARD.replace("/", ""): [{"id": "q0", "answer": "n"}],
    }
    return [gold, *(jsonl(folder, f"run{i}/{name}.jsonl", rows) for i, (name, rows) in enumerate(runs.items()))]


def known_item(folder):
    """The appendix of TREC 2001, Table 6: 145 topics, 102 at rank 1, 128 in the top 10, 7 not in the top 100."""
    ranks = [1] * 102 + [10] * 26 + [11] * 10 + [101] * 3 + [0] * 4
    gold = put(folder, "q", "".join(f"{t} 0 home 1\n" for t in range(145)))
    lines = [
        f"{t} Q0 {'home' if i == rank else f'd{i}'} 0 {-i} tnout10epCAU\n"
        for t, rank in enumerate(ranks)
        for i in range(1, max(rank, 1) + 1)
    ]
    other = "".join(f"{t} Q0 home 0 1 other\n" for t in range(100))
    return ["--task", "known-item", gold, put(folder, "r", "".join(lines)), put(folder, "o", other)]


def qa(folder):
    """The appendix of TREC 2001, Table 4: 492 questions, 152 (30.9%) not found strictly and 147 (29.9%) leniently; confident about 75%."""
    gold, run = [], []
    for q in range(492):
        found = "correct" if q < 340 else "unsupported" if q < 345 else "incorrect"
        gold += [{"id": q, "text": "yes", "judgment": found}, {"id": q, "text": "no", "judgment": "incorrect"}]
        answers = ["yes", "no"] if q % 2 else ["no", "yes"]
        run.append({"id": q, "answers": answers, "confident": q < 369, "final": 2 - q % 2})
    return ["--task", "qa", jsonl(folder, "j.jsonl", gold), jsonl(folder, "insight.jsonl", run)]


def filtering(folder):
    gold = put(folder, "q", "R1 0 10 1\nR1 0 20 1\nR2 0 15 1\n")
    texts = {"a": "R1 10\nR1 20\n", "b": "R1 10\nR1 11\nR2 15\n", "c": "R2 99\n"}
    described = '[a]\nsubtask = "adaptive"\noptimized_for = "T10U"\n[b]\nsubtask = "adaptive"\n[c]\nsubtask = "batch"\n'
    options = ["--characteristics", put(folder, "c.toml", described), "--periods", put(folder, "p", "10\n15\n20\n")]
    return ["--task", "filtering", gold, *(put(folder, name, text) for name, text in texts.items()), *options]


def lists(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": q, "answers": ["x", "y"], "target": 2} for q in "ab"])
    runs = {"r1": ("xy", "x"), "r2": ("xn", "nn"), "r3": ("xx", "xy")}
    made = [
        jsonl(
            folder, f"{name}.jsonl", [{"id": q, "answers": list(given)} for q, given in zip("ab", texts, strict=True)]
        )
        for name, texts in runs.items()
    ]
    return ["--task", "list", gold, *made]


def context(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": q, "answers": ["x"]} for q in ("10a", "2a", "2b", "2c")])
    rows = [{"id": "2a", "answers": ["n", "x"]}, {"id": "2c", "answer": "x"}, {"id": "10a", "answer": "x"}]
    return ["--task", "context", gold, jsonl(folder, "r.jsonl", rows), jsonl(folder, "s.jsonl", rows[:1])]


def nuggets(folder):
    gold = jsonl(folder, "g.jsonl", [{"id": 1, "nuggets": [{"id": "a", "vital": True, "votes": 1}, {"id": "b"}]}])
    runs = {"r1": ["a", "b"], "r2": ["b"]}
    made = [
        jsonl(folder, f"{name}.jsonl", [{"id": 1, "answer": "abc", "nuggets": given}]) for name, given in runs.items()
    ]
    return ["--task", "nuggets", gold, *made]


CAMPAIGNS = {
    "ranked": ranked,
    "outcomes": outcomes,
    "known-item": known_item,
    "qa": qa,
    "filtering": filtering,
    "list": lists,
    "context": context,
    "nuggets": nuggets,
}


@pytest.fixture
def text(tmp_path, capsys):
    """What `assay report` prints for a campaign: its lines with runs of spaces made one."""

    def make(task, *options):
        assert main(["report", *CAMPAIGNS[task](tmp_path), *options]) == 0
        return [re.sub(r" +", " ", line).strip() for line in capsys.readouterr().out.splitlines()]

    return make


def test_every_task_has_pages():
    assert set(CAMPAIGNS) == {name for name in NAMES if get(name).figures}


@pytest.mark.parametrize("task", CAMPAIGNS)
def test_every_run_has_its_page_in_the_text_report(text, task):
    lines = text(task)
    places = next(line for line in lines if "Runs: " in line)
    assert lines.count("Evaluation report") == int(places.rpartition("Runs: ")[2])
    assert any(line.endswith("assay") or " assay " in line for line in lines)
    assert not any("None" in line or "nan" in line.lower().split() for line in lines)


def test_table_6_of_the_source(text):
    lines = text("known-item", "--run", "tnout10epCAU")
    assert "Num topics 145" in lines
    # (102 + 26/10 + 10/11 + 3/101)/145
    assert "Mean reciprocal rank 0.728" in lines
    assert "Num found at rank 1 102 (70.3%)" in lines
    assert "Num found in top 10 128 (88.3%)" in lines
    assert "Num not found in top 100 7 (4.8%)" in lines


def test_table_4_of_the_source(text):
    lines = text("qa")
    assert "Num questions 492" in lines
    assert "Num answers not found (strict) 152 (30.9%)" in lines
    assert "Num answers not found (lenient) 147 (29.9%)" in lines
    assert "Percentage of answers system confident about 75%" in lines
    assert "Percentage of confident answers that were correct 92%" in lines


def test_table_5_of_the_source(text):
    """Run b: R1 has one of two and one wrong, R2 all: T10SU (101/104 + 1)/2, F (1.25/2.5 + 1)/2."""
    lines = text("filtering", "--run", "b")
    for line in (
        "Run ID b",
        "Subtask adaptive",
        "Number of topics 2",
        "Total retrieved 3",
        "Relevant retrieved 2",
        "Macro average recall 0.750",
        "Macro average precision 0.750",
        "Mean T10SU 0.986",
        "Mean F-Beta 0.750",
        "Zero returns 0",
    ):
        assert line in lines
    # Utility by period, worked out in tests/figures: 1, (-1 + 2)/2, 0, 0.
    assert "up to 10 1.000 1.000 1 1 1" in lines
    assert any(line.startswith("10 to 15 0.500") for line in lines)


def test_a_batch_run_has_no_time_graph(text):
    assert "Over time" not in text("filtering", "--run", "c")


def test_a_ranked_topic_as_the_source_works_it_out(text):
    """Relevant at 1, 2, 4 and 15 of 4: interpolated 1 to .5, .75 at .6 and .7, .27 from .8; R-precision 3/4."""
    lines = "\n".join(text("ranked", "--run", "best"))
    for shown in ("0.50 1.0000", "0.60 0.7500", "0.70 0.7500", "0.80 0.2667", "1.00 0.2667", "Exact 0.7500"):
        assert shown in lines


def test_a_run_that_found_nothing_and_a_missing_topic(text):
    lines = text("ranked", "--run", "none")
    assert "Rel_ret 0" in "\n".join(lines)
    assert "2 4 n/a 0.0000 0.0000 0.0000" in lines


def test_outcomes_by_type(text):
    lines = text("outcomes", "--run", "sure")
    assert any("Correct 6 (75.0%)" in line for line in lines)
    assert "By type" in lines
    assert any(line.startswith("all 8 6 2 0 0.7500") for line in lines)


def test_a_campaign_of_outcomes_has_a_table_by_type_of_every_run(text):
    """q0, q2 … are of type a: sure answers q6 wrong, shy declines it; three questions of four right each."""
    lines = text("outcomes")
    assert lines.count("By type") == 1 + 3
    assert any(line.startswith("sure a 4 3 1 0 0.7500") for line in lines)
    assert any(line.startswith("shy a 4 3 0 1 0.7500") for line in lines)
    assert any(line.startswith("shy all 8 5 0 3") for line in lines)


def test_outcomes_are_drawn_as_bars(text):
    lines = text("outcomes")
    assert any(re.match(r"shy correct 5 #+", line) for line in lines)
    assert any(re.match(r"unanswered 3 #+", line) for line in lines)


def test_the_ranks_of_a_series(text):
    lines = text("context", "--run", "r")
    assert "2 2 n/a 1 1" in lines
    assert "10 1 1" in lines


def test_list_accuracy_against_the_median(text):
    lines = text("list", "--run", "r1")
    assert "Mean accuracy 0.7500" in lines
    assert any(line.startswith("a 1.0000 0.5000 +0.5000") for line in lines)


def test_nuggets(text):
    assert "1 2 1 3 1.0000 0.5000 +0.5000 1.0000" in "\n".join(text("nuggets", "--run", "r1"))


def test_topics_with_awkward_names_show_as_text(tmp_path, visit):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    topic, run = "<script>alert(2)</script>\"'&", "<img/src=x/onerror=alert(3)>😀"
    gold = put(tmp_path, "q", f"{topic} 0 d1 1\n2 0 d1 1\n")
    first = put(tmp_path, "r", f"{topic} Q0 d1 1 2 {run}\n2 Q0 d1 1 2 {run}\n")
    second = put(tmp_path, "s", f"{topic} Q0 d0 1 2 plain\n2 Q0 d1 1 2 plain\n")
    out = tmp_path / "out.html"
    assert main(["report", gold, first, second, "-o", str(out)]) == 0
    # Tall enough that pointing at the chart does not scroll, which would hide what it shows.
    page = visit(out.as_uri() + "#run-1", viewport={"width": 1300, "height": 1600})
    assert page.locator("#run-1 h2").inner_text() == run
    assert page.locator("#run-1-topic-table tbody th").all_inner_texts() == ["2", topic]
    page.goto(out.as_uri() + "#compare-1-2")
    page.wait_for_selector("#comparison-values")
    assert page.locator("#comparison-values tbody th").all_inner_texts() == ["2", topic]
    page.wait_for_selector('[data-chart="comparison-chart"][data-state="drawn"]')
    page.locator('[data-chart="comparison-chart"] .mark-rect path').nth(1).hover()
    page.locator("#tooltip").wait_for(state="visible")
    assert topic in page.locator("#tooltip").inner_text()
    assert main(["report", gold, first, "-o", str(tmp_path / "out.pdf")]) == 0


def test_an_unknown_run_is_named_and_nothing_is_written(tmp_path, capsys):
    out = tmp_path / "r.html"
    assert main(["report", *ranked(tmp_path), "--run", "nobody", "-o", str(out)]) == 2
    assert "nobody" in capsys.readouterr().err
    assert not out.exists()


def test_an_unknown_ending_is_refused_before_anything_is_read(tmp_path, capsys):
    assert main(["report", "absent", "absent", "-o", str(tmp_path / "r.docx")]) == 2
    assert ".html, .pdf or .txt" in capsys.readouterr().err


def test_a_negative_number_of_trials_is_refused_before_anything_is_read(capsys):
    assert main(["report", "absent", "absent", "--trials", "-5"]) == 2
    assert "--trials -5" in capsys.readouterr().err


def test_captions_say_how_numbers_were_made():
    import assay

    scores = assay.evaluate({"q": {"d": 2}}, {"r": {"q": {"d": 1.0}}}, ["AP"], level=2, depth=10, missing="skip")
    said = how(scores)
    assert said.startswith(
        "1 topic; topics a run leaves out are left out; relevant from grade 2; the first 10 documents"
    )
    assert assay.__version__ in said


@pytest.mark.parametrize("task", CAMPAIGNS)
def test_the_pdf_of_every_task(tmp_path, task):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    pytest.importorskip("typst", reason="typst is not installed")
    out = tmp_path / "out.pdf"
    assert main(["report", *CAMPAIGNS[task](tmp_path), "--trials", "50", "-o", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("task", CAMPAIGNS)
def test_the_html_of_every_task_in_a_browser(tmp_path, visit, task):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    out = tmp_path / "out.html"
    assert main(["report", *CAMPAIGNS[task](tmp_path), "--trials", "50", "-o", str(out)]) == 0
    page = visit(out.as_uri())
    for view in ("campaign", "run-1"):
        page.goto(f"{out.as_uri()}#{view}")
        page.wait_for_function(
            """view => [...document.querySelectorAll(`#${view} .chart`)].every(chart => chart.dataset.state === "drawn")""",
            arg=view,
        )
        assert page.locator(f"#{view} table").count() > 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_one_of_a_kind_is_said_in_the_singular(tmp_path, capsys):
    gold = put(tmp_path, "q", "1 0 d1 1\n")
    assert main(["report", gold, put(tmp_path, "r", "1 Q0 d1 1 1 alone\n")]) == 0
    said = capsys.readouterr().out
    assert "1 run in order of AP. 1 topic;" in said
    assert not re.search(r"\b1 (run|topic|question|pair|plot|period)s\b", said)


@pytest.mark.parametrize("task", ["qa", "list", "context", "nuggets"])
def test_questions_are_not_called_topics(text, task):
    lines = " ".join(text(task))
    assert "a question a run leaves out counts 0" in lines
    assert "a topic" not in lines
    assert "of the topics" not in lines


def test_measures_keep_their_capitals(text):
    assert any("Instance F Median" in line for line in text("list"))
    assert any("Nugget F Median Difference Pyramid F Median Difference" in line for line in text("nuggets"))


def test_series_are_in_natural_order(text):
    lines = text("context", "--run", "r")
    assert lines.index("2 2 n/a 1 1") < lines.index("10 1 1")


def blocks_of(pages):
    for section in [*pages.sections, *(section for page in pages.pages for section in page.sections)]:
        for block in section.blocks:
            yield from getattr(block, "blocks", (block,))


@pytest.mark.parametrize("task", CAMPAIGNS)
def test_every_table_and_chart_says_what_is_seen(tmp_path, monkeypatch, task):
    """A caption of settings alone would leave the reader of a paper in the dark."""
    made = []
    monkeypatch.setattr(Report, "to_text", lambda report, width: made.append(report.document) or "")
    assert main(["report", *CAMPAIGNS[task](tmp_path), "--trials", "50"]) == 0
    shown = [block for block in blocks_of(made[0]) if hasattr(block, "caption")]
    assert len(shown) > 4
    for block in shown:
        seen, _, rest = block.caption.partition(". ")
        assert seen, block.id
        assert not re.match(r"\d+ (topic|question)", seen), block.id
        assert re.search(r"\d+ (topic|question)s?\b", rest or seen), block.id


def test_intervals_name_the_methods_that_made_them():
    found = [Interval(0, 1, 0.95, "studentised"), None, Interval(0, 1, 0.95, "t")]
    said = "studentised bootstrap, seed 0; Student's t where too few differ for a bootstrap"
    assert made_by(found, "95% intervals", ", seed 0") == f"95% intervals by {said}."
    assert made_by(found[2:], "95% intervals", ", seed 0") == "95% intervals by Student's t."


def test_the_demo_names_a_folder_it_cannot_write(tmp_path, capsys):
    """A traceback is no answer to a mistyped folder."""
    taken = put(tmp_path, "taken", "a file")
    assert main(["demo", "-o", taken]) == 3
    assert f"{taken}: cannot be written" in capsys.readouterr().err


def test_a_long_name_leaves_room_for_what_stands_beside_it(tmp_path, visit):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    gold = put(tmp_path, "q", "1 0 d1 1\n")
    out = tmp_path / "out.html"
    assert main(["report", gold, put(tmp_path, "r", f"1 Q0 d1 1 1 {'averylongname' * 12}\n"), "-o", str(out)]) == 0
    page = visit(out.as_uri() + "#run-1")
    page.wait_for_selector('#run-1 [data-state="drawn"]')
    table = page.locator("#run-1-table-1 table, table#run-1-table-1").first
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    # "Number of topics" in at most two lines, not a letter a line.
    assert table.locator("tr").nth(1).bounding_box()["height"] < 70


def test_no_column_of_the_leaderboard_is_cut_off(tmp_path, visit):
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    out = tmp_path / "out.html"
    for campaign in (outcomes, filtering):
        assert main(["report", *campaign(tmp_path / campaign.__name__), "-o", str(out)]) == 0
        page = visit(out.as_uri(), viewport={"width": 1280, "height": 900})
        assert page.locator("#leaderboard .scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_topic_that_enters_nobodys_average_has_no_value_in_anybodys_report(text):
    """Under `missing=common` topic 2, which two runs lack, counts for none: not for the run that has it either."""
    lines = text("ranked", "--missing", "common", "--run", "best")
    assert any(line.startswith("1 4 4 0.7542 ") for line in lines)
    assert "2 4 n/a n/a n/a n/a" in lines
    assert any(line.startswith("Number of topics 1") for line in lines)


def test_a_table_of_numbers_alone_has_a_report(tmp_path, visit):
    """No gold and no runs, so no figures of its own: leaderboard, comparison, agreement, reliability, values by topic."""
    import assay

    values = {"AP": [[0.5, 0.1], [0.6, 0.2], [0.4, 0.2], [0.9, 0.3], [0.5, 0.1], [0.7, 0.6]]}
    matrix = put(
        tmp_path, "ap.csv", "topic,good,bad\n" + "".join(f"t{i},{a},{b}\n" for i, (a, b) in enumerate(values["AP"]))
    )
    made = report(assay.read_scores(matrix), trials=50)
    titles = [section.title for section in made.document.sections]
    assert titles[0] == "Leaderboard"
    assert "What to believe" in titles
    assert [page.run for page in made.document.pages] == ["good", "bad"]
    shown = re.sub(r" +", " ", made.to_text())
    assert "t3 0.9000" in shown
    assert "6 topics" in shown
    pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    made.save(tmp_path / "out.html")
    page = visit((tmp_path / "out.html").as_uri() + "#run-2")
    assert page.locator("#run-2-values-1 tbody tr").count() == 6
