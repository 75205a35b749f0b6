// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/plan/bind/number_format.hpp>
#include <cograph/run/refused/checks.cuh>

// A run on a stream that looks for NaN and infinity after every node. cograph.cuh does not include this.

namespace cograph::core {

// The values to look for.
enum class unwanted : unsigned char { not_a_number, not_finite };

// Takes down the first word, of `count`, that without its sign is `least` or larger.
template <class Word>
__global__ void find_large_words(const Word* words, std::size_t count, Word least, unsigned long long* first) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        if (is_large(words[i], least)) {
            atomicMin(first, static_cast<unsigned long long>(i));
            return;
        }
}

// A node that wrote NaN or infinity, or a variable that held it before the run. Its sentence names node, variable, element
// and the iterations of the loops around.
class not_finite_error : public error {
public:
    not_finite_error(place at, const char* sentence, name_view variable, index_t element, index_t iteration)
        : error(at, sentence), variable_(variable), element_(element), iteration_(iteration) {}
    name_view variable() const noexcept { return variable_; }
    index_t element() const noexcept { return element_; }
    index_t iteration() const noexcept { return iteration_; }  // of the innermost loop around the node, from 0; -1 outside of loops

private:
    name_view variable_;
    index_t element_;
    index_t iteration_;
};

class finite_watch {
public:
    finite_watch(const frame& f, cudaStream_t stream, unwanted what) : f_(f), stream_(stream), what_(what), iterations_(f.plan) {
        check(cudaMalloc(memory_.put(), sizeof(unsigned long long)), "cudaMalloc");
        for (int v = 0; v < f.plan.count.named; ++v)
            if (f.plan.variables[v].read_first) look_at(v, nullptr);
    }

    void before(const plan_node&) {}
    void after(const plan_node& r) {
        iterations_.saw(r);
        look_at_written(r, false);
        look_at_written(r, true);
    }

private:
    // Scalars last: they often follow from an element.
    void look_at_written(const plan_node& r, bool scalars) {
        for (int a = r.first_access; a < r.first_access + r.access_count; ++a) {
            const access& used = f_.plan.accesses[a];
            if (used.variable >= f_.plan.count.named || !changes(r, used)) continue;
            if ((f_.plan.variables[used.variable].info->kind == variable_kind::scalar) == scalars) look_at(used.variable, &r);
        }
    }

    // The number of the first word that is unwanted, or `none`.
    template <class Word>
    unsigned long long find(int v, const number_format& format, place at) {
        const slot& s = f_.slots[v];
        const variable_kind kind = f_.plan.variables[v].info->kind;
        const Word* const words = static_cast<const Word*>(s.pointer);
        const std::size_t count = s.count * static_cast<std::size_t>(format.words);
        const auto least = static_cast<Word>(format.infinity + (what_ == unwanted::not_a_number));
        unsigned long long first = none;
        if (kind == variable_kind::host || kind == variable_kind::pinned) {
            check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", at);
            std::size_t i = 0;
            while (i < count && !is_large(words[i], least)) ++i;
            return i < count ? i : none;
        }
        check(cudaMemsetAsync(memory_.get(), 0xff, sizeof first, stream_), "cudaMemsetAsync", at);
        const std::size_t blocks = (count + 255) / 256;
        cudaGetLastError();  // the error asked for below is the launch's
        find_large_words<Word><<<static_cast<unsigned>(blocks < 1024 ? blocks : 1024), 256, 0, stream_>>>(
            words, count, least, static_cast<unsigned long long*>(memory_.get()));
        check(cudaGetLastError(), "cudaLaunchKernel", at);
        check(cudaMemcpyAsync(&first, memory_.get(), sizeof first, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync", at);
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", at);
        return first;
    }

    // Throws if a variable holds an unwanted value; r is the node that wrote it, or null.
    void look_at(int v, const plan_node* r) {
        const variable_info& info = *f_.plan.variables[v].info;
        const slot& s = f_.slots[v];
        const number_format format = format_of(info);
        if (format.words == 0 || s.object || s.count == 0) return;
        const place at = r ? place_of(f_, *r) : place{info.name.read()};
        const unsigned long long first = format.bytes == 2   ? find<std::uint16_t>(v, format, at)
                                         : format.bytes == 4 ? find<std::uint32_t>(v, format, at)
                                                             : find<std::uint64_t>(v, format, at);
        if (first != none) refuse_word(v, r, at, format, first);
    }

    [[noreturn]] void refuse_word(int v, const plan_node* r, place at, const number_format& format, std::size_t word) {
        std::uint64_t bits = 0;
        const char* const from = static_cast<const char*>(f_.slots[v].pointer) + word * static_cast<std::size_t>(format.bytes);
        check(cudaMemcpy(&bits, from, static_cast<std::size_t>(format.bytes), cudaMemcpyDefault), "cudaMemcpy", at);
        const std::uint64_t sign = std::uint64_t{1} << (8 * format.bytes - 1);
        const char* const value = (bits & ~sign) > format.infinity ? "NaN" : bits & sign ? "-infinity" : "infinity";
        const index_t element = static_cast<index_t>(word) / format.words;
        const name_view name = f_.plan.variables[v].info->name.read();
        char text[600];
        int used = r ? std::snprintf(text, sizeof text, "has written %s to '%.*s', element %lld", value, static_cast<int>(name.size), name.data,
                                     static_cast<long long>(element))
                     : std::snprintf(text, sizeof text, "holds %s before the run, element %lld", value, static_cast<long long>(element));
        index_t iteration = -1;
        for (const plan_node* inner = r; inner && f_.plan.regions[inner->region].owner >= 0;) {
            const plan_node& owner = f_.plan.nodes[f_.plan.regions[inner->region].owner];
            const index_t here = is_loop(owner.control) ? iterations_.iteration_of(*inner) : 0;
            inner = &owner;
            if (!is_loop(owner.control)) continue;
            const place loop = place_of(f_, owner);
            if (iteration < 0) iteration = here;
            if (used < static_cast<int>(sizeof text))
                used += std::snprintf(text + used, sizeof text - static_cast<std::size_t>(used), ", in iteration %lld of '%.*s' (%s:%u)",
                                      static_cast<long long>(here), static_cast<int>(loop.name.size), loop.name.data, loop.file, loop.line);
        }
        throw not_finite_error(at, text, name, element, iteration);
    }

    static constexpr unsigned long long none = ~0ull;
    const frame& f_;
    cudaStream_t stream_;
    unwanted what_;
    iteration_counter iterations_;
    memory_owner memory_;
};

// Runs an expression on a stream like run_on, and after every node checks the floating-point variables that it
// writes. Throws not_finite_error for the first NaN or infinity, also in variables that the expression reads first.
// Elements may be float, double, __half, __nv_bfloat16, and pairs, triples, quadruples and complex numbers of them.
// Host memory is checked on the host; the memory of a view is not checked. A node is assumed to write all of an out
// variable. Slow: waits after each node.
template <expression E, class... B>
    requires can_run<typename E::self, B...>
void check_finite(cudaStream_t stream, E const& e, B... bindings) {
    run_watched(stream, e, [&](const frame& f, const void* const*) { return finite_watch(f, stream, unwanted::not_finite); }, bindings...);
}
// The same, for NaN alone.
template <expression E, class... B>
    requires can_run<typename E::self, B...>
void check_no_nan(cudaStream_t stream, E const& e, B... bindings) {
    run_watched(stream, e, [&](const frame& f, const void* const*) { return finite_watch(f, stream, unwanted::not_a_number); }, bindings...);
}

}  // namespace cograph::core

namespace cograph {

using core::check_finite;
using core::check_no_nan;
using core::not_finite_error;

}  // namespace cograph
