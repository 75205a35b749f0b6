// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/callable/call.cuh>
#include <cograph/run/refused/callable/stream_call.cuh>

namespace cograph::core {

// An argument of a stream function that is only written; a plain span of non-const elements is read, too.
template <class T>
struct output_span : std::span<T> {
    using std::span<T>::span;
};
template <class T>
output_span<T> output(std::span<T> memory) {
    return {memory.data(), memory.size()};
}

// Variables that stand for the arguments of a stream function, by position.
template <int I, class T>
struct positional_buffer : buffer<positional_buffer<I, T>, T> {};
template <int I, class T>
struct positional_value : value<positional_value<I, T>, T> {};

// The role of sample argument number I: its access mode, binding, and how it reaches the function.
template <int I, class A>
struct positional {
    using variable = positional_value<I, A>;
    using access = in_t<variable>;
    static auto bind(const A& example) { return variable{}(example); }
    using extents = list<>;
};
template <int I, class A, class T, template <class> class Access>
struct positional_span {
    using variable = positional_buffer<I, std::remove_const_t<T>>;
    using access = Access<variable>;
    static auto bind(std::span<T> example) { return variable{}(example); }
    using extents = list<extent_t<variable>>;
};
template <int I, class T, std::size_t N>
struct positional<I, std::span<const T, N>> : positional_span<I, std::span<const T, N>, const T, in_t> {};
template <int I, class T, std::size_t N>
struct positional<I, std::span<T, N>> : positional_span<I, std::span<T, N>, T, inout_t> {};
template <int I, class T>
struct positional<I, output_span<T>> : positional_span<I, output_span<T>, T, out_t> {};

// A stream function as captured calls see it: pointers and values first, then the extents of the memory of pointers.
template <class F, class... A>
struct with_spans {
    F function;

    template <class... T>
    auto operator()(cudaStream_t stream, const T&... all) const {
        const std::tuple<T...> given(all...);
        return call(stream, given, std::index_sequence_for<A...>{});
    }

private:
    template <class X>
    static constexpr bool is_memory = !std::is_same_v<typename positional<0, X>::extents, list<>>;

    // The position of an extent: after all pointers and values, and the extents of the arguments before.
    template <int I>
    static constexpr int extent_of() {
        constexpr bool memory[] = {is_memory<A>..., true};
        int at = sizeof...(A);
        for (int i = 0; i < I; ++i) at += memory[i];
        return at;
    }
    template <std::size_t I, class Given>
    static auto argument(const Given& given) {
        using example = std::tuple_element_t<I, std::tuple<A...>>;
        if constexpr (is_memory<example>) {
            const auto size = static_cast<std::size_t>(std::get<extent_of<static_cast<int>(I)>()>(given));
            if (example::extent != std::dynamic_extent && example::extent != size)
                throw error(place{type_name<F>().read()}, "takes another number of elements than it is given: its parameter is a span of fixed extent");
            return example(std::get<I>(given), size);
        } else {
            return std::get<I>(given);
        }
    }
    template <class Given, std::size_t... I>
    auto call(cudaStream_t stream, const Given& given, std::index_sequence<I...>) const {
        return function(stream, argument<I>(given)...);
    }
};

template <class F, class... A>
struct named_as<with_spans<F, A...>> : call_of_unknown_work {
    using type = F;
};

// A stream function, which has no line, or captured(f), which has one and may have chosen a mode.
template <class F>
constexpr captured_t<stream_first, default_capture, F, no_host_implementation_t> as_captured(const F& f) {
    return {f, {}, {}};
}
template <class Options, class F>
constexpr auto as_captured(const captured_t<stream_first, Options, F, no_host_implementation_t>& f) {
    return f;
}
template <class F>
using stream_function_in = decltype(as_captured(std::declval<const F&>()).function);

// A call of it, as an expression.
template <class Options, class F, std::size_t... I, class... A, class... Extent>
auto call_of(const captured_t<stream_first, Options, F, no_host_implementation_t>& f, std::index_sequence<I...>, list<A...>, list<Extent...>) {
    const captured_t<stream_first, Options, with_spans<F, A...>, no_host_implementation_t> takes_pointers{{f.function}, {}, f.where};
    return takes_pointers(typename positional<I, A>::access{}..., Extent{}...);
}

// The arguments of the expression's node for the sample arguments: each, and its extent if it is a span.
template <class... A>
constexpr int stream_arguments = (0 + ... + (std::is_same_v<typename positional<0, A>::extents, list<>> ? 1 : 2));

template <class F, class... A>
constexpr bool is_stream_function = std::is_invocable_v<const stream_function_in<F>&, cudaStream_t, A...> && (std::is_trivially_copyable_v<A> && ...) &&
                                    stream_arguments<A...> <= most_arguments;

}  // namespace cograph::core
