// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/refused/checks.cuh>

#include <cstring>
#include <vector>

// A run on a stream that checks whether captured calls enqueue all of their work on the captured stream. cograph.cuh
// does not include this.

namespace cograph::core {

// Captures each call once more before it is made, and compares the memory of its arguments: work that runs meanwhile
// went to another stream. Memory that the call only writes holds a pattern meanwhile, which no such work is likely to
// leave.
class capture_watch {
public:
    capture_watch(const frame& f, const void* const* kernels, cudaStream_t stream) : f_(f), kernels_(kernels), stream_(stream) {}

    void before(const plan_node& r) {
        if (r.kind == plan_node_kind::work && r.from->traits->captures) capture(r);
    }
    void after(const plan_node&) {}

private:
    struct piece {
        int variable;
        std::vector<char> was, meant;
    };
    static constexpr unsigned char pattern = 0xa5;

    void capture(const plan_node& r) {
        check_node_call(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", f_, r, nullptr);
        std::vector<piece> pieces = memory_of(r);
        try {
            for (const piece& p : pieces) check_node_call(write(p, p.meant), "cudaMemcpy", f_, r, nullptr);
            capture_node(f_, r, captured_in(other_code_at(kernels_[r.code])));
            check_node_call(cudaDeviceSynchronize(), "cudaDeviceSynchronize", f_, r, nullptr);
            for (const piece& p : pieces) compare(r, p);
        } catch (...) {
            cudaDeviceSynchronize();
            for (const piece& p : pieces) write(p, p.was);
            cudaGetLastError();  // clears the error for the next call
            throw;
        }
        for (const piece& p : pieces) check_node_call(write(p, p.was), "cudaMemcpy", f_, r, nullptr);
    }

    // All memory of a call's arguments, each once, with its contents and the contents it must have meanwhile.
    std::vector<piece> memory_of(const plan_node& r) const {
        std::vector<piece> pieces;
        for (int i = r.first_access; i < r.first_access + r.access_count; ++i) {
            const int v = f_.plan.accesses[i].variable;
            const slot& s = f_.slots[v];
            bool is_known = !s.pointer || s.object || s.count == 0, is_read = false;
            for (int j = r.first_access; j < r.first_access + r.access_count; ++j) {
                if (f_.plan.accesses[j].variable != v) continue;
                is_known |= j < i;
                is_read |= reads(f_.plan.accesses[j].how);
            }
            if (is_known) continue;
            piece p{v, std::vector<char>(s.count * (v < f_.plan.count.named ? f_.plan.variables[v].info->size : 1)), {}};
            check_node_call(read(p, p.was), "cudaMemcpy", f_, r, nullptr);
            p.meant = is_read ? p.was : std::vector<char>(p.was.size(), static_cast<char>(pattern));
            pieces.push_back(static_cast<piece&&>(p));
        }
        return pieces;
    }

    cudaError_t read(const piece& p, std::vector<char>& to) const {
        return cudaMemcpy(to.data(), f_.slots[p.variable].pointer, to.size(), cudaMemcpyDefault);
    }
    cudaError_t write(const piece& p, const std::vector<char>& from) const {
        return cudaMemcpy(f_.slots[p.variable].pointer, from.data(), from.size(), cudaMemcpyDefault);
    }

    void compare(const plan_node& r, const piece& p) const {
        std::vector<char> now(p.was.size());
        check_node_call(read(p, now), "cudaMemcpy", f_, r, nullptr);
        std::size_t at = 0;
        while (at < now.size() && now[at] == p.meant[at]) ++at;
        if (at == now.size()) return;
        const variable_info* const info = p.variable < f_.plan.count.named ? f_.plan.variables[p.variable].info : nullptr;
        const name_view name = info ? info->name.read() : name_view("its workspace");
        char text[512];
        std::snprintf(text, sizeof text,
                      "changed '%.*s', element %lld, while it was captured: some of its work went to another stream, and no launch would repeat it. Give the "
                      "stream of the call to all that it calls.",
                      static_cast<int>(name.size), name.data, static_cast<long long>(at / (info ? info->size : 1)));
        throw error(place_of(f_, r), text);
    }

    const frame& f_;
    const void* const* kernels_;
    cudaStream_t stream_;
};

// Runs an expression on a stream like run_on, and captures every captured call once more before it is made. Throws
// error for a call that changes memory meanwhile: that is work on a stream unknown to CUDA. Writes outside of the
// call's arguments are not detected. Slow: copies that memory to the host, and waits for the device, on which nothing
// else may run.
template <expression E, class... B>
    requires can_run<typename E::self, B...>
void check_captures(cudaStream_t stream, E const& e, B... bindings) {
    run_watched(stream, e, [&](const frame& f, const void* const* kernels) { return capture_watch(f, kernels, stream); }, bindings...);
}

}  // namespace cograph::core

namespace cograph {

using core::check_captures;

}  // namespace cograph
