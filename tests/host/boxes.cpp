// SPDX-License-Identifier: Apache-2.0
#include "../expressions/boxes.hpp"
#include "simulation.hpp"

#include <cograph/check.hpp>

#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

TEMPLATE_LIST_TEST_CASE("boxes: simulation gives what plain C++ gives", "[simulate]", expressions::boxes::of_two_dimensions) {
    check_simulation<TestType>();
    check_simulation(TestType(1, 1));
    check_simulation(TestType(3, 500));
    check_simulation(TestType(200, 2));
}
TEST_CASE("boxes whose result words do not tell: simulation gives what plain C++ gives", "[simulate]") {
    check_simulation(expressions::boxes::settled_by_function(37, 53));
}
TEST_CASE("sums with an identity that is not zero: simulation gives what plain C++ gives", "[simulate]") {
    using expressions::boxes::counting_the_identity;
    static_assert(std::is_same_v<decltype(counting_the_identity::expression()), decltype(expressions::boxes::branching::expression())>);
    check_simulation<counting_the_identity>();
    check_simulation(counting_the_identity(5, 9));
    check_simulation(counting_the_identity(402, 650));
}
TEST_CASE("boxes of three dimensions with many planes: simulation gives what plain C++ gives", "[simulate]") { check_simulation(expressions::boxes::room(40, 33, 17)); }

// Of the boxes that the tests on a GPU use: without this they could not tell right elements around tiles from wrong ones.
TEMPLATE_TEST_CASE("boxes of reals keep changing", "[simulate]", expressions::boxes::settled, expressions::boxes::tested_rarely) {
    for (const auto& [height, width] : {std::pair{37, 53}, std::pair{149, 251}, std::pair{402, 650}}) {
        TestType now(height, width);
        for (int run = 0; run < 2; ++run) {
            const TestType before = now;
            now.compute();
            std::size_t same = 0, like_next = 0;
            for (cograph::index_t r = 1; r + 1 < height; ++r)
                for (cograph::index_t c = 1; c + 1 < width; ++c) {
                    const std::size_t at = static_cast<std::size_t>(r * width + c);
                    if (now.u_[at] == before.u_[at]) ++same;
                    if (now.u_[at] == now.u_[at + 1]) ++like_next;
                }
            CHECK(same < now.u_.size() / 100);
            CHECK(like_next < now.u_.size() / 100);
        }
    }
}
TEST_CASE("some boxes of reals end early", "[simulate]") {
    expressions::boxes::tested_rarely ends(149, 251), goes_on(402, 650);
    ends.compute();
    goes_on.compute();
    CHECK(ends.i_ == 8);
    CHECK(goes_on.i_ == 12);
}

TEST_CASE("neighbours in one dimension: simulation gives what plain C++ gives", "[simulate]") {
    check_simulation<expressions::boxes::line>();
    check_simulation(expressions::boxes::line(1));
    check_simulation(expressions::boxes::line(0));
}

namespace {

using namespace cograph;

inline constexpr struct grid_of_floats : buffer<grid_of_floats, float> {} grid_of_floats;
inline constexpr struct result : buffer<result, float> {} result;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;

template <int Up, int Left>
struct reads_at {
    template <class Near>
    void operator()(index_t, index_t, Near const& x, float& y) const {
        y = x.at(Up, Left);
    }
};
struct one_value {
    void operator()(index_t, index_t, float& y) const { y = 1; }
};
struct rows_and_columns {
    static constexpr std::size_t rank() { return 2; }
    static constexpr int extent(std::size_t dimension) { return dimension == 0 ? 3 : 4; }
};

template <class Run>
std::string said_of_run(Run run) {
    try {
        run();
    } catch (const error& e) {
        return e.what();
    }
    return "";
}
template <int Up, int Left>
std::string said_of(std::size_t elements = 12) {
    std::vector<float> from(elements), to(elements);
    return said_of_run([&] {
        simulate(for_each(over(rows, columns), reads_at<Up, Left>{})(in(grid_of_floats[near<1, 2>]), out(result[each])), grid_of_floats(std::span(from)),
                 result(std::span(to)), rows(3), columns(4));
    });
}
bool has(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

TEST_CASE("reads of neighbours that a node may not make are refused by name", "[simulate]") {
    CHECK(said_of<0, 0>().empty());
    CHECK(has(said_of<2, 0>(), "reads grid_of_floats.at(2, 0), beyond grid_of_floats[near<1, 2>]"));
    CHECK(has(said_of<0, -3>(), "reads grid_of_floats.at(0, -3), beyond grid_of_floats[near<1, 2>]"));
    CHECK(has(said_of<-1, 0>(), "reads grid_of_floats.at(-1, 0) of an element at an edge, which has no such neighbour: test inside(-1, 0) first"));
    CHECK(has(said_of<0, 2>(), "inside(0, 2)"));
}

struct into_itself {
    template <class Near>
    void operator()(index_t, index_t, Near const& around, float& to) const {
        to = around.at_or(1.0f, 0, 1) + 1;
    }
};
TEMPLATE_LIST_TEST_CASE("boxes: check finds nothing in what is right", "[check]", expressions::boxes::of_two_dimensions) {
    TestType here(7, 9);
    expressions::host_place place;
    expressions::with_bindings(here, place, [](auto... b) {
        CHECK(check(expressions::expression_of<TestType>, b...).empty());
        return 0;
    });
}
TEST_CASE("check refuses reads beyond a radius, and finds neighbours that a node writes", "[check]") {
    std::vector<float> from(12), to(12);
    const auto of = [&](auto node) {
        return said_of_run([&] { check(node, grid_of_floats(std::span(from)), result(std::span(to)), rows(3), columns(4)); });
    };
    CHECK(has(of(for_each(over(rows, columns), reads_at<0, 3>{})(in(grid_of_floats[near<1, 2>]), out(result[each]))), "beyond grid_of_floats[near<1, 2>]"));
    CHECK_FALSE(check(for_each(over(3, 4), into_itself{})(in(result[near<1, 1>]), out(result[each])), result(std::span(to))).empty());
}

// How the loop of an expression is launched on a GPU as an H200 has it.
template <class E, class... B>
core::tile_launch launch_of(const E& e, const B&... bindings) {
    using written = typename E::self;
    core::frame f(core::plan_to_run<core::lowered<written>, written>(), e.records);
    core::fill_frame(f, e, bindings...);
    for (int r = 0; r < f.plan.count.nodes; ++r)
        if (f.plan.nodes[r].from->traits->persistent) return f.shape_in_tiles(f, f.plan.nodes[r], {132, 227 * 1024, true});
    return {};
}
// That of a test expression, over a box of so many rows and columns, and planes if it has them.
template <class Case = expressions::boxes::jacobi, class... Planes>
core::tile_launch launch_over(int height, index_t width, Planes... depth) {
    using namespace expressions::boxes;
    integer largest = 0;
    int i_ = 0;
    const std::size_t count = static_cast<std::size_t>(((height * width) * ... * depth));
    std::vector<integer> of_x(count), of_y(count);
    return launch_of(expressions::expression_of<Case>, x(std::span(of_x)), y(std::span(of_y)), change(&largest), expressions::boxes::i(&i_), expressions::boxes::rows(height),
                     expressions::boxes::columns(width), passes(3), planes(depth)...);
}
TEST_CASE("check joins the terms of a sum over a box in the order of the box", "[check]") {
    using expressions::boxes::u;
    using expressions::boxes::v;
    std::vector<double> from(400 * 400), to(400 * 400);
    for (std::size_t at = 0; at < from.size(); ++at) from[at] = 1.0 / static_cast<double>(at + 3);
    double checked = 0, simulated = 0;
    constexpr auto sum = transform_reduce(over(expressions::boxes::rows, expressions::boxes::columns), expressions::boxes::change_of_real{}, plus{})(out(expressions::boxes::greatest), in(u[each]), in(v[each]));
    const auto bind = [&](auto run, double& to_scalar) { return run(sum, u(std::span(from)), v(std::span(to)), expressions::boxes::rows(400), expressions::boxes::columns(400), expressions::boxes::greatest(&to_scalar)); };
    CHECK(bind([](auto... all) { return check(all...); }, checked).empty());
    bind([](auto... all) { return simulate(all...); }, simulated);
    CHECK(checked == simulated);
    CHECK(simulated > 0);
}
TEST_CASE("boxes are dealt to a block or the grid, as far as tiles fit", "[lowering]") {
    const auto is = [](core::tile_launch launch, int elements_a_thread, int blocks, int threads, bool is_cluster) {
        return launch.elements_a_thread == elements_a_thread && launch.blocks == blocks && launch.threads == threads && launch.is_cluster == is_cluster;
    };
    CHECK(is(launch_over(32, 32), 4, 1, 256, false));
    CHECK(is(launch_over(128, 128), 4, 16, 256, false));
    CHECK(is(launch_over(256, 256), 4, 64, 256, false));
    CHECK(is(launch_over(512, 512), 4, 128, 512, false));
    CHECK(is(launch_over(1024, 1024), 16, 128, 512, false));
    CHECK(is(launch_over(1000, 2), 4, 32, 256, false));  // a tile each 32 rows, which a block alone has no room for
    CHECK(launch_over(1024, 1024).shared == 2 * (17 * 2 * 64 + 130 * 2) * 8);
    CHECK(launch_over(2048, 2048).elements_a_thread == 0);
    CHECK(launch_over(0, 5).elements_a_thread == 0);
}
TEST_CASE("a box of constants is dealt as the same box of values", "[lowering]") {
    using namespace expressions::boxes;
    constexpr auto loop_over = [](auto box) { return repeat(3, seq(for_each(box, relax{})(in(x[near<1, 1>]), out(y[each])), for_each(box, take{})(in(y[each]), out(x[each])))); };
    std::vector<integer> of_x(70000), of_y(70000);
    const core::tile_launch known = launch_of(loop_over(over<100, 700>()), x(std::span(of_x)), y(std::span(of_y)));
    const core::tile_launch named = launch_of(loop_over(over(expressions::boxes::rows, expressions::boxes::columns)), x(std::span(of_x)), y(std::span(of_y)), expressions::boxes::rows(100), expressions::boxes::columns(700));
    CHECK(known.blocks > 1);
    CHECK((known.blocks == named.blocks && known.threads == named.threads && known.elements_a_thread == named.elements_a_thread));
}
template <int Identity>
struct summed : expressions::boxes::jacobi {
    static constexpr auto expression() {
        using namespace expressions::boxes;
        constexpr auto all = over(expressions::boxes::rows, expressions::boxes::columns);
        return repeat(passes, seq(for_each(all, relax{})(in(x[near<1, 1>]), out(y[each])), transform_reduce(all, difference{}, plus{}, integer{Identity})(out(change), in(x[each]), in(y[each])),
                                  for_each(all, take{})(in(y[each]), out(x[each])), assign(i, i + 1)));
    }
};
struct copied : expressions::boxes::jacobi {
    static constexpr auto expression() {
        using namespace expressions::boxes;
        return repeat(passes, seq(for_each(over(expressions::boxes::rows, expressions::boxes::columns), relax{})(in(x[near<1, 1>]), out(y[each])), copy(in(y), out(x))));
    }
};
struct two_columns_away {
    template <class Near>
    void operator()(index_t, index_t, Near const& around, expressions::boxes::integer& to) const {
        to = around.at_or(0, 0, 2);
    }
};
struct copied_from_afar : expressions::boxes::jacobi {
    static constexpr auto expression() {
        using namespace expressions::boxes;
        return repeat(passes, seq(for_each(over(expressions::boxes::rows, expressions::boxes::columns), two_columns_away{})(in(x[near<1, 2>]), out(y[each])), copy(in(y), out(x))));
    }
};
template <class Case>
core::tile_launch launch_with_arrays(int height, index_t width) {
    using namespace expressions::boxes;
    Case from(height, width);
    const auto place = [](auto& of) {
        if constexpr (requires { of.size(); })
            return std::span(of);
        else
            return &of;
    };
    return std::apply([](auto... b) { return launch_of(expressions::expression_of<Case>, b...); }, from.bindings(place));
}
constexpr core::tile_device h100{132, 227 * 1024, true}, a100{108, 163 * 1024, false}, smaller{84, 99 * 1024, false}, smallest{16, 99 * 1024, false};
TEST_CASE("large tiles keep a part of their rows if not all fit", "[lowering]") {
    const auto is = [](core::tile_launch launch, core::tile_kind kind) { return launch.kind == kind && launch.blocks == 65 && launch.threads == 512 && !launch.is_cluster; };
    CHECK(is(launch_over<copied>(256, 8193), core::tile_kind::large));
    CHECK(is(launch_over<copied>(257, 8193), core::tile_kind::in_part));
    CHECK(is(launch_over<copied>(513, 8193), core::tile_kind::in_part));  // more than other persistent kernels have
    CHECK(launch_over<copied>(1025, 8193).elements_a_thread == 0);
    CHECK(launch_over<copied>(513, 8193).shared <= h100.shared_bytes - core::most_own_shared_bytes_beside_large);
    CHECK(is(launch_over<copied_from_afar>(256, 8193), core::tile_kind::in_part));  // columns at the sides take the room of a row
    CHECK(launch_over<copied>(40'000, 64).kind == core::tile_kind::in_part);
    CHECK((launch_over<copied>(20'000, 17).kind == core::tile_kind::large && launch_over<copied>(7, 9'502).kind == core::tile_kind::large));
    CHECK((launch_over<copied>(20'000, 16).elements_a_thread == 0 && launch_over<copied>(32'000, 8).elements_a_thread == 0));
    CHECK(launch_over<copied>(40'000, 63).elements_a_thread == 0);  // most lanes would have no columns
    CHECK(launch_over<copied>(100'000, 8).elements_a_thread == 0);
    CHECK(launch_over<copied>(1000, 2).elements_a_thread == 4);
    CHECK(launch_over(257, 8193).elements_a_thread == 0);
    CHECK(is(launch_with_arrays<expressions::boxes::conducted>(256, 8193), core::tile_kind::large));  // arrays that are only read are in memory
    CHECK(launch_with_arrays<expressions::boxes::conducted>(257, 8193).elements_a_thread == 0);       // two nodes read neighbours
    CHECK(is(launch_with_arrays<expressions::boxes::conducted_step_by_step>(257, 8193), core::tile_kind::in_part));
    CHECK(is(launch_over<expressions::boxes::there_and_back>(256, 8193), core::tile_kind::large));  // one of its two variables is on chip
    CHECK(is(launch_over<expressions::boxes::there_and_back>(257, 8193), core::tile_kind::in_part));
}
TEST_CASE("tiles are tall if copies pass variables on", "[lowering]") {
    using expressions::boxes::reacting, expressions::boxes::reacting_from_afar, expressions::boxes::waving;
    const auto is = [](core::tile_launch launch, core::tile_kind kind, int elements, int blocks) { return launch.kind == kind && launch.elements_a_thread == elements && launch.blocks == blocks && launch.threads == 512; };
    CHECK(is(launch_with_arrays<reacting>(512, 512), core::tile_kind::plain, 4, 128));
    CHECK(is(launch_with_arrays<reacting>(1024, 1024), core::tile_kind::plain, 16, 128));
    CHECK(is(launch_with_arrays<reacting>(1025, 1024), core::tile_kind::tall, 18, 128));
    CHECK(is(launch_with_arrays<reacting>(1344, 1344), core::tile_kind::tall, 18, 126));
    CHECK(is(launch_with_arrays<reacting>(2560, 2560), core::tile_kind::tall, 18, 120));
    CHECK(launch_with_arrays<reacting>(2560, 2560).shared <= h100.shared_bytes - core::most_own_shared_bytes_beside_large);
    CHECK(launch_with_arrays<reacting>(4096, 2048).kind == core::tile_kind::tall);
    CHECK(launch_with_arrays<reacting>(4097, 2048).elements_a_thread == 0);  // over 64 rows a thread
    CHECK((launch_with_arrays<waving>(1448, 1448).kind == core::tile_kind::tall && launch_with_arrays<reacting_from_afar>(1448, 1448).kind == core::tile_kind::tall));
    CHECK((launch_with_arrays<reacting>(20'000, 32).kind == core::tile_kind::tall && launch_with_arrays<reacting>(20'000, 31).elements_a_thread == 0));  // most lanes would have no columns
}
// A layout of variables of so many bytes, whose neighbours are read so far away.
core::tile_layout layout_of(int rank, int images, unsigned size, core::tile_border radius) {
    core::tile_layout layout;
    layout.rank = rank;
    layout.images = images;
    for (int k = 0; k < images; ++k) {
        layout.radius[k] = {rank > 1 ? radius.rows : 0, radius.columns, rank > 2 ? radius.planes : 0};
        layout.size[k] = size;
        layout.bytes += size;
    }
    if (layout.bytes + size <= core::most_tile_bytes) layout.bytes += size;  // one that each thread keeps
    return layout;
}
// Whether the kernel, which knows the number of blocks only, finds tiles that cover the box, in threads and shared memory that the launch has.
bool is_right(const core::tile_layout& layout, const core::box_sides& box, const core::tile_device& device, const core::tile_launch& launch) {
    using namespace core;
    const bool is_large = core::is_large(launch.kind), overlaps = launch.kind == tile_kind::overlapping, is_flat = layout.rank == 2;
    const tile_border& border = layout.radius[0];  // all have the same
    const int away = border.rows > border.columns ? border.rows : border.columns;
    const tile_shape tile = layout.rank == 3  ? shape_of_tiles_in_space(box, launch.blocks, launch.elements_a_thread)
                            : overlaps        ? shape_of_overlapping_tiles(box.rows, box.columns, launch.blocks, launch.elements_a_thread, away)
                            : is_large        ? shape_of_large_tiles(box.rows, box.columns, launch.blocks, launch.kind)
                                              : shape_of_tiles(layout.rank, box.rows, box.columns, launch.blocks, launch.elements_a_thread);
    int least = 1, shared = layout.runs_ahead && layout.is_large && !layout.takes_turns && launch.elements_a_thread > most_with_spare_registers && !is_large ? static_cast<int>(layout.size[0]) * launch.elements_a_thread * launch.threads : 0;
    core::large_rows of_large;
    bool fits = tile.threads > 0 && tile.threads == launch.threads && launch.threads <= most_tile_threads(launch.elements_a_thread) && launch.threads % tile_lanes == 0;
    for (int k = 0; k < (is_large && layout.takes_turns ? 1 : layout.images) && fits; ++k) {
        const tile_border& radius = layout.radius[k];
        const int size = static_cast<int>(layout.size[k]);
        if (radius.planes > least && launch.blocks > 1 && !launch.is_cluster) least = radius.planes;
        fits = (tile.across == 1 || tile.width >= radius.columns) && (tile.down == 1 || tile.height >= radius.rows) && (!is_flat || is_large || overlaps || 2 * (radius.rows * tile.width + radius.columns * tile.height) <= radius.most(2));
        if (is_large)
            of_large.add(radius, tile, columns_of_thread(launch.elements_a_thread), size);
        else
            shared += overlaps ? radius.overlapping_shared_bytes(tile, size) : radius.shared_bytes(layout.rank, tile, size);
    }
    if (is_large) {
        of_large.add({}, tile, columns_of_thread(launch.elements_a_thread), static_cast<int>(layout.bytes_in_rows));
        fits = fits && of_large.in_shared(tile, launch.shared) >= of_large.near && of_large.in_shared(tile, launch.shared) <= of_large.beyond(tile);
        shared = of_large.shared_bytes(tile, launch.shared);
    }
    const int in_warps = launch.threads / tile_lanes * (is_large ? tile.rows_of_thread : rows_of_thread(launch.elements_a_thread));
    if (is_flat)
        fits = fits && tile.width + 2 * tile.overlap == tile_lanes * columns_of_thread(launch.elements_a_thread) && tile.height + 2 * tile.overlap == in_warps && tile.rows_of_thread <= (is_large ? most_rows_of(launch.kind) : rows_of_thread(launch.elements_a_thread));
    if (overlaps) fits = fits && 2 * tile.overlap * (tile.width + tile.height - 2 * tile.overlap) <= tile_border::most_overlapping();
    fits = fits && (launch.is_cluster ? launch.blocks == 8 : launch.blocks <= device.sms && launch.blocks <= most_tile_blocks) && tile.tiles() <= launch.blocks && (tile.behind == 1 || tile.planes >= least);
    return fits && index_t{tile.width} * tile.across >= box.columns && index_t{tile.height} * tile.down >= box.rows && index_t{tile.planes} * tile.behind >= box.planes &&
           shared <= launch.shared && launch.shared + most_own_shared_bytes_beside_large <= device.shared_bytes;
}
TEST_CASE("kernels find the tiles of their launch again, on any GPU and for boxes of any size", "[lowering]") {
    unsigned state = 1;
    const auto below = [&](int most) { return static_cast<int>((state = state * 1664525u + 1013904223u) >> 8) % most; };
    const auto side = [&](int rank) { return rank == 3 ? 1 + below(300) : 1 + below(below(2) == 0 ? 10'000 : 700); };
    int launches = 0;
    std::string wrong;
    for (const unsigned size : {1u, 2u, 4u, 8u, 16u})
        for (int radius = 0; radius <= 2; ++radius)
            for (int rank = 1; rank <= 3; ++rank)
                for (int images = 1; images <= 2; ++images)
                    for (int kind = 0; kind < 3; ++kind) {
                        core::tile_layout layout = layout_of(rank, images, size, {radius, (radius + images) % 3, radius});
                        layout.may_overlap = rank == 2 && kind > 0 && layout.bytes <= 24;
                        layout.is_large = layout.keeps_part = layout.runs_ahead = rank == 2 && kind > 1 && radius == 1 && size <= core::most_large_bytes;
                        layout.takes_turns = layout.is_large && images == 2;
                        layout.saves_barriers = kind > 0;
                        layout.is_tall = rank == 2 && kind > 1 && !layout.is_large && images * size <= 16;
                        layout.bytes_in_rows = layout.is_tall && images == 1 ? size : 0;
                        for (int i = 0; i < 40; ++i)
                            for (const core::tile_device& device : {h100, a100, smaller, smallest}) {
                                const core::box_sides box{rank == 3 ? side(3) : 1, rank == 1 ? 1 : side(rank), rank == 1 ? 1 + below(1 << 21) : side(rank)};
                                if (index_t{box.planes} * box.rows * box.columns > core::most_elements_in_tiles(layout)) continue;
                                const core::tile_launch launch = core::shape_over_box(layout, box, device);
                                if (launch.elements_a_thread == 0) continue;
                                ++launches;
                                if (!wrong.empty() || is_right(layout, box, device, launch)) continue;
                                std::ostringstream to;
                                to << images << " of " << size << " bytes, radius " << radius << ", box " << box.planes << " x " << box.rows << " x " << box.columns << ", kind " << kind << ", " << device.sms << " SMs";
                                wrong = to.str();
                            }
                    }
    CHECK(wrong == "");
    CHECK(launches > 5000);
}
TEST_CASE("GPUs with less shared memory take the tiles of larger ones where these fit", "[lowering]") {
    core::tile_layout layout = layout_of(2, 1, 8, {1, 1, 0});
    layout.may_overlap = layout.is_large = layout.keeps_part = layout.runs_ahead = true;
    const auto is = [&](const core::tile_device& device, int side, int elements_a_thread, int blocks, core::tile_kind kind) {
        const core::tile_launch launch = core::shape_over_box(layout, {1, side, side}, device);
        return launch.elements_a_thread == elements_a_thread && launch.blocks == blocks && launch.kind == kind && !launch.is_cluster;
    };
    for (const core::tile_device& device : {h100, a100, smaller}) CHECK(is(device, 512, core::most_overlapping_elements, device.sms == 132 ? 121 : device.sms == 108 ? 100 : 81, core::tile_kind::overlapping));
    CHECK(is(smaller, 250, 4, 77, core::tile_kind::overlapping));
    CHECK(is(smallest, 200, core::most_overlapping_elements, 16, core::tile_kind::overlapping));
    CHECK(is(smaller, 700, core::large_tile_elements, 60, core::tile_kind::large));  // with 16 elements a thread, what an iteration changes has no room
    CHECK(is(a100, 700, 16, 66, core::tile_kind::plain));
    CHECK(is(smaller, 1200, core::large_tile_elements, 80, core::tile_kind::in_part));
    CHECK(is(h100, 2049, core::large_tile_elements, 119, core::tile_kind::in_part));
    CHECK(is(a100, 2049, core::large_tile_elements, 102, core::tile_kind::in_part));  // with fewer rows on chip
    CHECK(core::shape_over_box(layout, {1, 2049, 2049}, smaller).elements_a_thread == 0);
    layout.images = 2;  // variables whose neighbours are read
    layout.size[1] = 8;
    layout.radius[1] = {1, 1, 0};
    layout.is_large = layout.runs_ahead = false;
    CHECK(is(a100, 512, core::most_overlapping_elements, 100, core::tile_kind::overlapping));
    CHECK(is(smaller, 350, 4, 66, core::tile_kind::plain));
}
TEST_CASE("a box that a cluster has room for is dealt to one if its barrier takes less time than words or that of a grid", "[lowering]") {
    const auto in_cluster = [](const core::tile_layout& layout, core::box_sides box) { return core::shape_over_box(layout, box, h100).is_cluster; };
    core::tile_layout layout = layout_of(2, 1, 8, {1, 1, 0});
    CHECK(!in_cluster(layout, {1, 128, 128}));
    layout.joins_at_barrier = true;
    CHECK((in_cluster(layout, {1, 128, 128}) && !in_cluster(layout, {1, 129, 128}) && !in_cluster(layout, {1, 150, 100})));  // threads would have many elements
    CHECK(!core::shape_over_box(layout, {1, 128, 128}, a100).is_cluster);
    layout = layout_of(1, 1, 8, {0, 1, 0});
    layout.saves_barriers = true;
    CHECK((in_cluster(layout, {1, 1, 8192}) && !in_cluster(layout, {1, 1, 8193}) && core::shape_over_box(layout, {1, 1, 1024}, h100).elements_a_thread == 0));
    layout.saves_barriers = false;
    CHECK((core::shape_over_box(layout, {1, 1, 2000}, h100).blocks == 1 && core::shape_over_box(layout, {1, 1, 20'000}, h100).elements_a_thread == 0));
}
TEST_CASE("tiles of three dimensions in which blocks wait as often as without them are used where they take less time", "[lowering]") {
    core::tile_layout layout = layout_of(3, 2, 8, {1, 1, 1});
    const auto elements_over = [&](int side) { return core::shape_over_box(layout, {side, side, side}, h100).elements_a_thread; };
    CHECK((elements_over(12) == 16 && elements_over(40) == 0 && elements_over(51) == 0 && elements_over(52) == 4 && elements_over(64) == 4));
    CHECK((elements_over(65) == 0 && elements_over(74) == 0 && elements_over(75) == 16 && elements_over(96) == 16));
    layout.saves_barriers = true;
    CHECK((elements_over(40) == 4 && elements_over(72) == 16));
    layout = layout_of(3, 2, 8, {2, 1, 2});  // blocks send more to each other
    CHECK((elements_over(64) == 0 && elements_over(80) == 0));
}
TEST_CASE("large tiles of which most places are empty are not used, if each iteration is tested", "[lowering]") {
    core::tile_layout layout = layout_of(2, 1, 8, {1, 1, 0});
    layout.is_large = layout.runs_ahead = true;
    const auto is_large = [&](int height, int width) { return core::shape_over_box(layout, {1, height, width}, h100).kind == core::tile_kind::large; };
    const auto has_none = [&](int height, int width) { return core::shape_over_box(layout, {1, height, width}, h100).elements_a_thread == 0; };
    CHECK((has_none(20'000, 8) && has_none(20'000, 16) && is_large(20'000, 32) && has_none(32'000, 16) && is_large(32'000, 32)));
    CHECK((has_none(4, 9'502) && has_none(7, 9'502) && is_large(16, 9'502) && has_none(7, 16'000) && is_large(16, 16'000)));
    CHECK((is_large(1500, 1500) && is_large(2048, 2048)));
}
TEST_CASE("sums of integers are in tiles if their identity is zero, which is not joined equally often there", "[lowering]") {
    CHECK(launch_over<summed<0>>(256, 256).elements_a_thread == 4);
    CHECK(launch_over<summed<5>>(256, 256).elements_a_thread == 0);
    CHECK(launch_over<summed<5>>(32, 32).elements_a_thread == 0);
}
TEST_CASE("if the order of terms matters, tiles are the patches of the box", "[lowering]") {
    core::tile_layout layout;
    layout.rank = 2;
    layout.in_order = true;
    layout.images = 1;
    layout.radius[0] = {1, 1, 0};
    layout.size[0] = 8;
    layout.shared_bytes = 16;
    const auto over_sides = [&](int height, int width, int sms = 132) { return core::shape_in_box_order(layout, height, width, {sms, 227 * 1024, true}); };
    const auto is = [](core::tile_launch launch, int elements_a_thread, int shared) {
        return launch.elements_a_thread == elements_a_thread && launch.blocks == 128 && launch.threads == 512 && launch.shared == shared && !launch.is_cluster &&
               launch.kind == core::tile_kind::plain;
    };
    CHECK(is(over_sides(512, 512), 4, 2 * (17 * 2 * 32 + 66 * 2) * 8));
    CHECK(is(over_sides(400, 400), 4, 2 * (17 * 2 * 32 + 66 * 2) * 8));
    CHECK(is(over_sides(1024, 1024), 16, (17 * 2 * 64 + 130 * 2) * 8 + 16 * 16 * 512));
    CHECK(over_sides(362, 362).elements_a_thread == 0);  // in the order of elements
    CHECK(over_sides(1100, 1100).elements_a_thread == 0);
    CHECK(over_sides(512, 512, 108).elements_a_thread == 0);
    CHECK(core::shape_in_order(1100, 1100, core::box_order(1100, 1100, true).elements).height == 16 * 9);
    layout.in_patches = layout.is_large = true;
    const auto is_large = [](core::tile_launch launch, core::tile_kind kind, int shared) {
        return launch.elements_a_thread == core::large_tile_elements && launch.blocks == 128 && launch.threads == 512 && launch.shared == shared && launch.kind == kind;
    };
    const auto shared_of = [](int rows_of_thread, int in_shared) { return (2 * (17 * 2 * 128 + (16 * rows_of_thread + 2) * 2) + in_shared * 4 * 512) * 8; };
    CHECK(is_large(over_sides(1100, 1100), core::tile_kind::large, shared_of(9, 2)));
    CHECK(is_large(over_sides(2048, 2048), core::tile_kind::large, shared_of(16, 9)));
    CHECK(is(over_sides(512, 512), 4, 2 * (17 * 2 * 32 + 66 * 2) * 8));
    CHECK(over_sides(2560, 2560).elements_a_thread == 0);
    layout.keeps_part = true;
    CHECK(is_large(over_sides(2560, 2560), core::tile_kind::in_part, shared_of(27, 8)));
    CHECK(over_sides(30'000, 40).elements_a_thread == 0);
    layout.shared_bytes = 32;  // no room
    CHECK(over_sides(1024, 1024).elements_a_thread == 0);
    CHECK(over_sides(512, 512).elements_a_thread == 4);
}
TEST_CASE("blocks compute elements around small tiles if a loop does not reduce in each iteration", "[lowering]") {
    using expressions::boxes::there_and_back;
    using expressions::boxes::fourth;
    const auto is = [](core::tile_launch launch, int elements_a_thread, int blocks, int threads) {
        return launch.elements_a_thread == elements_a_thread && launch.blocks == blocks && launch.threads == threads && launch.kind == core::tile_kind::overlapping && !launch.is_cluster;
    };
    CHECK(launch_over<there_and_back>(32, 32).kind == core::tile_kind::plain);  // a block alone
    CHECK(is(launch_over<there_and_back>(128, 128), 4, 64, 256));  // eight elements around tiles
    CHECK(is(launch_over<there_and_back>(256, 256), 4, 121, 256));
    CHECK(is(launch_over<there_and_back>(616, 264), 4, 121, 512));
    CHECK(is(launch_over<there_and_back>(512, 512), 8, 121, 512));
    CHECK(is(launch_over<fourth>(616, 560), 8, 120, 480));  // four
    CHECK(is(launch_over<fourth>(640, 640), 8, 121, 512));  // two
    CHECK(launch_over<there_and_back>(1024, 1024).kind == core::tile_kind::plain);
    CHECK(launch_over<there_and_back>(1024, 1024).elements_a_thread == 16);
    CHECK(launch_over(256, 256).kind == core::tile_kind::plain);  // each iteration reduces
}
TEST_CASE("boxes of three dimensions are dealt to blocks, as far as tiles fit", "[lowering]") {
    using expressions::boxes::room;
    const auto is = [](core::tile_launch launch, int elements_a_thread, int blocks, bool is_cluster = false) {
        return launch.elements_a_thread == elements_a_thread && launch.blocks == blocks && launch.threads == 512 && launch.is_cluster == is_cluster && launch.kind == core::tile_kind::plain;
    };
    CHECK(is(launch_over<room>(16, 32, 4), 4, 1));
    CHECK(is(launch_over<room>(16, 32, 32), 4, 8, true));
    CHECK(is(launch_over<room>(16, 32, 3), 4, 1));
    CHECK(is(launch_over<room>(64, 64, 64), 4, 128));
    CHECK(is(launch_over<room>(40, 40, 20), 4, 60));  // two planes a tile: as many as are read beyond it
    CHECK(is(launch_over<room>(100, 100, 40), 32, 112));
    CHECK(launch_over<room>(128, 128, 120).elements_a_thread == 0);  // shared memory has no room for 32 planes with two more on either side, and two columns
    CHECK(launch_over<room>(128, 128, 96).elements_a_thread == 32);
    CHECK(launch_over<room>(128, 128, 96).shared == 28 * 18 * 36 * 8);
    CHECK(launch_over<room>(10, 2, 3000).elements_a_thread == 32);
    CHECK(launch_over<room>(128, 160, 128).elements_a_thread == 0);
    CHECK(launch_over<room>(0, 5, 5).elements_a_thread == 0);
}

TEST_CASE("JSON has the dimensions of boxes and how far nodes read", "[simulate]") {
    std::ostringstream to;
    write_json(to, for_each(over(rows, columns), reads_at<0, 0>{})(in(grid_of_floats[near<1, 2>]), out(result[each])));
    CHECK(has(to.str(), "\"own_element\": false, \"near\": [1, 2]"));
    CHECK(has(to.str(), "\"dimensions\": 2"));
}

TEST_CASE("boxes are held against the extents that are bound", "[simulate]") {
    CHECK(has(said_of<0, 0>(11), "runs over 12 elements, more than there are in 'grid_of_floats': 11"));
    std::vector<float> to(12);
    const auto said = [&](int height, int width) {
        return said_of_run([&] { simulate(for_each(over(rows, columns), one_value{})(out(result[each])), result(std::span(to)), rows(height), columns(width)); });
    };
    CHECK(has(said(-2, -6), "runs over a negative number of elements: -2"));
    CHECK(has(said(13, 1), "runs over 13 elements, more than there are in 'result': 12"));
    CHECK(said(0, 5).empty());
    CHECK(to == std::vector<float>(12));
    CHECK(has(said_of_run([&] { simulate(for_each(over(-1, 4), one_value{})(out(result[each])), result(std::span(to))); }), "negative"));
    simulate(for_each(over(rows_and_columns{}), one_value{})(out(result[each])), result(std::span(to)));
    CHECK(to == std::vector<float>(12, 1.0f));
}

}  // namespace
