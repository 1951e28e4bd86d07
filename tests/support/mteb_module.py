"""MTEB's own module of retrieval measures, which needs none of the models that MTEB asks for."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from peers import peer


@cache
def metrics_of_mteb() -> ModuleType:
    found = importlib.util.find_spec("mteb")
    if found is None:
        peer("mteb")
    types = ModuleType("mteb.types")
    types.RetrievalEvaluationResult = types.RelevantDocumentsType = dict
    kept = {name: sys.modules.get(name) for name in ("mteb", "mteb.types")}
    sys.modules.update({"mteb": ModuleType("mteb"), "mteb.types": types})
    try:
        path = Path(found.submodule_search_locations[0], "_evaluators", "retrieval_metrics.py")
        spec = importlib.util.spec_from_file_location("retrieval_metrics", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        for name, before in kept.items():
            sys.modules.pop(name) if before is None else sys.modules.update({name: before})
    return module
