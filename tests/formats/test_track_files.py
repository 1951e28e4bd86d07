"""The files of the tracks: patterns, support, sets, periods, characteristics, nuggets; and bad ones."""

from __future__ import annotations

import contextlib
import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayError, FormatError, InputError
from assay.formats.answers import read_answers
from assay.formats.characteristics import in_words, read_characteristics
from assay.formats.filtering import read_sets
from assay.formats.nuggets import read_nugget_run, read_nuggets
from assay.formats.patterns import read_patterns, read_support
from assay.formats.periods import read_periods
from assay.formats.sources import Source, source_of


def source(text: str, name: str = "file") -> Source:
    return Source(name, data=text.encode())


class TestPatterns:
    def test_number_then_expression_to_the_end_of_the_line(self):
        text = "# TREC\n894  5\\s+feet |\\bfive feet\\b\n\n894 60 inches\r\n895 NIL\n"
        first, second = read_patterns(source(text))
        assert (first.id, first.line, first.patterns) == ("894", 2, ["5\\s+feet |\\bfive feet\\b", "60 inches"])
        assert (second.nil, second.patterns) == (True, [])

    def test_the_same_pattern_twice_is_one_pattern(self):
        (question,) = read_patterns(source("1 a\n1 b\n1 a\n"))
        assert question.patterns == ["a", "b"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1 ok\n2 (unclosed\n", r"^file:2: '\(unclosed' is no regular expression"),
            ("1 ok\n2\n", r"^file:2: question '2' has no pattern"),
            ("# nothing\n", r"^file: is empty"),
        ],
    )
    def test_bad_patterns_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_patterns(source(text))

    def test_support(self):
        assert read_support(source("1 d1 d2\n1 d3\n"), {"1"}) == {"1": {"d1", "d2", "d3"}}
        with pytest.raises(FormatError, match=r"^file:2: question '7' is not in the gold"):
            read_support(source("1 d1\n7 d1\n"), {"1"})
        with pytest.raises(FormatError, match=r"^file:1: question '1' has no document"):
            read_support(source("1\n"), {"1"})


class TestSets:
    def test_plain_lists_and_trec_runs_are_the_same_sets(self):
        plain = read_sets(source("R1 d1\nR2 d9\nR1 d2\n"))
        trec = read_sets(source("R1 Q0 d1 1 2.5 tag\nR2 Q0 d9 1 1e-3 tag\nR1 Q0 d2 2 -1 tag\n"))
        assert {t: set(d) for t, d in plain.topics.items()} == {t: set(d) for t, d in trec.topics.items()}
        assert (plain.tag, trec.tag) == ("", "tag")
        assert plain.topics["R1"] == {"d1": 1, "d2": 3}

    def test_compressed_bom_crlf_and_comments(self, tmp_path):
        path = tmp_path / "run.gz"
        path.write_bytes(gzip.compress(b"\xef\xbb\xbfR1\td1\r\n# note\r\n\r\nR1 d2"))
        assert set(read_sets(source_of(path)).topics["R1"]) == {"d1", "d2"}

    def test_dicts_and_frames(self):
        pandas = pytest.importorskip("pandas")
        assert set(read_sets(Source("x", data={"R1": ["d1", "d2"], "R2": []})).topics["R1"]) == {"d1", "d2"}
        assert set(read_sets(Source("x", data={"R1": {"d1": 2.0}})).topics["R1"]) == {"d1"}
        frame = pandas.DataFrame({"query_id": ["R1", "R1"], "doc_id": ["d1", "d2"]})
        assert set(read_sets(Source("x", data=frame)).topics["R1"]) == {"d1", "d2"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("R1 d1 d2\n", r"^file:1: expected 2 fields \(topic, document\) or 6 .*, found 3"),
            ("R1 d1\nR1 Q0 d2 1 1.0 t\n", r"^file:2: expected 2 fields as on the lines before, found 6"),
            ("R1 d1\nR1 d1\n", r"^file:2: document d1 appears a second time in topic R1, first on line 1"),
            ("R1 Q0 d1 1 high t\n", r"^file:1: expected a number as score \(field 5\), found 'high'"),
            ("R1 Q0 d1 1 nan t\n", r"^file:1: expected a number as score"),
            ("\n# only this\n", r"^file: is empty"),
            ("R1 d\0\n", r"^file:1: holds a zero byte"),
        ],
    )
    def test_bad_sets_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_sets(source(text))

    def test_bad_objects(self):
        with pytest.raises(InputError, match="topic R1: expected its documents, found 7"):
            read_sets(Source("x", data={"R1": 7}))
        with pytest.raises(InputError, match="expected a path, bytes"):
            read_sets(Source("x", data=object()))


class TestPeriods:
    def test_numeric_boundaries_are_inclusive_and_compare_as_numbers(self):
        periods = read_periods(source("900\n2000\n30000\n"))
        assert [periods.of(d) for d in ("7", "900", "901", "2000", "2001", "30000", "30001")] == [0, 0, 1, 1, 2, 2, 3]
        assert periods.labels == ["up to 900", "900 to 2000", "2000 to 30000", "after 30000"]
        assert periods.of("WSJ-1") is None

    def test_numbers_of_any_length_and_zeros_in_front(self):
        long = "1" + "0" * 5000  # more digits than int() takes
        periods = read_periods(source(f"0009\n10\n{long}\n"))
        ids = ("0", "9", "010", "11", "9" * 5000, long, "0" + long, long[:-1] + "1")
        assert [periods.of(d) for d in ids] == [0, 0, 1, 2, 2, 2, 2, 3]

    def test_other_ids_compare_as_bytes(self):
        periods = read_periods(source("WSJ88\nWSJ90\n"))
        assert [periods.of(d) for d in ("AP1", "WSJ88", "WSJ881", "WSJ90", "WSJ91")] == [0, 0, 1, 1, 2]

    def test_times_cut_the_span_into_equal_periods(self):
        days = read_periods(source("d1 2001-01-01\nd2 2001-01-02T00:00\nd3 2001-01-03\nd4 2001-01-04\nd5 2001-01-05\n"))
        # Four days from first to last: a period a day, the last one holding both ends.
        assert [days.of(f"d{i}") for i in range(1, 6)] == [0, 1, 2, 3, 3]
        assert days.labels[0] == "2001-01-01 to 2001-01-01"
        assert days.labels[3] == "2001-01-04 to 2001-01-05"
        numbers = read_periods(source("a 1\nb 2\nc 3\nd 4\n"))
        assert [numbers.of(d) for d in "abcd"] == [0, 1, 2, 3]
        halves = read_periods(source("a 1\nb 2.4\nc 2.5\nd 4\n"), count=2)
        assert [halves.of(d) for d in "abcd"] == [0, 0, 1, 1]
        assert halves.of("unknown") is None
        assert [read_periods(source("a 5\nb 5\n")).of(d) for d in "ab"] == [0, 0]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("900\n2000\n1000\n", r"^file:3: boundary 1000 does not come after 2000 on line 2 \(as numbers\)"),
            ("900\n900\n", r"^file:2: boundary 900 does not come after 900 on line 1"),
            ("WSJ90\nWSJ88\n", r"^file:2: boundary WSJ88 does not come after WSJ90 on line 1 \(as bytes\)"),
            ("d1 2001-01-01\nd2 soon\n", r"^file:2: time 'soon': expected an ISO date"),
            ("d1 17\nd2 2001-01-01\n", r"^file:2: time '2001-01-01': expected a number"),
            ("d1 17\nd2 1e999999999\n", r"^file:2: time '1e999999999': expected a number"),
            (f"d1 17\nd2 {'9' * 5000}\n", r"^file:2: time '9+': expected a number of at most 1000 digits"),
            ("d1 1\nd1 2\n", r"^file:2: document d1 has a time already on line 1"),
            ("d1 1 x\n", r"^file:1: expected a document id, or a document and its time, found 3 fields"),
            ("d1 1\nd2\n", r"^file:2: expected 2 fields as on line 1, found 1"),
            ("", r"^file: is empty"),
        ],
    )
    def test_bad_periods_name_their_line(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_periods(source(text))

    def test_a_count_that_contradicts_the_boundaries(self):
        with pytest.raises(AssayError, match="2 boundaries, which make 3 periods, not 4"):
            read_periods(source("1\n2\n"), count=4)
        assert len(read_periods(source("1\n2\n"), count=3).labels) == 3
        with pytest.raises(AssayError, match="at least 1"):
            read_periods(source("a 1\n"), count=0)


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
            (f"x = {'9' * 5000}", r"^file: is not TOML: Exceeds the limit"),
        ],
    )
    def test_bad_toml(self, text: str, message: str):
        with pytest.raises(InputError, match=message):
            read_characteristics(source(text))


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
            ('{"id": "1", "answer": "a"}\n{"id": "1", "answer": "b"}', r"^file:2: .* answered already on line 1"),
            ("{", r"^file:1: broken JSON"),
        ],
    )
    def test_bad_runs_name_their_line(self, text: str, message: str):
        with pytest.raises(FormatError, match=message):
            read_nugget_run(source(text))


class TestRankedAnswers:
    def test_ranks_order_the_answers(self):
        rows = read_answers(source('{"id": 1, "answers": [{"text": "b", "rank": 2}, {"text": "a", "rank": 1}]}'))
        assert [answer.text for answer in rows.answers(0)] == ["a", "b"]

    def test_final_and_confident(self):
        rows = read_answers(
            source(
                '{"id": 1, "answers": ["a", {"text": "b", "final": true}], "confident": true}\n'
                '{"id": 2, "answers": ["a", "b"], "final": 2, "confident": false}\n'
                '{"id": 3, "answers": ["a", "b"]}\n'
            )
        )
        assert (rows.finals, rows.confident) == ({0: 2, 1: 2}, {0: True, 1: False})
        assert rows.texts == ["b", "b", "a"]

    @pytest.mark.parametrize(
        ("answers", "message"),
        [
            ('[{"text": "a", "rank": 1}, {"text": "b", "rank": 3}]', "'q' has no rank 2; expected ranks from 1 to 2"),
            ('[{"text": "a", "rank": 1}, {"text": "b", "rank": 1}]', "'q' has rank 1 twice"),
            ('[{"text": "a", "rank": 0}, {"text": "b", "rank": 1}]', "'q' has no rank 2"),
            ('[{"text": "a", "rank": 1}, {"text": "b"}]', "'q' has no rank 2"),
            ('[{"text": "a", "final": true}, {"text": "b", "final": true}]', "'q' has 2 final answers, 1 and 2"),
            ('["a", "b"], "final": [1, 2]', "'q' has 2 final answers, 1 and 2"),
            ('["a", {"text": "b", "final": true}], "final": 1', "'q' has 2 final answers, 1 and 2"),
            ('["a", "b"], "final": 3', "final 3: expected a number from 1 to 2"),
        ],
    )
    def test_bad_lists_name_their_line(self, answers: str, message: str):
        with pytest.raises(FormatError, match=f"^file:2: .*{message}"):
            read_answers(source(f'{{"id": "p", "answer": "x"}}\n{{"id": "q", "answers": {answers}}}\n'))

    def test_an_empty_answer_would_shift_the_ranks(self):
        with pytest.raises(FormatError, match=r"^file:1: answer 1 to question 'q' is empty"):
            read_answers(source('{"id": "q", "answers": ["", "a"]}'), ranked=True)


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\n",
        " ",
        "\t",
        "(",
        "*",
        "\\",
        "#",
        "=",
        "\ufeff",
        "1",
        "-1",
        "1e999",
        "true",
        "null",
    ]
) | st.sampled_from(
    [
        '"id"',
        '"answers"',
        '"text"',
        '"nuggets"',
        '"rank"',
        '"final"',
        '"a"',
        "Q0",
        "R1",
        "d1",
        "2001-01-01",
        "9999-12-31T23",
    ]
)
READERS = [
    read_patterns,
    lambda source: read_support(source, {"1", "R1"}),
    read_sets,
    read_periods,
    read_characteristics,
    read_nuggets,
    read_nugget_run,
    read_answers,
]


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join) | st.binary(max_size=40), st.sampled_from(READERS))
def test_whatever_stands_in_a_file_the_error_is_ours(content, reader):
    data = content.encode() if isinstance(content, str) else content
    with contextlib.suppress(AssayError):
        reader(Source("file", data=data))
