// SPDX-License-Identifier: Apache-2.0
// reason: too_many_parameters
// row: `too_many_parameters` of `make_callable`
// expect: too_many_parameters<takes_any, takes_parameters<250>, limit_is<248>>
// expect: pass_several_in_one_struct
#include <cograph/callable.cuh>

using namespace cograph;

struct takes_any {
    template <class... T>
    void operator()(cudaStream_t, const T&...) const {}
};
template <std::size_t... I>
void make(std::span<float> example, std::index_sequence<I...>) {
    make_callable(takes_any{}, {}, (void(I), example)...);  // here
}
template void make(std::span<float>, std::make_index_sequence<125>);
