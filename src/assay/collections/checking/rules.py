"""Rules for submissions: a few lines of TOML, drafted from an example and edited by hand.

format = "trec-run"             # one of the formats in `assay check --help`; recognised by default
topics = 50                     # number of topics of a run
depth = 1000                    # maximum number of documents of a topic
tag = "[A-Za-z0-9_.-]{1,20}"    # regular expression that the tag of a run matches
ties = 0.5                      # share of documents that may have the same score as another
confidence = [0.0, 1.0]         # range of confidences
labels = ["TRUE", "FALSE"]      # possible answers
numbered_from = 1               # ids are consecutive whole numbers from this one on
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from assay.collections.checking.findings import RANKED_FORMATS, File
from assay.errors import InputError
from assay.formats.json_files import error_text
from assay.io.heads import BOM
from assay.io.sources import path_of, source_of

MAX_TIED_SHARE = 0.5
"""The default of `ties`."""
USUAL_TAG = r"[A-Za-z0-9_.-]"
LONGEST_TAG = 20
FORMATS = (
    "trec-run", "answers", "pan-answers", "labels", "sets", "table run", "records", "squad-predictions",
    "nugget-run", "nugget-assignments", "citation-support", "argue-scores", "squad-na-prob", "battles", *RANKED_FORMATS,
)  # fmt: skip
"""Values of `format`; logs of harnesses are recognised by their content."""


class Rules:
    """The rules for a submission; None is no rule."""

    format: str | None = None
    topics: int | None = None
    depth: int | None = None
    tag: re.Pattern[str] | None = None
    ties: float = MAX_TIED_SHARE
    confidence: tuple[float, float] = (0.0, 1.0)
    labels: Sequence[str] | None = None
    numbered_from: int | None = None

    def __init__(self, **rules: Any) -> None:
        vars(self).update(rules)

    def as_dict(self) -> dict[str, Any]:
        """Return the rules that were set, for the JSON output."""
        return {name: value.pattern if isinstance(value, re.Pattern) else value for name, value in vars(self).items()}


def read_rules(written: Any) -> Rules:
    """Read rules from a TOML file or from a mapping.

    >>> read_rules({"depth": 1000, "tag": "[a-z]+"}).as_dict()
    {'depth': 1000, 'tag': '[a-z]+'}
    """
    if written is None or isinstance(written, Rules):
        return written or Rules()
    name, text = "<rules>", ""
    table: Any = written
    if path_of(written) is not None or isinstance(written, bytes):
        source = source_of(written, name if isinstance(written, bytes) else None)
        name = source.name
        text = _decoded(source.read(), name)
        table = _toml(text, name)
    if not hasattr(table, "items"):
        raise InputError(f"{name}: expected rules as TOML or a mapping, found {type(table).__name__}")
    rules: dict[str, Any] = {str(key): value for key, value in table.items()}
    for key in rules:
        if key not in _CHECKS:
            expected = f"expected {', '.join(_CHECKS)}"
            raise InputError(f"{_place(name, text, key)}: unknown rule {key!r}; {expected}")
    return Rules(
        **{
            key: _CHECKS[key](value, f"{_place(name, text, key)}: {key} = {value!r:.80}")
            for key, value in rules.items()
        }
    )


def _place(name: str, text: str, key: str) -> str:
    """Return the file, with the line of a rule if it is found.

    >>> _place("rules.toml", 'topics = 5\\ndepth = "x"', "depth")
    'rules.toml:2'
    """
    written = rf"""^[ \t]*(?:\[[ \t]*)?["']?{re.escape(key)}["']?[ \t]*[=.\]]"""
    match = re.search(written, text, re.MULTILINE)
    return name if match is None else f"{name}:{text.count(chr(10), 0, match.start()) + 1}"


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise InputError(f"{name}:{line}: is not UTF-8 text; expected TOML") from None


def _toml(text: str, name: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        line = re.search(r"\(at line ([0-9]+), column [0-9]+\)", str(problem))
        where = f"{name}:{line[1] if line else text.count(chr(10)) + 1}"
        expected = 'expected TOML, as in depth = 1000 or tag = "[a-z]+"'
        raise InputError(f"{where}: is not TOML: {error_text(problem)}; {expected}") from None


def as_list(value: Any) -> list[Any] | None:
    """Return the members of a list or tuple; None for anything else.

    >>> as_list((1, 2)), as_list("12")
    ([1, 2], None)
    """
    return [*value] if isinstance(value, (list, tuple)) else None


def _format(value: Any, where: str) -> str:
    if value not in FORMATS:
        raise InputError(f"{where}: expected one of {', '.join(FORMATS)}")
    return value


def _count(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{where}: expected a whole number of at least 1")
    return value


def _whole(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{where}: expected a whole number")
    return value


def _share(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InputError(f"{where}: expected a number from 0 to 1")
    return float(value)


def _pattern(value: Any, where: str) -> re.Pattern[str]:
    try:
        return re.compile(value)
    except (re.error, TypeError, OverflowError, RecursionError) as problem:
        raise InputError(f"{where}: expected a regular expression ({problem})") from None


def _range(value: Any, where: str) -> tuple[float, float]:
    ends = [_share(end, where) for end in as_list(value) or []]
    if len(ends) != 2 or ends[0] >= ends[1]:
        raise InputError(f"{where}: expected two numbers from 0 to 1, the lower one first")
    return ends[0], ends[1]


def _labels(value: Any, where: str) -> list[str]:
    words = as_list(value)
    if not words or not all(isinstance(word, str) and word for word in words):
        raise InputError(f"{where}: expected a list of texts")
    return words


_CHECKS = {
    "format": _format, "topics": _count, "depth": _count, "tag": _pattern, "ties": _share, "confidence": _range,
    "labels": _labels, "numbered_from": _whole,
}  # fmt: skip


def draft(file: File) -> str:
    """Return TOML with rules that an example satisfies.

    >>> file = File("bm25.run")
    >>> file.format, file.topics, file.deepest, file.tags = "trec-run", 50, 1000, ["bm25"]
    >>> print(draft(file))
    # Rules for submissions, drafted from bm25.run: edit them by hand.
    format = "trec-run"
    topics = 50  # number of topics of a run: more is an error, fewer a warning
    depth = 1000  # maximum number of documents of a topic
    tag = "[A-Za-z0-9_.-]{1,20}"  # regular expression that the tag of a run matches
    ties = 0.5  # share of documents that may have the same score as another
    <BLANKLINE>
    """
    lines = [f"# Rules for submissions, drafted from {_comment(file.name)}: edit them by hand."]
    if file.format in FORMATS:
        lines.append(f"format = {_quoted(file.format)}")
    if file.topics:
        lines.append(f"topics = {file.topics}  # number of topics of a run: more is an error, fewer a warning")
    if file.deepest is not None:
        lines.append(f"depth = {max(file.deepest, 1)}  # maximum number of documents of a topic")
    if file.format == "trec-run":
        if len(file.tags) == 1:
            pattern = _quoted(_like(file.tags[0]))
            lines.append(f"tag = {pattern}  # regular expression that the tag of a run matches")
        lines.append(f"ties = {MAX_TIED_SHARE}  # share of documents that may have the same score as another")
    if file.confidences is not None:
        lines.append("confidence = [0.0, 1.0]  # range of confidences")
    if file.labels:
        lines.append(f"labels = [{', '.join(map(_quoted, file.labels))}]  # possible answers")
    return "\n".join(lines) + "\n"


def _like(tag: str) -> str:
    """Return a regular expression for tags made of the same characters."""
    longest = max(LONGEST_TAG, len(tag))
    return f"{USUAL_TAG if re.fullmatch(USUAL_TAG + '*', tag) else '.'}{{1,{longest}}}"


def _quoted(text: str) -> str:
    """Return a text as a TOML string, which is escaped as in JSON and has no surrogates."""
    import json

    return json.dumps(text.encode("utf-8", "replace").decode())


def _comment(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)
