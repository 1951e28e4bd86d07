"""Any bytes through any reader: nothing but assay's own errors may escape, and the core and its twin say the same.

    python tests/support/fuzz_readers.py FILE ...            the inputs of these files, as a crash or a corpus left them
    python tests/support/fuzz_readers.py -max_total_time=60 FOLDER ...
                                                             Atheris mutates what the folders hold (`make fuzz`)

An input is the name of a reader, a zero byte and the content of a file; the name `evaluate` has judgments and a run, with
a record separator between them. Any other name stands for one of these. The examples of the readers' tests are the seeds. Parquet
is read by libraries of others.
"""

from __future__ import annotations

import os
import sys
import zlib
from contextlib import nullcontext, suppress
from pathlib import Path

try:
    import atheris
except ImportError:  # only mutating needs it
    instrumented = nullcontext()
else:
    instrumented = atheris.instrument_imports(include=["assay"])

with instrumented:
    from reader_examples import EXAMPLES, read, source

    import assay
    import assay.scoring.score_files
    from assay.core import binding, reference
    from assay.errors import AssayError
    from assay.formats.recognition import recognise
    from assay.tasks import every

    every()
    if binding.LIBRARY is not None:
        from assay.core import compiled as core
TARGETS = sorted([*EXAMPLES, "evaluate"])
SEPARATOR = b"\x1e"


def parts(data: bytes) -> tuple[str, bytes]:
    """The reader an input names and what it is to read."""
    name, _, content = data.partition(b"\0")
    text = name.decode("utf-8", "replace")
    return (text if text in TARGETS else TARGETS[zlib.crc32(name) % len(TARGETS)]), content


def joined(name: str, content: bytes) -> bytes:
    return name.encode() + b"\0" + content


def seeds() -> dict[str, bytes]:
    """An input for every target."""
    examples = {name: joined(name, text.encode()) for name, text in EXAMPLES.items()}
    gold, run = EXAMPLES["qrels"].encode(), EXAMPLES["trec-run"].encode()
    answers = b'{"id": "q1", "answers": ["x"]}\n', b'{"id": "q1", "answer": "x", "confidence": 0.5}\n'
    table = EXAMPLES["table"].encode(), b"run,id,answer\nm2,1,A\n"
    pairs = {"evaluate": (gold, run), "evaluate answers": answers, "evaluate table": table}
    return {**examples, **{name: joined("evaluate", SEPARATOR.join(pair)) for name, pair in pairs.items()}}


def ranked(module, judged: bytes, returned: bytes) -> object:
    """Everything a core says of judgments and a run, or its complaint."""
    try:
        gold = module.Gold.read(judged)
        ranker = module.Ranker(gold, keep=True)
        ranker.feed(returned)
        found = ranker.finish()
    except binding.Problem as problem:
        return {name: value for name, value in vars(problem).items() if name != "args"}
    topics = range(len(gold.topics))
    told = found.num_ret, found.tag, found.lines, found.ignored
    return told, [(gold.documents(t), found.relevant(t), found.pooled(t)) for t in topics if found.num_ret[t] >= 0]


def examine(data: bytes) -> None:
    """One input; raises what must not happen."""
    name, content = parts(data)
    if name != "evaluate":
        with suppress(AssayError):
            recognise(source(content), "gold", "run", "log", "scores")
            read(name, content)
        return
    judged, _, returned = content.partition(SEPARATOR)
    with suppress(AssayError):
        str(assay.evaluate(judged, returned))
    if binding.LIBRARY is not None:
        compiled, plain = ranked(core, judged, returned), ranked(reference, judged, returned)
        if compiled != plain:
            raise AssertionError(f"the core says {compiled}, its twin {plain}")


def main(arguments: list[str]) -> None:
    if not any(argument.startswith("-") for argument in arguments):
        for path in arguments:
            examine(Path(path).read_bytes())
        print(f"{len(arguments)} inputs: no complaint")
        return
    folder = next(argument for argument in arguments if not argument.startswith("-"))
    for name, content in seeds().items():
        Path(folder, "seed-" + name.replace(" ", "-")).write_bytes(content)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    atheris.Setup([sys.argv[0], *arguments], examine)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
