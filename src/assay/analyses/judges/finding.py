"""Whether judges agree, and whether it matters which of them is believed, in one or two sentences."""

from __future__ import annotations

from assay.analyses.brief_numbers import brief, listed, number_of, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.analyses.judges.agree import Coefficient, JudgeAgreement
    from assay.analyses.judges.rankings import TwoRankings

DIGITS = 2


def finding(result: JudgeAgreement) -> str:
    """Say how far the judges agree, and with runs whether a winner depends on the judge."""
    text = _two(result) if len(result.pairs) == 1 else _many(result)
    return text if result.rankings is None else f"{text} {of_rankings(result.rankings.pairs)}"


def _two(result: JudgeAgreement) -> str:
    pair, noun = result.pairs[0], result.source.noun
    raw = pair.coefficients["raw"].value
    judged = number_of(pair.shared, noun)
    if raw is None:
        return f"{pair.first} and {pair.second} judged no {noun} in common."
    share = f"agree on all {judged}" if raw == 1 and pair.shared > 1 else f"agree on {percent(raw)} of {judged}"
    kappa = _value(pair.coefficients["kappa"], result.settings["confidence"])
    return f"{pair.first} and {pair.second} {share} (kappa {kappa})."


def _value(coefficient: Coefficient, confidence: float) -> str:
    if coefficient.value is None:
        return "undefined"
    text = brief(coefficient.value, DIGITS)
    if coefficient.low is None or coefficient.high is None:
        return text
    return f"{text}, {confidence:.0%} interval {brief(coefficient.low, DIGITS)} to {brief(coefficient.high, DIGITS)}"


def _many(result: JudgeAgreement) -> str:
    """Say which judges agree most and least, by kappa; equal kappas are named together."""
    reference = result.settings["reference"]
    known = [(pair, pair.coefficients["kappa"].value) for pair in result.pairs]
    kappas = [kappa for _, kappa in known if kappa is not None]
    if not kappas:
        return f"Kappa is undefined for every two of the {len(result.judges)} judges."
    high, low = max(kappas), min(kappas)

    def named(kappa: float) -> str:
        names = [
            pair.second if reference else f"{pair.first} and {pair.second}" for pair, value in known if value == kappa
        ]
        return listed(names) if reference or len(names) == 1 else f"{len(names)} pairs of judges"

    with_ = f" with {reference}" if reference else ""
    of = "" if reference else f"Of {len(result.judges)} judges, "
    most, least = named(high), named(low)
    if high == low:
        what = f"all {len(kappas)} judges agree alike{with_}" if reference else f"all {len(kappas)} pairs agree alike"
        text = f"{of or 'Here '}{what} (kappa {brief(high, DIGITS)})"
    else:
        agree = "agrees" if reference and kappas.count(high) == 1 else "agree"
        text = f"{of}{most} {agree}{with_} most (kappa {brief(high, DIGITS)}), {least} least ({brief(low, DIGITS)})"
    if len({pair.shared for pair in result.pairs}) > 1:
        text += f", on the {result.source.noun}s that both judged"
    undefined = len(known) - len(kappas)
    return f"{text}; undefined for {number_of(undefined, 'pair')}." if undefined else f"{text}."


def of_rankings(pairs: Sequence[TwoRankings]) -> str:
    """Say whether a significant difference between runs has another winner under another judge; of several, for the worst two."""
    worst = max(pairs, key=lambda pair: (pair.reversed, pair.turned))
    lost, significant = worst.turned + worst.reversed, _significant(worst)
    if not any(map(_significant, pairs)):
        return "No two runs differ significantly under any judge."
    if not lost:
        counts = {_significant(pair) for pair in pairs}
        among = "the pairs of runs that differ significantly"
        if len(counts) == 1:
            among = f"{number_of(significant, 'pair')} of runs that {'differs' if significant == 1 else 'differ'} significantly"
        return f"Whichever judge you believe, no winner changes among {among}."
    turned = (
        "significantly so"
        if worst.reversed == lost
        else f"{worst.reversed} significantly"
        if worst.reversed
        else "none significantly"
    )
    which = f"{lost} of {number_of(significant, 'pair')} of runs that differ significantly under {worst.first} or {worst.second}"
    return f"The judge decides the winner in {which} ({turned})."


def _significant(pair: TwoRankings) -> int:
    """Return how many pairs of runs differ significantly under one of the two judges."""
    return pair.kept + pair.undecided + pair.turned + pair.reversed
