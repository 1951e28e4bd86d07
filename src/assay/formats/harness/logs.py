"""Shared by readers of harness logs: the user's choices, the rows to fill, the search for logs in folders.

    @reads("openai-evals", role="log", task="outcomes", yields=…, recognises=…)
    def read_openai_evals(source: Source, reading: LogReading) -> list[Rows]:
        log = reading.log(source, tool="OpenAI evals")
        log.add("q1", run="gpt-x", task="capitals", value=True, line=3)
        return log.finish()

A log is read once for its scores. Texts are looked at as they pass (is this a refusal?) and not kept; `Log.texts_of` is how
a report gets at them later.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from copy import copy
from hashlib import blake2b
from itertools import count
from math import inf, isfinite
from typing import Any, NamedTuple, TypeVar

from assay.errors import FormatError, InputError, UsageError
from assay.formats.answers.outcome_words import EXPECTED, Words
from assay.formats.answers.rows import (
    CORRECT,
    FAILED,
    GRADED,
    INCORRECT,
    NO_VERDICT,
    UNANSWERED,
    UNPARSED,
    Rows,
    RowTexts,
    key_of,
)
from assay.formats.recognition import companion_advice, recognise
from assay.io.file_pieces import Pieces
from assay.io.sources import Source, is_remote

UNSET: Any = object()
EXAMPLES = 2
OTHER_TEXT = "other text"
"""Marks a row whose question has another text than in the logs before."""

Refusal = Callable[[str], str | None]
"""Return the kind of unanswered that a text is, None where it is an answer."""
Suspects = Callable[[str], tuple[str, bool] | None]
MAX_UNLISTED = 1_000_000
"""Questions that a log may count without listing them: a damaged total must not fill the memory."""
SCORE_TOLERANCE = 5e-5
"""Scores that agree to four decimals are the same."""


class Total(NamedTuple):
    """The number of samples of a log and their score; None where unknown."""

    samples: int | None = None
    score: float | None = None

    def agrees(self, other: Total) -> bool:
        """Return whether no number that both have differs."""
        counts = None in (self.samples, other.samples) or self.samples == other.samples
        return counts and self.agrees_in_score(other)

    def agrees_in_score(self, other: Total) -> bool:
        """Return whether the scores are the same to four decimals, or one of them is unknown."""
        return self.score is None or other.score is None or abs(self.score - other.score) <= SCORE_TOLERANCE

    def described(self, metric: str, unit: str = "sample") -> str:
        """Return the total in words: `79 samples, accuracy 0.3544`."""
        counted = [] if self.samples is None else [f"{self.samples} {unit}{'' if self.samples == 1 else 's'}"]
        return ", ".join(counted + ([] if self.score is None else [f"{metric} {self.score:.4f}"]))


class LogReading:
    """One reading of some logs: the user's choices, and the questions so far.

    choices    scorer, metric, filter and split, by name; None where not chosen
    words      what outcome words mean
    refusal    tells refusals in words, where patterns were given
    suspects   tells texts that look like refusals: the phrase, and whether a built-in pattern matches
    right_from the score from which an answer is right, and no refusal whatever its words
    partial    accept logs that hold other samples than they state
    """

    def __init__(
        self, choices: Mapping[str, str | None] | None = None, words: Words | None = None,
        refusal: Refusal | None = None, suspects: Suspects | None = None, right_from: float | None = None,
        partial: bool = False,
    ) -> None:  # fmt: skip
        self._choices = dict(choices or {})
        self.words: Words = words or Words()
        self.refusal = refusal
        self.suspects = suspects
        self.right_from = right_from
        self.partial = partial
        self.fields: dict[tuple[str, str], dict[str, Any]] = {}
        """By task and question: what the first log that mentions it says of it."""
        self.contents: dict[tuple[str, str], int] = {}
        """By task and question: the hash of its text, in the first log that has it."""
        self.has_words = False
        """Whether any log so far was scored in words or numbers, which may be mapped."""
        self.trials: dict[str, str] = {}
        """By id of a trial: its file and place, where a tool gives trials ids of their own."""
        self._asked: set[str] = set()

    def choose(self, option: str, known: Sequence[str], source: Source, default: str | None = None) -> str:
        """Return the chosen scorer, metric, filter or split; else the only one or the default, else an error that lists them.

        Logs of one suite may differ: of several names between commas, the first that a log has counts."""
        self._asked.add(option)
        choice = self._choices.get(option)
        listed = ", ".join(known) or "none"
        for name in () if choice is None else (choice, *choice.split(",")):
            if name.strip() in known:
                return name.strip()
        if choice is not None:
            raise InputError(f"{source.name}: has no {option} {choice!r}; it has {listed}")
        if len(known) == 1:
            return known[0]
        if default is not None and default in known:
            return default
        if not known:
            raise InputError(f"{source.name}: has no {option} to take outcomes from")
        raise InputError(f"{source.name}: has {len(known)} {option}s, {listed}; choose one with `{option}=NAME`")

    def chosen(self, option: str) -> str | None:
        """Return the user's choice, where the reader checks it itself."""
        self._asked.add(option)
        return self._choices.get(option)

    def check(self) -> None:
        """Refuse choices that no log used."""
        for option, choice in self._choices.items():
            if choice is not None and option not in self._asked:
                raise UsageError(f"`{option}={choice!r}`: none of these files has a {option} to choose")
        if self.words.mapped is not None and not self.has_words:
            raise UsageError(f"`outcomes={self.words.mapped!r}`: none of these logs says in words how a question ended")

    def log(self, source: Source, tool: str) -> Log:
        """Return an empty log of a source, to be filled by its reader."""
        return Log(self, source, tool)


class Log:
    """The rows of one source, by run and task."""

    def __init__(self, reading: LogReading, source: Source, tool: str) -> None:
        self.reading = reading
        self.source = source
        self.tool = tool
        self.warnings: list[str] = []
        """Remarks on this log, each once."""
        self._file = Pieces(source)
        self.texts_of: Callable[[Rows, str, int], RowTexts] | None = None
        """(rows, question, sample): its texts."""
        self._rows: dict[tuple[str, str], Rows] = {}
        self._seen: dict[tuple[str, str], dict[str, int | set[int]]] = {}
        self._refused = 0
        self._suspects: list[tuple[str, bool]] = []
        self._implausible: list[float] = []
        self._implausible_usage: dict[str, list[float]] = {}

    def rows(self, run: str, task: str = "") -> Rows:
        """Return the rows of one run on one task."""
        key = run, task
        if key not in self._rows:
            self._rows[key] = Rows(run, self.source.name, samples=[], scores=[], task=task, tool=self.tool)
            self._seen[key] = {}
        return self._rows[key]

    def add(
        self, id: str, *, run: str, task: str = "", value: Any = UNSET, state: int | None = None,
        score: float | None = None, kind: str | None = None, problem: str | None = None, sample: int | None = None,
        confidence: float | None = None, text: str | None = None, line: int = 0, where: str = "",
        fields: Mapping[str, Any] | None = None, content: str | None = None, usage: Mapping[str, float | None] | None = None,
    ) -> None:  # fmt: skip
        """Add one sample of one question.

        value        how it was scored, in the words of the log; else `state`, with a `score` where it has one
        kind         declined, refused or unparsed; an unparsed one keeps the state the log gave it
        problem      why it failed, which makes its state FAILED whatever the other arguments
        sample       which sample it is; counted where left out
        text         the answer: to tell refusals, and to compare samples with each other
        where        the member of an archive, or the place in a file without lines, for messages
        fields       what there is to group questions by; `content` the question's own text, to tell whether logs share it
        usage        latency in seconds, tokens, cost in dollars
        """
        if not id.strip():
            raise self.error(line, where, f"a question is called {id!r:.40}; expected an id for every question")
        if problem is not None:
            state, score = FAILED, None
        elif value is not UNSET:
            state, score = self._outcome(id, value, line, where)
        elif state is None:
            state = UNANSWERED
        if score is None and state != FAILED:
            score = float(state == CORRECT)
        if state != UNANSWERED and kind != UNPARSED:
            kind = None  # `outcomes=` maps the log's word for no answer to another outcome
        if text:
            refusal = None if self.reading.refusal is None or self._right(state, score) else self.reading.refusal(text)
            if refusal is not None and state != FAILED:
                state, score, kind = UNANSWERED, 0.0, refusal
                self._refused += 1
            elif state == INCORRECT and self.reading.suspects is not None:
                suspicion = self.reading.suspects(text)
                if suspicion is not None:
                    self._suspects.append(suspicion)
        rows = self.rows(run, task)
        row = len(rows.ids)
        number = self._sample(rows, id, sample, line, where)
        if confidence is not None and not 0.0 <= confidence <= 1.0:
            if isfinite(confidence):
                self._implausible.append(confidence)
            confidence = None
        rows.add(id, line, text=key_of(text), outcome=state, confidence=confidence)
        assert rows.samples is not None
        assert rows.scores is not None
        rows.samples.append(number)
        rows.scores.append(score)
        if kind is not None:
            rows.kinds[row] = kind
        if problem is not None:
            rows.problems[row] = problem
        for name, amount in (usage or {}).items():
            if amount is not None and not 0.0 <= amount < inf:
                self._implausible_usage.setdefault(name, []).append(amount)
            elif amount is not None:
                rows.add_usage(name, amount)
        self._describe(rows, id, fields, content)

    def _right(self, state: int, score: float | None) -> bool:
        least = self.reading.right_from
        return state == CORRECT or (state == GRADED and least is not None and score is not None and score >= least)

    def _outcome(self, id: str, value: Any, line: int, where: str) -> tuple[int, float | None]:
        self.reading.has_words = True
        try:
            state, score = self.reading.words(value)
            return (FAILED if state == NO_VERDICT else state), score  # the harness gave no score
        except ValueError as problem:
            expected = EXPECTED if str(problem) == EXPECTED else problem
            raise self.error(line, where, f"question {id!r} is scored {value!r:.60}; {expected}") from None

    def refuse_copy(self, trial: str, where: str) -> None:
        """Refuse a trial, by its id, that this log or one before it has: a copy is no repeat."""
        if trial in self.reading.trials:
            raise self.error(0, where, f"is a copy of {self.reading.trials[trial]} ({trial}); expected each trial once")
        self.reading.trials[trial] = f"{self.source.name}, {where}"

    def take_texts(self, read: Callable[[], Iterable[tuple[str, str, RowTexts]]]) -> None:
        """Let reports find texts by run, question and sample among those that `read` yields with their run and question."""

        def by_question() -> dict[tuple[str, str], list[RowTexts]]:
            samples: dict[tuple[str, str], list[RowTexts]] = {}
            for run, question, texts in read():
                samples.setdefault((run, question), []).append(texts)
            return samples

        def texts_of(rows: Rows, question: str, sample: int) -> RowTexts:
            samples = cached(self.source, by_question).get((rows.name, question), [])
            return samples[sample - 1] if 0 < sample <= len(samples) else RowTexts()

        self.texts_of = texts_of

    def error(self, line: int, where: str, problem: str) -> FormatError:
        """Return an error at a place of the log."""
        return FormatError(self.source.name, line or None, f"{where}: {problem}" if where else problem)

    def check_total(
        self, place: str, stated: Total, counted: Total, metric: str = "score", unit: str = "sample", *,
        plain_mean: bool = False,
    ) -> None:  # fmt: skip
        """Refuse a log whose samples are not those it states; `partial=True` accepts it with a remark.

        Another score of as many samples is a remark only, unless the stated score is certain to be their plain mean: a tool may
        average otherwise.

        place    what states the total: the header, or a file beside the log
        metric   the name of the score
        unit     what is counted
        plain_mean   whether the stated score is the plain mean of the samples
        """
        if stated.agrees(counted):
            return
        if stated.score is None or counted.score is None:
            stated, counted = stated._replace(score=None), counted._replace(score=None)
        if stated.samples is None or counted.samples is None:
            stated, counted = stated._replace(samples=None), counted._replace(samples=None)
        problem = f"{place} states {stated.described(metric, unit)}; the file has {counted.described(metric, unit)}"
        if stated.samples == counted.samples and not plain_mean:
            self.warnings.append(f"{self.source.name}: {problem}; the samples of the file count")
            return
        if not self.reading.partial:
            raise InputError(
                f"{self.source.name}: {problem}. Fix: get the complete log, or accept this one with `partial=True`"
            )
        self.warnings.append(f"{self.source.name}: {problem}; the samples of the file are read (`partial=True`)")

    def _sample(self, rows: Rows, id: str, sample: int | None, line: int, where: str) -> int:
        """Return the number of a sample; a set of numbers is kept only where they are given and several."""
        seen = self._seen[rows.name, rows.task]
        before = seen.get(id)
        if sample is None:
            number = 1 if before is None else before + 1 if isinstance(before, int) else max(before) + 1
            seen[id] = number
            return number
        if before is None:
            seen[id] = {sample}
            return sample
        known = {*range(1, before + 1)} if isinstance(before, int) else before
        if sample in known:
            raise self.error(line, where, f"sample {sample} of question {id!r} appears twice; expected each once")
        known.add(sample)
        seen[id] = known
        return sample

    def _describe(self, rows: Rows, id: str, fields: Mapping[str, Any] | None, content: str | None) -> None:
        key = rows.task, id
        if fields and key not in self.reading.fields:
            groups = {name: value for name, value in fields.items() if isinstance(value, str | int | float)}
            self.reading.fields[key] = groups
        if content is not None:
            digest = int.from_bytes(blake2b(content.encode("utf-8", "replace"), digest_size=8).digest())
            if self.reading.contents.setdefault(key, digest) != digest:
                rows.extra.setdefault(len(rows.ids) - 1, {})[OTHER_TEXT] = True

    def finish(self) -> list[Rows]:
        """Return the rows of every run and task, with warnings; a sole run takes the caller's name."""
        runs = list(self._rows.values())
        if not runs:
            raise InputError(f"{self.source.name}: holds no samples; expected the log of at least one question")
        only = len({rows.name for rows in runs}) == 1
        for rows in runs:
            rows.fill_usage()
            if self.texts_of is not None:
                rows.texts_of = _bound(self.texts_of, rows, self._file)
            if (only and self.source.label) or not rows.name.strip():
                rows.name = self.source.label or self.source.stem
            if rows.scores is not None and GRADED not in rows.outcomes:
                rows.scores = None
            if rows.samples is not None and len(set(rows.ids)) == len(rows.ids):
                rows.samples = None
            rows.warnings += warn_of_constant_confidence(rows)
        if self._implausible:
            few = ", ".join(f"{value:g}" for value in dict.fromkeys(self._implausible[:3]))
            self.warnings.append(
                f"{self.source.name}: {len(self._implausible)} confidences are no numbers from 0 to 1 ({few} …) and are "
                "left out"
            )
        for name, amounts in self._implausible_usage.items():
            few = ", ".join(f"{value:g}" for value in dict.fromkeys(amounts[:3]))
            self.warnings.append(
                f"{self.source.name}: {name} is no number of 0 or more in {len(amounts)} samples ({few} …) and not known there"
            )
        if self._suspects:
            self.warnings.append(warn_of_refusals(self.source.name, self._suspects))
        if self._refused:
            singular = "1 answer matches a refusal pattern and counts"
            several = f"{self._refused} answers match a refusal pattern and count"
            refused = singular if self._refused == 1 else several
            self.warnings.append(f"{self.source.name}: {refused} as unanswered (`refusal=`)")
        runs[0].warnings[:0] = self.warnings
        return runs


def scored(score: float) -> dict[str, Any]:
    """Return a score of any range as arguments of `Log.add`: below 0 or above 1 it is no outcome in words, and counts as it is.

    >>> scored(0.5), scored(-0.25) == {"state": GRADED, "score": -0.25}
    ({'value': 0.5}, True)
    """
    return {"value": score} if 0 <= score <= 1 else {"state": GRADED, "score": score}


def folder_of(source: Source) -> str:
    """Return the folder of a file or URL; empty for standard input and bytes, which have no place.

    >>> folder_of(Source("a.json", path="s3://bucket/job/trial/result.json")), folder_of(Source("-", path="-"))
    ('s3://bucket/job/trial', '')
    """
    if source.path is None or source.is_stream:
        return ""
    return os.path.dirname(source.path if is_remote(source.path) else os.path.abspath(source.path))


def distinct_id(id: str, used: Container[str]) -> str:
    """Return an id, or id-2, id-3 … where it is used: the same text asked twice is two questions, not two samples.

    >>> distinct_id("a", {"a", "a-2"}), distinct_id("b", {"a"})
    ('a-3', 'b')
    """
    return next(name for number in count(1) if (name := id if number == 1 else f"{id}-{number}") not in used)


def warn_of_refusals(who: str, suspects: Sequence[tuple[str, bool]]) -> str:
    """Return the warning on answers that look like refusals and count as incorrect.

    >>> warn_of_refusals("m", [("I don't know", True)])
    "m: 1 answer looks like a refusal ('I don't know') and counts as incorrect; `refusal='auto'` counts it as unanswered"
    """
    count, known = len(suspects), sum(known for _, known in suspects)
    few = ", ".join(f"'{phrase}'" for phrase in list(dict.fromkeys(phrase for phrase, _ in suspects))[:EXAMPLES])
    looks = (
        f"1 answer looks like a refusal ({few}) and counts"
        if count == 1
        else f"{count} answers look like refusals ({few} …) and count"
    )
    them = "it" if count == 1 else "them"
    if known == count:
        remedy = f"`refusal='auto'` counts {them} as unanswered"
    elif known:
        remedy = f"`refusal='auto'` counts {known} of them as unanswered, `refusal=FILE` what your patterns match"
    else:
        remedy = "`refusal=FILE` counts what your patterns match as unanswered"
    return f"{who}: {looks} as incorrect; {remedy}"


def _bound(texts_of: Callable[[Rows, str, int], RowTexts], rows: Rows, file: Pieces) -> Callable[[str, int], RowTexts]:
    known = copy(rows)  # its reader knows a run by the name in the log, which may not be what it is called later
    once = len(set(rows.ids)) == len(rows.ids)
    # The log numbers samples even where every question has only one.
    numbers = {i: n for i, n in zip(rows.ids, rows.samples or (), strict=False) if n != 1} if once else {}

    def find(question: str, sample: int) -> RowTexts:
        file.check()
        return texts_of(known, question, numbers.get(question, sample))

    return find


def warn_of_constant_confidence(rows: Rows) -> list[str]:
    """Return the warning on confidences that are all the same."""
    stated = (confidence for confidence in rows.confidences if confidence is not None)
    first = next(stated, None)
    if first is None or any(confidence != first for confidence in stated) or len(rows.ids) < 3:
        return []
    return [f"{rows.name}: every answer has the confidence {first:g}, so measures of confidence tell nothing"]


def find_logs(sources: Sequence[Source]) -> tuple[list[Source], list[str]]:
    """Return the logs among sources and in their folders, by name, and the files in folders that are neither logs nor companions.

    A file that was named itself is taken for a log; if it is none, its reader raises the error.
    """
    logs: list[Source] = []
    others: list[str] = []
    for source in sources:
        if source.path is None or not os.path.isdir(source.path):
            source.argument = source.name
            logs.append(source)
            continue
        for path, folders, names in os.walk(source.path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(name for name in names if not name.startswith(".")):
                file = Source(os.path.join(path, name), path=os.path.join(path, name))
                file.argument = source.name
                if os.path.isfile(file.name) and recognise(file, "log") is not None:
                    logs.append(file)
                elif not os.path.isfile(file.name) or companion_advice(file.head) is None:
                    others.append(file.name)
                file.close()
    return logs, others


T = TypeVar("T")

_held: tuple[Source, Any] | None = None


def cached(source: Source, read: Callable[[], T]) -> T:
    """Return what `read` makes of a source, from the cache where the source is the last one read."""
    global _held
    last = _held  # another thread may put its own there at any time
    if last is not None and last[0] is source:
        return last[1]
    decoded = read()
    _held = source, decoded
    return decoded


def forget_decoded_log() -> None:
    """Empty the cache."""
    global _held
    _held = None
