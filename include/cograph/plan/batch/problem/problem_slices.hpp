// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/size_formula.hpp>
#include <cograph/plan/batch/of_each.hpp>
#include <cograph/plan/report/query.hpp>

namespace cograph::core {

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
    // Whether the number that a value has, or of a variable's elements, differs from problem to problem.
    constexpr bool differs(const variable_info* v) const { return v && ((v->kind == variable_kind::value && whole_of(v)) || begins_of(v)); }
    // The variable whose formula says how many elements one has, if that is over such numbers.
    constexpr const variable_info* formula_of(const variable_info* v) const {
        const variable_info* const source = extent_source(v);
        for (int i = 0; source && source->size_by && source->size_by->compute == &compute_size && i < source->size_by->variable_count; ++i)
            if (differs(source->size_by->variables[i])) return source;
        return nullptr;
    }
    constexpr const variable_info* whole_of(const variable_info* v) const {
        for (int i = 0; i < count; ++i)
            if (variables[i] == v) return wholes[i];
        return nullptr;
    }
};
// Whether a size never shrinks if the variables that it follows from grow. A difference, which may be negative, is not multiplied.
constexpr bool never_shrinks(const size_rule& rule) {
    bool may_be_negative = false;
    for (int i = 0; i < rule.part_count; ++i) {
        const size_step what = rule.parts[i].what;
        if (what == size_step::remainder || (what == size_step::product && may_be_negative)) return false;
        if (what == size_step::difference && rule.parts[i - 1].what != size_step::number) return false;
        may_be_negative = may_be_negative || what == size_step::difference;
        if ((what == size_step::quotient || what == size_step::quotient_up) && rule.parts[i - 1].what != size_step::number) return false;
        if (what == size_step::number && rule.parts[i].number < 0) return false;
    }
    return true;
}

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

// The whole of which problems have parts, among slices.
template <class V, class... U, class... W, class... Parts>
constexpr auto whole_among(list<slices_of<U, W, Parts>...>) {
    constexpr int at = first_true<std::is_same_v<U, V>...>();
    if constexpr (at < static_cast<int>(sizeof...(U)))
        return word_at<at>(list<W...>{});
    else
        return word<V>{};
}

// How its parts lie.
template <class V, class... U, class... W, class... Parts>
constexpr auto parts_among(list<slices_of<U, W, Parts>...>) {
    constexpr int at = first_true<std::is_same_v<U, V>...>();
    if constexpr (at < static_cast<int>(sizeof...(U)))
        return word_at<at>(list<Parts...>{});
    else
        return word<equal_parts>{};
}

}  // namespace cograph::core
