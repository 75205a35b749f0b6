// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/host_code.hpp>
#include <cograph/host/refused/simulate.hpp>
#include <cograph/host/serial_context.hpp>
#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/bind/observer.hpp>
#include <cograph/plan/report/loop_report.hpp>

#include <cstdint>
#include <cstring>

namespace cograph::core {

// Runs the nodes of a region in program order; the plan's conditions hold their last value in `conditions`. Ends
// early if the observer asks for it.
template <class Watch = unwatched>
class simulation {
public:
    simulation(const frame& f, const host_function* codes, const void* context, unsigned* conditions, Watch watch = {})
        : f_(f), codes_(codes), context_(context), conditions_(conditions), watch_(static_cast<Watch&&>(watch)) {}

    // Whether it ran to the end.
    bool run(int region) {
        for (int r = f_.plan.regions[region].first_node; r >= 0; r = f_.plan.nodes[r].next)
            if (!run(f_.plan.nodes[r])) return false;
        return true;
    }

private:
    bool run(const plan_node& r) {
        if (r.kind == plan_node_kind::conditional) return choose(r);
        watch_.before(r);
        const void* parameters[most_parameters];
        parameter_addresses(f_, r, parameters);
        // A kernel of the user's over no elements does not run on a GPU either.
        const bool empty = r.from->traits->is_opaque && !decides(r) && r.from->traits->counts_elements && domain_size(f_, r) == 0;
        const std::int64_t result = empty ? 0 : codes_[r.code](context_, parameters);
        if (r.from->traits->captures && result != 0)
            refuse(place_of(f_, r), "gave the status %lld", static_cast<long long>(result));
        if (f_.refuse_read && result != 0 && may_refuse_read(r)) f_.refuse_read(f_, r, result);
        if (decides(r)) conditions_[r.condition - f_.plan.count.named] = static_cast<unsigned>(result);
        return watch_.after(r);
    }

    bool choose(const plan_node& r) {
        const unsigned& value = conditions_[r.condition - f_.plan.count.named];
        if (is_loop(r.control)) {
            while (value == 1)
                if (!run(r.first_region)) return false;
            return true;
        }
        const int body = r.control == spec_kind::when ? (value ? 0 : 1) : static_cast<int>(value);
        return body >= r.region_count || run(r.first_region + body);
    }

    const frame& f_;
    const host_function* codes_;
    const void* context_;
    unsigned* conditions_;
    [[no_unique_address]] Watch watch_;
};

// Memory for one run. Temps start as bytes of all ones, which show a read of an unwritten element.
class host_arena {
public:
    explicit host_arena(const arena_layout& layout) : memory_(static_cast<char*>(::operator new(layout.bytes() + arena_alignment))) {
        std::memset(base(), 0, layout.kept);
        std::memset(base() + layout.kept, 0xff, layout.shared);
    }
    ~host_arena() { ::operator delete(memory_); }
    host_arena(const host_arena&) = delete;
    host_arena& operator=(const host_arena&) = delete;
    char* base() const { return memory_ + (arena_alignment - reinterpret_cast<std::uintptr_t>(memory_) % arena_alignment); }

private:
    char* memory_;
};

struct no_watch {
    unwatched operator()(const frame&) const { return {}; }
};

// Runs an expression on the host, as Planned plans it, its stages in a context, under a watch, which is made for the frame. Returns
// whether it ran to its end, and gives the states of its loops.
template <class Planned, class Context, expression E, class MakeWatch, class... B>
bool simulate_planned(loop_state* loops, Context const& context, E const& e, MakeWatch make_watch, B const&... bindings) {
    frame f(plan_to_run<Planned, typename E::self>(), e.records);
    fill_frame(f, e, bindings...);
    const arena_layout layout = lay_out(f, std::is_same_v<MakeWatch, no_watch>);  // who watches may look at any temp
    const host_arena arena(layout);
    point(f, layout, arena.base());
    if constexpr (has_initial_scalars(Planned::tree))
        each_initial_scalar(f, [](const variable_info& info, void* to) { std::memcpy(to, info.initial, info.size); });
    const heap_array<host_function> codes(f.plan.count.codes);
    host_codes<Planned, Context>::collect(codes.begin());
    const heap_array<unsigned> conditions(f.plan.count.variables);
    const bool ended = simulation(f, codes.begin(), &context, conditions.begin(), make_watch(f)).run(0);
    for (int i = 0; i < f.plan.count.loops; ++i) loops[i] = states_of_loops(f)[i];
    return ended;
}
template <expression E, class MakeWatch, class... B>
bool simulate_watched(loop_report<typename E::self>& report, E const& e, MakeWatch make_watch, B const&... bindings) {
    report.read_labels(e.records);
    return simulate_planned<typename E::self>(report.loops, serial_context{}, e, make_watch, bindings...);
}
template <expression E, class MakeWatch, class... B>
bool simulate_watched(E const& e, MakeWatch make_watch, B const&... bindings) {
    loop_report<typename E::self> report;
    return simulate_watched(report, e, make_watch, bindings...);
}

// Runs an expression on the host, node by node in program order, on host memory: simulate(solve, x(span), tol(1e-6)).
// Needs no CUDA. Returns a report of its loops. Throws error for null memory and extents that disagree.
template <expression E, class... B>
loop_report<typename E::self> simulate(E const& e, B... bindings) {
    loop_report<typename E::self> report;
    simulate_watched(report, e, no_watch{}, bindings...);
    return report;
}

}  // namespace cograph::core
