"""Preference files and judgment-group qrels: bytes into plain nested dictionaries.

Three line formats, one judgment per line, fields separated by blanks or tabs. As in qrels, blank lines and lines that
begin with `#` are skipped.

    read by                       trec_eval        fields
    preference_rows               -R prefs         topic  group  subgroup  document  value
    qrels_preference_rows         -R qrels_prefs   topic  group  document  value
    judgment_group_rows           -R qrels_jg      topic  group  document  grade

A group is one person's opinion at one time. Within a subgroup a higher value means a preferred document, and 0 means
not relevant. In a qrels file the group stands in the second column, which ordinary qrels fill with a constant.
"""

from __future__ import annotations

import math

from assay.errors import FormatError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Preferences = dict[str, dict[str, dict[str, dict[str, float]]]]
    JudgmentGroups = dict[str, dict[str, dict[str, int]]]

SINGLE_SUBGROUP = "0"


def preference_rows(data: bytes, name: str) -> Preferences:
    """Topic -> group -> subgroup -> document -> value, from a preference file.

    >>> preference_rows(b"# who likes what\\nt1 ann s1 d1 2\\nt1 ann s1 d2 0.5\\n", "prefs.txt")
    {'t1': {'ann': {'s1': {'d1': 2.0, 'd2': 0.5}}}}
    """
    preferences: Preferences = {}
    first_values: dict[tuple[str, str, str], float] = {}
    for line, (topic, group, subgroup, document, value) in _rows(data, name, "topic group subgroup document value"):
        number = _number(value, name, line, "a preference value")
        if number < 0:
            raise FormatError(
                name, line, f"preference value {value} is below 0; expected 0 (not relevant) or more (more preferred)"
            )
        first = first_values.setdefault((topic, group, document), number)
        if (first == 0) != (number == 0):
            raise FormatError(
                name,
                line,
                f"document {document} has value {number:g} here and {first:g} on an earlier line of group {group}; "
                "0 means not relevant, so within a group a document has it everywhere or nowhere",
            )
        judged = preferences.setdefault(topic, {}).setdefault(group, {}).setdefault(subgroup, {})
        _refuse_second_judgment(judged, document, name, line, f"subgroup {subgroup} of group {group}")
        judged[document] = number
    return preferences


def qrels_preference_rows(data: bytes, name: str) -> Preferences:
    """Topic -> group -> the one subgroup -> document -> value, from a qrels file read as preferences.

    Grades below 0, which real qrels contain, stay the least preferred level they are for trec_eval.

    >>> qrels_preference_rows(b"301 0 d1 1\\n301 0 d2 -1\\n", "qrels.txt")
    {'301': {'0': {'0': {'d1': 1.0, 'd2': -1.0}}}}
    """
    preferences: Preferences = {}
    for line, (topic, group, document, value) in _rows(data, name, "topic group document value"):
        number = _number(value, name, line, "a grade")
        judged = preferences.setdefault(topic, {}).setdefault(group, {}).setdefault(SINGLE_SUBGROUP, {})
        _refuse_second_judgment(judged, document, name, line, f"group {group}")
        judged[document] = number
    return preferences


def judgment_group_rows(data: bytes, name: str) -> JudgmentGroups:
    """Topic -> group -> document -> grade, from qrels whose second column names the judge.

    >>> judgment_group_rows(b"301 ann d1 1\\n301 bob d1 0\\n", "qrels.txt")
    {'301': {'ann': {'d1': 1}, 'bob': {'d1': 0}}}
    """
    groups: JudgmentGroups = {}
    for line, (topic, group, document, value) in _rows(data, name, "topic group document grade"):
        try:
            grade = int(value if "_" not in value else "")
        except ValueError:
            raise FormatError(name, line, f"expected an integer grade in field 4, found {value!r}") from None
        judged = groups.setdefault(topic, {}).setdefault(group, {})
        _refuse_second_judgment(judged, document, name, line, f"group {group}")
        judged[document] = grade
    return groups


def _rows(data: bytes, name: str, fields: str) -> Iterator[tuple[int, list[str]]]:
    """Physical line number and fields of every line that is neither blank nor a comment."""
    wanted = len(fields.split())
    found_any = False
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if b"\0" in line:
            raise FormatError(name, number, f"found a zero byte; expected a text file with the fields {fields}")
        found = line.split()
        if not found or found[0].startswith(b"#"):
            continue
        if len(found) != wanted:
            raise FormatError(name, number, f"expected {wanted} fields ({fields}), found {len(found)}")
        found_any = True
        # Any byte may stand in an id; surrogateescape gives each one back unchanged.
        yield number, [field.decode("utf-8", "surrogateescape") for field in found]
    if not found_any:
        raise FormatError(name, None, f"found no judgments; expected lines with the fields {fields}")


def _number(text: str, name: str, line: int, what: str) -> float:
    try:
        value = float(text if "_" not in text else "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(name, line, f"expected {what} (a finite number) in the last field, found {text!r}")
    return value


def _refuse_second_judgment(judged: Mapping[str, float], document: str, name: str, line: int, where: str) -> None:
    if document in judged:
        raise FormatError(name, line, f"document {document} is judged a second time in {where}; keep one judgment")
