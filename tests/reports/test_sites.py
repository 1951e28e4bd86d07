"""A report in one file, in a file with a folder beside it, and at a server: the same pages, wherever they are kept."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace

import pytest
from report_tables import inflated
from running_server import running
from tests.support.made_items import MadeItems

from assay.errors import InputError
from assay.figures.items.model import TopicItems
from assay.io.loopback_server import Server
from assay.reports import sites
from assay.reports.model import address as address_of
from assay.reports.sites import MARK, DataFolder


@pytest.fixture(scope="module")
def document(make_report):
    return make_report(4, 30, items=True)


@pytest.fixture
def large(monkeypatch):
    """Everything is too large for one file."""
    monkeypatch.setattr(sites, "MAX_PAGE_SHEETS", 2000)
    monkeypatch.setattr("assay.reports.sites.FILE_SIZE", 4000)


@pytest.fixture
def served(document):
    with running(Server(sites.Served(document))) as server:
        yield server


@pytest.fixture
def opened(browser):
    """A page of which every request and every complaint is kept."""
    found = []

    def visit(address):
        page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        page.set_default_timeout(15_000)
        page.heard = {"requests": [], "complaints": []}
        page.on("request", lambda request: page.heard["requests"].append(request.url))
        page.on("console", lambda message: page.heard["complaints"].append(message.text))
        page.on("pageerror", lambda problem: page.heard["complaints"].append(str(problem)))
        page.goto(address)
        found.append(page)
        return page

    yield visit
    for page in found:
        page.close()


def waiting(page: str) -> dict[str, str]:
    return json.loads(re.search(r'id="report-pages">(.*?)</script>', page, re.DOTALL)[1])


def told(page: str):
    return json.loads(re.search(r'id="report-data">(.*?)</script>', page, re.DOTALL)[1])


def walk(page) -> list[str]:
    """What a reader sees on the way from the leaderboard to a document and to a comparison."""
    page.click("#leaderboard a:text-is('run003')")
    page.wait_for_selector("#run-3")
    seen = [page.locator("#run-3-headline").inner_text()]
    page.click("#run-3-topic-table a:text-is('7')")
    page.wait_for_selector("#topic-runs details summary")
    page.locator("#topic-runs details summary").first.click()
    page.wait_for_selector("#topic-runs details[open] li")
    seen.append(page.locator("#topic").inner_text())
    page.evaluate("location.hash = '#compare/run001/run002'")
    page.wait_for_selector("#compare-result dl")
    seen.append(page.locator("#compare-result").inner_text())
    page.go_back()
    page.wait_for_selector("#topic")
    page.go_back()
    page.wait_for_selector("#run-3")
    return seen


def test_the_same_is_seen_wherever_it_is_kept(opened, tmp_path, document, served, large, monkeypatch):
    beside = tmp_path / "beside.html"
    assert sites.save_html(document, beside) == "beside_data"
    monkeypatch.undo()
    alone = tmp_path / "alone.html"
    assert sites.save_html(document, alone) is None
    pages = [opened(alone.as_uri()), opened(beside.as_uri()), opened(served.link)]
    one, two, three = map(walk, pages)
    assert one == two == three
    assert [page.heard["complaints"] for page in pages] == [[], [], []]
    assert pages[0].heard["requests"] == [alone.as_uri()]
    folder = (tmp_path / "beside_data").as_uri()
    assert pages[1].heard["requests"][0] == beside.as_uri()
    assert all(url.startswith(folder) for url in pages[1].heard["requests"][1:])
    # What nobody opened was not read.
    assert len(pages[1].heard["requests"]) < len([*(tmp_path / "beside_data").glob("*.js")])
    assert all(url.startswith(served.link) for url in pages[2].heard["requests"])


def test_every_sheet_is_the_same_wherever_it_is_kept(tmp_path, document, large, monkeypatch):
    site = sites.Site(document)
    assert sites.save_html(document, tmp_path / "beside.html") == "beside_data"
    page = (tmp_path / "beside.html").read_text("utf-8")
    known = waiting(page)
    files = told(page)["beside"]["files"]
    assert files[0][0] == "values"
    assert [first for first, _ in files[1:]] == sorted(first for first, _ in files[1:])
    for _, name in files:
        known |= json.loads((tmp_path / "beside_data" / name).read_text("utf-8")[len("assaySheets(") : -3])
    monkeypatch.undo()
    sites.save_html(document, tmp_path / "alone.html")
    whole = waiting((tmp_path / "alone.html").read_text("utf-8"))
    assert known == whole
    assert {*whole} == {
        "charts",
        "values",
        *(f"run/run00{i}" for i in range(1, 5)),
        *(f"topic/{i}" for i in range(1, 31)),
    }
    for address, packed in whole.items():
        served = (
            json.loads(sites.Served(document)(f"sheet/{address}.json").content)["sheet"] if address[0] == "t" else None
        )
        assert served is None or served == inflated(packed)
    assert site.sheet("topic/nobody") is None
    assert site.sheet("run/../secret") is None


def test_every_topic_is_found_in_files_of_any_size(opened, tmp_path, document, monkeypatch):
    """Red before: topics in the same file as the values of all of them were found nowhere."""
    monkeypatch.setattr(sites, "MAX_PAGE_SHEETS", 2000)
    sites.save_html(document, tmp_path / "few.html")
    page = opened((tmp_path / "few.html").as_uri())
    for topic in ("1", "7", "30"):
        page.evaluate("topic => { location.hash = `topic/${topic}`; }", topic)
        page.wait_for_selector(f"#topic-title:text-is('Topic {topic}')")
    assert [first for first, _ in told((tmp_path / "few.html").read_text("utf-8"))["beside"]["files"]] == ["values", 0]
    assert page.heard["complaints"] == []


def test_a_folder_that_was_left_behind_is_missed_in_words(opened, tmp_path, document, large):
    sites.save_html(document, tmp_path / "moved.html")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "moved.html").rename(tmp_path / "elsewhere" / "moved.html")
    page = opened((tmp_path / "elsewhere" / "moved.html").as_uri() + "#topic/7")
    page.wait_for_selector("text=could not be read: it belongs beside this file")


def test_a_server_that_was_stopped_is_missed_in_words(opened, served):
    page = opened(served.link)
    page.wait_for_selector("#leaderboard tbody tr")
    page.context.set_offline(True)
    page.evaluate("location.hash = '#topic/7'")
    page.wait_for_selector("text=the server does not answer; was it stopped?")
    page.go_back()
    page.wait_for_selector("#campaign:not([hidden])")


def test_a_browser_has_no_reason_to_ask_for_an_icon(document):
    assert b'<link rel="icon" href="data:,">' in sites.Served(document)("").content


def test_a_server_that_was_started_anew_says_so(opened, document):
    """Red before: what the new server said was taken for broken data."""
    with running(Server(sites.Served(document))) as server:
        page = opened(server.link)
        page.wait_for_selector("#leaderboard tbody tr")
        server.token = "another"
        page.evaluate("location.hash = '#topic/7'")
        page.wait_for_selector("text=the server was restarted; open its new link")


def test_a_fault_of_a_page_reaches_its_reader(opened, document, capfd, monkeypatch):
    with running(Server(sites.Served(document))) as server:
        page = opened(server.link)
        page.wait_for_selector("#leaderboard tbody tr")
        monkeypatch.setattr(sites.Site, "sheet", lambda site, wanted: 1 // 0)
        page.evaluate("location.hash = '#topic/7'")
        page.wait_for_selector("text=this page could not be built: ZeroDivisionError")
    assert "Traceback" not in capfd.readouterr().err


def test_two_topics_that_show_the_same_are_two(make_report, opened, tmp_path):
    """Red before: the neighbours of either led to the second."""
    made = make_report(2, 3)
    odd = ("a\\x1b", "a\x1b", "z")
    path = tmp_path / "same.html"
    sites.save_html(replace(made, grid=replace(made.grid, topics=odd)), path)
    page = opened(path.as_uri() + "#" + address_of("topic", odd[1]))
    page.wait_for_selector("#topic-title")
    page.click("#topic a[rel=prev]")
    page.wait_for_function("() => location.hash === '#topic/a%5Cx1b'")
    page.evaluate("() => { location.hash = 'campaign'; }")
    page.wait_for_selector("#topic-title", state="detached")
    page.fill("#find-topic", "a")
    found = page.locator("#found-topics a").evaluate_all("links => links.map((link) => link.hash)")
    assert sorted(found) == ["#topic/a%1B", "#topic/a%5Cx1b"]


def test_items_are_gathered_some_topics_at_a_time(make_report):
    made = make_report(2, 9)
    items = MadeItems(
        made.grid.runs, [TopicItems(topic, "Why?", (), {}, ((), ())) for topic in made.grid.topics], batch=4
    )
    found = [*sites.Site(replace(made, items=items)).batches()]
    assert items.asked == [["1", "2", "3", "4"], ["5", "6", "7", "8"], ["9"]]
    assert [len(batch) for batch in found] == [4, 4, 1]


def test_the_first_topics_are_read_once_and_while_other_pages_are_made(make_report, tmp_path):
    made = make_report(2, 5)
    topics = [TopicItems(name, None, (), (), ((), ()), ("", "")) for name in made.grid.topics]
    read_by = []

    class LogReading(MadeItems):
        def of(self, topics, runs):
            for one in super().of(topics, runs):
                read_by.append(threading.current_thread())
                yield one

    items = LogReading(made.grid.runs, topics, batch=2)
    sites.save_html(replace(made, items=items), tmp_path / "r.html")
    assert [*map(len, items.asked)] == [2, 2, 1]
    here = threading.current_thread()
    assert [one is here for one in read_by] == [False, True, True, True, True]


def test_far_too_much_is_not_gathered_and_the_page_says_where_it_is(make_report, tmp_path, monkeypatch):
    made = make_report(4, 30, items=True)
    monkeypatch.setattr(sites, "MAX_WRITTEN_ITEMS", 1199)
    for page in (sites.to_html(made), _saved(made, tmp_path / "far.html")):
        assert "Up to 1,200 returned documents are too many for this file. To see them, use `assay view`." in page
        assert told(page)["items"] is False
        assert "entries" not in inflated(waiting(page)["topic/7"])
    assert made.items.asked == []


def _saved(document, path) -> str:
    assert sites.save_html(document, path) is None
    return path.read_text("utf-8")


def test_a_text_that_cannot_have_a_folder_leaves_items_out_and_says_so(document, large):
    page = sites.to_html(document)
    assert "too many for this file. To see them, use `assay view`" in page
    assert "entries" not in inflated(waiting(page)["topic/7"])


def test_names_that_cannot_be_shown_keep_their_addresses(make_report, opened, tmp_path):
    made = make_report(2, 3)
    odd = ("a/b c?", "\x1b[31m", "\u202eevil")
    grid = replace(made.grid, topics=odd)
    path = tmp_path / "odd.html"
    sites.save_html(replace(made, grid=grid), path)
    addresses = told(path.read_text("utf-8"))["addresses"]
    assert addresses == {"1": "topic/%1B%5B31m", "2": "topic/%E2%80%AEevil"}
    page = opened(path.as_uri())
    for address, title in (("topic/a%2Fb%20c%3F", "Topic a/b c?"), *((a, None) for a in addresses.values())):
        page.evaluate("address => { location.hash = address; }", address)
        page.wait_for_selector("#topic-title")
        assert title in (None, page.locator("#topic-title").inner_text())
        page.evaluate("() => { location.hash = 'campaign'; }")
        page.wait_for_selector("#topic-title", state="detached")
    assert page.heard["complaints"] == []


def test_topics_whose_names_mean_something_to_browsers(make_report, opened):
    """Red before: a browser follows `..` before it asks, and the server had no such page."""
    odd = ("..", ".", "...", "%2F", "__proto__", "constructor", "values", "charts", "Case", "case", "a.json", "x" * 300)
    made = make_report(2, len(odd))
    with running(Server(sites.Served(replace(made, grid=replace(made.grid, topics=odd))))) as server:
        page = opened(server.link)
        for name in odd:
            page.evaluate("address => { location.hash = address; }", address_of("topic", name))
            page.wait_for_selector("#topic-title")
            assert page.locator("#topic-title").inner_text() == f"Topic {name}"
            page.evaluate("() => { location.hash = 'campaign'; }")
            page.wait_for_selector("#topic-title", state="detached")
        assert page.heard["complaints"] == []


@pytest.mark.parametrize("name", ["Bericht #1 50% ü?.html", "a%20b & 'c'.html"])
def test_a_file_of_any_name_finds_its_folder_and_says_so(opened, tmp_path, document, large, name):
    folder = sites.save_html(document, tmp_path / name)
    page = opened((tmp_path / name).as_uri() + "#topic/7")
    page.wait_for_selector("#topic-runs tbody tr")
    assert page.heard["complaints"] == []
    assert f"The folder {folder} beside this file has the data" in page.locator("main > .note").inner_text()


def test_the_same_report_written_twice_is_the_same_to_the_byte(tmp_path, document, large):
    found = []
    for _ in range(2):
        sites.save_html(document, tmp_path / "twice.html")
        found.append({one.relative_to(tmp_path): one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()})
    assert found[0] == found[1]
    assert len(found[0]) > 3


def test_one_run_alone_has_its_topics_and_nobody_elses(opened, tmp_path, make_report):
    made = make_report(5, 6, items=True, only="run002")
    path = tmp_path / "one.html"
    sites.save_html(made, path)
    known = {name: inflated(sheet) for name, sheet in waiting(path.read_text("utf-8")).items()}
    assert known["values"]["runs"] == ["run002"]
    assert [len(column) for column in known["topic/3"]["entries"]] == [1, 1, 1]
    page = opened(path.as_uri())
    page.locator("#run-2-topic-table a").first.click()
    page.wait_for_selector("#topic-runs tbody tr")
    assert page.locator("#topic-runs tbody tr").count() == 1
    assert page.locator(".verdict dt").all_inner_texts() == ["Median"]
    page.click("text=← run002")
    page.wait_for_selector("#run-2:not([hidden])")
    assert page.heard["complaints"] == []


@pytest.fixture
def small_files(monkeypatch):
    monkeypatch.setattr(sites, "FILE_SIZE", 10)


def written_folder(path, sheets, page="<p>page</p>"):
    with DataFolder(path) as folder:
        folder.add(sheets)
        found = folder.files()
        folder.keep(page)
    return folder, found


def sheets_in(file):
    return json.loads(re.fullmatch(r"assaySheets\((.*)\);\n", file.read_text(), re.DOTALL)[1])


@pytest.mark.usefixtures("small_files")
def test_files_hold_the_sheets_in_their_order(tmp_path) -> None:
    sheets = {"values": "v" * 12, "topic/1": "aaaa", "topic/2": "bbbbbb", "topic/3": "c"}
    folder, files = written_folder(tmp_path / "trec.html", sheets)
    assert folder.name == "trec_data"
    assert [first for first, _ in files] == ["values", "topic/1", "topic/3"]
    assert [sheets_in(tmp_path / "trec_data" / name) for _, name in files] == [
        {"values": "v" * 12},
        {"topic/1": "aaaa", "topic/2": "bbbbbb"},
        {"topic/3": "c"},
    ]
    assert (tmp_path / "trec.html").read_text() == "<p>page</p>"
    assert {one.name for one in tmp_path.iterdir()} == {"trec.html", "trec_data"}


@pytest.mark.usefixtures("small_files")
def test_the_same_sheets_give_the_same_names_and_others_do_not(tmp_path) -> None:
    _, one = written_folder(tmp_path / "a.html", {"topic/1": "same"})
    _, two = written_folder(tmp_path / "b.html", {"topic/1": "same"})
    _, three = written_folder(tmp_path / "c.html", {"topic/1": "other"})
    assert one == two != three


@pytest.mark.usefixtures("small_files")
def test_a_new_report_replaces_the_old_ones_folder(tmp_path) -> None:
    written_folder(tmp_path / "trec.html", {"topic/1": "old"})
    _, files = written_folder(tmp_path / "trec.html", {"topic/1": "new"}, "<p>new</p>")
    assert {one.name for one in (tmp_path / "trec_data").iterdir()} == {MARK, files[0][1]}
    with DataFolder(tmp_path / "trec.html") as small:
        small.keep("<p>small</p>")
    assert {one.name for one in tmp_path.iterdir()} == {"trec.html"}


@pytest.mark.usefixtures("small_files")
def test_somebody_elses_folder_stays(tmp_path) -> None:
    (tmp_path / "trec_data").mkdir()
    (tmp_path / "trec_data" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="trec_data: exists and is not a folder of report data"):
        written_folder(tmp_path / "trec.html", {"topic/1": "large"})
    with DataFolder(tmp_path / "trec.html") as small:
        small.keep("<p>small</p>")
    assert (tmp_path / "trec_data" / "thesis.tex").read_text() == "years of work"


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize("when", ["before", "while the page is written"])
def test_an_interruption_leaves_everything_as_it_was(tmp_path, monkeypatch, when) -> None:
    _, files = written_folder(tmp_path / "trec.html", {"topic/1": "old"}, "<p>old</p>")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    if when != "before":
        monkeypatch.setattr(sites, "write_whole", interrupted)

    def write() -> None:
        with DataFolder(tmp_path / "trec.html") as folder:
            folder.add({"topic/1": "new and large"})
            if when == "before":
                interrupted()
            folder.files()
            folder.keep("<p>new</p>")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert {one.name for one in tmp_path.iterdir()} == {"trec.html", "trec_data"}
    assert {one.name for one in (tmp_path / "trec_data").iterdir()} == {MARK, files[0][1]}
    assert (tmp_path / "trec.html").read_text() == "<p>old</p>"


@pytest.mark.usefixtures("small_files")
def test_an_interruption_of_the_first_report_leaves_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sites, "write_whole", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(InputError, match="cannot be written: No space left"):
        written_folder(tmp_path / "trec.html", {"topic/1": "large enough"})
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("small_files")
def test_reports_that_differ_in_their_endings_alone_do_not_share_a_folder(tmp_path) -> None:
    """Red before: the second took the first one's data away."""
    one, _ = written_folder(tmp_path / "trec.html", {"topic/1": "one"})
    two, _ = written_folder(tmp_path / "trec.htm", {"topic/1": "two"})
    assert (one.name, two.name) == ("trec_data", "trec.htm_data")
    assert {path.name for path in tmp_path.iterdir()} == {"trec.html", "trec_data", "trec.htm", "trec.htm_data"}


@pytest.mark.usefixtures("small_files")
def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sites, "safe_json", lambda sheets: "{}")
    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(InputError, match="trec_data: cannot be written: No space left on device"):
        written_folder(tmp_path / "trec.html", {"topic/1": "large enough"})
    assert [*tmp_path.iterdir()] == []
