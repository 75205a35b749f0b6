// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include "../library_programs.hpp"

#include <cograph/decided_by.hpp>
#include <cograph/host_driven.hpp>
#include <cograph/libraries/nccl.hpp>

#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif
KERNEL void look_at_sum(const float*, unsigned long long);
#undef KERNEL
int look_at_sum_on_host(const float*);

// Calls of libraries: what they touch, what they are called, and right ones beside those that must not compile.
namespace {

inline constexpr struct matrix : buffer<matrix, float> {} matrix;
inline constexpr struct waves : buffer<waves, std::complex<float>> {} waves;
inline constexpr struct numbers : buffer<numbers, int> {} numbers;

// [elements_of_a_call_differ]
constexpr auto of_floats = blas::gemv(out(y), in(matrix), in(x));
// [/elements_of_a_call_differ]

// [library_has_no_such_elements]
constexpr auto norm = blas::nrm2(out(s), in(x));
// [/library_has_no_such_elements]

// [result_is_read_too]
constexpr auto added = blas::gemv(inout(y), in(matrix), in(x), 1, tol);
// [/result_is_read_too]

// [input_is_overwritten]
constexpr auto real_again = fft::inverse(out(x), inout(waves));
// [/input_is_overwritten]

static_assert(node_count(of_floats) == 1 && reads(of_floats, matrix, x) && writes(of_floats, y) && !reads(of_floats, y));
static_assert(reads(added, matrix, x, y, tol) && writes(added, y) && !writes(added, x));
static_assert(writes(real_again, x, waves) && reads(real_again, waves));
static_assert(norm.tree.capture == capture_mode::thread && !norm.tree.device_only && !norm.tree.warms_up);

// The plan orders them by what they touch; their workspaces are hidden.
constexpr auto order = seq(blas::gemv(out(y), in(matrix), in(x)), blas::axpy(inout(z), in(x)), blas::axpy(inout(y), in(z), in(s)));
static_assert(has_edge(order, at<0>, at<2>) && has_edge(order, at<1>, at<2>) && !ordered(order, at<0>, at<1>) && reads(order, s));

// What a call takes.
template <class Call>
constexpr bool fine_call = expression<Call>;
static_assert(fine_call<decltype(blas::gemm(inout(y), blas::transposed(in(x)), in(matrix), n, 2.5))>);
static_assert(fine_call<decltype(blas::batched_gemm(out(y), in(x), in(matrix), n))> && fine_call<decltype(blas::batched_gemm(out(y), in(x), in(matrix), extent(x) / 2))>);
static_assert(fine_call<decltype(fft::forward(out(waves), in(x), n, 4))> && fine_call<decltype(fft::forward(inout(waves)))>);
static_assert(diagnose<decltype(blas::axpy(out(y), in(x)))> == reason::result_is_read_too<struct blas::axpy, struct y>{});
static_assert(diagnose<decltype(blas::axpy(inout(y), in(x), in(d)))> != reason::fine{});
static_assert(diagnose<decltype(blas::dot(out(y), in(x), in(x)))> != reason::fine{} && diagnose<decltype(blas::dot(out(s), in(x)))> != reason::fine{});
static_assert(diagnose<decltype(fft::forward(out(x), in(waves)))> == reason::elements_of_a_call_differ<struct fft::forward, struct x, struct waves>{});
static_assert(diagnose<decltype(fft::inverse(out(numbers), inout(waves)))> == reason::library_has_no_such_elements<struct fft::inverse, struct numbers>{});
static_assert(diagnose<decltype(fft::forward(out(waves), in(x), 1, 2, 3, 4))> != reason::fine{});

// Collectives take a communicator, which is a value, and memory of any length.
inline constexpr struct world : value<world, nccl::communicator> {} world;
constexpr auto summed = nccl::all_reduce(world, out(u), in(s));
static_assert(reads(summed, world, s) && writes(summed, u) && summed.tree.warms_up && summed.tree.capture == capture_mode::thread);
// Whether a body may hold a collective is said by the type of its communicator.
inline constexpr struct far : value<far, nccl::network_communicator> {} far;
// [collective_is_in_a_body]
constexpr auto in_one_machine = do_while(seq(reduce(out(s), in(x)), nccl::all_reduce(world, out(u), in(s))), u > 1);
constexpr auto driven_by_the_host = do_while(seq(reduce(out(s), in(x)), nccl::all_reduce(far, out(u), in(s))), u > 1);  // with host_driven.hpp
// [/collective_is_in_a_body]
static_assert(!is_host_driven(in_one_machine, at<0>) && is_host_driven(driven_by_the_host, at<0>));
inline constexpr struct parts : value<parts, nccl::slices> {} parts;
constexpr auto dealt = nccl::all_to_all(world, out(y), in(x), parts);
static_assert(reads(dealt, world, parts, x) && writes(dealt, y) && !reads(dealt, y) && dealt.tree.warms_up);
static_assert(diagnose<decltype(nccl::all_to_all(world, out(y), in(x)))> != reason::fine{} && diagnose<decltype(nccl::all_to_all(world, out(y), in(x), n))> != reason::fine{});
static_assert(diagnose<decltype(nccl::all_to_all(world, out(d), in(x), parts))> == reason::elements_of_a_call_differ<struct nccl::all_to_all, struct d, struct x>{});
constexpr auto halos = nccl::exchange(world, nccl::to(in(x), n), nccl::from(inout(y), n));
static_assert(reads(halos, x, y, n) && writes(halos, y) && !writes(halos, x));
static_assert(fine_call<decltype(nccl::all_gather(world, out(y), in(s)))> && fine_call<decltype(nccl::reduce_scatter(world, out(y), in(x), core::minimum{}))>);
static_assert(fine_call<decltype(nccl::broadcast(world, inout(x), 0))> && fine_call<decltype(nccl::send(world, in(x), n))>);
static_assert(diagnose<decltype(nccl::all_reduce(world, out(d), in(x)))> == reason::elements_of_a_call_differ<struct nccl::all_reduce, struct d, struct x>{});
static_assert(diagnose<decltype(nccl::receive(world, out(x), 0))> != reason::fine{} && diagnose<decltype(nccl::from(out(x), 0))> != reason::fine{});
static_assert(fine_call<decltype(nccl::agree(world, in(i), "loop"))> && diagnose<decltype(nccl::agree(world, in(x), "loop"))> != reason::fine{});
static_assert(diagnose<decltype(nccl::exchange(world))> != reason::fine{} && diagnose<decltype(nccl::broadcast(world, out(x), 0))> != reason::fine{});

// Whether all ranks decide a loop or branch with collectives alike, as far as the plan sees: the variable that they may not.
template <expression E>
constexpr bool may_differ(E const&) {
    return core::first_own_decision(core::plan_of<E>::view).variable >= 0;
}
constexpr auto own_sum = reduce(out(s), in(x));
constexpr auto sum_of_all = nccl::all_reduce(world, out(u), in(s));
constexpr auto halo = nccl::exchange(world, nccl::to(in(x), n), nccl::from(inout(y), n));
static_assert(!may_differ(do_while(seq(own_sum, sum_of_all), u > 1)) && may_differ(do_while(seq(own_sum, sum_of_all), s > 1)));
static_assert(may_differ(do_while(seq(own_sum, halo), s > 1)) && !may_differ(do_while(own_sum, s > 1)));
static_assert(!may_differ(seq(do_while(own_sum, s > 1), halo)));  // nobody waits in that loop
// What is computed from the same is the same; what is added to a rank's own is its own.
static_assert(!may_differ(do_while(seq(own_sum, sum_of_all, assign(i, i + 1), assign(s, u / 2)), s > i)));
static_assert(may_differ(do_while(seq(own_sum, sum_of_all, assign(u, u + s)), u > 1)));
// Gathered memory is the same, scattered memory is not.
static_assert(!may_differ(do_while(seq(nccl::all_gather(world, out(y), in(x)), reduce(out(s), in(y))), s > 1)));
static_assert(may_differ(do_while(seq(nccl::reduce_scatter(world, out(y), in(x), core::plus{}), reduce(out(s), in(y))), s > 1)));
static_assert(!may_differ(seq(nccl::broadcast(world, inout(x), 0), do_while(seq(own_sum, sum_of_all), s > 1))));
// A second iteration reads what the first has written, a while loop tests before it, and branches decide, too.
static_assert(may_differ(loop_while(i > 1, seq(halo, assign(i, u), own_sum, assign(u, s)))));
static_assert(may_differ(seq(own_sum, loop_while(s > 1, seq(nccl::all_reduce(world, inout(s), in(u)))))) && may_differ(seq(own_sum, when(s > 1, halo))));
static_assert(!may_differ(seq(own_sum, when(s > 1, fill(out(x), 0)), halo)));
// So do many iterations, one after another, and what a branch or loop writes that ranks decide by their own.
inline constexpr struct last : scalar<last, double> {} last;
constexpr auto one_after_another = do_while(seq(halo, assign(last, i), assign(i, u), own_sum, assign(u, s)), last > 1);
static_assert(may_differ(one_after_another));
static_assert(may_differ(do_while(seq(own_sum, when(s > 1, assign(i, 1)), halo), i > 1)) && !may_differ(do_while(seq(own_sum, when(s > 1, assign(last, 1)), halo, assign(i, i + 1)), i > 1)));
static_assert(may_differ(do_while(seq(own_sum, do_while(seq(own_sum, assign(i, i + 1)), s > 1), halo), i > 1)));
static_assert(!may_differ(do_while(seq(own_sum, when(s > 1, assign(u, 1)), nccl::broadcast(world, inout(u), 0)), u > 1)));
// A comparison of all ranks stands for what the plan cannot see.
static_assert(!may_differ(do_while(seq(own_sum, nccl::agree(world, in(s), "sum"), halo), s > 1)));

// A kernel that decides counts as its arguments do, in loops and branches.
template <class V>
constexpr auto by_kernel(V of) {
    return decided_by<look_at_sum, look_at_sum_on_host>(grid(1))(in(of), conditional_handle);
}
static_assert(may_differ(do_while(seq(own_sum, sum_of_all), by_kernel(s))) && !may_differ(do_while(seq(own_sum, sum_of_all), by_kernel(u))));
static_assert(may_differ(do_while(seq(own_sum, sum_of_all), by_kernel(x))) && !may_differ(do_while(own_sum, by_kernel(x))));
static_assert(may_differ(seq(own_sum, when(by_kernel(s), sum_of_all))) && may_differ(seq(own_sum, loop_while(by_kernel(s), sum_of_all))));
static_assert(!may_differ(do_while(seq(own_sum, nccl::agree(world, in(s), "sum"), sum_of_all), by_kernel(s))));

// [ranks_decide_by_their_own]
constexpr auto decided_by_all = do_while(seq(reduce(out(s), in(x)), nccl::all_reduce(world, out(u), in(s))), u > 1.0);
// [/ranks_decide_by_their_own]
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(do_while(seq(own_sum, sum_of_all), s > 1), x(memory), world(nccl::communicator{})))> == reason::ranks_decide_by_their_own<struct s>{});
#endif
static_assert(node_count(decided_by_all) > 3);

}  // namespace
