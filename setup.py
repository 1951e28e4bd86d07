"""Build the optional C core with whatever C compiler there is; without one the package installs as pure Python."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
FLAGS = [
    "-O3",
    "-std=c11",
    "-fPIC",
    "-shared",
    "-pthread",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fvisibility=hidden",
]


class BuildCore(build_ext):
    """Call the compiler directly: the core has no Python.h, so one library serves every Python version."""

    def get_ext_filename(self, fullname):
        return str(Path(*fullname.split("."))) + SUFFIX

    def build_extension(self, ext):
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        # A library left by an earlier build must never be installed in place of one that failed to build.
        target.unlink(missing_ok=True)
        compiler = shlex.split(os.environ.get("CC", "cc"))
        command = [*compiler, *FLAGS, "-o", str(target), *ext.sources, "-lm"]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            if os.environ.get("ASSAY_REQUIRE_NATIVE") == "1":
                raise SystemExit(f"assay: the C core did not build: {problem}") from problem
            print(f"assay: the C core did not build ({problem}); installing the pure-Python twin", file=sys.stderr)

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
    """Tag the wheel for any Python 3 on this platform when it carries the core, for any platform when it does not."""

    def get_tag(self):
        built = list(Path(self.bdist_dir or ".").glob("assay/core/_core.*"))
        if not built:
            return "py3", "none", "any"
        _, _, platform = super().get_tag()
        return "py3", "none", platform


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
