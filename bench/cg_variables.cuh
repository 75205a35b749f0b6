// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

// The variables of conjugate gradients, and what ends an iteration.
namespace cg_variables {

using namespace cograph;

inline constexpr struct x : buffer<x, double> {
} x;
inline constexpr struct r : buffer<r, double> {
} r;
inline constexpr struct p : buffer<p, double> {
} p;
inline constexpr struct Ap : buffer<Ap, double> {
} Ap;
inline constexpr struct rr : scalar<rr, double> {
} rr;
inline constexpr struct rr_next : scalar<rr_next, double> {
} rr_next;
inline constexpr struct pAp : scalar<pAp, double> {
} pAp;
inline constexpr struct alpha : scalar<alpha, double> {
} alpha;
inline constexpr struct beta : scalar<beta, double> {
} beta;
inline constexpr struct it : scalar<it, int> {
} it;
inline constexpr struct least_rr : value<least_rr, double> {
} least_rr;
inline constexpr struct most_it : value<most_it, int> {
} most_it;

constexpr auto unsolved = rr > least_rr && it < most_it;
constexpr auto count_iteration = seq(assign(beta, rr_next / rr), assign(rr, rr_next), assign(it, it + 1));

}  // namespace cg_variables
