// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/refused/stream/captured.hpp>

namespace cograph::core {

// The code of a captured call: its parameters are F, Host, for sized calls a workspace, then P...
template <class Style, class F, class Host, class... P>
struct captured_code {};

inline constexpr node_traits captured_traits{.kind = "captured", .is_kernel = false, .is_opaque = true, .captures = true, .can_be_disabled = false};

// The type whose name a captured call has, and its traits.
struct call_of_unknown_work {
    static constexpr const node_traits* traits = &captured_traits;
};
template <class F>
struct named_as : call_of_unknown_work {
    using type = F;
};

template <class Style, class Options, class F, class Host, class... A>
struct captured_node;
template <class Style, capture_mode Mode, bool WarmsUp, class F, class Host, class... A>
struct captured_node<Style, capture_options<Mode, WarmsUp>, F, Host, A...> {
    using self = captured_node;
    using children = list<>;
    using arguments = std::conditional_t<Style::sized, list<given<F>, given<Host>, workspace, A...>, list<given<F>, given<Host>, A...>>;
    using codes = list<captured_code<Style, host_arrival_t<given<F>>, host_arrival_t<given<Host>>, host_arrival_t<A>...>>;
    using kept_type = kept_pieces<kept_part_t<given<F>>, kept_part_t<given<Host>>, kept_part_t<A>...>;
    static constexpr int leaves = 1;

    template <class... All>
    static constexpr const argument* described(list<All...>) {
        return arguments_of<All...>;
    }
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = type_name<typename named_as<F>::type>(),
                               .traits = named_as<F>::traits,
                               .arguments = described(arguments{}),
                               .argument_count = sizeof...(A) + 2 + Style::sized,
                               .identity = &identity_of_type<F>,
                               .device_only = std::is_same_v<Host, no_host_implementation_t>,
                               .capture = Mode,
                               .warms_up = WarmsUp};
    record records[1];
    [[no_unique_address]] kept_type kept;
};

template <class Style, class Options, class F, class Host, class... A>
word<F> word_of(const captured_node<Style, Options, F, Host, A...>*);
template <class Style, class Options, class F, class Host, class... A>
auto operands_of(const captured_node<Style, Options, F, Host, A...>*)
    -> std::conditional_t<Style::sized, list<given<F>, given<Host>, workspace, A...>, list<given<F>, given<Host>, A...>>;

// A captured function object, waiting for its arguments.
template <class Style, class Options, class F, class Host>
struct captured_t;
template <class Style, capture_mode Mode, bool WarmsUp, class F, class Host>
struct captured_t<Style, capture_options<Mode, WarmsUp>, F, Host> {
    using options = capture_options<Mode, WarmsUp>;
    [[no_unique_address]] F function;
    [[no_unique_address]] Host host;
    record where;

    // Calls that CUDA refuses during the capture: allocations and the default stream in every thread (global, the
    // default), allocations in this thread (thread), or nothing (relaxed).
    template <capture_mode Chosen>
    constexpr captured_t<Style, capture_options<Chosen, WarmsUp>, F, Host> mode() const {
        return {function, host, where};
    }
    // Runs once on its own stream before it is captured, for libraries that initialize themselves then; the memory
    // that it writes is saved and restored, also after a failure.
    constexpr captured_t<Style, capture_options<Mode, true>, F, Host> warm_up() const { return {function, host, where}; }

    template <class... A>
        requires is_fine<decltype(captured_call<Style, options, F, Host, A...>::diagnose())>
    constexpr auto operator()(A... arguments) const {
        if constexpr (takes_small_extents<F, Style::first, A...>)
            return with_small_extents<F, Style::first>(*this, arguments...);
        else if constexpr (takes_small_extents<Host, 0, A...>)
            return with_small_extents<Host, 0>(*this, arguments...);
        else
            return captured_node<Style, options, F, Host, as_argument_t<A>...>{
                {where}, keep_pieces(keep_part<given<F>>(function), keep_part<given<Host>>(host), keep_part<as_argument_t<A>>(arguments)...)};
    }

    // Refused calls.
    template <auto Chosen>
        requires(!std::is_same_v<decltype(Chosen), capture_mode>)
    auto mode() const -> mistake<arguments_are_not_those_of<struct mode_call, decltype(Chosen)>, struct choose_a_capture_mode>;
    template <class... A>
        requires(!is_fine<decltype(captured_call<Style, options, F, Host, A...>::diagnose())>)
    auto operator()(A...) const -> decltype(mistake_of<struct captured_node_call, captured_call<Style, options, F, Host, A...>>(captured_call<Style, options, F, Host, A...>::diagnose()));
    template <class... A>
    auto operator()(A...) const -> mistake<arguments_are_not_those_of<F, A...>, struct pass_variables_and_values>;
};

using default_capture = capture_options<capture_mode::global, false>;

// Any host code that enqueues work on a stream, as a node: captured(f)(in(x), out(y), n) calls f(stream, x, y, n).
// Variables arrive as pointers to device memory, values and views by value, extents as index_t. f may return a status with zero for
// success. simulate calls host instead, without the stream.
template <class F>
constexpr captured_t<stream_first, default_capture, F, no_host_implementation_t> captured(F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {f, {}, {nullptr, file, line, {}}};
}
template <class F, class Host>
constexpr captured_t<stream_first, default_capture, F, Host> captured(F f, Host host, const char* file = __builtin_FILE(),
                                                                      unsigned line = __builtin_LINE()) {
    return {f, host, {nullptr, file, line, {}}};
}

// A device algorithm of CUB, or anything called as they are: cub_call(f)(in(x), out(y), extent(x)) calls
// f(workspace, bytes, x, y, n, stream). Its workspace is sized when the expression is instantiated and is part of the
// executable's memory.
template <class F>
constexpr captured_t<stream_last, default_capture, F, no_host_implementation_t> cub_call(F f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {f, {}, {nullptr, file, line, {}}};
}
template <class F, class Host>
constexpr captured_t<stream_last, default_capture, F, Host> cub_call(F f, Host host, const char* file = __builtin_FILE(),
                                                                     unsigned line = __builtin_LINE()) {
    return {f, host, {nullptr, file, line, {}}};
}

}  // namespace cograph::core
