"""A file written whole or not at all, and never over what must not be lost."""

from __future__ import annotations

import os
import stat

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

LONGEST_NAME = 80
DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}
"""What Windows opens instead of a file, whatever its ending."""
"""Characters of a file's name that is made from another."""


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Written beside it first and then renamed, so that no half-written file is ever seen; a link stays a link."""
    target = os.path.realpath(path)
    check_writable(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as device:  # a device or pipe cannot be replaced, and must not be
                device.write(data)
            return
        _replace(target, data)
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None


def _replace(target: str, data: bytes) -> None:
    for beside in _names(target):
        try:
            file = open(beside, "xb")  # noqa: SIM115 - closed below; x, so that nobody else's file is written or removed
        except FileExistsError:
            continue
        except MemoryError:  # perhaps after the file was made, before its Python object was
            if os.path.exists(beside):
                os.remove(beside)
            raise
        try:
            with file:
                file.write(data)
            if os.path.exists(target):
                os.chmod(beside, os.stat(target).st_mode & 0o7777)
            os.replace(beside, target)
        except BaseException:
            os.remove(beside)
            raise
        return


def _names(target: str) -> Iterator[str]:
    number = os.getpid()
    while True:
        yield f"{target}.{number}.part"
        number += 1


def check_writable(path: str | os.PathLike[str]) -> None:
    """A file that was made read-only is kept, though its folder would let it be replaced, and though root may write it."""
    try:
        found = os.stat(path)
    except OSError:
        return  # nothing there; what else is wrong with the path is said when it is written
    if stat.S_ISREG(found.st_mode) and (not found.st_mode & 0o222 or not os.access(path, os.W_OK)):
        raise InputError(f"{os.fspath(path)}: cannot be written: it is read-only")


def identity(path: str | int) -> tuple[int, int] | None:
    """Which file a path or an open file's number stands for, by whatever name or link; None of what is no regular file.

    >>> identity(__file__) == identity(os.path.join(os.path.dirname(__file__), ".", os.path.basename(__file__)))
    True
    """
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def file_names(names: Collection[str]) -> list[str]:
    """A name for a file for each name, whatever it holds; no two the same, on disks that ignore case too, and none of a device.

    >>> file_names(["bm25", "BM25", "a/b c", "..", "con"])
    ['bm25', 'BM25-2', 'a_b_c', 'unnamed', '_con']
    """
    import re

    taken: set[str] = set()
    found: list[str] = []
    for name in names:
        short = re.sub(r"[^\w.+-]+", "_", name, flags=re.ASCII).strip("._")[:LONGEST_NAME] or "unnamed"
        short = f"_{short}" if short.partition(".")[0].lower() in DEVICES else short
        made, number = short, 1
        while made.lower() in taken:
            number += 1
            made = f"{short}-{number}"
        taken.add(made.lower())
        found.append(made)
    return found


def is_folder(path: str) -> bool:
    """Whether a path means a folder with a file for each topic.

    >>> is_folder("assessors/"), is_folder("pool.jsonl")
    (True, False)
    """
    return path.endswith(("/", os.sep)) or os.path.isdir(path)


def write_folder(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """A folder with its files, whole or not at all: made beside it and renamed. One that holds anything already is left as it is.

    path    the folder
    files   what each of its files holds
    """
    target = os.path.realpath(path)
    try:
        if os.path.lexists(target) and (not os.path.isdir(target) or os.listdir(target)):
            raise InputError(f"{os.fspath(path)}: is there already; expected a folder to make, or an empty one")
        beside = next(name for name in _names(target) if not os.path.lexists(name))
        try:
            os.makedirs(beside)
            for name, data in files.items():
                with open(os.path.join(beside, name), "wb") as file:
                    file.write(data)
            if os.path.isdir(target):
                os.rmdir(target)
            os.rename(beside, target)
        except BaseException:
            from shutil import rmtree

            rmtree(beside, ignore_errors=True)
            raise
    except OSError as problem:
        raise InputError(f"{os.fspath(path)}: cannot be written: {problem.strerror or problem}") from None
