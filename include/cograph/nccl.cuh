// SPDX-License-Identifier: Apache-2.0
#pragma once

// Collectives of NCCL as nodes: nccl::all_reduce(world, out(y), in(x)). cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/libraries/library_handles.cuh>
#include <cograph/libraries/nccl.hpp>
#include <cograph/libraries/ranks/disagreement.cuh>

#include <nccl.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <thread>
#include <type_traits>

namespace cograph::core::nccl_routine {

inline void must_succeed(ncclResult_t result, const char* call) {
    if (result != ncclSuccess && result != ncclInProgress) refuse_library_call(call, ncclGetErrorString(result), ncclGetLastError(nullptr));
}

template <class T>
constexpr ncclDataType_t type_of() {
    if constexpr (std::is_same_v<T, float>) return ncclFloat;
    if constexpr (std::is_same_v<T, double>) return ncclDouble;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 1) return std::is_signed_v<T> ? ncclInt8 : ncclUint8;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4) return std::is_signed_v<T> ? ncclInt32 : ncclUint32;
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) return std::is_signed_v<T> ? ncclInt64 : ncclUint64;
}
template <class Op>
inline constexpr ncclRedOp_t operation_of = std::is_same_v<Op, plus>         ? ncclSum
                                            : std::is_same_v<Op, multiplies> ? ncclProd
                                            : std::is_same_v<Op, maximum>    ? ncclMax
                                                                             : ncclMin;

// Whether a call is to enqueue its work, or only to give the size of its workspace.
inline bool enqueues(void* work, std::size_t& bytes) {
    if (!work) bytes = 1;
    return work != nullptr;
}
inline bool is_alone(const nccl::communicator& world) {
    if (world.device) return false;
    if (world.size != 1) throw error({}, "this communicator is one of threads: ranks on GPUs need nccl::of_device(communicator).");
    return true;
}
template <class T>
void copy_alone(T* to, const T* from, index_t n, cudaStream_t on) {
    core::must_succeed(cudaMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice, on), "cudaMemcpyAsync");
}

template <class Op, class T>
void enqueue_call(all_reduce<Op>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, T* to, index_t n, const T* from,
                  index_t m) {
    need_counts(world, "all_reduce", n == m, n, m);
    if (!enqueues(work, bytes)) return;
    if (is_alone(world)) return copy_alone(to, from, n, on);
    must_succeed(ncclAllReduce(from, to, static_cast<std::size_t>(n), type_of<T>(), operation_of<Op>, world.device, on), "ncclAllReduce");
}
template <class T>
void enqueue_call(all_gather, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, T* to, index_t n, const T* from, index_t m) {
    need_counts(world, "all_gather", n == m * world.size, n, m);
    if (!enqueues(work, bytes)) return;
    if (is_alone(world)) return copy_alone(to, from, m, on);
    must_succeed(ncclAllGather(from, to, static_cast<std::size_t>(m), type_of<T>(), world.device, on), "ncclAllGather");
}
template <class Op, class T>
void enqueue_call(reduce_scatter<Op>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, T* to, index_t n, const T* from,
                  index_t m) {
    need_counts(world, "reduce_scatter", n * world.size == m, n, m);
    if (!enqueues(work, bytes)) return;
    if (is_alone(world)) return copy_alone(to, from, n, on);
    must_succeed(ncclReduceScatter(from, to, static_cast<std::size_t>(n), type_of<T>(), operation_of<Op>, world.device, on), "ncclReduceScatter");
}
template <class T>
void enqueue_call(broadcast, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, T* values, index_t n, index_t root) {
    if (!is_rank(world, root)) need_counts(world, "broadcast", false, n, n);
    if (!enqueues(work, bytes) || is_alone(world)) return;
    must_succeed(ncclBroadcast(values, values, static_cast<std::size_t>(n), type_of<T>(), static_cast<int>(root), world.device, on), "ncclBroadcast");
}

template <class T>
void enqueue_call(agree, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, const T* value, const char* name) {
    if (!work) {
        bytes = static_cast<std::size_t>(world.size) * sizeof(T);
        if (!is_alone(world)) memory_of_disagreement();
        return;
    }
    if (is_alone(world)) return;
    must_succeed(ncclAllGather(value, work, 1, type_of<T>(), world.device, on), "ncclAllGather");
    if (is_warm_up()) return;  // memory may have no values yet
    short_name what{};
    std::snprintf(what.text, sizeof what.text, "%s", name);
    compare_ranks<<<1, 1, 0, on>>>(static_cast<const T*>(work), world.size, what, memory_of_disagreement());
}

// Calls that NCCL enqueues together. The group ends, whatever they throw: NCCL enqueues nothing of one in which a call failed.
class call_group {
public:
    call_group() { must_succeed(ncclGroupStart(), "ncclGroupStart"); }
    ~call_group() {
        if (is_open_) ncclGroupEnd();
    }
    call_group(const call_group&) = delete;
    call_group& operator=(const call_group&) = delete;
    void end() {
        is_open_ = false;
        must_succeed(ncclGroupEnd(), "ncclGroupEnd");
    }

private:
    bool is_open_ = true;
};
template <class Calls>
void in_one_group(Calls calls) {
    call_group group;
    calls();
    group.end();
}

inline void enqueue_parts(const nccl::communicator&, cudaStream_t) {}
template <class T, class... More>
void enqueue_parts(const nccl::communicator& world, cudaStream_t on, T* memory, index_t n, index_t peer, More... more) {
    if (is_rank(world, peer)) {
        using element = std::remove_const_t<T>;
        if constexpr (std::is_const_v<T>)
            must_succeed(ncclSend(memory, static_cast<std::size_t>(n), type_of<element>(), static_cast<int>(peer), world.device, on), "ncclSend");
        else
            must_succeed(ncclRecv(memory, static_cast<std::size_t>(n), type_of<element>(), static_cast<int>(peer), world.device, on), "ncclRecv");
    }
    enqueue_parts(world, on, more...);
}
template <class Name, class... A>
void enqueue_call(exchange<Name>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, A... parts) {
    if (!enqueues(work, bytes)) return;
    if (is_alone(world)) return;  // whatever ranks its parts name, none exists
    in_one_group([&] { enqueue_parts(world, on, parts...); });
}

template <class T>
void enqueue_call(all_to_all, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, const nccl::communicator& world, T* to, index_t n, const T* from, index_t m,
                  const nccl::slices& of) {
    if (!enqueues(work, bytes)) return;
    // What may fail by itself comes before the group.
    each_slice(world, to, n, from, m, of, [](auto*, index_t, index_t) {}, [&](T* own, const T* given, index_t count) { copy_alone(own, given, count, on); });
    if (is_alone(world)) return;
    in_one_group([&] {
        each_slice(world, to, n, from, m, of, [&](auto* memory, index_t count, index_t rank) { enqueue_parts(world, on, memory, count, rank); }, [](T*, const T*, index_t) {});
    });
}

}  // namespace cograph::core::nccl_routine

namespace cograph::nccl {

// A communicator of NCCL's, as it is bound. It stays the user's, who has also chosen its ncclConfig_t.
inline communicator of_device(ncclComm_t made) {
    communicator world{made, nullptr, 0, 1};
    core::nccl_routine::must_succeed(ncclCommUserRank(made, &world.rank), "ncclCommUserRank");
    core::nccl_routine::must_succeed(ncclCommCount(made, &world.size), "ncclCommCount");
    return world;
}

// Waits for a stream, but not for ever. If NCCL reports an error (ncclCommGetAsyncError) or the time is over, it aborts the communicator, which
// ends kernels that wait on the device, and throws error. If ranks disagree (nccl::agree), the error has the name, and nothing is aborted: the
// process should end. After an error the communicator may not be used; NCCL frees it when the executables that use it are gone.
template <class Rep, class Period>
void wait(cudaStream_t stream, const communicator& world, std::chrono::duration<Rep, Period> longest) {
    const auto end = std::chrono::steady_clock::now() + longest;
    const auto give_up = [&](const char* why, const char* words) {
        // Which returns when the graphs that hold its calls are gone, too.
        std::thread([made = world.device] { ncclCommAbort(made); }).detach();
        const auto most = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (cudaStreamQuery(stream) == cudaErrorNotReady && std::chrono::steady_clock::now() < most) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        char text[320];
        std::snprintf(text, sizeof text, "rank %d of %d gave up: %s%s", world.rank, world.size, why, words);
        throw core::error({}, text);
    };
    for (cudaError_t now = cudaErrorNotReady; (now = cudaStreamQuery(stream)) != cudaSuccess;) {
        core::nccl_routine::refuse_disagreement();  // over a network, the stream may not end when the kernel has trapped
        if (now != cudaErrorNotReady) core::must_succeed(now, "cudaStreamQuery");
        if (!world.device) continue;
        ncclResult_t state = ncclSuccess;
        if (ncclCommGetAsyncError(world.device, &state) != ncclSuccess || (state != ncclSuccess && state != ncclInProgress))
            give_up("NCCL: ", ncclGetErrorString(state));
        if (std::chrono::steady_clock::now() > end) give_up("the other ranks did not come in time", "");
    }
}

}  // namespace cograph::nccl
