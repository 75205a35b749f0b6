// SPDX-License-Identifier: Apache-2.0

// The solver on a GPU, without any framework. An executable is kept for each kind of system, and bound anew for each call.

#include "cg.hpp"

#include <cograph/join/add_to.cuh>

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace cg {
namespace {

template <class T, class I>
using executable_of = cograph::executable<typename decltype(solver<T, I>)::self>;

/// Memory may be allocated while another stream, or this one, is being captured: none of it is used before the capture ends.
class while_capturing {
public:
    while_capturing() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ~while_capturing() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    while_capturing(const while_capturing&) = delete;

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// Launches of one executable run one after another, so streams that are to overlap have one each. They are never ended: when the
/// program ends, the framework's allocator may be gone.
template <class T, class I>
void launch_kept(const equations& s, cudaStream_t stream, int device) {
    static std::mutex guard;
    static auto& kept = *new std::map<std::tuple<int, cudaStream_t, std::int64_t>, std::optional<executable_of<T, I>>>;
    const std::lock_guard held(guard);
    if (kept.size() > 64) kept.clear();
    auto& found = kept[{device, stream, s.n}];
    with_bindings<T, I>(s, [&](auto... bindings) {
        if (found)
            found->update(bindings...);
        else if constexpr (owns_memory)
            found.emplace(cograph::instantiate(solver<T, I>, cograph::use(s.allocate, s.deallocate), bindings...));
        else
            found.emplace(cograph::instantiate(solver<T, I>, bindings...));
    });
    found->launch(stream);
}

__global__ void nothing() {}

}  // namespace

void launch_nothing(void* stream) { nothing<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(); }

void solve_on_device(const equations& s, void* on, int device) {
    const auto stream = static_cast<cudaStream_t>(on);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) status = cudaStreamCaptureStatusNone;
    for_types_of(s, [&](auto number, auto index) {
        using T = decltype(number);
        using I = decltype(index);
        if (status == cudaStreamCaptureStatusNone) return launch_kept<T, I>(s, stream, device);
        const while_capturing allowed;  // a captured solver has memory of its own, which its graph owns
        with_bindings<T, I>(s, [&](auto... bindings) { cograph::add_to(stream, solver<T, I>, bindings...); });
    });
}

}  // namespace cg
