"""What every result can do; tests/test_front_door.py holds each of them to it."""

from __future__ import annotations

import pytest

from assay.errors import InputError, UsageError
from assay.table.results import BACKENDS, Result


class Two(Result):
    def rows(self):
        return ["run", "AP"], [["a", 0.5], ["b", None]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_its_rows_are_the_frame(backend) -> None:
    pytest.importorskip(backend)
    frame = Two().to_frame(backend)
    assert type(frame).__module__.split(".")[0] == backend
    assert frame.shape == (2, 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_package_that_is_not_installed_is_named_with_its_remedy(backend, monkeypatch) -> None:
    import narwhals

    def absent(*_, **__):
        raise ModuleNotFoundError(f"No module named {backend!r}")

    monkeypatch.setattr(narwhals, "from_dict", absent)
    with pytest.raises(UsageError, match=rf"^{backend} is not installed: pip install 'assay-eval\[frames\]'$"):
        Two().to_frame(backend)


def test_ids_that_are_no_utf_8_have_no_frame(monkeypatch) -> None:
    pytest.importorskip("polars")
    monkeypatch.setattr(Two, "rows", lambda self: (["run"], [["\udcff"]]))
    with pytest.raises(InputError, match="an id is not UTF-8"):
        Two().to_frame("polars")


def test_what_a_result_must_say_itself() -> None:
    with pytest.raises(NotImplementedError):
        Result().rows()
    with pytest.raises(NotImplementedError):
        Result().to_dict()
