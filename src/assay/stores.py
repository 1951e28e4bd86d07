"""A folder that remembers scores: every file is scored once, whatever it is called and however often it is asked about.

    DIR/evaluation=3f9c…/                 one gold, one set of settings and measures, one version of the numbers
        about.json                        what these are, and the topics
        table.json                        the runs of the last table made here, in order
        9a41…-c07e….parquet               the scores of one file: named by the digest of its bytes, and by its own

A file that was changed has another name, and so does an evaluation with other choices: nothing here is ever out of date.
A partition whose bytes are not those its name says is damaged, and its run is scored again. Partitions are written beside
and renamed, so that work that was interrupted goes on where it ended.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from assay._version import NUMBERS, __version__
from assay.errors import InputError, UsageError
from assay.files import write_whole
from assay.formats.remote import bare
from assay.formats.sources import Source, is_remote, source_of
from assay.partitions import Damaged, arrow, from_parquet, to_parquet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from assay.measures.value import Measure
    from assay.run_scores import RunScores
    from assay.settings import Settings
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
        self, gold: Source, task: Task, settings: Settings, measures: Sequence[Measure], topics: Sequence[str]
    ) -> Evaluation:
        """What of it is of one gold and one set of choices; made where it is not there."""
        made = {
            "layout": LAYOUT,
            "numbers": NUMBERS,
            "task": task.name,
            "gold": digest_of(gold),
            "settings": {name: _settled(name, settings, option.kind.metavar) for name, option in settings.options().items()},
            "measures": [m.name for m in measures],
        }  # fmt: skip
        folder = os.path.join(self.path, FOLDER + digest_of_text(json.dumps(made, sort_keys=True))[:SHORT])
        about = {"assay": __version__, **made, "settings": settings.as_dict(), "topics": list(topics)}
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise InputError(f"{self.path}: cannot be written: {problem.strerror or problem}") from None
        known = os.path.join(folder, ABOUT)
        if not os.path.exists(known):
            write_whole(known, json.dumps(about, indent=1).encode("ascii"))
        return Evaluation(folder, len(topics))


def _settled(name: str, settings: Settings, metavar: str | None) -> Any:
    """A choice as the key has it: of a file its content."""
    value = getattr(settings, name)
    if value is None or metavar != "FILE":
        return value
    source = source_of(value)
    if not source.is_bytes or source.is_stream or (source.path is not None and os.path.isdir(source.path)):
        raise UsageError(f"`{name}=…`: a store knows files by their bytes; expected the path of a file")
    return {"file": digest_of(source)}


class Evaluation:
    """The partitions of one evaluation."""

    def __init__(self, folder: str, topics: int) -> None:
        self.folder = folder
        self._topics = topics
        self._files: dict[str, str] = {}
        for entry in os.scandir(folder):
            content, dash, own = entry.name.removesuffix(".parquet").partition("-")
            if dash and entry.name.endswith(".parquet") and len(own) == SHORT:
                self._files[content] = entry.name
        self.known = frozenset(self._files)
        """The digests of the files whose scores are here."""

    def get(self, content: str) -> tuple[list[RunScores], Any]:
        """The scores of a file, and what was kept beside them; `Damaged` where the partition is not what was written."""
        import hashlib

        name = self._files[content]
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                data = file.read()
        except OSError as problem:
            raise Damaged(problem.strerror or str(problem)) from None
        if hashlib.sha256(data).hexdigest()[:SHORT] != name.removesuffix(".parquet")[-SHORT:]:
            raise Damaged("its bytes are not those that were written")
        return from_parquet(data, self._topics)

    def put(self, content: str, runs: Sequence[RunScores], topics: Sequence[str], about: Any) -> None:
        """Keep the scores of a file; what was kept of it before goes."""
        import hashlib

        data = to_parquet(runs, topics, about)
        name = f"{content}-{hashlib.sha256(data).hexdigest()[:SHORT]}.parquet"
        write_whole(os.path.join(self.folder, name), data)
        before, self._files[content] = self._files.get(content, name), name
        if before != name:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(self.folder, before))

    def finish(self, runs: Sequence[tuple[str, str, int]]) -> None:
        """Note the table that was made: of each run its name, the digest of its file, and which of the file's runs it is."""
        table = {"runs": [{"run": run, "content": content, "number": number} for run, content, number in runs]}
        write_whole(os.path.join(self.folder, TABLE), json.dumps(table, indent=0).encode("ascii"))

    def damaged(self, content: str, name: str, problem: Damaged) -> str:
        """What is said where a partition has to be made again."""
        return f"{os.path.join(self.folder, self._files[content])}: is damaged ({problem}); {name} was scored again"
