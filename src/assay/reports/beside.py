"""A page with a folder of data files beside it: what is too large for one file, in pieces that a browser reads by need.

A page that was opened from a disk may not read files, but it may run scripts that lie beside it: every file is one that hands
its sheets to the page. Names of files tell their content, so that a page never shows what another one wrote.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from types import TracebackType

from assay.errors import InputError
from assay.io.atomic_files import write_whole
from assay.reports.packing import safe_json

FILE_SIZE = 1 << 20
"""Bytes from which on a file is full."""
MARK = "assay-report-data.txt"
SAID = "The data of the report beside this folder, which shows them. They are written anew with it.\n"


class Folder:
    """The folder of a page, written beside it and put in its place when the page is `keep`-ed; else nothing was written."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        # Two reports that differ in their endings alone have two folders.
        self.name = f"{os.path.basename(self.path).removesuffix('.html')}_data"
        self._target = os.path.join(os.path.dirname(os.path.abspath(self.path)), self.name)
        self._made: str | None = None
        self._files: dict[str, str] = {}
        """By address of its first sheet, the name of a file; sheets follow each other in the order of the report."""
        self._waiting: dict[str, str] = {}
        self._size = 0

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._made is not None:
            shutil.rmtree(self._made, ignore_errors=True)

    def add(self, sheets: Mapping[str, str]) -> None:
        """More sheets, deflated, by address; files are written as they are full."""
        for name, sheet in sheets.items():
            self._waiting[name] = sheet
            self._size += len(sheet)
            if self._size >= FILE_SIZE:
                self.turn()

    def files(self) -> list[tuple[str, str]]:
        """The address of the first sheet of each file, and the file's name, in the order they were added."""
        self.turn()
        return list(self._files.items())

    def turn(self) -> None:
        """End a file: what is added from here on stands in another."""
        if not self._waiting:
            return
        content = f"assaySheets({safe_json(self._waiting)});\n".encode()
        name = f"{sha256(content).hexdigest()[:16]}.js"
        self._files[next(iter(self._waiting))] = name
        self._waiting, self._size = {}, 0
        try:
            if self._made is None:
                self._check()
                self._made = tempfile.mkdtemp(prefix=f".{self.name}.", dir=os.path.dirname(self._target))
                os.chmod(self._made, 0o755)
                with open(os.path.join(self._made, MARK), "w", encoding="utf-8") as file:
                    file.write(SAID)
            with open(os.path.join(self._made, name), "xb") as file:
                file.write(content)
        except OSError as problem:
            raise InputError(f"{self._target}: cannot be written: {problem.strerror or problem}") from None

    def _check(self) -> None:
        """Never put a folder in the place of one that holds something else."""
        if os.path.lexists(self._target) and not self._ours():
            raise InputError(
                f"{self._target}: is in the way of the report's data and was not written by it; move it, or name the report "
                "otherwise"
            )

    def _ours(self) -> bool:
        return os.path.isfile(os.path.join(self._target, MARK))

    def keep(self, page: str) -> None:
        """Put page and folder in place, together or not at all; a folder of an earlier report goes."""
        before, placed = "", False
        try:
            if self._ours():
                before = tempfile.mkdtemp(prefix=f".{self.name}.", dir=os.path.dirname(self._target))
                os.replace(self._target, os.path.join(before, self.name))
            if self._made is not None:
                os.replace(self._made, self._target)
                self._made, placed = None, True
            write_whole(self.path, page.encode("utf-8", "surrogateescape"))
        except BaseException as problem:
            if placed:
                shutil.rmtree(self._target, ignore_errors=True)
            if before and os.path.isdir(os.path.join(before, self.name)):
                os.replace(os.path.join(before, self.name), self._target)
            if isinstance(problem, OSError):
                raise InputError(f"{self._target}: cannot be written: {problem.strerror or problem}") from None
            raise
        finally:
            if before:
                shutil.rmtree(before, ignore_errors=True)
