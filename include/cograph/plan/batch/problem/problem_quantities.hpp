// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_slices.hpp>
#include <cograph/plan/bind/frame.hpp>

namespace cograph::core {

// Numbers that the host computes for a batch.
enum class problem_quantity : unsigned char {
    bytes,   // of the temps of a problem
    reached_bytes,  // without those that are only in copies of elements
    count,   // elements of a variable of a problem
    distance,  // of the parts of a variable
    all,       // elements of a variable, of all problems
    offset,  // of a temp in its place
    group_bytes,  // of shared memory for the groups of threads of a problem
    value    // of a formula of a node
};

// The variables of a batch that the numbers may follow from.
template <class B>
struct behind_numbers {
    template <class W>
    static constexpr list<W> listed(word<W>) {
        return {};
    }
    static constexpr list<> of_parts(word<equal_parts>) { return {}; }
    template <class Length>
    static constexpr list<Length> of_parts(word<first_of_parts<Length>>) {
        return {};
    }
    template <class Begins, class Longest>
    static constexpr list<Begins, Longest> of_parts(word<parts_between<Begins, Longest>>) {
        return {};
    }
    template <class V>
    static constexpr auto of_variable(word<V>) {
        constexpr share how = B::template share_of<V>();
        if constexpr (how == share::each_memory)
            return decltype(listed(B::whole_of(word<V>{}))){} + decltype(of_parts(B::parts_of_word(word<V>{}))){};
        else if constexpr (how == share::each_object)
            return listed(B::whole_of(word<V>{}));
        else if constexpr (how == share::all_memory || (how == share::all_object && V::kind == variable_kind::value))
            return list<V>{};
        else
            return list<>{};
    }
    template <class... V>
    static constexpr auto among(list<V...>) {
        return (list<>{} + ... + decltype(of_variable(word<V>{})){});
    }
    template <class... V>
    struct infos {
        static constexpr const variable_info* all[] = {&info_of<V>..., B::domain::describe.variable, nullptr};
        static constexpr int count = sizeof...(V) + (B::domain::describe.variable != nullptr);
    };
    template <class... V>
    static infos<V...> of(list<V...>);
    using names = decltype(among(typename B::variables{}));
    using type = decltype(of(names{}));
};

// The node whose number lies there.
inline const plan_node& node_of_number(const frame& f, const node_spec& from, const void* number) {
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        const plan_node& here = f.plan.nodes[r];
        for (int i = 0; here.from == &from && i < here.argument_count; ++i)
            if (from.arguments[i].form == argument_form::computed && f.slots[f.plan.arguments[here.first_argument + i]].number == number) return here;
    }
    return f.plan.nodes[0];
}

template <class B, problem_quantity What, class V, int I>
const char* compute_problem_number(const void* (*)(const void*, const variable_info&), const void* run, const void*, void* to, char*);

template <class B, problem_quantity What, class V, int I = 0>
struct problem_number {
    using parameter = index_t;
    using behind = typename behind_numbers<B>::type;
    static constexpr value_rule rule{behind::all, behind::count, false, &compute_problem_number<B, What, V, I>};
    static constexpr argument describe{.form = argument_form::computed, .value = &rule, .of_shared_memory = What == problem_quantity::group_bytes};
};
// A formula of argument I of the nodes of a problem.
template <class B, int I, class P>
struct problem_value {
    using parameter = P;
    using behind = typename behind_numbers<B>::type;
    template <class... A>
    static constexpr bool keeps(list<A...> all) {
        return keeps_of(word_at<I>(all));
    }
    template <class A>
    static constexpr bool keeps_of(word<A>) {
        return A::describe.value->keeps;
    }
    static constexpr value_rule rule{behind::all, behind::count, keeps(typename B::own_arguments{}), &compute_problem_number<B, problem_quantity::value, void, I>};
    static constexpr argument describe{.form = argument_form::computed, .value = &rule};
};

// Memory for the temps of the problems that run at once: a temp of the graph.
template <class B>
size_result size_of_places(const size_rule&, size_result (*)(const void*, const variable_info&), const void* run);
template <class B>
struct problem_places {
    using parameter = void*;
    using behind = typename behind_numbers<B>::type;
    static constexpr size_rule rule{nullptr, 0, behind::all, behind::count, &size_of_places<B>};
    static constexpr variable_info info{{"temps of problems"}, variable_kind::temp, 1, 32, false, nullptr, type_hash<problem_places>(), {"bytes"}, &rule, true};
    static constexpr argument describe{argument_form::pointer, access_mode::write, &info};
};

// For sentences about the variables that they follow from.
template <class B>
inline constexpr const variable_info& info_of<problem_places<B>> = problem_places<B>::info;
template <class B>
word<problem_places<B>> variable_of(const problem_places<B>*);
template <class B>
typename behind_numbers<B>::names sources_of(const problem_places<B>*);
template <class B, problem_quantity What, class V, int I>
typename behind_numbers<B>::names parts_of(const problem_number<B, What, V, I>*);
template <class B, int I, class P>
typename behind_numbers<B>::names parts_of(const problem_value<B, I, P>*);

}  // namespace cograph::core
