"""What decides between runs, by hand: levels shared among pairs, edges of tiers, ties of a size."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import assay
from assay.analyses.comparison.compare import compare
from assay.analyses.comparison.pair_statistics import PairStatistics, range_of
from assay.errors import UsageError
from assay.measures.registry import find
from assay.scoring.score_files import scores
from assay.table.run_scores import RunScores
from assay.table.scores import Scores
from assay.tasks import get


@pytest.fixture
def three(table):
    """Two runs .1 above a baseline on average, by .05 on five topics and .15 on five: a standard error of .05/3."""
    base = [0.05 * i for i in range(10)]
    steps = [0.05, 0.15] * 5
    return table(
        {
            "base": base,
            "a": [x + step for x, step in zip(base, steps, strict=True)],
            "b": [x + step for x, step in zip(base, reversed(steps), strict=True)],
        }
    )


@pytest.mark.parametrize(("correct", "level"), [("none", 0.05), ("holm", 0.025), ("bh", 0.05)])
def test_what_would_have_been_significant_is_half_the_interval(three, correct, level) -> None:
    """t(1 - level/2, 9) standard errors; under Holm the first of 2 pairs has half the level, both are significant under
    Benjamini-Hochberg and so have all of it; what the noncentral t exceeds 4 times in 5 is found."""
    from scipy import stats

    error, quantile = 0.05 / 3, float(stats.t.ppf(1 - level / 2, 9))
    pair = compare(three, baseline="base", correct=correct, test="t").pairs[0]
    assert pair.critical == pytest.approx(quantile * error, abs=1e-6)
    raised = (9 / stats.chi2.median(9)) ** 0.5  # the median-unbiased standard error
    assert stats.nct.sf(quantile, 9, pair.detectable / (raised * error)) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(("p", "found"), [(0.05, [["a"], ["b"]]), (0.0501, [["a", "b"]])])
def test_a_p_value_equal_to_alpha_is_significant(p, found) -> None:
    made = SimpleNamespace(
        columns=SimpleNamespace(runs=["a", "b"]), a=np.array([0]), b=np.array([1]), every=True,
        significant=np.array([p]) <= 0.05,
    )  # fmt: skip
    assert PairStatistics.tiers(made, [0, 1]) == found  # type: ignore[arg-type]


def test_a_difference_of_exactly_the_size_of_a_tie_is_none(table) -> None:
    """.07 · 100 is 7.000000000000001 in floating point; .07 is not below it, .06 is."""
    assert 0.07 * 100 > 7
    low = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    gains = [0.07, -0.07, 0.06, -0.06, 0.0, 0.08]
    scores = table({"b": low, "a": [round(x + gain, 2) for x, gain in zip(low, gains, strict=True)]})
    [pair] = compare(scores, tie=0.07).pairs
    assert (pair.won, pair.tied, pair.lost) == (2, 3, 1)


def test_a_range_holds_only_where_the_values_are_in_it(table) -> None:
    measure = table({"a": [0.1]}).measures[0]
    assert range_of(measure, np.array([0.0, 1.0])) == (0, 1)
    assert range_of(measure, np.array([0.0, 1.0 + 1e-13])) == (0, 1)
    assert range_of(measure, np.array([20.0, 40.0])) == (None, None)
    assert range_of(measure, np.array([-0.5, 0.4])) == (None, None)


class TestAgreement:
    """An interval and a p-value printed together agree, whatever the test and the correction."""

    @pytest.mark.parametrize("test", [None, "t", "bootstrap"])
    @pytest.mark.parametrize("correct", ["none", "maxt", "stepdown", "holm", "bh", "tukey"])
    def test_significant_is_an_interval_without_0(self, test, correct, random_table) -> None:
        if test is not None and correct in ("maxt", "stepdown"):
            pytest.skip("a correction of sign flips")
        result = compare(random_table(runs=7, step=0.02, topics=25), test=test, correct=correct, resamples=999)
        significant = [pair.significant for pair in result.pairs]
        assert 0 < sum(significant) < len(significant)
        for pair in result.pairs:
            assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high), pair
            assert pair.significant == (pair.decided_by <= 0.05)
            assert pair.interval.low <= pair.difference <= pair.interval.high

    @pytest.mark.parametrize("test", ["wilcoxon", "sign"])
    def test_a_test_without_an_interval_stands_beside_none(self, test, random_table) -> None:
        result = compare(random_table(), test=test)
        assert all(pair.interval is None for pair in result.pairs)
        assert any("test has no confidence interval" in note for note in result.notes)

    @pytest.mark.parametrize("kind", ["shift", "studentised", "percentile"])
    def test_a_kind_of_bootstrap_interval_brings_its_own_p(self, kind, random_table) -> None:
        result = compare(random_table(runs=6, step=0.02), interval=kind, resamples=999)
        assert (result.settings["test"], result.settings["correct"]) == ("bootstrap", "holm")
        for pair in result.pairs:
            assert pair.significant == (not pair.interval.low <= 0 <= pair.interval.high), pair

    def test_what_would_not_agree_is_refused(self, random_table) -> None:
        with pytest.raises(UsageError, match="would not agree with the p of `test='t'`"):
            compare(random_table(), interval="percentile", test="t")
        with pytest.raises(UsageError, match="`correct='maxt'`: is a correction of sign flips, not of `test='t'`"):
            compare(random_table(), correct="maxt", test="t")


class TestEqualDifferences:
    """All topics say exactly the same: t and bootstrap have no spread to go by, sign flips need none."""

    def test_two_topics(self, table) -> None:
        """Red before: p < .001 by t and bootstrap over two topics."""
        [pair] = compare(table({"a": [0.2, 0.5], "b": [0.3, 0.6]})).pairs
        assert pair.p == {"randomisation": 0.5, "wilcoxon": 0.5, "sign": 0.5} | {"wilcoxon": pair.p["wilcoxon"]}
        assert pair.interval.low < 0 < pair.difference < pair.interval.high
        assert "allow no p below .50" in pair.sentence

    def test_fifty_wins_of_fifty_are_significant(self, table) -> None:
        low = [i / 100 for i in range(50)]
        [pair] = compare(table({"a": low, "b": [x + 0.25 for x in low]})).pairs
        assert pair.p["randomisation"] == pytest.approx(1 / 10_001)
        assert "t" not in pair.p
        assert 0 < pair.interval.low < 0.25 < pair.interval.high

    @pytest.mark.parametrize("test", ["t", "bootstrap"])
    def test_asked_for_they_refuse(self, test, table) -> None:
        [pair] = compare(table({"a": [0.25] * 6, "b": [0.5] * 6}), test=test).pairs
        assert (pair.decided_by, pair.significant, pair.interval) == (None, False, None)
        assert "all 6 differences are equal" in pair.sentence
        assert "use randomisation" in pair.sentence

    def test_runs_that_never_differ(self, table) -> None:
        """The share of topics on which they yet may differ is below 1 - .025^(1/40) with 97.5% confidence."""
        [pair] = compare(table({"a": [0.5] * 40, "b": [0.5] * 40})).pairs
        assert set(pair.p.values()) == {1.0}
        room = 1 - 0.025 ** (1 / 40)
        assert (pair.interval.low, pair.interval.high) == pytest.approx((-room, room))


class TestTooFewAnswers:
    def test_are_said_in_words(self, outcomes) -> None:
        """Precision over 5 answers of 50 was rejected 28% of the time where there was nothing to find."""
        result = compare(outcomes({"a": "+" * 30 + "-" * 20, "b": "+++--" + "." * 45}, measure="precision"))
        [pair] = result.pairs
        assert (pair.decided_by, pair.interval, pair.significant, pair.p) == (None, None, False, {})
        assert "b has 5 answers, too few answers to test; precision needs 30 at least" in pair.sentence
        assert any("too few answers to test" in note for note in result.notes)

    @pytest.mark.parametrize(
        ("measure", "answered", "tested"),
        [("c@1", 5, False), ("c@1", 12, True), ("precision", 12, False), ("precision", 31, True), ("UF", 5, True),
         ("accuracy", 5, True)],
    )  # fmt: skip
    def test_are_more_for_some_measures_than_for_others(self, measure, answered, tested, outcomes) -> None:
        """Of accuracy and UF every question is worth the same whatever became of the others, and any number will do."""
        runs = {"a": "+" * 30 + "-" * 20, "b": "+" * (answered - 2) + "--" + "." * (50 - answered)}
        [pair] = compare(outcomes(runs, measure=measure)).pairs
        assert (pair.decided_by is not None) is tested

    def test_leave_the_other_pairs_of_a_family_alone(self, outcomes) -> None:
        runs = {"a": "+" * 40 + "-" * 20, "b": "+" * 15 + "-" * 45, "c": "++" + "." * 58}
        result = compare(outcomes(runs, measure="precision"))
        assert {(p.a, p.b): p.decided_by is not None for p in result.pairs} == {
            ("c", "a"): False, ("c", "b"): False, ("a", "b"): True,
        }  # fmt: skip


def test_resamples_too_few_for_holm_are_refused_and_raised_where_nobody_asked(random_table) -> None:
    """Red before: 2,000 resamples cannot reach .05 over 190 pairs, and that was a remark."""
    with pytest.raises(
        UsageError, match=r"over 6 pairs no p adjusted by Holm could be as small as 0\.05; give 119 at least"
    ):
        compare(random_table(), correct="holm", resamples=100)
    assert compare(random_table(runs=60, topics=8, step=0.01), correct="holm").settings["resamples"] == 35_399


def test_where_every_flip_is_counted_few_resamples_are_enough(table) -> None:
    """Twelve differences of one sign: 2 of 2¹² flips are as extreme, which 100 draws could not show at a level of .001."""
    twelve = table({"old": [0.0] * 12, "new": [0.01 * i for i in range(1, 13)]})
    [pair] = compare(twelve, test="randomisation", confidence=0.999, resamples=100).pairs
    assert (pair.decided_by, pair.significant) == (2 / 2**12, True)
    with pytest.raises(UsageError, match="`resamples=100`"):
        compare(twelve, test="bootstrap", confidence=0.999, resamples=100)


def excludes(pair) -> bool:
    return pair.interval.low > 0 or pair.interval.high < 0


@pytest.mark.parametrize("nearly", [1e-5, 1e-6])
def test_nearly_equal_differences_of_two_topics_have_p_one_half_and_an_interval_around_0(table, nearly) -> None:
    """Two of four flips are as extreme, p = 1/2. t is beyond 10,000: the limit of what r can tell, not of significance."""
    [pair] = compare(table({"old": [0.0, 0.0], "new": [0.5, 0.5 + nearly]})).pairs
    assert pair.decided_by == 0.5
    assert not excludes(pair)


@pytest.mark.parametrize("options", [{}, {"test": "bootstrap"}, {"interval": "percentile"}, {"correct": "tukey"}])
def test_so_few_resamples_that_no_p_is_as_small_as_alpha_are_refused(random_table, options) -> None:
    """100 resamples have no p below 1/101 (of two tails 2/101), which is above .001."""
    with pytest.raises(UsageError, match=r"`resamples=100`: .*no p .*could be as small as 0\.001; give \d+ at least"):
        compare(random_table(step=0.5), confidence=0.999, resamples=100, **options)


def test_999_resamples_reach_one_in_a_thousand(random_table) -> None:
    result = compare(random_table(runs=2, step=0.5), confidence=0.999, resamples=999)
    assert result.pairs[0].decided_by == 0.001
    assert excludes(result.pairs[0])


@pytest.mark.parametrize("correct", ["holm", "bh"])
def test_corrections_of_p_values_need_a_share_of_the_level_for_each_pair(random_table, correct) -> None:
    """6 pairs and α = .05: the first is tested at .05/6, and 101 resamples reach 1/102 only."""
    with pytest.raises(
        UsageError, match=r"over 6 pairs no p adjusted by .* could be as small as 0\.05; give 119 at least"
    ):
        compare(random_table(), correct=correct, resamples=101)


def test_a_bootstrap_of_many_pairs_draws_as_much_as_holm_asks_for(random_table) -> None:
    """Holm is the bootstrap's own correction: 1/10,001 times 780 pairs was .078, and nothing ever significant."""
    result = compare(random_table(runs=40, topics=12, step=0.2), test="bootstrap")
    assert result.settings["correct"] == "holm"
    assert result.settings["resamples"] == 15_599
    assert any(pair.significant for pair in result.pairs)


def test_more_resamples_than_a_machine_holds_are_refused(random_table) -> None:
    with pytest.raises(UsageError, match="`correct='holm'`: over 6 pairs 5999999 resamples would be needed"):
        compare(random_table(), correct="holm", confidence=1 - 1e-6)


@pytest.mark.parametrize("confidence", [1 - 1e-13, 1e-13, float("nan")])
def test_a_confidence_so_near_to_an_end_that_rounding_takes_it_there_is_refused(random_table, confidence) -> None:
    with pytest.raises(UsageError, match="expected a number between 0 and 1"):
        compare(random_table(), correct="holm", confidence=confidence)


def test_the_sentence_says_how_many_resamples_were_drawn() -> None:
    """A measure of a whole run is bootstrapped 2,000 times, whatever the flips."""
    kind, topics = get("outcomes"), [str(i) for i in range(40)]
    columns = {
        "answered": [1] * 40,
        "unanswered": [0] * 40,
        "confidence": [float(i) for i in range(40)],
        "position": [*range(40)],
    }
    runs = [
        RunScores(name, None, {**columns, "correct": right, "incorrect": [1 - x for x in right]}, [False] * 40)
        for name, right in (("a", [1, 0] * 20), ("b", [1, 1, 0, 1] * 10))
    ]
    result = compare(Scores(kind, kind.settings(), topics, [find("CWS", "outcomes")], runs), test="bootstrap")
    assert result.settings["resamples"] == 2_000
    assert "(bootstrap, 2,000)" in result.pairs[0].sentence


def test_differences_below_a_tie_are_not_the_same_score(table) -> None:
    columns = {"old": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "new": [0.2, 0.3, 0.4, 0.5, 0.6, 0.7]}
    [pair] = compare(table(columns), tie=0.5).pairs
    assert pair.tied == 6
    assert pair.significant
    assert "is better than" in pair.sentence
    assert "same score" not in pair.sentence


def test_no_p_below_is_said_of_what_is_not_possible(table) -> None:
    """Holm's later pairs are multiplied by less than 6; four tied differences have a Wilcoxon p of 2Φ(-1.8) = .0719."""
    columns = {"a": [0.0] * 6, "b": [0.5] * 6, "c": [0.0, 0.0, 0.0, 0.5, 0.5, 0.5], "d": [0.0, 0.0, 0.0, 0.0, 0.0, 0.5]}
    told = {(pair.a, pair.b): pair for pair in compare(table(columns), correct="holm").pairs}
    for pair in told.values():
        if "allow no p below" in pair.sentence:
            assert float(pair.sentence.split("no p below ")[1].split(",")[0]) <= pair.decided_by + 0.005
    [pair] = compare(table({"old": [0.0] * 4, "new": [0.5] * 4}), test="wilcoxon").pairs
    assert pair.decided_by == pytest.approx(0.0719, abs=1e-4)
    assert "allow no p below .072" in pair.sentence


def test_a_studentised_p_without_an_interval_is_never_significant() -> None:
    """Resamples without any spread have an infinite t, which may lie on either side."""
    rows = zip([0, 1, 1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 1, 0, 1, 1], strict=True)
    [pair] = compare(scores([list(row) for row in rows]), interval="studentised", resamples=999).pairs
    assert pair.interval is None
    assert not pair.significant


def test_several_measures_are_a_family(table) -> None:
    """The largest |t| of both measures decides, so p can only grow; flips are the same for both."""
    import assay

    rng = np.random.default_rng(1)
    topic = rng.random((30, 1))
    values = {name: (topic + 0.05 * np.arange(3) + rng.normal(0, 0.1, (30, 3))).clip(0, 1) for name in ("AP", "RR")}
    gold = {f"q{i}": {"d": 1} for i in range(30)}
    runs = {f"r{r}": {f"q{i}": {"d": 1.0} for i in range(30)} for r in range(3)}
    scored = assay.evaluate(gold, runs, ["AP", "RR"])
    from assay.table.run_scores import RunScores

    scored = scored.with_runs(
        RunScores(f"r{r}", None, {name: values[name][:, r].tolist() for name in values}, [False] * 30) for r in range(3)
    )
    alone, together = compare(scored, "AP"), compare(scored, "AP", family=["AP", "RR"])
    assert together.settings["family"] == ["AP", "RR"]
    for one, both in zip(alone.pairs, together.pairs, strict=True):
        assert both.adjusted["maxt"] >= one.adjusted["maxt"] - 0.002
        assert both.interval.low < one.interval.low < one.interval.high < both.interval.high
        assert "over 3 pairs of 2 measures" in both.sentence
    with pytest.raises(UsageError, match="several measures are tested together by max-T"):
        compare(scored, "AP", family=["AP", "RR"], correct="holm")


def test_what_is_too_few_is_called_by_its_name(outcomes) -> None:
    """hallucination_rate looks at wrong and unanswered questions; a run that answers 30 of 40 does not have 15 answers."""
    table = outcomes({"a": "+" * 25 + "-" * 5 + "." * 10, "b": "+" * 24 + "-" * 6 + "." * 10}, "hallucination_rate")
    assert "a has 15 questions that count, too few questions that count to test" in compare(table).pairs[0].sentence
    table = outcomes({"a": "+" * 15 + "-" * 5 + "." * 20, "b": "+" * 14 + "-" * 6 + "." * 20}, "precision")
    assert "has 20 answers, too few answers to test" in compare(table).pairs[0].sentence


def test_a_test_that_no_family_of_measures_has_is_named_itself() -> None:
    table = assay.evaluate(
        {"q": {"d": 1}, "r": {"d": 1}},
        {"a": {"q": {"d": 1.0}, "r": {"d": 1.0}}, "b": {"q": {"d": 1.0}, "r": {"e": 1.0}}},
        measures=["AP", "RR"],
    )
    with pytest.raises(UsageError, match="`test='t'`: several measures are tested together by sign flips"):
        compare(table, "AP", family=["AP", "RR"], test="t")


def test_a_run_without_a_wrong_answer_has_the_error_of_one_more_of_each(outcomes) -> None:
    """30 of 30 right and 24 of 30: .16/29 is seen, and unseen (31/32)(1/32)/32, and (25/32)(7/32)/32 - .16/30; the
    noncentral t of a detectable difference exceeds the critical one, in such errors, 4 times in 5."""
    from scipy import stats

    error = (0.16 / 29 + 31 / 32**3 + 25 * 7 / 32**3 - 0.16 / 30) ** 0.5
    [pair] = compare(outcomes({"a": "+" * 24 + "-" * 6, "b": "+" * 30}, "precision")).pairs
    raised = (29 / stats.chi2.median(29)) ** 0.5
    assert stats.nct.sf(pair.critical / error, 29, pair.detectable / (raised * error)) == pytest.approx(0.8, abs=1e-5)


def test_equal_differences_are_never_surer_than_one_more_topic_without_any(table) -> None:
    """50 differences of .1, and the interval that holds half the time: no narrower than .1/51 on either side."""
    base = [0.01 * i for i in range(50)]
    [pair] = compare(table({"old": base, "new": [round(x + 0.1, 2) for x in base]}), confidence=0.5).pairs
    assert pair.interval.low == pytest.approx(0.1 - 0.1 / 51, abs=1e-9)


def test_pairs_that_step_down_stops_at_have_one_critical_value(random_table) -> None:
    """Half a width is t* standard errors of the pair's own differences, t* that of the first pair not told apart."""
    scores = random_table(runs=5, step=0.01)
    values = {run: np.array(scores.run(run).columns["AP"]) for run in scores.runs}
    left = [pair for pair in compare(scores, correct="stepdown").pairs if not pair.significant]
    errors = [(values[pair.a] - values[pair.b]).std(ddof=1) / 30**0.5 for pair in left]
    halves = [(pair.interval.high - pair.interval.low) / 2 for pair in left]
    assert len(left) > 2
    assert [h / e for h, e in zip(halves, errors, strict=True)] == pytest.approx([halves[0] / errors[0]] * len(left))


def test_a_test_by_a_formula_needs_no_more_resamples_for_more_pairs(random_table) -> None:
    """Its p-values are no shares of resamples, so that 101 are enough, where 119 would be of a test by resamples."""
    assert compare(random_table(), test="t", correct="holm", resamples=101).settings["correct"] == "holm"
