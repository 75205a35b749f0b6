// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <utility>
#include <vector>

// Two nodes that relax a large box by turns, the second with a sum, in patches. If nvcc does not put the body of the loop into its kernel, threads keep their
// elements in local memory, and the loop takes several times as long; results are the same.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;
inline constexpr struct change : scalar<change, double> {} change;
inline constexpr struct it : scalar<it, int> {} it;

struct relax {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const {
        const bool inner = around.inside(-1, 0) && around.inside(1, 0) && around.inside(0, -1) && around.inside(0, 1);
        to = inner ? 0.25 * ((around.at(-1, 0) + around.at(1, 0)) + (around.at(0, -1) + around.at(0, 1))) : *around;
    }
};
struct relax_and_tell {
    COGRAPH_HD double operator()(index_t row, index_t column, neighbours<double, 1, 1> around, double& to) const {
        relax{}(row, column, around, to);
        return (to - *around) * (to - *around);
    }
};
constexpr auto box = over(rows, columns).in_patches();
constexpr auto by_turns = seq(assign(it, 0), assign(change, 1.0), loop_while(it < 4 && change > 0.0, seq(for_each(box, relax{})(in(x[cograph::near<1, 1>]), out(y[each])),
                                                                                                    transform_reduce(box, relax_and_tell{}, plus{})(out(change), in(y[cograph::near<1, 1>]), out(x[each])), assign(it, it + 1))));

struct outcome {
    std::vector<double> x_, y_;
    double change_;
    bool operator==(const outcome&) const = default;
};
// Looks at the executable that gave it.
template <class E, class Look>
outcome launched(const E& e, int of_rows, int of_columns, const stream& on, Look look) {
    const auto count = static_cast<std::size_t>(of_rows) * static_cast<std::size_t>(of_columns);
    std::vector<double> start(count);
    for (std::size_t i = 0; i < count; ++i) start[i] = static_cast<double>(i * 2654435761u % 1000003) / 1000003;
    device_array<double> of_x(start), of_y(start);
    auto exec = instantiate(e, x(of_x.all()), y(of_y.all()), rows(of_rows), columns(of_columns));
    look(exec);
    exec.launch(on);
    exec.launch(on);
    on.wait();
    return {of_x.read(), of_y.read(), exec.fetch(change)};
}

}  // namespace

TEST_CASE("kernels of large tiles, or a part of them, have little in local memory", "[gpu]") {
    const stream on;
    for (const auto& [of_rows, of_columns] : {std::pair{1101, 1090}, {2100, 2302}}) {
        if (leave_out::under_tool()) continue;
        CAPTURE(of_rows, of_columns);
        int in_tiles = 0;
        const outcome whole = launched(by_turns, of_rows, of_columns, on, [&](const auto& exec) {
            for (const cudaKernelNodeParams& kernel : ways::kernels_of(exec.graph_ref())) {
                if (kernel.gridDim.x != 128) continue;
                ++in_tiles;
                cudaFuncAttributes found{};
                ways::must(cudaFuncGetAttributes(&found, kernel.func));
                CHECK(found.localSizeBytes <= 512);
            }
        });
        CHECK(in_tiles == 1);
        CHECK((launched(as_nodes(by_turns), of_rows, of_columns, on, [](const auto&) {}) == whole));
    }
}
