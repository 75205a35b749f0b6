// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/check/check_options.hpp>
#include <cograph/host/check/check_report.hpp>
#include <cograph/host/replay/result_comparison.hpp>
#include <cograph/host/simulate.hpp>
#include <cograph/plan/bind/observer.hpp>
#include <cograph/run/cuda/cuda_error.cuh>

#include <vector>

namespace cograph::core {

inline std::size_t bytes_of(const frame& f, int v) { return f.slots[v].count * f.plan.variables[v].info->size; }

// A copy of a variable's memory on the host.
class host_copy {
public:
    char* resize(std::size_t bytes) {
        bytes_.resize(bytes + arena_alignment);
        return data();
    }
    char* data() { return bytes_.data() + (arena_alignment - reinterpret_cast<std::uintptr_t>(bytes_.data()) % arena_alignment); }

private:
    std::vector<char> bytes_;
};

// Compares elements of two runs, whose floating-point numbers may be some way apart.
class element_comparison {
public:
    element_comparison(const check_options& options, const std::vector<element_type>& types) : options_(options), types_(types) {}

    // Whether elements differ; the finding gets the variable, the first element, and the numbers in it.
    bool find(const variable_info& info, const char* value, const char* expected, index_t count, finding& f) const {
        const number_format format = format_of(info);
        elements_alike alike = nullptr;
        for (const element_type& t : types_)
            if (t.variable == &info) alike = t.alike;
        double distance = -1;
        const index_t size = static_cast<index_t>(info.size);
        const index_t element = find_different(value, expected, count, info.size, [&](index_t i) {
            const char *const a = value + i * size, *const b = expected + i * size;
            if (alike) return !alike(a, b);
            if (format.bytes != 8 && format.bytes != 4) return true;
            const index_t words = count * format.words;
            if (distance < 0)
                distance = options_.tolerance * (format.bytes == 8 ? largest_magnitude<double>(expected, words) : largest_magnitude<float>(expected, words));
            return format.bytes == 8 ? !are_alike<double>(a, b, format.words, distance) : !are_alike<float>(a, b, format.words, distance);
        });
        if (element < 0) return false;
        f.variable = info.name.read();
        f.element = element;
        f.value = number_in(format, info, value + element * size);
        f.expected = number_in(format, info, expected + element * size);
        return true;
    }

private:
    static double number_in(const number_format& format, const variable_info& info, const char* at) {
        double wide = 0;
        float single = 0;
        if (format.words == 1 && format.bytes == 8) {
            std::memcpy(&wide, at, sizeof wide);
            return wide;
        }
        if (format.words == 1 && format.bytes == 4) {
            std::memcpy(&single, at, sizeof single);
            return static_cast<double>(single);
        }
        if (format.words > 0 || !is_integer(info)) return 0;
        alignas(8) char whole[8];
        std::memcpy(whole, at, info.size);
        return static_cast<double>(integer_value(info, whole));
    }

    const check_options& options_;
    const std::vector<element_type>& types_;
};

// Observes a run on a stream: each node also runs on the host, from the memory that it found on the GPU. The first
// node that differs is therefore the wrong one, and later nodes are compared from its results.
class host_mirror {
public:
    host_mirror(const frame& f, cudaStream_t stream, const host_function* codes, const element_comparison& compare, check_report& report)
        : f_(f), stream_(stream), codes_(codes), compare_(compare), report_(report), iterations_(f.plan), memory_(static_cast<std::size_t>(f.plan.count.named)) {}

    void before(const plan_node& r) {
        if (!has_form(r)) return;
        for (int i = 0; i < r.argument_count; ++i)
            if (const int v = memory_of(r, i); v >= 0) read(r, v, memory_[static_cast<std::size_t>(v)]);
    }
    void after(const plan_node& r) {
        if (has_form(r)) {
                run_on_host(r);
            compare(r);
        }
        iterations_.saw(r);
    }

private:
    // Whether a node can run on the host: the memory of a view may not be accessible, and host work runs once.
    bool has_form(const plan_node& r) const {
        const node_traits& traits = *r.from->traits;
        if (r.kind != plan_node_kind::work || r.from->device_only || traits.copies_memory || (!traits.is_kernel && !traits.captures)) return false;
        for (int i = 0; i < r.argument_count; ++i)
            if (r.from->arguments[i].variable && r.from->arguments[i].variable->kind == variable_kind::view) return false;
        return true;
    }
    // The variable of an argument, if that is memory with elements; else -1.
    int memory_of(const plan_node& r, int argument) const {
        if (!reaches_memory(r.from->arguments[argument])) return -1;
        const int v = f_.plan.arguments[r.first_argument + argument];
        return v < f_.plan.count.named && !f_.slots[v].object && f_.slots[v].count > 0 ? v : -1;
    }

    void read(const plan_node& r, int v, host_copy& to) const {
        check(cudaMemcpyAsync(to.resize(bytes_of(f_, v)), f_.slots[v].pointer, bytes_of(f_, v), cudaMemcpyDefault, stream_), "cudaMemcpyAsync", place_of(f_, r));
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize", place_of(f_, r));
    }

    void run_on_host(const plan_node& r) {
        std::vector<void*> pointers;
        for (int v = 0; v < f_.plan.count.named; ++v) pointers.push_back(f_.slots[v].pointer);
        for (int i = 0; i < r.argument_count; ++i)
            if (const int v = memory_of(r, i); v >= 0) f_.slots[v].pointer = memory_[static_cast<std::size_t>(v)].data();
        const void* parameters[most_parameters];
        parameter_addresses(f_, r, parameters);
        const serial_context context;
        const bool empty = r.from->traits->is_opaque && !decides(r) && r.from->traits->counts_elements && domain_size(f_, r) == 0;
        const std::int64_t result = empty ? 0 : codes_[r.code](&context, parameters);
        if (f_.refuse_read && result != 0 && may_refuse_read(r)) f_.refuse_read(f_, r, result);
        for (int v = 0; v < f_.plan.count.named; ++v) f_.slots[v].pointer = pointers[static_cast<std::size_t>(v)];
    }

    void compare(const plan_node& r) {
        host_copy on_gpu;
        for (int i = 0; i < r.argument_count; ++i) {
            const int v = memory_of(r, i);
            if (v < 0 || !writes(r.from->arguments[i].access)) continue;
            read(r, v, on_gpu);
            finding f{.kind = finding_kind::differs_from_host};
            host_copy& on_host = memory_[static_cast<std::size_t>(v)];
            if (compare_.find(*f_.plan.variables[v].info, on_gpu.data(), on_host.data(), static_cast<index_t>(f_.slots[v].count), f)) report(r, f);
        }
    }
    void report(const plan_node& r, finding f) {
        f.where = place_of(f_, r);
        for (const finding& known : report_.findings())
            if (known.kind == f.kind && known.variable == f.variable && known.where.line == f.where.line && known.where.name == f.where.name) return;
        place_in_loop(f_, iterations_, r, f);
        report_.add(f);
    }

    const frame& f_;
    cudaStream_t stream_;
    const host_function* codes_;
    const element_comparison& compare_;
    check_report& report_;
    iteration_counter iterations_;
    std::vector<host_copy> memory_;  // by variable: the node's memory on the host
};

}  // namespace cograph::core
