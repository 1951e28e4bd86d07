"""assay as a provider of ir_measures, and so of PyTerrier's experiments.

    import ir_measures
    from assay.integrations import ir_measures as under

    under.install()
    ir_measures.calc_aggregate([AP, nDCG @ 10, RR @ 10], qrels, run)

It has the measures of ir_measures with all their parameters, in assay's order of documents: score descending as doubles, then id
descending. docs/ir_measures.md lists the differences from other providers of ir_measures.
"""

from __future__ import annotations

from functools import lru_cache

import ir_measures
from ir_measures import measures as theirs
from ir_measures import providers
from ir_measures.providers.base import NOT_PROVIDED, Any

from assay.measures.registry import find
from assay.scoring.evaluate import read_gold
from assay.tasks.ranked_dicts import JudgedTopic, check_ids, check_scores, view_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import typing
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from assay.measures.views.ranked import RankedView
    from assay.parameters import PairedTestChoices

__all__ = ["PROVIDER", "AssayEvaluator", "AssayProvider", "DiversityEvaluator", "install", "paired_test", "uninstall"]

NAMES = {"SetF": {"beta": "beta2"}}
"""Parameters with other names here: ir_measures' β is trec_eval's, which is β²."""
RENAMED = {("SetP", "relative"): "SetRelP", ("NumRet", "rel"): "NumRelRet"}
"""Measures with another name here if a parameter is set."""

BY_SUBTOPIC = {"alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"}
"""Measures of judgments by subtopic."""

ONLY_ONE = {("SDCG", "dcg")}
"""Parameters that have one value in ir_measures, and do not exist here."""


def written(measure: theirs.Measure) -> str:
    """Return the name of a measure of ir_measures here.

    >>> written(ir_measures.P(rel=2) @ 5), written(ir_measures.SetF(beta=2.0)), written(ir_measures.NumRet(rel=1))
    ('P(rel=2)@5', 'SetF(beta2=2.0,rel=1)', 'NumRelRet(rel=1)')
    """
    name = str(measure.NAME)
    inside: list[str] = []
    at = ""
    for parameter in measure.SUPPORTED_PARAMS:
        value = measure[parameter]
        if value is NOT_PROVIDED or parameter == "judged_only" or (name, parameter) in ONLY_ONE:
            continue
        if parameter == measure.AT_PARAM:
            at = f"@{value}"
        elif parameter == "relative":
            name = RENAMED[name, parameter] if value else name
        else:
            name = RENAMED.get((name, parameter), name)
            inside.append(f"{NAMES.get(name, {}).get(parameter, parameter)}={_value(value)}")
    return f"{name}({','.join(sorted(inside))}){at}" if inside else name + at


def _value(value: typing.Any) -> str:
    if isinstance(value, dict):
        gains: dict[int, float] = value
        return ",".join(f"{grade}:{gain}" for grade, gain in gains.items())
    return str(value)


@lru_cache(maxsize=256)
def _function(name: str) -> Callable[[RankedView], float | None]:
    return find(name, "ranked").bound()


class AssayProvider(providers.Provider):
    """Provide the measures of ranked retrieval and of diversity that ir_measures and assay both have."""

    NAME = "assay"
    SUPPORTED_MEASURES: list[theirs.Measure] = [  # noqa: RUF012 - ir_measures declares it so
        *(theirs.AP, theirs.Bpref, theirs.ERR, theirs.infAP, theirs.NumQ, theirs.NumRel, theirs.NumRet, theirs.nDCG),
        *(theirs.Rprec, theirs.RR, theirs.SetAP, theirs.SetF, theirs.SetP, theirs.SetR),
        *(measure(cutoff=Any(required=True)) for measure in (theirs.Judged, theirs.P, theirs.R, theirs.Success)),
        theirs.IPrec(recall=Any(required=True)),
        theirs.RBP(rel=Any(required=True)),
        *(measure(max_rel=Any(required=True)) for measure in (theirs.INST, theirs.INSQ, theirs.NERR10, theirs.NERR11)),
        *(
            measure(cutoff=Any(required=True), max_rel=Any(required=True))
            for measure in (theirs.BPM, theirs.NERR8, theirs.NERR9, theirs.SDCG)
        ),
        theirs.Compat,
        *(measure(cutoff=Any(required=True)) for measure in (theirs.alpha_nDCG, theirs.alpha_DCG, theirs.ERR_IA)),
        *(measure(cutoff=Any(required=True)) for measure in (theirs.nERR_IA, theirs.P_IA, theirs.StRecall)),
        *(theirs.NRBP, theirs.nNRBP, theirs.AP_IA),
    ]

    def _evaluator(self, measures: Iterable[theirs.Measure], qrels: typing.Any) -> AssayEvaluator | DiversityEvaluator:
        # The pipeline of ir_measures passes a set, whose order changes from process to process.
        chosen = list(measures) if isinstance(measures, (list, tuple)) else sorted(measures, key=str)
        diverse = [measure for measure in chosen if measure.NAME in BY_SUBTOPIC]
        if not diverse:
            judged: typing.Any = ir_measures.util.QrelsConverter(qrels).as_dict_of_dict()
            return AssayEvaluator(chosen, judged)
        rows: list[typing.Any] = list(ir_measures.util.QrelsConverter(qrels).as_namedtuple_iter())
        flat: dict[str, dict[str, int]] = {}
        for row in rows:
            flat.setdefault(row.query_id, {})[row.doc_id] = row.relevance
        plain = [measure for measure in chosen if measure.NAME not in BY_SUBTOPIC]
        return DiversityEvaluator(diverse, rows, AssayEvaluator(plain, flat) if plain else None)


class AssayEvaluator(providers.Evaluator):
    """Evaluate runs against one set of judgments."""

    def __init__(self, measures: Sequence[theirs.Measure], judged: Mapping[str, Mapping[str, int]]) -> None:
        super().__init__(measures, set(judged))
        for topic, grades in judged.items():
            check_ids(topic, grades)
        self._topics = {topic: JudgedTopic(grades) for topic, grades in judged.items()}
        self._functions = [(measure, _judged_only(measure), _function(written(measure))) for measure in measures]

    def _iter_calc(self, run: typing.Any) -> Iterator[ir_measures.Metric]:
        ranked: typing.Any = ir_measures.util.RunConverter(run).as_dict_of_dict()
        for query, documents in ranked.items():
            topic = self._topics.get(query)
            check_scores(query, documents)
            check_ids(query, documents)
            if topic is None:
                continue
            views = {only: view_of(topic, documents, judged_only=only) for only in {f[1] for f in self._functions}}
            for measure, only, function in self._functions:
                yield ir_measures.Metric(query_id=query, measure=measure, value=function(views[only]) or 0.0)


class DiversityEvaluator(providers.Evaluator):
    """Evaluate runs against judgments by subtopic, the iteration of ir_measures; `plain` has other measures."""

    def __init__(
        self, measures: Sequence[theirs.Measure], rows: Iterable[typing.Any], plain: AssayEvaluator | None
    ) -> None:
        judged: dict[str, dict[str, dict[str, int]]] = {}
        for row in rows:
            subtopics = judged.setdefault(row.query_id, {})
            subtopics.setdefault(getattr(row, "iteration", "0"), {})[row.doc_id] = row.relevance
        super().__init__([*measures, *(plain.measures if plain else ())], set(judged))
        self._plain = plain
        self._topics = judged.keys()
        self._by_gold: list[tuple[typing.Any, dict[str, theirs.Measure]]] = []
        for only in dict.fromkeys(map(_judged_only, measures)):
            gold = read_gold(judged, task="diversity", judged_only=only)
            self._by_gold.append((gold, {written(m): m for m in measures if _judged_only(m) == only}))

    def _iter_calc(self, run: typing.Any) -> Iterator[ir_measures.Metric]:
        ranked: typing.Any = ir_measures.util.RunConverter(run).as_dict_of_dict()
        queries = [query for query in ranked if query in self._topics]
        for gold, names in self._by_gold if queries else ():
            scores = gold.evaluate({"run": ranked}, list(names))
            for name, measure in names.items():
                values = scores.values(name, "run")
                for query in queries:
                    yield ir_measures.Metric(query_id=query, measure=measure, value=values[query] or 0.0)
        if self._plain is not None:
            yield from self._plain.iter_calc(ranked)


def _judged_only(measure: theirs.Measure) -> bool:
    return "judged_only" in measure.SUPPORTED_PARAMS and bool(measure["judged_only"])


PROVIDER = AssayProvider()
"""The provider, for direct use: `PROVIDER.calc_aggregate([AP], qrels, run)`."""


def install() -> None:
    """Put assay first in the default pipeline of ir_measures, after measures defined at run time."""
    uninstall()
    providers.register(PROVIDER)
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline.insert(pipeline.index(ir_measures.runtime) + 1 if ir_measures.runtime in pipeline else 0, PROVIDER)


def uninstall() -> None:
    """Undo `install`."""
    providers.registry.pop(PROVIDER.NAME, None)
    pipeline = ir_measures.DefaultPipeline.providers
    pipeline[:] = [provider for provider in pipeline if provider is not PROVIDER]


def paired_test(
    name: str = "randomisation", **choices: typing.Unpack[PairedTestChoices]
) -> Callable[[typing.Any, typing.Any], tuple[float, float]]:
    """Return a test of assay for PyTerrier's `Experiment(test=…)`: two runs' values to a difference and p.

    name      as `assay.compare(test=…)` takes it
    choices   other arguments of `assay.compare`, as `resamples` or `seed`

    p is NaN if the test has none, as the t-test of equal differences. `assay.integrations.pyterrier` makes `Experiment` accept the
    names of tests, and assay's corrections.

    >>> paired_test()([0.2, 0.3, 0.4, 0.5, 0.6, 0.7], [0.0, 0.1, 0.2, 0.3, 0.4, 0.5])[1]  # 2 of 2**6
    0.03125
    """

    def test(values: Sequence[float], baseline: Sequence[float]) -> tuple[float, float]:
        from assay.analyses.comparison.compare import compare
        from assay.scoring.score_files import scores

        rows = [[float(b), float(a)] for a, b in zip(values, baseline, strict=True)]
        pair = compare(scores(rows, runs=["baseline", "run"]), test=name, baseline="baseline", **choices).pairs[0]
        return pair.difference or 0.0, pair.p.get(name, float("nan"))

    return test
