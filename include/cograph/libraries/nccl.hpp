// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/nccl_routines.hpp>
#include <cograph/libraries/refused/nccl.hpp>
#include <cograph/libraries/ranks/run_ranks.hpp>

// Collectives as nodes: their language and their simulation. cograph/nccl.cuh makes them with NCCL.

namespace cograph::core {

template <class V>
inline constexpr bool is_communicator = false;
template <variable V>
inline constexpr bool is_communicator<V> = V::kind == variable_kind::value && (std::is_same_v<typename V::element, nccl::communicator> || std::is_same_v<typename V::element, nccl::network_communicator>);

// A collective over a network, which no conditional body may hold.
template <class Style, class Options, class Routine, class Handle, class... P, class Host, class... A, class Name>
constexpr collective_is_in_a_body<typename Routine::name> not_in_a_body(word<captured_node<Style, Options, library_call<Routine, Handle, P...>, Host, A...>>, word<Name>) {
    return {};
}

// Memory of any length, one scalar too.
template <class M>
concept given_part = whole_memory<M> && M::describe.access == access_mode::read;
template <class M>
concept result_part = whole_memory<M> && writes(M::describe.access);
template <class M>
concept updated_part = whole_memory<M> && M::describe.access == access_mode::read_write;
template <class M>
constexpr auto count_of_part(M) {
    if constexpr (M::variable::kind == variable_kind::scalar)
        return index_t{1};
    else
        return extent_t<typename M::variable>{};
}

template <class Op>
inline constexpr bool is_joining = std::is_same_v<Op, plus> || std::is_same_v<Op, multiplies> || std::is_same_v<Op, maximum> || std::is_same_v<Op, minimum>;

template <class Routine, class W = void, class Y = void, class X = void, class Op = plus, class... More>
constexpr auto diagnose_collective() {
    if constexpr (is_communicator<W> && result_part<Y> && given_part<X> && is_joining<Op> && sizeof...(More) == 0)
        return diagnose_elements_of_call<Routine, Y, X>();
    else
        return not_called_so{};
}
// all_reduce(world, out(y), in(x), op), all_gather(world, out(all), in(part)), reduce_scatter(world, out(part), in(all), op).
template <template <class> class Routine>
struct collective_function {
    template <class W, class Y, class X, class Op = plus>
        requires is_fine<decltype(diagnose_collective<Routine<Op>, W, Y, X, Op>())>
    constexpr auto operator()(W world, Y to, X from, Op = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node<collective_capture>(Routine<Op>{}, handle_of_the_library{}, at_place(file, line), world, to, count_of_part(to), from, count_of_part(from));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_collective<Routine<plus>, A...>())>)
    auto operator()(A const&...) const
        -> decltype(mistake_of<collective_function, A...>(explain_library_call<typename Routine<plus>::name, A...>(diagnose_collective<Routine<plus>, A...>())));
};
template <class>
using gather_routine = nccl_routine::all_gather;

template <class W = void, class X = void, class Root = void, class... More>
constexpr auto diagnose_broadcast() {
    if constexpr (is_communicator<W> && updated_part<X> && is_count<Root> && sizeof...(More) == 0)
        return diagnose_elements_of_call<nccl_routine::broadcast, X>();
    else
        return not_called_so{};
}
// broadcast(world, inout(x), root).
struct broadcast_function {
    template <class W, class X, class Root>
        requires is_fine<decltype(diagnose_broadcast<W, X, Root>())>
    constexpr auto operator()(W world, X memory, Root root, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node<collective_capture>(nccl_routine::broadcast{}, handle_of_the_library{}, at_place(file, line), world, memory, count_of_part(memory), count_of(root));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_broadcast<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<broadcast_function, A...>(explain_library_call<nccl::broadcast, A...>(diagnose_broadcast<A...>())));
};

template <class W = void, class S = void, class Name = void, class... More>
constexpr auto diagnose_agree() {
    if constexpr (is_communicator<W> && given_part<S> && std::is_convertible_v<Name, const char*> && sizeof...(More) == 0) {
        if constexpr (S::variable::kind == variable_kind::scalar)
            return diagnose_elements_of_call<nccl_routine::agree, S>();
        else
            return not_called_so{};
    } else
        return not_called_so{};
}
// agree(world, in(s), "name"): for debugging, compares a scalar over all ranks, on which a loop's predicate depends for instance. If it differs,
// a simulation ends with an error that has the name; on a GPU a kernel prints the name and both numbers and traps, and nccl::wait throws the error.
struct agree_function {
    template <class W, class S, class Name>
        requires is_fine<decltype(diagnose_agree<W, S, Name>())>
    constexpr auto operator()(W world, S value, Name name, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node<collective_capture>(nccl_routine::agree{}, handle_of_the_library{}, at_place(file, line), world, value, static_cast<const char*>(name));
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_agree<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<agree_function, A...>(explain_library_call<nccl::agree, A...>(diagnose_agree<A...>())));
};

// Parts of an exchange, in any number: to(in(x), rank) and from(inout(y), rank).
template <class M, class Peer>
struct exchanged_part {
    M memory;
    Peer peer;
};
template <class P>
inline constexpr bool is_exchanged_part = false;
template <class M, class Peer>
inline constexpr bool is_exchanged_part<exchanged_part<M, Peer>> = true;
struct no_exchanged_part {};

template <class Build>
constexpr auto with_parts(Build build) {
    return build();
}
template <class Build, class... Rest>
constexpr auto with_parts(Build build, no_exchanged_part, Rest... rest) {
    return with_parts(build, rest...);
}
template <class Build, class M, class Peer, class... Rest>
constexpr auto with_parts(Build build, exchanged_part<M, Peer> part, Rest... rest) {
    return with_parts([=](auto... more) { return build(part.memory, count_of_part(part.memory), count_of(part.peer), more...); }, rest...);
}
template <class Name, class W, class... Part>
constexpr auto exchange_node(record where, W world, Part... part) {
    return with_parts(
        [=](auto... argument) { return library_node<collective_capture>(nccl_routine::exchange<Name>{}, handle_of_the_library{}, where, world, argument...); }, part...);
}
template <class P>
inline constexpr bool is_part_or_none = is_exchanged_part<P> || std::is_same_v<P, no_exchanged_part>;
template <class W = void, class A = void, class B = no_exchanged_part, class C = no_exchanged_part, class D = no_exchanged_part, class E = no_exchanged_part, class F = no_exchanged_part, class... More>
constexpr auto diagnose_exchange() {
    if constexpr (is_communicator<W> && is_exchanged_part<A> && is_part_or_none<B> && is_part_or_none<C> && is_part_or_none<D> && is_part_or_none<E> && is_part_or_none<F> &&
                  sizeof...(More) == 0)
        return fine{};
    else
        return not_called_so{};
}
// exchange(world, to(in(x), rank), from(inout(y), rank), ...), up to six parts: none waits for another one. A rank below 0 or above the
// last does not exist: then nothing is sent, and memory stays as it is.
struct exchange_function {
    template <class W, class A, class B = no_exchanged_part, class C = no_exchanged_part, class D = no_exchanged_part, class E = no_exchanged_part, class F = no_exchanged_part>
        requires is_fine<decltype(diagnose_exchange<W, A, B, C, D, E, F>())>
    constexpr auto operator()(W world, A a, B b = {}, C c = {}, D d = {}, E e = {}, F f = {}, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return exchange_node<nccl::exchange>(at_place(file, line), world, a, b, c, d, e, f);
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_exchange<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<exchange_function, A...>(explain_library_call<nccl::exchange, A...>(diagnose_exchange<A...>())));
};

template <class V>
inline constexpr bool is_slices = false;
template <variable V>
inline constexpr bool is_slices<V> = V::kind == variable_kind::value && std::is_same_v<typename V::element, nccl::slices>;
template <class W = void, class Y = void, class X = void, class S = void, class... More>
constexpr auto diagnose_all_to_all() {
    if constexpr (is_communicator<W> && result_part<Y> && given_part<X> && is_slices<S> && sizeof...(More) == 0)
        return diagnose_elements_of_call<nccl_routine::all_to_all, Y, X>();
    else
        return not_called_so{};
}
// all_to_all(world, out(y), in(x), slices): each rank has a slice of x for each rank, of any length, and y is what the others have for
// this one. Without elements for each other, two ranks do not wait for each other.
struct all_to_all_function {
    template <class W, class Y, class X, class S>
        requires is_fine<decltype(diagnose_all_to_all<W, Y, X, S>())>
    constexpr auto operator()(W world, Y to, X from, S slices, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return library_node<collective_capture>(nccl_routine::all_to_all{}, handle_of_the_library{}, at_place(file, line), world, to, count_of_part(to), from, count_of_part(from), slices);
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_all_to_all<A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<all_to_all_function, A...>(explain_library_call<nccl::all_to_all, A...>(diagnose_all_to_all<A...>())));
};

template <bool Sends, class W = void, class X = void, class Peer = void, class... More>
constexpr auto diagnose_one_part() {
    if constexpr (is_communicator<W> && (Sends ? given_part<X> : updated_part<X>)&&is_count<Peer> && sizeof...(More) == 0)
        return diagnose_elements_of_call<nccl_routine::exchange<nccl::exchange>, X>();
    else
        return not_called_so{};
}
// send(world, in(x), to) and receive(world, inout(x), from). Each waits for the other.
template <bool Sends>
struct one_part_function {
    using name = choose<Sends, struct nccl::send, struct nccl::receive>;
    template <class W, class X, class Peer>
        requires is_fine<decltype(diagnose_one_part<Sends, W, X, Peer>())>
    constexpr auto operator()(W world, X memory, Peer peer, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
        return exchange_node<name>(at_place(file, line), world, exchanged_part<X, Peer>{memory, peer});
    }
    template <class... A>
        requires(!is_fine<decltype(diagnose_one_part<Sends, A...>())>)
    auto operator()(A const&...) const -> decltype(mistake_of<one_part_function, A...>(explain_library_call<name, A...>(diagnose_one_part<Sends, A...>())));
};

}  // namespace cograph::core

namespace cograph::nccl {

template <core::given_part M, class Peer>
    requires core::is_count<Peer>
constexpr core::exchanged_part<M, Peer> to(M memory, Peer peer) {
    return {memory, peer};
}
template <core::updated_part M, class Peer>
    requires core::is_count<Peer>
constexpr core::exchanged_part<M, Peer> from(M memory, Peer peer) {
    return {memory, peer};
}

inline constexpr core::collective_function<core::nccl_routine::all_reduce> all_reduce{};
inline constexpr core::collective_function<core::gather_routine> all_gather{};
inline constexpr core::collective_function<core::nccl_routine::reduce_scatter> reduce_scatter{};
inline constexpr core::broadcast_function broadcast{};
inline constexpr core::one_part_function<true> send{};
inline constexpr core::one_part_function<false> receive{};
inline constexpr core::exchange_function exchange{};
inline constexpr core::all_to_all_function all_to_all{};
inline constexpr core::agree_function agree{};

}  // namespace cograph::nccl
