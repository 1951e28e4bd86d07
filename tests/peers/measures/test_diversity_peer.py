"""Diversity against ndeval, the program of the TREC Web track, as pyndeval packs it, and against ir_measures, which asks it."""

from __future__ import annotations

import lzma
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from peers import peer

pytestmark = pytest.mark.peer

pyndeval = peer("pyndeval")

CUTS = (2, 3, 5, 10, 20)
CUT_MEASURES = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")
MEASURES = [*(f"{name}@{cut}" for name in CUT_MEASURES for cut in CUTS), "NRBP", "nNRBP", "MAP-IA"]
ALPHA, BETA = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "NRBP", "nNRBP"), ("NRBP", "nNRBP")


def written(name: str, alpha: float, beta: float, rel: int) -> str:
    """A measure of ndeval's with the choices that are ndeval's options."""
    base, at, cut = name.partition("@")
    given = {"alpha": alpha} if base in ALPHA else {}
    given |= {"beta": beta} if base in BETA else {}
    return f"{base}({','.join(f'{key}={value}' for key, value in {**given, 'rel': rel}.items())}){at}{cut}"


def assert_agree(judged, run, alpha=0.5, beta=0.5, rel=1, measures=MEASURES) -> None:
    """`judged` are (topic, subtopic, document, grade), `run` {topic: {document: score}} without ties."""
    ndeval = pyndeval.RelevanceEvaluator(judged, measures, relevance_level=rel, alpha=alpha, beta=beta)
    theirs = ndeval.evaluate([(topic, d, score) for topic, found in run.items() for d, score in found.items()])
    gold: dict[str, dict[str, dict[str, int]]] = {}
    for topic, subtopic, document, grade in judged:
        gold.setdefault(topic, {}).setdefault(subtopic, {})[document] = grade
    names = {name: written(name, alpha, beta, rel) for name in measures}
    scores = assay.evaluate(gold, {"r": run}, list(names.values()))
    for topic, values in theirs.items():
        for name, value in values.items():
            ours = scores.values(names[name], "r")[topic]
            if ours is None:  # no document is relevant to anything: 0 for ndeval, and 0/0 for its nNRBP
                assert value == 0 or value != value
            else:
                assert ours == pytest.approx(value, abs=1e-9), (topic, name)


@st.composite
def collection(draw: st.DrawFn):
    """Judgments by subtopic, in the order of the subtopics as ndeval numbers them, and a run."""
    judged = []
    topics = [str(topic) for topic in range(draw(st.integers(1, 3)))]
    for topic in topics:
        for document in draw(st.sets(st.integers(0, 14), min_size=1)):
            graded = draw(st.dictionaries(st.integers(0, 12), st.integers(-1, 3), min_size=1, max_size=5))
            judged += [(topic, str(subtopic), f"d{document:02}", grade) for subtopic, grade in graded.items()]
    judged.sort(key=lambda row: int(row[1]))
    run = {}
    for topic in topics:
        order = draw(st.permutations(range(25)))[: draw(st.integers(1, 25))]
        run[topic] = {f"d{document:02}": float(-rank) for rank, document in enumerate(order)}
    return judged, run


SHARES = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0])


@settings(max_examples=200, deadline=None)
@given(collection(), SHARES, st.sampled_from([0.1, 0.5, 0.8]), st.integers(1, 3))
def test_made_collections(made, alpha, beta, rel) -> None:
    assert_agree(*made, alpha, beta, rel)


@pytest.fixture(scope="module")
def web_2013(shared_data):
    text = lzma.decompress(shared_data("ir_oracles", "qrels.web2013.diversity.txt.xz").read_bytes())
    return [(t, s, d, int(grade)) for t, s, d, grade in (line.split() for line in text.decode().splitlines())]


def made_run(judged, seed: int, skill: float) -> dict[str, dict[str, float]]:
    """A run of what was judged, the better the more subtopics it is relevant to, and of as much that nobody judged."""
    draw = random.Random(seed)
    worth: dict[str, dict[str, float]] = {}
    for topic, _, document, grade in judged:
        found = worth.setdefault(topic, {})
        found[document] = found.get(document, 0.0) + skill * (grade > 0)
    run = {}
    for topic, documents in sorted(worth.items()):
        known = {**documents, **{f"nobody-{n}": 0.0 for n in range(len(documents))}}
        scores = {document: value + draw.gauss(0, 1) for document, value in known.items()}
        run[topic] = dict(sorted(scores.items(), key=lambda item: -item[1])[: draw.choice([3, 20, 1000])])
    return run


@pytest.mark.parametrize(("seed", "skill"), [(1, 0.0), (2, 0.5), (3, 2.0)])
def test_the_web_track_of_2013(web_2013, seed: int, skill: float) -> None:
    assert len({topic for topic, *_ in web_2013}) == 50
    assert_agree(web_2013, made_run(web_2013, seed, skill))


def test_the_web_track_of_2013_with_other_choices(web_2013) -> None:
    assert_agree(web_2013, made_run(web_2013, 4, 1.0), alpha=0.3, beta=0.8, rel=2)


def test_the_names_of_ir_measures_mean_the_same(web_2013) -> None:
    ir_measures = peer("ir_measures")
    names = [
        "alpha_nDCG@20", "α_nDCG@10", "alpha_nDCG(alpha=0.3,rel=2)@5", "alpha_DCG@20", "ERR_IA@20", "nERR_IA@10", "NRBP",
        "nNRBP(alpha=0.2,beta=0.8)", "AP_IA", "MAP_IA(rel=2)", "P_IA@10", "StRecall@10",
    ]  # fmt: skip
    measures = {name: ir_measures.parse_measure(name) for name in names}
    run = made_run(web_2013, 5, 1.0)
    qrels = [ir_measures.Qrel(topic, d, grade, subtopic) for topic, subtopic, d, grade in web_2013]
    scored = [ir_measures.ScoredDoc(topic, d, score) for topic, found in run.items() for d, score in found.items()]
    lines = "".join(f"{t} {s} {d} {grade}\n" for t, s, d, grade in web_2013).encode()
    ours = assay.evaluate(lines, {"r": run}, names, task="diversity")
    for name, measure in measures.items():
        # One at a time: asked for several choices of α, β or rel at once, ir_measures 0.4 gives 0 for all but the first.
        theirs = ir_measures.pyndeval.calc_aggregate([measure], qrels, scored)
        assert ours[name]["r"] == pytest.approx(theirs[measure], abs=1e-9), name


class TestWhereTheyDiffer:
    """What docs/diversity.md says of ndeval; should it change there, this says so."""

    def test_ndeval_does_not_normalise_the_first_rank(self) -> None:
        judged = [("1", "1", "a", 1), ("1", "2", "a", 1), ("1", "3", "b", 1)]
        names = ["alpha-DCG@1", "ERR-IA@1", "alpha-nDCG@1", "nERR-IA@1"]
        theirs = pyndeval.ndeval(judged, [("1", "a", 1.0)], names)["1"]
        assert [theirs[name] for name in names] == [2.0, 2.0, 1.0, 1.0]
        scores = assay.evaluate({"1": {"1": {"a": 1}, "2": {"a": 1}, "3": {"b": 1}}}, {"r": {"1": {"a": 1.0}}}, names)
        assert [scores[name]["r"] for name in names] == [pytest.approx(2 / 3), pytest.approx(2 / 3), 1.0, 1.0]

    def test_pyndeval_breaks_ties_the_other_way(self) -> None:
        judged = [("1", "1", "a", 1), ("1", "2", "a", 0), ("1", "2", "c", 1)]
        tied = [("1", "a", 1.0), ("1", "b", 1.0)]
        assert pyndeval.ndeval(judged, tied, ["MAP-IA"])["1"]["MAP-IA"] == 0.5
        gold = {"1": {"1": {"a": 1}, "2": {"a": 0, "c": 1}}}
        assert assay.evaluate(gold, {"r": {"1": {"a": 1.0, "b": 1.0}}}, "MAP-IA")["MAP-IA"]["r"] == 0.25


def test_under_ir_measures_as_pyndeval_under_it(web_2013) -> None:
    ir_measures = peer("ir_measures")
    from assay.integrations import ir_measures as under

    names = [
        "alpha_nDCG(alpha=0.3)@20",
        "alpha_DCG@5",
        "ERR_IA@10",
        "nERR_IA@20",
        "NRBP",
        "nNRBP",
        "AP_IA",
        "P_IA@10",
        "StRecall@5",
    ]
    qrels = [ir_measures.Qrel(topic, d, grade, subtopic) for topic, subtopic, d, grade in web_2013]
    run = made_run(web_2013, 6, 1.0)
    run.pop(next(iter(run)))
    for measure in map(ir_measures.parse_measure, names):
        theirs, ours = (
            {one.query_id: one.value for one in provider.iter_calc([measure], qrels, run)}
            for provider in (ir_measures.pyndeval, under.PROVIDER)
        )
        assert ours == pytest.approx(theirs, abs=1e-9)
