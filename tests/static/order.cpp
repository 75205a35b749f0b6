// SPDX-License-Identifier: Apache-2.0
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <type_traits>

using namespace cograph;
using namespace cograph::core;

namespace order_test {

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct z : buffer<z, float> {} z;

TEST_KERNEL void step(const float*, float*);
TEST_KERNEL void other_step(const float*, float*);

constexpr auto first = kernel<step>(over(x))(in(x), out(y));
constexpr auto second = kernel<other_step>(over(x))(in(x), out(z));
using first_type = std::remove_const_t<decltype(first)>;
using second_type = std::remove_const_t<decltype(second)>;

// The types are the tree that was written.
static_assert(expression<first_type> && expression<decltype(seq())> && !expression<int> &&
              !expression<struct x>);
static_assert(std::is_same_v<decltype(seq(first, second)), sequence<first_type, second_type>>);
static_assert(std::is_same_v<decltype(par(first, second)), parallel<first_type, second_type>>);
static_assert(std::is_same_v<decltype(seq(seq(first), par(second))),
                             sequence<sequence<first_type>, parallel<second_type>>>);
static_assert(seq(first, second).tree.kind == spec_kind::sequence &&
              par(first, second).tree.kind == spec_kind::parallel);
static_assert(seq(first, seq(second, first)).tree.children[1]->children[0] == &second_type::tree);

// Groups are no nodes: only what they hold counts.
static_assert(decltype(seq())::leaves == 0 && node_count(seq()) == 0 && edge_count(seq()) == 0 &&
              region_count(seq()) == 1);
static_assert(node_count(seq(seq(), first, par())) == 1);
static_assert(decltype(seq(first, seq(second, par(first)), second))::leaves == 4);

// seq orders what touches the same memory, and nothing else.
static_assert(edge_count(seq(first, second)) == 0 && graph_width(seq(first, second)) == 2);
static_assert(edge_count(seq(first, first)) == 1 && graph_width(seq(first, first)) == 1 &&
              graph_depth(seq(first, first)) == 2);
static_assert(edge_count(par(first, second)) == 0);

// What a node says of itself travels with it, at every depth.
constexpr auto tree = seq(label("a", first), par(label("b", first), seq(label("c", second), second)));
static_assert(name_view(tree.records[0].label) == "a" && name_view(tree.records[1].label) == "b");
static_assert(name_view(tree.records[2].label) == "c" && tree.records[3].label == nullptr);
static_assert(tree.records[0].line == first.records[0].line &&
              tree.records[3].line == second.records[0].line);
static_assert(first.records[0].label == nullptr, "label makes a copy");
static_assert(name_view(label("all", seq(first, second)).records[0].label) == "all",
              "the label of a group is its first node's");

template <const auto& E>
concept is_called = requires { typename std::bool_constant<(label("it", E), true)>; };
constexpr auto labelled = label("a", first);
static_assert(is_called<first> && is_called<labelled> && !is_called<tree>, "a group's label does not take the place of a node's");

// A struct of the user's own may stand for an expression.
struct named : decltype(seq(first, second)) {};
constexpr named by_name{seq(first, second)};
static_assert(expression<named> && node_count(by_name) == 2 && reads(by_name, x) && writes(by_name, y, z));
static_assert(edge_count(seq(by_name, by_name)) == 2 && has_edge(seq(by_name, by_name), at<0>, at<2>));
static_assert(ordered(seq(first, by_name), at<0>, at<1>) && !ordered(seq(first, by_name), at<0>, at<2>));
static_assert(std::is_same_v<named::self, decltype(seq(first, second))>);

// A pack of any length; payloads come sixteen at a time.
template <int... I>
constexpr auto many(std::integer_sequence<int, I...>) {
    return seq(fill(out(x), static_cast<float>(I))...);
}
constexpr auto forty = many(std::make_integer_sequence<int, 40>{});
static_assert(node_count(forty) == 40 && edge_count(forty) == 39 && graph_depth(forty) == 40);
static_assert(kept_size<decltype(forty)::kept_type> == 40);
#ifndef __clang_analyzer__  // which would follow each node's construction
static_assert(node_count(many(std::make_integer_sequence<int, 250>{})) == 250);
#endif

}  // namespace order_test
