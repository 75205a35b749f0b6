// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

// Reductions over every kind of element and operation.
namespace expressions::reductions {

using namespace cograph;

// An element that fills no power of two, to go through shuffles and scratch memory.
struct place_of {
    double value;
    std::int64_t at;
    int votes;
    friend bool operator==(const place_of&, const place_of&) = default;
};

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct whole : buffer<whole, std::int64_t> {} whole;
inline constexpr struct bytes : buffer<bytes, unsigned char> {} bytes;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct sum : scalar<sum, double> {} sum;
inline constexpr struct lowest : scalar<lowest, double> {} lowest;
inline constexpr struct highest : scalar<highest, double> {} highest;
inline constexpr struct product : scalar<product, double> {} product;
inline constexpr struct total : scalar<total, std::int64_t> {} total;
inline constexpr struct all_bits : scalar<all_bits, std::int64_t> {} all_bits;
inline constexpr struct byte : scalar<byte, unsigned char> {} byte;
inline constexpr struct best : scalar<best, place_of> {} best;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct limit : value<limit, double> {} limit;

template <class T>
std::vector<T> numbers(int count, int step, int modulus) {
    std::vector<T> made(static_cast<std::size_t>(count));
    for (int j = 0; j < count; ++j)
        made[static_cast<std::size_t>(j)] =
            static_cast<T>(j * static_cast<long long>(step) % modulus - modulus / 2);
    return made;
}

// plus, multiplies, minimum, maximum with their own identities, and dot.
struct own_identities {
    std::vector<double> x_ = numbers<double>(3000, 37, 101), y_ = numbers<double>(3000, 11, 17);
    std::vector<std::int64_t> whole_ = numbers<std::int64_t>(700, 1'234'567, 1'000'003);
    double sum_ = 0, lowest_ = 0, highest_ = 0, product_ = 0;
    std::int64_t total_ = 0, all_bits_ = 0;

    static constexpr auto expression() {
        return seq(par(reduce(out(sum), in(x)), reduce(out(lowest), in(x), minimum{}),
                       reduce(out(highest), in(y), maximum{})),
                   reduce(out(total), in(whole)), dot(out(product), in(x), in(y)),
                   reduce(out(all_bits), in(whole), minimum{}));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), whole(at(whole_)), sum(at(sum_)), lowest(at(lowest_)),
                          highest(at(highest_)), product(at(product_)), total(at(total_)),
                          all_bits(at(all_bits_)));
    }
    void compute() {
        sum_ = product_ = 0;
        total_ = 0;
        for (std::size_t j = 0; j < x_.size(); ++j) {
            sum_ += x_[j];
            product_ += x_[j] * y_[j];
        }
        lowest_ = *std::min_element(x_.begin(), x_.end());
        highest_ = *std::max_element(y_.begin(), y_.end());
        for (std::int64_t w : whole_) total_ += w;
        all_bits_ = *std::min_element(whole_.begin(), whole_.end());
    }
    bool operator==(const own_identities&) const = default;
};

// Operations and functions of the user's own; a result of another type than the elements.
struct exclusive_or {
    COGRAPH_HD std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a ^ b; }
};
struct saturating {
    unsigned char most;
    COGRAPH_HD unsigned char operator()(unsigned char a, unsigned char b) const {
        const int both = a + b;
        return both > most ? most : static_cast<unsigned char>(both);
    }
};
struct element {
    template <class T>
    COGRAPH_HD T operator()(index_t at, const T* from) const {
        return from[at];
    }
};
struct better {
    COGRAPH_HD place_of operator()(const place_of& a, const place_of& b) const {
        place_of chosen = a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b;
        chosen.votes = a.votes + b.votes;
        return chosen;
    }
};
struct measure_distance {
    COGRAPH_HD place_of operator()(index_t at, const double* from, double far, const double& offset,
                                   index_t count) const {
        const double distance = from[at] > offset ? from[at] - offset : offset - from[at];
        return {distance, count - at, distance > far ? 1 : 0};
    }
};
struct own_operations {
    std::vector<double> x_ = numbers<double>(5000, 41, 3001);
    std::vector<std::int64_t> whole_ = numbers<std::int64_t>(2050, 7'654'321, 1'000'003);
    std::vector<unsigned char> bytes_ = std::vector<unsigned char>(4, 70);
    double lowest_ = 0;
    std::int64_t all_bits_ = 0;
    unsigned char byte_ = 0;
    place_of best_ = {};

    static constexpr auto expression() {
        return seq(transform_reduce(over(whole), element{}, exclusive_or{}, 0)(out(all_bits), in(whole)),
                   transform_reduce(over(bytes), element{}, saturating{250}, 0)(out(byte), in(bytes)),
                   reduce(out(lowest), in(x), minimum{}),
                   transform_reduce(over(x), measure_distance{}, better{}, place_of{-1, 1 << 20, 0})(
                       out(best), in(x), limit, lowest, extent(x)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), whole(at(whole_)), bytes(at(bytes_)), lowest(at(lowest_)),
                          all_bits(at(all_bits_)), byte(at(byte_)), best(at(best_)), limit(1000));
    }
    void compute() {
        all_bits_ = 0;
        for (std::int64_t w : whole_) all_bits_ ^= w;
        byte_ = 250;
        lowest_ = *std::min_element(x_.begin(), x_.end());
        best_ = {-1, 0, 0};
        for (std::size_t j = x_.size(); j-- > 0;) {
            const double distance = x_[j] - lowest_;
            if (distance > best_.value)
                best_ = {distance, static_cast<std::int64_t>(x_.size() - j), best_.votes};
            best_.votes += distance > 1000;
        }
    }
    bool operator==(const own_operations&) const = default;
};

// A reduction over many chunks again and again: what it needs for itself is ready on every pass.
struct in_a_loop {
    std::vector<double> x_ = numbers<double>(4099, 3, 64);
    double sum_ = 0, highest_ = 0;
    int i_ = 0;

    struct add_one {
        COGRAPH_HD void operator()(index_t at, double* to) const { to[at] += 1; }
    };
    static constexpr auto expression() {
        return seq(assign(i, 0), assign(highest, 0.0),
                   loop_while(i < 5, seq(for_each(over(x), add_one{})(inout(x)), reduce(out(sum), in(x)),
                                         assign(highest, highest + sum), assign(i, i + 1))),
                   copy(in(x), out(t)), fill(out(x), 1), dot(out(sum), in(x), in(t)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), sum(at(sum_)), highest(at(highest_)), i(at(i_)));
    }
    void compute() {
        highest_ = 0;
        for (int pass = 0; pass < 5; ++pass) {
            sum_ = 0;
            for (double& value : x_) sum_ += value += 1;
            highest_ += sum_;
        }
        for (double& value : x_) value = 1;
        i_ = 5;
    }
    bool operator==(const in_a_loop&) const = default;
};

// A result that is aligned to more bytes than the ticket in front of partial results takes.
struct alignas(32) sums_of_four {
    std::int64_t of[4];
    friend bool operator==(const sums_of_four&, const sums_of_four&) = default;
};
inline constexpr struct four : scalar<four, sums_of_four> {} four;
struct powers {
    COGRAPH_HD sums_of_four operator()(index_t, const std::int64_t& w) const { return {{1, w, w * w, w * w * w}}; }
};
struct add_four {
    COGRAPH_HD sums_of_four operator()(const sums_of_four& a, const sums_of_four& b) const {
        return {{a.of[0] + b.of[0], a.of[1] + b.of[1], a.of[2] + b.of[2], a.of[3] + b.of[3]}};
    }
};
struct aligned_results {
    std::vector<std::int64_t> whole_ = numbers<std::int64_t>(5003, 7'919, 1'001);
    sums_of_four four_ = {};

    static constexpr auto expression() { return transform_reduce(over(whole), powers{}, add_four{}, sums_of_four{})(out(four), in(whole[each])); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(whole(at(whole_)), four(at(four_)));
    }
    void compute() {
        four_ = {};
        for (std::int64_t w : whole_) four_ = add_four{}(four_, powers{}(0, w));
    }
    bool operator==(const aligned_results&) const = default;
};

// A matrix of 800 bytes, of which each warp of a block keeps one.
struct matrix {
    std::int64_t of[100];
    friend bool operator==(const matrix&, const matrix&) = default;
};
inline constexpr struct sum_of_products : scalar<sum_of_products, matrix> {} sum_of_products;
struct products {
    COGRAPH_HD matrix operator()(index_t at, const std::int64_t& w) const {
        matrix term;
        for (int k = 0; k < 100; ++k) term.of[k] = (w + k / 10) * (at + k % 10);
        return term;
    }
};
struct add_matrices {
    COGRAPH_HD matrix operator()(matrix a, const matrix& b) const {
        for (int k = 0; k < 100; ++k) a.of[k] += b.of[k];
        return a;
    }
};
struct large_result {
    std::vector<std::int64_t> whole_ = numbers<std::int64_t>(3001, 7'919, 1'001);
    matrix sum_of_products_ = {};

    static constexpr auto expression() {
        return transform_reduce(over(whole), products{}, add_matrices{}, matrix{})(out(sum_of_products), in(whole[each]));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(whole(at(whole_)), sum_of_products(at(sum_of_products_)));
    }
    void compute() {
        sum_of_products_ = {};
        for (std::size_t k = 0; k < whole_.size(); ++k)
            sum_of_products_ = add_matrices{}(sum_of_products_, products{}(static_cast<index_t>(k), whole_[k]));
    }
    bool operator==(const large_result&) const = default;
};

// Elements and results that nothing makes by default, once and in a loop.
struct counted {
    std::int64_t number;
    COGRAPH_HD explicit constexpr counted(std::int64_t is) : number(is) {}
    friend COGRAPH_HD constexpr counted operator+(counted a, counted b) { return counted(a.number + b.number); }
    friend COGRAPH_HD constexpr counted operator*(counted a, counted b) { return counted(a.number * b.number); }
    friend constexpr bool operator==(const counted&, const counted&) = default;
};
struct interval {
    counted low, high;
    friend constexpr bool operator==(const interval&, const interval&) = default;
};
inline constexpr struct counts : buffer<counts, counted> {} counts;
inline constexpr struct counts_up : temp<counts_up, counted, struct counts> {} counts_up;
inline constexpr struct count_sum : scalar<count_sum, counted> {} count_sum;
inline constexpr struct squares : scalar<squares, counted> {} squares;
inline constexpr struct span_of_all : scalar<span_of_all, interval> {} span_of_all;
struct of_one {
    COGRAPH_HD interval operator()(index_t, const counted& at) const { return {at, at}; }
};
struct hull {
    COGRAPH_HD interval operator()(const interval& a, const interval& b) const {
        return {a.low.number < b.low.number ? a.low : b.low, a.high.number < b.high.number ? b.high : a.high};
    }
};
struct is_below {
    COGRAPH_HD bool operator()(const counted& at, const counted& most) const { return at.number < most.number; }
};
struct add_to {
    COGRAPH_HD void operator()(index_t, counted& at, const interval& by) const { at = at + by.high; }
};
struct made_by_no_default {
    std::vector<counted> counts_;
    counted count_sum_{0}, squares_{0};
    interval span_of_all_{counted(0), counted(0)};
    int i_ = 0;

    made_by_no_default() {
        for (int k = 0; k < 1'500; ++k) counts_.push_back(counted(k * 37 % 1'009 - 500));
    }
    static constexpr auto expression() {
        constexpr auto find_span = transform_reduce(over(counts), of_one{}, hull{}, interval{counted(1 << 30), counted(-(1 << 30))})(out(span_of_all), in(counts[each]));
        return seq(copy(in(counts), out(counts_up)), reduce(out(count_sum), in(counts)), dot(out(squares), in(counts), in(counts_up)), assign(i, 0), find_span,
                   loop_while(any_of(counts, is_below{}, count_sum) && i < 3,
                              seq(for_each(over(counts), add_to{})(inout(counts[each]), in(span_of_all)), find_span, assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(counts(at(counts_)), count_sum(at(count_sum_)), squares(at(squares_)), span_of_all(at(span_of_all_)), i(at(i_)));
    }
    void compute() {
        count_sum_ = squares_ = counted(0);
        for (const counted& c : counts_) count_sum_ = count_sum_ + c, squares_ = squares_ + c * c;
        find();
        const auto below = [&](const counted& c) { return c.number < count_sum_.number; };
        for (i_ = 0; std::any_of(counts_.begin(), counts_.end(), below) && i_ < 3; ++i_) {
            for (counted& c : counts_) c = c + span_of_all_.high;
            find();
        }
    }
    void find() {
        span_of_all_ = {counts_[0], counts_[0]};
        for (const counted& c : counts_) span_of_all_ = hull{}(span_of_all_, {c, c});
    }
    bool operator==(const made_by_no_default&) const = default;
};

using cases = std::tuple<own_identities, own_operations, in_a_loop, aligned_results, large_result, made_by_no_default>;

}  // namespace expressions::reductions
