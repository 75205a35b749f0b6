// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

// Device algorithms of CUB inside loops and branches, against plain C++.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct sorted : temp<sorted, int, struct x> {} sorted;
inline constexpr struct sums : buffer<sums, int> {} sums;
inline constexpr struct odds : buffer<odds, int> {} odds;
inline constexpr struct odd_count : scalar<odd_count, int> {} odd_count;
inline constexpr struct distinct : buffer<distinct, int> {} distinct;
inline constexpr struct lengths : buffer<lengths, int> {} lengths;
inline constexpr struct run_count : scalar<run_count, int> {} run_count;
inline constexpr struct bins : buffer<bins, int> {} bins;
inline constexpr struct pass : scalar<pass, int> {} pass;

constexpr int bin_count = 32, passes = 3, values = 1024;

struct mix {
    COGRAPH_HD void operator()(index_t i, int& value, const int& round) const {
        value = static_cast<int>((static_cast<unsigned>(value) * 31u + static_cast<unsigned>(i) * 7u + static_cast<unsigned>(round)) % values);
    }
};
struct is_odd {
    COGRAPH_HD bool operator()(int value) const { return value % 2 != 0; }
};

constexpr auto sort = cub_call([](auto... a) { return cub::DeviceRadixSort::SortKeys(a...); });
constexpr auto scan = cub_call([](auto... a) { return cub::DeviceScan::InclusiveSum(a...); });
constexpr auto select = cub_call([](auto... a) { return cub::DeviceSelect::If(a...); });
constexpr auto encode = cub_call([](auto... a) { return cub::DeviceRunLengthEncode::Encode(a...); });
constexpr auto histogram = cub_call([](void* workspace, std::size_t& bytes, const int* samples, int* counts, index_t n, cudaStream_t on) {
    return cub::DeviceHistogram::HistogramEven(workspace, bytes, samples, counts, bin_count + 1, 0, values, static_cast<int>(n), on);
});

constexpr auto all_algorithms = seq(
    assign(pass, 0),
    loop_while(pass < passes,
               seq(for_each(over(x), mix{})(inout(x[each]), in(pass)),
                   sort(in(x), out(sorted), extent(x), 0, 10),
                   scan(in(sorted), out(sums), extent(x)),
                   when(pass > 0, select(in(sorted), out(odds), out(odd_count), extent(x), is_odd{}),
                        otherwise(repeat(2, histogram(in(x), out(bins), extent(x))))),
                   encode(in(sorted), out(distinct), out(lengths), out(run_count), extent(x)),
                   assign(pass, pass + 1))));

struct results {
    std::vector<int> xs, sums, odds, distinct, lengths, bins;
};

results compute(std::vector<int> xs) {
    results r;
    std::vector<int> in_order;
    for (int round = 0; round < passes; ++round) {
        for (std::size_t i = 0; i < xs.size(); ++i) mix{}(static_cast<index_t>(i), xs[i], round);
        in_order = xs;
        std::sort(in_order.begin(), in_order.end());
        if (round > 0) continue;
        r.bins.assign(bin_count, 0);
        for (const int value : xs) ++r.bins[static_cast<std::size_t>(value) / (values / bin_count)];
    }
    r.xs = xs;
    r.sums.resize(xs.size());
    std::partial_sum(in_order.begin(), in_order.end(), r.sums.begin());
    for (const int value : in_order) {
        if (is_odd{}(value)) r.odds.push_back(value);
        if (r.distinct.empty() || r.distinct.back() != value) {
            r.distinct.push_back(value);
            r.lengths.push_back(0);
        }
        ++r.lengths.back();
    }
    return r;
}

// The memory of one size, with what it is to hold in the end.
struct bound_memory {
    results wanted;
    device_array<int> dx, dsums, dodds, ddistinct, dlengths, dbins{bin_count}, counts{2};

    explicit bound_memory(std::size_t size) : bound_memory(numbered(size)) {}
    template <class Run>
    decltype(auto) with_bindings(Run run) const {
        return run(x(dx.all()), sums(dsums.all()), odds(dodds.all()), odd_count(counts.data()), distinct(ddistinct.all()), lengths(dlengths.all()),
                   run_count(counts.data() + 1), bins(dbins.all()));
    }

private:
    static std::vector<int> numbered(std::size_t size) {
        std::vector<int> start(size);
        std::iota(start.begin(), start.end(), 0);
        return start;
    }
    explicit bound_memory(const std::vector<int>& start)
        : wanted(compute(start)), dx(start), dsums(start.size()), dodds(start.size()), ddistinct(start.size()), dlengths(start.size()) {}
};

void check(const bound_memory& memory) {
    const results& wanted = memory.wanted;
    const std::vector<int> counts = memory.counts.read();
    const auto first = [](const std::vector<int>& from, int count) {
        return std::vector<int>(from.begin(), from.begin() + std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(from.size())));
    };
    CHECK((memory.dx.read() == wanted.xs));
    CHECK((memory.dsums.read() == wanted.sums));
    CHECK((first(memory.dodds.read(), counts[0]) == wanted.odds));
    CHECK((first(memory.ddistinct.read(), counts[1]) == wanted.distinct));
    CHECK((first(memory.dlengths.read(), counts[1]) == wanted.lengths));
    CHECK((memory.dbins.read() == wanted.bins));
}

void check_size(std::size_t size, bool as_graph) {
    const bound_memory memory(size);
    const stream on;
    INFO(size << (as_graph ? ", as a graph" : ", eagerly"));
    memory.with_bindings([&](auto... b) {
        if (as_graph) {
            auto exec = instantiate(all_algorithms, b...);
            exec.launch(on);
            on.wait();
        } else {
            run_on(on, all_algorithms, b...);
            on.wait();
        }
    });
    check(memory);
}

}  // namespace

TEST_CASE("algorithms of CUB in loops and branches", "[gpu][cub]") {
    for (const bool as_graph : {false, true})
        for (const std::size_t size : {1, 100, 10'000, 300'000}) check_size(size, as_graph);
}

TEST_CASE("workspaces of CUB take the size that new memory needs", "[gpu][cub]") {
    const stream on;
    const bound_memory first(1000);
    auto exec = first.with_bindings([](auto... b) { return instantiate(all_algorithms, b...); });
    exec.launch(on);
    on.wait();
    check(first);
    for (const std::size_t size : {10'000, 100'000, 1'000'000, 50, 1'000'000}) {
        INFO(size);
        const bound_memory next(size);
        next.with_bindings([&](auto... b) {
            exec.update(b...);
            const auto anew = instantiate(all_algorithms, b...);
            CHECK(exec.memory_usage().bytes == anew.memory_usage().bytes);
        });
        exec.launch(on);
        on.wait();
        check(next);
    }
}

TEST_CASE("workspaces of CUB are part of the executable's memory", "[gpu][cub]") {
    // Large enough for workspaces of megabytes: launches must not allocate.
    device_array<int> dx(std::size_t{1} << 22, 3), dsums(std::size_t{1} << 22);
    const stream on;
    auto exec = instantiate(repeat(2, seq(sort(in(x), out(sorted), extent(x), 0, 32), scan(in(sorted), out(sums), extent(x)))), x(dx.all()),
                            sums(dsums.all()));
    exec.launch(on);
    on.wait();
    std::size_t before = 0, after = 0, all = 0;
    ways::must(cudaMemGetInfo(&before, &all));
    for (int i = 0; i < 5; ++i) exec.launch(on);
    on.wait();
    ways::must(cudaMemGetInfo(&after, &all));
    CHECK(before == after);
    CHECK(dsums.read().back() == 3 << 22);
}
