"""s3:// by s3fs against a server that speaks S3, of this machine: what a bucket holds is scored as a folder is."""

from __future__ import annotations

import gzip

import pytest
from stored_runs import QRELS, run_text, write_runs

import assay
from assay.errors import InputError
from peers import peer

s3fs = peer("s3fs")
boto3 = peer("boto3")
moto = peer("moto.server")
MEASURES = ["AP", "nDCG@10"]


@pytest.fixture
def bucket(tmp_path, monkeypatch):
    """s3://campaign with the files of the folder one stands in; the client that fills it."""
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
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)
    client = boto3.client("s3")
    client.create_bucket(Bucket="campaign")
    client.put_object(Bucket="campaign", Key="qrels", Body=QRELS.encode())
    for path in (tmp_path / "runs").iterdir():
        client.put_object(Bucket="campaign", Key=f"runs/{path.name}", Body=path.read_bytes())
        client.put_object(Bucket="campaign", Key=f"packed/{path.name}.gz", Body=gzip.compress(path.read_bytes()))
    yield client
    server.stop()


def numbers(scores):
    return {run: dict(scores.run(run).columns) for run in scores.runs}


@pytest.mark.parametrize("runs", ["runs", "runs/", "runs/*.run", "runs/r?.run", "packed/*.gz"])
def test_folders_and_patterns(bucket, runs):
    found = assay.evaluate("s3://campaign/qrels", f"s3://campaign/{runs}", MEASURES)
    assert numbers(found) == numbers(assay.evaluate("qrels", "runs", MEASURES))


def test_a_store_sees_what_was_added_and_what_was_changed(bucket):
    store = assay.Store("S")

    def scored():
        found = assay.evaluate("s3://campaign/qrels", "s3://campaign/runs", MEASURES, store=store)
        assert numbers(found) == numbers(assay.evaluate("s3://campaign/qrels", "s3://campaign/runs", MEASURES))
        return store.scored, store.read

    assert [scored(), scored()] == [(5, 0), (0, 5)]
    bucket.put_object(Bucket="campaign", Key="runs/r5.run", Body=run_text("r5").encode())
    assert scored() == (1, 5)
    bucket.put_object(Bucket="campaign", Key="runs/r0.run", Body=run_text("r0", seed="another").encode())
    assert scored() == (1, 5)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://campaign/nosuch.run", "there is no such file"),
        ("s3://nosuch/a.run", "there is no such file"),
        ("s3://campaign/runs/*.txt", "no file matches this pattern"),
    ],
)
def test_what_is_not_there(bucket, address, said):
    with pytest.raises(InputError, match=said):
        assay.evaluate("qrels", address, MEASURES)


def test_a_signed_address_is_read_and_not_shown(bucket):
    address = bucket.generate_presigned_url("get_object", Params={"Bucket": "campaign", "Key": "runs/r0.run"})
    found = assay.evaluate("qrels", address, MEASURES)
    assert numbers(found) == numbers(assay.evaluate("qrels", "runs/r0.run", MEASURES))
    assert found.run("r0").file == address.partition("?")[0]
    assert "Signature" not in str(found.to_dict())
