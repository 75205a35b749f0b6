// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

// Executables whose variables are bound anew.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct z : buffer<z, int> {} z;
inline constexpr struct more : value<more, int> {} more;
inline constexpr struct passes : value<passes, int> {} passes;
inline constexpr struct total : scalar<total, std::int64_t> {} total;
inline constexpr struct left : scalar<left, int> {} left;
inline constexpr struct t : temp<t, int, struct x> {} t;
inline constexpr struct u : temp<u, std::int64_t, struct y> {} u;
inline constexpr struct part : temp<part, int> {} part;
inline constexpr struct wide : temp<wide, int, elements<max(2 * extent(x) + more, ceil_div(extent(y), 3))>> {} wide;
inline constexpr struct less : value<less, int> {} less;
inline constexpr struct narrow : temp<narrow, int, elements<less>> {} narrow;
inline constexpr struct largest : scalar<largest, int> {} largest;
inline constexpr struct measure : scalar<measure, std::int64_t> {} measure;

__global__ void add(const int* from, int* to, std::int64_t count, int by) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) to[i] = from[i] + by;
}
void add_on_host(const int* from, int* to, std::int64_t count, int by) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i] + by;
}
__global__ void increment(int* to) { to[threadIdx.x] += 1; }
// Waits until the host sets the flag, but no longer than half a second.
__global__ void wait_for(const int* flag, int*) {
    const long long begin = clock64();
    while (*static_cast<const volatile int*>(flag) == 0 && clock64() - begin < 900'000'000) {
    }
}
struct widen {
    COGRAPH_HD void operator()(index_t, int from, std::int64_t& to) const { to = 3 * std::int64_t{from} + 1; }
};
struct as_long {
    COGRAPH_HD std::int64_t operator()(index_t, int from) const { return from; }
};
struct halve {
    COGRAPH_HD void operator()(index_t, int& to) const { to /= 2; }
};

struct number {
    COGRAPH_HD void operator()(index_t i, int& to) const { to = static_cast<int>(i + 1); }
};
struct take {
    COGRAPH_HD void operator()(index_t, int from, int& to) const { to = from; }
};

// Temps that share, also of a size that is computed, a value, opaque kernels, reductions, a loop and a branch.
constexpr auto everything = seq(
    kernel<add, add_on_host>(over(x))(in(x), out(t), extent(x), more), kernel<add, add_on_host>(over(x))(in(t), out(x), extent(x), 1),
    for_each(over(y), widen{})(in(y[each]), out(u[each])), fill(out(part), more), reduce(out(total), in(u)),
    assign(left, passes), repeat(passes, seq(kernel<add, add_on_host>(over(y))(in(y), out(y), extent(y), 2), assign(left, left - 1))),
    when(total > 1000, kernel<add, add_on_host>(over(x))(in(x), out(x), extent(x), 100), otherwise(fill(out(x), more))),
    when(total % (extent(part) + 2) < extent(y), fill(out(y), 7)), repeat(extent(x) % 3, kernel<add, add_on_host>(over(y))(in(y), out(y), extent(y), 1)),
    for_each(over(part), halve{})(inout(part[each])), fill(out(wide), 3), reduce(out(measure), in(wide)), assign(total, total + measure));

struct host_state {
    std::vector<int> xs, ys;
    std::int64_t total_ = 0;
    int more_, passes_, parts;
};
template <class E>
void simulate_state(const E& e, host_state& s) {
    simulate(e, x(s.xs.data(), s.xs.size()), y(s.ys.data(), s.ys.size()), total(&s.total_), more(s.more_), passes(s.passes_), part(s.parts));
}

std::vector<int> numbers(int count, int first) {
    std::vector<int> made(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) made[static_cast<std::size_t>(i)] = first + i % 97;
    return made;
}

// Random changes of some variables, each followed by a launch: as if made anew.
template <class Make>
void check_changes(Make make, int rounds, const std::vector<int>& sizes, unsigned seed) {
    std::mt19937 random(seed);
    const auto any_size = [&] { return sizes[random() % sizes.size()]; };
    const stream streams[2];
    host_state s{numbers(100, 1), numbers(50, 3), 0, 5, 2, 10};
    auto xs = std::make_unique<device_array<int>>(s.xs);
    auto ys = std::make_unique<device_array<int>>(s.ys);
    device_array<std::int64_t> totals(1);
    auto exec = make(x(xs->all()), y(ys->all()), total(totals.data()), more(s.more_), passes(s.passes_), part(s.parts));
    for (int round = 0; round < rounds; ++round) {
        const unsigned what = random();
        std::unique_ptr<device_array<int>> old_x, old_y;
        if (what & 1) {
            s.xs = numbers(any_size(), static_cast<int>(random() % 10));
            old_x = std::move(xs);
            xs = std::make_unique<device_array<int>>(s.xs);
        }
        if (what & 2) {
            s.ys = numbers(any_size(), static_cast<int>(random() % 10));
            old_y = std::move(ys);
            ys = std::make_unique<device_array<int>>(s.ys);
        }
        if (what & 4) s.more_ = static_cast<int>(random() % 100);
        if (what & 8) s.passes_ = static_cast<int>(random() % 5);
        if (what & 16) s.parts = any_size();
        switch (what % 3) {
            case 0: exec.update(x(xs->all()), y(ys->all()), more(s.more_), passes(s.passes_), part(s.parts)); break;
            case 1:
                exec.update(x(xs->all()));
                exec.update(part(s.parts), y(ys->all()));
                exec.update(passes(s.passes_), more(s.more_));
                break;
            default:
                exec.update(more(s.more_), passes(s.passes_));
                exec.update(part(s.parts));
                exec.update(y(ys->all()), x(xs->all()));
        }
        simulate_state(everything, s);
        const stream& on = streams[random() % 2];
        exec.launch(on);
        on.wait();
        INFO("round " << round);
        REQUIRE(xs->read() == s.xs);
        REQUIRE(ys->read() == s.ys);
        REQUIRE(totals.read()[0] == s.total_);
    }
}

}  // namespace

TEST_CASE("memory, sizes and values change, in loops and branches too", "[gpu][rebinding]") {
    const std::vector<int> sizes = {0, 1, 31, 50, 1000, 5000};
    SECTION("lowered") {
        check_changes([](auto... b) { return instantiate(everything, b...); }, 60, sizes, 1);
    }
    SECTION("node by node") {
        check_changes([](auto... b) { return instantiate(as_nodes(everything), b...); }, 60, sizes, 2);
    }
    SECTION("in a pool") {
        pool shared;
        check_changes([&](auto... b) { return instantiate(everything, use(shared), b...); }, 40, sizes, 3);
    }
}

TEST_CASE("persistent kernels take the shape of their new extents", "[gpu][rebinding]") {
    const auto e = seq(reduce(out(total), in(x)), loop_while(total > 1000, seq(for_each(over(x), halve{})(inout(x[each])), reduce(out(total), in(x)))));
    const stream on;
    device_array<int> first(numbers(100, 50));
    auto exec = instantiate(e, x(first.all()));
    for (const int size : {100, 1 << 14, 1 << 20, 8000, 1 << 17, (1 << 17) + 1, 1000, 0, 1 << 20, 5 << 20, 10}) {
        std::vector<int> host = numbers(size, 70);
        device_array<int> xs(host);
        exec.update(x(xs.all()));
        exec.launch(on);
        on.wait();
        std::int64_t sum = 0;
        simulate(e, x(host.data(), host.size()), total(&sum));
        INFO("size " << size);
        CHECK(xs.read() == host);
        CHECK(exec.fetch(total) == sum);
    }
}

TEST_CASE("launches that run are not disturbed", "[gpu][rebinding]") {
    int* flag = nullptr;
    must(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof *flag, cudaHostAllocMapped));
    constexpr auto waits = seq(kernel<add>(over(x))(in(x), out(t), extent(x), more), kernel<wait_for>(grid(1).block(1))(in(left), inout(t)),
                               kernel<add>(over(x))(in(t), out(x), extent(x), 0));
    device_array<int> first(std::size_t{100}, 1), second(std::size_t{100}, 2), third(std::size_t{100'000}, 3);
    const stream one, two;
    auto exec = instantiate(waits, x(first.all()), more(10), left(flag));
    const std::size_t small = exec.memory_usage().bytes;
    *flag = 0;
    exec.launch(one);
    exec.update(x(second.all()), more(20));  // while the first launch waits
    exec.launch(one);
    exec.update(x(third.all()));  // more temps than there were
    exec.launch(two);
    CHECK(exec.memory_usage().bytes > small);
    *reinterpret_cast<volatile int*>(flag) = 1;
    one.wait();
    two.wait();
    CHECK(first.read() == std::vector<int>(100, 11));
    CHECK(second.read() == std::vector<int>(100, 22));
    CHECK(third.read() == std::vector<int>(100'000, 23));
    exec.update(x(first.all()));
    exec.launch(one);
    one.wait();
    CHECK(first.read() == std::vector<int>(100, 31));
    must(cudaFreeHost(flag));
}

// A loop in a loop, behind a kernel that waits. What it does to an element depends on the largest of all.
struct raise {
    COGRAPH_HD void operator()(index_t i, int& to, int by) const { to += by + static_cast<int>(i % 3); }
};
struct lower {
    COGRAPH_HD void operator()(index_t, int& to, const int& before) const { to -= before / 4 + 1; }
};
constexpr auto loop_in_loop = seq(
    kernel<wait_for>(grid(1).block(1))(in(left), inout(x)),
    repeat(passes, seq(for_each(over(x), raise{})(inout(x[each]), more), reduce(out(largest), in(x), maximum{}),
                       loop_while(largest > 100, seq(copy(in(x), out(t)), for_each(over(x), lower{})(inout(x[each]), in(t[each])),
                                                     reduce(out(largest), in(x), maximum{}))))));
static_assert(is_persistent(loop_in_loop, at<2>) && is_persistent(loop_in_loop, at<6>));

std::vector<int> after_loops(std::vector<int> xs, int by, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < xs.size(); ++i) xs[i] += by + static_cast<int>(i % 3);
        while (*std::max_element(xs.begin(), xs.end()) > 100) {
            for (int& element : xs) element -= element / 4 + 1;
        }
    }
    return xs;
}

// Launches with memory of other lengths are enqueued while the first one waits, so each keeps what it was launched with. The lengths
// take a block, a cluster and the whole grid, and two of them the same kernel.
template <class Make>
void check_loops_in_flight(Make make) {
    int* flag = nullptr;
    must(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof *flag, cudaHostAllocMapped));
    const std::vector<int> lengths = {700, 5000, 6000, 50'000, 900};
    const stream on;
    device_array<int> start(numbers(700, 50));
    for (const bool waits : {false, true}) {  // at first, what is loaded late is loaded
        INFO((waits ? "in flight" : "one by one"));
        std::vector<std::unique_ptr<device_array<int>>> memory;
        std::vector<std::vector<int>> wanted;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const std::vector<int> before = numbers(lengths[i], 40 + static_cast<int>(i));
            memory.push_back(std::make_unique<device_array<int>>(before));
            wanted.push_back(after_loops(before, 10 * static_cast<int>(i) + 5, static_cast<int>(i) + 2));
        }
        *reinterpret_cast<volatile int*>(flag) = !waits;
        auto exec = make(x(start.all()), more(1), passes(1), left(flag));
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            exec.update(x(memory[i]->all()), more(10 * static_cast<int>(i) + 5), passes(static_cast<int>(i) + 2));
            exec.launch(on);
            if (!waits) on.wait();
        }
        const bool in_flight = cudaStreamQuery(on) == cudaErrorNotReady;
        *reinterpret_cast<volatile int*>(flag) = 1;
        on.wait();
        if (waits && !leave_out::under_tool()) CHECK(in_flight);
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            INFO("length " << lengths[i]);
            CHECK((memory[i]->read() == wanted[i]));
        }
    }
    must(cudaFreeHost(flag));
}

TEST_CASE("loops in loops take memory of another length while launches wait", "[gpu][rebinding]") {
    SECTION("lowered") {
        check_loops_in_flight([](auto... b) { return instantiate(loop_in_loop, b...); });
    }
    SECTION("node by node") {
        check_loops_in_flight([](auto... b) { return instantiate(as_nodes(loop_in_loop), b...); });
    }
}

// What kernel nodes of a graph, without its bodies, take first.
std::vector<const void*> first_parameters(cudaGraph_t graph) {
    std::vector<const void*> all;
    for (const cudaKernelNodeParams& launched : ways::kernels_of(graph)) all.push_back(*static_cast<void**>(launched.kernelParams[0]));
    return all;
}

TEST_CASE("a graph that is asked for is of the memory that is bound now", "[gpu][rebinding]") {
    device_array<int> first(64), second(64);
    const stream on;
    constexpr auto add_one = kernel<increment>(grid(1).block(64))(inout(x));
    {
        auto exec = instantiate(seq(add_one, add_one), x(first.all()));
        exec.update(x(second.all()));
        cudaGraphExec_t again = nullptr;
        must(cudaGraphInstantiate(&again, exec.graph_ref(), 0));
        must(cudaGraphLaunch(again, on));
        on.wait();
        must(cudaGraphExecDestroy(again));
        CHECK(first.read() == std::vector<int>(64));
        CHECK(second.read() == std::vector<int>(64, 2));
        exec.launch(on);
        on.wait();
        CHECK(second.read() == std::vector<int>(64, 4));
    }
    {
        auto exec = instantiate(seq(add_one, repeat(2, add_one)), x(first.all()));
        exec.update(x(second.all()));
        const std::vector<const void*> taken = first_parameters(exec.graph_ref());
        CHECK(std::count(taken.begin(), taken.end(), second.data()) == 1);
        exec.launch(on);
        on.wait();
        CHECK(second.read() == std::vector<int>(64, 7));
    }
    {
        constexpr auto four = seq(add_one, add_one, add_one, add_one);
        auto exec = instantiate(seq(four, four, four, four), device_updatable(x(first.all())));
        exec.update(x(second.all()));
        const std::vector<const void*> taken = first_parameters(exec.graph_ref());
        CHECK(std::count(taken.begin(), taken.end(), second.data()) == 16);
        exec.launch(on);
        on.wait();
        CHECK(second.read() == std::vector<int>(64, 23));
        CHECK(first.read() == std::vector<int>(64));
    }
}

TEST_CASE("an update with one bad binding changes nothing", "[gpu][rebinding]") {
    device_array<int> xs(std::size_t{64}, 1), other(std::size_t{64}, 5), few(std::size_t{3}, 7);
    const auto e = seq(copy(in(x), out(t)), copy(in(t), out(y)), kernel<increment>(grid(1).block(64))(inout(y)));
    device_array<int> ys(std::size_t{64});
    const stream on;
    auto exec = instantiate(e, x(xs.all()), y(ys.all()));
    const auto works = [&] {
        ys.write(std::vector<int>(64, 0));
        exec.launch(on);
        on.wait();
        CHECK(ys.read() == std::vector<int>(64, 2));
    };
    works();
    CHECK_THROWS_AS(exec.update(x(other.all()), y(few.all())), error);
    works();
    CHECK_THROWS_AS(exec.update(x(static_cast<int*>(nullptr), 64)), error);
    works();
    CHECK_THROWS_AS(exec.update(x(ys.all())), error);  // the same memory twice
    works();
    CHECK_THROWS_AS(exec.update(x(other.data(), std::size_t{1} << 50), y(ys.data(), std::size_t{1} << 50)), error);
    works();
    CHECK(cudaGetLastError() == cudaSuccess);
    exec.update(x(other.all()));
    exec.launch(on);
    on.wait();
    CHECK(ys.read() == std::vector<int>(64, 6));
}

TEST_CASE("an update that makes a size negative changes nothing", "[gpu][rebinding]") {
    const auto e = seq(fill(out(wide), 1), reduce(out(measure), in(wide)), fill(out(x), 0), fill(out(narrow), 0));
    const stream on;
    device_array<int> xs(numbers(10, 0)), ys(numbers(9, 0));
    auto exec = instantiate(e, x(xs.all()), y(ys.all()), more(-5), less(5));
    const std::size_t bytes = exec.memory_usage().bytes;
    const auto width_of_launch = [&] {
        exec.launch(on);
        on.wait();
        return exec.fetch(measure);
    };
    CHECK(width_of_launch() == 15);
    exec.update(x(xs.data(), 0), y(ys.data(), 0), more(-1));  // max(-1, 0) elements
    CHECK(width_of_launch() == 0);
    exec.update(x(xs.all()), y(ys.all()), more(-5));
    CHECK_THROWS_AS(exec.update(less(-1)), error);
    CHECK_THROWS_AS(exec.update(x(xs.data(), std::size_t{1} << 62)), error);
    CHECK(width_of_launch() == 15);
    exec.update(more(1000));
    CHECK(width_of_launch() == 1020);
    CHECK(exec.memory_usage().bytes > bytes);
    exec.update(more(-20), y(ys.data(), 6));
    CHECK(width_of_launch() == 2);
    CHECK_THROWS_AS(run_on(on, e, x(xs.all()), y(ys.all()), more(1), less(-1)), error);
    CHECK_THROWS_AS(instantiate(e, x(xs.all()), y(ys.all()), more(1), less(-1)), error);
}

TEST_CASE("an update that would leave a temp partly written changes nothing", "[gpu][rebinding]") {
    const stream on;
    device_array<int> xs(numbers(4, 0));
    const auto check = [&](const auto& e) {
        auto exec = instantiate(e, x(xs.all()), more(4));
        const auto works = [&] {
            xs.write(numbers(4, 7));
            exec.launch(on);
            on.wait();
            CHECK(xs.read() == std::vector<int>{1, 2, 3, 4});
        };
        works();
        CHECK_THROWS_AS(exec.update(more(3)), error);
        works();
        CHECK_THROWS_AS(instantiate(e, x(xs.all()), more(2)), error);
        CHECK_THROWS_AS(run_on(on, e, x(xs.all()), more(0)), error);
        exec.update(x(xs.data(), 2), more(2));
        exec.update(x(xs.all()), more(4));
        works();
    };
    const auto write_some = for_each(over(more), number{})(out(t[each]));
    check(seq(write_some, copy(in(t), out(x))));
    check(repeat(2, seq(write_some, copy(in(t), out(x)))));
    const auto of_some = seq(write_some, for_each(over(more), take{})(in(t[each]), out(x[each])));
    xs.write({0, 0, 0, 0});
    run_on(on, of_some, x(xs.all()), more(2));
    instantiate(of_some, x(xs.all()), more(3)).launch(on);
    on.wait();
    CHECK(xs.read() == std::vector<int>{1, 2, 3, 0});
}

TEST_CASE("memory that the device does not reach is refused before anything changes", "[gpu][rebinding]") {
    const auto e = seq(kernel<add, add_on_host>(over(x))(in(x), out(y), extent(x), 1), reduce(out(total), in(y)));
    const stream on;
    int device = 0, reaches = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&reaches, cudaDevAttrPageableMemoryAccess, device));
    std::vector<int> pageable(10, 7);
    device_array<int> xs(numbers(10, 0)), ys(10), other(numbers(10, 5));
    auto exec = instantiate(e, x(xs.all()), y(ys.all()));
    const auto total_of_launch = [&] {
        exec.launch(on);
        return exec.fetch(total);
    };
    CHECK(total_of_launch() == 55);
    if (!reaches) {
        CHECK_THROWS_AS(exec.update(y(other.all()), x(pageable.data(), 10)), error);
        CHECK_THROWS_AS(exec.update(x(pageable.data(), 5)), error);
    }
    other.write(std::vector<int>(10, 0));
    CHECK(total_of_launch() == 55);
    CHECK(other.read() == std::vector<int>(10, 0));  // still not bound
    int* pinned = nullptr;
    must(cudaMallocHost(&pinned, 10 * sizeof(int)));
    for (int i = 0; i < 10; ++i) pinned[i] = 2 * i;
    exec.update(x(pinned, 10));
    CHECK(total_of_launch() == 100);
    must(cudaFreeHost(pinned));
}

TEST_CASE("scalars: one that was the executable's own, and one that a condition reads", "[gpu][rebinding]") {
    const auto e = seq(assign(left, 3), repeat(left, kernel<increment>(grid(1).block(8))(inout(x))), assign(left, 7));
    device_array<int> xs(std::size_t{8}), lefts(std::size_t{2}, -1);
    const stream on;
    auto exec = instantiate(as_nodes(e), x(xs.all()));
    exec.launch(on);
    CHECK(exec.fetch(left) == 7);
    exec.update(left(lefts.data()));
    exec.launch(on);
    on.wait();
    CHECK(lefts.read() == std::vector<int>{7, -1});
    CHECK(exec.fetch(left) == 7);
    exec.update(left(lefts.data() + 1));
    exec.launch(on);
    on.wait();
    CHECK(lefts.read() == std::vector<int>{7, 7});
    CHECK(xs.read() == std::vector<int>(8, 9));
}

struct copy_all {
    cudaError_t operator()(cudaStream_t on, const int* from, int* to, index_t count) const {
        return cudaMemcpyAsync(to, from, static_cast<std::size_t>(count) * sizeof(int), cudaMemcpyDefault, on);
    }
};

TEST_CASE("scalars: one that a condition reads, beside a sum over as many elements as the device says", "[gpu][rebinding]") {
    device_array<int> xs(std::size_t{100}, 2), lefts(std::size_t{2});
    device_array<std::int64_t> sums(std::size_t{2});
    constexpr auto sum = transform_reduce(over(x).first(left), as_long{}, plus{})(out(total), in(x[each]));
    auto exec = instantiate(as_nodes(seq(assign(left, more), when(left > 10, fill(out(x), 3)), sum)), x(xs.all()), left(lefts.data()), total(sums.data()), more(5));
    const stream s;
    exec.launch(s);
    exec.update(left(lefts.data() + 1), total(sums.data() + 1), more(20));
    exec.launch(s);
    s.wait();
    CHECK(lefts.read() == std::vector<int>{5, 20});
    CHECK(sums.read() == std::vector<std::int64_t>{10, 60});
}

TEST_CASE("captured calls are captured again", "[gpu][rebinding]") {
    const auto e = seq(captured(copy_all{})(in(x), out(t), extent(x)), repeat(2, seq(captured(copy_all{})(in(t), out(y), extent(t)),
                                                                                      kernel<increment>(grid(1).block(8))(inout(y)))));
    device_array<int> first(std::size_t{8}, 1), second(std::size_t{8}, 2), third(std::size_t{20}, 3), ys(std::size_t{20});
    const stream on;
    auto exec = instantiate(e, x(first.all()), y(ys.all()));
    for (const auto* from : {&first, &second, &third, &first}) {
        exec.update(x(from->all()));
        exec.launch(on);
        on.wait();
        CHECK(ys.read()[0] == from->read()[0] + 1);
    }
    CHECK(ys.read()[19] == 3);
}

// Twenty nodes that use x, in a loop and outside.
template <class N>
constexpr auto ten(N n) {
    return seq(n, n, n, n, n, n, n, n, n, n);
}
constexpr auto many = seq(ten(kernel<increment>(grid(1).block(8))(inout(x))), repeat(passes, ten(kernel<increment>(grid(1).block(8))(inout(x)))),
                          kernel<add>(over(x))(in(x), out(y), extent(x), more));

TEST_CASE("memory that is often rebound: many nodes change at once on the device", "[gpu][rebinding]") {
    const stream one, two;
    device_array<int> first(std::size_t{8}), second(std::size_t{8}), third(std::size_t{8}), large(std::size_t{300}), ys(std::size_t{300});
    auto exec = instantiate(many, device_updatable(x(first.all())), device_updatable(y(ys.all())), passes(2), more(1));
    int expected[4] = {};
    device_array<int>* const places[] = {&first, &second, &third, &large};
    int extra = 1, loops = 2;
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        const unsigned at = random() % 4;
        exec.update(x(places[random() % 4]->all()));  // forgotten
        exec.update(x(places[at]->all()));
        if (random() % 8 == 0) exec.update(more(extra = static_cast<int>(random() % 50)));
        if (random() % 8 == 0) exec.update(passes(loops = static_cast<int>(random() % 3)));
        const int launches = 1 + static_cast<int>(random() % 3);
        for (int i = 0; i < launches; ++i) {
            exec.launch(random() % 2 ? one : two);
            expected[at] += 10 + 10 * loops;
        }
        one.wait();
        two.wait();
        INFO("round " << round);
        for (int i = 0; i < 4; ++i) REQUIRE(places[i]->read()[7] == expected[i]);
        REQUIRE(ys.read()[7] == expected[at] + extra);
    }
}

// Memory that is often rebound, of two variables: a captured call and a persistent kernel take x, too, so it is updated the usual way;
// kernels alone take y.
constexpr auto twenty(auto n) { return seq(ten(n), ten(n)); }
constexpr auto several_ways = seq(twenty(kernel<increment>(grid(1).block(8))(inout(x))), captured(copy_all{})(in(x), out(z), extent(x)),
                                  twenty(kernel<increment>(grid(1).block(8))(inout(y))),
                                  repeat(passes, seq(for_each(over(x), raise{})(inout(x[each]), more), reduce(out(total), in(x)))));
static_assert(is_persistent(several_ways, at<41>));

template <class Make>
void check_several_ways(Make make) {
    const stream on;
    const std::vector<int> lengths = {8, 300, 8, 5000};
    std::vector<std::unique_ptr<device_array<int>>> of_x, of_y;
    std::vector<std::vector<int>> xs, ys;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        xs.push_back(numbers(lengths[i], 3 * static_cast<int>(i)));
        ys.push_back(numbers(8, 5 * static_cast<int>(i)));
        of_x.push_back(std::make_unique<device_array<int>>(xs[i]));
        of_y.push_back(std::make_unique<device_array<int>>(ys[i]));
    }
    device_array<int> zs(std::size_t{5000});
    auto exec = make(device_updatable(x(of_x[0]->all())), device_updatable(y(of_y[0]->all())), z(zs.all()), passes(2), more(1));
    std::size_t at_x = 0, at_y = 0;
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        const unsigned what = random() % 4;
        if (what & 1) at_x = random() % lengths.size();
        if (what & 2) at_y = random() % lengths.size();
        if (what == 1) exec.update(x(of_x[at_x]->all()));
        if (what == 2) exec.update(y(of_y[at_y]->all()));
        if (what == 3) exec.update(x(of_x[at_x]->all()), y(of_y[at_y]->all()));
        std::vector<int>& now_x = xs[at_x];
        std::vector<int>& now_y = ys[at_y];
        std::vector<int> copied;
        for (int launches = 0; launches < 2; ++launches) {
            exec.launch(on);
            for (std::size_t i = 0; i < 8; ++i) {
                now_x[i] += 20;
                now_y[i] += 20;
            }
            copied = now_x;
            for (std::size_t i = 0; i < now_x.size(); ++i) now_x[i] += 2 * (1 + static_cast<int>(i % 3));
        }
        on.wait();
        INFO("round " << round);
        REQUIRE(exec.fetch(total) == std::accumulate(now_x.begin(), now_x.end(), std::int64_t{0}));
        const std::vector<int> in_z = zs.read();
        REQUIRE(std::equal(copied.begin(), copied.end(), in_z.begin()));
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            REQUIRE((of_x[i]->read() == xs[i]));
            REQUIRE((of_y[i]->read() == ys[i]));
        }
    }
}

TEST_CASE("memory that is often rebound and not only in kernels is updated the usual way", "[gpu][rebinding]") {
    SECTION("lowered") {
        check_several_ways([](auto... b) { return instantiate(several_ways, b...); });
    }
    SECTION("node by node") {
        check_several_ways([](auto... b) { return instantiate(as_nodes(several_ways), b...); });
    }
}

inline constexpr struct step : value<step, int> {
    static constexpr int initial = 3;
} step;
struct add_step {
    COGRAPH_HD void operator()(index_t, int& to, int by) const { to += by; }
};
TEST_CASE("a value with an initial value need not be bound, and an update binds it", "[gpu][rebinding]") {
    device_array<int> xs(std::size_t{100});
    const stream on;
    const auto adding = for_each(over(x), add_step{})(inout(x[each]), in(step));
    auto exec = instantiate(seq(adding, repeat(step, adding)), x(xs.all()));
    exec.launch(on);  // 3, and three times 3
    exec.update(step(1));
    exec.launch(on);  // 1, and 1
    run_on(on, adding, x(xs.all()));
    run_on(on, adding, x(xs.all()), step(10));
    on.wait();
    CHECK(xs.read() == std::vector<int>(100, 12 + 2 + 3 + 10));
}

TEST_CASE("launches in flight keep their memory when the device changes the nodes", "[gpu][rebinding]") {
    int* flag = nullptr;
    must(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof *flag, cudaHostAllocMapped));
    const auto e = seq(kernel<wait_for>(grid(1).block(1))(in(left), inout(x)), ten(kernel<increment>(grid(1).block(8))(inout(x))),
                       ten(kernel<increment>(grid(1).block(8))(inout(x))));
    device_array<int> first(std::size_t{8}), second(std::size_t{8});
    const stream one, two;
    // [device_updatable]
    auto exec = instantiate(e, device_updatable(x(first.all())), left(flag));
    exec.launch(one);
    exec.update(x(second.all()));  // notes the pointer
    exec.launch(two);              // writes it into all nodes
    // [/device_updatable]
    exec.launch(two);
    *reinterpret_cast<volatile int*>(flag) = 1;
    one.wait();
    two.wait();
    CHECK(first.read() == std::vector<int>(8, 20));
    CHECK(second.read() == std::vector<int>(8, 40));
    must(cudaFreeHost(flag));
}
