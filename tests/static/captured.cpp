// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

using namespace cograph;
using namespace cograph::core;

namespace captured_test {

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct work : temp<work, char> {} work;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct factor : value<factor, float> {} factor;
struct pair_of_pointers {
    float* first;
    float* second;
};
inline constexpr struct A : view<A, pair_of_pointers> {} A;

using stream = CUstream_st*;
enum class status { fine, bad };

// How arguments arrive.
struct scale {
    status operator()(stream, const float*, float*, double*, char*, index_t, float, pair_of_pointers, int) const { return status::fine; }
};
constexpr auto scaled = captured(scale{})(in(x), inout(y), out(total), out(work), extent(work), factor, in(A), 3);
static_assert(node_count(scaled) == 1 && reads(scaled, x, y, factor, A) && writes(scaled, y, total, work) && !writes(scaled, x));
static_assert(scaled.tree.traits == &cograph::core::captured_traits && scaled.tree.device_only);
static_assert(scaled.tree.capture == capture_mode::global && !scaled.tree.warms_up);
static_assert(!is_input(scaled, total) && is_input(scaled, y));

// Memory is known by a pointer to void, a pointer that is a value by itself.
inline constexpr struct place_of_more : value<place_of_more, float*> {} place_of_more;
static_assert(std::is_same_v<host_arrival_t<in_t<struct x>>, address_of_memory<const float>> && std::is_same_v<host_arrival_t<out_t<struct total>>, address_of_memory<double>>);
static_assert(std::is_same_v<host_arrival_t<in_t<struct place_of_more>>, float*> && std::is_same_v<read_parameter_t<address_of_memory<const float>>, const float*>);

// A workspace is hidden memory, and no variable.
struct sum {
    int operator()(void*, std::size_t& bytes, const float*, double*, index_t, stream) const {
        bytes = 1;
        return 0;
    }
};
constexpr auto summed = cub_call(sum{})(in(x), out(total), extent(x));
static_assert(node_count(summed) == 1 && reads(summed, x) && writes(summed, total));
static_assert(plan_of<decltype(summed)::self>::view.count.variables == plan_of<decltype(summed)::self>::view.count.named + 1);
constexpr auto by_value = cub_call([](auto... given) { return sum{}(given...); })(in(x), out(total), extent(x));
static_assert(reads(by_value, x) && writes(by_value, total));

// Hazards order captured calls like other nodes; one without memory is ordered against everything.
struct touch {
    void operator()(stream, float*) const {}
};
struct touch_nothing {
    void operator()(stream) const {}
};
constexpr auto ordered_calls = seq(fill(out(x), 1), captured(touch{})(inout(x)), captured(touch{})(inout(y)), captured(touch_nothing{})());
static_assert(has_edge(ordered_calls, at<0>, at<1>) && !ordered(ordered_calls, at<1>, at<2>));
static_assert(has_edge(ordered_calls, at<1>, at<3>) && has_edge(ordered_calls, at<2>, at<3>));

// A loop with a captured call is no persistent kernel.
constexpr auto in_loop = repeat(3, seq(fill(out(x), 1), captured(touch{})(inout(x))));
static_assert(!persists(in_loop.tree) && persists(repeat(3, fill(out(x), 1)).tree));

// What is chosen stays in the type.
constexpr auto chosen = captured(touch{}).mode<capture_mode::relaxed>().warm_up()(inout(x));
static_assert(chosen.tree.capture == capture_mode::relaxed && chosen.tree.warms_up);
static_assert(captured(touch{}).warm_up().mode<capture_mode::thread>()(inout(x)).tree.warms_up);

// With a host implementation.
struct touch_host {
    void operator()(float*) const {}
};
static_assert(!captured(touch{}, touch_host{})(inout(x)).tree.device_only);

// Mistakes.
struct gives_double {
    double operator()(stream, float*) const { return 0; }
};
struct gives_bool {
    bool operator()(stream, float*) const { return true; }
};
struct writes_view {
    void operator()(stream, pair_of_pointers) const {}
};
static_assert(diagnose<decltype(captured(touch{})(x))> == access_is_not_declared<touch, struct x>{});
static_assert(diagnose<decltype(captured(writes_view{})(A))> == access_is_not_declared<writes_view, struct A>{});
static_assert(diagnose<decltype(captured(touch{})(inout(x[each])))> == host_code_takes_all_elements<touch, each_of<inout_t<struct x>>>{});
static_assert(diagnose<decltype(captured(touch{})(in(x)))> == argument_is_only_read<touch, struct x>{});
static_assert(diagnose<decltype(captured(touch{})(in(x), in(y)))> ==
              function_cannot_be_called<touch, called_with<in_t<struct x>, in_t<struct y>>, arriving_as<stream, const float*, const float*>>{});
static_assert(diagnose<decltype(captured(touch{}, touch{})(inout(x)))> ==
              function_cannot_be_called<touch, called_with<inout_t<struct x>>, arriving_as<float*>>{});
static_assert(diagnose<decltype(captured(gives_double{})(inout(x)))> == result_is_no_status<gives_double, double>{});
static_assert(diagnose<decltype(captured(gives_bool{})(inout(x)))> == result_is_no_status<gives_bool, bool>{});
static_assert(diagnose<decltype(captured(writes_view{}).warm_up()(inout(A)))> == warm_up_cannot_restore<writes_view, struct A>{});
static_assert(diagnose<decltype(captured(writes_view{}).warm_up()(in(A)))> == fine{});
#ifndef __CUDA_ARCH__  // what is bound is checked once, for the host
static_assert(diagnose<decltype(simulate(scaled))> != fine{});
#endif

}  // namespace captured_test
