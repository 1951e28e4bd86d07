"""What a pool asks for, and what it can carry: what `assay pool` prints, and a section of the report."""

from __future__ import annotations

from assay.collections.pools.leave_one_out_result import Change, LeftOut, Team
from assay.collections.pools.pool_result import Pool
from assay.reports import model
from assay.reports.charts import pool as charts
from assay.reports.model import Block, Cell, Note, Section, Table, TableColumn, counted, numbers

ZOBEL = "J. Zobel, SIGIR 1998"


def pool_sections(found: Pool) -> list[Section]:
    """How many documents of each topic are to be judged; never which run returned them."""
    columns = (TableColumn("Topic"), *numbers("In the pool", "Judged already", "To judge"))
    rows = tuple(
        (model.text(topic), model.count(found.sizes[topic]), model.count(found.excluded[topic]), model.count(len(of)))
        for topic, of in found.topics.items()
    )
    caption = f"In the pool is what {counted(found.runs, 'run')} have in their first {found.settings['depth']}."
    table = Table("pool-topics", "Documents to judge", columns, rows, caption)
    return [Section("pool-section", "The pool", (Note(found.sentence), table))]


def left_out_sections(found: LeftOut, how: str = "") -> list[Section]:
    """What every team alone brought, and what became of the runs without it."""
    by_rank = sorted(found.own, key=lambda one: one.rank_before)
    rows = [(one.run, one.before, one.after) for one in by_rank]
    chart = charts.own_documents(
        "pool-own", rows, found.measure, f"{_rule(found)} Best run first. {how}".strip(), left_out_sentence(found)
    )
    blocks: tuple[Block, ...] = (Note(left_out_sentence(found)), _teams(found), chart, _runs(found, by_rank))
    return [Section("pool-section", "What the pool can carry", blocks)]


def left_out_sentence(found: LeftOut) -> str:
    """The reading of it: how much depends on any one team."""
    most = max(found.teams, key=lambda team: team.relevant)
    said = [
        f"the most that a team alone brought are {counted(most.relevant, 'relevant document')} of {found.relevant} ({most.name})"
        if most.relevant
        else f"no team alone brought any of the {counted(found.relevant, 'relevant document')}"
    ]
    own = found.own
    drop, fall = found.largest_drop(own), found.deepest_fall(own)
    if drop is None:
        said.append(f"no run would have a lower {found.measure} had its team taken no part")
    else:
        said.append(f"had its team taken no part, the run that loses most is {_dropped(drop, found.measure)}")
    said.append("no run would stand lower" if fall is None else f"the one that falls deepest is {_fallen(fall)}")
    lowest = min(
        (team for team in found.teams if team.tau_b is not None), key=lambda team: team.tau_b or 0, default=None
    )
    if lowest is not None:
        said.append(f"whichever team is left out, the runs keep their order with a tau of at least {lowest.tau_b:.3f}")
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def _dropped(one: Change, measure: str) -> str:
    share = "" if one.relative is None else f", {100 * one.relative:+.1f}%"
    return f"{one.run} ({measure} {one.before:.4f} to {one.after:.4f}{share})"


def _fallen(one: Change) -> str:
    return f"{one.run} (rank {one.rank_before} to {one.rank_after})"


def _rule(found: LeftOut) -> str:
    alone = all(run == team for run, team in found.team.items())
    whose = " Nobody says whose the runs are: each is a team by itself." if alone else ""
    return (
        f"Without a team, what it alone has in the first {found.depth} of its pooled runs becomes unjudged, and every run is scored again "
        f"({ZOBEL}).{whose}"
    )


def _teams(found: LeftOut) -> Table:
    columns = (
        TableColumn("Team"),
        *numbers("Runs", "Judged", "Relevant", "of all", "tau-b"),
        TableColumn("Largest drop"),
        *numbers(f"in {found.measure}"),
        TableColumn("Deepest fall"),
        *numbers("in ranks"),
    )
    teams = sorted(found.teams, key=lambda team: (-team.relevant, -team.documents))
    caption = (
        f"By team: how many of the {found.judged} judged and {found.relevant} relevant documents it alone brought; and without these, "
        f"tau-b between the two rankings of all runs, and the runs whose {found.measure} and whose rank suffer most. {_rule(found)}"
    )
    return Table(
        "pool-teams",
        "Every team left out",
        columns,
        tuple(_team(found, team) for team in teams),
        caption,
        sortable=True,
    )


def _team(found: LeftOut, team: Team) -> tuple[Cell, ...]:
    changes = found.changes(team)
    drop, fall = found.largest_drop(changes), found.deepest_fall(changes)
    share = team.relevant / found.relevant if found.relevant else None
    return (
        model.text(team.name), model.count(len(team.runs)), model.count(team.documents), model.count(team.relevant),
        model.percent(share), model.number(team.tau_b, 3), model.text(drop.run if drop else "none"),
        model.number(drop.difference if drop else 0.0, signed=True), model.text(fall.run if fall else "none"),
        model.count(-fall.fall if fall else 0, signed=True),
    )  # fmt: skip


def _runs(found: LeftOut, own: list[Change]) -> Table:
    name = found.measure
    columns = (
        TableColumn("Run"),
        TableColumn("Team"),
        *numbers(name, "without its team", "change", "relative", "Rank", "without"),
    )
    rows = tuple(
        (
            model.text(one.run), model.text(one.team), model.number(one.before), model.number(one.after),
            model.number(one.difference, signed=True), model.percent(one.relative, signed=True),
            model.count(one.rank_before), model.count(one.rank_after),
        )
        for one in own
    )  # fmt: skip
    caption = "Every run as it would stand had its own team taken no part, best run first; JSON has every run without every team."
    return Table("pool-runs", "Every run without its own team", columns, rows, caption, sortable=True)
