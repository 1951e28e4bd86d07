"""Find the reader of a file by its first bytes: `@reads` declares a reader, `recognise` finds it.

    @reads("pan-truth", role="gold", task="outcomes", yields="yes/no problems with their truth", recognises=_truth,
           shapes="text json")
    def read_truth(source): ...

The declaration says everything about a reader. `make docs` collects the declarations in `reader_index.py`, so that a reader's
module is imported only where a file may be of its format. A reader without `recognises` is used where a task or an option asks for it.
"""

from __future__ import annotations

from importlib import import_module

from assay.errors import InputError, counted, shorten_list
from assay.formats.reader_index import COMPANIONS, READERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from assay.io.heads import Head
    from assay.io.sources import Source

    Function = TypeVar("Function", bound=Callable[..., Any])

JSON_SHAPES = ("json", "array")
DECLARED: dict[str, Reader] = {}
"""Every reader whose module is imported."""


class Reader:
    """A declared reader, and the decorator that declares it.

    role        gold, run, log (runs with their outcomes, as a harness writes them), scores, or beside (any other input)
    yields      the content of such a file, for documentation and messages
    task        the default task of such a gold
    recognises  returns whether a head is of this format; its docstring is the documentation
    shapes      the shapes of a head (see `Head`) that `recognises` accepts, between spaces
    markers     JSON keys, of which a file of this format has at least one in its head
    after       readers that are tried first, because `recognises` accepts their files too
    recovers    the unit in which `assay check` continues after an error: line, row, member (of an array), entry (of an object),
                report; `entry of eval`, `member of testCases` below the top level; `numbered line` where a line depends on others.
                Empty where a faulty file cannot be read further
    companions  files that the tool writes beside its logs: shape and keys of the head, and the advice to print
    """

    def __init__(
        self, name: str, *, role: str, yields: str, task: str = "", recognises: Callable[[Head], bool] | None = None,
        shapes: str = "", markers: Sequence[str] = (), after: Sequence[str] = (), recovers: str = "",
        companions: Mapping[tuple[str, ...], str] | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.role = role
        self.yields = yields
        self.task = task
        self.recognises = recognises
        self.shapes = shapes
        self.markers = markers
        self.after = after
        self.recovers = recovers
        self.companions: Mapping[tuple[str, ...], str] = companions or {}

    def __call__(self, read: Function) -> Function:
        self.read: Callable[..., Any] = read
        self.module: str = read.__module__.removeprefix("assay.formats.")
        DECLARED[self.name] = self
        return read

    def __repr__(self) -> str:
        return f"Reader({self.name!r})"


reads = Reader


def reader_named(name: str) -> Reader:
    """Return the reader of a format, importing its module.

    >>> reader_named("qrels").role
    'gold'
    """
    import_module(f"assay.formats.{READERS[name][0]}")
    return DECLARED[name]


def readers() -> list[Reader]:
    """Return every reader, in the order in which they are tried."""
    return [reader_named(name) for name in READERS]


def recognise(source: Source, *roles: str) -> Reader | None:
    """Return the reader of a source among those of some roles; None where its head says nothing.

    >>> from assay.io.sources import Source
    >>> recognise(Source("gold", data=b'{"id": "q1", "answers": ["Paris"]}'), "gold")
    Reader('questions')
    >>> recognise(Source("run", data=b'{"id": "q1", "answers": ["Paris"]}'), "run")
    Reader('answers')
    >>> recognise(Source("what", data=b"what is this"), "gold", "run")
    """
    head = source.head
    if roles not in head.readers:
        head.readers[roles] = _find(head, roles)
    return head.readers[roles]


def _find(head: Head, roles: tuple[str, ...]) -> Reader | None:
    for name, (_, role, shapes, markers) in READERS.items():
        if role not in roles or head.shape not in shapes:
            continue
        if markers and head.shape in JSON_SHAPES and not any(marker in head.text for marker in markers):
            continue
        if role == "log" and _has_answers(head):
            continue
        reader = reader_named(name)
        if reader.recognises is not None and reader.recognises(head):
            return reader
    return None


def _has_answers(head: Head) -> bool:
    """Return whether a file has fields of assay's own formats: a converted log may keep fields of the original."""
    if head.shape in JSON_SHAPES:
        from assay.formats.json_files import has_keys

        path = "[]." if head.shape == "array" else ""
        names = ("answer", "answers", "outcome", "candidate")
        return any(has_keys(head, f"{path}{name}") for name in names) and has_keys(head, f"{path}id")
    return head.shape == "table" and "id" in head.columns and not {"gold", "outcome", "answer"}.isdisjoint(head.columns)


def task_of(gold: Source) -> str:
    """Return the default task of a gold; ranked retrieval where its head says nothing.

    >>> from assay.io.sources import Source
    >>> task_of(Source("qrels", data=b"301 0 d1 1\\n")), task_of(Source("gold", data={"q1": "Paris"}))
    ('ranked', 'outcomes')
    """
    reader = recognise(gold, "gold")
    if reader is None and (gold.is_bytes or gold.head.shape == "records"):
        # A run given first by mistake selects its task, whose error names the expected gold.
        reader = recognise(gold, "run")
    return (reader.task if reader is not None else "") or "ranked"


NEAR_QRELS = range(3, 6)
"""Fields of a line that may be meant as one of qrels, whose reader then says what is wrong with it."""


def refuse_unknown(gold: Source, alone: bool = False) -> None:
    """Refuse a gold of no known format that cannot be meant as judgments of documents, in words for other gold too.

    alone   whether no runs are given, so that the file may be runs that state outcomes

    >>> from assay.io.sources import Source
    >>> refuse_unknown(Source("gold.txt", data=b"What is this?"))
    >>> refuse_unknown(Source("gold.txt", data=b"q1 Paris"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    assay.errors.InputError: gold.txt: expected right answers ...; found a line of 2 fields
    """
    head = gold.head
    if recognise(gold, "gold") or recognise(gold, "run"):
        return
    refuse_unnamed_records(gold, "outcome" if alone else "gold")
    if not gold.is_bytes or not head.text or b"\0" in head.text:
        return
    if head.shape == "text" and len(head.words) not in NEAR_QRELS:
        found = f"a line of {counted(len(head.words), 'field')}"
    elif head.shape == "array" or (head.record and not any(isinstance(value, dict) for value in head.record.values())):
        found = f"JSON with {shorten_list(list(head.record)) or 'no fields'}"
    else:
        return
    raise InputError(
        f"{gold.name}: expected right answers (JSONL with id and answers, or a table whose header has id), outcomes, a log of a "
        f"harness, or judgments of documents (qrels); found {found}"
    )


def refuse_unnamed_records(source: Source, role: str = "outcome") -> None:
    """Refuse records of which no column is known by its name: JSONL, an array of objects, a list of dicts.

    role   what they must have beside an id: outcome, answer or gold

    >>> from assay.io.sources import Source
    >>> refuse_unnamed_records(Source("runs.jsonl", data=b'{"task": 1, "won": true}'))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    assay.errors.InputError: runs.jsonl: found records with task, won: ...
    """
    head = source.head
    if head.shape not in ("json", "array", "records"):
        return
    from assay.formats.records import first_keys

    names = list(head.columns) or first_keys(head)
    if head.shape == "array" and not names:
        expected = "expected an object per question, with an id and an answer or outcome"
        raise InputError(f"{source.name}: found a JSON array without objects; {expected}")
    by_topic = all(name.isdigit() for name in names) or all(isinstance(cell, dict) for cell in head.record.values())
    if len(names) < 2 or (head.shape == "json" and (by_topic or not head.record)):
        return
    from assay.formats.answers.usual_names import unnamed_columns

    raise InputError(f"{source.name}: found {unnamed_columns(names, role)}")


def companion_advice(head: Head) -> str | None:
    """Return what a companion file is and which file to give instead; None for any other file.

    >>> from assay.io.heads import head_of_bytes
    >>> companion_advice(head_of_bytes(b'{"task_id": "HumanEval/0", "solution": "pass"}'))[:33]
    'holds programs that were not run;'
    """
    from assay.formats.json_files import has_keys

    has_id = head.shape in JSON_SHAPES and has_keys(head, "id")
    for (shape, *names), advice in COMPANIONS.items():
        if has_id and "id" not in names:
            continue  # a user's own file, with an id per question
        if shape == head.shape and ({*names} <= {*head.columns} if shape == "table" else has_keys(head, *names)):
            return advice
    return None


def refuse_companion(source: Source) -> None:
    """Refuse a companion file of a log, and say which file is the log."""
    advice = companion_advice(source.head)
    if advice is not None:
        raise InputError(f"{source.name}: {advice}")
