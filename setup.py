"""Build the optional C core with whatever C compiler there is; without one the package installs as pure Python."""

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

FILE = "_core.pyd" if sys.platform == "win32" else "_core.abi3.so"
FLAGS = [
    "-O3",
    "-std=c11",
    "-fPIC",
    "-shared",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fvisibility=hidden",
]
LINK_PYTHON = {"darwin": ["-undefined", "dynamic_lookup"], "win32": [f"-L{Path(sys.base_prefix, 'libs')}", "-lpython3"]}


def python_flags():
    """Return the flags that make the core an abi3 module too; none where Python.h is missing or has no stable ABI."""
    include = sysconfig.get_path("include")
    has_stable_abi = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    if not has_stable_abi or not Path(include, "Python.h").exists():
        return []
    return ["-DASSAY_WITH_PYTHON", "-DPy_LIMITED_API=0x030B0000", f"-I{include}", *LINK_PYTHON.get(sys.platform, [])]


class BuildCore(build_ext):
    """Call the compiler directly: one library, which is an abi3 module where Python.h is, serves every Python version."""

    def get_ext_filename(self, fullname):
        return str(Path(*fullname.split(".")).with_name(FILE))

    def build_extension(self, ext):
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        # A library left by an earlier build must never be installed in place of one that failed to build.
        target.unlink(missing_ok=True)
        compiler = shlex.split(os.environ.get("CC", "cc"))
        module = python_flags()
        for flags in [module, []] if module else [[]]:
            try:
                subprocess.run([*compiler, *FLAGS, "-o", str(target), *ext.sources, *flags, "-lm"], check=True)
            except (OSError, subprocess.CalledProcessError) as error:
                failure = error
            else:
                if not flags:
                    print("assay: the C core was built without Python.h; Python code joins dicts", file=sys.stderr)
                return
        if os.environ.get("ASSAY_REQUIRE_NATIVE") == "1":
            raise SystemExit(f"assay: the C core did not build: {failure}") from failure
        print(f"assay: the C core did not build ({failure}); installing the Python reference", file=sys.stderr)

    def copy_extensions_to_source(self):
        # Where the compiler failed there is nothing to copy, and an editable install must still succeed.
        for ext in list(self.extensions):
            filename = self.get_ext_filename(ext.name)
            Path("src", filename).unlink(missing_ok=True)
            if not Path(self.build_lib, filename).exists():
                self.extensions.remove(ext)
        super().copy_extensions_to_source()

    def get_outputs(self):
        return [path for path in super().get_outputs() if Path(path).exists()]


class PlatformWheel(bdist_wheel):
    """Tag the wheel by what it carries: an abi3 module, a library without Python.h, or no core."""

    def get_tag(self):
        core = next(Path(self.bdist_dir or ".").glob("assay/core/_core.*"), None)
        if core is None:
            return "py3", "none", "any"
        _, _, platform = super().get_tag()
        return ("cp311", "abi3", platform) if b"PyInit__core" in core.read_bytes() else ("py3", "none", platform)


setup(
    ext_modules=[
        Extension(
            "assay.core._core",
            sources=sorted(str(path) for path in Path("src/assay/core").glob("*.c")),
            depends=sorted(str(path) for path in Path("src/assay/core").glob("*.h")),
        )
    ],
    cmdclass={"build_ext": BuildCore, "bdist_wheel": PlatformWheel},
)
