// SPDX-License-Identifier: Apache-2.0
#include "../expressions/loops.hpp"
#include "lowered_loops.cuh"

#include <random>
#include <vector>

// Loops as one kernel against the same node by node: the same bits at any size.
namespace {

using namespace lowered_loops;

inline constexpr struct u : buffer<u, double> {} u;
inline constexpr struct v : buffer<v, double> {} v;
inline constexpr struct w : temp<w, double, struct u> {} w;
inline constexpr struct length : scalar<length, double> {} length;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct step : scalar<step, double> {} step;

struct average {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, int n) const {
        const int at = static_cast<int>(i);
        to = 0.3 * from[at == 0 ? n - 1 : at - 1] + 0.45 * from[at] + 0.2 * from[at == n - 1 ? 0 : at + 1];
    }
};
struct distance {
    COGRAPH_HD double operator()(index_t, double a, double b) const { return a > b ? a - b : b - a; }
};
struct advance {
    COGRAPH_HD void operator()(index_t, const double& along, const double& direction, double& point) const {
        point += along * direction;
    }
};
// Rounds at every step: only the same operations in the same order give the same bits.
constexpr auto rounded =
    seq(assign(it, 0), assign(change, 1.0),
        loop_while(
            change > 1e-9 && it < passes,
            seq(for_each(over(u), average{})(in(u), out(w[each]), extent(u)), dot(out(length), in(w), in(u)),
                transform_reduce(over(u), distance{}, maximum{})(out(change), in(w[each]), in(u[each])),
                assign(step, change / (length + 2.0)),
                for_each(over(u), advance{})(step, in(w[each]), inout(u[each])),
                when(it % 3 == 1, seq(for_each(over(u), average{})(in(u), out(v[each]), extent(u)),
                                      reduce(out(length), in(v)), copy(in(v), out(u)))),
                count_pass)));

}  // namespace

TEST_CASE("rounded numbers: a loop as one kernel gives the bits of its nodes", "[gpu][lowering]") {
    std::mt19937_64 generator(11);
    std::uniform_real_distribution<double> between(-1, 1);
    const stream on;
    for (const int n : extents()) {
        DYNAMIC_SECTION(n << " elements") {
            std::vector<double> start(static_cast<std::size_t>(n));
            for (double& number : start) number = between(generator);
            device_array<double> us[] = {device_array<double>(start), device_array<double>(start)};
            device_array<double> vs[] = {device_array<double>(start), device_array<double>(start)};
            const auto bind = [&](int which, const auto& what) {
                return instantiate(what, u(us[which].all()), v(vs[which].all()), passes(10));
            };
            auto whole = bind(0, rounded);
            auto parted = bind(1, as_nodes(rounded));
            whole.launch(on);
            parted.launch(on);
            wait_for(on);
            CHECK(whole.fetch(it) == parted.fetch(it));
            CHECK(whole.fetch(change) == parted.fetch(change));
            CHECK(whole.fetch(length) == parted.fetch(length));
            CHECK((us[0].read() == us[1].read()));
            CHECK((vs[0].read() == vs[1].read()));
        }
    }
}

TEST_CASE("a solver's loop at any size: every way gives what plain C++ gives", "[gpu][lowering]") {
    for (const int n : extents()) {
        DYNAMIC_SECTION(n << " elements") {
            expressions::loops::jacobi start;
            start.x_.resize(static_cast<std::size_t>(n));
            ways::check_all_ways(start);
        }
    }
}
