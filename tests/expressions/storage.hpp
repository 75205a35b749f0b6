// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>

// Memory that the run owns, and how many elements nodes run over.
namespace expressions::storage {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct some : value<some, short> {} some;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct u : temp<u, float, struct x> {} u;
inline constexpr struct counted : temp<counted, std::int64_t> {} counted;
inline constexpr struct twice : temp<twice, double, elements<2 * extent(x) - some>> {} twice;
inline constexpr struct small : temp<small, char> {} small;
inline constexpr struct own : scalar<own, double> {} own;
inline constexpr struct other : scalar<other, std::int64_t> {} other;
inline constexpr struct result : scalar<result, double> {} result;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct few : value<few, std::uint8_t> {} few;
inline constexpr struct many : value<many, std::uint64_t> {} many;

struct shift_left {
    COGRAPH_HD void operator()(index_t i, const double* from, double* to, index_t count) const {
        to[i] = from[(i + 1) % count];
    }
};
struct narrow {
    COGRAPH_HD void operator()(index_t i, const double* from, float* to) const {
        to[i] = static_cast<float>(from[i] / 2);
    }
};
struct add_up {
    COGRAPH_HD void operator()(index_t i, const float* f, const std::int64_t* w, const char* c,
                               double* to) const {
        to[i] += f[i] + static_cast<double>(w[i % 3]) + c[0];
    }
};
struct count_up {
    COGRAPH_HD void operator()(index_t i, std::int64_t* to) const { to[i] = 100 * i; }
};

struct add_own {
    COGRAPH_HD void operator()(index_t, double& to, double own_sum) const { to += own_sum; }
};

// Temps as long as another variable, as a formula and as a binding says; nothing of them is seen outside.
struct temps {
    std::vector<double> x_ = {1, 2, 3, 4, 5, 6, 7};

    static constexpr auto expression() {
        return seq(for_each(over(x), shift_left{})(in(x), out(t), extent(t)),
                   for_each(over(t), narrow{})(in(t), out(u)),
                   for_each(over(counted), count_up{})(out(counted)), fill(out(small), 9),
                   for_each(over(u), add_up{})(in(u), in(counted), in(small), inout(x)),
                   fill(out(twice), 0.5), reduce(out(own), in(twice)), for_each(over(x), add_own{})(inout(x[each]), own));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), counted(3), small(1), some(4));
    }
    void compute() {
        const std::vector<double> was = x_;
        for (std::size_t i = 0; i < 7; ++i)
            x_[i] += was[(i + 1) % 7] / 2 + static_cast<double>(100 * (i % 3)) + 9 + 5;
    }
    bool operator==(const temps&) const = default;
};

// Scalars that nobody binds.
struct owned_scalars {
    std::vector<double> x_ = {1, 2, 3};
    double result_ = 0;

    static constexpr auto expression() {
        return seq(reduce(out(own), in(x)), assign(other, 1),
                   loop_while(other < own, seq(assign(own, own - 0.5), assign(other, other + 1))),
                   assign(result, own * 1000 + other), fill(out(x), own));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), result(at(result_)));
    }
    void compute() {
        double own_ = 0;
        for (double value : x_) own_ += value;
        std::int64_t other_ = 1;
        while (static_cast<double>(other_) < own_) {
            own_ -= 0.5;
            ++other_;
        }
        result_ = own_ * 1000 + static_cast<double>(other_);
        for (double& value : x_) value = own_;
    }
    bool operator==(const owned_scalars&) const = default;
};

// Nodes over as many elements as a value says, and over a constant number.
struct add_index {
    double unit;
    COGRAPH_HD void operator()(index_t i, double* to) const { to[i] += unit * static_cast<double>(i + 1); }
};
DEFINE_TEST_KERNEL void add_units(double* to, std::uint64_t count, double unit) {
    const index_t i = thread_number();
    if (i < static_cast<index_t>(count)) to[i] += unit;
}
inline void add_units_on_host(double* to, std::uint64_t count, double unit) {
    for (std::uint64_t i = 0; i < count; ++i) to[i] += unit;
}
struct index_value {
    COGRAPH_HD double operator()(index_t i) const { return static_cast<double>(i); }
};
struct domains {
    std::vector<double> x_ = std::vector<double>(1000), y_ = std::vector<double>(3);
    double result_ = 0;

    static constexpr auto expression() {
        return seq(for_each(over(n), add_index{1})(inout(x)), for_each(over(700), add_index{2})(inout(x)),
                   for_each(over(few), add_index{4})(inout(x)),
                   kernel<add_units, add_units_on_host>(over(many))(x, many, 8),
                   for_each(over(some).block(1), add_index{16})(inout(x)),
                   for_each(over(1), add_index{32})(inout(x)), assign(own, 0.0),
                   for_each(over(y).block(1024), add_index{64})(inout(y)),
                   transform_reduce(over(n), index_value{}, plus{})(out(result)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), n(999), few(200), many(513), some(2), result(at(result_)));
    }
    void compute() {
        const auto add = [&](double unit, int count) {
            for (int i = 0; i < count; ++i) x_[static_cast<std::size_t>(i)] += unit * (i + 1);
        };
        add(1, 999);
        add(2, 700);
        add(4, 200);
        for (int i = 0; i < 513; ++i) x_[static_cast<std::size_t>(i)] += 8;
        add(16, 2);
        add(32, 1);
        for (int i = 0; i < 3; ++i) y_[static_cast<std::size_t>(i)] += 64 * (i + 1);
        result_ = 999 * 998 / 2;
    }
    bool operator==(const domains&) const = default;
};

// A temp of which a pass writes some elements, or in a loop of no passes none: the others stay what they were, though another
// temp is in use behind the last reader.
inline constexpr struct kept : temp<kept, double, struct y> {} kept;
inline constexpr struct between : temp<between, double, struct y> {} between;
inline constexpr struct pass : scalar<pass, int> {} pass;
inline constexpr struct inner : scalar<inner, int> {} inner;
struct set_to {
    double value;
    COGRAPH_HD void operator()(index_t, double& to) const { to = value; }
};
struct add_element {
    COGRAPH_HD void operator()(index_t, const double& from, double& to) const { to += from; }
};
struct take_element {
    COGRAPH_HD void operator()(index_t, const double& from, double& to) const { to = from; }
};
constexpr auto add_kept = for_each(over(y), add_element{})(in(kept[each]), inout(y[each]));
constexpr auto use_between = seq(for_each(over(y), take_element{})(in(y[each]), out(between[each])), reduce(out(result), in(between)));
template <index_t Count>
struct partly_written {
    std::vector<double> x_ = std::vector<double>(100), y_ = std::vector<double>(Count);
    double result_ = 0;
    int pass_ = 0;

    static constexpr auto expression() {
        return seq(fill(out(kept), 5), assign(pass, 0),
                   loop_while(pass < 3, seq(for_each(over(x), set_to{1})(out(kept[each])), add_kept, use_between, assign(pass, pass + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), result(at(result_)), pass(at(pass_)));
    }
    void compute() {
        for (pass_ = 0; pass_ < 3; ++pass_) {
            result_ = 0;
            for (std::size_t i = 0; i < y_.size(); ++i) result_ += y_[i] += i < x_.size() ? 1 : 5;
        }
    }
    bool operator==(const partly_written&) const = default;
};
struct perhaps_written {
    std::vector<double> y_ = std::vector<double>(1000);
    double result_ = 0;
    int pass_ = 0, inner_ = 0;

    // as_nodes: the loop inside alone is one kernel.
    static constexpr auto expression() {
        return seq(fill(out(kept), 5), assign(pass, 0),
                   loop_while(pass < 3, seq(as_nodes(assign(pass, pass + 1)), assign(inner, 0),
                                            loop_while(inner < pass - 2, seq(for_each(over(y), set_to{2})(out(kept[each])), assign(inner, inner + 1))),
                                            add_kept, use_between)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(y(at(y_)), result(at(result_)), pass(at(pass_)), inner(at(inner_)));
    }
    void compute() {
        for (pass_ = 1; pass_ <= 3; ++pass_) {
            inner_ = pass_ > 2 ? 1 : 0;
            result_ = 0;
            for (double& element : y_) result_ += element += pass_ > 2 ? 2 : 5;
        }
        pass_ = 3;
    }
    bool operator==(const perhaps_written&) const = default;
};

// Scalars that are not bound and have a value in their declaration: each run begins with it.
struct of_three {
    int numbers[3];
    constexpr bool operator==(const of_three&) const = default;
};
// [initial]
inline constexpr struct step : scalar<step, double> {
    static constexpr double initial = 0.5;
} step;
inline constexpr struct iteration : scalar<iteration, int> {
    static constexpr int initial = 0;
} iteration;
// [/initial]
inline constexpr struct three : scalar<three, of_three> {
    static constexpr of_three initial = {{1, 20, 300}};
} three;
inline constexpr struct bound_after_all : scalar<bound_after_all, int> {
    static constexpr int initial = 1000;
} bound_after_all;
struct add_all {
    COGRAPH_HD void operator()(index_t, double& to, const of_three& from, int more) const { to += from.numbers[0] + from.numbers[1] + from.numbers[2] + more; }
};
struct change_first {
    COGRAPH_HD void operator()(of_three& in) const { in.numbers[0] += 5; }
};
struct initial_scalars {
    std::vector<double> x_ = std::vector<double>(300, 1);
    int bound_ = 7;

    static constexpr auto expression() {
        return seq(loop_while(iteration < 4, seq(for_each(over(x), add_own{})(inout(x[each]), in(step)), assign(step, step * 2), assign(iteration, iteration + 1))),
                   for_each(over(x), add_all{})(inout(x[each]), in(three), in(bound_after_all)), single_task(change_first{})(inout(three)),
                   assign(bound_after_all, bound_after_all + 1));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), bound_after_all(at(bound_)));
    }
    void compute() {
        for (double& element : x_) element += 0.5 + 1 + 2 + 4 + 321 + bound_;
        ++bound_;
    }
    bool operator==(const initial_scalars&) const = default;
};

using cases = std::tuple<temps, owned_scalars, initial_scalars, domains, partly_written<512>, partly_written<200000>, perhaps_written>;

}  // namespace expressions::storage
