# SPDX-License-Identifier: Apache-2.0
"""pip install --no-build-isolation . builds the handlers for the JAX that is installed: with CUDA where there are nvcc and a GPU, or where
NVCC_ARCH names an architecture, as sm_90.
"""
import os
import shutil
import subprocess
from pathlib import Path

import jax.ffi
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

here = Path(__file__).resolve().parent
include = os.environ.get("COGRAPH_INCLUDE", str(here.parent.parent / "include"))


class Build(build_ext):
    def build_extension(self, ext):
        to = Path(self.get_ext_fullpath(ext.name)).resolve()
        to.parent.mkdir(parents=True, exist_ok=True)
        flags = ["-std=c++20", "-O3", "-shared", "-I", include, "-I", jax.ffi.include_dir(), "-o", str(to)]
        nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
        has_gpu = shutil.which("nvidia-smi") and subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode == 0
        arch = os.environ.get("NVCC_ARCH", "native" if has_gpu else "")
        if nvcc and arch:
            command = [nvcc, "-Xcompiler=-fPIC", f"-arch={arch}", *flags, str(here / "handler.cu"), str(here.parent / "pytorch" / "cg.cu")]
        else:
            command = ["g++", "-fPIC", "-x", "c++", str(here / "handler.cu"), *flags]
        subprocess.run(command, check=True)


setup(name="cograph_cg_jax", version="0.1.0", package_dir={"": "src"}, packages=["cograph_cg_jax"], ext_modules=[Extension("cograph_cg_jax._handler", [])], cmdclass={"build_ext": Build})
