// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cg.cuh"
#include "solver_bands.cuh"

#include <cograph/launch_shape.hpp>

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
// Shares has `number` parts, for Step::lanes threads each.
template <class Step, class Shares>
static __global__ void __launch_bounds__(256)
    step_kernel(Shares A, int number, one_pass_vectors v, scalars* s, one_pass_scalars* o, dots* partials,
                unsigned* ticket, limits until, cudaGraphConditionalHandle again) {
    const step now = o->now;
    const int it = s->it;
    dots sums{};
    for (int i = thread_number() / Step::lanes; i < number; i += threads() / Step::lanes) {
        if constexpr (Step::lanes == 1)
            sums = add_dots{}(sums, Step{}(i, A, it, now, v.steps, v.residuals, v.p, v.x));
        else
            sums = add_dots{}(sums, Step{}(thread_group<Step::lanes>{}, i, A, it, now, v.steps, v.residuals, v.p, v.x));
    }
    if (threadIdx.x % Step::lanes != 0) sums = {};  // the other threads have the same
    lowering::reduce_grid(sums, partials, ticket, add_dots{}, [&](dots all) {
        next_step{}(all, s->rr, o->pAp, o->now, s->it);
        cudaGraphSetConditional(again, until.go_on(*s));
    });
}
template <class Step>
static __global__ void arrive_behind_kernel(int rows, one_pass_vectors v, const scalars* s) {
    for (int i = thread_number(); i < rows; i += threads())
        arrive_behind<Step>{}(i, s->it, v.steps, v.residuals, v.p[i], v.x[i], rows);
}

// One kernel of one's own in a WHILE.
template <class Step>
class one_pass_loop {
public:
    template <class Shares>
    one_pass_loop(five_points A, Shares parts, int number, one_pass_vectors v, scalars* s, one_pass_scalars* o, limits until) {
        const auto first = by_hand::add_kernel(graph.handle, {}, first_dots_kernel, grid(A.strips()), A, v, s, o,
                                               partials.data, ticket.data);
        const auto again = graph.condition(1);
        const auto loop = by_hand::add_conditional(graph.handle, first, again, cudaGraphCondTypeWhile);
        by_hand::add_kernel(loop.body, {}, step_kernel<Step, Shares>, grid(number * Step::lanes), parts, number, v, s, o,
                            partials.data, ticket.data, until, again);
        by_hand::add_kernel(graph.handle, loop.node, arrive_behind_kernel<Step>, grid(A.strips()), A.rows, v, s);
        graph.instantiate();
    }
    void launch(cudaStream_t on) const { graph.launch(on); }

private:
    static constexpr int most_blocks = 132 * (Step::lanes == 1 ? 8 : 16);
    static by_hand::shape grid(int threads) { return {static_cast<unsigned>(std::min((threads + 255) / 256, most_blocks)), 256}; }
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

inline constexpr struct bands_below : temp<bands_below, double> {
} bands_below;

template <class Step>
constexpr auto one_pass(auto parts, auto... options) {
    constexpr auto A = in(matrix<five_points>{});
    constexpr auto of_parts = in(matrix<std::conditional_t<Step::lanes == 1, five_points, bands>>{});
    return seq(
        transform_reduce(over(shares), first_dots{}, add_dots{}, dots{})(out(sums), A, in(r), out(residuals)),
        single_task(first_step{})(in(sums), out(rr), out(pAp), out(now)),
        loop_while(unsolved,
                   seq(transform_reduce(parts, Step{}, add_dots{}, dots{})(
                           out(sums), of_parts, it, now, inout(steps), inout(residuals), inout(p), inout(x)),
                       single_task(next_step{})(in(sums), inout(rr), inout(pAp), inout(now), inout(it))),
                   options...),
        for_each(over(x), arrive_behind<Step>{})(it, in(steps), in(residuals), in(p[each]), inout(x[each]), extent(x)));
}

template <class Matrix>
template <class Step, class Shares>
void system<Matrix>::compare_one_pass(const std::string& how, Shares parts, int number, auto plain_expression, auto expression, double target) {
    bench::device_array<double> kept_r(Step::kept * rows);
    bench::device_array<step> kept_steps(Step::kept);
    bench::device_array<one_pass_scalars> o(1);
    const auto bind = [&](const auto& what, auto... more) {
        return instantiate(what, matrix<Matrix>{}(A), x(xs.data, rows), r(rs.data, rows), p(ps.data, rows),
                           residuals(kept_r.data, Step::kept * rows), steps(kept_steps.data, Step::kept),
                           rr(&s.data->rr), pAp(&o.data->pAp), now(&o.data->now), sums(&o.data->sums),
                           it(&s.data->it), least_rr(until.rr), most_it(until.it),
                           shares(static_cast<std::size_t>(A.strips())), more...);
    };
    const auto bind_parts = [&](const auto& what) {
        if constexpr (Step::lanes == 1)
            return bind(what);
        else
            return bind(what, matrix<Shares>{}(parts), bands_below(static_cast<std::size_t>(number)));
    };
    auto plain = bind_parts(as_nodes(plain_expression));
    auto lowered = bind_parts(expression);
    hand::one_pass_loop<Step> by_hand(A, parts, number, {rs.data, xs.data, ps.data, kept_r.data, kept_steps.data}, s.data, o.data, until);
    lowering::row(name + how,
                  lowering::compare(
                      5, [&](auto& graph) { return time(graph, 0); }, by_hand, plain, lowered),
                  target);
}
template <class Matrix>
void system<Matrix>::measure_one_pass(double target) {
    constexpr auto e = one_pass<whole_step>(over(shares));
    compare_one_pass<whole_step>(", in one pass", A, A.strips(), e, e, target);
}
// Two warps for each scheduler of a GPU with 132 multiprocessors; beyond 2048², in more bands one after another.
template <class Matrix>
void system<Matrix>::measure_bands(double target) {
    const bands parts(1 << A.shift, 132 * 8 * std::max(1, A.rows >> 22));
    constexpr auto groups = over(bands_below).template group<32>();
    compare_one_pass<band_step>(", in bands", parts, parts.count, one_pass<band_step>(groups), one_pass<band_step>(groups, grid_of<whole_device>, block_of<256>), target);
}

}  // namespace solver
