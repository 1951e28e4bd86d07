"""The tracks against programs nobody here wrote: pytrec_eval's recip_rank, scikit-learn's F."""

from __future__ import annotations

import json
import random

import pytest

import assay

pytrec_eval = pytest.importorskip("pytrec_eval")
pytestmark = pytest.mark.peer


def recip_rank(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> dict[str, float]:
    found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    return {topic: values["recip_rank"] for topic, values in found.items()}


@pytest.mark.parametrize("seed", range(20))
def test_known_item_reciprocal_ranks(seed: int):
    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(150)]
    qrels = {str(t): {d: chance.choice([0, 1, 1]) for d in chance.sample(documents, 3)} for t in range(12)}
    run = {
        # Few distinct scores, so that ties decide.
        topic: {d: float(chance.randint(1, 40)) for d in chance.sample(documents, chance.randint(1, 150))}
        for topic in qrels
    }
    scores = assay.evaluate(qrels, {"run": run}, ["RR", "Success@10", "NotFound@100"], task="known-item")
    expected = recip_rank(qrels, run)
    assert scores.values("RR", "run") == pytest.approx(expected, abs=1e-12)
    assert scores.mean("Success@10")["run"] == pytest.approx(sum(value >= 0.1 for value in expected.values()) / 12)
    assert scores.mean("NotFound@100")["run"] == sum(value < 0.01 - 1e-12 for value in expected.values())


@pytest.mark.parametrize("seed", range(20))
def test_qa_reciprocal_ranks(seed: int, tmp_path):
    """The same answers as documents of a ranking: strictly, unsupported ones are non-relevant; leniently, relevant."""
    chance = random.Random(seed)
    words = ("correct", "unsupported", "inexact", "incorrect")
    judgments: list[dict[str, str]] = []
    answers: list[dict[str, object]] = []
    strict: dict[str, dict[str, int]] = {}
    lenient: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for question in map(str, range(30)):
        said = {f"a{i}": chance.choices(words, (1, 1, 1, 4))[0] for i in range(chance.randint(1, 5))}
        judgments += [{"id": question, "text": text, "judgment": word} for text, word in said.items()]
        answers.append({"id": question, "answers": list(said)})
        strict[question] = {text: int(word == "correct") for text, word in said.items()}
        lenient[question] = {text: int(word in ("correct", "unsupported")) for text, word in said.items()}
        run[question] = {text: -float(place) for place, text in enumerate(said)}
    gold, file = tmp_path / "j.jsonl", tmp_path / "r.jsonl"
    gold.write_text("".join(json.dumps(row) + "\n" for row in judgments))
    file.write_text("".join(json.dumps(row) + "\n" for row in answers))
    scores = assay.evaluate(str(gold), str(file), task="qa")
    assert scores.values("RR", "r") == pytest.approx(recip_rank(strict, run), abs=1e-12)
    assert scores.values("RR(judged=lenient)", "r") == pytest.approx(recip_rank(lenient, run), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_list_f_without_duplicates(seed: int, tmp_path):
    metrics = pytest.importorskip("sklearn.metrics")
    chance = random.Random(seed)
    names = [f"n{i}" for i in range(12)]
    known = {str(q): chance.sample(names, chance.randint(1, 6)) for q in range(10)}
    given = {q: chance.sample(names, chance.randint(1, 8)) for q in known}
    gold, file = tmp_path / "g.jsonl", tmp_path / "r.jsonl"
    gold.write_text("".join(json.dumps({"id": q, "answers": texts}) + "\n" for q, texts in known.items()))
    file.write_text("".join(json.dumps({"id": q, "answers": texts}) + "\n" for q, texts in given.items()))
    scores = assay.evaluate(str(gold), str(file), ["P", "R", "F", "F(beta=2)"], task="list")
    for q in known:
        truth, said = [n in known[q] for n in names], [n in given[q] for n in names]
        assert scores.values("F", "r")[q] == pytest.approx(metrics.f1_score(truth, said, zero_division=0), abs=1e-12)
        expected = metrics.fbeta_score(truth, said, beta=2, zero_division=0)
        assert scores.values("F(beta=2)", "r")[q] == pytest.approx(expected, abs=1e-12)
        assert scores.values("P", "r")[q] == pytest.approx(metrics.precision_score(truth, said), abs=1e-12)
        assert scores.values("R", "r")[q] == pytest.approx(metrics.recall_score(truth, said), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_filtering_sets_as_trec_eval_sees_them(seed: int):
    """trec_eval's set measures on the same sets; its set_F takes the square of β, and T10F's β is one half."""
    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(60)]
    qrels = {str(t): {d: chance.choice([0, 1]) for d in chance.sample(documents, 20)} for t in range(10)}
    for judged in qrels.values():
        judged[documents[0]] = 1
    run = {topic: dict.fromkeys(chance.sample(documents, chance.randint(1, 30)), 1.0) for topic in qrels}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"set_P", "set_recall", "set_F.0.25"}).evaluate(run)
    scores = assay.evaluate(qrels, {"run": run}, ["P", "R", "T10F"], task="filtering")
    for name, measure in (("set_P", "P"), ("set_recall", "R"), ("set_F", "T10F")):
        expected = {topic: values[name] for topic, values in found.items()}
        assert scores.values(measure, "run") == pytest.approx(expected, abs=1e-12)
