// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cg.cuh"
#include "solver_one_pass.cuh"

// Conjugate gradients with one pass an iteration, by hand and as an expression.
namespace solver {

struct one_pass_scalars {
    dots sums;
    double pAp, alpha, beta, last_alpha, last_beta;
};
struct one_pass_vectors {
    double *x, *p, *r0, *r1, *s0, *s1;
};

namespace hand {

static __global__ void __launch_bounds__(256)
    first_dots_kernel(five_points A, one_pass_vectors v, scalars* s, one_pass_scalars* o, dots* partials,
                      unsigned* ticket) {
    dots sums{};
    for (int i = thread_number(); i < A.strips(); i += threads())
        sums = add_dots{}(sums, first_dots{}(i, A, v.r0));
    lowering::reduce_grid(sums, partials, ticket, add_dots{},
                          [&](dots all) { first_step{}(all, s->rr, o->pAp, o->alpha, o->beta); });
}
static __global__ void __launch_bounds__(256)
    whole_step_kernel(five_points A, one_pass_vectors v, scalars* s, one_pass_scalars* o, dots* partials,
                      unsigned* ticket, limits until, cudaGraphConditionalHandle again) {
    const one_pass_scalars known = *o;
    const int it = s->it;
    dots sums{};
    for (int i = thread_number(); i < A.strips(); i += threads())
        sums = add_dots{}(sums, whole_step{}(i, A, it, known.alpha, known.beta, known.last_alpha,
                                             known.last_beta, v.r0, v.r1, v.s0, v.s1, v.p, v.x));
    lowering::reduce_grid(sums, partials, ticket, add_dots{}, [&](dots all) {
        next_step{}(all, s->rr, o->pAp, o->alpha, o->beta, o->last_alpha, o->last_beta, s->it);
        cudaGraphSetConditional(again, until.go_on(*s));
    });
}
static __global__ void arrive_behind_kernel(int rows, one_pass_vectors v, const scalars* s,
                                            const one_pass_scalars* o) {
    for (int i = thread_number(); i < rows; i += threads())
        arrive_behind{}(i, s->it, o->last_alpha, o->last_beta, v.r0[i], v.p[i], v.x[i]);
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
        by_hand::add_kernel(graph.handle, loop.node, arrive_behind_kernel, grid, A.rows, v, s, o);
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

inline constexpr struct r_next : buffer<r_next, double> {
} r_next;
inline constexpr struct sums : scalar<sums, dots> {
} sums;
inline constexpr struct last_alpha : scalar<last_alpha, double> {
} last_alpha;
inline constexpr struct last_beta : scalar<last_beta, double> {
} last_beta;

constexpr auto one_pass() {
    constexpr auto A = in(matrix<five_points>{});
    return seq(
        transform_reduce(over(shares), first_dots{}, add_dots{}, dots{})(out(sums), A, in(r)),
        task(first_step{})(in(sums), out(rr), out(pAp), out(alpha), out(beta)),
        loop_while(unsolved, seq(transform_reduce(over(shares), whole_step{}, add_dots{}, dots{})(
                                     out(sums), A, it, alpha, beta, last_alpha, last_beta, inout(r),
                                     inout(r_next), inout(Ap), inout(q), inout(p), inout(x)),
                                 task(next_step{})(in(sums), inout(rr), inout(pAp), inout(alpha), inout(beta),
                                                   out(last_alpha), out(last_beta), inout(it)))),
        for_each(over(x), arrive_behind{})(it, last_alpha, last_beta, in(r[each]), in(p[each]),
                                           inout(x[each])));
}

template <class Matrix>
void system<Matrix>::measure_one_pass(double target) {
    bench::device_array<double> r_nexts(rows);
    bench::device_array<one_pass_scalars> o(1);
    const auto bind = [&](const auto& what) {
        return instantiate(what, matrix<Matrix>{}(A), x(xs.data, rows), r(rs.data, rows),
                           r_next(r_nexts.data, rows), p(ps.data, rows), q(qs.data, rows), Ap(Aps.data, rows),
                           rr(&s.data->rr), pAp(&o.data->pAp), alpha(&o.data->alpha), beta(&o.data->beta),
                           last_alpha(&o.data->last_alpha), last_beta(&o.data->last_beta),
                           sums(&o.data->sums), it(&s.data->it), least_rr(until.rr), most_it(until.it),
                           shares(static_cast<std::size_t>(A.strips())));
    };
    constexpr auto e = one_pass();
    auto plain = bind(node_by_node(e));
    auto lowered = bind(e);
    hand::one_pass_loop by_hand(A, {xs.data, ps.data, rs.data, r_nexts.data, Aps.data, qs.data}, s.data,
                                o.data, until);
    lowering::row(name + ", in one pass",
                  lowering::compare(
                      5, [&](auto& graph) { return time(graph, 0); }, by_hand, plain, lowered),
                  target);
}

}  // namespace solver
