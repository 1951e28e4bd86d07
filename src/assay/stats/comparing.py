"""Which run is really better: a score table in, differences with intervals, tests, corrections and tiers out."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from assay.errors import UsageError
from assay.stats import corrections, intervals, tests
from assay.stats.results import Comparison, Moved, PairResult, RunResult, sentence
from assay.stats.samples import Means, Whole
from assay.stats.tables import Prepared, prepare
from assay.stats.tiers import RULE, tiers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from assay.measures.declare import Measure
    from assay.scores import Scores
    from assay.stats.exact import Floats, Integers
    from assay.stats.intervals import Interval, Resampled
    from assay.stats.samples import Sample

TESTS = ("randomisation", "bootstrap", "t", "wilcoxon", "sign", "mcnemar")
RESAMPLES = 10_000
WHOLE_RESAMPLES = {"few": 2_000, "many": 500}
"""A measure of a whole run is computed anew for every resample, in Python; over 2,000 topics that takes its time."""
MOST_MOVED = 5
ADJUSTMENTS = {"holm": corrections.holm, "bh": corrections.benjamini_hochberg}


@dataclass(frozen=True)
class Choices:
    """How to compare; printed with the result."""

    test: str | None = None
    """The test that decides: randomisation by default; bootstrap for several pairs by a measure of a whole run."""
    correct: str | None = None
    """tukey, holm, bh or none; by default tukey for all pairs of three runs or more, holm for several others."""
    interval: str = "auto"
    confidence: float = 0.95
    resamples: int | None = None
    seed: int = 0
    tie: float = 0.0
    """Differences smaller than this count as ties in the sign test and in topics won, tied and lost."""
    cluster: str | None = "auto"
    threads: int | None = None


def compare(
    scores: Scores,
    measure: str | Measure | None = None,
    *,
    baseline: str | None = None,
    runs: Sequence[str] | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    test: str | None = None,
    correct: str | None = None,
    interval: str = "auto",
    confidence: float = 0.95,
    resamples: int | None = None,
    seed: int | None = None,
    tie: float = 0.0,
    cluster: str | None = "auto",
    threads: int | None = None,
) -> Comparison:
    """Compare runs by one measure, paired by topic.

    Against a `baseline`, in the `pairs` named, or all pairs. Two runs without a baseline: the second against the first.
    Every difference is a - b; against a baseline b is the baseline.

    >>> from assay.formats.matrix import Matrix
    >>> from assay.stats.score_tables import scores_of_matrix
    >>> table = Matrix(["1", "2", "3", "4", "5", "6"], ["old", "new"], [[0.1 * i, 0.1 * i + 0.2] for i in range(6)])
    >>> result = compare(scores_of_matrix(table))
    >>> pair = result.pairs[0]
    >>> pair.a, pair.b, round(pair.difference, 6), pair.p["randomisation"]
    ('new', 'old', 0.2, 0.03125)
    """
    choices = Choices(
        test,
        correct,
        interval,
        confidence,
        resamples,
        scores.settings.seed if seed is None else seed,
        tie,
        cluster,
        threads,
    )
    _check(choices)
    wanted = scores.measures[0] if measure is None and scores.measures else scores.measure(measure or "")
    names = _runs(scores, runs, baseline, pairs)
    prepared = prepare(scores, wanted, names, cluster)
    a, b, every = _pairs(names, prepared.sample.values(), wanted, baseline, pairs)
    return _compared(wanted, names, prepared, a, b, every, choices)


def _check(choices: Choices) -> None:
    if choices.test is not None and choices.test not in TESTS:
        raise UsageError(f"no test {choices.test!r}; there are {', '.join(TESTS)}")
    if choices.correct is not None and choices.correct not in corrections.METHODS:
        raise UsageError(f"no correction {choices.correct!r}; there are {', '.join(corrections.METHODS)}")
    if choices.resamples is not None and choices.resamples < 100:
        raise UsageError(
            f"{choices.resamples} resamples are too few for an interval; use 100 at least, 10000 to publish"
        )
    if not choices.tie >= 0:
        raise UsageError(f"tie = {choices.tie}: expected 0 or a positive number")


def _runs(
    scores: Scores, runs: Sequence[str] | None, baseline: str | None, pairs: Sequence[tuple[str, str]] | None
) -> list[str]:
    """The runs that take part, each once, in the table's order."""
    wanted = list(runs) if runs is not None else list(scores.runs)
    if pairs is not None:
        wanted = [run for pair in pairs for run in pair]
        for a, b in pairs:
            if a == b:
                raise UsageError(f"{a}:{b} compares a run with itself")
    if baseline is not None:
        wanted.append(baseline)
    for run in wanted:
        scores.run(run)
    taking_part = set(wanted)
    names = [run for run in scores.runs if run in taking_part]
    if len(names) < 2:
        raise UsageError(f"a comparison needs at least 2 runs; there is {', '.join(names) or 'none'}")
    return names


def _pairs(
    names: Sequence[str],
    values: Floats,
    measure: Measure,
    baseline: str | None,
    pairs: Sequence[tuple[str, str]] | None,
) -> tuple[Integers, Integers, bool]:
    """Positions of the runs compared, and whether these are all pairs."""
    place = {name: i for i, name in enumerate(names)}
    if pairs is not None:
        found = [(place[x], place[y]) for x, y in pairs]
        every = len({frozenset(pair) for pair in found}) == len(names) * (len(names) - 1) // 2
    elif baseline is not None:
        found = [(i, place[baseline]) for i in _best_first(values, measure) if i != place[baseline]]
        every = len(names) == 2
    elif len(names) == 2:
        found, every = [(1, 0)], True
    else:
        order = _best_first(values, measure)
        found = [(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))]
        every = True
    table = np.array(found, dtype=np.int64)
    return table[:, 0], table[:, 1], every


def _best_first(values: Floats, measure: Measure) -> list[int]:
    sign = -1.0 if measure.declaration.higher_is_better is False else 1.0
    known = [i for i in range(len(values)) if np.isfinite(values[i])]
    unknown = [i for i in range(len(values)) if not np.isfinite(values[i])]
    return sorted(known, key=lambda i: -sign * float(values[i])) + unknown


def _compared(
    measure: Measure, names: list[str], prepared: Prepared, a: Integers, b: Integers, every: bool, choices: Choices
) -> Comparison:
    sample = prepared.sample
    trials = choices.resamples or default_resamples(sample)
    options: dict[str, Any] = {"trials": trials, "seed": choices.seed, "threads": choices.threads}
    alpha = round(1 - choices.confidence, 12)
    draws = sample.bootstrap(trials, choices.seed, choices.threads)
    limits: dict[str, Any] = {"method": choices.interval, "confidence": choices.confidence, "draws": draws, **options}
    boot = intervals.bootstrap(sample, a, b, **limits)
    alone = intervals.bootstrap(sample, np.arange(len(names)), **limits)
    exact, p = _p_values(sample, prepared, a, b, boot, choices, options)
    test = choices.test or ("randomisation" if "randomisation" in p else "bootstrap")
    if test not in p:
        raise UsageError(_no_such_test(test, measure, prepared, list(p)))
    tukey = None if isinstance(sample, Whole) else corrections.tukey_hsd(sample, **options)
    correct = choices.correct or _default_correction(len(a), every, tukey is not None)
    if correct == "tukey" and tukey is None:
        raise UsageError(
            f"{measure.name} needs all topics at once, and Tukey's HSD is not computed for it; use --correct holm"
        )
    defined = np.isfinite(boot.estimates)
    adjusted = {name: _adjusted(method, p[test], defined) for name, method in ADJUSTMENTS.items()}
    if tukey is not None and len(names) > 2:
        adjusted["tukey"] = tukey.p(a, b)
    deciding = p[test] if correct == "none" or correct not in adjusted else adjusted[correct]
    differences, counted = _topic_differences(sample, a, b, choices.tie, measure)
    # Holm's and Benjamini and Hochberg's first step: a p of alpha over the number of pairs is significant for certain.
    share = len(a) if correct in ("holm", "bh") else 1
    needed = (alpha / share, tukey.critical(alpha) if tukey is not None and deciding is adjusted.get("tukey") else None)
    notes = _notes(prepared, boot, p[test], exact, correct, test, trials, alpha)
    results = [
        _pair_result(
            i, names, measure, prepared, a, b, boot, p, exact, adjusted, deciding, defined, differences, counted,
            alpha, needed, _how(test, bool(exact[i]), trials, correct if correct in adjusted else "none", len(a)),
        )
        for i in range(len(a))
    ]  # fmt: skip
    values = sample.values()
    order = [i for i in _best_first(values, measure) if np.isfinite(values[i])]
    grouped = _tiers(order, names, sample, tukey, results, correct, every, alpha, draws, options)
    tier_of = {run: number for number, tier in enumerate(grouped, 1) for run in tier}
    board = [
        RunResult(names[i], _number(values[i]), _finite(alone.intervals[i]), tier_of.get(names[i]))
        for i in _best_first(values, measure)
    ]
    levels = {
        name: {f"{k:g}": v for k, v in corrections.share_significant(q[defined]).items()} for name, q in p.items()
    }
    if "tukey" in adjusted:
        levels["tukey"] = {f"{k:g}": v for k, v in corrections.share_significant(adjusted["tukey"][defined]).items()}
    settings: dict[str, Any] = {
        "test": test,
        "correct": correct,
        "interval": choices.interval,
        "confidence": choices.confidence,
        "resamples": trials,
        "seed": choices.seed,
        "tie": choices.tie,
        "cluster": prepared.cluster,
        "tiers": RULE,
    }
    return Comparison(
        measure.name, len(prepared.topics), sample.units, prepared.left_out, boot.undefined, board, results, grouped,
        levels, settings, notes,
    )  # fmt: skip


def default_resamples(sample: Sample) -> int:
    """10,000; for measures of whole runs 2,000, and 500 where there are more than 2,000 topics."""
    if not isinstance(sample, Whole):
        return RESAMPLES
    return WHOLE_RESAMPLES["few" if sample.units <= intervals.MANY_UNITS else "many"]


def _default_correction(pairs: int, every: bool, tukey: bool) -> str:
    if pairs == 1:
        return "none"
    return "tukey" if every and tukey else "holm"


def _adjusted(method: Callable[[Floats], Floats], p: Floats, defined: Any) -> Floats:
    """Adjusted among the pairs that can be compared; the others do not count."""
    adjusted = np.ones(len(p))
    adjusted[defined] = method(p[defined])
    return adjusted


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _finite(interval: Interval | None) -> Interval | None:
    return interval if interval is not None and np.isfinite([interval.low, interval.high]).all() else None


def _p_values(
    sample: Sample,
    prepared: Prepared,
    a: Integers,
    b: Integers,
    boot: Resampled,
    choices: Choices,
    options: dict[str, Any],
) -> tuple[Any, dict[str, Floats]]:
    """Every test that makes sense here, the cheap ones always."""
    p: dict[str, Floats] = {}
    exact = np.zeros(len(a), dtype=bool)
    # On run-level measures each exchange recomputes both runs of each pair, so it is done for one pair or on request.
    if not isinstance(sample, Whole) or len(a) == 1 or (choices.test == "randomisation" and len(a) <= sample.runs):
        randomised = tests.randomisation_test(sample, a, b, **options)
        p["randomisation"], exact = randomised.p, randomised.exact
    p["bootstrap"] = boot.shift_p
    if isinstance(sample, Means) and prepared.cluster is None:
        d = sample.per_topic[:, a] - sample.per_topic[:, b]
        p["t"] = tests.t_test(d)
        # As R and scipy do it, on floating-point differences: ties that only decimals would show stay untied.
        scores = sample.per_topic / sample.scale
        p["wilcoxon"] = tests.wilcoxon_test(scores[:, a] - scores[:, b])
        p["sign"] = tests.sign_test(d, _tie_units(choices.tie, sample.scale))
    if prepared.correct is not None and prepared.cluster is None:
        p["mcnemar"] = tests.mcnemar_test(prepared.correct[:, a], prepared.correct[:, b])
    return exact, p


def _tie_units(tie: float, scale: int) -> int:
    """|d| < tie in exact integers; what floating point adds to tie · scale must not turn an equal into a smaller."""
    return ceil(tie * scale - 1e-6)


def _no_such_test(test: str, measure: Measure, prepared: Prepared, known: Sequence[str]) -> str:
    why = {
        "mcnemar": "the runs have no right and wrong answers",
        "randomisation": f"{measure.name} is computed anew for every exchange, too slow for so many pairs",
    }.get(test, f"{measure.name} has no value per topic")
    if prepared.cluster is not None and test != "randomisation":
        why = f"topics come in clusters ({prepared.cluster}), and this test takes them for independent"
    return f"the {test} test cannot be used: {why}; use {' or '.join(known)}"


def _topic_differences(
    sample: Sample, a: Integers, b: Integers, tie: float, measure: Measure
) -> tuple[Any, list[tuple[int, int, int]] | None]:
    """Per topic and pair, what separates the runs; and topics won, tied and lost by a."""
    if isinstance(sample, Whole):
        return None, None
    if isinstance(sample, Means):
        exact = sample.per_topic[:, a] - sample.per_topic[:, b]
        shown = exact / sample.scale
        won, tied, lost = tests.counts(exact, _tie_units(tie, sample.scale))
    else:
        shown = sample.contributions(a, b)
        won, tied, lost = tests.counts(shown, tie)
    if measure.declaration.higher_is_better is False:
        won, lost = lost, won
    return shown, list(zip(won.tolist(), tied.tolist(), lost.tolist(), strict=True))


def _how(test: str, exact: bool, trials: int, correct: str, pairs: int) -> str:
    named = {"t": "paired t", "sign": "sign test", "wilcoxon": "Wilcoxon", "mcnemar": "McNemar"}.get(test, test)
    if correct == "tukey":
        return f"Tukey HSD over all pairs, {trials:,}"
    if test == "randomisation" and exact:
        named += ", exact"
    elif test in ("randomisation", "bootstrap"):
        named += f", {trials:,}"
    if correct in ("holm", "bh"):
        named += f", {'Holm' if correct == 'holm' else 'Benjamini-Hochberg'} over {pairs} pairs"
    return named


def _pair_result(
    i: int, names: list[str], measure: Measure, prepared: Prepared, a: Integers, b: Integers, boot: Resampled,
    p: dict[str, Floats], exact: Any, adjusted: dict[str, Floats], deciding: Floats, defined: Any, differences: Any,
    counted: list[tuple[int, int, int]] | None, alpha: float, needed: tuple[float, float | None], how: str,
) -> PairResult:  # fmt: skip
    one, two = names[a[i]], names[b[i]]
    if not defined[i]:
        text = sentence(
            a=one, b=two, measure=measure.name, difference=None, interval=None, error=None, p=None, how=how,
            significant=False, better=None, counts=None, topics=len(prepared.topics), critical=None, detectable=None,
        )  # fmt: skip
        return PairResult(
            one, two, None, None, {}, False, {}, None, False, None, None, None, None, [], None, None, text
        )
    difference = float(boot.estimates[i])
    error = _number(boot.errors[i])
    critical, detectable = _smallest(error, prepared.sample.units, *needed)
    direction = measure.declaration.higher_is_better
    better = None
    if direction is not None and difference != 0:
        better = one if (difference > 0) == direction else two
    significant = bool(deciding[i] < alpha)
    interval = _finite(boot.intervals[i])
    counts = None if counted is None else counted[i]
    text = sentence(
        a=one, b=two, measure=measure.name, difference=difference, interval=interval, error=error, p=float(deciding[i]),
        how=how, significant=significant, better=better, counts=counts, topics=len(prepared.topics), critical=critical,
        detectable=detectable, noun="questions" if measure.declaration.task == "outcomes" else "topics",
    )  # fmt: skip
    return PairResult(
        one, two, difference, interval, {name: float(q[i]) for name, q in p.items()}, bool(exact[i]),
        {name: float(q[i]) for name, q in adjusted.items()}, float(deciding[i]), significant, better,
        *(counts if counts is not None else (None, None, None)),
        _moved(prepared.topics, differences, i), critical, detectable, text,
    )  # fmt: skip


def _smallest(
    error: float | None, units: int, alpha: float, range_needed: float | None
) -> tuple[float | None, float | None]:
    """t(1 - α/2) standard errors would have been significant, or the range Tukey's HSD asks for; a true difference
    larger by t(.8) standard errors is found 4 times in 5."""
    if error is None:
        return None, None
    from scipy.special import stdtrit

    quantile, power = (float(x) for x in stdtrit(units - 1, np.array([1 - alpha / 2, 0.8])))
    critical = quantile * error if range_needed is None else range_needed
    return (critical, critical + power * error) if np.isfinite(critical) else (None, None)


def _moved(topics: Sequence[str], differences: Any, i: int) -> list[Moved]:
    if differences is None:
        return []
    column = differences[:, i]
    largest = np.argsort(-np.abs(column), kind="stable")[:MOST_MOVED]
    return [Moved(topics[int(t)], float(column[t])) for t in largest if column[t] != 0]


def _tiers(
    order: Sequence[int], names: list[str], sample: Sample, tukey: corrections.Tukey | None, results: list[PairResult],
    correct: str, every: bool, alpha: float, draws: Floats, options: dict[str, Any],
) -> list[list[str]]:  # fmt: skip
    """By the correction in use where it covers all pairs; otherwise by Tukey, or for run-level measures by Holm."""
    if every and (correct != "tukey" or len(names) == 2):
        apart = {frozenset((r.a, r.b)) for r in results if r.significant}
    else:
        first, second = np.triu_indices(len(names), 1)
        if tukey is not None:
            decided = tukey.p(first, second)
        else:
            shift = intervals.bootstrap(sample, first, second, method="percentile", draws=draws, **options).shift_p
            decided = corrections.holm(np.where(np.isfinite(shift), shift, 1.0))
        apart = {
            frozenset((names[x], names[y]))
            for x, y, q in zip(first.tolist(), second.tolist(), decided.tolist(), strict=True)
            if q < alpha
        }
    return tiers([names[i] for i in order], lambda run, anchor: frozenset((run, anchor)) in apart)


def _notes(
    prepared: Prepared, boot: Resampled, p: Floats, exact: Any, correct: str, test: str, trials: int, alpha: float
) -> list[str]:
    notes: list[str] = []
    if prepared.left_out:
        notes.append(f"{prepared.left_out} topics are missing or undefined for some run and left out for all")
    if boot.undefined:
        notes.append(f"{boot.undefined} of {boot.trials} resamples had an undefined value and are left out")
    other = {i.method for i in boot.intervals if i is not None and i.method == "t"}
    if other:
        notes.append("some intervals are Student's t: too few topics differ for a bootstrap")
    if (
        correct == "holm"
        and test in ("randomisation", "bootstrap")
        and not exact.all()
        and len(p) / (trials + 1) >= alpha
    ):
        need = ceil(len(p) / alpha)
        notes.append(
            f"with {len(p)} pairs and {trials} resamples no Holm-adjusted p can fall below {alpha:g}; "
            f"use tukey, bh or {need} resamples"
        )
    return notes


def run_intervals(
    scores: Scores, measure: str | Measure, *, confidence: float = 0.95, method: str = "auto",
    resamples: int | None = None, seed: int | None = None, cluster: str | None = "auto", threads: int | None = None,
) -> dict[str, Interval | None]:  # fmt: skip
    """The interval of every run's own number, as `assay evaluate --intervals` prints it; None under 2 topics."""
    wanted = scores.measure(measure)
    found: dict[str, Interval | None] = {}
    for run in scores.runs:
        value = scores.value(run, wanted)
        if value.value is None or value.topics < 2:
            found[run] = None
            continue
        sample = prepare(scores, wanted, [run], cluster).sample
        trials = resamples or default_resamples(sample)
        result = intervals.bootstrap(
            sample, [0], method=method, confidence=confidence, trials=trials, threads=threads,
            seed=scores.settings.seed if seed is None else seed,
        )  # fmt: skip
        found[run] = _finite(result.intervals[0])
    return found
