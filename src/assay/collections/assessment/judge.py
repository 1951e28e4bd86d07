"""Judge a pool by hand: `assay.judge`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from assay.collections.assessment.judging_page_keys import DEFAULT_SCALE, GradeScale, read_scale
from assay.collections.assessment.judgment_queue import GradedDocument, JudgmentQueue
from assay.collections.assessment.judgments_file import JudgmentsFile, written
from assay.errors import InputError, UsageError, shorten_list
from assay.formats.auxiliary.documents import DocumentTexts, find_texts
from assay.formats.auxiliary.judges import GradeRecord, read_records
from assay.formats.auxiliary.pools import read_pool
from assay.formats.auxiliary.topics import Topic, read_parts
from assay.io.atomic_files import file_names, write_whole
from assay.io.heads import BOM, is_mapping
from assay.io.sources import Source, path_of, source_of
from assay.parameters import public

ENDING = ".judgments.jsonl"


@public
def judge(
    pool: Any, topics: Any = None, docs: Any = None, *, judge: str | None = None, judgments: str | os.PathLike[str] | None = None,
    scale: Any = DEFAULT_SCALE, progress: Callable[[int, int], None] | None = None,
) -> Sitting:  # fmt: skip
    """Open a pool for judging by hand; each judgment is saved immediately, and reopening resumes.

    pool        documents to judge: a file or folder saved by `assay.pool`, or {topic: [document]}
    topics      texts of topics: TREC topics, JSONL or TSV, or {topic: text}
    docs        texts of documents: JSONL, TSV, TREC's <DOC>, a folder of files, several of these, or {document: text}
    judge       name of the assessor; by default that in the name of the judgments file, or the login name
    judgments   file of the judgments; by default JUDGE.judgments.jsonl
    scale       grades, each with a key: "0-3", or with names, "0=not relevant,1=relevant"; one may be below 0 and has the key j
    progress    called with the number of documents found in `docs` and of all
    """
    grades = read_scale(scale)
    topic_texts = None if topics is None else _topics(topics)
    pool_documents = read_pool(pool)
    if topic_texts is not None:
        lacking = [topic for topic in pool_documents if topic not in topic_texts]
        if lacking:
            raise InputError(
                f"{_named(topics, 'topics')}: has no topic {shorten_list(list(map(repr, lacking)), 1)}, "
                f"which is in the pool; its topics are like {next(iter(topic_texts))!r}"
            )
    texts = DocumentTexts() if docs is None else _texts(docs, pool_documents, progress)
    name = judge if judge is not None else _judge_of(judgments) or _person()
    if not name.strip() or len(name) > 80 or not name.isprintable():
        raise UsageError(f"`judge={name!r}`: expected the name of a person, of at most 80 letters")
    path = os.fspath(judgments) if judgments is not None else file_names([name])[0] + ENDING
    ledger = JudgmentsFile(path)
    try:
        judged = [*_judged(ledger, name, pool_documents, grades)]
    except BaseException:
        ledger.close()
        raise
    return Sitting(
        JudgmentQueue(pool_documents, judged),
        topic_texts or {topic: Topic("") for topic in pool_documents},
        texts,
        grades,
        name,
        ledger,
    )


class Sitting:
    """A pool, its topics and the judgments so far. Close it to release the file's lock.

    judge   name of the assessor
    file    path of the judgments
    scale   the label of each grade
    queue   the documents and their judgments
    """

    def __init__(
        self, queue: JudgmentQueue, topics: Mapping[str, Topic], texts: DocumentTexts, scale: GradeScale, judge: str, ledger: JudgmentsFile,
    ) -> None:  # fmt: skip
        self.queue: JudgmentQueue = queue
        self.topics: Mapping[str, Topic] = topics
        self.texts: DocumentTexts = texts
        self.scale: GradeScale = scale
        self.judge: str = judge
        self.file: str = ledger.path
        self.before: int = queue.done
        """The number of documents judged in earlier sittings."""
        self.remarks: list[str] = [ledger.repaired] if ledger.repaired else []
        self._ledger = ledger

    @property
    def missing(self) -> int:
        """The number of documents of the pool without a text."""
        documents = {document for _, document in self.queue.pairs}
        return sum(document not in self.texts for document in documents)

    def give(self, topic: str, document: str, grade: int) -> None:
        """Judge or rejudge a document; returns once the judgment is on disk.

        topic      of the pool
        document   of the topic's documents
        grade      of the scale
        """
        if (topic, document) not in self.queue:
            raise UsageError(f"topic {topic!r}, document {document!r}: is not in the pool")
        if isinstance(grade, bool) or grade not in self.scale:
            raise UsageError(f"grade {grade!r}: is not on the scale; expected one of {', '.join(map(str, self.scale))}")
        self._ledger.append(written(topic, document, grade, self.judge, _now()))
        self.queue.judge(topic, document, grade)

    def undo(self) -> GradedDocument:
        """Undo the last judgment; return it once the change is on disk."""
        last = self.queue.last
        if last is None:
            raise UsageError("there is no judgment to undo")
        self.queue.undo()
        previous = self.queue.grade(last.topic, last.document)
        try:
            self._ledger.append(written(last.topic, last.document, previous, self.judge, _now(), undo=True))
        except BaseException:
            self.queue.judge(*last)
            raise
        return last

    def to_qrels(self) -> str:
        """Return the current judgments as qrels, in the order of the pool."""
        lines = (
            (topic, document, grade) for topic, of in self.queue.grades().items() for document, grade in of.items()
        )
        rows: list[str] = []
        for topic, document, grade in lines:
            blank = next((field for field in (topic, document) if len(field.split()) != 1), None)
            if blank is not None:
                raise InputError(
                    f"{blank!r}: contains a blank, which qrels cannot represent. Fix: use {self.file} itself"
                )
            rows.append(f"{topic} 0 {document} {grade}\n")
        return "".join(rows)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the judgments as qrels, whole or not at all.

        path   the file to write
        """
        write_whole(path, self.to_qrels().encode("utf-8", "surrogateescape"))

    def serve(self, port: int = 0, said: Callable[[str], object] = print) -> None:
        """Show the page in a browser from a server on this machine, until interrupted.

        port   where to listen; any free one where it is 0
        said   called with the link to open
        """
        from assay.collections.assessment.judging_page import JudgingPage
        from assay.io.loopback_server import Server

        page = JudgingPage(self)
        server = Server(page.look, port, page.take)
        try:
            said(server.link)
            server.run()
        except KeyboardInterrupt:
            return

    def close(self) -> None:
        """Close the judgments file and the document texts."""
        self._ledger.close()
        self.texts.close()

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        done, total = self.queue.done, len(self.queue.pairs)
        return f"{self.judge} at {done} of {total} documents of {len(self.queue.pool)} topics, in {self.file}"


def _judged(
    ledger: JudgmentsFile, judge: str, pool: Mapping[str, list[str]], scale: GradeScale
) -> Iterable[GradedDocument]:
    """Read the judgments of a file; check that judge, pool and scale match."""
    if not ledger.content.removeprefix(BOM).strip():
        return
    source = Source(ledger.path, data=ledger.content)
    if source.head.shape != "json":
        raise source.error(1, "is not a file of assay judge (lines of JSON). Fix: name its file, or a new one")
    members = {topic: {*documents} for topic, documents in pool.items()}
    for record in read_records(source):
        _check(source, record, judge, members, scale)
        yield GradedDocument(record.topic, record.document, int(record.grade))


def _check(source: Source, record: GradeRecord, judge: str, pool: Mapping[str, set[str]], scale: GradeScale) -> None:
    if record.judge != judge:
        whose = "without a judge" if record.judge is None else f"by {record.judge}"
        raise source.error(
            record.line, f"is a judgment {whose}, not by {judge}. Fix: use a separate file for each person"
        )
    if record.document not in pool.get(record.topic, ()):
        problem = "is not in the pool. Fix: give the pool that was judged, or another file"
        raise source.error(record.line, f"topic {record.topic}, document {record.document} {problem}")
    if record.grade not in map(str, scale):
        known = ", ".join(map(str, scale))
        problem = f"topic {record.topic}, document {record.document} has the grade {record.grade!r}; the scale is {known} (`scale=`)"
        raise source.error(record.line, problem)


def _topics(topics: Any) -> dict[str, Topic]:
    if is_mapping(topics):
        return {str(topic): text if isinstance(text, Topic) else Topic(str(text)) for topic, text in topics.items()}
    return read_parts(source_of(topics, None if path_of(topics) is not None else "<topics>"))


def _texts(docs: Any, pool: Mapping[str, list[str]], progress: Callable[[int, int], None] | None) -> DocumentTexts:
    documents = {document for of in pool.values() for document in of}
    texts = find_texts(docs, documents, progress)
    if not len(texts):
        example = next(iter(next(iter(pool.values()))))
        raise InputError(f"{_named(docs, 'docs')}: has no document of the pool, whose documents are like {example!r}")
    return texts


def _named(source: Any, what: str) -> str:
    first = source[0] if isinstance(source, list | tuple) and source else source
    return path_of(first) or f"`{what}=`"


def _judge_of(judgments: str | os.PathLike[str] | None) -> str | None:
    """Return the judge in a file's name: ann of ann.judgments.jsonl."""
    name = "" if judgments is None else os.path.basename(os.fspath(judgments))
    return name.removesuffix(".jsonl").removesuffix(".judgments") or None


def _person() -> str:
    """Return the login name."""
    from getpass import getuser

    try:
        return getuser()
    except (OSError, KeyError, ImportError):
        return "assessor"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
