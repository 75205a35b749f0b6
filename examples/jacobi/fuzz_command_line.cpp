// SPDX-License-Identifier: Apache-2.0

// Feeds the command line parser with anything: each line of the input is an argument. Build and run:
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined fuzz_command_line.cpp -o fuzz_command_line
//   ./fuzz_command_line -max_len=256 CORPUS_FOLDER
// Files in tests/host/command_lines/jacobi make a good start for the corpus.

#include "options.hpp"

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

void check(const heat::options& chosen) {
    require(chosen.points >= 3 && chosen.points <= 8192);
    require(chosen.tolerance > 0 && chosen.tolerance <= 1e300);
    require(chosen.most >= 1 && chosen.most <= 2'000'000'000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream text(std::string(data, data + size));
    std::vector<std::string> lines = {"jacobi"};
    for (std::string line; std::getline(text, line);) lines.push_back(line.c_str());
    std::vector<const char*> arguments;
    arguments.reserve(lines.size());
    for (const std::string& line : lines) arguments.push_back(line.c_str());
    try {
        check(heat::parse(static_cast<int>(arguments.size()), arguments.data()));
    } catch (const heat::usage_error& problem) {
        require(*problem.what() != '\0');
    }
    return 0;
}
