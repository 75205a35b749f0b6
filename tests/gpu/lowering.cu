// SPDX-License-Identifier: Apache-2.0
#include "../expressions/loops.hpp"
#include "ways.cuh"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <vector>

// Loops as one kernel against the same node by node: the same bits, at any size, in any company, however the
// threads of a device fall out of step.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;
using integer = std::int64_t;

inline constexpr struct x : buffer<x, integer> {
} x;
inline constexpr struct y : buffer<y, integer> {
} y;
inline constexpr struct t : temp<t, integer, struct x> {
} t;
inline constexpr struct parts : temp<parts, integer> {
} parts;
inline constexpr struct sum : scalar<sum, integer> {
} sum;
inline constexpr struct most : scalar<most, integer> {
} most;
inline constexpr struct trace : scalar<trace, integer> {
} trace;
inline constexpr struct it : scalar<it, int> {
} it;
inline constexpr struct j : scalar<j, int> {
} j;
inline constexpr struct u : buffer<u, double> {
} u;
inline constexpr struct v : buffer<v, double> {
} v;
inline constexpr struct w : temp<w, double, struct u> {
} w;
inline constexpr struct length : scalar<length, double> {
} length;
inline constexpr struct change : scalar<change, double> {
} change;
inline constexpr struct step : scalar<step, double> {
} step;
inline constexpr struct passes : value<passes, int> {
} passes;
inline constexpr struct elements_of_x : value<elements_of_x, integer> {
} elements_of_x;

// Where one block ends and one cluster, where a tile gets a second chunk, and where chunks grow. A tool takes minutes for what a
// GPU does in a second: there fewer sizes, of each kind one, and fewer passes.
std::span<const int> extents() {
    static constexpr int all[] = {1,      255,     256,     257,     1'023,   1'024,    1'025,
                                  8'191,  8'192,   8'193,   16'383,  16'384,  16'385,   33'000,
                                  33'793, 131'073, 262'143, 262'144, 262'145, 1'000'003};
    static constexpr int under_tool[] = {1, 257, 1'025, 16'385, 33'793};
    return leave_out::under_tool() ? std::span<const int>(under_tool) : all;
}
int passes_of(int many) { return leave_out::under_tool() ? many / 100 : many; }

// Now and then a thread takes its time, so that a barrier that is missing is missed.
COGRAPH_HD void dawdle([[maybe_unused]] integer seed) {
#ifdef __CUDA_ARCH__
    const unsigned hash = static_cast<unsigned>(seed * 0x9e3779b97f4a7c15u >> 40);
    if (hash % 512 != 0) return;
    const long long begin = clock64();
    while (clock64() - begin < (hash >> 9) % 4 * 2000) {
    }
#endif
}

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
struct grow {
    COGRAPH_HD void operator()(index_t, integer& own) const { ++own; }
};
struct mix {
    COGRAPH_HD void operator()(index_t i, integer& a, const integer& b, const integer& add) const {
        dawdle(i * 3 + b);
        a = (5 * a + b + add) % 1019;
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

constexpr auto count_pass = assign(it, it + 1);
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

// Waits for all that a device does, but not for ever: what hangs would hang the test's end, too. Under a tool it may take
// as long as it takes.
void wait_for(const stream& on) {
    const auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(on) == cudaErrorNotReady) {
        if (!leave_out::under_tool() && std::chrono::steady_clock::now() - begin > std::chrono::minutes(2)) {
            std::fputs("a launch hangs\n", stderr);
            std::_Exit(1);
        }
        std::this_thread::yield();
    }
    on.wait();
}

// Each value has one more than its right neighbour had.
struct shift {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer& to, int n) const {
        to = from[i + 1 == n ? 0 : i + 1] + 1;
    }
};
constexpr auto around =
    seq(assign(it, 0),
        loop_while(it < passes, seq(for_each(over(x), shift{})(in(x), out(y[each]), extent(x)),
                                    for_each(over(x), shift{})(in(y), out(x[each]), extent(x)), count_pass)));

class ring {
public:
    explicit ring(int elements, int rounds) : n_(elements), rounds_(rounds), x_(numbers(0)), y_(x_.read()) {}

    auto make() { return instantiate(around, x(x_.all()), y(y_.all()), passes(rounds_)); }
    bool went_round(int launches) const { return x_.read() == numbers(integer{2} * rounds_ * launches); }

private:
    std::vector<integer> numbers(integer moved) const {
        std::vector<integer> all(static_cast<std::size_t>(n_));
        for (int i = 0; i < n_; ++i) all[static_cast<std::size_t>(i)] = (i + moved) % n_ * 2 + moved;
        return all;
    }
    int n_, rounds_;
    device_array<integer> x_, y_;
};

__global__ void add_one(integer* to) { *to += 1; }

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

TEST_CASE("a million barriers, in one block, in one cluster and on the whole device", "[gpu][lowering][long]") {
    const stream on;
    for (const int n : {1'000, 8'000, 33'792, 135'000}) {
        DYNAMIC_SECTION(n << " elements") {
            ring one(n, 500'000);
            auto exec = one.make();
            exec.launch(on);
            wait_for(on);
            CHECK(exec.fetch(it) == 500'000);
            CHECK(one.went_round(1));
        }
    }
}

// What blocks join at a barrier is read with the last arrival: never too early, and never what a barrier before was about.
TEST_CASE("a million results that barriers bring", "[gpu][lowering][long]") {
    constexpr auto joined = seq(
        assign(it, 0), assign(trace, 0),
        repeat(passes, seq(for_each(over(x), grow{})(inout(x[each])), assign(it, it + 1), reduce(out(sum), in(x)),
                           when(sum != elements_of_x * it, assign(trace, trace + 1)), reduce(out(most), in(x), maximum{}),
                           when(most != it, assign(trace, trace + 1)))));
    static_assert(is_persistent(joined, at<2>));
    const stream on;
    for (const int n : {33'792, 131'072, 135'000}) {
        DYNAMIC_SECTION(n << " elements") {
            device_array<integer> xs(static_cast<std::size_t>(n), 0);
            auto exec = instantiate(joined, x(xs.all()), passes(500'000), elements_of_x(n));
            exec.launch(on);
            wait_for(on);
            CHECK(exec.fetch(it) == 500'000);
            CHECK(exec.fetch(trace) == 0);
        }
    }
}

TEST_CASE("ten million passes neither drift nor hang", "[gpu][lowering][long]") {
    constexpr int many = 10'000'000;
    constexpr auto spin = repeat(many, seq(for_each(over(x), mix{})(inout(x[each]), in(x[each]), 7),
                                           assign(trace, (trace * 31 + 7) % 1'000'003)));
    integer expected = 3, traced = 0;
    for (int pass = 0; pass < many; ++pass) {
        expected = (6 * expected + 7) % 1019;
        traced = (traced * 31 + 7) % 1'000'003;
    }
    const stream on;
    for (const int n : {700, 33'792}) {
        DYNAMIC_SECTION(n << " elements") {
            device_array<integer> xs(static_cast<std::size_t>(n), 3), state(1, 0);
            auto exec = instantiate(spin, x(xs.all()), trace(state.data()));
            exec.launch(on);
            wait_for(on);
            CHECK((xs.read() == std::vector<integer>(static_cast<std::size_t>(n), expected)));
            CHECK(exec.fetch(trace) == traced);
        }
    }
}

TEST_CASE("a part that stays nodes, beside one that is a kernel", "[gpu][lowering]") {
    constexpr auto pass =
        seq(for_each(over(x), mix{})(inout(x[each]), in(x[each]), 1), reduce(out(sum), in(x)));
    constexpr auto both =
        seq(as_nodes(repeat(5, pass)), repeat(5, seq(pass, as_nodes(repeat(2, pass)))), repeat(7, pass));
    const int n = 5'000;
    std::vector<integer> expected(n, 3);
    device_array<integer> xs(expected), ys(expected);
    integer total = 0;
    simulate(both, x(std::span(expected)), sum(&total));
    const stream on;
    auto lowered = instantiate(both, x(xs.all()));
    auto plain = instantiate(as_nodes(both), x(ys.all()));
    lowered.launch(on);
    plain.launch(on);
    wait_for(on);
    CHECK((xs.read() == expected));
    CHECK((ys.read() == expected));
    CHECK(lowered.fetch(sum) == total);
    CHECK(plain.fetch(sum) == total);
    CHECK(ways::nodes_of(lowered.graph_ref()) == ways::nodes_of(plain.graph_ref()) - 1);
}

TEST_CASE("a loop that is too large to be one kernel has guarded nodes and shared kernels", "[gpu][lowering]") {
    constexpr auto pass = for_each(over(x), mix{})(inout(x[each]), in(x[each]), 1);
    constexpr auto loop =
        seq(assign(it, 0), loop_while(it < 3, seq(pass, pass, when(it % 2 == 0, pass), reduce(out(most), in(x), maximum{}), count_pass)));
    static_assert(core::most_persistent_elements == 4'194'304, "docs/lowering.md says so");
    std::vector<integer> expected(core::most_persistent_elements + 1, 3);
    device_array<integer> xs(expected);
    integer largest = 0;
    simulate(loop, x(std::span(expected)), most(&largest));
    const stream on;
    auto exec = instantiate(loop, x(xs.all()));
    exec.launch(on);
    wait_for(on);
    CHECK((xs.read() == expected));
    CHECK(exec.fetch(most) == largest);
    CHECK(ways::nodes_of(exec.graph_ref()) == 2);  // one that counts and decides, and the loop
}

TEST_CASE("persistent kernels on several streams at once all end", "[gpu][lowering]") {
    constexpr int count = 6, launches = 3;
    for (const int n : {900, 9'000, 200'000}) {
        DYNAMIC_SECTION(n << " elements") {
            std::vector<std::unique_ptr<ring>> rings;
            std::vector<decltype(rings[0]->make())> execs;
            const stream streams[count];
            for (int i = 0; i < count; ++i) {
                rings.push_back(std::make_unique<ring>(n + i, passes_of(3'000) + i));
                execs.push_back(rings.back()->make());
            }
            for (int launch = 0; launch < launches; ++launch)
                for (std::size_t i = 0; i < count; ++i) execs[i].launch(streams[i]);
            for (const stream& on : streams) wait_for(on);
            for (const auto& one : rings) CHECK(one->went_round(launches));
        }
    }
}

TEST_CASE("persistent kernels beside each other in one graph", "[gpu][lowering]") {
    constexpr auto loop = [](auto from, auto counter) {
        return repeat(passes, seq(for_each(over(from), mix{})(inout(from[each]), in(from[each]), 0),
                                 reduce(out(counter), in(from))));
    };
    constexpr auto both = par(loop(x, sum), loop(y, most));
    const int n = 150'000, many = passes_of(2'000);
    const std::vector<integer> start(n, 3);
    std::vector<integer> expected = start;
    for (int pass = 0; pass < many; ++pass)
        for (integer& value : expected) value = 6 * value % 1019;
    device_array<integer> xs(start), ys(start);
    const stream on;
    auto exec = instantiate(both, x(xs.all()), y(ys.all()), passes(many));
    exec.launch(on);
    wait_for(on);
    CHECK((xs.read() == expected));
    CHECK((ys.read() == expected));
    CHECK(exec.fetch(sum) == n * expected[0]);
    CHECK(exec.fetch(most) == n * expected[0]);
}

TEST_CASE("a persistent kernel in a loop with an opaque kernel", "[gpu][lowering]") {
    constexpr auto mixed =
        seq(assign(trace, 0),
            loop_while(trace < 50, seq(kernel<add_one>(grid(1).block(1))(inout(trace)), around)));
    const stream on;
    for (const int n : {700, 7'000, 70'000}) {
        DYNAMIC_SECTION(n << " elements") {
            const std::vector<integer> start(static_cast<std::size_t>(n));
            device_array<integer> xs(start), ys(start);
            auto exec = instantiate(mixed, x(xs.all()), y(ys.all()), passes(20));
            exec.launch(on);
            exec.launch(on);
            wait_for(on);
            CHECK(exec.fetch(trace) == 50);
            CHECK((xs.read() == std::vector<integer>(static_cast<std::size_t>(n), 2 * 2 * 50 * 20)));
        }
    }
}

// Two conditional nodes side by side in such a loop, and a kernel behind both, hung.
TEST_CASE("a loop of many passes with two branches in it ends", "[gpu][lowering][long]") {
    constexpr auto add_one_to = [](auto to) { return kernel<add_one>(grid(1).block(1))(inout(to)); };
    constexpr auto branches = seq(assign(it, 0), loop_while(it < passes, seq(add_one_to(trace), count_pass, when(it > passes, add_one_to(sum)),
                                                                            when(it > passes + 1, add_one_to(most)))));
    constexpr int many = 20'000;
    const stream on;
    const auto run = [&](const auto& what) {
        device_array<integer> numbers(3);
        auto exec = instantiate(what, trace(numbers.data()), sum(numbers.data() + 1), most(numbers.data() + 2), passes(many));
        for (int launch = 1; launch <= 3; ++launch) {
            exec.launch(on);
            wait_for(on);
            CHECK((numbers.read() == std::vector<integer>{integer{launch} * many, 0, 0}));
            CHECK(exec.iterations(at<1>) == many);
        }
    };
    SECTION("as it is") { run(branches); }
    SECTION("node by node") { run(as_nodes(branches)); }
}
