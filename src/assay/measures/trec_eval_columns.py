"""trec_eval's measures as output columns, in its order, computed by assay's measures.

trec_eval 9 and 10 differ in the parameter `cut` of the interpolated measures and in the set all_trec.
"""

from __future__ import annotations

from assay.errors import UsageError
from assay.io.csv_escaping import NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
RECALL = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

_PREFS = [
    "runid", "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair",
    "prefs_avgjg",
]  # fmt: skip
_OTHER_PREFS = [
    "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp",
]  # fmt: skip
# name: (what its parameters are, their defaults, assay's name with a place for each cutoff)
MEASURES: dict[str, tuple[str, tuple[float, ...], str]] = {
    "runid": ("none", (), ""),
    "num_q": ("none", (), "NumQ"),
    "num_ret": ("none", (), "NumRet"),
    "num_rel": ("none", (), "NumRel"),
    "num_rel_ret": ("none", (), "NumRelRet"),
    "map": ("none", (), "AP"),
    "gm_map": ("none", (), "GMAP"),
    "Rprec": ("none", (), "Rprec"),
    "bpref": ("none", (), "Bpref"),
    "recip_rank": ("none", (), "RR"),
    "iprec_at_recall": ("levels", RECALL, "IPrec(cut={rule})@{cut!r}"),
    "P": ("cutoffs", CUTOFFS, "P@{cut}"),
    "relstring": ("numbers", (10,), ""),
    "recall": ("cutoffs", CUTOFFS, "R@{cut}"),
    "infAP": ("none", (), "infAP"),
    "gm_bpref": ("none", (), "GMBpref"),
    "Rprec_mult": ("levels", MULTIPLES, "RprecMult@{cut!r}"),
    "utility": ("numbers", (1.0, -1.0, 0.0, 0.0), "Utility"),
    "11pt_avg": ("numbers", RECALL, "IPrecAvg"),
    "binG": ("none", (), "binG"),
    "G": ("pairs", (), "G"),
    "dcg": ("pairs", (), "DCG"),
    "ideal_dcg": ("pairs", (), "IDCG"),
    "ndcg": ("pairs", (), "nDCG"),
    "ndcg_rel": ("pairs", (), "nDCGrel"),
    "Rndcg": ("pairs", (), "Rndcg"),
    "ndcg_cut": ("cutoffs", CUTOFFS, "nDCG@{cut}"),
    "map_cut": ("cutoffs", CUTOFFS, "AP@{cut}"),
    "relative_P": ("cutoffs", CUTOFFS, "RelP@{cut}"),
    "success": ("cutoffs", (1, 5, 10), "Success@{cut}"),
    "set_P": ("none", (), "SetP"),
    "set_relative_P": ("none", (), "SetRelP"),
    "set_recall": ("none", (), "SetR"),
    "set_map": ("none", (), "SetAP"),
    "set_F": ("numbers", (1.0,), "SetF"),
    "num_nonrel_judged_ret": ("none", (), "NumNonrelRet"),
    **{name: ("none", (), name) for name in (*_PREFS[2:], *_OTHER_PREFS)},
    "map_avgjg": ("none", (), "map_avgjg"),
    "P_avgjg": ("cutoffs", CUTOFFS, "P_avgjg@{cut}"),
    "Rprec_mult_avgjg": ("levels", MULTIPLES, "Rprec_mult_avgjg@{cut!r}"),
    "yaap": ("none", (), "yaap"),
    "rbp": ("pairs", (), "RBP"),
    "rbp_resid": ("pairs", (), "RBPResid"),
    "unj": ("cutoffs", (5, 10, 20), "Unjudged@{cut}"),
}

_SET = ["set_P", "set_recall", "set_relative_P", "set_map", "set_F"]
_OFFICIAL = [
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P",
]  # fmt: skip
_OTHERS = [
    "relstring", "recall", "unj", "rbp", "rbp_resid", "infAP", "gm_bpref", "utility", "11pt_avg", "ndcg", "relative_P",
    "Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG", "G",
]  # fmt: skip
SETS: dict[str, list[str]] = {
    "official": _OFFICIAL,
    "set": ["runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", *_SET],
    "all_trec": [*_OFFICIAL, *_OTHERS, *_SET, "num_nonrel_judged_ret"],
    "prefs": _PREFS,
    "all_prefs": [*_PREFS, *_OTHER_PREFS],
    "qrels_jg": ["runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"],
}
"""trec_eval's sets of measures by name."""
NEW_IN_10 = ("unj", "rbp", "rbp_resid")
SUMMARY_ONLY = ("runid", "num_q", "gm_map", "gm_bpref")
ZERO_WHEN_MISSING = ("utility", "yaap", "rbp_resid", "unj")


class OutputColumn:
    """One line of trec_eval's output for each topic."""

    def __init__(
        self,
        name: str,
        base: str,
        kind: str,
        function: Callable[[Any], Any],
        kernel: tuple[str, int | None] | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        """mean, sum, geometric or text: the aggregation over topics, and the format."""
        self.function = function
        self.kernel = kernel
        """Its name in the C core with the cutoff, or None."""
        self.task: str | None = _task_of(base)
        self.per_topic: bool = base not in SUMMARY_ONLY
        self.zero_when_missing: bool = base in ZERO_WHEN_MISSING


def _task_of(base: str) -> str | None:
    """Return the task whose views a measure needs; None where any will do."""
    if base in ("runid", "num_q"):
        return None
    return "preferences" if base.startswith("prefs_") else "judgment-groups" if base.endswith("_avgjg") else "ranked"


def select_measures(written: Sequence[str], compat: int) -> list[tuple[str, str | None]]:
    """Return the requested measures in trec_eval's order, with the first parameters given for each.

    >>> select_measures(["P.5,10", "map"], 10)
    [('map', None), ('P', '5,10')]
    """
    names: set[str] = set()
    parameters: dict[str, str] = {}
    for text in written:
        name, dot, arguments = text.partition(".")
        if dot and not arguments:
            raise UsageError(f"trec_eval: measure {text!r}: expected parameters after the dot, as in P.5,10")
        if name in SETS:
            skipped = NEW_IN_10 if compat == 9 else ()
            names |= {member for member in SETS[name] if member not in skipped}
        elif name in MEASURES:
            names.add(name)
        else:
            raise UsageError(
                f"trec_eval: unknown measure {name!r}; expected one of {', '.join([*SETS, *MEASURES])}, "
                "with parameters after a dot"
            )
        if dot:
            parameters.setdefault(name, arguments)
    return [(name, parameters.get(name)) for name in MEASURES if name in names]


def columns(
    chosen: Sequence[tuple[str, str | None]], compat: int, collection: int, rule: str | None = None
) -> list[OutputColumn]:
    """Return the output columns of some measures, each with the function that computes it.

    `rule` converts recall levels to numbers of documents; default that of the version.
    """
    rule = rule or ("trunc" if compat == 9 else "lround")
    return [column for name, arguments in chosen for column in _columns(name, arguments, rule, collection)]


def documented_functions(chosen: Sequence[tuple[str, str | None]]) -> dict[str, Callable[..., Any]]:
    """Return for each measure the function whose docstring documents it."""
    functions: dict[str, Callable[..., Any]] = {}
    for name, _ in chosen:
        text = MEASURES[name][2].partition("@")[0].partition("(")[0]
        if name == "relstring":
            from assay.measures.ranked import relevance_string

            functions[name] = relevance_string
        elif text:
            functions[name] = next(d for d in _declared() if d.name == text).function
    return functions


def _declared() -> list[Any]:
    from assay.measures.registry import declarations

    return [d for task in ("ranked", "preferences", "judgment-groups") for d in declarations(task)]


def _columns(name: str, arguments: str | None, rule: str, collection: int) -> list[OutputColumn]:
    if name == "runid":
        return [OutputColumn(name, name, "text", lambda view: "")]
    if name == "relstring":
        from assay.measures.ranked import relevance_string

        length = int(_number((arguments or "10").split(",")[0], name))
        printed = name if arguments is None else f"{name}_{arguments}"
        return [OutputColumn(printed, name, "text", lambda view: relevance_string(view, length))]
    return [_column(printed, name, text) for printed, text in _texts(name, arguments, rule, collection)]


def _column(printed: str, base: str, measure: str) -> OutputColumn:
    from assay.measures.registry import find

    resolved = find(measure, _task_of(base) or "ranked")
    return OutputColumn(printed, base, resolved.average, resolved.bound(), resolved.kernel())


def translate(written: str) -> list[str]:
    """Translate trec_eval's `P.5,10` into names of measures; other names are returned unchanged.

    >>> translate("P.5,10"), translate("rbp.p=0.8"), translate("nDCG@10")
    (['P@5', 'P@10'], ['RBP(p=0.8)'], ['nDCG@10'])
    """
    name, dot, arguments = written.partition(".")
    if not dot or not arguments or name not in MEASURES or _task_of(name) != "ranked" or name == "relstring":
        return [written]
    return [text for _, text in _texts(name, arguments, "ceil", 0)]


def _texts(name: str, arguments: str | None, rule: str, collection: int) -> list[tuple[str, str]]:
    """Return the output lines of a measure: trec_eval's name and assay's measure for each."""
    shape, defaults, pattern = MEASURES[name]
    if shape == "none":
        return [(name, pattern)]
    if shape in ("cutoffs", "levels"):
        read = _cutoff if shape == "cutoffs" else _number
        values = sorted(defaults if arguments is None else (read(piece, name) for piece in arguments.split(",")))
        if len(set(values)) < len(values):
            raise UsageError(f"trec_eval: {name}.{arguments}: a cutoff appears twice")
        if shape == "cutoffs" and values[0] < 1:
            raise UsageError(f"trec_eval: {name}.{arguments}: expected cutoffs of at least 1")
        printed = "{0}_{1}" if shape == "cutoffs" else "{0}_{1:3.2f}"
        return [(printed.format(name, v), pattern.format(cut=v, rule=rule)) for v in values]
    printed = name if arguments is None else f"{name}_{arguments}"
    if shape == "numbers":
        values = list(defaults) if arguments is None else [_number(piece, name) for piece in arguments.split(",")]
        return [(printed, _of_numbers(printed, name, values, rule, collection))]
    return [(printed, pattern + _pairs(arguments, name))]


def _of_numbers(printed: str, base: str, values: list[float], rule: str, collection: int) -> str:
    if base == "utility":
        if len(values) != 4:
            raise UsageError(f"trec_eval: {printed}: expected four coefficients, found {len(values)}")
        names = ("hit", "false", "miss", "rest")
        inside = ",".join(f"{name}={value!r}" for name, value in zip(names, values, strict=True))
        return f"Utility({inside},collection={collection})"
    if base == "11pt_avg":
        return f"IPrecAvg(levels={'/'.join(map(repr, values))},cut={rule})"
    return f"SetF(beta2={values[0]!r})"


def _pairs(arguments: str | None, name: str) -> str:
    """Convert `1=3,2=9` to gains, and `p=.95` to RBP's persistence."""
    if arguments is None:
        return ""
    import re

    gains: list[str] = []
    others: list[str] = []
    for piece in arguments.split(","):
        key, equals, value = piece.partition("=")
        if not equals:
            raise UsageError(f"trec_eval: {name}.{arguments}: expected pairs, as in {name}.1=3,2=9")
        if re.fullmatch("[+-]?[0-9]{1,18}", key):
            gains.append(f"{int(key)}:{_number(value, name)!r}")
        elif key == "p" and name.startswith("rbp"):
            others.append(f"p={_number(value, name)!r}")
        else:
            raise UsageError(f"trec_eval: {name}.{arguments}: unknown parameter {key!r}")
    inside = others + ([f"gains={','.join(gains)}"] if gains and name != "rbp_resid" else [])
    return f"({','.join(inside)})" if inside else ""


def _cutoff(text: str, name: str) -> int:
    """Parse a number of documents: truncate fractions as trec_eval does, refuse exponents, which it truncates too."""
    import re

    if not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", text):
        raise UsageError(f"trec_eval: {name}: expected whole numbers as cutoffs, found {text!r}")
    whole = text.partition(".")[0]
    if len(whole) > 18:
        raise UsageError(f"trec_eval: {name}: expected cutoffs of at most 18 digits, found {text!r}")
    return int(whole)


def _number(text: str, name: str) -> float:
    import re

    if not re.fullmatch(NUMBER, text):
        raise UsageError(f"trec_eval: {name}: expected a number, found {text!r}")
    value = float(text)
    if not -1e300 < value < 1e300:
        raise UsageError(f"trec_eval: {name}: expected a finite number, found {text!r}")
    return value
