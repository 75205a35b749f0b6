// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients with the five-point Laplacian: node by node, as one kernel whose threads keep elements or do not, and as one kernel whose blocks keep
// tiles. With two sums in an iteration, as in textbooks, and over a box also with one (Chronopoulos and Gear).
#include "cg_variables.cuh"
#include "lowering.cuh"

#include <cograph/launch_shape.hpp>

#include <cmath>
#include <cstring>

namespace cg {

using namespace cograph;
using namespace cg_variables;

inline constexpr struct Ar : buffer<Ar, double> {
} Ar;
inline constexpr struct rAr : scalar<rAr, double> {
} rAr;
inline constexpr struct shift : value<shift, int> {
} shift;
inline constexpr struct side : value<side, int> {
} side;

struct multiply {
    COGRAPH_HD void operator()(index_t at, int shift, const double* p, double& Ap) const {
        const int i = static_cast<int>(at), m = 1 << shift, column = i & (m - 1), row = i >> shift;
        const double up = row > 0 ? p[i - m] : 0, down = row < m - 1 ? p[i + m] : 0, left = column > 0 ? p[i - 1] : 0, right = column < m - 1 ? p[i + 1] : 0;
        Ap = 4 * p[i] - (up + down) - (left + right);
    }
};
struct multiply_box {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> p, double& Ap) const {
        Ap = 4 * *p - (p.at_or(0, -1, 0) + p.at_or(0, 1, 0)) - (p.at_or(0, 0, -1) + p.at_or(0, 0, 1));
    }
};
struct step_down {
    COGRAPH_HD double operator()(index_t, const double& alpha, const double& Ap, double& r) const {
        r -= alpha * Ap;
        return r * r;
    }
};
struct step_on {
    COGRAPH_HD void operator()(index_t, const double& alpha, const double& beta, const double& r, double& x, double& p) const {
        x += alpha * p;
        p = r + beta * p;
    }
};
struct product {
    COGRAPH_HD double operator()(index_t, const double& a, const double& b) const { return a * b; }
};
struct step_down_box {
    COGRAPH_HD double operator()(index_t, index_t, const double& alpha, const double& Ap, double& r) const { return step_down{}(0, alpha, Ap, r); }
};
struct move_box {
    COGRAPH_HD void operator()(index_t, index_t, const double& alpha, const double& p, double& x) const { x += alpha * p; }
};
struct turn_box {
    COGRAPH_HD void operator()(index_t, index_t, const double& beta, const double& r, double& p) const { p = r + beta * p; }
};
struct descend_box {
    COGRAPH_HD void operator()(index_t, index_t, const double& alpha, const double& beta, const double& Ar, double& r, double& p, double& Ap) const {
        p = r + beta * p;
        Ap = Ar + beta * Ap;
        r -= alpha * Ap;
    }
};
struct square_box {
    COGRAPH_HD double operator()(index_t, index_t, const double& a) const { return a * a; }
};
struct product_box {
    COGRAPH_HD double operator()(index_t, index_t, const double& a, const double& b) const { return a * b; }
};
template <class... Options>
constexpr auto flat(Options... options) {
    return loop_while(unsolved,
                      seq(for_each(over(x), multiply{})(shift, in(p), out(Ap[each])), transform_reduce(over(x), product{}, plus{})(out(pAp), in(p[each]), in(Ap[each])), assign(alpha, rr / pAp),
                          transform_reduce(over(x), step_down{}, plus{})(out(rr_next), alpha, in(Ap[each]), inout(r[each])), count_iteration,
                          for_each(over(x), step_on{})(alpha, beta, in(r[each]), inout(x[each]), inout(p[each]))),
                      options...);
}
constexpr auto square = over(side, side);
// `x` moves while the sums of blocks are on their way.
constexpr auto moving = for_each(square, move_box{})(alpha, in(p[each]), inout(x[each]));
constexpr auto box() {
    return loop_while(unsolved,
                      seq(for_each(square, multiply_box{})(in(p[near<1, 1>]), out(Ap[each])), transform_reduce(square, product_box{}, plus{})(out(pAp), in(p[each]), in(Ap[each])), assign(alpha, rr / pAp),
                          transform_reduce(square, step_down_box{}, plus{})(out(rr_next), alpha, in(Ap[each]), inout(r[each])), moving, count_iteration,
                          for_each(square, turn_box{})(beta, in(r[each]), inout(p[each]))));
}
constexpr auto one_sum() {
    return loop_while(unsolved,
                      seq(for_each(square, descend_box{})(alpha, beta, in(Ar[each]), inout(r[each]), inout(p[each]), inout(Ap[each])), for_each(square, multiply_box{})(in(r[near<1, 1>]), out(Ar[each])),
                          transform_reduce(square, square_box{}, plus{})(out(rr_next), in(r[each])), transform_reduce(square, product_box{}, plus{})(out(rAr), in(Ar[each]), in(r[each])), moving,
                          assign(beta, rr_next / rr), assign(alpha, rr_next / (rAr - beta * rr_next / alpha)), assign(rr, rr_next), assign(it, it + 1)));
}
// A block size that is given keeps threads from keeping elements.
constexpr auto in_memory = block_of<1024>;
static_assert(where_on_chip(flat(), at<0>, r) == on_chip::kept_by_threads && where_on_chip(flat(in_memory), at<0>, r) == on_chip::no_tiles);
static_assert(why_no_tiles(box(), at<0>) == tile_status::tiles && why_no_tiles(one_sum(), at<0>) == tile_status::tiles);

static __global__ void set_all(double* v, std::size_t n, double value) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v[i] = value;
}

class problem {
public:
    problem(const bench::gpu& on, int of_shift, int of_steps) : g(on), log(of_shift), steps(of_steps) {}

    void measure() {
        const auto bind = [&](const auto& what, auto... more) {
            return instantiate(what, x(xs.data, n), r(rs.data, n), p(ps.data, n), Ap(Aps.data, n), rr(scalars.data), alpha(scalars.data + 1), beta(scalars.data + 2), it(its.data),
                               least_rr(1e-300), most_it(steps), more...);
        };
        auto flat_nodes = bind(as_nodes(flat()), shift(log));
        auto flat_in_memory = bind(flat(in_memory), shift(log));
        auto flat_kept = bind(flat(), shift(log));
        auto box_nodes = bind(as_nodes(box()), side(1 << log));
        auto box_tiles = bind(box(), side(1 << log));
        auto one_sum_nodes = bind(as_nodes(one_sum()), side(1 << log), Ar(Ars.data, n));
        auto one_sum_tiles = bind(one_sum(), side(1 << log), Ar(Ars.data, n));
        const auto cost = lowering::medians(
            5, [&] { return time(flat_nodes, of_flat); }, [&] { return time(flat_in_memory, of_flat); }, [&] { return time(flat_kept, of_flat); }, [&] { return time(box_nodes, of_box); },
            [&] { return time(box_tiles, of_box); }, [&] { return time(one_sum_nodes, of_one_sum); }, [&] { return time(one_sum_tiles, of_one_sum); });
        std::printf("%5d^2 %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f\n", 1 << log, cost[0], cost[1], cost[2], cost[3], cost[4], cost[5], cost[6]);
        std::fflush(stdout);
    }

private:
    const bench::gpu& g;
    int log, steps;
    std::size_t n = std::size_t{1} << (2 * log);

    // The start of a form, and the solution that all of its ways must have, bit by bit: the order of sums differs between forms.
    struct form {
        double direction;
        double scalars[3];  // rr, alpha, beta
        std::vector<double> expected = {};
    };
    form of_flat{1, {static_cast<double>(n), 0, 0}}, of_box{1, {static_cast<double>(n), 0, 0}}, of_one_sum{0, {1e300, 1e-30, 0}};

    // Microseconds an iteration.
    template <class Graph>
    double time(Graph& graph, form& of) {
        set_all<<<1024, 256, 0, g.stream>>>(xs.data, n, 0);
        set_all<<<1024, 256, 0, g.stream>>>(rs.data, n, 1);
        set_all<<<1024, 256, 0, g.stream>>>(ps.data, n, of.direction);
        set_all<<<1024, 256, 0, g.stream>>>(Aps.data, n, 0);
        set_all<<<1024, 256, 0, g.stream>>>(Ars.data, n, 0);
        its.zero();
        bench::check(cudaMemcpyAsync(scalars.data, of.scalars, sizeof of.scalars, cudaMemcpyDefault, g.stream));
        const double cost = lowering::duration(g, [&] { graph.launch(g.stream); }) / steps;
        std::vector<double> here(2 * n);
        bench::check(cudaMemcpy(here.data(), xs.data, n * sizeof(double), cudaMemcpyDeviceToHost));
        bench::check(cudaMemcpy(here.data() + n, rs.data, n * sizeof(double), cudaMemcpyDeviceToHost));
        if (of.expected.empty()) {
            expect_residual(here.data(), here.data() + n);
            of.expected = here;
        }
        bench::expect(std::isfinite(here[n / 2]) && here[n / 2] != 0 && its.first() == steps, "a solution");
        bench::expect(std::memcmp(here.data(), of.expected.data(), here.size() * sizeof(double)) == 0, "conjugate gradients");
        return cost;
    }
    // The residual is what the solution leaves of the right-hand side, which is one everywhere, but for roundings.
    void expect_residual(const double* solution, const double* residual) const {
        const std::size_t m = std::size_t{1} << log;
        double most = 0, most_error = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t row = i / m, column = i % m;
            const double up = row > 0 ? solution[i - m] : 0, down = row < m - 1 ? solution[i + m] : 0, left = column > 0 ? solution[i - 1] : 0, right = column < m - 1 ? solution[i + 1] : 0;
            most = std::fmax(most, std::fabs(solution[i]));
            most_error = std::fmax(most_error, std::fabs(1 - (4 * solution[i] - (up + down) - (left + right)) - residual[i]));
        }
        bench::expect(most_error <= 1e-14 * steps * most, "the residual of a solution");
    }
    bench::device_array<double> xs{n}, rs{n}, ps{n}, Aps{n}, Ars{n}, scalars{3};
    bench::device_array<int> its{1};
};

}  // namespace cg

int main() {
    const bench::gpu g;
    std::printf("conjugate gradients (us an iteration): over elements, node by node, in memory, kept; over a box, node by node, tiles; with one sum, node by node, tiles\n");
    for (const int shift : {8, 9, 10, 11}) cg::problem(g, shift, shift == 11 ? 200 : 1000).measure();
}
