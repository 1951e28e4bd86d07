"""Measures of generated answers by their nuggets. A nugget counts 1 where the answer has it, 1/2 where it has part of it, else 0;
strict measures count parts as 0."""

from __future__ import annotations

from collections.abc import Sequence

from assay.measures.define import measure

TREC_2024 = (
    "R. Pradeep, N. Thakur, S. Upadhyay, D. Campos, N. Craswell and J. Lin, Initial Nugget Evaluation Results for the "
    "TREC 2024 RAG Track with the AutoNuggetizer Framework, arXiv:2411.09607, 2024"
)
ARGUE = "J. Mayfield et al., On the Evaluation of Machine-Generated Reports, SIGIR 2024"
AUTO_ARGUE = (
    f"{ARGUE}; as in W. Walden et al., Auto-ARGUE: LLM-Based Report Generation Evaluation, arXiv:2509.26184, 2025"
)
NO_NUGGETS = "where the question has no nuggets, or they were not assigned"
NO_VITAL = "where no nugget is vital, or they were not assigned"
OKAY = 0.5
"""The weight of an okay nugget; others weigh 1."""

Sentence = tuple[Sequence[float | None], bool | None]


class AnswerView:
    """One answer with its judgments.

    nuggets    the question's, each with its importance ("vital", "okay" or "") and its credit
    sentences  the answer's, each with the support of its citations in order (None without a judgment), and whether it
               needs one (None where unknown)
    attested   the number of sentences supported by all citations, and of those that cite or should, where only counts are known
    """

    __slots__ = ("attested", "nuggets", "sentences")

    def __init__(
        self,
        nuggets: Sequence[tuple[str, float]] = (),
        sentences: Sequence[Sentence] | None = None,
        attested: tuple[int, int] | None = None,
    ) -> None:
        self.nuggets = nuggets
        self.sentences = sentences
        self.attested = attested

    def vital(self) -> list[tuple[str, float]]:
        """Return the vital nuggets."""
        return [nugget for nugget in self.nuggets if nugget[0] == "vital"]


def credited(nuggets: Sequence[tuple[str, float]], strict: bool, okay: float = 1.0) -> float | None:
    """Return the credit of some nuggets over their weight, which is that of `okay` ones and 1 of others; None of none.

    >>> credited([("vital", 1.0), ("okay", 0.5)], strict=False, okay=0.5)  # (1 + 0.25) / 1.5
    0.8333333333333334
    """
    weights = [okay if importance == "okay" else 1.0 for importance, _ in nuggets]
    gained = [
        weight * credit
        for weight, (_, credit) in zip(weights, nuggets, strict=True)
        if credit == 1.0 or not strict
    ]  # fmt: skip
    return sum(gained) / sum(weights) if nuggets else None


@measure("AllScore", task="generation", aliases=("all_score", "A"), undefined=NO_NUGGETS, cite=TREC_2024)
def all_score(view: AnswerView) -> float | None:
    """Credit for the nuggets over their number; half for one that the answer holds in part.

    >>> all_score(AnswerView([("vital", 1.0), ("vital", 0.5), ("okay", 0.0)]))
    0.5
    """
    return credited(view.nuggets, strict=False)


@measure("VitalScore", task="generation", aliases=("vital_score", "V"), undefined=NO_VITAL, cite=TREC_2024)
def vital_score(view: AnswerView) -> float | None:
    """The same over the vital nuggets alone. Where there are none, nuggetizer writes 0.

    >>> vital_score(AnswerView([("vital", 1.0), ("vital", 0.5), ("okay", 0.0)]))
    0.75
    """
    return credited(view.vital(), strict=False)


@measure(
    "StrictAllScore", task="generation", aliases=("strict_all_score", "NuggetRecall", "nugget_coverage"),
    undefined=NO_NUGGETS, cite=f"{TREC_2024}; the nugget recall of {ARGUE}",
)  # fmt: skip
def strict_all_score(view: AnswerView) -> float | None:
    """Nuggets that the answer holds whole over all nuggets: what ARGUE calls nugget recall.

    >>> strict_all_score(AnswerView([("vital", 1.0), ("vital", 0.5), ("okay", 1.0), ("okay", 0.0)]))
    0.5
    """
    return credited(view.nuggets, strict=True)


@measure("StrictVitalScore", task="generation", aliases=("strict_vital_score",), undefined=NO_VITAL, cite=TREC_2024)
def strict_vital_score(view: AnswerView) -> float | None:
    """Vital nuggets that the answer holds whole over vital nuggets: the score that ranked the runs of TREC 2024.

    >>> strict_vital_score(AnswerView([("vital", 1.0), ("vital", 0.5), ("okay", 0.0)]))
    0.5
    """
    return credited(view.vital(), strict=True)


@measure("WeightedScore", task="generation", aliases=("weighted_score", "W"), undefined=NO_NUGGETS, cite=TREC_2024)
def weighted_score(view: AnswerView) -> float | None:
    """(credit of vital + ½ · credit of okay nuggets)/(vital + ½ · okay): an okay nugget weighs half.

    (1 + ½ · ½)/(1 + ½ · 3):

    >>> weighted_score(AnswerView([("vital", 1.0), ("okay", 0.5), ("okay", 0.0), ("okay", 0.0)]))
    0.5
    """
    return credited(view.nuggets, strict=False, okay=OKAY)


@measure(
    "StrictWeightedScore", task="generation", aliases=("WeightedNuggetRecall", "nugget_coverage_weighted"),
    undefined=NO_NUGGETS, cite=f"{TREC_2024}; the weighted nugget recall of {AUTO_ARGUE}",
)  # fmt: skip
def strict_weighted_score(view: AnswerView) -> float | None:
    """The same with nothing for a part. Auto-ARGUE weighs 2 and 1 where the track weighs 1 and ½, which is the same number.

    1/(1 + ½ · 2):

    >>> strict_weighted_score(AnswerView([("vital", 1.0), ("okay", 0.5), ("okay", 0.0)]))
    0.5
    """
    return credited(view.nuggets, strict=True, okay=OKAY)
