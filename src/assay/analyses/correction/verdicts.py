"""Whose verdicts are corrected by whose labels: questions with outcomes, or topics with scores under two judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError, unknown_run
from assay.formats.answers.outcome_words import Words
from assay.formats.auxiliary.human_labels import Label, has_labels, read_both, read_labels
from assay.io.sources import Source, path_of, source_of
from assay.resampling.arithmetic import Floats
from assay.scoring.evaluate import Gold, read_gold
from assay.stats.labelled_verdicts import FORMS, Form, Labelled
from assay.table import missing_topics
from assay.table.scores import Scores

SCORE = "score"
OUTCOME_MEASURES = (*FORMS, SCORE)
SAMPLED = {"AP": ("xinfAP", "statAP"), "nDCG": ("infNDCG", None), "P": ("iP", None)}
"""What stands for a measure where people judged a sample of the pairs: with strata, and with probabilities alone."""

SHARED = ("level", "depth", "missing", "undefined")
"""The settings under which people's judgments are read as the machine's are."""


@dataclass(frozen=True)
class Material:
    """By measure, its form, the ends of its range, and every run's verdicts and labels."""

    noun: str
    measures: dict[str, tuple[Form, float, float]]
    runs: dict[str, dict[str, Labelled]]
    notes: list[str]


def of_one_table(source: Source, measures: Any, words: Words) -> Material:
    """A table that has a column of the judge, and one of people."""
    judged, labels = read_both(source, words)
    said: dict[str, dict[str, float | None]] = {}
    for one in judged:
        said.setdefault(one.run or source.stem, {})[one.question] = one.verdict
    questions = list(dict.fromkeys(one.question for one in judged))
    return _outcomes(source, questions, said, labels, measures)


def of_outcomes(scores: Scores, human: Source, measures: Any, words: Words) -> Material:
    """Runs with outcomes, and a file of labels."""
    said: dict[str, dict[str, float | None]] = {}
    for name in scores.runs:
        run = scores.run(name)
        if run.samples is not None and max(run.samples, default=0) > 1:
            raise UsageError(
                f"{name}: some questions are answered several times, and a label cannot say which of the answers it is about; keep "
                "one answer of each, or give one table with a line for every answer: id (of the answer), judge, human"
            )
        verdicts, gone = scores.column(name, SCORE), scores.column(name, "unanswered")
        said[name] = {
            topic: None if unanswered else verdict
            for topic, verdict, unanswered in zip(scores.topics, verdicts, gone, strict=True)
            if unanswered is not None and (unanswered or verdict is not None)
        }
    return _outcomes(human, scores.topics, said, read_labels(human, words), measures)


def _outcomes(
    source: Source, questions: Sequence[str], said: Mapping[str, Mapping[str, float | None]], labels: Sequence[Label], measures: Any
) -> Material:  # fmt: skip
    notes: list[str] = []
    given = _by_run(source, questions, said, labels, notes)
    runs: dict[str, Labelled] = {}
    for name, verdicts in said.items():
        answered = [verdicts.get(question) for question in questions]
        gone = [question in verdicts and verdicts[question] is None for question in questions]
        runs[name] = Labelled.of(answered, [given[name].get(question) for question in questions], gone)
    unlabelled = [name for name, run in runs.items() if not run.labelled.any()]
    if len(unlabelled) == len(runs):
        raise source.error(None, "labels no question that a run answers: there is nothing to correct by")
    if unlabelled:
        notes.append(f"nobody labelled {', '.join(unlabelled)}: only the machine's score")
    wanted = _outcome_measures(measures, runs)
    ranges = {name: (FORMS["accuracy" if name == SCORE else name], 0.0, 1.0) for name in wanted}
    return Material("question", ranges, dict.fromkeys(wanted, runs), notes)


def _by_run(
    source: Source, questions: Sequence[str], said: Mapping[str, Mapping[str, float | None]], labels: Sequence[Label],
    notes: list[str],
) -> dict[str, dict[str, float]]:  # fmt: skip
    """Every run's labels: the last of one person on one question, the mean of several people's."""
    known = set(questions)
    given: dict[str, dict[str, dict[str, float]]] = {name: {} for name in said}
    twice: list[Label] = []
    needless = 0
    for one in labels:
        if one.run is None and len(said) > 1:
            raise source.error(
                one.line, f"the label of question {one.question!r} names no run, and there are {len(said)}; a column `run` says whose it is"
            )  # fmt: skip
        run = one.run if one.run is not None else next(iter(said))
        if run not in said:
            raise source.error(one.line, unknown_run(run, said))
        if one.question not in known or one.question not in said[run]:
            raise source.error(one.line, f"labels question {one.question!r}, which {run} was not asked")
        if said[run][one.question] is None:
            needless += 1
            continue
        if one.verdict is None:
            raise source.error(
                one.line, f"question {one.question!r} is unanswered by the label, and answered by {run}; expected right, wrong or a score"
            )  # fmt: skip
        own = given[run].setdefault(one.question, {})
        twice += [one] if one.person in own else []
        own[one.person] = one.verdict
    if needless:
        notes.append(f"{needless} labels are of questions left unanswered, which need none: left out")
    if twice:
        first = twice[0]
        notes.append(
            f"{source.name}: {len(twice)} questions are labelled a second time by the same person (first question {first.question}, "
            f"line {first.line}); the last label counts"
        )
    several = sum(len(people) > 1 for own in given.values() for people in own.values())
    if several:
        notes.append(f"{several} questions have the labels of several people: their mean counts")
    return {
        run: {question: sum(people.values()) / len(people) for question, people in own.items()}
        for run, own in given.items()
    }


def _outcome_measures(measures: Any, runs: Mapping[str, Labelled]) -> list[str]:
    from assay.measures.registry import resolve

    graded = not all(run.binary for run in runs.values())
    if measures is None:
        if graded:
            return [SCORE]
        return ["accuracy", "c@1"] if any(run.unanswered.any() for run in runs.values()) else ["accuracy"]
    found: list[str] = []
    for given in [measures] if isinstance(measures, str) else list(measures):
        name = resolve(given, "outcomes").declaration.name
        if name not in OUTCOME_MEASURES:
            raise UsageError(
                f"`measures={name!r}`: verdicts can be corrected for {', '.join(OUTCOME_MEASURES)}; others are no mean of verdicts"
            )
        if graded and name != SCORE:
            raise UsageError(
                f"`measures={name!r}`: some verdicts are between 0 and 1, and it wants right or wrong; take `score`"
            )
        found.append(name)
    return list(dict.fromkeys(found))


def of_topics(machine: Gold, human: Any, runs: Any, measures: Any, progress: Any, **settings: Any) -> Material:
    """Ranked runs under a machine's judgments of all topics, and people's of some."""
    if path_of(human) is not None and has_labels(source := source_of(human)):
        raise source.error(
            None,
            "is a table of labels, by question; ranked runs are corrected by qrels of some topics, or a sample of them (prels, strata)",
        )
    people = read_gold(human, **{name: value for name, value in settings.items() if name in SHARED})
    if people.task.name not in ("ranked", "sampled"):
        raise UsageError(f"`human=`: expected qrels, or a sample of them (prels or strata), found {people!r}")
    beyond = sorted(set(people.topics) - set(machine.topics))
    if len(beyond) == len(people.topics):
        raise InputError(f"{people!r} and {machine!r} have no topic in common: {beyond[0]!r} is not in the latter")
    if beyond:
        raise InputError(
            f"people judged {len(beyond)} topics that the machine did not (first {beyond[0]!r}); expected its judgments of all topics"
        )
    one = machine.evaluate(runs, measures or ["AP"], progress=progress)
    names = [measure.name for measure in one.measures]
    stands = {name: _sampled(one, name, people) if people.task.name == "sampled" else name for name in names}
    two = people.evaluate(runs, list(stands.values()), progress=progress)
    notes = [
        f"people judged a sample of pairs: {stand} of theirs stands for {name}"
        for name, stand in stands.items()
        if stand != name
    ]
    found: dict[str, dict[str, Labelled]] = {}
    ranges: dict[str, tuple[Form, float, float]] = {}
    for measure in one.measures:
        low, high = measure.declaration.low, measure.declaration.high
        if measure.level != "topic" or measure.average != "mean":
            raise UsageError(f"`measures={measure.name!r}`: is no mean over topics, which is what can be corrected")
        ranges[measure.name] = FORMS["accuracy"], -np.inf if low is None else low, np.inf if high is None else high
        found[measure.name] = {
            name: _under_both(one, two, name, measure.name, stands[measure.name], notes) for name in one.runs
        }
    return Material("topic", ranges, found, list(dict.fromkeys(notes)))


def _sampled(scores: Scores, name: str, people: Gold) -> str:
    measure = scores.measure(name)
    strata, chances = SAMPLED.get(measure.declaration.name, (None, None))
    known = people.evaluate({"none": {people.topics[0]: {"": 0.0}}}).measures
    stand = strata if any(m.name == "xinfAP" for m in known) else chances
    cut = name.partition("@")[2]
    if stand is None or (cut and stand != "iP"):
        raise UsageError(
            f"`measures={name!r}`: a sample of judgments estimates AP (xinfAP, statAP), nDCG (infNDCG) and P@k (iP@k)"
        )
    return f"{stand}@{cut}" if cut else stand


def _under_both(one: Scores, two: Scores, run: str, measure: str, stand: str, notes: list[str]) -> Labelled:
    """A run's topics under the machine, and under people where they judged."""
    machine = _values(one, run, measure)
    place = {topic: i for i, topic in enumerate(one.topics)}
    labels = np.full(len(one.topics), np.nan)
    undefined = 0
    for topic, value in zip(two.topics, _values(two, run, stand), strict=True):
        if np.isnan(value):
            machine[place[topic]] = np.nan
            undefined += 1
        labels[place[topic]] = value
    if undefined:
        notes.append(f"{measure} is undefined on {undefined} topics that people judged: left out")
    return Labelled(machine, labels, np.zeros(len(machine), bool))


def _values(scores: Scores, run: str, measure: str) -> Floats:
    known = scores.measure(measure)
    nothing = np.nan if missing_topics.leaves_out_undefined(scores.settings, known) else 0.0
    cells: Iterable[Any] = scores.column(run, known.name)
    there = set(missing_topics.present(scores, scores.run(run)))
    return np.array(
        [np.nan if i not in there else nothing if cell is None else cell for i, cell in enumerate(cells)], np.float64
    )
