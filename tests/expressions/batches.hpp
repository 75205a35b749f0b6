// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cograph/batch.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>

// Batches: each problem with loops and branches that end by themselves, in groups of every size.
namespace expressions::batches {

using namespace cograph;

using integer = std::int64_t;

inline constexpr struct x : buffer<x, integer> {} x;
inline constexpr struct w : buffer<w, integer> {} w;
inline constexpr struct y : temp<y, integer, struct x> {} y;
inline constexpr struct s : scalar<s, integer> {} s;
inline constexpr struct passes : scalar<passes, int> {} passes;
inline constexpr struct limit : value<limit, integer> {} limit;
inline constexpr struct most : value<most, int> {} most;
inline constexpr struct largest : scalar<largest, found_element<integer>> {} largest;
inline constexpr struct problems : value<problems, int> {} problems;
inline constexpr struct ends : buffer<ends, loop_outcome> {} ends;
inline constexpr struct inner_ends : buffer<inner_ends, loop_outcome> {} inner_ends;
inline constexpr struct total : scalar<total, outcome_summary> {} total;

// Problems with so many threads each: more than a block has are those of a cluster.
template <int Size, class Shape>
constexpr auto solved_by(Shape shape) {
    if constexpr (Size > 1024)
        return in_clusters<Size / 1024>(shape);
    else
        return shape.template group<Size>();
}

struct turn {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer weight, integer& to, index_t n) const { to = from[(i + 1) % n] + weight % 3; }
};
struct halve {
    COGRAPH_HD void operator()(index_t, integer& to, integer other) const { to = (to + other) / 2 - 1; }
};
// What one problem is, as it would be solved alone.
inline constexpr auto relax = seq(
    assign(passes, 0), reduce(out(s), in(x)),
    loop_while(s > limit,
               seq(for_each(over(x), turn{})(in(x), in(w[each]), out(y[each]), extent(x)),
                   when(passes % 2 == 0, swap(x, y), otherwise(repeat<2>(for_each(over(x), halve{})(inout(x[each]), in(y[each]))))),
                   reduce(out(s), in(x)), assign(passes, passes + 1)),
               at_most(most)),
    max_element(out(largest), in(x)));

template <int Size>
struct relaxed {
    std::vector<integer> x_, w_, limit_;
    std::vector<int> passes_;
    std::vector<found_element<integer>> largest_;
    std::vector<loop_outcome> ends_, inner_ends_;
    outcome_summary total_;
    int most_ = 40;

    relaxed() : relaxed(37, 7) {}
    relaxed(std::size_t n, std::size_t count) : x_(n * count), w_(n), limit_(count), passes_(count), largest_(count), ends_(count), inner_ends_(count) {
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<integer>(i * 7919 % 1013);
        for (std::size_t i = 0; i < n; ++i) w_[i] = static_cast<integer>(i * 31 % 17);
        for (std::size_t q = 0; q < count; ++q) limit_[q] = static_cast<integer>(q * 97 % 700) * static_cast<integer>(n);
    }
    static constexpr auto expression() {
        return seq(batch(solved_by<Size>(over(problems)), relax)(of_each(x), of_each(limit), of_each(passes), of_each(largest), report_of_each(ends), report_of_each(inner_ends, at<6>)),
                   summarize(out(total), in(ends)));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(x)(at(x_)), w(at(w_)), of_each(limit)(at(limit_)), of_each(passes)(at(passes_)), of_each(largest)(at(largest_)), ends(at(ends_)), inner_ends(at(inner_ends_)), total(at(total_)), most(most_),
                          problems(static_cast<int>(limit_.size())));
    }
    void compute() {
        const std::size_t n = w_.size();
        total_ = {};
        for (std::size_t q = 0; q < limit_.size(); ++q) {
            integer* const own = x_.data() + q * n;
            std::vector<integer> next(n);
            int& count = passes_[q] = 0;
            for (; std::accumulate(own, own + n, integer{0}) > limit_[q] && count < most_; ++count) {
                for (std::size_t i = 0; i < n; ++i) next[i] = own[(i + 1) % n] + w_[i] % 3;
                if (count % 2 == 0) std::copy(next.begin(), next.end(), own);
                for (int again = 0; count % 2 == 1 && again < 2; ++again)
                    for (std::size_t i = 0; i < n; ++i) own[i] = (own[i] + next[i]) / 2 - 1;
            }
            ends_[q] = {count, 1, count == most_ && std::accumulate(own, own + n, integer{0}) > limit_[q] ? ending::limit : ending::predicate};
            inner_ends_[q] = {count / 2 * 2, static_cast<unsigned>(count / 2), count / 2 > 0 ? ending::predicate : ending::none};
            const index_t passed = count;
            total_ = {total_.problems + 1, q == 0 ? passed : std::min(total_.least, passed), std::max(total_.largest, passed), total_.sum + passed, total_.limits + (ends_[q].ended == ending::limit), 0};
            const integer* const found = std::max_element(own, own + n);
            largest_[q] = n > 0 ? found_element<integer>{*found, found - own} : found_element<integer>{0, -1};
        }
    }
    bool operator==(const relaxed& other) const {
        const auto same = [](const found_element<integer>& a, const found_element<integer>& b) { return (a.index < 0 || a.value == b.value) && a.index == b.index; };
        const auto same_ends = [](const loop_outcome& a, const loop_outcome& b) { return a.iterations == b.iterations && a.entries == b.entries && a.ended == b.ended; };
        const auto same_totals = [](const outcome_summary& a, const outcome_summary& b) {
            return a.problems == b.problems && a.least == b.least && a.largest == b.largest && a.sum == b.sum && a.limits == b.limits && a.overflows == b.overflows;
        };
        return same_totals(total_, other.total_) && std::equal(ends_.begin(), ends_.end(), other.ends_.begin(), other.ends_.end(), same_ends) &&
               std::equal(inner_ends_.begin(), inner_ends_.end(), other.inner_ends_.begin(), other.inner_ends_.end(), same_ends) && x_ == other.x_ && w_ == other.w_ && limit_ == other.limit_ && passes_ == other.passes_ &&
               std::equal(largest_.begin(), largest_.end(), other.largest_.begin(), other.largest_.end(), same);
    }
};

// Sums whose order shows in their bits: what a problem gives is what it gives alone.
inline constexpr struct v : buffer<v, double> {} v;
inline constexpr struct sum : scalar<sum, double> {} sum;
inline constexpr struct greatest : scalar<greatest, double> {} greatest;
struct half {
    COGRAPH_HD void operator()(index_t, double& element) const { element *= 0.5; }
};
inline constexpr auto shrink = seq(reduce(out(sum), in(v)), loop_while(sum > 1, seq(for_each(over(v), half{})(inout(v[each])), reduce(out(sum), in(v)), reduce(out(greatest), in(v), maximum{}))),
                                   reduce(out(greatest), in(v), minimum{}));
template <int Size>
struct summed {
    std::vector<double> v_, sum_;

    summed() : summed(100, 5) {}
    summed(std::size_t n, std::size_t count) : v_(n * count), sum_(count) {
        unsigned random = 1;
        for (double& element : v_) {
            random = random * 1664525u + 1013904223u;
            element = static_cast<double>(random) / (1 + static_cast<double>(random % 1000));
        }
    }
    static constexpr auto expression() { return batch(solved_by<Size>(over(of_each(sum))), shrink)(of_each(v), of_each(sum)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(v)(at(v_)), of_each(sum)(at(sum_)));
    }
    void compute() {
        const std::size_t n = v_.size() / sum_.size();
        for (std::size_t q = 0; q < sum_.size(); ++q) simulate(shrink, v(v_.data() + q * n, n), sum(&sum_[q]));
    }
    bool operator==(const summed&) const = default;
};

// Problems of unequal lengths: each has its part of one array, and temps of the same length; of a further array it has the first elements.
inline constexpr struct u : buffer<u, integer> {} u;
inline constexpr struct t : temp<t, integer, struct u> {} t;
inline constexpr struct table : buffer<table, integer> {} table;
inline constexpr struct extra : buffer<extra, integer> {} extra;
inline constexpr struct begins : buffer<begins, int> {} begins;
inline constexpr struct longest : value<longest, integer> {} longest;
inline constexpr struct entries : value<entries, int> {} entries;
struct neighbour {
    COGRAPH_HD void operator()(index_t i, const integer* from, const integer* weights, integer& to, index_t n, index_t weighted) const { to = from[(i + 1) % n] / 2 + weights[i % weighted] + n; }
};
struct mix_up {
    COGRAPH_HD void operator()(index_t i, integer& to, integer other) const { to = (to + other + i) % 1009; }
};
inline constexpr auto settle = seq(assign(passes, 0), reduce(out(s), in(u)),
                                   loop_while(s > limit,
                                              seq(for_each(over(u), neighbour{})(in(u), in(table), out(t[each]), extent(u), extent(table)), for_each(over(t), halve{})(inout(u[each]), in(t[each])),
                                                  for_each(over(u), mix_up{})(inout(extra[each]), in(u[each])),
                                                  reduce(out(s), in(u)), assign(passes, passes + 1)),
                                              at_most(12)),
                                   for_each(over(u), turn{})(in(u), s, out(t[each]), extent(t)), copy(in(t), out(u)));
template <int Size>
struct ragged {
    std::vector<integer> u_, table_, extra_;
    std::vector<int> begins_, passes_;
    std::vector<loop_outcome> ends_;
    integer longest_ = 0, limit_ = 90;
    int entries_ = 3;

    ragged() : ragged({0, 5, 5, 37, 38, 300}, 262) {}
    // A part longer than that is refused, as is one outside.
    ragged(std::vector<int> from, integer length) : u_(320), table_(5 * (from.size() - 1)), begins_(std::move(from)), passes_(begins_.size() - 1, -1), ends_(begins_.size() - 1), longest_(length) {
        extra_.assign((static_cast<std::size_t>(length) + 2) * passes_.size(), 7);
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = static_cast<integer>(i * 7919 % 101);
        for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = i % 5 < 3 ? static_cast<integer>(i) : -1'000'000;  // what lies between parts is nobody's
    }
    static constexpr auto expression() {
        return batch(solved_by<Size>(over(of_each(passes))), settle)(of_each(u).between(begins, longest), of_each(table).first(entries), of_each(extra).first(longest), of_each(passes), report_of_each(ends));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(u)(at(u_)), of_each(table)(at(table_)), of_each(extra)(at(extra_)), of_each(passes)(at(passes_)), begins(at(begins_)), ends(at(ends_)), longest(longest_), entries(entries_), limit(limit_));
    }
    void compute() {
        for (std::size_t q = 0; q < passes_.size(); ++q) {
            const int begin = begins_[q], end = begins_[q + 1], n = end - begin;
            ends_[q] = {0, 0, ending::overflow};
            if (begin < 0 || n < 0 || end > static_cast<int>(u_.size()) || n > longest_) continue;
            integer *const own = u_.data() + begin, *const weights = table_.data() + 5 * q;
            std::vector<integer> next(static_cast<std::size_t>(n));
            const auto sum_of_own = [&] { return std::accumulate(own, own + n, integer{0}); };
            int& count = passes_[q] = 0;
            for (; sum_of_own() > limit_ && count < 12; ++count) {
                for (int i = 0; i < n; ++i) next[static_cast<std::size_t>(i)] = own[(i + 1) % n] / 2 + weights[i % entries_] + n;
                for (int i = 0; i < n; ++i) own[i] = (own[i] + next[static_cast<std::size_t>(i)]) / 2 - 1;
                integer* const more = extra_.data() + (static_cast<std::size_t>(longest_) + 2) * q;
                for (int i = 0; i < n; ++i) more[i] = (more[i] + own[i] + i) % 1009;
            }
            ends_[q] = {count, 1, sum_of_own() > limit_ ? ending::limit : ending::predicate};
            for (int i = 0; i < n; ++i) next[static_cast<std::size_t>(i)] = own[(i + 1) % n] + sum_of_own() % 3;
            std::copy(next.begin(), next.end(), own);
        }
    }
    bool operator==(const ragged& other) const {
        const auto same_ends = [](const loop_outcome& a, const loop_outcome& b) { return a.iterations == b.iterations && a.entries == b.entries && a.ended == b.ended; };
        return u_ == other.u_ && table_ == other.table_ && extra_ == other.extra_ && passes_ == other.passes_ && std::equal(ends_.begin(), ends_.end(), other.ends_.begin(), other.ends_.end(), same_ends);
    }
};

// Nodes that see neighbours: over parts of unequal lengths, a temp among them, and over a box in each problem.
inline constexpr struct height_of_box : value<height_of_box, int> {} height_of_box;
inline constexpr struct width_of_box : value<width_of_box, int> {} width_of_box;
inline constexpr struct around_x : temp<around_x, integer, struct x> {} around_x;
struct spread {
    COGRAPH_HD void operator()(index_t i, neighbours<integer, 2> near_by, integer& to) const { to = (near_by.at_or(1, -2) + 2 * near_by.at_or(3, 1) + 3 * *near_by + i) % 1009; }
};
struct spread_in_box {
    COGRAPH_HD void operator()(index_t row, index_t column, neighbours<integer, 1, 1> near_by, integer& to) const {
        to = (near_by.at_or(5, -1, 0) + near_by.at_or(6, 1, 1) + 2 * near_by.at_or(7, 0, -1) + row * 3 + column) % 1009;
    }
};
inline constexpr auto diffuse = seq(assign(passes, 0), reduce(out(s), in(u)),
                                    loop_while(s > limit,
                                               seq(for_each(over(u), spread{})(in(u[near<2>]), out(t[each])), for_each(over(u), spread{})(in(t[near<2>]), out(u[each])),
                                                   for_each(over(height_of_box, width_of_box), spread_in_box{})(in(x[near<1, 1>]), out(around_x[each])), copy(in(around_x), out(x)), reduce(out(s), in(u)),
                                                   assign(passes, passes + 1)),
                                               at_most(5)));
template <int Size>
struct diffused {
    std::vector<integer> u_, x_;
    std::vector<int> begins_, passes_;
    integer longest_ = 0, limit_ = 600;
    int height_ = 3, width_ = 5;

    diffused() : diffused({0, 5, 5, 37, 38, 300}, 262) {}
    diffused(std::vector<int> from, integer length, int rows = 3, int columns = 5) : begins_(std::move(from)), passes_(begins_.size() - 1), longest_(length), height_(rows), width_(columns) {
        u_.resize(static_cast<std::size_t>(begins_.back()));
        x_.resize(passes_.size() * static_cast<std::size_t>(rows * columns));
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = static_cast<integer>(i * 7919 % 1013);
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<integer>(i * 31 % 101);
    }
    static constexpr auto expression() { return batch(solved_by<Size>(over<extent(begins) - 1>()), diffuse)(of_each(u).between(begins, longest), of_each(x), of_each(passes)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(u)(at(u_)), of_each(x)(at(x_)), of_each(passes)(at(passes_)), begins(at(begins_)), longest(longest_), limit(limit_), height_of_box(height_), width_of_box(width_));
    }
    void compute() {
        const auto area = static_cast<std::size_t>(height_ * width_);
        for (std::size_t q = 0; q < passes_.size(); ++q)
            simulate(diffuse, u(u_.data() + begins_[q], static_cast<std::size_t>(begins_[q + 1] - begins_[q])), x(x_.data() + q * area, area), passes(&passes_[q]), limit(limit_), height_of_box(height_), width_of_box(width_));
    }
    bool operator==(const diffused&) const = default;
};

// Numbers of elements that the device computes: formulas over the lengths of parts, for temps and nodes, and a value of each problem.
inline constexpr struct doubled : temp<doubled, integer, elements<2 * extent(u) + 1>> {} doubled;
inline constexpr struct as_doubled : temp<as_doubled, integer, struct doubled> {} as_doubled;
inline constexpr struct wanted : value<wanted, int> {} wanted;
inline constexpr struct sum_of_wanted : scalar<sum_of_wanted, double> {} sum_of_wanted;
struct pick {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer& to, index_t all, index_t n) const { to = n == 0 ? i : from[i % n] + i % all; }
};
struct step_up {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer& to, integer wide) const { to += from[i + 1] - from[i] + wide % 2; }
};
struct fold_doubled {
    COGRAPH_HD void operator()(index_t i, const integer* from, integer& to, index_t all) const { to = (to + from[2 * i] + from[all - 1 - i]) % 1009; }
};
struct tenth {
    COGRAPH_HD double operator()(index_t i, integer one) const { return 0.1 * static_cast<double>(one + i); }
};
struct mix_in_group {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, const integer* from, integer& to, index_t n) const {
        const integer all = group.transform_reduce(n, [&](index_t k) { return from[k] % (i + 2); }, plus{});
        if (group.rank() == 0) to += all;
    }
};
template <int Size>
constexpr auto copy_or_scan() {
    if constexpr (Size < 256)
        return copy(in(doubled), out(as_doubled));
    else
        return inclusive_scan(in(doubled), out(as_doubled));  // which has groups of 256 threads
}
struct more_by {
    COGRAPH_HD void operator()(index_t i, integer& element, integer by) const { element += i % 5 + by; }
};
template <int Size>
constexpr auto count_off =
    seq(assign(passes, 0), assign(s, 1),
        do_while(seq(for_each(over(doubled), pick{})(in(u), out(doubled[each]), extent(doubled), extent(u)), copy_or_scan<Size>(), reduce(out(s), in(as_doubled)),
                                   fill(out(t), integer{1}), for_each(over<extent(u) - 1>(), step_up{})(in(u), inout(t[each]), s),
                                   for_each(over(u), fold_doubled{})(in(as_doubled), inout(u[each]), extent(as_doubled)), for_each(over(u), mix_up{})(inout(u[each]), in(t[each])), assign(passes, passes + 1)),
                 passes < 3),
        for_each(over(wanted), halve{})(inout(u[each]), in(t[each])), for_each(over<(wanted + 1) / 2>(), more_by{})(inout(u[each]), extent(u) - 2 * wanted),
        for_each(over<extent(u) - wanted>(), more_by{})(inout(t[each]), wanted % 3), transform_reduce(over(wanted), tenth{}, plus{})(out(sum_of_wanted), in(u[each])),
        for_each(over(wanted).group<8>(), mix_in_group{})(in(as_doubled), inout(t[each]), extent(u)), for_each(over(wanted), mix_up{})(inout(extra[each]), in(t[each])), copy(in(t), out(u)));
template <int Size>
struct counted {
    std::vector<integer> u_, extra_;
    std::vector<int> begins_, wanted_, passes_;
    std::vector<double> sum_of_wanted_;
    std::vector<loop_outcome> ends_;
    integer longest_ = 0;
    static constexpr int extra_each_ = 40;

    counted() : counted({0, 5, 37, 38, 300, 300, 320, 333}, {5, 0, 1, 30, 0, -1, 14}, 262) {}
    // Problems without elements, and those that want more than there are, or fewer than none, are refused.
    counted(std::vector<int> from, std::vector<int> of_each_problem, integer length)
        : extra_(extra_each_ * of_each_problem.size(), 3), begins_(std::move(from)), wanted_(std::move(of_each_problem)), passes_(wanted_.size(), -1), sum_of_wanted_(wanted_.size(), -1), ends_(wanted_.size()), longest_(length) {
        u_.resize(static_cast<std::size_t>(begins_.back()));
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = static_cast<integer>(i * 7919 % 1013);
    }
    static constexpr auto expression() {
        return batch(solved_by<Size>(over(of_each(wanted))), count_off<Size>)(of_each(u).between(begins, longest), of_each(extra), of_each(wanted), of_each(passes), of_each(sum_of_wanted), report_of_each(ends));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(u)(at(u_)), of_each(extra)(at(extra_)), of_each(wanted)(at(wanted_)), of_each(passes)(at(passes_)), of_each(sum_of_wanted)(at(sum_of_wanted_)), begins(at(begins_)), ends(at(ends_)), longest(longest_));
    }
    void compute() {
        for (std::size_t q = 0; q < wanted_.size(); ++q) {
            const int n = begins_[q + 1] - begins_[q], most_wanted = n < extra_each_ ? n : extra_each_;
            ends_[q] = {0, 0, ending::overflow};
            if (n < 1 || wanted_[q] < 0 || wanted_[q] > most_wanted) continue;
            ends_[q] = {3, 1, ending::predicate};
            simulate(count_off<Size>, u(u_.data() + begins_[q], static_cast<std::size_t>(n)), extra(extra_.data() + extra_each_ * q, extra_each_), wanted(wanted_[q]), passes(&passes_[q]), sum_of_wanted(&sum_of_wanted_[q]));
        }
    }
    bool operator==(const counted& other) const {
        const auto same_ends = [](const loop_outcome& a, const loop_outcome& b) { return a.iterations == b.iterations && a.entries == b.entries && a.ended == b.ended; };
        return u_ == other.u_ && extra_ == other.extra_ && passes_ == other.passes_ && sum_of_wanted_ == other.sum_of_wanted_ && std::equal(ends_.begin(), ends_.end(), other.ends_.begin(), other.ends_.end(), same_ends);
    }
};

// A temp as long as another one, whose formula shrinks as a part grows; the host cannot know, since the value is negative. It takes memory
// for the longest part, and shorter ones would need more.
inline constexpr struct slope : value<slope, integer> {} slope;
inline constexpr struct sloping : temp<sloping, integer, elements<integer{100} + extent(u) * slope>> {} sloping;
inline constexpr struct as_sloping : temp<as_sloping, integer, struct sloping> {} as_sloping;
struct take_number {
    COGRAPH_HD void operator()(index_t i, integer& to) const { to = i; }
};
constexpr auto number_off = seq(assign(passes, 0), do_while(seq(for_each(over(as_sloping), take_number{})(out(as_sloping[each])), reduce(out(s), in(as_sloping)), assign(passes, passes + 1)), passes < 2));
struct numbered {
    std::vector<integer> u_, sums_;
    std::vector<int> begins_;
    std::vector<loop_outcome> ends_;
    integer longest_ = 0;

    numbered() : numbered({0, 50, 60, 110}, 50) {}
    numbered(std::vector<int> from, integer length) : u_(static_cast<std::size_t>(from.back()), 1), sums_(from.size() - 1, -1), begins_(std::move(from)), ends_(sums_.size()), longest_(length) {}
    static constexpr auto expression() { return batch(over<extent(begins) - 1>().group<32>(), number_off)(of_each(u).between(begins, longest), of_each(s), report_of_each(ends)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(u)(at(u_)), of_each(s)(at(sums_)), begins(at(begins_)), ends(at(ends_)), longest(longest_), slope(integer{-1}));
    }
    void compute() {
        for (std::size_t q = 0; q < sums_.size(); ++q) {
            const integer most_elements = 100 - longest_, elements = 100 - (begins_[q + 1] - begins_[q]);
            ends_[q] = {0, 0, ending::overflow};
            if (elements > most_elements) continue;
            ends_[q] = {2, 1, ending::predicate};
            sums_[q] = elements * (elements - 1) / 2;
        }
    }
    bool operator==(const numbered& other) const {
        const auto same_ends = [](const loop_outcome& a, const loop_outcome& b) { return a.iterations == b.iterations && a.entries == b.entries && a.ended == b.ended; };
        return u_ == other.u_ && sums_ == other.sums_ && std::equal(ends_.begin(), ends_.end(), other.ends_.begin(), other.ends_.end(), same_ends);
    }
};

// As many threads as elements, each with a large one in its registers, since shared memory has no room for those.
struct load {
    integer of[16];
};
constexpr int loaded_elements = 500;
inline constexpr struct loads : temp<loads, load, elements<loaded_elements>> {} loads;
inline constexpr struct carried : buffer<carried, integer> {} carried;
struct load_up {
    COGRAPH_HD void operator()(index_t i, integer from, load& to) const {
        for (int k = 0; k < 16; ++k) to.of[k] = from + i * k;
    }
};
struct shift_load {
    COGRAPH_HD void operator()(index_t i, const integer* from, load& to, index_t n) const {
        for (int k = 0; k < 16; ++k) to.of[k] = (to.of[k] + from[(i + k) % n]) % 1009;
    }
};
struct unload {
    COGRAPH_HD void operator()(index_t, const load& from, integer& to) const {
        for (const integer one : from.of) to = (3 * to + one) % 1013;
    }
};
struct of_loads {
    COGRAPH_HD integer operator()(index_t, const load& one) const { return one.of[15] - one.of[3]; }
};
inline constexpr auto carry = seq(for_each(over(loads), load_up{})(in(carried[each]), out(loads[each])), assign(passes, 0),
                                  do_while(seq(for_each(over(loads), shift_load{})(in(carried), inout(loads[each]), extent(carried)), for_each(over(loads), unload{})(in(loads[each]), inout(carried[each])),
                                               transform_reduce(over(loads), of_loads{}, plus{})(out(s), in(loads[each])), assign(passes, passes + 1)),
                                           s % 7 != 0, at_most(20)));
struct loaded {
    std::vector<integer> carried_, s_;
    std::vector<int> passes_;

    loaded() : loaded(5) {}
    explicit loaded(std::size_t count) : carried_(loaded_elements * count), s_(count), passes_(count) {
        for (std::size_t i = 0; i < carried_.size(); ++i) carried_[i] = static_cast<integer>(i * 7919 % 1013);
    }
    static constexpr auto expression() { return batch(over(of_each(s)), carry)(of_each(carried), of_each(s), of_each(passes)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(carried)(at(carried_)), of_each(s)(at(s_)), of_each(passes)(at(passes_)));
    }
    void compute() {
        for (std::size_t q = 0; q < s_.size(); ++q) {
            integer* const own = carried_.data() + q * loaded_elements;
            std::vector<load> all(loaded_elements);
            for (int i = 0; i < loaded_elements; ++i)
                for (int k = 0; k < 16; ++k) all[static_cast<std::size_t>(i)].of[k] = own[i] + integer{i} * k;
            passes_[q] = 0;
            do {
                s_[q] = 0;
                for (int i = 0; i < loaded_elements; ++i)
                    for (int k = 0; k < 16; ++k) all[static_cast<std::size_t>(i)].of[k] = (all[static_cast<std::size_t>(i)].of[k] + own[(i + k) % loaded_elements]) % 1009;
                for (int i = 0; i < loaded_elements; ++i) {
                    for (const integer one : all[static_cast<std::size_t>(i)].of) own[i] = (3 * own[i] + one) % 1013;
                    s_[q] += all[static_cast<std::size_t>(i)].of[15] - all[static_cast<std::size_t>(i)].of[3];
                }
            } while (s_[q] % 7 != 0 && ++passes_[q] < 20);
            if (s_[q] % 7 == 0) ++passes_[q];
        }
    }
    bool operator==(const loaded&) const = default;
};

// Scans, compactions and sums of segments in parts of unequal lengths.
inline constexpr struct scanned : temp<scanned, integer, struct u> {} scanned;
inline constexpr struct left : buffer<left, integer> {} left;
inline constexpr struct right : buffer<right, integer> {} right;
inline constexpr struct sums : buffer<sums, integer> {} sums;
inline constexpr struct offsets : buffer<offsets, int> {} offsets;
inline constexpr struct chosen : scalar<chosen, int> {} chosen;
inline constexpr struct evens : scalar<evens, index_t> {} evens;
struct is_even {
    COGRAPH_HD bool operator()(integer one) const { return one % 2 == 0; }
};
struct next_one {
    COGRAPH_HD integer operator()(index_t i, integer one) const { return one + i % 3; }
};
struct element_of {
    COGRAPH_HD integer operator()(index_t, index_t k, const integer* from) const { return from[k]; }
};
struct add_to {
    COGRAPH_HD void operator()(index_t, integer& to, integer more) const { to += more; }
};
struct sum_of_both {
    COGRAPH_HD void operator()(index_t, integer& to, integer one, integer other) const { to = one + other; }
};
inline constexpr auto arrange = seq(inclusive_scan(in(u), out(t)), exclusive_scan(in(u), out(scanned)), for_each(over(u), sum_of_both{})(out(u[each]), in(t[each]), in(scanned[each])),
                                    partition_copy(in(u), out(left), out(right), out(evens), is_even{}),
                                    transform_inclusive_scan(over(left).first(evens), next_one{}, plus{})(out(scanned), in(left[each])),
                                    for_each(over(left).first(evens), add_to{})(inout(left[each]), in(scanned[each])),
                                    segmented_reduce(over(u), element_of{}, plus{})(out(sums), in(offsets), in(u)), copy_if(in(u), out(t), out(chosen), is_even{}),
                                    for_each(over(u).first(chosen), add_to{})(inout(right[each]), in(t[each])));
template <int Size>
struct arranged {
    std::vector<integer> u_, left_, right_, sums_;
    std::vector<int> begins_, offsets_;
    std::vector<index_t> evens_;
    integer longest_ = 0;
    static constexpr int segments_ = 3;

    arranged() : arranged({0, 5, 5, 37, 38, 300}, 262) {}
    arranged(std::vector<int> from, integer length) : begins_(std::move(from)), evens_(begins_.size() - 1, -1), longest_(length) {
        u_.resize(static_cast<std::size_t>(begins_.back()) + 20);
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = static_cast<integer>(i * 7919 % 101);
        left_.assign(u_.size(), -5);
        right_.assign(u_.size(), -7);
        for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
            const int n = begins_[q + 1] - begins_[q];
            for (const int offset : {0, n / 3, n / 3, n}) offsets_.push_back(offset);
        }
        sums_.assign(segments_ * evens_.size(), -1);
    }
    static constexpr auto expression() {
        return batch(solved_by<Size>(over(of_each(evens))), arrange)(of_each(u).between(begins, longest), of_each(left).between(begins, longest), of_each(right).between(begins, longest),
                                                                           of_each(sums), of_each(offsets), of_each(evens));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(u)(at(u_)), of_each(left)(at(left_)), of_each(right)(at(right_)), of_each(sums)(at(sums_)), of_each(offsets)(at(offsets_)), of_each(evens)(at(evens_)),
                          begins(at(begins_)), longest(longest_));
    }
    void compute() {
        for (std::size_t q = 0; q < evens_.size(); ++q) {
            const int begin = begins_[q], n = begins_[q + 1] - begin;
            integer *const own = u_.data() + begin, *const taken = left_.data() + begin, *const others = right_.data() + begin;
            for (integer i = 0, before = 0; i < n; ++i) {
                const integer one = own[i];
                own[i] = 2 * before + one;
                before += one;
            }
            std::vector<integer> found, rest;
            for (int i = 0; i < n; ++i) (own[i] % 2 == 0 ? found : rest).push_back(own[i]);
            std::copy(rest.begin(), rest.end(), others);
            std::copy(found.begin(), found.end(), taken);
            const std::size_t count = found.size();
            evens_[q] = static_cast<index_t>(count);
            integer so_far = 0;
            for (std::size_t i = 0; i < count; ++i) {
                so_far += taken[i] + static_cast<integer>(i % 3);
                taken[i] += so_far;
                others[i] += found[i];
            }
            const int* const of = offsets_.data() + 4 * q;
            for (int part = 0; part < segments_; ++part) sums_[segments_ * q + static_cast<std::size_t>(part)] = std::accumulate(own + of[part], own + of[part + 1], integer{0});
        }
    }
    bool operator==(const arranged&) const = default;
};

constexpr int row = 8;
// Groups of threads with shared memory, of several sizes, in problems whose length differs too.
inline constexpr struct width : value<width, int> {} width;
struct reverse_row {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, integer* memory, const integer* from, integer* to, index_t n) const {
        const index_t first = i * row, behind = n - first, count = behind < 0 ? 0 : behind < row ? behind : index_t{row};
        group.for_each(count, [&](index_t k) { memory[k] = from[first + k]; });
        group.for_each(count, [&](index_t k) { to[first + k] = memory[count - 1 - k]; });
    }
};
struct sum_of_window {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, integer* memory, const integer* from, integer& to, index_t n, int wide) const {
        group.for_each(index_t{wide}, [&](index_t k) { memory[k] = from[(i + k) % n] % 50; });
        to = group.transform_reduce(index_t{wide}, [&](index_t k) { return memory[k] * memory[wide - 1 - k]; }, plus{});
    }
};
struct mix_all {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, integer* memory, const integer* from, integer& to, index_t n) const {
        group.for_each(n, [&](index_t k) { memory[k] = from[k] + k; });
        to = group.transform_reduce(n, [&](index_t k) { return memory[(k + i) % n] % (k + 3); }, plus{});
    }
};
inline constexpr auto fold = seq(for_each(over(u).group<8>().shared<integer>(row), reverse_row{})(in(u), out(t), extent(u)),
                                 for_each(over(u).group<16>().shared<integer>(width), sum_of_window{})(in(t), out(scanned[each]), extent(u), width),
                                 reduce(out(s), in(scanned)), for_each(over(u), add_to{})(inout(t[each]), s), for_each(over(u).group<32>().shared<integer>(extent(u)), mix_all{})(in(t), out(scanned[each]), extent(u)),
                                 copy(in(scanned), out(u)));
template <int Size>
struct folded {
    std::vector<integer> u_;
    std::vector<int> begins_;
    integer longest_ = 0;
    int width_ = 11;

    folded() : folded({0, 5, 5, 37, 38, 300}, 262) {}
    folded(std::vector<int> from, integer length) : begins_(std::move(from)), longest_(length) {
        u_.resize(static_cast<std::size_t>(begins_.back()));
        for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = static_cast<integer>(i * 7919 % 101);
    }
    static constexpr auto expression() { return batch(solved_by<Size>(over<extent(begins) - 1>()), fold)(of_each(u).between(begins, longest)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(u)(at(u_)), begins(at(begins_)), longest(longest_), width(width_));
    }
    void compute() {
        for (std::size_t q = 0; q + 1 < begins_.size(); ++q) {
            integer* const own = u_.data() + begins_[q];
            const integer n = begins_[q + 1] - begins_[q], wide = width_;
            std::vector<integer> turned(own, own + n), found(static_cast<std::size_t>(n));
            for (integer first = 0; first < n; first += row) std::reverse(turned.begin() + first, turned.begin() + std::min<integer>(n, first + row));
            const auto at = [&](integer i) -> integer& { return turned[static_cast<std::size_t>(i)]; };
            integer total_of_rows = 0;
            for (integer i = 0; i < n; ++i)
                for (integer k = 0; k < wide; ++k) total_of_rows += at((i + k) % n) % 50 * (at((i + wide - 1 - k) % n) % 50);
            for (integer& one : turned) one += total_of_rows;
            for (integer i = 0; i < n; ++i)
                for (integer k = 0; k < n; ++k) found[static_cast<std::size_t>(i)] += (at((k + i) % n) + (k + i) % n) % (k + 3);
            std::copy(found.begin(), found.end(), own);
        }
    }
    bool operator==(const folded&) const = default;
};

// Scalars alone: a thread for each problem.
inline constexpr struct number : scalar<number, std::uint64_t> {} number;
struct next_number {
    COGRAPH_HD void operator()(std::uint64_t& at) const { at = at % 2 == 0 ? at / 2 : 3 * at + 1; }
};
inline constexpr auto hailstone = seq(assign(passes, 0), loop_while(number != 1u, seq(single_task(next_number{})(inout(number)), assign(passes, passes + 1)), at_most(most)));
struct hailstones {
    std::vector<std::uint64_t> number_;
    std::vector<int> passes_;
    int most_ = 100;

    hailstones() : hailstones(2'000) {}
    explicit hailstones(std::size_t count) : number_(count), passes_(count) { std::iota(number_.begin(), number_.end(), std::uint64_t{1}); }
    static constexpr auto expression() { return batch(over(of_each(number)), hailstone)(of_each(number), of_each(passes)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(number)(at(number_)), of_each(passes)(at(passes_)), most(most_));
    }
    void compute() {
        for (std::size_t q = 0; q < number_.size(); ++q)
            for (passes_[q] = 0; number_[q] != 1 && passes_[q] < most_; ++passes_[q]) number_[q] = number_[q] % 2 == 0 ? number_[q] / 2 : 3 * number_[q] + 1;
    }
    bool operator==(const hailstones&) const = default;
};

// A scan and groups of threads in each problem; in a loop, between nodes over all that problems have.
inline constexpr struct all_of_x : buffer<all_of_x, integer> {} all_of_x;
inline constexpr struct upto : temp<upto, integer, struct all_of_x> {} upto;
inline constexpr struct z : buffer<z, integer> {} z;
inline constexpr struct time_step : scalar<time_step, int> {} time_step;
struct sum_of_row {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t i, const integer* from, integer& to, index_t n) const {
        const index_t first = i / row * row, behind = n - first;
        to = group.transform_reduce(behind < row ? behind : index_t{row}, [&](index_t k) { return from[first + k]; }, plus{});
    }
};
struct mix {
    COGRAPH_HD void operator()(index_t i, integer& to, integer other) const { to = (to + other + i) % 1009; }
};
inline constexpr auto accumulate = seq(inclusive_scan(in(x), out(z)), for_each(over(x).group<16>(), sum_of_row{})(in(z), out(y[each]), extent(x)),
                                       for_each(over(x), mix{})(inout(z[each]), in(y[each])));
template <int Size>
struct stepped {
    std::vector<integer> x_;
    int count_ = 6, time_step_ = 0;

    stepped() : stepped(50, 6) {}
    stepped(std::size_t n, std::size_t count) : x_(n * count), count_(static_cast<int>(count)) {
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<integer>(i * 13 % 101);
    }
    static constexpr auto expression() {
        return seq(assign(time_step, 0),
                   loop_while(time_step < 3, seq(batch(solved_by<Size>(over(problems)), accumulate)(of_each(x).in(all_of_x), of_each(z).in(upto)),
                                                 for_each(over(all_of_x), mix{})(inout(all_of_x[each]), in(upto[each])), assign(time_step, time_step + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(all_of_x(at(x_)), problems(count_), time_step(at(time_step_)));
    }
    void compute() {
        const std::size_t n = x_.size() / static_cast<std::size_t>(count_);
        for (time_step_ = 0; time_step_ < 3; ++time_step_) {
            std::vector<integer> all(x_.size());
            for (std::size_t first = 0; first < x_.size(); first += n) {
                integer* const own = all.data() + first;
                std::partial_sum(x_.begin() + static_cast<index_t>(first), x_.begin() + static_cast<index_t>(first + n), own);
                std::vector<integer> of_rows(n);
                for (std::size_t i = 0; i < n; ++i) {
                    const std::size_t begin = i / row * row;
                    of_rows[i] = std::accumulate(own + begin, own + std::min(n, begin + row), integer{0});
                }
                for (std::size_t i = 0; i < n; ++i) own[i] = (own[i] + of_rows[i] + static_cast<integer>(i)) % 1009;
            }
            for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = (x_[i] + all[i] + static_cast<integer>(i)) % 1009;
        }
    }
    bool operator==(const stepped&) const = default;
};

// Boxes, compaction, first elements and several results in each problem.
inline constexpr struct sum_of_x : scalar<sum_of_x, integer> {} sum_of_x;
inline constexpr struct most_of_x : scalar<most_of_x, integer> {} most_of_x;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;
struct in_row {
    COGRAPH_HD void operator()(index_t at_row, index_t column, integer& to) const { to = (to + at_row * 10 + column) % 1009; }
};
struct is_third {
    COGRAPH_HD bool operator()(integer one) const { return one % 3 == 0; }
};
struct two_terms {
    COGRAPH_HD auto operator()(index_t i, integer one) const { return terms{one, one % 100 + i % 7}; }
};
inline constexpr auto survey = seq(for_each(over(rows, columns), in_row{})(inout(x[each])), copy_if(in(x), out(z), out(chosen), is_third{}),
                                   for_each(over(x).first(chosen), mix{})(inout(x[each]), in(z[each])),
                                   transform_reduce(over(x), two_terms{}, operations(plus{}, maximum{}))(out(sum_of_x), out(most_of_x), in(x[each])),
                                   for_each(over(x), mix{})(inout(x[each]), sum_of_x));
template <int Size>
struct surveyed {
    std::vector<integer> x_, z_, most_of_x_, sum_of_x_;
    std::vector<int> chosen_;
    int rows_ = 5, columns_ = 9;

    surveyed() : surveyed(5, 9, 4) {}
    surveyed(int height, int breadth, std::size_t count) : z_(count * static_cast<std::size_t>(height * breadth)), most_of_x_(count), sum_of_x_(count), chosen_(count), rows_(height), columns_(breadth) {
        for (std::size_t i = 0; i < z_.size(); ++i) x_.push_back(static_cast<integer>(i * 7919 % 1013));
    }
    static constexpr auto expression() {
        return batch(solved_by<Size>(over(of_each(chosen))), survey)(of_each(x), of_each(z), of_each(chosen), of_each(sum_of_x), of_each(most_of_x));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(x)(at(x_)), of_each(z)(at(z_)), of_each(chosen)(at(chosen_)), of_each(sum_of_x)(at(sum_of_x_)), of_each(most_of_x)(at(most_of_x_)), rows(rows_), columns(columns_));
    }
    void compute() {
        const std::size_t n = static_cast<std::size_t>(rows_ * columns_);
        for (std::size_t q = 0; q < chosen_.size(); ++q)
            simulate(survey, x(x_.data() + q * n, n), z(z_.data() + q * n, n), chosen(&chosen_[q]), sum_of_x(&sum_of_x_[q]), most_of_x(&most_of_x_[q]), rows(rows_), columns(columns_));
    }
    bool operator==(const surveyed&) const = default;
};

}  // namespace expressions::batches
