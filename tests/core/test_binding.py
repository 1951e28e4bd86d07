"""A library is used when it is laid out as `library.py` says, and refused, with the reason, when it is not."""

from __future__ import annotations

import subprocess

import pytest

from assay.core import binding
from assay.errors import InputError

pytestmark = pytest.mark.slow

CHANGES = {
    "a field moved": (
        {"assay.h": ("    int64_t tag_length;\n    int64_t other_length;\n", "    int64_t other_length;\n    int64_t tag_length;\n")},
        "assay_ranked.tag_length signed 128 8` where `assay_ranked.tag_length signed 120 8",
    ),
    "a field of another type": (
        {"assay.h": ("    int64_t data_lines;", "    uint64_t data_lines;")},
        "assay_ranked.data_lines unsigned",
    ),
    "a field of another size": (
        {"assay.h": ("ASSAY_TEXT = 200", "ASSAY_TEXT = 100")},
        "assay_error struct 0 224` where `assay_error struct 0 424",
    ),
    "a field more": (
        {"assay.h": ("typedef struct {\n    int64_t topics;", "typedef struct {\n    int64_t fresh;\n    int64_t topics;")},
        "assay_gold struct",
    ),
    "another order of parameters": (
        {"assay.h": ("int float32, int judged_only, int keep", "int judged_only, int float32, int keep")},
        "int judged_only, int float32, int keep",
    ),
    "another type of parameter": (
        {"assay.h": ("assay_bootstrap_rows, (int64_t rows", "assay_bootstrap_rows, (int32_t rows"),
         "permute.c": ("assay_bootstrap_rows(int64_t rows", "assay_bootstrap_rows(int32_t rows")},
        "int assay_bootstrap_rows(int32_t rows",
    ),
    "a function less": (
        {"assay.h": ("ASSAY_FUNCTION(void, assay_swaps", "#define IGNORE(...)\nIGNORE(void, assay_swaps")},
        "it has `nothing more` where `void assay_swaps(",
    ),
    "a function that returns something else": (
        {"assay.h": ("ASSAY_FUNCTION(void, assay_ranker_free", "ASSAY_FUNCTION(int, assay_ranker_free"),
         "ranker.c": ("void assay_ranker_free", "int assay_ranker_free")},
        "int assay_ranker_free",
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_choice(monkeypatch):
    monkeypatch.delenv("ASSAY_NATIVE", raising=False)
    monkeypatch.delenv("ASSAY_REQUIRE_NATIVE", raising=False)


def test_a_library_of_these_sources_is_used(build_library) -> None:
    loaded, reason = binding.load(build_library({}))
    assert loaded is not None
    assert reason == ""
    assert binding.differs(loaded) == ""


@pytest.mark.parametrize("change", CHANGES)
def test_a_library_of_other_sources_is_refused(build_library, monkeypatch, change) -> None:
    edits, words = CHANGES[change]
    folder = build_library(edits)
    loaded, reason = binding.load(folder)
    assert loaded is None
    assert words in reason
    monkeypatch.setenv("ASSAY_REQUIRE_NATIVE", "1")
    with pytest.raises(InputError, match="built from other sources"):
        binding.load(folder)


def test_a_library_that_does_not_describe_itself_is_refused(compiler, tmp_path) -> None:
    """As those did that only carried a number."""
    (tmp_path / "old.c").write_text("int assay_abi(void) { return 1; }\n")
    command = [*compiler, "-shared", "-fPIC", "-o", str(tmp_path / binding.NAME), str(tmp_path / "old.c")]
    subprocess.run(command, check=True)
    assert binding.load(str(tmp_path)) == (
        None,
        "the native core was built from other sources: it does not describe itself",
    )


def test_no_library(tmp_path, monkeypatch) -> None:
    assert binding.load(str(tmp_path)) == (None, "no native core")
    (tmp_path / binding.NAME).write_text("not a library")
    assert binding.load(str(tmp_path)) == (None, "no native core")
    monkeypatch.setenv("ASSAY_REQUIRE_NATIVE", "1")
    with pytest.raises(InputError, match=r"no native core; install a C compiler and reinstall"):
        binding.load(str(tmp_path))


def test_the_twin_can_be_asked_for(build_library, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_NATIVE", "0")
    assert binding.load(build_library({})) == (None, "ASSAY_NATIVE=0")


def test_the_reason_is_told(monkeypatch) -> None:
    monkeypatch.setattr(binding, "LIBRARY", None)
    monkeypatch.setattr(binding, "REASON", "no native core")
    assert binding.active() == "Python twin (no native core)"


def test_every_function_knows_its_types(build_library) -> None:
    """An argument of another type than the header's is refused by ctypes, not passed on."""
    loaded, _ = binding.load(build_library({}))
    assert loaded is not None
    for declaration in binding.FUNCTIONS:
        name = declaration.partition("(")[0].rpartition(" ")[2]
        function = getattr(loaded, name)
        assert len(function.argtypes) == declaration.count(",") + 1
        assert (function.restype is None) == declaration.startswith("void ")
    with pytest.raises(Exception, match="argument 1"):
        loaded.assay_gold_read("text, not bytes", 1, binding.Error())


def test_a_type_nobody_declared_is_an_error() -> None:
    with pytest.raises(KeyError):
        binding._type("long double")


@pytest.mark.native_only
def test_no_number_loses_its_upper_bits() -> None:
    """Every number of every function: the largest and smallest that fit pass, the next ones do not."""
    sizes = {"int": 32, "int32_t": 32, "int64_t": 64, "uint64_t": 64, "size_t": 64}
    seen = 0
    for declaration in binding.FUNCTIONS:
        head, _, parameters = declaration.removesuffix(")").partition("(")
        name = head.split()[-1]
        for place, declared in enumerate(parameters.split(", ")):
            if "*" in declared:
                continue
            kind, parameter = declared.split()
            bits, signed = sizes[kind], kind not in ("uint64_t", "size_t")
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            convert = getattr(binding.LIBRARY, name).argtypes[place].from_param
            assert (convert(low).value, convert(high).value) == (low, high)
            for beyond in (low - 1, high + 1, (1 << 64) + 1):
                with pytest.raises(OverflowError, match=f"{name}: {parameter}={beyond} is not from {low} to {high}"):
                    convert(beyond)
            seen += 1
    assert seen > 50


@pytest.mark.native_only
def test_a_number_of_numpy_is_checked_at_once() -> None:
    import numpy as np

    convert = binding.LIBRARY.assay_bootstrap_rows.argtypes[0].from_param  # type: ignore[union-attr]
    assert convert(np.int64(1 << 40)).value == 1 << 40
