"""Every choice that changes a number, in one small object that is printed with every result.

A choice is declared once, with its default, what it may be and what it means; the checks, the options of the command line
and their help follow from it. Each task has a class of its own beside its code:

    class FilteringSettings(Settings):
        level: int = option(1, whole(), "lowest grade that is relevant")
        periods: Any = option(None, anything("FILE"), "last document of each period, or documents with their times")
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.policies import FOR_TOPICS, FOR_UNDEFINED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Kind:
    """What the value of a choice may be: `check` returns it as it is kept, or raises ValueError with what was expected."""

    __slots__ = ("check", "choices", "metavar", "read")

    def __init__(
        self,
        check: Callable[[Any], Any],
        read: Callable[[str], Any] = str,
        metavar: str | None = None,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.check = check
        self.read = read
        """From the text of a command line."""
        self.metavar = metavar
        self.choices = choices


def whole(low: int | None = None) -> Kind:
    """A whole number, of at least `low`."""
    expected = "a whole number" if low is None else f"a whole number of at least {low}"

    def check(value: Any) -> int:
        if not hasattr(value, "__index__") or isinstance(value, bool) or (low is not None and value < low):
            raise ValueError(expected)
        return value.__index__()

    return Kind(check, _number(int, expected), "N")


def share() -> Kind:
    """A number from 0 to 1."""

    def check(value: Any) -> float:
        if isinstance(value, (bool, str)) or not 0 <= value <= 1:
            raise ValueError("a number from 0 to 1")
        return float(value)

    return Kind(check, _number(float, "a number from 0 to 1"), "X")


def one_of(*choices: str) -> Kind:
    """One of a few words."""

    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return value

    return Kind(check, choices=choices)


def yes_or_no() -> Kind:
    """A switch: on the command line the option alone means yes."""

    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError("True or False")
        return value

    return Kind(check, bool)


def anything(metavar: str) -> Kind:
    """Whatever a reader takes: a path, bytes, a text."""
    return Kind(lambda value: value, metavar=metavar)


def _number(read: Callable[[str], Any], expected: str) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError:
            raise ValueError(expected) from None

    return parse


class Option:
    """One choice as it was declared."""

    __slots__ = ("default", "help", "kind", "name")

    def __init__(self, default: Any, kind: Kind, help: str) -> None:
        self.default = default
        self.kind = kind
        self.help = help
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


def option(default: Any, kind: Kind, help: str) -> Any:
    """Declare a choice of a settings class; None stands for one that is not made."""
    return Option(default, kind, help)


def missing_topics(default: str, choices: tuple[str, ...] = FOR_TOPICS) -> Any:
    """Declare what a topic counts that a run leaves out."""
    return option(default, one_of(*choices), f"what a topic counts that a run leaves out ({default})")


def undefined_topics(default: str) -> Any:
    """Declare what a topic counts where a measure has no value."""
    return option(default, one_of(*FOR_UNDEFINED), f"what a topic counts where a measure has no value ({default})")


class Settings:
    """The choices of one evaluation. These are every task's; each task adds its own.

    >>> Settings(missing="skip").as_dict()
    {'missing': 'skip', 'undefined': 'zero', 'seed': 0}
    """

    missing: str = missing_topics("zero")
    undefined: str = undefined_topics("zero")
    seed: int = option(0, whole(), "seed of everything random (default 0)")

    def __init__(self, **choices: Any) -> None:
        known = self.options()
        for name in choices:
            if name not in known:
                raise UsageError(f"{name!r} is not a setting here; there are {', '.join(known)}")
        for name, declared in known.items():
            value = choices.get(name, declared.default)
            if value is not None or declared.default is not None:
                try:
                    value = declared.kind.check(value)
                except (ValueError, TypeError) as expected:
                    raise UsageError(f"`{name}={choices[name]!r}`: expected {expected}") from None
            setattr(self, name, value)

    @classmethod
    def options(cls) -> dict[str, Option]:
        """The choices there are, by name, every task's first."""
        found: dict[str, Option] = {}
        for base in reversed(cls.__mro__):
            found.update({name: value for name, value in vars(base).items() if isinstance(value, Option)})
        return found

    def as_dict(self) -> dict[str, Any]:
        """The choices as plain data, for the JSON output and the report."""
        return {name: _plain(getattr(self, name)) for name in self.options()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.as_dict().items())})"


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return getattr(value, "name", None) or (str(value) if hasattr(value, "__fspath__") else f"<{type(value).__name__}>")
