"""Sets of documents, and their periods."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.errors import FormatError, InputError, UsageError
from assay.tasks.filtering import FilteringSettings

QRELS = "".join(
    f"{t} 0 {d} {g}\n" for t, d, g in [("R1", 10, 1), ("R1", 20, 2), ("R1", 30, 0), ("R2", 15, 1), ("R3", 1, 0)]
)


@pytest.fixture
def qrels(tmp_path: Path) -> str:
    path = tmp_path / "qrels.txt"
    path.write_text(QRELS)
    return str(path)


def put(tmp_path: Path, name: str, text: str) -> str:
    (tmp_path / name).write_text(text)
    return str(tmp_path / name)


class TestFiltering:
    def test_sets_by_hand(self, tmp_path, qrels):
        run = put(tmp_path, "run.txt", "R1 10\nR1 30\nR1 99\n")
        scores = assay.evaluate(qrels, run, task="filtering")
        assert scores.values("T10U", "run") == {"R1": 2 - 2, "R2": 0, "R3": 0}
        assert scores.values("T10F", "run") == {"R1": 1.25 / (0.25 + 2 + 1.25), "R2": 0, "R3": 0}
        assert scores.values("T10SU", "run") == {"R1": 100 / 104, "R2": 100 / 102, "R3": 1.0}
        assert scores.values("SetP", "run") == {"R1": 1 / 3, "R2": 0, "R3": 0}
        assert scores.mean("SetP") == {"run": pytest.approx(1 / 9)}
        assert scores.mean("SetR") == {"run": pytest.approx((1 / 2 + 0) / 2)}  # R3 has nothing to recall
        assert scores.mean("ZeroReturns") == {"run": 2}
        assert scores.mean("NumRet") == {"run": 3}

    def test_trec_runs_and_lists_score_the_same(self, tmp_path, qrels):
        plain = put(tmp_path, "plain.txt", "R1 10\nR2 15\nR1 99\n")
        trec = put(tmp_path, "trec.txt", "R1 Q0 10 1 0.1 cmu\nR2 Q0 15 1 0.5 cmu\nR1 Q0 99 2 0.9 cmu\n")
        scores = assay.evaluate(qrels, [plain, trec], task="filtering")
        assert scores.runs == ["plain", "cmu"]
        for measure in scores.measures:
            assert scores.values(measure, "plain") == scores.values(measure, "cmu")

    def test_level_and_judged_only(self, tmp_path, qrels):
        run = put(tmp_path, "run.txt", "R1 10\nR1 20\nR1 99\n")
        assert assay.evaluate(qrels, run, ["T10U"], task="filtering", level=2).values("T10U", "run")["R1"] == 2 - 2
        assert assay.evaluate(qrels, run, ["T10U"], task="filtering", judged_only=True).values("T10U", "run")["R1"] == 4

    def test_a_topic_without_lines_is_an_empty_set(self, tmp_path, qrels):
        run = put(tmp_path, "run.txt", "R1 10\n")
        scores = assay.evaluate(qrels, run, ["ZeroReturns", "T10SU"], task="filtering")
        assert scores.value("run", "T10SU").missing == 0
        skipped = assay.evaluate(qrels, run, ["ZeroReturns", "T10SU"], task="filtering", missing="skip")
        assert (skipped.value("run", "T10SU").topics, skipped.mean("ZeroReturns")) == (1, {"run": 0})

    def test_periods_have_their_own_relevant_documents(self, tmp_path, qrels):
        boundaries = put(tmp_path, "boundaries.txt", "10\n15\n25\n")
        run = put(tmp_path, "run.txt", "R1 10\nR1 9\nR1 30\nR2 16\n")
        task = assay.tasks.get("filtering")
        settings = FilteringSettings(periods=boundaries)
        source = assay.io.sources.source_of
        gold = task.read(source(qrels), (), settings)
        [views] = task.join(gold, source(run), settings)
        # (R+, R, retrieved) up to 10, to 15, to 25, and after.
        assert views.column("periods") == [
            [(1, 1, 2), (0, 0, 0), (0, 1, 0), (0, 0, 1)],
            [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)],
            [(0, 0, 0)] * 4,
        ]
        assert views.notes.periods == ["up to 10", "10 to 15", "15 to 25", "after 25"]

    def test_a_document_outside_all_periods_is_named(self, tmp_path, qrels):
        run = put(tmp_path, "run.txt", "R1 10\nR1 99\n")
        task, source = assay.tasks.get("filtering"), assay.io.sources.source_of
        times = put(tmp_path, "times.txt", "10 1\n20 2\n15 3\n")
        settings = FilteringSettings(periods=times)
        gold = task.read(source(qrels), (), settings)
        with pytest.raises(FormatError, match=r"run\.txt:2: document 99 has no period in .*times\.txt"):
            task.join(gold, source(run), settings)[0].column("periods")
        with pytest.raises(InputError, match=r"qrels\.txt: topic R1: document 20 has no period"):
            task.read(source(qrels), (), FilteringSettings(periods=put(tmp_path, "t", "10 1\n15 3\n")))

    def test_usage_and_bad_runs(self, tmp_path, qrels):
        run = put(tmp_path, "run.txt", "R1 10\n")
        with pytest.raises(UsageError, match="`depth=10`"):
            assay.evaluate(qrels, run, task="filtering", depth=10)
        with pytest.raises(UsageError, match="`period_count=4` needs `periods=FILE`"):
            assay.evaluate(qrels, run, task="filtering", period_count=4)
        with pytest.raises(InputError, match="no topic in common"):
            assay.evaluate(qrels, put(tmp_path, "other.txt", "X 10\n"), task="filtering")
        with pytest.raises(FormatError, match=r"twice\.txt:2: document 10 appears a second time"):
            assay.evaluate(qrels, put(tmp_path, "twice.txt", "R1 10\nR1 10\n"), task="filtering")
        scores = assay.evaluate(qrels, put(tmp_path, "more.txt", "R1 10\nX 1\nY 1\n"), task="filtering")
        assert scores.run("more").notes.ignored_topics == 2
