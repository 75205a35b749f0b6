// SPDX-License-Identifier: Apache-2.0
// reason: too_many_parameters
// row: `too_many_parameters` of `host`
// expect: too_many_parameters<takes_any, takes_parameters<249>, limit_is<248>>
// expect: pass_several_in_one_struct
#include "names.hpp"

struct takes_any {
    template <class... T>
    void operator()(const T&...) const {}
};
template <int... I>
auto of(std::integer_sequence<int, I...>) {
    return host(takes_any{})((void(I), n)...);  // here
}
const auto wrong = of(std::make_integer_sequence<int, 249>{});
