// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/observer.hpp>
#include <cograph/plan/report/loop_report.hpp>
#include <cograph/run/graph/initial_scalars.cuh>
#include <cograph/run/kernel/no_op_kernel.cuh>
#include <cograph/run/launch/kernel_table.cuh>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>
#include <cograph/run/launch/preflight.cuh>
#include <cograph/run/refused/run.cuh>

namespace cograph::core {

// Memory for one run on a stream, the first part of it zeroed; given back in stream order.
class stream_arena {
public:
    stream_arena(const frame& f, const arena_layout& layout, cudaStream_t stream) : stream_(stream) {
        const std::size_t zeroed = layout.kept + arena_alignment;
        check(cudaMallocAsync(&memory_, zeroed + layout.shared, stream), "cudaMallocAsync", largest_owned(f, layout.shared == 0));
        const cudaError_t cleared = cudaMemsetAsync(memory_, 0, zeroed, stream);
        if (cleared != cudaSuccess) cudaFreeAsync(memory_, stream);
        check(cleared, "cudaMemsetAsync");
    }
    ~stream_arena() { cudaFreeAsync(memory_, stream_); }
    stream_arena(const stream_arena&) = delete;
    stream_arena& operator=(const stream_arena&) = delete;

    // The device's conditions, and the run's memory.
    unsigned* condition() const { return static_cast<unsigned*>(memory_); }
    char* base() const { return static_cast<char*>(memory_) + arena_alignment; }

private:
    cudaStream_t stream_;
    void* memory_ = nullptr;
};

// Launches a kernel that decides about a loop or branch, and stores the decision. Only expressions with such kernels have it.
using decider_launch = void (*)(const frame&, const plan_node&, const sized_launch&, cudaStream_t, unsigned* value, driver_log&);

// Launches the nodes of a region on a stream in program order. A condition is read back before its decision. A
// derived class may run nodes in another way, and has as many values at device_value as fit into arena_alignment
// bytes.
template <class Watch = unwatched>
class eager_run {
public:
    eager_run(const frame& f, const void* const* kernels, loop_state* loops, unsigned* values, unsigned* device_value, cudaStream_t stream,
              Watch& watch)
        : f_(f), kernels_(kernels), launches_(f.plan.count.nodes), loops_(loops), values_(values), device_value_(device_value), stream_(stream),
          watch_(watch) {}

    void run(int region) {
        for (int r = f_.plan.regions[region].first_node; r >= 0; r = f_.plan.nodes[r].next) run(f_.plan.nodes[r]);
    }

protected:
    unsigned& value_of(const plan_node& r) { return values_[r.condition - f_.plan.count.named]; }

    virtual void run(const plan_node& r) {
        if (r.kind == plan_node_kind::conditional)
            choose(r);
        else if (r.from->traits->is_kernel)
            launch(r);
        else
            enqueue(r);
    }

    void enqueue(const plan_node& r) {
        const other_code& code = other_code_at(kernels_[r.code]);
        behind_programmatic_ = false;
        watch_.before(r);
        code.enqueue(f_, r, code, stream_, log_);
        watch_.after(r);
    }

    void launch(const plan_node& r) {
        sized_launch& known = launches_[&r - f_.plan.nodes];
        if (!known.kernel) known = launch_of(f_, r, kernels_[r.code], &log_);
        const auto& [kernel, shape] = known;
        if (shape.empty) return;
        const void* parameters[most_parameters];
        const bool sets = r.kind == plan_node_kind::condition;
        parameters[0] = &device_value_;
        parameter_addresses(f_, r, parameters + sets);
        allow_shared(f_, r, kernel, shape.shared, &log_);
        watch_.before(r);
        launch_attributes attributes(shape);
        const bool programmatic = is_programmatic(f_, r);
        if (programmatic && behind_programmatic_) attributes.add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed = 1;
        behind_programmatic_ = programmatic;
        if (r.from->traits->decides)
            reinterpret_cast<decider_launch>(const_cast<void*>(kernels_[r.code + 1]))(f_, r, known, stream_, device_value_, log_);
        else
            launch_kernel(r, kernel, shape, attributes, parameters);
        watch_.after(r);
        if (decides(r)) read_back(r, device_value_);
    }

    void read_back(const plan_node& r, const unsigned* value) {
        check_node_call(cudaMemcpyAsync(&value_of(r), value, sizeof(unsigned), cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync", f_, r, &log_);
        check_node_call(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", f_, r, &log_);
    }

    void launch_kernel(const plan_node& r, const void* kernel, const launch_shape& shape, launch_attributes& attributes, const void** parameters) {
        if (attributes.count == 0) {
            check_node_call(cudaLaunchKernel(kernel, shape.grid, shape.block, const_cast<void**>(parameters), shape.shared, stream_), "cudaLaunchKernel", f_, r, &log_);
            return;
        }
        allow_cluster(f_, r, kernel, shape.cluster, &log_);
        const cudaLaunchConfig_t config{shape.grid, shape.block, shape.shared, stream_, attributes.all, attributes.count};
        check_node_call(cudaLaunchKernelExC(&config, kernel, const_cast<void**>(parameters)), "cudaLaunchKernelExC", f_, r, &log_);
    }

    void choose(const plan_node& r) {
        if (is_loop(r.control)) {
            loop_state& loop = loops_[f_.plan.variables[r.condition].state];
            ++loop.entries;
            for (; value_of(r) == 1; loop.iterations += r.from->decided ? 0 : r.from->every) run(r.first_region);
            loop.ended = r.from->decided ? ending::kernel : ending_for(value_of(r));
        } else {
            const int body = r.control == spec_kind::when ? (value_of(r) ? 0 : 1) : static_cast<int>(value_of(r));
            if (body < r.region_count) run(r.first_region + body);
        }
    }

    const frame& f_;
    const void* const* kernels_;
    heap_array<sized_launch> launches_;  // by node: found once, since nothing changes extents in a run
    loop_state* loops_;
    unsigned* values_;
    unsigned* device_value_;
    cudaStream_t stream_;
    Watch& watch_;
    driver_log log_;
    bool behind_programmatic_ = false;  // the last enqueued work is a programmatic kernel
};

struct no_stream_watch {
    unwatched operator()(const frame&, const void* const*) const { return {}; }
};

// Runs an expression on a stream, as Planned plans it, by Run, under a watch, which is made for the frame; returns the watch, and gives
// the states of loops that the host decides about.
template <class Planned, template <class> class Run, expression E, class MakeWatch, class... B>
auto run_planned(loop_state* loops, cudaStream_t stream, E const& e, MakeWatch make_watch, B const&... bindings) {
    frame f(plan_to_run<Planned, typename E::self>(), e.records);
    fill_frame(f, e, bindings...);
    const heap_array<const void*> kernels(f.plan.count.codes);
    collect_kernels(kernels_of<to_memory, typename Planned::codes, typename Planned::children>::entries, kernels.begin());
    driver_log log;
    check_machine(f, kernels.begin(), log);
    if constexpr (std::is_same_v<MakeWatch, no_stream_watch>) {
        constexpr bool decides = has_control(Planned::tree);
        using target = std::conditional_t<decides, to_graph, to_memory>;
        run_to_join run{kernels_of<target, typename Planned::codes, typename Planned::children>::entries, nullptr};
        if constexpr (decides) run.nothing = reinterpret_cast<const void*>(&do_nothing<1>);
        if constexpr (has_initial_scalars(Planned::tree)) run.begin = &add_initial_scalars<initial_bytes_of<Planned>>;
        if (on_captured_streams.run && on_captured_streams.run(f, run, stream)) return unwatched{};
    }
    check_stream(f, stream, log);
    size_workspaces(f, kernels.begin());
    const arena_layout layout = lay_out(f);
    const stream_arena arena(f, layout, stream);
    point(f, layout, arena.base());
    if constexpr (has_initial_scalars(Planned::tree)) store_initial_scalars<initial_bytes_of<Planned>>(f, stream);
    const heap_array<unsigned> values(f.plan.count.variables);
    auto watch = make_watch(f, kernels.begin());
    Run<decltype(watch)>(f, kernels.begin(), loops, values.begin(), arena.condition(), stream, watch).run(0);
    return watch;
}
template <expression E, class MakeWatch, class... B>
auto run_watched(loop_report<typename E::self>& report, cudaStream_t stream, E const& e, MakeWatch make_watch, B const&... bindings) {
    report.read_labels(e.records);
    return run_planned<typename E::self, eager_run>(report.loops, stream, e, make_watch, bindings...);
}
template <expression E, class MakeWatch, class... B>
auto run_watched(cudaStream_t stream, E const& e, MakeWatch make_watch, B const&... bindings) {
    loop_report<typename E::self> report;
    return run_watched(report, stream, e, make_watch, bindings...);
}

// Runs an expression on a stream, kernel by kernel: for debuggers and profilers, and for single runs. Loops and
// branches wait for the stream; the rest does not. Returns a report of its loops, which is complete by then. Throws
// like instantiate.
template <expression E, class... B>
loop_report<typename E::self> run_on(cudaStream_t stream, E const& e, B... bindings) {
    loop_report<typename E::self> report;
    run_watched(report, stream, e, no_stream_watch{}, bindings...);
    return report;
}

}  // namespace cograph::core
