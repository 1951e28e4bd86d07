"""`assay.agree` as a whole."""

from __future__ import annotations

import json
import random

import pytest

import assay
from assay.analyses.judges import resampled_coefficients
from assay.reports import results

ANN = {"q1": dict(zip("abcdef", [0, 0, 0, 1, 1, 2], strict=True)), "q2": dict(zip("ab", [1, 0], strict=True))}
BOB = {"q1": dict(zip("abcde", [0, 0, 1, 1, 1], strict=True)), "q2": dict(zip("ab", [1, 2], strict=True))}
CAROL = {"q1": {"a": 0, "b": 2}, "q3": {"z": 1}}


def test_two_judges_by_hand() -> None:
    """Shared 7: agreed on 5. Rows 0: 2 1 1; 1: 0 3 0: chance (4·2 + 3·4)/49 = 20/49, kappa (35 - 20)/(49 - 20)."""
    found = assay.agree({"ann": ANN, "bob": BOB})
    (pair,) = found.pairs
    assert pair.confusion == ((2, 1, 1), (0, 3, 0), (0, 0, 0))
    assert (found.judged, found.shared, found.topics, pair.topics) == (8, 7, 2, 2)
    assert found.coefficients["raw"].value == pytest.approx(5 / 7)
    assert found.coefficients["kappa"].value == pytest.approx(15 / 29)
    assert found.coefficients == pair.coefficients
    # Usage: eight documents, one of them by ann alone: 0 has 2 + 1/2 + 1/2, 1 has 1/2 + 3, 2 has 1/2 + 1.
    shares = [3 / 8, 3.5 / 8, 1.5 / 8]
    chance = sum(share * (1 - share) for share in shares) / 2
    assert found.coefficients["AC1"].value == pytest.approx((5 / 7 - chance) / (1 - chance))
    assert [(one.topic, one.shared, one.differing) for one in found.per_topic] == [("q1", 5, 1), ("q2", 2, 1)]
    assert found.per_topic[0].coefficients["raw"] == pytest.approx(4 / 5)


def test_disagreements_are_listed_widest_first() -> None:
    found = assay.agree({"ann": ANN, "bob": BOB, "carol": CAROL}, resamples=0)
    assert [(one.topic, one.document, one.apart) for one in found.disagreements] == [
        ("q1", "b", 2.0), ("q2", "b", 2.0), ("q1", "c", 1.0),
    ]  # fmt: skip
    assert found.disagreements[0].grades == {"ann": "0", "bob": "0", "carol": "2"}


def test_kappas_of_many_are_means_over_pairs() -> None:
    found = assay.agree({"ann": ANN, "bob": BOB, "carol": CAROL}, resamples=0)
    assert [(one.first, one.second, one.shared) for one in found.pairs] == [
        ("ann", "bob", 7),
        ("ann", "carol", 2),
        ("bob", "carol", 2),
    ]
    # Ann and bob give a and b both 0, and carol 0 and 2: chance explains all, kappa 0.
    assert found.pairs[1].coefficients["kappa"].value == 0
    assert found.coefficients["kappa"].value == pytest.approx(15 / 29 / 3)
    against = assay.agree({"ann": ANN, "bob": BOB, "carol": CAROL}, reference="bob", resamples=0)
    assert [(one.first, one.second) for one in against.pairs] == [("bob", "ann"), ("bob", "carol")]
    assert against.coefficients["alpha"] == found.coefficients["alpha"]


def test_undefined_is_none_and_never_zero() -> None:
    found = assay.agree({"a": {"q1": {"d": 1}, "q2": {"d": 1}}, "b": {"q1": {"d": 1}, "q2": {"d": 1}}})
    values = {name: one.value for name, one in found.coefficients.items()}
    assert values == {**dict.fromkeys(values), "raw": 1.0}
    told = found.to_dict()["coefficients"]
    assert told["kappa"] == {"value": None, "interval": None}
    assert "n/a" in results.text(found, verbose=True)


def test_judges_who_share_nothing_are_said() -> None:
    found = assay.agree({"a": {"q": {"d": 1, "e": 0}}, "b": {"q": {"d": 1}}, "c": {"q": {"e": 0}}}, resamples=0)
    assert found.pairs[2].shared == 0
    assert found.pairs[2].coefficients["raw"].value is None
    assert "b and c judged no document in common: n/a" in found.notes


def test_intervals_hold_the_value_and_follow_the_seed() -> None:
    topics = {f"q{i}": i for i in range(30)}
    one = {topic: {"a": 1, "b": 0, "c": i % 2} for topic, i in topics.items()}
    two = {topic: {"a": 1, "b": int(i % 3 == 0), "c": i % 2} for topic, i in topics.items()}
    first, again, other = (assay.agree({"a": one, "b": two}, seed=seed) for seed in (1, 1, 2))
    assert first.coefficients == again.coefficients != other.coefficients
    for found in first.coefficients.values():
        assert found.low < found.value < found.high
    wide = assay.agree({"a": one, "b": two}, seed=1, confidence=0.99).coefficients["kappa"]
    assert wide.high - wide.low > first.coefficients["kappa"].high - first.coefficients["kappa"].low


def test_one_topic_has_no_interval() -> None:
    found = assay.agree({"a": {"q": {"d": 1, "e": 0}}, "b": {"q": {"d": 1, "e": 0}}})
    assert (found.coefficients["kappa"].value, found.coefficients["kappa"].low) == (1.0, None)
    assert found.settings["resamples"] == 0
    assert any("no intervals" in note for note in found.notes)


@pytest.mark.parametrize(("topics", "said"), [(9, True), (10, False)])
def test_intervals_of_few_topics_are_said_to_be_narrow(topics, said) -> None:
    grades = {f"q{i}": {"a": i % 2, "b": 1} for i in range(topics)}
    found = assay.agree({"ann": grades, "bob": {topic: {"a": 1, "b": 0} for topic in grades}}, resamples=20)
    assert any(f"only {topics} resampled topics" in note for note in found.notes) is said


def test_words_say_what_is_missing() -> None:
    found = assay.agree({"a": {"q": {"d": "yes", "e": "no"}}, "b": {"q": {"d": "yes", "e": "yes"}}}, resamples=0)
    assert found.coefficients["kappa"].value == 0
    assert found.coefficients["kappa_linear"].value is None
    assert any("words without an order" in note for note in found.notes)


def test_progress_ends_where_it_said() -> None:
    seen: list[tuple[int, int]] = []
    assay.agree({"ann": ANN, "bob": BOB, "carol": CAROL}, resamples=10, progress=lambda *step: seen.append(step))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"confidence": 1.0}, "between 0 and 1"),
        ({"resamples": -1}, "at least 0"),
        ({"reference": "eve"}, "unknown judge; judges are ann, bob"),
    ],
)
def test_choices_that_make_no_sense(options, told) -> None:
    with pytest.raises(assay.UsageError, match=told):
        assay.agree({"ann": ANN, "bob": BOB}, **options)


def test_json_and_rows() -> None:
    found = assay.agree({"ann": ANN, "bob": BOB, "carol": CAROL}, resamples=50)
    json.dumps(found.to_dict(), allow_nan=False)
    header, rows = found.rows()
    assert header == ["first", "second", "shared", "coefficient", "value", "low", "high"]
    assert len(rows) == 4 * 9
    assert rows[-1][:4] == ["all", None, 7, "alpha_interval"]


@pytest.mark.slow
def test_intervals_cover_what_a_population_of_topics_has() -> None:
    """40 of 400 topics drawn 100 times: 95% of the intervals hold the value of all 400, within 3 standard errors of 2.2 points."""
    rng = random.Random(5)

    def judged(topics: list[list[tuple[int, int]]]) -> dict[str, dict[str, dict[str, int]]]:
        return {
            name: {f"q{i}": {f"d{j}": pair[side] for j, pair in enumerate(pairs)} for i, pairs in enumerate(topics)}
            for side, name in enumerate(("ann", "bob"))
        }

    population: list[list[tuple[int, int]]] = []
    for _ in range(400):  # topics are clusters: in some, more is relevant and the judges are less of one mind
        share, noise = rng.uniform(0.1, 0.6), rng.uniform(0.05, 0.4)
        first = [int(rng.random() < share) for _ in range(12)]
        population.append([(grade, grade if rng.random() > noise else int(rng.random() < 0.5)) for grade in first])
    truth = assay.agree(judged(population), resamples=0).coefficients
    held = dict.fromkeys(truth, 0)
    for seed in range(100):
        found = assay.agree(judged(rng.choices(population, k=40)), resamples=199, seed=seed).coefficients
        for name, one in found.items():
            assert -1 <= one.low <= one.high <= 1
            held[name] += one.low <= truth[name].value <= one.high
    assert all(abs(count / 100 - 0.95) < 3 * 0.022 for count in held.values()), held


def test_many_grades_need_little_memory(monkeypatch) -> None:
    """Resamples of 150 grades are closed in parts: 2 · 150² sums each are no matrix of gigabytes, and the parts change nothing."""
    rng = random.Random(1)
    judges = {
        name: {f"q{i}": {f"d{j}": rng.randrange(150) for j in range(30)} for i in range(4)} for name in ("ann", "bob")
    }
    whole = assay.agree(judges, resamples=60).coefficients
    sizes: list[int] = []
    before = resampled_coefficients.closed
    monkeypatch.setattr(resampled_coefficients, "CHUNK", 1 << 19)
    monkeypatch.setattr(
        resampled_coefficients, "closed", lambda sums, scale: (sizes.append(sums.size), before(sums, scale))[1]
    )
    assert {n: v.low for n, v in assay.agree(judges, resamples=60).coefficients.items()} == pytest.approx(
        {n: v.low for n, v in whole.items()}
    )
    assert len(sizes) > 5
    assert max(sizes) <= 1 << 19


JUDGES = {"ann": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, "bob": {"q1": {"a": 1, "b": 1}, "q2": {"a": 0}}}


def test_a_page_of_its_own(tmp_path) -> None:
    found = assay.agree(JUDGES, resamples=20)
    found.save(tmp_path / "agree.html")
    page = (tmp_path / "agree.html").read_text(encoding="utf-8")
    assert "Do the judges agree?" in page
    assert "ann, bob" in page
    found.save(tmp_path / "agree.txt")
    assert "Cohen's kappa" in (tmp_path / "agree.txt").read_text(encoding="utf-8")
    found.save(tmp_path / "agree.pdf")
    assert (tmp_path / "agree.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(assay.UsageError, match=r"\.html, \.pdf or \.txt"):
        found.save(tmp_path / "agree.docx")


def test_rankings_in_json() -> None:
    runs = {name: {t: {"a": 2.0 + sign, "b": 2.0} for t in ("q1", "q2")} for name, sign in (("x", 1), ("y", -1))}
    (pair,) = assay.agree(JUDGES, runs=runs, measure="RR", resamples=0).to_dict()["rankings"]["pairs"]
    # Under ann RR is 1 against 1/2 twice; under bob 1 each on q1, where both are relevant, and 0 on q2.
    assert (pair["significant"], pair["compared"], pair["fall"]) == ([0, 0], 1, None)
    assert pair["rise"] == {"run": "y", "from": 2, "to": 1}
