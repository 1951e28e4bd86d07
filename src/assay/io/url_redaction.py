"""Redact credentials and query strings from URLs before showing them."""

from __future__ import annotations

import re

WEB = ("http", "https")
"""Schemes in which ? begins a query."""


def scheme_of(url: str) -> str:
    """Return the scheme of a URL in lower case.

    >>> scheme_of("HTTPS://host/a.run")
    'https'
    """
    return url.partition("://")[0].lower()


def bare(url: str) -> str:
    """Remove user, password, query and fragment from a URL, in every part of an fsspec chain.

    >>> bare("https://me:word@host/runs/a.run?X-Signature=abc#x"), bare("s3://bucket/a?.run")
    ('https://host/runs/a.run', 's3://bucket/a?.run')
    >>> bare("zip://a.run::https://me:word@host/runs.zip?X-Signature=abc")
    'zip://a.run::https://host/runs.zip'
    """
    return "::".join(map(_bare, url.split("::")))


def _bare(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    rest = re.split(r"[?#]", rest, maxsplit=1)[0] if scheme.lower() in WEB else rest
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
