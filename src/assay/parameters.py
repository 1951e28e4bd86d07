"""The parameters of public functions: the refusal of unknown ones, and the types of those that many functions pass on.

A public function is decorated with `public`. One that passes settings on declares them once for all, as in
`**settings: Unpack[ScoringSettings]`, so that editors complete them and type checkers refuse a misspelt one.
"""

from __future__ import annotations

from functools import update_wrapper

from assay.errors import UsageError, shorten_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Executor
    from typing import Any, TypedDict, TypeVar

    from assay.measures.measure import Measure
    from assay.scoring.store import Store

    Function = TypeVar("Function", bound=Callable[..., Any])
else:

    class TypedDict:
        """Stands in for `typing.TypedDict`: importing `typing` takes 10 ms."""

        def __init_subclass__(cls, total: bool = True) -> None:
            pass


class RankedSettings(TypedDict, total=False):
    """The settings of ranked retrieval, except `depth` and `seed`, which some functions use for something else."""

    missing: str
    undefined: str
    level: int
    judged_only: bool
    understandability: Any


class SharedSettings(RankedSettings, total=False):
    """The settings of all tasks, with the same exceptions."""

    judging: str
    judgments: Any
    unjudged: str
    unused_judgments: str
    support: Any
    refusal: Any
    na_prob: Any
    columns: str | Mapping[str, str] | None
    failed: str
    unparsed: str
    outcomes: str | None
    right_from: float | None
    scorer: str | None
    metric: str | None
    filter: str | None
    split: str | None
    merge: bool
    partial: bool
    nil_confidence: float | None
    abstain_below: float | None
    periods: Any
    period_count: int | None
    answers: int | None
    intent_weights: Any


class Depth(TypedDict, total=False):
    """The depth of the rankings."""

    depth: int | None


class Seed(TypedDict, total=False):
    """The seed of the score table."""

    seed: int


class Scoring(TypedDict, total=False):
    """Parameters of `assay.evaluate` that functions pass on when they are given gold and runs."""

    name_by: str
    store: str | os.PathLike[str] | Store | None


class SettingsWithoutSeed(SharedSettings, Depth, total=False):
    """The settings of all tasks, for a function with a `seed` of its own."""


class TaskSettings(SettingsWithoutSeed, Seed, total=False):
    """The settings of all tasks; each task refuses those of others."""


class ScoringSettings(TaskSettings, Scoring, total=False):
    """What `assay.evaluate` takes by name, for functions that take gold and runs in place of a score table."""


class ScoringWithoutSeed(SettingsWithoutSeed, Scoring, total=False):
    """The same, for a function with a `seed` of its own."""


class RankedScoring(RankedSettings, Depth, Scoring, total=False):
    """The same, for a function that scores ranked runs only and has a `seed` of its own."""


class ScoringWithoutDepth(SharedSettings, Seed, Scoring, total=False):
    """The same, for a function with a `depth` of its own."""


class PairedTestChoices(TypedDict, total=False):
    """What `assay.compare` takes by name, except what an experiment of another tool says: pairs, test, correction and level."""

    interval: str
    resamples: int | None
    seed: int | None
    tie: float
    margin: float | None
    verdicts: int | None
    max_failed: float
    equivalence: float | None
    family: Sequence[str | Measure] | None
    growing: bool | str
    top: int | None
    rank_of: str | Sequence[str] | None
    over: str
    incomplete: str
    cost: bool | str
    cluster: str | None
    threads: int | None
    executor: Executor | None


class ComparisonChoices(PairedTestChoices, total=False):
    """What `assay.compare` takes by name, except the runs and the settings of gold."""

    baseline: str | None
    pairs: Sequence[tuple[str, str]] | None
    test: str | None
    correct: str | None
    confidence: float


class LogComparisonChoices(ComparisonChoices, SettingsWithoutSeed, Scoring, total=False):
    """What `assay.compare` takes by name for the logs of a harness."""


def names_of(declared: type) -> list[str]:
    """Return the names that a class of parameters declares, those of its bases first.

    >>> names_of(RankedScoring)[:4]
    ['name_by', 'store', 'depth', 'missing']
    """
    bases = [base for base in reversed(declared.__mro__) if base is not object]
    return [name for base in bases for name in vars(base).get("__annotations__", {})]


_PASSED_ON = {"settings": ScoringSettings, "choices": ComparisonChoices}
"""By the name of a `**` parameter, what it may hold; the task, or the function it is passed on to, may refuse more."""
_VAR_KEYWORDS = 0x08
"""The flag of a code object with a `**` parameter (`inspect.CO_VARKEYWORDS`; importing `inspect` takes 8 ms)."""


def public(function: Function) -> Function:
    """Make a function of the public API refuse unknown parameters by name, with the nearest that it has.

    >>> @public
    ... def compare(scores, *, baseline=None, **settings): ...
    >>> compare({}, base="bm25")
    Traceback (most recent call last):
    assay.errors.UsageError: unknown parameter `base`; did you mean `baseline`?
    >>> compare({}, level=2)
    """
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    known = dict.fromkeys(code.co_varnames[:count])
    if code.co_flags & _VAR_KEYWORDS:
        known |= dict.fromkeys(names_of(_PASSED_ON[code.co_varnames[count]]))

    def call(*arguments: Any, **named: Any) -> Any:
        for name in named:
            if name not in known:
                raise UsageError(unknown_parameter(name, known))
        return function(*arguments, **named)

    decorated: Any = update_wrapper(call, function)
    return decorated


def unknown_parameter(name: str, known: Iterable[str]) -> str:
    """Return the message for a parameter that a function does not have.

    >>> unknown_parameter("measures", ["measure", "runs"]), unknown_parameter("x", ["measure", "runs"])
    ('unknown parameter `measures`; did you mean `measure`?', 'unknown parameter `x`; parameters are `measure`, `runs`')
    """
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, 1) or [other for other in names if other.startswith(name)]
    if near:
        return f"unknown parameter `{name}`; did you mean `{near[0]}`?"
    return f"unknown parameter `{name}`; parameters are {shorten_list([f'`{other}`' for other in names], 40)}"
