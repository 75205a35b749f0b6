// SPDX-License-Identifier: Apache-2.0
#include "../expressions/host_formulas.hpp"
#include "ways.cuh"

#include <cograph/callable.cuh>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

TEMPLATE_LIST_TEST_CASE("formulas as arguments: every way gives what plain C++ gives", "[gpu][host_formulas]", expressions::host_formulas::cases) {
    ways::check_all_ways<TestType>();
}

namespace {

using namespace cograph;
using namespace expressions::host_formulas;
using ways::device_array;
using ways::stream;
using integers = std::vector<std::int64_t>;

inline constexpr struct told : host_buffer<told, std::int64_t> {} told;

struct copy_first {
    cudaError_t operator()(cudaStream_t on, const std::int64_t* from, std::int64_t* to, unsigned count) const {
        return cudaMemcpyAsync(to, from, count * sizeof(std::int64_t), cudaMemcpyDefault, on);
    }
};
struct copy_first_on_host {
    void operator()(const std::int64_t* from, std::int64_t* to, unsigned count) const {
        for (unsigned at = 0; at < count; ++at) to[at] = from[at];
    }
};
struct tell {
    void operator()(std::int64_t* to, index_t number) const { *to = (7 * *to + number) % modulus; }
};
struct scale {
    COGRAPH_HD void operator()(index_t, const std::int64_t& from, std::int64_t& to, std::int64_t by) const { to = from * by; }
};

// Nodes of every kind, some of which an update tells a new number and some of which it makes anew.
constexpr auto everything = seq(
    for_each(over(x), mix{})(inout(x[each]), n * extent(y), n > 3),
    kernel<add_up<std::int64_t>, add_up_on_host<std::int64_t>>(over(y))(in(y), inout(z), extent(y) - 1, part / 2.0, n == 3, n % 200),
    captured(copy_first{}, copy_first_on_host{})(in(x), inout(y), min(extent(x), extent(y)) / 2), host(tell{})(inout(told), n - extent(x)),
    for_each(over<extent(x) / 2>(), mix{})(inout(x[each]), n, true), for_each(over<min(extent(y), n)>(), mix{})(inout(y[each]), 5, false),
    fill(out(t), n + extent(x)), reduce(out(sum), in(t)), single_task(add_to{})(inout(sum), n - 3 * extent(y)), assign(i, 0),
    loop_while(predicate(is_before{})(in(i), n % 4 + 1),
               seq(for_each(over(x), mix{})(inout(x[each]), n + extent(y), extent(x) > 600),
                   for_each(over<ceil_div(extent(x), n + 1)>(), mix{})(inout(x[each]), 1, false), reduce(out(sum), in(x)), assign(i, i + 1))),
    when(sum % 2 == 0, for_each(over(y), mix{})(inout(y[each]), n * extent(x), n < 9),
         otherwise(for_each(over(y), mix{})(inout(y[each]), n - extent(x), n < 5))),
    assign(j, 0), loop_while(j < n % 5, seq(single_task(note{})(inout(y), in(sum), extent(y) - 1, n - 2 * extent(x)), assign(j, j + 1))),
    when(count_if(x, is_below{}, 100 * n) > extent(x) / 2, kernel<add_up<std::int64_t>, add_up_on_host<std::int64_t>>(over(y))(
                                                              in(y), inout(z), extent(y), part * n, n != 3, 1)));
static_assert(is_persistent(everything, at<10>));

struct state {
    integers xs, ys, told_ = {0};
    std::vector<double> zs = std::vector<double>(200);
    std::int64_t sum_ = 0;
    int n_ = 3;
    double part_ = 0.5;

    void simulate_once() {
        simulate(everything, x(std::span(xs)), y(std::span(ys)), z(std::span(zs)), told(std::span(told_)), sum(&sum_), n(n_), part(part_));
    }
};
integers numbers(int count, int first) {
    integers made(static_cast<std::size_t>(count));
    for (int at = 0; at < count; ++at) made[static_cast<std::size_t>(at)] = first + at % 97;
    return made;
}

// Random changes of some variables, each followed by a launch, against simulation.
template <class Make>
void check_changes(Make make, int rounds, unsigned seed) {
    std::mt19937 random(seed);
    const auto any_of_sizes = [&](std::initializer_list<int> sizes) { return sizes.begin()[random() % sizes.size()]; };
    const stream on;
    state s{numbers(700, 1), numbers(50, 3)};
    integers told_here(1);
    auto xs = std::make_unique<device_array<std::int64_t>>(s.xs);
    auto ys = std::make_unique<device_array<std::int64_t>>(s.ys);
    device_array<double> zs(s.zs);
    device_array<std::int64_t> sums(1);
    auto exec = make(x(xs->all()), y(ys->all()), z(zs.all()), told(std::span(told_here)), sum(sums.data()), n(s.n_), part(s.part_));
    for (int round = 0; round < rounds; ++round) {
        const unsigned what = random();
        std::unique_ptr<device_array<std::int64_t>> old_x, old_y;
        if (what & 1) {
            s.xs = numbers(any_of_sizes({1, 31, 700, 5000}), static_cast<int>(random() % 10));
            old_x = std::move(xs);
            xs = std::make_unique<device_array<std::int64_t>>(s.xs);
            exec.update(x(xs->all()));
        }
        if (what & 2) {
            s.ys = numbers(any_of_sizes({1, 3, 50, 200}), static_cast<int>(random() % 10));
            old_y = std::move(ys);
            ys = std::make_unique<device_array<std::int64_t>>(s.ys);
            exec.update(y(ys->all()));
        }
        if (what & 4) exec.update(n(s.n_ = static_cast<int>(random() % 100)));
        if (what & 8) exec.update(part(s.part_ = 0.25 * static_cast<double>(random() % 8)));
        if (what & 16) CHECK_THROWS_AS(exec.update(n(-1 - static_cast<int>(random() % 100)), part(100)), error);  // the kernel takes no such number
        s.simulate_once();
        exec.launch(on);
        on.wait();
        INFO("round " << round);
        REQUIRE(xs->read() == s.xs);
        REQUIRE(ys->read() == s.ys);
        REQUIRE(zs.read() == s.zs);
        REQUIRE(sums.read()[0] == s.sum_);
        REQUIRE(told_here == s.told_);
    }
}

}  // namespace

TEST_CASE("formulas as arguments are computed anew where an update changes what they are over", "[gpu][host_formulas]") {
    SECTION("lowered") {
        check_changes([](auto... b) { return instantiate(everything, b...); }, 60, 1);
    }
    SECTION("node by node") {
        check_changes([](auto... b) { return instantiate(as_nodes(everything), b...); }, 60, 2);
    }
    SECTION("in a pool") {
        pool shared;
        check_changes([&](auto... b) { return instantiate(everything, use(shared), b...); }, 40, 3);
    }
}

TEST_CASE("formulas as arguments beside memory that the device binds anew", "[gpu][host_formulas]") {
    const auto one = for_each(over(x), scale{})(in(x[each]), out(y[each]), n - 2 * extent(x));
    const auto four = seq(one, one, one, one);
    const auto e = seq(four, four, four, four);
    device_array<std::int64_t> first(std::size_t{8}, 1), second(std::size_t{8}, 2), longer(std::size_t{300}, 3), ys(std::size_t{300});
    const stream on;
    auto exec = instantiate(e, device_updatable(x(first.all())), y(ys.all()), n(1));
    int given = 1;
    for (const auto* from : {&first, &second, &longer, &first, &longer, &second}) {
        exec.update(x(from->all()));
        const auto check_product = [&] {
            exec.launch(on);
            on.wait();
            const index_t count = static_cast<index_t>(from->all().size());
            CHECK(ys.read()[static_cast<std::size_t>(count) - 1] == from->read()[0] * (given - 2 * count));
        };
        check_product();
        exec.update(n(given += 5));
        check_product();
    }
}

TEST_CASE("an error of a formula names the node, and a run that has one does not begin", "[gpu][host_formulas]") {
    device_array<std::int64_t> xs(std::size_t{8}, 5), ys(std::size_t{8}, 7);
    const stream on;
    const auto e = seq(fill(out(y), 1), label("first half", captured(copy_first{}, copy_first_on_host{})(in(x), inout(y), extent(x) / n)));
    const auto refusal = [](auto run) {
        try {
            run();
        } catch (error const& wrong) {
            return std::string(wrong.what());
        }
        return std::string();
    };
    const auto names_it = [](const std::string& text) {
        return text.find("'first half' (") != std::string::npos && text.find(") takes a formula over 'x', 'n' that divides by zero") != std::string::npos;
    };
    CHECK(names_it(refusal([&] { run_on(on, e, x(xs.all()), y(ys.all()), n(0)); })));
    CHECK(names_it(refusal([&] { instantiate(e, x(xs.all()), y(ys.all()), n(0)); })));
    on.wait();
    CHECK(ys.read() == integers(8, 7));
    auto exec = instantiate(e, x(xs.all()), y(ys.all()), n(2));
    CHECK(names_it(refusal([&] { exec.update(n(0)); })));
    exec.launch(on);
    on.wait();
    CHECK(ys.read() == integers{5, 5, 5, 5, 1, 1, 1, 1});
}

TEST_CASE("a call computes formulas over the values that it is given", "[gpu][host_formulas]") {
    device_array<std::int64_t> xs(std::size_t{8}, 3), ys(std::size_t{8});
    auto call = make_callable(for_each(over(x), scale{})(in(x[each]), out(y[each]), n * 10 + extent(x)), arguments(in(x), in(n), out(y)), {}, x(xs.all()),
                              n(1), y(ys.all()));
    CHECK(call.is_graph());
    for (const int given : {1, 2, 2, 7}) {
        call(nullptr, xs.all(), given, ys.all());
        CHECK(ys.read() == integers(8, 3 * (10 * given + 8)));
    }
}
