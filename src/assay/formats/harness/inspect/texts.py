"""The texts of an Inspect log: prompt and answer, read from one sample at a time on demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from assay.formats.answers.rows import Rows, RowTexts
from assay.formats.json_files import decode_text
from assay.io.file_pieces import Pieces, Span, spans
from assay.io.heads import BOM
from assay.io.sources import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.io.archives import Archive

ATTACHMENT = re.compile(r"attachment://([0-9a-fA-F]{8,64})")
TextsOf = Callable[[Rows, str, int], RowTexts]


class TextBlock(msgspec.Struct, gc=False):
    """A part of a message: a text, or another kind that is only named."""

    type: str = "text"
    text: str | None = None


class Message(msgspec.Struct):
    """One message of a conversation."""

    content: str | list[TextBlock] | None = None
    role: str = ""


class Choice(msgspec.Struct):
    """One of a model's answers."""

    message: Message | None = None


class Output(msgspec.Struct):
    """The output of a model."""

    completion: str | None = None
    choices: list[Choice] = []


class Transcript(msgspec.Struct):
    """The place of attachments in very old logs."""

    content: dict[str, str] = {}


class Identity(msgspec.Struct):
    """The id and epoch of a sample."""

    id: str | int
    epoch: int = 1


class SampleTexts(Identity):
    """A sample with its texts."""

    input: str | list[Message] | None = None
    target: str | list[str] | int | float | None = None
    output: Output | None = None
    attachments: dict[str, str] = {}
    transcript: Transcript | None = None


class RawSamples(msgspec.Struct):
    """A JSON log with samples not yet decoded."""

    samples: list[msgspec.Raw] | None = None


_spoken = msgspec.json.Decoder(SampleTexts)
_identity = msgspec.json.Decoder(Identity)
_raws = msgspec.json.Decoder(RawSamples)


def text_of(content: str | list[Message] | None) -> str:
    """Return a text, or the texts of messages joined by line ends.

    >>> text_of([Message("Be brief."), Message([TextBlock(text="Capital of France?"), TextBlock("image")])])
    'Be brief.\\nCapital of France?\\n(Image)'
    """
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(_content(message) for message in content)


def _content(message: Message) -> str:
    if message.content is None or isinstance(message.content, str):
        return message.content or ""
    # Summaries call a picture so, too: a question is the same in both.
    return "\n".join(
        (block.text or "") if block.type == "text" else f"({block.type.capitalize()})" for block in message.content
    )


def texts_in_archive(source: Source) -> TextsOf:
    """Return a lookup of texts in an archive, which opens it on first use."""
    from assay.io.archives import Archive

    opened: list[Archive] = []

    def find(rows: Rows, question: str, sample: int) -> RowTexts:
        if not opened:
            opened.append(Archive(source))
        with opened[0] as archive:
            for name in _members(archive, f"samples/{question}_epoch_{sample}.json"):
                content = archive.read(name)
                about = decode_text(content, _identity, lambda problem, name=name: archive.error(name, problem))
                if (str(about.id), about.epoch) == (question, sample):
                    return _texts(
                        decode_text(content, _spoken, lambda problem, name=name: archive.error(name, problem))
                    )
        return RowTexts()

    return find


def _members(archive: Archive, usual: str) -> Iterator[str]:
    """Yield the usual member of a sample first, then all others."""
    if usual in archive:
        yield usual
    yield from (name for name in archive.names("samples/") if name.endswith(".json") and name != usual)


def texts_in_json(source: Source) -> TextsOf:
    """Return a lookup of texts in a JSON log, which indexes its samples on first use."""
    from assay.formats.harness.logs import cached

    pieces = Pieces(source)
    stands: dict[tuple[str, int], Span] = {}

    def complain(problem: str) -> Any:
        return source.error(None, f"samples: {problem}")

    def samples(content: bytes) -> dict[tuple[str, int], bytes]:
        raws = map(bytes, decode_text(content.removeprefix(BOM), _raws, complain).samples or ())
        named = ((decode_text(raw, _identity, complain), raw) for raw in raws)
        return {(str(about.id), about.epoch): raw for about, raw in named}

    def find(rows: Rows, question: str, sample: int) -> RowTexts:
        pieces.check()
        if not stands:
            samples_by_id = cached(source, lambda: samples(source.read()))
            try:
                stands.update(dict(zip(samples_by_id, spans(source.read(), samples_by_id.values()), strict=True)))
            except ValueError:
                # NaN is read as null, after which nothing is where it was.
                raw = samples_by_id.get((question, sample))
                return RowTexts() if raw is None else _texts(decode_text(raw, _spoken, complain))
        span = stands.get((question, sample))
        return RowTexts() if span is None else _texts(decode_text(pieces.read(span), _spoken, complain))

    return find


def _texts(spoken: SampleTexts) -> RowTexts:
    attached = spoken.attachments or (spoken.transcript.content if spoken.transcript else {})
    target = spoken.target
    gold = "\n".join(target) if isinstance(target, list) else None if target is None else str(target)
    return RowTexts(
        question=_resolved(text_of(spoken.input), attached),
        gold=None if gold is None else _resolved(gold, attached),
        answer=_answer(spoken.output, attached),
    )


def _answer(output: Output | None, attached: Mapping[str, str]) -> str | None:
    """Return the completion; in old logs, the content of the first choice."""
    if output is None:
        return None
    completion = output.completion
    if completion is None and output.choices and output.choices[0].message is not None:
        completion = _content(output.choices[0].message)
    return None if completion is None else _resolved(completion, attached)


def _resolved(text: str, attached: Mapping[str, str]) -> str:
    """Return a text with its attachments in place."""
    return ATTACHMENT.sub(lambda match: attached.get(match[1], match[0]), text) if attached else text
