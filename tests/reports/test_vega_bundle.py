"""The chart script is made anew in every process, and comes from nowhere but vl-convert."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256

import pytest

from assay.reports import vega_bundle

vl_convert = pytest.importorskip("vl_convert")


@pytest.fixture
def fresh(monkeypatch):
    """As in a process that has made no bundle."""
    vega_bundle.chart_runtime.cache_clear()
    monkeypatch.setattr(vega_bundle, "_started", [])
    yield
    for child in vega_bundle._started:
        child.communicate()
    vega_bundle.chart_runtime.cache_clear()


def test_no_file_of_the_users_cache_runs_in_a_report(tmp_path) -> None:
    """Up to 0.2.0 a file of the cache was trusted by the hash that stood in the same file."""
    cache, evil = tmp_path / "cache" / "assay", b"window.poisoned = true"
    cache.mkdir(parents=True)
    kept = cache / f"vega-of-vl-convert-{vl_convert.__version__}.js"
    kept.write_bytes(sha256(evil).hexdigest().encode() + evil)
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "a.run").write_text("1 Q0 a 1 1 a\n2 Q0 b 1 1 a\n")
    (tmp_path / "vl_convert.py").write_text("raise SystemExit('a module of the working directory')")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path / "home")}
    code = "import sys; from assay.cli import main; sys.exit(main())"
    words = ["report", "qrels", "a.run", "-o", "report.html", "--trials", "0"]
    subprocess.run([sys.executable, "-P", "-c", code, *words], cwd=tmp_path, env=environment, check=True)
    page = (tmp_path / "report.html").read_text()
    assert "poisoned" not in page
    assert "vegaEmbed" in page
    assert not (tmp_path / "home").exists()
    assert [path.name for path in cache.iterdir()] == [kept.name], "nothing is written there either"


def test_a_child_process_makes_the_bundle_meanwhile(fresh, monkeypatch) -> None:
    made = vl_convert.javascript_bundle()
    vega_bundle.start_bundling()
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda: pytest.fail("made twice"))
    assert vega_bundle.chart_runtime() == made.replace("</script", "<\\/script")


def test_one_child_serves_a_process(fresh) -> None:
    """A server of pages, or a caller that writes a hundred reports, left a child waiting behind each."""
    vega_bundle.start_bundling()
    vega_bundle.start_bundling()
    assert len(vega_bundle._started) == 1
    assert "vega" in vega_bundle.chart_runtime()
    vega_bundle.start_bundling()
    assert vega_bundle._started == []


@pytest.mark.parametrize("program", [None, "/nowhere/python", "false"])
def test_a_child_that_fails_is_no_problem(fresh, monkeypatch, program) -> None:
    monkeypatch.setattr(vega_bundle.sys, "executable", program)
    vega_bundle.start_bundling()
    assert "vega" in vega_bundle.chart_runtime()


def test_the_runtime_can_stand_in_a_script_element() -> None:
    assert "</script" not in vega_bundle.chart_runtime()
    assert "vega" in vega_bundle.chart_runtime()
