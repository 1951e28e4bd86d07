"""Every declared reader: recognised by its head, documented, and no bytes bring anything but assay's own errors."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import evalplus, every_eval_ever, helm, simple_evals
from reader_examples import EXAMPLES, IN_PARQUET, options_of, read, source
from reader_examples import READERS as ALL

import assay
from assay.errors import AssayError, FormatError, InputError
from assay.formats.answers.jsonl_answers import read_answers
from assay.formats.answers.pan import read_values
from assay.formats.answers.questions import read_judgments, read_questions
from assay.formats.answers.squad import read_articles, read_na_probabilities
from assay.formats.harness.logs import find_logs
from assay.formats.recognition import companion_advice, recognise, task_of
from assay.formats.score_tables import Matrix
from assay.io.heads import head_of_bytes
from assay.io.sources import Source


def parquet(name: str) -> bytes:
    import io

    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pyarrow.Table.from_pylist(IN_PARQUET[name]), out)
    return out.getvalue()


ROLES = ("gold", "run", "log", "scores", "beside")
IN_PYTHON = {"question dict": {"q1": "Paris"}, "answer dict": {"q1": ("Paris", 0.9)}}

OF_FILES = [name for name in ALL if name not in IN_PYTHON]
OF_OBJECTS = ("qrels", "trec-run", "sets", "subtopics", "intent-weights", "assessments", "search-hits")
"""Those that read dicts, and say themselves what a dict of something else lacks."""
RECOGNISED = [name for name in OF_FILES if ALL[name].recognises is not None]


def content_of(name: str) -> bytes:
    return parquet(name) if name in IN_PARQUET else EXAMPLES[name].encode()


def survives(name: str, content: bytes) -> None:
    with suppress(AssayError):
        recognise(source(content), *ROLES)
        read(name, content)


def test_no_reader_is_left_out() -> None:
    for name in {*ALL} - {*IN_PYTHON}:
        assert name in {*EXAMPLES, *IN_PARQUET}, f"tests/formats/examples has no file for the reader {name!r}"


def test_its_example_is_read_and_recognised(subtests) -> None:
    for name in OF_FILES:
        with subtests.test(name):
            assert read(name, content_of(name))
            assert name not in RECOGNISED or recognise(source(content_of(name)), ALL[name].role) is ALL[name]


@pytest.mark.parametrize("name", list(IN_PYTHON))
def test_python_objects_are_recognised(name) -> None:
    held = Source("data", data=IN_PYTHON[name])
    assert recognise(held, ALL[name].role) is ALL[name]
    assert ALL[name].read(held)


def test_every_declaration_is_complete() -> None:
    for reader in ALL.values():
        assert reader.role in ROLES
        assert reader.yields
        assert bool(reader.recognises) == bool(reader.shapes), reader.name
        assert reader.recognises is None or reader.recognises.__doc__, reader.name


def test_no_reader_has_the_files_of_another(subtests) -> None:
    """A head that two readers of a role recognise would be read by whichever is tried first, unless one says `after`."""
    for name in RECOGNISED:
        head = source(content_of(name)).head
        rivals = [r for r in ALL.values() if r.role == ALL[name].role and r.name != name and r.recognises]
        for rival in rivals:
            if head.shape in rival.shapes.split() and rival.recognises(head):
                with subtests.test(name):
                    assert list(ALL).index(name) < list(ALL).index(rival.name), rival.name


def test_a_file_is_recognised_once(monkeypatch) -> None:
    calls = []
    reader = ALL["qrels"]
    monkeypatch.setattr(reader, "recognises", lambda head: calls.append(head) or True)
    file = source(b"301 0 d1 1\n")
    assert recognise(file, "gold") is recognise(file, "gold") is reader
    assert len(calls) == 1


@pytest.mark.parametrize("held", [{"q1": 1}, object()], ids=["dict", "object"])
def test_a_python_object_where_a_file_is_read(held, subtests) -> None:
    for name in OF_FILES:
        with subtests.test(name):
            if name not in OF_OBJECTS:
                with pytest.raises(InputError, match=r"^data: expected .*found (dict|object)"):
                    ALL[name].read(Source("data", data=held), **options_of(name))


@pytest.mark.parametrize(
    ("content", "gold", "run"),
    [
        (b'{"id": "q1", "answers": ["x"]}\n', "questions", "answers"),
        (b'{"id": "q1", "nil": true}\n', "questions", "answers"),
        (b'{"id": "q1", "answer": "x", "label": "easy"}\n', "questions", "answers"),
        (b'\xef\xbb\xbf{"id": "q1", "outcome": "correct"}', "questions", "answers"),
        (b'{"id": "q1", "text": "x", "judgment": "correct"}', "judgments", None),
        (b'{"id": "1", "nuggets": []}', "nuggets", "answers"),
        (b'{"id": "p", "same": true, "authors": []}', "pan-truth", "answers"),
        (b'{"id": "p", "label": 1}', "pan-truth", "answers"),
        (b'{"id": "p", "value": 0.5}', "questions", "pan-answers"),
        (b"EN001 Y\nEN002 N\n", "pan-truth", "pan-answers"),
        (b"EN001\tY\nEN002\tN\n", "pan-truth", "pan-answers"),
        (b"EN001 0.73\n", None, "pan-answers"),
        (b'{"version": "v2.0", "data": [{"title": "T", "paragraphs": [', "squad", None),
        (b'{"data": [{"paragraphs": []}]}', "squad", None),
        (b'{\n "version": "v2.0",\n "data": [{"paragraphs": [{"qas": [{"id": "a"', "squad", "answers"),
        (b'{\n "56ddde": "France",\n "56dddf": ""\n}', None, "squad-predictions"),
        (b"id,gold,model\n1,A,A\n", "table", "table run"),
        (b"run\tid\toutcome\n", "table", "table run"),
        (b"301 0 FBIS3-1 1\n", "qrels", None),
        (b"301\t0\tFBIS3-1\t1\n", "qrels", None),
        (b"# made by hand, with care\n301 0 FBIS3-1 1\n", "qrels", None),
        (b"#made by hand\n\n301 g s FBIS3-1 1\n", "preferences", None),
        (b"301 0 FBIS3-1 1 x\n", None, None),
        (b"q1 Q0 d1 1 2.5 tag\n", None, "trec-run"),
        (b'{"301": {"FBIS3-1": 1}}', "qrels", "trec-run"),
        (b'{\n "301": {\n  "FBIS3-1": 1', "qrels", "trec-run"),
        (b"", None, None),
        (b"\x7fELF", None, None),
        (b'{"id": "q1", "answers": [', "questions", "answers"),
    ],
)
def test_what_a_file_is_depends_on_what_it_is_read_as(content, gold, run) -> None:
    def name(role: str) -> str | None:
        reader = recognise(source(content), role)
        return None if reader is None else reader.name

    assert (name("gold"), name("run")) == (gold, run)


@pytest.mark.parametrize(
    ("thing", "task"),
    [
        (b"301 0 d1 1\n", "ranked"),
        (b"301 0 d1\n", "ranked"),
        (b"t ann s d1 2\n", "preferences"),
        (b'{"id": "q1", "text": "Paris", "judgment": "correct"}', "qa"),
        (b'{"id": "1", "nuggets": [{"id": "a"}]}', "nuggets"),
        (b'{"id": "p1", "value": 0.5}', "outcomes"),
        (b'{"q1": "Paris"}', "outcomes"),
        (b"id,gold,m1\n", "outcomes"),
        ({"q1": {"d1": 1}}, "ranked"),
        ({"q1": "Paris"}, "outcomes"),
        ({}, "outcomes"),
        (object(), "ranked"),
    ],
)
def test_the_task_follows_from_the_gold(thing, task) -> None:
    assert task_of(Source("gold", data=thing)) == task


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_task_follows_from_the_columns_of_a_frame(library) -> None:
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    judged = {"query_id": ["1"], "doc_id": ["d"], "relevance": [1]}
    assert task_of(Source("gold", data=make(judged))) == "ranked"
    assert task_of(Source("gold", data=make({"id": ["1"], "gold": ["A"], "m1": ["B"]}))) == "outcomes"
    answers = Source("run", data=make({"id": ["1"], "answer": ["A"], "doc": ["d"], "score": [1.0]}))
    assert recognise(answers, "run").name == "table run"


# Nothing but assay's own errors escapes, whatever the bytes


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"\n \r\n\t\n",
        lambda content: b"\xef\xbb\xbf",
        lambda content: content[: len(content) // 2],
        lambda content: content[: len(content) - 3],
        lambda content: content.replace(b"1", b"\0", 1),
        lambda content: b"\0" + content,
        lambda content: content.replace(b"1", b"\xff", 1),
        lambda content: content.decode("latin-1").encode("utf-16"),
        lambda content: content * 2,
        lambda content: content.replace(b"1", b"9" * 5000, 1),
        lambda content: content.replace(b"0.5", b"1e999", 1),
        lambda content: content.replace(b"0.5", b"1" + b"0" * 400, 1),
        lambda content: content.replace(b'"', b"", 1),
        lambda content: content.replace(b":", b": " + b"[" * 100_000, 1),
    ],
)
def test_damage_is_survived(damage, subtests) -> None:
    for name in OF_FILES:
        with subtests.test(name):
            survives(name, damage(content_of(name)))


def test_an_empty_file_is_an_error_that_names_it(subtests) -> None:
    for name in OF_FILES:
        with subtests.test(name), pytest.raises(InputError, match=r"^file\b"):
            read(name, b"")


def test_a_byte_order_mark_and_windows_lines_change_nothing(subtests) -> None:
    for name in OF_FILES:
        if name not in IN_PARQUET:
            with subtests.test(name):
                plain = content_of(name)
                marked = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")
                assert repr(_contents(read(name, plain))) == repr(_contents(read(name, marked)))


def _contents(value: object) -> object:
    """Everything an object holds, for comparing two readings."""
    if isinstance(value, list | tuple):
        return [_contents(item) for item in value]
    if isinstance(value, dict):
        return {key: _contents(item) for key, item in value.items()}
    if hasattr(value, "documents"):
        return [value.documents(t) for t in range(len(value.topics))]
    if hasattr(value, "num_ret"):
        return [list(value.num_ret), value.tag]
    if isinstance(value, Matrix):
        return _contents(vars(value))
    slots = [slot for slot in getattr(type(value), "__slots__", ()) if hasattr(value, slot)]
    return (
        {slot: _contents(getattr(value, slot)) for slot in slots if slot not in ("of", "texts_of")}
        if slots
        else str(value)
    )


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = (
    "id answer answers confidence outcome final candidate nil patterns type same label value text doc judgment class data "
    "cluster target nuggets length runs run topics"
)
records = st.dictionaries(st.sampled_from(FIELDS.split()), values, max_size=6)
PUNCTUATION = "{}[]:,(*\\#= \n\t\ufeff"
WORDS = (
    '1 -1 1e999 true null "id" "answers" "text" "nuggets" "rank" "final" "a" Q0 R1 d1 2001-01-01 9999-12-31T23 gold outcome '
    "run topic"
)
PIECES = st.sampled_from(PUNCTUATION) | st.sampled_from(WORDS.split())


@given(
    st.sampled_from(OF_FILES), st.binary(max_size=80) | st.lists(PIECES, max_size=14).map(lambda p: "".join(p).encode())
)
def test_any_bytes(name, content) -> None:
    survives(name, content)


@given(st.sampled_from(OF_FILES), st.integers(0, 2000), st.binary(max_size=4), st.integers(0, 3))
def test_damaged_files(name, place, patch, cut) -> None:
    content = content_of(name)
    place %= len(content)
    survives(name, content[:place] + patch + content[place + cut :])


@given(st.sampled_from(OF_FILES), st.lists(records, max_size=4))
def test_any_json(name, found) -> None:
    text = "\n".join(json.dumps(record) for record in found)
    survives(name, text.encode("utf-8", "surrogatepass"))


@settings(max_examples=80)
@given(
    st.sampled_from(["table", "table run", "matrix"]),
    st.lists(st.lists(st.sampled_from(["id", "run", "gold", "outcome", "q1", "1", "0.5", "", "A", '"', "\n"]))),
)
def test_any_table(name, cells) -> None:
    survives(name, "\n".join(",".join(row) for row in cells).encode())


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (read_answers, b'{"id": ' + DEEP),
        (read_questions, DEEP),
        (read_articles, b'{"x": ' + DEEP),
        (read_answers, ('"' + "\N{LATIN SMALL LETTER E WITH ACUTE}" * 30 + '"').encode()),
        (read_values, b'{"id": "p1", "value": 1' + b"0" * 400 + b"}"),
        (read_na_probabilities, b'{"s1": 1' + b"0" * 400 + b"}"),
        (read_na_probabilities, b'{"s1": true}'),
    ],
)
def test_numbers_and_nesting_out_of_all_proportion(read, content) -> None:
    with pytest.raises(FormatError, match=r"^file:1: "):
        read(source(content))


@pytest.mark.parametrize("read", [read_questions, read_answers, read_judgments])
@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_lines_is_an_error(read, content) -> None:
    with pytest.raises(InputError, match=r"file: holds no"):
        read(source(content))


@pytest.mark.parametrize("task", ["qa", "list", "context", "nuggets"])
def test_tasks_that_read_files_refuse_python_objects(task) -> None:
    gold = EXAMPLES["nuggets" if task == "nuggets" else "questions"].replace('"q1"', '"1a"').encode()
    with pytest.raises(InputError, match="expected a path or bytes, found dict"):
        assay.evaluate({"1a": "Paris"}, b'{"id": "1a", "answer": "x"}', task=task)
    with pytest.raises(InputError, match="expected a path or bytes, found dict"):
        assay.evaluate(gold, {"run": {"1a": {"x": 1}}}, task=task)


def test_a_gold_of_answers_is_recognised() -> None:
    assert task_of(Source("g", data={"q1": "Paris"})) == "outcomes"
    assert task_of(Source("g", data={"q1": {"d1": 1}})) == "ranked"


MADE_FROM_LOGS = [
    {"doc_id": 1, "doc": {"a": 1}, "filtered_resps": ["x"]},
    {"promptIdx": 0, "testIdx": 1, "vars": {}, "provider": "x", "promptId": "y"},
    {"schema_version": "1", "evaluation_id": "e", "evaluation_name": "n", "model_id": "m", "sample_id": "s"},
    {"score": 1, "metrics": {}, "htmls": []},
    {"run_id": "r", "event_id": 1, "sample_id": "s", "type": "t", "data": {}},
    {"instruction": "i", "output_1": "a", "output_2": "b", "generator_2": "g"},
    {"instance_id": "i", "train_trial_index": 0, "stats": [{"name": {"name": "e"}}]},
]


@pytest.mark.parametrize("fields", MADE_FROM_LOGS)
@pytest.mark.parametrize("own", [{"answers": ["x"]}, {"answer": "x"}, {"outcome": "correct"}])
def test_what_was_made_from_a_log_is_no_log(fields, own):
    """Red before: gold with the fields of a log was read as one, and the run beside it refused."""
    for content in ({"id": "q1", **own, **fields}, [{"id": "q1", **own, **fields}]):
        source = Source("made", data=json.dumps(content).encode())
        assert recognise(source, "log") is None
        assert recognise(source, "run") is not None


@pytest.mark.parametrize("column", ["gold", "outcome", "answer"])
def test_a_table_with_ids_and_answers_is_no_log(column):
    text = f"id,user_input,response,{column}\n1,who,x,correct\n".encode()
    assert recognise(Source("made.csv", data=text), "log") is None
    assert recognise(Source("made.csv", data=text.replace(column.encode(), b"faithfulness")), "log") is not None


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("promptfoo", "results.csv"), "export the results as JSON"),
        (("simple_evals", "simpleqa_made-a_20261115_070000.json"), "means only; give the file …_allresults.json"),
        (("evalplus", "samples.jsonl"), "holds programs that were not run"),
        (("evalplus", "data.jsonl"), "holds problems of EvalPlus"),
        *[
            (("helm", "0.5.16", "simple_mcqa:model=simple_model1", f"{name}.json"), "per_instance_stats.json")
            for name in ("run_spec", "scenario_state", "stats", "instances", "display_predictions", "display_requests")
        ],
    ],
)  # fmt: skip
def test_real_files(shared_data, names, said) -> None:
    path = shared_data("harness_logs", *names)
    with pytest.raises(InputError, match=said) as caught:
        assay.evaluate(None, path, task="outcomes")
    assert str(caught.value).startswith(str(path))


def test_the_aggregate_of_every_eval_ever(shared_data) -> None:
    [path] = shared_data("harness_logs", "every_eval_ever").glob("*40.json")
    assert "give the …_samples.jsonl" in companion_advice(Source("x", path=str(path)).head)


def test_outputs_of_alpaca_eval() -> None:
    head = head_of_bytes(b'[{"instruction": "i", "output": "o", "generator": "g"}]')
    assert companion_advice(head) == "holds outputs without annotations; give AlpacaEval's annotations.json"


def test_in_a_folder_only_the_log_is_read(tmp_path) -> None:
    logs = sorted(str(write(tmp_path / write.__name__)) for write in (every_eval_ever, evalplus, helm, simple_evals))
    (tmp_path / "README.md").write_text("# what these are")
    found, others = find_logs([Source("logs", path=str(tmp_path))])
    assert sorted(source.name for source in found) == logs
    assert others == [str(tmp_path / "README.md")], "what goes with a log is passed over without a word"


@pytest.mark.parametrize(
    "content",
    [
        b'{"id": "q1", "task_id": "x", "solution": "y"}',
        b'{"id": "q1", "answer": "x"}',
        b"id,Status,Score\n",
        b"301 0 d1 1\n",
        b"",
        b'{"score": 0.5}',
    ],
)
def test_other_files_are_none(content) -> None:
    assert companion_advice(head_of_bytes(content)) is None


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"q1 Paris\n", "a line of 2 fields"),
        (b'{"x": 1}', "JSON with x"),
    ],
)
def test_a_person_with_answers_reads_nothing_of_documents(content, found) -> None:
    with pytest.raises(InputError) as problem:
        assay.evaluate(content, {"r": {"q1": "Paris"}})
    said = str(problem.value)
    assert said.startswith("<gold>: expected right answers (JSONL with id and answers, or a table whose header has id)")
    assert said.endswith(f"; found {found}")
    assert "iteration" not in said
    assert "grade" not in said


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"301 0 d1\n", "<gold>:1: expected 4 fields"),
        (b'{"q1": {"d1": "x"}}', "<gold>: .*d1"),
        (b"\0\0", "zero byte"),
    ],
)
def test_what_may_be_meant_as_qrels_is_refused_in_their_words(content, problem) -> None:
    with pytest.raises(InputError, match=problem):
        assay.evaluate(content, {"r": {"q1": {"d": 1.0}}})
