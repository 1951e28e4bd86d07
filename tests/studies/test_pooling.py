"""Which documents are judged."""

from __future__ import annotations

import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.errors import AssayError, InputError, UsageError

RUNS = {
    "one": {"q": {"a": 4, "b": 3, "c": 2, "d": 1}},
    "two": {"q": {"e": 4, "b": 3, "f": 2}},
    "three": {"q": {"g": 4, "b": 3}},
}


def taken(*given, **more):
    return sorted(assay.pool(*given, **more).topics["q"])


def test_the_first_of_every_run():
    assert taken(RUNS, depth=1) == ["a", "e", "g"]
    assert taken(RUNS, depth=2) == ["a", "b", "e", "g"]
    assert taken(RUNS) == list("abcdefg")


def test_a_budget_takes_what_comes_first():
    assert set(taken(RUNS, budget=4)) == set("aegb")
    assert set(taken(RUNS, budget=2)) < set("aeg")
    # b: 3 · 0.2 · 0.8; a, e and g: 0.2 each
    assert taken(RUNS, strategy="rbp", budget=1) == ["b"]
    assert taken(RUNS, strategy="rbp", p=0.1, budget=3) == ["a", "e", "g"]


def test_what_is_judged_is_not_asked_for_again():
    assert taken(RUNS, depth=2, exclude={"q": {"a": 0, "b": 1, "e": -1}}) == ["e", "g"]
    assert taken(RUNS, depth=2, exclude=[{"q": {"a": 0}}, {"q": {"b": 1}}]) == ["e", "g"]
    made = assay.pool(RUNS, depth=2, budget=1, exclude={"q": {"a": 0, "b": 1, "z": 1}})
    assert (made.sizes, made.excluded, made.documents) == ({"q": 4}, {"q": 2}, 1)


def test_moving_to_the_front_follows_what_is_relevant():
    relevant = {"q": {"a": 1, "b": 1, "c": 1, "d": 1}}
    found = taken(RUNS, strategy="mtf", budget=6, grades=relevant)
    assert set("abcd") < set(found)
    # steered by what was judged before, which is not taken again: run one has nothing left
    assert set(taken(RUNS, strategy="mtf", budget=2, exclude=relevant)) <= {"e", "f", "g"}
    none = taken(RUNS, strategy="mtf", budget=3)
    assert none == ["a", "e", "g"]


def test_so_many_runs_of_a_team():
    whose = {"one": {"team": "x"}, "two": {"team": "x"}, "three": {"team": "y"}}
    made = assay.pool(RUNS, depth=1, characteristics=whose, runs_per_team=1)
    assert (sorted(made.topics["q"]), made.runs, made.teams) == (["a", "g"], 2, 2)
    whose["one"]["priority"], whose["two"]["priority"] = 2, 1
    assert taken(RUNS, depth=1, characteristics=whose, runs_per_team=1) == ["e", "g"]
    assert taken(RUNS, depth=1, team_from="t", runs_per_team=1) == ["a", "e"]


def test_a_sample_in_strata_with_what_was_judged_before():
    made = assay.pool(RUNS, strategy="sample", strata=[(1, 1), (4, 0.5)], exclude={"q": {"a": 1}})
    assert made.drawn is not None
    assert made.drawn["q"]["a"] == ("0", 1.0)
    assert {"e", "g"} < set(made.topics["q"]) < set("ebgcdf")
    assert len(made.topics["q"]) == 4
    assert assay.pool(RUNS, strategy="sample", depth=3).settings["strata"] == "3:1"
    assert assay.pool(RUNS, strategy="sample").settings["strata"] == "20:1,100:0.2"


@settings(max_examples=25)
@given(st.permutations(list(RUNS)), st.sampled_from(["depth", "rbp", "mtf", "sample"]), st.integers(0, 5))
def test_neither_the_order_of_runs_nor_other_topics_change_a_pool(order, strategy, seed):
    first = assay.pool(
        RUNS, strategy=strategy, budget=5, seed=seed, **({"strata": "1:1,4:.3"} if strategy == "sample" else {})
    )
    more = {run: {"p": {"z": 1}, **RUNS[run]} for run in order}
    second = assay.pool(
        more, strategy=strategy, budget=5, seed=seed, **({"strata": "1:1,4:.3"} if strategy == "sample" else {})
    )
    assert first.topics["q"] == second.topics["q"]


def test_a_seed_is_an_order():
    """The generator is `assay.random`, whose streams tests/test_random.py holds to published values."""
    orders = {tuple(assay.pool(RUNS, seed=seed).topics["q"]) for seed in range(20)}
    assert len(orders) > 15
    assert assay.pool(RUNS, seed=3).topics == assay.pool(RUNS, seed=3).topics


def test_statap_of_judged_samples_is_ap_on_average():
    """inum_rel is a Horvitz-Thompson estimate, exactly unbiased; statAP divides one by another, and is nearly so."""
    documents = [f"d{rank:03}" for rank in range(1, 241)]
    runs = {
        "up": {"q": {d: 241.0 - rank for rank, d in enumerate(documents, 1)}},
        "mixed": {"q": {d: float((rank * 37) % 241) for rank, d in enumerate(documents, 1)}},
    }
    grades = {"q": {d: int(rank % 3 == 0 or rank < 20) for rank, d in enumerate(documents, 1)}}
    truth = assay.evaluate(grades, runs, ["AP", "NumRel"])
    totals, relevant, draws = dict.fromkeys(runs, 0.0), 0.0, 200
    for seed in range(draws):
        made = assay.pool(runs, strategy="sample", strata="10:1,240:0.4", seed=seed, grades=grades)
        scores = assay.evaluate(made.written("prels").encode(), runs, ["statAP", "inum_rel"])
        relevant += scores["inum_rel"]["up"] / draws
        for run in runs:
            totals[run] += scores["statAP"][run] / draws
    # 40% of some 220 documents of which 0.4 are relevant: a standard deviation of 220·√(0.24/88·0.6) = 9, 0.6 over the draws
    assert relevant == pytest.approx(sum(grades["q"].values()), abs=1.9)
    for run in runs:
        assert totals[run] == pytest.approx(truth["AP"][run], abs=0.01)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"strategy": "best"}, "expected one of depth, rbp, mtf, sample"),
        ({"depth": 0}, "`depth=0`"),
        ({"budget": 0}, "`budget=0`"),
        ({"strategy": "rbp"}, "`budget=` says how many"),
        ({"strategy": "mtf"}, "`budget=` says how many"),
        ({"strategy": "rbp", "budget": 3, "p": 1.0}, "between 0 and 1"),
        ({"strata": "10:1"}, "has none"),
        ({"strategy": "sample", "strata": "10:1", "depth": 5}, "of the last stratum"),
        ({"runs_per_team": 2}, "nobody says whose the runs are"),
        ({"runs_per_team": 0, "team_from": "o"}, "`runs_per_team=0`"),
        ({"seed": 2**70}, "64 bits"),
    ],
)
def test_refused(options, said):
    with pytest.raises(UsageError) as refusal:
        assay.pool(RUNS, **options)
    assert said in str(refusal.value)


def test_bad_input():
    with pytest.raises(InputError, match="no topic in common with the runs"):
        assay.pool(RUNS, exclude={"9": {"a": 1}})
    with pytest.raises(InputError, match="its priority is 'high'"):
        assay.pool(RUNS, characteristics={"one": {"team": "x", "priority": "high"}}, runs_per_team=1)
    with pytest.raises(AssayError, match=r"no\.run"):
        assay.pool("no.run")


def test_a_run_that_lacks_topics_is_named():
    made = assay.pool({"one": {"q": {"a": 1}, "p": {"a": 1}}, "two": {"q": {"b": 1}}})
    assert made.remarks == ["two: has 1 of 2 topics, and brings nothing to the others"]


def test_real_runs(shared_data):
    """Against the first five documents of each run and topic, taken from the files of TREC-COVID round 1 by hand."""
    folder = shared_data("trec_covid_r1")
    runs = sorted((folder / "runs").iterdir())[:6]
    wanted: dict[str, set[str]] = {}
    for path in runs:
        by_topic: dict[str, list[tuple[float, str]]] = {}
        for topic, _, document, _, score, _ in map(str.split, lzma.decompress(path.read_bytes()).decode().splitlines()):
            by_topic.setdefault(topic, []).append((float(score), document))
        for topic, documents in by_topic.items():
            wanted.setdefault(topic, set()).update(document for _, document in sorted(documents)[-5:])
    judged: dict[str, set[str]] = {}
    for topic, _, document, _ in map(str.split, (folder / "qrels.txt").open()):
        judged.setdefault(topic, set()).add(document)
    asked = assay.pool(runs, depth=5)
    assert {topic: set(of) for topic, of in asked.topics.items()} == wanted
    lacking = assay.pool(runs, depth=5, exclude=folder / "qrels.txt")
    assert {topic: set(of) for topic, of in lacking.topics.items()} == {t: of - judged[t] for t, of in wanted.items()}
