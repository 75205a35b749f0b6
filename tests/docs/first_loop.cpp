// SPDX-License-Identifier: Apache-2.0

// The program of the first tutorial, whole: g++ -std=c++20 -I cograph/include first_loop.cpp -o first_loop && ./first_loop

// [headers]
#include <cograph.hpp>        // with nvcc and a GPU: cograph.cuh
#include <cograph/check.hpp>

#include <cstdio>
#include <exception>
#include <span>
#include <vector>

using namespace cograph;
// [/headers]

namespace {

inline constexpr struct rod : buffer<rod, double> {} rod;
inline constexpr struct next : temp<next, double, struct rod> {} next;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct sweeps : scalar<sweeps, int> {} sweeps;
inline constexpr struct limit : value<limit, double> {} limit;
inline constexpr struct most : value<most, int> {} most;

struct relax {
    COGRAPH_HD double operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
        return to < from[i] ? from[i] - to : to - from[i];
    }
};
constexpr auto sweep = seq(
    transform_reduce(over(rod), relax{}, maximum_or_nan{})(out(change), in(rod), out(next[each]), extent(rod)),
    copy(in(next), out(rod)),
    assign(sweeps, sweeps + 1));

constexpr auto smooth = seq(assign(sweeps, 0), label("smooth", do_while(sweep, change > limit && sweeps < most)));
static_assert(is_persistent(smooth, "smooth"));

}  // namespace

// [main]
int main() try {
    std::vector<double> values(32, 0);
    values.front() = 100;
    const bool no_races = check(smooth, rod(std::span(values)), limit(1e-3), most(100)).empty();

    int count = 0;
    simulate(smooth, rod(std::span(values)), limit(1e-6), most(20000), sweeps(&count));
    std::printf("%d sweeps, %s\n", count, no_races ? "no races" : "races");
    return no_races && count > 1000 && count < 20000 ? 0 : 1;
} catch (const std::exception& problem) {
    std::printf("%s\n", problem.what());
    return 1;
}
// [/main]
