"""What may be shown of an address: neither who asks, nor what is asked beyond the file."""

from __future__ import annotations

import re

WEB = ("http", "https")
"""Where ? begins a query."""


def scheme_of(url: str) -> str:
    """How an address is read: what stands before ://, in small letters.

    >>> scheme_of("HTTPS://host/a.run")
    'https'
    """
    return url.partition("://")[0].lower()


def bare(url: str) -> str:
    """An address without what may be secret: who asks, and what is asked beyond the file. Of a chain, as fsspec has them, every part.

    >>> bare("https://me:word@host/runs/a.run?X-Signature=abc#x"), bare("s3://bucket/a?.run")
    ('https://host/runs/a.run', 's3://bucket/a?.run')
    >>> bare("zip://a.run::https://me:word@host/runs.zip?X-Signature=abc")
    'zip://a.run::https://host/runs.zip'
    """
    return "::".join(map(_bare, url.split("::")))


def _bare(url: str) -> str:
    scheme, found, rest = url.partition("://")
    if not found:
        return url
    rest = re.split(r"[?#]", rest, maxsplit=1)[0] if scheme.lower() in WEB else rest
    host, stroke, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{stroke}{path}"
