"""A drop-in for pytrec_eval: the same names, shapes, keys and numbers.

    from assay import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 1}}, {"map", "ndcg_cut.10,20"})
    evaluator.evaluate({"q1": {"d1": 1.5, "d2": 0.3}})

`install()` makes programs that import pytrec_eval use it. `exact=True`, in `install` and `RelevanceEvaluator`, gives assay's
numbers instead of those of trec_eval 9. docs/drop_in.md lists the differences.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from functools import lru_cache, partial
from math import log, nan
from operator import index

from assay.errors import UsageError
from assay.measures.engines.vectors import total
from assay.measures.trec_eval_columns import MEASURES, NEW_IN_10, SETS, columns, select_measures
from assay.table.missing_topics import GEOMETRIC_FLOOR
from assay.tasks.ranked_dicts import JudgedTopics, Wanted, check_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from types import ModuleType
    from typing import Any

    from assay.measures.trec_eval_columns import OutputColumn
    from assay.measures.views.ranked import RankedView

    Functions = tuple[tuple[str, Callable[[RankedView], float | None], tuple[str, int | None] | None], ...]

__all__ = [
    "RelevanceEvaluator", "compute_aggregated_measure", "install", "parse_qrel", "parse_run", "supported_measures",
    "supported_nicknames", "uninstall",
]  # fmt: skip

supported_nicknames: dict[str, set[str]] = {
    name: {measure for measure in measures if measure not in NEW_IN_10} for name, measures in SETS.items()
}
"""The names of sets of measures."""
supported_measures: set[str] = set(supported_nicknames["all_trec"])
"""The supported measures, with cutoffs after a dot or an underscore: `P_5`, `ndcg_cut.10,20`."""

__version__ = "0.5.11"
"""The version of pytrec_eval with these names and numbers; ir_measures reads it."""

_WITH_PARAMETERS = re.compile(
    f"({'|'.join(sorted(map(re.escape, supported_measures), key=len, reverse=True))})"
    r"[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)"
)
_chosen = {"exact": False}
"""The default of `exact=`, set by `install`."""


class RelevanceEvaluator:
    """Evaluate runs against judgments.

    query_relevance         {topic: {document: grade}}
    measures                names, as in {"map", "ndcg_cut.10,20", "P_5"}, and those of `supported_nicknames`
    relevance_level         lowest grade that is relevant
    judged_docs_only_flag   drop documents without a judgment first
    exact                   assay's numbers, not those of trec_eval 9 (default: as set by `install`)
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
        *,
        exact: bool | None = None,
    ) -> None:
        self._exact = _chosen["exact"] if exact is None else exact
        names = frozenset(measures)
        functions = _functions(names, self._exact)
        judged = {topic: grades for topic, grades in query_relevance.items() if len(grades) > 0}
        level = _whole("relevance_level", relevance_level)
        if level < 1:
            raise TypeError(f"Argument relevance_level should be positive, found {level}.")
        judged_only = bool(_whole("judged_docs_only_flag", judged_docs_only_flag))
        self._plan = _plan(functions, level, judged_only, not self._exact)
        self._arguments = names, level, judged_only
        self._judged = JudgedTopics({topic: _grades(topic, grades) for topic, grades in judged.items()})

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Evaluate a run: {topic: {measure: value}} for every topic with judgments.

        scores   {topic: {document: score}}
        """
        if not scores:  # None too, as in pytrec_eval
            scores = {}
        if not isinstance(scores, dict):
            raise TypeError(f"Argument object scores should be of type dictionary, found {type(scores).__name__}.")
        rows: dict[str, dict[str, float]] = {}
        if self._exact:  # topics that the run lacks come last, with an empty ranking
            scores = scores | {topic: {} for topic in self._judged.judged if topic not in scores}
        for topic, view, values in self._judged.views(scores, self._plan.wanted):
            rows[topic] = self._plan.row(view, values)
        return rows

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments: the plan has addresses of this process."""
        return partial(type(self), exact=self._exact), (self._judged.judged, *self._arguments)


class _Plan:
    """The computation of a topic: by kernels of the core, and by the functions of other measures."""

    __slots__ = ("_all", "_kernels", "_names", "_others", "wanted")

    def __init__(self, functions: Functions, level: int, judged_only: bool, float32: bool) -> None:
        self._all = [(name, function) for name, function, _ in functions]
        self._names = [name for name, _ in self._all]
        kernels = [(name, kernel) for name, _, kernel in functions if kernel is not None]
        self._kernels = [name for name, _ in kernels]
        self._others = [(name, function) for name, function, kernel in functions if kernel is None]
        self.wanted = Wanted(
            tuple(kernel for _, kernel in kernels),
            ranks=bool(self._others),
            level=level,
            judged_only=judged_only,
            float32=float32,
        )

    def row(self, view: RankedView | None, values: list[float] | None) -> dict[str, float]:
        """Return the values of a topic from its view and the values of the core."""
        if view is None:
            return dict(zip(self._kernels, values or (), strict=True))
        if values is None:
            return {name: function(view) or 0.0 for name, function in self._all}
        row = dict.fromkeys(self._names, 0.0)
        row.update(zip(self._kernels, values, strict=True))
        for name, function in self._others:
            row[name] = function(view) or 0.0
        return row


_plan = lru_cache(maxsize=64)(_Plan)


def _whole(name: str, value: Any) -> int:
    """Convert an argument that is a whole number of any type."""
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"Argument {name} should be a whole number, found {value!r}.") from None


def _grades(topic: Any, grades: Any) -> dict[str, int]:
    """Check a topic's judgments and copy them."""
    if not isinstance(topic, str):
        raise TypeError(f"Expected string as key: found topic {topic!r}.")
    if not isinstance(grades, dict):
        raise TypeError(f"Expected dictionary as value: topic {topic!r} has {type(grades).__name__}.")
    judged: dict[Any, Any] = dict(grades)  # pyright: ignore[reportUnknownArgumentType]
    check_ids(topic, judged)
    if set(map(type, judged.values())) != {int}:
        for document, grade in judged.items():
            try:
                judged[document] = index(grade)
            except TypeError:
                where = f"topic {topic!r}, document {document!r}"
                raise TypeError(f"Expected relevance to be integer: {where} has {grade!r}.") from None
    return judged


@lru_cache(maxsize=64)
def _functions(measures: frozenset[str], exact: bool) -> Functions:
    """Return the key, function and kernel of each measure, in pytrec_eval's order."""
    parameters: dict[str, set[str]] = {}
    for measure in measures:
        for name in supported_nicknames.get(measure, (measure,)):
            cutoffs: set[str] = set()
            if name not in supported_measures:
                matched = _WITH_PARAMETERS.match(name)
                if matched is None:
                    raise ValueError(f"unsupported measure {name}")
                name, cutoffs = matched[1], {*matched[2].split(",")}
            parameters.setdefault(name, set()).update(cutoffs)
    written = [f"{name}.{','.join(sorted(cutoffs))}" if cutoffs else name for name, cutoffs in parameters.items()]
    compat = 10 if exact else 9
    functions: list[tuple[str, Callable[[RankedView], float | None], tuple[str, int | None] | None]] = []
    try:
        for chosen in select_measures(written, compat):
            has_parameters = MEASURES[chosen[0]][0] in ("cutoffs", "levels")
            for column in columns([chosen], compat, 0, "ceil" if exact else "trunc"):
                functions.append((column.name if has_parameters else chosen[0], _function(column), column.kernel))
    except UsageError as problem:
        raise ValueError(f"unsupported measure: {problem}") from None
    return tuple(functions)


def _function(column: OutputColumn) -> Callable[[RankedView], float | None]:
    """Return a measure as pytrec_eval has it: counts as floats, logarithms for geometric means, 0 for text."""
    function = column.function
    if column.kind == "text":
        return lambda view: 0.0
    if column.kind == "sum":
        return lambda view: float(function(view))
    if column.kind == "geometric":
        return lambda view: log(max(function(view) or 0.0, GEOMETRIC_FLOOR))
    return function


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """Aggregate the values of a measure over topics: a sum, a geometric mean or a mean, by its name.

    >>> compute_aggregated_measure("num_ret", [3.0, 4.0]), compute_aggregated_measure("map", [0.5, 0.25])
    (7.0, 0.375)
    """
    # Summed in the order of numpy and pytrec_eval, so that the last digit is the same.
    sum_of_values = total(values if hasattr(values, "sum") else list(values))
    if measure.startswith("num_"):
        return sum_of_values
    mean = sum_of_values / len(values) if len(values) else nan
    if not measure.startswith("gm_"):
        return mean
    import numpy as np

    return float(np.exp(mean))  # math.exp differs from it in the last bit


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Parse the lines of a run file to {topic: {document: score}}.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    return _parse(f_run, float, 4, ("topic", "Q0", "document", "rank", "score", "tag"))


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Parse the lines of a qrels file to {topic: {document: grade}}.

    >>> dict(parse_qrel(["q1 0 d1 1"]))
    {'q1': {'d1': 1}}
    """
    return _parse(f_qrel, int, 3, ("topic", "iteration", "document", "grade"))


def _parse(lines: Iterable[str], kind: Callable[[str], Any], place: int, fields: Sequence[str]) -> dict[str, Any]:
    topics: dict[str, dict[str, Any]] = defaultdict(dict)
    for number, line in enumerate(lines, 1):
        words = line.split()
        if len(words) != len(fields):
            raise ValueError(f"line {number}: expected {len(fields)} fields ({', '.join(fields)}), found {len(words)}")
        documents = topics[words[0]]
        if words[2] in documents:
            raise AssertionError(f"line {number}: document {words[2]} appears a second time in topic {words[0]}")
        try:
            documents[words[2]] = kind(words[place])
        except ValueError:
            expected = "a number as score" if kind is float else "a whole number as grade"
            raise ValueError(f"line {number}: expected {expected}, found {words[place]!r}") from None
    return topics


_replaced: list[tuple[ModuleType | None, dict[str, Any]]] = []
"""The module that `install` replaced, and its replaced attributes."""


def install(*, exact: bool = False) -> None:
    """Make programs that import pytrec_eval use this module: BEIR, MTEB, ir_measures and others.

    exact   compute assay's numbers, not those of pytrec_eval

    A program that imported the module pytrec_eval before gets these functions too; one that imported `RelevanceEvaluator` from it
    keeps that.
    """
    uninstall()
    before = sys.modules.get("pytrec_eval")
    attributes = {name: getattr(before, name) for name in __all__ if hasattr(before, name)}
    for name in attributes:
        setattr(before, name, globals()[name])
    _replaced.append((before, attributes))
    _chosen["exact"] = exact
    sys.modules["pytrec_eval"] = sys.modules[__name__]


def uninstall() -> None:
    """Undo `install`."""
    _chosen["exact"] = False
    while _replaced:
        before, attributes = _replaced.pop()
        for name, value in attributes.items():
            setattr(before, name, value)
        if before is None:
            sys.modules.pop("pytrec_eval", None)
        else:
            sys.modules["pytrec_eval"] = before
