"""Teams left out of a pool."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.collections.pools.leave_one_out import Change, LeftOut, Team, places
from assay.errors import UsageError

QRELS = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"x": 1, "y": 2, "z": 0}}
RUNS = {
    "one": {"q1": {"a": 3, "b": 2}, "q2": {"x": 2, "z": 1}},
    "two": {"q1": {"b": 2, "c": 1}, "q2": {"x": 3, "w": 2}},
    "three": {"q1": {"b": 2}, "q2": {"x": 2, "y": 1}},
}
ONE_TOPIC = {"q1": {"a": 1, "b": 1, "c": 0}}
SHALLOW_RUNS = {"one": {"q1": {"a": 3, "b": 2}}, "two": {"q1": {"b": 2, "a": 1}}, "three": {"q1": {"b": 2, "c": 1}}}


def test_by_hand():
    found = assay.left_out(QRELS, RUNS, "AP")
    one, two, three = found.teams
    # one alone has a of q1 and z of q2; two alone has c; three alone has y
    assert [(team.documents, team.relevant) for team in found.teams] == [(2, 1), (1, 0), (1, 1)]
    # q1: a and b at 1 and 2 of 2; q2: x at 1 of 2
    assert found.scores["one"] == pytest.approx((1 + 0.5) / 2)
    assert one.scores["one"] == pytest.approx((0.5 + 0.5) / 2)  # b at rank 2 of 1
    assert one.scores["two"] == pytest.approx((1 + 0.5) / 2)  # b at rank 1, now of 1
    assert two.scores == found.scores
    assert three.scores["three"] == pytest.approx((0.5 + 1) / 2)  # x at rank 1, now of 1
    assert found.scores["three"] == pytest.approx((0.5 + 1) / 2)
    assert (found.relevant, found.judged) == (4, 6)


def test_the_best_run_that_owes_its_place_to_its_own_judgments_is_named():
    """As above: one falls from .75, the best value, to .5; then two has .75 (x of q2 at rank 1 of 2), and three 1."""
    assert assay.left_out(QRELS, RUNS, "AP").warning == (
        "Without the judgments that only its own team contributed, one would have AP .500 and rank 3, not .750 (−33.3%)."
    )
    same = dict.fromkeys(("first", "second"), RUNS["two"])
    assert assay.left_out(QRELS, same, "AP").warning == ""


def test_non_relevant_documents_go_too():
    """Bpref by hand: c above a costs everything, min(1, R)/min(R, N) = 1 with R = 1; without its judgment it costs nothing."""
    qrels = {"q": {"a": 1, "c": 0, "d": 0}}
    runs = {"one": {"q": {"c": 2, "a": 1}}, "two": {"q": {"a": 2, "d": 1}}}
    found = assay.left_out(qrels, runs, "Bpref")
    assert (found.scores["one"], found.teams[0].scores["one"], found.teams[1].scores["one"]) == (0.0, 1.0, 0.0)


def test_teams_and_the_runs_that_were_pooled():
    whose = {"one": {"team": "us"}, "three": {"team": "us"}, "two": {"team": "them"}}
    found = assay.left_out(QRELS, RUNS, "AP", characteristics=whose)
    assert [(t.name, t.runs, t.relevant) for t in found.teams] == [("us", ["one", "three"], 2), ("them", ["two"], 0)]
    first = assay.left_out(QRELS, RUNS, "AP", characteristics=whose, runs_per_team=1)
    assert [(team.pooled, team.relevant) for team in first.teams] == [(["one"], 1), (["two"], 0)]
    assert [team.relevant for team in assay.left_out(QRELS, RUNS, "AP", depth=1).teams] == [1, 0, 0]
    assert [team.name for team in assay.left_out(QRELS, RUNS, "AP", team_from="t").teams] == ["one", "t"]
    table = assay.evaluate(QRELS, RUNS, ["AP"]).described(lambda run: whose[run])
    assert assay.left_out(table).to_dict() == found.to_dict()


GRADE = st.integers(-1, 2)
IDS = st.sampled_from("abcdefgh")
TOPICS = st.sampled_from(["q1", "q2"])
SCORED = st.dictionaries(IDS, st.integers(0, 9), min_size=1)


@settings(max_examples=60)
@given(
    st.dictionaries(TOPICS, st.dictionaries(IDS, GRADE, min_size=1), min_size=1),
    st.dictionaries(st.sampled_from(["r1", "r2", "s1"]), st.dictionaries(TOPICS, SCORED, min_size=2), min_size=2),
    st.sampled_from(["AP", "Bpref", "nDCG", "P(rel=2)@2", "RBP(p=0.5)", "AP'", "Judged@3"]),
    st.integers(1, 4), st.sampled_from([None, "[a-z]"]),
)  # fmt: skip
def test_the_same_as_evaluating_with_fewer_judgments(qrels, runs, measure, depth, team_from):
    """The judgments that go are counted here once more, by plain loops, and everything is scored from the start."""
    teams = {run: run if team_from is None else run[0] for run in runs}
    if len(set(teams.values())) < 2:
        return
    found = assay.left_out(qrels, runs, measure, depth=depth, team_from=team_from)
    for team in found.teams:
        kept, unique = {}, 0
        for topic, judged in qrels.items():
            brought = {}
            for run, topics in runs.items():
                ranked = sorted(topics[topic], key=lambda d: (topics[topic][d], d), reverse=True)
                for document in ranked[:depth]:
                    brought.setdefault(document, set()).add(teams[run])
            gone = {d for d, grade in judged.items() if grade >= 0 and brought.get(d) == {team.name}}
            unique += len(gone)
            kept[topic] = {d: grade for d, grade in judged.items() if d not in gone}
        assert team.documents == unique
        # A topic that has lost all its judgments stays a topic; a document that nobody judged keeps it there.
        kept = {topic: judged or {"nobody has this": -1} for topic, judged in kept.items()}
        assert team.scores == assay.evaluate(kept, runs, [measure]).mean(measure)


def test_real_runs(shared_data):
    """TREC-COVID round 1, one team left out, against an evaluation with the judgments that are left."""
    folder = shared_data("trec_covid_r1")
    others = sorted(path for path in (folder / "runs").iterdir() if path.stem != "RMITBM1")[:6]
    runs = [folder / "runs" / "RMITBM1.xz", *others]
    found = assay.left_out(folder / "qrels.txt", runs, "AP", depth=7)
    assert (found.judged, found.relevant, len(found.teams)) == (8691, 2352, 7)
    # The pool of every other run says what this one alone has.
    own, rest = assay.pool(runs[0], depth=7).topics, assay.pool(others, depth=7).topics
    left: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in map(str.split, (folder / "qrels.txt").open()):
        if document not in own[topic] or document in rest[topic]:
            left.setdefault(topic, {})[document] = int(grade)
    team = next(team for team in found.teams if team.name == "RMITBM1")
    assert team.documents == 8691 - sum(map(len, left.values()))
    assert team.scores == assay.evaluate(left, runs, ["AP"])["AP"]
    assert team.tau_b == assay.agreement(found.scores, team.scores)["tau_b"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"depth": 0}, "`depth=0`"),
        ({"runs_per_team": 0}, "`runs_per_team=0`"),
        ({"runs_per_team": 1}, "the teams of the runs are unknown"),
        (
            {"runs_per_team": 1, "characteristics": {"x": {"team": "x"}}},
            "1 of 1 sections matches no run: x; the runs are",
        ),
        ({"team_from": ""}, None),
        ({"team_from": "[a-z]"}, None),
        ({"characteristics": {run: {"team": "us"} for run in RUNS}}, "all runs are of one team (us)"),
        ({"judged_only": True}, "`judged_only=True` removes the original ranks"),
    ],
)
def test_refused(more, said):
    if said is None:
        assert assay.left_out(QRELS, RUNS, "AP", **more)
        return
    with pytest.raises(UsageError) as refusal:
        assay.left_out(QRELS, RUNS, "AP", **more)
    assert said in str(refusal.value)


def test_tables_that_cannot_tell():
    table = assay.evaluate(QRELS, RUNS, ["AP"], keep=False)
    with pytest.raises(UsageError, match="has scores but no rankings"):
        assay.left_out(table)
    with pytest.raises(UsageError, match="has only the first 2 documents"):
        assay.left_out(assay.evaluate(QRELS, RUNS, ["AP"], depth=2))
    with pytest.raises(UsageError, match="this is outcomes"):
        assay.left_out(assay.evaluate({"q": "a"}, {"r": {"q": "a"}, "s": {"q": "b"}}))


def test_a_table_without_the_measure_computes_it():
    table = assay.evaluate(QRELS, RUNS, ["P@1"])
    assert assay.left_out(table, measure="AP").scores == assay.left_out(QRELS, RUNS, "AP").scores


def test_ranks():
    assert places({"a": None}) == {"a": None}
    assert places({"a": 1.0, "b": 1.0, "c": 0.5}) == {"a": 1, "b": 1, "c": 3}


def test_a_change():
    one = Change(run="r", team="t", before=0.5, after=0.4, rank_before=2, rank_after=5)
    assert (round(one.difference, 9), round(one.relative or 0, 9), one.fall) == (-0.1, -0.2, 3)
    assert Change(run="r", team="t", before=0.0, after=0.0, rank_before=1, rank_after=1).relative is None


def test_the_largest_drop_and_the_deepest_fall():
    found = assay.left_out(ONE_TOPIC, SHALLOW_RUNS, "AP", depth=1)
    one = found.teams[0]
    # Without a: one has b at rank 2 (0.5), two and three have it at rank 1 (1.0)
    assert dict(one.scores) == {"one": 0.5, "two": 1.0, "three": 1.0}
    assert dict(found.ranks) == {"one": 1, "two": 1, "three": 3}
    assert dict(one.ranks) == {"one": 3, "two": 1, "three": 1}
    changes = found.changes(one)
    drop, fall = found.largest_drop(changes), found.deepest_fall(changes)
    assert drop is not None
    assert fall is not None
    assert (drop.run, drop.difference, fall.run, fall.fall) == ("one", -0.5, "one", 2)
    assert found.largest_drop(found.changes(found.teams[1])) is None
    assert found.deepest_fall(found.changes(found.teams[1])) is None
    assert [change.run for change in found.own] == ["one", "two", "three"]


def test_where_less_is_better_a_rise_is_the_drop():
    found = assay.left_out(ONE_TOPIC, SHALLOW_RUNS, "Rprec", depth=1)
    turned = LeftOut(
        **{**{name: getattr(found, name) for name in found.__dataclass_fields__}, "higher_is_better": False}
    )
    changes = found.changes(found.teams[0])
    down, up = found.largest_drop(changes), turned.largest_drop(changes)
    assert down is not None
    assert up is not None
    assert down.difference < 0 < up.difference


def test_rows_and_json():
    found = assay.left_out(ONE_TOPIC, SHALLOW_RUNS, "AP", depth=1)
    header, rows = found.rows()
    assert header[-4:] == ["AP", "AP_without", "rank", "rank_without"]
    assert rows[0] == ["one", 1, 1, found.teams[0].tau_b, "one", True, 1.0, 0.5, 1, 3]
    assert len(rows) == 9
    data = found.to_dict()
    assert (data["depth"], data["relevant"], data["largest_drop"]["run"]) == (1, 2, "one")
    assert data["teams"][1]["largest_drop"] is None


@pytest.mark.parametrize(
    ("after", "rank_after", "said"),
    [
        (0.49, 1, ""),  # 2% less, and still first
        (0.47, 1, "AP .470, not .500 (−6.0%)"),  # 6% less, and still first
        (0.49, 2, "AP .490 and rank 2, not .500 (−2.0%)"),  # 2% less, but second
    ],
)
def test_a_loss_or_a_fall_of_the_best_run_is_enough_for_the_warning(after, rank_after, said):
    team = Team(
        name="t", runs=["a"], pooled=["a"], documents=1, relevant=1, scores={"a": after}, ranks={"a": rank_after}, tau_b=1.0
    )  # fmt: skip
    result = LeftOut(
        measure="AP", higher_is_better=True, depth=10, topics=2, judged=5, relevant=3, team={"a": "t"}, scores={"a": 0.5},
        ranks={"a": 1}, teams=[team],
    )  # fmt: skip
    assert said in result.warning
    assert bool(result.warning) == bool(said)
