// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

using namespace cograph;

namespace inspect_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct ms : value<ms, double> {} ms;

struct add {
    double what;
    COGRAPH_HD void operator()(index_t, double& to) const { to += what; }
};
struct twice {
    COGRAPH_HD void operator()(index_t, double& to) const { to *= 2; }
};
// Waits, then passes its input on.
__global__ void wait_and_copy(const double* from, double* to, double milliseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (static_cast<double>(now - begin) < milliseconds * 1e6);
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void ten_times(double* to) { to[threadIdx.x] *= 10; }

constexpr auto steps =
    seq(label("add one", for_each(over(x), add{1})(inout(x[each]))), for_each(over(x), twice{})(inout(x[each])),
        repeat(3, seq(label("add one", for_each(over(x), add{1})(inout(x[each]))), kernel<ten_times>(grid(1).block(1))(inout(y)))),
        label("again", repeat(2, assign(s, s + 1))), label("empty", for_each(over(n), twice{})(inout(x[each]))));

struct fixture {
    ways::stream on;
    ways::device_array<double> xs{1, 1.0}, ys{1, 1.0}, ss{1, 0.0};
    executable<decltype(as_nodes(steps))> exec;

    fixture() : exec(instantiate(as_nodes(steps), x(xs.all()), y(ys.all()), s(ss.data()), n(0))) {}
};
// What a launch makes of x = y = 1.
void check_launch(fixture& f, double wanted_x, double wanted_y) {
    f.xs.write({1});
    f.ys.write({1});
    f.exec.launch(f.on);
    f.on.wait();
    INFO("wanted: " << wanted_x << ", " << wanted_y);
    CHECK(f.xs.read()[0] == wanted_x);
    CHECK(f.ys.read()[0] == wanted_y);
}

TEST_CASE("nodes are left out of launches and taken in again", "[gpu][inspect]") {
    fixture f;
    check_launch(f, 7, 1000);
    CHECK(f.exec.is_enabled(kernel<ten_times>));
    f.exec.disable(kernel<ten_times>);  // in a body
    CHECK(!f.exec.is_enabled(kernel<ten_times>));
    check_launch(f, 7, 1);
    f.exec.disable(at<1>);
    check_launch(f, 5, 1);
    f.exec.disable("add one");  // two nodes
    check_launch(f, 1, 1);
    CHECK(!f.exec.is_enabled(at<0>));
    f.exec.enable(at<0>);
    check_launch(f, 2, 1);
    f.exec.enable("add one");
    f.exec.enable(at<1>);
    f.exec.enable(kernel<ten_times>);
    check_launch(f, 7, 1000);
    f.exec.enable("empty");  // over no elements, enabled or not
    check_launch(f, 7, 1000);
}

TEST_CASE("a node in a loop that tests after some passes only is left out of each of them", "[gpu][inspect]") {
    constexpr auto counted =
        seq(assign(i, 0), loop_while(i < n, seq(kernel<ten_times>(grid(1).block(1))(inout(y)), assign(i, i + 1)), check_every<3>));
    const ways::stream on;
    const ways::device_array<double> ys(1, 1.0);
    auto exec = instantiate(counted, y(ys.all()), n(6));
    exec.launch(on);
    on.wait();
    CHECK(ys.read()[0] == 1e6);
    exec.disable(kernel<ten_times>);
    exec.launch(on);
    on.wait();
    CHECK(ys.read()[0] == 1e6);
    exec.enable(at<2>);
    exec.launch(on);
    on.wait();
    CHECK(ys.read()[0] == 1e12);
}

TEST_CASE("a loop that would never end is ended by its limit, and says so", "[gpu][inspect]") {
    constexpr auto endless = seq(label("endless", loop_while(i < n, seq(for_each(over(x), add{1})(inout(x[each])), assign(i, 0)), at_most(1000))),
                                 label("ends", loop_while(i < n, assign(i, i + 1), at_most(1000))));
    const ways::stream on;
    ways::device_array<double> xs(1, 0.0);
    ways::device_array<int> is(1, 0);
    const auto check = [&](auto exec, bool lowered) {
        xs.write({0.0});
        for (int launch = 1; launch < 3; ++launch) {
            is.write({0});
            exec.launch(on);
            CHECK(exec.iterations("endless") == 1000);
            CHECK(exec.entries("endless") == 1);
            CHECK(exec.ended_by("endless") == ending::limit);
            CHECK(exec.iterations("ends") == 5);
            CHECK(exec.ended_by("ends") == ending::predicate);
            CHECK(exec.loops().ended_by(at<0>) == ending::limit);
            CHECK(is_persistent(exec, "endless") == is_persistent(exec, at<0>));
            CHECK(is_persistent(exec, "endless") == lowered);
            CHECK(xs.read()[0] == 1000 * launch);
        }
    };
    check(instantiate(endless, x(xs.all()), i(is.data()), n(5)), true);
    check(instantiate(as_nodes(endless), x(xs.all()), i(is.data()), n(5)), false);
}

template <class F>
std::string message_of(F call) {
    try {
        call();
    } catch (const error& e) {
        return e.what();
    }
    return "nothing thrown";
}

TEST_CASE("what cannot be left out says why, and nothing changes", "[gpu][inspect]") {
    fixture f;
    CHECK(message_of([&] { f.exec.disable("none"); }).find("'none' is the label of no node") != std::string::npos);
    CHECK(message_of([&] { f.exec.disable("again"); }).find("is a loop or branch") != std::string::npos);

    auto lowered = instantiate(steps, x(f.xs.all()), y(f.ys.all()), s(f.ss.data()), n(0));
    static_assert(is_persistent(steps, at<6>) && !is_persistent(steps, at<3>));
    CHECK(is_persistent(lowered, at<6>));
    CHECK(!is_persistent(f.exec, at<6>));
    const std::string message = message_of([&] { lowered.disable(at<6>); });
    CHECK(message.find("'assign'") != std::string::npos);
    CHECK(message.find("inspect.cu:") != std::string::npos);
    CHECK(message.find("is part of a persistent kernel") != std::string::npos);
    CHECK(message_of([&] { lowered.disable("add one"); }).find("shares a kernel with other nodes") != std::string::npos);
    CHECK(message_of([&] { lowered.disable(at<1>); }).find("shares a kernel with other nodes") != std::string::npos);

    check_launch(f, 7, 1000);
    lowered.disable(kernel<ten_times>);  // the same where nodes stay nodes
    f.xs.write({1});
    f.ys.write({1});
    lowered.launch(f.on);
    f.on.wait();
    CHECK(f.xs.read()[0] == 7);
    CHECK(f.ys.read()[0] == 1);
}

static_assert(diagnose<decltype(std::declval<fixture&>().exec.disable(at<2>))> == reason::cannot_be_left_out<core::counted_loop>{});
static_assert(diagnose<decltype(std::declval<fixture&>().exec.enable(calls<add>))> ==
              reason::selector_matches_several<core::calls_t<add>, reason::all_of_nodes<2>>{});
static_assert(diagnose<decltype(std::declval<fixture&>().exec.is_enabled(at<50>))> ==
              reason::selector_matches_nothing<core::at_t<50>, reason::among_nodes<8>>{});

TEST_CASE("a graph is uploaded before it is launched", "[gpu][inspect]") {
    fixture f;
    f.exec.upload(f.on);
    check_launch(f, 7, 1000);
    f.exec.upload(f.on);
    check_launch(f, 7, 1000);
}

TEST_CASE("CUDA writes its own picture of the graph", "[gpu][inspect]") {
    fixture f;
    const std::string path = "cograph_inspect_test.dot";
    write_cuda_dot(f.exec, path.c_str());
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    CHECK(text.str().find("digraph") != std::string::npos);
    CHECK(text.str().find("ten_times") != std::string::npos);
    std::remove(path.c_str());
    CHECK_THROWS_AS(write_cuda_dot(f.exec, "/no/such/folder/picture.dot"), cuda_error);
}

// The executable goes while its launch runs; then memory of the same size is taken and overwritten.
template <class E>
void check_destroyed_in_flight(const E& e, double expected) {
    constexpr std::size_t size = 256;
    const ways::stream on, other;
    const ways::device_array<double> from(size, 3.0), to(size, 0.0), count(1, 0.0);
    double* other_memory = nullptr;
    {
        auto exec = instantiate(e, x(from.all()), y(to.all()), ms(60.0), s(count.data()));
        exec.launch(on);
        CHECK(cudaStreamQuery(on) == cudaErrorNotReady);
    }
    ways::must(cudaMallocAsync(&other_memory, size * sizeof(double), other));
    ways::must(cudaMemsetAsync(other_memory, 0xff, size * sizeof(double), other));
    double* more = nullptr;
    ways::must(cudaMalloc(&more, size * sizeof(double)));
    ways::must(cudaMemsetAsync(more, 0xff, size * sizeof(double), other));
    on.wait();
    CHECK(to.read() == std::vector<double>(size, expected));
    ways::must(cudaFreeAsync(other_memory, other));
    ways::must(cudaFree(more));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

constexpr auto through_temp = seq(copy(in(x), out(t)), kernel<wait_and_copy>(grid(1).block(256))(in(t), out(y), ms),
                                  kernel<wait_and_copy>(grid(1).block(256))(in(y), out(t), ms), copy(in(t), out(y)), assign(s, 0));
constexpr auto without_memory =
    seq(kernel<wait_and_copy>(grid(1).block(256))(in(x), out(y), ms), for_each(over(y), twice{})(inout(y[each])), assign(s, 0));
constexpr auto in_a_loop = seq(copy(in(x), out(t)), assign(s, 0),
                               loop_while(s < 3, seq(kernel<wait_and_copy>(grid(1).block(256))(in(t), out(y), ms),
                                                     for_each(over(y), twice{})(inout(y[each])), copy(in(y), out(t)), assign(s, s + 1))));

TEST_CASE("an executable may go while its launch runs", "[gpu][inspect]") {
    SECTION("with memory of its own") { check_destroyed_in_flight(through_temp, 3); }
    SECTION("without") { check_destroyed_in_flight(without_memory, 6); }
    SECTION("with a loop") { check_destroyed_in_flight(in_a_loop, 24); }
}

}  // namespace inspect_test
