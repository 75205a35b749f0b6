// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>
#include <cograph/batch.hpp>
#include <cograph/check.hpp>

#include <span>
#include <vector>

using namespace cograph;

namespace contexts {

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;
inline constexpr struct sum : scalar<sum, int> {} sum;

// The elements of a node in descending order.
struct descending_context : core::serial_context {
    template <class F>
    void each(index_t n, F f) const {
        for (index_t i = n; i-- > 0;) f(i);
    }
};

// What expr/node/stage.hpp says that stages ask a context of the host for.
template <class Context>
concept keeps_the_contract = requires(const Context& context, void (*visit)(index_t), void (*call)(), int (*term)(index_t), int (*op)(int, int), void* scratch, int* out) {
    context.each(index_t{}, visit);
    context.once(call);
    context.reduce(index_t{}, 0, op, term, scratch, out);
    context.template reduce_groups<32>(index_t{}, 0, op, term, scratch, out);
};
static_assert(keeps_the_contract<core::serial_context> && keeps_the_contract<descending_context> && keeps_the_contract<core::checking_context> &&
              keeps_the_contract<core::problem_stages>);
static_assert(!keeps_the_contract<int>);

struct add_next {
    void operator()(index_t i, int* all, index_t n) const {
        if (i + 1 < n) all[i] += all[i + 1];
    }
};
struct twice {
    void operator()(index_t, int from, int& to) const { to = 2 * from; }
};

template <class Context, class E, class... B>
void run_in(Context const& context, E const& e, B... bindings) {
    core::loop_report<typename E::self> report;
    CHECK(core::simulate_planned<typename E::self>(report.loops, context, e, core::no_watch{}, bindings...));
}

}  // namespace contexts

TEST_CASE("stages run in the context that the host gives them") {
    using namespace contexts;
    const auto sums = for_each(over(x), add_next{})(inout(x), extent(x));
    std::vector<int> up{1, 2, 3}, down{1, 2, 3};
    run_in(core::serial_context{}, sums, x(std::span(up)));
    run_in(descending_context{}, sums, x(std::span(down)));
    CHECK(up == std::vector{3, 5, 3});
    CHECK(down == std::vector{6, 5, 3});
}

TEST_CASE("a reduction keeps its order in every context, and elements of their own need none") {
    using namespace contexts;
    const auto e = seq(for_each(over(x), twice{})(in(x[each]), out(y[each])), reduce(out(sum), in(y)));
    std::vector<int> xs(1000, 3), ys(1000);
    int total = 0;
    run_in(descending_context{}, e, x(std::span(xs)), y(std::span(ys)), sum(&total));
    CHECK(ys == std::vector<int>(1000, 6));
    CHECK(total == 6000);
}
