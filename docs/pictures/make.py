"""Takes the pictures of the docs from the reports of `assay demo`: needs chromium, poppler-utils, playwright and pillow.

assay demo -o /tmp/tour && python docs/pictures/make.py /tmp/tour
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
WIDTH = 1280
VIEWS = {
    "report-light": ("ranked.html", "", "light", 0, 900),
    "report-dark": ("ranked.html", "", "dark", 260, 1500),
    "report-run": ("ranked.html", "#run/rerank", "light", 230, 1120),
    "report-compare": ("ranked.html", "#compare/rerank/dense", "light", 230, 900),
    "report-answers": ("answers.html", "#run/careful", "dark", 230, 1120),
}


def keep(name: str, picture: bytes | Path) -> None:
    """A palette of the colours that are furthest apart: few enough to be small, and none of the series merge."""
    with Image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture) as image:
        image.convert("RGB").quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
            HERE / f"{name}.png", optimize=True
        )


def show(page: Page, address: str, down: int) -> None:
    page.goto(address)
    page.wait_for_selector('.view:not([hidden]) [data-state="drawn"]')
    page.evaluate(f"scrollTo(0, {down})")
    page.wait_for_timeout(1500)


def main(folder: Path) -> None:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for name, (file, view, scheme, down, height) in VIEWS.items():
            page = browser.new_page(
                viewport={"width": WIDTH, "height": height}, color_scheme=scheme, reduced_motion="reduce"
            )
            show(page, (folder / file).resolve().as_uri() + view, down)
            keep(name, page.screenshot())
            page.close()
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="dark")
        show(page, (folder / "ranked.html").resolve().as_uri() + "#run/rerank", 0)
        page.pdf(path=str(folder / "print.pdf"), format="A4")
        browser.close()
    for name, file in (("report-print", "print.pdf"), ("report-pdf", "rerank.pdf")):
        first = folder / name
        subprocess.run(["pdftoppm", "-r", "90", "-png", "-singlefile", str(folder / file), str(first)], check=True)
        keep(name, first.with_suffix(".png"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
