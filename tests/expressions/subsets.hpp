// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

// Strided and coloured subsets of shapes, alone, in loops and in branches.
namespace expressions::subsets {

using namespace cograph;

using integer = std::int64_t;
constexpr integer prime = 1009;

inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct u : buffer<u, integer> {} u;
inline constexpr struct space : buffer<space, integer> {} space;
inline constexpr struct total : scalar<total, integer> {} total;
inline constexpr struct most : scalar<most, integer> {} most;
inline constexpr struct of_space : scalar<of_space, integer> {} of_space;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct planes : value<planes, int> {} planes;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;

struct between {
    COGRAPH_HD void operator()(index_t at, const integer* all, integer& own, index_t n) const {
        own = (own + (at > 0 ? all[at - 1] : 1) + (at + 1 < n ? all[at + 1] : 2) + at) % prime;
    }
};
// [red_black]
struct relax {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> around, integer& own) const {
        own = (around.at_or(1, -1, 0) + around.at_or(2, 1, 0) + around.at_or(3, 0, -1) + around.at_or(4, 0, 1) + row * 3 + column) % prime;
    }
};
constexpr auto red = over(rows, columns).checkerboard<0>();
constexpr auto black = over(rows, columns).checkerboard<1>();
constexpr auto sweep = seq(for_each(red, relax{})(in(u[near<1, 1>]), out(u[each])), for_each(black, relax{})(in(u[near<1, 1>]), out(u[each])));
// [/red_black]
struct add_indices {
    COGRAPH_HD void operator()(index_t plane, index_t row, index_t column, integer& own) const { own = (own * 5 + plane * 7 + row * 3 + column) % prime; }
};
struct relax_in_space {
    COGRAPH_HD void operator()(index_t plane, index_t row, index_t column, neighbours<integer, 1, 1, 1> around, integer& own) const {
        own = (own + around.at_or(1, -1, 0, 0) + 2 * around.at_or(2, 1, 0, 0) + 3 * around.at_or(3, 0, -1, 0) + 5 * around.at_or(4, 0, 1, 0) + 7 * around.at_or(5, 0, 0, -1) +
               11 * around.at_or(6, 0, 0, 1) + plane * 7 + row * 3 + column) % prime;
    }
};
struct of_odd {
    COGRAPH_HD integer operator()(index_t at, integer own) const { return own * (at % 5 + 1); }
};
struct of_place {
    COGRAPH_HD integer operator()(index_t row, index_t column, integer own) const { return own + row - column; }
};
struct of_place_in_space {
    COGRAPH_HD integer operator()(index_t plane, index_t row, index_t column, integer own) const { return own * (plane + 1) + row - column; }
};

struct all_of_them {
    std::vector<integer> x_, u_, space_;
    integer total_ = -1, most_ = -1, of_space_ = -1;
    int i_ = 0, planes_, rows_, columns_;

    all_of_them() : all_of_them(97, 13, 7, 10) {}
    all_of_them(std::size_t n, int a, int b, int c)
        : x_(n), u_(static_cast<std::size_t>(b) * static_cast<std::size_t>(c)), space_(static_cast<std::size_t>(a) * u_.size()), planes_(a), rows_(b), columns_(c) {
        for (std::vector<integer>* all : {&x_, &u_, &space_})
            for (std::size_t at = 0; at < all->size(); ++at) (*all)[at] = static_cast<integer>(at * 37 % 983);
    }
    static constexpr auto expression() {
        constexpr auto box = over(planes, rows, columns);
        constexpr auto turn = seq(for_each(over(x).every<2>(), between{})(in(x), inout(x[each]), extent(x)), for_each(over(x).every<2, 1>(), between{})(in(x), inout(x[each]), extent(x)),
                                  for_each(over(x).every<5, 3>(), between{})(in(x), inout(x[each]), extent(x)), sweep,
                                  for_each(box.checkerboard<0>(), relax_in_space{})(in(space[near<1, 1, 1>]), inout(space[each])),
                                  for_each(box.checkerboard<1>(), relax_in_space{})(in(space[near<1, 1, 1>]), inout(space[each])));
        constexpr auto looks = seq(transform_reduce(over(x).every<2, 1>(), of_odd{}, plus{})(out(total), in(x[each])),
                                   transform_reduce(over(rows, columns).checkerboard<1>(), of_place{}, maximum{})(out(most), in(u[each])),
                                   transform_reduce(box.checkerboard<0>(), of_place_in_space{}, plus{})(out(of_space), in(space[each])));
        return seq(turn, looks, assign(i, 0),
                   loop_while(i < 3 && total != -7 && most != -7 && of_space != -7,
                              seq(turn, looks, when(i == 1, for_each(box.checkerboard<0>(), add_indices{})(inout(space[each]))), assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), u(at(u_)), space(at(space_)), total(at(total_)), most(at(most_)), of_space(at(of_space_)), i(at(i_)), planes(planes_), rows(rows_),
                          columns(columns_));
    }
    void compute() {
        const index_t n = static_cast<index_t>(x_.size());
        const auto every = [&](index_t stride, index_t offset) {
            for (index_t at = offset; at < n; at += stride) between{}(at, x_.data(), x_[static_cast<std::size_t>(at)], n);
        };
        const auto in_space = [&](auto f) {
            for (int p = 0; p < planes_; ++p)
                for (int r = 0; r < rows_; ++r)
                    for (int c = 0; c < columns_; ++c) f(p, r, c, space_[static_cast<std::size_t>((p * rows_ + r) * columns_ + c)]);
        };
        const auto relaxed = [&](int colour) {
            const auto of = [&](int p, int r, int c, integer beyond) {
                return p < 0 || r < 0 || c < 0 || p >= planes_ || r >= rows_ || c >= columns_ ? beyond : space_[static_cast<std::size_t>((p * rows_ + r) * columns_ + c)];
            };
            in_space([&](int p, int r, int c, integer& own) {
                if ((p + r + c) % 2 == colour)
                    own = (own + of(p - 1, r, c, 1) + 2 * of(p + 1, r, c, 2) + 3 * of(p, r - 1, c, 3) + 5 * of(p, r + 1, c, 4) + 7 * of(p, r, c - 1, 5) + 11 * of(p, r, c + 1, 6) + p * 7 + r * 3 + c) % prime;
            });
        };
        const auto turn = [&] {
            every(2, 0);
            every(2, 1);
            every(5, 3);
            const auto of = [&](int r, int c, integer beyond) { return r < 0 || c < 0 || r >= rows_ || c >= columns_ ? beyond : u_[static_cast<std::size_t>(r * columns_ + c)]; };
            for (int colour : {0, 1})
                for (int r = 0; r < rows_; ++r)
                    for (int c = 0; c < columns_; ++c)
                        if ((r + c) % 2 == colour)
                            u_[static_cast<std::size_t>(r * columns_ + c)] = (of(r - 1, c, 1) + of(r + 1, c, 2) + of(r, c - 1, 3) + of(r, c + 1, 4) + r * 3 + c) % prime;
            relaxed(0);
            relaxed(1);
        };
        const auto looks = [&] {
            total_ = of_space_ = 0;
            most_ = std::numeric_limits<integer>::min();
            for (index_t at = 1; at < n; at += 2) total_ += of_odd{}(at, x_[static_cast<std::size_t>(at)]);
            for (int r = 0; r < rows_; ++r)
                for (int c = 0; c < columns_; ++c)
                    if ((r + c) % 2 == 1) most_ = std::max(most_, of_place{}(r, c, u_[static_cast<std::size_t>(r * columns_ + c)]));
            in_space([&](int p, int r, int c, integer own) {
                if ((p + r + c) % 2 == 0) of_space_ += of_place_in_space{}(p, r, c, own);
            });
        };
        turn();
        looks();
        for (i_ = 0; i_ < 3; ++i_) {
            turn();
            looks();
            if (i_ == 1)
                in_space([&](int p, int r, int c, integer& own) {
                    if ((p + r + c) % 2 == 0) add_indices{}(p, r, c, own);
                });
        }
    }
    bool operator==(const all_of_them&) const = default;
};

}  // namespace expressions::subsets
