// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_shape.hpp>
#include <cograph/expr/formula/host_value.hpp>
#include <cograph/expr/node/computed_count.hpp>
#include <cograph/plan/batch/of_each.hpp>
#include <cograph/plan/report/query.hpp>

namespace cograph::core {

// The variables of an expression as a batch of problems has them, with their types.

// The arguments of all nodes below E, in the order of the parameters of its program.
template <class E>
struct arguments_below {
    template <class... A, class... Child>
    static constexpr auto join(list<A...> own, list<Child...>) {
        return (own + ... + decltype(arguments_below<Child>::find()){});
    }
    static constexpr auto find() {
        if constexpr (requires { typename E::arguments; })
            return join(typename E::arguments{}, typename E::children{});
        else
            return join(list<>{}, typename E::children{});
    }
};

// A variable, and those whose extents it takes.
template <class V>
constexpr auto with_sources(word<V>);
template <int Parts, class... V>
constexpr auto all_with_sources(const size_formula<Parts, V...>*) {
    return (list<>{} + ... + decltype(with_sources(word<V>{})){});
}
// The sides of a box that are variables.
template <index_t Size>
constexpr list<> with_sources(word<constant_side<Size>>) {
    return {};
}
template <class V>
constexpr list<> sides_behind(const V*) {
    return {};
}
template <class... Side>
constexpr auto sides_behind(const box_count<Side...>*) {
    return (list<>{} + ... + decltype(with_sources(word<Side>{})){});
}
template <class V>
constexpr auto with_sources(word<V>) {
    using like = typename V::like;
    if constexpr (std::is_void_v<like>)
        return list<V>{} + decltype(sides_behind(static_cast<const V*>(nullptr))){};
    else if constexpr (rule_of<like> != nullptr)
        return list<V>{} + decltype(all_with_sources(&like::size)){};
    else
        return list<V>{} + decltype(with_sources(word<like>{})){};
}

// The variables of an argument.
template <class P, class F, class... V>
constexpr auto variables_behind(const host_value<P, F, V...>*) {
    return (list<>{} + ... + decltype(with_sources(decltype(counted_by(static_cast<const V*>(nullptr))){})){});
}
template <class A>
constexpr auto variables_behind(const A*) {
    if constexpr (requires { typename A::variable; })
        return decltype(with_sources(word<typename A::variable::tag>{})){};
    else
        return list<>{};
}

// Each type of a list once.
template <class... V>
struct once_each {
    struct positions {
        int at[sizeof...(V) + 1]{};
        int count = 0;
    };
    static constexpr positions find() {
        constexpr const variable_info* all[] = {&info_of<V>..., nullptr};
        positions found;
        for (int i = 0; i < static_cast<int>(sizeof...(V)); ++i) {
            int same = 0;
            while (all[same] != all[i]) ++same;
            if (same == i) found.at[found.count++] = i;
        }
        return found;
    }
    static constexpr positions first = find();
    template <int... I>
    static auto pick(std::integer_sequence<int, I...>) -> decltype((list<>{} + ... + word_at<first.at[I]>(list<V...>{})));
    using type = decltype(pick(std::make_integer_sequence<int, first.count>{}));
};
template <class... A>
constexpr auto variables_among(list<A...>) {
    return (list<>{} + ... + decltype(variables_behind(static_cast<const A*>(nullptr))){});
}
template <class... V>
typename once_each<V...>::type once(list<V...>);
template <class E>
using variables_below = decltype(once(variables_among(arguments_below<E>::find())));

// The plan's facts about a variable of an expression.
template <class E, class V>
inline constexpr planned_variable planned_in = *find_variable(plan_of<E>::view, &info_of<V>);

// How a variable belongs to the problems of a batch.
enum class share : unsigned char {
    all_memory,   // of all problems, which only read it
    all_object,   // the same of a value or view
    each_memory,  // a slice of memory for each
    each_object,  // an element of memory for each
    own_scalar,   // made by a problem, and gone with it
    own_temp,
    count         // no memory: a number of elements that a formula says
};

// Slices: of which variables each problem has its own.
struct slice_list {
    const variable_info* const* variables;
    const variable_info* const* wholes;
    const variable_info* const* lengths;  // values: of all parts, or of the longest
    const variable_info* const* begins;
    int count;
    // The variable whose parts a variable has; a temp has those of the one that it is as long as.
    constexpr int as_long_as(const variable_info* v) const {
        for (; v; v = v->like)
            for (int i = 0; i < count; ++i)
                if (variables[i] == v) return i;
        return -1;
    }
    constexpr bool is_between(int at) const { return begins[at] != nullptr; }
    constexpr bool is_distant(int at) const { return lengths[at] && !begins[at]; }
    constexpr bool has_gaps(const variable_info* v) const { return lengths[as_long_as(v)] != nullptr; }
    // The array of their begins, if they are not equally long.
    constexpr const variable_info* begins_of(const variable_info* v) const {
        const int at = as_long_as(v);
        return at < 0 ? nullptr : begins[at];
    }
    constexpr const variable_info* whole_of(const variable_info* v) const {
        for (int i = 0; i < count; ++i)
            if (variables[i] == v) return wholes[i];
        return nullptr;
    }
};
template <class... S>
struct slices;
template <class Parts>
struct parts_as_data {
    static constexpr const variable_info *length = nullptr, *begins = nullptr;
};
template <class Length>
struct parts_as_data<first_of_parts<Length>> {
    static constexpr const variable_info *length = &info_of<Length>, *begins = nullptr;
};
template <class Begins, class Longest>
struct parts_as_data<parts_between<Begins, Longest>> {
    static constexpr const variable_info *length = &info_of<Longest>, *begins = &info_of<Begins>;
};
template <class... V, class... W, class... Parts>
struct slices<slices_of<V, W, Parts>...> {
    static constexpr const variable_info* variables[] = {&info_of<V>..., nullptr};
    static constexpr const variable_info* wholes[] = {&info_of<W>..., nullptr};
    static constexpr const variable_info* lengths[] = {parts_as_data<Parts>::length..., nullptr};
    static constexpr const variable_info* begins[] = {parts_as_data<Parts>::begins..., nullptr};
    static constexpr slice_list view{variables, wholes, lengths, begins, sizeof...(V)};
};

constexpr share share_of(const slice_list& slices, const planned_variable& v) {
    const variable_kind kind = v.info->kind;
    const bool is_object = kind == variable_kind::value || kind == variable_kind::view;
    if (kind == variable_kind::count) return share::count;
    if (slices.whole_of(v.info)) return is_object || kind == variable_kind::scalar ? share::each_object : share::each_memory;
    if (is_object) return share::all_object;
    if (v.written && kind == variable_kind::scalar) return share::own_scalar;
    if (v.written && kind == variable_kind::temp) return share::own_temp;
    if (!v.read && kind == variable_kind::temp) return share::count;  // its extent alone is used
    return share::all_memory;
}
// How the batch as a whole uses memory of which each problem has a part; elements may lie between parts.
constexpr access_mode use_of_whole(const planned_variable& v, bool is_partly) {
    if (!v.written) return access_mode::read;
    return v.read_first || !v.always_written || is_partly ? access_mode::read_write : access_mode::write;
}

}  // namespace cograph::core
