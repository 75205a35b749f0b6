// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

// What only a GPU can show: what the graph is made of, who owns it, and in which order launches run.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct z : buffer<z, int> {} z;
inline constexpr struct s : scalar<s, int> {} s;
inline constexpr struct wide : scalar<wide, std::int64_t> {} wide;
inline constexpr struct t : temp<t, int, struct x> {} t;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct last : value<last, std::int64_t> {} last;

__global__ void add(const int* from, int* to, int count, int more) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) to[i] = from[i] + more;
}
__global__ void increment(int* value) { *value += 1; }
__global__ void sum_in_shared_memory(const int* from, int* to) {
    extern __shared__ int tile[];
    tile[threadIdx.x * 64] = from[threadIdx.x];
    __syncthreads();
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) sum += tile[i * 64];
    *to = sum;
}

std::vector<int> counted(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = i;
    return numbers;
}
std::size_t free_memory() {
    std::size_t free = 0, all = 0;
    ways::must(cudaMemGetInfo(&free, &all));
    return free;
}

}  // namespace

TEST_CASE("the graph has the nodes and the edges of the plan", "[gpu][machine]") {
    device_array<int> xs(100), ys(100), zs(100), one(1);
    const auto two_readers = seq(kernel<add>(over(x))(in(x), out(y), extent(x), 1),
                                 kernel<add>(over(x))(in(x), out(z), extent(x), 2),
                                 kernel<add>(over(x))(in(y), out(x), extent(x), 3));
    auto exec = instantiate(two_readers, x(xs.all()), y(ys.all()), z(zs.all()));
    CHECK(ways::nodes_of(exec.graph_ref()) == 3);
    CHECK(ways::edges_of(exec.graph_ref()) == 2);
    const auto branched =
        seq(kernel<add>(over(x))(in(x), out(y), extent(x), 1),
            when(n > 0, kernel<increment>(grid(1).block(1))(s)), kernel<increment>(grid(1).block(1))(s));
    auto other = instantiate(branched, x(xs.all()), y(ys.all()), s(one.data()), n(1));
    CHECK(ways::nodes_of(other.graph_ref()) == 4);
    CHECK(ways::edges_of(other.graph_ref()) == 2);
    CHECK(ways::nodes_of(instantiate(seq()).graph_ref()) == 0);
}

TEST_CASE("two readers, then a writer: both readers see what was there before", "[gpu][machine]") {
    const int count = 1 << 20;
    device_array<int> xs(counted(count)), ys(count), zs(count);
    const auto e =
        seq(kernel<add>(over(x))(in(x), out(y), extent(x), 1),
            kernel<add>(over(x))(in(x), out(z), extent(x), 2), kernel<add>(over(x))(x, x, extent(x), 1000));
    auto exec = instantiate(e, x(xs.all()), y(ys.all()), z(zs.all()));
    const stream on;
    for (int launch = 0; launch < 20; ++launch) exec.launch(on);
    on.wait();
    CHECK(ys.read()[5] == 5 + 19'000 + 1);
    std::vector<int> expected = counted(count);
    for (int& value : expected) value += 19'001;
    CHECK((ys.read() == expected));
    for (int& value : expected) ++value;
    CHECK((zs.read() == expected));
}

TEST_CASE("an executable is moved, not copied", "[gpu][machine]") {
    device_array<int> one(1);
    const auto e = repeat(3, kernel<increment>(grid(1).block(1))(s));
    auto first = instantiate(e, s(one.data()));
    using executable_type = decltype(first);
    static_assert(!std::is_copy_constructible_v<executable_type> &&
                  !std::is_copy_assignable_v<executable_type>);
    static_assert(std::is_nothrow_move_constructible_v<executable_type> &&
                  std::is_nothrow_move_assignable_v<executable_type>);
    const stream on;

    auto second = std::move(first);
    CHECK(first.graph_ref() == nullptr);
    CHECK(first.exec_ref() == nullptr);
    second.launch(on);
    CHECK(second.fetch(s) == 3);
    CHECK_THROWS_AS(first.launch(on), error);
    CHECK_THROWS_AS(first.fetch(s), error);
    CHECK(cudaGetLastError() == cudaSuccess);

    first = instantiate(e, s(one.data()));
    first = std::move(second);
    first.launch(on);
    CHECK(first.fetch(s) == 6);

    std::vector<executable_type> many;
    for (int i = 0; i < 5; ++i) many.push_back(instantiate(e, s(one.data())));
    for (auto& one_of_them : many) one_of_them.launch(on);
    CHECK(many.back().fetch(s) == 21);
}

TEST_CASE("an executable owns its temps and the scalars that nobody binds, and takes them along",
          "[gpu][machine]") {
    device_array<int> xs(counted(1000));
    const auto e = seq(copy(in(x), out(t)), reduce(out(wide), in(t)), assign(wide, wide * 2));
    auto first = instantiate(e, x(xs.all()));
    const stream on;
    first.launch(on);
    CHECK(first.fetch(wide) == 999'000);
    auto second = std::move(first);
    xs.write(std::vector<int>(1000, 1));
    second.launch(on);
    CHECK(second.fetch(wide) == 2000);
}

TEST_CASE("nothing is left behind by many rounds of instantiation", "[gpu][machine]") {
    device_array<int> xs(counted(1 << 16)), one(1);
    const auto e = seq(copy(in(x), out(t)), reduce(out(s), in(t)),
                       loop_while(s > 0, seq(kernel<add>(over(t))(in(t), inout(t), 1, 0),
                                             when(n > 0, assign(s, 0), otherwise(assign(s, s - 1))))));
    const stream on;
    const auto round = [&] {
        auto exec = instantiate(e, x(xs.all()), n(1));
        exec.launch(on);
        on.wait();
    };
    for (int warm = 0; warm < 20; ++warm) round();
    const std::size_t before = free_memory();
    for (int i = 0; i < 200; ++i) round();
    const std::size_t after = free_memory();
    CHECK(after + (std::size_t{4} << 20) >= before);
}

TEST_CASE("nor by many eager runs", "[gpu][machine]") {
    device_array<int> xs(counted(1 << 16));
    const auto e = seq(copy(in(x), out(t)), reduce(out(s), in(t)), loop_while(s > 0, assign(s, 0)));
    const stream on;
    for (int warm = 0; warm < 20; ++warm) run_on(on, e, x(xs.all()));
    on.wait();
    const std::size_t before = free_memory();
    for (int i = 0; i < 200; ++i) run_on(on, e, x(xs.all()));
    on.wait();
    CHECK(free_memory() + (std::size_t{4} << 20) >= before);
}

TEST_CASE("launches of one executable run one after another, from whatever stream", "[gpu][machine]") {
    device_array<int> one(1);
    auto exec = instantiate(loop_while(s % 10 != 9, kernel<increment>(grid(1).block(1))(s)), s(one.data()));
    auto more = instantiate(kernel<increment>(grid(1).block(1))(s), s(one.data()));
    const stream first, second;
    for (int i = 0; i < 50; ++i) exec.launch(i % 2 == 0 ? first : second);
    CHECK(exec.fetch(s) == 9);
    first.wait();
    second.wait();
    more.launch(first);
    for (int i = 0; i < 50; ++i) exec.launch(first);
    CHECK(exec.fetch(s) == 19);
    exec.launch(nullptr);
    CHECK(exec.fetch(s) == 19);
}

TEST_CASE("a launch keeps its place on its stream", "[gpu][machine]") {
    device_array<int> xs(1 << 20), ys(1 << 20);
    auto exec = instantiate(kernel<add>(over(x))(in(x), out(y), extent(x), 1), x(xs.all()), y(ys.all()));
    const stream on;
    for (int i = 0; i < 10; ++i) {
        ways::must(cudaMemsetAsync(xs.data(), i, xs.all().size_bytes(), on));
        exec.launch(on);
    }
    ways::must(cudaMemsetAsync(xs.data(), 0, xs.all().size_bytes(), on));
    on.wait();
    CHECK((ys.read() == std::vector<int>(1 << 20, 0x09090909 + 1)));
}

TEST_CASE("new bindings are new memory: the old is left alone", "[gpu][machine]") {
    device_array<int> first(10, 1), second(10, 2), target(10);
    const auto e = seq(repeat(2, kernel<add>(over(x))(in(x), inout(x), extent(x), 10)), copy(in(x), out(y)));
    const stream on, other;
    auto exec = instantiate(e, x(first.all()), y(target.all()));
    exec.launch(on);
    on.wait();
    exec = instantiate(e, x(second.all()), y(target.all()));
    exec.launch(other);
    other.wait();
    CHECK(first.read() == std::vector<int>(10, 21));
    CHECK(second.read() == std::vector<int>(10, 22));
    CHECK(target.read() == std::vector<int>(10, 22));
}

TEST_CASE("two executables of one expression run beside each other", "[gpu][machine]") {
    device_array<int> a(1), b(1);
    const auto e = seq(assign(s, 0), loop_while(s < n, kernel<increment>(grid(1).block(1))(s)));
    auto first = instantiate(e, s(a.data()), n(3000));
    auto second = instantiate(e, s(b.data()), n(2000));
    const stream on, other;
    first.launch(on);
    second.launch(other);
    CHECK(second.fetch(s) == 2000);
    CHECK(first.fetch(s) == 3000);
}

TEST_CASE("a loop of a hundred thousand passes", "[gpu][machine]") {
    device_array<int> one(1), two(1);
    const stream on;
    auto of_library_nodes = instantiate(loop_while(s < 100'000, assign(s, s + 1)), s(two.data()));
    of_library_nodes.launch(on);
    CHECK(of_library_nodes.fetch(s) == 100'000);
    auto of_kernels =
        instantiate(loop_while(s < 100'000, kernel<increment>(grid(1).block(1))(s)), s(one.data()));
    of_kernels.launch(on);
    CHECK(of_kernels.fetch(s) == 100'000);
    auto counted_passes = instantiate(as_nodes(repeat(100'000, assign(s, s - 1))), s(two.data()));
    counted_passes.launch(on);
    CHECK(counted_passes.fetch(s) == 0);
}

TEST_CASE("opaque kernels in loops in branches in loops, launched again when finished", "[gpu][machine]") {
    device_array<int> one(1);
    device_array<std::int64_t> passes(1);
    const auto e =
        seq(assign(wide, 0),
            loop_while(wide < last,
                       seq(assign(s, 0),
                           when((wide & 1) == 0, loop_while(s < 7, kernel<increment>(grid(1).block(1))(s)),
                                otherwise(repeat(3, kernel<increment>(grid(1).block(1))(s)))),
                           switch_on(s, assign(wide, 1'000), assign(wide, 1'000), assign(wide, 1'000),
                                     assign(wide, wide + 1)),
                           when(s == 7, do_while(kernel<increment>(grid(1).block(1))(s), s < 9)),
                           when(s == 9, assign(wide, wide + 1)))));
    const stream on;
    run_on(on, e, s(one.data()), wide(passes.data()), last(5));
    on.wait();
    CHECK(passes.read()[0] == 5);
    auto exec = instantiate(e, s(one.data()), wide(passes.data()), last(9));
    for (int launch = 0; launch < 3; ++launch) {
        exec.launch(on);
        CHECK(exec.fetch(wide) == 9);
        CHECK(exec.fetch(s) == 9);
    }
}

TEST_CASE("a pointer as a literal: the node keeps its place among all others", "[gpu][machine]") {
    device_array<int> one(1);
    int* const somewhere = one.data();
    const auto e = seq(kernel<increment>(grid(1).block(1))(somewhere), kernel<increment>(grid(1).block(1))(s),
                       repeat(4, kernel<increment>(grid(1).block(1))(somewhere)));
    CHECK(edge_count(e) == 4 + 1);
    const stream on;
    run_on(on, e, s(one.data()));
    on.wait();
    CHECK(one.read()[0] == 6);
    auto exec = instantiate(e, s(one.data()));
    exec.launch(on);
    CHECK(exec.fetch(s) == 12);
}

TEST_CASE("a kernel may use more shared memory than comes without asking", "[gpu][machine]") {
    device_array<int> xs(counted(512)), one(1);
    const auto e =
        kernel<sum_in_shared_memory>(grid(1).block(512).shared(512 * 64 * sizeof(int)))(in(x), out(s));
    const stream on;
    auto exec = instantiate(e, x(xs.all()), s(one.data()));
    exec.launch(on);
    CHECK(exec.fetch(s) == 511 * 512 / 2);
    one.write({0});
    run_on(on, e, x(xs.all()), s(one.data()));
    on.wait();
    CHECK(one.read()[0] == 511 * 512 / 2);
}
