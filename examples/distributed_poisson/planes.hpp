// SPDX-License-Identifier: Apache-2.0
#pragma once

// A Poisson problem with a reaction term, in two or three dimensions. Ranks have planes of it, one after the other, and
// exchange those at their borders while they work inside.

#include "solver.hpp"

#include <memory>
#include <span>

namespace distributed {

inline constexpr struct lower : value<lower, int> {} lower;  // the rank that has the plane before ours; -1: nobody
inline constexpr struct upper : value<upper, int> {} upper;
inline constexpr struct first_plane : temp<first_plane, double> {} first_plane;
inline constexpr struct last_plane : temp<last_plane, double, struct first_plane> {} last_plane;
inline constexpr struct below : buffer<below, double> {} below;
inline constexpr struct above : buffer<above, double> {} above;
inline constexpr struct side : value<side, int> {} side;
inline constexpr struct plane_size : value<plane_size, index_t> {} plane_size;

struct pick {
    COGRAPH_HD void operator()(index_t i, double& first, double& last, const double* from, index_t plane, index_t n) const {
        first = from[i];
        last = from[n - plane + i];
    }
};
// A row of the matrix, without what the planes of others add.
struct stencil {
    COGRAPH_HD void operator()(index_t i, double& to, const double* from, const double& center, index_t plane, index_t n, int width) const {
        double sum = center * from[i];
        if (i % width > 0) sum -= from[i - 1];
        if (i % width < width - 1) sum -= from[i + 1];
        if (plane > width && i % plane >= width) sum -= from[i - width];
        if (plane > width && i % plane < plane - width) sum -= from[i + width];
        if (i >= plane) sum -= from[i - plane];
        if (i + plane < n) sum -= from[i + plane];
        to = sum;
    }
};
struct close_border {
    COGRAPH_HD double operator()(index_t i, const double& direction, double& image, const double* before, const double* after, index_t plane, index_t n) const {
        if (i < plane) image -= before[i];
        if (i >= n - plane) image -= after[i - (n - plane)];
        return direction * image;
    }
};

// [planes]
constexpr auto multiply_planes() {
    return seq(for_each(over(first_plane), pick{})(out(first_plane[each]), out(last_plane[each]), in(p), extent(first_plane), extent(p)),
               label("halo", nccl::exchange(world, nccl::to(in(first_plane), lower), nccl::from(inout(below), lower),
                                            nccl::to(in(last_plane), upper), nccl::from(inout(above), upper))),
               label("interior", for_each(over(p), stencil{})(out(Ap[each]), in(p), in(diagonal[each]), extent(first_plane), extent(p), side)),
               transform_reduce(over(p), close_border{}, plus{})(out(part), in(p[each]), inout(Ap[each]), in(below), in(above), extent(first_plane), extent(p)));
}
// The plan finds that the halos travel while the interior is computed.
static_assert(!ordered(multiply_planes(), at<1>, at<2>));
// [/planes]

// The same without other ranks.
constexpr auto multiply_alone() {
    return seq(label("interior", for_each(over(p), stencil{})(out(Ap[each]), in(p), in(diagonal[each]), plane_size, extent(p), side)), dot(out(part), in(p), in(Ap)));
}

// A plane of another rank, whose GPU may write it: zeros on this rank's GPU, or on the host in a simulation.
class received_plane {
public:
    explicit received_plane(std::size_t count) : count_(count), memory_(allocate(count)) {}
    std::span<double> span() const { return {memory_.get(), count_}; }

private:
    static double* allocate(std::size_t count) {
#ifdef __CUDACC__
        if (anywhere::has_gpu()) {
            void* memory = nullptr;
            anywhere::succeed(cudaMalloc(&memory, count * sizeof(double)));
            anywhere::succeed(cudaMemset(memory, 0, count * sizeof(double)));
            anywhere::succeed(cudaDeviceSynchronize());
            return static_cast<double*>(memory);
        }
#endif
        return new double[count]();
    }

    std::size_t count_;
    std::unique_ptr<double[], anywhere::release> memory_;
};

// So many planes of side or side * side elements.
struct grid {
    int side, dimensions, planes;
    index_t plane() const { return dimensions == 2 ? side : static_cast<index_t>(side) * side; }
};

// One rank's planes, the right side of a solution that is known, and how far the result is from that.
inline outcome run_planes(const grid& whole, nccl::communicator own) {
    const index_t first = static_cast<index_t>(whole.planes) * own.rank / own.size, last = static_cast<index_t>(whole.planes) * (own.rank + 1) / own.size;
    const index_t plane = whole.plane(), n = (last - first) * plane, all = whole.planes * plane;
    const anywhere::array<double> solution(static_cast<std::size_t>(n)), rhs(solution.size()), center(solution.size());
    const received_plane before(static_cast<std::size_t>(plane)), after(static_cast<std::size_t>(plane));  // zeros, where there is nobody
    const auto wanted = [](index_t i) { return std::sin(0.1 * static_cast<double>(i)) + static_cast<double>(i % 7); };
    for (index_t i = 0; i < n; ++i) {
        const index_t g = first * plane + i, w = whole.side;
        const double at = 2 * whole.dimensions + 0.02 * static_cast<double>(1 + g % 5);
        double sum = at * wanted(g);
        if (g % w > 0) sum -= wanted(g - 1);
        if (g % w < w - 1) sum -= wanted(g + 1);
        if (plane > w && g % plane >= w) sum -= wanted(g - w);
        if (plane > w && g % plane < plane - w) sum -= wanted(g + w);
        if (g >= plane) sum -= wanted(g - plane);
        if (g + plane < all) sum -= wanted(g + plane);
        rhs[static_cast<std::size_t>(i)] = sum;
        center[static_cast<std::size_t>(i)] = at;
    }
    const auto solved = [&](const auto& e, auto... more) {
        return run(e, own, x(solution.span()), b(rhs.span()), diagonal(center.span()), side(whole.side), tolerance(1e-16), more...);
    };
    outcome result = own.size == 1 ? solved(solve_alone(multiply_alone()), plane_size(plane))
                                   : solved(solve(multiply_planes()), world(own), first_plane(static_cast<std::size_t>(plane)), below(before.span()), above(after.span()),
                                            lower(own.rank - 1), upper(own.rank + 1));
    for (index_t i = 0; i < n; ++i) result.error = maximum_or_nan{}(result.error, std::fabs(solution[static_cast<std::size_t>(i)] - wanted(first * plane + i)));
    return result;
}

}  // namespace distributed
