"""What a package's source says, without importing the package: most of those read here ask for models, a database or a browser."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from peers import peer


def tree_of(package: str, file: str) -> ast.Module:
    """The syntax of one file of a package; the test is skipped where it is not installed, as with `peer`."""
    found = importlib.util.find_spec(package)
    if found is None:
        peer(package)
    return ast.parse(Path(found.submodule_search_locations[0], file).read_text(encoding="utf-8"))


def listed(package: str, file: str, name: str = "__all__") -> set[str]:
    """The strings that are assigned or added to a name, such as `__all__`, or are the keys of its dict."""
    found: set[str] = set()
    for node in ast.walk(tree_of(package, file)):
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Name) and target.id == name:
            inside = node.value.keys if isinstance(node.value, ast.Dict) else list(ast.walk(node.value))
            found |= {part.value for part in inside if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return found


def calls(package: str, file: str, function: str) -> Iterator[ast.Call]:
    """Every call of a function by its plain name."""
    for node in ast.walk(tree_of(package, file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
            yield node


def first_text(call: ast.Call) -> str | None:
    """The first argument of a call, or its first keyword, where that is a text."""
    first = [*call.args, *(keyword.value for keyword in call.keywords)][:1]
    return first[0].value if first and isinstance(first[0], ast.Constant) and isinstance(first[0].value, str) else None


def classes(package: str, file: str) -> set[str]:
    return {node.name for node in tree_of(package, file).body if isinstance(node, ast.ClassDef)}


def method(package: str, file: str, owner: str, name: str, **names: Any) -> Callable[..., Any]:
    """A method of a class as a plain function, with what it needs of its module given as `names`."""
    [inside] = [node for node in tree_of(package, file).body if isinstance(node, ast.ClassDef) and node.name == owner]
    [found] = [
        node for node in inside.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name
    ]
    found.decorator_list, found.returns = [], None
    for argument in found.args.args:
        argument.annotation = None
    made: dict[str, Any] = dict(names)
    exec(compile(ast.Module([found], []), f"{package}/{file}", "exec"), made)
    return made[name]
