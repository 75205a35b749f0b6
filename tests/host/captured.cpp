// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct by : value<by, double> {} by;
inline constexpr struct other : value<other, const double*> {} other;

// What runs on a device alone: simulation must not call it.
struct device_only {
    template <class... A>
    int operator()(A...) const {
        throw std::logic_error("called on the host");
    }
};

}  // namespace

TEST_CASE("captured calls are simulated by their host implementation, in loops and branches too") {
    std::vector<double> xs{1, 2, 3}, ys(3);
    double sum = 0;
    const auto axpy = captured(device_only{}, [](const double* from, double* to, double factor, index_t n) {
        for (index_t i = 0; i < n; ++i) to[i] += factor * from[i];
    });
    const auto add_up = cub_call(device_only{}, [](const double* from, double* to, index_t n) {
        *to = 0;
        for (index_t i = 0; i < n; ++i) *to += from[i];
        return 0;
    });
    const auto e = seq(copy(in(x), out(t)), fill(out(y), 0), repeat(2, seq(axpy(in(t), inout(y), by, extent(t)), add_up(in(y), out(s), extent(y)))),
                       when(s > 30, axpy(in(x), inout(y), 100.0, 1)));
    simulate(e, x(std::span(xs)), y(std::span(ys)), s(&sum), by(3));
    CHECK(ys == std::vector<double>{106, 12, 18});
    CHECK(sum == 36);
}

TEST_CASE("pointers reach code of the host as memory, as values and as literals") {
    std::vector<double> xs{1, 2, 3}, ys{10, 20, 30}, zs(3);
    const auto add_up = [](const double* memory, const double* bound, const double* literal, double* to) { *to += *memory + *bound + *literal; };
    simulate(seq(captured(device_only{}, add_up)(in(x), other, zs.data(), inout(y)), host(add_up)(in(x), other, zs.data() + 1, inout(y))), x(std::span(xs)),
             other(ys.data() + 1), y(std::span(ys)));
    CHECK(ys == std::vector<double>{52, 20, 30});
}

TEST_CASE("function objects of captured calls may own what they need") {
    const auto factor = std::make_shared<double>(5);
    std::vector<double> xs{1, 2};
    {
        const auto e = captured(device_only{}, [factor](double* values, index_t n) {
            for (index_t i = 0; i < n; ++i) values[i] *= *factor;
        })(inout(x), extent(x));
        CHECK(factor.use_count() > 1);
        simulate(e, x(std::span(xs)));
    }
    CHECK(factor.use_count() == 1);
    CHECK(xs == std::vector<double>{5, 10});
}

TEST_CASE("a status that is no success stops a simulation, and names the call") {
    enum class status { success, exhausted = 7 };
    std::vector<double> xs(2);
    const auto e = label("factorize", captured(device_only{}, [](double*) { return status::exhausted; })(inout(x)));
    try {
        simulate(e, x(std::span(xs)));
        FAIL("no error");
    } catch (const error& failed) {
        CHECK(std::string(failed.what()).find("'factorize'") != std::string::npos);
        CHECK(std::string(failed.what()).find("gave the status 7") != std::string::npos);
    }
}

TEST_CASE("a status of 64 bits is no success when its lower half is zero") {
    double number = 0;
    CHECK_THROWS_AS(simulate(captured(device_only{}, [](double*) { return 1LL << 32; })(out(s)), s(&number)), error);
    CHECK_THROWS_AS(simulate(captured(device_only{}, [](double*) { return 1ULL << 63; })(out(s)), s(&number)), error);
}

TEST_CASE("host work is simulated in its turn; events and barriers are passed over") {
    std::vector<double> xs{1, 2}, ys(2);
    std::vector<double> seen;
    const auto look = [&seen](const double* values, double expected) { seen.push_back(values[0] + expected / 100); };
    CUevent_st* const none = nullptr;
    const auto e = seq(host(look)(in(x), 1.0), fill(out(x), 5), record(none), wait(none)(out(y)), barrier(), host(look)(in(x), 2.0),
                       copy(in(x), out(y)), host([](double* values, index_t n, double factor) {
                           for (index_t i = 0; i < n; ++i) values[i] *= factor;
                       })(inout(y), extent(y), by));
    simulate(e, x(std::span(xs)), y(std::span(ys)), by(10));
    CHECK(seen == std::vector<double>{1.01, 5.02});
    CHECK(ys == std::vector<double>{50, 50});
    CHECK_THROWS_AS(simulate(host([](double*) { throw std::out_of_range("stop"); })(inout(x)), x(std::span(xs))), std::out_of_range);
}
