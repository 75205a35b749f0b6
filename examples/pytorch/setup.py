# SPDX-License-Identifier: Apache-2.0
"""pip install --no-build-isolation . builds the operator for the PyTorch that is installed, with CUDA where that has CUDA and there is nvcc."""
import os
from pathlib import Path

from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension
import torch

here = Path(__file__).resolve().parent
include = os.environ.get("COGRAPH_INCLUDE", str(here.parent.parent / "include"))
options = {"include_dirs": [str(here), include]}
if torch.version.cuda and CUDA_HOME:
    extension = CUDAExtension("cograph_cg._C", ["binding.cpp", "cg.cu"], define_macros=[("COGRAPH_CG_CUDA", "1"), ("CG_OWNS_MEMORY", "1")],
                              extra_compile_args={"cxx": ["-std=c++20", "-O2"], "nvcc": ["-std=c++20", "-O3"]}, **options)
else:
    extension = CppExtension("cograph_cg._C", ["binding.cpp"], define_macros=[("CG_OWNS_MEMORY", "1")], extra_compile_args=["-std=c++20", "-O2"], **options)

setup(name="cograph_cg", version="0.1.0", package_dir={"": "src"}, packages=["cograph_cg"], ext_modules=[extension], cmdclass={"build_ext": BuildExtension})
