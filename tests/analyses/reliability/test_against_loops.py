"""The papers' figures as they are printed, loop for loop, in exact fractions, against the fast path on the same
subsets.

Only two things are shared with the fast path: the drawing of subsets (one per trial, by assay.random) and the
rounding of non-integer values to 10⁻¹² that the specification asks of both.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from assay.measures.confidence import confidence_weighted_score
from assay.random import stream
from assay.resampling.resamplers import MeanResampler, SumsResampler
from assay.resampling.subsets import Subsets, count
from assay.resampling.whole_runs import WholeRunResampler
from assay.stats.stability import stability, swap

SEED = 7


def draw(trial, topics, size, sets):
    """The subsets of one trial: `sets` lists of `size` topics."""
    drawn = stream(SEED, "reliability", trial).sample(range(topics), size * sets)
    return [drawn[i * size : (i + 1) * size] for i in range(sets)]


def stability_loop(runs, value, topics, size, trials, fuzziness):
    """Figure 1 of Peñas and Rodrigo (2011) and of Sakai (2004); `value(run, topics)` is exact.

    Returns (minority rate, proportion of ties).
    """
    minority = ties = comparisons = 0
    values = [{x: value(x, q) for x in range(runs)} for q in (draw(t, topics, size, 1)[0] for t in range(trials))]
    for x, y in combinations(range(runs), 2):
        better_x = better_y = equal = 0
        for m in values:
            margin = fuzziness * max(m[x], m[y])
            if abs(m[x] - m[y]) < abs(margin) or m[x] == m[y]:
                equal += 1
            elif m[x] > m[y]:
                better_x += 1
            else:
                better_y += 1
        minority += min(better_x, better_y)
        ties += equal
        comparisons += better_x + better_y + equal
    return minority / comparisons, ties / comparisons


def swap_loop(runs, value, topics, size, trials, rule):
    """Figure 3 of Peñas and Rodrigo (2011) and, with rule "sakai", Figure 2 of Sakai (2004)."""
    counter, swaps, zeros, highest = [0] * 21, [0] * 21, [0, 0], None
    for trial in range(trials):
        q, other = draw(trial, topics, size, 2)
        on_q, on_other = [value(x, q) for x in range(runs)], [value(x, other) for x in range(runs)]
        highest = max([*on_q, *on_other] if highest is None else [*on_q, *on_other, highest])
        for x, y in combinations(range(runs), 2):
            d, e = on_q[x] - on_q[y], on_other[x] - on_other[y]
            b = min(20, int(abs(d) * 100))
            counter[b] += 1
            swapped = d * e < 0
            if rule == "sakai" and ((d == 0 and e != 0) or (d != 0 and e == 0)):
                swapped = True
            swaps[b] += swapped
            zeros[0] += d == 0
            zeros[1] += d == 0 and swapped
    return counter, swaps, zeros, float(highest)


def required_loop(counter, swaps, zeros):
    """The first non-empty bin within 5%, differences of 0 left out; and the first from which all are."""
    counter, swaps = [counter[0] - zeros[0], *counter[1:]], [swaps[0] - zeros[1], *swaps[1:]]
    good = [
        (b / 100, Fraction(s, c) <= Fraction(5, 100)) for b, (c, s) in enumerate(zip(counter, swaps, strict=True)) if c
    ]
    first = next((edge for edge, fine in good if fine), None)
    stays = next((good[i][0] for i in range(len(good)) if all(fine for _, fine in good[i:])), None)
    return first, stays


def check(problem, values, size, trials):
    """Every number of the study against the loops; `values[i](run, topics)` is measure i in exact fractions."""
    runs, topics = len(problem.runs), problem.topics
    for counts, value in zip(count(problem, size, trials, seed=SEED).values(), values, strict=True):
        for point in stability(counts):
            fuzziness = Fraction(round(point.fuzziness * 100), 100)
            expected = stability_loop(runs, value, topics, size, trials, fuzziness)
            assert (point.minority_rate, point.ties) == expected
        for rule in ("original", "sakai"):
            result = swap(counts, rule=rule)
            counter, swaps, zeros, highest = swap_loop(runs, value, topics, size, trials, rule)
            assert [b.comparisons for b in result.bins] == counter
            assert [b.swaps for b in result.bins] == swaps
            assert [result.zero.comparisons, result.zero.swaps] == zeros
            assert (result.required_difference, result.required_difference_stays) == required_loop(
                counter, swaps, zeros
            )
            assert result.highest == highest
            if result.required_difference is not None:
                reached = sum(counter[round(100 * result.required_difference) :])
                assert result.sensitivity == reached / sum(counter)


# The measures, written out a second time, as the papers define them.


def accuracy(outcomes):
    return Fraction(outcomes.count("C"), len(outcomes))


def c_at_1(outcomes):
    n, nac, nu = len(outcomes), outcomes.count("C"), outcomes.count("U")
    return Fraction(1, n) * (nac + Fraction(nac, n) * nu)


def utility(outcomes):
    return Fraction(outcomes.count("C") - outcomes.count("W"), len(outcomes))


def precision(outcomes):
    return Fraction(outcomes.count("C"), outcomes.count("C") + outcomes.count("W"))


def cws(correct, confidence):
    """Formulas (9) and (10) of Peñas and Rodrigo (2011); confidences are distinct here, so no tie needs a rule."""
    order = sorted(range(len(correct)), key=lambda i: -confidence[i])
    right, total = 0, 0.0
    for i, topic in enumerate(order, 1):
        right += correct[topic]
        total += right / i
    return total / len(correct)


def outcome_problem(outcomes, measures):
    """Measures of outcomes: a name, the outcomes that are counted, and the formula."""
    table = np.array([list(row) for row in outcomes]).T
    samples = {
        name: SumsResampler(np.stack([table == outcome for outcome in counted], axis=2), formula)
        for name, counted, formula in measures
    }
    return Subsets([f"r{i}" for i in range(len(outcomes))], samples)


SUMS = [
    (("accuracy", "C", lambda n, correct: (correct, n)), accuracy),
    (("c@1", "CU", lambda n, c, u: (c * (n + u), n * n)), c_at_1),
    (("UF", "CW", lambda n, c, w: (c - w, n)), utility),
    (("precision", "CW", lambda n, c, w: (c, c + w)), precision),
]


def made_outcomes(runs, topics, seed=3):
    rng = np.random.default_rng(seed)
    rows = []
    for skill in np.linspace(0.15, 0.6, runs):
        rows.append("".join(rng.choice(list("CWU"), p=[skill, (1 - skill) * 0.75, (1 - skill) * 0.25], size=topics)))
    rows[1] = rows[0]  # two identical runs: every comparison of theirs is a tie
    return rows


@pytest.mark.parametrize("size", [40, 13])
def test_outcomes(size):
    outcomes = made_outcomes(6, 81)
    problem = outcome_problem(outcomes, [m for m, _ in SUMS])
    values = [lambda x, q, f=f: f([outcomes[x][t] for t in q]) for _, f in SUMS]
    check(problem, values, size, 60)


def scaled_mean(matrix, scale):
    """The mean of per-topic values rounded once to 1/scale."""
    return lambda x, q: sum(Fraction(round(matrix[x][t] * scale), scale) for t in q) / len(q)


def test_average_precision_and_reciprocal_rank():
    rng = np.random.default_rng(11)
    ap = rng.beta(0.8, 2.0, size=(7, 50)) * np.linspace(0.6, 1, 7)[:, None]
    ranks = rng.geometric(np.linspace(0.2, 0.5, 7)[:, None], size=(7, 50))
    rr = np.where(ranks <= 5, 1 / ranks, 0.0)
    problem = Subsets([f"r{i}" for i in range(7)], {"AP": MeanResampler(ap.T), "RR": MeanResampler(rr.T)})
    assert [resampler.scale for resampler in problem.resamplers.values()] == [10**12, 60]
    exact_rr = [[Fraction(1, int(r)) if r <= 5 else Fraction(0) for r in row] for row in ranks]
    check(problem, [scaled_mean(ap, 10**12), lambda x, q: sum(exact_rr[x][t] for t in q) / len(q)], 25, 60)


def test_confidence_weighted_score():
    rng = np.random.default_rng(5)
    correct = (rng.random((4, 30)) < 0.5).astype(int).tolist()
    confidence = rng.random((4, 30)).tolist()
    columns = [[c, [1] * 30, f, list(range(30))] for c, f in zip(correct, confidence, strict=True)]
    problem = Subsets([f"r{i}" for i in range(4)], {"CWS": WholeRunResampler(confidence_weighted_score, columns)})

    def value(x, q):
        q = sorted(q)
        return Fraction(round(cws([correct[x][t] for t in q], [confidence[x][t] for t in q]) * 10**12), 10**12)

    check(problem, [value], 12, 40)


@pytest.fixture
def pan(shared_data):
    """The outcomes and confidences of the 13 systems of PAN 2020, on 400 problems, every thirtieth."""
    folder = shared_data("pan20_av")
    truth = [json.loads(line) for line in (folder / "truth.jsonl").open()]
    chosen = truth[::30][:400]
    outcomes, confidences = [], []
    for path in sorted((folder / "submissions").glob("*/answers.jsonl")):
        answers = {}
        for line in path.open():
            record = json.loads(line)
            value = record["value"]
            answers[record["id"]] = value[0] if isinstance(value, list) else value
        values = [answers[t["id"]] for t in chosen]
        rows = [
            "U" if v == 0.5 else "C" if (v > 0.5) == t["same"] else "W" for v, t in zip(values, chosen, strict=True)
        ]
        outcomes.append("".join(rows))
        confidences.append([max(v, 1 - v) for v in values])
    return outcomes, confidences


@pytest.mark.slow
def test_pan_2020(pan):
    outcomes, confidences = pan
    problem = outcome_problem(outcomes, [m for m, _ in SUMS])
    # A stable sort keeps file order among equal confidences, on both sides.
    correct = [[int(o == "C") for o in row] for row in outcomes]
    problem.resamplers["CWS"] = WholeRunResampler(cws, [[c, f] for c, f in zip(correct, confidences, strict=True)])
    values = [lambda x, q, f=f: f([outcomes[x][t] for t in q]) for _, f in SUMS]

    def cws_value(x, q):
        q = sorted(q)
        return Fraction(round(cws([correct[x][t] for t in q], [confidences[x][t] for t in q]) * 10**12), 10**12)

    check(problem, [*values, cws_value], 50, 25)


# The compiled kernels and their twin are one arithmetic.
