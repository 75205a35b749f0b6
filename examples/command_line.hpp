// SPDX-License-Identifier: Apache-2.0
#pragma once

// How examples read options that have a number or a file each.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace command_line {

/// What is wrong with a command line.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An option with a number, from `least` to `largest`, and where the number goes; or one with the name of a file.
struct option {
    const char* name;
    double least = 0, largest = 0;
    int* whole = nullptr;
    double* real = nullptr;
    const char** file = nullptr;

    option(const char* n, double from, double to, int& number) : name(n), least(from), largest(to), whole(&number) {}
    option(const char* n, double from, double to, double& number) : name(n), least(from), largest(to), real(&number) {}
    option(const char* n, const char*& path) : name(n), file(&path) {}
};

/// The number that `argument` holds; `argument` is null where the line ends. Throws usage_error.
inline double number_of(const option& wanted, const char* argument) {
    char* end = nullptr;
    const double number = argument ? std::strtod(argument, &end) : 0;
    const bool is_number = argument && end != argument && *end == '\0' && number >= wanted.least && number <= wanted.largest;
    if (is_number && (wanted.real || number == std::floor(number))) return number;
    char text[200];
    std::snprintf(text, sizeof text, "%s needs a %snumber from %g to %g, not '%.40s'", wanted.name, wanted.whole ? "whole " : "", wanted.least,
                  wanted.largest, argument ? argument : "");
    throw usage_error(text);
}

/// Reads what main takes. Throws usage_error.
inline void read(int count, const char* const* arguments, std::initializer_list<option> options) {
    for (int i = 1; i < count; i += 2) {
        const option* found = nullptr;
        for (const option& one : options)
            if (std::strcmp(arguments[i], one.name) == 0) found = &one;
        if (!found) {
            char text[80];
            std::snprintf(text, sizeof text, "unknown option '%.40s'", arguments[i]);
            throw usage_error(text);
        }
        const char* const given = i + 1 < count ? arguments[i + 1] : nullptr;
        if (found->file) {
            if (!given || !std::ifstream(given)) throw usage_error(std::string(found->name) + " needs a file that can be read");
            *found->file = given;
            continue;
        }
        const double number = number_of(*found, given);
        if (found->whole)
            *found->whole = static_cast<int>(number);
        else
            *found->real = number;
    }
}

/// Runs an example: 2 and the usage where the command line is wrong, 1 where the run fails.
template <class Run>
int run(const char* name, const char* usage, Run run) {
    try {
        return run();
    } catch (const usage_error& problem) {
        std::fprintf(stderr, "%s: %s\n%s", name, problem.what(), usage);
        return 2;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s: %s\n", name, problem.what());
        return 1;
    }
}

}  // namespace command_line
