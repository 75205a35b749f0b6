// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/launch/eager.cuh>
#include <cograph/run/memory/handle.cuh>

#include <algorithm>
#include <vector>

namespace cograph::core {

// Keeps a stream busy, so that work enqueued after it meanwhile runs without waiting for the host.
template <unsigned Nanoseconds>
__global__ void hold_stream() {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < Nanoseconds);
}

// The times of one node in a run, in microseconds.
struct node_time {
    place where;
    bool is_condition = false;
    int calls = 0;
    double total = 0, median = 0;
    double share = 0;  // of all nodes together, 0 to 1
};

// Times every node between two events. They are read in batches, when the stream has come so far.
class timing_watch {
public:
    timing_watch(const frame& f, const void* const* kernels, cudaStream_t stream)
        : nodes_(f.plan.nodes), stream_(stream), times_(static_cast<std::size_t>(f.plan.count.nodes)) {
        for (int r = 0; r < f.plan.count.nodes; ++r) {
            const plan_node& here = f.plan.nodes[r];
            if (here.kind == plan_node_kind::conditional || !here.from->traits->is_kernel) continue;
            cudaFuncAttributes loaded;  // asking loads the kernel, which the first launch would do otherwise
            check(cudaFuncGetAttributes(&loaded, launch_of(f, here, kernels[here.code], nullptr).kernel), "cudaFuncGetAttributes", place_of(f, here));
        }
        for (event_owner& event : events_) check(cudaEventCreate(event.put()), "cudaEventCreate");
        hold();
        for (int i = 0; i < batch; ++i) mark(), mark();
        std::vector<float> nothing;
        read([&](int, float microseconds) { nothing.push_back(microseconds); });
        between_ = median_of(nothing);
    }

    void before(const plan_node& r) {
        if (used_ == batch) read_times();
        node_of_[used_] = static_cast<int>(&r - nodes_);
        hold();
        mark();
    }
    void after(const plan_node&) {
        mark();
        ++used_;
    }

    // By node. Waits for the stream.
    std::vector<std::vector<float>>& finish() {
        read_times();
        return times_;
    }
    static float median_of(std::vector<float>& values) {
        if (values.empty()) return 0;
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    }

private:
    static constexpr int batch = 64;

    void hold() {
        cudaGetLastError();  // the error asked for below is the launch's
        hold_stream<20000><<<1, 1, 0, stream_>>>();
        check(cudaGetLastError(), "cudaLaunchKernel");
    }
    void mark() { check(cudaEventRecord(events_[next_++].get(), stream_), "cudaEventRecord"); }

    template <class Take>
    void read(Take take) {
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
        for (int i = 0; 2 * i + 1 < next_; ++i) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, events_[2 * i].get(), events_[2 * i + 1].get()), "cudaEventElapsedTime");
            take(i, milliseconds * 1000);
        }
        next_ = used_ = 0;
    }
    void read_times() {
        read([&](int i, float microseconds) {
            times_[static_cast<std::size_t>(node_of_[i])].push_back(std::max(microseconds - between_, 0.0f));
        });
    }

    const plan_node* nodes_;
    cudaStream_t stream_;
    event_owner events_[2 * batch];
    int node_of_[batch] = {};
    int next_ = 0, used_ = 0;
    float between_ = 0;  // of two events with nothing between them
    std::vector<std::vector<float>> times_;
};

}  // namespace cograph::core
