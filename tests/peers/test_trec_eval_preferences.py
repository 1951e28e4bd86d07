"""The digits trec_eval 10.0 prints for `-R prefs`, `-R qrels_prefs` and `-R qrels_jg`."""

from __future__ import annotations

import pytest

from assay.formats.ranked.preferences import preference_rows, qrels_preference_rows
from assay.io.sources import Source
from assay.measures.registry import declarations, find
from assay.tasks.preferences import JudgmentGroupGold, PreferenceGold


def read_preferences(data: bytes, name: str) -> PreferenceGold:
    return PreferenceGold(preference_rows(Source(name, data=data)), name)


def read_qrels_preferences(data: bytes, name: str) -> PreferenceGold:
    return PreferenceGold(qrels_preference_rows(Source(name, data=data)), name)


def read_judgment_groups(data: bytes, name: str, level: int = 1, judged_only: bool = False):
    return JudgmentGroupGold(Source(name, data=data), level, judged_only)


pytestmark = pytest.mark.peer

CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
MULTIPLES = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]
PREFERENCES = [find(declaration.name, "preferences") for declaration in declarations("preferences")]
JUDGMENT_GROUPS = [
    find(name, "judgment-groups")
    for name in ["map_avgjg", *(f"P_avgjg_{k}" for k in CUTOFFS), *(f"Rprec_mult_avgjg_{m:.2f}" for m in MULTIPLES)]
]


def preference_ranks(scores: dict[str, float], depth: int | None = None) -> dict[str, int]:
    """Rank of each document by score, ties by id ascending, as trec_eval has it for preferences."""
    order = sorted(scores, key=lambda document: (-scores[document], document.encode()))
    return {document: rank for rank, document in enumerate(order[:depth], start=1)}


def read_run(data: bytes) -> dict[str, dict[str, float]]:
    run: dict[str, dict[str, float]] = {}
    for line in data.decode().splitlines():
        topic, _, document, _, score, _ = line.split()
        run.setdefault(topic, {})[document] = float(score)
    return run


def ordinary_ranks(scores: dict[str, float], depth: int | None = None) -> dict[str, int]:
    """Score descending, then document id descending."""
    order = sorted(scores, key=lambda document: (scores[document], document.encode()), reverse=True)
    return {document: rank for rank, document in enumerate(order[:depth], start=1)}


def printed(value: float | None, average: str) -> str:
    return f"{value or 0:d}" if average == "sum" else f"{value or 0:.4f}"


def scored(gold, run, measures, ranked) -> list[tuple[str, str, str]]:
    """What `trec_eval -q` prints, as name, topic and value, without the rows of runid and num_q."""
    rows: list[tuple[str, str, str]] = []
    values: dict[str, list[float]] = {str(measure): [] for measure in measures}
    for topic in gold.topics:
        ranks = ranked(run[topic])
        view = gold.view(topic, ranks, len(ranks))
        for measure in measures:
            value = measure(view)
            values[str(measure)].append(value or 0)
            rows.append((str(measure), topic, printed(value, measure.average)))
    for measure in measures:
        total = sum(values[str(measure)])
        mean = total if measure.average == "sum" else total / len(gold.topics)
        rows.append((str(measure), "all", printed(mean, measure.average)))
    return rows


def expected(text: str) -> list[tuple[str, str, str]]:
    rows = [tuple(line.split()) for line in text.splitlines()]
    return [(name, topic, value) for name, topic, value in rows if name not in ("runid", "num_q")]


@pytest.mark.parametrize(
    ("output", "judgments", "run", "read", "measures", "ranked"),
    [
        ("out.test.prefs", "prefs.test", "prefs.results.test", read_preferences, PREFERENCES, preference_ranks),
        ("out.test.prefs", "prefs.comment.test", "prefs.results.test", read_preferences, PREFERENCES, preference_ranks),
        ("out.test.qrels_prefs", "qrels.test", "results.test", read_qrels_preferences, PREFERENCES, preference_ranks),
        ("out.test.qrels_jg", "qrels.123", "results.test", read_judgment_groups, JUDGMENT_GROUPS, ordinary_ranks),
        (
            "out.test.qrels_jg",
            "qrels.comments.123",
            "results.test",
            read_judgment_groups,
            JUDGMENT_GROUPS,
            ordinary_ranks,
        ),
    ],
    ids=["prefs", "prefs with comments", "qrels_prefs", "qrels_jg", "qrels_jg with comments"],
)
def test_the_official_expected_files(shared_data, output, judgments, run, read, measures, ranked):
    folder = shared_data("trec_eval_tests")
    gold = read((folder / judgments).read_bytes(), judgments)
    got = scored(gold, read_run((folder / run).read_bytes()), measures, ranked)
    assert got == expected((folder / output).read_text())


# The figures below were printed by trec_eval 10.0 for these very files.
PREFS = b"""\
q1 ann 1 a 3
q1 ann 1 b 2
q1 ann 1 c 2
q1 ann 1 d 0
q1 ann 1 e 0
q1 ann 1 f 0
q1 ann 1 g 0
q1 bob 1 a 1
q1 bob 1 b 2
q1 bob 2 b 4
q1 bob 2 e 0
q1 bob 3 c 3
q1 bob 3 e 0
q1 cyd 1 b 1
q1 cyd 1 a 5
q1 cyd 1 d 0
"""
QRELS_JG = b"""\
q1 ann a 2
q1 ann b 1
q1 ann d 0
q1 ann f 3
q1 ann h 2
q1 bob a 0
q1 bob b 2
q1 bob e 1
q1 bob u -1
"""
RUN = {"e": 9.5, "b": 7.0, "a": 7.0, "u": 6.0, "d": 5.0, "f": 4.0}
"""a and b are tied: preferences put a first, judgment groups b."""


@pytest.mark.parametrize(
    ("depth", "figures"),
    [
        (
            None,
            "20 11 8 0.5500 0.5476 0.5238 0.6119 0.6667 0.6667 0.5714 0.5879 0.5789 0.5897 0.5385",
        ),
        (
            3,
            "20 11 2 0.5500 0.5476 0.5238 0.5974 0.3333 0.2222 0.4444 0.6333 0.6471 0.6970 0.5758",
        ),
    ],
)
def test_preferences_with_subgroups_ties_and_unretrieved_documents(depth: int | None, figures: str):
    view = read_preferences(PREFS, "prefs").view("q1", preference_ranks(RUN, depth), len(RUN))
    assert [printed(measure(view), measure.average) for measure in PREFERENCES] == figures.split()


@pytest.mark.parametrize(
    ("options", "depth", "figures"),
    [
        ({}, None, "0.7083 0.7500 0.4000 0.7500 0.7500 0.4375"),
        ({"level": 2}, None, "0.3611 0.2500 0.2000 0.0000 0.1667 0.4167"),
        ({"judged_only": True}, None, "0.8438 1.0000 0.5000 1.0000 0.8750 0.4375"),
        ({}, 3, "0.6458 0.7500 0.4000 0.7500 0.7500 0.3750"),
    ],
    ids=["plain", "-l2", "-J", "-M3"],
)
def test_judgment_groups_with_options(options: dict[str, int], depth: int | None, figures: str):
    names = ["map_avgjg", "P_avgjg_2", "P_avgjg_5", *(f"Rprec_mult_avgjg_{m}" for m in ("0.5", "1.0", "2.0"))]
    ranks = ordinary_ranks(RUN, depth)
    view = read_judgment_groups(QRELS_JG, "qrels", **options).view("q1", ranks, len(ranks))
    assert [f"{find(name, 'judgment-groups')(view):.4f}" for name in names] == figures.split()


def test_a_missing_topic_is_one_that_retrieved_nothing_judged():
    """`-c` prints for a topic the run lacks: one preference possible, none fulfilled, every ratio 0."""
    view = read_preferences(b"u g s a 1\nu g s b 0\n", "prefs").view("u", {}, 1)
    assert [printed(measure(view), measure.average) for measure in PREFERENCES] == ["1", "0", "0"] + ["0.0000"] * 11
