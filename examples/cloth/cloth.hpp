// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    int n;
    double step;       // of time
    double stiffness;  // of a spring, for a mass of one

    COGRAPH_HD bool is_fixed(index_t i) const { return i == 0 || i == n - 1; }
    /// Calls f(neighbour, rest length) for every spring of particle i.
    template <class F>
    COGRAPH_HD void for_each_spring(index_t i, F f) const {
        const int row = static_cast<int>(i) / n, column = static_cast<int>(i) % n;
        const double side = 1.0 / (n - 1);
        const auto spring = [&](int down, int right, double length) {
            const int r = row + down, c = column + right;
            if (r >= 0 && r < n && c >= 0 && c < n) f(r * n + c, length * side);
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
    COGRAPH_HD void operator()(index_t i, vec3& position, vec3& before, vec3& free, vec3 velocity, sheet s) const {
        before = position;
        free = s.is_fixed(i) ? position : position + s.step * velocity + (s.step * s.step) * gravity;
        position = free;
    }
};

/// Minus the gradient of |x - free|^2 / 2 + h^2 (energy of the springs): what Newton's method makes zero. It is where conjugate gradients
/// start from, too. Gives its square.
struct begin_newton {
    COGRAPH_HD double operator()(index_t i, const vec3* at, vec3 free, vec3& residual, vec3& direction, vec3& correction, sheet s) const {
        vec3 sum{0, 0, 0};
        if (!s.is_fixed(i)) {
            const vec3 here = at[i];
            sum = free - here;
            s.for_each_spring(i, [&](int other, double rest) {
                const vec3 along = at[other] - here;
                const double length = sqrt(dot(along, along));
                sum = sum + (s.step * s.step * s.stiffness * (1 - rest / length)) * along;
            });
        }
        residual = direction = sum;
        correction = {0, 0, 0};
        return dot(sum, sum);
    }
};

/// The matrix of Newton's method times a direction: 1 + h^2 times the second derivatives of the springs, where those that are pressed
/// together push along themselves alone, so that the matrix is positive definite (Choi and Ko, Stable but responsive cloth, 2002). Gives the
/// product with the direction.
struct multiply {
    COGRAPH_HD double operator()(index_t i, const vec3* at, const vec3* direction, vec3& product, sheet s) const {
        vec3 sum{0, 0, 0};
        const vec3 own = direction[i];
        if (!s.is_fixed(i)) {
            const vec3 here = at[i];
            sum = own;
            s.for_each_spring(i, [&](int other, double rest) {
                const vec3 along = at[other] - here, difference = own - direction[other];
                const double square = dot(along, along), slack = 1 - rest / sqrt(square);
                const double across = slack > 0 ? slack : 0;
                sum = sum + (s.step * s.step * s.stiffness) * (across * difference + ((1 - across) * dot(along, difference) / square) * along);
            });
        }
        product = sum;
        return dot(sum, own);
    }
};

/// One step of conjugate gradients; gives the square of the residual after it.
struct descend {
    COGRAPH_HD double operator()(index_t, vec3 direction, vec3 product, vec3& residual, vec3& correction, const double& rr, const double& pAp) const {
        const double alpha = rr / pAp;
        correction = correction + alpha * direction;
        residual = residual - alpha * product;
        return dot(residual, residual);
    }
};
struct turn {
    COGRAPH_HD void operator()(index_t, vec3 residual, vec3& direction, const double& rr_next, const double& rr) const {
        direction = residual + (rr_next / rr) * direction;
    }
};

struct correct {
    COGRAPH_HD void operator()(index_t, vec3 correction, vec3& position) const { position = position + correction; }
};
struct set_velocity {
    COGRAPH_HD void operator()(index_t, vec3 position, vec3 before, vec3& velocity, sheet s) const {
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
inline constexpr struct dx : cograph::temp<dx, vec3, struct x> {} dx;
inline constexpr struct rr : cograph::scalar<rr, double> {} rr;
inline constexpr struct rr_next : cograph::scalar<rr_next, double> {} rr_next;
inline constexpr struct pAp : cograph::scalar<pAp, double> {} pAp;
inline constexpr struct gg : cograph::scalar<gg, double> {} gg;              // the square of the gradient
inline constexpr struct gg_first : cograph::scalar<gg_first, double> {} gg_first;
inline constexpr struct newton : cograph::scalar<newton, int> {} newton;     // iterations of Newton's method, all steps
inline constexpr struct failed : cograph::scalar<failed, int> {} failed;     // steps that did not get to the accuracy
inline constexpr struct in_step : cograph::scalar<in_step, int> {} in_step;

/// Implicit Euler: each step solves for positions by Newton's method, and each iteration of that by conjugate gradients.
constexpr auto simulation() {
    using namespace cograph;
    const auto begin = transform_reduce(over(x), begin_newton{}, plus{})(out(gg), in(x), in(free_at[each]), out(r[each]), out(p[each]), out(dx[each]),
                                                                         in(the_sheet));
    const auto solve = seq(assign(rr, gg),
                           label("cg", loop_while(rr > 1e-4 * gg,  // NaN ends it, and shows in gg
                                      seq(transform_reduce(over(x), multiply{}, plus{})(out(pAp), in(x), in(p), out(Ap[each]), in(the_sheet)),
                                          transform_reduce(over(x), descend{}, plus{})(out(rr_next), in(p[each]), in(Ap[each]), inout(r[each]), inout(dx[each]),
                                                                                       in(rr), in(pAp)),
                                          for_each(over(x), turn{})(in(r[each]), inout(p[each]), in(rr_next), in(rr)),
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
    return seq(assign(newton, 0), assign(failed, 0), label("steps", repeat(steps, step)));
}

inline constexpr auto program = simulation();
static_assert(cograph::is_persistent(program, "steps"));

}  // namespace cloth
