"""Every format assay reads, declared once where it is read, and found by what a source begins with.

    @reads("pan-truth", role="gold", task="outcomes", yields="yes/no problems with their truth", recognises=_truth)
    def read_truth(source): ...

A new format is a module with such declarations and its line in `MODULES` (or `LOGS`). `recognises` sees the `Head` of a source and
says yes or no; its docstring is what the documentation says of it. A format without one cannot be told from others by its
content and is read where a task or an option asks for it.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from assay.io.heads import Head
    from assay.io.sources import Source

    Function = TypeVar("Function", bound=Callable[..., Any])

LOGS = {
    "harness.inspect_ai": "zip json",
    "harness.lm_eval": "json array",
    "harness.lighteval": "parquet frame",
    "harness.helm": "array",
    "harness.every_eval_ever": "json",
    "harness.alpaca_eval": "array",
    "harness.promptfoo": "json",
    "harness.evalplus": "json",
    "harness.openai_evals": "json",
    "harness.simple_evals": "json",
    "harness.deepeval": "json",
    "harness.ragas": "table parquet frame",
}
"""The modules with readers of harness logs, and the shapes of a head (see `Head`) they can recognise."""

MARKERS = {
    "harness.inspect_ai": (b'"eval"',),
    "harness.lm_eval": (b'"doc_id"',),
    "harness.helm": (b'"train_trial_index"',),
    "harness.every_eval_ever": (b'"evaluation_id"',),
    "harness.alpaca_eval": (b'"generator_2"',),
    "harness.promptfoo": (b'"promptIdx"', b'"results"'),
    "harness.evalplus": (b'"base_status"',),
    "harness.openai_evals": (b'"completion_fns"', b'"final_report"', b'"event_id"'),
    "harness.simple_evals": (b'"htmls"',),
    "harness.deepeval": (b'"testCases"', b'"conversationalTestCases"'),
}
"""Keys of JSON, of which a log of that module has one: a module is imported where one stands in the head, and no other is."""

MODULES = {
    "answers.generation": "json table",
    "answers.squad": "json",
    "answers.nuggets": "json",
    "answers.questions": "json array mapping",
    "answers.jsonl_answers": "json array mapping",
    "ranked.trec": "text json mapping frame parquet",
    "ranked.sampled_judgments": "text",
    "ranked.subtopics": "text json mapping frame",
    "ranked.preferences": "text",
    "answers.pan": "text json table",
    "answers.battles": "json array table frame",
    "answers.outcomes_table": "table parquet frame",
    "score_tables": "table json parquet",
    "ranked.filtering": "text",
    "auxiliary.characteristics": "",
    "auxiliary.topics": "",
    "auxiliary.documents": "",
    "auxiliary.judges": "",
    "auxiliary.pools": "",
    "auxiliary.human_labels": "",
}
"""The modules with all other readers, in the order they are asked: qrels are recognised before anything that only answers
need is imported."""

ROLES = ("gold", "run", "log", "scores", "beside")
ASKED = "not by its content: a task or an option asks for it"


class Reader:
    """A declared format, and the decorator that declares it. `role` is what it is read as: gold, run, log (runs that carry
    their outcomes, as a harness writes them), scores, or beside for a file that goes with them; `task` what such a gold
    calls for unless another task is asked for."""

    __slots__ = ("module", "name", "read", "recognises", "role", "task", "yields")

    def __init__(
        self, name: str, *, role: str, yields: str, task: str = "", recognises: Callable[[Head], bool] | None = None
    ) -> None:
        self.name = name
        self.role = role
        self.yields = yields
        self.task = task
        self.recognises = recognises

    def __call__(self, read: Function) -> Function:
        self.read: Callable[..., Any] = read
        self.module = read.__module__.removeprefix("assay.formats.")
        _READERS[self.name] = self
        return read

    def __repr__(self) -> str:
        return f"Reader({self.name!r})"


reads = Reader
_READERS: dict[str, Reader] = {}


def recognise(source: Source, *roles: str) -> Reader | None:
    """The reader of a source, of one of these roles if any are named; None where its head says nothing.

    >>> from assay.io.sources import Source
    >>> recognise(Source("gold", data=b'{"id": "q1", "answers": ["Paris"]}'), "gold")
    Reader('questions')
    >>> recognise(Source("run", data=b'{"id": "q1", "answers": ["Paris"]}'), "run")
    Reader('answers')
    >>> recognise(Source("what", data=b"what is this"))
    """
    head = source.head
    own = (not roles or "log" in roles) and _is_own(head)
    for module, shapes in _modules(roles).items():
        if head.shape not in shapes.split() or _lacks_markers(module, head):
            continue
        import_module(f"assay.formats.{module}")
        for reader in _READERS.values():
            asked = reader.module == module and (not roles or reader.role in roles)
            if reader.role == "log" and own:
                continue
            if asked and reader.recognises is not None and reader.recognises(head):
                return reader
    return None


def _lacks_markers(module: str, head: Head) -> bool:
    return (
        head.shape in ("json", "array") and module in MARKERS and not any(key in head.text for key in MARKERS[module])
    )


def _is_own(head: Head) -> bool:
    """Whether it says what assay's own files say: somebody made it from a log, and what else stands there is of no account."""
    if head.shape in ("json", "array"):
        from assay.formats.json_files import speaks_of

        way = "[]." if head.shape == "array" else ""
        given = any(speaks_of(head, f"{way}{name}") for name in ("answer", "answers", "outcome", "candidate"))
        return given and speaks_of(head, f"{way}id")
    return head.shape == "table" and "id" in head.columns and not {"gold", "outcome", "answer"}.isdisjoint(head.columns)


def _modules(roles: tuple[str, ...]) -> dict[str, str]:
    """The modules that have readers of some roles."""
    return LOGS if roles == ("log",) else {**LOGS, **MODULES} if not roles or "log" in roles else MODULES


def task_of(gold: Source) -> str:
    """The task a gold calls for where nobody names one; ranked retrieval where its head says nothing.

    >>> from assay.io.sources import Source
    >>> task_of(Source("qrels", data=b"301 0 d1 1\\n")), task_of(Source("gold", data={"q1": "Paris"}))
    ('ranked', 'outcomes')
    """
    reader = recognise(gold, "gold")
    if reader is None and gold.is_bytes:
        # A run given first by mistake shows which task it belongs to, and that task says what it expected.
        reader = recognise(gold, "run")
    return (reader.task if reader is not None else "") or "ranked"


def readers() -> list[Reader]:
    """Every declared reader."""
    modules = _modules(())
    for module in modules:
        import_module(f"assay.formats.{module}")
    return [reader for module in modules for reader in _READERS.values() if reader.module == module]


def documented() -> list[tuple[str, str, str, str]]:
    """Name, role, what it holds and how it is recognised, of every format: the table of the documentation."""
    return [
        (
            reader.name,
            role,
            reader.yields,
            (reader.recognises.__doc__ or "").rstrip(".") if reader.recognises else ASKED,
        )
        for role in ROLES
        for reader in readers()
        if reader.role == role
    ]
