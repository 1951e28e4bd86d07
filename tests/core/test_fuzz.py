"""The fuzzer of the core tries every function, finds nothing under sanitizers, and would find what it is made to find."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from assay.core.binding import FUNCTIONS

pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parents[1] / "src" / "assay" / "core"
PARTS = [str(HERE / f"fuzz_{part}.c") for part in ("reading", "dicts", "streams", "kernels", "whole", "overlaps")]
SEEDS = sorted(str(path) for path in (HERE / "seeds").iterdir())
STUB = ["-DASSAY_WITH_PYTHON", "-DASSAY_PYTHON_STUB", f"-I{HERE / 'python_stub'}"]
TRIES = 3000


@pytest.fixture(scope="module")
def fuzzer(build_program) -> Path:
    return build_program("fuzz.c", sorted(path.name for path in NATIVE.glob("*.c")), *PARTS)


def run(*command: object) -> subprocess.CompletedProcess:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=300)


def test_every_function_of_the_header_is_tried() -> None:
    text = "".join(path.read_text() for path in HERE.glob("fuzz*.c"))
    names = [re.search(r"\w+(?=\()", declaration)[0] for declaration in FUNCTIONS]
    assert len(names) == 27
    assert [name for name in names if not re.search(rf"\b{name}\b", text)] == []


def test_random_cases_bring_no_complaint(fuzzer, tmp_path) -> None:
    result = run(fuzzer, TRIES, 1, tmp_path / "last")
    assert result.returncode == 0, result.stdout + result.stderr
    accepted = {name: int(count) for name, count in re.findall(r"(\w+): \d+ tried, (\d+) accepted", result.stdout)}
    assert len(accepted) == 12
    assert min(accepted.values()) > TRIES // 200, "too many of one kind are refused at the door"
    assert not (tmp_path / "last").exists()


def test_the_seeds_bring_none_either_and_a_missing_file_is_named(fuzzer, tmp_path) -> None:
    result = run(fuzzer, *SEEDS)
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(SEEDS)} inputs: no complaint" in result.stdout
    assert run(fuzzer, tmp_path / "none").returncode == 2


def test_no_two_threads_meet(compiler, tmp_path) -> None:
    """Readers that share a gold, kernels that share their work: under the thread sanitizer, where the compiler has it."""
    program = tmp_path / "threads"
    sources = [str(HERE / "fuzz.c"), *PARTS, *map(str, NATIVE.glob("*.c"))]
    flags = ["-std=c11", "-g", "-O1", "-fsanitize=thread", *STUB]
    if run(*compiler, *flags, "-o", program, *sources, "-lm", "-pthread").returncode != 0:
        pytest.skip("no thread sanitizer here")
    result = run(program, TRIES // 3)
    if "unexpected memory mapping" in result.stderr:
        pytest.skip("the thread sanitizer cannot run on this kernel")
    assert result.returncode == 0, result.stderr


BROKEN = {
    "a level counted twice": ("resample.c", "margin += size;", "margin += size + (j == 9);"),
    "a biased die": (
        "bounded_random.h",
        "biased |= (uint16_t)(low < thresholds[i]);",
        "biased |= (uint16_t)(low > 65535);",
    ),
    "half of one row less": ("permute.c", "if (word >> i & 1) add_row", "if (word >> i & 1 && base + i != 7) add_row"),
    "grade 0 counted above": ("ranker.h", "r->zeros += grade == 0;", "r->zeros += grade <= 0;"),
    "an id of the bytes before": ("run_lines.c", "if (!keep_open(r, p)) return r->error.code;\n", ""),
    "a level never asked for": ("kernels.c", "if (grade >= plan->level) {", "if (grade >= 1) {"),
    "the lowest grades lost": ("gold.c", "grade = high, at = 0; grade >= low;", "grade = high, at = 0; grade > low;"),
    "a tie to the lower id": ("ties.h", "order < 0 : order > 0", "order > 0 : order < 0"),
    "a number beyond 63 bits taken for a score": ("python_dicts.c", "return !overflow && whole", "return whole"),
    "one document counted twice": ("rank_counting.h", "p->rank[from]++;", "p->rank[from] += 1 + (from == 3);"),
    "a cutoff one too deep": ("kernels.c", "if (view->rank[middle] <= cut)", "if (view->rank[middle] <= cut + 1)"),
    "one wrong answer above less": (
        "whole_runs.c",
        "negatives += size - right;",
        "negatives += size - right - (size == 3);",
    ),
    "one document too few": ("top_documents.c", "i < k->count && i < depth", "i < k->count && i + 1 < depth"),
    "an order taken for granted": ("top_documents.c", "if (k->unsorted && !assay_sort_block(k)) return 0;", ""),
    "a dictionary from its beginning": ("arrow_columns.h", "at = value + c->offset;", "at = value;"),
    "a view of twelve bytes elsewhere": ("arrow_columns.h", "SHORT = 12", "SHORT = 11"),
    "a missing cell behind an offset": ("arrow_columns.c", "i < array->offset + array->length", "i < array->length"),
    "a topic as the row before": ("arrow_columns.h", "cells + at * 16 - 16", "cells + at * 16"),
    "counted grades one too high": (
        "grouped_gold.c",
        "*grades++ = level + ASSAY_LOWEST",
        "*grades++ = level + ASSAY_LOWEST + 1",
    ),
    "a document of a dict passed by": ("judged_lookup.h", "(found != 0)", "(found > 1)"),
    "a tie within a group": ("ranker.h", "d[i - 1].score > d[i].score;", "d[i - 1].score >= d[i].score;"),
    "a merge that takes the left alone": (
        "memory.h",
        "-(uintptr_t)wants_second",
        "-(uintptr_t)(wants_second && !first)",
    ),
    "a text as long as the one before": (
        "arrow_columns.h",
        "texts + before, texts + here",
        "texts + here, texts + here",
    ),
    "a grade of the object before": ("python_dicts.c", "if (value == *previous) return 1;", "if (*previous) return 1;"),
    "a stream that is kept": ("arrow_columns.c", "    stream->release(stream);\n", ""),
    "a topic of many stretches ranked in each": ("arrow_frames.c", "if (sorted) return ASSAY_OK;", "return ASSAY_OK;"),
    "half a grade": ("arrow_frames.c", "return (double)*grade == number;", "return 1;"),
    "the recall that is just reached": ("kernels.c", "view->relevant + 999) / 1000", "view->relevant) / 1000 + 1"),
    "a topic cut by the end of a chunk": ("top_documents.c", "            start = line;\n", ""),
    "sums of the mark before": ("subset_sums.c", "at < d->marks[m]; at++", "at + 1 < d->marks[m]; at++"),
    "an edge that is just reached": ("swaps.c", "100 * gap < bin * h.unit", "100 * gap <= bin * h.unit"),
    "a second difference of zero taken for a swap": ("swaps.c", "second == 0 ? 2 :", "second == 0 ? 1 :"),
    "a bound that is just reached": ("resample.c", "found += r >= bound", "found += r > bound"),
    "the first flips for all": ("resample.c", "high = largest + first;", "high = largest;"),
    "a lower score taken for granted": ("ranker.h", "if (!lower && k->count", "if (0 && k->count"),
    "a tail that is never looked at": ("line_template.c", "!begins_with(behind, &ending)", "0"),
    "another sign for the point": ("line_template.c", " || (different & last->point)", ""),
    "an id of the line that was cut": (
        "run_lines.c",
        "if (r->current && !keep_ids(r, r->current)) return r->error.code;",
        "",
    ),
    "text that is gone": ("run_lines.c", "        assay_parse_deferred_score(d);\n", ""),
    "the first of a bucket alone": ("judged_lookup.h", "left = start[1] - start[0];", "left = start[1] > start[0];"),
    "nothing above relevant ones counted": (
        "ranker.h",
        "    if (!r->relevant_only) {\n",
        "    if (r->relevant_only && grade <= 0) return;\n    {\n",
    ),
    "a rank of the word before": ("overlaps.c", "i = word + 1; i < seen->words", "i = word + 2; i < seen->words"),
    "a chunk's tag lost": ("run_lines.c", "if (!keep_tag(r)) return r->error.code;\n    if (p < end", "if (p < end"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_core_that_is_broken_is_found_out(compiler, tmp_path, name) -> None:
    file, old, new = BROKEN[name]
    for path in [*NATIVE.glob("*.c"), *NATIVE.glob("*.h")]:
        text = path.read_text()
        if path.name == file:
            assert text.count(old) >= 1, f"{old!r} no longer stands in {file}"
            text = text.replace(old, new)
        (tmp_path / path.name).write_text(text)
    for path in HERE.glob("fuzz*.[ch]"):
        (tmp_path / path.name).write_text(path.read_text().replace("../../src/assay/core/", ""))
    built = run(
        *compiler, "-std=c11", "-O0", "-w", *STUB, "-o", tmp_path / "fuzz", *tmp_path.glob("*.c"), "-lm", "-pthread"
    )
    assert built.returncode == 0, built.stderr
    result = run(tmp_path / "fuzz", 40_000, 1, tmp_path / "last")
    assert result.returncode != 0, "the fuzzer did not notice"
    again = run(tmp_path / "fuzz", tmp_path / "last")
    assert again.returncode == result.returncode, "the case that was kept does not show it again"
