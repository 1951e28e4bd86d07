"""`assay.compare(…, human=…)`: runs that a machine judged, compared as people would judge them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.cli import main
from assay.errors import InputError, UsageError

RUNS = (("good", 0.8), ("middling", 0.6), ("poor", 0.4))


def made(
    fooled: float = 0.1, labels: int = 100, questions: int = 500, runs=RUNS, seed: int = 3
) -> tuple[bytes, bytes, dict]:
    """Outcomes by a machine that calls wrong answers of `poor` right this often, people's labels, and the truth."""
    rng = np.random.default_rng(seed)
    outcomes, people = ["id,run,outcome"], ["id,run,human"]
    truth: dict[str, list[int]] = {run: [] for run, _ in runs}
    for i in range(questions):
        for run, skill in runs:
            right = rng.random() < skill
            taken = fooled if run == "poor" else 0.1
            outcomes.append(f"q{i},{run},{int(rng.random() < (0.95 if right else taken))}")
            truth[run].append(int(right))
            if i < labels:
                people.append(f"q{i},{run},{int(right)}")
    return "\n".join(outcomes).encode(), "\n".join(people).encode(), truth


def compared(outcomes: bytes, labels: bytes, measure: str = "accuracy", **options):
    return assay.compare(outcomes, measure, human=labels, resamples=999, **options)


def test_people_turn_the_machine_s_order() -> None:
    """The machine takes nine of ten wrong answers of `poor` for right: people do not."""
    found = compared(*made(fooled=0.9, labels=200)[:2])
    assert [run.run for run in found.runs] == ["good", "middling", "poor"]
    assert found.runs[2].machine > found.runs[1].machine
    orders = {frozenset((pair.a, pair.b)): pair.order for pair in found.pairs}
    assert orders[frozenset(("middling", "poor"))] == "turns"
    assert found.tiers == [["good"], ["middling"], ["poor"]]
    assert [(rank.low, rank.high) for rank in found.ranks] == [(1, 1), (2, 2), (3, 3)]
    assert "People's labels of 200 of 500 questions decide all 3 pairs, 2 against the machine's order." in found.finding


def test_labels_that_do_not_decide() -> None:
    outcomes, labels, _ = made(runs=(("good", 0.8), ("poor", 0.78)))
    found = compared(outcomes, labels)
    (pair,) = found.pairs
    assert (pair.order, pair.significant, found.settings["correct"]) == ("cannot say", False, "none")
    assert pair.interval.low < 0 < pair.interval.high
    assert found.finding.startswith(
        f"Cannot say whether {found.runs[0].run} or {found.runs[1].run} is better: people's labels do not decide"
    )
    assert pair.sentence.startswith("Cannot say whether")
    assert "PPI++ with λ" in pair.sentence


def test_every_interval_agrees_with_its_verdict_and_values_with_differences() -> None:
    found = compared(*made()[:2])
    values = {run.run: run.value for run in found.runs}
    for pair in found.pairs:
        assert pair.difference == pytest.approx(values[pair.a] - values[pair.b])
        assert pair.significant == (pair.interval.low > 0 or pair.interval.high < 0)
        assert pair.significant == (pair.decided_by <= 0.05)
        assert pair.interval.method == "PPI++, randomisation, max-T"
    for run in found.runs:
        assert run.interval.low < run.value < run.interval.high
        assert run.labels == 100


def test_a_perfect_judge_with_every_answer_labelled_is_the_plain_comparison() -> None:
    outcomes, _, _ = made(questions=120)
    labels = outcomes.replace(b"outcome", b"human")
    plain = assay.compare(outcomes, "accuracy", resamples=999)
    found = compared(outcomes, labels)
    assert [pair.to_dict() for pair in found.pairs] == [pair.to_dict() for pair in plain.pairs]
    assert [run.to_dict() for run in found.runs] == [run.to_dict() for run in plain.runs]
    assert (found.tiers, found.ranks) == (plain.tiers, plain.ranks)
    assert "people judged every question" in found.notes[0]


def test_where_people_judged_everything_the_machine_plays_no_part() -> None:
    """Labels of every answer: the comparison is that of people's outcomes, whatever the machine says."""
    outcomes, labels, _ = made(fooled=0.9, labels=120, questions=120)
    plain = assay.compare(labels.replace(b"human", b"outcome"), "accuracy", resamples=999)
    found = compared(outcomes, labels)
    assert [pair.to_dict() for pair in found.pairs] == [pair.to_dict() for pair in plain.pairs]


def test_c_at_1_counts_what_is_declined() -> None:
    """Declined answers need no labels, and c@1 is p(1 - u²)."""
    outcomes, labels, _ = made(runs=(("good", 0.8), ("poor", 0.5)))
    lines = outcomes.decode().splitlines()
    declined = [line if i % 5 else line.rsplit(",", 1)[0] + ",unanswered" for i, line in enumerate(lines)]
    declined[0] = lines[0]
    found = compared("\n".join(declined).encode(), labels, "c@1")
    assert [run.run for run in found.runs] == ["good", "poor"]
    precision = compared("\n".join(declined).encode(), labels, "precision")
    u = [run.declined / 500 for run in found.runs]
    # λ minimises the variance of what is compared, and so differs a little.
    assert found.runs[0].value == pytest.approx(precision.runs[0].value * (1 - u[0] ** 2), abs=0.01)
    assert any("labels of unanswered questions are ignored" in note for note in found.notes)


def sampled(labelled_samples=(1, 2, 3), questions=60, labels=30, seed=5) -> tuple[bytes, bytes]:
    rng = np.random.default_rng(seed)
    outcomes, people = ["id,run,sample,outcome"], ["id,run,sample,human"]
    for i in range(questions):
        ease = rng.random()
        for run, skill in (("new", 0.5), ("old", 0.2)):
            for sample in (1, 2, 3):
                right = (ease + rng.random()) / 2 < skill
                outcomes.append(f"q{i},{run},{sample},{int(rng.random() < (0.95 if right else 0.1))}")
                if i < labels and sample in labelled_samples:
                    people.append(f"q{i},{run},{sample},{int(right)}")
    return "\n".join(outcomes).encode(), "\n".join(people).encode()


def test_samples_are_averaged_by_question() -> None:
    """Three answers of each question: the same comparison as that of scores that are their means."""
    outcomes, labels = sampled()
    found = compared(outcomes, labels)
    means: dict[str, dict[tuple[str, str], list[int]]] = {"o": {}, "h": {}}
    for kind, text in (("o", outcomes), ("h", labels)):
        for line in text.decode().splitlines()[1:]:
            id, run, _, value = line.split(",")
            means[kind].setdefault((id, run), []).append(int(value))
    tables = [
        "\n".join([head, *(f"{id},{run},{sum(v) / 3!r}" for (id, run), v in means[kind].items())]).encode()
        for kind, head in (("o", "id,run,outcome"), ("h", "id,run,human"))
    ]
    scores = compared(*tables, measure="score")
    assert found.topics == 60
    assert [run.value for run in found.runs] == pytest.approx([run.value for run in scores.runs])
    (one,), (other,) = found.pairs, scores.pairs
    assert (one.difference, one.interval.low, one.interval.high, one.decided_by) == pytest.approx(
        (other.difference, other.interval.low, other.interval.high, other.decided_by)
    )


def test_one_sample_of_three_may_be_labelled() -> None:
    """The judge's verdict on the same sample corrects it; without the sample's number, its mean over the question."""
    outcomes, labels = sampled(labelled_samples=(2,))
    found = compared(outcomes, labels)
    assert found.runs[0].run == "new"
    unnumbered = "\n".join(
        ",".join(np.array(line.split(","))[[0, 1, 3]]) for line in labels.decode().splitlines()
    ).encode()
    other = compared(outcomes, unnumbered)
    assert found.settings["human"]["weight"] > other.settings["human"]["weight"]
    assert found.runs[0].value == pytest.approx(other.runs[0].value, abs=0.1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (b"\nq1,new,4,1", "<human>:182: the label of question 'q1' of new is of sample 4, of 3"),
        (b"\nq1,new,,1", "<human>:182: the label of question 'q1' of new names no sample, and others do"),
        (b"\nq1,new,zero,1", "<human>:182: expected the number of a sample from 1, found 'zero'"),
        (b"\nq999,new,1,1", "<human>:182: labels question 'q999', which new was not asked"),
        (b"\nq1,newer,1,1", "<human>:182: unknown run 'newer'"),
        (b"\nq1,,1,1", "<human>:182: the label of question 'q1' names no run, and there are 2"),
    ],
)
def test_labels_that_fit_nothing_are_refused(wrong, message) -> None:
    outcomes, labels = sampled()
    with pytest.raises(InputError) as refused:
        compared(outcomes, labels + wrong)
    assert message in str(refused.value)


def test_too_few_labels() -> None:
    outcomes, labels, _ = made()
    head, *rows = labels.decode().splitlines()
    few = [row for row in rows if row.startswith(("q0,", "q1,", "q2,", "q3,", "q4,"))]
    with pytest.raises(
        InputError,
        match="a comparison needs 6 labelled questions of each run, and good has 5, middling has 5, poor has 5",
    ):
        compared(outcomes, "\n".join([head, *few]).encode())
    some = [row for row in rows if ",poor," not in row] + [row for row in few if ",poor," in row]
    found = compared(outcomes, "\n".join([head, *some]).encode())
    assert [run.value is None for run in found.runs] == [False, False, True]
    refused = [pair for pair in found.pairs if pair.difference is None]
    assert {(pair.a, pair.b) for pair in refused} == {("good", "poor"), ("middling", "poor")}
    assert (
        refused[0].sentence
        == "Cannot say whether good or poor is better: poor has 5 labelled questions, and 6 are needed."
    )
    assert found.ranks is None
    assert [(pair.a, pair.b) for pair in found.pairs] == [("good", "middling"), ("good", "poor"), ("middling", "poor")]
    assert found.finding.startswith("good leads by ")
    assert found.finding.endswith(" poor has too few labels.")
    with pytest.raises(InputError, match="too few labels"):
        compared(outcomes, "\n".join([head, *some]).encode(), baseline="poor")


def test_no_label_of_an_answered_question() -> None:
    outcomes, _, _ = made()
    with pytest.raises(InputError, match="holds no labels"):
        compared(outcomes, b"id,run,human\nq1,good,\n")


def test_one_table_with_judge_and_human() -> None:
    outcomes, labels, _ = made()
    known = {tuple(line.split(",")[:2]): line.rsplit(",", 1)[1] for line in labels.decode().splitlines()[1:]}
    rows = [line.split(",") for line in outcomes.decode().splitlines()[1:]]
    table = "\n".join(
        ["id,run,judge,human", *(f"{i},{run},{said},{known.get((i, run), '')}" for i, run, said in rows)]
    ).encode()
    one, two = assay.compare(measure="accuracy", human=table, resamples=999), compared(outcomes, labels)
    assert [pair.to_dict() for pair in one.pairs] == [pair.to_dict() for pair in two.pairs]
    judged = assay.compare(None, "accuracy", runs=outcomes, human=labels, resamples=999)
    assert [pair.to_dict() for pair in judged.pairs] == [pair.to_dict() for pair in two.pairs]
    with pytest.raises(InputError, match="expected the columns id, judge and human where no runs are given"):
        assay.compare(human=labels)
    with pytest.raises(UsageError, match="may be left out only with `human`"):
        assay.compare()


def test_clusters_of_questions_are_flipped_together() -> None:
    outcomes, labels, _ = made()
    lines = outcomes.decode().splitlines()
    grouped = "\n".join(
        [f"{lines[0]},cluster", *(f"{line},c{int(line.split(',')[0][1:]) // 10}" for line in lines[1:])]
    ).encode()
    found = compared(grouped, labels)
    assert (found.units, found.settings["cluster"], found.settings["human"]["labelled"]) == (50, "cluster", 10)
    assert compared(grouped, labels, cluster=None).units == 500


@pytest.mark.parametrize(
    "options",
    [
        {"test": "t"},
        {"correct": "holm"},
        {"margin": 0.1},
        {"family": ["c@1"]},
        {"growing": True},
        {"incomplete": "pairs"},
    ],
)
def test_what_labels_do_not_go_with_is_refused(options) -> None:
    outcomes, labels, _ = made()
    with pytest.raises(UsageError, match=f"cannot be combined with `{next(iter(options))}`"):
        compared(outcomes, labels, **options)
    with pytest.raises(UsageError, match="expected a mean of verdicts"):
        compared(outcomes, labels, "UF")


def test_baseline_pairs_and_top() -> None:
    outcomes, labels, _ = made()
    against = compared(outcomes, labels, baseline="poor")
    assert [(pair.a, pair.b) for pair in against.pairs] == [("good", "poor"), ("middling", "poor")]
    assert against.tiers is None
    chosen = compared(outcomes, labels, pairs=[("poor", "good")])
    assert chosen.pairs[0].difference < 0
    assert compared(outcomes, labels, top=1).to_dict()["top"] == {"places": 1, "surely": ["good"], "possibly": ["good"]}
    with pytest.raises(UsageError, match="top=1"):
        compared(outcomes, labels, top=1, baseline="poor")
    two = compared(outcomes, labels, runs=None, pairs=[("good", "poor")])
    assert two.compared == 1


def ranked(topics: int = 30, seed: int = 9) -> tuple[dict, dict, dict]:
    """Qrels of a machine that errs on one document in ten, people's, and three runs."""
    rng = np.random.default_rng(seed)
    people = {f"t{i}": {f"d{k}": int(rng.random() < 0.3) for k in range(30)} for i in range(topics)}
    machine = {t: {d: g if rng.random() < 0.9 else 1 - g for d, g in of.items()} for t, of in people.items()}
    runs = {
        name: {t: {d: skill * g + rng.random() for d, g in of.items()} for t, of in people.items()}
        for name, skill in (("strong", 0.9), ("fair", 0.5), ("weak", 0.0))
    }
    return machine, people, runs


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "P@5"])
def test_ranked_runs_through_judged_topics(measure) -> None:
    machine, people, runs = ranked()
    some = {topic: people[topic] for topic in list(people)[:15]}
    found = assay.compare(machine, measure, runs=runs, human=some, resamples=999)
    assert (found.noun, found.topics, found.settings["human"]["labelled"]) == ("topic", 30, 15)
    assert [run.run for run in found.runs] == ["strong", "fair", "weak"]
    assert {pair.order for pair in found.pairs if {pair.a, pair.b} == {"strong", "weak"}} == {"holds"}
    tables = [assay.evaluate(qrels, runs, [measure]) for qrels in (machine, some)]
    assert assay.compare(tables[0], measure, human=tables[1], resamples=999).to_dict() == found.to_dict()


def test_people_who_judged_all_topics_are_compared_alone() -> None:
    machine, people, runs = ranked()
    found = assay.compare(machine, "AP", runs=runs, human=people, resamples=999)
    plain = assay.compare(people, "AP", runs=runs, resamples=999)
    assert [pair.to_dict() for pair in found.pairs] == [pair.to_dict() for pair in plain.pairs]


def test_tables_that_do_not_fit() -> None:
    machine, people, runs = ranked()
    table = assay.evaluate(machine, runs, ["AP"])
    with pytest.raises(UsageError, match="people's table has no run 'strong'"):
        assay.compare(table, "AP", human=assay.evaluate(people, {"weak": runs["weak"]}, ["AP"]))
    with pytest.raises(InputError, match="1 topics that the machine did not judge"):
        assay.compare(table, "AP", human=assay.evaluate({**people, "extra": {"d1": 1}}, runs, ["AP"]))
    with pytest.raises(UsageError, match="give people's score table"):
        assay.compare(table, "AP", human=b"id,human\nt1,1\n")


def test_chosen_labels_are_doubted() -> None:
    """People labelled only what the machine calls right."""
    outcomes, _, truth = made(runs=(("good", 0.6), ("poor", 0.5)))
    right = [line.split(",")[:2] for line in outcomes.decode().splitlines()[1:] if line.endswith(",1")]
    labels = "\n".join(["id,run,human", *(f"{id},{run},{truth[run][int(id[1:])]}" for id, run in right[:200])]).encode()
    assert any("the labels look chosen" in note for note in compared(outcomes, labels).notes)


def typed(shares=(0.8, 0.1), runs=(("good", 0.7), ("poor", 0.7)), questions: int = 1500) -> tuple[bytes, bytes]:
    """Questions of law and art in equal numbers, of which people labelled these shares; the machine is fooled by `poor` on law alone."""
    rng = np.random.default_rng(7)
    outcomes, people = ["id,run,type,outcome"], ["id,run,human"]
    for i in range(questions):
        kind, taken = ("law", shares[0]) if i % 2 else ("art", shares[1])
        labelled = rng.random() < taken
        for run, skill in runs:
            right = rng.random() < skill
            fooled = 0.9 if run == "poor" and kind == "law" else 0.05
            outcomes.append(f"q{i},{run},{kind},{int(rng.random() < (0.95 if right else fooled))}")
            people += [f"q{i},{run},{int(right)}"] if labelled else []
    return "\n".join(outcomes).encode(), "\n".join(people).encode()


def test_labels_of_other_questions_are_weighed_like_all() -> None:
    """Eight of ten questions on law are labelled, where the machine favours `poor`, and one of ten on art, where it does not."""
    outcomes, labels = typed()
    plain = compared(outcomes, labels)
    [note] = [note for note in plain.notes if "differ from the others in type" in note]
    labelled = {int(line.split(",")[0][1:]) for line in labels.decode().splitlines()[1:]}
    law, others = sum(i % 2 for i in labelled) / len(labelled), [i % 2 for i in range(1500) if i not in labelled]
    assert (
        f"law is {law:.0%} of the labelled and {sum(others) / len(others):.0%} of the others. Verdicts are about"
        in note
    )
    assert "`reweight='type'`" in note
    assert plain.settings["human"]["differs"]["type"]["p"] < 0.001
    found = compared(outcomes, labels, reweight="type")
    assert not [note for note in found.notes if "differ from the others" in note]
    assert found.settings["human"]["reweight"] == "type"
    assert (
        found.notes[-1]
        == "intervals and tests assume that the labelled questions are a random sample of all, for each value of type"
    )
    assert "within type" in found.pairs[0].sentence
    truth = 0.0
    assert abs(found.pairs[0].difference - truth) < abs(plain.pairs[0].difference - truth)
    assert plain.pairs[0].significant
    assert not found.pairs[0].significant


def test_types_without_labels_are_refused() -> None:
    outcomes, labels = typed(shares=(0.5, 0.0))
    with pytest.raises(InputError) as refused:
        compared(outcomes, labels, reweight="type")
    assert (
        "people labelled 0 questions of good with type art, which are 50% of the judged: other labels cannot speak for them. "
        "Fix: label 4 at least, or compare without them"
    ) in str(refused.value)


def test_labels_may_be_weighed_by_the_machine_s_score() -> None:
    """People labelled what the machine calls right more often: within its scores the labels are a random sample."""
    outcomes, _, truth = made(runs=(("good", 0.6), ("poor", 0.5)))
    said = {tuple(line.split(",")[:2]): line[-1] == "1" for line in outcomes.decode().splitlines()[1:]}
    rng = np.random.default_rng(2)
    taken = [i for i in range(500) if rng.random() < 0.1 + 0.35 * (said[f"q{i}", "good"] + said[f"q{i}", "poor"])]
    labels = "\n".join(["id,run,human", *(f"q{i},{run},{truth[run][i]}" for i in taken for run in truth)]).encode()
    assert any("look chosen" in note for note in compared(outcomes, labels).notes)
    found = compared(outcomes, labels, reweight="score")
    assert not any("look chosen" in note for note in found.notes)
    assert found.runs[0].value == pytest.approx(np.mean(truth["good"]), abs=0.08)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"reweight": "length"}, "no field 'length'; there are score, type"), ({"reweight": "id"}, "no field 'id'")],
)
def test_fields_that_are_not_there(options, message) -> None:
    with pytest.raises(UsageError, match=message):
        compared(*typed(), **options)
    with pytest.raises(UsageError, match="needs `human`"):
        assay.compare(typed()[0], **options)


def test_the_command(tmp_path, capsys) -> None:
    outcomes, labels, _ = made(fooled=0.9, labels=200)
    (tmp_path / "graded.csv").write_bytes(outcomes)
    (tmp_path / "labels.csv").write_bytes(labels)
    graded, human = str(tmp_path / "graded.csv"), str(tmp_path / "labels.csv")
    assert main(["compare", graded, "--human", human, "-m", "accuracy", "--resamples", "999"]) == 0
    printed = capsys.readouterr()
    assert "good leads" in printed.out
    assert "PPI++ with λ" in printed.out
    assert "max-T over 3 pairs" in printed.out
    assert "turns" in printed.out
    assert "random sample" in printed.err
    assert main(["compare", graded, "--human", human, "-m", "accuracy", "-f", "json", "--resamples", "999"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {pair["order"] for pair in found["pairs"]} == {"holds", "turns"}
    assert set(found["settings"]["human"]) == {"estimate", "weight", "labelled", "of", "reweight", "differs"}
    assert main(["compare", graded, "--human", human, "-f", "csv", "--resamples", "999"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("machine,order")
    assert main(["compare", graded, "--human", human, "--test", "t", "--by", "x"]) == 2
    assert "--human cannot be combined with --by, --test" in capsys.readouterr().err
    (tmp_path / "labels.csv").write_bytes(labels + b"\nq1,best,1")
    assert main(["compare", graded, "--human", human, "-o", str(tmp_path / "out.txt")]) == 3
    assert "labels.csv:602: unknown run 'best'" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_the_report_has_a_section(tmp_path, capsys) -> None:
    outcomes, labels, _ = made(fooled=0.9)
    (tmp_path / "graded.csv").write_bytes(outcomes)
    (tmp_path / "labels.csv").write_bytes(labels)
    arguments = [
        "report",
        str(tmp_path / "graded.csv"),
        "--human",
        str(tmp_path / "labels.csv"),
        "--trials",
        "0",
        "-m",
        "accuracy",
    ]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "Which runs would people call better by accuracy?" in text
    assert "PPI++ with λ" in text
    (tmp_path / "labels.csv").write_bytes(b"\n".join(labels.splitlines()[:13]))
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert "What would people say?" in printed.out
    assert "not compared as people would judge them: too few labels" in printed.err
    alone = [line for line in outcomes.splitlines() if b",good," in line or line.startswith(b"id")]
    (tmp_path / "graded.csv").write_bytes(b"\n".join(alone))
    (tmp_path / "labels.csv").write_bytes(
        b"\n".join(line for line in labels.splitlines() if b",good," in line or line.startswith(b"id"))
    )
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert "not compared" not in printed.err
    assert "Which runs would people call better" not in printed.out
