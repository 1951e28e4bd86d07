"""Adjudication: write disagreements as a table, read the decisions back, and make final qrels.

    topic,document,ann,bob,decision,by,note
    q1,d7,0,2,2,carol,"names the treaty"

`decision` is one of the grades; `by` and `note` are kept. Agreed judgments need no decision.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.analyses.judges.judgments import JudgeTable
from assay.errors import FormatError, InputError, UsageError
from assay.formats.auxiliary.judges import grade_of
from assay.formats.frames import cell_lines
from assay.io.atomic_files import write_whole
from assay.io.csv_escaping import csv_of, unguarded
from assay.io.sources import Source, path_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.analyses.judges.agree import Disagreement

FIRST, LAST = ("topic", "document"), ("decision", "by", "note")
OTHERS = {*FIRST, *LAST, "grade", "origin"}
"""Columns that do not name a judge."""
AGREED, SINGLE, DECIDED = "agreed", "one judge", "adjudicated"


@dataclass(frozen=True, slots=True)
class FinalJudgment:
    """One judgment and its origin: agreed, one judge, or adjudicated, by whom and why."""

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
    """The value of each grade; None for words without an order."""

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        """{topic: {document: grade}}, as `assay.evaluate` takes it."""
        qrels: dict[str, dict[str, int]] = {}
        for judgment in self.judgments:
            qrels.setdefault(judgment.topic, {})[judgment.document] = self._whole(judgment)
        return qrels

    def _whole(self, judgment: FinalJudgment) -> int:
        value = None if self.values is None else self.values[judgment.grade]
        if value is None or value != int(value):
            raise UsageError(
                f"grade {judgment.grade!r}: qrels need whole numbers; `scale` gives words an order, `at` makes grades 0 and 1"
            )
        return int(value)

    def counts(self) -> dict[str, int]:
        """Return the number of judgments by origin."""
        origins = [judgment.origin for judgment in self.judgments]
        return {origin: origins.count(origin) for origin in (AGREED, DECIDED, SINGLE)}

    def save(self, path: str | os.PathLike[str]) -> str:
        """Write qrels, and the origin of every judgment to a file with the suffix .provenance.csv; return that name.

        Writes both or neither, and never overwrites a file.

        path   the qrels file
        """
        ids = (id for judgment in self.judgments for id in (judgment.topic, judgment.document))
        broken = next((id for id in ids if not _is_word(id)), None)
        if broken is not None:
            raise InputError(
                f"{broken!r}: ids in qrels cannot have white space; in Python, `qrels` has these judgments"
            )
        lines = "".join(
            f"{judgment.topic} 0 {judgment.document} {self._whole(judgment)}\n" for judgment in self.judgments
        )
        origins = provenance_of(path)
        for taken in filter(os.path.lexists, (os.fspath(path), origins)):
            raise InputError(
                f"{taken}: exists, and judgments are never overwritten. Fix: give another name, or remove it."
            )
        rows: list[list[object]] = []
        for judgment in self.judgments:
            grades = [judgment.grades.get(judge, "") for judge in self.judges]
            first = [judgment.topic, judgment.document, self._whole(judgment), judgment.origin]
            rows.append([*first, judgment.by, judgment.note, *grades])
        write_whole(origins, csv_of([[*FIRST, "grade", "origin", "by", "note", *self.judges], *rows]))
        try:
            write_whole(path, lines.encode("utf-8", "surrogateescape"))
        except BaseException:
            os.remove(origins)
            raise
        return origins


def provenance_of(path: str | os.PathLike[str]) -> str:
    """Return the name of the file with the origin of each judgment of a qrels file.

    >>> provenance_of("final.qrels")
    'final.qrels.provenance.csv'
    """
    return f"{os.fspath(path)}.provenance.csv"


def sheet(judged: JudgeTable, disagreements: Sequence[Disagreement], path: str | os.PathLike[str]) -> None:
    """Write the disagreements with an empty column for the decision; never over a file, which may hold decisions."""
    if os.path.exists(path):
        raise InputError(f"{os.fspath(path)}: exists, and may hold decisions. Fix: give another name, or remove it.")
    taken = next((judge for judge in judged.judges if judge in OTHERS), None)
    if taken is not None:
        raise UsageError(
            f"a judge is called {taken!r}, like a column of the table. Fix: rename it, as in judge-{taken}=FILE."
        )
    words = (word for pair in disagreements for word in (pair.topic, pair.document, *pair.grades))
    broken = next((word for word in words if not _is_cell(word)), None)
    if broken is not None:
        raise InputError(
            f"{broken!r}: cannot be a cell of CSV; expected no white space at either end, and no line break"
        )
    rows = [
        [pair.topic, pair.document, *(pair.grades.get(judge, "") for judge in judged.judges), "", "", ""]
        for pair in disagreements
    ]
    write_whole(path, csv_of([[*FIRST, *judged.judges, *LAST], *rows]))


def _is_word(text: str) -> bool:
    """Whether an id can be in qrels, whose fields are separated by ASCII white space."""
    return text != "" and not {*" \t\n\v\f\r\0"} & {*text}


def _is_cell(text: str) -> bool:
    """Whether a text survives being written to and read from a cell of CSV."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return text.strip() == text != "" and not {"\r", "\0"} & {*text}


def settled(judged: JudgeTable, disagreements: Sequence[Disagreement], path: str | os.PathLike[str]) -> Adjudicated:
    """Return the final judgments: agreed, by one judge, or decided in a table."""
    open_ = {(pair.topic, pair.document): pair for pair in disagreements}
    decisions = _decisions(judged, open_, os.fspath(path))
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
    judged: JudgeTable, open_: dict[tuple[str, str], Disagreement], path: str
) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Return the decision on each pair, who made it and why; anything missing, unknown or out of date is an error."""
    source = Source(path, path=path_of(path))
    lines = cell_lines(source)
    _, header = next(lines, (1, list[str]()))
    names = [unguarded(name.strip()) for name in header]
    lacking = [name for name in (*FIRST, *judged.judges, "decision") if name not in names]
    if lacking:
        raise FormatError(
            path, 1, f"no column {lacking[0]!r}; expected the columns {', '.join((*FIRST, *judged.judges, *LAST))}"
        )
    decisions: dict[tuple[str, str], tuple[str, str, str]] = {}
    undecided: list[int] = []
    for line, cells in lines:
        if len(cells) != len(names):
            raise FormatError(path, line, f"expected {len(names)} cells, as the header has, found {len(cells)}")
        row = {name: unguarded(cell.strip()) for name, cell in zip(names, cells, strict=True)}
        pair = row["topic"], row["document"]
        _check(judged, row, open_.get(pair), path, line)
        if pair in decisions:
            raise FormatError(path, line, f"topic {pair[0]}, document {pair[1]} is given twice. Fix: keep one line.")
        if not row["decision"]:
            undecided.append(line)
            continue
        decision = grade_of(row["decision"])
        if decision not in judged.scale.labels:
            raise FormatError(
                path, line, f"unknown grade {decision!r} as decision; expected one of {', '.join(judged.scale.labels)}"
            )
        decisions[pair] = decision, row.get("by", ""), row.get("note", "")
    if undecided:
        missing = f"no decision ({len(undecided)} of {len(open_)} are open). Fix: fill in the column `decision`."
        raise FormatError(path, undecided[0], missing)
    left = [pair for pair in open_ if pair not in decisions]
    if left:
        raise FormatError(
            path, None, f"the disagreement on topic {left[0][0]}, document {left[0][1]} is missing ({len(left)} in all). "
            "Fix: write the table again for these judgments.",
        )  # fmt: skip
    return decisions


def _check(judged: JudgeTable, row: Mapping[str, str], known: Disagreement | None, path: str, line: int) -> None:
    if known is None:
        raise FormatError(
            path, line, f"topic {row['topic']}, document {row['document']}: the judges do not differ on it"
        )
    for judge in judged.judges:
        before, now = row[judge], known.grades.get(judge, "")
        if before != now and (not before or grade_of(before) != now):
            changed = (
                f"{judge}'s grade was {before or 'none'!r} when the table was written, and is now {now or 'none'!r}"
            )
            raise FormatError(path, line, f"{changed}. Fix: write the table again.")
