// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cg_persistent.cuh"
#include "cg_variables.cuh"

#include "../examples/conjugate_gradient/matrix_market.hpp"

// Conjugate gradients on systems A x = b with b of ones, as expressions and by hand.
namespace solver {

using namespace cograph;
using namespace cg_variables;
using lowering::costs;
using lowering::none;

template <class Matrix>
struct matrix : view<matrix<Matrix>, Matrix> {};
inline constexpr struct q : buffer<q, double> {
} q;
inline constexpr struct shares : temp<shares, double> {
} shares;

template <class Matrix, bool Keeps>
constexpr auto two_passes() {
    constexpr auto A = in(matrix<Matrix>{});
    const auto iteration =
        seq(transform_reduce(over(shares), turn<Keeps>{}, plus{})(out(pAp), A, it, alpha, beta, in(r), inout(x), inout(p),
                                                                  inout(q), inout(Ap)),
            assign(alpha, rr / pAp),
            transform_reduce(over(shares), descend<Keeps>{}, plus{})(out(rr_next), A, it, alpha, in(p), in(q), in(Ap),
                                                                     inout(r)),
            count_iteration);
    return seq(loop_while(unsolved, iteration),
               for_each(over(x), arrive{})(it, alpha, in(p[each]), in(q[each]), inout(x[each])));
}

// The textbook's, by a node that multiplies the matrix by p.
constexpr auto multiply_by_threads() {
    return for_each(over(x), multiply_row{})(in(matrix<csr>{}), in(p), out(Ap[each]));
}
constexpr auto three_passes(auto multiply) {
    return loop_while(
        unsolved,
        seq(multiply,
            dot(out(pAp), in(p), in(Ap)), assign(alpha, rr / pAp),
            for_each(over(x), step_down{})(alpha, in(Ap[each]), inout(r[each])),
            dot(out(rr_next), in(r), in(r)), count_iteration,
            for_each(over(x), step_on{})(alpha, beta, in(r[each]), inout(x[each]), inout(p[each]))));
}

// A problem in device memory; measures its ways.
template <class Matrix>
class system {
public:
    system(const bench::gpu& on, const std::string& called, Matrix of, int iterations)
        : g(on),
          name("CG " + called),
          A(of),
          rows(static_cast<std::size_t>(A.rows)),
          until{1e-30, iterations} {}

    void measure(double target);
    void measure_one_pass(double target);
    void measure_bands(double target);

private:
    vectors memory() const { return {xs.data, rs.data, ps.data, qs.data, Aps.data}; }

    // Microseconds an iteration, from x = 0.
    template <class Graph>
    double time(Graph& graph, double first_p);
    void check_solution(const scalars& end);
    template <class Step, class Shares>
    void compare_one_pass(const std::string& how, Shares parts, int number, auto plain_expression, auto expression, double target);

    const bench::gpu& g;
    std::string name;
    Matrix A;
    std::size_t rows;
    limits until;
    bench::device_array<double> xs{rows}, rs{rows}, ps{rows}, qs{rows}, Aps{rows}, residual{1};
    bench::device_array<scalars> s{1};
};

static __global__ void set_all(double* v, int n, double value) {
    for (int i = hand::thread_number(); i < n; i += hand::threads()) v[i] = value;
}

// Adds up the squares of b - A x.
template <class Matrix>
__global__ void __launch_bounds__(256) true_residual(Matrix A, const double* x, double* rr) {
    double sum = 0;
    for (int i = hand::thread_number(); i < A.strips(); i += hand::threads()) {
        double own[Matrix::rows_of_strip], product[Matrix::rows_of_strip];
        A.multiply(
            i, [&](int at) { return x[at]; }, own, product);
        for (double one : product) sum += (1 - one) * (1 - one);
    }
    sum = hand::sum_in_block(sum);
    if (threadIdx.x == 0) atomicAdd(rr, sum);
}

template <class Matrix>
template <class Graph>
double system<Matrix>::time(Graph& graph, double first_p) {
    const int n = A.rows;
    for (double* zero : {xs.data, qs.data, Aps.data}) set_all<<<1024, 256, 0, g.stream>>>(zero, n, 0);
    set_all<<<1024, 256, 0, g.stream>>>(rs.data, n, 1);
    set_all<<<1024, 256, 0, g.stream>>>(ps.data, n, first_p);
    scalars state{};
    state.rr = n;
    bench::check(cudaMemcpyAsync(s.data, &state, sizeof state, cudaMemcpyDefault, g.stream));
    const double cost = lowering::duration(g, [&] { graph.launch(g.stream); });
    state = s.first();
    check_solution(state);
    return cost / state.it;
}

template <class Matrix>
void system<Matrix>::check_solution(const scalars& end) {
    residual.zero();
    true_residual<<<1024, 256, 0, g.stream>>>(A, xs.data, residual.data);
    g.wait();
    const double expected = residual.first();
    bench::expect(end.it == until.it || end.rr <= until.rr, "number of iterations");
    bench::expect(std::abs(end.rr - expected) <= 1e-2 * expected + 1e-6 * A.rows,
                  (name + ": b - A x").c_str());
}

template <class Matrix>
void system<Matrix>::measure(double target) {
    constexpr bool is_csr = std::is_same_v<Matrix, csr>;
    const auto bind = [&](const auto& what, auto... more) {
        return instantiate(what, matrix<Matrix>{}(A), x(xs.data, rows), r(rs.data, rows), p(ps.data, rows),
                           Ap(Aps.data, rows), rr(&s.data->rr), alpha(&s.data->alpha), beta(&s.data->beta),
                           it(&s.data->it), least_rr(until.rr), most_it(until.it), more...);
    };
    constexpr auto e = two_passes<Matrix, is_csr>();
    const auto bind_strips = [&](const auto& what) {
        return bind(what, q(qs.data, rows), shares(static_cast<std::size_t>(A.strips())));
    };
    auto plain = bind_strips(as_nodes(e));
    auto lowered = bind_strips(e);
    const int repetitions = rows > 10'000'000 ? 3 : 5;

    if constexpr (!is_csr) {
        hand::own_loop<Matrix> by_hand(A, memory(), s.data, until);
        lowering::row(name,
                      lowering::compare(
                          repetitions, [&](auto& graph) { return time(graph, 0); }, by_hand, plain, lowered),
                      target);
    } else {
        constexpr auto textbook = three_passes(multiply_by_threads());
        auto textbook_plain = bind(as_nodes(textbook));
        auto textbook_lowered = bind(textbook);
        hand::library_loop by_hand(g.stream, A, memory(), s.data, until);
        hand::persistent_loop persistent(A, memory(), s.data, until);
        double best = 0;
        auto chosen = persistent.chosen;
        for (const auto& shape : hand::persistent_loop::shapes) {
            persistent.chosen = shape;
            const double cost = lowering::medians(1, [&] { return time(persistent, 1); })[0];
            if (best == 0 || cost < best) {
                best = cost;
                chosen = shape;
            }
        }
        persistent.chosen = chosen;
        const auto cost = lowering::medians(
            repetitions, [&] { return time(by_hand, 1); }, [&] { return time(plain, 0); },
            [&] { return time(lowered, 0); }, [&] { return time(persistent, 1); },
            [&] { return time(textbook_plain, 1); }, [&] { return time(textbook_lowered, 1); });
        lowering::row(name, {cost[0], cost[1], cost[2]}, target);
        lowering::row("  information: three passes; by hand: persistent", {cost[3], cost[4], cost[5]});
    }
}

// A matrix with its memory.
struct device_csr {
    bench::device_array<int> row_begin, column;
    bench::device_array<double> value;

    device_csr(std::size_t rows, std::size_t entries)
        : row_begin(rows + 1), column(entries), value(entries) {}
    explicit device_csr(const sparse::csr_matrix& A) : device_csr(static_cast<std::size_t>(A.rows), A.nonzeros()) {
        const auto copy_to = [](auto& array, const auto& from) {
            bench::check(cudaMemcpy(array.data, from.data(), from.size() * sizeof from[0], cudaMemcpyHostToDevice));
        };
        copy_to(row_begin, A.row_begin);
        copy_to(column, A.column);
        copy_to(value, A.value);
    }
    csr view() const {
        return {static_cast<int>(row_begin.count - 1), row_begin.data, column.data, value.data};
    }
};

// Row i of the five-point Laplacian begins behind five entries a row but for those that the edges cut off.
__host__ __device__ inline int poisson_row_begin(int i, int m) {
    const int above = i < m ? i : m, below = i > m * (m - 1) ? i - m * (m - 1) : 0;
    return 5 * i - above - below - (i + m - 1) / m - i / m;
}
static __global__ void fill_poisson(csr A, int m) {
    for (int i = hand::thread_number(); i <= A.rows; i += hand::threads()) {
        int k = poisson_row_begin(i, m);
        A.row_begin[i] = k;
        if (i == A.rows) return;
        const auto add = [&](bool inside, int column, double value) {
            if (!inside) return;
            A.column[k] = column;
            A.value[k++] = value;
        };
        add(i >= m, i - m, -1);
        add(i % m > 0, i - 1, -1);
        add(true, i, 4);
        add(i % m < m - 1, i + 1, -1);
        add(i < m * (m - 1), i + m, -1);
    }
}

inline void measure_poisson(const bench::gpu& g, int shift, int iterations, double target,
                            double target_without_matrix, double target_in_one_pass) {
    const int m = 1 << shift;
    const std::string size = std::to_string(m) + "^2";
    {
        device_csr A(static_cast<std::size_t>(m) * m, static_cast<std::size_t>(poisson_row_begin(m * m, m)));
        fill_poisson<<<1024, 256, 0, g.stream>>>(A.view(), m);
        bench::check(cudaGetLastError());
        g.wait();
        system<csr>(g, "Poisson " + size + ", CSR", A.view(), iterations).measure(target);
    }
    system<five_points> without_matrix(g, "Poisson " + size + ", 5-point stencil", five_points(shift),
                                       iterations);
    without_matrix.measure(target_without_matrix);
    without_matrix.measure_one_pass(target_in_one_pass);
    if (shift > 10) without_matrix.measure_bands(target_in_one_pass);
}

inline void measure_file(const bench::gpu& g, const std::string& path, double target) {
    if (!std::ifstream(path)) {
        std::printf("SKIP: conjugate gradients on 1138_bus: no file %s\n", path.c_str());
        return;
    }
    const device_csr here(sparse::read_matrix_market(path));
    system<csr>(g, path.substr(path.find_last_of('/') + 1), here.view(), 1000).measure(target);
}

inline void measure(const bench::gpu& g, const std::string& file) {
    measure_file(g, file, 7);
    measure_poisson(g, 9, 1000, 12, 5, 5);
    measure_poisson(g, 11, 200, none, 60, 60);
    measure_poisson(g, 13, 20, 2500, 1300, 1300);
}

}  // namespace solver
