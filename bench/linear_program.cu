// SPDX-License-Identifier: Apache-2.0
// The linear program of examples/linear_program: microseconds an iteration, looks at the error included, by a host loop by hand that copies what
// it judges by, as a graph node by node, and as one kernel; with a look at the error every 40th iteration and in each one.
// bench_linear_program [rows columns entries_in_each_column]
#include "lowering.cuh"

#include "../examples/linear_program/problem.hpp"
#include "../examples/linear_program/steps.hpp"

namespace {

using namespace cograph;
using lp::interval;
using lp::progress;
using lp::sums;

constexpr int threads = 256;

template <class F>
__global__ void __launch_bounds__(threads) element(index_t count, F f) {
    const index_t i = index_t{blockIdx.x} * threads + threadIdx.x;
    if (i < count) f(i);
}
template <class F>
__global__ void __launch_bounds__(threads) sum(index_t count, F f, sums* partials, unsigned* ticket, sums* result) {
    sums value = lp::add_sums::identity<sums>();
    for (index_t i = index_t{blockIdx.x} * threads + threadIdx.x; i < count; i += index_t{gridDim.x} * threads) value = lp::add_sums{}(value, f(i));
    lowering::reduce_grid(value, partials, ticket, lp::add_sums{}, [=](const sums& all) { *result = all; });
}

template <class T>
struct on_device : bench::device_array<T> {
    explicit on_device(const std::vector<T>& from) : bench::device_array<T>(from.size()) {
        bench::check(cudaMemcpy(this->data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
};

struct device_lines {
    bench::device_array<int> offsets, indices;
    bench::device_array<double> values;

    device_lines(const lp::problem& p, bool columns) : offsets((columns ? p.cost.size() : p.rows.size()) + 1), indices(p.entries.size()), values(p.entries.size()) {
        std::vector<int> starts(offsets.count), others(indices.count);
        std::vector<double> numbers(values.count);
        lp::fill_lines(p, columns, starts, others, numbers);
        bench::check(cudaMemcpy(offsets.data, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice));
        bench::check(cudaMemcpy(indices.data, others.data(), others.size() * sizeof(int), cudaMemcpyHostToDevice));
        bench::check(cudaMemcpy(values.data, numbers.data(), numbers.size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    lp::lines view() const { return {offsets.data, indices.data, values.data}; }
};

// All that the kernels by hand read and write, and the functions of the example with their arguments.
struct arrays {
    lp::lines by_rows, by_columns;
    double *x, *x_start, *x_next, *reflected, *y, *y_start, *y_next;
    const double *cost, *column_scale, *row_scale;
    const interval *bounds, *sides;
};
struct step_columns {
    arrays a;
    progress now;
    __device__ void operator()(index_t j) const { lp::step_columns{}(j, a.x[j], a.reflected[j], a.x_start[j], a.cost[j], a.bounds[j], a.by_columns, a.y, now); }
};
struct step_rows {
    arrays a;
    progress now;
    __device__ void operator()(index_t i) const { lp::step_rows{}(i, a.y[i], a.y_start[i], a.sides[i], a.by_rows, a.reflected, now); }
};
struct look_at_columns {
    arrays a;
    progress now;
    __device__ void operator()(index_t j) const { lp::look_at_columns{}(j, a.x[j], a.x_next[j], a.reflected[j], a.cost[j], a.bounds[j], a.by_columns, a.y, now); }
};
struct look_at_rows {
    arrays a;
    progress now;
    __device__ void operator()(index_t i) const { lp::look_at_rows{}(i, a.y[i], a.y_next[i], a.sides[i], a.by_rows, a.reflected, now); }
};
struct sums_of_rows {
    arrays a;
    __device__ sums operator()(index_t i) const { return lp::sums_of_row{}(i, a.y[i], a.y_next[i], a.y_start[i], a.sides[i], a.row_scale[i], a.by_rows, a.x_next); }
};
struct sums_of_columns {
    arrays a;
    __device__ sums operator()(index_t j) const {
        return lp::sums_of_column{}(j, a.x[j], a.x_next[j], a.x_start[j], a.cost[j], a.bounds[j], a.column_scale[j], a.by_columns, a.y_next);
    }
};
struct begin_rows {
    arrays a;
    __device__ void operator()(index_t i) const { a.y[i] = a.y_start[i] = a.y_next[i]; }
};
struct begin_columns {
    arrays a;
    __device__ void operator()(index_t j) const { a.x[j] = a.x_start[j] = a.x_next[j]; }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, arrays a, index_t rows, index_t columns, double most_cost, double most_side)
        : g_(g), a_(a), rows_(rows), columns_(columns), most_cost_(most_cost), most_side_(most_side), partials_(4096), found_(2), ticket_(1) {
        bench::check(cudaMallocHost(&fetched_, 2 * sizeof(sums)));
    }
    ~host_loop() { cudaFreeHost(fetched_); }
    host_loop(const host_loop&) = delete;

    progress run(int iterations, int between) {
        bench::check(cudaMemcpyAsync(a_.x_start, a_.x, static_cast<std::size_t>(columns_) * sizeof(double), cudaMemcpyDeviceToDevice, g_.stream));
        bench::check(cudaMemcpyAsync(a_.y_start, a_.y, static_cast<std::size_t>(rows_) * sizeof(double), cudaMemcpyDeviceToDevice, g_.stream));
        progress now;
        while (now.error > 0 && now.iterations < iterations) {
            for (int k = 0; k < between; ++k, ++now.since_start) {
                each(columns_, step_columns{a_, now});
                each(rows_, step_rows{a_, now});
            }
            each(columns_, look_at_columns{a_, now});
            each(rows_, look_at_rows{a_, now});
            reduce(columns_, sums_of_columns{a_}, 0);
            reduce(rows_, sums_of_rows{a_}, 1);
            bench::check(cudaMemcpyAsync(fetched_, found_.data, 2 * sizeof(sums), cudaMemcpyDeviceToHost, g_.stream));
            g_.wait();
            now.iterations += between;
            lp::judge{}(now, fetched_[0], fetched_[1], most_cost_, most_side_);
            if (!now.begins_again) continue;
            each(columns_, begin_columns{a_});
            each(rows_, begin_rows{a_});
            lp::begin_again{}(now, fetched_[0], fetched_[1]);
        }
        g_.wait();
        bench::check(cudaGetLastError());
        return now;
    }

private:
    template <class F>
    void each(index_t count, F f) {
        element<<<static_cast<unsigned>((count + threads - 1) / threads), threads, 0, g_.stream>>>(count, f);
    }
    template <class F>
    void reduce(index_t count, F f, int number) {
        sum<<<static_cast<unsigned>(std::min<index_t>(8 * 132, (count + threads - 1) / threads)), threads, 0, g_.stream>>>(count, f, partials_.data, ticket_.data,
                                                                                                                           found_.data + number);
    }

    const bench::gpu& g_;
    arrays a_;
    index_t rows_, columns_;
    double most_cost_, most_side_;
    bench::device_array<sums> partials_, found_;
    bench::device_array<unsigned> ticket_;
    sums* fetched_;
};

}  // namespace

int main(int argc, char** argv) {
    const bench::gpu g;
    const int rows = argc > 3 ? std::atoi(argv[1]) : 24'000, columns = argc > 3 ? std::atoi(argv[2]) : 32'000, in_each = argc > 3 ? std::atoi(argv[3]) : 6;
    const lp::made_problem made = lp::make_problem(rows, columns, in_each);
    const lp::scaled_problem scaled = lp::scale(made.of);
    const lp::problem& p = scaled.of;
    const device_lines by_rows(p, false), by_columns(p, true);
    const std::size_t m = p.rows.size(), n = p.cost.size();
    const on_device<double> cost(p.cost), column_scale(scaled.column_scale), row_scale(scaled.row_scale);
    const on_device<interval> bounds(p.columns), sides(p.rows);
    bench::device_array<double> x(n), x_start(n), x_next(n), reflected(n), y(m), y_start(m), y_next(m);
    const bench::device_array<progress> state(1);
    double most_cost = 0, most_side = 0;
    for (double of : made.of.cost) most_cost = std::max(most_cost, std::abs(of));
    for (const interval& of : made.of.rows) most_side = std::max(most_side, std::abs(of.lower));

    host_loop by_hand(g,
                      {by_rows.view(), by_columns.view(), x.data, x_start.data, x_next.data, reflected.data, y.data, y_start.data, y_next.data, cost.data, column_scale.data,
                       row_scale.data, bounds.data, sides.data},
                      rows, columns, most_cost, most_side);
    const int most = 2'000;
    const auto bound = [&](auto const& e) {
        return instantiate(e, lp::by_rows(by_rows.view()), lp::by_columns(by_columns.view()), lp::x(x.data, n), lp::x_next(x_next.data, n), lp::cost(cost.data, n),
                           lp::bounds(bounds.data, n), lp::column_scale(column_scale.data, n), lp::y(y.data, m), lp::y_next(y_next.data, m), lp::sides(sides.data, m),
                           lp::row_scale(row_scale.data, m), lp::state(state.data), lp::tolerance(0), lp::most_iterations(most), lp::largest_cost(most_cost),
                           lp::largest_side(most_side));
    };
    // What an iteration takes; each way comes to the same objective, up to the order of its sums.
    const auto time = [&](double objective, auto run) {
        const progress first;
        x.zero();
        y.zero();
        bench::check(cudaMemcpy(state.data, &first, sizeof first, cudaMemcpyHostToDevice));
        const double taken = lowering::duration(g, run);
        progress last;
        bench::check(cudaMemcpy(&last, state.data, sizeof last, cudaMemcpyDeviceToHost));
        if (last.iterations > 0) bench::expect(std::abs(last.objective - objective) < 1e-4 * (1 + std::abs(objective)), "linear_program");
        return taken / most;
    };
    lowering::title();
    const auto compare = [&](const char* what, auto const& e, int between, double target) {
        auto nodes = bound(as_nodes(e));
        auto lowered = bound(e);
        progress last;
        time(0, [&] { last = by_hand.run(most, between); });
        const auto found = lowering::medians(
            7, [&] { return time(last.objective, [&] { by_hand.run(most, between); }); }, [&] { return time(last.objective, [&] { nodes.launch(g.stream); }); },
            [&] { return time(last.objective, [&] { lowered.launch(g.stream); }); });
        lowering::row(what, {found[0], found[1], found[2]}, target);
        std::printf("error %.2g after %d iterations and %d starts; objective %.6f, best %.6f\n", last.error, last.iterations, last.starts, last.objective, made.best);
    };
    std::printf("%d rows, %d columns, %zu entries\n", rows, columns, p.entries.size());
    compare("linear program, a look every 40th iteration; host loop", lp::solve, 40, lowering::none);
    compare("linear program, a look in each iteration; host loop", lp::solve_by_steps<1>(), 1, 9);
}
