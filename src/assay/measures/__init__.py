"""One small pure function per measure. A measure sees a view and returns a number, or None where it is undefined.

Every measure can be imported by its name and then takes its parameters as it is written:

>>> from assay.measures import AP, P, nDCG
>>> [AP, nDCG@10, P(rel=2)@5]
[measure('AP'), measure('nDCG@10'), measure('P(rel=2)@5')]

A name that is no Python identifier is replaced by that of the measure's function: c@1 is `c_at_1`, F0.5u is `f05u`.
A measure is resolved by name in the task it is used in (`assay.measures.registry.resolve`): `RR` scores rankings of documents,
and ranked answers in the task qa.
"""

from __future__ import annotations

from assay.measures import registry
from assay.measures.measure import Measure


def __getattr__(name: str) -> Measure:
    from importlib.machinery import PathFinder

    # `from assay.measures import ranked` calls this first; a module that is not imported yet is no measure.
    if name.startswith("_") or PathFinder.find_spec(f"{__name__}.{name}", __path__):
        raise AttributeError(name)
    measure = registry.value(name)
    if measure is None:
        raise AttributeError(f"module 'assay.measures' has no measure {name!r}")
    return measure


def __dir__() -> list[str]:
    return sorted({*globals(), *map(registry.python_name, registry.declarations())})
