// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cmath>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

// Built with -fmad=false. Sums of numbers that are rounded, over boxes of two dimensions: each way to run them joins the terms in the order that
// follows from the box's sides.
namespace ordered_boxes {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct r : buffer<r, double> {} r;
inline constexpr struct p : buffer<p, double> {} p;
inline constexpr struct weights : buffer<weights, float> {} weights;
inline constexpr struct seen : buffer<seen, float> {} seen;
inline constexpr struct q : temp<q, double, struct p> {} q;
inline constexpr struct Ar : temp<Ar, double, struct p> {} Ar;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct next_rr : scalar<next_rr, double> {} next_rr;
inline constexpr struct curvature : scalar<curvature, double> {} curvature;
inline constexpr struct most : scalar<most, double> {} most;
inline constexpr struct mean : scalar<mean, float> {} mean;
inline constexpr struct along : scalar<along, double> {} along;
inline constexpr struct back : scalar<back, double> {} back;
inline constexpr struct it : scalar<it, int> {} it;
inline constexpr struct steps : value<steps, int> {} steps;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;

struct multiply {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, const float& weight, double& to) const {
        to = (4.1 + weight) * *around - (around.at_or(0, -1, 0) + around.at_or(0, 1, 0)) - (around.at_or(0, 0, -1) + around.at_or(0, 0, 1));
    }
};
struct product {
    COGRAPH_HD double operator()(index_t, index_t, const double& a, const double& b) const { return a * b; }
};
struct square_after_step {
    COGRAPH_HD double operator()(index_t, index_t, const double& step, const double& of, double& own) const {
        own -= step * of;
        return own * own;
    }
};
struct go_on {
    COGRAPH_HD void operator()(index_t, index_t, const double& step, const double& keep, const double& residual, float& point, double& direction) const {
        point += static_cast<float>(step * direction);
        direction = residual + keep * direction;
    }
};
struct descend {
    COGRAPH_HD void operator()(index_t, index_t, const double& step, const double& keep, const double& product, double& residual, double& direction, double& change) const {
        direction = residual + keep * direction;
        change = product + keep * change;
        residual -= step * change;
    }
};
struct move {
    COGRAPH_HD void operator()(index_t, index_t, const double& step, const double& direction, float& point) const { point += static_cast<float>(step * direction); }
};
struct forget {
    COGRAPH_HD void operator()(index_t, index_t, double& a, double& b) const { a = b = 0; }
};
struct distance {
    COGRAPH_HD double operator()(index_t, index_t, const float& a, const double& b) const { return std::fabs(a) + b; }
};
struct third {
    COGRAPH_HD float operator()(index_t row, index_t, const float& a) const { return a / 3 + static_cast<float>(row); }
};
struct add_to {
    COGRAPH_HD void operator()(index_t, index_t, const float& from, float& own) const { own += from; }
};
struct write_through_pointer {
    COGRAPH_HD void operator()(index_t row, index_t column, const int& all_columns, const float& own, float* to) const { to[row * all_columns + column] += own; }
};
constexpr auto box = over(rows, columns);
constexpr auto near =
    seq(for_each(box, multiply{})(in(p[cograph::near<1, 1>]), in(weights[each]), out(q[each])), transform_reduce(box, product{}, plus{})(out(curvature), in(p[each]), in(q[each])), assign(along, rr / curvature),
        transform_reduce(box, square_after_step{}, plus{}, 0.25)(out(next_rr), along, in(q[each]), inout(r[each])), transform_reduce(box, third{}, plus{})(out(mean), in(x[each])),
        assign(back, next_rr / rr), assign(rr, next_rr), for_each(box, go_on{})(along, back, in(r[each]), inout(x[each]), inout(p[each])),
        when(it % 3 != 1, transform_reduce(box, distance{}, maximum{})(out(most), in(x[each]), in(r[each]))), assign(it, it + 1));
constexpr auto shorter = seq(for_each(box, multiply{})(in(p[cograph::near<1, 1>]), in(weights[each]), out(q[each])), transform_reduce(box, product{}, plus{})(out(curvature), in(p[each]), in(q[each])),
                             assign(along, rr / curvature), transform_reduce(box, square_after_step{}, plus{}, 0.25)(out(next_rr), along, in(q[each]), inout(r[each])), assign(it, it + 1));
// Another sum in the order of elements: no tiles.
constexpr auto by_elements = seq(shorter, reduce(out(mean), in(weights)));
// One set of sums, as in the method of Chronopoulos and Gear, in a loop that writes memory.
constexpr auto to_memory = seq(for_each(box, descend{})(along, back, in(Ar[each]), inout(r[each]), inout(p[each]), inout(q[each])), for_each(box, multiply{})(in(r[cograph::near<1, 1>]), in(weights[each]), out(Ar[each])),
                               transform_reduce(box, product{}, plus{})(out(next_rr), in(r[each]), in(r[each])), transform_reduce(box, product{}, plus{}, 0.25)(out(curvature), in(Ar[each]), in(r[each])),
                               for_each(box, move{})(along, in(p[each]), inout(x[each])), assign(back, next_rr / (rr + next_rr)), assign(along, next_rr / (curvature + next_rr)), assign(rr, next_rr), assign(it, it + 1),
                               for_each(box, write_through_pointer{})(columns, in(x[each]), inout(seen)));
// Of a box that is cut if it is large, too.
struct relax {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, const float& weight, double& to) const {
        to = (around.at_or(0, -1, 0) + around.at_or(1, 1, 0) + (around.at_or(0.5, 0, -1) + around.at_or(weight, 0, 1))) / 4;
    }
};
struct squared_difference {
    COGRAPH_HD double operator()(index_t row, index_t, const double& a, const double& b, const double& residual) const { return (a - b) * (a - b) + residual * static_cast<double>(row % 2); }
};
struct rounded_third {
    COGRAPH_HD float operator()(index_t row, index_t, const double& a) const { return static_cast<float>(a) / 3 + static_cast<float>(row % 5); }
};
// Two sums that blocks join together, and at times one alone of another type.
constexpr auto in_patches = seq(for_each(box.in_patches(), relax{})(in(p[cograph::near<1, 1>]), in(weights[each]), out(q[each])),
                                transform_reduce(box.in_patches(), squared_difference{}, plus{}, 0.25)(out(curvature), in(p[each]), in(q[each]), in(r[each])),
                                transform_reduce(box.in_patches(), product{}, plus{})(out(most), in(p[each]), in(q[each])), copy(in(q), out(p)),
                                when(it % 3 == 1, transform_reduce(box.in_patches(), rounded_third{}, plus{}, 0.5f)(out(mean), in(p[each]))), assign(next_rr, curvature), assign(rr, curvature + 1),
                                assign(it, it + 1));
constexpr auto solver(auto step) { return seq(assign(it, 0), assign(rr, 1.5), assign(along, 0.0), assign(back, 0.0), assign(most, 0.0), assign(mean, 0.0f), for_each(box, forget{})(out(q[each]), out(Ar[each])), loop_while(it < steps && rr > 0.0, step), for_each(box, add_to{})(in(x[each]), inout(seen[each]))); }
static_assert(why_no_tiles(solver(near), at<7>) == tile_status::tiles && where_on_chip(solver(near), at<7>, p) == on_chip::shared_memory);
static_assert(where_on_chip(solver(near), at<7>, r) == on_chip::registers && where_on_chip(solver(to_memory), at<7>, seen) == on_chip::used_in_other_ways);
static_assert(why_no_tiles(solver(by_elements), at<7>) == tile_status::order_matters && where_on_chip(solver(by_elements), at<7>, r) == on_chip::kept_by_threads);
static_assert(core::tiles_of_loop<std::remove_cvref_t<decltype(loop_while(it < steps && rr > 0.0, in_patches))>::self>::layout.keeps_part);

struct memory {
    std::vector<float> x_, weights_, seen_;
    std::vector<double> r_, p_;

    explicit memory(std::size_t n) : x_(n), weights_(n), seen_(n), r_(n), p_(n) {
        for (std::size_t i = 0; i < n; ++i) {
            r_[i] = p_[i] = 1 + static_cast<double>(i * 2654435761u % 1000003) / 1000003;
            weights_[i] = static_cast<float>(i % 13) / 13;
        }
    }
};
struct scalars {
    double rr_, next_rr_, curvature_, most_;
    float mean_;
    int it_;
    template <class Run>
    static scalars of(Run& run) {
        return {run.fetch(rr), run.fetch(next_rr), run.fetch(curvature), run.fetch(most), run.fetch(mean), run.fetch(it)};
    }
    bool operator==(const scalars&) const = default;
};
// What a way to run leaves: after one launch, then after another.
struct outcome {
    memory left;
    scalars found;
    bool operator==(const outcome& other) const {
        const auto same = [](const auto& a, const auto& b) { return std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0; };
        return found == other.found && same(left.x_, other.left.x_) && same(left.seen_, other.left.seen_) && same(left.r_, other.left.r_) && same(left.p_, other.left.p_);
    }
};
template <class E>
outcome on_gpu(const E& e, int of_rows, int of_columns, int of_steps, const stream& on) {
    memory start(static_cast<std::size_t>(of_rows) * static_cast<std::size_t>(of_columns));
    device_array<float> x_(start.x_), weights_(start.weights_), seen_(start.seen_);
    device_array<double> r_(start.r_), p_(start.p_);
    auto run = instantiate(e, x(x_.all()), r(r_.all()), p(p_.all()), weights(weights_.all()), seen(seen_.all()), rows(of_rows), columns(of_columns), steps(of_steps));
    for (int launch = 0; launch < 2; ++launch) run.launch(on);
    on.wait();
    start.x_ = x_.read();
    start.seen_ = seen_.read();
    start.r_ = r_.read();
    start.p_ = p_.read();
    return {start, scalars::of(run)};
}
template <class E>
outcome on_host(const E& e, int of_rows, int of_columns, int of_steps) {
    memory m(static_cast<std::size_t>(of_rows) * static_cast<std::size_t>(of_columns));
    scalars s{};
    for (int launch = 0; launch < 2; ++launch)
        simulate(e, x(std::span(m.x_)), r(std::span(m.r_)), p(std::span(m.p_)), weights(std::span(m.weights_)), seen(std::span(m.seen_)), rows(of_rows), columns(of_columns), steps(of_steps), rr(&s.rr_), next_rr(&s.next_rr_), curvature(&s.curvature_),
                 most(&s.most_), mean(&s.mean_), it(&s.it_));
    return {m, s};
}

// Boxes that are whole tiles of few elements a thread or of many, and others; too small and too large to be cut.
inline constexpr std::pair<int, int> sides[] = {{512, 512}, {1024, 1024}, {400, 400}, {363, 365}, {64, 4096}, {4096, 64}, {600, 300}, {1000, 1000}, {1021, 777}, {8190, 127}, {300, 400}, {1100, 1100}};

// Cut into large patches: whole in tiles on chip, in part, and with few of the elements of 128 patches. And small ones.
inline constexpr std::pair<int, int> large_sides[] = {{1101, 1090}, {2100, 2302}, {1025, 1025}, {400, 400}, {900, 1000}};

template <class Step, std::size_t N>
void check_all_ways(const Step& step, const std::pair<int, int> (&of_sides)[N]) {
    const stream on;
    for (const auto& [of_rows, of_columns] : of_sides) {
        if (of_rows != 400 && leave_out::under_tool()) continue;
        DYNAMIC_SECTION(of_rows << " x " << of_columns) {
            const int of_steps = leave_out::under_tool() ? 2 : 4;
            const outcome nodes = on_gpu(as_nodes(solver(step)), of_rows, of_columns, of_steps, on), whole = on_gpu(solver(step), of_rows, of_columns, of_steps, on);
            const outcome simulated = on_host(solver(step), of_rows, of_columns, of_steps);
            CHECK(nodes.found.it_ == of_steps);
            CHECK(std::isfinite(nodes.found.rr_));
            CHECK((whole == nodes));
            CHECK((simulated == nodes));
        }
    }
}

}  // namespace ordered_boxes

TEST_CASE("sums over boxes have the same bits in tiles, as nodes and on the host", "[gpu][kept]") { ordered_boxes::check_all_ways(ordered_boxes::near, ordered_boxes::sides); }
TEST_CASE("sums over boxes have the same bits if tiles also write memory", "[gpu][kept]") { ordered_boxes::check_all_ways(ordered_boxes::to_memory, ordered_boxes::sides); }
TEST_CASE("sums over boxes have the same bits beside a sum over elements", "[gpu][kept]") { ordered_boxes::check_all_ways(ordered_boxes::by_elements, ordered_boxes::sides); }
TEST_CASE("sums over large boxes have the same bits in large tiles, as nodes and on the host", "[gpu]") { ordered_boxes::check_all_ways(ordered_boxes::in_patches, ordered_boxes::large_sides); }
