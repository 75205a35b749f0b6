// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/condition_code.hpp>
#include <cograph/expr/node/kernel.hpp>
#include <cograph/expr/stream/captured.hpp>
#include <cograph/expr/stream/copies.hpp>
#include <cograph/expr/stream/events.hpp>
#include <cograph/expr/stream/host_work.hpp>
#include <cograph/host/serial_context.hpp>
#include <cograph/plan/bind/fill_frame.hpp>
#include <cograph/plan/bind/observer.hpp>
#include <cograph/plan/report/loop_report.hpp>

#include <cstdint>
#include <cstring>

namespace cograph::core {

// The host form of a code: runs it on parameters found at these addresses. Conditions return their value, captured calls their status.
using host_function = std::int64_t (*)(const void* const* parameters);

template <class P>
decltype(auto) host_parameter(const void* address) {
    if constexpr (std::is_trivially_copyable_v<P> && std::is_default_constructible_v<P>) {
        P value;
        std::memcpy(&value, address, sizeof value);
        return value;
    } else {
        return *static_cast<const P*>(address);
    }
}

template <class Code>
struct host_code;

template <class Stage, class... P>
struct host_code<stage_code<Stage, P...>> {
    static std::int64_t run(const void* const* parameters) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            Stage::run(serial_context{}, host_parameter<P>(parameters[I])...);
        }(std::index_sequence_for<P...>{});
        return 0;
    }
};

template <class Condition, class... P>
struct host_code<condition_code<Condition, P...>> {
    static std::int64_t run(const void* const* parameters) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Condition::of(host_parameter<P>(parameters[I])...);
        }(std::index_sequence_for<P...>{});
    }
};

template <class Style, class F, class Host, class... P>
struct host_code<captured_code<Style, F, Host, P...>> {
    static std::int64_t run(const void* const* parameters) {
        if constexpr (std::is_same_v<Host, made_on_use<no_host_form_t>>)
            return 0;
        else
            return [&]<std::size_t... I>(std::index_sequence<I...>) {
                constexpr std::size_t first = Style::sized ? 3 : 2;
                return status_of(parameter_at<Host>::read(parameters[1]), parameter_at<P>::read(parameters[first + I])...);
            }(std::index_sequence_for<P...>{});
    }
};

template <class F, class... P>
struct host_code<host_work_code<F, P...>> {
    static std::int64_t run(const void* const* parameters) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            parameter_at<F>::read(parameters[0])(parameter_at<P>::read(parameters[1 + I])...);
        }(std::index_sequence_for<P...>{});
        return 0;
    }
};
template <class T>
struct host_code<copy_code<T, false>> {
    static std::int64_t run(const void* const* parameters) {
        const index_t count = *static_cast<const index_t*>(parameters[2]);
        if (count > 0)
            std::memcpy(*static_cast<T* const*>(parameters[1]), *static_cast<const T* const*>(parameters[0]), static_cast<std::size_t>(count) * sizeof(T));
        return 0;
    }
};
template <class T>
struct host_code<copy_code<T, true>> {
    static std::int64_t run(const void* const* parameters) {
        const box& b = *static_cast<const box*>(parameters[2]);
        const box_side from = from_side(b), to = to_side(b);
        for (index_t slice = 0; slice < b.depth; ++slice)
            for (index_t r = 0; r < b.height && b.width > 0; ++r)
                std::memcpy(*static_cast<T* const*>(parameters[1]) + to.begin + (slice * to.rows + r) * to.pitch,
                            *static_cast<const T* const*>(parameters[0]) + from.begin + (slice * from.rows + r) * from.pitch,
                            static_cast<std::size_t>(b.width) * sizeof(T));
        return 0;
    }
};
template <>
struct host_code<no_code> {
    static std::int64_t run(const void* const*) { return 0; }
};

template <auto F, auto Host>
struct host_code<function_code<F, Host>> {
    static std::int64_t run(const void* const* parameters) {
        if constexpr (!std::is_null_pointer_v<decltype(Host)>) call(parameters, typename signature<decltype(Host)>::parameters{});
        return 0;
    }
    template <class... P>
    static void call(const void* const* parameters, list<P...>) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            Host(host_parameter<P>(parameters[I])...);
        }(std::index_sequence_for<P...>{});
    }
};

// The codes of an expression in the order of its plan: its own, then those of its children.
template <class E>
struct host_codes {
    template <class... C>
    static host_function* own(host_function* to, list<C...>) {
        const host_function functions[] = {&host_code<C>::run..., nullptr};
        for (int i = 0; functions[i]; ++i) *to++ = functions[i];
        return to;
    }
    template <class... E_>
    static host_function* below(host_function* to, list<E_...>) {
        host_function* (*const collect[])(host_function*) = {&host_codes<E_>::collect..., nullptr};
        for (int i = 0; collect[i]; ++i) to = collect[i](to);
        return to;
    }
    static host_function* collect(host_function* to) {
        return below(own(to, typename E::codes{}), typename E::children{});
    }
};

// Runs the nodes of a region in program order; the plan's conditions hold their last value in `conditions`. Ends early where
// what watches says so.
template <class Watch = unwatched>
class simulation {
public:
    simulation(const frame& f, const host_function* codes, unsigned* conditions, Watch watch = {})
        : f_(f), codes_(codes), conditions_(conditions), watch_(static_cast<Watch&&>(watch)) {}

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
        const bool empty = r.from->traits->is_opaque && r.from->traits->counts_elements && domain_size(f_, r) == 0;
        const std::int64_t result = empty ? 0 : codes_[r.code](parameters);
        if (r.from->traits->captures && result != 0)
            refuse(place_of(f_, r), "gave the status %lld", static_cast<long long>(result));
        if (r.kind == plan_node_kind::condition) conditions_[r.condition - f_.plan.count.named] = static_cast<unsigned>(result);
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
    unsigned* conditions_;
    [[no_unique_address]] Watch watch_;
};

// Memory that lives as long as a run. Temps start as bytes of all ones, which show where one is read that nobody wrote.
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

// Runs an expression on the host, as Planned plans it, under a watch, which is made for the frame. Returns whether it ran to its
// end, and gives the states of its loops.
template <class Planned, expression E, class MakeWatch, class... B>
bool simulate_planned(loop_state* loops, E const& e, MakeWatch make_watch, B const&... bindings) {
    frame f(plan_to_run<Planned>(), e.records);
    fill_frame(f, e, bindings...);
    const arena_layout layout = lay_out(f, std::is_same_v<MakeWatch, no_watch>);  // who watches may look at any temp
    const host_arena arena(layout);
    point(f, layout, arena.base());
    const heap_array<host_function> codes(f.plan.count.codes);
    host_codes<Planned>::collect(codes.begin());
    const heap_array<unsigned> conditions(f.plan.count.variables);
    const bool ended = simulation(f, codes.begin(), conditions.begin(), make_watch(f)).run(0);
    for (int i = 0; i < f.plan.count.loops; ++i) loops[i] = states_of_loops(f)[i];
    return ended;
}
template <expression E, class MakeWatch, class... B>
bool simulate_watched(loop_report<typename E::self>& report, E const& e, MakeWatch make_watch, B const&... bindings) {
    report.read_labels(e.records);
    return simulate_planned<typename E::self>(report.loops, e, make_watch, bindings...);
}
template <expression E, class MakeWatch, class... B>
bool simulate_watched(E const& e, MakeWatch make_watch, B const&... bindings) {
    loop_report<typename E::self> report;
    return simulate_watched(report, e, make_watch, bindings...);
}

// Runs an expression on the host, node by node in program order, on host memory: simulate(solve, x(span), tol(1e-6)).
// Needs no CUDA. Returns what its loops did. Throws error for null memory and extents that disagree.
template <expression E, class... B>
loop_report<typename E::self> simulate(E const& e, B... bindings) {
    loop_report<typename E::self> report;
    simulate_watched(report, e, no_watch{}, bindings...);
    return report;
}

template <expression E, class... B>
    requires(!can_simulate<typename E::self, B...>)
auto simulate(E const&, B...) -> decltype(mistake_of<struct simulate_call, E, B...>(diagnose_simulation<typename E::self, B...>()));
template <class E, class... B>
auto simulate(E const&, B...) -> decltype(mistake_of<struct simulate_call, word<E>, B...>(why_no_expression(static_cast<const E*>(nullptr))));
template <class... A>
auto simulate(A const&...) -> mistake<arguments_are_not_those_of<struct simulate_call, A...>, struct write_simulate_expression_bindings>;

}  // namespace cograph::core
