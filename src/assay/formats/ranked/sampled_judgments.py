"""Judgments of a sample: how likely each document was to be judged, or which stratum it was drawn from.

    read by             fields
    prels_rows          topic  document  grade  method  probability      statAP (the Million Query and Web tracks)
    strata_rows         topic  0  document  stratum  grade               sample_eval (TRECVID, clinical and chemical tracks)

A grade of -1 in the second means pooled, and not drawn. As in qrels, blank lines and lines that begin with `#` are skipped.
"""

from __future__ import annotations

from assay.errors import InputError
from assay.formats.lines import judgment_lines, parse_number
from assay.formats.recognition import reads
from assay.io.heads import Head
from assay.io.sources import Source

NOT_SAMPLED = -999
"""The grade in prels of a document that no method selected."""
WITHOUT_CHANCE = {0, 2}
"""Methods of prels that judge a document independently of the sample: the minimal test collection of the Million Query track."""

MIN_PROBABILITY = 1e-100
"""The smallest probability: the weight 1/p of a document must be finite."""

Drawn = tuple[int, str | None, float | None]
"""A document of a sampled pool: its grade, below 0 where it was not drawn, its stratum, and the probability that it was drawn."""
Pools = dict[str, dict[str, Drawn]]


def _prels(head: Head) -> bool:
    """a first line of 5 fields: topic, document (no whole number), grade, method from 0 to 4, and a probability or NA."""
    if len(head.words) != 5:
        return False
    _, document, grade, method, chance = head.words
    return not _whole(document) and _whole(grade) and method in b"0 1 2 3 4".split() and _chance(chance)


def _strata(head: Head) -> bool:
    """a first line of 5 fields: topic, 0 or Q0, document (no whole number), stratum and grade (whole numbers)."""
    return (
        len(head.words) == 5
        and head.words[1] in (b"0", b"Q0")
        and not _whole(head.words[2])
        and all(map(_whole, head.words[3:]))
    )


def _whole(word: bytes) -> bool:
    return word.removeprefix(b"-").isdigit()


def _chance(word: bytes) -> bool:
    return word == b"NA" or 0.0 <= parse_number(word.decode(errors="replace")) <= 1.0


@reads(
    "prels",
    role="gold",
    task="sampled",
    yields="judgments with the probability of each",
    recognises=_prels,
    shapes="text",
    after=("qrels",),
)
def prels_rows(source: Source) -> Pools:
    """Return topic -> document -> judgment, of judgments with the probability of each.

    >>> from assay.io.sources import Source
    >>> prels_rows(Source("prels", data=b"1 d1 1 1 0.25\\n1 d2 0 0 0.5\\n"))["1"]["d1"]
    (1, None, 0.25)
    """
    pools: Pools = {}
    for line, (topic, document, grade, method, chance) in judgment_lines(
        source, "topic document grade method probability"
    ):
        value = _number(grade, source, line, 3, "grade")
        way = _number(method, source, line, 4, "method")
        pool = pools.setdefault(topic, {})
        if value <= NOT_SAMPLED or chance == "NA":
            continue
        probability = 1.0 if way in WITHOUT_CHANCE else _probability(chance, source, line)
        _add(pool, document, (max(value, 0), None, probability), source, line)
    return pools


@reads(
    "strata",
    role="gold",
    task="sampled",
    yields="judgments of a sample in strata",
    recognises=_strata,
    shapes="text",
    after=("qrels",),
)
def strata_rows(source: Source) -> Pools:
    """Return topic -> document -> judgment; the probability is the share of the stratum that was drawn.

    >>> from assay.io.sources import Source
    >>> strata_rows(Source("strata", data=b"1 0 d1 2 1\\n1 0 d2 2 -1\\n"))["1"]
    {'d1': (1, '2', 0.5), 'd2': (-1, '2', None)}
    """
    pools: Pools = {}
    for line, (topic, _, document, stratum, grade) in judgment_lines(source, "topic 0 document stratum grade"):
        value = _number(grade, source, line, 5, "grade")
        _add(pools.setdefault(topic, {}), document, (max(value, -1), stratum, None), source, line)
    return {topic: _with_probabilities(pool) for topic, pool in pools.items()}


def _with_probabilities(pool: dict[str, Drawn]) -> dict[str, Drawn]:
    of, drawn = dict[str | None, int](), dict[str | None, int]()
    for grade, stratum, _ in pool.values():
        of[stratum] = of.get(stratum, 0) + 1
        drawn[stratum] = drawn.get(stratum, 0) + (grade >= 0)
    return {
        document: (grade, stratum, drawn[stratum] / of[stratum] if grade >= 0 else None)
        for document, (grade, stratum, _) in pool.items()
    }


def _number(text: str, source: Source, line: int, field: int, what: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise source.error(line, f"expected a {what} (a whole number) in field {field}, found {text!r}")
    return int(text)


def _probability(text: str, source: Source, line: int) -> float:
    value = parse_number(text)
    if not MIN_PROBABILITY <= value <= 1.0:
        expected = "the probability that the document was drawn, above 0 and at most 1, or NA"
        raise source.error(line, f"expected {expected} in field 5, found {text!r}")
    return value


def _add(pool: dict[str, Drawn], document: str, drawn: Drawn, source: Source, line: int) -> None:
    if document in pool:
        raise source.error(line, f"document {document} appears a second time in its topic; keep one line")
    pool[document] = drawn


def written_prels(pools: Pools) -> str:
    """Write the drawn documents as `prels_rows` reads them, all by method 1, that of statAP.

    >>> print(written_prels({"1": {"d1": (2, "1", 0.25), "d2": (-1, "1", None)}}), end="")
    1 d1 2 1 0.25
    """
    return "".join(
        f"{_word(topic)} {_word(document)} {grade} 1 {probability!r}\n"
        for topic, pool in pools.items()
        for document, (grade, _, probability) in pool.items()
        if probability is not None
    )


def written_strata(pools: Pools) -> str:
    """Write every document of the pool as `strata_rows` reads it, with a grade of -1 where it was not drawn.

    >>> print(written_strata({"1": {"d1": (2, "1", 0.5), "d2": (-1, "1", None)}}), end="")
    1 0 d1 1 2
    1 0 d2 1 -1
    """
    return "".join(
        f"{_word(topic)} 0 {_word(document)} {stratum} {grade}\n"
        for topic, pool in pools.items()
        for document, (grade, stratum, _) in pool.items()
    )


def _word(id: str) -> str:
    if id.split() != [id] or id.startswith("#"):
        raise InputError(f"{id!r}: contains a blank or begins with #; prels and strata cannot represent such an id")
    return id
