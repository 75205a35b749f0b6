// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/launch/timing.cuh>
#include <cograph/run/refused/profile.cuh>

#include <algorithm>
#include <utility>
#include <vector>

// The time that each node takes on the GPU, from a run on a stream. cograph.cuh does not include this.

namespace cograph::core {

// The times of an expression's nodes and conditions, in the order of its plan.
template <class E>
class node_times {
public:
    explicit node_times(std::vector<node_time> nodes) : nodes_(std::move(nodes)) {}

    // By node of the plan; loops and branches have no time of their own.
    const std::vector<node_time>& nodes() const { return nodes_; }

    // The time of the node that a selector names.
    template <class S>
        requires is_fine<decltype(diagnose_time<E, S>())>
    const node_time& of(S) const {
        return nodes_[static_cast<std::size_t>(select<E, S>().node)];
    }

    // Refused calls.
    template <class S>
    auto of(S) const -> decltype(mistake_of<struct time_query, E, S>(diagnose_time<E, S>()));

private:
    std::vector<node_time> nodes_;
};

inline std::size_t first_copy(const plan_view& plan, int r) {
    int first = r;
    for (int other = 0; other < r && first == r; ++other)
        if (plan.nodes[other].leaf == plan.nodes[r].leaf && plan.nodes[other].code == plan.nodes[r].code && plan.nodes[other].kind == plan.nodes[r].kind)
            first = other;
    return static_cast<std::size_t>(first);
}
inline std::vector<node_time> summarize(const plan_view& plan, const record* records, std::vector<std::vector<float>>& times) {
    // A body that is there several times, for a loop that tests after some iterations only, is timed as one.
    for (std::size_t r = 0; r < times.size(); ++r)
        if (const std::size_t first = first_copy(plan, static_cast<int>(r)); first != r) {
            times[first].insert(times[first].end(), times[r].begin(), times[r].end());
            times[r].clear();
        }
    std::vector<node_time> nodes(times.size());
    double sum = 0;
    for (std::size_t r = 0; r < nodes.size(); ++r) {
        const plan_node& here = plan.nodes[r];
        nodes[r].where = place_of(records[here.leaf], *here.from);
        nodes[r].is_condition = here.kind == plan_node_kind::condition;
        nodes[r].calls = static_cast<int>(times[r].size());
        for (const float microseconds : times[r]) nodes[r].total += microseconds;
        nodes[r].median = timing_watch::median_of(times[r]);
        sum += nodes[r].total;
    }
    for (node_time& plan_node : nodes) plan_node.share = sum > 0 ? plan_node.total / sum : 0;
    return nodes;
}

// Runs an expression once on a stream, like run_on, and times every node between two events, minus the time of an
// empty event pair. Kernels are loaded before. The stream is kept busy before each node, so host time is excluded.
// Memory changes as in any run. Persistent loops run node by node here. Throws like run_on.
template <expression E, class... B>
    requires can_run<typename E::self, B...>
node_times<typename E::self> profile(cudaStream_t stream, E const& e, B... bindings) {
    timing_watch watch = run_watched(
        stream, e, [&](const frame& f, const void* const* kernels) { return timing_watch(f, kernels, stream); }, bindings...);
    return node_times<typename E::self>(summarize(plan_to_run<typename E::self>().plan, e.records, watch.finish()));
}

// The name of a file in its folder.
inline const char* file_name(const char* path) {
    const char* name = path;
    for (; *path; ++path)
        if (*path == '/') name = path + 1;
    return name;
}

// Writes the times as a table, the longest first. Out is any stream with operator<< for const char*.
template <class Out, class E>
void write_table(Out& out, node_times<E> const& times) {
    std::vector<const node_time*> sorted;
    for (const node_time& t : times.nodes())
        if (t.calls > 0) sorted.push_back(&t);
    std::stable_sort(sorted.begin(), sorted.end(), [](const node_time* a, const node_time* b) { return a->total > b->total; });
    out << " share    total us    calls   median us  node\n";
    for (const node_time* t : sorted) {
        char line[400];
        std::snprintf(line, sizeof line, "%5.1f%% %11.1f %8d %11.2f  %.*s%s (%s:%u)\n", 100 * t->share, t->total, t->calls, t->median,
                      static_cast<int>(std::min<std::size_t>(t->where.name.size, 200)), t->where.name.data, t->is_condition ? "?" : "",
                      file_name(t->where.file), t->where.line);
        out << line;
    }
}

// Writes the picture of an expression with the time of each node, the redder the more it takes of the whole.
template <class Out, expression E>
void write_dot(Out&& out, E const& e, node_times<typename E::self> const& times) {
    std::vector<node_note> notes(times.nodes().size() + 1);
    double most = 0;
    for (const node_time& t : times.nodes()) most = std::max(most, t.share);
    for (std::size_t r = 0; r < times.nodes().size(); ++r) {
        const node_time& t = times.nodes()[r];
        if (t.calls == 0) continue;
        const double red = most > 0 ? t.share / most : 0;
        const auto mixed = [&](int to) { return 255 - static_cast<int>(red * (255 - to) + 0.5); };
        std::snprintf(notes[r].line, sizeof notes[r].line, "%.1f us x %d, %.0f %%", t.median, t.calls, 100 * t.share);
        std::snprintf(notes[r].colour, sizeof notes[r].colour, "#%02x%02x%02x", mixed(0xf4) & 255u, mixed(0x8a) & 255u, mixed(0x62) & 255u);
    }
    dot_writer<std::remove_reference_t<Out>>(out, plan_of<typename E::self>::view, e.records, notes.data()).write();
}

}  // namespace cograph::core

namespace cograph {

using core::node_time;
using core::node_times;
using core::profile;
using core::write_table;

}  // namespace cograph
