// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/stream/host_work.hpp>

namespace cograph::core {

// A call of host work with all that it needs: made when its parameters are known, run any number of times.
struct host_closure {
    void (*run)(host_closure&);
    void (*destroy)(host_closure*);
    place at;
};
using host_closure_maker = host_closure* (*)(const void* const* parameters);

template <class F, class... V>
struct typed_host_closure : host_closure {
    F function;
    pieces<V...> values;

    typed_host_closure(F f, V... v) : host_closure{&call, &drop, {}}, function(static_cast<F&&>(f)), values{static_cast<V&&>(v)...} {}
    static void call(host_closure& self) {
        const auto& me = static_cast<const typed_host_closure&>(self);
        boost::hana::unpack_impl<boost::hana::basic_tuple_tag>::apply(me.values, [&](auto const&... value) { me.function(value...); });
    }
    static void drop(host_closure* self) { delete static_cast<typed_host_closure*>(self); }
};

template <class Code>
struct host_closure_of;
template <class F, class... P>
struct host_closure_of<host_work_code<F, P...>> {
    static host_closure* make(const void* const* parameters) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            using closure = typed_host_closure<std::remove_cvref_t<read_parameter_t<F>>, std::remove_cvref_t<read_parameter_t<P>>...>;
            return new closure(parameter_at<F>::read(parameters[0]), parameter_at<P>::read(parameters[1 + I])...);
        }(std::index_sequence_for<P...>{});
    }
};

}  // namespace cograph::core
