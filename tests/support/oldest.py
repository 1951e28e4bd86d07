"""Print the lowest versions that pyproject.toml declares, as pip takes them: `numpy==1.26 scipy==1.11 …`.

`make oldest` installs these, and runs a part of the suite on them.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

EXTRAS = ("frames", "report", "gzip")
"""The extras that are installed too; `dask` and `remote` bring hundreds of packages whose own minimums are not declared here."""


def pins(project: dict[str, object]) -> list[str]:
    """Return every requirement `name>=version` as `name==version`, without extras and markers.

    >>> pins({"dependencies": ["numpy>=1.26"], "optional-dependencies": {"gzip": ["isal>=1.6; platform_machine in 'x86_64'"]}})
    ['numpy==1.26', 'isal==1.6']
    """
    more = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for extra in EXTRAS for one in more.get(extra, ()))]  # type: ignore[misc]
    found = [re.match(r"([A-Za-z0-9_-]+)>=([0-9.]+)", one) for one in wanted]
    return [f"{match[1]}=={match[2]}" for match in found if match]


if __name__ == "__main__":
    print(*pins(tomllib.loads(Path("pyproject.toml").read_text())["project"]))
