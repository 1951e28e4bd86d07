"""Nothing secret of an address is shown."""

from __future__ import annotations

import pytest

from assay.io.sources import source_of
from assay.io.url_redaction import bare
from assay.tasks import get


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://me:word@host/a.run?X-Amz-Signature=abcdef", "https://host/a.run"),
        ("HTTPS://me:word@host/a.run?X-Amz-Signature=abcdef", "HTTPS://host/a.run"),
        ("ftp://me:word@host:21/a.run", "ftp://host:21/a.run"),
        ("s3://bucket/a@b?c.run", "s3://bucket/a@b?c.run"),
        ("https://host", "https://host"),
        ("simplecache::https://me:word@host/a.run?token=abcdef", "simplecache::https://host/a.run"),
        ("zip://a.run::https://me:word@host/a.zip?token=abcdef", "zip://a.run::https://host/a.zip"),
    ],
)
def test_nothing_secret_is_shown(address, shown):
    source = source_of(address)
    assert (bare(address), source.name, source.path) == (shown, shown, address)


def test_settings_are_printed_without_secrets():
    """Red before: a file among the choices was printed, and kept in stores, with its signature."""
    settings = get("outcomes").settings(refusal="https://me:word@host/patterns?token=abcdef")
    assert settings.as_dict()["refusal"] == "https://host/patterns"
    assert settings.refusal == "https://me:word@host/patterns?token=abcdef"
    assert "abcdef" not in repr(settings)
