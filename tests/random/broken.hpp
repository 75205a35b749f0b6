// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vocabulary.hpp"

#include <cograph/stepwise.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

// How broken programs are asked for their reason.
namespace random_programs {

inline constexpr struct pageable : host_buffer<pageable, integer> {} pageable;
inline constexpr struct event : value<event, struct CUevent_st*> {} event;
inline constexpr struct outside : view<outside, integer*> {} outside;
struct matrix {
    integer* elements;
};
inline constexpr struct rows : view<rows, matrix> {} rows;
inline constexpr struct matrices : buffer<matrices, matrix> {} matrices;
inline constexpr struct owner : view<owner, std::vector<integer>> {} owner;
inline constexpr struct texts : buffer<texts, std::string> {} texts;
inline constexpr struct room : temp<room, integer> {} room;
inline constexpr struct two : temp<two, integer, elements<2>> {} two;
inline constexpr struct four : temp<four, integer, elements<4>> {} four;
struct alignas(512) page {
    char bytes[512];
};
inline constexpr struct pages : temp<pages, page> {} pages;
struct many_numbers {
    integer of[200];
};
inline constexpr struct many : scalar<many, many_numbers> {} many;

struct fixed {
    const integer of;
};
inline constexpr struct frozen : buffer<frozen, fixed> {} frozen;
inline constexpr struct sealed : scalar<sealed, fixed> {} sealed;
struct is_empty {
    COGRAPH_HD bool operator()(const matrix& of) const { return of.elements == nullptr; }
};

struct look_on {
    void operator()(const integer*) const {}
};
struct read_in {
    void operator()(integer*) const {}
};
struct count_lines {
    int operator()(const integer*) const { return 3; }
};
struct enqueue {
    void operator()(struct CUstream_st*, integer*) const {}
};
struct enqueue_rows {
    void operator()(struct CUstream_st*, matrix) const {}
};
struct norm_of {
    double operator()(struct CUstream_st*, const integer*) const { return 0; }
};
struct spell {
    void operator()(const std::string&, integer&) const {}
};
struct changes {
    void operator()(integer& s) { s = 1; }
};
struct only_here {
    void operator()(index_t, integer& x) const { x = 1; }
};
struct takes_neighbours {
    void operator()(index_t, neighbours<integer, 1>, integer&) const {}
};
struct takes_all {
    void operator()(index_t, const integer*, integer&) const {}
};
struct takes_a_copy {
    void operator()(index_t, integer) const {}
};
struct gives_nothing {
    template <class X>
    void operator()(const X&) const {}
};
struct advance {
    bool operator()(integer& s) const { return s++ < 5; }
};
struct uses_shared {
    template <class Group, class T>
    COGRAPH_HD void operator()(Group const&, index_t, T*, integer&) const {}
};
struct ordered_by_chance {
    bool in_any_order = true;
    COGRAPH_HD integer operator()(integer one, integer other) const { return one + other; }
};
struct first_of {
    template <class T>
    T operator()(const T& first, const T&) const {
        return first;
    }
};
struct long_term {
    many_numbers operator()(index_t, integer x) const { return {{x}}; }
};
inline void set_one(index_t, integer& x) { x = 1; }

struct table {
    double rows[5000];
};
void takes_table(table, integer*);
template <std::size_t... I>
auto function_of_ints(std::index_sequence<I...>) -> void (*)(decltype(static_cast<void>(I), 0)...);
std::remove_pointer_t<decltype(function_of_ints(std::make_index_sequence<257>()))> takes_many;

template <class E>
using step_of = const core::step<E>&;

inline constexpr struct impostor : buffer<struct a, integer> {} impostor;
inline constexpr struct stranger : buffer<stranger, integer> {} stranger;

template <class T>
T declare();

template <template <class...> class Reason, class Given>
struct is_instance : std::false_type {};
template <template <class...> class Reason, class... T>
struct is_instance<Reason, Reason<T...>> : std::true_type {};
template <template <class...> class Reason, class... R>
struct is_instance<Reason, reason::several<R...>> : std::disjunction<is_instance<Reason, R>...> {};
template <class... R>
struct is_instance<reason::several, reason::several<R...>> : std::true_type {};

template <template <index_t...> class Reason, class Given>
struct is_instance_of_numbers : std::false_type {};
template <template <index_t...> class Reason, index_t... I>
struct is_instance_of_numbers<Reason, Reason<I...>> : std::true_type {};

// Whether a diagnosis is this reason, or it among others.
template <template <class...> class Reason, class Given>
constexpr bool gives(Given) {
    return is_instance<Reason, Given>::value;
}
template <template <index_t...> class Reason, class Given>
constexpr bool gives(Given) {
    return is_instance_of_numbers<Reason, Given>::value;
}
template <class Reason, class Given>
constexpr bool gives(Given) {
    return std::is_same_v<Reason, Given>;
}
template <template <int> class Reason, int N>
constexpr bool gives(Reason<N>) {
    return true;
}
template <template <int, int> class Reason, int First, int Second>
constexpr bool gives(Reason<First, Second>) {
    return true;
}
template <template <class, int> class Reason, class Function, int N>
constexpr bool gives(Reason<Function, N>) {
    return true;
}

}  // namespace random_programs
