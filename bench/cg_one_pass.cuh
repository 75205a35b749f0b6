// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cg.cuh"
#include "solver_one_pass.cuh"

// Conjugate gradients with one pass an iteration, by hand and as an expression.
namespace solver {

struct one_pass_scalars {
    dots sums;
    double pAp;
    step now;
};
struct one_pass_vectors {
    double *r, *x, *p, *residuals;
    step* steps;
};

namespace hand {

static __global__ void __launch_bounds__(256)
    first_dots_kernel(five_points A, one_pass_vectors v, scalars* s, one_pass_scalars* o, dots* partials,
                      unsigned* ticket) {
    dots sums{};
    for (int i = thread_number(); i < A.strips(); i += threads())
        sums = add_dots{}(sums, first_dots{}(i, A, v.r, v.residuals));
    lowering::reduce_grid(sums, partials, ticket, add_dots{},
                          [&](dots all) { first_step{}(all, s->rr, o->pAp, o->now); });
}
static __global__ void __launch_bounds__(256)
    whole_step_kernel(five_points A, one_pass_vectors v, scalars* s, one_pass_scalars* o, dots* partials,
                      unsigned* ticket, limits until, cudaGraphConditionalHandle again) {
    const step now = o->now;
    const int it = s->it;
    dots sums{};
    for (int i = thread_number(); i < A.strips(); i += threads())
        sums = add_dots{}(sums, whole_step{}(i, A, it, now, v.steps, v.residuals, v.p, v.x));
    lowering::reduce_grid(sums, partials, ticket, add_dots{}, [&](dots all) {
        next_step{}(all, s->rr, o->pAp, o->now, s->it);
        cudaGraphSetConditional(again, until.go_on(*s));
    });
}
static __global__ void arrive_behind_kernel(int rows, one_pass_vectors v, const scalars* s) {
    for (int i = thread_number(); i < rows; i += threads())
        arrive_behind{}(i, s->it, v.steps, v.residuals, v.p[i], v.x[i], rows);
}

// One kernel of one's own in a WHILE.
class one_pass_loop {
public:
    one_pass_loop(five_points A, one_pass_vectors v, scalars* s, one_pass_scalars* o, limits until) {
        const by_hand::shape grid{static_cast<unsigned>(std::min((A.strips() + 255) / 256, most_blocks)),
                                  256};
        const auto first = by_hand::add_kernel(graph.handle, {}, first_dots_kernel, grid, A, v, s, o,
                                               partials.data, ticket.data);
        const auto again = graph.condition(1);
        const auto loop = by_hand::add_conditional(graph.handle, first, again, cudaGraphCondTypeWhile);
        by_hand::add_kernel(loop.body, {}, whole_step_kernel, grid, A, v, s, o, partials.data, ticket.data,
                            until, again);
        by_hand::add_kernel(graph.handle, loop.node, arrive_behind_kernel, grid, A.rows, v, s);
        graph.instantiate();
    }
    void launch(cudaStream_t on) const { graph.launch(on); }

private:
    static constexpr int most_blocks = 132 * 8;
    bench::device_array<dots> partials{most_blocks};
    bench::device_array<unsigned> ticket{1};
    by_hand::graph graph;
};

}  // namespace hand

inline constexpr struct residuals : buffer<residuals, double> {
} residuals;
inline constexpr struct steps : buffer<steps, step> {
} steps;
inline constexpr struct sums : scalar<sums, dots> {
} sums;
inline constexpr struct now : scalar<now, step> {
} now;

constexpr auto one_pass() {
    constexpr auto A = in(matrix<five_points>{});
    return seq(
        transform_reduce(over(shares), first_dots{}, add_dots{}, dots{})(out(sums), A, in(r), out(residuals)),
        single_task(first_step{})(in(sums), out(rr), out(pAp), out(now)),
        loop_while(unsolved,
                   seq(transform_reduce(over(shares), whole_step{}, add_dots{}, dots{})(
                           out(sums), A, it, now, inout(steps), inout(residuals), inout(p), inout(x)),
                       single_task(next_step{})(in(sums), inout(rr), inout(pAp), inout(now), inout(it)))),
        for_each(over(x), arrive_behind{})(it, in(steps), in(residuals), in(p[each]), inout(x[each]), extent(x)));
}

template <class Matrix>
void system<Matrix>::measure_one_pass(double target) {
    bench::device_array<double> four_r(4 * rows);
    bench::device_array<step> four_steps(4);
    bench::device_array<one_pass_scalars> o(1);
    const auto bind = [&](const auto& what) {
        return instantiate(what, matrix<Matrix>{}(A), x(xs.data, rows), r(rs.data, rows), p(ps.data, rows),
                           residuals(four_r.data, 4 * rows), steps(four_steps.data, 4),
                           rr(&s.data->rr), pAp(&o.data->pAp), now(&o.data->now), sums(&o.data->sums),
                           it(&s.data->it), least_rr(until.rr), most_it(until.it),
                           shares(static_cast<std::size_t>(A.strips())));
    };
    constexpr auto e = one_pass();
    auto plain = bind(as_nodes(e));
    auto lowered = bind(e);
    hand::one_pass_loop by_hand(A, {rs.data, xs.data, ps.data, four_r.data, four_steps.data}, s.data,
                                o.data, until);
    lowering::row(name + ", in one pass",
                  lowering::compare(
                      5, [&](auto& graph) { return time(graph, 0); }, by_hand, plain, lowered),
                  target);
}

}  // namespace solver
