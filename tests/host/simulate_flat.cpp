// SPDX-License-Identifier: Apache-2.0
#include "../expressions/nodes.hpp"
#include "../expressions/order.hpp"
#include "../expressions/reductions.hpp"
#include "../expressions/storage.hpp"
#include "../test_kernel.hpp"
#include "simulation.hpp"

TEMPLATE_LIST_TEST_CASE("nodes: simulation gives what plain C++ gives", "[simulate]",
                        expressions::nodes::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("order: simulation gives what plain C++ gives", "[simulate]",
                        expressions::order::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("reductions: simulation gives what plain C++ gives", "[simulate]",
                        expressions::reductions::cases) {
    check_simulation<TestType>();
}
TEMPLATE_LIST_TEST_CASE("storage: simulation gives what plain C++ gives", "[simulate]",
                        expressions::storage::cases) {
    check_simulation<TestType>();
}

namespace simulate_flat_test {
using namespace cograph;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct calls_made : scalar<calls_made, int> {} calls_made;
TEST_KERNEL void tally(double*, int*);
void tally_on_host(double*, int* made) { ++*made; }

TEST_CASE("a kernel over no elements does not run, as on a GPU", "[simulate]") {
    std::vector<double> xs(3);
    int made = 0;
    const auto e = seq(kernel<tally, tally_on_host>(over(x))(inout(x), inout(calls_made)));
    simulate(e, x(std::span(xs).first(0)), calls_made(&made));
    CHECK(made == 0);
    simulate(e, x(std::span(xs)), calls_made(&made));
    CHECK(made == 1);
}

inline constexpr struct one : value<one, int> {} one;
struct sum_up {
    template <class... T>
    void operator()(int* to, T... numbers) const {
        *to = (0 + ... + numbers);
    }
};
template <int... I>
auto of_many(std::integer_sequence<int, I...>) {
    return host(sum_up{})(out(calls_made), (void(I), one)...);
}

// Its parameters fill the room that there is for them; a sanitizer sees what would not fit.
TEST_CASE("a node takes 248 arguments", "[simulate]") {
    int made = 0;
    simulate(of_many(std::make_integer_sequence<int, 247>{}), one(1), calls_made(&made));
    CHECK(made == 247);
}
}  // namespace simulate_flat_test
