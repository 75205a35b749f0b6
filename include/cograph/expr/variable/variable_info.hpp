// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/printed_name.hpp>

#include <cstdint>
#include <type_traits>

namespace cograph::core {

enum class variable_kind : unsigned char { buffer, scalar, value, view, temp, host, pinned, count };

struct variable_info;

// The size of a temp, if a formula defines it: parts in postfix order, over the extents of variables.
enum class size_step : unsigned char { number, extent, sum, difference, product, quotient, quotient_up, remainder, smaller, larger };
struct size_part {
    size_step what;
    std::int64_t number;  // or which variable
};
struct size_result {
    std::int64_t value;
    const char* fault;  // null: none
};
struct size_rule {
    const size_part* parts;
    int part_count;
    const variable_info* const* variables;
    int variable_count;
    // The size, from extents that read(run, variable) gives; a pointer, since few programs have such sizes.
    size_result (*compute)(const size_rule&, size_result (*read)(const void* run, const variable_info&), const void* run);
};

// The plan's knowledge of a variable. Its address is the variable's identity.
struct variable_info {
    lazy_name name;
    variable_kind kind;
    unsigned size;              // bytes of one element
    unsigned alignment;
    bool is_signed;
    const variable_info* like;  // of temps: the variable whose extent this one has, or null
    std::size_t hash;
    lazy_name element;
    const size_rule* size_by = nullptr;  // of temps: the formula, or null
    bool internal = false;      // the library's own, which the user does not name
    const void* initial = nullptr;  // of values, views and scalars: the value in the declaration of one that is not bound
    bool is_number = false;         // its elements are
};

// The variable whose extent one has, after all: that of a temp may be another temp's.
constexpr const variable_info* extent_source(const variable_info* variable) {
    while (variable && variable->like) variable = variable->like;
    return variable;
}

// Whether two formulas are of the same parts.
constexpr bool are_same(const size_rule& a, const size_rule& b) {
    if (a.part_count != b.part_count || a.variable_count != b.variable_count) return false;
    for (int i = 0; i < a.part_count; ++i)
        if (a.parts[i].what != b.parts[i].what || a.parts[i].number != b.parts[i].number) return false;
    for (int i = 0; i < a.variable_count; ++i)
        if (a.variables[i] != b.variables[i]) return false;
    return true;
}

// Whether a variable has as many elements as the counted one, in every run.
constexpr bool has_extent_of(const variable_info* variable, const variable_info* counted) {
    const variable_info *const source = extent_source(variable), *const other = extent_source(counted);
    if (source == other) return true;
    const size_rule* const rule = source->size_by;
    if (rule && other && other->size_by && (rule == other->size_by || are_same(*rule, *other->size_by))) return true;
    return rule && rule->part_count == 1 && rule->parts[0].what == size_step::extent && rule->variables[rule->parts[0].number] == counted;
}

template <class V>
constexpr const variable_info* info_or_null();

// The formula of a temp's size in its declaration; null except for elements<...>.
template <class Like>
inline constexpr const size_rule* rule_of = nullptr;

template <class V>
inline constexpr variable_info info_of{type_name<V>(),
                                       V::kind,
                                       sizeof(typename V::element),
                                       alignof(typename V::element),
                                       std::is_signed_v<typename V::element>,
                                       info_or_null<typename V::like>(),
                                       type_hash<V>(),
                                       type_name<typename V::element>(),
                                       rule_of<typename V::like>,
                                       false,
                                       nullptr,
                                       std::is_arithmetic_v<typename V::element>};

constexpr unsigned most_initial_bytes = 256;  // of scalars
// The same of a value, view or scalar with a member `initial` of its own type.
template <class V>
    requires((V::kind == variable_kind::value || V::kind == variable_kind::view || (V::kind == variable_kind::scalar && sizeof(typename V::element) <= most_initial_bytes)) && requires { requires std::is_same_v<decltype(V::initial), const typename V::element>; })
inline constexpr variable_info info_of<V>{type_name<V>(),
                                          V::kind,
                                          sizeof(typename V::element),
                                          alignof(typename V::element),
                                          std::is_signed_v<typename V::element>,
                                          nullptr,
                                          type_hash<V>(),
                                          type_name<typename V::element>(),
                                          nullptr,
                                          false,
                                          &V::initial};

template <class V>
constexpr const variable_info* info_or_null() {
    if constexpr (std::is_void_v<V> || rule_of<V> != nullptr)
        return nullptr;
    else
        return &info_of<V>;
}

}  // namespace cograph::core
