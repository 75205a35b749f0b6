// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cograph/launch_shape.hpp>

#include <cstdint>

// Loops whose kernel has a given shape: more blocks than chunks of elements and fewer, clusters.
namespace expressions::launch_shape {

using namespace cograph;
using integer = std::int64_t;

inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct y : buffer<y, integer> {} y;
inline constexpr struct sum : scalar<sum, integer> {} sum;
inline constexpr struct part : scalar<part, double> {} part;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;

struct ring {
    COGRAPH_HD void operator()(index_t at, const integer* from, integer& to, index_t n) const { to = (from[at + 1 == n ? 0 : at + 1] * 5 + at) % 1009; }
};
struct add_up {
    COGRAPH_HD void operator()(index_t at, integer& own, const integer& all) const { own = (own + all + at) % 1013; }
};
struct quarter {
    COGRAPH_HD double operator()(index_t, integer own) const { return static_cast<double>(own) / 4; }
};
struct whole {
    COGRAPH_HD integer operator()(index_t, integer own) const { return own; }
};
constexpr auto body = seq(for_each(over(x), ring{})(in(x), out(y[each]), extent(x)), reduce(out(sum), in(y)), for_each(over(x), add_up{})(inout(y[each]), sum),
                          transform_reduce(over(x), quarter{}, plus{})(out(part), in(y[each])), for_each(over(x), ring{})(in(y), out(x[each]), extent(x)), assign(i, i + 1));

template <class Shape>
struct of_shape {
    std::vector<integer> x_, y_;
    integer sum_ = 0;
    double part_ = 0;
    int i_ = 0, passes_;
    of_shape() : of_shape(1'500) {}
    explicit of_shape(std::size_t n, int of_passes = 3) : x_(n), y_(n), passes_(of_passes) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<integer>(at * 17 % 101);
    }

    static constexpr auto expression() { return seq(assign(i, 0), Shape::loop(i < passes, body)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), sum(at(sum_)), part(at(part_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        const index_t n = static_cast<index_t>(x_.size());
        for (i_ = 0; i_ < passes_; ++i_) {
            for (index_t at = 0; at < n; ++at) ring{}(at, x_.data(), y_[static_cast<std::size_t>(at)], n);
            sum_ = 0;
            for (const integer one : y_) sum_ += one;
            part_ = 0;
            for (index_t at = 0; at < n; ++at) {
                add_up{}(at, y_[static_cast<std::size_t>(at)], sum_);
                part_ += quarter{}(at, y_[static_cast<std::size_t>(at)]);
            }
            for (index_t at = 0; at < n; ++at) ring{}(at, y_.data(), x_[static_cast<std::size_t>(at)], n);
            if constexpr (requires { Shape::go_on(x_, sum_); }) Shape::go_on(x_, sum_);
        }
    }
    bool operator==(const of_shape&) const = default;
};

// [shapes]
struct whole_gpu {
    static constexpr auto loop(auto predicate, auto once) { return loop_while(predicate, once, grid_of<whole_device>, block_of<512>); }
};
struct one_block {
    static constexpr auto loop(auto predicate, auto once) { return loop_while(predicate, once, grid_of<1>, block_of<768>); }
};
struct small_blocks {
    static constexpr auto loop(auto predicate, auto once) { return loop_while(predicate, once, block_of<256>); }
};
// [/shapes]
struct five_blocks {
    static constexpr auto loop(auto predicate, auto once) { return do_while(once, predicate, at_most(100), check_every<1>, grid_of<5>, block_of<256>); }
};
struct eleven_blocks {
    static constexpr auto loop(auto, auto once) { return repeat(passes, once, at_most(50), grid_of<11>); }
};
// Blocks of up to 512 threads, since threads keep 176 bytes of scalars.
struct powers_of_sum {
    integer of[20];
};
inline constexpr struct powers : scalar<powers, powers_of_sum> {} powers;
struct find_powers {
    COGRAPH_HD void operator()(powers_of_sum& found, integer of) const {
        integer power = 1;
        for (integer& to : found.of) to = power = power * of % 1009;
    }
};
struct add_power {
    COGRAPH_HD void operator()(index_t at, integer& own, const powers_of_sum& found) const { own = (own + found.of[at % 20]) % 1013; }
};
struct many_scalars {
    static constexpr auto loop(auto predicate, auto once) {
        return loop_while(predicate, seq(once, single_task(find_powers{})(out(powers), sum), for_each(over(x), add_power{})(inout(x[each]), powers)));
    }
    static void go_on(std::vector<integer>& all, integer of) {
        powers_of_sum found{};
        find_powers{}(found, of);
        for (std::size_t at = 0; at < all.size(); ++at) add_power{}(static_cast<index_t>(at), all[at], found);
    }
};
// Over a number of elements that the types of nodes say.
struct as_it_is {
    static constexpr auto loop(auto predicate, auto once) { return loop_while(predicate, once); }
};
struct one_large_block {
    static constexpr auto loop(auto predicate, auto once) { return loop_while(predicate, once, block_of<1024>); }
};
template <index_t N, class Shape>
struct of_constant : of_shape<Shape> {
    of_constant() : of_shape<Shape>(N) {}
    static constexpr auto expression() {
        constexpr auto constant_body = seq(for_each(over<N>(), ring{})(in(x), out(y[each]), extent(x)), transform_reduce(over<N>(), whole{}, plus{})(out(sum), in(y[each])),
                                           for_each(over<N>(), add_up{})(inout(y[each]), sum), transform_reduce(over<N>(), quarter{}, plus{})(out(part), in(y[each])),
                                           for_each(over<N>(), ring{})(in(y), out(x[each]), extent(x)), assign(i, i + 1));
        return seq(assign(i, 0), Shape::loop(i < passes, constant_body));
    }
};
using constants = std::tuple<of_constant<400, as_it_is>, of_constant<900, as_it_is>, of_constant<900, one_large_block>>;
using all = std::tuple<of_shape<whole_gpu>, of_shape<one_block>, of_shape<small_blocks>, of_shape<five_blocks>, of_shape<eleven_blocks>, of_shape<many_scalars>>;

}  // namespace expressions::launch_shape
