"""Put a compiled core into the pure wheel, with a new tag and RECORD.

Builds are reproducible: dates, order and permissions are fixed.
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
"""The earliest date of a zip file."""
SECONDS = 315532800
"""The same date in a tar file."""


def members(wheel: bytes) -> dict[str, bytes]:
    """Return the files of a wheel by name, in its order."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as opened:
        return {info.filename: opened.read(info) for info in opened.infolist() if not info.is_dir()}


def with_core(pure: bytes, tag: str, library: str, content: bytes) -> bytes:
    """Return the wheel of a system, from the pure wheel.

    tag       as in `py3-none-win_amd64`; several platforms are joined by dots
    library   the file name of the core on that system
    content   the core
    """
    files = members(pure)
    head = next(name for name in files if name.endswith(".dist-info/WHEEL")).removesuffix("WHEEL")
    files[FOLDER + library] = content
    files[head + "WHEEL"] = _wheel_file(files[head + "WHEEL"].decode(), tag).encode()
    del files[head + "RECORD"]
    # The format recommends .dist-info last.
    ordered = dict(sorted(files.items(), key=lambda item: (item[0].startswith(head), item[0])))
    ordered[head + "RECORD"] = record(ordered, head + "RECORD").encode()
    return _zipped(ordered)


def platforms(tag: str) -> list[str]:
    """Return the tags that a compressed tag lists.

    >>> platforms("cp311-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64")
    ['cp311-abi3-manylinux_2_17_x86_64', 'cp311-abi3-manylinux2014_x86_64']
    """
    head, _, last = tag.rpartition("-")
    return [f"{head}-{platform}" for platform in last.split(".")]


def _wheel_file(text: str, tag: str) -> str:
    lines = [line for line in text.splitlines() if line and not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    return "\n".join([*lines, "Root-Is-Purelib: false", *(f"Tag: {platform}" for platform in platforms(tag)), ""])


def digest(content: bytes) -> str:
    """Return the digest in the notation of RECORD."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def record(files: dict[str, bytes], name_of_record: str) -> str:
    """Return RECORD: a line per file with its digest and size, and its own line without."""
    return (
        "".join(f"{name},{digest(content)},{len(content)}\n" for name, content in files.items())
        + f"{name_of_record},,\n"
    )


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, DATE)
            # 3 is Unix: with another system an installer ignores the permissions.
            info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
            info.external_attr = (0o100755 if name.endswith((".so", ".pyd")) else 0o100644) << 16
            archive.writestr(info, content, compresslevel=9)
    return buffer.getvalue()


def steady(archive: bytes) -> bytes:
    """Return a source archive without the date and the user that built it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(archive)) as old, tarfile.open(fileobj=packed, mode="w") as new:
        for info in sorted(old.getmembers(), key=lambda member: member.name):
            info.mtime, info.uid, info.gid, info.uname, info.gname, info.pax_headers = SECONDS, 0, 0, "", "", {}
            info.mode = 0o755 if info.isdir() else 0o644
            new.addfile(info, old.extractfile(info) if info.isfile() else None)
    return gzip.compress(packed.getvalue(), 9, mtime=SECONDS)
