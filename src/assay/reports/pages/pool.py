"""The pages of `assay pool`: documents to judge, and teams left out of the pool, also a section of a report."""

from __future__ import annotations

from assay.analyses.brief_numbers import brief
from assay.figures.measure_names import in_words
from assay.reports import model
from assay.reports.charts import runs as charts
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, counted, numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.collections.pools.leave_one_out import Change, LeftOut, Team
    from assay.collections.pools.pool import Pool

ZOBEL = "J. Zobel, SIGIR 1998"


def pool_sections(pool: Pool) -> list[Section]:
    """Return the number of documents to judge for each topic, without the runs that returned them."""
    columns = (TableColumn("Topic"), *numbers("In the pool", "Judged already", "To judge"))
    rows = tuple(
        model.cells(topic, pool.sizes[topic], pool.excluded[topic], len(of)) for topic, of in pool.topics.items()
    )
    caption = f"The pool: the first {pool.settings['depth']} documents of {counted(pool.runs, 'run')}."
    table = Table("pool-topics", "Documents to judge", columns, rows, caption)
    return [Section("pool-section", "The pool", (Note(pool.finding), table))]


def left_out_sections(result: LeftOut, how: str = "") -> list[Section]:
    """Return the unique contribution of each team, and the runs scored without it."""
    by_rank = sorted(result.own, key=lambda change: change.rank_before)
    rows = [(change.run, change.before, change.after) for change in by_rank]
    chart = charts.own_documents(
        "pool-own", rows, result.measure, f"{left_out_rule(result)} Best run first. {how}".strip(), result.finding
    )
    taus = [team.tau_b for team in result.teams if team.tau_b is not None]
    least = f" The rankings with and without a team have a tau of at least {brief(min(taus), 2)}." if taus else ""
    blocks: tuple[Block, ...] = (Note(f"{result.finding}{least}"), team_table(result), chart, _runs(result, by_rank))
    return [Section("pool-section", "Teams left out of the pool", blocks)]


def left_out_rule(result: LeftOut) -> str:
    """Say what leaving out a team does."""
    alone = all(run == team for run, team in result.team.items())
    whose = " The runs have no teams, so each is a team by itself." if alone else ""
    return (
        f"Leaving out a team makes the documents unjudged that only it has in the first {result.depth} of its pooled runs, and scores "
        f"every run again ({ZOBEL}).{whose}"
    )


def team_table(result: LeftOut) -> Table:
    """List the teams, those with most relevant documents of their own first."""
    columns = (
        TableColumn("Team"),
        *numbers("Runs", "Judged", "Relevant", "of all", "tau-b"),
        TableColumn("Largest drop"),
        *numbers(f"in {in_words(result.measure)}"),
        TableColumn("Deepest fall"),
        *numbers("in ranks"),
    )
    teams = sorted(result.teams, key=lambda team: (-team.relevant, -team.documents))
    caption = (
        f"By team: how many of the {result.judged} judged and {result.relevant} relevant documents only it found; without these, tau-b "
        f"between the two rankings of all runs, and the runs that lose most {in_words(result.measure)} and most ranks. "
        f" {left_out_rule(result)}"
    )
    return Table(
        "pool-teams",
        "Every team left out",
        columns,
        tuple(_team(result, team) for team in teams),
        caption,
        sortable=True,
    )


def _team(result: LeftOut, team: Team) -> tuple[Cell, ...]:
    changes = result.changes(team)
    drop, fall = result.largest_drop(changes), result.deepest_fall(changes)
    share = team.relevant / result.relevant if result.relevant else None
    return (
        model.text(team.name), model.count(len(team.runs)), model.count(team.documents), model.count(team.relevant),
        model.percent(share), model.number(team.tau_b, 3), model.text(drop.run if drop else "none"),
        model.number(drop.difference if drop else 0.0, signed=True), model.text(fall.run if fall else "none"),
        model.count(-fall.fall if fall else 0, signed=True),
    )  # fmt: skip


def _runs(result: LeftOut, changes: list[Change]) -> Table:
    name = result.measure
    columns = (
        TableColumn("Run"),
        TableColumn("Team"),
        *numbers(name, "without its team", "change", "relative", "Rank", "without"),
    )
    rows = tuple(
        (
            model.text(change.run), model.text(change.team), model.number(change.before), model.number(change.after),
            model.number(change.difference, signed=True), model.percent(change.relative, signed=True),
            model.count(change.rank_before), model.count(change.rank_after),
        )
        for change in changes
    )  # fmt: skip
    caption = "Every run scored with its own team left out of the pool, best run first; JSON has every run without every team."
    return Table("pool-runs", "Every run without its own team", columns, rows, caption, sortable=True)
