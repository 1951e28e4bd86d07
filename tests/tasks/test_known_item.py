"""Known items and home pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay


def put(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


class TestKnownItem:
    def test_counts_and_shares(self, tmp_path):
        # Ranks 1, 3, 11 and 101, and one topic never found.
        qrels = put(tmp_path, "q.txt", "".join(f"{t} 0 home{t} 1\n" for t in range(1, 6)))
        lines: list[str] = []
        for topic, rank in ((1, 1), (2, 3), (3, 11), (4, 101)):
            names = [f"d{i}" for i in range(1, rank)] + [f"home{topic}"]
            lines += [f"{topic} Q0 {name} 0 {1000 - place} run\n" for place, name in enumerate(names)]
        scores = assay.evaluate(qrels, put(tmp_path, "r.txt", "".join(lines)), task="known-item")
        values = {m.name: scores.mean(m)["run"] for m in scores.measures}
        assert values["RR"] == pytest.approx((1 + 1 / 3 + 1 / 11 + 1 / 101) / 5)
        assert (values["Found@1"], values["Found@10"], values["NotFound@100"]) == (1, 2, 2)
        assert (values["Success@1"], values["Success@10"]) == (1 / 5, 2 / 5)

    def test_any_of_several_right_pages(self, tmp_path):
        qrels = put(tmp_path, "q.txt", "1 0 a 1\n1 0 b 1\n")
        run = put(tmp_path, "r.txt", "1 Q0 x 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\n")
        assert assay.evaluate(qrels, run, ["Rank"], task="known-item").values("Rank", "t") == {"1": 2}
