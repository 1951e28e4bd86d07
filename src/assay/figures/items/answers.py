"""The answers that runs gave: with outcomes and confidence, in lists, with nuggets, generated with citations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import InputError
from assay.figures.items.model import ASKING, ReturnedItem, RunItems
from assay.formats.answers.rows import CORRECT, FAILED, GRADED, INCORRECT, MISSING, NO_VERDICT, NOT_ASKED, UNANSWERED
from assay.formats.jsonl import plain
from assay.table.notes import Notes

MAX_ANSWER_LENGTH = 4000
"""The most characters of an answer that are shown."""
STATES = {
    CORRECT: ("correct", True),
    INCORRECT: ("incorrect", False),
    UNANSWERED: ("unanswered", None),
    GRADED: ("partly correct", None),
    FAILED: ("failed", None),
    NO_VERDICT: ("no verdict", None),
}


def shortened(text: str, max_length: int = MAX_ANSWER_LENGTH) -> str:
    """Clip a text, adding how many letters are omitted.

    >>> shortened("Paris"), shortened("a" * 1200, 10)
    ('Paris', 'aaaaaaaaaa … (1190 letters more)')
    """
    return text if len(text) <= max_length else f"{text[:max_length]} … ({len(text) - max_length} letters more)"


class AnswerItems:
    """Common to all kinds of answers: questions with fields, and the gold's right answers."""

    of_documents = False

    def __init__(self, views: Sequence[Any], places: Sequence[int]) -> None:
        self._gold = views[0].gold

    def of_run(self, views: Any, places: Sequence[int], depth: int) -> list[RunItems]:
        """Return one run's answers to the questions."""
        return [self._question(views, place, depth) for place in places]

    def _question(self, views: Any, place: int, depth: int) -> RunItems:
        raise NotImplementedError

    def gold(self, place: int) -> tuple[str, ...]:
        """Return the right answers, patterns between slashes."""
        question = self._gold.questions[place]
        known = [plain(answer.text) for answer in getattr(question, "answers", ())]
        known += getattr(question, "texts", ())
        known += [f"/{pattern}/" for pattern in getattr(question, "patterns", ())]
        if getattr(question, "nil", False) and "NIL" not in known:
            known.append("NIL")
        return tuple(map(shortened, known))

    def fields(self, place: int) -> dict[str, str]:
        """Return no fields beside those of the gold."""
        return {}

    def text(self, place: int) -> str | None:
        """Return the question's text, if the gold has it."""
        fields: Mapping[str, Sequence[Any]] = self._gold.fields
        candidates = (fields[name][place] for name in ASKING if name in fields)
        return next((shortened(text) for text in candidates if isinstance(text, str) and text), None)


class OutcomeItems(AnswerItems):
    """One answer per question or sample: outcome, confidence and usage."""

    def __init__(self, views: Sequence[Any], places: Sequence[int]) -> None:
        super().__init__(views, places)
        self._read: dict[int, Any] = {}
        """By question: its texts in a log."""

    def _question(self, views: Any, place: int, depth: int) -> RunItems:
        slots, topic = getattr(views, "slots", views), self._gold.topics[place]
        slots_of_question: Sequence[int] = views.slots_of(place) if slots is not views else (place,)
        if slots.codes[slots_of_question[0]] in (MISSING, NOT_ASKED):
            return (), "the run has no answer to this question"
        texts: Mapping[int, Any] = {}
        if slots.read_texts is not None:
            try:
                texts = slots.read_texts(topic)
            except InputError as problem:  # the file is gone or overwritten; the numbers are still valid
                return (), str(problem)
            logged = next(iter(texts.values()), None)
            if logged is not None:
                self._read.setdefault(place, logged)
        numbers = [*texts] if len(texts) == len(slots_of_question) else [*range(1, len(slots_of_question) + 1)]
        entries = [
            self._entry(
                slots, slot, texts.get(sample), sample if len(slots_of_question) > 1 else None, views.notes, topic
            )
            for sample, slot in zip(sorted(numbers), slots_of_question, strict=True)
        ]
        return tuple(entries), ""

    def _entry(
        self, slots: Any, slot: int, texts: Any, sample: int | None, notes: Notes, topic: str
    ) -> ReturnedItem:  # fmt: skip
        code = slots.codes[slot]
        verdict, good = STATES[code]
        kind = slots.kinds.get(slot)
        if kind is not None:
            verdict = kind if code == UNANSWERED else f"{verdict}, {kind}"
        answer = texts.answer if texts is not None else None
        if answer is None and slots.values is not None:
            answer = f"{slots.values[slot]:g}"
        detail = [] if sample is None else [f"sample {sample}"]
        if code == FAILED:
            failures = notes.failures or {}
            detail.append(failures.get(topic if sample is None else f"{topic} (sample {sample})", ""))
        if code == GRADED and slots.scores is not None:
            detail.append(f"score {slots.scores[slot]:g}")
        if slot in slots.candidates:
            detail.append("the answer withheld is " + ("correct" if slots.candidates[slot] == CORRECT else "incorrect"))
        detail += _spent({kind: column[slot] for kind, column in slots.usage.items()})
        detail_text = "; ".join(filter(None, detail))
        return ReturnedItem(shortened(answer or ""), None, verdict, good, slots.confidences[slot], detail_text)

    def gold(self, place: int) -> tuple[str, ...]:
        """Return the right answers of the gold, else the log's; yes or no for a decision problem."""
        if self._gold.truth is not None:
            return ("yes" if self._gold.truth[place] else "no",)
        known = super().gold(place)
        read = self._read.get(place)
        return known or (() if read is None or read.gold is None else (shortened(read.gold),))

    def text(self, place: int) -> str | None:
        """Return the question's text, if the gold or a log has it."""
        read = self._read.get(place)
        question = None if read is None else read.question or read.prompt
        return super().text(place) or (shortened(question) if question else None)


def _spent(usage: Mapping[str, float | None]) -> list[str]:
    """Return the usage of an answer in words.

    >>> _spent({"latency": 1.25, "tokens": 340.0, "cost": None})
    ['1.25 s', '340 tokens']
    """
    forms = {"latency": "{:.3g} s", "tokens": "{:g} tokens", "steps": "{:g} steps", "cost": "${:.3g}"}
    return [forms.get(kind, kind + " {:g}").format(value) for kind, value in sorted(usage.items()) if value is not None]


class ListedAnswers(AnswerItems):
    """Several judged answers per question: question answering, list and context questions."""

    def _question(self, views: Any, place: int, depth: int) -> RunItems:
        if views.missing[place]:
            return (), "the run has no answer to this question"
        entries: list[ReturnedItem] = []
        classes: set[str] = set()
        for rank, (answer, judged) in enumerate(zip(views.given[place], views.answers[place], strict=True), 1):
            # An answer without the document that would support it is wrong or right, depending on who counts.
            good = None if judged.judgment == "unsupported" else judged.judgment == "correct"
            again = ", given before" if good and judged.cls in classes else ""
            if good:
                classes.add(judged.cls)
            document = f"document {answer.doc}" if answer.doc is not None else ""
            entries.append(
                ReturnedItem(
                    shortened(answer.text), rank, f"{judged.judgment}{again}", good, answer.confidence, document
                )
            )
        hidden = len(entries) - depth
        return tuple(entries[:depth]), f"{hidden} more answers not shown" if hidden > 0 else ""


class NuggetItems(AnswerItems):
    """The answer to a definition question, then the nuggets in it."""

    def _question(self, views: Any, place: int, depth: int) -> RunItems:
        if views.missing[place]:
            return (), "the run has no answer to this question"
        question = self._gold.questions[place]
        returned = [nugget for nugget in question.nuggets if nugget in views.returned[place]]
        summary = f"{len(returned)} of {len(question.nuggets)} nuggets"
        text = "\n".join(views.texts[place])
        answer = ReturnedItem(shortened(text), None, summary, None, None, f"{views.lengths[place]} letters")
        return (answer, *(ReturnedItem(self._named(question, n), None, _kind(question, n), True) for n in returned)), ""

    def _named(self, question: Any, nugget: str) -> str:
        return f"{nugget}: {question.texts[nugget]}" if nugget in question.texts else nugget

    def gold(self, place: int) -> tuple[str, ...]:
        """Return all nuggets of a question."""
        question = self._gold.questions[place]
        return tuple(f"{self._named(question, n)} ({_kind(question, n)})" for n in question.nuggets)


def _kind(question: Any, nugget: str) -> str:
    return "vital" if nugget in question.vital else "okay"


CREDITS: dict[float, tuple[str, bool | None]] = {
    1.0: ("support", True),
    0.5: ("partial support", None),
    0.0: ("no support", False),
}
"""Names of the credits of nuggets and citations."""


class GeneratedItems(AnswerItems):
    """The judgments of every run's answer to a question."""

    def _question(self, views: Any, place: int, depth: int) -> RunItems:
        if views.missing[place]:
            return (), "no judgment of an answer of this run to this question"
        rows = views.judged[place]
        entries = [ReturnedItem(shortened(row.answer), None, "answer", None) for row in rows if row.answer]
        credits: Sequence[float] = views.credits[place] or ()
        nuggets: Sequence[tuple[str, str]] = self._gold.questions[place].nuggets if credits else ()
        for (text, importance), credit in zip(nuggets, credits, strict=True):
            verdict, good = CREDITS[credit]
            if text:
                entries.append(ReturnedItem(text, None, verdict, good, None, f"{importance} nugget".strip()))
        for row in rows:
            citations_by_sentence: list[tuple[Sequence[float | None], bool | None]] = row.sentences or []
            entries += [
                _sentence(text, citations)
                for text, (citations, _) in zip(row.texts, citations_by_sentence, strict=True)
            ]
        return tuple(entries), ""

    def gold(self, place: int) -> tuple[str, ...]:
        """Return all nuggets of a question."""
        nuggets = self._gold.questions[place].nuggets
        return tuple(f"{text} ({importance})" if importance else text for text, importance in nuggets if text)


def _sentence(text: str, citations: Sequence[float | None]) -> ReturnedItem:
    """Return a sentence with the support of each of its citations."""
    if not citations:
        return ReturnedItem(shortened(text), None, "cites nothing", None, None, "sentence")
    verdicts = [("not judged", None) if support is None else CREDITS[support] for support in citations]
    return ReturnedItem(
        shortened(text), None, ", ".join(word for word, _ in verdicts), verdicts[0][1], None, "sentence"
    )
