"""What the core needs to walk this interpreter's dicts: addresses of C API functions and types, without Python.h.

Without the core, or where objects are not laid out as in CPython, `CAN_WALK` is False and Python walks them.
"""

from __future__ import annotations

import ctypes
import sys
from collections import defaultdict

from assay.core.binding import LIBRARY, Python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FUNCTIONS = {
    "next": "PyDict_Next",
    "size": "PyDict_Size",
    "whole": "PyLong_AsLongLongAndOverflow",
    "utf8": "PyUnicode_AsUTF8AndSize",
    "clear": "PyErr_Clear",
}
_TYPES = {"dict_type": dict, "defaultdict_type": defaultdict, "str_type": str, "int_type": int, "float_type": float}

TYPE_AT = ctypes.sizeof(ctypes.c_ssize_t)
"""Where an object holds its type: behind the count of its references."""
REAL_AT = float.__basicsize__ - ctypes.sizeof(ctypes.c_double)
"""Where a float holds its value: behind all else."""


def interpreter() -> Any:
    """Return what the core needs to walk dicts; None without the core, or where objects are not laid out as in CPython."""
    # Without a global lock an object is larger.
    if LIBRARY is None or sys.implementation.name != "cpython" or object.__basicsize__ != 2 * TYPE_AT:
        return None
    objects = ({}, defaultdict(), "", 1, 0.5)
    if any(ctypes.c_void_p.from_address(id(one) + TYPE_AT).value != id(type(one)) for one in objects):
        return None
    reals = (0.1, -2.5, 1e300, float("inf"))
    if any(ctypes.c_double.from_address(id(real) + REAL_AT).value != real for real in reals):
        return None
    # An interpreter within another program may keep its functions to itself.
    if not all(hasattr(ctypes.pythonapi, name) for name in _FUNCTIONS.values()):
        return None
    addresses = {
        field: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value for field, name in _FUNCTIONS.items()
    }
    return Python(**addresses, **{field: id(kind) for field, kind in _TYPES.items()}, type_at=TYPE_AT, real_at=REAL_AT)


_python = interpreter()
CAN_WALK = _python is not None
PYTHON_AT: int = ctypes.addressof(_python) if CAN_WALK else 0
"""The address of these."""


def notice_numpy() -> None:
    """Accept numpy's float64 as a float once numpy is imported; it is not imported for this."""
    if "numpy" in sys.modules and not _python.float64_type:
        _python.float64_type = id(getattr(sys.modules["numpy"], "float64", float))
