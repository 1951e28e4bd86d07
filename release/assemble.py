"""A wheel for one system out of the wheel that has no core: the library put in, tag and RECORD told of it.

The same sources give the same bytes, on whatever day: dates, order and permissions are fixed.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import tarfile
import zipfile

FOLDER = "assay/core/"
DATE = (1980, 1, 1, 0, 0, 0)
"""The first that a zip file can tell."""
SECONDS = 315532800
"""The same day as a tar file tells it."""


def members(wheel: bytes) -> dict[str, bytes]:
    """The files of a wheel by their names, in its order."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as opened:
        return {info.filename: opened.read(info) for info in opened.infolist() if not info.is_dir()}


def with_core(pure: bytes, tag: str, library: str, content: bytes) -> bytes:
    """The wheel without a core as one for a system.

    tag       as in `py3-none-win_amd64`; several platforms are joined by dots
    library   the core's name there
    content   the core
    """
    files = members(pure)
    head = next(name for name in files if name.endswith(".dist-info/WHEEL")).removesuffix("WHEEL")
    files[FOLDER + library] = content
    files[head + "WHEEL"] = _wheel_file(files[head + "WHEEL"].decode(), tag).encode()
    del files[head + "RECORD"]
    # The folder of what describes the wheel comes last, as the format recommends.
    ordered = dict(sorted(files.items(), key=lambda item: (item[0].startswith(head), item[0])))
    ordered[head + "RECORD"] = record(ordered, head + "RECORD").encode()
    return _zipped(ordered)


def platforms(tag: str) -> list[str]:
    """The tags a compressed one stands for.

    >>> platforms("cp311-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64")
    ['cp311-abi3-manylinux_2_17_x86_64', 'cp311-abi3-manylinux2014_x86_64']
    """
    head, _, last = tag.rpartition("-")
    return [f"{head}-{platform}" for platform in last.split(".")]


def _wheel_file(text: str, tag: str) -> str:
    kept = [line for line in text.splitlines() if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    return "\n".join([*kept, "Root-Is-Purelib: false", *(f"Tag: {one}" for one in platforms(tag)), ""])


def digest(content: bytes) -> str:
    """As RECORD writes it."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def record(files: dict[str, bytes], own: str) -> str:
    """A line per file with its digest and size; its own, which can have neither."""
    return "".join(f"{name},{digest(content)},{len(content)}\n" for name, content in files.items()) + f"{own},,\n"


def _zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, DATE)
            # Made on Unix, whatever made it: elsewhere the permissions would mean nothing.
            info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
            info.external_attr = (0o100755 if name.endswith((".so", ".pyd")) else 0o100644) << 16
            archive.writestr(info, content, compresslevel=9)
    return made.getvalue()


def steady(archive: bytes) -> bytes:
    """A source archive without the day and the person that made it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(archive)) as old, tarfile.open(fileobj=packed, mode="w") as new:
        for info in sorted(old.getmembers(), key=lambda one: one.name):
            info.mtime, info.uid, info.gid, info.uname, info.gname, info.pax_headers = SECONDS, 0, 0, "", "", {}
            info.mode = 0o755 if info.isdir() else 0o644
            new.addfile(info, old.extractfile(info) if info.isfile() else None)
    return gzip.compress(packed.getvalue(), 9, mtime=SECONDS)
