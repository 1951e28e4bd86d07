"""Score tables from files, from numbers one has already, and back."""

from __future__ import annotations

import json
import pickle
from typing import ClassVar

import pytest
from sampled_tables import scored

import assay
from assay.errors import InputError, UsageError
from assay.measures.registry import find
from assay.scoring.score_files import read_scores, scores


class TestNumbersOneHas:
    def test_rows_arrays_and_mappings_are_the_same_table(self):
        numpy = pytest.importorskip("numpy")
        rows = [[0.5, 0.25], [1.0, None]]
        tables = [
            assay.scores(rows, runs=["a", "b"], topics=["x", "y"]),
            assay.scores(numpy.array(rows, dtype=float), runs=["a", "b"], topics=["x", "y"]),
            assay.scores({"a": {"x": 0.5, "y": 1.0}, "b": {"x": 0.25}}),
        ]
        for table in tables:
            assert table["score", "a"] == {"x": 0.5, "y": 1.0}
            assert table["score"] == {"a": 0.75, "b": 0.25}
            assert table.status("b", "score") == ["scored", "missing"]

    def test_names_that_are_not_given_are_numbers(self):
        table = assay.scores([[1, 2], [3, 4]])
        assert (table.runs, table.topics) == (["run1", "run2"], ["1", "2"])

    @pytest.mark.parametrize(
        ("values", "names", "problem"),
        [
            ([[1, 2], [3]], {}, "expected a row of 2 values"),
            ([[1, 2]], {"runs": ["a"]}, "expected a row of 1 values"),
            ([[1, 2]], {"runs": ["a", "a"]}, "two runs have the same name"),
            ([[1], [2]], {"topics": ["x", "x"]}, "two topics have the same name"),
            ([1.0, 2.0], {}, "expected a table of numbers"),
            ([], {}, "expected a table of numbers"),
            ({"a": [1, 2]}, {}, "expected a value by topic for each run, found list"),
            ([[1, 2]], {"topics": ["x", "y"]}, "for each of 2 topics"),
            ([[1, "x"]], {}, "run run2, topic 1: expected a finite number"),
            ([[1, float("inf")]], {}, "run run2, topic 1: expected a finite number"),
        ],
    )
    def test_what_is_no_table(self, values, names, problem):
        with pytest.raises(InputError, match=problem):
            assay.scores(values, **names)


class TestScoreTables:
    def test_matrix_and_back(self):
        text = "topic,a,b\n1,0.5,NA\n2,0.25,1.0\n"
        scores = read_scores(text.encode(), ["AP"])
        assert scores.to_csv("AP") == text
        assert scores.status("b", "AP") == ["missing", "scored"]

    def test_missing_cells_count_as_zero_on_request(self):
        scores = read_scores([b"topic,a,b\n1,0.5,NA\n2,1,0.5\n"], missing="zero")
        assert scores.mean("score") == {"a": 0.75, "b": 0.25}

    def test_measures_with_a_known_name_keep_their_declaration(self):
        assert read_scores([b"topic,a\n1,3\n"], ["P@10"]).measure("P@10") == find("P@10")

    def test_several_matrices_are_several_measures(self):
        scores = read_scores([b"topic,a,b\n1,1,2\n", b"topic,a,b\n1,3,4\n"], ["AP", "RR"])
        assert (scores.mean("AP"), scores.mean("RR")) == ({"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 4.0})
        with pytest.raises(InputError, match="for run a were read already"):
            read_scores([b"topic,a\n1,1\n", b"topic,a\n1,3\n"])
        with pytest.raises(UsageError, match="expected 2 names, one per matrix; matrices are"):
            read_scores([b"topic,a\n1,1\n", b"topic,a\n1,3\n"], ["AP"])

    def test_a_hole_in_one_measure_alone_is_left_out_there(self):
        scores = read_scores([b"topic,a,b\n1,1,NA\n2,3,2\n3,5,3\n", b"topic,a,b\n1,1,1\n2,1,1\n3,1,1\n"], ["AP", "RR"])
        assert (assay.compare(scores, "AP").topics, assay.compare(scores, "RR").topics) == (2, 3)
        assert scores.mean("AP") == {"a": 3.0, "b": 2.5}

    def test_json_of_outcomes_gives_c_at_1_back(self):
        topics = {f"q{i}": {"correct": int(c == "+"), "unanswered": int(c == ".")} for i, c in enumerate("++-.+")}
        content = json.dumps({"task": "outcomes", "runs": [{"run": "a", "topics": topics}]}).encode()
        # 3 right, 1 unanswered of 5: (3 + 3/5)/5.
        assert read_scores([content], ["c@1"]).mean("c@1") == {"a": pytest.approx(0.72)}

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (b"{", "broken JSON"),
            (b'{"pairs": []}', "not a result of `assay evaluate"),
            (b'{"runs": [{"run": "a", "scores": {}}]}', "has no scores per topic"),
            (b"PAR1 damaged", "not readable as Parquet"),
        ],
    )
    def test_other_files(self, content, says):
        with pytest.raises(InputError, match=says):
            read_scores([content])

    def test_a_measure_the_file_does_not_have(self):
        content = b'{"runs": [{"run": "a", "topics": {"1": {"AP": 0.5}}}]}'
        with pytest.raises(UsageError, match="no scores of RR; scores are of AP"):
            read_scores([content], ["RR"])


class TestFramesAndMappings:
    def test_frames_of_every_library_are_the_same_table(self):
        values = {"a": [0.5, 1.0, 0.2], "b": [0.25, 0.75, None]}
        for library in ("pandas", "polars"):
            module = pytest.importorskip(library)
            table = assay.scores(module.DataFrame(values), topics=["x", "y", "z"])
            assert table["score", "a"] == {"x": 0.5, "y": 1.0, "z": 0.2}
            assert table["score", "b"] == {"x": 0.25, "y": 0.75, "z": None}

    def test_names_beside_a_mapping_are_refused(self):
        with pytest.raises(UsageError, match="`runs` and `topics` name the rows"):
            assay.scores({"a": {"x": 1.0}}, runs=["b"])

    def test_numbers_are_not_read_and_files_are(self):
        with pytest.raises(UsageError, match=r"`assay.read_scores` reads files"):
            read_scores({"a": {"x": 1.0}})

    def test_one_measure_by_name_or_value(self):
        from assay.measures import AP

        assert read_scores(b"topic,a\n1,0.5\n", "AP")["AP"] == {"a": 0.5}
        assert read_scores(b"topic,a\n1,0.5\n", AP)["AP"] == {"a": 0.5}
        assert assay.scores([[0.5]], measure=AP)["AP"] == {"run1": 0.5}

    def test_a_table_travels(self):
        import pickle

        table = assay.scores([[0.5, 0.25]])
        assert pickle.loads(pickle.dumps(table))["score"] == table["score"]


@pytest.mark.parametrize("value", [1e308, -1e200])
def test_scores_whose_mean_would_be_infinite_are_refused(value) -> None:
    with pytest.raises(
        InputError, match=r"AP of run b, topic 2: scores as large as .* cannot be averaged; divide them"
    ):
        read_scores(f"topic,a,b\n1,1,1\n2,1,{value}\n".encode(), ["AP"])
    with pytest.raises(InputError, match="cannot be averaged"):
        scores([[1.0, value]])
    assert scores([[1e150, 1.0], [1e150, 1.0]])["score"] == {"run1": 1e150, "run2": 1.0}


class TestSampledQuestions:
    """Sums over samples stand in the file with the number of samples, without which a share of them would pass 1."""

    RUNS: ClassVar[dict[str, dict[str, str]]] = {
        "a": {"q1": "CCIN", "q2": "CII", "q3": "CCCC", "q4": "EEEE", "q5": "INNE"},
        "b": {"q1": "IICC", "q2": "IIN", "q3": "CC", "q4": "CCCI", "q5": "IIII"},
    }

    @pytest.fixture
    def table(self):
        return scored(self.RUNS, ["accuracy", "c@1", "score"])

    def back(self, table, measures=None):
        return assay.read_scores(json.dumps(table.to_dict()).encode(), measures)

    def test_measures_of_sums_are_what_they_were(self, table):
        read = self.back(table, ["accuracy", "c@1"])
        assert (
            read["accuracy"]
            == table["accuracy"]
            == {"a": (2 / 4 + 1 / 3 + 1 + 0) / 4, "b": (0.5 + 0 + 1 + 0.75 + 0) / 5}
        )
        assert read["c@1"] == table["c@1"]
        for name in ("accuracy", "c@1"):
            here, there = (assay.compare(one, name, resamples=200).pairs[0] for one in (read, table))
            assert (here.difference, here.decided_by, here.interval) == (
                there.difference,
                there.decided_by,
                there.interval,
            )

    def test_counts_read_as_scores_are_shares_of_the_samples(self, table):
        read = self.back(table, ["correct", "score"])
        assert read["correct", "a"] == {"q1": 0.5, "q2": 1 / 3, "q3": 1.0, "q4": None, "q5": 0.0}
        assert read["score"] == pytest.approx(table["score"])

    def test_parquet_holds_them_too(self, table):
        pytest.importorskip("pyarrow")
        from assay.cli.output import parquet

        assert assay.read_scores(parquet(table), ["c@1"])["c@1"] == table["c@1"]

    def test_a_number_of_samples_that_is_none_is_refused(self, table):
        told = table.to_dict()
        told["runs"][0]["topics"]["q1"]["samples"] = 2.5
        with pytest.raises(InputError, match=r"run a, topic q1: samples is 2\.5; expected a whole number"):
            assay.read_scores(json.dumps(told).encode(), ["c@1"])


def test_a_column_without_a_number_is_left_out_unless_it_is_asked_for():
    topics = {"q1": {"AP": 0.5, "confidence": None}, "q2": {"AP": 1.0, "confidence": None}}
    told = json.dumps({"runs": [{"run": "a", "topics": topics}]}).encode()
    assert [m.name for m in assay.read_scores(told).measures] == ["AP"]
    assert assay.read_scores(told, ["confidence"])["confidence"] == {"a": None}


class TestDirections:
    """Whether higher or lower is better: by name, by `higher_is_better=`, or refused."""

    ROWS: ClassVar = [[10, 20], [11, 22], [12, 21], [9, 23], [12, 19], [10, 25]]

    def better(self, measure, **choices):
        table = assay.scores(self.ROWS, runs=["small", "large"], measure=measure, **choices)
        found = assay.compare(table)
        assert found.tiers == [[found.runs[0].run], [found.runs[1].run]]
        assert found.pairs[0].better == found.runs[0].run
        assert table.settings.as_dict()["higher_is_better"] == {measure: found.runs[0].run == "large"}
        return found.runs[0].run

    def test_a_direction_that_is_given_wins(self):
        assert self.better("perplexity", higher_is_better=True) == "large"
        assert self.better("AP", higher_is_better=False) == "small"
        assert self.better("score", higher_is_better={"score": False}) == "small"
        assert find("AP").declaration.higher_is_better is True

    def test_each_measure_has_its_own(self):
        files = [b"topic,a,b\n1,1,2\n2,1,2\n", b"topic,a,b\n1,1,2\n2,1,2\n", b"topic,a,b\n1,1,2\n2,1,2\n"]
        table = read_scores(files, ["AP", "my_loss", "score"], higher_is_better={"my_loss": False})
        assert table.settings.as_dict()["higher_is_better"] == {"AP": True, "my_loss": False, "score": True}
        assert [table.upwards(name)["a"] for name in ("AP", "my_loss", "score")] == [1, -1, 1]
        with pytest.raises(UsageError, match="no measure 'loss'; measures are AP, my_loss"):
            read_scores(files[:2], ["AP", "my_loss"], higher_is_better={"loss": False})
        with pytest.raises(UsageError, match="expected True, False"):
            read_scores(files[:1], ["AP"], higher_is_better="no")

    def test_it_goes_where_the_table_goes(self):
        table = assay.scores(self.ROWS, measure="my_loss", higher_is_better=False)
        again = [
            pickle.loads(pickle.dumps(table)),
            read_scores(json.dumps(table.to_dict()).encode()),
            table.restricted(["1", "2", "3", "4"]),
        ]
        for one in again:
            assert one.upwards("my_loss")["run1"] < 0
            assert one.settings.as_dict()["higher_is_better"] == {"my_loss": False}
        other = read_scores(json.dumps(table.to_dict()).encode(), higher_is_better=True)
        assert other.upwards("my_loss")["run1"] > 0

    def test_it_is_printed(self):
        lower, higher = (assay.scores(self.ROWS, measure=name) for name in ("perplexity", "score"))
        assert "perplexity: lower is better" in str(lower)
        assert "score: higher is better" in str(higher)
        assert "lower is better" in str(assay.compare(lower))
        assert "higher is better" in str(assay.compare(higher))

    def test_a_missing_topic_is_not_the_best_value(self):
        with pytest.raises(UsageError, match=r"missing='zero'.*0 is the best perplexity"):
            assay.scores([[10, 20], [11, None]], measure="perplexity", missing="zero")
