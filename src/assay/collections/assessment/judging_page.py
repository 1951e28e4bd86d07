"""The judging page as served, and the words of the topic to highlight in a document.

GET changes nothing; POST answers after saving. Documents and topics are untrusted: they are sent as JSON and become text in the
page, never markup. Highlighting ignores case and English endings; it affects no judgment.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any
from unicodedata import combining, normalize

from assay.collections.assessment.judge import Sitting
from assay.collections.assessment.judging_page_keys import KEY_HELP, NAVIGATION_KEYS, key_of
from assay.errors import InputError, UsageError
from assay.figures import palette
from assay.formats.auxiliary.documents import Text
from assay.io.loopback_server import HTML, JSON, Reply

MAX_DOCUMENT_LENGTH = 400_000
"""Letters of a document that are sent to the page."""
Json = dict[str, Any]


class JudgingPage:
    """Request handlers for the addresses behind the token."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._topics = list(sitting.queue.pool)

    def look(self, path: str) -> Reply | None:
        """Answer a GET: the page, the first place, a document, or the next unjudged one after it."""
        if path == "":
            html, policy = document()
            return Reply(HTML, html, headers={"Content-Security-Policy": policy})
        if path == "start.json":
            return _answer(self._view(self._sitting.queue.start))
        match = re.fullmatch(r"(at|after)/([0-9]{1,9})\.json", path, re.ASCII)
        if match is None or int(match[2]) >= len(self._sitting.queue.pairs):
            return None
        place = int(match[2])
        return _answer(self._view(place if match[1] == "at" else self._sitting.queue.after(place)))

    def take(self, path: str, sent: Mapping[str, Any]) -> Reply | None:
        """Answer a POST: save a judgment or undo the last one."""
        try:
            if path == "judge.json":
                return _answer(self._judge(sent))
            if path == "undo.json":
                return _answer(self._undo(sent))
        except UsageError as problem:
            return _answer({"problem": str(problem)}, 409)
        return None

    def _judge(self, sent: Mapping[str, Any]) -> Json:
        """Save a judgment, unless another window has judged the document since it was shown."""
        topic, document, grade = (sent.get(name) for name in ("topic", "document", "grade"))
        if not isinstance(topic, str) or not isinstance(document, str) or not isinstance(grade, int):
            raise UsageError("expected a topic, a document and a grade")
        if (topic, document) in self._sitting.queue and sent.get("shown") != self._sitting.queue.grade(topic, document):
            raise UsageError(f"another window has judged {document}; check it, and judge again")
        self._sitting.give(topic, document, grade)
        return self._view(self._sitting.queue.after(self._sitting.queue.place(topic, document)))

    def _undo(self, sent: Mapping[str, Any]) -> Json:
        """Undo the last judgment, unless another window has judged since."""
        last = self._sitting.queue.last
        if last is None or (sent.get("topic"), sent.get("document"), sent.get("grade")) != last:
            raise UsageError("another window has judged since, so this is not the last judgment; check, and undo again")
        self._sitting.undo()
        return self._view(self._sitting.queue.place(last.topic, last.document))

    def _text(self, document: str) -> tuple[Text | None, str]:
        """Return a document's text, or the reason why it cannot be shown."""
        try:
            return self._sitting.texts.get(document), ""
        except InputError as problem:
            return None, str(problem)
        except Exception as problem:  # noqa: BLE001 - an error would say "not saved" of a judgment that is saved
            return None, f"The text cannot be shown: {type(problem).__name__}: {problem}"

    def _view(self, place: int | None) -> Json:
        """Return what the page shows at a place of the queue; None is the end, which shows the last document."""
        sitting, queue = self._sitting, self._sitting.queue
        at = len(queue.pairs) - 1 if place is None else place
        if place is None and queue.last is not None:
            at = queue.place(queue.last.topic, queue.last.document)
        topic, document = queue.pairs[at]
        number = self._topics.index(topic)
        parts = sitting.topics[topic]
        text, problem = self._text(document)
        words = stems(parts.title or parts.description)
        last = queue.last
        return {
            "judge": sitting.judge, "file": sitting.file, "scale": [[grade, name, key_of(grade)] for grade, name in sitting.scale.items()],
            "place": at, "total": len(queue.pairs), "done": queue.done, "complete": queue.done == len(queue.pairs),
            "topic": {
                "id": topic, "number": number + 1, "of": len(self._topics), "done": queue.done_of(topic),
                "total": len(queue.pool[topic]), "title": parts.title, "description": parts.description, "narrative": parts.narrative,
                "before": queue.entry(self._topics[number - 1]) if number else None,
                "after": queue.entry(self._topics[number + 1]) if number + 1 < len(self._topics) else None,
            },
            "document": {
                "id": document, "number": at - queue.start_of(topic) + 1, "missing": text is None, "problem": problem,
                "title": pieces(text.title if text else "", words), "text": pieces(text.text[:MAX_DOCUMENT_LENGTH] if text else "", words),
                "link": text.link if text and re.match(r"https?://", text.link) else "",
                "cut": max(0, len(text.text) - MAX_DOCUMENT_LENGTH) if text else 0,
            },
            "grade": queue.grade(topic, document),
            "last": None if last is None else last._asdict(),
        }  # fmt: skip


def _answer(content: Json, status: int = 200) -> Reply:
    # Escapes, because surrogates cannot be written in UTF-8.
    return Reply(JSON, json.dumps(content).encode(), status)


@cache
def document() -> tuple[bytes, str]:
    """Return the page, the same for every pool, and its Content-Security-Policy."""
    light, dark = palette.css_colours(palette.LIGHT), palette.css_colours(palette.DARK)
    style = (
        f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark} }} }}\n"
        f":root[data-theme=dark] {{ {dark} }}\n" + _asset("judging_page.css")
    )
    script = _asset("judging_page.js").replace("/*keys*/", json.dumps([NAVIGATION_KEYS, KEY_HELP]))
    html = _asset("judging_page.html").replace("/*style*/", style).replace("/*script*/", script)
    policy = (
        f"default-src 'none'; script-src {_fingerprint(script)}; style-src {_fingerprint(style)}; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return html.encode(), policy


def _asset(name: str) -> str:
    return (resources.files("assay.collections.assessment") / "assets" / name).read_text("utf-8")


def _fingerprint(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
STOPWORDS = frozenset(
    WORD.findall(
        "a about all also an and any are as at be been but by can could did do does for from had has have he her his how i if in into "
        "is it its me more most my no nor not of on or our over s she so such t than that the their them then there these they this "
        "those to too under up us was we were what when where which who whom whose why will with would you your find documents "
        "document discuss describe relevant information"
    )
)
"""Words that are not highlighted."""
ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ed", "ers", "er", "ies", "es", "ly", "s", "y", "e")
MIN_STEM_LENGTH = 3
"""Letters that remain of a word at least."""


def stem(word: str) -> str:
    """Return a word without case, accents and its inflectional ending.

    >>> [stem(word) for word in ("Organized", "organizing", "organizers", "policies", "Policy", "crimes", "gas", "Café")]
    ['organiz', 'organiz', 'organiz', 'polic', 'polic', 'crim', 'gas', 'caf']
    """
    plain = "".join(letter for letter in normalize("NFKD", word.casefold()) if not combining(letter))
    for ending in ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= MIN_STEM_LENGTH:
            plain = plain.removesuffix(ending)
            break
    # stopping, stopped → stop: a double letter at the end is reduced everywhere
    return plain[:-1] if len(plain) > MIN_STEM_LENGTH and plain[-1:] == plain[-2:-1] else plain


def stems(*texts: str) -> frozenset[str]:
    """Return the stems of all words in the texts, stopwords excluded.

    >>> sorted(stems("What is the International Organized Crime?"))
    ['crim', 'international', 'organiz']
    """
    words = (word.casefold() for text in texts for word in WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in STOPWORDS)


def pieces(text: str, topic_stems: frozenset[str]) -> list[str]:
    """Split the text so that every second segment is a word to highlight.

    >>> pieces("Crimes and criminal law", stems("crime"))
    ['', 'Crimes', ' and criminal law']
    """
    segments: list[str] = []
    end = 0
    known: dict[str, bool] = {}
    for word in WORD.finditer(text):
        marked = known.get(word[0])
        if marked is None:
            marked = known[word[0]] = stem(word[0]) in topic_stems
        if marked:
            if segments and end == word.start():
                segments[-1] += word[0]
            else:
                segments += [text[end : word.start()], word[0]]
            end = word.end()
    return [*segments, text[end:]]
