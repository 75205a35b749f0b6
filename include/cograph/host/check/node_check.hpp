// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/check/access_check.hpp>
#include <cograph/host/check/check_options.hpp>

#include <bit>

namespace cograph::core {

// Checks one node: runs it from the state before it in several orders of its elements, with several bytes around
// variables and in out variables, and compares the results.
class node_check {
public:
    node_check(const frame& f, const host_function* codes, element_run& now, checked_memory& memory, const check_options& options, finding_sink& sink)
        : memory_(memory), options_(options), sink_(sink), runs_(f, codes, now, memory), access_(f, memory, runs_, sink), seed_(options.seed * 0x9e3779b97f4a7c15u + 1) {}

    // After the first run of a node, over a number of elements, in copies of memory: the turn-th that is checked. If
    // `again`, it may run again.
    void look_at(const plan_node& r, std::vector<touched_variable>& touched, index_t elements, index_t turn, bool again) {
        r_ = &r;
        turn_ = turn;
        touched_ = &touched;
        elements_ = elements;
        runs_.look_at(r, touched);
        runs_.end_first();
        access_.look_at(r, touched, elements);
        look_at_inputs_and_guards(again);
        if (!again) return access_.saw(r);
        access_.look_for_unset();
        vary();
        if (options_.hints) access_.look_for_hints();
    }
    bool has_unset(const std::vector<touched_variable>& touched, index_t elements) { return access_.has_unset(touched, elements); }
    // After a node that is not checked, and is the library's own or not.
    void pass_over(const plan_node& r, bool is_own) { access_.pass_over(r, is_own); }

private:
    void look_at_inputs_and_guards(bool again) {
        struct fault {
            int variable;
            bool to_guards;
            index_t element;
        };
        std::vector<fault> faults;  // all of them first: a search runs elements again
        runs_.restore_inputs(false);
        for (const touched_variable& t : *touched_) {
            const int v = t.variable;
            if (!memory_.first_is_guarded(t)) faults.push_back({v, true, -1});
            if (writes(t.how)) continue;
            const std::size_t size = memory_.info(v).size;
            const index_t written = find_different(memory_.master(v), memory_.work(v), memory_.count(v), size, [](index_t) { return true; });
            if (written >= 0) faults.push_back({v, false, written});
        }
        if (!faults.empty()) runs_.restore_inputs(true);
        for (const fault& known : faults) {
            finding f = access_.about(known.to_guards ? finding_kind::write_beyond_extent : finding_kind::in_written, known.variable, known.element);
            if (sink_.is_known(*r_, f.kind)) continue;
            if (again && elements_ > 0) f.first = race_search(runs_).search_writer(known.variable, known.to_guards, elements_);
            sink_.found(*r_, f);
        }
    }

    void vary() {
        const bool many = elements_ > most_checked_well;
        seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
        if (turn_ > 0 && many && !has_poison()) return vary_once();
        vary(run_start{.poison = 0xff, .guard = 0xff}, order(element_order::descending), turn_ == 0, &access_check::note_ones);
        const element_order second = (turn_ % 2 == 0) != many ? element_order::by_bit : element_order::shuffled;  // of many, the first one is random
        vary(run_start{.poison = 0x00, .guard = 0x00}, order(second, turn_ / 2), true, &access_check::note_zeros);
        access_.report_unwritten();
        if (elements_ < 2) return;
        const bool all_pairs = options_.all_pairs && may_meet_themselves();
        if (turn_ == 0 && !many) vary(run_start{.poison = 0xff, .guard = 0x00}, order(element_order::shuffled));  // later, one of two orders is enough
        if (all_pairs || (turn_ == 0 && elements_ <= (may_meet_themselves() ? most_in_all_halves : most_in_all_halves / 2))) vary_halves(many || turn_ > 0 ? 0 : 1);
    }
    // Any two elements are in different halves by one of these orders.
    void vary_halves(int first_bit) {
        for (int bit = first_bit; ((elements_ - 1) >> bit) > 0; ++bit) vary(run_start{.poison = 0xff, .guard = 0xff}, order(element_order::by_bit, bit));
    }
    // Many elements each further time, without variables to poison: one order of three in turn.
    void vary_once() {
        constexpr element_order orders[] = {element_order::shuffled, element_order::by_bit, element_order::descending};
        const unsigned char guard = turn_ % 2 == 0 ? 0xff : 0x00;
        vary(run_start{.guard = guard}, order(orders[turn_ % 3], turn_ / 3));
        if (options_.all_pairs && may_meet_themselves()) vary_halves(0);
    }
    bool has_poison() const {
        for (const touched_variable& t : *touched_)
            if (t.only_written()) return true;
        return false;
    }
    // By the nth of the bits that elements' numbers have, in turn.
    element_run order(element_order how, index_t nth_bit = 0) const {
        element_run run;
        run.order = elements_ > 0 ? how : element_order::ascending;
        run.bit = elements_ < 3 ? 0 : static_cast<int>(nth_bit % static_cast<index_t>(std::bit_width(static_cast<std::uint64_t>(elements_ - 1))));
        run.seed = seed_ >> 8;
        return run;
    }

    // One more run: whether two elements write one place, which its two halves show, and whether its results are
    // those of the first.
    void vary(const run_start& start, element_run how, bool in_halves = true, void (access_check::*note)() = nullptr) {
        how.whom = this;
        if (in_halves && elements_ > 1 && may_meet_themselves()) how.middle = [](void* self) { static_cast<node_check*>(self)->keep_middle(); };
        runs_.run(start, how);
        const auto different = runs_.find(start);
        if (note) (access_.*note)();
        if (how.middle && !sink_.is_known(*r_, finding_kind::write_write_race))
            for (const touched_variable& t : *touched_)
                if (may_meet(t) && meets_itself(t, start, how)) break;
        if (different) explain(start, how, *different.where, different.element);
    }
    void keep_middle() const {
        for (const touched_variable& t : *touched_)
            if (may_meet(t)) memory_.keep_middle(t);
    }
    // Whether two elements can write one place of a variable, and should not.
    bool may_meet(const touched_variable& t) const { return writes(t.how) && t.whole && !t.is_shared(); }
    bool may_meet_themselves() const {
        for (const touched_variable& t : *touched_)
            if (may_meet(t)) return true;
        return false;
    }
    bool meets_itself(const touched_variable& t, const run_start& start, const element_run& how) {
        const int v = t.variable;
        const bool poisoned = t.only_written();
        const index_t element = find_changed_twice(poisoned ? nullptr : memory_.master(v), static_cast<unsigned char>(start.poison), memory_.middle(v),
                                                   memory_.work(v), memory_.count(v), memory_.info(v).size);
        if (element < 0) return false;
        std::vector<index_t> half, other;
        for (index_t i = 0; i < elements_; ++i) (is_in_first_half(how, i) ? half : other).push_back(i);
        sink_.found(*r_, race_search(runs_).search_writers(start, t, element, half, other));
        return true;
    }
    bool is_in_first_half(const element_run& how, index_t i) const {
        if (how.order == element_order::descending) return i >= elements_ / 2;
        return how.order == element_order::by_bit ? (i >> how.bit & 1) != 0 : shuffled_elements(how.seed, elements_).is_in_first_half(i);
    }
    // A run has left other results than the first. The cause is that no two runs agree, the memory around variables,
    // the contents of out variables, or the order.
    void explain(const run_start& start, const element_run& how, const touched_variable& where, index_t element) {
        const element_run ascending;
        const run_start other_guards{.guard = start.guard}, other_poison{.poison = start.poison};
        runs_.run({}, ascending);
        if (const auto again = runs_.find({})) return sink_.found(*r_, access_.about(finding_kind::not_repeatable, again.where->variable, again.element));
        runs_.run(other_guards, ascending);
        if (runs_.find(other_guards)) return blame(finding_kind::read_beyond_extent, other_guards, ascending, -1);
        runs_.run(other_poison, ascending);
        if (const auto seen = runs_.find(other_poison)) return blame(finding_kind::out_read, other_poison, ascending, seen.element);
        if (sink_.is_known(*r_, finding_kind::order_dependence) || sink_.is_known(*r_, finding_kind::read_write_race) ||
            sink_.is_known(*r_, finding_kind::write_write_race) || how.order == element_order::ascending)
            return;
        finding f = race_search(runs_).search_order(elements_);
        if (f.variable.size == 0) {
            f.variable = memory_.info(where.variable).name.read();
            f.element = element;
        }
        sink_.found(*r_, f);
    }
    // The variable around which, or in which, other bytes make the difference.
    void blame(finding_kind kind, run_start start, const element_run& how, index_t element) {
        if (sink_.is_known(*r_, kind)) return;
        for (const touched_variable& t : *touched_) {
            if (kind == finding_kind::out_read && !t.only_written()) continue;
            (kind == finding_kind::out_read ? start.poisoned : start.guarded) = t.variable;
            runs_.run(start, how);
            if (!runs_.find(start)) continue;
            finding f = access_.about(kind, t.variable, element);
            if (elements_ > 0) f.first = race_search(runs_).search_reader(start, elements_);
            sink_.found(*r_, f);
            return;
        }
    }

    checked_memory& memory_;
    const check_options& options_;
    finding_sink& sink_;
    node_runs runs_;
    access_check access_;
    std::uint64_t seed_;
    const plan_node* r_ = nullptr;
    std::vector<touched_variable>* touched_ = nullptr;
    index_t elements_ = 0;
    index_t turn_ = 0;
};

}  // namespace cograph::core
