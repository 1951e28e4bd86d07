"""What an organiser says of each run."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.formats.auxiliary.characteristics import in_words, read_characteristics
from assay.io.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


class TestCharacteristics:
    def test_tables_per_run_and_what_holds_for_all(self):
        text = 'task = "adaptive"\n[run1]\nlinks = true\ndescription = ["a", "b"]\nday = 2001-11-13\n["run 2"]\n'
        shared, runs = read_characteristics(source(text))
        assert shared == {"task": "adaptive"}
        assert runs == {"run1": {"links": True, "description": ["a", "b"], "day": "2001-11-13"}, "run 2": {}}
        assert in_words(runs["run1"]["description"]) == "a, b"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[run1]\nlinks = yes\n", r"^file:2: is not TOML"),
            ('[run1]\na = "b', r"^file:2: is not TOML"),
            ("", r"^file: is empty"),
            ("[r]\nx = nan\n", r"^file: \[r\] x = nan: expected a finite number"),
            (f"x = {'[' * 5000}", r"^file: holds brackets in brackets too deep"),
            (f"x = {'9' * 5000}", r"^file: is not TOML: a number of thousands of digits"),
            (f"x = 0x{'f' * 5000}", r"^file: x: a whole number of more than 64 bits"),
            (f"{'.'.join('a' * 900)} = 1", r"^file: \[a\] a\.a.* …: more than 20 keys or brackets deep"),
            (f"[{'.'.join('a' * 900)}]\nb = 1", r"^file: \[a\] a\.a.* …: more than 20 keys or brackets deep"),
        ],
    )
    def test_bad_toml(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_characteristics(source(text))
