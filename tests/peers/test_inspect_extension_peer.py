"""assay's metrics inside Inspect, in evaluations of its mock model: against counts by hand, and against `assay.evaluate` of the
logs that Inspect wrote.

`make peers` makes the environment; elsewhere this is skipped.
"""

# ruff: noqa: E402, what is imported is known to be there by then

from __future__ import annotations

import importlib
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pages import ROOT

import assay
from assay.cli import main

pytestmark = pytest.mark.peer
inspect_ai = pytest.importorskip("inspect_ai")

from inspect_ai import Epochs, Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, recompute_metrics
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, ScoreEdit, accuracy, grouped, scorer
from inspect_ai.solver import generate

from assay.integrations.inspect_ai import c_at_1, compare, coverage, precision_answered, uf

ALL = [accuracy(), c_at_1(), coverage(), precision_answered(), uf()]
NAMES = {"c_at_1": "c@1", "coverage": "coverage", "precision_answered": "precision", "uf": "UF"}

ONCE = ["C", "C", "C", "I", "N", "refusal", "error", "NaN"]
"""3 right, 1 wrong, 2 unanswered; of the last two nothing is known."""
ONCE_BY_HAND = {
    "accuracy": 3 / 6,
    "c_at_1": (3 + 2 * 3 / 6) / 6,
    "coverage": 4 / 6,
    "precision_answered": 3 / 4,
    "uf": 2 / 6,
}

TWICE = ["C N", "C C", "I N", "C NaN"]
"""Two epochs. Each question weighs the same: with two parts each, 1 + 2 + 0 + 2 of 8 are right, 1 is wrong and 2 are unanswered."""
TWICE_BY_HAND = {"c_at_1": (5 + 2 * 5 / 8) / 8, "coverage": 6 / 8, "precision_answered": 5 / 6, "uf": 4 / 8}


def model(said, name="model"):
    """Inspect's mock model, which says this of each question, in the order of its epochs."""
    asked = [0] * len(said)

    def answer(input, tools, tool_choice, config):
        question = int(input[-1].text)
        words = said[question].split()
        word = words[asked[question] % len(words)]
        asked[question] += 1
        if word == "error":
            raise RuntimeError("503")
        output = ModelOutput.from_content(f"mockllm/{name}", word)
        output.usage = ModelUsage()
        return output

    return get_model(f"mockllm/{name}", custom_outputs=answer, memoize=False)


def read(completion: str) -> Score:
    if completion == "NaN":
        return Score.unscored(reason="grader_failed")
    if completion == "refusal":
        return Score(value="I", reason="refusal", answer="no")
    return Score(value=completion, answer=completion)


@scorer(metrics=ALL)
def letters():
    async def score(state, target):
        return read(state.output.completion)

    return score


@scorer(metrics=ALL[1:])
def three_keys():
    async def score(state, target):
        word = state.output.completion
        if word == "NaN":
            return Score.unscored()
        states = {"correct": "C", "incorrect": "I", "not_attempted": "N"}
        return Score(value={state: int(word == letter) for state, letter in states.items()})

    return score


@scorer(metrics=[{"right": ALL[1:], "tone": [accuracy()]}])
def two_keys():
    async def score(state, target):
        return Score(value={"right": state.output.completion, "tone": 1})

    return score


@scorer(metrics=[c_at_1()])
def unnamed_key():
    async def score(state, target):
        return Score(value={"right": state.output.completion, "tone": 1})

    return score


@scorer(metrics=[c_at_1(right_from=0.5), uf(right_from=0.75)])
def thresholds():
    async def score(state, target):
        return read(state.output.completion)

    return score


@scorer(metrics=[grouped(c_at_1(), "half")])
def by_half():
    async def score(state, target):
        return read(state.output.completion)

    return score


def run(said, folder, judge=letters, epochs=None, models=("model",), **more):
    data = MemoryDataset(
        [
            Sample(input=str(i), id=i + 1, target="C", metadata={"half": "first" if i < 3 else "second"})
            for i in range(len(said))
        ]
    )
    task = Task(dataset=data, solver=generate(), scorer=judge(), name="made")
    return eval(
        task, model=[model(said, name) for name in models], log_dir=str(folder), epochs=epochs, fail_on_error=False,
        display="none", max_samples=1, **more,
    )  # fmt: skip


def values(log) -> dict[str, float]:
    """Every metric of the log, each of which must stand there once."""
    assert log.status == "success", log.error
    stated = [
        (name.removeprefix("assay/"), m.value) for score in log.results.scores for name, m in score.metrics.items()
    ]
    found = [(name, value) for name, value in stated if name in NAMES]
    assert len({name for name, _ in found}) == len(found)
    return dict(found)


def of_the_log(log, **settings) -> dict[str, float]:
    scores = assay.evaluate(log.location, None, list(NAMES.values()), **settings)
    [run] = scores.runs
    return {name: scores[measure][run] for name, measure in NAMES.items()}


def refusal(log) -> str:
    assert log.status == "error"
    return log.error.message


def test_one_epoch(tmp_path) -> None:
    [log] = run(ONCE, tmp_path)
    assert log.status == "success", log.error
    header = {name: m.value for score in log.results.scores for name, m in score.metrics.items()}
    assert header == pytest.approx(ONCE_BY_HAND)
    assert values(log) == of_the_log(log)


@pytest.mark.parametrize("reducer", [None, "mean", "mode", ["mean", "pass_at_1"], []], ids=str)
def test_two_epochs_whatever_the_reducer(tmp_path, reducer) -> None:
    [log] = run(TWICE, tmp_path, epochs=Epochs(2, reducer))
    assert values(log) == pytest.approx(TWICE_BY_HAND)
    assert values(log) == of_the_log(log)


def test_simpleqas_three_keys(tmp_path) -> None:
    [log] = run(TWICE, tmp_path, three_keys, Epochs(2, []))
    assert values(log) == pytest.approx(TWICE_BY_HAND)
    assert values(log) == of_the_log(log)


def test_one_key_of_several(tmp_path) -> None:
    [log] = run(["C", "I", "N", "N"], tmp_path, two_keys)
    assert values(log) == {"c_at_1": 0.375, "coverage": 0.5, "precision_answered": 0.5, "uf": 0.0}
    assert values(log) == of_the_log(log, scorer="two_keys/right")
    [log] = run(["C", "I", "N", "N"], tmp_path, unnamed_key)
    assert "several keys, right, tone; name one, as in metrics={'right': […]}" in refusal(log)


def test_partial_credit_needs_a_threshold(tmp_path) -> None:
    said = ["C", "P", "N", "I"]
    [log] = run(said, tmp_path)
    assert "`right_from=0.5`" in refusal(log)
    [log] = run(said, tmp_path, thresholds)
    found = values(log)
    assert found == {"c_at_1": (2 + 2 / 4) / 4, "uf": (1 - 2) / 4}
    assert found["c_at_1"] == of_the_log(log, right_from=0.5)["c_at_1"]
    assert found["uf"] == of_the_log(log, right_from=0.75)["uf"]
    [log] = run(["C", "I", "N", "N"], tmp_path, thresholds)
    assert values(log)["c_at_1"] == 0.375, "a threshold that nothing is held against is no mistake of the task's author"


def test_nothing_answered_and_nothing_scored(tmp_path) -> None:
    [log] = run(["N", "N"], tmp_path)
    found = values(log)
    assert math.isnan(found.pop("precision_answered"))
    assert found == {"c_at_1": 0.0, "coverage": 0.0, "uf": 0.0}
    [log] = run(["NaN", "NaN"], tmp_path)
    assert all(map(math.isnan, values(log).values()))


def test_a_metric_that_wraps_another_hands_it_reduced_scores(tmp_path) -> None:
    [log] = run(ONCE, tmp_path, by_half)
    assert "`Epochs(1, reducer=[])`" in refusal(log)
    [log] = run(ONCE, tmp_path, by_half, Epochs(1, []))
    [score] = log.results.scores
    assert {name: m.value for name, m in score.metrics.items()} == pytest.approx(
        {"first": 1.0, "second": 0.0, "all": ONCE_BY_HAND["c_at_1"]}
    )

    # One that keeps letters says what became of the answers it leaves, beside its name.
    [log] = run(["C C", "N N", "I N I", "C"], tmp_path, by_half, Epochs(3, "mode"))
    [score] = log.results.scores
    assert (score.reducer, score.metrics["all"].value) == ("mode", (2 + 1 * 2 / 4) / 4)


def test_an_edited_log(tmp_path) -> None:
    [written] = run(ONCE, tmp_path)
    log = read_eval_log(written.location)
    edit_score(log, 4, "letters", ScoreEdit(value="N", provenance=ProvenanceData(author="me", reason="it declined")))
    recompute_metrics(log)
    assert values(log) == pytest.approx(
        {"c_at_1": (3 + 3 * 3 / 6) / 6, "coverage": 0.5, "precision_answered": 1.0, "uf": 0.5}
    )


def test_metrics_by_name(tmp_path) -> None:
    """As the entry point has them: nothing imports assay before Inspect looks for it."""
    [log] = run(["C", "I", "N", "N"], tmp_path)
    script = Path(sys.executable).with_name("inspect")
    asked = ["score", log.location, "--scorer", "match", "--metric", "assay/c_at_1", "--metric", "assay/uf"]
    again = [*asked, "--action", "overwrite", "--overwrite", "--display", "none"]
    done = subprocess.run([script, *again], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [score] = read_eval_log(log.location).results.scores
    # `match` has no abstention: what is not the target is wrong.
    assert {name: m.value for name, m in score.metrics.items()} == {"c_at_1": 0.25, "uf": -0.5}


def test_the_models_of_an_evaluation_compared(tmp_path, capsys) -> None:
    logs = run(["C", "I", "N", "C", "C", "N"], tmp_path, models=("a",))
    logs += run(["C", "I", "I", "I", "C", "N"], tmp_path, models=("b",))
    found = compare(logs)
    [pair] = found.pairs
    assert (pair.a, pair.b) == ("mockllm/b", "mockllm/a")
    assert pair.difference == pytest.approx((2 + 1 * 2 / 6) / 6 - (3 + 2 * 3 / 6) / 6)
    assert main(["compare", *(log.location for log in logs), "-m", "c@1"]) == 0
    assert str(found).strip() == capsys.readouterr().out.strip()
    [pair] = compare([log.location for log in logs], "UF", baseline="mockllm/b").pairs
    assert (pair.a, pair.difference) == ("mockllm/a", pytest.approx((3 - 1) / 6 - (2 - 3) / 6))


SAID = "mockllm/b cannot be told apart on 6 questions"
"""In the finding of the two models that the hook compares."""


class TestHook:
    """After an evaluation, where it is asked for: in processes of their own, as Inspect looks for hooks once."""

    SCRIPT = """
import sys
sys.path[:0] = {path!r}
from test_inspect_extension_peer import *

def tasks(names, judge=letters, questions=6):
    data = [Sample(input=str(i), id=i + 1, target="C") for i in range(questions)]
    return [Task(MemoryDataset(data), solver=generate(), scorer=judge(), name=name) for name in names]

if __name__ == "__main__":
    models = [model(["C N", "I I", "N N", "C C", "C C", "N I"], "a"), model(["C I", "I I", "I N", "I C", "C C", "N N"], "b")]
    options = dict(log_dir={folder!r}, display="none", max_samples=1)
    {code}
"""

    def run(self, tmp_path, code, variable="1"):
        here = [str(Path(__file__).parent), str(ROOT / "tests" / "support")]
        script = tmp_path / "script.py"
        script.write_text(self.SCRIPT.format(path=here, folder=str(tmp_path / "logs"), code=code))
        environment = {**os.environ, "ASSAY_COMPARE": variable}
        if variable is None:
            del environment["ASSAY_COMPARE"]
        done = subprocess.run(
            [sys.executable, script],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    def words(self, said):
        """The words of each line: a shared remark names the models in the order of the logs."""
        return {tuple(sorted(line.replace(",", "").replace(":", "").split())) for line in said.splitlines()}

    def logs(self, tmp_path, task):
        return [str(path) for path in sorted((tmp_path / "logs").glob(f"*{task}*.eval"))]

    @pytest.mark.parametrize("variable", [None, "0"])
    def test_nobody_is_told_what_they_did_not_ask_for(self, tmp_path, variable) -> None:
        out, err = self.run(tmp_path, "eval(tasks(['one']), model=models, **options)", variable)
        assert (out, err) == ("", "")

    def test_every_task_of_an_evaluation_is_compared_with_its_epochs(self, tmp_path, capsys) -> None:
        out, err = self.run(
            tmp_path, "eval(tasks(['one', 'two']), model=models, epochs=2, **options)", "-m c@1 --baseline mockllm/b"
        )
        for task in ("one", "two"):
            assert main(["compare", *self.logs(tmp_path, task), "-m", "c@1", "--baseline", "mockllm/b"]) == 0
            told = capsys.readouterr()
            assert f"\n{task}\n\n{told.out}" in out
            assert self.words(told.err) <= self.words(err)
        assert "6 questions × 2 samples" in err
        # Of 12 answers each, a has 5 right and 4 unanswered, b 4 right and 3 unanswered.
        values = [f"{value:.2f}".removeprefix("0") for value in ((5 + 4 * 5 / 12) / 12, (4 + 3 * 4 / 12) / 12)]
        assert f"mockllm/a and mockllm/b cannot be told apart on 6 questions (c@1 {' and '.join(values)})" in out

    def test_an_eval_set_is_compared_once_at_its_end_and_again(self, tmp_path) -> None:
        code = "eval_set(tasks(['one']), model=models, retry_attempts=0, **options)"
        out, _ = self.run(tmp_path, f"from inspect_ai import eval_set; {code}")
        assert out.count(SAID) == 1
        again, _ = self.run(tmp_path, f"from inspect_ai import eval_set; {code}")
        start = "\none\n\n"
        assert again[again.index(start) :] == out[out.index(start) :], "nothing ran, all is there"

    def test_one_model_is_no_comparison(self, tmp_path) -> None:
        out, err = self.run(tmp_path, "eval(tasks(['one']), model=models[:1], **options)")
        assert "one: one finished log, mockllm/a; a comparison needs two models" in err
        assert SAID not in out

    def test_a_log_that_failed_is_named(self, tmp_path) -> None:
        code = "eval(tasks(['one'], questions=7), model=models, **options)"  # of the seventh the models know nothing
        _, err = self.run(tmp_path, code)
        assert "one by mockllm/a: error, so it is not compared" in err

    @pytest.mark.parametrize(
        ("variable", "said"),
        [
            (
                "-m 'c@1",
                'ASSAY_COMPARE: expected 1 or options of `assay compare`, found "-m \'c@1": No closing quotation',
            ),
            (
                "--tie x",
                "assay compare: --tie: expected a number, found 'x' (assay compare --help)\n"
                "assay: one is not compared; set options in ASSAY_COMPARE",
            ),
        ],
    )
    def test_options_that_are_none(self, tmp_path, variable, said) -> None:
        out, err = self.run(tmp_path, "eval(tasks(['one']), model=models, **options)", variable)
        assert said in err
        assert "usage:" not in err
        assert SAID not in out

    def test_what_must_be_chosen_is_said(self, tmp_path) -> None:
        code = "eval(tasks(['one'], judge=two_keys), model=models, **options)"
        _, err = self.run(tmp_path, code)
        assert "--scorer" in err
        (tmp_path / "again").mkdir()
        out, _ = self.run(tmp_path / "again", code, "--scorer two_keys/right")
        assert SAID in out

    def test_asked_for_by_an_import(self, tmp_path) -> None:
        code = "import assay.integrations.inspect_hooks; eval(tasks(['one']), model=models, **options)"
        assert SAID in self.run(tmp_path, code, None)[0]
        (tmp_path / "off").mkdir()
        assert SAID not in self.run(tmp_path / "off", code, "0")[0]


def test_the_table_of_who_comes_from_inspect(tmp_path, monkeypatch) -> None:
    """docs/migrate.md: what it says is the same number is, and the code on Inspect's side runs."""
    page = (ROOT / "docs/migrate.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^`with_inspect.py`:\n\n```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    said = ["C C N", "C I I", "I N N", "C C C"]
    reducers = ["mean", "pass_at_2"]
    [log] = run(said, tmp_path / "logs", by_accuracy, epochs=Epochs(3, reducers))
    assert log.status == "success", log.error
    header = {score.reducer: score.metrics["accuracy"].value for score in log.results.scores}
    found = assay.evaluate(str(tmp_path / "logs"), None, ["accuracy", "pass@2"])
    [model] = found.runs
    assert header == pytest.approx({"mean": found["accuracy"][model], "pass_at_2": found["pass@2"][model]})
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(code, names)
    assert names["table"].loc[model, "made"] == pytest.approx(found["accuracy"][model])


@scorer(metrics=[accuracy()])
def by_accuracy():
    async def score(state, target):
        return read(state.output.completion)

    return score


def test_commands_that_the_pages_give_inspect() -> None:
    import shlex

    from inspect_ai._cli.main import inspect

    lines = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        lines += re.findall(
            r"(?:^|`|\s)(inspect (?:eval|eval-set|score|view)\b[^`\n]*)", page.read_text(encoding="utf-8")
        )
    assert len(lines) > 4
    for line in lines:
        _, name, *words = shlex.split(line, comments=True)
        command = inspect.commands[name]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_the_example_of_the_page(tmp_path, monkeypatch, capsys) -> None:
    page = (ROOT / "docs/inspect.md").read_text(encoding="utf-8")
    [(code, shown)] = re.findall(
        r"^`capitals.py`:\n\n```python\n(.*?)^```.*?^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    )
    (tmp_path / "capitals.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    capitals = importlib.import_module("capitals")

    def speaker(name, otherwise):
        def answer(input, tools, tool_choice, config):
            country = input[-1].text.removesuffix("?").split()[-1]
            known = {**capitals.CAPITALS, "Australia": otherwise, "Kiribati": otherwise}
            output = ModelOutput.from_content(f"mockllm/{name}", known[country])
            output.usage = ModelUsage()
            return output

        return get_model(f"mockllm/{name}", custom_outputs=answer, memoize=False)

    capitals.run([speaker("bold", "Sydney"), speaker("careful", "I don't know")])
    assert shown.strip() in capsys.readouterr().out
