"""`assay compare` and `assay evaluate --intervals`: what a person types, what comes back, and the exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from assay.cli import main

QRELS = "".join(f"q{t} 0 d{t} 1\n" for t in range(12))


def run_text(tag, ranks):
    """One relevant document a topic, at the given rank; RR is then 1/rank."""
    lines = []
    for topic, rank in enumerate(ranks):
        for place in range(1, 11):
            document = f"d{topic}" if place == rank else f"x{place}"
            lines.append(f"q{topic} Q0 {document} {place} {100 - place} {tag}\n")
    return "".join(lines)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "bm25.run").write_text(run_text("bm25", [2, 2, 3, 2, 2, 4, 2, 2, 2, 5, 2, 2]))
    (tmp_path / "dense.run").write_text(run_text("dense", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]))
    (tmp_path / "same.run").write_text(run_text("same", [2, 2, 3, 2, 2, 4, 2, 2, 2, 5, 2, 2]))
    runs = tmp_path / "runs"
    runs.mkdir()
    for name in ("bm25", "dense", "same"):
        (runs / f"{name}.run").write_text((tmp_path / f"{name}.run").read_text())
    (tmp_path / "ap.csv").write_text("topic,a,b,c\n1,0.1,0.2,0.3\n2,0.4,0.5,0.6\n3,0.2,0.3,0.4\n4,0.1,0.2,0.5\n")
    return tmp_path


def printed(capfd, *words, code=0):
    assert main(["compare", *words]) == code
    return capfd.readouterr()


def as_json(capfd, *words):
    return json.loads(printed(capfd, *words, "-f", "json").out)


def test_two_runs_end_in_a_sentence(folder, capfd):
    """11 topics at rank 1 instead of lower, one equal: 2 of 2^11 exchanges reach the difference."""
    out = printed(capfd, "qrels.txt", "bm25.run", "dense.run", "-m", "RR").out
    assert out.startswith("dense beats bm25 by .52 RR on 12 topics.\n")
    assert re.search(r"^against dense +difference.*\n-+\nbm25 +−\.518 .* < \.001 +0, 11$", out, re.MULTILINE)
    verbose = printed(capfd, "qrels.txt", "bm25.run", "dense.run", "-m", "RR", "-v").out
    assert "dense is better than bm25 by 0.51" in verbose
    assert "p < .001 (randomisation, exact), winning 11 of 12 topics." in verbose
    [pair] = as_json(capfd, "qrels.txt", "bm25.run", "dense.run", "-m", "RR")["pairs"]
    assert (pair["a"], pair["b"], pair["won"], pair["tied"], pair["lost"]) == ("dense", "bm25", 11, 1, 0)
    assert pair["p"]["randomisation"] == 2 / 2**11
    assert pair["p"]["sign"] == pytest.approx(2 / 2**11)
    assert pair["interval"][0] < pair["difference"] < pair["interval"][1]


def test_a_folder_against_a_baseline(folder, capfd):
    result = as_json(capfd, "qrels.txt", "runs/", "-m", "RR", "--baseline", "bm25", "--correct", "holm")
    assert {(p["a"], p["b"]) for p in result["pairs"]} == {("dense", "bm25"), ("same", "bm25")}
    assert result["pairs"][0]["adjusted"]["holm"] == pytest.approx(2 * result["pairs"][0]["p"]["randomisation"])
    assert (result["tiers"], result["settings"]["tiers"]) == (None, None)  # tiers need all pairs
    assert [run["tier"] for run in result["runs"]] == [None, None, None]
    assert main(["compare", "qrels.txt", "runs/", "-m", "RR", "--baseline", "bm25"]) == 0
    assert "tier" not in capfd.readouterr().out.lower()


def test_all_pairs_in_tiers(folder, capfd):
    out = printed(capfd, "qrels.txt", "runs/", "-m", "RR").out
    lines = out.splitlines()
    assert lines[:2] == ["dense leads by .52 (RR .958) and beats the other two.", ""]
    assert lines[2].split()[:4] == ["tier", "rank", "run", "RR"]
    assert [line.split()[:3] for line in lines[4:6]] == [["1", "1", "dense"], ["2", "2–3", "bm25"]]
    verbose = printed(capfd, "qrels.txt", "runs/", "-m", "RR", "-v").out
    assert "same and bm25 have the same score" in verbose or "bm25 and same have the same score" in verbose
    assert "Tiers: a new tier starts where a run is significantly worse than the tier's best; it is no level" in out


def test_published_figures_from_a_matrix(shared_data, capfd):
    path = str(shared_data("trec_matrices") / "adhoc8_ap.csv")
    [pair] = as_json(capfd, "--scores", path, "--pairs", "run125:run126")["pairs"]
    assert pair["p"]["t"] == pytest.approx(0.0013193972, abs=5e-11)
    assert pair["p"]["wilcoxon"] == pytest.approx(0.003445188, abs=5e-10)
    assert pair["p"]["sign"] == pytest.approx(0.015347, abs=5e-7)
    [pair] = as_json(capfd, "--scores", path, "--pairs", "run125:run126", "--tie", "0.01")["pairs"]
    assert pair["p"]["sign"] == pytest.approx(0.009559879, abs=5e-10)


class TestGate:
    def test_passes_when_better_or_equal(self, folder, capfd):
        printed(capfd, "qrels.txt", "bm25.run", "dense.run", "-m", "RR", "--fail-if-worse")
        printed(capfd, "qrels.txt", "bm25.run", "same.run", "-m", "RR", "--fail-if-worse")

    def test_fails_when_the_interval_lies_below_zero(self, folder, capfd):
        said = printed(capfd, "qrels.txt", "dense.run", "bm25.run", "-m", "RR", "--fail-if-worse", code=1)
        assert "INFERIOR: bm25 against dense by RR: -" in said.err
        assert said.out.startswith("dense beats bm25 by .52 RR on 12 topics.\n")

    def test_a_margin_forgives(self, folder, capfd):
        printed(capfd, "qrels.txt", "dense.run", "bm25.run", "-m", "RR", "--fail-if-worse", "0.9")
        printed(capfd, "qrels.txt", "dense.run", "bm25.run", "-m", "RR", "--fail-if-worse", "0.1", code=1)

    def test_what_no_gate_can_judge_writes_nothing(self, folder, capfd):
        said = printed(capfd, "qrels.txt", "bm25.run", "dense.run", "-m", "NumRet", "--fail-if-worse", code=2)
        assert (said.out, said.err) == (
            "",
            "assay compare: --fail-if-worse needs a measure with a direction; NumRet has none (assay compare --help)\n",
        )
        (folder / "gold.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": "x"}}\n' for i in range(4)))
        (folder / "silent.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": null}}\n' for i in range(4)))
        (folder / "right.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": "x"}}\n' for i in range(4)))
        words = ["gold.jsonl", "right.jsonl", "silent.jsonl", "-m", "precision", "--fail-if-worse"]
        said = printed(capfd, *words, code=3)
        assert said.out == ""
        assert "precision is undefined for silent or right" in said.err

    def test_two_topics_cannot_fail_it_and_that_is_said(self, folder, capfd):
        (folder / "two.csv").write_text("topic,a,b\n1,0.5,0.4\n2,0.5,0.1\n")
        said = printed(capfd, "--scores", "two.csv", "--fail-if-worse")
        assert "UNDECIDED, neither inferior nor non-inferior: b against a by two: -0.2500" in said.err
        assert "allow no p below .50" in said.out
        printed(capfd, "--scores", "two.csv", "--fail-if-worse", "--undecided", "fail", code=1)

    def test_a_margin_makes_sense(self, folder, capfd):
        for margin in ("--fail-if-worse=-1", "--fail-if-worse=nan"):
            with pytest.raises(SystemExit) as stop:
                main(["compare", "qrels.txt", "bm25.run", "dense.run", margin])
            assert stop.value.code == 2
            assert "expected a margin of 0 or more" in capfd.readouterr().err

    def test_a_file_taken_for_the_margin_is_explained(self, folder, capfd):
        with pytest.raises(SystemExit):
            main(["compare", "--fail-if-worse", "qrels.txt", "bm25.run", "dense.run"])
        assert "put the option last" in capfd.readouterr().err

    def test_lower_is_better_turns_the_gate_around(self, folder, capfd):
        (folder / "gold.jsonl").write_text(
            "".join(f'{{"id": "q{i}", "answers": [{{"text": "x"}}]}}\n' for i in range(40))
        )
        for name, silent in (("old", 30), ("new", 5)):
            rows = (f'{{"id": "q{i}", "answer": {"null" if i < silent else json.dumps("y")}}}\n' for i in range(40))
            (folder / f"{name}.jsonl").write_text("".join(rows))
        words = ["gold.jsonl", "old.jsonl", "new.jsonl", "-m", "hallucination_rate", "--fail-if-worse"]
        printed(capfd, *words, code=1)
        printed(capfd, "gold.jsonl", "new.jsonl", "old.jsonl", "-m", "hallucination_rate", "--fail-if-worse")

    def test_c_at_1(self, folder, capfd):
        (folder / "gold.jsonl").write_text(
            "".join(f'{{"id": "q{i}", "answers": [{{"text": "x"}}]}}\n' for i in range(40))
        )
        (folder / "old.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": "x"}}\n' for i in range(40)))
        new = (f'{{"id": "q{i}", "answer": {"null" if i % 2 else json.dumps("y")}}}\n' for i in range(40))
        (folder / "new.jsonl").write_text("".join(new))
        said = printed(capfd, "gold.jsonl", "old.jsonl", "new.jsonl", "-m", "c@1", "--fail-if-worse", code=1)
        assert "old beats new by 1.00 c@1 on 40 questions.\n" in said.out
        assert "INFERIOR: new against old by c@1: -1.0000" in said.err


class TestFormats:
    def test_csv_has_every_number(self, folder, capfd):
        out = printed(capfd, "--scores", "ap.csv", "-f", "csv").out
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [(row["a"], row["b"]) for row in rows] == [("c", "b"), ("c", "a"), ("b", "a")]
        assert float(rows[2]["difference"]) == pytest.approx(0.1)
        assert {"low", "high", "p_t", "adjusted_tukey", "significant", "won", "critical"} <= set(rows[0])

    @pytest.mark.parametrize("format", ["tsv", "markdown", "latex"])
    def test_others(self, folder, capfd, format):
        assert "c" in printed(capfd, "--scores", "ap.csv", "-f", format).out

    def test_parquet(self, folder, capfd):
        pytest.importorskip("pyarrow")
        import pyarrow.parquet

        printed(capfd, "--scores", "ap.csv", "-o", "pairs.parquet")
        assert pyarrow.parquet.read_table("pairs.parquet").num_rows == 3

    def test_several_measures_and_how_alike_they_rank(self, folder, capfd):
        result = as_json(capfd, "qrels.txt", "runs/", "-m", "RR", "-m", "P@5")
        assert [c["measure"] for c in result["comparisons"]] == ["RR", "P@5"]
        [alike] = result["agreement"]
        assert (alike["x"], alike["y"], alike["runs"]) == ("RR", "P@5", 3)
        # Every relevant document is in the top 5, so P@5 ties all runs.
        assert alike["tau_b"] is None

    def test_measures_named_on_the_way_in(self, folder, capfd):
        assert as_json(capfd, "--scores", "AP=ap.csv")["measure"] == "AP"
        assert as_json(capfd, "--scores", "ap.csv", "-m", "AP")["measure"] == "AP"

    def test_two_tables_ranked_alike(self, folder, capfd):
        (folder / "other.csv").write_text("topic,a,b,c\n1,1,3,2\n2,1,3,2\n")
        [alike] = as_json(capfd, "--scores", "ap.csv", "--against", "other.csv")["agreement"]
        # c > b > a against b > c > a: one of three pairs the other way round, at the top.
        assert alike["tau_b"] == pytest.approx(1 / 3)
        assert alike["tau_ap"] == pytest.approx(2 / 2 * (0 + 2 / 2) - 1)
        assert "tau-AP" in printed(capfd, "--scores", "ap.csv", "--against", "other.csv").out

    @pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
    def test_scores_out_and_in_again(self, folder, capfd, ending):
        if ending == "parquet":
            pytest.importorskip("pyarrow")
        words = ["-m", "RR", "--seed", "7"]
        first = as_json(capfd, "qrels.txt", "runs/", *words, "--save-scores", f"scores.{ending}")
        again = as_json(capfd, "--scores", f"scores.{ending}", *words)
        assert first["pairs"] == again["pairs"]
        assert first["tiers"] == again["tiers"]

    def test_the_same_on_any_number_of_threads(self, folder, capfd):
        one = printed(capfd, "--scores", "ap.csv", "--threads", "1", "-f", "json").out
        assert one == printed(capfd, "--scores", "ap.csv", "--threads", "3", "-f", "json").out


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--scores", "ap.csv", "--baseline", "none"], 2, "unknown run 'none'; runs are a, b, c"),
        (["--scores", "ap.csv", "--pairs", "a"], 2, "expected two runs as in A:B"),
        (["--scores", "ap.csv", "--pairs", "a:z"], 2, "unknown run 'z'"),
        (["--scores", "ap.csv", "qrels.txt"], 2, "replaces gold and runs"),
        (["qrels.txt"], 2, "no runs given"),
        (["qrels.txt", "bm25.run"], 2, "at least 2 runs"),
        (["--scores", "none.csv"], 3, "none.csv: cannot be read"),
        (["--scores", "bad.csv"], 3, "bad.csv:3: run b: expected a number"),
        (["--scores", "one.csv"], 3, "share one topic with a value of one"),
        (["--scores", "apart.csv"], 3, "have no topic in common"),
        (["--scores", "ap.csv", "--save-scores", "x.txt"], 2, "ends in .csv, .json or .parquet"),
        (["--scores", "ap.csv", "--fail-if-worse"], 2, "--fail-if-worse needs --baseline RUN where there are 3 runs"),
        (["--scores", "ap.csv", "-m", "AP", "-m", "RR"], 2, "-m AP,RR: expected 1 names, one per matrix; matrices are ap"),
        (["--scores", "ap.csv", "--test", "mcnemar"], 2, "no right and wrong answers"),
        (["--scores", "ap.csv", "--resamples", "5"], 2, "too few"),
        (["--scores", "ap.csv", "--cluster", "passage"], 2, "no field 'passage'"),
    ],
)  # fmt: skip
def test_clear_messages(folder, capfd, words, code, says):
    (folder / "bad.csv").write_text("a,b\n1,2\n1,x\n")
    (folder / "one.csv").write_text("topic,a,b\n1,2,3\n")
    (folder / "apart.csv").write_text("topic,a,b\n1,2,NA\n2,3,NA\n3,NA,1\n4,NA,2\n")
    said = printed(capfd, *words, code=code)
    assert says in said.err
    assert said.out == ""
    assert "Traceback" not in said.err
    assert "nan" not in said.err.lower().replace("cannot", "")


class TestEvaluateIntervals:
    def test_beside_each_number(self, folder, capfd):
        assert main(["evaluate", "qrels.txt", "bm25.run", "dense.run", "-m", "RR", "--intervals"]) == 0
        header, first, *_ = capfd.readouterr().out.splitlines()
        assert "RR 95%" in header
        assert "[" in first

    def test_two_numbers_for_programs(self, folder, capfd):
        assert main(["evaluate", "qrels.txt", "bm25.run", "-m", "RR", "--intervals", "-f", "csv"]) == 0
        [row] = csv.DictReader(io.StringIO(capfd.readouterr().out))
        assert float(row["RR_low"]) < float(row["RR"]) < float(row["RR_high"])

    def test_json(self, folder, capfd):
        (folder / "mixed.run").write_text(run_text("mixed", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2]))
        assert main(["evaluate", "qrels.txt", "mixed.run", "-m", "RR", "--intervals", "-f", "json"]) == 0
        [run] = json.loads(capfd.readouterr().out)["runs"]
        assert run["intervals"]["RR"]["method"] == "studentised bootstrap"
        low, high = run["intervals"]["RR"]["interval"]
        assert low < run["scores"]["RR"] < high


def test_runs_without_a_value_are_said_and_spoil_nothing(folder, capfd):
    """Nobody answers: precision has no value; accuracy, 0 for all, has."""
    (folder / "gold.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": "x"}}\n' for i in range(4)))
    for name in ("r1", "r2", "r3"):
        (folder / f"{name}.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": null}}\n' for i in range(4)))
    runs = [f"r{i}.jsonl" for i in (1, 2, 3)]
    said = printed(capfd, "gold.jsonl", *runs, "-m", "precision", "-m", "accuracy")
    assert "There is nothing to compare: 0 runs of 3 have precision." in said.out
    assert (
        "No run can be told from another on these 4 questions. r1, r2 and r3 have the highest accuracy (.00)."
        in said.out
    )
    assert "No two runs differ in accuracy." in said.out
    assert "against r1  difference" not in said.out.split("No run can be told")[0]
    assert "nan" not in said.out
    assert "p: ." not in printed(capfd, "gold.jsonl", *runs[:2], "-m", "precision").out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"runs": []}', "no list of runs"),
        ('{"runs": [1]}', 'entry 1 of "runs" has no "run"'),
        ('{"runs": [{"topics": {"1": {"AP": 1}}}]}', 'entry 1 of "runs" has no "run"'),
        ('{"runs": [{"run": "a", "topics": {"1": 3}}]}', 'run a: expected "topics"'),
        ('{"runs": [{"run": "a", "topics": {"1": {"AP": "x"}}}]}', "topic 1: AP is 'x', not a number"),
        ('{"runs": [{"run": "a", "topics": {"1": {"AP": NaN}}}]}', "topic 1: AP is nan, not a number"),
    ],
)
@pytest.mark.parametrize("command", ["compare", "reliability"])
def test_json_that_is_no_score_table_is_bad_input(folder, capfd, command, content, message):
    (folder / "scores.json").write_text(content)
    assert main([command, "--scores", "scores.json"]) == 3
    said = capfd.readouterr()
    assert said.out == ""
    assert message in said.err


LANGUAGES = "".join(f'[{run}]\nlanguage = "{run[:2]}"\n' for run in ("de1", "de2", "en1", "en2"))


def test_groups_of_runs(tmp_path, monkeypatch, run, result) -> None:
    """Six topics on which de2 is .2 better than de1, and en2 .1 better than en1: of 64 sign flips two are as extreme, and a group
    with one pair has nothing to adjust for."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"t{i},{i / 10},{i / 10 + 0.2},{i / 10},{i / 10 + 0.1},0.3\n" for i in range(6))
    (tmp_path / "ap.csv").write_text("topic,de1,de2,en1,en2,other\n" + rows)
    (tmp_path / "runs.toml").write_text(LANGUAGES)
    words = ("compare", "--scores", "ap.csv", "--characteristics", "runs.toml", "--group-by")
    found = result(*words, "language")
    assert (found["group_by"], [group["value"] for group in found["groups"]]) == (
        "language",
        ["de", "en", "without language"],
    )
    german, english, other = found["groups"]
    pair = german["comparison"]["pairs"][0]
    assert (pair["a"], pair["b"], pair["p"]["randomisation"]) == ("de2", "de1", 0.03125)
    assert german["comparison"]["tiers"] == [["de2"], ["de1"]]
    assert english["comparison"]["tiers"] == [["en2"], ["en1"]]
    assert (german["median"], other["comparison"], other["why"]) == (pytest.approx(0.35), None, "the group has one run")
    family = "within each language: p and intervals are adjusted for the pairs of a group, not for the 3 groups"
    assert any(family in note for note in found["notes"])
    assert "1 run without language (other) form a group of their own, 'without language'" in found["notes"]
    code, out, err = run(*words, "language")
    assert code == 0
    assert family in out
    assert "Median ap of the 2 runs: .35.\n" in out
    assert "without language" in err
    code, _, err = run(*words, "lang")
    assert (code, "unknown characteristic; characteristics are language" in err) == (2, True)
    code, _, err = run(*words, "language", "--pairs", "de1:en1")
    assert (code, "pair de1:en1 crosses groups (de and en)" in err) == (2, True)
    code, _, err = run(*words, "language", "--by", "type")
    assert (code, "--by groups topics and --group-by groups runs" in err) == (2, True)


class TestDirection:
    """Score tables state whether higher or lower is better."""

    @pytest.fixture
    def table(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        rows = "".join(f"{i},{10 + i % 3},{20 + i % 4}\n" for i in range(1, 9))
        Path("x.csv").write_text("topic,small,large\n" + rows)

    @pytest.mark.parametrize(
        ("words", "best", "told"),
        [
            (["--scores", "perplexity=x.csv"], "small", "lower is better"),
            (["--scores", "x.csv"], "large", "higher is better"),
            (["--scores", "my_loss=x.csv", "--lower-is-better"], "small", "lower is better"),
            (["--scores", "my_loss=x.csv", "--higher-is-better"], "large", "higher is better"),
            (["--scores", "perplexity=x.csv", "--higher-is-better", "perplexity"], "large", "higher is better"),
            (["--lower-is-better", "--scores", "x.csv"], "small", "lower is better"),
        ],
    )
    def test_the_better_run(self, table, capfd, words, best, told):
        assert as_json(capfd, *words)["runs"][0]["run"] == best
        name = words[words.index("--scores") + 1].partition("=")[0].removesuffix(".csv")
        assert as_json(capfd, *words)["settings"]["higher_is_better"] == {name: told.startswith("higher")}
        assert told in printed(capfd, *words).out
        # small - large is an improvement exactly where lower is better.
        gate = printed(capfd, *words, "--baseline", "large", "--fail-if-worse", code=int(best == "large")).err
        assert ("INFERIOR" in gate) == (best == "large")

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            (["--scores", "my_loss=x.csv"], "my_loss.*--lower-is-better or --higher-is-better"),
            (["--scores", "x.csv", "--lower-is-better", "--higher-is-better"], "both"),
            (["--scores", "x.csv", "--lower-is-better", "x", "--higher-is-better", "x"], "x.*both"),
            (["--scores", "x.csv", "--lower-is-better", "y"], "no measure 'y'; measures are x"),
            (["x.csv", "--lower-is-better"], "--scores"),
        ],
    )
    def test_what_is_refused(self, table, capfd, words, problem):
        assert re.search(problem, printed(capfd, *words, code=2).err)

    def test_another_table_has_its_direction_too(self, table, capfd):
        words = ["--scores", "x.csv", "--against", "ppl.csv"]
        Path("ppl.csv").write_text(Path("x.csv").read_text())
        assert as_json(capfd, *words)["agreement"][0]["tau_b"] == -1
        Path("my_loss.csv").write_text(Path("x.csv").read_text())
        words = ["--scores", "x.csv", "--against", "my_loss.csv"]
        assert "--lower-is-better" in printed(capfd, *words, code=2).err
        assert as_json(capfd, *words, "--lower-is-better", "my_loss")["agreement"][0]["tau_b"] == -1


class TestIncompleteBoards:
    """Run c has no value on three topics of 20: by default they are lost to all."""

    @pytest.fixture
    def board(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        rows = [
            f"t{t},{t % 5 / 10 + 0.5 + t % 3 / 50},{t % 5 / 10},{'' if t < 3 else t % 5 / 10 + t % 2 / 50}"
            for t in range(20)
        ]
        (tmp_path / "board.csv").write_text("\n".join(["topic,a,b,c", *rows]) + "\n")

    def test_every_pair_on_what_both_have(self, board, capfd):
        assert main(["compare", "--scores", "board.csv", "-f", "json"]) == 0
        assert json.loads(capfd.readouterr().out)["topics"] == 17
        assert main(["compare", "--scores", "board.csv", "--incomplete", "pairs", "-f", "json"]) == 0
        result = json.loads(capfd.readouterr().out)
        assert {(pair["a"], pair["b"]): pair["topics"] for pair in result["pairs"]} == {
            ("a", "b"): 20,
            ("a", "c"): 17,
            ("c", "b"): 17,
        }
        assert [(run["run"], run["entered"]) for run in result["runs"]] == [("a", 20), ("c", 17), ("b", 20)]
        assert result["contradictions"] == []

    def test_the_table_has_both_means(self, board, capfd):
        assert main(["compare", "--scores", "board.csv", "--incomplete", "pairs"]) == 0
        out = capfd.readouterr().out
        assert re.search(
            r"^tier +rank +run +adjusted +board +95% interval .* topics  cannot be told from$", out, re.MULTILINE
        )
        # c lacks topics with 0, .1 and .2: its own mean is (4 - .3 + 9 × .02) / 17 = .2282, that of b over all twenty .2.
        assert re.search(r"c +\.21\d +\.228 ", out)

    def test_what_it_cannot_be_combined_with(self, board, capfd):
        assert main(["compare", "--scores", "board.csv", "--incomplete", "pairs", "--baseline", "a"]) == 2
        assert (
            "--incomplete pairs: all pairs are compared and ranked; cannot be combined with baseline"
            in capfd.readouterr().err
        )
