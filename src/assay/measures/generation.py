"""Measures of generated answers by their nuggets, by the support their citations give, and ARGUE's F of both.

A nugget counts 1 where the answer has it, 1/2 where it has part of it, else 0; strict measures count parts as 0. A citation counts
1, 1/2 or 0 as it supports its sentence fully, partly or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from assay.measures.define import measure
from assay.measures.nuggets import f_beta

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


class AnswerView(NamedTuple):
    """One answer with its judgments.

    nuggets    the question's, each with its importance ("vital", "okay" or "") and its credit
    sentences  the answer's, each with the support of its citations in order (None without a judgment), and whether it
               needs one (None where unknown)
    attested   the number of sentences supported by all citations, and of those that cite or should, where only counts are known
    """

    nuggets: Sequence[tuple[str, float]] = ()
    sentences: Sequence[Sentence] | None = None
    attested: tuple[int, int] | None = None

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
    """Credit for the nuggets over their number; half for a nugget that the answer has in part.

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
    """Nuggets that the answer has in full over all nuggets: what ARGUE calls nugget recall.

    >>> strict_all_score(AnswerView([("vital", 1.0), ("vital", 0.5), ("okay", 1.0), ("okay", 0.0)]))
    0.5
    """
    return credited(view.nuggets, strict=True)


@measure("StrictVitalScore", task="generation", aliases=("strict_vital_score",), undefined=NO_VITAL, cite=TREC_2024)
def strict_vital_score(view: AnswerView) -> float | None:
    """Vital nuggets that the answer has in full over vital nuggets: the score that ranked the runs of TREC 2024.

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


SUPPORT_2024 = (
    "N. Thakur, R. Pradeep, S. Upadhyay, D. Campos, N. Craswell and J. Lin, Support Evaluation for the TREC 2024 RAG Track: "
    "Comparing Human versus LLM Judges, SIGIR 2025"
)
NO_SUPPORT = "where no citation has a judgment"
NO_SENTENCES = "where no sentence cites or should, or it is unknown which should"


def first_of(citations: Sequence[float | None]) -> float | None:
    """Return the support of a sentence by its first citation, the one that TREC 2024 judged."""
    return citations[0]


def first_in_full(citations: Sequence[float | None]) -> float | None:
    """Return the same, and nothing for a part.

    >>> first_in_full([1.0]), first_in_full([0.5, 1.0]), first_in_full([None])
    (1.0, 0.0, None)
    """
    return None if citations[0] is None else float(citations[0] == 1.0)


def mean_of(citations: Sequence[float | None]) -> float | None:
    """Return the mean support of a sentence by those of its citations that were judged.

    >>> mean_of([1.0, None, 0.5]), mean_of([None])
    (0.75, None)
    """
    judged = [support for support in citations if support is not None]
    return sum(judged) / len(judged) if judged else None


def precision(view: AnswerView, worth: Callable[[Sequence[float | None]], float | None]) -> float | None:
    """Return the mean support of sentences with citations; 0 without any, None where they have no judgment."""
    cited = [worth(citations) for citations, _ in view.sentences or () if citations]
    judged = [support for support in cited if support is not None]
    if judged:
        return sum(judged) / len(judged)
    return 0.0 if view.sentences and not cited else None


def recall(view: AnswerView, worth: Callable[[Sequence[float | None]], float | None]) -> float | None:
    """Return the mean support of all judged sentences; a sentence without citations has support 0."""
    worths = [worth(citations) if citations else 0.0 for citations, _ in view.sentences or ()]
    judged = [support for support in worths if support is not None]
    return sum(judged) / len(judged) if judged else None


@measure(
    "CitationP", task="generation", aliases=("weighted_precision", "weighted_precision_first_citation"),
    undefined=NO_SUPPORT, cite=SUPPORT_2024,
)  # fmt: skip
def citation_precision(view: AnswerView) -> float | None:
    """Weighted precision: the mean support, by its first citation, of a sentence that cites; 0 where none does.

    Partial, full, and a sentence without citations (the paper's example):

    >>> citation_precision(AnswerView(sentences=[([0.5], None), ([1.0], None), ([], None)]))
    0.75
    """
    return precision(view, first_of)


@measure(
    "CitationR", task="generation", aliases=("weighted_recall", "weighted_recall_first_citation"),
    undefined=NO_SUPPORT, cite=SUPPORT_2024,
)  # fmt: skip
def citation_recall(view: AnswerView) -> float | None:
    """Weighted recall: the mean support, by its first citation, of any sentence; one that cites nothing has none.

    >>> citation_recall(AnswerView(sentences=[([0.5], None), ([1.0], None), ([], None)]))
    0.5
    """
    return recall(view, first_of)


@measure("StrictCitationP", task="generation", aliases=("hard_precision",), undefined=NO_SUPPORT, cite=SUPPORT_2024)
def strict_citation_precision(view: AnswerView) -> float | None:
    """Sentences that their first citation supports in full over sentences that cite; 0 where none does.

    >>> strict_citation_precision(AnswerView(sentences=[([0.5], None), ([1.0], None), ([], None)]))
    0.5
    """
    return precision(view, first_in_full)


@measure("StrictCitationR", task="generation", aliases=("hard_recall",), undefined=NO_SUPPORT, cite=SUPPORT_2024)
def strict_citation_recall(view: AnswerView) -> float | None:
    """Sentences that their first citation supports in full over all sentences.

    >>> strict_citation_recall(AnswerView(sentences=[([0.5], None), ([1.0], None), ([], None), ([0.0], None)]))
    0.25
    """
    return recall(view, first_in_full)


@measure(
    "AllCitationsP", task="generation", aliases=("weighted_precision_all_judged_citations",),
    undefined=NO_SUPPORT, cite=SUPPORT_2024,
)  # fmt: skip
def all_citations_precision(view: AnswerView) -> float | None:
    """Weighted precision with the mean of all citations of a sentence that were judged in the place of its first.

    >>> all_citations_precision(AnswerView(sentences=[([1.0, 0.0], None), ([1.0], None), ([], None)]))
    0.75
    """
    return precision(view, mean_of)


@measure(
    "AllCitationsR", task="generation", aliases=("weighted_recall_all_judged_citations",),
    undefined=NO_SUPPORT, cite=SUPPORT_2024,
)  # fmt: skip
def all_citations_recall(view: AnswerView) -> float | None:
    """Weighted recall with the mean of all citations of a sentence that were judged in the place of its first.

    >>> all_citations_recall(AnswerView(sentences=[([1.0, 0.0], None), ([1.0], None), ([], None)]))
    0.5
    """
    return recall(view, mean_of)


def attested(view: AnswerView) -> tuple[int, int] | None:
    """Return the number of sentences fully supported by all their citations, and of sentences that cite or should.

    Returns None where it is unknown which should, even if all sentences cite: such answers would bias the mean.
    """
    if view.attested is not None or view.sentences is None:
        return view.attested
    if any(needs is None for _, needs in view.sentences):
        return None
    verdicts = [_holds(citations) for citations, needs in view.sentences if citations or needs]
    return verdicts.count(True), len(verdicts) - verdicts.count(None)


def _holds(citations: Sequence[float | None]) -> bool | None:
    """Return whether all citations support a sentence in full; None where some have no judgment and the others do."""
    if not citations or any(support is not None and support < 1.0 for support in citations):
        return False
    return None if None in citations else True


@measure("SentenceP", task="generation", aliases=("sentence_support",), undefined=NO_SENTENCES, cite=AUTO_ARGUE)
def sentence_precision(view: AnswerView) -> float | None:
    """ARGUE's sentence precision: sentences that all their citations support in full, over sentences that cite or should.

    One is supported, one in part, one should cite and does not; the last need not.

    >>> sentence_precision(AnswerView(sentences=[([1.0], True), ([1.0, 0.5], True), ([], True), ([], False)]))
    0.3333333333333333
    """
    counts = attested(view)
    return counts[0] / counts[1] if counts and counts[1] else None


@measure("ArgueF", task="generation", aliases=("f1",), undefined=f"{NO_SENTENCES}, or without nuggets", cite=AUTO_ARGUE)
def argue_f(view: AnswerView) -> float | None:
    """2·P·R/(P + R) of sentence precision and nugget recall; 0 where both are 0.

    P = 1 and R = 1/2:

    >>> argue_f(AnswerView([("", 1.0), ("", 0.0)], [([1.0], True)]))
    0.6666666666666666
    """
    return _f1(sentence_precision(view), strict_all_score(view))


@measure(
    "WeightedArgueF", task="generation", aliases=("f1_weighted",), undefined=f"{NO_SENTENCES}, or without nuggets",
    cite=AUTO_ARGUE,
)  # fmt: skip
def weighted_argue_f(view: AnswerView) -> float | None:
    """The same with weighted nugget recall.

    P = 1 and R = 1/(1 + ½):

    >>> weighted_argue_f(AnswerView([("vital", 1.0), ("okay", 0.0)], [([1.0], True)]))
    0.8
    """
    return _f1(sentence_precision(view), strict_weighted_score(view))


def _f1(precision: float | None, recall: float | None) -> float | None:
    return None if precision is None or recall is None else f_beta(precision, recall, 1.0)
