"""The scores of sentence-transformers' evaluator of retrieval: its own methods on made results, without a model."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from package_source import method

FILE, EVALUATOR = "sentence_transformer/evaluation/information_retrieval.py", "InformationRetrievalEvaluator"


def scores_of(relevant: dict[str, set[str]], results: dict[str, dict[str, float]], cuts) -> dict[str, float]:
    """What the evaluator returns for a model whose similarity is the cosine."""
    compute, dcg = (
        method("sentence_transformers", FILE, EVALUATOR, name, np=np)
        for name in ("compute_metrics", "compute_dcg_at_k")
    )
    evaluator = SimpleNamespace(
        relevant_docs=relevant, queries_ids=[*relevant], queries=[*relevant], compute_dcg_at_k=dcg,
        **dict.fromkeys(("accuracy_at_k", "precision_recall_at_k", "mrr_at_k", "ndcg_at_k", "map_at_k"), cuts),
    )  # fmt: skip
    hits = [[{"corpus_id": d, "score": s} for d, s in results[query].items()] for query in relevant]
    made = compute(evaluator, hits)
    return {
        f"cosine_{name.replace('@k', f'@{cut}')}": value
        for name, values in made.items()
        for cut, value in values.items()
    }
