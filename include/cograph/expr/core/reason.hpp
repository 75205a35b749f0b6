// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <type_traits>

namespace cograph {

// A call that is wrong gives a mistake, and no compiler can make one. It stops at the user's own line and prints the mistake,
// the names that have a part in it, and the remedy. Whatever is built on such a call says nothing more.
//
// nvcc prints an abstract class that a function gives; of an undefined class it prints all arguments of the function.
// There the class must be new to each call: a call is not even considered when its result is known to be abstract.
//
// Parts of one program may be compiled by nvcc and by another compiler. The template is one in both, which nvcc alone defines. The functions
// that lead to it below, and elements<...>, differ: they have other results, or lie in another namespace, and none is ever called.
template <class What, class Advice, class... Where>
struct mistake;  // the mistake and the advice; more in docs/errors.md
#ifdef __NVCC__
struct look_it_up {
    virtual void in_docs_errors_md() = 0;
};
template <class What, class Advice, class... Where>
struct mistake : look_it_up {};
#endif

namespace reason {

// A reason is a type: a sentence about its template arguments, which are the user's own names. It has an advice.
struct any_reason {
    // Hidden, so that no other comparison asks it.
    template <class A, class B>
        requires std::is_base_of_v<any_reason, A> && std::is_base_of_v<any_reason, B>
    friend constexpr bool operator==(A, B) {
        return std::is_same_v<A, B>;
    }
};
template <class Advice>
struct advises : any_reason {};
// The same as a base that depends on an argument of the reason: advises<...> alone is a template of every program, met or not.
template <class>
struct if_met {
    template <class Advice>
    using advises = reason::advises<Advice>;
};

// Nothing is wrong.
struct fine : advises<void> {};

template <class Diagnosis>
inline constexpr bool is_fine = std::is_same_v<Diagnosis, fine>;

// The result of a wrong call: mistake_of<function, its template arguments...>(reason). The types must reach it by
// deduction: nvcc also prints a member typedef that they come from.
#ifdef __NVCC__
template <class... Call>
constexpr auto place_of_call() {
    struct here {};
    return here{};
}
template <class Reason, class Advice, class Where>
mistake<Reason, Advice, Where> explain(Reason, advises<Advice>, Where);
template <class... Call, class Reason>
auto mistake_of(Reason reason) -> decltype(explain(reason, reason, place_of_call<Call...>()));
#else
template <class Reason, class Advice>
mistake<Reason, Advice> explain(Reason, advises<Advice>);
template <class... Call, class Reason>
auto mistake_of(Reason reason) -> decltype(explain(reason, reason));
#endif

// What is wrong with a call, or fine; the call is not made:
//   static_assert(diagnose<decltype(par(a, b))> == branches_race_on<...>{});
template <class Result>
inline constexpr fine diagnose{};
template <class Reason, class... More>
inline constexpr Reason diagnose<mistake<Reason, More...>>{};

// Two reasons of one call.
template <class... Reasons>
struct several : advises<struct look_up_each_of_them> {};

// A call of a function with other arguments than it has: every function says itself how it is called. nvcc finds these calls
// also if an argument is a mistake; it says nothing more then.
any_reason how_to_call(const void*);  // those that give advises<...> stand beside their functions: as bases these were templates of every program
template <class Function, class... Given>
struct arguments_are_not_those_of : decltype(how_to_call(static_cast<Function*>(nullptr))) {};
// An expression among them, by the name of its first node: its type is long.
template <class Node>
struct expression_of {};

// A type as a value: reasons are put together from these.
template <class T>
struct word {};

// Words that sentences share.
template <auto F>
struct kernel_function {};
template <int Position, class T>
struct at_parameter {};  // counted from 1
template <class Written, class T>
struct given_argument {};  // as the user wrote it, and the type that arrives
template <class... Written>
struct called_with {};
template <class... T>
struct arriving_as {};
template <int Number>
struct limit_is {};

}  // namespace reason

namespace core {
using namespace reason;
}
using reason::diagnose;

}  // namespace cograph
