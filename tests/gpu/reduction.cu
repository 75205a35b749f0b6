// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <vector>

// Reductions of random numbers: the same bits in every way to run, for every size.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct small : buffer<small, float> {} small;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct lowest : scalar<lowest, double> {} lowest;
inline constexpr struct product : scalar<product, double> {} product;
inline constexpr struct single : scalar<single, float> {} single;
inline constexpr struct i : scalar<i, int> {} i;

struct results {
    double total = -1, lowest = -1, product = -1;
    float single = -1;
};
bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

constexpr auto once = seq(reduce(out(total), in(x)), reduce(out(lowest), in(x), minimum{}),
                          dot(out(product), in(x), in(y)), reduce(out(single), in(small)));
constexpr auto in_a_loop = seq(assign(i, 0), loop_while(i < 3, seq(once, assign(i, i + 1))));

// The results of an expression that has these four.
template <class Run>
results results_of(const std::vector<double>& numbers, const std::vector<float>& floats, Run run) {
    device_array<double> xs(numbers), totals(1), lows(1), products(1);
    device_array<float> smalls(floats), singles(1);
    run(x(xs.all()), y(xs.all()), small(smalls.all()), total(totals.data()), lowest(lows.data()),
        product(products.data()), single(singles.data()));
    ways::must(cudaDeviceSynchronize());
    return {totals.read()[0], lows.read()[0], products.read()[0], singles.read()[0]};
}

}  // namespace

TEST_CASE("reductions of any size give the bits that simulation gives", "[gpu][reduction]") {
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> between(-1, 1);
    const stream on;
    for (const int n :
         {0,    1,    2,    31,   32,     33,     255,     256,     257,       1023,      1024,
          1025, 2048, 4095, 4097, 33'791, 33'793, 262'143, 262'145, 1'000'003, 1'048'577, 5'000'011}) {
        CAPTURE(n);
        std::vector<double> numbers(static_cast<std::size_t>(n));
        for (double& number : numbers) number = between(generator);
        std::vector<float> floats(numbers.begin(), numbers.end());
        results expected;
        simulate(once, x(std::span(numbers)), y(std::span(numbers)), small(std::span(floats)),
                 total(&expected.total), lowest(&expected.lowest), product(&expected.product),
                 single(&expected.single));

        std::vector<results> every_way;
        const results as_graph = results_of(numbers, floats, [&](auto... b) {
            auto exec = instantiate(once, b...);
            exec.launch(on);
            exec.launch(on);
            on.wait();
        });
        every_way.push_back(as_graph);
        const auto add_way = [&](auto instantiate_with) {
            bool left_out = false;
            const results given = results_of(numbers, floats, [&](auto... b) {
                auto exec = instantiate_with(b...);
                left_out = leave_out::launch_of(exec.graph_ref());
                for (int i = 0; i < 2 && !left_out; ++i) exec.launch(on);
                on.wait();
            });
            if (!left_out) every_way.push_back(given);
        };
        add_way([&](auto... b) { return instantiate(in_a_loop, b...); });
        add_way([&](auto... b) { return instantiate(as_nodes(in_a_loop), b...); });
        every_way.push_back(results_of(numbers, floats, [&](auto... b) { run_on(on, in_a_loop, b...); }));

        for (const results& given : every_way) {
            CHECK(same_bits(given.total, expected.total));
            CHECK(given.lowest == expected.lowest);
            CHECK(given.single == expected.single);
            // Products may be fused with the sums on a GPU: the same in all its ways, and close to the
            // host's.
            CHECK(same_bits(given.product, as_graph.product));
            CHECK(std::abs(given.product - expected.product) <= 1e-12 * n);
        }
    }
}

// In a persistent kernel over the whole grid in which no thread reads what another one writes, blocks send the results of chunks to each other in place of a
// barrier. Between two such results, others need a barrier: those of few elements.
namespace sent {

using namespace cograph;

template <class T>
struct own : buffer<own<T>, T> {};
template <class T>
struct few : buffer<few<T>, T> {};
template <class T>
struct sum : scalar<sum<T>, T> {};
template <class T>
struct most : scalar<most<T>, T> {};
template <class T>
struct of_few : scalar<of_few<T>, T> {};
inline constexpr struct pass : scalar<pass, int> {} pass;
inline constexpr struct passes : value<passes, int> {} passes;

struct go_on {
    COGRAPH_HD static unsigned late(unsigned drawn) {
        for (int k = 0; k < 10'000; ++k) drawn = drawn * 1664525u + 1013904223u + (drawn >> 7);
        return drawn;
    }
    template <class T>
    COGRAPH_HD void operator()(index_t i, T& to, const T& before, const int& number) const {
        if (number == 0 && i > 25'500 && i < 25'600) to += late(static_cast<unsigned>(i)) % 7 == 0 ? 1 : 0;  // others may meet an old result of this block
        to = to * 2 + before + static_cast<T>(i % 7 + number) / 8;
        if (to > 1000) to -= 1900;
        if (to < -1000) to = 1;
    }
};
struct small_part {
    template <class T>
    COGRAPH_HD void operator()(T& of) const { of = of > 1 || of < -1 ? T(1) / 2 : of; }
};
template <class T>
constexpr auto expression() {
    constexpr own<T> x;
    constexpr few<T> y;
    constexpr sum<T> s;
    constexpr most<T> m;
    constexpr of_few<T> f;
    return seq(assign(pass, 0), assign(s, T(1)), assign(m, T(0)), assign(f, T(0)),
               loop_while(pass < passes, seq(for_each(over(x), go_on{})(inout(x[each]), s, pass), reduce(out(s), in(x), plus{}, T(5)), reduce(out(m), in(x), maximum{}),
                                             when(pass % 3 == 0, reduce(out(f), in(y))), single_task(small_part{})(inout(s)), assign(pass, pass + 1))));
}
// The number of the last results that blocks sent, in the memory of the loop's kernel, which alone has several blocks.
template <class Exec>
unsigned* last_sent(Exec& exec) {
    for (const cudaKernelNodeParams& launched : ways::kernels_of(exec.graph_ref()))
        if (launched.gridDim.x > 1) return &(*static_cast<core::barrier_memory**>(launched.kernelParams[0]))->sent;
    return nullptr;
}
template <class T>
void check() {
    constexpr auto e = expression<T>();
    const std::size_t largest = 300'001;
    std::vector<T> numbers(largest), small(600);
    for (std::size_t i = 0; i < largest; ++i) numbers[i] = static_cast<T>(i * 2654435761u % 2001) / 256 - 4;
    for (std::size_t i = 0; i < small.size(); ++i) small[i] = static_cast<T>(i % 17) / 4;
    const ways::device_array<T> on_device(numbers), small_on_device(small);
    const ways::stream on;
    auto exec = instantiate(e, own<T>{}(on_device.data(), largest), few<T>{}(small_on_device.all()), passes(5));
    const auto run = [&](std::size_t n, int times, unsigned number = 0) {
        CAPTURE(n, times, sizeof(T));
        std::vector<T> x(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
        T s{}, m{}, f{};
        int p = 0;
        ways::must(cudaMemcpy(on_device.data(), numbers.data(), n * sizeof(T), cudaMemcpyDefault));
        exec.update(own<T>{}(on_device.data(), n), passes(times));
        if (number != 0) ways::must(cudaMemcpy(last_sent(exec), &number, sizeof number, cudaMemcpyDefault));
        exec.launch(on);
        on.wait();
        simulate(e, own<T>{}(std::span(x)), few<T>{}(std::span(small)), sum<T>{}(&s), most<T>{}(&m), of_few<T>{}(&f), pass(&p), passes(times));
        CHECK(exec.fetch(sum<T>{}) == s);
        CHECK(exec.fetch(most<T>{}) == m);
        CHECK(exec.fetch(of_few<T>{}) == f);
        std::vector<T> found(n);
        ways::must(cudaMemcpy(found.data(), on_device.data(), n * sizeof(T), cudaMemcpyDefault));
        CHECK(found == x);
    };
    for (const std::size_t n : {largest, std::size_t{40'000}, std::size_t{0}, std::size_t{131'072}, std::size_t{5'000}, std::size_t{65'536}, std::size_t{65'537}, std::size_t{34'000}})
        for (const int times : {5, 6}) run(n, times);

    // Numbers begin again, in clean memory: the third launch begins with the number of the last results but one that the first launch left in memory, of more
    // blocks than the second one has.
    const auto number_left = [&] {
        unsigned number = 0;
        ways::must(cudaMemcpy(&number, last_sent(exec), sizeof number, cudaMemcpyDefault));
        return number;
    };
    constexpr unsigned of_ten = 10 + 4;  // reductions, and those of few elements
    run(25'600, 10, 1);
    CHECK(number_left() == 1 + of_ten);
    run(10'240, 10, (1u << 31) - 1);
    CHECK(number_left() == of_ten - 1);
    run(25'600, 10);
    CHECK(number_left() == 2 * of_ten - 1);
}

}  // namespace sent

TEMPLATE_TEST_CASE("results that blocks send to each other are those of simulation", "[gpu][reduction]", int, double) { sent::check<TestType>(); }
