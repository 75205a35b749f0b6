// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/heap_array.hpp>
#include <cograph/host/stream_code.hpp>
#include <cograph/run/launch/launch_config.cuh>
#include <cograph/run/memory/handle.cuh>

#include <cstdint>

namespace cograph::core {

// Errors of captured calls name the call: its exception travels nested in the error.
[[noreturn]] inline void rethrow_for(place at) {
    try {
        throw;
    } catch (const std::exception& e) {
        std::throw_with_nested(error(at, "threw an exception:", name_view(e.what())));
    } catch (...) {
        std::throw_with_nested(error(at, "threw something that is no std::exception"));
    }
}

inline void call_captured(const frame& f, const plan_node& r, stream_function call, cudaStream_t stream, std::size_t* bytes) {
    const void* parameters[most_parameters];
    parameter_addresses(f, r, parameters);
    driver_log log;
    std::int64_t status = 0;
    cudaGetLastError();  // an earlier error is not the call's
    try {
        status = call(stream, parameters, bytes);
    } catch (...) {
        cudaGetLastError();  // clears the error for the next call
        rethrow_for(place_of(f, r));
    }
    const cudaError_t left = cudaGetLastError();  // clears the error for the next call
    if (status != 0) {
        char text[80];
        std::snprintf(text, sizeof text, "gave the status %lld, which is no success.", static_cast<long long>(status));
        throw error(place_of(f, r), text, log.first_line());
    }
    // A launch gives no status. A query that found work still running has not failed.
    if (left != cudaSuccess && left != cudaErrorNotReady) throw cuda_error(place_of(f, r), "a CUDA call in it", left, log.first_line());
}

// The outputs of a captured call, saved while it warms up, in the order of the call's stream. Temps have no contents
// yet.
class written_memory {
public:
    written_memory(const frame& f, const plan_node& r, cudaStream_t stream)
        : f_(f), r_(r), stream_(stream), copies_(static_cast<std::size_t>(r.access_count)) {
        check_node_call(copy(true), "cudaMemcpyAsync", f, r, nullptr);
    }
    // All of it that can be, when the stream comes to it; gives the first error.
    cudaError_t restore() { return copy(false); }

private:
    cudaError_t copy(bool keeps) {
        cudaError_t first = cudaSuccess;
        for (int i = 0; i < r_.access_count; ++i) {
            const access& a = f_.plan.accesses[r_.first_access + i];
            const slot& s = f_.slots[a.variable];
            const variable_info& info = *f_.plan.variables[a.variable].info;
            if (!writes(a.how) || (!s.bound && info.kind != variable_kind::scalar) || s.object || s.count == 0) continue;
            const std::size_t bytes = s.count * info.size;
            if (keeps) check_node_call(cudaMalloc(copies_[i].put(), bytes), "cudaMalloc", f_, r_, nullptr);
            const cudaError_t code =
                cudaMemcpyAsync(keeps ? copies_[i].get() : s.pointer, keeps ? s.pointer : copies_[i].get(), bytes, cudaMemcpyDefault, stream_);
            if (first == cudaSuccess) first = code;
        }
        return first;
    }
    const frame& f_;
    const plan_node& r_;
    cudaStream_t stream_;
    heap_array<memory_owner> copies_;
};

// The stream that the user chose for captured calls, or one made for a call. Collectives start before kernels beside them, which could have
// blocks for the whole GPU: other ranks wait for them.
class stream_for_call {
public:
    stream_for_call(const frame& f, const plan_node& r, unsigned flags, driver_log& log) : stream_(f.captures_on) {
        if (stream_) return;
        if (r.from->traits->of_ranks == rank_role::none) {
            check_node_call(cudaStreamCreateWithFlags(made_.put(), flags), "cudaStreamCreateWithFlags", f, r, &log);
        } else {
            int least = 0, first = 0;
            check_node_call(cudaDeviceGetStreamPriorityRange(&least, &first), "cudaDeviceGetStreamPriorityRange", f, r, &log);
            check_node_call(cudaStreamCreateWithPriority(made_.put(), flags, first), "cudaStreamCreateWithPriority", f, r, &log);
        }
        stream_ = made_.get();
    }
    cudaStream_t get() const { return stream_; }

private:
    stream_owner made_;
    cudaStream_t stream_;
};

// Whether this thread makes a call to warm up: memory may have no values yet.
inline bool& is_warm_up() {
    static thread_local bool is = false;
    return is;
}
class warm_up_scope {
public:
    warm_up_scope() { is_warm_up() = true; }
    ~warm_up_scope() { is_warm_up() = false; }
    warm_up_scope(const warm_up_scope&) = delete;
    warm_up_scope& operator=(const warm_up_scope&) = delete;
};

// Makes the call once, after the work of the default stream. Its outputs are restored, also after a failure: the
// enqueued work is waited for, and the first error is kept.
inline void warm_up(const frame& f, const plan_node& r, stream_function call) {
    driver_log log;
    const stream_for_call stream(f, r, cudaStreamDefault, log);
    written_memory before(f, r, stream.get());
    const warm_up_scope here;
    try {
        call_captured(f, r, call, stream.get(), nullptr);
        check_node_call(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize", f, r, &log);
        check_node_call(before.restore(), "cudaMemcpyAsync", f, r, &log);
        check_node_call(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize", f, r, &log);
    } catch (...) {
        cudaStreamSynchronize(stream.get());
        before.restore();
        cudaStreamSynchronize(stream.get());
        cudaGetLastError();  // clears the error for the next call
        throw;
    }
}

}  // namespace cograph::core
