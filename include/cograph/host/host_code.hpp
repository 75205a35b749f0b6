// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/near.hpp>
#include <cograph/expr/formula/condition_code.hpp>
#include <cograph/expr/node/kernel.hpp>
#include <cograph/expr/node/stage.hpp>
#include <cograph/expr/stream/captured.hpp>
#include <cograph/expr/stream/copies.hpp>
#include <cograph/expr/stream/events.hpp>
#include <cograph/expr/stream/host_work.hpp>
#include <cograph/plan/bind/refused_reads.hpp>

#include <cstdint>
#include <cstring>

namespace cograph::core {

// The host implementation of a code: runs it in a context, on parameters found at these addresses. Conditions return
// their value, captured calls their status, and nodes with neighbours the fault of a read.
using host_function = std::int64_t (*)(const void* context, const void* const* parameters);

template <class P>
decltype(auto) host_parameter(const void* address) {
    if constexpr (std::is_trivially_copyable_v<P> && std::is_default_constructible_v<P>) {
        P value;
        std::memcpy(&value, address, sizeof value);
        return value;
    } else {
        return *static_cast<const P*>(address);
    }
}

// Context: serial_context or another one with the same members, in which stages run; other codes run by themselves.
template <class Code, class Context>
struct host_code;

// The fault of a read in a node with neighbours.
template <class P>
inline constexpr bool sees_elements_around = false;
template <class T, int... Radius>
inline constexpr bool sees_elements_around<near_pointer<T, Radius...>> = true;
template <class P>
bool leads_to(const void* memory, const void* parameter) {
    return sees_elements_around<P> && *static_cast<const void* const*>(parameter) == memory;
}
template <class... P>
std::int64_t number_of_refused(refused_read const& read, const void* const* parameters) {
    int position = 0, found = 0;
    ((found = leads_to<P>(read.memory, parameters[position]) && found == 0 ? position : found, ++position), ...);
    return number_of({found, read.too_far, {read.offset[0], read.offset[1], read.offset[2]}});
}

template <class Stage, class... P, class Context>
    requires(sees_elements_around<P> || ...)
struct host_code<stage_code<Stage, P...>, Context> {
    static std::int64_t run(const void* context, const void* const* parameters) {
        try {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                Stage::run(*static_cast<const Context*>(context), host_parameter<P>(parameters[I])...);
            }(std::index_sequence_for<P...>{});
        } catch (refused_read const& read) {
            return number_of_refused<P...>(read, parameters);
        }
        return 0;
    }
};
template <class Stage, class... P, class Context>
struct host_code<stage_code<Stage, P...>, Context> {
    static std::int64_t run(const void* context, const void* const* parameters) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            Stage::run(*static_cast<const Context*>(context), host_parameter<P>(parameters[I])...);
        }(std::index_sequence_for<P...>{});
        return 0;
    }
};

template <class Condition, class... P, class Context>
struct host_code<condition_code<Condition, P...>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Condition::of(host_parameter<P>(parameters[I])...);
        }(std::index_sequence_for<P...>{});
    }
};

template <class Style, class F, class Host, class... P, class Context>
struct host_code<captured_code<Style, F, Host, P...>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        if constexpr (std::is_same_v<Host, made_on_use<no_host_implementation_t>>)
            return 0;
        else
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                constexpr std::size_t first = Style::sized ? 3 : 2;
                return status_of(parameter_at<Host>::read(parameters[1]), parameter_at<P>::read(parameters[first + I])...);
            }(std::index_sequence_for<P...>{});
    }
};

template <class F, class... P, class Context>
struct host_code<host_work_code<F, P...>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            parameter_at<F>::read(parameters[0])(parameter_at<P>::read(parameters[1 + I])...);
        }(std::index_sequence_for<P...>{});
        return 0;
    }
};
template <class T, class Context>
struct host_code<copy_code<T, false>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        const index_t count = *static_cast<const index_t*>(parameters[2]);
        if (count > 0)
            std::memcpy(*static_cast<void* const*>(parameters[1]), *static_cast<void* const*>(parameters[0]), static_cast<std::size_t>(count) * sizeof(T));
        return 0;
    }
};
template <class T, class Context>
struct host_code<copy_code<T, true>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        const box& b = *static_cast<const box*>(parameters[2]);
        const box_side from = from_side(b), to = to_side(b);
        const T* const source = parameter_at<address_of_memory<const T>>::read(parameters[0]);
        T* const target = parameter_at<address_of_memory<T>>::read(parameters[1]);
        for (index_t slice = 0; slice < b.depth; ++slice)
            for (index_t r = 0; r < b.height && b.width > 0; ++r)
                std::memcpy(target + to.begin + (slice * to.rows + r) * to.pitch, source + from.begin + (slice * from.rows + r) * from.pitch,
                            static_cast<std::size_t>(b.width) * sizeof(T));
        return 0;
    }
};
template <class Context>
struct host_code<no_code, Context> {
    static std::int64_t run(const void*, const void* const*) { return 0; }
};

template <auto F, auto Host, class Context>
struct host_code<function_code<F, Host>, Context> {
    static std::int64_t run(const void*, const void* const* parameters) {
        if constexpr (!std::is_null_pointer_v<decltype(Host)>) call(parameters, typename signature<decltype(Host)>::parameters{});
        return 0;
    }
    template <class... P>
    static void call(const void* const* parameters, list<P...>) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            Host(host_parameter<P>(parameters[I])...);
        }(std::index_sequence_for<P...>{});
    }
};

// The codes of an expression in the order of its plan: its own, then those of its children.
template <class E, class Context>
struct host_codes {
    template <class... C>
    static host_function* own(host_function* to, list<C...>) {
        const host_function functions[] = {&host_code<C, Context>::run..., nullptr};
        for (int i = 0; functions[i]; ++i) *to++ = functions[i];
        return to;
    }
    template <class... E_>
    static host_function* below(host_function* to, list<E_...>) {
        host_function* (*const collect[])(host_function*) = {&host_codes<E_, Context>::collect..., nullptr};
        for (int i = 0; collect[i]; ++i) to = collect[i](to);
        return to;
    }
    static host_function* collect(host_function* to) {
        return below(own(to, typename E::codes{}), typename E::children{});
    }
};

}  // namespace cograph::core
