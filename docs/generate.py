"""Write the pages that follow from the code: the measures from their declarations, the commands from their help, Python from
its docstrings, the list of public names (docs/public_names.py), the index of readers from their declarations, the comparison with the
peers' lists (docs/against.py), the tables of simulations (docs/inference.py), and the numbers and the chart of the public boards
(docs/boards_page.py).

python docs/generate.py            write the pages, the tables of docs/findings.md and docs/coverage.md, and formats/reader_index.py
python docs/generate.py --check    exit 1 if they are not what the code says (run by the tests)
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
TYPE_CHECKING = False
if TYPE_CHECKING:
    from assay.formats.recognition import Reader


def measures_page() -> str:
    """Every declared measure: formula, parameters, range, when undefined, citation, worked example."""
    from inspect import cleandoc

    from assay.cli.commands.measures import AVERAGE, signature
    from assay.measures.registry import GROUPS, declarations, python_name

    found = declarations()
    lines = [
        "# Measures",
        "",
        "Look up a measure: its formula, parameters, range, citation and a worked example. Generated from the declarations by "
        "`make docs`; `assay measures NAME` shows the same.",
        "",
    ]
    tasks = list(dict.fromkeys(d.task for d in found))
    for task in tasks:
        names = ", ".join(f"[{signature(d)}](#{anchor(task, d.name)})" for d in found if d.task == task)
        lines.append(f"- **{task}**: {names}")
    for task in tasks:
        lines += ["", f"## Task {task}"]
        for group, (home, meaning, members) in GROUPS.items():
            if home == task:
                lines += ["", f"`-m {group}` means {', '.join(f'`{member}`' for member in members)}. {meaning}"]
        for d in (d for d in found if d.task == task):
            text, _, example = cleandoc(d.function.__doc__ or "").partition(">>>")
            low, high = ("−∞" if d.low is None else f"{d.low:g}"), ("∞" if d.high is None else f"{d.high:g}")
            better = {True: "higher is better", False: "lower is better", None: "neither is better"}[d.higher_is_better]
            levels = {
                "topic": AVERAGE[d.average],
                "sums": "a formula on sums over topics",
                "whole": "all topics at once",
            }
            lines += ["", f'<a id="{anchor(task, d.name)}"></a>', f"### {signature(d)}", "", text.strip(), ""]
            if d.aliases:
                lines.append(f"- also written: {', '.join(f'`{alias}`' for alias in d.aliases)}")
            if python_name(d) != d.name:
                lines.append(f"- in Python: `from assay.measures import {python_name(d)}`")
            for name, parse in d.parameters.items():
                default = d.defaults.get(name)
                given = (
                    "must be given" if name in d.required else "not set" if default is None else f"default {default}"
                )
                lines.append(f"- parameter `{name}`: {(parse.__doc__ or '').splitlines()[0]} ({given})")
            lines.append(f"- range {low} to {high}, {better}; over topics: {levels[d.level]}")
            lines += [f"- undefined: {d.undefined}", f"- {d.cite}"]
            if example:
                lines += ["", "```python", ">>>" + example.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def anchor(task: str, name: str) -> str:
    """A link target for one measure."""
    return f"{task}-{name}".replace("@", "-at-").replace(" ", "-").replace("#", "-sharp")


def commands_page() -> str:
    """The help of every command."""
    from assay.cli import commands, main

    lines = [
        "# Commands",
        "",
        "Look up a command and its options. Generated from the commands' own help by `make docs`.",
        "",
    ]
    declared = {command.name: command for command in commands.every()}
    for name in ["", *declared]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
            main([name, "-h"] if name == "trec_eval" else [name, "-h", "all"] if name else ["-h"])
        lines += [f"## assay {name}".rstrip(), "", "```", output.getvalue().rstrip(), "```", ""]
        if name and declared[name].results:
            lines += [f"In Python: {', '.join(f'`{result}`' for result in declared[name].results)}.", ""]
    return "\n".join(lines)


def declared_readers() -> list[Reader]:
    """Every reader declared in a module of assay.formats: logs first, each behind those named by its `after`."""
    import pkgutil
    from importlib import import_module

    from assay import formats
    from assay.formats.recognition import DECLARED

    for module in pkgutil.walk_packages(formats.__path__, "assay.formats."):
        import_module(module.name)
    waiting = sorted(DECLARED.values(), key=lambda reader: (reader.role != "log", reader.name))
    ordered: list[Reader] = []
    while waiting:
        names = {reader.name for reader in waiting}
        reader = next((reader for reader in waiting if names.isdisjoint(reader.after)), None)
        if reader is None:
            raise SystemExit(f"`after` of these readers makes a circle: {', '.join(sorted(names))}")
        waiting.remove(reader)
        ordered.append(reader)
    return ordered


def reader_index() -> str:
    """The module that says which module reads which format."""
    readers = declared_readers()
    lines = [
        '"""The readers of assay.formats. Generated by `make docs` from their declarations with `@reads`; do not edit."""',
        "",
        "from __future__ import annotations",
        "",
        "# fmt: off",
        "READERS: dict[str, tuple[str, str, tuple[str, ...], tuple[bytes, ...]]] = {",
    ]
    for reader in readers:
        markers = tuple(f'"{key}"'.encode() for key in reader.markers)
        lines.append(
            f"    {reader.name!r}: ({reader.module!r}, {reader.role!r}, {tuple(reader.shapes.split())}, {markers}),"
        )
    lines += [
        "}",
        '"""By name, in the order in which they are tried: module, role, shapes of a head, markers of JSON."""',
    ]
    lines += ["COMPANIONS: dict[tuple[str, ...], str] = {"]
    for reader in readers:
        for keys, advice in reader.companions.items():
            lines += [f"    {keys}:", f"        {advice!r},"]
    lines += [
        "}",
        '"""Files that harnesses write beside their logs: shape and keys of the head, and what a person should know."""',
    ]
    return "\n".join(lines) + "\n"


ROLES = {
    "gold": "Gold",
    "run": "Runs",
    "log": "Logs of harnesses",
    "scores": "Scores",
    "beside": "Beside gold and runs",
}


def formats_page() -> str:
    """Every declared format: what it holds and how it is recognised, then what its module says of it."""
    readers = declared_readers()
    lines = [
        "# Formats",
        "",
        "Look up which files assay reads, and how it recognises them. Generated from the readers' declarations by `make docs`. "
        "A source is a path, `-` for standard input, bytes, a dict "
        "or a data frame; `.gz .xz .bz2 .zst` are recognised by their content. Where `isal` is installed "
        "(`pip install 'assay-eval[gzip]'`), it unpacks gzip in a third of the time. A line of text has at most 64 MiB; "
        "a compressed file holds at most 64 GiB, and beyond 256 MiB at most 250 times its size, unless `--max-unpacked` allows "
        "more. A format is recognised from the beginning of a file:",
    ]
    for role, title in ROLES.items():
        lines += ["", f"## {title}", "", "| format | holds | recognised by |", "|---|---|---|"]
        lines += [f"| {r.name} | {r.yields} | {recognised_by(r)} |" for r in readers if r.role == role]
    lines += ["", "## How each is written"]
    for module in dict.fromkeys(reader.module for reader in readers):
        title, _, text = (sys.modules[f"assay.formats.{module}"].__doc__ or "").strip().partition("\n\n")
        lines += ["", f"### {', '.join(reader.name for reader in readers if reader.module == module)}", "", title]
        lines += ["", "```text", text, "```"] if text else []
    return "\n".join(lines) + "\n"


def recognised_by(reader: Reader) -> str:
    """How a format is recognised, in words."""
    if reader.recognises is None:
        return "not by its content: a task or an option asks for it"
    return (reader.recognises.__doc__ or "").rstrip(".")


RECOVERY = {
    "line": "line by line",
    "row": "row by row",
    "member": "member by member of an array",
    "entry": "entry by entry",
    "report": "report by report",
    "numbered line": "line by line, up to 20 errors",
}
"""Units of recovery, in words; a unit `of` something is named after it."""
RECOVERY_TABLE = re.compile(r"(?<=\| format \| errors reported \|\n\| --- \| --- \|\n)(\|.*\n)*")


def findings_page() -> str:
    """docs/findings.md, with the table of the errors reported for each format."""
    readers = sorted(filter(is_checked, declared_readers()), key=lambda reader: (reader.role == "log", reader.name))
    rows = [f"| `{reader.name}` | {recovered(reader)} |" for reader in readers]
    page = (FOLDER / "findings.md").read_text(encoding="utf-8")
    return RECOVERY_TABLE.sub(lambda _: "".join(f"{row}\n" for row in rows), page)


def is_checked(reader: Reader) -> bool:
    """Whether `assay check` reads files of a format."""
    return reader.role in ("run", "log") or bool(reader.recovers)


def recovered(reader: Reader) -> str:
    """Describe which errors of a broken file are reported."""
    if not reader.recovers:
        return "the first error: it is read as a whole"
    words = []
    for unit in reader.recovers.split(", "):
        kind, of, place = unit.partition(" of ")
        limit = ", up to 20 errors" if kind == "member" and of else ""
        words.append(f"{kind} by {kind} of `{place}`{limit}" if of else RECOVERY[kind])
    return ", or ".join(words)


ABOUT_REFUSALS = """An answer is a refusal if it begins with a pattern and gives no answer after all. In a log, a right answer never is one.
Words such as "cannot" or "sorry" inside another sentence do not count, nor does a quotation, "I don't know for sure, but Paris" or "I'm not
sure. Rome." "Unknown" and "None" are answers. The JSON output names the version (`settings.refusal`); it goes up with any change, since
numbers change with it.

On the 2,250 completions of XSTest (Röttger et al., NAACL 2024; five models, labelled by people) version 1 finds 581 of 983 full
refusals (59%). Of 1,091 completions that comply it takes 11 for refusals (1.0%): they begin by saying that the model cannot help or has
no access. The refusals it misses are mostly lectures ("It is not appropriate to …"): list these in a [file of your own](harness.md),
which replaces the built-in patterns.
"""
FOLLOWED = {True: "sentences about the question", False: "anything but a marked answer"}


def refusals_page() -> str:
    """The built-in refusal patterns, with their version."""
    from assay.matching import english_refusals as built_in

    names = {"CANNOT": built_in.CANNOT, "QUESTION": built_in.QUESTION, "TAIL": built_in.TAIL}
    rows: list[str] = []
    expressions: list[str] = []
    for number, pattern in enumerate(built_in.PATTERNS, 1):
        rows.append(f"| {number} | {pattern.kind} | {pattern.example} | {FOLLOWED[pattern.alone]} |\n")
        expression = pattern.expression
        for name, part in names.items():
            expression = expression.replace(part, f"{{{name}}}")
        expressions.append(f"{number:<9} {expression}\n")
    parts = [f"{name:<9} {part}\n" for name, part in {"LEAD": built_in.LEAD, **names}.items()]
    return (
        '# Refusal patterns\n\nLook up what `--refusal auto` (`refusal="auto"`) takes for a refusal: built-in patterns in English, '
        f"version {built_in.VERSION}.\n\n{ABOUT_REFUSALS}\n| | kind | example | may be followed by |\n| --- | --- | --- | --- |\n"
        f"{''.join(rows)}\nThe expressions, case ignored. LEAD, an apology or the like, may stand before each; the others are parts:"
        f"\n\n```text\n{''.join(parts)}{''.join(expressions)}```\n"
    )


def python_page() -> str:
    """Everything public under `assay`: the functions with their parameters, the classes of results, the errors last."""
    import inspect

    import assay

    public = {name: getattr(assay, name) for name in dir(assay) if not name.startswith("_")}
    classes = {name: member for name, member in public.items() if inspect.isclass(member)}
    results = {f"{kind.__module__}.{kind.__name__}": kind for kind in result_classes() if kind not in classes.values()}
    groups = {
        "Functions": {name: member for name, member in public.items() if inspect.isfunction(member)},
        "Classes": {name: kind for name, kind in classes.items() if not issubclass(kind, Exception)},
        "Results": results,
        "Errors": {name: kind for name, kind in classes.items() if issubclass(kind, Exception)},
        "Modules": {name: member for name, member in public.items() if inspect.ismodule(member)},
    }
    lines = [
        "# Python API",
        "",
        "Look up a function, a class or an error. Generated from the docstrings by `make docs`; `help(assay.compare)` shows the same. "
        "[Python](python.md) is the "
        "tutorial, and says why each name is public, and [Stability](stability.md) how long it stays. "
        "Results are imported from where they are defined. "
        "`**settings` are the [settings](#settings-of-the-tasks) of the task; an unknown one is refused by name.",
    ]
    for title, members in groups.items():
        lines += ["", f"## {title}"]
        for name, member in members.items():
            lines += ["", f"### {name}", *_documentation(f"assay.{name}", member)]
            for method, function in _methods(member) if inspect.isclass(member) else ():
                first = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
                lines += ["", f"- `{_signature('.' + method, function)}`: {first}"]
    return "\n".join([*lines, "", *settings_table()]) + "\n"


def settings_table() -> list[str]:
    """Every setting of every task: its values, what it means, and the tasks that have it."""
    from assay.settings import Option
    from assay.tasks import every

    declared: dict[str, dict[str, Option]] = {}
    for task in every():
        for name, option in task.settings.options().items():
            declared.setdefault(name, {})[task.name] = option
    lines = ["## Settings of the tasks", "", "| setting | value | meaning | tasks |", "|---|---|---|---|"]
    for name, options in declared.items():
        first = next(iter(options.values()))
        values = {task: option.kind.expected or "a path, bytes or an object" for task, option in options.items()}
        usual = next(iter(values.values()))
        others = "".join(f"; {task}: {value}" for task, value in values.items() if value != usual)
        homes = "all" if len(options) == len(every()) else ", ".join(options)
        lines.append(f"| `{name}` | {usual}{others} | {first.help} | {homes} |")
    return lines


def result_classes() -> list[type]:
    """Return the classes of everything that a public function returns and that prints itself, by name."""
    from importlib import import_module

    import assay
    from assay.cli import commands
    from assay.table.results import Result

    names = {name for command in commands.every() for name in command.results}
    printed = [getattr(import_module(name.rpartition(".")[0]), name.rpartition(".")[2]) for name in names]
    for name in assay.__all__:
        getattr(assay, name)
    kinds = {*printed, *(kind for kind in _subclasses(Result) if kind.__module__.startswith("assay."))}
    return sorted(kinds, key=lambda kind: kind.__name__)


def _subclasses(kind: type) -> list[type]:
    return [inner for direct in kind.__subclasses__() for inner in (direct, *_subclasses(direct))]


def _documentation(name: str, one: object) -> list[str]:
    """How it is called, what it says of itself, its parameters, its example."""
    import inspect

    text, _, example = (inspect.getdoc(one) or "").partition("\n>>>")
    said, *rest = text.strip().split("\n\n")
    called = ["", "```python", _signature(name, one), "```"] if inspect.isfunction(one) else []
    lines = [*called, "", said]
    for part in rest:
        # Parameters are a two-column table, which only a fixed width keeps.
        lines += ["", "```text", part, "```"] if re.search(r"^ *\w[\w, ]* {2,}\S", part, re.MULTILINE) else ["", part]
    return [*lines, "", "```python", f">>>{example}".rstrip(), "```"] if example else lines


def _methods(one: type) -> list[tuple[str, object]]:
    import inspect

    found = inspect.getmembers(one, lambda inner: inspect.isfunction(inner) or isinstance(inner, property))
    return [(name, inner) for name, inner in found if not name.startswith("_")]


def _signature(name: str, one: object) -> str:
    """A call with the names of its parameters and their defaults; types are in the docstrings' words."""
    import inspect

    if isinstance(one, property) or not callable(one):
        return name
    parameters = [p for p in inspect.signature(one).parameters.values() if p.name != "self"]
    starred = False
    shown: list[str] = []
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not starred:
            shown.append("*")
            starred = True
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        shown.append(f"{mark}{p.name}" + ("" if p.default is p.empty else f"={p.default!r}"))
    return f"{name}({', '.join(shown)})"


def main(arguments: list[str]) -> int:
    import boards_page
    import public_names
    from against import page as against_page

    from inference import page as coverage_page

    os.environ["COLUMNS"] = "102"
    stale = []
    for name, make in (
        ("src/assay/formats/reader_index.py", reader_index),
        ("docs/measures.md", measures_page),
        ("docs/commands.md", commands_page),
        ("docs/formats.md", formats_page),
        ("docs/findings.md", findings_page),
        ("docs/coverage.md", coverage_page),
        ("docs/refusals.md", refusals_page),
        ("docs/reference.md", python_page),
        ("docs/public_names.txt", lambda: public_names.page(result_classes(), declared_readers())),
        ("docs/against.md", lambda: against_page(anchor)),
        ("docs/how_many_places.md", boards_page.page),
        ("docs/pictures/boards.svg", boards_page.chart),
    ):
        path, page = FOLDER.parent / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != page:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(page, encoding="utf-8")
    for name in stale:
        print(f"{name}: {'out of date: run `make docs`' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
