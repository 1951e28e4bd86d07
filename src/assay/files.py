"""A file written whole or not at all."""

from __future__ import annotations

import os

from assay.errors import InputError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Written beside it first and then renamed, so that no half-written file is ever seen; a link stays a link."""
    target = os.path.realpath(path)
    beside = f"{target}.{os.getpid()}.part"
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:  # a device or pipe cannot be replaced, and must not be
                device.write(data)
            return
        with open(beside, "wb") as file:
            file.write(data)
        if os.path.exists(target):
            os.chmod(beside, os.stat(target).st_mode & 0o7777)
        os.replace(beside, target)
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None
    finally:
        if os.path.exists(beside):
            os.remove(beside)
