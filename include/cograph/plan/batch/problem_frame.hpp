// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem_variables.hpp>
#include <cograph/plan/bind/fill_frame.hpp>

namespace cograph::core {

// The run of one problem with its own plan: questions about extents, sizes and limits of a problem are answered
// there, as if it were solved alone.
class problem_frame : public frame {
public:
    problem_frame(const run_plan& own, const frame& batch, const plan_node& r, const slice_list& slices)
        : frame(own, batch.records + r.leaf + 1), batch_(batch), r_(r), problems_(domain_size(batch, r)) {
        for (int v = 0; v < plan.count.named; ++v) slots[v] = slot_of(plan.variables[v], slices);
        if (complete_extents) complete_extents(*this);
    }

    // With the kept and computed values of its nodes; throws for a mistake.
    void complete() {
        int first = plan.count.kept_values > 0 ? batch_.plan.count.kept_values : 0;
        for (int i = 0; i < r_.argument_count && first > 0; ++i) {
            const argument& a = r_.from->arguments[i];
            const int at = batch_.plan.arguments[r_.first_argument + i];
            const int kept = a.form == argument_form::kept_value ? at : a.value ? batch_.plan.variables[at].state : -1;
            if (kept >= 0 && kept < first) first = kept;
        }
        for (int i = 0; i < plan.count.kept_values; ++i) kept_values[i] = batch_.kept_values[first + i];
        if (compute_values) compute_values(*this);
        check_run(*this);
    }

    index_t problems() const { return problems_; }

    // Loops report to arrays, one element a problem; they end with null.
    void check_reports(const variable_info* const* reports) const {
        for (; *reports; ++reports)
            if (const std::size_t count = count_of(batch_, number_of(batch_, *reports)); static_cast<index_t>(count) != problems_) refuse_objects(**reports, count);
    }

    // Temps of a problem lie one after the other, last those that exist only in copies of elements. The bytes up to a
    // temp; for null, all.
    static constexpr std::size_t alignment = 32;
    std::size_t bytes_before(const slice_list& slices, const variable_info* temp, bool (*is_only_copied)(const variable_info*), bool without_copied = false) const {
        std::size_t sum = 0;
        for (const bool copied : {false, true}) {
            if (copied && without_copied) break;
            for (int v = 0; v < plan.count.named; ++v) {
                const planned_variable& planned = plan.variables[v];
                if (share_of(slices, planned) != share::own_temp || is_only_copied(planned.info) != copied) continue;
                sum = aligned_to(sum, planned.info->alignment > alignment ? planned.info->alignment : alignment);
                if (planned.info == temp) return sum;
                sum += slots[v].count * planned.info->size;
            }
        }
        return aligned_to(sum, arena_alignment);
    }

private:
    static std::size_t aligned_to(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

    slot slot_of(const planned_variable& planned, const slice_list& slices) const {
        const variable_info* const whole = slices.whole_of(planned.info);
        const share how = share_of(slices, planned);
        if (how == share::own_scalar || how == share::own_temp || how == share::count) return {};
        const int of = number_of(batch_, whole ? whole : planned.info);
        slot s = batch_.slots[of];
        s.bound = false;  // checked there
        if (!s.object) s.count = count_of(batch_, of);
        if (!whole) return s;
        const name_view name = whole->name.read();
        const long long count = static_cast<long long>(s.count), problems = static_cast<long long>(problems_);
        if (how == share::each_object && problems > 0 && count != problems) refuse_objects(*whole, s.count);
        if (how == share::each_memory)
            if (const int at = slices.as_long_as(planned.info); slices.lengths[at]) return part_of(s, name, slices, at);
        if (problems > 0 && how == share::each_memory && count % problems != 0)
            refuse(place_of(batch_, r_), "has %lld problems, and '%.*s' has %lld elements: not as many for each", problems, static_cast<int>(name.size), name.data, count);
        s.count = how == share::each_object ? 1 : problems > 0 ? s.count / static_cast<std::size_t>(problems) : 0;
        return s;
    }

    // Of elements that a value counts.
    slot part_of(slot s, name_view name, const slice_list& slices, int at) const {
        const variable_info &says = *slices.lengths[at], *const begins = slices.begins[at];
        const long long length = integer_value(says, batch_.slots[number_of(batch_, &says)].object), count = static_cast<long long>(s.count),
                        problems = static_cast<long long>(problems_);
        const name_view says_name = says.name.read();
        if (length < 0) refuse(place_of(batch_, r_), "has problems with '%.*s' elements: %lld", static_cast<int>(says_name.size), says_name.data, length);
        if (begins) {
            const name_view begins_name = begins->name.read();
            const long long all = static_cast<long long>(count_of(batch_, number_of(batch_, begins)));
            if (all != problems + 1)
                refuse(place_of(batch_, r_), "has %lld problems, and '%.*s' has %lld elements, not one more", problems, static_cast<int>(begins_name.size), begins_name.data, all);
        } else if (problems > 0 && (count % problems != 0 || count / problems < length)) {
            refuse(place_of(batch_, r_), "has %lld problems with %lld elements of '%.*s' each, which has %lld: not as many for each, or fewer", problems, length,
                   static_cast<int>(name.size), name.data, count);
        }
        s.count = static_cast<std::size_t>(length);
        return s;
    }

    [[noreturn]] void refuse_objects(const variable_info& whole, std::size_t count) const {
        const name_view name = whole.name.read();
        refuse(place_of(batch_, r_), "has %lld problems, and '%.*s' has %lld elements, not one for each", static_cast<long long>(problems_), static_cast<int>(name.size),
               name.data, static_cast<long long>(count));
    }

    const frame& batch_;
    const plan_node& r_;
    index_t problems_;
};

// Numbers that the host computes for a batch.
enum class problem_quantity : unsigned char {
    bytes,   // of the temps of a problem
    reached_bytes,  // without those that are only in copies of elements
    count,   // elements of a variable of a problem
    distance,  // of the parts of a variable
    all,       // elements of a variable, of all problems
    offset,  // of a temp in its place
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
    for (int r = 0; r < f.plan.count.nodes; ++r)
        for (int i = 0; f.plan.nodes[r].from == &from && i < f.plan.nodes[r].argument_count; ++i)
            if (f.slots[f.plan.arguments[f.plan.nodes[r].first_argument + i]].number == number) return f.plan.nodes[r];
    return f.plan.nodes[0];
}

template <class B, problem_quantity What, class V, int I>
const char* compute_problem_number(const void* (*)(const void*, const variable_info&), const void* run, const void*, void* to, char*);

template <class B, problem_quantity What, class V, int I = 0>
struct problem_number {
    using parameter = index_t;
    using behind = typename behind_numbers<B>::type;
    static constexpr value_rule rule{behind::all, behind::count, false, &compute_problem_number<B, What, V, I>};
    static constexpr argument describe{.form = argument_form::computed, .value = &rule};
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
