// SPDX-License-Identifier: Apache-2.0

// Feeds the command line parser with anything: each line of the input is an argument. Build and run:
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined fuzz_options.cpp -o fuzz_options
//   ./fuzz_options -max_len=256 CORPUS_FOLDER
// Files in tests/host/command_lines/conjugate_gradient make a good start for the corpus.

#include "options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

void require(bool fact) {
    if (!fact) std::abort();
}

void check(const sparse::options& chosen) {
    require(chosen.help || chosen.file.empty() == chosen.poisson.has_value());
    require(chosen.tolerance > 0 && chosen.tolerance < 1 && chosen.max_iterations > 0);
    require(chosen.poisson.value_or(1) >= 1 && chosen.poisson.value_or(1) <= 8192);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream text(std::string(data, data + size));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line.c_str());
    std::vector<const char*> arguments;
    arguments.reserve(lines.size());
    for (const std::string& line : lines) arguments.push_back(line.c_str());
    try {
        check(sparse::option_parser(arguments).parse());
    } catch (const sparse::usage_error&) {
    }
    return 0;
}
