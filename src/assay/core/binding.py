"""Load the compiled core: its error codes, structs and functions in ctypes.

This module repeats `assay.h`. The library describes its own layout (`layout.c`); `differs` compares the two, so that a
library built from other sources is refused.
"""

from __future__ import annotations

import ctypes
import os
import sys

from assay.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "_core.pyd" if sys.platform == "win32" else "_core.abi3.so"
"""The library's file. Built with `Python.h` it is an extension module too, which reads dicts."""
FIELDS, SCORE, GRADE, DUPLICATE, BINARY, INTERLEAVED, MEMORY, FOREIGN = range(1, 9)
"""Error codes of qrels and run files. `formats/ranked/trec.py` has their messages."""
TEXT = 199
"""Bytes of a faulty word that an error keeps."""


class Problem(Exception):
    """A fault in the input, without the name of the file, which the core does not know."""

    def __init__(
        self, code: int, line: int = 0, *, other: int = 0, fields: int = 0, text: bytes = b"", topic: bytes = b""
    ) -> None:
        super().__init__(code, line)
        self.code = code
        self.line = line
        self.other = other
        self.fields = fields
        self.text: str = text[:TEXT].decode("utf-8", "replace")
        self.topic: str = topic[:TEXT].decode("utf-8", "replace")


_KINDS: dict[str, tuple[str, Any]] = {
    "int32": ("signed", ctypes.c_int32),
    "int64": ("signed", ctypes.c_int64),
    "uint32": ("unsigned", ctypes.c_uint32),
    "uint64": ("unsigned", ctypes.c_uint64),
    "double": ("real", ctypes.c_double),
    "text": ("array", ctypes.c_char * (TEXT + 1)),
    "address": ("pointer", ctypes.c_void_p),
    "int32s": ("pointer", ctypes.POINTER(ctypes.c_int32)),
    "int64s": ("pointer", ctypes.POINTER(ctypes.c_int64)),
    "uint64s": ("pointer", ctypes.POINTER(ctypes.c_uint64)),
}
"""The types of fields: the name in the library's description, and the ctypes type."""
_TYPES: dict[str, Any] = {
    "void": None,
    "int": ctypes.c_int,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "char *": ctypes.c_char_p,
}
LAYOUT: list[str] = []
"""The structs, as a library built from the same sources describes them."""


def _struct(name: str, text: str) -> type[ctypes.Structure]:
    """Define a struct from `type name, type name, …`; a struct defined earlier may be a type, as a pointer."""
    fields: list[tuple[str, Any]] = []
    words: list[str] = []
    for kind, field in map(str.split, text.split(", ")):
        word, of = _KINDS[kind]
        fields.append((field, of))
        words.append(word)
    struct = type(name, (ctypes.Structure,), {"_fields_": fields})
    LAYOUT.append(f"{name} struct 0 {ctypes.sizeof(struct)}")
    for (field, _), word in zip(fields, words, strict=True):
        place = getattr(struct, field)
        LAYOUT.append(f"{name}.{field} {word} {place.offset} {place.size}")
    _TYPES[f"{name} *"] = ctypes.POINTER(struct)
    _KINDS[name] = ("pointer", ctypes.POINTER(struct))
    return struct


Error = _struct("assay_error", "int32 code, int32 fields, int64 line, int64 other, text text, text topic")
_struct("assay_judged", "address id, uint32 length, int32 grade, uint32 line, uint32 topic")
_struct("assay_topic", "address id, uint64 hash, uint32 length, uint32 buckets, int64 first, int64 count, int64 start")
GoldPointer = ctypes.POINTER(
    _struct(
        "assay_gold",
        "int64 topics, int64 documents, int64 largest, assay_topic topic, assay_judged document, address known, "
        "address marks, address starts, address index, int64s grades, address names, int64 named, address topic_slots, "
        "uint32 topic_mask, uint32 one_allocation, address kept",
    )
)
Ranked = _struct(
    "assay_ranked",
    "int64s num_ret, int64s relevant_start, int64s relevant_count, int64s pooled_start, int64s pooled_count, "
    "int32s relevant_rank, int32s relevant_grade, int32s nonrelevant_above, int32s pooled_rank, int32s pooled_document, "
    "int32s pooled_grade, address tag, address other, assay_error error, uint64s ignored_topics, "
    "int64 tag_length, int64 other_length, int64 data_lines, int64 ignored",
)
Plan = _struct(
    "assay_plan",
    "address kernel, address cut, address logs, int64 kernels, int64 level, double undefined",
)
Answers = _struct(
    "assay_answers",
    "address order, address stated, address answered, address positive, address enters, address bin, address hit, "
    "address confidence, int64 runs, int64 topics, int64 bins",
)
KERNELS = ("AP", "nDCG", "P", "R", "RelP", "Success", "Rprec", "RR", "Bpref", "IPrec")
"""Measures of a topic that the core computes, in the order of their numbers."""
WHOLES = ("CWS", "AUROC", "ECE")
"""Measures of a whole run that the core computes on resamples, likewise."""
LAYOUT.extend((f"kernels {' '.join(KERNELS)}", f"wholes {' '.join(WHOLES)}"))

_SUMS = (
    "(const int64_t *values, int64_t rows, int64_t columns, uint64_t key, int64_t first, int64_t trials, int64_t *out)"
)
FUNCTIONS = (
    "int64_t assay_describe(char *text, int64_t room)",
    "assay_gold * assay_gold_read(const char *bytes, size_t size, assay_error *error)",
    "assay_gold * assay_gold_pack(const char *topics, const char *documents, int64_t count, const int64_t *counts, "
    "const int64_t *grades, assay_error *error)",
    "assay_gold * assay_gold_stream(struct ArrowArrayStream *stream, assay_error *error)",
    "void assay_gold_free(assay_gold *gold)",
    "assay_ranker * assay_ranker_new(const assay_gold *gold, int64_t depth, int float32, int judged_only, int keep, "
    "int any_fields, int ascending_ties, int relevant_only)",
    "int assay_ranker_feed(assay_ranker *ranker, const char *bytes, size_t size)",
    "int assay_ranker_read(assay_ranker *ranker, int64_t file, int64_t size, int64_t piece, int64_t longest)",
    "int assay_ranker_pack(assay_ranker *ranker, const char *topic, size_t length, const char *documents, "
    "int64_t count, const double *scores)",
    "int assay_ranker_stream(assay_ranker *ranker, struct ArrowArrayStream *stream)",
    "int assay_ranker_finish(assay_ranker *ranker)",
    "void assay_ranker_result(const assay_ranker *ranker, assay_ranked *result)",
    "int assay_ranker_measure(const assay_ranker *ranker, const assay_plan *plan, int every, double *values)",
    "void assay_ranker_free(assay_ranker *ranker)",
    "int64_t assay_top_documents(const char *bytes, size_t size, int last, int64_t depth, char *out, double *scores, int64_t *used)",
    "int assay_shuffled_sums" + _SUMS,
    "int assay_bootstrap_sums" + _SUMS,
    "int assay_half_sums" + _SUMS,
    "int assay_bootstrap_rows(int64_t rows, uint64_t key, int64_t trial, uint32_t *out)",
    "int assay_drawn(const int64_t *table, int32_t columns, uint64_t key, uint64_t first, int32_t trials, int32_t topics, "
    "const int32_t *marks, int32_t count, int64_t *sums)",
    "void assay_flipped(const double *sums, int64_t flips, const int64_t *a, const int64_t *b, const double *scales, "
    "const double *bounds, int64_t pairs, int64_t *reached, double *largest)",
    "int assay_whole(const assay_answers *all, int64_t which, const int32_t *drawn, const int64_t *ends, int64_t trials, "
    "double *out)",
    "int assay_overlaps(const int32_t *documents, const int64_t *starts, int64_t runs, int64_t count, const double *terms, "
    "int64_t *counts, double *sums)",
    "void assay_pairs_int32(const int32_t *values, int32_t runs, int32_t trials, int64_t *outcomes)",
    "void assay_pairs_int64(const int64_t *values, int32_t runs, int32_t trials, int64_t *outcomes)",
    "void assay_pairs_ratio(const int64_t *top, const int64_t *bottom, int32_t runs, int32_t trials, int32_t sets, "
    "int64_t *outcomes, int64_t *edges)",
    "void assay_swaps(const int64_t *values, int32_t runs, int32_t trials, int64_t unit, int64_t *edges)",
)
"""The functions as the header declares them, in its order; their ctypes follow from the text."""


def differs(library: ctypes.CDLL) -> str:
    """Describe the first difference between a library and this module; empty where there is none."""
    if not hasattr(library, "assay_describe"):
        return "it does not describe itself"
    text = ctypes.create_string_buffer(1 << 14)
    library.assay_describe(text, ctypes.c_int64(len(text)))
    actual, expected = text.value.decode(), "\n".join([*LAYOUT, *FUNCTIONS, ""])
    if actual == expected:
        return ""
    pairs = zip([*actual.splitlines(), "nothing more"], [*expected.splitlines(), "nothing more"], strict=False)
    here, there = next(pair for pair in pairs if pair[0] != pair[1])
    return f"it has `{here}` where `{there}` is expected"


class Core(ctypes.CDLL):
    """The library; the ctypes signature of a function is set at its first use."""

    def __getitem__(self, name: str) -> Any:
        function = super().__getitem__(name)
        head, parameters = _DECLARED[name]
        function.restype = _type(head.rpartition(" ")[0])
        function.argtypes = [_parameter(name, declared) for declared in parameters.split(", ")]
        return function


_DECLARED: dict[str, tuple[str, str]] = {}
"""By name, the type and name of each function, and its parameters."""
for _declaration in FUNCTIONS:
    _head, _, _parameters = _declaration.removesuffix(")").partition("(")
    _DECLARED[_head.rpartition(" ")[2]] = (_head, _parameters)


class _Whole:
    """An integer parameter: raises OverflowError where ctypes would cut off the upper bits."""

    def __init__(self, kind: str, where: str) -> None:
        self._of, self._where = _TYPES[kind], where
        bits = 8 * ctypes.sizeof(self._of)
        unsigned = kind in ("uint64_t", "size_t")
        self._low, self._high = (0, (1 << bits) - 1) if unsigned else (-(1 << bits - 1), (1 << bits - 1) - 1)

    def from_param(self, value: Any) -> Any:
        if isinstance(value, self._of):
            return value
        if not self._low <= value <= self._high:
            raise OverflowError(f"{self._where}={value} is not from {self._low} to {self._high}")
        return self._of(value)


def _parameter(function: str, declared: str) -> Any:
    """Return the ctypes type of a declared parameter."""
    kind, _, name = declared.removeprefix("const ").rpartition(" ")
    return _type(declared) if "*" in declared else _Whole(kind, f"{function}: {name}")


def _type(declared: str) -> Any:
    """Return the ctypes type of a declaration, with its name or without."""
    kind, pointer, _ = declared.removeprefix("const ").partition("*")
    return _TYPES.get(kind + pointer, ctypes.c_void_p) if pointer else _TYPES[kind.split()[0]]


def load(folder: str) -> tuple[ctypes.CDLL | None, str]:
    """Return the core of a folder, or None and the reason."""
    if os.environ.get("ASSAY_NATIVE") == "0":
        return None, "ASSAY_NATIVE=0"
    path = os.path.join(folder, NAME)
    try:
        library = Core(path)
    except OSError:
        reason = "no native core"
    else:
        difference = differs(library)
        if not difference:
            return library, ""
        reason = f"the native core was built from other sources: {difference}"
    if os.environ.get("ASSAY_REQUIRE_NATIVE") == "1":
        raise InputError(f"ASSAY_REQUIRE_NATIVE=1, but {path}: {reason}; install a C compiler and reinstall")
    return None, reason


LIBRARY, REASON = load(os.path.dirname(os.path.abspath(__file__)))
"""The loaded core, or None and the reason why the Python reference is used (`ASSAY_NATIVE=0` forces it)."""


def active() -> str:
    """Return the name of the core in use, as `assay --version` prints it."""
    return "native core" if LIBRARY is not None else f"Python twin ({REASON})"
