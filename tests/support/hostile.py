"""Files that nobody should have to read, and what each must be answered with.

A row is a content, the role it is given in, and a pattern of the message; every command that reads the role must give exit code
3 and that message, but for the commands named beside it.
"""

from __future__ import annotations

import bz2
import gzip
import lzma

DEEP = "[" * 60_000 + "]" * 60_000
DIGITS = "9" * 5000
QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n3 0 e 1\n4 0 f 1\n"
RUN = "1 Q0 a 1 2.0 t\n2 Q0 d 1 2.0 t\n2 Q0 c 2 1.0 t\n3 Q0 e 1 1.0 t\n4 Q0 f 1 1.0 t\n"
OTHER = "1 Q0 b 1 2.0 u\n1 Q0 a 2 1.0 u\n2 Q0 c 1 1.0 u\n3 Q0 x 1 1.0 u\n4 Q0 f 1 1.0 u\n"
GOLD = "".join(f'{{"id": "q{i}", "answers": ["x"]}}\n' for i in range(6))
ANSWERS = "".join(f'{{"id": "q{i}", "answer": "{"xy"[i % 2]}", "confidence": 0.{i + 1}}}\n' for i in range(6))
MATRIX = "topic,a,b\n1,0.5,1\n2,1,0.2\n3,0.4,0.3\n4,0.1,0.3\n"
TOML = '[t]\norganisation = "TNO"\n'

ROLES = {
    "run": ("qrels RUN other", ("evaluate", "compare", "reliability", "report", "plan", "trec_eval")),
    "qrels": ("QRELS run other", ("evaluate", "compare", "reliability", "report", "plan", "trec_eval")),
    "answers": ("gold ANSWERS", ("evaluate", "compare", "threshold", "report", "plan", "reliability")),
    "gold": ("GOLD answers", ("evaluate", "compare", "threshold", "report", "plan", "reliability")),
    "scores": ("--scores SCORES", ("evaluate", "compare", "reliability", "report", "plan")),
    "characteristics": (
        "qrels run other --characteristics TOML",
        ("evaluate", "report"),
    ),
}
"""Role → the words after a command, the hostile file in capitals; and the commands that read it."""

EXTRA = {"plan": ["--difference", "0.1"], "reliability": ["--trials", "5"], "report": ["--trials", "0"]}

Answer = tuple[int, str]


def rows() -> list[tuple[str, str, bytes, str, dict[str, Answer]]]:
    """(role, name, content, pattern, exceptions)"""
    found: list[tuple[str, str, bytes, str, dict[str, Answer]]] = []

    def add(role: str, name: str, content: str | bytes, pattern: str, **exceptions: Answer) -> None:
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        found.append((role, name, data, pattern, exceptions))

    for role, good in (("run", RUN), ("qrels", QRELS), ("answers", ANSWERS), ("gold", GOLD), ("scores", MATRIX)):
        data = good.encode()
        add(role, "cut gzip", gzip.compress(data, mtime=0)[:-9], "the gzip data is damaged: ends too early")
        add(role, "cut xz", lzma.compress(data)[:-9], "the xz data is damaged: ends too early")
        add(role, "cut bz2", bz2.compress(data)[:-9], "the bz2 data is damaged: ends too early")
        add(role, "rotten gzip", gzip.compress(data, mtime=0)[:12] + b"\xff" * 40, "the gzip data is damaged")
        add(role, "rotten zstd", b"\x28\xb5\x2f\xfd" + b"\xff" * 40, "zstd")
        add(role, "empty", "", "is empty|holds no")
        add(role, "blank", "\n \n\t\n", "is empty|holds no|expected")
        add(role, "zero bytes", b"\0" * 999, "zero byte|:1: broken JSON")
        add(role, "a program", b"\x7fELF\x02\x01\x01\0\0\0\n\xff\xfe", "zero byte|UTF-8|:1: broken JSON")
        add(role, "UTF-16", good.encode("utf-16"), "zero byte|UTF-8|expected")
        add(role, "JSON 60,000 deep", f'{{"1": {DEEP}}}', "nested too deeply|JSON")
        add(role, "a number of 5,000 digits", f'{{"1": {{"a": {DIGITS}}}}}', "thousands of digits|JSON")
        add(role, "cut JSON", '{"1": {"a": 1', "JSON")
        add(role, "a list", "[1, 2, 3]\n", "expected|has no list of runs|is not in hostile")
        add(role, "prose", "It was a dark and stormy night; the rain fell in torrents.\n", "expected|:1: no column for")
        add(role, "a page of the web", "<!DOCTYPE html>\n<html><body>404</body></html>\n", "expected")
    _ranked(add)
    _answers(add)
    _scores(add)
    for name, content, pattern in (
        ("broken", "[t\n", ":1: is not TOML"),
        ("keys 900 deep", ".".join("a" * 900) + " = 1\n", "more than 20 keys or brackets deep"),
        ("a table 900 deep", f"[{'.'.join('a' * 900)}]\nb = 1\n", "more than 20 keys or brackets deep"),
        ("brackets 60,000 deep", f"x = {DEEP}\n", "too deep to read"),
        ("a number of 5,000 digits", f"x = {DIGITS}\n", "a number of thousands of digits"),
        ("a hexadecimal one", f"x = 0x{'f' * 9000}\n", "more than 64 bits"),
        ("not a number", "[t]\nx = nan\n", "expected a finite number"),
        ("not UTF-8", b'[t]\nx = "\xff"\n', "not UTF-8"),
        ("empty", "", "is empty"),
        ("zero bytes", b"\0\0", "is not TOML"),
    ):
        add("characteristics", name, content, pattern)
    return found


def _ranked(add) -> None:
    anything = (0, "")
    add("run", "five fields", "1 Q0 a 1 2.0\n", r":1: expected 6 fields .* found 5")
    add("run", "seven fields", "1 Q0 a 1 2.0 t extra\n", r":1: expected 6 fields .* found 7", trec_eval=anything)
    add("run", "words for scores", "1 Q0 a 1 high t\n", r":1: expected a number as score .* found 'high'")
    add("run", "NaN", "1 Q0 a 1 nan t\n", r":1: expected a number as score")
    add("run", "a document twice", "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n", r":2: document a appears a second time")
    add("run", "other topics", "999 Q0 a 1 2 t\n", "no topic in common|no topics with both")
    add("run", "a list of numbers for a topic", '{"1": [1.5]}', "topic 1: found 1.5 as an id")
    add("run", "a key twice", '{"1": {"a": 1, "a": 2}}', "the key 'a' appears twice")
    add("run", "a lone surrogate", '{"1": {"a\\ud800": 1}}', "half a character")
    add("qrels", "three fields", "1 0 a\n", r":1: expected 4 fields .* found 3")
    add("qrels", "a grade of 0.5", "1 0 a 0.5\n", r":1: expected a whole number as grade .* found '0.5'")
    add("qrels", "a grade of 5,000 digits", f"1 0 a {DIGITS}\n", r":1: expected a whole number as grade")
    add("qrels", "a document twice", "1 0 a 1\n1 0 a 0\n", r":2: document a appears a second time")
    add(
        "qrels",
        "a number for a topic",
        '{"1": 3}',
        r"found JSON with 1|topic 1: expected a mapping from document to grade, found int",
    )
    add("qrels", "grades beyond 32 bits", '{"1": {"a": 1e12}}', "expected a whole number as grade")


def _answers(add) -> None:
    one = '{"id": "q0", "answer": "x", "confidence": 0.5}\n'
    add("answers", "a question twice", one + one, r":2: .*q0.*(twice|already|second)")
    add("answers", "an unknown question", '{"id": "zz", "answer": "x", "confidence": 0.5}\n', "'zz', which is not in")
    add("answers", "a confidence of 7", '{"id": "q0", "answer": "x", "confidence": 7}\n', r":1: .*confidence")
    add("answers", "a confidence in words", '{"id": "q0", "answer": "x", "confidence": "high"}\n', r":1: ")
    add("answers", "an answer of lists", '{"id": "q0", "answer": [[1]]}\n', r":1: ")
    add("answers", "no id", '{"answer": "x"}\n', r":1: .*id")
    add("answers", "not UTF-8", b'{"id": "q0", "answer": "\xff"}\n', r":1: broken JSON")
    add("gold", "a question twice", '{"id": "q0", "answers": ["x"]}\n' * 2, r":2: .*q0.*(twice|already|second)")
    add("gold", "no id", '{"answers": ["x"]}\n', r"expected right answers \(JSONL with id and answers|:1: .*`id`")
    add("gold", "answers of numbers within lists", '{"id": "q0", "answers": [[1]]}\n', r":1: ")
    add("gold", "a pattern that is none", '{"id": "q0", "patterns": ["("]}\n', r"q0|:1: ")
    add(
        "gold",
        "extra brackets 60,000 deep",
        f'{{"id": "q0", "answers": ["x"], "more": {DEEP}}}\n',
        r":1: .*nested too deeply",
    )
    add("gold", "not UTF-8", b'{"id": "q0", "answers": ["\xff"]}\n', r":1: broken JSON")


def _scores(add) -> None:
    add("scores", "a word for a score", "topic,a,b\n1,high,1\n", r":2: run a: expected a number.*'high'")
    add("scores", "infinite", "topic,a,b\n1,inf,1\n", r":2: run a: expected a number")
    add("scores", "a score of 5,000 digits", f"topic,a,b\n1,{DIGITS},1\n", r":2: run a: expected a number")
    add("scores", "a short line", "topic,a,b\n1,2\n", r":2: expected 3")
    add("scores", "a topic twice", "topic,a,b\n1,2,3\n1,2,3\n", r":3: topic 1")
    add("scores", "a run twice", "topic,a,a\n1,2,3\n", r":1: .*a")
    add("scores", "a quotation without end", 'topic,a,b\n"1,2,3\n', "broken CSV|expected")
    add("scores", "a score that is not UTF-8", b"topic,a,b\n1,\xff,2\n", r":2: run a: expected a number")
    add("scores", "runs 60,000 deep", f'{{"runs": [{DEEP}]}}', "nested too deeply")
    add(
        "scores",
        "runs of 5,000 digits",
        f'{{"runs": [{{"run": "a", "topics": {{"1": {{"AP": {DIGITS}}}}}}}]}}',
        "digits",
    )
    add("scores", "runs without topics", '{"runs": [{"run": "a"}]}', "has no scores per topic")
    add("scores", "a damaged Parquet file", b"PAR1" + b"\xff" * 99, "not readable as Parquet")
