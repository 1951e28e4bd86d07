"""assay's own JSONL: gold, answers and judgments, one question (or one judgment) a line.

    gold        {"id": "q1", "type": "factoid", "answers": [{"text": "Paris", "class": "a"}], "patterns": ["^Paris"],
                 "nil": false, "cluster": "passage-4"}
    answers     {"id": "q1", "answer": "Paris", "confidence": 0.9}
                {"id": "q2", "answers": [{"text": "Rome", "confidence": 0.4}, {"text": "Oslo", "confidence": 0.1}]}
                {"id": "q3", "answer": null, "candidate": "Bonn"}
                {"id": "q4", "outcome": "correct", "confidence": 0.7}
    judgments   {"id": "q1", "text": "Paris", "judgment": "correct", "class": "a"}

Known fields are checked against a schema; fields nobody knows are kept. Every error names the physical line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import msgspec

from assay.errors import FormatError, InputError
from assay.formats.rows import Answer, Rows, confidence_of, outcome_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from assay.formats.sources import Source

NIL = "NIL"
"""The answer that there is none."""

Id = str | int
Text = str | int | float | bool


class GoldAnswer(msgspec.Struct, rename={"cls": "class"}):
    """One known answer; answers of the same class are the same answer in other words."""

    text: Text
    cls: Id | None = None
    grade: int = 1
    docs: list[Id] = []


class _GoldLine(msgspec.Struct):
    id: Id
    answers: list[GoldAnswer | str] = []
    answer: Text | None = None
    patterns: list[str] = []
    nil: bool = False
    type: Id | None = None
    cluster: Id | None = None
    target: int | None = None


class GoldQuestion:
    """A question of the gold: `fields` holds type, cluster and whatever else the line says."""

    __slots__ = ("answers", "fields", "id", "line", "nil", "patterns", "target")

    def __init__(
        self,
        id: str,
        line: int,
        answers: list[GoldAnswer],
        patterns: list[str] | None = None,
        nil: bool = False,
        target: int | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.line = line
        self.answers = answers
        self.patterns = patterns or []
        self.nil = nil
        self.target = target
        self.fields = dict(fields or {})


class _RunAnswer(msgspec.Struct):
    text: Text
    doc: Id | None = None
    confidence: float | None = None
    rank: int | None = None
    final: bool = False


class _RunLine(msgspec.Struct):
    id: Id
    answer: Text | msgspec.UnsetType | None = msgspec.UNSET
    answers: list[_RunAnswer | str] | msgspec.UnsetType = msgspec.UNSET
    confidence: float | None = None
    doc: Id | None = None
    candidate: Text | None = None
    outcome: Text | msgspec.UnsetType | None = msgspec.UNSET
    final: int | list[int] | None = None
    confident: bool | None = None


class Judgment(msgspec.Struct, rename={"cls": "class"}):
    """What an assessor said of one answer text to one question."""

    id: Id
    text: Text
    judgment: Literal["correct", "unsupported", "inexact", "incorrect"]
    doc: Id | None = None
    cls: Id | None = None
    grade: int = 1


Line = TypeVar("Line", bound=msgspec.Struct)


def json_lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every JSON object of a source with its physical line; blank lines are skipped."""
    decode = msgspec.json.Decoder().decode
    for number, line in enumerate(source.read().split(b"\n"), 1):
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if not text.strip():
            continue
        try:
            found = decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            raise FormatError(
                source.name, number, f"broken JSON ({problem}); expected one whole JSON object on this line"
            ) from None
        if not isinstance(found, dict):
            start = text.strip()[:40].decode(errors="ignore")
            raise FormatError(source.name, number, f"expected a JSON object, found {start!r}")
        yield number, found


def _typed(kind: type[Line], found: dict[str, Any], name: str, line: int) -> Line:
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as problem:
        raise FormatError(name, line, f"{problem} (in {_shorten(found)})") from None


def _shorten(found: dict[str, Any]) -> str:
    text = msgspec.json.encode(found).decode()
    return text if len(text) <= 60 else text[:57] + "..."


def plain(value: object) -> str:
    """A JSON scalar as the text a person would write.

    >>> plain(True), plain(7), plain("Paris")
    ('true', '7', 'Paris')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


GOLD_FIELDS = frozenset(_GoldLine.__struct_fields__)


def read_gold(source: Source, need_answers: bool = True) -> list[GoldQuestion]:
    """The questions of a gold file, in its order."""
    questions: list[GoldQuestion] = []
    first: dict[str, int] = {}
    for line, found in json_lines(source):
        row = _typed(_GoldLine, found, source.name, line)
        identity = plain(row.id)
        if identity in first:
            raise FormatError(source.name, line, f"question {identity!r} stands already on line {first[identity]}")
        first[identity] = line
        known = [a if isinstance(a, GoldAnswer) else GoldAnswer(a) for a in row.answers]
        if row.answer is not None:
            known.append(GoldAnswer(row.answer))
        nil = row.nil or any(answer.text == NIL for answer in known)
        if need_answers and not known and not row.patterns and not nil:
            raise FormatError(
                source.name,
                line,
                f'question {identity!r} has no answers; expected "answers", "patterns" or "nil": true',
            )
        named = {"type": row.type, "cluster": row.cluster}
        fields: dict[str, Any] = {name: plain(value) for name, value in named.items() if value is not None}
        fields.update({name: value for name, value in found.items() if name not in GOLD_FIELDS})
        questions.append(GoldQuestion(identity, line, known, row.patterns, nil, row.target, fields))
    if not questions:
        raise FormatError(source.name, None, "holds no questions; expected a JSON object a line")
    return questions


RUN_FIELDS = frozenset(_RunLine.__struct_fields__)


def read_answers(source: Source, ranked: bool = False) -> Rows:
    """One run in assay's JSONL. Where the place of an answer counts (`ranked`), an empty one is an error."""
    rows = Rows(source.label or source.stem, source.name)
    for line, found in json_lines(source):
        row = _typed(_RunLine, found, source.name, line)
        place = len(rows.ids)
        rows.ids.append(plain(row.id))
        rows.lines.append(line)
        confidence = None if row.confidence is None else confidence_of(row.confidence, source.name, line)
        if row.outcome is not msgspec.UNSET:
            word = "" if row.outcome is None else plain(row.outcome)
            rows.outcomes.append(outcome_of(word, source.name, line))
        else:
            rows.outcomes.append(None)
        answers, chosen = _given(row, confidence, source.name, line, ranked)
        final = answers[chosen - 1] if answers else None
        if chosen != 1:
            rows.finals[place] = chosen
        if row.confident is not None:
            rows.confident[place] = row.confident
        rows.texts.append(final.text if final else None)
        rows.confidences.append(final.confidence if final and final.confidence is not None else confidence)
        if final and final.doc is not None:
            rows.docs[place] = final.doc
        if len(answers) > 1:
            rows.several[place] = answers
        if row.candidate is not None:
            rows.candidates[place] = plain(row.candidate)
        unknown = {name: value for name, value in found.items() if name not in RUN_FIELDS}
        if unknown:
            rows.extra[place] = unknown
    if not rows.ids:
        raise FormatError(source.name, None, "holds no answers; expected a JSON object a line")
    return rows


def _given(row: _RunLine, confidence: float | None, name: str, line: int, ranked: bool) -> tuple[list[Answer], int]:
    """The answers of a line in order, and the place of the final one; an empty text is no answer."""
    doc = None if row.doc is None else plain(row.doc)
    question = plain(row.id)
    finals = [row.final] if isinstance(row.final, int) else row.final or []
    if row.answers is msgspec.UNSET:
        if row.answer is msgspec.UNSET and row.outcome is msgspec.UNSET:
            problem = "gives no answer; expected answer, answers or outcome (an answer of null leaves it unanswered)"
            raise FormatError(name, line, f"question {question!r} {problem}")
        given = [] if row.answer in (None, msgspec.UNSET) else [Answer(plain(row.answer), doc, confidence)]
    elif row.answer is not msgspec.UNSET:
        raise FormatError(name, line, f"question {question!r} has both answer and answers; expected one of them")
    else:
        found = _in_rank_order(row.answers, question, name, line)
        given = [_answer(answer, doc, name, line) for answer in found]
        finals += [place for place, answer in enumerate(found, 1) if isinstance(answer, _RunAnswer) and answer.final]
    if len(set(finals)) > 1:
        places = " and ".join(map(str, sorted(set(finals))))
        raise FormatError(
            name, line, f"question {question!r} has {len(set(finals))} final answers, {places}; expected one"
        )
    final = finals[0] if finals else 1
    if ranked and not all(answer.text.strip() for answer in given):
        place = 1 + next(i for i, answer in enumerate(given) if not answer.text.strip())
        raise FormatError(name, line, f"answer {place} to question {question!r} is empty; leave it out, or write NIL")
    if given and not 1 <= final <= len(given):
        raise FormatError(name, line, f"final {final}: expected a number from 1 to {len(given)}, the answers given")
    if finals and given and not given[final - 1].text.strip():
        raise FormatError(name, line, f"final {final}: that answer to question {question!r} is empty")
    final -= sum(not answer.text.strip() for answer in given[: final - 1])
    given = [answer for answer in given if answer.text.strip()]
    if given and given[final - 1].confidence is None:
        given[final - 1].confidence = confidence
    return given, final


def _in_rank_order(answers: list[_RunAnswer | str], question: str, name: str, line: int) -> list[_RunAnswer | str]:
    """The answers as their ranks order them, or as they stand where none has one; holes and repeats are errors."""
    ranks = [answer.rank if isinstance(answer, _RunAnswer) else None for answer in answers]
    if all(rank is None for rank in ranks):
        return answers
    stated = [rank for rank in ranks if rank is not None]
    if sorted(stated) != list(range(1, len(answers) + 1)):
        twice = next((rank for rank in stated if stated.count(rank) > 1), None)
        missing = next((rank for rank in range(1, len(answers) + 1) if rank not in stated), None)
        what = f"rank {twice} twice" if twice is not None else f"no rank {missing}"
        raise FormatError(
            name,
            line,
            f"question {question!r} has {what}; expected ranks from 1 to {len(answers)}, each once, or none at all",
        )
    return [answer for _, answer in sorted(zip(stated, answers, strict=True), key=lambda pair: pair[0])]


def _answer(found: _RunAnswer | str, doc: str | None, name: str, line: int) -> Answer:
    if isinstance(found, str):
        return Answer(found, doc)
    confidence = None if found.confidence is None else confidence_of(found.confidence, name, line)
    return Answer(plain(found.text), doc if found.doc is None else plain(found.doc), confidence)


def read_judgments(source: Source, asked: Container[str] | None = None, gold: str = "") -> list[Judgment]:
    """The judgments of a file, in its order; two that contradict each other, or a question nobody asked, are errors."""
    judgments: list[Judgment] = []
    first: dict[tuple[str, str, str | None], tuple[int, str]] = {}
    for line, found in json_lines(source):
        judgment = _typed(Judgment, found, source.name, line)
        key = (plain(judgment.id), plain(judgment.text), None if judgment.doc is None else plain(judgment.doc))
        if asked is not None and key[0] not in asked:
            raise FormatError(source.name, line, f"judges question {key[0]!r}, which is not in {gold}")
        before = first.setdefault(key, (line, judgment.judgment))
        if before[1] != judgment.judgment:
            raise FormatError(
                source.name,
                line,
                f"{plain(judgment.text)!r} to question {key[0]!r} is {judgment.judgment} here and {before[1]} on "
                f"line {before[0]}; keep one of them",
            )
        judgments.append(judgment)
    if not judgments:
        raise FormatError(source.name, None, "holds no judgments; expected a JSON object a line")
    return judgments


def gold_from_python(source: Source) -> list[GoldQuestion]:
    """{id: answer} or {id: [answers]}, the answer NIL for a question that has none.

    >>> from assay.formats.sources import Source
    >>> [question.nil for question in gold_from_python(Source("gold", data={"q1": ["Paris"], "q2": "NIL"}))]
    [False, True]
    """
    questions: list[GoldQuestion] = []
    for identity, answers in _entries(source):
        several = list(cast("list[Any]", answers)) if isinstance(answers, list | tuple | set) else [answers]
        known = [GoldAnswer(answer) for answer in several if answer not in (None, NIL)]
        if not known and NIL not in several:
            raise InputError(f"{source.name}: question {identity!r} has no answers; expected an answer, a list or NIL")
        questions.append(GoldQuestion(identity, 0, known, nil=NIL in several))
    return questions


def answers_from_python(source: Source) -> Rows:
    """{id: answer} or {id: (answer, confidence)}, None for no answer.

    >>> from assay.formats.sources import Source
    >>> answers_from_python(Source("run", data={"q1": ("Paris", 0.9), "q2": None})).texts
    ['Paris', None]
    """
    rows = Rows(source.label or source.name, source.name)
    for identity, answer in _entries(source):
        pair = cast("tuple[Any, Any]", answer) if isinstance(answer, tuple) else (answer, None)
        if len(pair) != 2 or not isinstance(pair[0], str | int | float | None):
            raise InputError(
                f"{source.name}: question {identity!r}: expected a text, (text, confidence) or None, found {answer!r:.40}"
            )
        rows.ids.append(identity)
        rows.lines.append(0)
        rows.texts.append(None if pair[0] is None else plain(pair[0]))
        rows.outcomes.append(None)
        rows.confidences.append(None if pair[1] is None else confidence_of(pair[1], source.name, 0))
    return rows


def _entries(source: Source) -> list[tuple[str, Any]]:
    data: Any = source.data
    if not isinstance(data, dict) or not data:
        raise InputError(f"{source.name}: expected a path, bytes, a data frame or {{id: answer}}, found {data!r:.40}")
    return [(plain(identity), value) for identity, value in cast("dict[Any, Any]", data).items()]
