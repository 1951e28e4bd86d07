"""argparse's complaints."""

from __future__ import annotations

import pytest

from assay.cli.parsing import Parser


def test_what_was_typed_is_shown_as_text(capsys) -> None:
    with pytest.raises(SystemExit) as stopped:
        Parser(prog="assay").parse_args(["\x1b[2J" + "x" * 10_000])
    assert stopped.value.code == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert r"unrecognized arguments: \x1b[2Jxxx" in err
    assert len(err) < 500
