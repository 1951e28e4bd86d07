"""Takes the pictures of the docs from the reports of `assay demo --gallery`: needs chromium, poppler-utils, playwright and pillow.

make pictures
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from assay.cli import main as assay
from assay.demo.gallery import CAMPAIGNS
from assay.figures.palette import DARK, LIGHT

HERE = Path(__file__).parent
DESK, TABLET, PHONE = (1280, 900), (768, 1024), (390, 844)
COLOURS = 80
GAP, ROWS = 10, (400, 390)


class View(NamedTuple):
    """A report, an address in it, and how it is looked at."""

    report: str
    address: str
    scheme: str = "light"
    window: tuple[int, int] = DESK
    down: int = 0


SINGLE = {
    "report-light": View("ranked", ""),
    "report-dark": View("outcomes", "", "dark"),
    "report-run": View("ranked", "#run/rerank", "light", (1280, 1120)),
    "report-compare": View("ranked", "#compare/rerank/dense", "light", DESK),
    "report-answers": View("outcomes", "#run/careful-70b", "dark", (1280, 1120)),
}
"""Pictures of one page each, by their names."""


def keep(name: str, image: Image.Image) -> None:
    """In a palette, which is a third of the size: the colours that most of the picture has, and those of the themes, rare or not."""
    whole = image.convert("RGB")
    common = whole.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=3).getpalette() or []
    themed = [int(colour[at : at + 2], 16) for one in (LIGHT, DARK) for colour in one.values() for at in (1, 3, 5)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([*common[: 3 * COLOURS], *themed])
    few = whole.quantize(palette=palette, dither=Image.Dither.NONE)
    few.save(HERE / f"{name}.png", optimize=True)


def settle(page: Page) -> None:
    """Wait until what is in sight is drawn."""
    page.wait_for_selector(".view:not([hidden]) h2")
    page.wait_for_function(
        """() => [...document.querySelectorAll(".view:not([hidden]) .chart")]
            .every((chart) => chart.dataset.state === "drawn" || !chart.checkVisibility())"""
    )
    page.wait_for_timeout(300)


def taken(browser: Browser, folder: Path, view: View, at: str = "") -> Image.Image:
    """A picture of a view, from a place far enough down, or from an element."""
    width, height = view.window
    page = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme=view.scheme, reduced_motion="reduce"
    )
    page.goto((folder / f"{view.report}.html").resolve().as_uri() + view.address)
    settle(page)
    folds = page.locator("#topic-runs summary")
    if view.address.startswith("#topic/") and folds.count():
        folds.first.click()
    page.evaluate(
        "([at, down]) => scrollTo(0, at ? document.querySelector(at).getBoundingClientRect().top + scrollY - 20 : down)",
        [at, view.down],
    )
    settle(page)
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture


def paper(pdf: Path) -> Image.Image:
    """The first page of a PDF."""
    first = pdf.with_suffix("")
    subprocess.run(["pdftoppm", "-r", "90", "-png", "-singlefile", str(pdf), str(first)], check=True)
    return Image.open(first.with_suffix(".png"))


def printed(browser: Browser, folder: Path, report: str, address: str) -> Image.Image:
    """The first page of what a reader prints, whose screen is dark."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page.goto((folder / f"{report}.html").resolve().as_uri() + address)
    settle(page)
    pdf = folder / "printed.pdf"
    page.pdf(path=str(pdf), format="A4")
    page.close()
    return paper(pdf)


def side_by_side(rows: list[list[Image.Image]]) -> Image.Image:
    """Pictures in rows of one height each, on grey."""
    fitted = [
        [
            one.convert("RGB").resize((round(one.width * tall / one.height), tall), Image.Resampling.LANCZOS)
            for one in row
        ]
        for row, tall in zip(rows, ROWS, strict=True)
    ]
    widths = [sum(one.width for one in row) + GAP * (len(row) + 1) for row in fitted]
    sheet = Image.new("RGB", (max(widths), sum(ROWS) + GAP * (len(rows) + 1)), "#8b93a0")
    y = GAP
    for row, width, tall in zip(fitted, widths, ROWS, strict=True):
        x = GAP + (sheet.width - width) // 2
        for one in row:
            sheet.paste(one, (x, y))
            x += one.width + GAP
        y += tall + GAP
    return sheet


def every_screen(browser: Browser, folder: Path, name: str) -> Image.Image:
    """One report on a desk, a tablet and a phone, light and dark, and printed: the leaderboard, a run, a topic, a section."""
    text = (folder / f"{name}.html").read_text("utf-8")
    data = json.loads(text.partition('id="report-data">')[2].partition("</script>")[0])
    run, topic = f"#{data['pages'][1][0]}", f"#topic/{quote(data['topics'][len(data['topics']) // 2], safe='')}"
    desk = [taken(browser, folder, View(name, "")), taken(browser, folder, View(name, run, "dark", DESK, 230))]
    small = [
        taken(browser, folder, View(name, topic, "light", TABLET, 200)),
        taken(browser, folder, View(name, "", "dark", TABLET), "#campaign > section:nth-of-type(2)"),
        taken(browser, folder, View(name, "", "light", PHONE), "#leaderboard"),
        taken(browser, folder, View(name, run, "dark", PHONE), ".run-title"),
        printed(browser, folder, name, run),
    ]
    return side_by_side([desk, small])


def main(folder: Path) -> None:
    book = folder.resolve() / "rerank.pdf"
    with contextlib.chdir(folder / "data" / "ranked"):
        assay([*CAMPAIGNS["ranked"].command(str(book)), "--run", "rerank"])
    keep("report-pdf", paper(book))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for name, view in SINGLE.items():
            keep(name, taken(browser, folder, view))
        keep("report-print", printed(browser, folder, "ranked", "#run/rerank"))
        for name in CAMPAIGNS:
            keep(f"gallery-{name}", every_screen(browser, folder, name))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
