// SPDX-License-Identifier: Apache-2.0

// More code of these pages, and tests of all of it.

#include "guide.hpp"
#include "idioms.hpp"

#include "../catch.hpp"

#include <cograph/check.hpp>

#include <cmath>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace guide {

TEST_CASE("guide: bindings") {
    std::vector<double> memory(4, 1.0);
    double array[4] = {1, 2, 3, 4};
    const std::vector<double> fixed(4, 2.0);
    double first = 0, second = 0, third = 0;

    // [bindings]
    constexpr auto distance = seq(copy(in(x), out(z)),
                                  for_each(over(x), axpy{})(-1.0, in(y[each]), inout(z[each])),
                                  dot(out(norm), in(z), in(z)));

    simulate(distance, x(std::span(memory)), y(std::span(fixed)), norm(&first));  // spans, also of const
    simulate(distance, x(memory.data(), 3), y(fixed.data(), 3), norm(&second));   // pointer and count
    simulate(distance, x(array), y(std::span(fixed)), norm(&third));              // an array
    // [/bindings]
    CHECK(first == 4);
    CHECK(second == 3);
    CHECK(third == 1 + 0 + 1 + 4);
}

TEST_CASE("guide: elements") {
    std::vector<double> xs = {1, 2, 3}, ys = {10, 20, 30};
    // [for_each]
    constexpr auto update = seq(for_each(over(x), axpy{})(2.0, in(x[each]), inout(y[each])),
                                for_each(over(x), shift_left{})(in(y), out(x[each]), extent(y)),
                                for_each(over(y), scale_by{0.5})(inout(y[each])));
    // [/for_each]
    simulate(update, x(std::span(xs)), y(std::span(ys)));
    CHECK(xs == std::vector<double>{24, 36, 0});
    CHECK(ys == std::vector<double>{6, 12, 18});
}

TEST_CASE("guide: groups of threads") {
    const std::vector<int> begins = {0, 3, 5}, columns = {0, 1, 2, 0, 2};
    const std::vector<double> values = {1, 2, 3, 4, 6};
    std::vector<double> ys = {1, 10, 100}, xs(2);
    // [groups]
    constexpr auto multiply = for_each(over(x).group<32>(), row_times{})(in(A), in(y), out(x[each]));
    // [/groups]
    simulate(multiply, A(csr_view{2, begins.data(), columns.data(), values.data()}), y(std::span(ys)), x(std::span(xs)));
    CHECK(xs == std::vector<double>{321, 604});

    std::vector<double> full(2 * 64);
    for (std::size_t k = 0; k < full.size(); ++k) full[k] = static_cast<double>(k);
    simulate(for_each(over(x).group<32>(), times_row{})(in(y), in(y), out(x[each])), y(std::span(full)), x(std::span(xs)));
    CHECK(xs == std::vector<double>{85'344, 214'368});
}

TEST_CASE("guide: scans and compaction") {
    std::vector<double> xs = {3, 1, 4, 1, 5}, ys(5);
    int taken = 0;
    found_element<double> largest{};
    // [scans]
    constexpr auto scans = seq(inclusive_scan(in(x), out(y)),                          // y[i] = x[0] + ... + x[i]
                               exclusive_scan(in(x), out(y), maximum{}),               // the largest of those before x[i]
                               copy_if(in(x), out(y), out(how_many), at_least{3}),     // those with x[i] >= 3, in their order
                               max_element(out(best), in(x)));                         // the largest and its number
    // [/scans]
    simulate(scans, x(std::span(xs)), y(std::span(ys)), how_many(&taken), best(&largest));
    CHECK(taken == 3);
    CHECK((ys[0] == 3 && ys[1] == 4 && ys[2] == 5));
    CHECK((largest == found_element<double>{5, 4}));
}

TEST_CASE("guide: reductions") {
    std::vector<double> xs = {1, -5, 3}, ys = {1, 1, 2};
    double n = 0, s = 0;
    // [reductions]
    constexpr auto sums = seq(
        reduce(out(norm), in(x)),                                              // the sum
        reduce(out(norm), in(x), minimum{}),                                   // another operation
        reduce(out(norm), in(x), largest_magnitude{}, 0.0),                    // one of your own
        transform_reduce(over(x), square{}, plus{})(out(norm), in(x[each])),   // of f(i, arguments...)
        dot(out(step), in(x), in(y)));                                         // of products
    // [/reductions]
    simulate(sums, x(std::span(xs)), y(std::span(ys)), norm(&n), step(&s));
    CHECK(n == 35);
    CHECK(s == 2);
}

TEST_CASE("guide: one thread") {
    double s = 0;
    int count = 7;
    // [one thread]
    constexpr auto between = seq(assign(step, 2 * limit / (it + 1)),
                                 assign(it, it + 1),
                                 single_task(clamp_step{})(inout(step), in(limit)));
    // [/one thread]
    simulate(between, limit(10.0), step(&s), it(&count));
    CHECK(s == 2.5);
    CHECK(count == 8);
}

TEST_CASE("guide: copy and fill") {
    std::vector<double> xs(2), ys(2);
    // [copy and fill]
    constexpr auto reset = seq(fill(out(x), 0.5), fill(out(z), limit), copy(in(z), out(y)));
    // [/copy and fill]
    simulate(reset, x(std::span(xs)), y(std::span(ys)), limit(3.0));
    CHECK(xs == std::vector<double>{0.5, 0.5});
    CHECK(ys == std::vector<double>{3, 3});
}

TEST_CASE("guide: loops") {
    std::vector<double> xs = {64, 32};
    int count = 0;
    // [loops]
    constexpr auto halve = for_each(over(x), scale_by{0.5})(inout(x[each]));
    constexpr auto measure = reduce(out(norm), in(x), maximum_or_nan{});

    constexpr auto shrink = seq(
        assign(it, 0),
        measure,
        loop_while(norm > limit && it < most,                 // tests first: perhaps no iteration at all
                   seq(halve, measure, assign(it, it + 1))),
        do_while(seq(halve, assign(it, it + 1)), it < 8),     // one iteration at least
        repeat(2, halve));                                    // an integer, or an integer formula
    // [/loops]
    simulate(shrink, x(std::span(xs)), limit(8.0), most(100), it(&count));
    CHECK(count == 8);
    CHECK(xs[0] == 64.0 / 1024);
}

TEST_CASE("guide: branches") {
    std::vector<double> xs = {1, 2}, ys = {3, 4};
    double n = 0;
    for (int selected = 0; selected < 4; ++selected) {
        // [branches]
        constexpr auto choose = seq(
            when(it > 0, copy(in(y), out(x))),
            when(limit < 0.0, fill(out(y), 0), otherwise(fill(out(y), limit))),
            switch_on(it,                                  // 0, 1, 2; anything else runs nothing
                      reduce(out(norm), in(y)),
                      reduce(out(norm), in(y), maximum{}),
                      assign(norm, -1)));
        // [/branches]
        ys = {3, 4};
        n = 99;
        simulate(choose, x(std::span(xs)), y(std::span(ys)), limit(5.0), it(&selected), norm(&n));
        CHECK(n == std::vector<double>{10, 5, -1, 99}[selected]);
    }
}

TEST_CASE("guide: formulas") {
    std::vector<double> xs = {4, 2}, ys = {3, 2};
    double last = 0;
    int count = 0;
    phase end = phase::searching;
    simulate(approach, x(std::span(xs)), y(std::span(ys)), limit(8.0), most(6), step(&last), it(&count), now(&end));
    CHECK(end == phase::found);  // a step of sqrt(20 / 2) reaches from 4 to 3
    CHECK(count == 1);
    CHECK(last == std::sqrt(10.0) / 32);
}

TEST_CASE("guide: formulas as arguments") {
    std::vector<double> xs = {1, 2, 4}, ys(3);
    simulate(in_a_ring, x(std::span(xs)), y(std::span(ys)), most(3));
    CHECK(ys == std::vector<double>{3, 6, 5});
    CHECK(xs == std::vector<double>(3, 0.5));
    simulate(differences, x(std::span(xs)), y(std::span(ys)));
    CHECK(ys == std::vector<double>{2.5, 5.5, 5});
}

TEST_CASE("guide: predicates") {
    std::vector<double> xs = {2, 1};
    int count = 0;
    simulate(reset_unless_sorted, x(std::span(xs)), limit(1.0), it(&count));
    CHECK(xs[0] == 0);
    CHECK(count == 0);
    simulate(reset_unless_sorted, x(std::span(xs)), limit(1.0), it(&count));
    CHECK(count == 1);
}

TEST_CASE("guide: reuse") {
    std::vector<double> xs = {1, 1};
    const std::vector<int> begin = {0, 1, 2}, column = {1, 0};
    const std::vector<double> entries = {2, 3};
    const csr_view matrix{2, begin.data(), column.data(), entries.data()};
    simulate(squared_twice::expression, x(std::span(xs)), A(matrix));
    CHECK(xs == std::vector<double>{36, 36});
}

TEST_CASE("guide: errors") {
    std::vector<double> xs(4), ys(5);
    std::string message;
    // [errors]
    try {
        simulate(label("x times y", dot(out(norm), in(x), in(y))), x(std::span(xs)), y(std::span(ys)));
    } catch (const cograph::error& problem) {
        message = problem.what();  // cograph: 'x times y' (solver.cu:42) needs extents that are equal: ...
    }
    // [/errors]
    CHECK(message.find("cograph: 'x times y' (") == 0);
    CHECK(message.find("needs extents that are equal: 'y' has 5 elements, and it runs over 4") != std::string::npos);
}

struct count_into {
    COGRAPH_HD void operator()(const double* values, index_t n, int* counts, index_t bin_count) const {
        for (index_t b = 0; b < bin_count; ++b) counts[b] = 0;
        for (index_t i = 0; i < n; ++i) ++counts[static_cast<int>(values[i]) % bin_count];
    }
};

TEST_CASE("guide: temps") {
    std::vector<double> xs = {0, 1, 1, 2};
    int largest = 0;
    double ones = 0;
    // [temps]
    constexpr auto mode = seq(single_task(count_into{})(in(x), extent(x), out(bins), extent(bins)),
                              reduce(out(it), in(bins), maximum{}));

    simulate(mode, x(std::span(xs)), bins(3), it(&largest));  // the graph allocates three ints for bins
    // [/temps]
    CHECK(largest == 2);

    // [computed size]
    simulate(seq(fill(out(halo), 1), reduce(out(norm), in(halo))), x(std::span(xs)), most(4), norm(&ones));
    // [/computed size]
    CHECK(ones == 2 * static_cast<double>(xs.size()) + 4);

    std::vector<double> eight = {1, 3, 5, 7, 2, 2, 4, 4};
    simulate(mean_of_all, x(std::span(eight)), norm(&ones));
    CHECK(ones == 7);
    simulate(seq(fill(out(table), 1), reduce(out(norm), in(table))), norm(&ones));
    CHECK(ones == 256);
}

TEST_CASE("guide: pictures") {
    std::ostringstream text;
    // [picture]
    write_dot(text, descend);  // then: dot -Tsvg
    // [/picture]
    CHECK(text.str().find("digraph") == 0);
}

TEST_CASE("guide: limits") {
    std::vector<double> xs = {64, -100, 3};
    // [limits]
    constexpr auto shrink_at_most = seq(
        reduce(out(norm), in(x), largest_magnitude{}, 0.0), assign(it, 0),
        label("shrink", loop_while(norm > limit,
                                   seq(for_each(over(x), scale_by{0.5})(inout(x[each])),
                                       reduce(out(norm), in(x), largest_magnitude{}, 0.0), assign(it, it + 1)),
                                   at_most(50),          // or an integer value: at_most(most)
                                   check_every<4>)));    // iterations from one test to the next

    const auto report = simulate(shrink_at_most, x(std::span(xs)), limit(10));
    CHECK(report.iterations(at<2>) == 4);                     // 100, 50, 25, 12.5, 6.25: tested at 100 and 6.25
    CHECK(report.ended_by("shrink") == ending::predicate);    // or ending::limit
    // [/limits]
}

TEST_CASE("guide: predicates over arrays") {
    std::vector<double> xs = {64, -100, 3}, ys = {8, 0, 3};
    int count = 0;
    // [arrays]
    constexpr auto settle = seq(
        loop_while(max_abs(x) > limit && it < most, seq(for_each(over(x), scale_by{0.5})(inout(x[each])), assign(it, it + 1))),
        when(count_if(x, is_small{}, limit) == 3, assign(it, it + 100)),   // is_small{}(x[i], limit)
        when(any(x > y) && !all(x == y), copy(in(x), out(y))));
    // [/arrays]
    simulate(settle, x(std::span(xs)), y(std::span(ys)), limit(10), most(9), it(&count));
    CHECK(count == 104);
    CHECK(ys == std::vector<double>{8, 0, 3});
}

}  // namespace guide

namespace idioms {

TEST_CASE("guide: inside one node") {
    const std::vector<double> xs = {0, 1, 2, 1, 0};
    std::vector<double> from = xs, ys(5);
    std::vector<int> bins(3);
    double sum = 0;
    simulate(without_races, x(std::span(from)), y(std::span(ys)), counts(std::span(bins)), norm(&sum));
    CHECK(sum == 6);
    CHECK(ys == std::vector<double>{0, 1, 1, 1, 0});
    CHECK(bins == std::vector<int>{2, 2, 1});

    from = xs;
    // [check]
    const auto in_place = for_each(over(x), mean_of_neighbours{})(in(x), out(x[each]), extent(x));
    const check_report report = check(in_place, x(std::span(from)));
    CHECK(report.findings()[0].kind == finding_kind::read_write_race);  // element 3 reads 'x[2]', which element 2 writes
    // [/check]
    INFO(report.text());
    CHECK(report.text().find("element 3 reads 'x[2]', which element 2 writes") != std::string::npos);
    from = xs;
    CHECK(check(without_races, x(std::span(from)), y(std::span(ys)), counts(std::span(bins)), norm(&sum), atomic(counts)).text() == "");
}

TEST_CASE("guide: NaN in reductions") {
    std::vector<double> xs = {1, 2, NAN, 4};
    double most_of = 0;
    simulate(reduce(out(norm), in(x), maximum{}), x(std::span(xs)), norm(&most_of));
    CHECK(most_of == 4);
    simulate(reduce(out(norm), in(x), minimum{}), x(std::span(xs)), norm(&most_of));
    CHECK(most_of == 1);
    simulate(largest, x(std::span(xs)), norm(&most_of));
    CHECK(std::isnan(most_of));
    simulate(reduce(out(norm), in(x), minimum_or_nan{}), x(std::span(xs)), norm(&most_of));
    CHECK(std::isnan(most_of));
    xs = {4, 1, 2};
    simulate(largest, x(std::span(xs)), norm(&most_of));
    CHECK(most_of == 4);
    simulate(reduce(out(norm), in(x), minimum_or_nan{}), x(std::span(xs)), norm(&most_of));
    CHECK(most_of == 1);
    simulate(largest, x(std::span<double>{}), norm(&most_of));
    CHECK(most_of == -INFINITY);
    simulate(reduce(out(norm), in(x), minimum_or_nan{}), x(std::span<double>{}), norm(&most_of));
    CHECK(most_of == INFINITY);
    std::vector<int> some_bits = {1, 4, 5};
    int bits = 0;
    simulate(bits_of_all, counts(std::span(some_bits)), state(&bits));
    CHECK(bits == 5);
    xs = {NAN, NAN};
    simulate(reduce(out(norm), in(x), maximum{}), x(std::span(xs)), norm(&most_of));
    CHECK(most_of == -INFINITY);

    xs = {0, NAN, 3, NAN, 0};  // the loop ends, and tells
    int count = 0;
    simulate(smoothed, x(std::span(xs)), limit(1e-9), most(100), steps(&count), change(&most_of));
    CHECK(count == 1);
    CHECK(std::isnan(most_of));
}

TEST_CASE("guide: one node for each colour") {
    std::vector<double> xs = {0, 0, 0, 0, 8};
    simulate(relaxed, x(std::span(xs)));
    CHECK(xs == std::vector<double>{0, 0, 2, 4, 8});
}

TEST_CASE("guide: two buffers in turn") {
    for (const double bound : {0.3, 0.2, 0.1, 0.0}) {
        std::vector<double> xs = {0, 0, 8, 0, 0}, from = xs, to = xs;
        double changed = 0;
        int wanted = 0, count = 0;
        do {
            changed = 0;
            for (index_t i = 0; i < 5; ++i) changed = std::fmax(changed, smooth_out{}(i, from.data(), to[i], 5));
            from.swap(to);
        } while (++wanted < 17 && changed > bound);
        simulate(smoothed, x(std::span(xs)), limit(bound), most(17), steps(&count));
        CHECK(count == wanted);
        CHECK(xs == from);
    }
}

TEST_CASE("guide: leaving an iteration") {
    std::vector<double> xs = {3, 4};
    int count = 0, how = 0;
    simulate(halved, x(std::span(xs)), limit(2.0), most(10), steps(&count), state(&how));
    CHECK(count == 2);  // 25, 6.25, 1.5625
    CHECK(how == done);
    simulate(halved, x(std::span(xs)), limit(-1.0), most(10), steps(&count), state(&how));
    CHECK(count == 10);
    CHECK(how == running);
}

TEST_CASE("libraries: a call that is named only without nvcc") {
    std::vector<double> xs = {1, 5, 2, 6}, ys(4);
    int count = 0;
    simulate(selected, x(std::span(xs)), y(std::span(ys)), limit(3.0), steps(&count));
    CHECK(count == 2);
    CHECK(ys == std::vector<double>{5, 6, 0, 0});
}

}  // namespace idioms
