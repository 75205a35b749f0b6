// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace heat {

struct options {
    int points = 33;  // on a side
    double tolerance = 1e-9;
    int most = 100000;
};

inline constexpr const char* usage =
    R"(usage: jacobi [--size N] [--tolerance T] [--max-sweeps M]
  --size N        N by N points, 3 to 8192 (default 33)
  --tolerance T   stop when no point changes by more (default 1e-9)
  --max-sweeps M  give up after so many sweeps (default 100000)
)";

/// What is wrong with the command line.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The value of an option; `argument` is null where the line ends.
inline double number_of(const char* option, const char* argument, double least, double largest) {
    char* end = nullptr;
    const double number = argument ? std::strtod(argument, &end) : 0;
    if (argument && end != argument && *end == '\0' && number >= least && number <= largest) return number;
    char text[200];
    std::snprintf(text, sizeof text, "%s needs a number from %g to %g, not '%.40s'", option, least, largest, argument ? argument : "");
    throw usage_error(text);
}

/// Takes what main takes. Throws usage_error.
inline options parse(int count, const char* const* arguments) {
    options chosen;
    for (int i = 1; i < count; i += 2) {
        const char* const option = arguments[i];
        const char* const value = i + 1 < count ? arguments[i + 1] : nullptr;
        if (std::strcmp(option, "--size") == 0) {
            chosen.points = static_cast<int>(number_of(option, value, 3, 8192));
        } else if (std::strcmp(option, "--tolerance") == 0) {
            chosen.tolerance = number_of(option, value, 1e-300, 1e300);
        } else if (std::strcmp(option, "--max-sweeps") == 0) {
            chosen.most = static_cast<int>(number_of(option, value, 1, 2e9));
        } else {
            char text[80];
            std::snprintf(text, sizeof text, "unknown option '%.40s'", option);
            throw usage_error(text);
        }
    }
    return chosen;
}

}  // namespace heat
