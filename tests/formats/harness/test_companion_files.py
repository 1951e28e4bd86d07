"""Files that go with a log: refused by name, with the file to give instead, and never taken for one in a folder."""

from __future__ import annotations

import pytest
from made_logs import evalplus, every_eval_ever, helm, simple_evals

import assay
from assay.errors import InputError
from assay.formats.harness.companion_files import companion_advice
from assay.formats.harness.logs import find_logs
from assay.io.heads import head_of_bytes
from assay.io.sources import Source


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("promptfoo", "results.csv"), "export the results as JSON"),
        (("simple_evals", "simpleqa_made-a_20261115_070000.json"), "means only; give the file …_allresults.json"),
        (("evalplus", "samples.jsonl"), "holds programs that were not run"),
        (("evalplus", "data.jsonl"), "holds problems of EvalPlus"),
        *[
            (("helm", "0.5.16", "simple_mcqa:model=simple_model1", f"{name}.json"), "per_instance_stats.json")
            for name in ("run_spec", "scenario_state", "stats", "instances", "display_predictions", "display_requests")
        ],
    ],
)  # fmt: skip
def test_real_files(shared_data, names, said) -> None:
    path = shared_data("harness_logs", *names)
    with pytest.raises(InputError, match=said) as caught:
        assay.evaluate(None, path, task="outcomes")
    assert str(caught.value).startswith(str(path))


def test_the_aggregate_of_every_eval_ever(shared_data) -> None:
    [path] = shared_data("harness_logs", "every_eval_ever").glob("*40.json")
    assert "give the …_samples.jsonl" in companion_advice(Source("x", path=str(path)).head)


def test_outputs_of_alpaca_eval() -> None:
    head = head_of_bytes(b'[{"instruction": "i", "output": "o", "generator": "g"}]')
    assert companion_advice(head) == "holds outputs nobody has annotated; give AlpacaEval's annotations.json"


def test_in_a_folder_only_the_log_is_read(tmp_path) -> None:
    logs = sorted(str(write(tmp_path / write.__name__)) for write in (every_eval_ever, evalplus, helm, simple_evals))
    (tmp_path / "README.md").write_text("# what these are")
    found, others = find_logs([Source("logs", path=str(tmp_path))])
    assert sorted(source.name for source in found) == logs
    assert others == [str(tmp_path / "README.md")], "what goes with a log is passed over without a word"


@pytest.mark.parametrize(
    "content",
    [
        b'{"id": "q1", "task_id": "x", "solution": "y"}',
        b'{"id": "q1", "answer": "x"}',
        b"id,Status,Score\n",
        b"301 0 d1 1\n",
        b"",
        b'{"score": 0.5}',
    ],
)
def test_other_files_are_none(content) -> None:
    assert companion_advice(head_of_bytes(content)) is None
