// SPDX-License-Identifier: Apache-2.0

// A small solver looked at from all sides: what the compiler makes of it, every step of a simulation, what its loop did, and, on
// a GPU, the time of each node, a search for NaN, and nodes left out of launches.
//
//     inspect                 checks itself
//     inspect json | dot | html      writes the plan

#include "../anywhere.hpp"

#include <cograph/page/html.hpp>
#include <cograph/stepwise.hpp>
#ifdef __CUDACC__
#include <cograph/check_finite.cuh>
#include <cograph/nvtx.cuh>
#include <cograph/profile.cuh>
#endif

#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace cograph;

namespace roots {

// [expression]
// Newton's method for the square roots of a[i], all at once.
struct improve {
    COGRAPH_HD double operator()(index_t, double a, double& root) const {
        const double before = root;
        root = (root + a / root) / 2;
        return root < before ? before - root : root - before;
    }
};
#ifdef __CUDACC__
__global__ void clamp(double* roots, index_t count, double most) {
    const index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count && roots[i] > most) roots[i] = most;
}
#else
void clamp(double* roots, index_t count, double most);
#endif
inline void clamp_on_host(double* roots, index_t count, double most) {
    for (index_t i = 0; i < count; ++i) roots[i] = roots[i] > most ? most : roots[i];
}

inline constexpr struct a : buffer<a, double> {} a;
inline constexpr struct root : buffer<root, double> {} root;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct iterations : scalar<iterations, int> {} iterations;

constexpr auto newton = do_while(seq(transform_reduce(over(a), improve{}, maximum_or_nan{})
                                         (out(change), in(a[each]), inout(root[each])),
                                     assign(iterations, iterations + 1)),
                                 change > 1e-12);
constexpr auto square_roots = seq(assign(iterations, 0),
                                  label("newton", newton),
                                  label("clamp", kernel<clamp, clamp_on_host>(over(root))(inout(root), extent(root), 1e6)));
constexpr auto twice = repeat(2, square_roots);
// [/expression]

// [lowering]
static_assert(is_persistent(square_roots, "newton"));        // the loop is one kernel, with all that is in it
static_assert(is_persistent(square_roots, at<1>));
static_assert(is_persistent(square_roots, calls<improve>));
static_assert(!is_persistent(twice, at<0>));                 // this one holds a __global__ function
static_assert(why_not_persistent(twice, at<0>) == lowering_status::opaque_node);
// [/lowering]
// [sharing]
static_assert(share_kernel(square_roots, calls<improve>, at<3>));  // the reduction and the assign after it, in the loop
static_assert(!share_kernel(square_roots, at<3>, at<4>));
// [/sharing]

// [limits]
// The same in 20 iterations at most, tested after every second.
constexpr auto limited = seq(assign(iterations, 0),
                             label("limited", do_while(seq(transform_reduce(over(a), improve{}, maximum_or_nan{})
                                                               (out(change), in(a[each]), inout(root[each])),
                                                           assign(iterations, iterations + 1)),
                                                       change > 1e-12,
                                                       at_most(20), check_every<2>)));
// [/limits]

// Whether the loop ended as it should, from what simulate returns or an executable tells.
bool ended(const auto& report, ending how) {
    // [report]
    const index_t made = report.iterations("limited");   // iterations of the body
    const index_t met = report.entries("limited");       // how often the loop was entered
    const bool gave_up = report.ended_by("limited") == ending::limit;
    // [/report]
    std::printf("  limited: %td iterations, ended by its %s\n", made, gave_up ? "limit" : "predicate");
    return met == 1 && made % 2 == 0 && gave_up == (how == ending::limit) && (gave_up ? made == 20 : made > 2 && made < 20);
}

bool right(const std::vector<double>& found, const std::vector<double>& of) {
    for (std::size_t i = 0; i < of.size(); ++i)
        if (!(std::fabs(found[i] - std::sqrt(of[i])) < 1e-9)) return false;
    return true;
}

// Follows one element through the iterations, and ends the run when it is good enough.
int watch_one_element(const std::vector<double>& of) {
    std::vector<double> guess(of.size(), 1.0);
    std::vector<double> seen;
    // [stepwise]
    const bool ended = simulate_stepwise(
        square_roots,
        [&](auto const& step) {
            if (!step.is(calls<improve>)) return true;
            seen.push_back(step.span(root)[1]);        // any variable, typed, as it is now
            std::printf("  %.*s (line %u), iteration %td: root[1] = %.12f, change %.1e\n", static_cast<int>(step.where().name.size),
                        step.where().name.data, step.where().line, step.iteration(), step.span(root)[1], step.value(change));
            return step.value(change) > 1e-3;          // false ends the run
        },
        a(std::span(of)), root(std::span(guess)));
    // [/stepwise]
    return !ended && seen.size() > 3 && std::fabs(seen.back() - std::sqrt(of[1])) < 1e-3 ? 0 : 1;
}

bool simulate_roots(const std::vector<double>& of) {
    std::vector<double> guess(of.size(), 1.0);
    simulate(twice, a(std::span(of)), root(std::span(guess)));
    return right(guess, of);
}

// The root of 1e30 is too far for 20 iterations.
bool simulate_limits(const std::vector<double>& of) {
    std::vector<double> guess(of.size(), 1.0), far_guess = {1.0};
    const std::vector<double> far = {1e30};
    return ended(simulate(limited, a(std::span(of)), root(std::span(guess))), ending::predicate) && right(guess, of) &&
           ended(simulate(limited, a(std::span(far)), root(std::span(far_guess))), ending::limit);
}

#ifdef __CUDACC__
using anywhere::array;
using anywhere::succeed;

bool look_on_gpu(const std::vector<double>& of) {
    const array<double> numbers(of.size()), guess(of.size());
    const auto start = [&] {
        for (std::size_t i = 0; i < of.size(); ++i) {
            numbers[i] = of[i];
            guess[i] = 1;
        }
    };
    cudaStream_t stream;
    succeed(cudaStreamCreate(&stream));

    start();
    // [profile]
    const auto times = profile(stream, square_roots, a(numbers.span()), root(guess.span()));
    write_table(std::cout, times);
    const double each_pass = times.of(calls<improve>).median;  // microseconds
    // [/profile]
    bool good = each_pass > 0 && times.of(calls<improve>).calls > 3 && right({guess.data(), guess.data() + of.size()}, of);

    start();
    numbers[3] = -1;  // has no root
    std::string message;
    // [finite]
    try {
        check_finite(stream, square_roots, a(numbers.span()), root(guess.span()));
    } catch (const not_finite_error& problem) {
        message = problem.what();  // names the node, its line, the variable, the element and the iteration
    }
    // [/finite]
    std::printf("%s\n", message.c_str());
    good = good && (message.find("'improve'") != std::string::npos) && (message.find("'root', element 3") != std::string::npos);

    start();
    // [executable]
    auto exec = nvtx::instantiate(square_roots, a(numbers.span()), root(guess.span()));  // a range in Nsight
    exec.upload(stream);        // the first launch has less to do
    exec.disable("clamp");      // not in the launches that follow
    exec.launch(stream);
    exec.enable("clamp");
    write_cuda_dot(exec, "square_roots.dot");
    // [/executable]
    succeed(cudaStreamSynchronize(stream));
    std::remove("square_roots.dot");
    good = good && right({guess.data(), guess.data() + of.size()}, of);

    start();
    auto short_exec = instantiate(limited, a(numbers.span()), root(guess.span()));
    short_exec.launch(stream);
    good = ended(short_exec.loops(), ending::predicate) && good;  // waits for the launch
    succeed(cudaStreamSynchronize(stream));
    good = good && right({guess.data(), guess.data() + of.size()}, of);
    start();
    numbers[0] = 1e30;
    short_exec.launch(stream);
    good = ended(short_exec.loops(), ending::limit) && good;
    succeed(cudaStreamSynchronize(stream));
    succeed(cudaStreamDestroy(stream));
    return good;
}
#endif

void write_plan(const std::string& what) {
    if (what != "json" && what != "dot" && what != "html") throw std::runtime_error("writes json, dot or html, and not '" + what + "'");
    // [write]
    if (what == "json") write_json(std::cout, twice);
    if (what == "dot") write_dot(std::cout, twice);
    // [/write]
    // [page]
    if (what == "html") write_html(std::cout, twice);  // or to std::ofstream("plan.html"); with profile: write_html(to, twice, times)
    // [/page]
}

int check() {
    const std::vector<double> of = {1, 2, 9, 16, 100, 12345};
    if (watch_one_element({1, 2}) != 0 || !simulate_roots(of) || !simulate_limits(of)) return 1;
#ifdef __CUDACC__
    if (anywhere::has_gpu() && !look_on_gpu(of)) return 1;
#endif
    return 0;
}

}  // namespace roots

int main(int argc, char** argv) try {
    if (argc <= 1) return roots::check();
    if (argc > 2) throw std::runtime_error("takes one argument, or none");
    roots::write_plan(argv[1]);
    return 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "inspect: %s\n", problem.what());
    return 1;
}
