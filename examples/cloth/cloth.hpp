// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/launch_shape.hpp>

#include <cmath>

namespace cloth {

using cograph::index_t;

struct vec3 {
    double x, y, z;

    COGRAPH_HD friend vec3 operator+(vec3 a, vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    COGRAPH_HD friend vec3 operator-(vec3 a, vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    COGRAPH_HD friend vec3 operator*(double s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
    COGRAPH_HD friend double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

struct add_vectors {
    template <class T>
    COGRAPH_HD static constexpr T identity() {
        return {0, 0, 0};
    }
    COGRAPH_HD vec3 operator()(const vec3& a, const vec3& b) const { return a + b; }
};

/// Numbers from -2 to 2 as one, since kernels have no arrays of constants.
COGRAPH_HD constexpr unsigned long long packed(const int (&numbers)[12]) {
    unsigned long long all = 0;
    int at = 0;
    for (int number : numbers) all |= static_cast<unsigned long long>(number + 2) << 3 * at++;
    return all;
}
COGRAPH_HD constexpr int unpacked(unsigned long long all, int at) { return static_cast<int>(all >> 3 * at & 7) - 2; }

/// A square cloth of n by n particles, one unit wide, hung up at two of its corners. Springs lead to the neighbours beside a particle,
/// across, and two away.
struct sheet {
    static constexpr int most_springs = 12;
    int n = 2;
    double step = 0;       // of time
    double stiffness = 0;  // of a spring, for a mass of one
    double side = 1.0 / (n - 1);

    COGRAPH_HD bool is_fixed(index_t i) const { return i == 0 || i == n - 1; }

    /// The end of a spring of particle i, or the particle itself if there is none.
    struct spring {
        int other;
        double rest;
        bool exists;
    };
    COGRAPH_HD spring spring_of(index_t i, int k) const {
        constexpr unsigned long long down_by = packed({-1, -1, -1, 0, 0, 1, 1, 1, -2, 0, 0, 2}), right_by = packed({-1, 0, 1, -1, 1, -1, 0, 1, 0, -2, 2, 0});
        const int down = unpacked(down_by, k), right = unpacked(right_by, k), squared = down * down + right * right;
        const int row = static_cast<int>(i) / n + down, column = static_cast<int>(i) % n + right;
        const bool exists = row >= 0 && row < n && column >= 0 && column < n;
        return {exists ? row * n + column : static_cast<int>(i), (squared == 1 ? 1 : squared == 2 ? 1.4142135623730951 : 2) * side, exists};
    }
    /// Where a number for it is, in an array of most_springs numbers for each particle.
    COGRAPH_HD index_t place(index_t i, int k) const { return index_t{k} * n * n + i; }
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
/// start from, too. Notes 1 / length of each spring, 0 if there is none. Gives the square of the gradient.
struct begin_newton {
    template <class Group>
    COGRAPH_HD double operator()(Group const& group, index_t i, const vec3* at, const vec3& free, vec3& residual, vec3& direction, vec3& product, vec3& correction,
                                 double* inverse, sheet s) const {
        const vec3 here = at[i];
        const auto pull = [&](int k) -> vec3 {
            const sheet::spring spring = s.spring_of(i, k);
            const vec3 along = at[spring.other] - here;
            const double by_length = spring.exists ? 1 / sqrt(dot(along, along)) : 0;
            inverse[s.place(i, k)] = by_length;
            return (1 - spring.rest * by_length) * along;
        };
        vec3 sum = group.transform_reduce(sheet::most_springs, pull, add_vectors{});
        sum = s.is_fixed(i) ? vec3{0, 0, 0} : free - here + (s.step * s.step * s.stiffness) * sum;
        if (group.rank() == 0) {
            residual = sum;
            direction = product = correction = {0, 0, 0};
        }
        return dot(sum, sum);
    }
};

/// Two sums at once, of the residual with itself and with its product with the matrix.
struct products {
    double rr, rAr;
};
struct add_products {
    template <class T>
    COGRAPH_HD static constexpr T identity() {
        return {0, 0};
    }
    COGRAPH_HD products operator()(products a, products b) const { return {a.rr + b.rr, a.rAr + b.rAr}; }
};
/// The matrix of Newton's method times the residual: 1 + h^2 times the second derivatives of the springs, where those that are pressed
/// together push along themselves alone, so that the matrix is positive definite (Choi and Ko, Stable but responsive cloth, 2002).
struct multiply {
    template <class Group>
    COGRAPH_HD products operator()(Group const& group, index_t i, const vec3* at, const vec3* residual, const double* inverse, vec3& product, sheet s) const {
        const vec3 here = at[i], own = residual[i];
        const auto pull = [&](int k) -> vec3 {
            const sheet::spring spring = s.spring_of(i, k);
            const double by_length = inverse[s.place(i, k)];
            const vec3 along = by_length * (at[spring.other] - here), difference = own - residual[spring.other];  // zero if there is none
            const double slack = 1 - spring.rest * by_length;
            const double across = slack > 0 ? slack : 0;
            return across * difference + ((1 - across) * dot(along, difference)) * along;
        };
        const vec3 pulls = group.transform_reduce(sheet::most_springs, pull, add_vectors{});
        const vec3 sum = s.is_fixed(i) ? vec3{0, 0, 0} : own + (s.step * s.step * s.stiffness) * pulls;
        if (group.rank() == 0) product = sum;
        return {dot(own, own), dot(sum, own)};
    }
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
inline constexpr struct both : cograph::scalar<both, products> {} both;
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
    const auto particles = over(x).group<4>();
    const auto begin = transform_reduce(particles, begin_newton{}, plus{})(out(gg), in(x), in(free_at[each]), out(r[each]), out(p[each]), out(Ap[each]), out(dx[each]),
                                                                           out(inverse), in(the_sheet));
    const auto product = transform_reduce(particles, multiply{}, add_products{})(out(both), in(x), in(r), in(inverse), out(Ar[each]), in(the_sheet));
    constexpr auto next_rr = member<&products::rr>(both);
    constexpr auto rAr = member<&products::rAr>(both);
    const auto solve = seq(product, assign(rr, gg), assign(beta, 0.0), assign(alpha, gg / rAr),
                           label("cg", loop_while(rr > 1e-4 * gg,  // NaN ends it, and shows in gg
                                                  seq(for_each(over(x), descend{})(in(Ar[each]), inout(r[each]), inout(p[each]), inout(Ap[each]), inout(dx[each]),
                                                                                   in(alpha), in(beta)),
                                                      product,
                                                      assign(beta, next_rr / rr),
                                                      assign(alpha, next_rr / (rAr - beta * next_rr / alpha)),
                                                      assign(rr, next_rr)),
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
    return seq(assign(newton, 0), assign(failed, 0), label("steps", repeat(steps, step, block_of<256>)));
}

inline constexpr auto program = simulation();
static_assert(cograph::is_persistent(program, "steps"));

}  // namespace cloth
