"""Find the reader of a file by its first bytes: `@reads` declares a reader, `recognise` finds it.

    @reads("pan-truth", role="gold", task="outcomes", yields="yes/no problems with their truth", recognises=_truth,
           shapes="text json")
    def read_truth(source): ...

The declaration says everything about a reader. `make docs` collects the declarations in `reader_index.py`, so that a reader's
module is imported only where a file may be of its format. A reader without `recognises` is used where a task or an option asks for it.
"""

from __future__ import annotations

from importlib import import_module

from assay.formats.reader_index import READERS

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

    role        gold, run, log (runs that carry their outcomes, as a harness writes them), scores, or beside: a file that goes
                with them
    yields      what such a file holds, in words
    task        the task such a gold calls for unless another is asked for
    recognises  whether a head is one of this format; its docstring is what the documentation says
    shapes      the shapes of a head (see `Head`) that `recognises` accepts, between spaces
    markers     keys of JSON, of which a file of this format has one in its head
    after       readers that are tried first, because their files would be recognised as this format too
    recovers    the unit that `assay check` reads behind a fault: line, row, member (of an array), entry (of an object), report;
                `entry of eval`, `member of testCases` where they lie deeper; `numbered line` where a line alone says nothing.
                Nothing where a faulty file cannot be read further
    companions  files that the tool writes beside its logs: shape and keys of the head, and what a person should know
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
        self.companions = companions or {}

    def __call__(self, read: Function) -> Function:
        self.read: Callable[..., Any] = read
        self.module = read.__module__.removeprefix("assay.formats.")
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
    """Whether a file has the fields of assay's own formats: it was converted from a log, whose other fields may remain."""
    if head.shape in JSON_SHAPES:
        from assay.formats.json_files import has_keys

        path = "[]." if head.shape == "array" else ""
        names = ("answer", "answers", "outcome", "candidate")
        return any(has_keys(head, f"{path}{name}") for name in names) and has_keys(head, f"{path}id")
    return head.shape == "table" and "id" in head.columns and not {"gold", "outcome", "answer"}.isdisjoint(head.columns)


def task_of(gold: Source) -> str:
    """Return the task a gold calls for; ranked retrieval where its head says nothing.

    >>> from assay.io.sources import Source
    >>> task_of(Source("qrels", data=b"301 0 d1 1\\n")), task_of(Source("gold", data={"q1": "Paris"}))
    ('ranked', 'outcomes')
    """
    reader = recognise(gold, "gold")
    if reader is None and gold.is_bytes:
        # A run given first by mistake shows which task it belongs to, and that task says what it expected.
        reader = recognise(gold, "run")
    return (reader.task if reader is not None else "") or "ranked"
