// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/host/batch/problem_lengths.hpp>

#include <cstring>
#include <type_traits>

namespace cograph::core {

// The parameters of a batch, and of one problem of it.
template <class Numbers, class... T>
struct held_pack;
template <int... I, class... T>
struct held_pack<std::integer_sequence<int, I...>, T...> : held<I, T>... {
    COGRAPH_HD explicit held_pack(T const&... values) : held<I, T>{values}... {}
};
template <class... T>
using pack_of = held_pack<std::make_integer_sequence<int, sizeof...(T)>, T...>;

// Bytes of a T, which nothing constructs or assigns; aligned as a T is, which a void pointer does not tell.
template <class T>
COGRAPH_HD void copy_bytes(void* to, const void* from) {
    memcpy(__builtin_assume_aligned(to, alignof(T)), __builtin_assume_aligned(from, alignof(T)), sizeof(T));
}

// A problem's copy of a scalar. Nothing calls a constructor of it.
template <class T>
union scalar_copy {
    T value;
    COGRAPH_HD scalar_copy() { memset(static_cast<void*>(this), 0, sizeof *this); }
    COGRAPH_HD void take(const T& from) { copy_bytes<T>(&value, &from); }
    COGRAPH_HD void give(T& to) const { copy_bytes<T>(&to, &value); }
};
template <class Numbers, class... T>
struct copies_of;
template <int... I, class... T>
struct copies_of<std::integer_sequence<int, I...>, T...> : held<I, scalar_copy<T>>... {};
template <int I, class T>
COGRAPH_HD constexpr T& copy_at(held<I, T>& p) {
    return p.value;
}

// The counts of a problem's loop.
struct problem_count {
    mutable index_t iterations = 0, entries = 0;
    mutable unsigned answer = 0;

    COGRAPH_HD void add(index_t more, unsigned last_answer) const {
        iterations += more;
        ++entries;
        answer = last_answer;
    }
};
template <class P>
struct of_problem {
    using type = P;
};
template <>
struct of_problem<loop_counter> {
    using type = problem_count;
};
template <class P, int Most, class Steps, class Sources, class Limits>
struct of_problem<count_of_problem<P, Most, Steps, Sources, Limits>> {
    using type = P;
};
template <class P, class F, class T, class Sources>
struct of_problem<value_of_problem<P, F, T, Sources>> {
    using type = P;
};
template <class P>
using problem_parameter = typename of_problem<P>::type;

template <class T>
T* pointer_in(T* const*);
template <class T>
T* pointer_in(const element_pointer<T>*);
template <class T, int... Radius>
T* pointer_in(const near_pointer<T, Radius...>*);

// A thread's copy of an element as a parameter; if it is also in memory, that place.
template <class T>
struct own_element {
    T* at;
};
template <class T>
struct through_element {
    T* at;
    T* memory;
};
template <class T>
COGRAPH_HD constexpr T& at_element(own_element<T> const& p, index_t) {
    return *p.at;
}
template <class T>
COGRAPH_HD constexpr T& at_element(through_element<T> const& p, index_t) {
    return *p.at;
}
template <class P>
inline constexpr bool is_copied_element = false;  // then its node has no more elements than there are threads
template <class T>
inline constexpr bool is_copied_element<own_element<T>> = true;
template <class T>
inline constexpr bool is_copied_element<through_element<T>> = true;
template <class P>
inline constexpr bool writes_through = false;
template <class T>
inline constexpr bool writes_through<through_element<T>> = true;
template <class Context, class P>
COGRAPH_HD void write_through(Context const&, index_t, P const&) {}
COGRAPH_EXEC_CHECK_OFF
template <class Context, class T>
COGRAPH_HD void write_through(Context const& context, index_t n, through_element<T> const& p) {
    const index_t own = context.rank();
    if (own < n) copy_bytes<T>(p.memory + own, p.at);
}

// Whether the part of problem q lies in the array and is not too long.
template <int At, class Batch>
COGRAPH_HD bool is_part(Batch const& batch, index_t q) {
    const auto *const begins = held_at<At + 2>(batch);
    const index_t begin = static_cast<index_t>(begins[q]), end = static_cast<index_t>(begins[q + 1]);
    return begin >= 0 && begin <= end && end <= static_cast<index_t>(held_at<At + 3>(batch)) && end - begin <= held_at<At + 1>(batch);
}

// A parameter of problem q.
template <int Code, class P, class Batch, class Copies>
COGRAPH_HD problem_parameter<P> parameter_of_problem([[maybe_unused]] Batch const& batch, [[maybe_unused]] Copies& copies, [[maybe_unused]] index_t q, [[maybe_unused]] char* place) {
    constexpr origin how = how_of(Code);
    constexpr int at = place_in(Code);
    if constexpr (how == origin::given && requires { requires std::is_same_v<decltype(held_at<at>(batch)), P const&>; })
        return held_at<at>(batch);
    else if constexpr (how == origin::given)
        return P{held_at<at>(batch)};  // element by element, for arguments passed as a pointer
    else if constexpr (how == origin::slice)
        return P{held_at<at>(batch) + q * held_at<at + 1>(batch)};
    else if constexpr (how == origin::distant)
        return P{held_at<at>(batch) + q * held_at<at + 2>(batch)};
    else if constexpr (how == origin::between)
        return P{held_at<at>(batch) + static_cast<index_t>(held_at<at + 2>(batch)[q])};
    else if constexpr (how == origin::length && std::is_integral_v<P>)
        return static_cast<P>(static_cast<index_t>(held_at<at + 2>(batch)[q + 1]) - static_cast<index_t>(held_at<at + 2>(batch)[q]));
    else if constexpr (how == origin::length)
        return P{static_cast<index_t>(held_at<at + 2>(batch)[q + 1]) - static_cast<index_t>(held_at<at + 2>(batch)[q])};
    else if constexpr (how == origin::own_temp)
        return P{reinterpret_cast<decltype(pointer_in(static_cast<const P*>(nullptr)))>(place + held_at<at>(batch))};
    else if constexpr (how == origin::scalar)
        return P{&copy_at<at>(copies).value};
    else if constexpr (how == origin::element)
        return held_at<at>(batch)[q];
    else if constexpr (how == origin::formula && std::is_integral_v<problem_parameter<P>>)
        return static_cast<problem_parameter<P>>(counts_in_problem<P>::of(batch, q).value);
    else if constexpr (how == origin::formula)
        return problem_parameter<P>{counts_in_problem<P>::of(batch, q).value};
    else if constexpr (how == origin::argument)
        return values_in_problem<P>::template of<at>(batch, q);
    else if constexpr (how == origin::one)
        return P{1};
    else
        return {};
}

}  // namespace cograph::core
