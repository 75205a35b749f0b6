// SPDX-License-Identifier: Apache-2.0
// What a check takes, in multiples of the simulation of the same expression: check [PART OF A NAME [ELEMENTS]]
// Each kind of node over 10, 1 000 and 1 000 000 elements, once and in each iteration of a loop. Medians of five or eleven ratios of processor time. Plain C++.
#include <cograph/check.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <span>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct keys : buffer<keys, int> {} keys;
inline constexpr struct order : buffer<order, int> {} order;
inline constexpr struct bins : buffer<bins, int> {} bins;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct t : scalar<t, double> {} t;
inline constexpr struct times : value<times, int> {} times;

struct point {
    float at, speed;
    char mark;
};
inline constexpr struct points : buffer<points, point> {} points;

struct twice {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to = 2 * from; }
};
struct add {
    COGRAPH_HD void operator()(index_t, double from, double& to) const { to += from; }
};
struct mean_of_neighbours {
    COGRAPH_HD void operator()(index_t i, const double* from, double& to, index_t n) const {
        to = i == 0 || i == n - 1 ? from[i] : (from[i - 1] + from[i + 1]) / 2;
    }
};
struct scatter {
    COGRAPH_HD void operator()(index_t i, double from, const int* places, double* to) const { to[places[i]] = from; }
};
struct scatter_and_add {
    COGRAPH_HD void operator()(index_t i, double from, const int* places, double* to) const { to[places[i]] += from; }
};
struct count_in_bins {
    COGRAPH_HD void operator()(index_t, int key, int* counts) const { ++counts[key]; }
};
struct square {
    COGRAPH_HD double operator()(index_t, double a) const { return a * a; }
};
struct gather {
    COGRAPH_HD double operator()(index_t i, const double* a, const int* places) const { return a[places[i]]; }
};
struct move {
    COGRAPH_HD void operator()(index_t, point& p) const { p.at += p.speed; }
};
struct advance {
    COGRAPH_HD void operator()(double& a, const double& b) const { a = a / 2 + b; }
};
struct sum_of_rows {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const double* a, index_t n, double& to) const {
        const double sum = group.transform_reduce(n < 32 ? n : 32, [&](index_t k) { return a[(row + k) % n]; }, plus{});
        if (group.rank() == 0) to = sum;
    }
};
void twice_on_device(const double*, double*, index_t) {}
void twice_on_host(const double* from, double* to, index_t n) {
    for (index_t i = 0; i < n; ++i) to[i] = 2 * from[i];
}

struct memory {
    std::vector<double> xs, ys;
    std::vector<int> ks, os, bs;
    std::vector<point> ps;
    double ss = 1, ts = 1;
    explicit memory(std::size_t n) : xs(n), ys(n, 1), ks(n), os(n), bs(16), ps(n, {1, 2, 3}) {
        for (std::size_t i = 0; i < n; ++i) {
            xs[i] = static_cast<double>(i * i % 37) / 37;
            ks[i] = static_cast<int>(i * 7 % 16);
        }
        std::iota(os.begin(), os.end(), 0);
        std::reverse(os.begin(), os.end());
    }
};

// Microseconds of this process, which others do not disturb.
double now() { return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
template <class F>
double time_of(F const& once, int repeats) {
    const double begin = now();
    for (int i = 0; i < repeats; ++i) once();
    return (now() - begin) / repeats;
}
double median(std::vector<double> of) {
    std::sort(of.begin(), of.end());
    return of[of.size() / 2];
}

const char* wanted = "";
std::size_t only = 0;
double worst = 0;

// Bind calls f with the bindings of a memory.
template <class E, class Bind, class... Options>
void measure_once(const char* name, const char* form, E const& e, Bind const& bind, std::size_t n, double& micros, double& ratio, Options... options) {
    memory m(n);
    const auto simulated = [&] { bind(m, [&](auto... b) { simulate(e, b...); }); };
    const auto checked = [&] {
        bind(m, [&](auto... b) {
            const check_report report = check(e, b..., options...);
            if (!report.empty()) {
                std::printf("%s, %s, %zu elements: a finding\n%s", name, form, n, report.text().c_str());
                std::exit(1);
            }
        });
    };
    checked();
    const auto repeats_of = [](auto const& once) {  // that take a few milliseconds
        int repeats = 1;
        while (time_of(once, repeats) * repeats < 1000) repeats *= 2;
        return repeats;
    };
    const int repeats = repeats_of(simulated), fewer = repeats_of(checked);
    std::vector<double> ratios, simulations;
    for (int round = 0; round < (n > 100000 ? 5 : 11); ++round) {
        simulations.push_back(time_of(simulated, repeats));
        ratios.push_back(time_of(checked, fewer) / simulations.back());
    }
    micros = median(simulations);
    ratio = median(ratios);
    worst = std::max(worst, ratio);
}

template <class E, class Bind, class... Options>
void measure(const char* name, E const& e, Bind const& bind, Options... options) {
    if (!std::strstr(name, wanted)) return;
    std::printf("| %-38s ", name);
    const auto loop = repeat(times, e);
    for (const std::size_t n : {std::size_t{10}, std::size_t{1000}, std::size_t{1000000}}) {
        if (only && n != only) continue;
        double micros = 0, once = 0, ratio = 0, unused = 0;
        measure_once(name, "once", e, bind, n, micros, once, options...);
        const auto looped = [&](memory& m, auto const& run) { bind(m, [&](auto... b) { run(b..., times(n > 100000 ? 8 : 100)); }); };
        measure_once(name, "in a loop", loop, looped, n, unused, ratio, options...);
        std::printf("| %8.2f | %5.1f | %5.1f ", micros, once, ratio);
        std::fflush(stdout);
    }
    std::printf("|\n");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) wanted = argv[1];
    if (argc > 2) only = std::strtoul(argv[2], nullptr, 10);
    std::printf("| node | 10: simulation, µs | once | in a loop | 1000: simulation, µs | once | in a loop | 1000000: simulation, µs | once | in a loop |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
    const auto xy = [](memory& m, auto const& run) { run(x(std::span(m.xs)), y(std::span(m.ys))); };
    const auto xs = [](memory& m, auto const& run) { run(x(std::span(m.xs)), s(&m.ss)); };
    measure("element to element", for_each(over(x), twice{})(in(x[each]), out(y[each])), xy);
    measure("element changed in place", for_each(over(x), add{})(in(x[each]), inout(y[each])), xy);
    measure("stencil", for_each(over(x), mean_of_neighbours{})(in(x), out(y[each]), extent(x)), xy);
    measure("scatter", for_each(over(x), scatter{})(in(x[each]), in(order), out(y)),
            [](memory& m, auto const& run) { run(x(std::span(m.xs)), order(std::span(m.os)), y(std::span(m.ys))); });
    measure("scatter, added", for_each(over(x), scatter_and_add{})(in(x[each]), in(order), inout(y)),
            [](memory& m, auto const& run) { run(x(std::span(m.xs)), order(std::span(m.os)), y(std::span(m.ys))); });
    measure("histogram by atomics", for_each(over(keys), count_in_bins{})(in(keys[each]), inout(bins)),
            [](memory& m, auto const& run) { run(keys(std::span(m.ks)), bins(std::span(m.bs))); }, atomic(bins));
    measure("elements of a class", for_each(over(points), move{})(inout(points[each])), [](memory& m, auto const& run) { run(points(std::span(m.ps))); });
    measure("groups of threads", for_each(over(x).group<32>(), sum_of_rows{})(in(x), extent(x), out(y[each])), xy);
    measure("sum of squares, transform_reduce", transform_reduce(over(x), square{}, plus{})(out(s), in(x[each])), xs);
    measure("sum of gathered, transform_reduce", transform_reduce(over(x), gather{}, plus{})(out(s), in(x), in(order)),
            [](memory& m, auto const& run) { run(x(std::span(m.xs)), order(std::span(m.os)), s(&m.ss)); });
    measure("maximum, transform_reduce", transform_reduce(over(x), square{}, maximum{})(out(s), in(x[each])), xs);
    measure("dot", dot(out(s), in(x), in(x)), xs);
    measure("fill", fill(out(x), 1.0), [](memory& m, auto const& run) { run(x(std::span(m.xs))); });
    measure("copy", copy(in(x), out(y)), xy);
    measure("inclusive_scan", inclusive_scan(in(x), out(y)), xy);
    measure("single task", single_task(advance{})(inout(s), in(t)), [](memory& m, auto const& run) { run(s(&m.ss), t(&m.ts)); });
    measure("assign", assign(s, s / 2 + t), [](memory& m, auto const& run) { run(s(&m.ss), t(&m.ts)); });
    measure("kernel with a host implementation", kernel<twice_on_device, twice_on_host>(over(x))(in(x), out(y), extent(x)), xy);
    std::printf("the largest ratio: %.1f\n", worst);
}
