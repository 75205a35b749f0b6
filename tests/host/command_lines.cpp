// SPDX-License-Identifier: Apache-2.0
#include "../../examples/conjugate_gradient/options.hpp"
#include "../../examples/jacobi/options.hpp"

#include "../catch.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::filesystem::path folder = std::filesystem::path(__FILE__).parent_path() / "command_lines";

/// Hands the lines of each file, as arguments, to `parse`: those of the good are taken, those of the bad refused with `Error`.
template <class Error, class F>
void check_files(const char* program, F parse) {
    int good = 0;
    int bad = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder / program)) {
        const std::string name = file.path().filename().string();
        INFO(program << " " << name);
        std::ifstream in(file.path(), std::ios::binary);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        std::vector<const char*> arguments;
        arguments.reserve(lines.size());
        for (const std::string& line : lines) arguments.push_back(line.c_str());
        if (name.rfind("good_", 0) == 0) {
            ++good;
            CHECK_NOTHROW(parse(arguments));
        } else {
            ++bad;
            CHECK_THROWS_AS(parse(arguments), Error);
        }
    }
    CHECK(good > 0);
    CHECK(bad > 0);
}

}  // namespace

TEST_CASE("of the command lines beside this test the good are taken and the bad refused") {
    check_files<sparse::usage_error>("conjugate_gradient",
                                     [](const std::vector<const char*>& arguments) { sparse::option_parser(arguments).parse(); });
    check_files<heat::usage_error>("jacobi", [](std::vector<const char*> arguments) {
        arguments.insert(arguments.begin(), "jacobi");
        heat::parse(static_cast<int>(arguments.size()), arguments.data());
    });
}
