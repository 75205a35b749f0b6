// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

// Reductions that give several scalars in one pass, alone and in loops, and beside the same reductions one by one.
namespace expressions::several_results {

using namespace cograph;

using integer = std::int64_t;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct total : scalar<total, integer> {} total;
inline constexpr struct most : scalar<most, int> {} most;
inline constexpr struct product : scalar<product, double> {} product;
inline constexpr struct product_alone : scalar<product_alone, double> {} product_alone;
inline constexpr struct first_total : scalar<first_total, integer> {} first_total;
inline constexpr struct first_joined : scalar<first_joined, int> {} first_joined;
inline constexpr struct few : scalar<few, int> {} few;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct by : value<by, int> {} by;

struct all_bits {
    COGRAPH_HD int operator()(int a, int b) const { return a | b; }
};
struct of_element {
    COGRAPH_HD auto operator()(index_t at, int number, int factor) const { return terms{number * factor, static_cast<int>(number % 100 + at % 7), 1.0 / (1 + number)}; }
};
struct reciprocal {
    COGRAPH_HD double operator()(index_t, int number) const { return 1.0 / (1 + number); }
};
struct of_first {
    COGRAPH_HD auto operator()(index_t at, int number) const { return terms{integer{number}, static_cast<int>(at % 16)}; }
};
struct change {
    COGRAPH_HD void operator()(index_t at, int& number, integer sum, int largest) const { number = static_cast<int>((number * 5 + sum % 97 + largest + at) % 1013); }
};
struct fewer {
    COGRAPH_HD void operator()(int& first) const { first = first * 3 / 4; }
};

struct all_of_them {
    std::vector<int> x_;
    integer total_ = -1, first_total_ = -1;
    int most_ = 0, first_joined_ = 0, few_ = 0, i_ = 0, by_ = 3;
    double product_ = -1, product_alone_ = -1;

    all_of_them() : all_of_them(700, 333) {}
    all_of_them(std::size_t n, int first) : x_(n), few_(first) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<int>(at * 37 % 983);
    }
    static constexpr auto expression() {
        constexpr auto looks = seq(transform_reduce(over(x), of_element{}, operations(plus{}, maximum{}, plus{}))(out(total), out(most), out(product), in(x[each]), by),
                                   transform_reduce(over(x), reciprocal{}, plus{})(out(product_alone), in(x[each])),
                                   transform_reduce(over(x).first(few), of_first{}, operations(plus{}, all_bits{}), terms{integer{0}, 0})(out(first_total), out(first_joined),
                                                                                                                                           in(x[each])));
        return seq(looks, assign(i, 0),
                   loop_while(i < 3 && total != -7 && first_total != -7,
                              seq(for_each(over(x), change{})(inout(x[each]), in(total), in(most)), single_task(fewer{})(inout(few)), looks, assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), total(at(total_)), most(at(most_)), product(at(product_)), product_alone(at(product_alone_)), first_total(at(first_total_)),
                          first_joined(at(first_joined_)), few(at(few_)), i(at(i_)), by(by_));
    }
    void compute() {
        const auto looks = [&] {
            total_ = first_total_ = first_joined_ = 0;
            most_ = std::numeric_limits<int>::min();
            for (std::size_t at = 0; at < x_.size(); ++at) {
                const index_t k = static_cast<index_t>(at);
                const auto found = of_element{}(k, x_[at], by_);
                total_ += found.first;
                most_ = std::max(most_, found.others.first);
                if (k >= few_) continue;
                first_total_ += x_[at];
                first_joined_ |= static_cast<int>(k % 16);
            }
        };
        looks();
        for (i_ = 0; i_ < 3; ++i_) {
            for (std::size_t at = 0; at < x_.size(); ++at) change{}(static_cast<index_t>(at), x_[at], total_, most_);
            fewer{}(few_);
            looks();
        }
    }
    // The sums of reciprocals: bit for bit those that one reduction gives, which documented_order.hpp has.
    bool operator==(const all_of_them& other) const {
        return x_ == other.x_ && total_ == other.total_ && most_ == other.most_ && first_total_ == other.first_total_ && first_joined_ == other.first_joined_ &&
               few_ == other.few_ && i_ == other.i_ && (product_ == product_alone_ || product_ == -1) && (other.product_ == other.product_alone_ || other.product_ == -1);
    }
};

// The second of two reductions gives the length of both, and the first one's terms read that, too.
struct by_length {
    COGRAPH_HD integer operator()(index_t at, int number, int length) const { return number * (length % 7 + 1) + at % 5; }
};
struct is_kept {
    COGRAPH_HD int operator()(index_t at, int number, int length) const { return (number + at + length) % 5 != 0; }
};
struct of_own_length {
    std::vector<int> x_;
    integer first_total_ = -1;
    int few_ = 0, i_ = 0, passes_ = 4;

    of_own_length() : of_own_length(700, 600) {}
    of_own_length(std::size_t n, int first) : x_(n), few_(first) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<int>(at * 37 % 983);
    }
    static constexpr auto body() {
        return seq(transform_reduce(over(x).first(few), by_length{}, plus{})(out(first_total), in(x[each]), in(few)),
                   transform_reduce(over(x).first(few), is_kept{}, plus{})(out(few), in(x[each]), by), assign(i, i + 1));
    }
    static constexpr auto expression() { return seq(assign(i, 0), loop_while(i < by && first_total != -7, body())); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), first_total(at(first_total_)), few(at(few_)), i(at(i_)), by(passes_));
    }
    void compute() {
        for (i_ = 0; i_ < passes_ && first_total_ != -7; ++i_) {
            int kept = 0;
            first_total_ = 0;
            for (int at = 0; at < few_; ++at) {
                first_total_ += by_length{}(at, x_[static_cast<std::size_t>(at)], few_);
                kept += is_kept{}(at, x_[static_cast<std::size_t>(at)], passes_);
            }
            few_ = kept;
        }
    }
    bool operator==(const of_own_length&) const = default;
};

}  // namespace expressions::several_results
