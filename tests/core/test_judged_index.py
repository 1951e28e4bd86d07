"""Judged documents are found by hash, and told apart by their ids: also where the hashes are the same."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import binding, reference
from assay.core.binding import DUPLICATE, Problem

if binding.LIBRARY is None:
    pytest.skip("the native core is not built here", allow_module_level=True)

from assay.core import compiled

WORD = (1 << 64) - 1


def mixed(first: int) -> int:
    """What the hash of an id of 16 bytes makes of its first half, before the other half is added (ids.h)."""
    hash = ((0x9E3779B97F4A7C15 ^ 16 ^ first) * 0xBF58476D1CE4E5B9) & WORD
    return hash ^ (hash >> 29)


def id_of(first: int, last: int) -> bytes:
    """The id of 16 bytes that has these halves."""
    halves = [number.to_bytes(8, "little") for number in (first, last)]
    return halves[0][4:] + halves[1][:4] + halves[0][:4] + halves[1][4:]


def colliding(count: int) -> list[bytes]:
    """Different ids of 16 bytes with one hash."""
    rng, found = random.Random(7), [id_of(0x4142434445464748, 0x4142434445464748)]
    whole = mixed(0x4142434445464748) ^ 0x4142434445464748
    while len(found) < count:
        first = int.from_bytes(rng.choices(range(33, 127), k=8), "little")
        one = id_of(first, whole ^ mixed(first))
        if not any(byte <= 32 or byte == 35 for byte in one):
            found.append(one)
    return found


COLLIDING = colliding(40)


def test_they_have_one_hash() -> None:
    """Topics without judgments are counted by theirs: these count as one."""
    ranker = compiled.Ranker(compiled.Gold.read(b"1 0 d 1\n"))
    ranker.feed(b"".join(b"%s Q0 d 1 1 t\n" % topic for topic in COLLIDING))
    assert len(ranker.finish().ignored_topics()) == 1
    assert len(set(COLLIDING)) == 40


@pytest.mark.parametrize("many", [1, 2, 15, 16, 17, 33])
def test_documents_of_one_hash_are_told_apart(many) -> None:
    """Also where more of them stand in one bucket than are looked at in one go."""
    qrels = b"".join(b"1 0 %s %d\n" % (document, number % 3) for number, document in enumerate(COLLIDING[:many]))
    run = b"".join(b"1 Q0 %s 1 %d t\n" % (document, 90 - n) for n, document in enumerate(reversed(COLLIDING)))
    ranker = compiled.Ranker(compiled.Gold.read(qrels))
    ranker.feed(run)
    ranked = ranker.finish()
    assert ranked.pooled(0) == (list(range(41 - many, 41)), list(range(many - 1, -1, -1)))


def test_one_that_stands_twice_among_them_is_named() -> None:
    lines = [b"1 Q0 %s 1 %d t\n" % (document, 90 - n) for n, document in enumerate(COLLIDING)]
    ranker = compiled.Ranker(compiled.Gold.read(b"1 0 d 1\n"))
    ranker.feed(b"".join([*lines, lines[20]]))
    with pytest.raises(Problem) as twice:
        ranker.finish()
    assert (twice.value.code, twice.value.line, twice.value.other) == (DUPLICATE, 41, 21)


@given(
    st.lists(st.tuples(st.sampled_from([b"1", b"2", b"3"]), st.sampled_from(COLLIDING[:20] + [b"d%d" % n for n in range(30)])), max_size=60)
)  # fmt: skip
def test_the_first_repetition_of_a_gold_is_named_whatever_its_topic(rows) -> None:
    data = b"".join(b"%s 0 %s 1\n" % row for row in rows)
    found = []
    for module in (compiled, reference):
        try:
            gold = module.Gold.read(data)
            found.append([(topic, gold.documents(i)) for i, topic in enumerate(gold.topics)])
        except Problem as problem:
            found.append((problem.code, problem.line, problem.other, problem.text, problem.topic))
    assert found[0] == found[1]


def test_ids_of_every_length_in_topics_of_every_size() -> None:
    """Each found where it stands, and no other: ids of 1 to 40 bytes that differ in one byte, anywhere."""
    for count in (1, 2, 5, 70, 700):
        ids = [(b"%d-" % n).ljust(n % 40 + 5, b"x") for n in range(count)]
        changed = list(dict.fromkeys(one[: n % len(one)] + b"~" + one[n % len(one) + 1 :] for n, one in enumerate(ids)))
        ranker = compiled.Ranker(compiled.Gold.read(b"".join(b"q 0 %s 1\n" % one for one in ids)))
        ranker.feed(b"".join(b"q Q0 %s 1 %d t\n" % (one, 2000 - n) for n, one in enumerate([*changed, *ids])))
        others = len(changed)
        assert ranker.finish().pooled(0) == (list(range(others + 1, others + count + 1)), list(range(count)))


def test_ids_that_differ_in_length_alone() -> None:
    """Of one byte repeated, the first and last bytes are the same however long the id is."""
    letters = [bytes([letter]) for letter in range(33, 127) if letter != 35]
    qrels = b"".join(b"%s 0 %s 1\n" % (letter, letter * length) for letter in letters for length in range(2, 60, 2))
    run = b"".join(
        b"%s Q0 %s 1 %d t\n" % (letter, letter * length, 99 - length) for letter in letters for length in range(1, 60)
    )
    ranker = compiled.Ranker(compiled.Gold.read(qrels))
    ranker.feed(run)
    ranked = ranker.finish()
    assert all(ranked.pooled(topic) == (list(range(2, 60, 2)), list(range(29))) for topic in range(len(letters)))


@pytest.mark.parametrize(
    "named",
    [
        "%d",
        "d%07d",
        "FT401-%05d",
        "LA010190-%04d",
        "clueweb09-en0000-00-%05d",
        "%05d-AP880212",
        "WTX001-B01-%d",
        "a/%x",
    ],
)
def test_ids_that_differ_in_a_few_digits_are_spread_over_all_buckets(named) -> None:
    """A number modulo a power of 2 says where a document is looked for, and its first byte which of those there it may be."""
    ranker = compiled.Ranker(compiled.Gold.read(b"1 0 d 1\n"))
    ranker.feed("".join(f"{named % number} Q0 d 1 1 t\n" for number in range(1000, 5000)).encode())
    hashes = {hash & WORD for hash in ranker.finish().ignored_topics()}
    assert len(hashes) == 4000
    # By chance 4,000 fill 1,757 of 2,048 buckets, and hardly ever fewer than 1,700; the last bits of them, and the first.
    assert len({hash % 2048 for hash in hashes}) > 1700
    assert len({hash >> 53 for hash in hashes}) > 1700
