// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace sparse {

inline constexpr const char* usage =
    R"(usage: conjugate_gradient [options] FILE.mtx
       conjugate_gradient [options] --poisson M

Solves A x = b by conjugate gradients with Jacobi preconditioning, in double precision.
A is read from a Matrix Market file (coordinate; real, integer or pattern; general or symmetric),
or is the five-point Laplacian of an M by M grid. b is A times a vector of ones, so x is known.

  --poisson M           grid of M by M unknowns, 1 to 8192
  --tolerance T         stop when ||b - A x|| <= T ||b||, 1e-15 <= T < 1 (default 1e-8)
  --max-iterations N    give up after N iterations, 1 or more (default 10000)
  --help                print this

exit status
  0  converged
  1  the computation failed: no memory, or an error of the GPU
  2  the arguments cannot be used
  3  the file is missing, malformed or cut short
  4  the matrix is not symmetric positive definite, or its numbers are too large or too small
  5  not converged
)";

struct options {
    std::string file;
    std::optional<int> poisson;
    double tolerance = 1e-8;
    int max_iterations = 10'000;
    bool help = false;
};

class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Takes the program's arguments without its name. Throws usage_error.
class option_parser {
public:
    explicit option_parser(std::span<const char* const> arguments) : rest_(arguments) {}

    options parse() {
        while (!rest_.empty() && !result_.help) parse_one(next());
        if (!result_.help && result_.file.empty() == !result_.poisson.has_value())
            throw usage_error("give either a file or --poisson M");
        return result_;
    }

private:
    void parse_one(std::string_view argument) {
        if (argument == "--help") result_.help = true;
        else if (argument == "--poisson") result_.poisson = number(argument, 1, 8192);
        else if (argument == "--tolerance") result_.tolerance = number(argument, 1e-15, 0.999999);
        else if (argument == "--max-iterations") result_.max_iterations = number(argument, 1, 2'000'000'000);
        else if (argument.starts_with('-')) throw usage_error("unknown option " + std::string(argument));
        else if (argument.empty()) throw usage_error("the file name is empty");
        else if (!result_.file.empty()) throw usage_error("only one file can be solved at a time");
        else result_.file = argument;
    }

    template <class T>
    T number(std::string_view option, T least, T most) {
        const std::string_view text = rest_.empty() ? std::string_view() : next();
        T result{};
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), result);
        const bool whole = error == std::errc{} && stop == text.data() + text.size();
        if (!whole || !(least <= result && result <= most))
            throw usage_error(std::string(option) + " needs a number from " + format(least) + " to " +
                              format(most) + (text.empty() ? "" : ", not '" + std::string(text) + "'"));
        return result;
    }

    template <class T>
    static std::string format(T number) {
        char text[32];
        const auto [end, error] = std::to_chars(text, text + sizeof text, number);
        return std::string(text, end);
    }

    std::string_view next() {
        const std::string_view argument = rest_.front();
        rest_ = rest_.subspan(1);
        return argument;
    }

    std::span<const char* const> rest_;
    options result_;
};

}  // namespace sparse
