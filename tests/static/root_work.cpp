// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

using namespace cograph;
using namespace cograph::reason;

namespace root_work_test {

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct n : scalar<n, int> {} n;
inline constexpr struct done : value<done, CUevent_st*> {} done;
inline constexpr struct number : value<number, int> {} number;

struct note {
    void operator()(const float*, float*, int) const {}
};
struct nothing {
    void operator()() const {}
};
constexpr auto work = host(note{})(in(x), out(y), 3);
static_assert(work.tree.traits == &cograph::core::host_work_traits && !work.tree.device_only && reads(work, x) && writes(work, y) && !writes(work, x));

// A record, a wait or a barrier is ordered against everything, unless it is told of what.
constexpr auto around = seq(fill(out(x), 1), fill(out(y), 1), barrier(), fill(out(x), 2), fill(out(y), 2));
static_assert(node_count(around) == 5 && has_edge(around, at<0>, at<2>) && has_edge(around, at<1>, at<2>));
static_assert(has_edge(around, at<2>, at<3>) && has_edge(around, at<2>, at<4>) && !has_edge(around, at<0>, at<3>));

constexpr auto after_all = seq(fill(out(x), 1), fill(out(y), 1), record(done), fill(out(y), 2));
static_assert(has_edge(after_all, at<0>, at<2>) && has_edge(after_all, at<1>, at<2>) && has_edge(after_all, at<2>, at<3>));
constexpr auto behind_x = seq(fill(out(x), 1), fill(out(y), 1), record(done)(in(x)), fill(out(y), 2), wait(done)(out(y)), fill(out(x), 3));
static_assert(has_edge(behind_x, at<0>, at<2>) && !ordered(behind_x, at<1>, at<2>) && !ordered(behind_x, at<2>, at<3>));
static_assert(has_edge(behind_x, at<3>, at<4>) && !ordered(behind_x, at<2>, at<4>) && has_edge(behind_x, at<2>, at<5>));
static_assert(reads(behind_x, done));
// Behind those that read x, too, where it is marked inout; x stays what it is.
constexpr auto read_twice = seq(copy(in(x), out(y)), record(done)(in(x)), copy(in(x), out(y)));
static_assert(!ordered(read_twice, at<0>, at<1>) && !ordered(read_twice, at<1>, at<2>));
constexpr auto over_with_x = seq(copy(in(x), out(y)), record(done)(inout(x)), fill(out(y), 1), copy(in(x), out(y)));
static_assert(has_edge(over_with_x, at<0>, at<1>) && !ordered(over_with_x, at<1>, at<2>) && has_edge(over_with_x, at<1>, at<3>));
static_assert(!writes(over_with_x, x) && !is_output(over_with_x, x) && is_input(over_with_x, x) && is_input(record(done)(inout(n)), n));
// What others write is no temp; nor does a wait end what a temp holds.
inline constexpr struct t : temp<t, float, struct x> {} t;
inline constexpr struct u : temp<u, float, struct x> {} u;
constexpr auto read_after = seq(wait(done)(out(x)), copy(in(x), out(y)));
static_assert(has_edge(read_after, at<0>, at<1>) && has_edge(seq(wait(done)(inout(x)), copy(in(x), out(y))), at<0>, at<1>));
static_assert(!is_input(read_after, x) && is_input(seq(wait(done)(out(t)), copy(in(t), out(x))), t));
static_assert(is_input(seq(wait(done)(out(n)), fill(out(x), n)), n) && !is_input(seq(assign(n, 1), wait(done)(out(n)), fill(out(x), n)), n));
constexpr auto held = seq(fill(out(t), 1), fill(out(u), 2), copy(in(u), out(y)), wait(done)(out(t)), copy(in(t), out(x)));
static_assert(!is_input(held, t) && !may_alias(held, t, u));

constexpr CUevent_st* none = nullptr;
static_assert(record(none).tree.traits == &cograph::core::record_event::traits && wait(none)(out(x)).tree.traits == &cograph::core::wait_for_event::traits);

// In bodies: barriers, but nothing that the host or other streams have a part in.
constexpr auto down = core::assign(n, n - 1);
static_assert(node_count(loop_while(n > 0, seq(down, barrier(), fill(out(x), 1)))) == 6);
static_assert(!core::persists(loop_while(n > 0, seq(down, barrier())).tree));
static_assert(diagnose<decltype(loop_while(n > 0, seq(down, work)))> == host_work_is_in_a_body<note>{});
static_assert(diagnose<decltype(do_while(seq(down, par(fill(out(x), 1), record(done)(in(y)))), n > 0))> == event_is_in_a_body<core::record_event>{});
static_assert(diagnose<decltype(repeat(3, wait(done)))> == event_is_in_a_body<core::wait_for_event>{});
static_assert(diagnose<decltype(repeat<3>(wait(done)))> == event_is_in_a_body<core::wait_for_event>{});
static_assert(diagnose<decltype(when(n > 0, down, otherwise(seq(down, host(nothing{})()))))> == host_work_is_in_a_body<nothing>{});
static_assert(diagnose<decltype(switch_on(n, down, down, record(done)))> == event_is_in_a_body<core::record_event>{});

// Mistakes.
struct gives_int {
    int operator()() const { return 0; }
};
static_assert(diagnose<decltype(host(gives_int{})())> == host_work_returns_something<gives_int, int>{});
static_assert(diagnose<decltype(host(note{})(x, out(y), 3))> == access_is_not_declared<note, struct x>{});
static_assert(diagnose<decltype(host(note{})(in(x), in(y), 3))> != fine{});
static_assert(diagnose<decltype(record(number))> == arguments_are_not_those_of<core::record_event, struct number>{});
static_assert(diagnose<decltype(wait(3.5))> == arguments_are_not_those_of<core::wait_for_event, double>{});
static_assert(diagnose<decltype(record(done)(x))> == arguments_are_not_those_of<core::record_event, struct x>{});
static_assert(diagnose<decltype(record(done)(out(t)))> == record_writes_nothing<struct t>{});
static_assert(diagnose<decltype(record(done)(in(y), out(x)))> == record_writes_nothing<struct x>{});
static_assert(diagnose<decltype(wait(none)(in(x)))> == wait_lets_reads_pass<struct x>{});
static_assert(diagnose<decltype(wait(done)(out(y), inout(n), in(x)))> == wait_lets_reads_pass<struct x>{});
static_assert(diagnose<decltype(seq(host(note{})))> == arguments_are_missing<note>{});

// Copies between host and device, and of boxes.
inline constexpr struct h : host_buffer<h, float> {} h;
inline constexpr struct p : pinned_buffer<p, float> {} p;
inline constexpr struct d : buffer<d, double> {} d;
inline constexpr struct region : value<region, box> {} region;
constexpr auto there_and_back = seq(copy(in(h), out(x)), fill(out(y), 1), copy(in(x), out(p)));
static_assert(node_count(there_and_back) == 3 && edge_count(there_and_back) == 1 && is_input(there_and_back, h) && is_output(there_and_back, p));
static_assert(copy(in(h), out(x)).tree.traits->copies_memory && copy(in(x), out(y)).tree.traits->is_kernel);
constexpr auto part = copy(in(x), inout(y), box{.width = 3, .height = 2, .to_pitch = 8});
static_assert(part.tree.traits->copies_memory && reads(part, y) && writes(part, y) && !reads(copy(in(x), out(y), box{}), y));
static_assert(reads(copy(in(p), out(y), region), region));
static_assert(copy(in(x), out(y), {.width = 3, .depth = 2}).tree.traits->copies_memory);
static_assert(!core::persists(repeat(2, part).tree));

static_assert(diagnose<decltype(repeat(2, copy(in(x), out(p))))> == fine{} && diagnose<decltype(repeat(2, part))> == fine{});
static_assert(diagnose<decltype(repeat(2, copy(in(x), out(h))))> == pageable_copy_is_in_a_body<core::copy_memory>{});
static_assert(diagnose<decltype(repeat(2, copy(in(h), inout(y), box{})))> == pageable_copy_is_in_a_body<core::copy_memory>{});
static_assert(diagnose<decltype(copy(in(h), out(d)))> == copied_elements_differ<struct h, struct d>{});
static_assert(diagnose<decltype(copy(in(x), out(d)))> == copied_elements_differ<struct x, struct d>{});
static_assert(diagnose<decltype(copy(in(x), out(d), box{}))> == copied_elements_differ<struct x, struct d>{});
static_assert(diagnose<decltype(copy(in(x), out(y), 3))> != fine{} && diagnose<decltype(copy(in(x), out(y), number))> != fine{});

// Only host code and copies take host memory.
struct touch {
    void operator()(index_t, const float*) const {}
};
static_assert(diagnose<decltype(for_each(over(x), touch{})(in(h)))> == device_code_takes_host_memory<touch, struct h>{});
static_assert(diagnose<decltype(single_task(touch{})(3, in(p)))> == device_code_takes_host_memory<touch, struct p>{});
static_assert(diagnose<decltype(fill(out(h), 1))> != fine{} && diagnose<decltype(reduce(out(n), in(h)))> != fine{});
static_assert(diagnose<decltype(host(note{})(in(h), out(p), 3))> == fine{});
static_assert(writes(for_each(over(x), touch{})(in(x)), x) == false && reads(single_task(touch{})(extent(h), in(x)), x));

// A graph reads pageable memory at launch: what the expression writes itself must be pinned.
struct make_values {
    void operator()(float*) const {}
};
#ifndef __CUDA_ARCH__  // what is bound is checked once, for the host
constexpr auto stale = seq(host(make_values{})(out(h)), copy(in(h), out(x)));
constexpr auto stale_next_time = seq(copy(in(h), out(x)), fill(out(x), 1), copy(in(x), out(h)));
constexpr auto in_its_turn = seq(host(make_values{})(out(p)), copy(in(p), out(x)), copy(in(x), out(h)), host(note{})(in(h), out(p), 3));
// A captured call may copy what it reads.
struct enqueue {
    void operator()(CUstream_st*, const float*, float*) const {}
};
struct enqueue_one {
    void operator()(CUstream_st*, float*) const {}
};
struct on_host {
    void operator()(const float*, float*) const {}
    void operator()(float*) const {}
};
constexpr auto stale_call = seq(host(make_values{})(out(h)), captured(enqueue{}, on_host{})(in(h), out(x)));
constexpr auto fresh_call = seq(captured(enqueue{}, on_host{})(in(p), out(h)), captured(enqueue{}, on_host{})(in(x), out(h)));
constexpr auto own_memory = captured(enqueue_one{}, on_host{})(inout(h));  // a part of it is written
constexpr auto own_in_bodies = when(n > 0, own_memory);
constexpr auto own_in_passes = loop_while(n > 0, seq(down, own_memory), check_every<2>);
constexpr auto stale_in_bodies = when(n > 0, seq(own_memory, own_memory));
inline float memory[4];
static_assert(diagnose<decltype(simulate(stale_call, h(memory), x(memory)))> == pageable_memory_is_read_at_launch<struct h>{});
static_assert(diagnose<decltype(simulate(fresh_call, h(memory), x(memory), p(memory)))> == fine{});
static_assert(diagnose<decltype(simulate(own_memory, h(memory)))> == fine{});
inline int left[1];
static_assert(diagnose<decltype(simulate(own_in_bodies, h(memory), n(left)))> == fine{});
static_assert(diagnose<decltype(simulate(own_in_passes, h(memory), n(left)))> == fine{});
static_assert(diagnose<decltype(simulate(stale_in_bodies, h(memory), n(left)))> == pageable_memory_is_read_at_launch<struct h>{});
static_assert(diagnose<decltype(simulate(stale, h(memory), x(memory)))> == pageable_memory_is_read_at_launch<struct h>{});
static_assert(diagnose<decltype(simulate(stale_next_time, h(memory), x(memory)))> == pageable_memory_is_read_at_launch<struct h>{});
static_assert(diagnose<decltype(simulate(in_its_turn, h(memory), x(memory), p(memory)))> == fine{});
#endif

}  // namespace root_work_test
