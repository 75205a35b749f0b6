// SPDX-License-Identifier: Apache-2.0
// Loops over the first elements of a buffer against loops over all of them, and buffers that change places against a copy: microseconds an
// iteration.
#include "lowering.cuh"

namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, float> {
} x;
inline constexpr struct y : buffer<y, float> {
} y;
inline constexpr struct n : scalar<n, int> {
} n;
inline constexpr struct it : scalar<it, int> {
} it;
inline constexpr struct sum : scalar<sum, float> {
} sum;

struct mean {
    COGRAPH_HD void operator()(index_t i, const float* from, float& to, index_t count) const {
        to = (from[i > 0 ? i - 1 : 0] + from[i + 1 < count ? i + 1 : i]) / 2;
    }
};
struct grow {
    COGRAPH_HD void operator()(index_t i, float& of) const { of = of * 0.5f + static_cast<float>(i % 8); }
};
struct value_of {
    COGRAPH_HD float operator()(index_t, const float& of) const { return of; }
};

constexpr int times = 1000;
template <class E>
constexpr auto looped(E e) {
    return seq(assign(it, 0), loop_while(it < times, seq(e, assign(it, it + 1))));
}
constexpr auto whole = looped(seq(for_each(over(x), grow{})(inout(x[each])), transform_reduce(over(y), value_of{}, plus{})(out(sum), in(y[each]))));
constexpr auto first_ones = looped(seq(for_each(over(x).first(n), grow{})(inout(x[each])), transform_reduce(over(y).first(n), value_of{}, plus{})(out(sum), in(y[each]))));
constexpr auto exchanged = looped(seq(for_each(over(x), mean{})(in(x), out(y[each]), extent(x)), swap(x, y)));
constexpr auto copied = looped(seq(for_each(over(x), mean{})(in(x), out(y[each]), extent(x)), copy(in(y), out(x))));
constexpr auto by_turns = looped(seq(for_each(over(x), mean{})(in(x), out(y[each]), extent(x)), for_each(over(x), mean{})(in(y), out(x[each]), extent(x))));

struct data {
    bench::device_array<float> of_x, of_y;
    bench::device_array<int> length{1}, iterations{1};
    bench::device_array<float> total{1};
    explicit data(std::size_t count) : of_x(count), of_y(count) {}

    void set(int to) { bench::check(cudaMemcpy(length.data, &to, sizeof to, cudaMemcpyHostToDevice)); }
};

template <const auto& e>
lowering::costs cost_of(const bench::gpu& g, data& d) {
    const auto make = [&](const auto& made) {
        if constexpr (reads(e, n))
            return instantiate(made, x(d.of_x.data, d.of_x.count), y(d.of_y.data, d.of_y.count), n(d.length.data), it(d.iterations.data), sum(d.total.data));
        else if constexpr (writes(e, sum))
            return instantiate(made, x(d.of_x.data, d.of_x.count), y(d.of_y.data, d.of_y.count), it(d.iterations.data), sum(d.total.data));
        else
            return instantiate(made, x(d.of_x.data, d.of_x.count), y(d.of_y.data, d.of_y.count), it(d.iterations.data));
    };
    auto nodes = make(as_nodes(e));
    auto lowered = make(e);
    const auto cost = lowering::medians(7, [&] { return lowering::duration(g, [&] { nodes.launch(g.stream); }) / times; },
                                        [&] { return lowering::duration(g, [&] { lowered.launch(g.stream); }) / times; });
    return {lowering::none, cost[0], cost[1]};
}

}  // namespace

int main() {
    const bench::gpu g;
    lowering::title();
    for (const std::size_t count : {std::size_t{100'000}, std::size_t{1'000'000}, std::size_t{4'000'000}}) {
        data d(count);
        const std::string size = ", of " + std::to_string(count);
        lowering::row("a map and a sum over all" + size, cost_of<whole>(g, d));
        d.set(static_cast<int>(count));
        lowering::row("the same over first(n), n = all" + size, cost_of<first_ones>(g, d));
        d.set(static_cast<int>(count / 100));
        lowering::row("the same over first(n), n = 1 %" + size, cost_of<first_ones>(g, d));
        d.set(0);
        lowering::row("the same over first(n), n = 0" + size, cost_of<first_ones>(g, d));
        lowering::row("a step and swap" + size, cost_of<exchanged>(g, d));
        lowering::row("a step and a copy" + size, cost_of<copied>(g, d));
        const lowering::costs two = cost_of<by_turns>(g, d);
        lowering::row("two steps by turns, a step" + size, two / 2);
    }
}
