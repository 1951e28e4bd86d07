"""Preference files and judgment-group qrels.

Three line formats, one judgment per line, fields separated by blanks or tabs. As in qrels, blank lines and lines that
begin with `#` are skipped.

    read by                       trec_eval        fields
    preference_rows               -R prefs         topic  group  subgroup  document  value
    qrels_preference_rows         -R qrels_prefs   topic  group  document  value
    judgment_group_rows           -R qrels_jg      topic  group  document  grade

A group is one person's opinion at one time. Within a subgroup a higher value means a preferred document, and 0 means
not relevant. In a qrels file the group is in the second column, which ordinary qrels fill with a constant.
"""

from __future__ import annotations

import math
from typing import TypeVar

from assay.formats.lines import judgment_lines, parse_number
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

Preferences = dict[str, dict[str, dict[str, dict[str, float]]]]
JudgmentGroups = dict[str, dict[str, dict[str, int]]]

Value = TypeVar("Value", int, float)
SINGLE_SUBGROUP = "0"


def _preferences(head: Head) -> bool:
    """a first line of 5 fields, the last a number, that is no line of a sampled pool."""
    return len(head.words) == 5 and head.words[4].replace(b".", b"", 1).isdigit()


@reads(
    "preferences",
    role="gold",
    task="preferences",
    yields="preferences between documents",
    recognises=_preferences,
    shapes="text",
    after=("prels", "strata"),
)
def preference_rows(source: Source) -> Preferences:
    """Return topic -> group -> subgroup -> document -> value of a preference file.

    >>> from assay.io.sources import Source
    >>> preference_rows(Source("prefs.txt", data=b"# who likes what\\nt1 ann s1 d1 2\\nt1 ann s1 d2 0.5\\n"))
    {'t1': {'ann': {'s1': {'d1': 2.0, 'd2': 0.5}}}}
    """
    preferences: Preferences = {}
    first_values: dict[tuple[str, str, str], float] = {}
    for line, (topic, group, subgroup, document, value) in judgment_lines(
        source, "topic group subgroup document value"
    ):
        number = _number(value, source, line, "a preference value")
        if number < 0:
            expected = "expected 0 (not relevant) or more (more preferred)"
            raise source.error(line, f"preference value {value} is below 0; {expected}")
        first = first_values.setdefault((topic, group, document), number)
        if (first == 0) != (number == 0):
            twice = f"has value {number:g} here and {first:g} on an earlier line of group {group}"
            why = "0 means not relevant, so within a group a document has it everywhere or nowhere"
            raise source.error(line, f"document {document} {twice}; {why}")
        judged = preferences.setdefault(topic, {}).setdefault(group, {}).setdefault(subgroup, {})
        _judge(judged, document, number, source, line, f"subgroup {subgroup} of group {group}")
    return preferences


@reads("qrels-preferences", role="gold", yields="qrels read as preferences: topic, group, document, value")
def qrels_preference_rows(source: Source) -> Preferences:
    """Return topic -> group -> the only subgroup -> document -> value of qrels read as preferences.

    Grades below 0, which real qrels contain, stay the least preferred level they are for trec_eval.

    >>> from assay.io.sources import Source
    >>> qrels_preference_rows(Source("qrels.txt", data=b"301 0 d1 1\\n301 0 d2 -1\\n"))
    {'301': {'0': {'0': {'d1': 1.0, 'd2': -1.0}}}}
    """
    preferences: Preferences = {}
    for line, (topic, group, document, value) in judgment_lines(source, "topic group document value"):
        number = _number(value, source, line, "a grade")
        judged = preferences.setdefault(topic, {}).setdefault(group, {}).setdefault(SINGLE_SUBGROUP, {})
        _judge(judged, document, number, source, line, f"group {group}")
    return preferences


@reads("judgment-groups", role="gold", yields="qrels of several judges: topic, group, document, grade")
def judgment_group_rows(source: Source) -> JudgmentGroups:
    """Return topic -> group -> document -> grade of qrels whose second column names the judge.

    >>> from assay.io.sources import Source
    >>> judgment_group_rows(Source("qrels.txt", data=b"301 ann d1 1\\n301 bob d1 0\\n"))
    {'301': {'ann': {'d1': 1}, 'bob': {'d1': 0}}}
    """
    return graded_rows(source, "group")


def graded_rows(source: Source, second: str) -> JudgmentGroups:
    """Return topic -> second field -> document -> grade; `second` is the name of that field."""
    groups: JudgmentGroups = {}
    for line, (topic, group, document, value) in judgment_lines(source, f"topic {second} document grade"):
        try:
            grade = int(value if "_" not in value else "")
        except ValueError:
            raise source.error(line, f"expected an integer grade in field 4, found {value!r}") from None
        judged = groups.setdefault(topic, {}).setdefault(group, {})
        _judge(judged, document, grade, source, line, f"{second} {group}")
    return groups


def _number(text: str, source: Source, line: int, what: str) -> float:
    value = parse_number(text)
    if not math.isfinite(value):
        raise source.error(line, f"expected {what} (a finite number) in the last field, found {text!r}")
    return value


def _judge(judged: dict[str, Value], document: str, value: Value, source: Source, line: int, where: str) -> None:
    if document in judged:
        raise source.error(line, f"document {document} is judged a second time in {where}; keep one judgment")
    judged[document] = value
