"""A store scores every file once; what it says is what scoring afresh would have said."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from math import copysign
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored_runs import assert_same, run_text, write_runs

import assay
from assay.cli import main
from assay.errors import InputError, UsageError
from assay.io.sources import Source
from assay.scoring.store import Damaged, Evaluation, Store, digest_of, from_parquet, to_parquet
from assay.table.notes import Notes
from assay.table.run_scores import RunScores

pytest.importorskip("pyarrow")

MEASURES = ["AP", "nDCG@10", "num_rel_ret", "Judged@5"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    write_runs(tmp_path)
    monkeypatch.chdir(tmp_path)


def scored(runs="runs", measures=MEASURES, **choices):
    """The table by way of the store S, checked against scoring afresh; how many files were scored, and how many not."""
    store = Store("S")
    found = assay.evaluate("qrels", runs, measures, store=store, **choices)
    assert_same(found, assay.evaluate("qrels", runs, measures, **choices))
    return store.scored, store.read


def partitions():
    return sorted(Path("S").rglob("*.parquet"))


def test_every_file_is_scored_once():
    assert scored() == (5, 0)
    assert scored() == (0, 5)
    Path("runs/new.run").write_text(run_text("new"))
    assert scored() == (1, 5)
    assert len(partitions()) == 6


def test_what_changes_the_numbers_is_another_evaluation():
    assert scored() == (5, 0)
    assert scored(level=2) == (5, 0)
    assert scored(measures=["AP"]) == (5, 0)
    assert scored(missing="skip") == (5, 0)
    assert scored(name_by="file") == (0, 5)
    Path("qrels").write_text(Path("qrels").read_text().replace("1 0 d1 2", "1 0 d1 0"))
    assert scored() == (5, 0)
    assert scored(level=2) == (5, 0)


def test_another_version_of_the_numbers_is_another_evaluation(monkeypatch):
    assert scored() == (5, 0)
    monkeypatch.setattr("assay.scoring.store.NUMBERS", 999)
    assert scored() == (5, 0)


def test_a_changed_file_is_another_file_and_a_renamed_one_the_same():
    assert scored() == (5, 0)
    Path("runs/r0.run").rename("runs/z.run")
    assert scored() == (0, 5)
    Path("runs/r3.run").write_text(run_text("r3", seed="another"))
    assert scored() == (1, 4)


def test_runs_without_a_tag_are_called_by_their_file_whatever_the_store_knew():
    for name in ("one", "two"):
        Path(f"runs/{name}.json").write_text('{"1": {"d1": 2.0, "d2": 1.0}}')
    assert scored(["runs/one.json"]) == (1, 0)
    assert scored(["runs/two.json"]) == (1, 0)
    assert scored(["runs/two.json"]) == (0, 1)
    assert scored({"mine": "runs/r0.run"}) == (1, 0)
    assert scored({"yours": "runs/r0.run"}) == (1, 0)
    assert scored({"mine": "runs/r0.run"}) == (0, 1)


def test_the_same_bytes_under_two_names():
    Path("runs/copy.run").write_bytes(Path("runs/r0.run").read_bytes())
    assert scored() == (6, 0)
    assert scored() == (0, 6)


def test_compressed_is_other_bytes_and_the_same_numbers():
    import gzip

    Path("more").mkdir()
    Path("more/r0.run.gz").write_bytes(gzip.compress(Path("runs/r0.run").read_bytes(), mtime=0))
    assert scored("more") == (1, 0)
    assert scored("more") == (0, 1)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:100]),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes().replace(b"scored", b"sc0red", 1)),
        lambda path: path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]),
    ],
)
def test_a_damaged_partition_is_made_again_with_a_remark(damage):
    assert scored() == (5, 0)
    path = partitions()[2]
    before = path.read_bytes()
    damage(path)
    found = assay.evaluate("qrels", "runs", MEASURES, store="S")
    (said,) = [line for line in found.remarks() if "damaged" in line]
    assert said.startswith(f"{path}: damaged (its bytes have changed); runs/r")
    assert said.endswith(".run was scored again")
    assert path.read_bytes() == before
    assert scored() == (0, 5)


def test_a_partition_from_elsewhere_is_never_served():
    """Red before: one that was copied or renamed inside a store told the scores of another run, or of other judgments."""
    assert scored() == (5, 0)
    first, second = partitions()[:2]
    own = first.name.partition("-")[2]
    taken = second.with_name(f"{second.name.partition('-')[0]}-{own}")
    second.unlink()
    shutil.copy(first, taken)
    found = assay.evaluate("qrels", "runs", MEASURES, store="S")
    assert f"{taken}: damaged (it belongs to another file or another evaluation)" in found.remarks()[0]
    assert scored() == (0, 5)
    old = first.parent
    Path("qrels").write_text(Path("qrels").read_text().replace("1 0 d1 2", "1 0 d1 0"))
    assert scored() == (5, 0)
    (new,) = {path.parent for path in partitions()} - {old}
    for path in new.glob("*.parquet"):
        path.unlink()
    for path in old.glob("*.parquet"):
        shutil.copy(path, new)
    found = assay.evaluate("qrels", "runs", MEASURES, store="S")
    assert sum("another evaluation" in line for line in found.remarks()) == 5
    assert scored() == (0, 5)


def planted(data):
    """A foreign file in place of the first partition, under a name that fits its bytes."""
    path = partitions()[0]
    path.unlink()
    own = hashlib.sha256(data).hexdigest()[:16]
    path = path.with_name(f"{path.name.partition('-')[0]}-{own}.parquet")
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "meta",
    [None, b"[]", b"null", b"{}", b'{"runs": [], "columns": {}}', b'{"runs": [1], "columns": {}, "about": null, "of": null}'],
)  # fmt: skip
def test_a_foreign_file_in_a_store_is_damage(meta):
    """Red before: a traceback."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    assert scored() == (5, 0)
    table = pa.table({"status": ["scored"] * 6}).replace_schema_metadata(None if meta is None else {"assay": meta})
    out = pa.BufferOutputStream()
    pq.write_table(table, out)
    path = planted(out.getvalue().to_pybytes())
    with pytest.raises(InputError, match="are damaged"):
        assay.read_scores("S")
    found = assay.evaluate("qrels", "runs", MEASURES, store="S")
    assert found.remarks()[0].startswith(f"{path}: damaged (")
    assert scored() == (0, 5)


def test_numbers_that_are_none_are_damage():
    import pyarrow as pa
    import pyarrow.parquet as pq

    assert scored() == (5, 0)
    table = pq.read_table(partitions()[0])
    place = table.schema.get_field_index("AP")
    out = pa.BufferOutputStream()
    pq.write_table(table.set_column(place, "AP", pa.array(["x"] * 6)), out)
    planted(out.getvalue().to_pybytes())
    found = assay.evaluate("qrels", "runs", MEASURES, store="S")
    assert "damaged (a column of string, expected numbers)" in found.remarks()[0]


def test_a_partition_that_another_program_wrote_anew_is_found_and_one_that_is_gone_no_damage():
    assert scored() == (5, 0)
    store = Store("S")
    kept = store.evaluation(
        digest_of(Source("qrels", path="qrels")), assay.tasks.get("ranked"), assay.Settings(), [], ["1"] * 6
    )
    assert kept.known == frozenset()
    folder = partitions()[0].parent
    kept = Evaluation(str(folder), folder.name.partition("=")[2], 6)
    content = partitions()[0].name.partition("-")[0]
    runs, about = kept.get(content)
    Evaluation(str(folder), kept._key, 6).put(content, runs, list("123456"), {**about, "file": "other"})
    assert kept.get(content)[1]["file"] == "other"
    for path in partitions():
        path.unlink()
    assert kept.get(content) is None
    assert scored() == (5, 0)  # and not a word of damage, or the tables would differ


def test_gold_that_was_changed_since_it_was_read_is_no_key():
    """Red before: scores against what was read were kept as those of what the file held by then."""
    gold = assay.read_gold("qrels")
    gold.evaluate("runs", MEASURES, store="S")
    Path("qrels").write_text(Path("qrels").read_text().replace("1 0 d1 2", "1 0 d1 0") + "\n")
    for where in ({"store": "S"}, {"executor": ThreadPoolExecutor(1)}):
        with pytest.raises(InputError, match="qrels: changed since it was read"):
            gold.evaluate("runs", MEASURES, **where)
    assert gold.evaluate("runs", MEASURES).runs
    assert scored() == (5, 0)


def test_a_store_that_nobody_may_write_still_tells_what_it_knows(monkeypatch):
    assert scored() == (5, 0)

    def refused(path, data):
        raise InputError(f"{path}: cannot be written: Read-only file system")

    monkeypatch.setattr("assay.scoring.store.write_whole", refused)
    assert scored() == (0, 5)
    Path("runs/new.run").write_text(run_text("new"))
    with pytest.raises(InputError, match="Read-only file system"):
        assay.evaluate("qrels", "runs", MEASURES, store="S")


@pytest.mark.parametrize("name", ["about.json", "table.json"])
@pytest.mark.parametrize("data", [b"", b"[]", b"null", b'{"runs": [1]}', b'{"runs": 7}', b"\xff"])
def test_a_description_that_is_damaged_is_said_and_evaluating_again_mends_it(name, data):
    """Red before: a traceback, and advice that did not help."""
    assert scored() == (5, 0)
    (path,) = Path("S").rglob(name)
    before = path.read_bytes()
    path.write_bytes(data)
    with pytest.raises(InputError, match=rf"{name}: .*evaluate again"):
        assay.read_scores("S")
    assert scored() == (0, 5)
    assert path.read_bytes() == before
    assert assay.read_scores("S").runs == [f"r{number}" for number in range(5)]


def test_a_file_that_changed_since_its_digest_is_kept_under_what_it_holds(monkeypatch):
    """Red before: where the partition of a known file was damaged, what the file held a moment later was kept as its scores."""
    assert scored(["runs/r0.run"]) == (1, 0)
    old = Path("runs/r0.run").read_text()
    partitions()[0].write_bytes(b"")
    get = Evaluation.get

    def changing(self, content):
        Path("runs/r0.run").write_text(run_text("r0", seed="later"))
        return get(self, content)

    monkeypatch.setattr(Evaluation, "get", changing)
    assay.evaluate("qrels", ["runs/r0.run"], MEASURES, store="S")
    monkeypatch.setattr(Evaluation, "get", get)
    assert scored(["runs/r0.run"]) == (0, 1)
    Path("runs/r0.run").write_text(old)
    found = assay.evaluate("qrels", ["runs/r0.run"], MEASURES, store="S")
    assert found["AP"] == assay.evaluate("qrels", ["runs/r0.run"], MEASURES)["AP"]


def test_interrupted_work_goes_on_where_it_ended():
    def stop(done, _):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assay.evaluate("qrels", "runs", MEASURES, store="S", progress=stop)
    assert len(partitions()) == 3
    (Path("S") / "evaluation=left.part").mkdir()
    assert scored() == (2, 3)


def test_a_bad_run_is_said_as_without_a_store_and_the_others_are_kept():
    Path("runs/r4.run").write_text("1 Q0 d1 1\n")
    with pytest.raises(InputError) as without:
        assay.evaluate("qrels", "runs", MEASURES)
    with pytest.raises(InputError) as stored:
        assay.evaluate("qrels", "runs", MEASURES, store="S")
    assert str(stored.value) == str(without.value)
    assert len(partitions()) == 4


def test_a_file_that_changes_meanwhile_is_no_result(monkeypatch):
    join = assay.scoring.evaluate.Gold.score

    def changing(self, source, measures):
        found = join(self, source, measures)
        Path(source.path).write_text(run_text("r0", seed="later") + "\n")
        return found

    monkeypatch.setattr(assay.scoring.evaluate.Gold, "score", changing)
    with pytest.raises(InputError, match=r"r0\.run: changed while it was read"):
        assay.evaluate("qrels", ["runs/r0.run"], MEASURES, store="S")
    assert partitions() == []


def test_files_among_the_settings_count_by_their_content():
    Path("gold.jsonl").write_text('{"id": "1", "answers": ["Paris"]}\n{"id": "2", "answers": ["Oslo"]}\n')
    Path("a.jsonl").write_text('{"id": "1", "answer": "I cannot say"}\n{"id": "2", "answer": "Oslo"}\n')
    Path("patterns").write_text("I cannot\n")

    def done():
        store = Store("S")
        choices = {"refusal": "patterns", "task": "outcomes"}
        found = assay.evaluate("gold.jsonl", "a.jsonl", ["c@1", "accuracy"], store=store, **choices)
        assert_same(found, assay.evaluate("gold.jsonl", "a.jsonl", ["c@1", "accuracy"], **choices))
        return store.scored

    assert [done(), done()] == [1, 0]
    Path("patterns").write_text("nothing\n")
    assert [done(), done()] == [1, 0]


@pytest.mark.parametrize(
    ("gold", "runs", "choices", "said"),
    [
        ("qrels", {"r": {"1": {"d1": 1.0}}}, {}, "r: expected a file"),
        ({"1": {"d1": 1}}, "runs", {}, "<gold>: expected a file"),
        ("gold.jsonl", "a.jsonl", {"task": "outcomes"}, "Fix: name measures with `measures=…`, such as correct, .*, c@1"),
        (None, "graded.csv", {"measures": ["c@1"]}, "these runs are read together with their gold; leave it out"),
        ("gold.jsonl", "a.jsonl", {"task": "outcomes", "measures": ["c@1"], "right_from": 0.5}, "a setting depends on all runs"),
        ("qrels", "set.run", {"task": "filtering"}, "shows more of its runs than numbers; leave it out"),
    ],
)  # fmt: skip
def test_what_cannot_be_scored_one_by_one_is_refused(gold, runs, choices, said):
    Path("gold.jsonl").write_text('{"id": "1", "answers": ["Paris"]}\n')
    Path("a.jsonl").write_text('{"id": "1", "answer": "Paris"}\n')
    Path("graded.csv").write_text("id,run,outcome\n1,a,correct\n")
    Path("set.run").write_text("1 d1\n")
    with pytest.raises(UsageError, match=said):
        assay.evaluate(gold, runs, store="S", **choices)


def test_a_measure_of_ones_own_is_refused(monkeypatch):
    monkeypatch.setattr(assay.measure("AP").declaration, "ours", False)
    with pytest.raises(UsageError, match="AP is a user-defined measure"):
        assay.evaluate("qrels", "runs", ["AP"], store="S")


def test_a_file_is_no_store():
    with pytest.raises(UsageError, match="expected a folder, found a file"):
        assay.evaluate("qrels", "runs", store="qrels")


def test_the_digest_is_that_of_the_bytes(tmp_path):
    Path("x").write_bytes(b"abc" * 1_000_000)
    assert digest_of(Source("x", path="x")) == hashlib.sha256(b"abc" * 1_000_000).hexdigest()
    with pytest.raises(InputError, match="nosuch: cannot be read"):
        digest_of(Source("nosuch", path="nosuch"))


def test_the_command_line_says_what_was_spared(capfd):
    words = ["evaluate", "qrels", "runs", "-m", "AP", "-f", "csv"]
    assert main(words) == 0
    plain, said = capfd.readouterr()
    for told in ("0 of 5 files were scored before, 5 now", "5 of 5 files were scored before, 0 now"):
        assert main([*words, "--store", "S"]) == 0
        assert capfd.readouterr() == (plain, f"assay: S: {told}\n{said}")


@pytest.mark.parametrize("option", ["--bounds", "--judged-info", "--figures"])
def test_the_command_line_refuses_what_a_store_does_not_hold(option, capfd):
    assert main(["evaluate", "qrels", "runs", "-m", "AP", "--store", "S", option]) == 2
    assert "cannot be combined with --figures" in capfd.readouterr().err
    assert not os.path.exists("S")


pytest.importorskip("pyarrow")


TOPICS = ["1", "2", "q\udcff"]
CELLS = st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(1 << 70), 1 << 70)
COLUMNS = st.dictionaries(
    st.text("ABrun_@", min_size=1, max_size=4),
    st.lists(CELLS, min_size=3, max_size=3)
    | st.tuples(CELLS, CELLS, CELLS)
    | st.binary(min_size=3, max_size=3)
    | st.lists(st.lists(st.floats(0, 1), max_size=3).map(tuple), min_size=3, max_size=3),
    max_size=4,
)


def back(*runs, topics=TOPICS):
    return from_parquet(to_parquet(runs, topics), len(topics))[0]


@given(
    COLUMNS,
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.none() | st.lists(st.integers(0, 9), min_size=3, max_size=3),
)
def test_any_run_comes_back_as_it_was(columns, missing, samples):
    if {"run", "run_"} <= set(columns):
        return
    notes = Notes(warnings=["w\udcff"], unjudged=3, kinds={"unparsed": 1})
    (found,) = back(RunScores("r\udcff", "a.run", columns, missing, notes, samples=samples))
    assert (found.name, found.file, found.missing, found.samples) == ("r\udcff", "a.run", missing, samples)
    assert vars(found.notes) == vars(notes)
    assert list(found.columns) == list(columns)
    for name, column in columns.items():
        assert type(found.columns[name]) is type(column)
        assert list(map(repr, found.columns[name])) == list(map(repr, column))


def test_a_zero_below_zero_and_a_whole_number_among_floats():
    (found,) = back(RunScores("r", None, {"AP": (-0.0, 1, 5e-324)}, [False] * 3))
    assert [type(cell) for cell in found.columns["AP"]] == [float, int, float]
    assert copysign(1, found.columns["AP"][0]) == -1


def test_several_runs_of_one_file_may_have_different_columns():
    a = RunScores("a", "x", {"AP": (0.5, None, 1.0)}, [False] * 3)
    b = RunScores("b", "x", {"RR": (1, 2, 3)}, [True, False, False], samples=[1, 0, 2])
    found = back(a, b)
    assert [dict(run.columns) for run in found] == [{"AP": (0.5, None, 1.0)}, {"RR": (1, 2, 3)}]
    assert [run.samples for run in found] == [None, [1, 0, 2]]


def test_others_read_it_too():
    import pyarrow.parquet as parquet

    data = to_parquet([RunScores("r", "a.run", {"AP": (0.5, None, 1.0)}, [False, False, True])], TOPICS)
    assert parquet.read_table(io.BytesIO(data)).to_pylist() == [
        {"run": "r", "topic": "1", "status": "scored", "AP": 0.5},
        {"run": "r", "topic": "2", "status": "scored", "AP": None},
        {"run": "r", "topic": "q\ufffd", "status": "missing", "AP": 1.0},
    ]


def test_bytes_that_are_no_partition():
    data = to_parquet([RunScores("r", None, {"AP": (0.5, None, 1.0)}, [False] * 3)], TOPICS)
    for damaged in (b"", b"PAR1", data[:-20], data[20:]):
        with pytest.raises(Damaged):
            from_parquet(damaged, 3)
    with pytest.raises(Damaged, match="3 rows, expected 4"):
        from_parquet(data, 4)


def test_what_cannot_be_kept_is_said():
    with pytest.raises(InputError, match="two columns would be called 'run_'"):
        back(RunScores("r", None, {"run": (1, 1, 1), "run_": (2, 2, 2)}, [False] * 3))
    with pytest.raises(InputError, match="r: its notes cannot be stored as JSON"):
        back(RunScores("r", None, {}, [False] * 3, Notes(kinds={1: 2})))


def test_without_pyarrow(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(UsageError, match=r"pip install 'assay-eval\[frames\]'"):
        to_parquet([], [])
