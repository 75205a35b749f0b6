// SPDX-License-Identifier: Apache-2.0

// The solver on a GPU, without any framework. An executable is kept for each kind of system, and bound anew for each call.

#include "cg.hpp"

#include <cograph/join/add_to.cuh>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace cg {
namespace {

template <class T, class I, bool Small>
using executable_of = cograph::executable<typename decltype(solver<T, I, Small>)::self>;

/// Memory may be allocated while another stream, or this one, is being captured: none of it is used before the capture ends.
class while_capturing {
public:
    while_capturing() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ~while_capturing() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    while_capturing(const while_capturing&) = delete;

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

template <class T, class I, bool Small, class... B>
executable_of<T, I, Small> make(const equations& s, B... bindings) {
    if constexpr (owns_memory)
        return cograph::instantiate(solver<T, I, Small>, cograph::use(s.allocate, s.deallocate), bindings...);
    else
        return cograph::instantiate(solver<T, I, Small>, bindings...);
}
/// Launches of one executable run one after another, so streams that are to overlap have one each. They are never ended: when the
/// program ends, the framework's allocator may be gone.
template <class T, class I, bool Small>
void launch_kept(const equations& s, cudaStream_t stream, int device) {
    static std::mutex guard;
    static auto& kept = *new std::map<std::tuple<int, cudaStream_t, std::int64_t>, std::optional<executable_of<T, I, Small>>>;
    const std::lock_guard held(guard);
    if (kept.size() > 64) kept.clear();
    auto& found = kept[{device, stream, s.n}];
    with_bindings<T, I, Small>(s, [&](auto... bindings) {
        if (found)
            found->update(bindings...);
        else
            found.emplace(make<T, I, Small>(s, bindings...));
    });
    found->launch(stream);
}

std::atomic<int> joined = 0;  // captures

__global__ void nothing() {}

}  // namespace

int captured_calls() { return joined; }
void launch_nothing(void* stream) { nothing<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>(); }

void solve_on_device(const equations& s, void* on, int device) {
    const auto stream = static_cast<cudaStream_t>(on);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess) status = cudaStreamCaptureStatusNone;
    for_types_of(s, [&]<class T, class I, bool Small>() {
        if (status == cudaStreamCaptureStatusNone) return launch_kept<T, I, Small>(s, stream, device);
        ++joined;
        const while_capturing allowed;  // a captured solver has memory of its own, which its graph owns
        with_bindings<T, I, Small>(s, [&](auto... bindings) { cograph::add_to(stream, solver<T, I, Small>, bindings...); });
    });
}

double time_launches(const equations& s, void* on, int times) {
    const auto stream = static_cast<cudaStream_t>(on);
    std::vector<double> samples;
    for_types_of(s, [&]<class T, class I, bool Small>() {
        with_bindings<T, I, Small>(s, [&](auto... bindings) {
            auto exec = make<T, I, Small>(s, bindings...);
            for (int k = 0; k <= times; ++k) {  // the first warms up
                const auto begin = std::chrono::steady_clock::now();
                exec.launch(stream);
                exec.wait();
                if (k > 0) samples.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
            }
        });
    });
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}

}  // namespace cg
