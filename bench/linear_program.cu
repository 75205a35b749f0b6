// SPDX-License-Identifier: Apache-2.0
// The linear program of examples/linear_program: microseconds an iteration, each of which is judged, by a host loop by hand of two kernels that copies
// what it judges by, as a graph node by node, and as one kernel.
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
    bench::device_array<lp::range> ranges;
    bench::device_array<int> indices;
    bench::device_array<double> values;

    device_lines(const lp::problem& p, bool columns) : ranges(columns ? p.cost.size() : p.rows.size()), indices(p.entries.size()), values(p.entries.size()) {
        std::vector<lp::range> of_lines(ranges.count);
        std::vector<int> others(indices.count);
        std::vector<double> numbers(values.count);
        lp::fill_lines(p, columns, of_lines, others, numbers);
        bench::check(cudaMemcpy(ranges.data, of_lines.data(), of_lines.size() * sizeof(lp::range), cudaMemcpyHostToDevice));
        bench::check(cudaMemcpy(indices.data, others.data(), others.size() * sizeof(int), cudaMemcpyHostToDevice));
        bench::check(cudaMemcpy(values.data, numbers.data(), numbers.size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    lp::lines view() const { return {indices.data, values.data}; }
};

// All that the kernels by hand read and write, and the functions of the example with their arguments: all of an iteration's over columns in one
// kernel, which adds up what the last step came to, and all over rows in another.
struct arrays {
    lp::lines by_rows, by_columns;
    const lp::range *row_range, *column_range;
    double *x, *x_start, *x_next, *x_step, *reflected, *product, *product_at_start;
    double *y, *y_start, *y_next, *activity, *activity_at_start, *next_activity;
    sums* of_rows;
    const double *cost, *column_scale, *row_scale;
    const interval *bounds, *sides;
};
struct first_activity {
    arrays a;
    __device__ void operator()(index_t i) const { lp::first_activity{}(i, a.activity[i], a.activity_at_start[i], a.row_range[i], a.by_rows, a.x); }
};
struct columns {
    arrays a;
    progress now;
    index_t rows, count;
    double cost_factor;
    __device__ sums operator()(index_t j) const {
        double product = a.product[j];
        const sums found = lp::multiply_column{}(j, product, a.product_at_start[j], a.x_step[j], a.reflected[j], a.cost[j], a.bounds[j], a.column_scale[j], a.column_range[j], a.by_columns, a.y,
                                                 a.of_rows, rows, count, now, cost_factor);
        a.product[j] = product;
        lp::step_columns{}(j, a.x[j], a.x_step[j], a.x_next[j], a.reflected[j], a.x_start[j], product, a.product_at_start[j], a.cost[j], a.bounds[j], now);
        return found;
    }
};
// With as many entries of a row on their way as is fastest for their number.
template <int Together>
struct rows {
    arrays a;
    progress now;
    double side_factor;
    __device__ void operator()(index_t i) const {
        double product = 0;
        lp::multiply_row<Together>{}(i, a.y[i], a.y_next[i], product, a.activity[i], a.next_activity[i], a.sides[i], a.row_range[i], a.by_rows, a.reflected, now);
        lp::sums_of_row{}(i, a.y[i], a.y_next[i], a.next_activity[i], a.sides[i], a.row_scale[i], a.of_rows[i], now, side_factor);
        lp::step_rows{}(i, a.y[i], a.y_next[i], a.y_start[i], product, a.activity[i], a.activity_at_start[i], now);
    }
};
// The way since the start, as an objective.
struct start_columns {
    arrays a;
    __device__ sums operator()(index_t j) const {
        double way = 0;
        lp::start_columns{}(j, a.x[j], a.x_start[j], a.x_next[j], way);
        return {way * way, 0, 0, 0};
    }
};
struct start_rows {
    arrays a;
    __device__ sums operator()(index_t i) const {
        double way = 0;
        lp::start_rows{}(i, a.y[i], a.y_start[i], a.y_next[i], way, a.activity[i], a.activity_at_start[i], a.next_activity[i]);
        return {way * way, 0, 0, 0};
    }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, arrays a, index_t rows, index_t columns, double cost_factor, double side_factor)
        : g_(g), a_(a), rows_(rows), columns_(columns), cost_factor_(cost_factor), side_factor_(side_factor), partials_(4096), found_(2), ticket_(1) {
        bench::check(cudaMallocHost(&fetched_, 2 * sizeof(sums)));
    }
    ~host_loop() { cudaFreeHost(fetched_); }
    host_loop(const host_loop&) = delete;

    progress run(int iterations) {
        const std::size_t of_x = static_cast<std::size_t>(columns_) * sizeof(double), of_y = static_cast<std::size_t>(rows_) * sizeof(double);
        copy(a_.x_start, a_.x, of_x);
        copy(a_.x_step, a_.x, of_x);
        copy(a_.y_start, a_.y, of_y);
        copy(a_.y_next, a_.y, of_y);
        for (double* zero : {a_.product, a_.reflected, a_.product_at_start}) bench::check(cudaMemsetAsync(zero, 0, of_x, g_.stream));
        bench::check(cudaMemsetAsync(found_.data, 0, 2 * sizeof(sums), g_.stream));
        each_row(first_activity{a_});
        progress now;
        while (now.error > 0 && now.iterations < iterations) {
            reduce(columns_, columns{a_, now, rows_, columns_, cost_factor_}, 0);
            fetch(1);
            lp::judge{}(now, fetched_[0]);
            if (now.begins_again) {
                reduce(columns_, start_columns{a_}, 0);
                reduce(rows_, start_rows{a_}, 1);
                fetch(2);
                lp::begin_again{}(now, fetched_[0].objective, fetched_[1].objective);
            } else {
                if (rows_ < 40'000)
                    each_row(rows<24>{a_, now, side_factor_});
                else
                    each_row(rows<8>{a_, now, side_factor_});
                lp::count_step{}(now);
            }
        }
        g_.wait();
        bench::check(cudaGetLastError());
        return now;
    }

private:
    void copy(double* to, const double* from, std::size_t bytes) { bench::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, g_.stream)); }
    void fetch(int numbers) {
        bench::check(cudaMemcpyAsync(fetched_, found_.data, static_cast<std::size_t>(numbers) * sizeof(sums), cudaMemcpyDeviceToHost, g_.stream));
        g_.wait();
    }
    template <class F>
    void each_row(F f) {
        element<<<static_cast<unsigned>((rows_ + threads - 1) / threads), threads, 0, g_.stream>>>(rows_, f);
    }
    template <class F>
    void reduce(index_t count, F f, int number) {
        sum<<<static_cast<unsigned>(std::min<index_t>(8 * 132, (count + threads - 1) / threads)), threads, 0, g_.stream>>>(count, f, partials_.data, ticket_.data,
                                                                                                                           found_.data + number);
    }

    const bench::gpu& g_;
    arrays a_;
    index_t rows_, columns_;
    double cost_factor_, side_factor_;
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
    const auto inverses = [](std::vector<double> numbers) {
        for (double& number : numbers) number = 1 / number;
        return numbers;
    };
    const on_device<double> cost(p.cost), column_scale(inverses(scaled.column_scale)), row_scale(inverses(scaled.row_scale));
    const on_device<interval> bounds(p.columns), sides(p.rows);
    bench::device_array<double> x(n), x_start(n), x_next(n), x_step(n), reflected(n), product(n), product_at_start(n);
    bench::device_array<double> y(m), y_start(m), y_next(m), activity(m), activity_at_start(m), next_activity(m);
    const bench::device_array<sums> of_rows(m);
    const bench::device_array<progress> state(1);
    double most_cost = 0, most_side = 0;
    for (double of : made.of.cost) most_cost = std::max(most_cost, std::abs(of));
    for (const interval& of : made.of.rows) most_side = std::max(most_side, std::abs(of.lower));

    host_loop by_hand(g,
                      {by_rows.view(), by_columns.view(), by_rows.ranges.data, by_columns.ranges.data, x.data, x_start.data, x_next.data, x_step.data, reflected.data, product.data, product_at_start.data, y.data,
                       y_start.data, y_next.data, activity.data, activity_at_start.data, next_activity.data, of_rows.data, cost.data, column_scale.data, row_scale.data, bounds.data,
                       sides.data},
                      rows, columns, 1 / (1 + most_cost), 1 / (1 + most_side));
    const int most = 2'000;
    const auto bound = [&](auto const& e) {
        return instantiate(e, lp::by_rows(by_rows.view()), lp::row_range(by_rows.ranges.data, m), lp::by_columns(by_columns.view()), lp::column_range(by_columns.ranges.data, n), lp::x(x.data, n), lp::x_next(x_next.data, n), lp::cost(cost.data, n),
                           lp::bounds(bounds.data, n), lp::inverse_column_scale(column_scale.data, n), lp::y(y.data, m), lp::y_next(y_next.data, m), lp::sides(sides.data, m),
                           lp::inverse_row_scale(row_scale.data, m), lp::state(state.data), lp::tolerance(0), lp::most_iterations(most), lp::cost_factor(1 / (1 + most_cost)),
                           lp::side_factor(1 / (1 + most_side)));
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
    const auto compare = [&](const char* what, auto const& e, double target) {
        auto nodes = bound(as_nodes(e));
        auto lowered = bound(e);
        progress last;
        time(0, [&] { last = by_hand.run(most); });
        const auto found = lowering::medians(
            7, [&] { return time(last.objective, [&] { by_hand.run(most); }); }, [&] { return time(last.objective, [&] { nodes.launch(g.stream); }); },
            [&] { return time(last.objective, [&] { lowered.launch(g.stream); }); });
        lowering::row(what, {found[0], found[1], found[2]}, target);
        std::printf("error %.2g after %d iterations and %d starts; objective %.6f, best %.6f\n", last.error, last.iterations, last.starts, last.objective, made.best);
    };
    std::printf("%d rows, %d columns, %zu entries\n", rows, columns, p.entries.size());
    compare("linear program, each iteration judged; host loop", lp::solve, 9);
}
