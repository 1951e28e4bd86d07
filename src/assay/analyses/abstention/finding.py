"""What a threshold, a guarantee or the price of a wrong answer says, in one sentence."""

from __future__ import annotations

from fractions import Fraction

from assay.analyses.brief_numbers import apart, as_written, interval, listed, two_digits, value_digits
from assay.figures.measure_names import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.analyses.abstention.price import LeadEvidence, Pricing
    from assay.analyses.abstention.threshold import Guarantee, Threshold

MAX_LEADS = 3
"""A sentence names the leaders of up to this many ranges of prices."""


def of_threshold(result: Threshold) -> str:
    """Say below which confidence to decline, and whether that helps on questions that did not choose it."""
    run, measure = result.run, result.measure
    if not result.threshold:
        return f"Let {run} decline nothing more: no threshold gives it a better {in_words(measure)}."
    threshold = as_written(result.threshold)
    before, after = result.as_is, result.held_out
    if before is None or after is None or result.gain is None:
        unknown = f"Whether declining helps {run} cannot be said: {in_words(measure)} is undefined here"
        return f"{unknown}. Best here is to decline below {threshold}."
    ends = result.interval
    digits = 3 if ends is None else value_digits(*ends)
    moved = "stays at" if before == after else "rises from" if after > before else "falls from"
    values = " to ".join(dict.fromkeys(apart(before, after, digits)))
    change = f"{in_words(measure)} {moved} {values} on held-out {result.noun}s"
    if ends is None:
        return f"Whether declining helps {run} cannot be said: below {threshold} {change}, with no interval."
    gain = f"{result.confidence:.0%} interval of the gain {interval(*ends, digits)}"
    if ends[0] > 0:
        return f"Let {run} decline below a confidence of {threshold}: {change} ({gain})."
    verdict = f"Declining does not help {run}" if ends[1] < 0 else f"There is no evidence that declining helps {run}"
    return f"{verdict}: with the best threshold, {threshold}, {change} ({gain})."


def of_guarantee(result: Guarantee) -> str:
    """Say from which confidence on to answer, or why nothing can be guaranteed."""
    if result.threshold is None:
        return result.promise
    which = " everything it answers now"
    if result.threshold:
        which = f" only from a confidence of {as_written(result.threshold)} on"
    sure, risk = f"{100 * result.confidence:.6g}%", f"{100 * result.risk:.6g}%"
    promise = f"with {sure} probability, at most {risk} of the answers are wrong on {result.noun}s drawn as these were"
    return f"Let {result.run} answer{which} ({result.answers} of {result.questions} {result.noun}s): {promise}."


def of_price(result: Pricing) -> str:
    """Say who leads by the cost of a wrong answer, in right answers, and which leads are significant."""
    leads = result.leads
    first, last = leads[0], leads[-1]
    alone = len(result.counts) == 1
    if len(leads) == 1:
        text = f"Whatever a wrong answer costs, {_leads(first.runs, alone)}"
    elif len(leads) <= MAX_LEADS:
        parts = [f"{_leads(first.runs, alone)} while a wrong answer costs less than {cost(first.end)}"]
        parts += [f"{_leads(lead.runs)} from there to {cost(lead.end)}" for lead in leads[1:-1]]
        text = "; ".join([*parts, f"above that {_leads(last.runs)}"])
    else:
        text = (
            f"{_leads(first.runs)} while a wrong answer costs less than {cost(first.end)}, and above {cost(last.start)} "
            f"{_leads(last.runs)}; between, the leader changes {len(leads) - 2} times"
        )
    return f"{text}.{_evidence(leads)}"


def _leads(runs: Sequence[str], alone: bool = False) -> str:
    if not runs:
        return "no run is better than declining everything"
    if alone:
        return f"{runs[0]} is better than declining everything"
    return f"{runs[0]} leads" if len(runs) == 1 else f"{listed(runs)} share the lead"


def cost(t: Fraction) -> str:
    """Return what a wrong answer costs at a price, in right answers.

    >>> cost(Fraction(1, 4)), cost(Fraction(5, 6)), cost(Fraction(1, 2))
    ('.33 of a right one', '5.0 right ones', '1.0 right ones')
    """
    in_right = two_digits(float(t / (1 - t)))
    return f"{in_right} of a right one" if in_right.startswith(".") else f"{in_right} right ones"


def _evidence(leads: Sequence[LeadEvidence]) -> str:
    """Say which leads are significant at some price; nothing where nothing could be resampled."""
    if all(lead.surest is None for lead in leads):
        return ""
    shown = [lead for lead in leads if lead.shown is not None]
    if not shown:
        return " No lead is significant." if len(leads) > 1 else " This is not significant at any price."
    if len(leads) == 1:
        return f" This is significant at {'every price' if leads[0].shown == (0.0, 1.0) else 'some prices'}."
    if len(shown) == len(leads):
        return " Each is significantly ahead at some prices."
    names = [lead.runs[0] if lead.runs else "declining everything" for lead in shown]
    return f" Only {listed(names)} {'is' if len(names) == 1 else 'are'} significantly ahead, at some prices."
