"""Logs that Inspect itself writes, with its mock model, against what Inspect itself reads from them.

`make peers` makes the environment; elsewhere this is skipped.
"""

from __future__ import annotations

import math
import subprocess
import sys

import pytest

from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, UNANSWERED, Rows
from assay.formats.harness.inspect.reader import read_inspect
from assay.formats.harness.logs import LogReading
from assay.io.sources import Source

pytestmark = pytest.mark.peer
inspect_ai = pytest.importorskip("inspect_ai")

MAKE = """
import os, sys
from inspect_ai import Epochs, Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Score, accuracy, mean, scorer, stderr
from inspect_ai.solver import generate, solver

IDS = ["geo/France 1", "geo/New Zealand: (2)", 3, "a b", "NaN", "ünïcode", "seven", "eight"]
SAID = ["C 0.9", "I 0.2", "N 0.1", "P 0.5", "NaN", "error", "C 0.7", "refusal"]
LONG = "word " * 400

@solver
def answers(dies=None):
    async def solve(state, generate):
        said = SAID[IDS.index(state.sample_id)]
        if dies is not None and state.sample_id == dies:
            os._exit(9)
        if said == "error":
            raise RuntimeError("provider said 500\\nand more")
        if said == "C 0.7" and state.epoch == 2:
            said = "I 0.6"
        state.output = ModelOutput.from_content("mockllm/model", said + " " + LONG)
        return state
    return solve

@scorer(metrics=[accuracy(), stderr()])
def letters():
    async def score(state, target):
        word, *sure = state.output.completion.split()[:2]
        if word == "NaN":
            return Score.unscored(reason="grader_failed", explanation=LONG)
        if word == "refusal":
            return Score(value="I", reason="refusal", answer="")
        return Score(value=word, answer=state.output.completion, metadata={"Confidence": float(sure[0]), "long": LONG, "most": [LONG]})
    return score

@scorer(metrics={"right": [mean()], "tone": [mean()]})
def keys():
    async def score(state, target):
        word = state.output.completion[0]
        return Score(value={"right": float(word == "C"), "tone": 0.25, "confidence": 0.5})
    return score

@scorer(metrics=[mean()])
def worth():
    async def score(state, target):
        return Score(value={"C": 1.0, "P": 0.375}.get(state.output.completion[0], 0))
    return score

def task(dies=None):
    data = MemoryDataset([Sample(input=f"Question {i}?", id=i, target=["it", str(i)], metadata={"kind": "x", "n": 1}) for i in IDS])
    return Task(dataset=data, solver=answers(dies), scorer=[letters(), keys(), worth()], name="made")

def run(folder, format="eval", dies=None, epochs=2, **more):
    return eval(task(dies), model="mockllm/model", log_dir=folder, log_format=format, epochs=Epochs(epochs, "mean"),
        fail_on_error=False, display="none", max_samples=1, **more)[0]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The module that makes logs, and a folder for them."""
    folder = tmp_path_factory.mktemp("logs")
    (folder / "make_logs.py").write_text(MAKE)
    sys.path.insert(0, str(folder))
    try:
        import make_logs  # pyright: ignore[reportMissingImports]

        yield make_logs, folder
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module", params=["eval", "json"])
def log(made, request) -> str:
    make, folder = made
    return make.run(str(folder / request.param), request.param).location


def read(path: str, scorer: str) -> Rows:
    (rows,) = read_inspect(Source(path, path=path), LogReading({"scorer": scorer}))
    return rows


def cells(rows: Rows) -> dict[tuple[str, int], tuple[int | None, float | None, float | None]]:
    numbers = rows.samples or [1] * len(rows.ids)
    scores = rows.scores or [None if state == FAILED else float(state == CORRECT) for state in rows.outcomes]
    return {
        (rows.ids[at], numbers[at]): (rows.outcomes[at], scores[at], rows.confidences[at])
        for at in range(len(rows.ids))
    }


def theirs(path: str, scorer: str, key: str | None = None):
    """The same from Inspect's own reading: what its reducers and metrics make of a value, and the states by hand."""
    from inspect_ai.log import read_eval_log
    from inspect_ai.scorer import value_to_float

    number = value_to_float()
    found = {}
    for sample in read_eval_log(path).samples:
        score = (sample.scores or {}).get(scorer)
        state, worth, sure = FAILED, None, None
        if score is not None:
            value = score.value if key is None else score.value[key]
            sure = score.value.get("confidence") if key else (score.metadata or {}).get("Confidence")
            if score.reason == "refusal":
                state, worth = UNANSWERED, 0.0
            elif not (isinstance(value, float) and math.isnan(value)) and sample.invalidation is None:
                worth = number(value)
                state = UNANSWERED if value == "N" else {1.0: CORRECT, 0.0: INCORRECT}.get(worth, GRADED)
        found[str(sample.id), sample.epoch] = (state, worth, sure)
    return found


def header_metric(path: str, scorer: str, metric: str) -> float:
    from inspect_ai.log import read_eval_log

    results = read_eval_log(path, header_only=True).results
    return next(score for score in results.scores if score.name == scorer).metrics[metric].value


def mean_over_questions(rows: Rows) -> float:
    """As Inspect reduces: the mean of a question's samples, then the mean over questions; what was not scored is out."""
    by_question: dict[str, list[float]] = {}
    for (question, _), (_, score, _) in cells(rows).items():
        if score is not None:
            by_question.setdefault(question, []).append(score)
    means = [sum(scores) / len(scores) for scores in by_question.values()]
    return sum(means) / len(means)


@pytest.mark.parametrize("chosen", ["letters", "keys/right", "keys/tone", "worth"])
def test_every_sample_says_what_inspect_reads(log, chosen) -> None:
    rows = read(log, chosen)
    scorer, _, key = chosen.partition("/")
    assert cells(rows) == theirs(log, scorer, key or None)
    assert len(rows.ids) == 16
    assert rows.tool == f"Inspect {inspect_ai.__version__}"


def test_means_are_those_of_the_header(log) -> None:
    assert mean_over_questions(read(log, "letters")) == pytest.approx(header_metric(log, "letters", "accuracy"))
    assert mean_over_questions(read(log, "worth")) == pytest.approx(header_metric(log, "worth", "mean"))
    assert mean_over_questions(read(log, "keys/right")) == pytest.approx(header_metric(log, "right", "mean"))


def test_errors_and_fields(log) -> None:
    reading = LogReading({"scorer": "letters"})
    (rows,) = read_inspect(Source(log, path=log), reading)
    failed = {(rows.ids[row], problem) for row, problem in rows.problems.items()}
    assert failed == {("ünïcode", "RuntimeError('provider said 500\\nand more')"), ("NaN", "grader_failed")}
    assert reading.fields["made", "geo/France 1"] == {"kind": "x", "n": 1}


def test_texts(log) -> None:
    from inspect_ai.log import read_eval_log

    rows = read(log, "letters")
    assert rows.texts_of is not None
    for sample in read_eval_log(log).samples:
        texts = rows.texts_of(str(sample.id), sample.epoch)
        assert (texts.question, texts.gold) == (sample.input, "\n".join(sample.target))
        assert (texts.answer or "") == sample.output.completion


def test_an_amended_log(log, tmp_path) -> None:
    from inspect_ai.log import (
        ProvenanceData,
        edit_score,
        invalidate_samples,
        read_eval_log,
        recompute_metrics,
        write_eval_log,
    )
    from inspect_ai.scorer import ScoreEdit

    changed = read_eval_log(log)
    who = ProvenanceData(author="me", reason="looked again")
    edit_score(changed, "geo/France 1", "letters", ScoreEdit(value="I", provenance=who), epoch=1)
    edit_score(changed, "NaN", "letters", ScoreEdit(value="C", provenance=who), epoch=2)
    recompute_metrics(changed)
    path = str(tmp_path / ("edited." + log.rpartition(".")[2]))
    write_eval_log(changed, path)
    rows = read(path, "letters")
    assert cells(rows)["geo/France 1", 1][0] == INCORRECT
    assert cells(rows)["NaN", 2][0] == CORRECT
    assert cells(rows) == theirs(path, "letters")
    assert mean_over_questions(rows) == pytest.approx(header_metric(path, "letters", "accuracy"))

    changed = invalidate_samples(changed, [changed.samples[0].uuid], who)
    write_eval_log(changed, path)
    rows = read(path, "letters")
    assert "invalidated" in rows.problems.values()
    states = {key: state for key, (state, _, _) in cells(rows).items()}
    assert states == {key: state for key, (state, _, _) in theirs(path, "letters").items()}


def test_a_killed_evaluation(made, tmp_path) -> None:
    _, folder = made
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); import make_logs; "
    script = start + f"make_logs.run({str(tmp_path)!r}, dies='a b', epochs=1, log_buffer=1)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    (path,) = map(str, tmp_path.glob("*.eval"))
    rows = read(path, "letters")
    assert rows.ids == ["geo/France 1", "geo/New Zealand: (2)", "3"]
    assert rows.outcomes == [CORRECT, INCORRECT, UNANSWERED]
    assert rows.warnings[0].endswith("is the log of an evaluation that was not finished: 3 of 8 questions")


def test_fewer_questions_than_there_are(made, tmp_path) -> None:
    make, _ = made
    path = make.run(str(tmp_path), limit=2, epochs=1).location
    rows = read(path, "letters")
    assert (len(rows.ids), rows.asked) == (2, 8)
    assert rows.warnings[0].endswith("2 of the 8 questions of its data set (limit 2)")
