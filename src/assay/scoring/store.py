"""A folder that remembers scores: every file is scored once, whatever it is called and however often it is asked about.

    DIR/evaluation=3f9c…/                 one gold, one set of settings and measures, one version of the numbers
        about.json                        what these are, and the topics
        table.json                        the runs of the last table made here, in order
        9a41…-c07e….parquet               the scores of one file: named by the digest of its bytes, and by its own

A file that was changed has another name, and so does an evaluation with other choices: nothing here is ever out of date.
A partition whose bytes are not those its name says, or that was put here from elsewhere, is damaged, and its run is scored
again. Partitions are written beside and renamed, so that work that was interrupted goes on where it ended.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from assay._version import NUMBERS, __version__
from assay.errors import InputError, UsageError
from assay.io.atomic_files import write_whole
from assay.io.sources import Source, is_remote, source_of
from assay.io.url_redaction import bare
from assay.scoring.partitions import Damaged, arrow, from_parquet, to_parquet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.measures.measure import Measure
    from assay.settings import Settings
    from assay.table.run_scores import RunScores
    from assay.tasks import Task

LAYOUT = 1
"""Raised when partitions are written in another way than before."""
FOLDER = "evaluation="
ABOUT, TABLE = "about.json", "table.json"
SHORT = 16
"""Hex digits of the digest of a partition's own bytes in its name."""


def digest_of(source: Source) -> str:
    """The SHA-256 of a source's bytes as they lie, compressed or not.

    >>> digest_of(Source("a", data=b"abc"))[:16]
    'ba7816bf8f01cfea'
    """
    import hashlib

    with source.opened() as stream:
        found = hashlib.sha256()
        try:
            while piece := stream.read(1 << 20):
                found.update(piece)
        except OSError as problem:
            raise InputError(f"{source.name}: cannot be read: {problem.strerror or problem}") from None
    return found.hexdigest()


def digest_of_text(text: str) -> str:
    """The same of a text.

    >>> digest_of_text("abc")[:16]
    'ba7816bf8f01cfea'
    """
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Store:
    """A folder of scores. `read` and `scored` count the files of the last table by what was done with them."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        arrow()
        self.path = os.fspath(path)
        self.read = 0
        self.scored = 0
        if is_remote(self.path):
            raise UsageError(
                f"`store={bare(self.path)!r}`: expected a folder of this machine's file system, no address"
            )
        if os.path.exists(self.path) and not os.path.isdir(self.path):
            raise UsageError(f"`store={self.path!r}`: is a file; expected a folder, or the name of one to make")

    def __repr__(self) -> str:
        return f"<store of scores in {self.path}>"

    def evaluation(
        self, gold: str, task: Task, settings: Settings, measures: Sequence[Measure], topics: Sequence[str]
    ) -> Evaluation:
        """What of it is of one gold, known by the digest of its bytes, and one set of choices; made where it is not there."""
        made = {
            "layout": LAYOUT,
            "numbers": NUMBERS,
            "task": task.name,
            "gold": gold,
            "settings": {**vars(settings), **{name: _settled(name, file) for name, file in settings.files().items()}},
            "measures": [m.name for m in measures],
        }
        key = digest_of_text(json.dumps(made, sort_keys=True))[:SHORT]
        folder = os.path.join(self.path, FOLDER + key)
        about = {"assay": __version__, "key": key, **made, "settings": settings.as_dict(), "topics": list(topics)}
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be written: {problem.strerror or problem}") from None
        _write(os.path.join(folder, ABOUT), json.dumps(about, indent=1).encode("ascii"))
        return Evaluation(folder, key, len(topics))


def _write(path: str, data: bytes) -> None:
    """A file with these bytes; left alone where it has them, as others may read it, or nobody may write it."""
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return
    except OSError:
        pass
    write_whole(path, data)


def _settled(name: str, file: Any) -> dict[str, str]:
    """A file among the choices as the key has it: its content."""
    source = source_of(file)
    if not source.is_bytes or source.is_stream or (source.path is not None and os.path.isdir(source.path)):
        raise UsageError(f"`{name}=…`: a store knows files by their bytes; expected the path of a file")
    return {"file": digest_of(source)}


class Evaluation:
    """The partitions of one evaluation, which have its key in them."""

    def __init__(self, folder: str, key: str, topics: int) -> None:
        self.folder = folder
        self._key = key
        self._topics = topics
        self._files = self._listed()
        self.known = frozenset(self._files)
        """The digests of the files whose scores are here."""

    def _listed(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for entry in os.scandir(self.folder):
            content, dash, own = entry.name.removesuffix(".parquet").partition("-")
            if dash and entry.name.endswith(".parquet") and len(own) == SHORT:
                found[content] = entry.name
        return found

    def get(self, content: str) -> tuple[list[RunScores], Any] | None:
        """The scores of a file, and what was kept beside them; None where they are not here, or not any more. `Damaged` where
        the partition is not what was written for this file."""
        import hashlib

        data = self._read(content)
        if data is None:
            return None
        if hashlib.sha256(data).hexdigest()[:SHORT] != self._files[content].removesuffix(".parquet")[-SHORT:]:
            raise Damaged("its bytes are not those that were written")
        runs, about, of = from_parquet(data, self._topics)
        if of != self._of(content):
            raise Damaged("it is of another file or another evaluation")
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
            self._files = self._listed()  # another program may have written it anew, under another name
        return None

    def _of(self, content: str) -> list[str]:
        return [self._key, content]

    def put(self, content: str, runs: Sequence[RunScores], topics: Sequence[str], about: Any) -> None:
        """Keep the scores of a file; what was kept of it before goes."""
        import hashlib

        data = to_parquet(runs, topics, about, self._of(content))
        name = f"{content}-{hashlib.sha256(data).hexdigest()[:SHORT]}.parquet"
        write_whole(os.path.join(self.folder, name), data)
        before, self._files[content] = self._files.get(content, name), name
        if before != name:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self.folder, before))

    def finish(self, runs: Sequence[tuple[str, str, int]]) -> None:
        """Note the table that was made: of each run its name, the digest of its file, and which of the file's runs it is."""
        table = {"runs": [{"run": run, "content": content, "number": number} for run, content, number in runs]}
        _write(os.path.join(self.folder, TABLE), json.dumps(table, indent=0).encode("ascii"))

    def damaged(self, content: str, name: str, problem: Damaged) -> str:
        """What is said where a partition has to be made again."""
        return f"{os.path.join(self.folder, self._files[content])}: is damaged ({problem}); {name} was scored again"
