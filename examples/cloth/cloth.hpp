// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/launch_shape.hpp>

#include <cmath>
#include <initializer_list>

namespace cloth {

using cograph::index_t;

struct vec3 {
    double x, y, z;

    COGRAPH_HD friend vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    COGRAPH_HD friend vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    COGRAPH_HD friend vec3 operator*(double s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    COGRAPH_HD friend double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

/// A square cloth of n by n particles, one unit wide, hung up at two of its corners. Springs lead to the neighbours beside a particle,
/// across, and two away.
struct sheet {
    static constexpr int most_springs = 12;
    int n;
    double step;       // of time
    double stiffness;  // of a spring, for a mass of one

    COGRAPH_HD bool is_fixed(index_t i) const { return i == 0 || i == n - 1; }
    /// Calls f(neighbour, rest length, place) for every spring of particle i; a place in an array of most_springs numbers for each particle.
    template <class F>
    COGRAPH_HD void for_each_spring(index_t i, F f) const {
        const int row = static_cast<int>(i) / n, column = static_cast<int>(i) % n;
        const double side = 1.0 / (n - 1);
        int place = static_cast<int>(i);
        const auto spring = [&](int down, int right, double length) {
            const int r = row + down, c = column + right;
            if (r >= 0 && r < n && c >= 0 && c < n) f(r * n + c, length * side, place);
            place += n * n;
        };
        const double across = 1.4142135623730951;
        spring(-1, -1, across), spring(-1, 0, 1), spring(-1, 1, across);
        spring(0, -1, 1), spring(0, 1, 1);
        spring(1, -1, across), spring(1, 0, 1), spring(1, 1, across);
        spring(-2, 0, 2), spring(0, -2, 2), spring(0, 2, 2), spring(2, 0, 2);
    }
};

inline constexpr vec3 gravity{0, 0, -9.81};

/// Where a particle would be without springs: that is where a step begins.
struct predict {
    COGRAPH_HD void operator()(index_t i, vec3& position, vec3& before, vec3& free, const vec3& velocity, sheet s) const {
        before = position;
        free = s.is_fixed(i) ? position : position + s.step * velocity + (s.step * s.step) * gravity;
        position = free;
    }
};

/// Minus the gradient of |x - free|^2 / 2 + h^2 (energy of the springs): what Newton's method makes zero. It is where conjugate gradients
/// start from, too. Notes 1 / length of each spring. Gives the square of the gradient.
struct begin_newton {
    COGRAPH_HD double operator()(index_t i, const vec3* at, const vec3& free, vec3& residual, vec3& direction, vec3& product, vec3& correction, double* inverse,
                                 sheet s) const {
        vec3 sum{0, 0, 0};
        if (!s.is_fixed(i)) {
            const vec3 here = at[i];
            sum = free - here;
            s.for_each_spring(i, [&](int other, double rest, int place) {
                const vec3 along = at[other] - here;
                const double by_length = 1 / sqrt(dot(along, along));
                inverse[place] = by_length;
                sum = sum + (s.step * s.step * s.stiffness * (1 - rest * by_length)) * along;
            });
        }
        residual = sum;
        direction = product = correction = {0, 0, 0};
        return dot(sum, sum);
    }
};

/// The matrix of Newton's method times the residual: 1 + h^2 times the second derivatives of the springs, where those that are pressed
/// together push along themselves alone, so that the matrix is positive definite (Choi and Ko, Stable but responsive cloth, 2002). Gives the
/// product with the residual.
struct multiply {
    COGRAPH_HD double operator()(index_t i, const vec3* at, const vec3* residual, const double* inverse, vec3& product, sheet s) const {
        vec3 sum{0, 0, 0};
        const vec3 own = residual[i];
        if (!s.is_fixed(i)) {
            const vec3 here = at[i];
            sum = own;
            s.for_each_spring(i, [&](int other, double rest, int place) {
                const vec3 along = inverse[place] * (at[other] - here), difference = own - residual[other];
                const double slack = 1 - rest * inverse[place];
                const double across = slack > 0 ? slack : 0;
                sum = sum + (s.step * s.step * s.stiffness) * (across * difference + ((1 - across) * dot(along, difference)) * along);
            });
        }
        product = sum;
        return dot(sum, own);
    }
};
struct square {
    COGRAPH_HD double operator()(index_t, vec3 value) const { return dot(value, value); }
};

/// One step of conjugate gradients in the form whose two sums are taken at once (Chronopoulos and Gear, s-step iterative methods for symmetric
/// linear systems, 1989): Ar is the matrix times the residual, Ap the matrix times the direction.
struct descend {
    COGRAPH_HD void operator()(index_t, const vec3& Ar, vec3& residual, vec3& direction, vec3& Ap, vec3& correction, const double& alpha, const double& beta) const {
        direction = residual + beta * direction;
        Ap = Ar + beta * Ap;
        correction = correction + alpha * direction;
        residual = residual - alpha * Ap;
    }
};

struct correct {
    COGRAPH_HD void operator()(index_t, const vec3& correction, vec3& position) const { position = position + correction; }
};
struct set_velocity {
    COGRAPH_HD void operator()(index_t, const vec3& position, const vec3& before, vec3& velocity, sheet s) const {
        velocity = (0.995 / s.step) * (position - before);  // a little damping
    }
};

// What the user binds.
inline constexpr struct x : cograph::buffer<x, vec3> {} x;
inline constexpr struct velocity : cograph::buffer<velocity, vec3> {} velocity;
inline constexpr struct the_sheet : cograph::value<the_sheet, sheet> {} the_sheet;
inline constexpr struct steps : cograph::value<steps, int> {} steps;
inline constexpr struct accuracy : cograph::value<accuracy, double> {} accuracy;  // of Newton's method: a part of the gradient that a step begins with

// What the graph owns.
inline constexpr struct before : cograph::temp<before, vec3, struct x> {} before;
inline constexpr struct free_at : cograph::temp<free_at, vec3, struct x> {} free_at;
inline constexpr struct r : cograph::temp<r, vec3, struct x> {} r;
inline constexpr struct p : cograph::temp<p, vec3, struct x> {} p;
inline constexpr struct Ap : cograph::temp<Ap, vec3, struct x> {} Ap;
inline constexpr struct Ar : cograph::temp<Ar, vec3, struct x> {} Ar;
inline constexpr struct inverse : cograph::temp<inverse, double, cograph::elements<sheet::most_springs * extent(x)>> {} inverse;
inline constexpr struct dx : cograph::temp<dx, vec3, struct x> {} dx;
inline constexpr struct rr : cograph::scalar<rr, double> {} rr;
inline constexpr struct rr_next : cograph::scalar<rr_next, double> {} rr_next;
inline constexpr struct rAr : cograph::scalar<rAr, double> {} rAr;
inline constexpr struct alpha : cograph::scalar<alpha, double> {} alpha;
inline constexpr struct beta : cograph::scalar<beta, double> {} beta;
inline constexpr struct gg : cograph::scalar<gg, double> {} gg;              // the square of the gradient
inline constexpr struct gg_first : cograph::scalar<gg_first, double> {} gg_first;
inline constexpr struct newton : cograph::scalar<newton, int> {} newton;     // iterations of Newton's method, all steps
inline constexpr struct failed : cograph::scalar<failed, int> {} failed;     // steps that did not get to the accuracy
inline constexpr struct in_step : cograph::scalar<in_step, int> {} in_step;

/// Implicit Euler: each step solves for positions by Newton's method, and each iteration of that by conjugate gradients.
constexpr auto simulation() {
    using namespace cograph;
    const auto begin = transform_reduce(over(x), begin_newton{}, plus{})(out(gg), in(x), in(free_at[each]), out(r[each]), out(p[each]), out(Ap[each]),
                                                                         out(dx[each]), out(inverse), in(the_sheet));
    const auto product = transform_reduce(over(x), multiply{}, plus{})(out(rAr), in(x), in(r), in(inverse), out(Ar[each]), in(the_sheet));
    const auto solve = seq(product, assign(rr, gg), assign(beta, 0.0), assign(alpha, gg / rAr),
                           label("cg", loop_while(rr > 1e-4 * gg,  // NaN ends it, and shows in gg
                                                  seq(for_each(over(x), descend{})(in(Ar[each]), inout(r[each]), inout(p[each]), inout(Ap[each]), inout(dx[each]),
                                                                                   in(alpha), in(beta)),
                                                      product,
                                                      transform_reduce(over(x), square{}, plus{})(out(rr_next), in(r[each])),
                                                      assign(beta, rr_next / rr),
                                                      assign(alpha, rr_next / (rAr - beta * rr_next / alpha)),
                                                      assign(rr, rr_next)),
                                                  at_most(1000))));
    const auto step = seq(for_each(over(x), predict{})(inout(x[each]), out(before[each]), out(free_at[each]), in(velocity[each]), in(the_sheet)),
                          assign(in_step, 0),
                          begin,
                          assign(gg_first, gg),
                          label("newton", loop_while(gg > accuracy * accuracy * gg_first && in_step < 30,
                                                     seq(solve, for_each(over(x), correct{})(in(dx[each]), inout(x[each])), assign(in_step, in_step + 1), begin))),
                          assign(newton, newton + in_step),
                          assign(failed, failed + !(gg <= accuracy * accuracy * gg_first)),
                          for_each(over(x), set_velocity{})(in(x[each]), in(before[each]), out(velocity[each]), in(the_sheet)));
    // Threads of larger blocks would have too few registers, and are not compiled.
    return seq(assign(newton, 0), assign(failed, 0), label("steps", repeat(steps, step, block_of<512>)));
}

inline constexpr auto program = simulation();
static_assert(cograph::is_persistent(program, "steps"));

}  // namespace cloth
