"""A chart in one call: `scores.plot()`, `comparison.plot("ranks")`; shows in notebooks, and saves as SVG, PDF or PNG."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from assay.errors import UsageError, counted
from assay.figures.measure_names import in_words
from assay.reports import chart_theme
from assay.reports.model import Chart
from assay.reports.svg_charts.chart import by_name, drawn

UNITS = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "px": 1.0}
"""Pixels in each unit of a width."""
DEFAULT_WIDTH = "160mm"
MIN_WIDTH, MAX_WIDTH = 150.0, 4000.0
"""Pixels: narrower, no label fits; wider, a picture fills the memory."""
MAX_DRAWN_RUNS = 200
"""A chart with a row per run has at most so many."""
SHAPE = 0.62
"""The most that a plot is as tall as the picture is wide; one with a row per run is as tall as its rows."""
ENDINGS = (".svg", ".pdf", ".png")
RESOLUTION = 300
"""Pixels of a PNG to the inch."""
NOT_DATA = {"bands", "middle", "edges", "lines", "diagonal", "start", "baselines"}
"""Datasets that are drawn but were not measured."""
NOT_MEASURED = {"label", "base", "height"}
"""Fields likewise."""


@dataclass(frozen=True, repr=False, eq=False)
class Plot:
    """One chart: shows in notebooks, saves as SVG, PDF or PNG, and gives its data and its Vega-Lite specification.

    title   of the chart
    alt     what it shows, in words
    """

    chart: Chart

    @property
    def title(self) -> str:
        return self.chart.title

    @property
    def alt(self) -> str:
        return self.chart.alt

    @property
    def data(self) -> list[dict[str, Any]]:
        """What is drawn, a row per mark."""
        named = [
            rows
            for name, rows in self.chart.spec["datasets"].items()
            if name not in NOT_DATA and not re.search(r"-(key|above|below)$", name)
        ]
        measured = [
            {key: value for key, value in row.items() if key not in NOT_MEASURED} for rows in named for row in rows
        ]
        # A chart may draw the same rows in several layers.
        return list({repr(row): row for row in measured}.values())

    @property
    def spec(self) -> dict[str, Any]:
        """The Vega-Lite specification with its data: `altair.Chart.from_dict(plot.spec)`."""
        config = {key: value for key, value in chart_theme.paper_configuration().items() if key != "assay"}
        # Vega-Lite's schema knows no ranges but its own: those of the theme become their colours.
        ranges = config["range"]
        config["range"] = {name: ranges[name] for name in ("category", "heatmap", "ramp")}
        return {**_coloured(self.chart.spec, ranges), "description": self.alt, "config": config}

    def to_svg(self, width: str | float = DEFAULT_WIDTH, height: float | None = None) -> str:
        """Return the chart as SVG.

        width    84mm, 3.3in, 240pt or pixels
        height   of the plot in pixels; by default the chart's own
        """
        config, wide = chart_theme.paper_configuration(), pixels(width)
        if height is None and not by_name(self.chart.spec):
            height = round(min(self.chart.spec["height"], SHAPE * wide))
        return drawn(self.chart.spec, wide, config, height, ground=config["assay"]["ground"])

    def save(
        self, path: str | os.PathLike[str], width: str | float = DEFAULT_WIDTH, height: float | None = None
    ) -> None:
        """Write the chart in the form its name ends in: .svg, .pdf (typeface embedded) or .png (300 pixels to the inch).

        path     the file, written whole or not at all
        width    84mm, 3.3in, 240pt or pixels
        height   of the plot in pixels; by default the chart's own
        """
        from assay.io.atomic_files import write_whole

        ending = check_ending(path)
        svg = self.to_svg(width, height)
        write_whole(path, svg.encode("utf-8") if ending == ".svg" else _typeset(svg, ending, self.title, self.alt))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self._repr_svg_(), "text/plain": repr(self)}

    def _repr_svg_(self) -> str:
        return self.to_svg(640)

    def __repr__(self) -> str:
        if self.chart.drawing is None:
            return f"{self.title}: {self.alt}"
        return "\n".join(self.chart.drawing.lines(80))


def _coloured(value: Any, ranges: dict[str, Any]) -> Any:
    """Return a specification with the colours of the theme's ranges in place of their names."""
    if isinstance(value, dict):
        return {
            key: ranges[inner] if key == "range" and inner in ranges else _coloured(inner, ranges)
            for key, inner in value.items()  # pyright: ignore[reportUnknownVariableType]
        }
    return [_coloured(inner, ranges) for inner in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]


def check_ending(path: str | os.PathLike[str]) -> str:
    """Return how the name of a picture ends, or raise UsageError."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in ENDINGS:
        raise UsageError(f"{os.fspath(path)}: expected a name that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    return ending


def pixels(width: str | float) -> float:
    """Return a width in pixels, of which 96 make an inch.

    >>> round(pixels("84mm"), 1), pixels("2in"), pixels(300)
    (317.5, 192.0, 300.0)
    """
    parts = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(mm|cm|in|pt|px)?\s*", str(width))
    if not parts:
        raise UsageError(f"`width={str(width).strip()}`: expected a length such as 84mm, 3.3in, 240pt or 600px")
    length = float(parts[1]) * UNITS[parts[2] or "px"]
    if not MIN_WIDTH <= length <= MAX_WIDTH:
        raise UsageError(
            f"`width={str(width).strip()}`: expected {MIN_WIDTH:g} to {MAX_WIDTH:g} pixels, which are 40 mm to 1 m"
        )
    return length


def _typeset(svg: str, ending: str, title: str, alt: str) -> bytes:
    """Return a page of the size of the picture."""
    from assay.reports.typesetting import compile_typst

    size = re.match(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"', svg)
    assert size is not None
    width, height = (float(length) * 0.75 for length in size.groups())
    source = (
        "#set document(title: sys.inputs.title, date: none)\n"
        f"#set page(width: {width}pt, height: {height}pt, margin: 0pt)\n"
        '#image(bytes(sys.inputs.picture), format: "svg", width: 100%, alt: sys.inputs.alt)\n'
    )
    inputs = {"picture": svg, "title": title, "alt": alt}
    options = {"ppi": RESOLUTION} if ending == ".png" else {}
    return compile_typst(source.encode(), ending[1:].upper(), inputs, **options)


# ---------------------------------------------------------------- kinds


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of plot: its name, the class of the result it shows, the function that draws it, and one line on it."""

    name: str
    of: str
    draw: Callable[..., Chart]
    summary: str


KINDS: dict[tuple[str, str], Kind] = {}
"""By class and name, in the order in which they are listed; the first of a class is its default."""


def kind(name: str, of: str, summary: str) -> Callable[[Callable[..., Chart]], Callable[..., Chart]]:
    """Declare a kind of plot of a class of results."""

    def declare(draw: Callable[..., Chart]) -> Callable[..., Chart]:
        KINDS[of, name] = Kind(name, of, draw, summary)
        return draw

    return declare


def plot(result: Any, name: str = "", **options: Any) -> Plot:
    """Return a result as a plot of a kind; the first kind of its class by default."""
    of = type(result).__name__
    names = [kind for owner, kind in KINDS if owner == of]
    if not names:
        raise UsageError(
            f"{of} has no plot; results with one are {', '.join(dict.fromkeys(owner for owner, _ in KINDS))}"
        )
    name = name or names[0]
    if name not in names:
        elsewhere = [owner for owner, kind in KINDS if kind == name]
        hint = f"; {name!r} is a plot of {elsewhere[0]}" if elsewhere else ""
        raise UsageError(f"unknown plot {name!r} of {of}; plots are {', '.join(names)}{hint}")
    draw = KINDS[of, name].draw
    known = list(signature(draw).parameters)[1:]
    unknown = [option for option in options if option not in known]
    if unknown:
        takes = f"takes {', '.join(f'`{option}`' for option in known)}" if known else "takes no options"
        raise UsageError(f"unknown option `{unknown[0]}`: the plot {name!r} {takes}")
    return Plot(draw(result, **options))


def kinds_of(of: str = "") -> dict[str, Kind]:
    """Return the kinds by name, of one class or of all."""
    return {kind.name: kind for (owner, _), kind in KINDS.items() if owner == of or not of}


@kind("leaderboard", "Scores", "value and interval of each run; filled where it cannot be told from the best")
def _leaderboard(scores: Any, measure: Any = None) -> Chart:
    from assay.analyses.comparison.compare import compare

    name = _measure(scores, measure).name
    return _board(compare(scores, name)) if len(scores.runs) > 1 else _single(scores, name)


@kind("topics", "Scores", "one run on each topic, as the difference from the median of all runs")
def _topics(scores: Any, measure: Any = None, run: str | None = None) -> Chart:
    from assay.figures.common import median, natural
    from assay.reports.charts.tracks import difference_from_median

    declared = _measure(scores, measure)
    chosen = _run(scores, run) or _best(scores, declared)
    values = {name: scores.values(declared, name) for name in scores.runs}
    topics = sorted(values[chosen], key=natural)
    if not topics:
        raise UsageError(f"{declared.name} has no value for a single {scores.task.noun}. Fix: choose another measure.")
    rows: list[tuple[str, float | None, float | None, float | None]] = []
    for topic in topics:
        value = values[chosen].get(topic)
        middle = median([v for of in values.values() if (v := of.get(topic)) is not None])
        rows.append((topic, value, middle, None if value is None or middle is None else value - middle))
    above = sum(row[3] > 0 for row in rows if row[3] is not None)
    unit = scores.task.noun
    alt = f"{chosen} is above the median on {above} of {counted(len(rows), unit)}."
    caption = f"{declared.name} of {chosen} on each {unit} minus the median of {counted(len(scores.runs), 'run')}."
    better = declared.declaration.higher_is_better
    return difference_from_median(
        "topics", rows, declared.name, caption, alt, f"{declared.name} of {chosen} against the median", unit, better
    )


@kind("recall-precision", "Scores", "interpolated precision at eleven levels of recall")
def _recall_precision(scores: Any, run: str | None = None) -> Chart:
    from assay.figures.ranked import LEVELS
    from assay.reports.charts.ranked import recall_precision_overlay

    if scores.task.name != "ranked":
        raise UsageError(f"'recall-precision' needs ranked runs, and these are {scores.task.title.lower()}")
    full = _with_measures(scores, [f"IPrec@{level}" for level in LEVELS])
    summary = full.summary()
    curves = {name: [summary[name][f"IPrec@{level}"].value for level in LEVELS] for name in full.runs}
    best = sorted(curves, key=lambda name: -sum(value or 0.0 for value in curves[name]))
    ordered = {name: curves[name] for name in best}
    named = [_run(scores, run)] if run else best[:6]
    colour = f"{', '.join(named)} in colour" if len(named) < len(best) else "all in colour"
    caption = f"Interpolated precision at 11 levels of recall, averaged over topics; {colour}."
    return recall_precision_overlay(
        "recall-precision", ordered, named, caption, f"Recall-precision curves of {counted(len(best), 'run')}."
    )


@kind("reliability-diagram", "Scores", "how often answers are right, by the confidence they state")
def _reliability_diagram(scores: Any, run: str | None = None) -> Chart:
    from assay.figures.outcomes import reliability_diagram
    from assay.reports.charts import outcomes

    _outcomes(scores, "reliability-diagram")
    chosen = _run(scores, run) or _best(scores, scores.measures[0])
    bins = reliability_diagram(scores, chosen)
    if not bins:
        raise UsageError(f"the answers of {chosen} carry no confidence, which 'reliability-diagram' needs")
    caption = f"Share of right answers of {chosen} by stated confidence. A well-calibrated system falls inside the grey bars 9 times in 10."
    return outcomes.reliability_diagram(
        "reliability-diagram", bins, caption, f"Reliability diagram of {chosen} in {len(bins)} bins."
    )


@kind("risk-coverage", "Scores", "errors among the most confident answers, by how many are answered")
def _risk_coverage(scores: Any, run: str | None = None) -> Chart:
    from assay.figures.outcomes import risk_coverage
    from assay.reports.charts import outcomes
    from assay.reports.pages.outcomes import thinned

    _outcomes(scores, "risk-coverage")
    found = {name: points for name in scores.runs if (points := risk_coverage(scores, name))}
    chosen = _run(scores, run)
    if not found or (chosen and chosen not in found):
        raise UsageError(f"the answers of {chosen or 'these runs'} carry no confidence, which 'risk-coverage' needs")
    curves = {name: thinned(points) for name, points in found.items()}
    caption = "Share of wrong answers among the most confident ones, as the share of questions answered grows."
    alt = f"Risk-coverage curves of {counted(len(curves), 'run')}."
    return outcomes.risk_coverage("risk-coverage", curves, [chosen] if chosen else list(curves)[:6], caption, alt)


@kind("intervals", "Comparison", "the best run's lead over each other one, with simultaneous intervals")
def _intervals(result: Any) -> Chart:
    from assay.analyses.comparison.finding import decimals, finding, leading_run
    from assay.reports.charts.comparisons import BELOW, TIED, leads

    pairs = [pair for pair in _leader_pairs(result) if pair.difference is not None]
    leader = leading_run(result).run
    if not pairs:
        raise UsageError(
            "'intervals' needs a comparison of all pairs of at least two runs. Fix: compare without a baseline or chosen pairs."
        )
    rows = [
        (pair.b, pair.difference, *_ends(pair.interval), BELOW if pair.significant else TIED)
        for pair in pairs[:MAX_DRAWN_RUNS]
    ]  # fmt: skip
    caption = f"{in_words(result.measure)} of {leader} minus that of each other run, with intervals that hold together."
    return leads("intervals", rows, result.measure, leader, caption, finding(result), decimals(result))


@kind("leaderboard", "Comparison", "value and interval of each run; filled where it cannot be told from the best")
def _board(result: Any) -> Chart:
    from assay.analyses.comparison.finding import decimals, finding, leading_run
    from assay.reports.charts.comparisons import BELOW, LEADER, TIED, leaderboard

    of = {pair.b: BELOW if pair.significant else TIED for pair in _leader_pairs(result)}
    of[leading_run(result).run] = LEADER
    rows = [
        (
            run.run,
            run.value,
            *_ends(run.interval),
            of.get(run.run, ""),
        )
        for run in result.runs[:MAX_DRAWN_RUNS]
        if run.value is not None
    ]
    percent = f"{100 * result.settings['confidence']:g}%"
    caption = f"{in_words(result.measure)} of each run with its {percent} interval, on {result.extent}."
    return leaderboard(
        "leaderboard", rows, result.measure, result.higher_is_better, caption, finding(result), decimals(result)
    )


@kind("ranks", "Comparison", "simultaneous intervals of the runs' ranks")
def _ranks(result: Any) -> Chart:
    from assay.reports.charts.comparisons import rank_intervals

    if result.ranks is None:
        raise UsageError("'ranks' needs a comparison of all pairs, corrected by max-T, by a measure with a direction")
    rows = [(rank.run, rank.place, rank.low, rank.high) for rank in result.ranks][:MAX_DRAWN_RUNS]
    first = result.ranks.may_be_first
    caption = f"Ranks by {in_words(result.measure)}, with intervals that hold together, on {result.extent}."
    return rank_intervals("ranks", rows, caption, f"{len(first)} of {counted(len(result.ranks), 'run')} may be first.")


@kind("swap", "Reliability", "how often two sets of topics contradict each other, by the difference")
def _swap(study: Any) -> Chart:
    return _chart_of(study, "swap", "a study of swaps. Fix: leave out `no_swap`.")


@kind("stability", "Reliability", "how often a subset of the topics ranks two runs against the majority")
def _stability(study: Any) -> Chart:
    return _chart_of(study, "stability", "a study of stability")


@kind("sizes", "Reliability", "the difference to believe, by the number of topics")
def _sizes(study: Any) -> Chart:
    return _chart_of(study, "sizes", "a study of several sizes. Fix: pass `size=[10, 20]`.")


@kind("significance", "Reliability", "significance of all pairs of runs")
def _significance(study: Any) -> Chart:
    return _chart_of(study, "significance", "tests of all pairs. Fix: pass `discrimination=('tukey',)`.")


def _chart_of(study: Any, prefix: str, needs: str) -> Chart:
    """Return the chart of the study's pages whose id begins so."""
    from assay.reports.pages.reliability import reliability_sections

    blocks = [
        part
        for section in reliability_sections(study)
        for block in section.blocks
        for part in getattr(block, "blocks", (block,))
    ]
    found = next((block for block in blocks if isinstance(block, Chart) and block.id.split("-")[0] == prefix), None)
    if found is None:
        raise UsageError(f"{prefix!r} needs {needs}")
    return found


def _ends(interval: Any) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _leader_pairs(result: Any) -> list[Any]:
    from assay.analyses.comparison.finding import pairs_with_leader

    return pairs_with_leader(result)


def _single(scores: Any, measure: str) -> Chart:
    from assay.reports.charts.comparisons import leaderboard

    (run,) = scores.runs
    value = scores.summary()[run][measure].value
    rows = [] if value is None else [(run, value, None, None, "")]
    alt = f"{run} reaches {in_words(measure)} {value:.3f}." if rows else f"{run} has no {in_words(measure)}."
    return leaderboard("leaderboard", rows, measure, scores.measure(measure).declaration.higher_is_better, "", alt)


def _measure(scores: Any, name: Any) -> Any:
    return scores.measures[0] if name is None else scores.measure(name)


def _run(scores: Any, name: str | None) -> str:
    if name is not None and name not in scores.runs:
        raise UsageError(
            f"unknown run {name!r}; runs are {', '.join(scores.runs[:8])}{', …' if len(scores.runs) > 8 else ''}"
        )
    return name or ""


def _best(scores: Any, measure: Any) -> str:
    upwards = scores.upwards(measure)
    return max(scores.runs, key=lambda run: -float("inf") if upwards[run] is None else upwards[run])


def _outcomes(scores: Any, name: str) -> None:
    if scores.task.name != "outcomes":
        raise UsageError(f"{name!r} needs answers with confidence, and these are {scores.task.title.lower()}")


def _with_measures(scores: Any, names: list[str]) -> Any:
    from assay.scoring.evaluate import extended

    computed = {measure.name for measure in scores.measures}
    if not computed.issuperset(names) and any(scores.run(run).views is None for run in scores.runs):
        raise UsageError(
            "this plot needs the ranked documents, which the table has let go. Fix: evaluate with `keep=True`."
        )
    return extended(scores, names)
