"""What the documents show: their console blocks, and the files they bring."""

from __future__ import annotations

import doctest
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
FILES = re.compile(r"^`([\w./-]+)`:\n\n```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)

PAGES_WITH_FILES: dict[str, tuple[str, ...]] = {
    "agents.md": (),
    "diversity.md": (),
    "factoid.md": (),
    "filtering.md": (),
    "generation.md": (),
    "harness.md": (),
    "lm_eval.md": (),
    "log_tools.md": ("harness.md",),
    "named_columns.md": (),
    "nonresponse.md": (),
    "over_refusal.md": ("nonresponse.md",),
    "own_files.md": (),
    "pan_squad.md": (),
    "preferences.md": (),
    "price.md": ("nonresponse.md",),
    "ranked_inputs.md": (),
    "samples.md": (),
    "series.md": (),
    "suites.md": (),
    "threshold.md": ("nonresponse.md",),
    "tracks.md": ("filtering.md",),
    "understandability.md": (),
}
"""Pages that show the files their commands read, and the pages whose files they read too."""


def load_generator(name: str) -> ModuleType:
    """Import a module of docs/ that writes pages, without making the others importable."""
    found = importlib.util.spec_from_file_location(f"docs_{name}", ROOT / "docs" / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


def console_blocks(page: str) -> list[tuple[int, str, list[str]]]:
    """(line, command, expected lines) of every command in a page's console blocks."""
    found: list[tuple[int, str, list[str]]] = []
    inside = False
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            found.append((number, line[2:], []))
        elif inside and found:
            found[-1][2].append(line)
    return found


def matches(expected: list[str], printed: list[str]) -> bool:
    pattern = "\n".join(".*" if line == "…" else re.escape(line.rstrip()) for line in expected).rstrip("\n")
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed).rstrip("\n"), re.DOTALL) is not None


def python_session(page: str) -> doctest.DocTest:
    """The Python of a page as one session."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)


def write_files(page: str, folder: Path) -> None:
    """Write the files that a page shows, each below its name."""
    for name, content in FILES.findall((ROOT / page).read_text(encoding="utf-8")):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
