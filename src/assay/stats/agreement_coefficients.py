"""Agreement coefficients of judges beyond chance (kappa, AC1, alpha), from counts that add up over topics.

Each function takes arrays whose last axes are categories and returns a value for every other axis, so that all resamples are
computed at once. An undefined coefficient (judges who never vary, no common judgments) is NaN.

confusion      n[c, k]: pairs to which the first judge gave category c and the second k
coincidences   o[c, k] = Σ n_ic (n_ik - [c = k])/(m_i - 1) over the pairs i that m_i >= 2 judges judged, n_ic of them with c
               (Krippendorff): every pair of judgments of one document, in both orders
shares         the mean over pairs of n_ik/m_i: the use of category k
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.resampling.arithmetic import Floats


def _over(top: Floats, bottom: Floats) -> Floats:
    """Return a quotient, NaN over 0."""
    bottom = np.asarray(bottom, dtype=np.float64)
    return np.divide(top, bottom, out=np.full(np.broadcast(top, bottom).shape, np.nan), where=bottom > 0)


def _weighed(counts: Floats, apart: Floats) -> Floats:
    """Return Σ d n over the last two axes; a matrix product if all share one matrix of distances."""
    if apart.ndim > 2:
        return np.einsum("...ij,...ij->...", counts, apart)
    return counts.reshape(*counts.shape[:-2], -1) @ apart.ravel()


def distances(values: Sequence[float], power: int) -> Floats:
    """Return distances of categories: 1 if they differ (power 0), |c - k| (1), (c - k)² (2).

    >>> distances([0, 1, 3], 2).tolist()
    [[0.0, 1.0, 9.0], [1.0, 0.0, 4.0], [9.0, 4.0, 0.0]]
    """
    numbers = np.asarray(values, dtype=np.float64)
    apart = np.abs(numbers[:, None] - numbers[None, :])
    return (apart > 0).astype(np.float64) if power == 0 else apart**power


def cohen_kappa(confusion: Floats, apart: Floats) -> Floats:
    """Return Cohen's kappa of two judges, 1 - Σ d n / Σ d e: observed over expected disagreement.

    e[c, k] is row sum times column sum over N (Cohen 1960; weighted by distance, Cohen 1968). Undefined if Σ d e is 0.

    Of 10 pairs both say no to 4 and yes to 3, and disagree on 3, the first saying yes to 1 and the second to 2 of them: agreed
    7/10, by chance (6·5 + 4·5)/100 = 1/2, kappa (.7 - .5)/(1 - .5).

    >>> round(float(cohen_kappa(np.array([[4.0, 2.0], [1.0, 3.0]]), distances([0, 1], 0))), 6)
    0.4
    """
    rows, columns = confusion.sum(axis=-1), confusion.sum(axis=-2)
    by_chance = ((rows @ apart) * columns).sum(axis=-1)
    return 1 - _over(rows.sum(axis=-1) * _weighed(confusion, apart), by_chance)


def fleiss_kappa(observed: Floats, shares: Floats) -> Floats:
    """Return Fleiss' kappa, (p - Σ π²)/(1 - Σ π²), of any number of judges (Fleiss 1971).

    With missing judgments as in Gwet 2014: p over the pairs with two judgments or more, π over all.

    >>> round(float(fleiss_kappa(np.array(0.7), np.array([0.55, 0.45]))), 6)  # chance .505: .195/.495
    0.393939
    """
    chance = (shares**2).sum(axis=-1)
    return _over(observed - chance, 1 - chance)


def gwet_ac1(observed: Floats, shares: Floats) -> Floats:
    """Return Gwet's AC1, (p - e)/(1 - e) with e = Σ π(1 - π)/(q - 1) for q categories (Gwet 2008).

    Chance agreement e is small if one category is rare, so high agreement stays high. Undefined for a single category.

    >>> round(float(gwet_ac1(np.array(0.7), np.array([0.55, 0.45]))), 6)  # e = 2 · .55 · .45 = .495: .205/.505
    0.405941
    """
    q = shares.shape[-1]
    chance = (shares * (1 - shares)).sum(axis=-1) / (q - 1) if q > 1 else np.full(shares.shape[:-1], np.nan)
    return np.where(np.isfinite(chance), _over(observed - chance, 1 - chance), np.nan)


def krippendorff_alpha(coincidences: Floats, apart: Floats) -> Floats:
    """Return Krippendorff's alpha, 1 - (n - 1) Σ d o / Σ d n_c n_k (Krippendorff 2011).

    It is over the n judgments of documents with two judgments or more. Undefined if all judgments are the same.

    The 10 pairs above: o = [[8, 3], [3, 6]], so n = 20, n_c = 11 and 9: 1 - 19 · 6/(2 · 99).

    >>> round(float(krippendorff_alpha(np.array([[8.0, 3.0], [3.0, 6.0]]), distances([0, 1], 0))), 6)
    0.424242
    """
    used = coincidences.sum(axis=-1)
    n = used.sum(axis=-1)
    expected = (np.einsum("...i,...ij->...j", used, apart) * used).sum(axis=-1)
    return 1 - _over((n - 1) * _weighed(coincidences, apart), expected)


def ordinal_distances(coincidences: Floats) -> Floats:
    """Return Krippendorff's distance of ordered categories, (n_c/2 + all between + n_k/2)².

    It depends only on the number of judgments between two grades.

    >>> ordinal_distances(np.diag([4.0, 2.0, 4.0]))[0].tolist()  # 4/2 + 2/2, and 4/2 + 2 + 4/2
    [0.0, 9.0, 36.0]
    """
    used = coincidences.sum(axis=-1)
    middle = np.cumsum(used, axis=-1) - used / 2
    return (middle[..., :, None] - middle[..., None, :]) ** 2
