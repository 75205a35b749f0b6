// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cograph/host_driven.cuh>

#include <span>
#include <vector>

// Loops that the host drives, against simulation, and against the same loops on the device.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct left : scalar<left, double> {} left;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct pass : scalar<pass, int> {} pass;
inline constexpr struct inner : scalar<inner, int> {} inner;
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct limit : value<limit, double> {} limit;

struct shrink {
    COGRAPH_HD double operator()(index_t i, double& value, const int& turn) const { return value *= 0.5 + 0.25 * static_cast<double>((i + turn) % 2); }
};
struct add {
    COGRAPH_HD void operator()(index_t, double& to, const double& from) const { to += from; }
};
struct shrink_by_half {
    COGRAPH_HD void operator()(index_t, double& value) const { value *= 0.5; }
};
struct see_nothing {
    void operator()(const int*) const {}
};
struct is_above {
    COGRAPH_HD bool operator()(double element, double bound) const { return element > bound; }
};

// A loop with a loop and a branch in it, which stay on the device; the function sees every iteration.
template <class See, class... Option>
auto falling(See see, Option... option) {
    return seq(assign(pass, 0), fill(out(y), 0), assign(left, 1e9),
               label("falling", loop_while(left > limit,
                                           host_driven(seq(transform_reduce(over(x), shrink{}, plus{})(out(left), inout(x[each]), in(pass)), assign(inner, 0),
                                                           label("inner", loop_while(inner < 3, seq(for_each(over(y), add{})(inout(y[each]), in(x[each])), assign(inner, inner + 1)))),
                                                           when(pass % 2 == 1, for_each(over(y), add{})(inout(y[each]), in(x[each]))), host(see)(in(pass)),
                                                           assign(pass, pass + 1))),
                                           at_most(most), option...)),
               reduce(out(total), in(y)));
}

template <class... Option>
void check_falling(int longest, Option... option) {
    std::vector<double> start(1000), end_x = start, end_y(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = 1 + static_cast<double>(i % 7);
    end_x = start;
    double sum = 0;
    std::vector<int> wanted;
    const auto report = simulate(falling([&](const int* at) { wanted.push_back(*at); }, option...), x(std::span(end_x)), y(std::span(end_y)), limit(5), total(&sum), most(longest));
    const stream on;
    const auto check = [&](const auto& of_loops, const device_array<double>& dx, const device_array<double>& dy, double got) {
        CHECK((dx.read() == end_x));
        CHECK((dy.read() == end_y));
        CHECK(got == sum);
        for (const char* name : {"falling", "inner"}) {
            CHECK(of_loops.iterations(name) == report.iterations(name));
            CHECK(of_loops.entries(name) == report.entries(name));
            CHECK(of_loops.ended_by(name) == report.ended_by(name));
        }
    };
    const device_array<double> dx(start), dy(start.size()), sums(1);
    // The function reads memory that the host reaches; pass is the executable's own, so it is looked at behind.
    int calls = 0;
    auto exec = instantiate(falling([&](const int*) { ++calls; }, option...), x(dx.all()), y(dy.all()), limit(5), total(sums.data()), most(longest));
    exec.launch(on);
    on.wait();
    check(exec.loops(), dx, dy, exec.fetch(total));
    CHECK(calls == static_cast<int>(wanted.size()));
    exec.launch(on);  // there is nothing left to do but one iteration
    on.wait();
    CHECK(exec.iterations("falling") <= 8);

    const device_array<double> ex(start), ey(start.size());
    const auto eager = run_on(on, falling([&](const int*) { ++calls; }, option...), x(ex.all()), y(ey.all()), limit(5), total(sums.data()), most(longest));
    on.wait();
    check(eager, ex, ey, sums.read()[0]);
}

}  // namespace

TEST_CASE("loops that the host drives hold host functions, and loops and branches on the device", "[gpu][host_driven]") {
    SECTION("tested in every iteration") { check_falling(1000); }
    SECTION("tested in every fourth") { check_falling(1000, check_every<4>); }
    SECTION("with a limit") { check_falling(6); }
}

// Not asked for: the branch with the function, and so the loop around it.
template <class See>
constexpr auto chosen_for(See see) {
    return seq(assign(pass, 0), label("chosen", loop_while(pass < most, seq(label("add", for_each(over(y), add{})(inout(y[each]), in(x[each]))),
                                                                            when(pass % 3 == 0, seq(assign(inner, pass), host(see)(in(inner))), otherwise(for_each(over(x), shrink_by_half{})(inout(x[each])))),
                                                                            assign(pass, pass + 1)))));
}
TEST_CASE("the host is chosen for loops and branches with host functions, and an update reaches their graphs", "[gpu][host_driven]") {
    static_assert(is_host_driven(chosen_for(see_nothing{}), "chosen") && is_host_driven(chosen_for(see_nothing{}), at<3>));
    std::vector<double> start(500), other(700);
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<double>(i);
    for (std::size_t i = 0; i < other.size(); ++i) other[i] = 1000 - static_cast<double>(i);
    const stream on;
    const device_array<double> dx(start), dy(start), ex(other), ey(other);
    int calls = 0, wanted = 0;
    auto exec = instantiate(chosen_for([&](const int*) { ++calls; }), x(dx.all()), y(dy.all()), most(7));
    const auto check_run = [&](std::vector<double>& xs, std::vector<double>& ys, int longest, const device_array<double>& at_x, const device_array<double>& at_y) {
        simulate(chosen_for([&](const int*) { ++wanted; }), x(std::span(xs)), y(std::span(ys)), most(longest));
        exec.launch(on);
        on.wait();
        CHECK((at_x.read() == xs));
        CHECK((at_y.read() == ys));
        CHECK(calls == wanted);
        CHECK(exec.iterations("chosen") == longest);
    };
    std::vector<double> xs = start, ys = start, other_xs = other, other_ys = other;
    check_run(xs, ys, 7, dx, dy);
    exec.update(most(4));
    check_run(xs, ys, 4, dx, dy);
    exec.update(x(ex.all()), y(ey.all()));  // of another length
    check_run(other_xs, other_ys, 4, ex, ey);
    exec.disable("add");
    exec.launch(on);
    on.wait();
    CHECK((ey.read() == other_ys));
    CHECK(!exec.is_enabled(at<2>));
    exec.enable("add");
    wanted = calls = 0;
    other_xs = ex.read();
    check_run(other_xs, other_ys, 4, ex, ey);
    const device_array<double> fx(start), fy(start);
    std::vector<double> eager_xs = start, eager_ys = start;
    wanted = calls = 0;
    simulate(chosen_for([&](const int*) { ++wanted; }), x(std::span(eager_xs)), y(std::span(eager_ys)), most(7));
    run_on(on, chosen_for([&](const int*) { ++calls; }), x(fx.all()), y(fy.all()), most(7));
    on.wait();
    CHECK((fx.read() == eager_xs));
    CHECK((fy.read() == eager_ys));
    CHECK(calls == wanted);
}

TEST_CASE("the host drives loops in each other, repeats, and loops that are tested behind or by an array", "[gpu][host_driven]") {
    const auto each_kind = repeat(2, host_driven(seq(do_while(host_driven(seq(for_each(over(x), add{})(inout(x[each]), in(y[each])), assign(pass, pass + 1))), pass % 3 != 0),
                                                     loop_while(any_of(x, is_above{}, limit), host_driven(seq(for_each(over(x), shrink_by_half{})(inout(x[each]))))))));
    std::vector<double> xs(300), ys(300);
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = static_cast<double>(i), ys[i] = 3;
    const device_array<double> dx(xs), dy(ys);
    int count = 1;
    const device_array<int> passes(std::vector<int>{1});
    simulate(each_kind, x(std::span(xs)), y(std::span(ys)), pass(&count), limit(7));
    const stream on;
    auto exec = instantiate(each_kind, x(dx.all()), y(dy.all()), pass(passes.data()), limit(7));
    exec.launch(on);
    on.wait();
    CHECK((dx.read() == xs));
    CHECK(exec.fetch(pass) == count);
}

inline constexpr struct turn : scalar<turn, int> {
    static constexpr int initial = 0;
} turn;
struct grow {
    COGRAPH_HD void operator()(index_t i, double& value, const int& at) const { value = value * 2 + static_cast<double>((i + at) % 3); }
};
// What follows the loop still runs when launch returns: the next launch, on the other stream, waits for it.
TEST_CASE("launches of a loop that the host drives follow each other, whatever their streams", "[gpu][host_driven]") {
    const auto e = seq(loop_while(turn < 2, host_driven(seq(assign(turn, turn + 1), for_each(over(x), grow{})(inout(x[each]), in(turn))))),
                       repeat(20, seq(for_each(over(y), add{})(inout(y[each]), in(x[each])))));
    std::vector<double> xs(30'000), ys(xs.size());
    const device_array<double> dx(xs), dy(ys);
    const stream one, other;
    auto exec = instantiate(e, x(dx.all()), y(dy.all()));
    for (int launches = 0; launches < 6; ++launches) {
        simulate(e, x(std::span(xs)), y(std::span(ys)));
        exec.launch(launches % 2 == 0 ? one : other);
    }
    exec.wait();
    CHECK(exec.query());
    CHECK((dx.read() == xs));
    CHECK((dy.read() == ys));
    CHECK(exec.fetch(turn) == 2);
}

inline constexpr struct ready : value<ready, CUevent_st*> {} ready;
inline constexpr struct done : value<done, CUevent_st*> {} done;
inline constexpr struct kept : host_buffer<kept, double> {} kept;
TEST_CASE("loops that the host drives hold events, and copies of pageable memory", "[gpu][host_driven]") {
    constexpr auto e = label("outer", loop_while(pass < 3, seq(wait(ready)(inout(x)), for_each(over(x), add{})(inout(x[each]), in(y[each])), copy(in(x), out(kept)), record(done)(in(x)),
                                                               assign(pass, pass + 1))));
    static_assert(is_host_driven(e, "outer"));
    const std::vector<double> start(1'000'000, 1), added(start.size(), 0.25);
    std::vector<double> seen(start.size());
    const device_array<double> dx(start), dy(added), later(start);
    const device_array<int> passes(1);
    cudaEvent_t events[2] = {};
    for (cudaEvent_t& event : events) ways::must(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    const stream on, before, after;
    {
        auto exec = instantiate(e, x(dx.all()), y(dy.all()), kept(std::span(seen)), pass(passes.data()), ready(events[0]), done(events[1]));
        run_on(before, repeat(500, for_each(over(x), add{})(inout(x[each]), in(y[each]))), x(dx.all()), y(dy.all()));
        ways::must(cudaEventRecord(events[0], before));
        exec.launch(on);
        ways::must(cudaStreamWaitEvent(after, events[1], 0));
        ways::must(cudaMemcpyAsync(later.data(), dx.data(), start.size() * sizeof(double), cudaMemcpyDeviceToDevice, after));
        after.wait();
        exec.wait();
        CHECK(exec.iterations("outer") == 3);
    }
    const std::vector<double> wanted(start.size(), 1 + 0.25 * 503);
    CHECK((later.read() == wanted));
    CHECK((seen == wanted));
    for (cudaEvent_t event : events) cudaEventDestroy(event);
}

#if CUDART_VERSION >= 12090
// Takes memory for the time of the call: adds x to y and clears x.
struct takes_memory {
    void operator()(cudaStream_t on, double* from, double* to, index_t n) const {
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(double);
        void* memory = nullptr;
        ways::must(cudaMallocAsync(&memory, bytes, on));
        ways::must(cudaMemcpyAsync(memory, from, bytes, cudaMemcpyDeviceToDevice, on));
        ways::must(cudaMemsetAsync(from, 0, bytes, on));
        ways::must(cudaMemcpyAsync(to, memory, bytes, cudaMemcpyDeviceToDevice, on));
        ways::must(cudaFreeAsync(memory, on));
    }
};
template <class... Option>
void check_memory_of_calls(Option... option) {
    // Each iteration: x is counted up, and goes to y. The inner loop stays on the device.
    const auto e = seq(assign(pass, 0), fill(out(x), 5),
                       label("outer", loop_while(pass < most, host_driven(seq(assign(pass, pass + 1), assign(inner, 0),
                                                                              label("inner", loop_while(inner < 3, seq(for_each(over(x), grow{})(inout(x[each]), in(pass)), assign(inner, inner + 1)))),
                                                                              captured(takes_memory{})(inout(x), inout(y), extent(x)))),
                                                 option...)));
    const auto wanted = [](int longest, std::size_t size) {
        std::vector<double> xs(size, 5), ys(size);
        for (int at = 1; at <= longest; ++at) {
            for (std::size_t i = 0; i < size; ++i) {
                for (int again = 0; again < 3; ++again) grow{}(static_cast<index_t>(i), xs[i], at);
                ys[i] = xs[i];
                xs[i] = 0;
            }
        }
        return ys;
    };
    const device_array<double> dx(300), dy(300), ex(500), ey(500);
    const stream on, other;
    auto exec = instantiate(e, x(dx.all()), y(dy.all()), most(4));
    for (const stream* const each_of : {&on, &other, &other}) {
        exec.launch(*each_of);
        exec.wait();
        CHECK((dy.read() == wanted(4, 300)));
        CHECK(exec.iterations("outer") == 4);
        CHECK(exec.entries("inner") == 4);
    }
    exec.update(x(ex.all()), y(ey.all()), most(2));
    exec.launch(on);
    exec.wait();
    CHECK((ey.read() == wanted(2, 500)));
    run_on(on, e, x(dx.all()), y(dy.all()), most(2));
    on.wait();
    CHECK((dy.read() == wanted(2, 300)));
}
TEST_CASE("calls that allocate may be in a loop that the host drives", "[gpu][host_driven]") {
    SECTION("tested in every iteration") { check_memory_of_calls(); }
    SECTION("tested in every second") { check_memory_of_calls(check_every<2>); }
    const auto on_device = repeat(2, seq(captured(takes_memory{})(inout(x), inout(y), extent(x))));
    const device_array<double> dx(300), dy(300);
    CHECK_THROWS_AS(instantiate(on_device, x(dx.all()), y(dy.all())), error);
}
#endif
