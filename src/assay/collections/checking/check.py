"""Check submissions file by file: `assay.check`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from assay.analyses.brief_numbers import MAX_NAMED, listed, number_of
from assay.collections.checking.answers import check_answers
from assay.collections.checking.expectations import Expectations, document_ids, topic_ids
from assay.collections.checking.findings import RANKED_FORMATS, File
from assay.collections.checking.rules import Rules, as_list, draft, read_rules
from assay.collections.checking.runs import check_run
from assay.errors import AssayError, UsageError
from assay.formats.answers.column_roles import names_fields, parse_columns
from assay.formats.recognition import recognise
from assay.formats.records import JSON_RECORDS
from assay.io.sources import BINARY, Source, expand, path_of
from assay.parameters import public
from assay.scoring.evaluate import run_sources
from assay.table.results import Result
from assay.tasks import get

HEADER = ["file", "line", "level", "kind", "count", "found", "expected", "mend"]
EXPECTED = "a ranked run (lines of 6 fields), answers as JSONL or CSV, battles, or a log of a harness assay knows"
ALMOST_SIX = (5, 6, 7)
"""Fields of most lines of a file that is meant as a ranked run; four are judgments."""
PROBABILITIES = re.compile(rb'\{\s*"[^"]*"\s*:\s*-?[0-9][0-9.eE+-]*\s*[,}]')
"""The beginning of SQuAD's probabilities of no answer."""
PAN_VALUE = re.compile(rb"[01]|[01]?\.[0-9]+|[YN]")
"""A valid answer of PAN."""
BESIDE_LOGS = (
    "trec-run", *RANKED_FORMATS, "answers", "pan-answers", "sets", "table run", "records", "battles",
)  # fmt: skip
"""Formats that are checked in a folder of logs."""
UNIT = 1 << 20
"""Progress is reported in megabytes."""


class Checked(Result):
    """The findings of every file; `ok` if no submission has an error."""

    def __init__(self, files: Sequence[File], rules: Rules) -> None:
        self.files: list[File] = list(files)
        self.rules = rules

    @property
    def errors(self) -> int:
        """The number of findings that make a submission invalid, over all files."""
        return sum(file.count("error") for file in self.files)

    @property
    def warnings(self) -> int:
        """The number of findings that an author should check, over all files."""
        return sum(file.count("warning") for file in self.files)

    @property
    def ok(self) -> bool:
        """Whether no file has an error."""
        return not self.errors

    @property
    def finding(self) -> str:
        """Which submissions are valid, in one sentence."""
        return _finding(self.files)

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Return a row for every finding."""
        findings = [(file.name, finding.as_dict()) for file in self.files for finding in file.findings]
        return HEADER, [[name, *(finding[column] for column in HEADER[1:])] for name, finding in findings]

    def to_dict(self) -> dict[str, Any]:
        """Return the documented JSON shape."""
        files = [file.as_dict() for file in self.files]
        return {
            "finding": self.finding,
            "errors": self.errors,
            "warnings": self.warnings,
            "rules": self.rules.as_dict(),
            "files": files,
        }

    def draft_rules(self) -> str:
        """Return rules that the one checked file keeps, as TOML to edit by hand."""
        if len(self.files) != 1:
            raise UsageError(f"rules are drafted from one example; found {len(self.files)} files")
        return draft(self.files[0])


def _finding(files: Sequence[File]) -> str:
    """Say which files are valid: those without an error."""
    invalid = [file.name for file in files if file.count("error")]
    warned = [file for file in files if file.count("warning") and not file.count("error")]
    if len(files) == 1:
        (file,) = files
        lines = f" in {number_of(file.lines, 'line')}" if file.lines else ""
        warnings = number_of(file.count("warning"), "warning")
        if invalid:
            problems = number_of(file.count("error"), "error") + (f", {warnings}" if file.count("warning") else "")
            return f"{file.name} is not valid: {problems}{lines}."
        return f"{file.name} is valid, with {warnings}{lines}." if warned else f"{file.name} is valid: {file.extent}."
    if not invalid:
        return f"All {len(files):,} files are valid{f', {len(warned):,} of them with warnings' if warned else ''}."
    names = f": {listed(invalid)}" if len(invalid) <= MAX_NAMED else ""
    others = f"; {len(warned):,} of the others {'has' if len(warned) == 1 else 'have'} warnings" if warned else ""
    if len(invalid) == len(files):
        return f"None of the {len(files):,} files is valid."
    return f"{len(invalid):,} of {len(files):,} files {'is' if len(invalid) == 1 else 'are'} not valid{names}{others}."


@public
def check(
    runs: Any,
    *,
    rules: Any = None,
    topics: Any = None,
    docs: Any = None,
    columns: str | Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Checked:
    """Report every error of every submission; no gold is needed.

    runs       as `evaluate` takes them, in any format it reads, also logs of harnesses
    rules      the organiser's rules: a TOML file, or a mapping of the same names
    topics     the expected topics: a file of them or of their ids, or the ids
    docs       the documents of the collection: a file of them or of their ids, or the ids
    columns    names of the columns of tables, as `evaluate` takes it: "run=llm,id=qid" or {"run": "llm", "id": "qid"}
    progress   called with the number of megabytes read and of all

    >>> checked = check({"bm25": b"301 Q0 d1 1 9.5 bm25\\n301 Q0 d1 2 9.1 bm25\\n"})
    >>> checked.ok, [finding.kind for finding in checked.files[0].findings]
    (False, ['duplicate'])
    """
    sources = _sources(runs, columns)
    if not sources:
        raise UsageError("no runs given; expected at least one")
    shown = _Progress(sources, progress)
    named = parse_columns(columns) if columns else None
    expectations = Expectations(read_rules(rules), topic_ids(topics), document_ids(docs), shown.read, named)
    files: list[File] = []
    for source in sources:
        files.append(check_file(source, expectations))
        shown.finished(source)
    _check_tags_differ(files)
    return Checked(files, expectations.rules)


def check_file(source: Source, expectations: Expectations) -> File:
    """Return all findings of one file; a reader's error is one of them, so that the next file is checked too."""
    file = File(source.name)
    try:
        _ = source.head
        if source.is_stream:
            # Buffer a stream, because a file with errors is read twice. JSON may be one long line.
            _ = source.read() if source.head.shape in ("json", "array", *BINARY) else source.read_text()
        file.format = format_of(source, expectations.rules, expectations.columns)
        if file.format is None:
            _unknown(source, file)
        elif file.format in ("trec-run", *RANKED_FORMATS):
            check_run(source, file, expectations)
        else:
            check_answers(source, file, expectations)
    except AssayError as problem:
        message = str(problem).removeprefix(f"{source.name}: ")
        there = source.path is None or os.access(source.path, os.R_OK)
        mend = "see docs/formats.md" if there else "name an existing file that can be read"
        file.error("reader", getattr(problem, "line", None), message, "a file that assay reads", mend)
    finally:
        source.close()
    return file


def format_of(source: Source, rules: Rules, columns: Mapping[str, str] | None = None) -> str | None:
    """Return the format of a submission, from the rules or its content; None where unknown.

    columns   those the caller named, which make any table a table of answers

    >>> format_of(Source("a.run", data=b"301 Q0 d1 1 9.5\\n301 Q0 d2 2 9.1 bm25\\n301 Q0 d3 3 8 bm25\\n"), Rules())
    'trec-run'
    """
    if rules.format is not None:
        return rules.format
    head = source.head
    if columns and head.shape in ("table", "frame", "parquet", "records"):
        return "table run"
    if columns and head.shape in JSON_RECORDS and names_fields(head, columns):
        return "records"
    lines = [line.split() for line in head.text.splitlines()[:100] if line.strip() and not line.startswith(b"#")]
    widths = list(map(len, lines))
    # The first line may be faulty: the most frequent number of fields decides.
    usual = max(set(widths), key=widths.count) if widths and head.shape == "text" else 0
    if usual in ALMOST_SIX:
        return "trec-run"
    if rules.labels is not None and usual == 2:
        return "labels"
    reader = recognise(source, "run", "log")
    if reader is None or reader.name in (
        "table run",
        "squad-predictions",
    ):  # battles look like these
        gold = recognise(source, "gold")
        reader = gold if gold is not None and gold.name == "battles" else reader
    if reader is None and PROBABILITIES.match(head.text):
        return "squad-na-prob"
    if reader is None and usual == 2:
        values = sum(PAN_VALUE.fullmatch(words[-1]) is not None for words in lines)
        return "pan-answers" if 2 * values >= len(lines) else "sets"
    return None if reader is None else reader.name


def _unknown(source: Source, file: File) -> None:
    text = source.head.text
    if not text.strip() and source.is_bytes:
        file.error("empty", None, "an empty file", EXPECTED, "submit the run itself")
    elif b"\0" in text[:1000]:
        file.error("encoding", 1, "a zero byte", "text in UTF-8", "save the file as UTF-8; UTF-16 is not read")
    else:
        gold = recognise(source, "gold") or recognise(source, "scores")
        first = text.partition(b"\n")[0][:60].decode(errors="replace")
        message = f"a first line {first!r}" if source.is_bytes else f"a {type(source.data).__name__}"
        message = message if gold is None else gold.yields
        file.error("format", None, message, EXPECTED, "see docs/formats.md, or set `format` in the rules")


def _check_tags_differ(files: Sequence[File]) -> None:
    """Warn of tags that several files share."""
    first: dict[str, str] = {}
    for file in files:
        if file.format != "trec-run" or len(file.tags) != 1:
            continue
        before = first.setdefault(file.tags[0], file.name)
        if before != file.name:
            mend = "give every run a different tag"
            message = f"tag {file.tags[0]}, which {before} has too"
            file.warning("same-tag", None, message, "a different tag for every run", mend)


def _sources(runs: Any, columns: str | Mapping[str, str] | None) -> list[Source]:
    """Return the sources of paths, folders, globs or Python objects."""
    paths = as_list([runs] if path_of(runs) is not None else runs)
    if paths is not None and all(path_of(path) is not None for path in paths):
        return [source for path in paths for source in _files(str(path_of(path)))]
    outcomes = get("outcomes")
    is_one_run = outcomes.one_run(dict(runs)) if hasattr(runs, "items") else outcomes.one_table(runs, columns)
    return run_sources([runs] if is_one_run else runs, get("ranked"))


def _files(path: str) -> list[Source]:
    """Return the files of a path; of a folder with logs, the logs at any depth and the runs beside them."""
    files = expand([path])
    if os.path.isdir(path):
        from assay.formats.harness.logs import find_logs

        logs, _ = find_logs([Source(path, path=path)])
        if logs:
            return [*logs, *filter(_is_run, files)]
    return files


def _is_run(source: Source) -> bool:
    try:
        return format_of(source, Rules()) in BESIDE_LOGS
    except AssayError:
        return False
    finally:
        source.close()


class _Progress:
    """Report the share of all files that has been read, by their sizes on disk."""

    def __init__(self, sources: Sequence[Source], show: Callable[[int, int], None] | None) -> None:
        self._sizes = {id(source): _size(source) for source in sources}
        self._total = sum(self._sizes.values())
        self._done = self._before = 0
        self._show = show

    def read(self, size: int) -> None:
        """Count bytes of the current file; a compressed file has more bytes than its size."""
        self._done += size
        self._report()

    def finished(self, source: Source) -> None:
        """Count a file as done."""
        self._before += self._sizes[id(source)]
        self._done = self._before
        self._report()

    def _report(self) -> None:
        if self._show is not None and self._total >= UNIT:
            self._show(min(self._done, self._total) // UNIT, self._total // UNIT)


def _size(source: Source) -> int:
    try:
        return os.path.getsize(source.path or "")
    except OSError:
        return 0
