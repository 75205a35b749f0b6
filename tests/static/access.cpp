// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace access_test {

struct pair {
    int first, second;
};

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct s : scalar<s, float> {} s;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct A : view<A, pair> {} A;
inline constexpr struct t : temp<t, double> {} t;

// Modes.
static_assert(reads(access_mode::read) && !writes(access_mode::read));
static_assert(!reads(access_mode::write) && writes(access_mode::write));
static_assert(reads(access_mode::read_write) && writes(access_mode::read_write));
static_assert(!reads(access_mode::none) && !writes(access_mode::none));
static_assert((access_mode::read | access_mode::write) == access_mode::read_write);

// Marks say who is used how.
template <class M>
constexpr bool describes(M, argument_form form, access_mode access, const variable_info* variable) {
    return M::describe.form == form && M::describe.access == access && M::describe.variable == variable;
}
static_assert(describes(in(x), argument_form::pointer, access_mode::read, &info_of<struct x>));
static_assert(describes(out(x), argument_form::pointer, access_mode::write, &info_of<struct x>));
static_assert(describes(inout(x), argument_form::pointer, access_mode::read_write, &info_of<struct x>));
static_assert(describes(out(s), argument_form::pointer, access_mode::write, &info_of<struct s>));
static_assert(describes(inout(t), argument_form::pointer, access_mode::read_write, &info_of<struct t>));
static_assert(describes(in(n), argument_form::object, access_mode::read, &info_of<struct n>));
static_assert(describes(out(A), argument_form::object, access_mode::write, &info_of<struct A>));
static_assert(describes(extent(x), argument_form::extent, access_mode::none, &info_of<struct x>));

// How they arrive at a function object.
static_assert(std::is_same_v<in_t<struct x>::parameter, const double*>);
static_assert(std::is_same_v<out_t<struct x>::parameter, double*>);
static_assert(std::is_same_v<inout_t<struct t>::parameter, double*>);
static_assert(std::is_same_v<in_t<struct s>::parameter, reference<const float>>);
static_assert(std::is_same_v<out_t<struct s>::parameter, reference<float>>);
static_assert(std::is_same_v<in_t<struct n>::parameter, int>);
static_assert(std::is_same_v<inout_t<struct A>::parameter, pair>);
static_assert(std::is_same_v<extent_t<struct x>::parameter, index_t>);

// Arguments as users write them: a bare variable is read, anything else is a literal.
static_assert(std::is_same_v<as_argument_t<struct x>, in_t<struct x>>);
static_assert(std::is_same_v<as_argument_t<out_t<struct x>>, out_t<struct x>>);
static_assert(std::is_same_v<as_argument_t<extent_t<struct x>>, extent_t<struct x>>);
static_assert(std::is_same_v<as_argument_t<float>, given<float>>);
static_assert(access_argument<in_t<struct x>> && !access_argument<struct x> && !access_argument<int> && !access_argument<extent_t<struct x>>);

// Literals with state are kept; function objects without are made where they are used.
struct empty {};
struct no_default {
    explicit no_default(int) {}
};
static_assert(describes(given<float>{}, argument_form::kept_value, access_mode::none, nullptr));
static_assert(given<float>::describe.size == bytes_among_parameters(4, 4) && bytes_among_parameters(4, 4) >= sizeof(float));
static_assert(describes(given<empty>{}, argument_form::stateless, access_mode::none, nullptr));
static_assert(std::is_same_v<given<empty>::parameter, made_on_use<empty>>);
static_assert(!is_stateless<no_default> && std::is_same_v<given<no_default>::parameter, no_default>);
static_assert(std::is_same_v<kept_part_t<given<empty>>, nothing> &&
              std::is_same_v<kept_part_t<given<pair>>, pair>);
static_assert(std::is_same_v<kept_part_t<in_t<struct x>>, nothing>);

// Parameters, unwrapped.
static_assert(unwrap(7) == 7);
static_assert(std::is_same_v<decltype(unwrap(reference<const float>{})), const float&>);
static_assert(std::is_same_v<decltype(unwrap(made_on_use<empty>{})), empty>);

}  // namespace access_test
