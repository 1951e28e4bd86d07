"""s3:// by s3fs, gs:// by gcsfs and hf:// by huggingface_hub, against servers of this machine that speak as theirs do: what a bucket
holds is scored as a folder is."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from hub import NAME, Hub
from stored_runs import QRELS, run_text, write_runs

import assay
from assay.errors import InputError
from peers import peer

pytestmark = pytest.mark.peer

s3fs = peer("s3fs")
boto3 = peer("boto3")
moto = peer("moto.server")
# When it is imported, gcsfs decides whether to ask of which kind a bucket is: a service that the emulator does not have.
os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"
gcsfs = peer("gcsfs")
emulator = peer("gcp_storage_emulator.server")
HUB = Hub()
os.environ["HF_ENDPOINT"] = HUB.address  # which it looks at when it is imported, too
hugging_face = peer("huggingface_hub")
MEASURES = ["AP", "nDCG@10"]


class Bucket(NamedTuple):
    """Where it is, and how to put a file there."""

    address: str
    put: Callable[[str, bytes], object]

    def at(self, path: str) -> str:
        return f"{self.address}/{path}"


@pytest.fixture
def s3(monkeypatch) -> Iterator[Bucket]:
    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    s3fs.S3FileSystem.clear_instance_cache()  # of the server before this one
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "sesame",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }.items():
        monkeypatch.setenv(name, value)
    client = boto3.client("s3")
    client.create_bucket(Bucket="campaign")
    yield Bucket("s3://campaign", lambda key, body: client.put_object(Bucket="campaign", Key=key, Body=body))
    server.stop()


@pytest.fixture
def gs(monkeypatch) -> Iterator[Bucket]:
    server = emulator.create_server("127.0.0.1", 0, in_memory=True, default_bucket="campaign")
    server.start()
    gcsfs.GCSFileSystem.clear_instance_cache()
    address = server._api._httpd.socket.getsockname()
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{address[1]}")
    writer = gcsfs.GCSFileSystem(token="anon", skip_instance_cache=True)
    yield Bucket("gs://campaign", lambda key, body: writer.pipe(f"campaign/{key}", body))
    server.stop()


@pytest.fixture
def hf() -> Bucket:
    hugging_face.HfFileSystem.clear_instance_cache()
    HUB.files.clear()
    return Bucket(f"hf://datasets/{NAME}", HUB.put)


@pytest.fixture(params=["s3", "gs", "hf"])
def bucket(request, tmp_path, monkeypatch) -> Bucket:
    """With the files of the folder one stands in, and the same packed."""
    found: Bucket = request.getfixturevalue(request.param)
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)
    found.put("qrels", QRELS.encode())
    for path in (tmp_path / "runs").iterdir():
        found.put(f"runs/{path.name}", path.read_bytes())
        found.put(f"packed/{path.name}.gz", gzip.compress(path.read_bytes()))
    return found


def numbers(scores):
    return {run: dict(scores.run(run).columns) for run in scores.runs}


@pytest.mark.parametrize("runs", ["runs", "runs/", "runs/*.run", "runs/r?.run", "packed/*.gz"])
def test_folders_and_patterns(bucket, runs):
    found = assay.evaluate(bucket.at("qrels"), bucket.at(runs), MEASURES)
    assert numbers(found) == numbers(assay.evaluate("qrels", "runs", MEASURES))


def test_a_store_sees_what_was_added_and_what_was_changed(bucket):
    store = assay.Store("S")

    def scored():
        found = assay.evaluate(bucket.at("qrels"), bucket.at("runs"), MEASURES, store=store)
        assert numbers(found) == numbers(assay.evaluate(bucket.at("qrels"), bucket.at("runs"), MEASURES))
        return store.scored, store.read

    assert [scored(), scored()] == [(5, 0), (0, 5)]
    bucket.put("runs/r5.run", run_text("r5").encode())
    assert scored() == (1, 5)
    bucket.put("runs/r0.run", run_text("r0", seed="another").encode())
    assert scored() == (1, 5)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("nosuch.run", "there is no such file"),
        ("../nosuch/a.run", "there is no such file"),
        ("runs/*.txt", "no file matches this pattern"),
    ],
)
def test_what_is_not_there(bucket, path, said):
    address = bucket.at(path).replace("campaign/../", "")
    with pytest.raises(InputError, match=said):
        assay.evaluate("qrels", address, MEASURES)


@pytest.mark.parametrize("bucket", ["s3"], indirect=True)
def test_a_signed_address_is_read_and_not_shown(bucket):
    asked = {"Bucket": "campaign", "Key": "runs/r0.run"}
    address = boto3.client("s3").generate_presigned_url("get_object", Params=asked)
    found = assay.evaluate("qrels", address, MEASURES)
    assert numbers(found) == numbers(assay.evaluate("qrels", "runs/r0.run", MEASURES))
    assert found.run("r0").file == address.partition("?")[0]
    assert "Signature" not in str(found.to_dict())
