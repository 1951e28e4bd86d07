"""Adjudication: write disagreements as a table, read the decisions back, and make final qrels.

    topic,document,ann,bob,decision,by,note
    q1,d7,0,2,2,carol,"names the treaty"

`decision` is one of the grades; `by` and `note` are kept. What all agree on needs no decision.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from assay.analyses.judges.judgments import JudgeTable
from assay.errors import FormatError, InputError, UsageError
from assay.formats.auxiliary.judges import grade_of
from assay.formats.frames import cell_lines
from assay.io.atomic_files import write_whole
from assay.io.csv_escaping import csv_of, unguarded
from assay.io.sources import Source, path_of

FIRST, LAST = ("topic", "document"), ("decision", "by", "note")
OTHERS = {*FIRST, *LAST, "grade", "origin"}
"""Columns that are no judge's."""
AGREED, SINGLE, DECIDED = "agreed", "one judge", "adjudicated"


class Differing(Protocol):
    """A document on which judges differ."""

    @property
    def topic(self) -> str: ...
    @property
    def document(self) -> str: ...
    @property
    def grades(self) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class FinalJudgment:
    """One judgment, and where it comes from: agreed, one judge, or adjudicated by whom and why."""

    topic: str
    document: str
    grade: str
    origin: str
    by: str
    note: str
    grades: dict[str, str]


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """The judgments once every disagreement is decided."""

    judges: tuple[str, ...]
    judgments: tuple[FinalJudgment, ...]
    values: Mapping[str, float] | None
    """What each grade is worth; None of words without an order."""

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """{topic: {document: grade}}, as `assay.evaluate` takes it."""
        found: dict[str, dict[str, int]] = {}
        for one in self.judgments:
            found.setdefault(one.topic, {})[one.document] = self._whole(one)
        return found

    def _whole(self, one: FinalJudgment) -> int:
        value = None if self.values is None else self.values[one.grade]
        if value is None or value != int(value):
            raise UsageError(
                f"grade {one.grade!r}: qrels hold whole numbers; `scale` gives words an order, `at` makes grades 0 and 1"
            )
        return int(value)

    def counts(self) -> dict[str, int]:
        """How many judgments come from where."""
        return {origin: sum(one.origin == origin for one in self.judgments) for origin in (AGREED, DECIDED, SINGLE)}

    def save(self, path: str | os.PathLike[str]) -> str:
        """Write qrels, and beside them, in a file whose name ends in .provenance.csv, where each comes from; returns that name.

        Both are written or neither, and never over a file that is there.

        path   the qrels file
        """
        broken = next(
            (word for one in self.judgments for word in (one.topic, one.document) if not _is_word(word)), None
        )
        if broken is not None:
            raise InputError(f"{broken!r}: qrels hold ids without white space; in Python, `qrels` has these judgments")
        lines = "".join(f"{one.topic} 0 {one.document} {self._whole(one)}\n" for one in self.judgments)
        origins = provenance_of(path)
        for taken in filter(os.path.lexists, (os.fspath(path), origins)):
            raise InputError(
                f"{taken}: is there already, and judgments are never written over; give another name, or remove it"
            )
        rows = [
            [
                one.topic,
                one.document,
                self._whole(one),
                one.origin,
                one.by,
                one.note,
                *(one.grades.get(judge, "") for judge in self.judges),
            ]
            for one in self.judgments
        ]
        write_whole(origins, csv_of([[*FIRST, "grade", "origin", "by", "note", *self.judges], *rows]))
        try:
            write_whole(path, lines.encode("utf-8", "surrogateescape"))
        except BaseException:
            os.remove(origins)
            raise
        return origins


def provenance_of(path: str | os.PathLike[str]) -> str:
    """Where it stands from whom each judgment of a qrels file comes.

    >>> provenance_of("final.qrels")
    'final.qrels.provenance.csv'
    """
    return f"{os.fspath(path)}.provenance.csv"


def sheet(judged: JudgeTable, found: Sequence[Differing], path: str | os.PathLike[str]) -> None:
    """The disagreements with an empty column for the decision; a file that is there, perhaps filled in, is never written over."""
    if os.path.exists(path):
        raise InputError(
            f"{os.fspath(path)}: is there already, and may hold decisions; give another name, or remove it"
        )
    taken = next((judge for judge in judged.judges if judge in OTHERS), None)
    if taken is not None:
        raise UsageError(
            f"a judge is called {taken!r}, as a column of the table is; name it otherwise, as in judge-{taken}=FILE"
        )
    broken = next(
        (word for one in found for word in (one.topic, one.document, *one.grades) if not _is_cell(word)), None
    )
    if broken is not None:
        raise InputError(
            f"{broken!r}: cannot be read back from a cell of CSV; expected an id or a name that white space neither begins nor ends"
        )
    rows = [
        [one.topic, one.document, *(one.grades.get(judge, "") for judge in judged.judges), "", "", ""] for one in found
    ]
    write_whole(path, csv_of([[*FIRST, *judged.judges, *LAST], *rows]))


def _is_word(text: str) -> bool:
    """Whether qrels have room for an id: their fields are parted by what is white space in ASCII."""
    return text != "" and not {*" \t\n\v\f\r\0"} & {*text}


def _is_cell(text: str) -> bool:
    """Whether a cell of CSV gives the text back."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return text.strip() == text != "" and not {"\r", "\0"} & {*text}


def settled(judged: JudgeTable, found: Sequence[Differing], path: str | os.PathLike[str]) -> Adjudicated:
    """What all agree on, what one judge alone judged, and what was decided in a table."""
    decisions = _decisions(judged, {(one.topic, one.document): one for one in found}, os.fspath(path))
    labels, final = judged.scale.labels, list[FinalJudgment]()
    for row, (topic, document) in enumerate(judged.pairs):
        codes = zip(judged.judges, judged.codes[row].tolist(), strict=True)
        grades = {judge: labels[code] for judge, code in codes if code >= 0}
        decided = decisions.get((topic, document))
        if decided is not None:
            final.append(FinalJudgment(topic, document, decided[0], DECIDED, decided[1], decided[2], grades))
        else:
            origin = AGREED if len(grades) > 1 else SINGLE
            final.append(FinalJudgment(topic, document, next(iter(grades.values())), origin, "", "", grades))
    values = None if judged.scale.values is None else dict(zip(labels, judged.scale.values, strict=True))
    return Adjudicated(judged.judges, tuple(final), values)


def _decisions(
    judged: JudgeTable, open_: dict[tuple[str, str], Differing], path: str
) -> dict[tuple[str, str], tuple[str, str, str]]:
    """By pair the decision, who made it and why; whatever is missing, strange or out of date is an error."""
    source = Source(path, path=path_of(path))
    lines = cell_lines(source)
    _, header = next(lines, (1, list[str]()))
    names = [unguarded(name.strip()) for name in header]
    lacking = [name for name in (*FIRST, *judged.judges, "decision") if name not in names]
    if lacking:
        raise FormatError(
            path, 1, f"no column {lacking[0]!r}; expected the columns {', '.join((*FIRST, *judged.judges, *LAST))}"
        )
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    undecided: list[int] = []
    for line, cells in lines:
        if len(cells) != len(names):
            raise FormatError(path, line, f"expected {len(names)} cells, as the header has, found {len(cells)}")
        row = {name: unguarded(cell.strip()) for name, cell in zip(names, cells, strict=True)}
        pair = row["topic"], row["document"]
        _check(judged, row, open_.get(pair), path, line)
        if pair in found:
            raise FormatError(path, line, f"topic {pair[0]}, document {pair[1]} stands here a second time; keep one")
        if not row["decision"]:
            undecided.append(line)
            continue
        decision = grade_of(row["decision"])
        if decision not in judged.scale.labels:
            raise FormatError(
                path, line, f"the decision {decision!r} is no grade; expected one of {', '.join(judged.scale.labels)}"
            )
        found[pair] = decision, row.get("by", ""), row.get("note", "")
    if undecided:
        raise FormatError(
            path,
            undecided[0],
            f"no decision ({len(undecided)} of {len(open_)} are open); fill in the column `decision`",
        )
    left = [pair for pair in open_ if pair not in found]
    if left:
        raise FormatError(
            path, None, f"topic {left[0][0]}, document {left[0][1]} is a disagreement that is not in it "
            f"({len(left)} are not); write the table again for these judgments",
        )  # fmt: skip
    return found


def _check(judged: JudgeTable, row: Mapping[str, str], known: Differing | None, path: str, line: int) -> None:
    if known is None:
        raise FormatError(
            path, line, f"topic {row['topic']}, document {row['document']}: the judges do not differ on it"
        )
    for judge in judged.judges:
        said, now = row[judge], known.grades.get(judge, "")
        if said != now and (not said or grade_of(said) != now):
            raise FormatError(
                path,
                line,
                f"{judge} said {said or 'nothing'!r} when this was written, and now {now or 'nothing'!r}; write it again",
            )
