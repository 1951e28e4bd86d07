"""The chart script is bundled once, kept, and never taken from a cache that is not what was kept."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from assay.reports import runtime


class Bundler(SimpleNamespace):
    """What vl-convert is to the cache: a version, and a bundle that takes a while."""

    def __init__(self, version: str = "1.0", body: str = "draw('é')") -> None:
        super().__init__(__version__=version, made=0, body=body)

    def javascript_bundle(self) -> str:
        self.made += 1
        return self.body


def test_the_second_report_bundles_nothing(tmp_path) -> None:
    bundler = Bundler()
    where = str(tmp_path / "new" / "assay")
    assert [runtime.bundled(bundler, where) for _ in range(3)] == ["draw('é')"] * 3
    assert bundler.made == 1


def test_another_version_has_a_bundle_of_its_own(tmp_path) -> None:
    runtime.bundled(Bundler("1.0", "old"), str(tmp_path))
    assert runtime.bundled(Bundler("2.0", "new"), str(tmp_path)) == "new"
    assert runtime.bundled(Bundler("1.0", "unused"), str(tmp_path)) == "old"


@pytest.mark.parametrize(
    "damage", [lambda body: body[:-1], lambda body: b"", lambda body: body[:64] + b"\xff" + body[65:]]
)
def test_a_damaged_file_is_made_anew(tmp_path, damage) -> None:
    runtime.bundled(Bundler(), str(tmp_path))
    [kept] = tmp_path.iterdir()
    kept.write_bytes(damage(kept.read_bytes()))
    bundler = Bundler()
    assert runtime.bundled(bundler, str(tmp_path)) == "draw('é')"
    assert bundler.made == 1
    assert runtime.bundled(bundler, str(tmp_path)) == "draw('é')"
    assert bundler.made == 1, "what was damaged has been replaced"


def test_a_folder_that_cannot_be_written_is_no_problem(tmp_path) -> None:
    (tmp_path / "file").write_text("in the way")
    bundler = Bundler()
    assert runtime.bundled(bundler, str(tmp_path / "file")) == "draw('é')"
    assert runtime.bundled(bundler, None) == "draw('é')"
    assert bundler.made == 2


def test_nothing_is_left_beside_the_file(tmp_path) -> None:
    runtime.bundled(Bundler(), str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["vega-of-vl-convert-1.0.js"]


def test_the_folder_is_where_the_user_says(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert runtime.folder() == os.path.join(str(tmp_path), "assay")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert runtime.folder() is None, "a user without a home has no cache"


def test_the_runtime_can_stand_in_a_script_element() -> None:
    pytest.importorskip("vl_convert")
    assert "</script" not in runtime.chart_runtime()
    assert "vega" in runtime.chart_runtime()
