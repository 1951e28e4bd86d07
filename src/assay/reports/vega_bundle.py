"""The JavaScript bundle of Vega, Vega-Lite and Vega-Embed, from vl-convert.

vl-convert takes about a second to build it. It is never cached on disk: a tampered copy would run in every later report.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from assay.errors import UsageError

BUNDLE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"
_started: list[subprocess.Popen[bytes]] = []


def start_bundling() -> None:
    """Build the bundle in a child process, once per process; in a thread, vl-convert would hold the GIL."""
    if _started or chart_runtime.cache_info().currsize or find_spec("vl_convert") is None or not sys.executable:
        return
    # -P: a file vl_convert.py in the working directory is not imported.
    command = [sys.executable, "-P", "-c", BUNDLE]
    try:
        _started.append(
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        )
    except OSError:
        return


@cache
def chart_runtime() -> str:
    """Return the bundle, escaped for a script element."""
    vl_convert = needed("vl_convert", "HTML")
    bundle = b""
    while _started:
        child = _started.pop()
        output = child.communicate()[0]
        bundle = output if child.returncode == 0 else bundle
    return (bundle.decode() or str(vl_convert.javascript_bundle())).replace("</script", "<\\/script")


def needed(package: str, form: str) -> Any:
    """Import an optional package, or say how to install it."""
    try:
        return import_module(package)
    except ImportError as missing:
        name = package.replace("_", "-")
        raise UsageError(f"the {form} report needs {name}: pip install 'assay-eval[report]'") from missing
