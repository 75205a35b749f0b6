// SPDX-License-Identifier: Apache-2.0
#include "../move_in_space.hpp"
#include "every_call.hpp"

#include <cograph/profile.cuh>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

// What `device_updatable` acts on, and what it leaves out: seen by which nodes the device can write into, and by what the host tells them.
namespace often_rebound {

using namespace cograph;
using every_call::count_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
template <class... P>
__global__ void take_all(P*... all) {
    ((all[threadIdx.x] *= 2), ...);
}
struct scale {
    double by;
    COGRAPH_HD void operator()(index_t, double& to) const { to *= by; }
};
struct launches {
    cudaError_t operator()(cudaStream_t on, double* values) const {
        void* parameters[] = {&values};
        return cudaLaunchKernel(reinterpret_cast<const void*>(&twice), dim3(1), dim3(64), parameters, 0, on);
    }
};

// Memory of the device, of which only the address counts: another for each name.
std::span<double> device_span(std::size_t size, int name = 1) { return {reinterpret_cast<double*>(static_cast<std::uintptr_t>(name) << 52), size}; }

template <class N>
constexpr auto five(N n) {
    return seq(n, n, n, n, n);
}
template <class N>
constexpr auto sixteen(N n) {
    return seq(five(n), five(n), five(n), n);
}
template <class V>
constexpr auto doubled(V v) {
    return kernel<twice>(over(v))(v);
}

// What an update and the launch behind it tell nodes, and how often that brings the graph to the device anew.
struct told {
    int by_update, by_launch, uploads;
    bool operator==(const told&) const = default;
};
// The kernel in front is told what it writes; behind nodes that the host has told, it writes all again.
constexpr told written_by_device{0, 1, 0};
constexpr told told_by_host(int nodes) { return {nodes, 1, 1}; }
template <class Exec, class... B>
told after(Exec& exec, B... bindings) {
    fake_runtime::expect();
    exec.update(bindings...);
    const int by_update = count_of("cudaGraphExecKernelNodeSetParams");
    fake_runtime::expect();
    exec.launch(nullptr);
    const told seen{by_update, count_of("cudaGraphExecKernelNodeSetParams"), count_of("cudaGraphUpload")};
    exec.launch(nullptr);  // turns the kernel in front off
    return seen;
}
// How many nodes the device can write into.
template <class Make>
int writable_nodes(const Make& make) {
    fake_runtime::expect();
    make();
    return count_of("cudaGraphKernelNodeGetAttribute");
}

TEST_CASE("memory that 16 kernels take is written by the device, that of fewer by the host", "[faults][device_updatable]") {
    const auto make = [](const auto& e) { return [e] { return instantiate(e, device_updatable(x(device_span(100)))); }; };
    const auto all = make(sixteen(doubled(x)));
    const auto fewer = make(seq(five(doubled(x)), five(doubled(x)), five(doubled(x))));
    CHECK(writable_nodes(all) == 16);
    CHECK(writable_nodes(fewer) == 0);
    auto exec = all();
    auto exec_of_fewer = fewer();
    CHECK((after(exec, x(device_span(100, 2))) == written_by_device));
    CHECK((after(exec, x(device_span(50, 2))) == told_by_host(16)));  // extents go the usual way
    CHECK((after(exec_of_fewer, x(device_span(100, 2))) == told{15, 0, 0}));
}

template <int N>
struct one_of : buffer<one_of<N>, double> {};

TEST_CASE("at most 32 variables are written by the device, the others by the host", "[faults][device_updatable]") {
    constexpr int count = 33;
    [&]<int... I>(std::integer_sequence<int, I...>) {
        constexpr auto takes_all = kernel<take_all<std::conditional_t<I >= 0, double, void>...>>(grid(1).block(64))(one_of<I>{}...);
        const auto make = [&] { return instantiate(sixteen(takes_all), device_updatable(one_of<I>{}(device_span(64, I + 1)))...); };
        CHECK(writable_nodes(make) == 16);
        auto exec = make();
        CHECK((after(exec, one_of<0>{}(device_span(64, 100))) == written_by_device));
        CHECK((after(exec, one_of<31>{}(device_span(64, 101))) == written_by_device));
        CHECK((after(exec, one_of<32>{}(device_span(64, 102))) == told_by_host(16)));
        CHECK((after(exec, one_of<0>{}(device_span(64, 103)), one_of<32>{}(device_span(64, 104))) == told_by_host(16)));
        CHECK((after(exec, one_of<I>{}(device_span(64, 200 + I))...) == told_by_host(16)));
    }(std::make_integer_sequence<int, count>());
}

// An expression in which something else than a kernel of its own takes x: x is updated the usual way, and y by the device.
template <class E>
void check_left_out(const E& e) {
    const auto make = [&] { return instantiate(e, device_updatable(x(device_span(100))), device_updatable(y(device_span(100, 2)))); };
    CHECK(writable_nodes(make) == 16);  // those that take y
    auto exec = make();
    CHECK((after(exec, y(device_span(100, 3))) == written_by_device));
    const int of_x = after(exec, x(device_span(100, 4))).by_update;
    CHECK((of_x == 16 || of_x == 17));  // those that take x, with the one left out where that is a kernel
    CHECK((after(exec, x(device_span(100, 5))) == told_by_host(of_x)));
    CHECK((after(exec, x(device_span(100, 6)), y(device_span(100, 5))) == told_by_host(of_x + 16)));
    CHECK((after(exec, y(device_span(100, 7))) == written_by_device));
}

constexpr auto of_both = seq(sixteen(doubled(x)), sixteen(doubled(y)));

TEST_CASE("what a persistent kernel takes is updated the usual way", "[faults][device_updatable]") {
    constexpr auto e = seq(of_both, do_while(seq(reduce(out(s), in(x)), for_each(over(x), scale{0.5})(inout(x[each]))), s > 1));
    static_assert(is_persistent(e, at<32>));
    check_left_out(e);
    CHECK(writable_nodes([&] { return instantiate(as_nodes(e), device_updatable(x(device_span(100))), y(device_span(100, 2))); }) == 18);
}

TEST_CASE("what a kernel takes that nodes of one thread share is updated the usual way", "[faults][device_updatable]") {
    const auto e = seq(of_both, reduce(out(s), in(x)), assign(s, s / 2));
    check_left_out(e);
    CHECK(writable_nodes([&] { return instantiate(as_nodes(e), device_updatable(x(device_span(100))), y(device_span(100, 2))); }) == 17);
}

TEST_CASE("what a captured call takes is updated the usual way", "[faults][device_updatable]") {
    const auto e = seq(of_both, captured(launches{})(inout(x)));
    check_left_out(e);
    CHECK(writable_nodes([&] { return instantiate(as_nodes(e), device_updatable(x(device_span(100))), y(device_span(100, 2))); }) == 0);
}

struct larger_of_two {
    COGRAPH_HD double operator()(index_t, index_t, index_t, double a, double b) const { return a < b ? b : a; }
};
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct side : value<side, int> {} side;

// As in a graph of which a loop has too many elements for one kernel.
TEST_CASE("a node and the largest term of its box in one kernel: not left out alone, timed alone, and their memory is told once", "[faults][device_updatable]") {
    constexpr auto cube = over(side, side, side);
    constexpr auto moved = label("moved", for_each(cube, move_in_space{})(in(x[near<1, 1, 1>]), out(y[each])));
    constexpr auto largest = label("largest", transform_reduce(cube, larger_of_two{}, maximum{})(out(s), in(y[each]), in(z[each])));
    const auto make = [](const auto& e, auto... bindings) {
        using self = typename std::remove_cvref_t<decltype(e)>::self;
        return core::executable<self>::template make<core::lowered<self, core::graph_of_many<self>>>({}, true, e, bindings...);
    };
    const auto one = seq(moved, largest);
    auto exec = make(one, x(device_span(1000)), y(device_span(1000, 2)), z(device_span(1000, 3)), side(10));
    CHECK(fake_runtime::nodes_in(fake_runtime::graph_of(exec.exec_ref())) == 1);
    const auto step = [](auto box, auto box_of_terms) {
        return seq(for_each(box, move_in_space{})(in(x[near<1, 1, 1>]), out(y[each])), transform_reduce(box_of_terms, larger_of_two{}, maximum{})(out(s), in(y[each]), in(z[each])));
    };
    const auto bound = [&](const auto& e) { return make(e, x(device_span(1000)), y(device_span(1000, 2)), z(device_span(1000, 3))); };
    const auto kernels_of = [&](const auto& e) { return fake_runtime::nodes_in(fake_runtime::graph_of(bound(e).exec_ref())); };
    CHECK(kernels_of(step(over<10, 10, 10>(), over<10, 10, 10>())) == 1);
    CHECK(kernels_of(step(over(10, 10, 10), over(10, 10, 10))) == 1);
    CHECK(kernels_of(step(over(10, 10, 10), over(10, 10, 9))) == 2);
    CHECK(share_kernel(bound(repeat(2, step(over(10, 10, 10), over(10, 10, 10)))), at<1>, at<2>));
    CHECK_FALSE(share_kernel(bound(repeat(2, step(over(10, 10, 10), over(10, 10, 9)))), at<1>, at<2>));
    const auto refusal = [&](auto what) { return every_call::words_of([&] { exec.disable(what); }); };
    constexpr const char* why = "shares a kernel with other nodes: make the graph of as_nodes(expression)";
    for (const std::string& words : {refusal("moved"), refusal(at<0>), refusal(calls<move_in_space>)}) {
        CHECK(words.find("'moved'") != std::string::npos);
        CHECK(words.find(why) != std::string::npos);
    }
    for (const std::string& words : {refusal("largest"), refusal(at<1>), refusal(calls<larger_of_two>)}) {
        CHECK(words.find("'largest'") != std::string::npos);
        CHECK(words.find(why) != std::string::npos);
    }
    CHECK(every_call::words_of([&] { exec.is_enabled(at<1>); }).find(why) != std::string::npos);
    auto apart = instantiate(as_nodes(one), x(device_span(1000)), y(device_span(1000, 2)), z(device_span(1000, 3)), side(10));
    apart.disable("largest");
    CHECK((!apart.is_enabled(at<1>) && apart.is_enabled(at<0>)));

    const auto times = profile(nullptr, one, x(device_span(1000)), y(device_span(1000, 2)), z(device_span(1000, 3)), side(10));
    CHECK((times.of(at<0>).calls == 1 && times.of(at<1>).calls == 1));

    // The kernel has `y` once: 16 pointers, which the device writes. Of its parameters, x and y are those of the node, and z is the last one of the reduction.
    const auto many = sixteen(one);
    const auto check = [&](std::size_t place, auto another, auto... bindings) {
        fake_runtime::expect();
        auto updated = make(many, bindings..., side(10));
        CHECK((count_of("cudaGraphKernelNodeGetAttribute") == 16 && count_of("cudaFuncGetParamInfo") == 16 && fake_runtime::last_parameter_asked() == place));
        CHECK((after(updated, another) == written_by_device));
    };
    const auto of_x = x(device_span(1000));
    const auto of_y = y(device_span(1000, 2));
    const auto of_z = z(device_span(1000, 3));
    check(4, x(device_span(1000, 4)), device_updatable(of_x), of_y, of_z);
    check(5, y(device_span(1000, 4)), of_x, device_updatable(of_y), of_z);
    check(11, z(device_span(1000, 4)), of_x, of_y, device_updatable(of_z));
    every_call::fail_every_call([&] { make(seq(one, one), x(device_span(1000)), y(device_span(1000, 2)), z(device_span(1000, 3)), side(10)).launch(nullptr); });
}

}  // namespace often_rebound
