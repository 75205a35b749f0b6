// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/replay/result_comparison.hpp>
#include <cograph/host/replay/element_order.hpp>
#include <cograph/host/simulate.hpp>

namespace cograph::core {

// Runs a node once, as `now` says.
inline void run_node(const frame& f, const host_function* codes, const plan_node& node, element_run& now) {
    const void* parameters[most_parameters];
    parameter_addresses(f, node, parameters);
    const checking_context context{&now};
    codes[node.code](&context, parameters);
}

// Whether a node runs over every second element, say, so that its elements have other numbers.
inline bool is_over_a_part(const plan_node& r) { return r.from->traits->every != 1; }
inline std::vector<index_t> numbers_of_part(const frame& f, const host_function* codes, const plan_node& node) {
    element_numbers numbers;
    element_run asks;
    asks.numbers = &numbers;
    run_node(f, codes, node, asks);
    return numbers.all;
}

// Runs of one node from one state, in copies of its memory, for a check and its search for elements.
class node_runs {
public:
    node_runs(const frame& f, const host_function* codes, element_run& now, const checked_memory& memory)
        : f_(f), codes_(codes), now_(now), memory_(memory), compare_(memory) {}

    void look_at(const plan_node& r, const std::vector<touched_variable>& touched) {
        node_ = &r;
        touched_ = &touched;
        parameter_addresses(f_, r, parameters_);
    }
    // Whether runs write read-only variables, so that these must be restored.
    void restore_inputs(bool restores) { restores_inputs_ = restores; }
    const plan_node& node() const { return *node_; }
    std::vector<index_t> numbers_of_part() const { return core::numbers_of_part(f_, codes_, *node_); }
    const std::vector<touched_variable>& touched() const { return *touched_; }
    const checked_memory& memory() const { return memory_; }

    // Runs all elements in an order, or the one run of a node that has none.
    void run(const run_start& start, const element_run& how) {
        begin(start);
        call(how);
    }
    // Runs all elements from the present state.
    void go_on() { call({}); }
    // Runs the first elements, in order, from the present state.
    void go_on_before(index_t last) {
        element_run how;
        how.last = last;
        call(how);
    }
    // Runs some elements.
    void run(const run_start& start, const std::vector<index_t>& elements, bool backwards = false) {
        begin(start);
        go_on(elements, backwards);
    }
    // Runs some elements from the present state.
    void go_on(const std::vector<index_t>& elements, bool backwards = false) {
        element_run how;
        how.order = element_order::listed;
        how.list = elements.data();
        how.count = static_cast<index_t>(elements.size());
        how.backwards = backwards;
        call(how);
    }
    void begin(const run_start& start) {
        memory_.start(*touched_, start, restores_inputs_, changed_, changed_count_);
        changed_ = start.disturbed >= 0 ? start.disturbed : start.unset;
        changed_count_ = start.disturbed >= 0 ? start.disturbed_count : start.unset >= 0 ? memory_.count(start.unset) : 0;
    }

    // From here on, runs are not the first.
    void end_first() {
        memory_.go_on(*touched_);
        changed_ = run_start::nothing;
    }
    void keep_middle() const {
        for (const touched_variable& t : *touched_)
            if (writes(t.how)) memory_.keep_middle(t);
    }

    // The difference of the last run from the first, or from the state in the middle.
    struct difference {
        const touched_variable* where = nullptr;
        index_t element = -1;
        explicit operator bool() const { return where; }
    };
    difference find(const run_start& start, bool from_middle = false) const {
        for (const touched_variable& t : *touched_) {
            if (!writes(t.how)) continue;
            const index_t element = compare_.find(t, start, from_middle ? memory_.middle(t.variable) : memory_.first(t.variable));
            if (element >= 0) return {&t, element};
        }
        return {};
    }
    // Whether two runs of some elements leave different results.
    bool differ(const run_start& start, const std::vector<index_t>& elements, const run_start& other, bool backwards) {
        run(start, elements);
        keep_middle();
        run(other, elements, backwards);
        return static_cast<bool>(find(other, true));
    }

private:
    void call(const element_run& how) {
        now_ = how;
        const checking_context context{&now_};
        codes_[node_->code](&context, parameters_);
    }

    const frame& f_;
    const host_function* codes_;
    element_run& now_;
    const checked_memory& memory_;
    result_comparison compare_;
    const plan_node* node_ = nullptr;
    const std::vector<touched_variable>* touched_ = nullptr;
    const void* parameters_[most_parameters] = {};  // the same for all runs of a node
    bool restores_inputs_ = false;
    int changed_ = run_start::nothing;  // a read-only variable whose first elements the run before began with other values in
    index_t changed_count_ = 0;
};

inline std::vector<index_t> elements_between(index_t begin, index_t end) {
    std::vector<index_t> all;
    for (index_t i = begin; i < end; ++i) all.push_back(i);
    return all;
}
inline std::vector<index_t> joined(std::vector<index_t> a, const std::vector<index_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    return a;
}

// The element of a list for which a test holds that holds for the whole, found by halves; -1 if it holds for neither
// of two.
template <class Test>
index_t find_element(std::vector<index_t> in, Test test) {
    if (in.empty() || !test(in)) return no_element;
    while (in.size() > 1) {
        const auto middle = in.begin() + static_cast<std::ptrdiff_t>(in.size() / 2);
        std::vector<index_t> half(in.begin(), middle);
        if (!test(half)) {
            half.assign(middle, in.end());
            if (!test(half)) return no_element;
        }
        in = half;
    }
    return in[0];
}

// Two elements for which, together, a test holds that holds for all of them.
struct element_pair {
    index_t first = no_element, second = no_element;
};
template <class Test>
element_pair find_pair(std::vector<index_t> in, Test test) {
    if (!test(in)) return {};
    while (in.size() > 1) {
        const auto middle = in.begin() + static_cast<std::ptrdiff_t>(in.size() / 2);
        const std::vector<index_t> lower(in.begin(), middle), upper(middle, in.end());
        if (test(lower))
            in = lower;
        else if (test(upper))
            in = upper;
        else {
            const index_t first = find_element(lower, [&](const std::vector<index_t>& some) { return test(joined(some, upper)); });
            if (first < 0) return {};
            const index_t second = find_element(upper, [&](const std::vector<index_t>& some) { return test(joined(some, {first})); });
            return {first, second};
        }
    }
    return {};
}

}  // namespace cograph::core
