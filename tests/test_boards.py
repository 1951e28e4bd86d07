"""The numbers of docs/how_many_places.md: rebuilt from the public boards, and their arithmetic on boards made by hand."""

from __future__ import annotations

import doctest
import importlib
import re
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import assay

ROOT = Path(__file__).parents[1]
SMALL = ("mteb_kor_v1", "mteb_jpn_v1", "mteb_pol_v1", "evalperf_dps")
VERSION_0_2 = {
    "zeroeval_crux": "crux", "zeroeval_gsm8k": "gsm8k", "zeroeval_math_l5": "math_l5", "alpacaeval1_gpt4": "alpacaeval1",
    "evalperf_pass1": "pass1", "jailbreakbench_attacks": "jailbreakbench", "mmlu_pro_26": "mmlu_pro_26",
    "mteb_multilingual_v2_130of131": "mteb_multilingual",
}  # fmt: skip
"""Boards of many rows → what the README of the data calls them where it says what version 0.2 found."""


def load(name: str):
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "docs"))


boards, boards_page = load("boards"), load("boards_page")
LINES = {line["board"]: line for line in boards.results()}
COMPARED = [line for line in LINES.values() if "too_few_items" not in line]


def rebuild(name: str, shared_data) -> dict:
    return boards.board_of(name, shared_data("boards", f"{name}.csv.gz"))


@pytest.mark.parametrize("name", SMALL)
def test_small_boards_are_rebuilt(name, shared_data) -> None:
    assert rebuild(name, shared_data) == LINES[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*LINES} - {*SMALL}))
def test_boards_are_rebuilt(name, shared_data) -> None:
    assert rebuild(name, shared_data) == LINES[name]


def test_the_command_prints_a_table_and_writes_nothing_of_a_part(shared_data, monkeypatch, capsys) -> None:
    folder = shared_data("boards", "mteb_kor_v1.csv.gz").parent
    before = boards.RESULTS.read_text("utf-8")
    monkeypatch.setattr(sys, "argv", ["boards.py", str(folder), "--only", "mteb_kor_v1", "--only", "mteb_pol_v1"])
    assert boards.main() == 0
    header, korean, polish = capsys.readouterr().out.splitlines()
    assert header.split()[:3] == ["board", "models", "items"]
    assert "too few tasks" in korean
    assert polish.split()[:4] == ["MTEB", "Polish", "12", "17"]
    assert boards.RESULTS.read_text("utf-8") == before


def test_a_folder_without_the_boards_is_refused(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(sys, "argv", ["boards.py", str(tmp_path)])
    assert boards.main() == 2
    assert "zeroeval_crux.csv.gz is missing. Fix:" in capsys.readouterr().err


class TestAgainstTheReadmeOfTheData:
    """What others counted on the same files."""

    @pytest.fixture
    def readme(self, shared_data) -> str:
        return shared_data("boards", "README.md").read_text("utf-8")

    def test_models_rows_and_figures_that_agree(self, readme) -> None:
        about = boards.described()["board"]
        rows = dict(re.findall(r"^\| (\w+) \| (.*)$", readme, re.MULTILINE))
        for name in (
            "zeroeval_crux",
            "zeroeval_gsm8k",
            "alpacaeval1_gpt4",
            "mmlu_pro_26",
            "mteb_eng_v2",
            "open_asr_en_shortform",
        ):
            models, items = re.match(r"(\d+) × ([\d,]+)", rows[name]).groups()
            line = LINES[name]
            assert (line["models"], line["items_in_file"]) == (int(models), int(items.replace(",", "")))
            agree = re.search(r"\| (\d+) of (\d+)[^|]*\|$", rows[name])
            assert (agree is not None) == ("agree" in about[name])
            if agree:
                assert (about[name]["agree"], about[name]["of"]) == (int(agree[1]), int(agree[2]))

    @pytest.mark.parametrize("name", VERSION_0_2)
    def test_what_version_0_2_found(self, readme, name) -> None:
        """Since then skewness is taken out of the differences: less than a point of many rows, up to 8 points of MTEB BEIR's 15."""
        said = re.search(rf"{VERSION_0_2[name]} (\d+)% / (\d+) of (\d+)", readme)
        pairs, neighbours, gaps = map(int, said.groups())
        line = LINES[name]
        assert 100 * line["pairs_differ"] == pytest.approx(pairs, abs=1.0)
        assert line["models"] - 1 == gaps
        assert line["neighbours_differ"] == pytest.approx(neighbours, abs=1)

    def test_rows_that_all_models_solved(self, readme) -> None:
        assert "on the 59 problems that all solved, 1% of pairs differ" in readme
        line = LINES["evalperf_dps"]
        assert (line["items"], line["items_in_file"], round(line["pairs_differ"], 2)) == (59, 118, 0.01)


def test_places_are_those_of_compare() -> None:
    rng = np.random.default_rng(1)
    table = assay.scores(np.array([0.0, 0.0, 1.0, 1.5, 4.0]) + rng.normal(0, 1, (30, 5)))
    result, places = assay.compare(table), boards.places_of(table)
    widths = [rank.high - rank.low + 1 for rank in result.ranks]
    order = [run.run for run in result.runs]
    differ = {(pair.a, pair.b) for pair in result.pairs if pair.significant}
    assert places.pairs_differ == len(differ) / 10
    assert places.neighbours_differ == sum(pair in differ for pair in pairwise(order))
    assert (places.may_be_first, places.certain) == (len(result.ranks.may_be_first), widths.count(1))
    assert places.median_width == np.median(widths)
    assert places.certain >= 1


def test_rows_that_a_model_lacks_are_left_out_and_counted(tmp_path) -> None:
    rows = [f"t{i},{i % 3},{1 + i % 2},{'' if i < 2 else 5 + i % 4}" for i in range(12)]
    (tmp_path / "made.csv").write_text("topic,a,b,c\n" + "\n".join(rows) + "\n")
    line = boards.board_of("made", tmp_path / "made.csv")
    assert (line["models"], line["pairs"], line["items"], line["items_in_file"]) == (3, 3, 10, 12)
    (tmp_path / "few.csv").write_text("topic,a,b,c\n" + "\n".join(rows[:9]) + "\n")
    line = boards.board_of("few", tmp_path / "few.csv")
    assert line == {"board": "few", "models": 3, "items_in_file": 9, "items": 7, "pairs": 3, "too_few_items": True}


class TestDoubling:
    def made(self, rng, rows: int, effects: np.ndarray) -> np.ndarray:
        """A board with known effects: hard and easy rows, and as much noise in each cell."""
        return effects + rng.normal(0, 2, (rows, 1)) + rng.normal(0, 1, (rows, len(effects)))

    def test_what_is_known_of_the_signal(self) -> None:
        rng = np.random.default_rng(2)
        effects = np.arange(8) / 4  # variance .375
        shares = [boards.signal_share(self.made(rng, 20, effects)) for _ in range(50)]
        assert np.mean(shares) == pytest.approx(0.375 / (0.375 + 1 / 20), abs=0.02)
        assert boards.signal_share(np.ones((5, 3))) == 0.0

    def test_new_boards_have_the_spread_of_the_true_effects(self) -> None:
        """The variance of the new means is that of the effects and of the noise over twice the rows; unshrunk it would be more."""
        rng = np.random.default_rng(3)
        effects = rng.normal(0, 0.3, 40)
        variances = []
        for _ in range(10):
            board = self.made(rng, 12, effects)
            for new in boards.new_boards(board, 10, rng):
                assert new.shape == (24, 40)
                variances.append(new.mean(axis=0).var(ddof=1))
        expected = effects.var(ddof=1) + 1 / 24
        assert np.mean(variances) == pytest.approx(expected, rel=0.1)
        assert np.mean(variances) < 0.85 * (effects.var(ddof=1) + 1 / 12 + 1 / 24)

    def test_predictions_come_near_what_boards_of_twice_the_rows_show(self) -> None:
        rng = np.random.default_rng(4)
        effects = rng.normal(0, 0.4, 15)
        truth = boards.mean_places(boards.places_of(assay.scores(self.made(rng, 80, effects))) for _ in range(30))
        predicted = boards.mean_places(boards.predict_doubled(self.made(rng, 40, effects), 3, rng) for _ in range(20))
        now = boards.mean_places(boards.places_of(assay.scores(self.made(rng, 40, effects))) for _ in range(30))
        assert truth.pairs_differ - now.pairs_differ > 0.1
        assert predicted.pairs_differ == pytest.approx(truth.pairs_differ, abs=0.04)
        assert predicted.may_be_first == pytest.approx(truth.may_be_first, abs=1)
        assert predicted.median_width == pytest.approx(truth.median_width, abs=1)

    def test_more_rows_tell_equal_models_no_better_apart(self) -> None:
        """Raw means would differ on more rows; those of equal models are noise, and shrunk."""
        rng = np.random.default_rng(5)
        predicted = boards.mean_places(
            boards.predict_doubled(self.made(rng, 30, np.zeros(10)), 3, rng) for _ in range(10)
        )
        assert predicted.pairs_differ < 0.02
        assert predicted.median_width > 9.5

    def test_halves_with_too_few_rows_are_not_checked(self) -> None:
        board = self.made(np.random.default_rng(6), 15, np.arange(4.0))
        assert boards.check_doubling(board, np.random.default_rng(0)) is None


class TestThePage:
    def test_it_is_short_and_has_no_number_of_its_own(self) -> None:
        text = boards_page.PAGE.read_text("utf-8")
        assert len(re.findall(r"[\w'@-]*[A-Za-z][\w'@-]*", re.sub(r"<!--.*?-->|\]\([^)]*\)", "", text))) < 1000
        own = boards_page.REGION.sub("", text)
        assert re.findall(r"\d+", own) == []

    def test_all_boards_are_in_its_table(self) -> None:
        text = boards_page.PAGE.read_text("utf-8")
        about = boards.described()
        assert len(LINES) == 25
        for board in about["board"].values():
            assert f"\n| {board['title']} | " in text
            assert board["source"] in about["source"]
        assert text.count("too few tasks") == len(LINES) - len(COMPARED)

    def test_every_number_follows_from_the_json(self, monkeypatch) -> None:
        """A number that changes there changes here."""
        before = boards_page.page()
        changed = [dict(line) for line in boards.results()]
        for line in changed:
            if "too_few_items" not in line:
                line["certain"] += 1
        monkeypatch.setattr(boards_page, "results", lambda: changed)
        total = sum(line["certain"] for line in COMPARED)
        assert f" {total} places (" in before
        assert f" {total + len(COMPARED)} places (" in boards_page.page()

    def test_a_board_without_results_is_refused(self, monkeypatch) -> None:
        monkeypatch.setattr(boards_page, "results", lambda: boards.results()[1:])
        with pytest.raises(SystemExit, match="zeroeval_crux"):
            boards_page.page()

    def test_the_chart_has_a_bar_and_a_circle_for_each_board(self) -> None:
        svg = boards_page.chart()
        assert svg.count('class="run"') == len(COMPARED)
        assert svg.count('<circle class="ring"') == len(COMPARED) + 1  # and the key
        assert "prefers-color-scheme:dark" in svg


@pytest.mark.parametrize("module", [boards, boards_page], ids=lambda module: module.__name__)
def test_examples(module) -> None:
    assert doctest.testmod(module).failed == 0
