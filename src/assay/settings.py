"""The settings of an evaluation: every choice that changes a number.

A setting is declared once, with its default, its allowed values and its help; the argument checks and the options of the
command line follow from that. Each task has a settings class beside its code:

    class FilteringSettings(Settings):
        level: int = option(1, WHOLE, "lowest grade that is relevant")
        periods: Any = option(None, FILE, "last document of each period, or documents with their times")
"""

from __future__ import annotations

from assay.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

ZERO, SKIP, COMMON, ERROR, UNANSWERED, INCORRECT = "zero", "skip", "common", "error", "unanswered", "incorrect"
FOR_TOPICS = (ZERO, SKIP, COMMON, ERROR)
FOR_QUESTIONS = (UNANSWERED, INCORRECT, SKIP, COMMON, ERROR)
FOR_UNDEFINED = (ZERO, SKIP)
"""What a missing topic, or one on which a measure is undefined, counts; `table/missing_topics.py` defines each."""


class Kind:
    """The allowed values of a setting: a type with bounds, or one of a few words."""

    __slots__ = ("above", "below", "choices", "expected", "high", "low", "metavar", "type")

    def __init__(
        self, type: type | tuple[type, ...], expected: str, metavar: str | None = None, low: float | None = None, high: float | None = None,
        choices: Sequence[str] = (), above: float | None = None, below: float | None = None,
    ) -> None:  # fmt: skip
        self.type: type | tuple[type, ...] = type
        self.expected: str = expected
        self.metavar: str | None = metavar
        self.low: float | None = low
        self.high: float | None = high
        self.choices: Sequence[str] = choices
        self.above: float | None = above
        self.below: float | None = below

    def read(self, text: str) -> Any:
        """Convert the text of a command line; return the text where that fails, for `check` to refuse."""
        try:
            return int(text) if self.type is int else float(text) if self.type is float else text
        except ValueError:
            return text

    def check(self, value: Any) -> Any:
        """Return the value, converted; raise ValueError with the expected value otherwise."""
        if self.type is int and hasattr(value, "__index__") and not isinstance(value, bool):
            value = value.__index__()
        if (
            self.type is float
            and hasattr(value, "__float__")
            and not (isinstance(value, bool) or hasattr(value, "__len__"))
        ):
            value = float(value)  # numpy scalars and fractions too, but no arrays
        fits = isinstance(value, self.type)
        if not fits or (isinstance(value, bool) and self.type is not bool and self.type is not object):
            raise ValueError(self.expected)
        if (self.low is not None and not value >= self.low) or (self.high is not None and not value <= self.high):
            raise ValueError(self.expected)
        if (self.above is not None and not value > self.above) or (self.below is not None and not value < self.below):
            raise ValueError(self.expected)
        if self.choices and value not in self.choices:
            raise ValueError(self.expected)
        if self.type is int and not -(1 << 63) <= value < 1 << 63:
            # The C core uses 64-bit integers; a larger number would wrap around.
            raise ValueError(f"{self.expected} that fits 64 bits")
        return value


def checked(name: str, value: Any, kind: Kind) -> Any:
    """Return the checked value of a parameter; raise UsageError naming parameter and value otherwise."""
    try:
        return kind.check(value)
    except ValueError as expected:
        raise UsageError(f"`{name}={value!r}`: expected {expected}") from None


WHOLE = Kind(int, "a whole number", "N")
POSITIVE = Kind(int, "a whole number of at least 1", "N", low=1)
COUNT = Kind(int, "a whole number of at least 0", "N", low=0)
ABOVE_ZERO = Kind(float, "a number above 0", "X", above=0, below=float("inf"))
NOT_NEGATIVE = Kind(float, "0 or a positive number", "X", low=0)
BETWEEN = Kind(float, "a number between 0 and 1", "X", above=0, below=1)
CONFIDENCE = Kind(float, "a number between 0 and 1, such as 0.95", "X", low=1e-6, high=1 - 1e-6)
SHARE = Kind(float, "a number from 0 to 1", "X", low=0, high=1)
YES_OR_NO = Kind(bool, "True or False")
"""A flag without a value on the command line."""
FILE = Kind(object, "", "FILE")
"""A path, bytes or an open source."""
FILE_OR_AUTO = Kind(object, "", "auto|FILE")
"""The same, or `auto` for what is built in."""
AUTO = "auto"


def one_of(*choices: str) -> Kind:
    """Return the kind of a setting that is one of a few words."""
    return Kind(str, f"one of {', '.join(choices)}", choices=choices)


NAME_BY = one_of("tag", "file")
"""Whether a run is named by its tag or by its file."""


class Option:
    """A declared setting; a default of None means that it is not set."""

    __slots__ = ("default", "help", "kind")

    def __init__(self, default: Any, kind: Kind, help: str) -> None:
        self.default: Any = default
        self.kind: Kind = kind
        self.help: str = help


option: Any = Option
"""Declares a setting; typed Any because the annotation beside it gives the type of its value."""


LEFT_OUT = "what a topic counts that a run leaves out; each task has its own default"
NO_VALUE = "what a topic counts where a measure has no value; each task has its own default"


def listed(names: Iterable[str]) -> str:
    """Join names of settings for a message."""
    return ", ".join(f"`{name}=…`" for name in names)


class BuiltIn(str):
    """The name and version of what assay itself has, in place of a file."""

    __slots__ = ()


class Settings:
    """The settings of one evaluation, immutable. These are every task's; each task adds its own.

    choices   settings by name: `missing` (what a topic counts that a run leaves out), `undefined` (what a topic counts on which
              a measure has no value), `seed`

    Raises UsageError where a name is unknown or a value is not allowed.

    >>> Settings(missing="skip").as_dict()
    {'missing': 'skip', 'undefined': 'zero', 'seed': 0}
    """

    missing: str = option("zero", one_of(*FOR_TOPICS), LEFT_OUT)
    undefined: str = option("zero", one_of(*FOR_UNDEFINED), NO_VALUE)
    seed: int = option(0, WHOLE, "seed of everything random (default 0)")

    def __init__(self, **choices: Any) -> None:
        known = self.options()
        for name, value in choices.items():
            if name not in known:
                raise UsageError(f"`{name}={value!r}`: unknown setting; settings are {listed(known)}")
        for name, declared in known.items():
            value = choices.get(name, declared.default)
            if name in choices and (value is not None or declared.default is not None):
                value = checked(name, value, declared.kind)
            vars(self)[name] = value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: settings cannot be changed; evaluate again with other settings")

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return the declared settings by name, those of every task first."""
        options: dict[str, Option] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, Option):
                    options[name] = value
        return options

    def files(self) -> dict[str, Any]:
        """Return the settings that are files and are set, by name."""
        options = self.options().items()
        return {
            name: file
            for name, option in options
            if option.kind in (FILE, FILE_OR_AUTO)
            and (file := getattr(self, name)) is not None
            and not isinstance(file, BuiltIn)
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain data for JSON and the report.

        Bytes and objects become their name or type; URLs lose credentials and query strings.
        """
        choices: dict[str, Any] = {}
        for name, declared in self.options().items():
            value = getattr(self, name)
            if isinstance(value, BuiltIn):
                value = str(value)
            elif declared.kind not in (FILE, FILE_OR_AUTO) and hasattr(value, "items"):
                value = ",".join(f"{role}={column}" for role, column in value.items())  # as on the command line
            elif isinstance(value, str) and "://" in value:
                from assay.io.url_redaction import bare

                value = bare(value)
            elif value is not None and not isinstance(value, (bool, int, float, str)):
                value = getattr(value, "name", None) or f"<{type(value).__name__}>"
            choices[name] = value
        return choices

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"
