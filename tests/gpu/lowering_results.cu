// SPDX-License-Identifier: Apache-2.0
#include "lowered_loops.cuh"

// Loops as one kernel against the same node by node: the same results at any size, however the threads of a device fall out of step.
namespace {

using namespace lowered_loops;

inline constexpr struct t : temp<t, integer, struct x> {} t;
inline constexpr struct parts : temp<parts, integer> {} parts;
inline constexpr struct j : scalar<j, int> {} j;

struct gather {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer& to, const integer& add, int n) const {
        dawdle(i + add);
        const int at = static_cast<int>(i);
        to = (from[at == 0 ? n - 1 : at - 1] + 3 * from[n - 1 - at] + add) % 1009;
    }
};
struct scatter {
    COGRAPH_HD void operator()(index_t i, const integer& from, const int& pass, integer* to, int n) const {
        const integer late = pass;
        dawdle(i * 7 + late);
        to[(i + pass) % n] = (from + late + pass) % 1013;
    }
};
struct weigh {
    COGRAPH_HD integer operator()(index_t i, integer a, integer b) const {
        dawdle(i + a);
        return (a * 31 + b * (i % 7)) % 1021;
    }
};
// A strip of eight elements: fewer threads than elements, which write where others read.
struct strip {
    COGRAPH_HD void operator()(index_t i, integer* all, integer& part, int n) const {
        part = 0;
        for (int at = static_cast<int>(8 * i); at < 8 * i + 8 && at < n; ++at)
            part += all[at] = (all[at] * 3 + i) % 1031;
    }
};
struct any_at_ends {
    COGRAPH_HD bool operator()(const integer* all, int n, const int& pass) const {
        dawdle(pass);
        return pass < 3 && (all[0] + all[n - 1] + pass) % 3 != 0;
    }
};

constexpr auto out_of_step = seq(
    assign(it, 0), assign(trace, 1),
    loop_while(
        it < passes && trace >= 0,
        seq(for_each(over(x), gather{})(in(x), out(t[each]), trace, extent(x)),
            transform_reduce(over(x), weigh{}, plus{})(out(sum), in(t[each]), in(x[each])),
            reduce(out(most), in(t), maximum{}), for_each(over(x), mix{})(inout(x[each]), in(t[each]), sum),
            when(sum % 2 == 0,
                 seq(for_each(over(x), scatter{})(in(t[each]), it, out(y), extent(y)),
                     assign(trace, trace + 3)),
                 otherwise(seq(copy(in(x), out(y)), reduce(out(most), in(y), minimum{})))),
            assign(j, 0),
            do_while(seq(for_each(over(x), mix{})(inout(x[each]), in(y[each]), most), assign(j, j + 1),
                         switch_on((trace + j) % 3, reduce(out(sum), in(x)),
                                   for_each(over(parts), strip{})(inout(x), out(parts[each]), extent(x)),
                                   seq(fill(out(t), j),
                                       for_each(over(x), gather{})(in(y), out(x[each]), sum, extent(y))))),
                     predicate(any_at_ends{})(in(x), extent(x), j)),
            repeat(2, reduce(out(most), in(x))), dot(out(sum), in(x), in(y)),
            assign(trace, (trace * 31 + sum + most) % 1'000'003), count_pass)));

}  // namespace

TEST_CASE("threads out of step: a loop as one kernel gives what simulation gives", "[gpu][lowering]") {
    const stream on;
    for (const int n : extents()) {
        DYNAMIC_SECTION(n << " elements") {
            std::vector<integer> start(static_cast<std::size_t>(n));
            for (int i = 0; i < n; ++i) start[static_cast<std::size_t>(i)] = i * 17 % 101;
            std::vector<integer> xs = start, ys = start;
            const std::size_t strips = static_cast<std::size_t>(n + 7) / 8;
            integer logged = 0;
            for (int launch = 0; launch < 2; ++launch)
                simulate(out_of_step, x(std::span(xs)), y(std::span(ys)), parts(strips), trace(&logged),
                         passes(5));
            const auto check = [&](auto make) {
                device_array<integer> device_x(start), device_y(start);
                auto exec = make(x(device_x.all()), y(device_y.all()), parts(strips), passes(5));
                exec.launch(on);
                exec.launch(on);
                wait_for(on);
                CHECK(exec.fetch(trace) == logged);
                CHECK((device_x.read() == xs));
                CHECK((device_y.read() == ys));
            };
            check([](auto... b) { return instantiate(out_of_step, b...); });
            check([](auto... b) { return instantiate(as_nodes(out_of_step), b...); });
        }
    }
}
