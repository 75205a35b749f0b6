// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

// Lambdas for both sides, which nvcc takes with --extended-lambda: the same in every way to run.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct passes : scalar<passes, int> {} passes;

struct outcome {
    std::vector<double> elements;
    double largest;
    int passes;
    bool operator==(const outcome&) const = default;
};
outcome expected(std::vector<double> elements, double limit) {
    double most = 0;
    int count = 0;
    do {
        most = 0;
        for (std::size_t i = 0; i < elements.size(); ++i) {
            elements[i] = 2 * elements[i] + static_cast<double>(i);
            if (most < elements[i]) most = elements[i];
        }
        ++count;
    } while (most < limit);
    bool one = false;
    for (const double element : elements) one = one || element < limit;
    return {elements, one ? most + limit : most, count};  // all of them are positive
}

}  // namespace

TEST_CASE("lambdas for both sides do the same in every way to run", "[gpu][nodes]") {
    const std::vector<double> start{1, 2, 3, 4, 5};
    const double limit = 100;
    // [right]
    const auto doubled = for_each(over(x), [] COGRAPH_HD(index_t i, double& element) { element = 2 * element + static_cast<double>(i); });
    const auto is_small = [limit] COGRAPH_HD(double number) -> bool { return number < limit; };
    // [/right]
    const auto e = seq(assign(passes, 0),
                       do_while(seq(doubled(inout(x[each])),
                                    transform_reduce(over(x), [] COGRAPH_HD(index_t, double element) -> double { return element; },
                                                     [] COGRAPH_HD(double a, double b) -> double { return a < b ? b : a; }, 0.0)(
                                        out(largest), in(x[each])),
                                    single_task([] COGRAPH_HD(int& count) { ++count; })(inout(passes))),
                                predicate(is_small)(largest)),
                       when(any_of(x, is_small) && all_of(x, [] COGRAPH_HD(double element) -> bool { return element > 0; }),
                            single_task([limit] COGRAPH_HD(double& number) { number += limit; })(inout(largest))));
    const outcome right = expected(start, limit);
    REQUIRE(right.passes == 4);

    outcome simulated{start, 0, 0};
    simulate(e, x(std::span(simulated.elements)), largest(&simulated.largest), passes(&simulated.passes));
    CHECK(simulated == right);

    const auto on_device = [&](const auto& run) {
        device_array<double> xs(start), most(1);
        device_array<int> count(1);
        const stream on;
        run(on, x(xs.all()), largest(most.data()), passes(count.data()));
        on.wait();
        CHECK(outcome{xs.read(), most.read()[0], count.read()[0]} == right);
    };
    on_device([&](cudaStream_t on, auto... bindings) { run_on(on, e, bindings...); });
    on_device([&](cudaStream_t on, auto... bindings) { instantiate(e, bindings...).launch(on); });
    on_device([&](cudaStream_t on, auto... bindings) { instantiate(as_nodes(e), bindings...).launch(on); });
}
