"""Which documents are judged."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay.analyses.overlap import read_runs
from assay.collections.pools.pool import form_of
from assay.errors import AssayError, InputError, UsageError
from assay.formats.ranked.sampled_judgments import prels_rows, strata_rows
from assay.io.csv_escaping import unguarded
from assay.io.sources import source_of

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


@pytest.mark.slow
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
        ({"strategy": "rbp"}, "needs `budget=`"),
        ({"strategy": "mtf"}, "needs `budget=`"),
        ({"strategy": "rbp", "budget": 3, "p": 1.0}, "between 0 and 1"),
        ({"strata": "10:1"}, "has none"),
        ({"strategy": "sample", "strata": "10:1", "depth": 5}, "of the last stratum"),
        ({"runs_per_team": 2}, "the teams of the runs are unknown"),
        (
            {"runs_per_team": 2, "characteristics": {"x.txt": {"team": "x"}}},
            "1 of 1 sections matches no run: x.txt; the runs are",
        ),
        ({"runs_per_team": 0, "team_from": "o"}, "`runs_per_team=0`"),
        ({"seed": 2**70}, "64 bits"),
        ({"strategy": "rbp", "budget": 3, "p": "x"}, "a number between 0 and 1"),
        ({"strategy": "sample", "strata": [(1,)]}, "depths that rise"),
        ({"strategy": "sample", "strata": [(1.5, 1)]}, "depths that rise"),
        ({"strategy": "sample", "strata": [("x", 1)]}, "depths that rise"),
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
    with pytest.raises(UsageError, match="no runs given"):
        assay.pool([])
    with pytest.raises(AssayError, match=r"no\.run"):
        assay.pool("no.run")


def test_estimates_of_sampled_real_runs(shared_data):
    """TREC-COVID round 1 to depth 40, what nobody judged being 0: the relevant documents of a stratified sample, weighted, vary as theory
    says, N²(1-n/N)S²/n of a stratum of N of which n are drawn; their mean over seeds is within 3.5 standard errors of what there are."""
    folder = shared_data("trec_covid_r1")
    read, _ = read_runs(sorted((folder / "runs").iterdir())[:6], 40)
    topics = sorted(next(iter(read.values())))[:12]
    runs = {run: {t: {d: float(-place) for place, d in enumerate(of[t])} for t in topics} for run, of in read.items()}
    judged = assay.pool(runs, depth=40).topics
    grades = {t: dict.fromkeys(of, 0) for t, of in judged.items()}
    for topic, _, document, grade in map(str.split, (folder / "qrels.txt").open()):
        if document in grades.get(topic, {}):
            grades[topic][document] = int(int(grade) > 0)
    truth = assay.evaluate(grades, runs, ["NumRel", "AP"])
    seeds, found, mean, wrong = 25, [], 0.0, 0.0
    for seed in range(seeds):
        made = assay.pool(runs, strategy="sample", strata="5:1,40:0.3", grades=grades, seed=seed)
        scores = assay.evaluate(made.written("prels").encode(), runs, ["statAP", "inum_rel"])
        found.append(next(iter(scores.mean("inum_rel").values())))
        mean += sum(scores.mean("statAP").values()) / len(runs) / seeds
    made = assay.pool(runs, strategy="sample", strata="5:1,40:0.3")
    assert made.drawn is not None
    for topic, pool in made.drawn.items():
        of = [grades[topic][d] for d, one in pool.items() if one.stratum == "2"]
        n = sum(one.stratum == "2" and one.probability is not None for one in pool.values())
        share = sum(of) / len(of)
        wrong += len(of) ** 2 * (1 - n / len(of)) * share * (1 - share) * len(of) / (len(of) - 1) / n
    everything = sum(map(sum, (of.values() for of in grades.values())))
    scale = everything / next(iter(truth.mean("NumRel").values()))
    assert abs(sum(found) / seeds * scale - everything) <= 3.5 * (wrong / seeds) ** 0.5
    assert mean == pytest.approx(sum(truth.mean("AP").values()) / len(runs), abs=0.01)


SCORES = st.dictionaries(st.sampled_from(["a", "b", "B", "c", "d", "\u00e9"]), st.integers(0, 3), min_size=1)
SYSTEMS = st.dictionaries(
    st.sampled_from(["x1", "x2", "y1"]), st.dictionaries(st.sampled_from(["q", "p"]), SCORES, min_size=1), min_size=1
)
JUDGED = st.dictionaries(st.sampled_from("abcdB"), st.integers(-1, 2), max_size=4)


def ranked(scores):
    return [d for _, _, d in sorted(((score, d.encode(), d) for d, score in scores.items()), reverse=True)]


def moved_to_front(rankings, relevant, judged, budget):
    """Cormack, Palmer and Clarke's queue of runs, told as in the paper: all have the same priority; a document that is not relevant
    lowers that of its run; the run of the highest priority is next. Every choice there is among equals is followed."""
    found = set()

    def go(ahead, priority, seen, taken):
        if len(taken) == budget:
            return found.add(taken)
        ahead = {run: rest for run, of in ahead.items() if (rest := [d for d in of if d not in seen])}
        if not ahead:
            return found.add(taken)
        best = max(priority[run] for run in ahead)
        for run in [run for run in ahead if priority[run] == best]:
            document = ahead[run][0]
            lower = {**priority, run: priority[run] - (document not in relevant)}
            go(ahead, lower, seen | {document}, taken if document in judged else taken | {document})
        return None

    go(rankings, dict.fromkeys(rankings, 0), frozenset(), frozenset())
    return found


@settings(max_examples=80)
@given(
    SYSTEMS, JUDGED, st.integers(1, 4), st.integers(1, 5), st.integers(0, 3), st.sampled_from(["depth", "rbp", "mtf"])
)
def test_every_strategy_by_its_definition(systems, judged, depth, budget, seed, strategy):
    exclude = {"q": judged, "p": {}} if any("q" in topics for topics in systems.values()) else None
    made = assay.pool(systems, strategy=strategy, depth=depth, budget=budget, p=0.75, seed=seed, exclude=exclude)
    for topic in {topic for topics in systems.values() for topic in topics}:
        rankings = {run: ranked(topics[topic])[:depth] for run, topics in systems.items() if topic in topics}
        known = {d: grade for d, grade in (judged if topic == "q" else {}).items() if grade >= 0}
        pooled = {d for of in rankings.values() for d in of}
        new = pooled - set(known)
        got = made.topics[topic]
        assert (made.sizes[topic], made.excluded[topic]) == (len(pooled), len(pooled & set(known)))
        assert len(got) == len(set(got)) == min(budget, len(new))
        assert set(got) <= new
        if strategy == "mtf":
            assert frozenset(got) in moved_to_front(rankings, {d for d, g in known.items() if g > 0}, known, budget)
            continue
        worth = dict.fromkeys(pooled, Fraction(0))
        for of in rankings.values():
            for rank, d in enumerate(of, 1):
                gain = Fraction(1, rank) if strategy == "depth" else Fraction(1, 4) * Fraction(3, 4) ** (rank - 1)
                worth[d] = max(worth[d], gain) if strategy == "depth" else worth[d] + gain
        left = [worth[d] for d in new - set(got)]
        assert not left or min(worth[d] for d in got) >= max(left)


def test_every_document_is_drawn_as_often_as_its_probability_says():
    """600 seeds; a share of 600 draws is within 4 standard errors of √(p(1-p)/600) of its probability, and order tells nothing."""
    systems = {
        "one": {"q": {f"a{i:02}": 30 - i for i in range(30)}},
        "two": {"q": {f"b{i:02}": 30 - i for i in range(30)}},
    }
    seeds, drawn, first = 600, Counter(), Counter()
    for seed in range(seeds):
        made = assay.pool(systems, strategy="sample", strata="2:1,10:.5,30:.1", budget=14, seed=seed)
        assert made.drawn is not None
        assert (
            sum(one.probability is not None for one in made.drawn["q"].values())
            == len(made.topics["q"])
            == made.documents
        )
        drawn.update(made.topics["q"])
        first[made.topics["q"][0][0]] += 1
        chances = {one.stratum: one.probability for one in made.drawn["q"].values() if one.probability is not None}
    # of strata of 4, 16 and 40 documents 4, 8 and 4 are wanted: 16; of 14, the last two strata have 10, and one each to begin with:
    # 8 are shared out as 7 to 3, 5.6 and 2.4
    assert chances == {"1": 1.0, "2": 7 / 16, "3": 3 / 40}
    for run in "ab":
        for rank in range(30):
            wanted = 1.0 if rank < 2 else 7 / 16 if rank < 10 else 3 / 40
            assert abs(drawn[f"{run}{rank:02}"] / seeds - wanted) <= 4 * (wanted * (1 - wanted) / seeds) ** 0.5
    assert abs(first["a"] / seeds - 0.5) < 4 * 0.5 / seeds**0.5, "who returned a document does not tell where it stands"


def test_what_was_judged_before_counts_where_no_run_has_it():
    made = assay.pool(
        RUNS, strategy="sample", strata="4:1", exclude={"q": {"z": 1, "b": 0}}, grades={"q": dict.fromkeys("acdefg", 0)}
    )
    lines = made.written("strata").splitlines()
    assert sum(" z " in line or line.split()[1:3].count("z") for line in lines) == 1
    assert "z" not in made.topics["q"]
    assert assay.evaluate(made.written("prels").encode(), RUNS, ["inum_rel"])["inum_rel"]["one"] == 1.0


def test_files_in_any_order_compressed_or_not(tmp_path):
    """The rank column and the order of lines say nothing; names that clash are those of files, whatever comes first."""
    texts = {
        "a": "q Q0 d1 9 1 t\nq Q0 d3 1 5 t\nq Q0 d2 1 1 t\n",
        "b": "q Q0 d4 1 2 t\nq Q0 d5 2 2 t\n",
        "c": "q Q0 d6 1 0 u\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.run").write_text(text)
        (tmp_path / f"{name}.run.gz").write_bytes(gzip.compress(text.encode()))
        (tmp_path / f"{name}.run.xz").write_bytes(lzma.compress(text.encode()))
    for strategy in ("depth", "rbp", "mtf"):
        found = {
            str(
                assay.pool(
                    [tmp_path / f"{name}.run{end}" for name in order], strategy=strategy, budget=2, depth=2
                ).topics
            )
            for order in ("abc", "cba", "bca")
            for end in ("", ".gz", ".xz")
        }
        assert len(found) == 1
    assert sorted(assay.pool([tmp_path / "a.run", tmp_path / "b.run"], depth=1).topics["q"]) == ["d3", "d5"]


def test_the_same_run_twice_is_said():
    made = assay.pool({"one": RUNS["one"], "again": RUNS["one"]})
    assert made.remarks == ["again: has the documents of one in the same order; both count"]


def test_a_run_that_lacks_topics_is_named():
    made = assay.pool({"one": {"q": {"a": 1}, "p": {"a": 1}}, "two": {"q": {"b": 1}}})
    assert made.remarks == ["two: has 1 of 2 topics and contributes nothing to the others"]


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


SLASHED_RUNS = {
    "one": {"q/1": {"a": 3, "b": 2, "c": 1}, "q2": {"x": 1}},
    "two": {"q/1": {"b": 3, "d": 2}, "q2": {"x": 2, "y": 1}},
}
SLASHED_GRADES = {"q/1": {"a": 2, "b": 0, "c": 1, "d": 0}, "q2": {"x": 1, "y": 0}}


def sample(**more):
    return assay.pool(SLASHED_RUNS, strategy="sample", strata="1:1,3:0.5", grades=SLASHED_GRADES, **more)


def test_lines_and_json(tmp_path):
    made = assay.pool(SLASHED_RUNS, depth=2)
    made.save(tmp_path / "pool.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "pool.jsonl").read_text().splitlines()]
    assert all(set(line) == {"topic", "document"} for line in lines)
    assert sorted((line["topic"], line["document"]) for line in lines) == [
        ("q/1", "a"), ("q/1", "b"), ("q/1", "d"), ("q2", "x"), ("q2", "y"),
    ]  # fmt: skip
    made.save(tmp_path / "pool.json")
    found = json.loads((tmp_path / "pool.json").read_text())
    assert (found["strategy"], found["depth"], found["documents"]) == ("depth", 2, 5)
    assert found["topics"]["q2"] == {"pooled": 2, "already_judged": 0, "documents": made.topics["q2"]}
    assert "one" not in (tmp_path / "pool.json").read_text()


def test_a_folder_with_a_file_for_each_topic(tmp_path):
    made = assay.pool(SLASHED_RUNS, depth=2)
    made.save(f"{tmp_path}/assessors/")
    files = {path.name: path.read_text().split() for path in (tmp_path / "assessors").iterdir()}
    assert files == {
        "q_1.txt": made.topics["q/1"], "q2.txt": made.topics["q2"], "topics.csv": ["file,topic", "q_1.txt,q/1", "q2.txt,q2"],
    }  # fmt: skip
    with pytest.raises(InputError, match="exists already"):
        made.save(tmp_path / "assessors")


def test_a_judged_sample_is_read_back(tmp_path):
    made = sample()
    for form, read in (("prels", prels_rows), ("strata", strata_rows)):
        made.save(tmp_path / f"s.{form}")
        back = read(source_of(str(tmp_path / f"s.{form}")))
        for topic, pool in made.judged(SLASHED_GRADES).items():
            for document, (grade, _, probability) in pool.items():
                if probability is None:
                    assert document not in back[topic] or back[topic][document][0] == -1
                else:
                    assert (back[topic][document][0], back[topic][document][2]) == (grade, probability)


def test_a_judged_sample_can_be_scored(tmp_path):
    sample().save(tmp_path / "s.prels")
    scores = assay.evaluate(tmp_path / "s.prels", SLASHED_RUNS, ["statAP", "inum_rel"])
    assert scores.task.name == "sampled"


def test_what_a_sample_is_not_written_with():
    made = sample()
    with pytest.raises(InputError, match="documents were drawn but are not judged, first"):
        made.judged({"q/1": {"a": 1}})
    with pytest.raises(UsageError, match="has no strata"):
        assay.pool(SLASHED_RUNS).judged(SLASHED_GRADES)
    with pytest.raises(UsageError, match="needs judgments"):
        assay.pool(SLASHED_RUNS, strategy="sample").written("prels")
    numbered = assay.pool({"r": {"q": {"7": 1}}}, strategy="sample", grades={"q": {"7": 1}})
    with pytest.raises(InputError, match=r"document 7 is a whole number.*write \.strata"):
        numbered.written("prels")
    assert numbered.written("strata") == "q 0 7 1 1\n"


def test_endings():
    with pytest.raises(UsageError, match=r"pool\.txt: expected a file that ends in \.jsonl"):
        form_of("pool.txt")


def test_ids_of_any_bytes(tmp_path):
    odd = "caf\udce9\u202e"
    made = assay.pool({"r": {"q": {odd: 1}}})
    made.save(tmp_path / "p.jsonl")
    assert json.loads((tmp_path / "p.jsonl").read_bytes().decode())["document"] == odd
    made.save(f"{tmp_path}/f/")
    assert (tmp_path / "f" / "q.txt").read_bytes() == odd.encode("utf-8", "surrogateescape") + b"\n"
    with pytest.raises(InputError, match="contains a line break"):
        assay.pool({"r": {"q": {"a\nb": 1}}}).to_files()


def test_names_of_files_for_any_topic(tmp_path):
    """Nothing is written beside the folder, no two share a name where case is ignored, and topics.csv says whose each is."""
    topics = ["../x", "a/b", "A/B", "x" * 400, "CON", "nul.txt", "\u00e9", "..", "-rf", "a", "A", "=1+1", "topics"]
    assay.pool({"r": {topic: {topic: 1} for topic in topics}}).save(f"{tmp_path}/out/")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    names = [path.name for path in (tmp_path / "out").iterdir()]
    assert len({name.lower() for name in names}) == len(names) == len(topics) + 1
    assert not {name.partition(".")[0].lower() for name in names} & {"con", "nul"}
    with (tmp_path / "out" / "topics.csv").open(newline="", encoding="utf-8") as file:
        told = {unguarded(row["file"]): unguarded(row["topic"]) for row in csv.DictReader(file)}
    assert {(tmp_path / "out" / name).read_text() for name in told} == {f"{topic}\n" for topic in topics}
    assert all((tmp_path / "out" / name).read_text() == f"{topic}\n" for name, topic in told.items())
