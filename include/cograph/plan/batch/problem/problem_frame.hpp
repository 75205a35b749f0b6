// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_slices.hpp>
#include <cograph/plan/bind/fill_frame.hpp>

namespace cograph::core {

// The run of one problem with its own plan: questions about extents, sizes and limits of a problem are answered
// there, as if it were solved alone.
class problem_frame : public frame {
public:
    problem_frame(const run_plan& own, const frame& batch, const plan_node& r, const slice_list& slices)
        : frame(own, batch.records + r.leaf + 1), batch_(batch), r_(r), problems_(domain_size(batch, r)) {
        for (int v = 0; v < plan.count.named; ++v) slots[v] = slot_of(plan.variables[v], slices);
        for (int v = 0; v < plan.count.named; ++v) slots[v].differs = slices.differs(plan.variables[v].info);
        for (int v = 0; v < plan.count.named; ++v) {
            const variable_info& info = *plan.variables[v].info;
            if (info.kind == variable_kind::scalar) slots[v].count = 1;
            if (info.like || info.size_by) slots[v].count = is_counted_there(info, slices) ? 0 : count_of(*this, v);
        }
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
    // Whether each problem counts elements with a formula of which the host has no largest value.
    static bool is_counted_there(const variable_info& count, const slice_list& slices) {
        if (count.kind != variable_kind::count || !slices.formula_of(&count)) return false;
        bool has_values = false;
        for (int i = 0; i < count.size_by->variable_count; ++i) has_values |= count.size_by->variables[i]->kind == variable_kind::value && slices.differs(count.size_by->variables[i]);
        return has_values || !never_shrinks(*count.size_by);
    }
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
        if (how == share::each_object && planned.info->kind == variable_kind::value) s.object = &no_elements;  // the device knows each problem's
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

    static constexpr std::int64_t no_elements = 0;
    [[noreturn]] void refuse_objects(const variable_info& whole, std::size_t count) const {
        const name_view name = whole.name.read();
        refuse(place_of(batch_, r_), "has %lld problems, and '%.*s' has %lld elements, not one for each", static_cast<long long>(problems_), static_cast<int>(name.size),
               name.data, static_cast<long long>(count));
    }

    const frame& batch_;
    const plan_node& r_;
    index_t problems_;
};

}  // namespace cograph::core
