"""The files that docs/harness.md and docs/nonresponse.md speak of: small logs of made models, in the layouts of the tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import agent_logs
from inspect_logs import eval_log, header, json_log, sample
from made_logs import CAPITALS, REGIONS, WRITERS, WRONG, asked, said

MODELS = ("bold", "careful")
RIVERS = {"Egypt": "Nile", "Austria": "Danube", "Brazil": "Amazon", "India": "Ganges"}
EPOCHS = {
    "bold": ("CCCC", "CICI", "IICI", "CCIC", "IIII", "CCCC"),
    "careful": ("CCCC", "CCCN", "NNNN", "CCNC", "NCNN", "CCCC"),
}
"""By model, how the four samples of each question about capitals ended."""
SEVERAL = {"match": "CCICIC", "judge": "CCPCIC"}
"""By scorer, what became of each question."""
DATE = "2026-01-02T03-04-05.678901"


def _log(samples: Sequence[dict[str, Any]], model: str, task: str = "capitals", **more: Any) -> bytes:
    return eval_log(samples, header(model=f"made/{model}", task=task, **more))


def _asked(number: int, value: Any, answer: str | None = None, **more: Any) -> dict[str, Any]:
    """A sample about the capital of a country, the first being number 0."""
    country = list(CAPITALS)[number]
    spoken = {"score_answer": answer, "output": {"completion": answer}} if answer else {}
    about = {"input": asked(country), "target": CAPITALS[country], "metadata": {"region": REGIONS[country]}}
    return sample(country.lower(), value=value, scorer=more.pop("scorer", "match"), **about, **spoken, **more)


def _failed(number: int, **more: Any) -> dict[str, Any]:
    return _asked(number, "C", **more) | {"scores": {}, "error": {"message": "APIError: 503"}}


def states(folder: Path) -> None:
    """bold: 4 right, 2 wrong; careful: 3 right, 2 declined, 1 failed."""
    for model in MODELS:
        wrong = "I" if model == "bold" else "N"
        rows = [
            _asked(n, wrong if country in WRONG else "C", said(model, country)) for n, country in enumerate(CAPITALS)
        ]
        if model == "careful":
            rows[-1] = _failed(5)
        (folder / f"{model}.eval").write_bytes(_log(rows, model))


def kinds(folder: Path) -> None:
    """polite declines, refuses, and says in words that it does either; one answer had no letter in it."""
    rows = [
        _asked(0, "C", "Paris"),
        _asked(1, "N", "I would rather not guess."),
        _asked(2, "I", "I don't know, sorry."),
        _asked(3, "I", "I can't help with that."),
        _asked(4, "I", "It is a large city.", score_reason="invalid_response_format"),
        _asked(5, "N", "No.", score_reason="refusal"),
    ]
    (folder / "polite.json").write_bytes(json_log(rows, header(model="made/polite", task="capitals")))


def epochs(folder: Path) -> None:
    """Six questions, four times each."""
    for model, ended in EPOCHS.items():
        answers = {"C": CAPITALS.__getitem__, "I": lambda country: f"not in {country}", "N": lambda _: "I don't know."}
        rows = [
            _asked(number, letter, answers[letter](country), epoch=epoch)
            for number, country in enumerate(CAPITALS)
            for epoch, letter in enumerate(ended[number], 1)
        ]
        (folder / f"{model}.eval").write_bytes(_log(rows, model, config={"epochs": 4}))


def graded(folder: Path) -> None:
    """Two scorers: `match` says right or wrong, `judge` half of it too."""
    rows = []
    for number in range(len(CAPITALS)):
        scores = {scorer: {"value": letters[number], "history": []} for scorer, letters in SEVERAL.items()}
        rows.append(_asked(number, None) | {"scores": scores})
    (folder / "bold.eval").write_bytes(_log(rows, "bold"))


def suite(folder: Path) -> None:
    """Three models, of which one was not asked about rivers."""
    for model, capitals, rivers in (("bold", "CCICIC", "CICC"), ("careful", "CCNCNC", "CNNC"), ("small", "CICIIC", "")):
        rows = [_asked(number, letter) for number, letter in enumerate(capitals)]
        (folder / f"capitals_{model}.eval").write_bytes(_log(rows, model))
        if rivers:
            named = zip(RIVERS, rivers, strict=True)
            (folder / f"rivers_{model}.eval").write_bytes(_log([sample(c, value=v) for c, v in named], model, "rivers"))


def shards(folder: Path) -> None:
    """One model and task in two logs that share no question."""
    for part, numbers in (("a", range(3)), ("b", range(3, 6))):
        rows = [_asked(number, "CCICIC"[number]) for number in numbers]
        (folder / f"{part}.eval").write_bytes(_log(rows, "bold"))


def twice(folder: Path) -> None:
    """One model and task in two logs of the same questions."""
    for part, letters, shots in (("first", "CCICIC", 0), ("second", "CCCCIC", 5)):
        rows = [_asked(number, letter) for number, letter in enumerate(letters)]
        (folder / f"{part}.eval").write_bytes(_log(rows, "bold", task_args={"shots": shots}))


def _lines(rows: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def lm_eval(folder: Path) -> None:
    """Multiple choice (acc, acc_norm) and generation under two filters; careful leaves `[invalid]` where it declines."""
    for model in MODELS:
        place = folder / f"made__{model}"
        place.mkdir()
        chosen, spoken = [], []
        for number, (country, capital) in enumerate(CAPITALS.items()):
            right = said(model, country) == capital
            doc = {"question": asked(country), "region": REGIONS[country]}
            about = {"doc_id": number, "doc": doc, "doc_hash": f"{number + 1:064x}"}
            logs = (-0.5, -2.0) if right else (-1.5, -1.0)
            arguments = {
                f"gen_args_{n}": {"arg_0": asked(country), "arg_1": f" {c}"}
                for n, c in enumerate((capital, "Atlantis"))
            }
            chosen.append({
                **about, "target": "0", "arguments": arguments, "resps": [[[str(log), "False"]] for log in logs],
                "filtered_resps": [[str(log), "False"] for log in logs], "filter": "none", "metrics": ["acc", "acc_norm"],
                "acc": float(right), "acc_norm": float(right),
            })  # fmt: skip
            for filter in ("strict-match", "flexible-extract"):
                found = (
                    said(model, country) if right or filter == "flexible-extract" or model == "bold" else "[invalid]"
                )
                spoken.append({
                    **about, "target": capital, "arguments": {"gen_args_0": {"arg_0": asked(country), "arg_1": {}}},
                    "resps": [[said(model, country)]], "filtered_resps": [found], "filter": filter,
                    "metrics": ["exact_match"], "exact_match": float(right),
                })  # fmt: skip
        (place / f"samples_capitals_mc_{DATE}.jsonl").write_text(_lines(chosen))
        (place / f"samples_capitals_gen_{DATE}.jsonl").write_text(_lines(spoken))
        results = {
            "results": {},
            "configs": {},
            "versions": {},
            "model_name": f"made/{model}",
            "lm_eval_version": "0.4.13",
        }
        (place / f"results_{DATE}.json").write_text(json.dumps(results))


def lighteval(folder: Path) -> None:
    """Multiple choice: the model's log-probabilities of each choice."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for model in MODELS:
        place = folder / "details" / f"made-{model}" / DATE
        place.mkdir(parents=True)
        rows = []
        for number, (country, capital) in enumerate(CAPITALS.items()):
            right = country not in WRONG or (model == "careful" and country == "Turkey")
            doc = {
                "id": str(number), "task_name": "capitals|0", "query": asked(country),
                "choices": [f" {capital}", " Atlantis"], "gold_index": 0,
            }  # fmt: skip
            response = {
                "input": asked(country),
                "logprobs": [-0.5, -2.0 + number / 10] if right else [-1.5, -1.0],
                "text": [],
            }
            rows.append({"doc": doc, "metric": {"acc": int(right)}, "model_response": response})
        pq.write_table(pa.Table.from_pylist(rows), place / f"details_capitals|0_{DATE}.parquet")


def ragas(folder: Path) -> None:
    """Two metrics, one of which could not be computed for one question of each."""
    for model, faithful in (("bold", "1.0 0.75 0.0 1.0 0.5 1.0"), ("careful", "1.0 1.0 0.5 1.0 0.5 nan")):
        lines = ["user_input,response,reference,faithfulness,answer_relevancy\n"]
        for (country, capital), value in zip(CAPITALS.items(), faithful.split(), strict=True):
            lines.append(f"{asked(country)},{said(model, country)},{capital},{value},0.75\n")
        (folder / f"{model}.csv").write_text("".join(lines))


MADE: dict[str, Callable[[Path], None]] = {
    "logs": states, "kinds": kinds, "epochs": epochs, "graded": graded, "suite": suite, "shards": shards, "twice": twice,
    "lm_eval": lm_eval, "lighteval": lighteval, "ragas": ragas, **agent_logs.MADE,
}  # fmt: skip
"""By the name of the folder."""


def write(folder: Path, *names: str) -> None:
    """Write the folders of some names, or all of them and those of the other tools."""
    for name in names or MADE:
        (folder / name).mkdir()
        MADE[name](folder / name)
    for name, writer in () if names else WRITERS.items():
        for model in MODELS:
            writer(folder / name.replace("-", "_"), model)
