"""The words of a command line. Those of the usual shape are read here, all others by argparse.

Importing argparse and telling it of sixty options takes as long as scoring a run. So a command declares its options as it would
to argparse, and `_read` takes words that can mean one thing only. Where one could mean another, or is wrong, argparse reads them
all, complains or helps.
"""

from __future__ import annotations

from types import SimpleNamespace as Namespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.cli.thorough import Thorough

__all__ = ["Namespace", "Options", "Parser"]

VALUELESS = {"store_true": True, "store_const": None}
"""Actions that take no value, and what they say where `const` does not."""


class Options:
    """Options under one title of the help."""

    def __init__(self, title: str, declared: list[tuple[str, tuple[str, ...], dict[str, Any]]]) -> None:
        self._title, self._declared = title, declared

    def add_argument(self, *flags: str, **how: Any) -> None:
        """Declare an option, or what stands without one, as to argparse."""
        self._declared.append((self._title, flags, how))


class Parser:
    """The options of one command, and what its words say."""

    def __init__(self, command: str, description: str, epilog: str) -> None:
        self._command = (command, description, epilog)
        self._declared: list[tuple[str, tuple[str, ...], dict[str, Any]]] = []
        self._defaults: dict[str, Any] = {}

    def add_argument(self, *flags: str, **how: Any) -> None:
        """Declare an option without a title, or what stands without an option."""
        self._declared.append(("", flags, how))

    def add_argument_group(self, title: str) -> Options:
        """Options that the help shows together."""
        return Options(title, self._declared)

    def set_defaults(self, **values: Any) -> None:
        """What holds where no option says otherwise."""
        self._defaults.update(values)

    def parse_args(self, words: Sequence[str]) -> Namespace:
        """What the words say; a mistake among them, or a call for help, ends the program."""
        found = self._read(words)
        return self.thorough().parse_args(words, Namespace()) if found is None else found

    def unknown(self, words: Sequence[str]) -> list[str]:
        """The words that nothing declared so far explains."""
        return [] if self._read(words) is not None else self.thorough().parse_known_args(words)[1]

    def thorough(self) -> Thorough:
        """The same options as argparse has them."""
        from assay.cli.thorough import thorough

        parser = thorough(*self._command)
        groups: dict[str, Any] = {"": parser}
        for title, flags, how in self._declared:
            if title not in groups:
                groups[title] = parser.add_argument_group(title)
            groups[title].add_argument(*flags, **how)
        parser.set_defaults(**self._defaults)
        return parser

    def _read(self, words: Sequence[str]) -> Namespace | None:
        """What the words say, as argparse would find; None where that is for argparse to find."""
        named = {flag: (_dest(flags, how), how) for _, flags, how in self._declared for flag in flags}
        found = {name: _default(how) for name, how in named.values()} | self._defaults
        given: set[str] = set()
        loose: list[str] = []
        left = iter(words)
        after = False
        for word in left:
            if not _is_option(word):
                if after:
                    return None
                loose.append(word)
                continue
            after = bool(loose)
            flag, equals, value = word.partition("=")
            name, how = named.get(flag, ("", {}))
            if not name or "nargs" in how or (equals and (flag[:2] != "--" or not value)):
                return None
            given.add(name)
            action = how.get("action")
            if action in VALUELESS:
                if equals:
                    return None
                found[name] = how.get("const", VALUELESS[action])
                continue
            try:
                read = _value(how, value if equals else next(left))
            except Exception:  # noqa: BLE001 - a word that is missing or wrong: argparse says how
                return None
            found[name] = [*(found[name] or ()), read] if action == "append" else read
        if any(how.get("required") and name not in given for name, how in named.values()):
            return None
        return self._placed(loose, found)

    def _placed(self, loose: list[str], found: dict[str, Any]) -> Namespace | None:
        """The words that stand without an option, where the command takes so many."""
        takers = [(flags[0], how.get("nargs", 1)) for _, flags, how in self._declared if flags[0][0] != "-"]
        name, count = takers[0] if len(takers) == 1 else ("", 0)
        if not {"*": True, "+": bool(loose), "?": len(loose) < 2, 1: len(loose) == 1, 0: not loose}[count]:
            return None
        if count in ("*", "+"):
            found[name] = loose
        elif loose:
            found[name] = loose[0]
        return Namespace(**found) if len(takers) < 2 else None


def _is_option(word: str) -> bool:
    return word[:1] == "-" and word != "-"


def _dest(flags: tuple[str, ...], how: dict[str, Any]) -> str:
    """What an option is called once it is read."""
    long = next((flag for flag in flags if flag[:2] == "--"), flags[0])
    return how.get("dest") or long.lstrip("-").replace("-", "_")


def _default(how: dict[str, Any]) -> Any:
    return how.get("default", False if how.get("action") == "store_true" else None)


def _value(how: dict[str, Any], word: str) -> Any:
    """The value that a word stands for; ValueError where it stands for none."""
    read = how.get("type", str)(word)
    if _is_option(word) or read not in how.get("choices", (read,)):
        raise ValueError(word)
    return read
