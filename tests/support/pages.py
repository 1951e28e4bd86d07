"""What the documents show: their console blocks, and the files they bring."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = re.compile(r"^`([\w./-]+)`:\n\n```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


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


def write_files(page: str, folder: Path) -> None:
    """Write the files that a page shows, each below its name."""
    for name, content in FILES.findall((ROOT / page).read_text(encoding="utf-8")):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
