// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

#include <cograph/run/callable/arguments.hpp>

#include <array>

// What a call that replays a graph may be given, and what is wrong with other calls. Who calls is asked, without a callable.
namespace {

using namespace cograph::core;
using namespace cograph::reason;

template <class... M, class... A>
constexpr auto of_call(argument_list<M...> takes, A&&...) {
    return diagnose_call(takes, list<A...>{});
}
template <class... A>
constexpr auto of_call_with(A&&... given) {
    return decltype(of_call(arguments(in(x), in(tol), out(y)), static_cast<A&&>(given)...)){};
}

static_assert(diagnose<decltype(arguments(in(x), out(z)))> == temp_is_no_argument_of_a_call<struct z>{});
static_assert(diagnose<decltype(arguments(x, in(t), out(z)))> == temp_is_no_argument_of_a_call<struct t>{});
static_assert(diagnose<decltype(arguments(in(x), z))> == arguments_of_a_call_are_marked<in_t<struct x>, struct z>{});

using numbers = std::span<float>;
struct stream_of_library {
    operator stream_handle() const { return nullptr; }
};
stream_handle stream{};

// Whatever a span of the elements can be made of, and what converts to a value.
static_assert(is_fine<decltype(of_call_with(stream, numbers(), 1.0f, numbers()))>);
static_assert(is_fine<decltype(of_call_with(stream_of_library(), std::span<const float>(), 1, numbers()))>);
static_assert(is_fine<decltype(of_call_with(0, owner, 1.0, owner))>);
static_assert(is_fine<decltype(of_call_with(nullptr, constants, true, memory))>);
static_assert(is_fine<decltype(of_call_with(stream, std::array<float, 3>(), 1, std::declval<std::array<float, 3>&>()))>);
static_assert(is_fine<decltype(of_call(argument_list<>{}, stream))>);

static_assert(of_call_with(numbers(), 1.0f, numbers()) == stream_is_missing<callable_call>{});
static_assert(of_call_with() == stream_is_missing<callable_call>{});
static_assert(of_call_with(stream, numbers(), numbers()) ==
              argument_count_differs<call_after_its_stream<struct x, struct tol, struct y>, takes_parameters<3>, given_arguments<2>>{});
static_assert(of_call_with(stream, numbers(), 1.0f, std::span<double>()) == elements_differ<struct y, holds_elements_of<float>, bound_to<double>>{});
static_assert(of_call_with(stream, std::span<const int>(), 1.0f, numbers()) ==
              elements_differ<struct x, holds_elements_of<float>, bound_to<const int>>{});
static_assert(of_call_with(stream, numbers(), "two", numbers()) == value_does_not_convert<struct tol, is_of_type<float>, bound_to<char[4]>>{});
static_assert(of_call_with(stream, numbers(), 1.0f, constants) == bound_memory_is_const<struct y>{});
static_assert(of_call_with(stream, numbers(), 1.0f, std::vector<float>()) == container_owns_memory<struct y, std::vector<float>>{});
static_assert(of_call_with(stream, memory + 0, 1.0f, numbers()) == count_is_missing<struct x, float*>{});
static_assert(of_call_with(stream, 3, 1.0f, numbers()) == not_contiguous_memory<struct x, int>{});
static_assert(of_call_with(stream, 3, "two", numbers()) ==
              several<not_contiguous_memory<struct x, int>, value_does_not_convert<struct tol, is_of_type<float>, bound_to<char[4]>>>{});

template <class... A>
constexpr auto of_sum_with(A&&... given) {
    return decltype(of_call(arguments(in(x), out(s)), static_cast<A&&>(given)...)){};
}
static_assert(is_fine<decltype(of_sum_with(stream, numbers(), numbers()))>);
static_assert(of_sum_with(stream, numbers(), memory + 0) == scalar_needs_a_span<struct s, float*>{});
static_assert(of_sum_with(stream, numbers(), 1.0f) == scalar_needs_a_span<struct s, float>{});
static_assert(of_sum_with(stream, numbers(), std::span<double>()) == elements_differ<struct s, holds_elements_of<float>, bound_to<double>>{});

// A variable is one argument, however it is marked; a pair's two calls may both have it.
// [variable_is_an_argument_twice]
constexpr auto once = arguments(in(x), in(tol), out(y));
// [/variable_is_an_argument_twice]
static_assert(std::is_same_v<decltype(once), const argument_list<core::in_t<struct x>, core::in_t<struct tol>, core::out_t<struct y>>>);
template <class... M>
constexpr auto of_arguments(M...) {
    return diagnose_arguments<M...>();
}
static_assert(is_fine<decltype(of_arguments())>);
static_assert(of_arguments(in(x), in(x), out(y)) == variable_is_an_argument_twice<struct x>{});
static_assert(of_arguments(in(x), out(x)) == variable_is_an_argument_twice<struct x>{});
static_assert(of_arguments(inout(y), in(tol), out(y), in(tol), out(y)) == variable_is_an_argument_twice<struct y, struct tol>{});
static_assert(of_arguments(in(x), x, in(x)) == arguments_of_a_call_are_marked<core::in_t<struct x>, struct x, core::in_t<struct x>>{});

// What is marked out is written on every path.
template <class E, class... M, class... B>
constexpr auto of_callable(E, argument_list<M...> takes, B...) {
    return diagnose_callable<typename E::self>(takes, list<B...>{});
}
constexpr auto sometimes = when(s > 0, fill(out(x), 7));
static_assert(of_callable(sometimes, arguments(in(s), out(x)), s(memory), x(memory, 8)) == argument_may_stay_unwritten<struct x>{});
static_assert(is_fine<decltype(of_callable(sometimes, arguments(in(s), inout(x)), s(memory), x(memory, 8)))>);
static_assert(is_fine<decltype(of_callable(seq(fill(out(x), 1), sometimes), arguments(in(s), out(x)), s(memory), x(memory, 8)))>);
static_assert(is_fine<decltype(of_callable(when(s > 0, fill(out(x), 7), otherwise(copy(in(y), out(x)))), arguments(in(s), out(x)), s(memory), x(memory, 8),
                                           y(memory, 8)))>);
static_assert(of_callable(repeat(3, fill(out(x), 1)), arguments(out(x)), x(memory, 8)) == argument_may_stay_unwritten<struct x>{});
static_assert(is_fine<decltype(of_callable(do_while(seq(fill(out(x), 1), reduce(out(s), in(x))), s > 0), arguments(out(x)), x(memory, 8)))>);
static_assert(of_callable(reduce(out(s), in(x)), arguments(out(x)), x(memory, 8)) == argument_is_read<struct x>{});
static_assert(of_callable(for_each(over(x), twice{})(inout(x[each])), arguments(in(x)), x(memory, 8)) == argument_is_written<struct x>{});

static_assert(has_static_memory<struct x, core::in_t<struct x>, core::in_t<struct tol>>);
static_assert(!has_static_memory<struct y, core::in_t<struct x>, core::in_t<struct tol>>);
static_assert(!has_static_memory<struct tol, core::in_t<struct x>, core::in_t<struct tol>>);
static_assert(!has_static_memory<int, core::in_t<struct x>>);

}  // namespace
