"""AlpacaEval: preferences as scores, draws of both versions, pairs nobody annotated."""

from __future__ import annotations

import pytest
from log_reading import edited, read_log, reader_and_rows, states, told_of_questions
from made_logs import alpaca_eval

from assay.errors import FormatError, InputError
from assay.formats.answers.rows import RowTexts


def test_preferences_are_scores(tmp_path) -> None:
    name, [rows] = reader_and_rows(alpaca_eval(tmp_path))
    assert (name, rows.name, rows.task, states(rows)) == (
        "alpaca-eval",
        "made-bold",
        "alpaca_eval",
        "C 2, I 1, E 1, G 2",
    )
    assert rows.scores == [1.0, 1.0, 0.0, 0.5, 0.75, None]
    assert rows.problems == {5: "it is not annotated"}
    assert rows.usage == {}, "its prices and times are the judge's"
    assert "preferences of weighted_made_judge to made-baseline" in rows.warnings[0]
    assert rows.texts_of(rows.ids[2], 1) == RowTexts("What is the capital of Australia?", None, None, "Sydney")
    assert all(len(identity) == 12 for identity in rows.ids)


@pytest.mark.parametrize(("preference", "score"), [(1, 0.0), (2, 1.0), (1.5, 0.5), (0, 0.5), (1.0001, 0.0001)])
def test_a_preference(tmp_path, preference, score) -> None:
    [rows] = read_log(edited(alpaca_eval(tmp_path), lambda pairs: pairs[0].update(preference=preference)))
    assert rows.scores[0] == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("preference", [-1, 0.5, 2.5, 3])
def test_no_preference(tmp_path, preference) -> None:
    path = edited(alpaca_eval(tmp_path), lambda pairs: pairs[1].update(preference=preference))
    with pytest.raises(
        FormatError, match=r"pair 1: preference .*: expected a number from 1 to 2, 0 for a draw, or null"
    ):
        read_log(path)


def test_a_literal_nan_is_not_annotated(tmp_path) -> None:
    [rows] = read_log(edited(alpaca_eval(tmp_path), lambda pairs: pairs[0].update(preference=float("nan"))))
    assert states(rows) == "C 1, I 1, E 2, G 2"


def test_several_annotators_are_asked_about(tmp_path) -> None:
    path = edited(
        alpaca_eval(tmp_path),
        lambda pairs: pairs.extend([{**pair, "annotator": "b", "preference": 1} for pair in pairs]),
    )
    with pytest.raises(InputError, match="has 2 scorers, weighted_made_judge, b; choose one"):
        read_log(path)
    [rows] = read_log(path, scorer="b")
    assert states(rows) == "I 6"


def test_models_and_baselines_are_kept_apart(tmp_path) -> None:
    def more(pairs) -> None:
        pairs += [{**pair, "generator_2": "other"} for pair in pairs]

    assert [rows.name for rows in read_log(edited(alpaca_eval(tmp_path), more))] == ["made-bold", "other"]
    runs = read_log(edited(alpaca_eval(tmp_path), lambda pairs: pairs[0].update(generator_1="b")))
    assert [(rows.task, len(rows.ids)) for rows in runs] == [("alpaca_eval:b", 1), ("alpaca_eval:made-baseline", 5)]


def test_questions_are_the_same_in_every_log(tmp_path) -> None:
    bold, careful = ([*rows.ids] for model in ("bold", "careful") for rows in read_log(alpaca_eval(tmp_path, model)))
    assert bold == careful
    assert len(set(bold)) == 6


def test_an_instruction_that_comes_again_is_a_sample(tmp_path) -> None:
    def again(pairs) -> None:
        pairs.append({**pairs[0], "output_2": "second"})

    path = edited(alpaca_eval(tmp_path), again)
    [rows] = read_log(path)
    assert rows.samples == [1, 1, 1, 1, 1, 1, 2]
    assert [rows.texts_of(rows.ids[0], sample).answer for sample in (1, 2, 3)] == ["Paris", "second", None]
    assert told_of_questions(path).fields["alpaca_eval", rows.ids[0]] == {"dataset": "europe"}
