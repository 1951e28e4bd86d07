"""Effect of answers judged correct later: the pages of `assay reliability --newly-judged`."""

from __future__ import annotations

from assay.analyses.reliability.newly_correct_answers import NewlyJudged, TrialMean
from assay.reports import model
from assay.reports.model import Cell, Note, Section, Table, TableColumn, counted, numbers


def sections(result: NewlyJudged) -> list[Section]:
    """Return the finding, a table of measures by share, and how it was simulated."""
    columns = (
        TableColumn("Wrong answers that turn right"),
        TableColumn("Measure"),
        *numbers("Change of scores", "tau-b", "lowest", "Pairs reversed", "Best run stays"),
    )
    rows = tuple(
        (
            model.text(f"{100 * at.share:g}% ({at.answers})"),
            model.text(name),
            _with_error(shift.change, 4, signed=True),
            _with_error(shift.tau_b, 3),
            model.number(shift.lowest_tau_b, 3),
            model.percent(None if shift.reversed is None else shift.reversed.value),
            model.percent(shift.best_stays),
        )
        for at in result.shares
        for name, shift in at.measures.items()
    )
    table = Table("newly-judged", "Effect of answers judged correct later", columns, rows, _how(result))
    return [Section("newly-judged-section", "", (Note(result.finding), table))]


def _with_error(mean: TrialMean | None, digits: int, signed: bool = False) -> Cell:
    if mean is None:
        return model.missing()
    sign = "+" if signed else ""
    return model.text(f"{mean.value:{sign}.{digits}f} ± {mean.error:.{digits}f}")


def _how(result: NewlyJudged) -> str:
    return (
        f"{counted(len(result.runs), 'run')} on {counted(result.questions, result.noun)}; "
        f"{counted(result.wrong, 'distinct answer')} judged incorrect. In each of {counted(result.trials, 'trial')} (seed {result.seed}) "
        "a random share of them turns correct for every run that gave them, each as a new equivalence class of grade 1. "
        "± is the Monte-Carlo standard error of a mean over trials; lowest is the lowest tau-b of any trial."
    )
