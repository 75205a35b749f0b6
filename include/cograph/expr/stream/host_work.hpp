// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/refused/stream/host_work.hpp>
#include <cograph/expr/stream/host_arguments.hpp>

namespace cograph::core {

// The code of host work: its parameters are F, then P...
template <class F, class... P>
struct host_work_code {};
inline constexpr node_traits host_work_traits{.kind = "host", .is_kernel = false, .is_opaque = true, .can_be_disabled = false, .is_for_the_root = &is_always_for_the_root};
template <class F, class... A>
struct host_work_node {
    using self = host_work_node;
    using children = list<>;
    using arguments = list<given<F>, A...>;
    using codes = list<host_work_code<host_arrival_t<given<F>>, host_arrival_t<A>...>>;
    using kept_type = kept_pieces<kept_part_t<given<F>>, kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = type_name<F>(),
                               .traits = &host_work_traits,
                               .arguments = arguments_of<given<F>, A...>,
                               .argument_count = sizeof...(A) + 1,
                               .identity = &identity_of_type<F>};
    template <class Name>
    using reason_in_a_body = host_work_is_in_a_body<Name>;
    record records[1];
    [[no_unique_address]] kept_type kept;
};
template <class F, class... A>
word<F> word_of(const host_work_node<F, A...>*);
template <class F, class... A>
list<given<F>, A...> operands_of(const host_work_node<F, A...>*);

// Host work, waiting for its arguments.
template <class F>
struct host_work_t {
    [[no_unique_address]] F function;
    record where;

    template <class... A>
        requires is_fine<decltype(diagnose_host_work<F, A...>())>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_small_extents<F, 0, A...>)
            return with_small_extents<F, 0>(*this, arguments...);
        else
            return host_work_node<F, as_argument_t<A>...>{{where}, keep_pieces(keep_part<given<F>>(function), keep_part<as_argument_t<A>>(arguments)...)};
    }

    // Refused calls.
    template <class... A>
        requires(!is_fine<decltype(diagnose_host_work<F, A...>())>)
    auto operator()(A...) const -> decltype(mistake_of<struct host_work_call, F, A...>(diagnose_host_work<F, A...>()));
    template <class... A>
    auto operator()(A...) const -> mistake<arguments_are_not_those_of<F, A...>, struct pass_variables_and_values>;
};

// A host function as a node: host(f)(in(x), n) calls f(x, n), with pointers as they are bound. During a launch it
// runs on a thread of CUDA: it must not call CUDA, and an exception that leaves it terminates the program.
template <class F>
constexpr host_work_t<F> host(F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {f, {nullptr, file, line, {}}};
}

}  // namespace cograph::core
