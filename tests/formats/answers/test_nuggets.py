"""Definition questions and their nuggets."""

from __future__ import annotations

import pytest

from assay.errors import FormatError
from assay.formats.answers.nuggets import read_nugget_run, read_nuggets
from assay.io.sources import Source


def source(text: str | bytes, name: str = "file") -> Source:
    return Source(name, data=text.encode() if isinstance(text, str) else text)


class TestNuggets:
    def test_lengths_count_what_is_not_white(self):
        run = source(
            '{"id": 1, "answer": "a b\\tc\\n", "nuggets": ["x"]}\n'
            '{"id": 2, "answers": [{"text": "ab", "nuggets": [7]}, "c d"]}\n'
            '{"id": 3, "nuggets": [], "length": 12}\n'
            '{"id": 4, "answer": "said"}\n'
            '{"id": 5, "answer": null}\n'
        )
        answers = read_nugget_run(run)
        assert [answer.length for answer in answers] == [3, 4, 12, 4, 0]
        assert [answer.nuggets for answer in answers] == [["x"], ["7"], [], None, []]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('{"id": "1", "nuggets": []}', r"^file:1: question '1' has no nuggets"),
            ('{"id": "1", "nuggets": [{"id": "a"}, {"id": "a"}]}', r"^file:1: question '1' has the nugget 'a' twice"),
            ('{"id": "1", "nuggets": [{"id": "a", "votes": -1}]}', r"^file:1: nugget 'a' has -1 votes"),
            ('\n{"id": "1", "nuggets": [{"id": "a", "patterns": ["["]}]}', r"^file:2: '\[' is no regular expression"),
            ('{"id": "1", "nuggets": [{"vital": true}]}', r"^file:1: Object missing required field `id`"),
            (
                '{"id": "1", "nuggets": [{"id": 1}]}\n{"id": 1, "nuggets": [{"id": 1}]}',
                r"^file:2: .* already on line 1",
            ),
        ],
    )
    def test_bad_gold_names_its_line(self, text: str, message: str):
        with pytest.raises(FormatError, match=message):
            read_nuggets(source(text))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('{"id": "1"}', r"^file:1: question '1' gives no answer"),
            ('{"id": "1", "answer": "a", "answers": []}', r"^file:1: question '1' has both answer and answers"),
            ('{"id": "1", "answer": "a", "length": -1}', r"^file:1: length -1"),
            ('{"id": "1", "answer": "a"}\n{"id": "1", "answer": "b"}', r"^file:2: .* is already on line 1"),
            ("{", r"^file:1: broken JSON"),
        ],
    )
    def test_bad_runs_name_their_line(self, text: str, message: str):
        with pytest.raises(FormatError, match=message):
            read_nugget_run(source(text))
