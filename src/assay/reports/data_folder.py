"""The folder of data files beside a large page, in pieces that a browser reads on demand.

A page opened from a disk may not read files, but it may run scripts beside it: each file is a script that hands its sheets
to the page. File names are hashes of the content, so a page never shows the data of another.
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
from assay.reports.page_data import safe_json

FILE_SIZE = 1 << 20
"""Bytes at which a file is full."""
MARK = "assay-report-data.txt"
README = "Data of the report beside this folder. Writing the report again replaces them.\n"


class DataFolder:
    """The folder of a page, written beside it; `keep` puts both in place, else nothing stays."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        # Two reports that differ in their endings alone have two folders.
        self.name = f"{os.path.basename(self.path).removesuffix('.html')}_data"
        self._target = os.path.join(os.path.dirname(os.path.abspath(self.path)), self.name)
        self._part_folder: str | None = None
        self._files: dict[str, str] = {}
        """The name of each file by the address of its first sheet; sheets are in the order of the report."""
        self._sheets: dict[str, str] = {}
        self._size = 0

    def __enter__(self) -> DataFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._part_folder is not None:
            shutil.rmtree(self._part_folder, ignore_errors=True)

    def add(self, sheets: Mapping[str, str]) -> None:
        """Add deflated sheets by address; write files as they fill."""
        for name, sheet in sheets.items():
            self._sheets[name] = sheet
            self._size += len(sheet)
            if self._size >= FILE_SIZE:
                self.end_file()

    def files(self) -> list[tuple[str, str]]:
        """Return the address of the first sheet and the name of each file, in order."""
        self.end_file()
        return list(self._files.items())

    def end_file(self) -> None:
        """End the file: further sheets go into another."""
        if not self._sheets:
            return
        content = f"assaySheets({safe_json(self._sheets)});\n".encode()
        name = f"{sha256(content).hexdigest()[:16]}.js"
        self._files[next(iter(self._sheets))] = name
        self._sheets, self._size = {}, 0
        try:
            if self._part_folder is None:
                self._check()
                self._part_folder = tempfile.mkdtemp(prefix=f".{self.name}.", dir=os.path.dirname(self._target))
                os.chmod(self._part_folder, 0o755)
                with open(os.path.join(self._part_folder, MARK), "w", encoding="utf-8") as file:
                    file.write(README)
            with open(os.path.join(self._part_folder, name), "xb") as file:
                file.write(content)
        except OSError as problem:
            raise InputError(f"{self._target}: cannot be written: {problem.strerror or problem}") from None

    def _check(self) -> None:
        """Refuse to replace a folder that assay did not write."""
        if os.path.lexists(self._target) and not self._is_ours():
            raise InputError(
                f"{self._target}: exists and is not a folder of report data. Fix: move it, or give the report another name"
            )

    def _is_ours(self) -> bool:
        return os.path.isfile(os.path.join(self._target, MARK))

    def keep(self, page: str) -> None:
        """Put page and folder in place, together or not at all, replacing the folder of an earlier report."""
        before, placed = "", False
        try:
            if self._is_ours():
                before = tempfile.mkdtemp(prefix=f".{self.name}.", dir=os.path.dirname(self._target))
                os.replace(self._target, os.path.join(before, self.name))
            if self._part_folder is not None:
                os.replace(self._part_folder, self._target)
                self._part_folder, placed = None, True
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
