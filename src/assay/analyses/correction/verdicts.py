"""Join a machine's verdicts and people's labels: of questions with outcomes, or of topics scored under both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from assay.errors import InputError, UsageError
from assay.formats.answers.outcome_words import Words
from assay.formats.auxiliary.human_labels import CLUSTER, Label, has_column, has_labels, read_both, read_labels
from assay.formats.id_prefixes import prefix_hint
from assay.io.sources import Source, path_of, source_of
from assay.parameters import TaskSettings
from assay.resampling.arithmetic import Floats, Integers
from assay.scoring.evaluate import Gold, read_gold
from assay.stats.labelled_verdicts import FORMS, Form, Labelled, number_clusters
from assay.table import missing_topics
from assay.table.run_names import unknown_run
from assay.table.scores import Scores

SCORE = "score"
OUTCOME_MEASURES = (*FORMS, SCORE)
SAMPLED: dict[str, tuple[str, str | None]] = {"AP": ("xinfAP", "statAP"), "nDCG": ("infNDCG", None), "P": ("iP", None)}
"""The estimator of a measure from a sample of judged pairs: with strata, and with probabilities alone."""

SHARED = ("level", "depth", "missing", "undefined")
"""Settings with which people's judgments are read like the machine's."""


@dataclass(frozen=True)
class Material:
    """By measure, its form, the ends of its range, and every run's verdicts and labels."""

    noun: str
    measures: dict[str, tuple[Form, float, float]]
    runs: dict[str, dict[str, Labelled]]
    notes: list[str]
    cluster: str | None = None
    """The field that groups questions; None if they are independent."""
    scores: Scores | None = None
    """Of ranked runs, the table under the machine's judgments."""


def of_one_table(source: Source, measures: Any, words: Words, cluster: str | None = None) -> Material:
    """Read a table with a column of the judge and one of people."""
    if cluster == "auto":
        cluster = CLUSTER if has_column(source, CLUSTER) else None
    judged, labels = read_both(source, words, cluster)
    verdicts: dict[str, dict[str, float | None]] = {}
    clusters: dict[str, str | None] = {}
    for row in judged:
        verdicts.setdefault(row.run or source.stem, {})[row.question] = row.verdict
        if clusters.setdefault(row.question, row.cluster) != row.cluster:
            raise source.error(
                row.line,
                f"question {row.question!r} has two values of {cluster}: {clusters[row.question]!r} and {row.cluster!r}",
            )
    return _outcomes(source, list(clusters), verdicts, labels, measures, cluster, list(clusters.values()))


def of_outcomes(scores: Scores, human: Source, measures: Any, words: Words, cluster: str | None) -> Material:
    """Join runs with outcomes and a file of labels."""
    verdicts: dict[str, dict[str, float | None]] = {}
    for name in scores.runs:
        run = scores.run(name)
        if run.samples is not None and max(run.samples, default=0) > 1:
            raise UsageError(
                f"{name}: some questions have several answers, and a label does not say which one it judges. Fix: keep "
                "one answer of each, or give one table with a line per answer: id (of the answer), judge, human."
            )
        column, declined = scores.column(name, SCORE), scores.column(name, "unanswered")
        verdicts[name] = {
            topic: None if unanswered else verdict
            for topic, verdict, unanswered in zip(scores.topics, column, declined, strict=True)
            if unanswered is not None and (unanswered or verdict is not None)
        }
    labels = read_labels(human, words)
    return _outcomes(human, scores.topics, verdicts, labels, measures, *clusters_of(scores, cluster))


def clusters_of(scores: Scores, cluster: str | None) -> tuple[str | None, Sequence[Any]]:
    """Return the field of clusters, None without one, and each topic's cluster."""
    if cluster == "auto":
        cluster = CLUSTER if CLUSTER in scores.fields else None
    if cluster is None:
        return None, ()
    if cluster not in scores.fields:
        known = ", ".join(scores.fields) or "none"
        raise UsageError(f"`cluster={cluster!r}`: no field {cluster!r} of clusters; the gold has {known}")
    return cluster, scores.fields[cluster]


def number_clusters_of(cluster: str | None, clusters: Sequence[Any], noun: str) -> Integers | None:
    """Return each question's cluster number; None where every question is a cluster of its own."""
    numbers = number_clusters(clusters) if cluster is not None else None
    if numbers is None or len(set(numbers.tolist())) == len(numbers):
        return None
    if not numbers.any():
        raise InputError(f"all {len(numbers)} {noun}s are in one {cluster}; a correction by {cluster} needs at least 2")
    return numbers


def _outcomes(
    source: Source, questions: Sequence[str], verdicts: Mapping[str, Mapping[str, float | None]], labels: Sequence[Label],
    measures: Any, cluster: str | None, clusters: Sequence[Any],
) -> Material:  # fmt: skip
    notes: list[str] = []
    labels_by_run = {
        name: {question: sum(samples.values()) / len(samples) for question, samples in by_question.items()}
        for name, by_question in labels_by_sample(source, questions, verdicts, labels, notes).items()
    }
    numbers = number_clusters_of(cluster, clusters, "question")
    runs: dict[str, Labelled] = {}
    for name, by_question in verdicts.items():
        judge = [by_question.get(question) for question in questions]
        declined = [question in by_question and by_question[question] is None for question in questions]
        human = [labels_by_run[name].get(question) for question in questions]
        runs[name] = replace(Labelled.of(judge, human, declined), clusters=numbers)
    unlabelled = [name for name, run in runs.items() if not run.labelled.any()]
    if len(unlabelled) == len(runs):
        raise source.error(None, "labels no question that a run answers; expected labels of answered questions")
    if unlabelled:
        notes.append(f"no label for {', '.join(unlabelled)}: only the machine's score")
    names = _outcome_measures(measures, runs)
    ranges = {name: (FORMS["accuracy" if name == SCORE else name], 0.0, 1.0) for name in names}
    return Material("question", ranges, dict.fromkeys(names, runs), notes, None if numbers is None else cluster)


def labels_by_sample(
    source: Source, questions: Sequence[str], verdicts: Mapping[str, Mapping[str, float | None]], labels: Sequence[Label],
    notes: list[str],
) -> dict[str, dict[str, dict[int | None, float]]]:  # fmt: skip
    """Return every run's labels by question and sample: the last of one person on one answer, the mean of several people's.

    verdicts   by run and question asked, the judge's verdict; None where the question is unanswered
    """
    known = set(questions)
    by_run: dict[str, dict[str, dict[int | None, dict[str, float]]]] = {name: {} for name in verdicts}
    repeated: list[Label] = []
    needless = 0
    for label in labels:
        if label.run is None and len(verdicts) > 1:
            raise source.error(
                label.line,
                f"the label of question {label.question!r} names no run, and there are {len(verdicts)}. Fix: add a column `run`.",
            )
        run = label.run if label.run is not None else next(iter(verdicts))
        if run not in verdicts:
            raise source.error(label.line, unknown_run(run, verdicts))
        if label.question not in known or label.question not in verdicts[run]:
            raise source.error(label.line, f"labels question {label.question!r}, which {run} was not asked")
        if verdicts[run][label.question] is None:
            needless += 1
            continue
        if label.verdict is None:
            raise source.error(
                label.line,
                f"the label of question {label.question!r} says unanswered, but {run} answers it; expected right, wrong or a score",
            )
        by_person = by_run[run].setdefault(label.question, {}).setdefault(label.sample, {})
        repeated += [label] if label.person in by_person else []
        by_person[label.person] = label.verdict
    if needless:
        notes.append(f"{needless} labels of unanswered questions are ignored")
    if repeated:
        first = repeated[0]
        notes.append(
            f"{source.name}: {len(repeated)} questions are labelled twice by the same person (first question {first.question}, "
            f"line {first.line}); the last label counts"
        )
    several = sum(
        any(len(people) > 1 for people in samples.values())
        for by_question in by_run.values()
        for samples in by_question.values()
    )
    if several:
        notes.append(f"{several} questions are labelled by several people: the mean counts")
    return {
        run: {
            question: {sample: sum(people.values()) / len(people) for sample, people in samples.items()}
            for question, samples in by_question.items()
        }
        for run, by_question in by_run.items()
    }


def _outcome_measures(measures: Any, runs: Mapping[str, Labelled]) -> list[str]:
    from assay.measures.registry import resolve

    graded = not all(run.binary for run in runs.values())
    if measures is None:
        if graded:
            return [SCORE]
        return ["accuracy", "c@1"] if any(run.unanswered.any() for run in runs.values()) else ["accuracy"]
    names: list[str] = []
    for written in [measures] if isinstance(measures, str) else list(measures):
        name = resolve(written, "outcomes").declaration.name
        if name not in OUTCOME_MEASURES:
            raise UsageError(f"`measures={name!r}`: expected a mean of verdicts: {', '.join(OUTCOME_MEASURES)}")
        if graded and name != SCORE:
            raise UsageError(
                f"`measures={name!r}`: needs right or wrong, and some verdicts are between 0 and 1; use `score`"
            )
        names.append(name)
    return list(dict.fromkeys(names))


def of_topics(
    machine: Gold,
    human: Any,
    runs: Any,
    measures: Any,
    progress: Any,
    cluster: str | None,
    **settings: Unpack[TaskSettings],
) -> Material:
    """Score ranked runs under a machine's judgments of all topics, and people's of some."""
    if path_of(human) is not None and has_labels(source := source_of(human)):
        raise source.error(
            None,
            "is a table of labels; ranked runs need qrels of some topics, or a sample of judgments (prels, strata)",
        )
    shared: dict[str, Any] = {name: value for name, value in settings.items() if name in SHARED}
    people = read_gold(human, **shared)
    if people.task.name not in ("ranked", "sampled"):
        raise UsageError(f"`human=`: expected qrels, or a sample of them (prels or strata), found {people!r}")
    beyond = sorted(set(people.topics) - set(machine.topics))
    if len(beyond) == len(people.topics):
        hint = prefix_hint(beyond[0], machine.topics, "the machine's judgments")
        raise InputError(
            f"{path_of(human) or '`human=`'}: no topic in common with the machine's judgments: people's have topics such as "
            f"{beyond[0]!r}, the machine's such as {machine.topics[0]!r}{hint}"
        )
    if beyond:
        raise InputError(
            f"people judged {len(beyond)} topics that the machine did not (first {beyond[0]!r}); expected machine judgments of all topics"
        )
    by_machine = machine.evaluate(runs, measures or ["AP"], progress=progress)
    names = [measure.name for measure in by_machine.measures]
    estimators = {name: _sampled(by_machine, name, people) if people.task.name == "sampled" else name for name in names}
    by_people = people.evaluate(runs, list(estimators.values()), progress=progress)
    field, clusters = clusters_of(by_machine, cluster)
    numbers = number_clusters_of(field, clusters, "topic")
    notes = [
        f"people judged a sample of pairs: {estimator} estimates their {name}"
        for name, estimator in estimators.items()
        if estimator != name
    ]
    runs_by_measure: dict[str, dict[str, Labelled]] = {}
    ranges: dict[str, tuple[Form, float, float]] = {}
    for measure in by_machine.measures:
        low, high = measure.declaration.low, measure.declaration.high
        if measure.level != "topic" or measure.average != "mean":
            raise UsageError(f"`measures={measure.name!r}`: expected a mean over topics")
        ranges[measure.name] = FORMS["accuracy"], -np.inf if low is None else low, np.inf if high is None else high
        runs_by_measure[measure.name] = {
            name: replace(
                under_both(by_machine, by_people, name, measure.name, estimators[measure.name], notes),
                clusters=numbers,
            )
            for name in by_machine.runs
        }
    return Material(
        "topic", ranges, runs_by_measure, list(dict.fromkeys(notes)), None if numbers is None else field, by_machine
    )  # fmt: skip


def _sampled(scores: Scores, name: str, people: Gold) -> str:
    measure = scores.measure(name)
    with_strata, with_probabilities = SAMPLED.get(measure.declaration.name, (None, None))
    known = people.evaluate({"none": {people.topics[0]: {"": 0.0}}}).measures
    estimator = with_strata if any(m.name == "xinfAP" for m in known) else with_probabilities
    cut = name.partition("@")[2]
    if estimator is None or (cut and estimator != "iP"):
        raise UsageError(
            f"`measures={name!r}`: a sample of judgments estimates AP (xinfAP, statAP), nDCG (infNDCG) and P@k (iP@k)"
        )
    return f"{estimator}@{cut}" if cut else estimator


def under_both(
    by_machine: Scores, by_people: Scores, run: str, measure: str, estimator: str, notes: list[str]
) -> Labelled:
    """Return a run's scores by topic under the machine, and under people on the topics they judged."""
    machine = _values(by_machine, run, measure)
    place = {topic: i for i, topic in enumerate(by_machine.topics)}
    labels = np.full(len(by_machine.topics), np.nan)
    undefined = 0
    for topic, value in zip(by_people.topics, _values(by_people, run, estimator), strict=True):
        if np.isnan(value):
            machine[place[topic]] = np.nan
            undefined += 1
        labels[place[topic]] = value
    if undefined:
        notes.append(f"{measure} is undefined on {undefined} topics that people judged, which are excluded")
    return Labelled(machine, labels, np.zeros(len(machine), bool))


def _values(scores: Scores, run: str, measure: str) -> Floats:
    known = scores.measure(measure)
    undefined = np.nan if missing_topics.leaves_out_undefined(scores.settings, known) else 0.0
    cells: Iterable[Any] = scores.column(run, known.name)
    present = set(missing_topics.present(scores, scores.run(run)))
    values = [undefined if cell is None else cell for cell in cells]
    return np.array([value if i in present else np.nan for i, value in enumerate(values)], np.float64)
