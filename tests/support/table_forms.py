"""The same records as every form of a table that assay reads."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

Record = dict[str, Any]


def as_csv(records: list[Record]) -> bytes:
    names = list(dict.fromkeys(name for record in records for name in record))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue().encode()


def as_jsonl(records: list[Record]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def as_parquet(records: list[Record]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records), out)
    return out.getvalue()


def as_pandas(records: list[Record]) -> Any:
    return pytest.importorskip("pandas").DataFrame(records)


def as_polars(records: list[Record]) -> Any:
    return pytest.importorskip("polars").DataFrame(records)


def as_arrow(records: list[Record]) -> Any:
    return pytest.importorskip("pyarrow").Table.from_pylist(records)


FORMS = {
    "csv": as_csv, "jsonl": as_jsonl, "json": lambda records: json.dumps(records, indent=1).encode(), "parquet": as_parquet,
    "pandas": as_pandas, "polars": as_polars, "arrow": as_arrow, "records": list, "tuple": tuple,
}  # fmt: skip
FILES = ("csv", "jsonl", "json", "parquet")
