"""A score table under a machine judge, with people's labels of some of its questions or topics, for comparisons."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.analyses.correction import verdicts
from assay.analyses.correction.verdicts import (
    OUTCOME_MEASURES,
    SCORE,
    clusters_of,
    labels_by_sample,
    number_clusters_of,
)
from assay.errors import InputError, UsageError
from assay.figures.common import headline
from assay.formats.answers.outcome_words import Words
from assay.formats.auxiliary.human_labels import Label, has_both, read_both, read_labels
from assay.io.sources import Source, path_of, source_of
from assay.measures.measure import Measure
from assay.resampling.arithmetic import Floats, Integers
from assay.scoring.evaluate import evaluate, read_gold
from assay.stats.judged_pairs import JudgedRuns
from assay.stats.labelled_verdicts import FORMS, Labelled
from assay.table import missing_topics
from assay.table.run_scores import each
from assay.table.scores import Scores


@dataclass(frozen=True)
class LabelledScores:
    """Runs by one measure under a machine's verdicts, and people's on some topics: arrays are topics of the table × runs."""

    scores: Scores
    measure: Measure
    judge: Floats
    """NaN where a run was not asked, or the measure is undefined."""
    human: Floats
    checked: Floats
    """The judge's score on the samples that people labelled."""
    answered: Floats
    notes: list[str]
    cluster: str | None
    clusters: Integers | None

    def field(self, name: str, places: Integers) -> list[Any]:
        """Return what the gold says of some topics; of `SCORE` the machine's mean score over the runs."""
        if name == SCORE and name not in self.scores.fields:
            return np.nanmean(self.judge[places], axis=1).tolist()
        if name not in self.scores.fields:
            known = ", ".join([SCORE, *self.scores.fields])
            raise UsageError(f"`reweight={name!r}`: no field {name!r}; there are {known}")
        column = self.scores.fields[name]
        return [column[i] for i in places.tolist()]

    def runs_at(self, runs: Sequence[int]) -> tuple[JudgedRuns, Integers]:
        """Return some runs on the topics that all of them have, and the places of these topics."""
        chosen = np.array(runs, dtype=np.int64)
        places = np.flatnonzero(np.isfinite(self.judge[:, chosen]).all(axis=1))
        human, checked = (of[np.ix_(places, chosen)] for of in (self.human, self.checked))
        judged = JudgedRuns(
            self.judge[np.ix_(places, chosen)], human, checked, self.answered[np.ix_(places, chosen)],
            FORMS.get(self.measure.declaration.name, FORMS["accuracy"]), _renumbered(self.clusters, places),
        )  # fmt: skip
        # A run that people judged wholly needs no judge.
        checked[:, ~judged.others.any(axis=0)] = 0.0
        return judged, places

    def people(self) -> Scores:
        """Return the table with people's scores in place of the judge's, on the topics they judged for all runs."""
        name = self.measure.name
        runs = []
        for place, run in enumerate(map(self.scores.run, self.scores.runs)):
            human = np.where(self.answered[:, place] > 0, self.human[:, place], 0.0)
            columns: dict[str, Any] = {}
            if self.measure.level == "topic":
                columns[name] = human.tolist()
            if "correct" in run.columns:
                counts = np.ones(len(human)) if run.samples is None else np.array(run.samples)
                correct, unanswered = human * counts, np.array(list(run.columns["unanswered"]), np.float64)
                columns |= {"correct": _whole(correct), "incorrect": _whole(counts - correct - unanswered)}
                columns |= {SCORE: human.tolist()} if SCORE in run.columns else {}
            runs.append(run.but(columns={**run.columns, **columns}))
        return self.scores.with_runs(runs)


def _whole(values: Floats) -> list[float | int]:
    return values.astype(np.int64).tolist() if bool((values == np.rint(values)).all()) else values.tolist()


def _renumbered(clusters: Integers | None, places: Integers) -> Integers | None:
    if clusters is None:
        return None
    return np.unique(clusters[places], return_inverse=True)[1].astype(np.int64)


def read_labelled(
    scores: Any, measure: str | Measure | None, human: Any, *, runs: Any, task: str | None, cluster: str | None, settings: dict[str, Any]
) -> LabelledScores:  # fmt: skip
    """Join what a machine judged and what people labelled.

    scores     a score table; gold, as `assay.evaluate` takes it; None where runs have outcomes, or `human` has the judge's verdicts
    human      a table of labels; qrels of some topics, or a sample of them; or people's score table
    runs       with gold, the runs
    settings   with gold, choices of the task
    """
    words = Words(settings.get("outcomes"))
    if scores is None and runs is None:
        source = _source(human)
        if not has_both(source):
            raise source.error(None, "expected the columns id, judge and human where no runs are given")
        table, labels = _of_one_table(source, words, cluster)
        return _of_outcomes(_evaluated(table, measure), measure, source, labels, cluster)
    if isinstance(scores, Scores):
        table = scores
    else:
        machine = read_gold(scores, task=task, runs=runs, **settings)
        runs = None if machine.holds_runs else runs
        if machine.task.name == "ranked" and not isinstance(human, Scores):
            return _of_topics(machine, human, runs, measure, cluster, settings)
        table = machine.evaluate(runs, None if measure is None else [measure])
    if isinstance(human, Scores):
        return _of_tables(table, human, measure, cluster)
    if table.task.name != "outcomes":
        raise UsageError(
            f"`human=`: labels of answers correct outcomes, and this is {table.task.title.lower()}; give people's score table "
            "(`assay.evaluate` of the same runs), or of ranked runs the qrels and the runs themselves"
        )
    source = _source(human)
    return _of_outcomes(table, measure, source, read_labels(source, words), cluster)


def _source(human: Any) -> Source:
    return source_of(human, None if path_of(human) is not None else "<human>")


def _of_one_table(source: Source, words: Words, cluster: str | None) -> tuple[bytes, list[Label]]:
    """Return the judge's verdicts of one table as a table of outcomes, and the labels."""
    from assay.formats.auxiliary.human_labels import has_column

    field = verdicts.CLUSTER if cluster == "auto" and has_column(source, verdicts.CLUSTER) else cluster
    field = None if field == "auto" else field
    judged, labels = read_both(source, words, field)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["id", "run", "outcome", *([field] if field else [])])
    for row in judged:
        score = "unanswered" if row.verdict is None else repr(row.verdict)
        table.writerow([row.question, row.run or source.stem, score, *([row.cluster] if field else [])])
    return text.getvalue().encode("utf-8", "surrogatepass"), labels


def _evaluated(table: bytes, measure: str | Measure | None) -> Scores:
    return evaluate(table, None, None if measure is None else [measure])


def _of_outcomes(
    scores: Scores, measure: str | Measure | None, source: Source, labels: Sequence[Label], cluster: str | None
) -> LabelledScores:
    """Join a table of outcomes and labels: by question, or by sample of a question."""
    by = headline(scores) if measure is None else scores.measure(measure)
    if by.declaration.name not in OUTCOME_MEASURES:
        raise UsageError(
            f"`measure={by.name!r}`: expected a mean of verdicts where people's labels correct it: {', '.join(OUTCOME_MEASURES)}"
        )
    if scores.is_suite:
        raise UsageError(
            "`human=`: runs of a suite are compared by macro means, which labels do not correct; give one task"
        )
    shape = len(scores.topics), len(scores.runs)
    judge, human, checked, answered = (np.full(shape, np.nan) for _ in range(4))
    samples: list[list[list[tuple[float, bool]]]] = []
    for place, name in enumerate(scores.runs):
        samples.append(_samples(scores, name))
        for topic, of_topic in enumerate(samples[place]):
            if of_topic:
                judge[topic, place] = sum(score for score, _ in of_topic) / len(of_topic)
                answered[topic, place] = sum(is_answered for _, is_answered in of_topic) / len(of_topic)
    asked: dict[str, dict[str, float | None]] = {
        name: {
            topic: None if answered[i, place] == 0 else judge[i, place]
            for i, topic in enumerate(scores.topics)
            if samples[place][i]
        }
        for place, name in enumerate(scores.runs)
    }
    notes: list[str] = []
    known = labels_by_sample(source, scores.topics, asked, labels, notes)
    for place, name in enumerate(scores.runs):
        for topic, id in enumerate(scores.topics):
            if id in known[name]:
                of_people, of_judge = _joined(source, labels, name, id, known[name][id], samples[place][topic])
                if of_people is not None:
                    human[topic, place] = of_people * answered[topic, place]
                    checked[topic, place] = of_judge * answered[topic, place]
    if not np.isfinite(human).any():
        raise source.error(None, "labels no question that a run answers; expected labels of answered questions")
    # Without answers there is nothing to label.
    return _made(scores, by, judge, human, checked, answered, notes, cluster)


def _samples(scores: Scores, name: str) -> list[list[tuple[float, bool]]]:
    """Return by topic the score of each sample, and whether it was answered; nothing of a topic that does not enter."""
    run = scores.run(name)
    present = set(missing_topics.present(scores, run))
    kind = SCORE if SCORE in run.columns else "correct"
    several = run.repeated
    values, declined = (run.columns[each(column) if several else column] for column in (kind, "unanswered"))
    by_topic: list[list[tuple[float, bool]]] = []
    value: Any
    gone: Any
    for topic, (value, gone) in enumerate(zip(values, declined, strict=True)):
        if topic not in present or value is None or (run.samples is not None and not run.samples[topic]):
            by_topic.append([])
        elif several:
            by_topic.append([(float(score or 0), not left) for score, left in zip(value, gone, strict=True)])
        else:
            by_topic.append([(float(value), not gone)])
    return by_topic


def _joined(
    source: Source, labels: Sequence[Label], run: str, id: str, known: Mapping[int | None, float], samples: Sequence[tuple[float, bool]]
) -> tuple[float | None, float]:  # fmt: skip
    """Return people's mean score of the answered samples they labelled, and the judge's on the same."""
    if set(known) == {None}:
        machine = [score for score, answered in samples if answered]
        return known[None], sum(machine) / len(machine)
    people, machine = list[float](), list[float]()
    for sample, human in known.items():
        if sample is None or sample > len(samples):
            line = next(
                label.line
                for label in labels
                if (label.run in (run, None), label.question, label.sample) == (True, id, sample)
            )
            what = "names no sample, and others do" if sample is None else f"is of sample {sample}, of {len(samples)}"
            raise source.error(line, f"the label of question {id!r} of {run} {what}")
        score, answered = samples[sample - 1]
        if answered:
            people.append(human)
            machine.append(score)
    return (sum(people) / len(people), sum(machine) / len(machine)) if people else (None, 0.0)


def _of_topics(
    machine: Any, human: Any, runs: Any, measure: str | Measure | None, cluster: str | None, settings: dict[str, Any]
) -> LabelledScores:
    """Join ranked runs scored under a machine's judgments of all topics, and under people's of some."""
    material = verdicts.of_topics(
        machine, human, runs, None if measure is None else [measure], None, cluster, **settings
    )
    assert material.scores is not None, "ranked runs come with their table"
    [(name, by_run)] = material.runs.items()
    return _of_labelled(material.scores, material.scores.measure(name), by_run, material.notes, cluster)


def _of_tables(machine: Scores, people: Scores, measure: str | Measure | None, cluster: str | None) -> LabelledScores:
    """Join the scores of the same runs under the machine's verdicts and under people's on some topics."""
    by = headline(machine) if measure is None else machine.measure(measure)
    if by.level != "topic" or by.average != "mean":
        raise UsageError(
            f"`measure={by.name!r}`: expected a mean over {machine.task.noun}s where `human` is a score table"
        )
    lacking = [run for run in machine.runs if run not in people.runs]
    if lacking:
        raise UsageError(f"`human=`: people's table has no run {lacking[0]!r}; runs are {', '.join(people.runs)}")
    beyond = sorted(set(people.topics) - set(machine.topics))
    if beyond:
        raise InputError(
            f"people's table has {len(beyond)} {machine.task.noun}s that the machine did not judge (first {beyond[0]!r})"
        )
    notes: list[str] = []
    by_run = {run: verdicts.under_both(machine, people, run, by.name, by.name, notes) for run in machine.runs}
    return _of_labelled(machine, by, by_run, notes, cluster)


def _of_labelled(
    scores: Scores, measure: Measure, by_run: Mapping[str, Labelled], notes: list[str], cluster: str | None
) -> LabelledScores:
    judge, human = (np.column_stack([getattr(run, of) for run in by_run.values()]) for of in ("judge", "human"))
    answered = np.where(np.isfinite(judge), 1.0, np.nan)
    return _made(scores, measure, judge, human, judge, answered, notes, cluster)


def _made(
    scores: Scores, measure: Measure, judge: Floats, human: Floats, checked: Floats, answered: Floats, notes: list[str], cluster: str | None
) -> LabelledScores:  # fmt: skip
    field, values = clusters_of(scores, cluster)
    numbers = number_clusters_of(field, values, scores.task.noun)
    field = None if numbers is None else field
    return LabelledScores(
        scores, measure, judge, human, checked.copy(), answered, list(dict.fromkeys(notes)), field, numbers
    )
