// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/order.hpp>
#include <cograph/plan/query.hpp>

namespace cograph {

// Whether a variable must be bound in every run: all but scalars that the expression writes before it reads them, and temps
// that take another variable's extent.
constexpr bool needs_binding(const planned_variable& v) {
    if (!v.info) return false;
    if (v.info->kind == variable_kind::scalar) return v.read_first;
    if (v.info->kind == variable_kind::temp) return v.info->like == nullptr;
    return true;
}

// V, or the variable whose extent it takes, so many times.
template <class V, int Likes>
struct like_of {
    using type = typename like_of<typename V::like, Likes - 1>::type;
};
template <class V>
struct like_of<V, 0> {
    using type = V;
};

// The type of variable number V of an expression, found by a search that only error messages need.
template <class E, int V>
struct variable_at {
    struct place {
        int leaf = 0, argument = 0, likes = 0;
    };
    static constexpr place find() {
        const plan_view& p = plan_of<E>::view;
        for (int r = 0; r < p.count.rows; ++r)
            for (int i = 0; i < p.rows[r].from->argument_count; ++i) {
                int likes = 0;
                for (const variable_info* at = p.rows[r].from->arguments[i].variable; at; at = at->like, ++likes)
                    if (at == p.variables[V].info) return {p.rows[r].leaf, i, likes};
            }
        return {};
    }
    using node = typename leaf_type<E, find().leaf>::type;
    using type = typename like_of<typename argument_variable<node, find().argument>::type, find().likes>::type;
};

// The first temp that is read before it is written.
template <class E>
struct diagnose_temps {
    static constexpr int first() {
        const plan_view& p = plan_of<E>::view;
        for (int v = 0; v < p.count.named; ++v)
            if (p.variables[v].info->kind == variable_kind::temp && p.variables[v].read_first) return v;
        return -1;
    }
    template <int V>
    static constexpr auto name() {
        if constexpr (V < 0) {
            return fine{};
        } else {
            constexpr int reader = plan_of<E>::view.rows[plan_of<E>::view.variables[V].first_reader].leaf;
            return temp_read_before_written<typename variable_at<E, V>::type, typename leaf_type<E, reader>::type>{};
        }
    }
    using type = decltype(name<first()>());
};

// Bindings against the variables of an expression: each one that needs it bound, none twice, none unknown, none const that
// is written.
template <class E, class... B>
struct diagnose_bindings {
    static constexpr const variable_info* bound[sizeof...(B) + 1] = {&info_of<typename B::tag>..., nullptr};
    static constexpr bool is_const[sizeof...(B) + 1] = {std::is_const_v<typename B::element>..., false};
    static constexpr int count = sizeof...(B);

    static constexpr int first_unbound() {
        const plan_view& p = plan_of<E>::view;
        for (int v = 0; v < p.count.named; ++v) {
            bool found = !needs_binding(p.variables[v]);
            for (int b = 0; b < count; ++b) found = found || bound[b] == p.variables[v].info;
            if (!found) return v;
        }
        return -1;
    }
    static constexpr int first_doubled() {
        for (int b = 0; b < count; ++b)
            for (int c = 0; c < b; ++c)
                if (bound[b] == bound[c]) return b;
        return -1;
    }
    static constexpr int first_unknown() {
        const plan_view& p = plan_of<E>::view;
        for (int b = 0; b < count; ++b) {
            if (!find_variable(p, bound[b])) return b;
        }
        return -1;
    }
    static constexpr int first_const() {
        for (int b = 0; b < count; ++b) {
            const planned_variable* v = find_variable(plan_of<E>::view, bound[b]);
            if (is_const[b] && v && v->written) return b;
        }
        return -1;
    }

    template <int V>
    static constexpr auto unbound() {
        if constexpr (V < 0)
            return fine{};
        else
            return unbound_variable<typename variable_at<E, V>::type>{};
    }
    template <template <class...> class Reason, int I>
    static constexpr auto name() {
        if constexpr (I < 0)
            return fine{};
        else
            return Reason<typename pick_type<I, typename B::tag...>::type>{};
    }
};

// Stops the build at the first wrong binding of each kind, and at a temp that is read before it is written.
template <class E, class... B>
constexpr void require_runnable() {
    using bindings = diagnose_bindings<E, B...>;
    static_cast<void>(require<typename diagnose_temps<E>::type>{});
    static_cast<void>(require<decltype(bindings::template unbound<bindings::first_unbound()>())>{});
    static_cast<void>(require<decltype(bindings::template name<variable_bound_twice, bindings::first_doubled()>())>{});
    static_cast<void>(require<decltype(bindings::template name<unknown_variable, bindings::first_unknown()>())>{});
    static_cast<void>(require<decltype(bindings::template name<bound_memory_is_const, bindings::first_const()>())>{});
}

}  // namespace cograph
