// SPDX-License-Identifier: Apache-2.0
#include "../reject/names.hpp"

// What is wrong with variables and their bindings, without failing a build, and the same done right; docs/errors quotes it.
namespace {

using namespace cograph::reason;

[[maybe_unused]] void unbound_variable_right() {
    // [unbound_variable]
    simulate(copy(in(x), out(y)), x(memory), y(more_memory));
    // [/unbound_variable]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(copy(in(x), out(y)), x(memory)))> == unbound_variable<struct y>{});
#endif

[[maybe_unused]] void variable_bound_twice_right() {
    // [variable_bound_twice]
    simulate(copy(in(x), out(y)), x(memory), y(more_memory));
    // [/variable_bound_twice]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(copy(in(x), out(y)), x(memory), y(more_memory), x(memory)))> ==
              variable_bound_twice<struct x>{});
#endif

[[maybe_unused]] void unknown_variable_right() {
    // [unknown_variable]
    simulate(for_each(over(x), axpy{})(tol, x[each], inout(y[each])), x(memory), y(more_memory), tol(1.0f));
    // [/unknown_variable]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(copy(in(x), out(y)), x(memory), y(more_memory), tol(1.0f)))> ==
              unknown_variable<struct tol>{});
#endif

[[maybe_unused]] void bound_memory_is_const_right() {
    // [bound_memory_is_const]
    simulate(copy(in(x), out(y)), x(constants), y(memory));
    // [/bound_memory_is_const]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(copy(in(x), out(y)), x(memory), y(constants)))> ==
              bound_memory_is_const<struct y>{});
#endif

[[maybe_unused]] void not_a_binding_right() {
    // [not_a_binding]
    simulate(copy(in(x), out(y)), x(memory), y(more_memory));
    // [/not_a_binding]
}
#ifndef __CUDA_ARCH__
static_assert(diagnose<decltype(simulate(copy(in(x), out(y)), x(memory), more_memory))> ==
              not_a_binding<float*>{});
#endif

[[maybe_unused]] void elements_differ_right() {
    // [elements_differ]
    simulate(fill(out(x), 1), x(memory));
    // [/elements_differ]
}
static_assert(diagnose<decltype(d(memory))> ==
              elements_differ<struct d, holds_elements_of<double>, bound_to<float>>{});

[[maybe_unused]] void container_owns_memory_right() {
    // [container_owns_memory]
    simulate(fill(out(x), 1), x(std::span(owner)));
    // [/container_owns_memory]
}
static_assert(diagnose<decltype(x(owner))> == container_owns_memory<struct x, std::vector<float>>{});

[[maybe_unused]] void count_is_missing_right() {
    // [count_is_missing]
    simulate(fill(out(x), 1), x(&memory[0], 16));
    // [/count_is_missing]
}
static_assert(diagnose<decltype(x(&memory[0]))> == count_is_missing<struct x, float*>{});

[[maybe_unused]] void not_contiguous_memory_right() {
    // [not_contiguous_memory]
    simulate(fill(out(x), 1), x(memory));
    // [/not_contiguous_memory]
}
static_assert(diagnose<decltype(x(3))> == not_contiguous_memory<struct x, int>{});

[[maybe_unused]] void not_bound_like_this_right() {
    // [not_bound_like_this]
    simulate(fill(out(x), 1), x(&memory[0], 16));
    // [/not_bound_like_this]
}
static_assert(diagnose<decltype(x(16, &memory[0]))> == not_bound_like_this<struct x, int, float*>{});

[[maybe_unused]] void scalar_needs_a_pointer_right() {
    // [scalar_needs_a_pointer]
    simulate(assign(s, 3), s(&memory[0]));
    // [/scalar_needs_a_pointer]
}
static_assert(diagnose<decltype(s(3.0f))> == scalar_needs_a_pointer<struct s, float>{});

[[maybe_unused]] void value_does_not_convert_right() {
    // [value_does_not_convert]
    simulate(fill(out(x), tol), x(memory), tol(0.5f));
    // [/value_does_not_convert]
}
static_assert(diagnose<decltype(tol(&memory[0]))> ==
              value_does_not_convert<struct tol, is_of_type<float>, bound_to<float*>>{});

[[maybe_unused]] void not_trivially_copyable_right() {
    // [not_trivially_copyable]
    simulate(single_task(first_of{})(in(A), out(s)), A(csr{memory, 16}), s(&more_memory[0]));
    // [/not_trivially_copyable]
}
static_assert(diagnose<decltype(owning_view(owner))> ==
              not_trivially_copyable<struct owning_view, std::vector<float>>{});

[[maybe_unused]] void elements_are_not_trivially_copyable_right() {
    // [elements_are_not_trivially_copyable]
    simulate(fill(out(x), 1), x(memory));
    // [/elements_are_not_trivially_copyable]
}
static_assert(diagnose<decltype(out(words))> ==
              elements_are_not_trivially_copyable<struct words, std::string>{});

[[maybe_unused]] void temp_takes_a_count_right() {
    // [temp_takes_a_count]
    simulate(seq(fill(out(t), 1), reduce(out(s), in(t))), t(16));
    // [/temp_takes_a_count]
}
static_assert(diagnose<decltype(t(std::span(memory)))> == temp_takes_a_count<struct t, std::span<float, 16>>{});
static_assert(diagnose<decltype(t(2.5))> == temp_takes_a_count<struct t, double>{});

[[maybe_unused]] void temp_has_an_extent_already_right() {
    // [temp_has_an_extent_already]
    simulate(seq(copy(in(x), out(z)), reduce(out(s), in(z))), x(memory));
    // [/temp_has_an_extent_already]
}
static_assert(diagnose<decltype(z(16))> == temp_has_an_extent_already<struct z, struct x>{});

// [no_size_of]
inline constexpr struct half : temp<half, float, elements<ceil_div(5 * extent(x), 2)>> {} half;
// [/no_size_of]
static_assert(std::is_same_v<elements<2 * extent(x)>, core::elements<2 * extent(x), fine>>);
static_assert(diagnose<elements<2.5 * extent(x)>> == no_size_of<double>{} && diagnose<elements<max(extent(x), 1.0)>> == no_size_of<double>{});
static_assert(diagnose<elements<extent(x) + s>> == no_size_of<struct s>{} && diagnose<elements<tol - extent(x)>> == no_size_of<struct tol>{});
static_assert(diagnose<elements<(extent(x) + 1) / y>> == no_size_of<struct y>{} && diagnose<elements<extent(x) % true>> == no_size_of<bool>{});
static_assert(diagnose<elements<ceil_div(extent(x), i)>> == no_size_of<struct i>{});
static_assert(diagnose<elements<abs(n - extent(x))>> == no_size_of<formula_over<struct n, core::extent_t<struct x>>>{});
static_assert(diagnose<decltype(half(16))> == temp_has_an_extent_already<struct half, elements<ceil_div(5 * extent(x), 2)>>{});
struct flux_of_each {
    COGRAPH_HD float operator()(index_t, index_t, neighbours<float, 1, 1> around) const { return *around; }
};
#ifndef __CUDA_ARCH__
// What only a size needs must be bound too.
inline constexpr struct by_both : temp<by_both, float, elements<n * extent(half)>> {} by_both;
static_assert(diagnose<decltype(simulate(fill(out(by_both), 1), n(1)))> == unbound_variable<struct x>{});
static_assert(diagnose<decltype(simulate(fill(out(by_both), 1)))> == unbound_variable<struct n, struct x>{});
// Those of a formula that counts elements.
static_assert(diagnose<decltype(simulate(for_each(over<2 * n - extent(y)>(), twice{})(inout(x[each])), x(memory)))> == unbound_variable<struct n, struct y>{});
static_assert(diagnose<decltype(simulate(kernel<saxpy, saxpy_on_host>(over<extent(by_both) / 2>())(1, 2, y, x), x(memory), y(memory)))> == unbound_variable<struct n>{});
// The sides of a box.
constexpr auto in_a_box = [](auto box) { return for_each(box, flux{})(in(x[near<1, 1>]), out(y[each])); };
static_assert(diagnose<decltype(simulate(in_a_box(over(extent(x), n)), x(memory), y(more_memory)))> == unbound_variable<struct n>{});
static_assert(diagnose<decltype(simulate(in_a_box(over(extent(d), n)), x(memory), y(more_memory)))> == unbound_variable<struct d, struct n>{});
static_assert(diagnose<decltype(simulate(in_a_box(over<16, extent(d) / 2>()), x(memory), y(more_memory)))> == unbound_variable<struct d>{});
static_assert(diagnose<decltype(simulate(transform_reduce(over<n, 16>(), flux_of_each{}, maximum{})(out(s), in(x[near<1, 1>])), x(memory), s(memory)))> == unbound_variable<struct n>{});
// Those of a formula that is an argument.
static_assert(diagnose<decltype(simulate(fill(out(x), 2 * n - extent(y)), x(memory)))> == unbound_variable<struct n, struct y>{});
static_assert(diagnose<decltype(simulate(seq(fill(out(by_both), 1), fill(out(y), 2 * extent(by_both))), y(memory), n(1)))> == unbound_variable<struct x>{});
static_assert(diagnose<decltype(simulate(fill(out(y), 2 * extent(by_both)), y(memory), n(1)))> == unbound_variable<struct x>{});
static_assert(diagnose<decltype(simulate(for_each(over(x), axpy{})(n / 2.0f, in(x[each]), inout(x[each])), x(memory)))> == unbound_variable<struct n>{});
static_assert(diagnose<decltype(simulate(fill(out(x), 2 * n), x(memory), n(1), tol(1)))> == unknown_variable<struct tol>{});
#endif

[[maybe_unused]] void elements_are_not_indexed_right() {
    // [elements_are_not_indexed]
    simulate(single_task(first_of{})(in(A), out(s)), A(csr{memory, 16}), s(&more_memory[0]));
    // [/elements_are_not_indexed]
}
static_assert(diagnose<decltype(x[0])> == elements_are_not_indexed<struct x, int>{});

[[maybe_unused]] void has_no_elements_right() {
    // [has_no_elements]
    simulate(for_each(over(x), axpy{})(s, x[each], inout(y[each])), x(memory), y(more_memory), s(&memory[0]));
    // [/has_no_elements]
}
static_assert(diagnose<decltype(s[each])> == has_no_elements<struct s>{});

// [variable_has_the_tag_of_another]
inline constexpr struct kept : temp<kept, float, struct x> {} kept;
constexpr auto into_kept = copy(in(x), out(kept));
// [/variable_has_the_tag_of_another]
template <int Level>
struct fine_t : temp<fine_t<Level>, float, struct x> {};
template <int Level>
struct coarse_t : temp<fine_t<Level>, float, struct x> {};
template <int Level>
inline constexpr coarse_t<Level> coarse{};
inline constexpr struct doubled : scalar<struct single, double> {} doubled;
using of_coarse = variable_has_the_tag_of_another<coarse_t<1>, fine_t<1>>;
using of_doubled = variable_has_the_tag_of_another<struct doubled, struct single>;
static_assert(diagnose<decltype(in(coarse<1>))> == of_coarse{} && diagnose<decltype(in(doubled))> == of_doubled{});
static_assert(diagnose<decltype(out(coarse<1>))> == of_coarse{} && diagnose<decltype(inout(doubled))> == of_doubled{});
static_assert(diagnose<decltype(over(coarse<1>))> == of_coarse{} && diagnose<decltype(extent(coarse<1>))> == of_coarse{});
static_assert(diagnose<decltype(doubled + 1)> == of_doubled{} && diagnose<decltype(1 < doubled)> == of_doubled{});
static_assert(diagnose<decltype(-doubled)> == of_doubled{} && diagnose<decltype(assign(doubled, 1))> == of_doubled{});
static_assert(diagnose<decltype(all_of(coarse<1>, positive{}))> == of_coarse{});
static_assert(diagnose<decltype(kernel<reads_table>(over(x))(coarse<1>, y))> == of_coarse{});
static_assert(diagnose<decltype(single_task(clamp{})(inout(s), doubled))> == of_doubled{} && diagnose<decltype(predicate(positive{})(doubled))> == of_doubled{});
static_assert(variable<const struct kept> && !variable<struct doubled>);

}  // namespace
