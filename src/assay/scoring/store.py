"""The store: a folder of scores, so that every file is scored once under any name.

    DIR/evaluation=3f9c…/                 one gold, one set of settings and measures, one version of the numbers
        about.json                        their description, and the topics
        table.json                        the runs of the last table, in order
        9a41…-c07e….parquet               the scores of one file: digest of the file, digest of the partition

Names are content digests, so that nothing is ever out of date: a changed file or other settings have another name. A partition
whose bytes do not match its name, or that comes from another evaluation, is damaged; its run is scored again. Partitions are
written to a temporary file and renamed, so that interrupted work resumes.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from assay._version import NUMBERS, __version__
from assay.core.measure_plans import Numbers
from assay.errors import InputError, UsageError
from assay.io.atomic_files import write_whole
from assay.io.sources import Source, is_remote, source_of
from assay.io.url_redaction import bare
from assay.table.notes import Notes
from assay.table.run_scores import RunScores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.measures.measure import Measure
    from assay.settings import Settings
    from assay.table.run_scores import RunScores
    from assay.tasks import Task

LAYOUT = 1
"""Increase it when the format of partitions changes."""
FOLDER = "evaluation="
ABOUT, TABLE = "about.json", "table.json"
DIGEST_DIGITS = 16
"""Hex digits of shortened digests."""


def digest_of(source: Source) -> str:
    """Return the SHA-256 of a source's bytes, without decompression.

    >>> digest_of(Source("a", data=b"abc"))[:16]
    'ba7816bf8f01cfea'
    """
    import hashlib

    with source.opened() as stream:
        digest = hashlib.sha256()
        try:
            while piece := stream.read(1 << 20):
                digest.update(piece)
        except OSError as problem:
            raise InputError(f"{source.name}: cannot be read: {problem.strerror or problem}") from None
    return digest.hexdigest()


def digest_of_text(text: str) -> str:
    """Return the SHA-256 of a text.

    >>> digest_of_text("abc")[:16]
    'ba7816bf8f01cfea'
    """
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Store:
    """A folder of scores, for `store=` of `assay.evaluate`.

    path   the folder; it is made where it does not exist

    `read` and `scored` count the files of the last table whose scores were read from the store, and those that were scored.
    Raises UsageError where the path is a URL or a file, or pyarrow is missing.

    >>> import assay, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     assay.Store(folder).scored
    0
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        arrow()
        self.path: str = os.fspath(path)
        self.read = 0
        self.scored = 0
        if is_remote(self.path):
            raise UsageError(f"`store={bare(self.path)!r}`: expected a local folder, found a URL")
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise UsageError(f"`store={self.path!r}`: expected a folder, found a file")

    def __repr__(self) -> str:
        return f"<store of scores in {self.path}>"

    def evaluation(
        self, gold: str, task: Task, settings: Settings, measures: Sequence[Measure], topics: Sequence[str]
    ) -> Evaluation:
        """Return the evaluation of a gold (its digest) and settings; create it if necessary."""
        choices = {
            "layout": LAYOUT,
            "numbers": NUMBERS,
            "task": task.name,
            "gold": gold,
            "settings": {
                **vars(settings),
                **{name: _file_digest(name, file) for name, file in settings.files().items()},
            },
            "measures": [m.name for m in measures],
        }
        key = digest_of_text(json.dumps(choices, sort_keys=True))[:DIGEST_DIGITS]
        folder = os.path.join(self.path, FOLDER + key)
        about = {"assay": __version__, "key": key, **choices, "settings": settings.as_dict(), "topics": list(topics)}
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be written: {problem.strerror or problem}") from None
        _write(os.path.join(folder, ABOUT), json.dumps(about, indent=1).encode("ascii"))
        return Evaluation(folder, key, len(topics))


def _write(path: str, data: bytes) -> None:
    """Write a file, unless it has these bytes already: other processes may read it, or it may be read-only."""
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return
    except OSError:
        pass
    write_whole(path, data)


def _file_digest(name: str, file: Any) -> dict[str, str]:
    """Return a file among the settings as the digest of its content, for the key."""
    source = source_of(file)
    if not source.is_bytes or source.is_stream or (source.path is not None and os.path.isdir(source.path)):
        raise UsageError(f"`{name}=…`: a store identifies files by their bytes; expected the path of a file")
    return {"file": digest_of(source)}


class Evaluation:
    """The partitions of one evaluation, which contain its key."""

    def __init__(self, folder: str, key: str, topics: int) -> None:
        self.folder = folder
        self._key = key
        self._topics = topics
        self._files = self._listed()
        self.known: frozenset[str] = frozenset(self._files)
        """Digests of the files that have a partition."""

    def _listed(self) -> dict[str, str]:
        files: dict[str, str] = {}
        for entry in os.scandir(self.folder):
            content, dash, suffix = entry.name.removesuffix(".parquet").partition("-")
            if dash and entry.name.endswith(".parquet") and len(suffix) == DIGEST_DIGITS:
                files[content] = entry.name
        return files

    def get(self, content: str) -> tuple[list[RunScores], Any] | None:
        """Return the scores of a file with `about`; None where there are none.

        Raises Damaged where the partition is not what was written for this file.
        """
        import hashlib

        data = self._read(content)
        if data is None:
            return None
        if (
            hashlib.sha256(data).hexdigest()[:DIGEST_DIGITS]
            != self._files[content].removesuffix(".parquet")[-DIGEST_DIGITS:]
        ):
            raise Damaged("its bytes have changed")
        runs, about, of = from_parquet(data, self._topics)
        if of != self._of(content):
            raise Damaged("it belongs to another file or another evaluation")
        return runs, about

    def _read(self, content: str) -> bytes | None:
        for _ in range(2):
            if content in self._files:
                try:
                    with open(os.path.join(self.folder, self._files[content]), "rb") as file:
                        return file.read()
                except FileNotFoundError:
                    pass
                except OSError as problem:
                    raise Damaged(problem.strerror or str(problem)) from None
            self._files = self._listed()  # another process may have rewritten it under another name
        return None

    def _of(self, content: str) -> list[str]:
        return [self._key, content]

    def put(self, content: str, runs: Sequence[RunScores], topics: Sequence[str], about: Any) -> None:
        """Write the scores of a file and delete its earlier partition."""
        import hashlib

        data = to_parquet(runs, topics, about, self._of(content))
        name = f"{content}-{hashlib.sha256(data).hexdigest()[:DIGEST_DIGITS]}.parquet"
        write_whole(os.path.join(self.folder, name), data)
        before, self._files[content] = self._files.get(content, name), name
        if before != name:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self.folder, before))

    def finish(self, runs: Sequence[tuple[str, str, int]]) -> None:
        """Write the description of the table: for each run its name, its file's digest, and its number in the file."""
        table = {"runs": [{"run": run, "content": content, "number": number} for run, content, number in runs]}
        _write(os.path.join(self.folder, TABLE), json.dumps(table, indent=0).encode("ascii"))

    def damaged(self, content: str, name: str, problem: Damaged) -> str:
        """Return the warning about a damaged partition."""
        return f"{os.path.join(self.folder, self._files[content])}: damaged ({problem}); {name} was scored again"


META = b"assay"
EXACT = 1 << 53
"""Integers up to this are exact as doubles."""
CONTAINERS: dict[str, Any] = {"bytes": bytes, "tuple": tuple, "list": list, "numbers": Numbers}
RESERVED = ("run", "topic", "status", "samples")
"""Names of the columns that a partition has beside measures and ingredients."""
STATES = ("scored", "missing")


class Damaged(Exception):
    """A partition whose content is not what was written."""


def arrow() -> Any:
    """Import pyarrow and its Parquet module, or say what to install."""
    try:
        import pyarrow.parquet  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise UsageError("a store of scores is Parquet: pip install 'assay-eval[frames]' for pyarrow") from None
    import pyarrow

    return pyarrow


def to_parquet(runs: Sequence[RunScores], topics: Sequence[str], about: Any = None, of: Any = None) -> bytes:
    """Return runs on the same topics as a Parquet file; `about` and `of` are JSON data for its metadata."""
    pa = arrow()
    names = list(dict.fromkeys(name for run in runs for name in run.columns))
    fields: dict[str, Any] = {
        "run": pa.array([_as_utf8(run.name) for run in runs for _ in topics], pa.string()),
        "topic": pa.array([_as_utf8(topic) for topic in topics] * len(runs), pa.string()),
        "status": pa.array([STATES[bool(gone)] for run in runs for gone in run.missing], pa.string()),
    }
    if any(run.samples is not None for run in runs):
        counts = [count for run in runs for count in (run.samples or [None] * len(topics))]
        fields["samples"] = pa.array(counts, pa.int64())
    kept: dict[str, Any] = {}
    for name in names:
        cells = [cell for run in runs for cell in (run.columns[name] if name in run.columns else [None] * len(topics))]
        kind, array, whole = _packed(pa, cells)
        if fields.setdefault(_column(name), array) is not array:
            raise InputError(f"two columns would be called {_column(name)!r} in a store; give one of them another name")
        kept[name] = [kind, *([whole] if whole else [])]
    meta = {"columns": kept, "runs": [_describe(run) for run in runs], "about": about, "of": of}
    table = pa.table(fields).replace_schema_metadata({META: json.dumps(meta).encode("ascii")})
    out = pa.BufferOutputStream()
    pa.parquet.write_table(table, out, use_dictionary=["run", "topic", "status"], write_statistics=False)
    return out.getvalue().to_pybytes()


def from_parquet(data: bytes, topics: int) -> tuple[list[RunScores], Any, Any]:
    """Return the runs of a Parquet file with `about` and `of`; raise Damaged where it is none of ours."""
    pa = arrow()
    try:
        return _from_table(pa.parquet.ParquetFile(pa.BufferReader(data)).read(), topics)
    except (LookupError, TypeError, AttributeError):
        raise Damaged("it does not hold what a store writes") from None
    except (pa.ArrowException, OSError, ValueError) as problem:
        raise Damaged(str(problem)) from None


def _from_table(table: Any, topics: int) -> tuple[list[RunScores], Any, Any]:
    meta = json.loads((table.schema.metadata or {})[META])
    entries, kept = meta["runs"], meta["columns"]
    if table.num_rows != len(entries) * topics:
        raise Damaged(f"{table.num_rows} rows, expected {len(entries) * topics}")
    status = table.column("status").to_pylist()
    columns = {name: _unpacked(table.column(_column(name)), *how) for name, how in kept.items()}
    counts: list[Any] = table.column("samples").to_pylist() if "samples" in table.column_names else []
    scored: list[RunScores] = []
    for number, entry in enumerate(entries):
        span = slice(number * topics, (number + 1) * topics)
        cells = {name: CONTAINERS[kind](columns[name][span]) for name, kind in entry["columns"].items()}
        missing = CONTAINERS[entry["missing"]](state == "missing" for state in status[span])
        samples = None if entry["samples"] is None else CONTAINERS[entry["samples"]](counts[span])
        scored.append(RunScores(entry["name"], entry["file"], cells, missing, Notes(**entry["notes"]), samples=samples))
    return scored, meta["about"], meta["of"]


def _describe(run: RunScores) -> dict[str, Any]:
    notes = vars(run.notes)
    if json.loads(json.dumps(notes)) != notes:
        raise InputError(f"{run.name}: its notes cannot be stored as JSON")
    return {
        "name": run.name,
        "file": run.file,
        "notes": notes,
        "columns": {name: _container(column) for name, column in run.columns.items()},
        "missing": _container(run.missing),
        "samples": None if run.samples is None else _container(run.samples),
    }


def _container(column: Sequence[Any]) -> str:
    return next((name for name, kind in CONTAINERS.items() if isinstance(column, kind)), "list")


def _packed(pa: Any, cells: list[Any]) -> tuple[str, Any, list[int]]:
    """Return the kind of a column, its Arrow array, and the positions of integers among floats."""
    kinds = {type(cell) for cell in cells} - {type(None)}
    if kinds <= {float}:
        return "number", pa.array(cells, pa.float64(), from_pandas=False), []
    if kinds == {int} and all(cell is None or -(1 << 63) <= cell < 1 << 63 for cell in cells):
        return "number", pa.array(cells, pa.int64()), []
    if kinds == {int, float} and all(type(cell) is not int or abs(cell) <= EXACT for cell in cells):
        floats = [None if cell is None else float(cell) for cell in cells]
        whole = [place for place, cell in enumerate(cells) if type(cell) is int]
        return "number", pa.array(floats, pa.float64(), from_pandas=False), whole
    # Several numbers a topic: values by sample, ranks of relevant documents.
    return ("tuples" if kinds == {tuple} else "any"), pa.array([json.dumps(cell) for cell in cells], pa.string()), []


def _unpacked(column: Any, kind: str, whole: Sequence[int] = ()) -> list[Any]:
    cells: list[Any] = column.to_pylist()
    for place in whole:
        cells[place] = int(cells[place])
    if kind == "number":
        if str(column.type) not in ("double", "int64"):
            raise Damaged(f"a column of {column.type}, expected numbers")
        return cells
    read = [json.loads(cell) for cell in cells]
    return [cell if cell is None else tuple(cell) for cell in read] if kind == "tuples" else read


def _column(name: str) -> str:
    return f"{_as_utf8(name)}_" if name in RESERVED else _as_utf8(name)


def _as_utf8(text: str) -> str:
    """Return a text as UTF-8, which Parquet needs; ids may be any bytes."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
