"""Logs in Inspect's layout, small or large: a zip writer that knows zstd, and the members of an evaluation."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

STORED, DEFLATE, ZSTD = 0, 8, 93
MODEL, TASK = "made/model", "made"
JOURNALLED = 4
UTF8 = 0x800


class Member(NamedTuple):
    """One member of an archive; what it should not be in tests of damage."""

    name: str
    content: bytes
    method: int = ZSTD
    flags: int = 0
    crc: int | None = None
    size: int | None = None
    frames: int = 1
    packed: bytes | None = None


def packed(member: Member) -> bytes:
    """What a member is in the archive; zstd in so many frames, one after the other."""
    if member.packed is not None:
        return member.packed
    if member.method == DEFLATE:
        press = zlib.compressobj(6, zlib.DEFLATED, -15)
        return press.compress(member.content) + press.flush()
    if member.method == ZSTD:
        import zstandard

        step = -(-len(member.content) // member.frames) or 1
        press = zstandard.ZstdCompressor()
        parts = [member.content[at : at + step] for at in range(0, len(member.content), step)] or [b""]
        return b"".join(press.compress(part) for part in parts)
    return member.content


def archive(members: Iterable[Member]) -> bytes:
    """A zip archive, with the names as often as they stand there."""
    parts: list[bytes] = []
    directory: list[bytes] = []
    at = 0
    for member in members:
        name, data = member.name.encode(), packed(member)
        crc = zlib.crc32(member.content) if member.crc is None else member.crc
        size = len(member.content) if member.size is None else member.size
        flags = member.flags | (0 if member.name.isascii() else UTF8)
        about = struct.pack("<HHHHHIIIHH", 20, flags, member.method, 0, 33, crc, len(data), size, len(name), 0)
        parts += [b"PK\x03\x04" + about + name, data]
        directory.append(b"PK\x01\x02" + struct.pack("<H", 20) + about + struct.pack("<HHHII", 0, 0, 0, 0, at) + name)
        at += 30 + len(name) + len(data)
    listed = b"".join(directory)
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(directory), len(directory), len(listed), at, 0)
    return b"".join([*parts, listed, end])


def header(version: str | None = "0.3.285", status: str = "success", **more: Any) -> dict[str, Any]:
    """A log without samples; `more` goes into what was evaluated, and what is called log_… into the log itself."""
    spec = {"task": TASK, "model": MODEL, "dataset": {"name": "made"}, "config": {}}
    spec["packages"] = {} if version is None else {"inspect_ai": version}
    own = {name.removeprefix("log_"): value for name, value in more.items() if name.startswith("log_")}
    spec |= {name: value for name, value in more.items() if not name.startswith("log_")}
    return {"version": 2, "status": status, "eval": spec, **own}


def sample(
    id: str | int = "q1", epoch: int = 1, value: Any = "C", scorer: str = "exact", **more: Any
) -> dict[str, Any]:
    """A sample as it stands in `samples/`; what begins with score_ goes into its score, `scores` replaces it."""
    own = {name.removeprefix("score_"): given for name, given in more.items() if name.startswith("score_")}
    scores = {scorer: {"value": value, "history": [], **own}}
    found = {
        "id": id, "epoch": epoch, "input": f"What is {id}?", "target": "it", "scores": scores,
        "messages": [{"role": "assistant", "content": f"{id} is it"}],
        "output": {"completion": f"{id} is it"},
    }  # fmt: skip
    return found | {name: given for name, given in more.items() if not name.startswith("score_")}


def summary(sample: dict[str, Any]) -> dict[str, Any]:
    """What Inspect's summary has of a sample."""
    found = {name: value for name, value in sample.items() if name not in ("messages", "output", "attachments")}
    if isinstance(found.get("error"), dict):
        found["error"] = found["error"]["message"]
    if isinstance(found.get("limit"), dict):
        found["limit"] = found["limit"]["type"]
    return found


def member_of(sample: dict[str, Any], method: int = ZSTD) -> Member:
    return Member(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample).encode(), method)


def eval_log(
    samples: Sequence[dict[str, Any]], about: dict[str, Any] | None = None, *, method: int = ZSTD,
    summaries: Sequence[dict[str, Any]] | None = None, finished: bool = True,
) -> bytes:  # fmt: skip
    """An `.eval` file. One that is not finished has a journal and no header."""
    about = header() if about is None else about
    rows = [summary(sample) for sample in samples] if summaries is None else summaries

    def member(name: str, content: Any) -> Member:
        return Member(name, json.dumps(content).encode(), method)

    start = member("_journal/start.json", {name: about[name] for name in ("version", "eval")})
    middle = [member_of(sample, method) for sample in samples]
    # Inspect writes them every few samples.
    few = [rows[at : at + JOURNALLED] for at in range(0, len(rows), JOURNALLED)]
    journal = [member(f"_journal/summaries/{at}.json", part) for at, part in enumerate(few, 1)]
    end = (
        [member("summaries.json", rows), member("reductions.json", []), member("header.json", about)]
        if finished
        else []
    )
    return archive([start, *middle, *journal, *end])


def json_log(samples: Sequence[dict[str, Any]], about: dict[str, Any] | None = None, indent: int | None = 2) -> bytes:
    """The same as one JSON object."""
    return json.dumps({**(header() if about is None else about), "samples": samples}, indent=indent).encode()
