"""Declare a measure: its name, parameters, range and citation beside its formula.

Three levels, and resampling follows from the level:

    @assay.define.topic("Last", cite="…")                        def last(view): ...
    @assay.define.sums("c@1", of=("correct", "unanswered"), …)   def c_at_1(n, correct, unanswered): return top, bottom
    @assay.define.whole("CWS", of=("correct", "confidence"), …)  def cws(correct, confidence): ...

`topic` (also called `measure`) has a value per topic, averaged over topics; `sums` is a formula on integers that add up over
topics; `whole` needs every topic at once. A function returns a number, or None where the measure is undefined. Its keyword
arguments are the measure's parameters: `P(rel=2)@5` calls `precision(view, rel=2, cut=5)`. `assay.measures.parameters` has
parsers for them.
"""

from __future__ import annotations

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

TOPIC, SUMS, WHOLE = "topic", "sums", "whole"
TOPICS, ANSWERS, RARER_CLASS = "topics", "answers", "rarer class"
_declared: dict[str, dict[str, Declaration]] = {}


class Declaration:
    """A declared measure; its subclasses `measure`, `sums` and `whole` are the decorators."""

    level = ""

    def __init__(
        self, name: str, *, task: str = "ranked", aliases: Iterable[str] = (),
        parameters: Mapping[str, Callable[[str], Any]] | None = None, at: str = "cut", average: str = "mean",
        higher_is_better: bool | None = True, low: float | None = 0.0, high: float | None = 1.0,
        undefined: str = "never", cite: str, of: Iterable[str] = (), of_samples: bool = False, kernel: str = "",
        share: bool = False, together: Callable[..., Callable[..., Mapping[str, float]]] | None = None,
        mean: bool = False, fixed_denominator: bool = False, ignores: Iterable[str] = (), counts: str = TOPICS,
        needs: str = "",
    ) -> None:  # fmt: skip
        self.name = name
        self.task = task
        self.aliases: tuple[str, ...] = tuple(aliases)
        self.parameters: Mapping[str, Callable[[str], Any]] = parameters or {}
        self.at = at
        self.average = average
        self.higher_is_better = higher_is_better
        self.low = low
        self.high = high
        self.undefined = undefined
        self.cite = cite
        self.of: tuple[str, ...] = tuple(of)
        self.of_samples = of_samples
        self.together = together
        self.kernel = kernel
        self.share = share
        self.mean = mean
        self.fixed_denominator = fixed_denominator
        self.ignores: tuple[str, ...] = tuple(ignores)
        self.counts = counts
        self.needs = needs
        if counts not in (TOPICS, ANSWERS, RARER_CLASS):
            raise UsageError(
                f"measure {name!r}: `counts={counts!r}`: expected {TOPICS!r}, {ANSWERS!r} or {RARER_CLASS!r}"
            )

    def __call__(self, function: Function) -> Function:
        self.function: Callable[..., Any] = function
        self.ours: bool = (function.__module__ or "").startswith("assay.")
        """Whether assay declares it; results of user-defined measures are checked at run time, those of ours by tests."""
        names = _declared.setdefault(self.task, {})
        for name in (self.name, *self.aliases):
            known = names.get(name)
            if known is not None and known.function.__qualname__ != function.__qualname__:
                raise UsageError(f"measure name {name!r} is taken by {known.name} of the task {self.task!r}")
            names[name] = self
        return function

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name; loading a user-defined measure imports the module that declares it."""
        if _declared.get(self.task, {}).get(self.name) is not self:
            # Not in the registry, as the measures of a score file.
            return _made, (type(self), vars(self))
        return _load, (self.task, self.name, None if self.ours else self.function)

    def but(self, **changes: Any) -> Declaration:
        """Return a copy with some attributes changed, which is in no registry."""
        return _made(type(self), {**vars(self), **changes})

    @property
    def defaults(self) -> dict[str, Any]:
        """The parameters' defaults, from the signature of the function, or of the formula that `of_answers` wraps."""
        function = getattr(self.function, "__wrapped__", self.function)
        code = function.__code__
        values = function.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        positional = zip(names[len(names) - len(values) :], values, strict=True)
        return {**dict(positional), **(function.__kwdefaults__ or {})}

    @property
    def required(self) -> list[str]:
        """Parameters without a default, such as the cutoff of P@k."""
        return [name for name in self.parameters if name not in self.defaults]


KEYWORDS = """

    name               as written, as in `P@5`
    task               the task whose views, sums or columns the function sees
    aliases            other names; `P_{cut}` takes what follows the underscore as the parameter cut
    parameters         by name of the function's argument, the parser of its text
    at                 the parameter that `@` gives
    average            how topics become one number: mean, sum or geometric
    higher_is_better   None where neither is
    low, high          the range; None where it has no end
    undefined          when the function returns None (or a denominator of 0), in words
    cite               where the measure is defined
    of                 the ingredient columns it is computed from, where it has no view; `{of}` is the column named by a parameter
    together           of a measure of a whole run that is computed for all runs at once: called with its columns except the
                       last, the run's name; returns a function from the topics' weights to the values by name
    of_samples         whether it sees all samples of a question; a measure of one answer is averaged over them
    share              whether it counts questions and tables print the percentage too, as in 4 (22.2%)
    mean               of sums: whether each outcome (correct, incorrect, unanswered) adds a fixed amount, divided by n, as in UF
    fixed_denominator  of sums: whether the denominator depends on n alone although the value is no mean, as in c@1
    ignores            of sums: the outcomes that do not change the value, as the unanswered do not change precision
    counts             of a measure of a whole run, what must be many for a test: topics, answers (it ignores unanswered
                       questions), or the rarer class (of right and wrong answers, as for AUROC)
    needs              a setting without which it cannot be computed, such as a second file of judgments
    kernel             its name in the C core, where that computes the same bits (core/kernels.c, whole_runs.c)
"""


class measure(Declaration):
    __doc__ = f"Declare a measure with a value per topic: `function(view)` returns a number or None.{KEYWORDS}"
    level = TOPIC


topic = measure
"""The name of the level: `@assay.define.topic`."""


class sums(Declaration):
    __doc__ = f"Declare a measure of sums: `function(n, *sums of the columns in of)` returns top and bottom.{KEYWORDS}"
    level = SUMS


class whole(Declaration):
    __doc__ = f"Declare a measure of a whole run: `function(*columns in of)` returns a number or None.{KEYWORDS}"
    level = WHOLE


def in_tasks(
    level: type[Declaration], name: str, tasks: Iterable[str], **attributes: Any
) -> Callable[[Function], Function]:
    """Declare one function as the same measure of several tasks."""

    def declare(function: Function) -> Function:
        for task in tasks:
            level(name, task=task, **attributes)(function)
        return function

    return declare


def _made(level: type[Declaration], attributes: dict[str, Any]) -> Declaration:
    declaration = level.__new__(level)
    vars(declaration).update(attributes)
    return declaration


def _load(task: str, name: str, function: Callable[..., Any] | None) -> Declaration:
    """Return the declaration of that name; unpickling the function has imported a user's module."""
    if function is None:
        from assay.measures.registry import load

        load(task)
    declaration = _declared.get(task, {}).get(name)
    if declaration is None:
        raise UsageError(
            f"measure {name!r} of the task {task!r} is not declared in this process; import the module that declares it"
        )
    return declaration


def declared() -> Mapping[str, Mapping[str, Declaration]]:
    """Return every measure declared so far, by task and by each of its names."""
    return _declared
