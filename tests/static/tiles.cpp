// SPDX-License-Identifier: Apache-2.0
#include "../expressions/boxes.hpp"

#include <cograph/plan/tiles/tile_program.hpp>

#include <utility>

// Which variables of a loop stay on chip, which barriers that leaves, and how boxes are dealt to blocks.
namespace tile_operations {  // with a name: nvcc warns of members that only constants use in one without

struct largest_magnitude {
    COGRAPH_HD double operator()(double a, double b) const { return a * a < b * b ? b : a; }
};
struct largest_magnitude_in_any_order : largest_magnitude {
    static constexpr bool in_any_order = true;
};
struct largest_magnitude_in_order : largest_magnitude {
    static constexpr bool in_any_order = false;
};
using near_real = cograph::neighbours<double, 1, 1>;
using cograph::index_t;
struct times_table_kept {
    const double* table = nullptr;
    COGRAPH_HD void operator()(index_t, index_t, near_real around, double& to) const { to = *around * table[static_cast<int>(*around)]; }
};
struct times_numbers {
    double a, b;
    COGRAPH_HD void operator()(index_t, index_t, near_real around, double& to) const { to = *around * a + b; }
    COGRAPH_HD void operator()(index_t, index_t, near_real around, const double* table, double& to) const { to = *around * table[static_cast<int>(*around)]; }
    COGRAPH_HD void operator()(index_t, index_t, near_real around, times_numbers more, double& to) const { to = *around * more.a; }
};
struct look_up {
    COGRAPH_HD void operator()(const double* table, double& at) const { at = table[static_cast<int>(at)]; }
};

}  // namespace tile_operations
namespace {

using namespace cograph;
using namespace tile_operations;
using namespace expressions::boxes;
using expressions::expression_of;

// [where]
static_assert(why_no_tiles(expression_of<jacobi>, calls<relax>) == tile_status::tiles);
static_assert(where_on_chip(expression_of<jacobi>, calls<relax>, x) == on_chip::shared_memory);
static_assert(where_on_chip(expression_of<jacobi>, calls<relax>, y) == on_chip::registers);
// [/where]
static_assert(where_on_chip(expression_of<jacobi>, calls<relax>, change) == on_chip::not_in_memory);
static_assert(where_on_chip(expression_of<there_and_back>, at<2>, y) == on_chip::shared_memory);
static_assert(where_on_chip(expression_of<branching>, calls<wide>, weight) == on_chip::used_in_other_ways);
static_assert(where_on_chip(expression_of<branching>, calls<wide>, z) == on_chip::registers);
static_assert(why_no_tiles(expression_of<space>, calls<number>) == tile_status::several_boxes);
static_assert(where_on_chip(expression_of<space>, calls<number>, x) == on_chip::no_tiles);
static_assert(why_no_tiles(expression_of<room>, calls<cube>) == tile_status::tiles);
static_assert(where_on_chip(expression_of<room>, calls<cube>, x) == on_chip::shared_memory && where_on_chip(expression_of<room>, calls<cube>, y) == on_chip::registers);
static_assert(why_no_tiles(expression_of<jacobi>, at<0>) == tile_status::is_not_one_kernel);

struct difference_of_reals {
    COGRAPH_HD double operator()(index_t, index_t, double a, double b) const { return a - b; }
};
struct mean {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { to = around.at_or(0.0, 0, 1) * 0.5 + *around * 0.5; }
};
struct mean_of_two {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 2> around, double& to) const { to = around.at_or(0.0, 0, 2) * 0.5 + *around * 0.5; }
};
struct mean_beside {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double own, double& to) const { to = around.at_or(0.0, 0, 1) * 0.5 + own * 0.5; }
};
struct mean_and_difference {
    COGRAPH_HD double operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { return (to = around.at_or(0.0, 0, 1) * 0.5) - *around; }
};
struct real {
    COGRAPH_HD double operator()(index_t, index_t, double a) const { return a; }
};
struct row_of {
    COGRAPH_HD void operator()(index_t, const double* all, double& to) const { to = all[0]; }
};
struct take_real {
    COGRAPH_HD void operator()(index_t, index_t, double from, double& to) const { to = from; }
};
struct add_row_of {
    COGRAPH_HD void operator()(index_t, index_t, const double* all, double from, double& to) const { to = from + all[0]; }
};
struct add_near {
    COGRAPH_HD void operator()(index_t, index_t, const double* all, neighbours<double, 1, 1> around, double& to) const { to = all[0] + *around; }
};
inline constexpr struct r : buffer<r, double> {} r;
inline constexpr struct p : buffer<p, double> {} p;
inline constexpr struct q : buffer<q, double> {} q;
inline constexpr struct s : scalar<s, double> {} s;
struct two_reals {
    double a = 0, b = 0;
    COGRAPH_HD constexpr two_reals operator+(two_reals other) const { return {a + other.a, b + other.b}; }
};
static_assert((two_reals{1, 2} + two_reals{3, 4}).a == 4);
struct both_reals {
    COGRAPH_HD two_reals operator()(index_t, index_t, double a, double b) const { return {a, b}; }
};
inline constexpr struct of_both : scalar<of_both, two_reals> {} of_both;
struct larger_of_both {
    static constexpr bool in_any_order = true;
    COGRAPH_HD constexpr two_reals operator()(two_reals x, two_reals y) const { return {x.a < y.a ? y.a : x.a, x.b < y.b ? y.b : x.b}; }
};
static_assert(larger_of_both::in_any_order && larger_of_both{}({1, 2}, {3, 1}).b == 2);
constexpr auto square = over(rows, rows);
constexpr auto smooth = for_each(square, mean{})(in(p[near<1, 1>]), out(q[each]));
constexpr auto back = for_each(square, mean{})(in(q[near<1, 1>]), out(p[each]));
static_assert(why_no_tiles(repeat(3, seq(smooth, back)), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(repeat(3, seq(smooth, back, transform_reduce(square, difference_of_reals{}, plus{})(out(s), p[each], q[each]))), at<1>) == tile_status::tiles);
// Only the order of a reduction over the box follows from tiles, and its result has no more bytes than blocks send at once.
static_assert(why_no_tiles(repeat(3, seq(smooth, back, reduce(out(s), in(p)))), at<1>) == tile_status::order_matters);
static_assert(why_no_tiles(repeat(3, seq(smooth, back, transform_reduce(square, both_reals{}, plus{})(out(of_both), p[each], q[each]))), at<1>) == tile_status::order_matters);
constexpr auto larger = transform_reduce(square, both_reals{}, larger_of_both{}, two_reals{})(out(of_both), p[each], q[each]);
static_assert(why_no_tiles(repeat(3, seq(smooth, back, larger)), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(repeat(3, seq(smooth, back, larger, transform_reduce(square, difference_of_reals{}, plus{})(out(s), p[each], q[each]))), at<1>) == tile_status::order_matters);
static_assert(core::has_order<plus, double> && !core::has_order<plus, int> && !core::has_order<maximum, double> && core::has_order<maximum, long double> && !core::has_order<minimum, short>);
// A NaN-aware maximum keeps tiles, and so does an operation that declares that its order does not matter.
constexpr auto reduced_by(auto op) { return repeat(3, seq(smooth, back, transform_reduce(square, difference_of_reals{}, op, 0.0)(out(s), p[each], q[each]))); }
static_assert(why_no_tiles(reduced_by(maximum{}), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(reduced_by(maximum_or_nan{}), at<1>) == tile_status::tiles && why_no_tiles(reduced_by(minimum_or_nan{}), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(reduced_by(largest_magnitude{}), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(reduced_by(largest_magnitude_in_any_order{}), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(reduced_by(largest_magnitude_in_order{}), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(repeat(3, seq(smooth, for_each(over(rows, columns), mean{})(in(q[near<1, 1>]), out(p[each])))), at<1>) == tile_status::several_boxes);
// The plan knows that boxes of the same variables are equal, however many there are. A run compares constant ones, of which it has room for 31.
template <int... I>
constexpr auto many_nodes(auto box, std::integer_sequence<int, I...>) {
    return repeat(3, seq((static_cast<void>(I), for_each(box, mean{})(in(p[near<1, 1>]), out(q[each])))...));
}
static_assert(why_no_tiles(many_nodes(square, std::make_integer_sequence<int, 32>{}), at<1>) == tile_status::tiles);
static_assert(why_no_tiles(many_nodes(over(9, 9), std::make_integer_sequence<int, 32>{}), at<1>) == tile_status::several_boxes);
static_assert(why_no_tiles(repeat(3, seq(smooth, for_each(over(q), row_of{})(in(q), out(p[each])))), at<1>) == tile_status::tiles);
static_assert(where_on_chip(repeat(3, seq(smooth, for_each(over(q), row_of{})(in(q), out(p[each])))), at<1>, q) == on_chip::used_in_other_ways);
static_assert(why_no_tiles(repeat(3, for_each(over(p), row_of{})(in(q), out(p[each]))), at<1>) == tile_status::reads_no_neighbours);
static_assert(why_no_tiles(repeat(3, seq(inclusive_scan(in(p), out(r), maximum{}), reduce(out(s), in(q)), smooth)), at<1>) == tile_status::groups_of_threads);  // no node joins a scan

// Tiles: as many blocks as there are, the shortest borders, and no tile where threads would have too many elements.
constexpr bool is(core::tile_shape tile, int width, int height, int across, int down, int threads) {
    return tile.width == width && tile.height == height && tile.across == across && tile.down == down && tile.threads == threads;
}
static_assert(is(core::shape_of_tiles(2, 1024, 1024, 128, 16), 64, 128, 16, 8, 512));
static_assert(is(core::shape_of_tiles(2, 256, 256, 128, 4), 32, 32, 8, 8, 256) && is(core::shape_of_tiles(2, 256, 256, 64, 4), 32, 32, 8, 8, 256));
static_assert(core::shape_of_tiles(2, 1024, 1024, 128, 4).threads == 0 && core::shape_of_tiles(2, 2048, 2048, 128, 16).threads == 0);
constexpr core::tile_shape large(int rows, int columns, int blocks = 128) { return core::shape_of_large_tiles(rows, columns, blocks, core::tile_kind::large); }
static_assert(is(large(2048, 2048), 128, 256, 16, 8, 512) && large(2048, 2048).rows_of_thread == 16 && large(2049, 2048).threads == 0);
static_assert(is(large(1500, 1500), 128, 160, 12, 10, 512) && is(large(129, 4097), 128, 72, 33, 2, 256));
constexpr core::tile_shape in_part(int rows, int columns, int blocks = 128) { return core::shape_of_large_tiles(rows, columns, blocks, core::tile_kind::in_part); }
static_assert(is(in_part(2049, 2048), 128, 272, 16, 8, 512) && in_part(2049, 2048).rows_of_thread == 17);
static_assert(is(in_part(4096, 4096), 128, 1024, 32, 4, 512) && in_part(4097, 4096).threads == 0);
// A thread's rows in shared memory: all of a large tile, else as many as fit.
constexpr int most_on_h100 = 227 * 1024 - core::most_own_shared_bytes_beside_large, most_on_a100 = 163 * 1024 - core::most_own_shared_bytes_beside_large;
constexpr core::large_rows rows_of(core::tile_shape tile, core::tile_border border = {1, 1, 0}, int variables = 1) {
    core::large_rows rows;
    for (int k = 0; k < variables; ++k) rows.add(border, tile, tile.width / core::tile_lanes, 8);
    return rows;
}
constexpr int rows_in_shared(core::tile_shape tile, int bytes = most_on_h100) { return rows_of(tile).in_shared(tile, bytes); }
static_assert(rows_in_shared(large(2048, 2048)) == 9 && rows_in_shared(in_part(2049, 2049)) == 8 && rows_in_shared(in_part(4096, 4096)) == 7);
static_assert(rows_in_shared(large(2048, 2048), most_on_a100) == 5 && rows_in_shared(in_part(2049, 2049), most_on_a100) == 4);
// Tall ones, of two variables or with neighbours two rows away: these have two registers less for rows, and nodes read three of the others together.
constexpr core::tile_shape tall(int rows, int columns, int blocks = 128) { return core::shape_of_large_tiles(rows, columns, blocks, core::tile_kind::tall); }
static_assert(is(tall(1344, 1344), 64, 224, 21, 6, 512) && tall(1344, 1344).rows_of_thread == 14 && is(tall(2560, 2560), 64, 864, 40, 3, 512) && tall(2896, 2896).threads == 0 && tall(4096, 2048).rows_of_thread == 64);
static_assert(rows_of(tall(1344, 1344), {1, 1, 0}, 2).are_on_chip(tall(1344, 1344), most_on_h100) && !rows_of(tall(1448, 1448), {1, 1, 0}, 2).are_on_chip(tall(1448, 1448), most_on_h100));
static_assert(rows_of(tall(1448, 1448)).first_passing() == 6 && rows_of(tall(1448, 1448), {2, 1, 0}).first_passing() == 4);
static_assert(rows_of(tall(1448, 1448)).beyond(tall(1448, 1448)) == 12 && rows_of(tall(1448, 1448), {2, 1, 0}).beyond(tall(1448, 1448)) == 13);
// The kernel finds the same rows from the bytes of its launch.
constexpr bool finds_rows_again(int bytes) {
    for (int rows = 100; rows < 4100; rows += 301)
        for (int columns = 100; columns < 4100; columns += 203)
            for (const core::tile_shape& tile : {large(rows, columns), in_part(rows, columns), tall(rows, columns)}) {
                const core::large_rows of = rows_of(tile);
                if (tile.threads != 0 && of.in_shared(tile, of.shared_bytes(tile, bytes)) != of.in_shared(tile, bytes)) return false;
            }
    return true;
}
static_assert(finds_rows_again(most_on_h100) && finds_rows_again(most_on_a100) && finds_rows_again(99 * 1024));
static_assert(core::shape_of_tiles(2, 3, 40, 1, 4).threads == 0 && is(core::shape_of_tiles(2, 3, 40, 1, 16), 64, 64, 1, 1, 256));
static_assert(is(core::shape_of_tiles(1, 1, 3000, 8, 2), 375, 1, 8, 1, 256));
// A block that computes elements around its tile has no warps without rows, but not fewer than eight.
static_assert(is(core::shape_of_tiles(2, 512, 512, 128, 8, 4), 56, 44, 10, 12, 416) && is(core::shape_of_tiles(2, 100, 100, 128, 4, 4), 24, 24, 5, 5, 256));

// For as many blocks as there are tiles, tiles are the same.
constexpr bool has_no_idle_blocks(auto shape_of) {
    for (int rows = 1; rows < 1200; rows += 37)
        for (int columns = 1; columns < 1200; columns += 41) {
            const core::tile_shape tile = shape_of(rows, columns, 128);
            if (tile.threads == 0) continue;
            const core::tile_shape same = shape_of(rows, columns, tile.tiles());
            if (!is(same, tile.width, tile.height, tile.across, tile.down, tile.threads) || tile.width * tile.across < columns || tile.height * tile.down < rows) return false;
        }
    return true;
}
constexpr bool has_no_idle_blocks(int elements_a_thread, int overlap = 0) {
    return has_no_idle_blocks([=](int rows, int columns, int blocks) { return core::shape_of_tiles(2, rows, columns, blocks, elements_a_thread, overlap); });
}
static_assert(has_no_idle_blocks(large) && has_no_idle_blocks(in_part) && has_no_idle_blocks(4) && has_no_idle_blocks(8) && has_no_idle_blocks(16) && has_no_idle_blocks(tall) && has_no_idle_blocks(4, 4) && has_no_idle_blocks(8, core::most_overlap));

// Of three dimensions: rows of 32, 16 of them a plane, and as many planes as blocks are there for, or as nodes read beyond a tile.
constexpr bool is_in_space(core::tile_shape tile, int across, int down, int behind, int planes) {
    return is(tile, 32, 16, across, down, 512) && tile.behind == behind && tile.planes == planes;
}
static_assert(is_in_space(core::shape_of_tiles_in_space({128, 128, 128}, 128, 32), 4, 8, 4, 32) && core::shape_of_tiles_in_space({129, 128, 128}, 128, 32).threads == 0);
static_assert(is_in_space(core::shape_of_tiles_in_space({64, 64, 64}, 128, 4), 2, 4, 16, 4) && is_in_space(core::shape_of_tiles_in_space({64, 64, 64}, 64, 8), 2, 4, 8, 8));
static_assert(is_in_space(core::shape_of_tiles_in_space({9, 3, 40}, 128, 4), 2, 1, 9, 1) && is_in_space(core::shape_of_tiles_in_space({9, 3, 40}, 128, 4, 2), 2, 1, 5, 2));
static_assert(core::shape_of_tiles_in_space({1, 2049, 32}, 128, 32).threads == 0 && core::shape_of_tiles_in_space({0, 5, 5}, 128, 32).threads == 0);
constexpr bool has_no_idle_blocks_in_space(int least) {
    for (int planes = 1; planes < 200; planes += 7)
        for (int rows = 1; rows < 200; rows += 31)
            for (int columns = 1; columns < 200; columns += 37) {
                const core::box_sides box{planes, rows, columns};
                const core::tile_shape tile = core::shape_of_tiles_in_space(box, 128, 32, least);
                if (tile.threads == 0) continue;
                const core::tile_shape same = core::shape_of_tiles_in_space(box, tile.tiles(), 32);
                const bool is_alone = tile.behind == 1 && same.behind == 1;
                if (!is_in_space(same, tile.across, tile.down, tile.behind, is_alone ? same.planes : tile.planes) || tile.planes * tile.behind < planes || tile.tiles() > 128) return false;
            }
    return true;
}
static_assert(has_no_idle_blocks_in_space(1) && has_no_idle_blocks_in_space(2));

// All blocks that compute an element have it at the same place of a thread, in a warp of the same rows of the box. So they run the same instructions,
// which matters where nvcc contracts those that test rows otherwise than those that do not.
constexpr bool computes_alike(int elements_a_thread) {
    const int high = core::rows_of_thread(elements_a_thread), wide = core::columns_of_thread(elements_a_thread);
    for (int rows = 1; rows < 1200; rows += 37)
        for (int columns = 1; columns < 1200; columns += 41) {
            const core::tile_shape tile = core::shape_of_overlapping_tiles(rows, columns, 128, elements_a_thread);
            if (tile.height % high != 0 || tile.width % wide != 0 || 2 * tile.overlap % high != 0 || tile.overlap % wide != 0) return false;
        }
    return true;
}
static_assert(computes_alike(4) && computes_alike(core::most_overlapping_elements));

// Of the overlaps that fit the cheapest, which blocks find again from their number.
constexpr bool has_overlap(int rows, int columns, int elements_a_thread, int overlap, int threads) {
    const core::tile_shape tile = core::shape_of_overlapping_tiles(rows, columns, 128, elements_a_thread);
    return tile.overlap == overlap && tile.threads == threads;
}
static_assert(has_overlap(128, 128, 4, 8, 256) && has_overlap(256, 256, 4, 4, 256) && has_overlap(384, 384, 4, 4, 448) && has_overlap(512, 512, 4, 0, 0));
static_assert(has_overlap(512, 512, 8, 8, 512) && has_overlap(600, 600, 8, 4, 512) && has_overlap(640, 640, 8, 2, 512) && has_overlap(700, 700, 8, 0, 0));
constexpr bool finds_overlap_again(int elements_a_thread, int radius) {
    for (int rows = 1; rows < 1200; rows += 29)
        for (int columns = 1; columns < 1200; columns += 31) {
            const core::tile_shape tile = core::shape_of_overlapping_tiles(rows, columns, 128, elements_a_thread, radius);
            if (tile.threads == 0) continue;
            const core::tile_shape same = core::shape_of_overlapping_tiles(rows, columns, tile.tiles(), elements_a_thread, radius);
            if (!is(same, tile.width, tile.height, tile.across, tile.down, tile.threads) || same.overlap != tile.overlap) return false;
            if (tile.width * tile.across < columns || tile.height * tile.down < rows) return false;
        }
    return true;
}
static_assert(finds_overlap_again(4, 1) && finds_overlap_again(core::most_overlapping_elements, 1));
static_assert(finds_overlap_again(4, 2) && finds_overlap_again(core::most_overlapping_elements, 2));
// The overlap is the cheapest. With a radius of 2, blocks need elements of others twice as often.
constexpr int steps_between_exchanges(int overlap, int radius) {
    int steps = 0;
    for (int good = overlap; good >= radius; good -= radius) ++steps;  // a step leaves elements around the tile right so far
    return steps;
}
static_assert(steps_between_exchanges(8, 1) == 8 && steps_between_exchanges(2, 1) == 2 && steps_between_exchanges(8, 2) == 4 && steps_between_exchanges(2, 2) == 1);
static_assert(core::steps_of_overlap(8, 1) == 8 && core::steps_of_overlap(8, 2) == 4 && core::steps_of_overlap(2, 2) == 1 && core::steps_of_overlap(4, 0) == 4);
constexpr bool is_cheapest(int elements_a_thread, int radius, int chosen_for) {
    const auto price = [&](core::tile_shape const& tile) { return core::nanoseconds_of_step(elements_a_thread, tile.threads, steps_between_exchanges(tile.overlap, radius)); };
    for (int rows = 1; rows < 1400; rows += 64)
        for (int columns = 1; columns < 1400; columns += 80) {
            const core::tile_shape tile = core::shape_of_overlapping_tiles(rows, columns, 128, elements_a_thread, chosen_for);
            for (int overlap = elements_a_thread == core::most_overlapping_elements ? 2 : 4; tile.threads != 0 && overlap <= core::most_overlap; overlap *= 2) {
                const core::tile_shape other = core::shape_of_tiles(2, rows, columns, 128, elements_a_thread, overlap);
                if (other.threads != 0 && other.height >= 2 * overlap && other.width >= 2 * overlap && price(tile) > price(other)) return false;
            }
        }
    return true;
}
constexpr bool is_cheapest(int radius, int chosen_for) { return is_cheapest(4, radius, chosen_for) && is_cheapest(core::most_overlapping_elements, radius, chosen_for); }
static_assert(is_cheapest(1, 1) && is_cheapest(2, 2) && !is_cheapest(2, 1) && !is_cheapest(1, 2));

// Of one dimension, each element of a border has a number of its own, below the most.
constexpr bool numbers_borders(core::tile_border border, int width) {
    bool taken[64]{};
    for (int j = 0; j < width; ++j) {
        const bool is_border = j < border.columns || width - j <= border.columns;
        const int at = border.of(j, width);
        if (is_border != (at >= 0) || at >= border.most(1) || (at >= 0 && taken[at])) return false;
        if (at >= 0) taken[at] = true;
    }
    return true;
}
static_assert(numbers_borders({0, 1, 0}, 32) && numbers_borders({0, 3, 0}, 4) && numbers_borders({0, 2, 0}, 1));

// Of three dimensions, an element has a number for each side that it is at, and no other element has it.
struct numbers_taken {
    bool taken[8192]{};
    int count = 0, most;
    bool alone = true;
    constexpr void take(int at) {
        alone = alone && at >= 0 && at < most && !taken[at];
        if (alone) taken[at] = true;
        ++count;
    }
};
constexpr bool numbers_sides(core::tile_border border) {
    numbers_taken all{.most = border.most(3)};
    for (int side = 0; side < 2 * border.planes; ++side)
        for (int row = 0; row < core::space_height; ++row)
            for (int column = 0; column < core::space_width; ++column) all.take(border.of_plane(side, row, column));
    for (int plane = 0; plane < core::most_planes_of_tile; ++plane) {
        for (int side = 0; side < 2 * border.rows; ++side)
            for (int column = 0; column < core::space_width; ++column) all.take(border.of_row(plane, side, column));
        for (int side = 0; side < 2 * border.columns; ++side)
            for (int row = 0; row < core::space_height; ++row) all.take(border.of_column(plane, row, side));
    }
    return all.alone && all.count == all.most;
}
// Kernels have no more planes than fit.
constexpr core::tile_border near_in_space[] = {{1, 1, 1}, {1, 1, 1}}, far_in_space[] = {{2, 2, 2}};
constexpr unsigned of_eight[] = {8, 8}, of_four[] = {4, 4};
static_assert(core::most_planes_with_room(16, near_in_space, of_eight, 1) == 32 && core::most_planes_with_room(16, near_in_space, of_eight, 2) == 16 && core::most_planes_with_room(8, near_in_space, of_four, 2) == 32);
static_assert(core::most_planes_with_room(16, far_in_space, of_eight, 1) == 32 && core::most_planes_with_room(24, near_in_space, of_eight, 2) == 16 && core::most_planes_with_room(32, near_in_space, of_eight, 2) == 8);
static_assert(numbers_sides({1, 1, 1}) && numbers_sides({2, 0, 1}) && numbers_sides({0, 1, 2}));
static_assert(core::tile_border{1, 1, 1}.shared_bytes(3, core::shape_of_tiles_in_space({128, 128, 128}, 128, 32), 8) == 34 * 18 * 34 * 8);

// Elements that blocks exchange with a number beside each word.
static_assert(core::tile_border::exchanged_bytes(2, 2) == 8 && core::tile_border::exchanged_bytes(2, 8) == 16 && core::tile_border::exchanged_bytes(2, 12) == 32 &&
              core::tile_border::exchanged_bytes(2, 16) == 32 && core::tile_border::exchanged_bytes(1, 12) == 12 && core::tile_border::exchanged_bytes(3, 12) == 12);

// Blocks compute elements around their tiles if functions get only elements on chip and the loop does not reduce in each iteration.
template <class E>
constexpr bool may_overlap(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.may_overlap;
}
constexpr auto relaxing = for_each(square, mean{})(in(p[near<1, 1>]), out(q[each]));
constexpr auto taking = for_each(square, take_real{})(in(q[each]), out(p[each]));
static_assert(may_overlap(repeat(3, seq(relaxing, taking))) && may_overlap(repeat(3, seq(smooth, back))) && may_overlap(repeat(3, seq(when(s > 0.0, relaxing), relaxing, taking))));
static_assert(may_overlap(repeat(3, seq(repeat(4, seq(relaxing, taking)), relaxing, taking))));
constexpr auto comparing = transform_reduce(square, difference_of_reals{}, maximum{})(out(s), p[each], q[each]);
static_assert(may_overlap(repeat(3, seq(repeat(4, seq(relaxing, taking)), relaxing, comparing, taking))));
static_assert(may_overlap(loop_while(max_abs(p) > 1.0, seq(relaxing, copy(in(q), out(p))), check_every<4>)) && !may_overlap(loop_while(max_abs(p) > 1.0, seq(relaxing, taking))));
static_assert(!may_overlap(repeat(3, seq(relaxing, comparing, taking))) && !may_overlap(loop_while(s > 0.0, seq(relaxing, comparing, taking), check_every<4>)));
static_assert(!may_overlap(repeat(3, seq(repeat(4, seq(relaxing, comparing, taking)), relaxing, taking))));
static_assert(!may_overlap(repeat(3, seq(repeat(4, seq(taking)), relaxing, comparing, taking))));
static_assert(!may_overlap(repeat(3, seq(taking, relaxing))) && !may_overlap(repeat(3, seq(when(s > 0.0, relaxing), taking))));            // q is kept for the next iteration
static_assert(!may_overlap(repeat(3, seq(relaxing, for_each(square, add_row_of{})(in(r), in(q[each]), out(p[each]))))));  // r is in memory
// Variables that are only read, by element, may be in memory. They are if they have no room beside 24 bytes on chip.
static_assert(where_on_chip(expression_of<conducted>, at<1>, share) == on_chip::registers && where_on_chip(expression_of<conducted>, at<1>, source) == on_chip::too_many_variables);
constexpr auto conducting = for_each(square, conduct{})(in(x[near<1, 1>]), in(weight[each]), in(source[each]), out(y[each]));
constexpr auto conducting_back = for_each(square, conduct{})(in(y[near<1, 1>]), in(weight[each]), in(source[each]), out(x[each]));
static_assert(may_overlap(repeat(3, seq(conducting, copy(in(y), out(x))))) && may_overlap(repeat(3, seq(conducting, conducting_back))) && where_on_chip(repeat(3, seq(conducting, conducting_back)), at<1>, source) == on_chip::too_many_variables);
static_assert(!may_overlap(repeat(3, seq(conducting, copy(in(y), out(x)), for_each(square, add{})(in(x[each]), inout(source[each]))))));  // source changes

// A function that gets a pointer by value is called for no element but those of its block.
inline constexpr struct table : value<table, const double*> {} table;
inline constexpr struct tables : buffer<tables, const double*> {} tables;
inline constexpr struct numbers : value<numbers, times_numbers> {} numbers;
constexpr auto with_table = for_each(square, times_numbers{1, 2})(in(p[near<1, 1>]), table, out(q[each]));
constexpr auto with_tables = for_each(square, times_numbers{1, 2})(in(p[near<1, 1>]), in(tables[each]), out(q[each]));
constexpr auto with_table_kept = for_each(square, times_table_kept{})(in(p[near<1, 1>]), out(q[each]));
constexpr auto with_numbers = for_each(square, times_numbers{1, 2})(in(p[near<1, 1>]), numbers, out(q[each]));
static_assert(!may_overlap(repeat(3, seq(with_table, taking))) && !may_overlap(repeat(3, seq(with_tables, taking))) && !may_overlap(repeat(3, seq(with_table_kept, taking))));
static_assert(may_overlap(repeat(3, seq(with_numbers, taking))) && may_overlap(repeat(3, seq(for_each(square, times_numbers{1, 2})(in(p[near<1, 1>]), out(q[each])), taking))));

// Tiles may be large if a variable gets its elements from another one by a copy, in each group that writes them.
template <class E>
constexpr bool is_large(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.is_large;
}
inline constexpr struct one_byte : scalar<one_byte, signed char> {} one_byte;
constexpr auto copying = copy(in(q), out(p));
static_assert(is_large(repeat(3, seq(relaxing, copying))) && is_large(repeat(3, seq(relaxing, comparing, copying))) && is_large(repeat(3, seq(repeat(4, seq(relaxing, copying)), relaxing, comparing, copying))));
static_assert(!is_large(repeat(3, seq(with_table, copying))) && is_large(repeat(3, seq(with_numbers, copying))));
static_assert(is_large(loop_while(max_abs(p) > 1.0, seq(relaxing, copying), check_every<4>)) && is_large(repeat(3, when(s > 0.0, seq(relaxing, copying)))));
static_assert(!is_large(repeat(3, seq(relaxing, taking))));
static_assert(!is_large(repeat(3, seq(relaxing, copying, relaxing, comparing))));  // what relaxing writes is read in the next iteration
static_assert(!is_large(repeat(3, seq(comparing, relaxing, copying))) && !is_large(repeat(3, seq(relaxing, copying, copy(in(p), out(r))))));
static_assert(!is_large(repeat(3, seq(relaxing, copying, for_each(square, take_real{})(in(p[each]), out(q[each]))))));
static_assert(!is_large(repeat(3, seq(for_each(square, add_near{})(in(r), in(p[near<1, 1>]), out(q[each])), copying))));  // r is in memory
struct mean_in_row {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 0, 1> around, double& to) const { to = (around.at_or(0.0, 0, -1) + around.at_or(0.0, 0, 1)) / 2; }
};
static_assert(!is_large(repeat(3, seq(for_each(square, mean_in_row{})(in(p[near<0, 1>]), out(q[each])), copying))));  // no rows are exchanged
struct is_larger {
    COGRAPH_HD signed char operator()(index_t, index_t, double a, double b) const { return a > b; }
};
constexpr auto counting = transform_reduce(square, is_larger{}, maximum{})(out(one_byte), p[each], q[each]);
static_assert(is_large(repeat(3, seq(relaxing, comparing, counting, copying))));
// Arrays that are only read are in memory then. Such tiles are kept in part if one node reads neighbours.
template <class E>
constexpr bool keeps_part(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.keeps_part;
}
constexpr auto conducting_on = seq(conducting, copy(in(y), out(x)));
static_assert(is_large(repeat(3, conducting_on)) && keeps_part(repeat(3, conducting_on)) && keeps_part(loop_while(max_abs(x) > 1.0, conducting_on, check_every<4>)));
static_assert(is_large(repeat(3, seq(repeat(3, conducting_on), conducting_on))) && !keeps_part(repeat(3, seq(repeat(3, conducting_on), conducting_on))));
static_assert(keeps_part(repeat(3, seq(relaxing, copying))) && keeps_part(repeat(3, seq(repeat(3, seq(relaxing, copying)), relaxing, copying))));
static_assert(!is_large(repeat(3, seq(conducting, conducting_back))));
// Or if two variables take turns: each node that writes one of them reads neighbours of the other, and both lie in memory when the loop ends.
template <class E>
constexpr bool takes_turns(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.takes_turns;
}
constexpr auto telling = transform_reduce(square, mean_and_difference{}, maximum{})(out(s), in(q[near<1, 1>]), out(p[each]));
constexpr auto greatest_of_q = transform_reduce(square, real{}, maximum{})(out(s), in(q[each]));
static_assert(takes_turns(repeat(3, seq(smooth, back))) && takes_turns(repeat(3, seq(repeat(4, seq(smooth, back)), smooth, telling))) && !takes_turns(repeat(3, seq(relaxing, copying))));
static_assert(takes_turns(repeat(3, seq(smooth, greatest_of_q, back))) && takes_turns(repeat(3, when(s > 0.0, seq(smooth, back)))));
static_assert(!is_large(repeat(3, seq(smooth, when(s > 0.0, back)))) && !is_large(repeat(3, seq(repeat(3, smooth), repeat(3, back)))) && !is_large(repeat(3, seq(smooth, back, smooth))));
static_assert(!is_large(repeat(3, seq(smooth, back, comparing))) && !is_large(repeat(3, seq(smooth, back, greatest_of_q))));  // both are read
static_assert(!is_large(repeat(3, seq(for_each(square, mean_beside{})(in(p[near<1, 1>]), in(p[each]), out(q[each])), back))));   // the element has been written
static_assert(!is_large(repeat(3, seq(smooth, for_each(square, mean_of_two{})(in(q[near<1, 2>]), out(p[each]))))));           // the halos differ
static_assert(!is_large(repeat(3, seq(for_each(square, mean_of_two{})(in(p[near<1, 2>]), out(q[each])), for_each(square, mean_of_two{})(in(q[near<1, 2>]), out(p[each]))))));
static_assert(!is_large(repeat(3, seq(relaxing, comparing, counting, copying, relaxing, counting, comparing, copying))));  // four results in the kernel's own shared memory
// With a sum, which has an order, if the box has large patches. Then all nodes of the loop are over such a box.
constexpr auto in_large_patches(auto box) { return repeat(3, seq(for_each(box, mean{})(in(p[near<1, 1>]), out(q[each])), transform_reduce(box, difference_of_reals{}, plus{})(out(s), p[each], q[each]), copying)); }
static_assert(is_large(in_large_patches(square.in_patches())) && keeps_part(in_large_patches(square.in_patches())) && !is_large(in_large_patches(square)) && is_large(in_large_patches(over(512, 512).in_patches())));
// Results that are joined in this order take little shared memory.
inline constexpr struct t : scalar<t, double> {} t;
constexpr auto with_two_sums(auto box) { return repeat(3, seq(for_each(box, mean{})(in(p[near<1, 1>]), out(q[each])), transform_reduce(box, difference_of_reals{}, plus{})(out(s), p[each], q[each]), transform_reduce(box, real{}, plus{})(out(t), in(q[each])), copying)); }
static_assert(keeps_part(with_two_sums(square.in_patches())) && !is_large(with_two_sums(square)));
static_assert(core::shared_bytes_beside_large(decltype(with_two_sums(square))::self::tree) == 2 * 72 * 8 + 1024);
static_assert(takes_turns(repeat(3, seq(for_each(square.in_patches(), mean{})(in(p[near<1, 1>]), out(q[each])), transform_reduce(square.in_patches(), mean_and_difference{}, plus{})(out(s), in(q[near<1, 1>]), out(p[each]))))));
constexpr auto in_two_orders(auto box) { return repeat(3, seq(in_large_patches(box.in_patches()), transform_reduce(box, real{}, plus{})(out(s), in(q[each])))); }
static_assert(why_no_tiles(in_two_orders(square), at<0>) == tile_status::several_boxes && why_no_tiles(in_two_orders(over(512, 512)), at<0>) == tile_status::several_boxes);

// Variables that a copy passes to an image are kept for a row at a time. Then tiles may be tall.
template <class E>
constexpr bool is_tall(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.is_tall;
}
template <class E>
constexpr unsigned lasting_bytes(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.bytes;
}
struct mean_of_both {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> a, neighbours<double, 1, 1> b, double& to) const { to = a.at_or(0.0, 0, 1) * 0.5 + b.at_or(0.0, 1, 0) * 0.5; }
};
inline constexpr struct next_p : buffer<next_p, double> {} next_p;
inline constexpr struct next_q : buffer<next_q, double> {} next_q;
constexpr auto both_on = seq(for_each(square, mean_of_both{})(in(p[near<1, 1>]), in(q[near<1, 1>]), out(next_p[each])), for_each(square, mean_beside{})(in(q[near<1, 1>]), in(p[each]), out(next_q[each])));
constexpr auto first_back = copy(in(next_p), out(p));
constexpr auto second_back = copy(in(next_q), out(q));
constexpr auto change_of_p = transform_reduce(square, difference_of_reals{}, maximum{})(out(s), p[each], next_p[each]);
static_assert(is_tall(repeat(3, seq(both_on, first_back, second_back))) && is_tall(repeat(3, seq(both_on, second_back, first_back))) && lasting_bytes(repeat(3, seq(both_on, first_back, second_back))) == 16);
static_assert(is_tall(repeat(3, seq(both_on, change_of_p, first_back, second_back))) && is_tall(repeat(3, when(s > 0.0, seq(both_on, first_back, second_back)))));
static_assert(!is_tall(repeat(3, seq(both_on, first_back, for_each(square, take_real{})(in(next_q[each]), out(q[each]))))));                // no copy: 24 bytes last
static_assert(!is_tall(repeat(3, seq(change_of_p, both_on, first_back, second_back))) && !is_tall(repeat(3, seq(relaxing, copying))));  // read in the next iteration; large tiles
static_assert(is_tall(repeat(3, seq(with_table, copying))) && lasting_bytes(repeat(3, seq(with_table, copying))) == 8);
static_assert(where_on_chip(repeat(3, seq(both_on, first_back, second_back)), at<1>, next_p) == on_chip::registers);

// Blocks run the next iteration before they know that it should run, if one result of the body decides, which words tell, and functions get only elements on chip.
template <class E>
constexpr bool runs_ahead(E const&) {
    return core::tiles_of_loop<typename E::self>::runs_ahead();
}
inline constexpr struct other : scalar<other, double> {} other;
inline constexpr struct counted : scalar<counted, int> {} counted;
constexpr auto summing = transform_reduce(square, difference_of_reals{}, largest_magnitude_in_any_order{}, 0.0)(out(s), in(p[each]), in(q[each]));
static_assert(runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, taking))) && runs_ahead(do_while(seq(repeat(3, seq(relaxing, taking)), relaxing, comparing, taking), s > 0.0)));
static_assert(runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, taking, assign(other, other + 1)))));
static_assert(!runs_ahead(repeat(3, seq(relaxing, comparing, taking))));
static_assert(!runs_ahead(do_while(seq(repeat(counted, seq(relaxing, taking)), relaxing, comparing, taking, assign(counted, counted * 1000)), s > 0.0)));  // it might last
static_assert(!runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, taking, assign(other, s)))) && !runs_ahead(loop_while(s > 0.0, seq(relaxing, summing, taking))));
static_assert(!runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, taking), check_every<4>)) && !runs_ahead(loop_while(s > 0.0, when(other > 0.0, seq(relaxing, comparing, taking)))));
static_assert(!runs_ahead(loop_while(s > 0.0, seq(loop_while(other < 3.0, assign(other, other + 1)), relaxing, comparing, taking))));                            // which might not end
static_assert(!runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, for_each(square, add_row_of{})(in(r), in(q[each]), out(p[each]))))));  // r is in memory
static_assert(!runs_ahead(loop_while(s > 0.0, seq(with_table, comparing, taking))) && runs_ahead(loop_while(s > 0.0, seq(with_numbers, comparing, taking))));
static_assert(!runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, taking, single_task(look_up{})(in(r), inout(other))))));  // after the last iteration, perhaps beyond r
static_assert(!runs_ahead(loop_while(s > 0.0, seq(relaxing, comparing, taking, single_task(look_up{})(table, inout(other))))));

// If a loop reduces in the order of a box, blocks compute the elements around their tiles from others, which arrive while they wait for a reduction.
template <class E>
constexpr bool has_halos(E const&, unsigned computed, unsigned sent) {
    constexpr core::variables_with_halo all = core::tiles_of_loop<typename E::self>::halos;
    return all.computed == computed && all.sent == sent;
}
struct product_of_reals {
    COGRAPH_HD double operator()(index_t, index_t, double a, double b) const { return a * b; }
};
struct square_after_step {
    COGRAPH_HD double operator()(index_t, index_t, double step, double& own) const { return own += step, own * own; }
};
struct add_real {
    COGRAPH_HD void operator()(index_t, index_t, double from, double& to) const { to += from; }
};
struct add_scaled {
    COGRAPH_HD void operator()(index_t, index_t, double by, double from, double& to) const { to += by * from; }
};
struct reads_far_away {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 2, 2> around, double& to) const { to = around.at_or(0.0, 0, 2); }
};
// On chip are p, then q, then r.
constexpr auto adding_up = transform_reduce(square, product_of_reals{}, plus{})(out(s), in(p[each]), in(q[each]));
constexpr auto stepping = transform_reduce(square, square_after_step{}, plus{})(out(other), s, inout(r[each]));
constexpr auto turning = for_each(square, add_scaled{})(other, in(r[each]), inout(p[each]));
constexpr unsigned p_alone = 1, q_alone = 2, r_alone = 4;
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, stepping, turning)), p_alone, r_alone));
static_assert(has_halos(repeat(3, seq(for_each(square, add_real{})(in(q[each]), inout(r[each])), turning, relaxing, adding_up)), p_alone | r_alone, q_alone));
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, for_each(square, add_real{})(in(q[each]), inout(r[each])), for_each(square, add_real{})(in(r[each]), inout(p[each])))), 0, 0));  // q is not there yet
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, when(s > 0.0, turning), stepping)), p_alone, r_alone));
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, for_each(square, add_real{})(in(r[each]), inout(p[each])))), p_alone | r_alone, 0));  // r is constant
static_assert(has_halos(repeat(3, seq(relaxing, comparing, turning)), 0, 0));                                     // no order
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, taking)), 0, 0));                                      // but p arrives with the sum
static_assert(has_halos(repeat(3, seq(adding_up, relaxing, for_each(square, add_real{})(in(q[each]), inout(p[each])))), 0, 0));  // no sum behind q
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, for_each(square, add_row_of{})(in(r), in(q[each]), out(p[each])))), 0, 0));  // r is in memory
static_assert(has_halos(repeat(3, seq(relaxing, adding_up, transform_reduce(square, square_after_step{}, plus{})(out(s), in(q[each]), inout(p[each])))), 0, 0));
static_assert(has_halos(repeat(3, seq(for_each(square, reads_far_away{})(in(p[near<2, 2>]), out(q[each])), adding_up, stepping, turning)), 0, 0));  // more elements than threads

// Beyond two rows or columns an element's neighbours are read from memory.
template <int Rows, int Columns>
struct reads_far {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, Rows, Columns> around, double& to) const { to = around.at_or(0.0, 0, Columns); }
};
template <int Rows, int Columns>
constexpr auto reading_far = repeat(3, seq(for_each(square, reads_far<Rows, Columns>{})(in(p[near<Rows, Columns>]), out(q[each])), for_each(square, take_real{})(in(q[each]), out(p[each]))));
static_assert(where_on_chip(reading_far<2, 2>, at<1>, p) == on_chip::shared_memory);
static_assert(why_no_tiles(reading_far<3, 0>, at<1>) == tile_status::reads_no_neighbours_on_chip && why_no_tiles(reading_far<0, 3>, at<1>) == tile_status::reads_no_neighbours_on_chip);

template <int Planes, int Rows, int Columns>
struct reads_far_in_space {
    COGRAPH_HD void operator()(index_t, index_t, index_t, neighbours<double, Planes, Rows, Columns> around, double& to) const { to = around.at_or(0.0, Planes, Rows, Columns); }
};
struct take_real_in_space {
    COGRAPH_HD void operator()(index_t, index_t, index_t, double from, double& to) const { to = from; }
};
template <int Planes, int Rows, int Columns>
constexpr auto reading_far_in_space = repeat(3, seq(for_each(over(rows, rows, rows), reads_far_in_space<Planes, Rows, Columns>{})(in(p[near<Planes, Rows, Columns>]), out(q[each])),
                                                    for_each(over(rows, rows, rows), take_real_in_space{})(in(q[each]), out(p[each]))));
// As kernels of their own, threads of nodes over boxes of three dimensions take a few planes if they read neighbours.
template <class Node>
constexpr int planes_of_thread(Node const&) {
    return Node::tree.elements_a_thread;
}
static_assert(planes_of_thread(for_each(over(rows, rows, rows), reads_far_in_space<1, 1, 1>{})(in(p[near<1, 1, 1>]), out(q[each]))) == core::few_planes);
static_assert(planes_of_thread(for_each(over(rows, rows, rows), take_real_in_space{})(in(q[each]), out(p[each]))) == 1 && planes_of_thread(relaxing) == 1);
static_assert(planes_of_thread(for_each(over(rows, rows, rows).checkerboard<0>(), reads_far_in_space<1, 1, 1>{})(in(p[near<1, 1, 1>]), out(p[each]))) == 1);
// Loops of such nodes, with a reduction for four of them or more nodes.
template <class Loop>
constexpr bool takes_planes(Loop const&) {
    return core::takes_planes(Loop::tree);
}
constexpr auto to_q_in_space = for_each(over(rows, rows, rows), reads_far_in_space<1, 1, 1>{})(in(p[near<1, 1, 1>]), out(q[each]));
constexpr auto to_p_in_space = for_each(over(rows, rows, rows), reads_far_in_space<1, 1, 1>{})(in(q[near<1, 1, 1>]), out(p[each]));
constexpr auto largest_in_space = reduce(out(s), in(p), maximum{});
constexpr auto there_and_back_in_space = seq(to_q_in_space, to_p_in_space);
static_assert(takes_planes(repeat(3, there_and_back_in_space)) && takes_planes(loop_while(s > 0.0, seq(there_and_back_in_space, there_and_back_in_space, largest_in_space))));
static_assert(!takes_planes(loop_while(s > 0.0, seq(there_and_back_in_space, to_q_in_space, largest_in_space))) && !takes_planes(repeat(3, largest_in_space)));
static_assert(!takes_planes(reading_far_in_space<1, 1, 1>) && !takes_planes(repeat(3, seq(to_q_in_space, copy(in(q), out(p))))) && !takes_planes(repeat(3, seq(relaxing, taking))));
static_assert(!takes_planes(repeat(3, for_each(over(rows, rows, rows).checkerboard<0>(), reads_far_in_space<1, 1, 1>{})(in(p[near<1, 1, 1>]), out(p[each])))));
// Tiles save a barrier if only a node's own threads write what it reads by element. Two nodes that take turns wait for each other in any form.
template <class E>
constexpr bool saves_barriers(E const&) {
    return core::tiles_of_loop<typename E::self>::layout.saves_barriers;
}
static_assert(!saves_barriers(repeat(3, there_and_back_in_space)) && saves_barriers(repeat(3, seq(there_and_back_in_space, largest_in_space))), "a reduction over a line, whose threads have other elements");
static_assert(saves_barriers(repeat(3, seq(to_q_in_space, copy(in(q), out(p))))));
static_assert(!saves_barriers(repeat(3, seq(smooth, back))) && saves_barriers(repeat(3, seq(relaxing, taking))));
static_assert(where_on_chip(reading_far_in_space<2, 2, 2>, at<1>, p) == on_chip::shared_memory && !may_overlap(reading_far_in_space<1, 1, 1>));
static_assert(why_no_tiles(reading_far_in_space<3, 1, 1>, at<1>) == tile_status::reads_no_neighbours_on_chip && why_no_tiles(reading_far_in_space<1, 3, 1>, at<1>) == tile_status::reads_no_neighbours_on_chip &&
              why_no_tiles(reading_far_in_space<1, 1, 3>, at<1>) == tile_status::reads_no_neighbours_on_chip);

}  // namespace
