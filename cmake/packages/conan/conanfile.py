# SPDX-License-Identifier: Apache-2.0
import os

from conan import ConanFile
from conan.tools.files import copy
from conan.tools.layout import basic_layout


class Cograph(ConanFile):
    name = "cograph"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "CUDA graphs with loops and branches on the GPU, from C++20 expressions"
    topics = ("cuda", "gpu", "graphs", "header-only")
    package_type = "header-library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"system_boost": [True, False]}
    default_options = {"system_boost": False, "boost/*:header_only": True}
    no_copy_source = True

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        copy(self, "include/*", root, self.export_sources_folder)
        copy(self, "LICENSE", root, self.export_sources_folder)

    def requirements(self):
        if not self.options.system_boost:  # else Boost.Hana of the system
            self.requires("boost/[>=1.74 <2]", transitive_headers=True)

    def layout(self):
        basic_layout(self)

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "include/*", self.source_folder, self.package_folder)
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_target_name", "cograph::cograph")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
