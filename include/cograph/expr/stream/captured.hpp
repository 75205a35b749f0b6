// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/reasons/control_reasons.hpp>
#include <cograph/expr/stream/host_arguments.hpp>

struct CUstream_st;  // what a cudaStream_t points to

namespace cograph::core {

using stream_handle = CUstream_st*;

// The size of a workspace, as CUB takes it: by reference, also behind a lambda that takes it by value.
class workspace_size {
public:
    explicit workspace_size(std::size_t& bytes) : bytes_(&bytes) {}
    operator std::size_t&() const { return *bytes_; }

private:
    std::size_t* bytes_;
};

// How a captured function object is called: stream first, as most do, or as CUB has it.
struct stream_first {
    static constexpr bool sized = false;
    static constexpr int first = 1;  // the position of its first argument
    template <class F, class... T>
    static constexpr bool takes = host_callable<F, stream_handle, T...>;
    template <class F, class... T>
    using result = host_result<F, stream_handle, T...>;
    template <class F, class... T>
    static std::int64_t call(const F& f, stream_handle stream, T&&... value) {
        return status_of(f, stream, static_cast<T&&>(value)...);
    }
    template <class F, class... A>
    static constexpr auto explain(list<A...> given) {
        return call_fails<F, first>(given, word<stream_handle>{}, host_arrival_word<A>()...);
    }
};
struct stream_last {
    static constexpr bool sized = true;
    static constexpr int first = 2;
    template <class F, class... T>
    static constexpr bool takes = host_callable<F, void*, workspace_size, T..., stream_handle>;
    template <class F, class... T>
    using result = host_result<F, void*, workspace_size, T..., stream_handle>;
    template <class F, class... T>
    static std::int64_t call(const F& f, void* memory, std::size_t& bytes, stream_handle stream, T&&... value) {
        return status_of(f, memory, workspace_size(bytes), static_cast<T&&>(value)..., stream);
    }
    template <class F, class... A>
    static constexpr auto explain(list<A...> given) {
        return call_fails<F, first>(given, word<void*>{}, word<workspace_size>{}, host_arrival_word<A>()..., word<stream_handle>{});
    }
};

// Stands where a host form is missing.
struct no_host_form_t {};

// The code of a captured call: its parameters are F, Host, for sized calls a workspace, then P...
template <class Style, class F, class Host, class... P>
struct captured_code {};

template <capture_mode Mode, bool WarmsUp>
struct capture_options {};

// The type whose name a captured call has.
template <class F>
struct named_as {
    using type = F;
};

inline constexpr node_traits captured_traits{.kind = "captured", .is_kernel = false, .is_opaque = true, .captures = true, .can_be_disabled = false};

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
                               .traits = &captured_traits,
                               .arguments = described(arguments{}),
                               .argument_count = sizeof...(A) + 2 + Style::sized,
                               .identity = &identity_of_type<F>,
                               .device_only = std::is_same_v<Host, no_host_form_t>,
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

// A view that a warm-up would write, whose memory nobody knows.
template <class A>
inline constexpr bool is_written_view = false;
template <access_argument M>
inline constexpr bool is_written_view<M> = by_value<typename M::variable> && writes(M::describe.access);
template <class F, class V>
constexpr auto cannot_restore(word<V>) {
    return warm_up_cannot_restore<F, V>{};
}
template <class M>
constexpr auto accessed_variable(word<M>) {
    return decltype(variable_of(static_cast<const M*>(nullptr))){};
}

// What is wrong with a captured call of arguments as nodes hold them.
template <class Style, bool WarmsUp, class F, class Host, class... A>
constexpr auto diagnose_capture(list<A...> all) {
    if constexpr (!Style::template takes<F, read_parameter_t<host_arrival_t<A>>...>)
        return Style::template explain<F>(all);
    else if constexpr (first_lost_write<F, Style::first, A...> >= 0)
        return diagnose_lost_write<F, Style::first>(all);
    else if constexpr (!is_status<typename Style::template result<F, read_parameter_t<host_arrival_t<A>>...>>)
        return result_is_no_status<F, typename Style::template result<F, read_parameter_t<host_arrival_t<A>>...>>{};
    else if constexpr (WarmsUp && (is_written_view<A> || ...))
        return cannot_restore<F>(accessed_variable(word_at<first_true<is_written_view<A>...>()>(all)));
    else if constexpr (std::is_same_v<Host, no_host_form_t>)
        return fine{};
    else if constexpr (!host_callable<Host, read_parameter_t<host_arrival_t<A>>...>)
        return call_fails<Host, 0>(all, host_arrival_word<A>()...);
    else if constexpr (first_lost_write<Host, 0, A...> >= 0)
        return diagnose_lost_write<Host, 0>(all);
    else if constexpr (!is_status<host_result<Host, read_parameter_t<host_arrival_t<A>>...>>)
        return result_is_no_status<Host, host_result<Host, read_parameter_t<host_arrival_t<A>>...>>{};
    else
        return fine{};
}
template <class Style, class Options, class F, class Host, class... A>
struct captured_call;
template <class Style, capture_mode Mode, bool WarmsUp, class F, class Host, class... A>
struct captured_call<Style, capture_options<Mode, WarmsUp>, F, Host, A...> {
    static constexpr auto diagnose() {
        if constexpr (first_host_fault<A...>() >= 0)
            return diagnose_host_arguments<F, A...>();
        else
            return diagnose_capture<Style, WarmsUp, F, Host>(list<as_argument_t<A>...>{});
    }
};

// A captured function object, waiting for its arguments.
template <class Style, class Options, class F, class Host>
struct captured_t;
template <class Style, capture_mode Mode, bool WarmsUp, class F, class Host>
struct captured_t<Style, capture_options<Mode, WarmsUp>, F, Host> {
    using options = capture_options<Mode, WarmsUp>;
    [[no_unique_address]] F function;
    [[no_unique_address]] Host host;
    record where;

    // What CUDA refuses meanwhile: allocations and the default stream to every thread (global, as without this), allocations to
    // this thread (thread), or nothing (relaxed).
    template <capture_mode Chosen>
    constexpr captured_t<Style, capture_options<Chosen, WarmsUp>, F, Host> mode() const {
        return {function, host, where};
    }
    template <auto Chosen>
        requires(!std::is_same_v<decltype(Chosen), capture_mode>)
    auto mode() const -> mistake<arguments_are_not_those_of<struct mode_call, decltype(Chosen)>, struct choose_a_capture_mode>;
    // Runs once on a stream of its own before it is captured, for libraries that initialize themselves then; what it writes
    // is saved and restored, whatever fails.
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
    template <class... A>
        requires(!is_fine<decltype(captured_call<Style, options, F, Host, A...>::diagnose())>)
    auto operator()(A...) const -> decltype(mistake_of<struct captured_node_call, captured_call<Style, options, F, Host, A...>>(captured_call<Style, options, F, Host, A...>::diagnose()));
    template <class... A>
    auto operator()(A...) const -> mistake<arguments_are_not_those_of<F, A...>, struct pass_variables_and_values>;
};

template <class Style, class Options, class F, class Host>
constexpr arguments_are_missing<F> why_no_expression(const captured_t<Style, Options, F, Host>*) {
    return {};
}

using default_capture = capture_options<capture_mode::global, false>;

// Any host code that enqueues work on a stream, as a node: captured(f)(in(x), out(y), n) calls f(stream, x, y, n), with
// pointers to device memory, values and views by value, extents as index_t. f may return a status whose zero is success.
// host is what simulate calls instead, without the stream.
template <class F>
constexpr captured_t<stream_first, default_capture, F, no_host_form_t> captured(F f, const char* file = __builtin_FILE(),
                                                                                unsigned line = __builtin_LINE()) {
    return {f, {}, {nullptr, file, line, {}}};
}
template <class F, class Host>
constexpr captured_t<stream_first, default_capture, F, Host> captured(F f, Host host, const char* file = __builtin_FILE(),
                                                                      unsigned line = __builtin_LINE()) {
    return {f, host, {nullptr, file, line, {}}};
}

template <class... A>
auto captured(A const&...) -> mistake<arguments_are_not_those_of<struct captured_call_of, A...>, struct write_captured_function_and_then_the_arguments>;

// A device algorithm of CUB, or anything called as they are: cub_call(f)(in(x), out(y), extent(x)) calls
// f(workspace, bytes, x, y, n, stream). Its workspace is sized when the expression is instantiated and is part of the
// executable's memory.
template <class F>
constexpr captured_t<stream_last, default_capture, F, no_host_form_t> cub_call(F f, const char* file = __builtin_FILE(),
                                                                               unsigned line = __builtin_LINE()) {
    return {f, {}, {nullptr, file, line, {}}};
}
template <class F, class Host>
constexpr captured_t<stream_last, default_capture, F, Host> cub_call(F f, Host host, const char* file = __builtin_FILE(),
                                                                     unsigned line = __builtin_LINE()) {
    return {f, host, {nullptr, file, line, {}}};
}
template <class... A>
auto cub_call(A const&...) -> mistake<arguments_are_not_those_of<struct cub_call_of, A...>, struct write_cub_call_function_and_then_the_arguments>;

}  // namespace cograph::core
