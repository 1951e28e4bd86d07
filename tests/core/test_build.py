"""The package builds with a C compiler and without one, and says which core it has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def build(tmp_path: Path, compiler: str, **environment: str) -> subprocess.CompletedProcess:
    copy = tmp_path / "copy"
    shutil.copytree(
        ROOT / "src" / "assay" / "core", copy / "src" / "assay" / "core", ignore=shutil.ignore_patterns("_core*")
    )
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    (copy / "src" / "assay" / "__init__.py").write_text("")
    shutil.copy(ROOT / "src" / "assay" / "_version.py", copy / "src" / "assay")
    return subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=copy,
        env={**os.environ, "CC": compiler, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def libraries(tmp_path: Path) -> list[str]:
    return sorted(p.name for p in (tmp_path / "copy").rglob("_core.*"))


pytest.importorskip("setuptools")


def test_without_a_compiler_the_python_reference_is_installed(tmp_path) -> None:
    result = build(tmp_path, "no-such-compiler", ASSAY_REQUIRE_NATIVE="0")
    assert result.returncode == 0
    assert "installing the Python reference" in result.stderr
    assert libraries(tmp_path) == []


def test_a_required_core_that_does_not_build_is_an_error(tmp_path) -> None:
    result = build(tmp_path, "no-such-compiler", ASSAY_REQUIRE_NATIVE="1")
    assert result.returncode != 0
    assert "the C core did not build" in result.stderr


def test_with_a_compiler_the_core_is_built(tmp_path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    result = build(tmp_path, "cc", ASSAY_REQUIRE_NATIVE="1")
    assert result.returncode == 0, result.stderr
    assert libraries(tmp_path)


def test_the_core_is_an_extension_module_where_python_has_headers() -> None:
    import sysconfig

    from assay.core import binding, dicts_and_frames

    if binding.LIBRARY is None or not Path(sysconfig.get_path("include"), "Python.h").exists():
        pytest.skip("no core, or no Python.h here")
    assert (not sysconfig.get_config_var("Py_GIL_DISABLED")) == dicts_and_frames.READS_DICTS


def test_without_headers_the_core_is_no_module_and_python_joins_dicts(tmp_path) -> None:
    """ctypes loads it all the same, as it does on a free-threaded Python."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    copy = tmp_path / "src"
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("_core*", "__pycache__"))
    sources = map(str, (copy / "assay" / "core").glob("*.c"))
    target = copy / "assay" / "core" / "_core.abi3.so"
    subprocess.run(["cc", "-O0", "-std=c11", "-fPIC", "-shared", "-pthread", "-o", target, *sources, "-lm"], check=True)
    code = (
        "import assay; from assay.core import active, dicts_and_frames\n"
        "print(active(), dicts_and_frames.READS_DICTS, dicts_and_frames.gold_of_dicts({'q': {'a': 1}}))\n"
        "print(assay.evaluate({'q': {'a': 1}}, {'r': {'q': {'b': 2.0, 'a': 1.0}}}, ['RR'])['RR'])"
    )
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    printed = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout == "native core False None\n{'r': 0.5}\n"


def assay(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    code = "import sys; from assay.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_version_says_which_core_is_active() -> None:
    assert "Python twin" in assay("--version", ASSAY_NATIVE="0", ASSAY_REQUIRE_NATIVE="0").stdout
    from assay.core import binding

    if binding.LIBRARY is not None:
        assert "native core" in assay("--version").stdout


def test_both_cores_print_the_same(tmp_path) -> None:
    from assay.demo.data import ranked

    for name, content in ranked(7, topics=6).items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    arguments = ["trec_eval", "-q", "-m", "all_trec", str(tmp_path / "qrels.txt"), str(tmp_path / "runs" / "bm25.run")]
    native, twin = assay(*arguments), assay(*arguments, ASSAY_NATIVE="0", ASSAY_REQUIRE_NATIVE="0")
    assert native.stdout == twin.stdout
    assert len(native.stdout.splitlines()) > 500
