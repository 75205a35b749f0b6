// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/batch_node.hpp>

#include <limits>

namespace cograph::core {

// The parameters of a batch by number; on both sides.
template <int I, class T>
struct held {
    T value;
};
template <int I, class T>
COGRAPH_HD constexpr T const& held_at(held<I, T> const& p) {
    return p.value;
}

// A number of problem q: the length of a part, a value, or what all problems share.
template <class T, int Code, class Batch>
COGRAPH_HD constexpr T number_of_problem(Batch const& batch, [[maybe_unused]] index_t q) {
    constexpr origin how = how_of(Code);
    constexpr int at = place_in(Code);
    if constexpr (how == origin::length)
        return static_cast<T>(static_cast<index_t>(held_at<at + 2>(batch)[q + 1]) - static_cast<index_t>(held_at<at + 2>(batch)[q]));
    else if constexpr (how == origin::element)
        return static_cast<T>(held_at<at>(batch)[q]);
    else
        return static_cast<T>(held_at<at>(batch));
}
template <int Code, class Batch>
COGRAPH_HD constexpr index_t length_of_problem(Batch const& batch, index_t q) {
    return number_of_problem<index_t, Code>(batch, q);
}

// Numbers of elements that the device computes.
struct checked_length {
    index_t value;
    bool is_right;
};
inline constexpr index_t least_index = std::numeric_limits<index_t>::min(), most_index = std::numeric_limits<index_t>::max();
COGRAPH_HD constexpr bool sum_wraps(index_t a, index_t b) { return b > 0 ? a > most_index - b : a < least_index - b; }
COGRAPH_HD constexpr bool product_wraps(index_t a, index_t b) {
    if (a == 0 || b == 0) return false;
    if (b < 0) return a > 0 ? b < least_index / a : a < most_index / b;
    return a > 0 ? a > most_index / b : a < least_index / b;
}
COGRAPH_HD constexpr bool has_result(size_step what, index_t a, index_t b) {
    switch (what) {
        case size_step::sum: return !sum_wraps(a, b);
        case size_step::difference: return b == least_index ? a < 0 : !sum_wraps(a, -b);
        case size_step::product: return !product_wraps(a, b);
        case size_step::smaller:
        case size_step::larger: return true;
        default: return b != 0 && !(a == least_index && b == -1);
    }
}
COGRAPH_HD constexpr checked_length step_of_length(size_step what, checked_length a, checked_length b) {
    if (!a.is_right || !b.is_right || !has_result(what, a.value, b.value)) return {0, false};
    switch (what) {
        case size_step::sum: return {a.value + b.value, true};
        case size_step::difference: return {a.value - b.value, true};
        case size_step::product: return {a.value * b.value, true};
        case size_step::smaller: return {b.value < a.value ? b.value : a.value, true};
        case size_step::larger: return {a.value < b.value ? b.value : a.value, true};
        case size_step::remainder: return {a.value % b.value, true};
        case size_step::quotient: return {a.value / b.value, true};
        default: return {a.value / b.value + (a.value % b.value != 0 && (a.value < 0) == (b.value < 0)), true};
    }
}
// The steps from the last one to the first; where is the number of the next one.
template <class Steps, class Sources>
struct length_formula;
template <std::int64_t... Step, int... Source>
struct length_formula<std::integer_sequence<std::int64_t, Step...>, std::integer_sequence<int, Source...>> {
    struct parts {
        std::int64_t steps[sizeof...(Step)];
        int sources[sizeof...(Source) + 1];
        COGRAPH_HD constexpr int begin(int end) const {  // of the operand that ends there
            int at = end - 1;
            for (int open = 1; open > 0; --at) {
                const size_step what = static_cast<size_step>(steps[2 * at]);
                open += what == size_step::number || what == size_step::extent ? -1 : 1;
            }
            return at + 1;
        }
    };
    static constexpr parts all{{Step...}, {Source..., 0}};

    template <int End, class Batch>
    COGRAPH_HD static constexpr checked_length compute([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        constexpr size_step what = static_cast<size_step>(all.steps[2 * End - 2]);
        constexpr std::int64_t number = all.steps[2 * End - 1];
        if constexpr (what == size_step::number) {
            return {static_cast<index_t>(number), true};
        } else if constexpr (what == size_step::extent) {
            constexpr int source = all.sources[number];
            return {length_of_problem<source>(batch, q), true};
        } else {
            constexpr int second = all.begin(End - 1);
            return step_of_length(what, compute<second>(batch, q), compute<End - 1>(batch, q));
        }
    }
};

// A formula of a node.
template <class P>
struct values_in_problem;
template <class P, class F, class... T, int... Source>
struct values_in_problem<value_of_problem<P, F, list<T...>, std::integer_sequence<int, Source...>>> {
    template <int At, class Batch>
    COGRAPH_HD static constexpr P of(Batch const& batch, index_t q) {
        if constexpr (is_empty_type<F>)
            return call(F{}, number_of_problem<T, Source>(batch, q)...);
        else
            return call(held_at<At>(batch).get(), number_of_problem<T, Source>(batch, q)...);
    }

private:
    COGRAPH_HD static constexpr P call(F const& formula, T const&... numbers) {
        return static_cast<P>(formula.template at<0>(numbered_values<std::index_sequence_for<T...>, T...>{{numbers}...}));
    }
};

template <class P>
inline constexpr bool is_count_of_problem = false;
template <class P, int Most, class Steps, class Sources, class Limits>
inline constexpr bool is_count_of_problem<count_of_problem<P, Most, Steps, Sources, Limits>> = true;

template <class P>
struct counts_in_problem;
template <class P, int Most, std::int64_t... Step, class Sources, int... Limit>
struct counts_in_problem<count_of_problem<P, Most, std::integer_sequence<std::int64_t, Step...>, Sources, std::integer_sequence<int, Limit...>>> {
    template <class Batch>
    COGRAPH_HD static constexpr checked_length of(Batch const& batch, index_t q) {
        return length_formula<std::integer_sequence<std::int64_t, Step...>, Sources>::template compute<static_cast<int>(sizeof...(Step) / 2)>(batch, q);
    }
    template <int Code, class Batch>
    COGRAPH_HD static constexpr bool holds([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, [[maybe_unused]] index_t n) {
        if constexpr (Code < 0)
            return true;
        else
            return n <= length_of_problem<Code>(batch, q);
    }
    // Whether no problem runs over more elements than there are.
    template <class Batch>
    COGRAPH_HD static constexpr bool is_right(Batch const& batch, index_t q) {
        const checked_length n = of(batch, q);
        return n.is_right && n.value >= 0 && holds<Most>(batch, q, n.value) && (holds<Limit>(batch, q, n.value) && ...);
    }
};

}  // namespace cograph::core
