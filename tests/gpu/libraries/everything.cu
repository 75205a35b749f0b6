// SPDX-License-Identifier: Apache-2.0
#include "../ways.cuh"

#include <cublas_v2.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

// One expression of nearly everything there is: host work, pinned and boxed copies, calls of cuBLAS and CUB, a loop in a loop with a
// branch, an array predicate beside a scalar one, elements and reductions, in temps. All numbers are whole, so that results are exact.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct samples : pinned_buffer<samples, double> {} samples;
inline constexpr struct progress : pinned_buffer<progress, double> {} progress;
inline constexpr struct image : buffer<image, double> {} image;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct tile : temp<tile, double, struct x> {} tile;
inline constexpr struct sums : temp<sums, double, struct x> {} sums;
inline constexpr struct work : temp<work, char> {} work;  // for cuBLAS
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct overlap : scalar<overlap, double> {} overlap;
inline constexpr struct factor : scalar<factor, double> {} factor;  // the executable's own, as pass
inline constexpr struct pass : scalar<pass, int> {} pass;
inline constexpr struct first : value<first, int> {} first;
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct bound : value<bound, double> {} bound;
inline constexpr struct part : value<part, box> {} part;

struct cublas {
    cublasHandle_t handle = nullptr;
    cublas() {
        if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("no cuBLAS");
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    }
    ~cublas() { cublasDestroy(handle); }
    cublas(const cublas&) = delete;
    cublas& operator=(const cublas&) = delete;
};
// [blas]
// What every call of cuBLAS needs: the stream, and memory to work in, since a call may not allocate where it is captured.
cublasStatus_t prepare(cublasHandle_t handle, cudaStream_t on, char* memory, index_t bytes) {
    const cublasStatus_t status = cublasSetStream(handle, on);
    return status == CUBLAS_STATUS_SUCCESS ? cublasSetWorkspace(handle, memory, static_cast<std::size_t>(bytes)) : status;
}
struct inner_product {
    cublasHandle_t handle;
    cublasStatus_t operator()(cudaStream_t on, const double* a, const double* b, double* to, index_t n, char* memory, index_t bytes) const {
        const cublasStatus_t status = prepare(handle, on, memory, bytes);
        return status == CUBLAS_STATUS_SUCCESS ? cublasDdot(handle, static_cast<int>(n), a, 1, b, 1, to) : status;
    }
};
// [/blas]
struct axpy {
    cublasHandle_t handle;
    cublasStatus_t operator()(cudaStream_t on, const double* by, const double* from, double* to, index_t n, char* memory, index_t bytes) const {
        const cublasStatus_t status = prepare(handle, on, memory, bytes);
        return status == CUBLAS_STATUS_SUCCESS ? cublasDaxpy(handle, static_cast<int>(n), by, from, 1, to, 1) : status;
    }
};

void make_samples(double* to, index_t n, int from) {
    for (index_t i = 0; i < n; ++i) to[i] = static_cast<double>((7 * i + from) % 11);
}
struct add {
    COGRAPH_HD void operator()(index_t, double& to, const double& from) const { to += from; }
};
struct raise {
    COGRAPH_HD double operator()(index_t i, double& to, const int& by) const { return to += static_cast<double>(i % 3 + by); }
};
struct is_below {
    COGRAPH_HD bool operator()(double element, double limit) const { return element < limit; }
};
struct wrap {
    COGRAPH_HD void operator()(index_t, double& to) const {
        if (to >= 1024) to -= 1024 * std::floor(to / 1024);
    }
};
struct lessen {
    COGRAPH_HD void operator()(index_t i, double& to) const { to -= static_cast<double>(i % 5); }
};

// seen gets the sum of what each run brings to the host.
auto everything(cublasHandle_t handle, std::vector<double>& seen) {
    const auto add_scaled = [=](auto from) { return captured(axpy{handle})(in(factor), from, inout(y), extent(y), inout(work), extent(work)); };
    // [cub]
    const auto scan = cub_call([](auto... a) { return cub::DeviceScan::InclusiveSum(a...); });
    const auto largest_of = cub_call([](auto... a) { return cub::DeviceReduce::Max(a...); });
    // [/cub]
    const auto look = [&seen](const double* values, const double* last, index_t n) { seen.push_back(std::accumulate(values, values + n, last[0])); };
    return seq(host(make_samples)(out(samples), extent(samples), first),
               copy(in(samples), out(x)),
               copy(in(image), out(tile), part),
               fill(out(work), 0), assign(pass, 0), assign(factor, 2),
               for_each(over(x), add{})(inout(x[each]), in(tile[each])),
               loop_while(any_of(x, is_below{}, bound) && pass < most,
                          seq(transform_reduce(over(x), raise{}, plus{})(out(total), inout(x[each]), in(pass)),
                              scan(in(x), out(sums), extent(x)),
                              add_scaled(in(sums)),
                              repeat(2, seq(for_each(over(y), wrap{})(inout(y[each])),
                                            when(pass % 2 == 0, add_scaled(in(x)), otherwise(for_each(over(y), lessen{})(inout(y[each])))))),
                              copy(in(total), out(progress)),
                              assign(pass, pass + 1))),
               largest_of(in(y), out(largest), extent(y)),
               captured(inner_product{handle})(in(x), in(y), out(overlap), extent(x), inout(work), extent(work)),
               reduce(out(total), in(y)),
               copy(in(x), out(samples)),
               host(look)(in(samples), in(progress), extent(samples)));
}

class pinned_memory {
public:
    explicit pinned_memory(std::size_t size) : size_(size) {
        must(cudaMallocHost(&data_, size * sizeof(double)));
        std::fill_n(data_, size, 0.0);
    }
    ~pinned_memory() { cudaFreeHost(data_); }
    pinned_memory(const pinned_memory&) = delete;
    pinned_memory& operator=(const pinned_memory&) = delete;
    std::span<double> all() const { return {data_, size_}; }
    std::vector<double> read() const { return {data_, data_ + size_}; }

private:
    double* data_ = nullptr;
    std::size_t size_;
};

// What one run needs, and its results in plain C++.
struct numbers {
    box rows;
    int from, rounds;
    double limit;
    std::vector<double> picture, xs, ys;
    double sum = 0, most_of_all = 0, product = 0, last = 0;
    int passes = 0;
    std::vector<double> looks;

    // Rows of a picture that is wider.
    numbers(index_t width, index_t height, int begin, int most_rounds, double least)
        : rows{.width = width, .height = height, .from_begin = 3, .from_pitch = width + 5}, from(begin), rounds(most_rounds), limit(least),
          picture(static_cast<std::size_t>(3 + height * (width + 5))), xs(static_cast<std::size_t>(width * height)), ys(xs.size()) {
        for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = static_cast<double>(i % 7);
        for (std::size_t i = 0; i < ys.size(); ++i) ys[i] = static_cast<double>(i % 13);
    }
    void compute() {
        const std::size_t n = xs.size();
        make_samples(xs.data(), static_cast<index_t>(n), from);
        for (std::size_t i = 0; i < n; ++i) {
            const index_t row = static_cast<index_t>(i) / rows.width, column = static_cast<index_t>(i) % rows.width;
            xs[i] += picture[static_cast<std::size_t>(rows.from_begin + row * rows.from_pitch + column)];
        }
        const auto is_low = [&](double element) { return element < limit; };
        passes = 0;
        while (std::any_of(xs.begin(), xs.end(), is_low) && passes < rounds) {
            for (std::size_t i = 0; i < n; ++i) xs[i] += static_cast<double>(static_cast<int>(i % 3) + passes);
            last = std::accumulate(xs.begin(), xs.end(), 0.0);
            double sum_so_far = 0;
            for (std::size_t i = 0; i < n; ++i) ys[i] += 2 * (sum_so_far += xs[i]);
            for (int twice = 0; twice < 2; ++twice) {
                for (std::size_t i = 0; i < n; ++i) {
                    if (ys[i] >= 1024) ys[i] = std::fmod(ys[i], 1024);
                    ys[i] += passes % 2 == 0 ? 2 * xs[i] : -static_cast<double>(i % 5);
                }
            }
            ++passes;
        }
        most_of_all = *std::max_element(ys.begin(), ys.end());
        product = std::inner_product(xs.begin(), xs.end(), ys.begin(), 0.0);
        sum = std::accumulate(ys.begin(), ys.end(), 0.0);
        looks.push_back(std::accumulate(xs.begin(), xs.end(), last));
    }
};

// The same where a GPU works on it.
struct memory {
    numbers wanted;
    pinned_memory host_samples, host_progress{1};
    device_array<double> dimage, dx, dy, results{3};

    explicit memory(const numbers& start)
        : wanted(start), host_samples(start.xs.size()), dimage(start.picture), dx(start.xs), dy(start.ys) {}
    template <class Run>
    decltype(auto) with_bindings(Run run) const {
        return run(samples(host_samples.all()), progress(host_progress.all()), image(dimage.all()), x(dx.all()), y(dy.all()),
                   total(results.data()), largest(results.data() + 1), overlap(results.data() + 2), first(wanted.from), most(wanted.rounds),
                   bound(wanted.limit), part(wanted.rows));
    }
};

// What a run has left is what one more in plain C++ leaves.
void check_run(const stream& on, memory& given, const std::vector<double>& seen) {
    on.wait();
    given.wanted.compute();
    const numbers& wanted = given.wanted;
    CHECK((given.dx.read() == wanted.xs));
    CHECK((given.dy.read() == wanted.ys));
    CHECK((given.host_samples.read() == wanted.xs));
    CHECK(given.host_progress.read() == std::vector<double>{wanted.last});
    CHECK(given.results.read() == std::vector<double>{wanted.sum, wanted.most_of_all, wanted.product});
    REQUIRE(!seen.empty());
    CHECK(seen.back() == wanted.looks.back());
}

template <class Make>
void check_everything(Make make) {
    const cublas library;
    const stream on;
    std::vector<double> seen;
    const auto e = everything(library.handle, seen);
    static_assert(node_count(e) > 20 && nesting_depth(e) == 3);
    memory small(numbers(20, 15, 4, 50, 40)), large(numbers(70, 90, 9, 5, 1e6));
    std::size_t runs = 0;
    const auto check = [&](memory& given) {
        check_run(on, given, seen);
        CHECK(seen.size() == ++runs);
    };
    const auto run_eagerly = [&](memory& given) {
        given.with_bindings([&](auto... b) { run_on(on, e, b..., work(std::size_t{4} << 20)); });
        check(given);
    };
    run_eagerly(small);
    CHECK((small.wanted.passes > 1 && small.wanted.passes < small.wanted.rounds));  // the predicate over the array ended it
    auto exec = small.with_bindings([&](auto... b) { return make(e, b..., work(std::size_t{4} << 20)); });
    const auto launch = [&](memory& given) {
        exec.launch(on);
        check(given);
    };
    launch(small);
    launch(small);
    large.with_bindings([&](auto... b) { exec.update(b...); });
    launch(large);
    CHECK(large.wanted.passes == large.wanted.rounds);  // the one over scalars
    launch(large);
    small.with_bindings([&](auto... b) { exec.update(b...); });
    launch(small);
    run_eagerly(large);
    run_eagerly(small);
}

}  // namespace

TEST_CASE("nearly everything in one expression: launched, updated, and run on a stream", "[gpu][everything]") {
    SECTION("lowered") {
        check_everything([](const auto& e, auto... b) { return instantiate(e, b...); });
    }
    SECTION("node by node") {
        check_everything([](const auto& e, auto... b) { return instantiate(as_nodes(e), b...); });
    }
}
