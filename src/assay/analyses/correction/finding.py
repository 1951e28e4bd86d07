"""What people would say of runs that a machine judged, in one or two sentences."""

from __future__ import annotations

from assay.analyses.brief_numbers import brief, interval, number_of, value_digits
from assay.figures.measure_names import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assay.analyses.correction.correct import CorrectedPair, CorrectedRun, CorrectedValue, Correction


def finding(result: Correction) -> str:
    """Say what people would make of the first measure: a run's score, or the machine's order of the runs."""
    return of_measure(result, result.runs[0].measure)


def of_measure(result: Correction, measure: str) -> str:
    """Say the same of one measure."""
    runs = [run for run in result.runs if run.measure == measure]
    pairs = [pair for pair in result.pairs if pair.measure == measure]
    confidence = result.settings["confidence"]
    if not pairs:
        return f"{runs[0].run}: {_score(runs[0], confidence)}."
    if len(pairs) == 1:
        return _one_pair(pairs[0], confidence)
    return f"{_order(pairs, result.settings['baseline'])}{_leader(runs, confidence)}"


def best_estimate(estimates: Mapping[str, CorrectedValue | None]) -> CorrectedValue | None:
    """Return the estimate by PPI++, or else by people's labels alone."""
    return estimates["ppi"] or estimates["human"]


def _score(run: CorrectedRun, confidence: float) -> str:
    estimate = best_estimate(run.estimates)
    if run.machine is None:
        return f"the machine's {in_words(run.measure)} is undefined"
    if estimate is None:
        return (
            f"people's labels are too few to correct the machine's {in_words(run.measure)} of {brief(run.machine, 3)}"
        )
    digits = value_digits(estimate.low, estimate.high)
    ends = f"{confidence:.0%} interval {interval(estimate.low, estimate.high, digits)}"
    people, machine = brief(estimate.value, digits), brief(run.machine, digits)
    return f"{in_words(run.measure)} {people} as people would judge ({ends}), {machine} by the machine"


def _one_pair(pair: CorrectedPair, confidence: float) -> str:
    """Say whether the better of two runs by the machine is better for people."""
    estimate, machine = best_estimate(pair.estimates), pair.machine
    if estimate is None or machine is None:
        return f"Whether {pair.first} or {pair.second} is better cannot be said: people's labels are too few."
    digits = value_digits(estimate.low, estimate.high)
    if pair.verdict == "open":
        sign = 1 if machine >= 0 else -1
        ahead, behind = (pair.first, pair.second) if sign > 0 else (pair.second, pair.first)
        ends = sorted((sign * estimate.low, sign * estimate.high))
        people = f"{confidence:.0%} interval {interval(ends[0], ends[1], digits)}"
        return (
            f"Whether {ahead} is better than {behind} is open: by {brief(abs(machine), digits)} {in_words(pair.measure)} "
            f"for the machine, by {brief(sign * estimate.value, digits)} for people ({people})."
        )
    sign = 1 if estimate.value > 0 else -1
    better, worse = (pair.first, pair.second) if sign > 0 else (pair.second, pair.first)
    ends = sorted((sign * estimate.low, sign * estimate.high))
    by = f"{brief(abs(estimate.value), digits)} {in_words(pair.measure)} ({confidence:.0%} interval {interval(ends[0], ends[1], digits)})"
    if pair.verdict == "holds":
        return f"{better} is better than {worse} for people too, by {by}; by {brief(abs(machine), digits)} for the machine."
    return f"People put {better} before {worse}, by {by}; the machine puts {worse} first, by {brief(abs(machine), digits)}."


def _order(pairs: Sequence[CorrectedPair], baseline: str | None) -> str:
    """Say for how many pairs the machine's order holds."""
    holds, opened, turned = (
        [pair for pair in pairs if pair.verdict == verdict] for verdict in ("holds", "open", "turns")
    )
    of = f"{number_of(len(pairs), 'pair')} {f'with {baseline}' if baseline else 'of runs'}"
    if len(holds) == len(pairs):
        return f"People's labels confirm the machine's order of all {of}."
    parts = [f"{len(opened)} {'is' if len(opened) == 1 else 'are'} open"] if opened else []
    if turned:
        first = turned[0]
        ahead, behind = (first.first, first.second) if (first.machine or 0.0) < 0 else (first.second, first.first)
        example = f" (people put {ahead} before {behind})" if len(turned) == 1 else ""
        parts.append(f"{len(turned)} {'turns' if len(turned) == 1 else 'turn'} round{example}")
    how_many = f"{len(holds)} of {of}" if holds else f"none of {of}"
    return f"People's labels confirm the machine's order of {how_many}; {' and '.join(parts)}."


def _leader(runs: Sequence[CorrectedRun], confidence: float) -> str:
    """Say what people would give the machine's first run; nothing where several share the first place."""
    known = [run for run in runs if run.machine is not None]
    top = max((run.machine or 0.0 for run in known), default=0.0)
    first = [run for run in known if run.machine == top]
    estimate = best_estimate(first[0].estimates) if len(first) == 1 else None
    if estimate is None:
        return ""
    digits = value_digits(estimate.low, estimate.high)
    ends = f"{confidence:.0%} interval {interval(estimate.low, estimate.high, digits)}"
    people, machine = brief(estimate.value, digits), brief(top, digits)
    given = f"{people} {in_words(first[0].measure)} ({ends})"
    return f" They would give {first[0].run}, the machine's first, {given}, the machine gives {machine}."
