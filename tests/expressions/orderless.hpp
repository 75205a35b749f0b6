// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../documented_order.hpp"
#include "case.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

// Loops in which reductions stand alone whose order makes no difference, or next to none: of zeros, of what is not a number and, since
// comparisons may flush them, of numbers that are not normal it decides which is the result.
namespace expressions::orderless {

using namespace cograph;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : temp<y, int, struct x> {} y;
inline constexpr struct doubles : buffer<doubles, double> {} doubles;
inline constexpr struct floats : buffer<floats, float> {} floats;
inline constexpr struct log : buffer<log, std::uint64_t> {} log;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct largest_or_nan : scalar<largest_or_nan, double> {} largest_or_nan;
inline constexpr struct least : scalar<least, double> {} least;
inline constexpr struct least_or_nan : scalar<least_or_nan, float> {} least_or_nan;
inline constexpr struct least_single : scalar<least_single, float> {} least_single;
inline constexpr struct largest_short : scalar<largest_short, short> {} largest_short;
inline constexpr struct least_word : scalar<least_word, std::uint64_t> {} least_word;
inline constexpr struct sum : scalar<sum, int> {} sum;
inline constexpr struct long_sum : scalar<long_sum, std::int64_t> {} long_sum;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;

constexpr int kinds = 6, results = 9;
constexpr std::int64_t not_neutral = 3;

// What numbers a pass is about: plain ones, zeros of both signs, some that are no numbers, none that is normal, none that is a number,
// and infinities.
template <class T>
T number(int kind, std::size_t at) {
    using limits = std::numeric_limits<T>;
    const T plain = static_cast<T>(static_cast<double>(at * 37 % 1009) - 500.5), side = at % 2 == 0 ? T(1) : T(-1);
    switch (kind) {
        case 0: return plain;
        case 1: return T(0) * side;
        case 2: return at % 611 == 5 ? limits::quiet_NaN() : plain;
        case 3: return static_cast<T>(at % 13) * limits::denorm_min() * side;
        case 4: return at % 3 == 0 ? limits::quiet_NaN() : -limits::quiet_NaN();
        default: return at % 7 == 3 ? side * limits::infinity() : plain;
    }
}

struct of_pass {
    template <class T>
    COGRAPH_HD T operator()(index_t at, const T* numbers, const int& pass, index_t n) const {
        return numbers[pass % kinds * n + at];
    }
};
struct cut {
    COGRAPH_HD short operator()(index_t, const int& of) const { return static_cast<short>(of); }
};
struct scatter {
    COGRAPH_HD std::uint64_t operator()(index_t, const int& of) const { return static_cast<std::uint64_t>(of) * 0x9e3779b97f4a7c15u; }
};
struct stretch {
    COGRAPH_HD std::int64_t operator()(index_t, const int& of) const { return std::int64_t{of} * (1 << 30); }
};
// Notes the bits of a result.
template <int Number>
struct note {
    template <class T>
    COGRAPH_HD void operator()(index_t at, const int& pass, const T& result, std::uint64_t& to) const {
        if (at != index_t{pass} * results + Number) return;
        to = 0;
        memcpy(&to, &result, sizeof result);
    }
};
struct mix_neighbours {
    COGRAPH_HD void operator()(index_t at, const int* from, const int& pass, int& to, index_t n) const {
        to = (from[at] * 3 - from[at + 1 == n ? 0 : at + 1] + pass) % 5'003;
    }
};
struct take {
    COGRAPH_HD void operator()(index_t, const int& from, int& to) const { to = from; }
};

struct loop_over {
    std::vector<int> x_;
    std::vector<double> doubles_;
    std::vector<float> floats_;
    std::vector<std::uint64_t> log_;
    int passes_;

    loop_over(std::size_t n, int of_passes) : x_(n), log_(static_cast<std::size_t>(of_passes * results)), passes_(of_passes) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<int>(at * 7919 % 60'013) - 30'000;
        for (int kind = 0; kind < kinds; ++kind) {
            for (std::size_t at = 0; at < n; ++at) doubles_.push_back(number<double>(kind, at));
            for (std::size_t at = 0; at < n; ++at) floats_.push_back(number<float>(kind, at));
        }
    }
    template <int Number, class V>
    static constexpr auto note_of(V v) {
        return for_each(over(log), note<Number>{})(i, v, out(log[each]));
    }
    static constexpr auto expression() {
        constexpr auto body =
            seq(transform_reduce(over(x), of_pass{}, maximum{})(out(largest), in(doubles), i, extent(x)), note_of<0>(largest),
                transform_reduce(over(x), of_pass{}, minimum{})(out(least), in(doubles), i, extent(x)), note_of<1>(least),
                transform_reduce(over(x), of_pass{}, minimum{})(out(least_single), in(floats), i, extent(x)), note_of<2>(least_single),
                transform_reduce(over(x), cut{}, maximum{})(out(largest_short), in(x[each])), note_of<3>(largest_short),
                transform_reduce(over(x), scatter{}, minimum{})(out(least_word), in(x[each])), note_of<4>(least_word),
                for_each(over(x), mix_neighbours{})(in(x), i, out(y[each]), extent(x)), for_each(over(x), take{})(in(y[each]), out(x[each])),
                reduce(out(sum), in(x)), note_of<5>(sum),
                transform_reduce(over(x), stretch{}, plus{}, not_neutral)(out(long_sum), in(x[each])), note_of<6>(long_sum),
                transform_reduce(over(x), of_pass{}, maximum_or_nan{})(out(largest_or_nan), in(doubles), i, extent(x)), note_of<7>(largest_or_nan),
                transform_reduce(over(x), of_pass{}, minimum_or_nan{})(out(least_or_nan), in(floats), i, extent(x)), note_of<8>(least_or_nan), assign(i, i + 1));
        return seq(assign(i, 0), loop_while(i < passes, body));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), doubles(at(doubles_)), floats(at(floats_)), log(at(log_)), passes(passes_));
    }

    void compute() {
        const std::size_t n = x_.size();
        const auto joined = [&]<class T>(T identity, auto op, auto term) {
            std::vector<T> terms(n);
            for (std::size_t at = 0; at < n; ++at) terms[at] = term(at);
            const T result = documented_order::join(terms, identity, op);
            std::uint64_t bits = 0;
            std::memcpy(&bits, &result, sizeof result);
            return bits;
        };
        const auto greater = [](auto a, auto b) { return a < b ? b : a; };
        const auto lesser = [](auto a, auto b) { return b < a ? b : a; };
        const auto greater_or_nan = [](auto a, auto b) { return a < b || std::isnan(b) ? b : a; };
        const auto lesser_or_nan = [](auto a, auto b) { return b < a || std::isnan(b) ? b : a; };
        for (int pass = 0; pass < passes_; ++pass) {
            std::uint64_t* const to = log_.data() + pass * results;
            const std::size_t begin = static_cast<std::size_t>(pass % kinds) * n;
            const auto of = [&](const auto& numbers) { return [&](std::size_t at) { return numbers[begin + at]; }; };
            to[0] = joined(-std::numeric_limits<double>::infinity(), greater, of(doubles_));
            to[1] = joined(std::numeric_limits<double>::infinity(), lesser, of(doubles_));
            to[2] = joined(std::numeric_limits<float>::infinity(), lesser, of(floats_));
            to[3] = joined(std::numeric_limits<short>::lowest(), greater, [&](std::size_t at) { return static_cast<short>(x_[at]); });
            to[4] = joined(std::numeric_limits<std::uint64_t>::max(), lesser,
                           [&](std::size_t at) { return static_cast<std::uint64_t>(x_[at]) * 0x9e3779b97f4a7c15u; });
            const std::vector<int> from = x_;
            for (std::size_t at = 0; at < n; ++at) x_[at] = (from[at] * 3 - from[at + 1 == n ? 0 : at + 1] + pass) % 5'003;
            to[5] = joined(0, [](int a, int b) { return a + b; }, [&](std::size_t at) { return x_[at]; });
            to[6] = joined(not_neutral, [](std::int64_t a, std::int64_t b) { return a + b; },
                           [&](std::size_t at) { return std::int64_t{x_[at]} * (1 << 30); });
            to[7] = joined(-std::numeric_limits<double>::infinity(), greater_or_nan, of(doubles_));
            to[8] = joined(std::numeric_limits<float>::infinity(), lesser_or_nan, of(floats_));
        }
    }
    bool operator==(const loop_over& other) const { return x_ == other.x_ && log_ == other.log_; }
};

// One block, few chunks, a cluster, and the whole device with one element a thread and with more.
inline constexpr int sizes[] = {1, 257, 300, 600, 2'048, 2'049, 3000, 8193, 40'000, 131'072, 131'073, 300'001};

}  // namespace expressions::orderless
