// SPDX-License-Identifier: Apache-2.0
#include <cograph/batch.cuh>

#include "../expressions/batches.hpp"
#include "ways.cuh"

using namespace expressions::batches;
using ways::check_graph;

TEMPLATE_TEST_CASE("batches of relaxations give what plain C++ gives", "[gpu][batch]", relaxed<32>, relaxed<64>) {
    check_graph<TestType>({});
    check_graph(TestType(700, 5));
    check_graph(TestType(0, 3));
    check_graph(TestType(3, 9'000));
    check_graph(TestType(600, 4'300));  // more than have memory for temps at once
    check_graph(TestType(64, 1));
}
TEMPLATE_TEST_CASE("batches of sums give the bits of one alone", "[gpu][batch]", summed<1>, summed<32>, summed<512>) {
    for (const std::size_t n : {1, 7, 33, 100, 256, 300, 1'500}) {
        CAPTURE(n);
        check_graph(TestType(n, 9));
    }
}
TEMPLATE_TEST_CASE("batches of sums of many elements", "[gpu][batch][long]", summed<1>, summed<32>, summed<512>) { check_graph(TestType(140'000, 2)); }
TEST_CASE("batches with boxes, compaction, first elements and several results", "[gpu][batch]") {
    check_graph<surveyed<256>>({});
    check_graph(surveyed<256>(16, 16, 300));
    check_graph(surveyed<256>(30, 40, 2));
}
TEST_CASE("batches of scalars: every way gives what plain C++ gives", "[gpu][batch]") { ways::check_all_ways<hailstones>(); }
TEST_CASE("more problems than a GPU has threads", "[gpu][batch]") { check_graph(hailstones(400'000)); }
TEST_CASE("batches in a loop give what plain C++ gives", "[gpu][batch]") {
    SECTION("as a graph") {
        check_graph<stepped<256>>({});
        check_graph(stepped<256>(5'000, 3));
    }
    SECTION("eagerly") {
        stepped<256> expected, given;
        expected.compute();
        ways::device_place place;
        const ways::stream on;
        expressions::with_bindings(given, place, [&](auto... b) { cograph::run_on(on, expressions::expression_of<stepped<256>>, b...); });
        on.wait();
        place.bring_back();
        CHECK((given == expected));
    }
}

// Sums of products in nodes whose arguments do not change from element to element: products are contracted with sums as they are in a
// problem alone, or bits differ.
namespace descent {
inline constexpr struct A : cograph::buffer<A, double> {} A;
inline constexpr struct b : cograph::buffer<b, double> {} b;
inline constexpr struct solution : cograph::buffer<solution, double> {} solution;
inline constexpr struct r : cograph::temp<r, double, struct solution> {} r;
inline constexpr struct p : cograph::temp<p, double, struct solution> {} p;
inline constexpr struct Ap : cograph::temp<Ap, double, struct solution> {} Ap;
inline constexpr struct rr : cograph::scalar<rr, double> {} rr;
inline constexpr struct before : cograph::scalar<before, double> {} before;
inline constexpr struct pAp : cograph::scalar<pAp, double> {} pAp;

struct start {
    __device__ void operator()(index_t, double f, double& x0, double& r0, double& p0) const {
        x0 = 0;
        r0 = p0 = f;
    }
};
struct times {
    __device__ void operator()(index_t i, const double* matrix, const double* v, double& to, index_t n) const {
        double sum = 0;
        for (index_t j = 0; j < n; ++j) sum += matrix[j * n + i] * v[j];
        to = sum;
    }
};
struct go {
    __device__ void operator()(index_t, double& u, double& v, double along, double changed, double square, double product) const {
        const double alpha = square / product;
        u += alpha * along;
        v -= alpha * changed;
    }
};
struct turn_to {
    __device__ void operator()(index_t, double& along, double v, double now, double was) const { along = v + now / was * along; }
};
constexpr auto solve = seq(for_each(over(solution), start{})(in(b[each]), out(solution[each]), out(r[each]), out(p[each])), dot(out(rr), in(r), in(r)),
                           loop_while(rr > 1e-18, seq(for_each(over(solution), times{})(in(A), in(p), out(Ap[each]), extent(solution)), dot(out(pAp), in(p), in(Ap)),
                                                      for_each(over(solution), go{})(inout(solution[each]), inout(r[each]), in(p[each]), in(Ap[each]), in(rr), in(pAp)), assign(before, rr),
                                                      dot(out(rr), in(r), in(r)), for_each(over(solution), turn_to{})(inout(p[each]), in(r[each]), in(rr), in(before))),
                                      at_most(300)));
template <int Size>
constexpr auto solve_all = batch(over(cograph::of_each(rr)).group<Size>(), solve)(cograph::of_each(A), cograph::of_each(b), cograph::of_each(solution), cograph::of_each(rr));

template <int Size>
void check_bits(std::size_t n, std::size_t count) {
    CAPTURE(Size, n, count);
    std::vector<double> matrices(n * n * count), right(n * count), none(n * count), none_of_each(count);
    unsigned random = 7;
    const auto next = [&] { return static_cast<double>((random = random * 1664525u + 1013904223u) >> 8) / (1 << 24); };
    for (std::size_t q = 0; q < count; ++q)
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) matrices[(q * n + i) * n + j] = matrices[(q * n + j) * n + i] = (next() - 0.5) / static_cast<double>(n);
            matrices[(q * n + i) * n + i] = 1 + next();
            right[q * n + i] = next() - 0.5;
        }
    using numbers = ways::device_array<double>;
    const numbers A_(matrices), b_(right), x_(none), rr_(none_of_each), alone_x(none), alone_rr(none_of_each);
    const ways::stream on;
    auto all = instantiate(solve_all<Size>, cograph::of_each(A)(A_.all()), cograph::of_each(b)(b_.all()), cograph::of_each(solution)(x_.all()), cograph::of_each(rr)(rr_.all()));
    all.launch(on);
    for (std::size_t q = 0; q < count; ++q) {
        auto alone = instantiate(solve, A(A_.data() + q * n * n, n * n), b(b_.data() + q * n, n), solution(alone_x.data() + q * n, n), rr(alone_rr.data() + q));
        alone.launch(on);
        on.wait();
    }
    CHECK(x_.read() == alone_x.read());
    CHECK(rr_.read() == alone_rr.read());
}
}  // namespace descent

TEST_CASE("problems of a batch have the bits of one alone, also of products in sums", "[gpu][batch]") {
    for (const std::size_t n : {1, 5, 32, 60, 64}) {
        descent::check_bits<64>(n, 7);
        descent::check_bits<32>(n, 3);
    }
    descent::check_bits<256>(200, 2);
    descent::check_bits<256>(256, 2);
    descent::check_bits<256>(300, 2);
}
TEST_CASE("batches of problems of unequal lengths give what plain C++ gives", "[gpu][batch]") {
    check_graph<ragged<64>>({});
    check_graph(ragged<64>({0, 20, 20, 52}, 32));             // an element a thread
    check_graph(ragged<64>({3, 60, 40, 330, 340, -5, 20}, 57));  // the first alone is in the array, and no longer
    check_graph(ragged<64>({320, 320, 0, 320}, 320));
}
TEST_CASE("a batch of unequal lengths is bound anew", "[gpu][batch]") {
    ragged<64> first, second({300, 310, 30, 90}, 60);
    ragged<64> expected = second;
    expected.compute();
    ways::device_place place, other;
    const ways::stream on;
    expressions::with_bindings(first, place, [&](auto... b) {
        auto exec = cograph::instantiate(expressions::expression_of<ragged<64>>, b...);
        expressions::with_bindings(second, other, [&](auto... c) { exec.update(c...); });
        exec.launch(on);
        on.wait();
    });
    other.bring_back();
    CHECK((second == expected));
}
