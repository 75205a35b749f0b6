// SPDX-License-Identifier: Apache-2.0
#include "../ways.cuh"

#include <cograph/join/captured_stream.cuh>
#include <cograph/sparse.cuh>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

// sparse::solve in the order of levels, which the first launch of a graph learns.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;
using namespace core::sparse_routine;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct A : view<A, sparse::csr_view<double>> {} A;
inline constexpr struct rounds : scalar<rounds, int> {} rounds;

// A matrix on the device whose rows need those at some distances below them, and those above. Where `has` says so, a row has all of the `long_row` rows beside it.
struct matrix_of_bands {
    int rows;
    std::vector<int> begins{0}, columns;
    std::vector<double> entries;

    template <class Has>
    matrix_of_bands(int rows_, const std::vector<int>& distances, int long_row, Has has) : rows(rows_) {
        for (int i = 0; i < rows; ++i) {
            for (const int d : distances) add(i, i - d), add(i, i + d);
            if (has(i))
                for (int j = i - long_row; j <= i + long_row; ++j)
                    if (j != i) add(i, j);
            add(i, i);
            begins.push_back(static_cast<int>(columns.size()));
        }
    }
    matrix_of_bands(int rows_, const std::vector<int>& distances) : matrix_of_bands(rows_, distances, 0, [](int) { return false; }) {}
    void add(int row, int column) {
        if (column < 0 || column >= rows) return;
        columns.push_back(column);
        entries.push_back(row == column ? 2 + row % 3 : 0.01 * ((row * 7 + column * 5) % 11 - 5));
    }
    // By row, from 1.
    std::vector<unsigned> levels(bool of_lower_half) const {
        std::vector<unsigned> level(static_cast<std::size_t>(rows));
        for (int step = 0; step < rows; ++step) {
            const int i = of_lower_half ? step : rows - 1 - step;
            unsigned& own = level[static_cast<std::size_t>(i)];
            own = 1;
            for (int e = begins[static_cast<std::size_t>(i)]; e < begins[static_cast<std::size_t>(i) + 1]; ++e) {
                const int j = columns[static_cast<std::size_t>(e)];
                if (of_lower_half ? j < i : j > i) own = std::max(own, level[static_cast<std::size_t>(j)] + 1);
            }
        }
        return level;
    }
};
struct on_device {
    device_array<int> begins, columns;
    device_array<double> entries;
    index_t rows, count;

    explicit on_device(const matrix_of_bands& m) : begins(m.begins), columns(m.columns), entries(m.entries), rows(m.rows), count(static_cast<index_t>(m.entries.size())) {}
    sparse::csr_view<double> view() const { return {begins.data(), columns.data(), entries.data(), rows, rows, count}; }
};
std::vector<double> right_side(int rows) {
    std::vector<double> right(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < right.size(); ++i) right[i] = 1 + static_cast<double>(i % 7);
    return right;
}

// The kernels by themselves, with memory that is read between them.
template <bool Forward>
struct kernels_of_solve {
    explicit kernels_of_solve(int rows_) : rows(rows_), progress(solve_progress<double>::bytes(rows) / sizeof(unsigned), 0u), order(row_order::bytes(rows) / sizeof(unsigned), 0u), solution(right_side(rows)) {}
    void begin() {
        progress.write(std::vector<unsigned>(solve_progress<double>::bytes(rows) / sizeof(unsigned)));
        solution.write(right_side(rows));
    }
    std::vector<double> in_order(const on_device& m) {
        solve_in_order_for<Forward, false, double>(m.rows, m.count)<<<16, rows_of_threads::block>>>(solution.data(), m.view(), at_progress(), at_order(), of_warp(m));
        must(cudaDeviceSynchronize());
        return solution.read();
    }
    std::vector<double> by_rows(const on_device& m, bool learns) {
        const unsigned blocks = rows_of_threads(m.rows, m.count).blocks(m.rows);
        if (learns)
            solve_rows<Forward, false, true><<<blocks, rows_of_threads::block>>>(solution.data(), m.view(), at_progress(), at_order(), of_warp(m));
        else
            solve_rows<Forward, false, false><<<blocks, rows_of_threads::block>>>(solution.data(), m.view(), at_progress(), nullptr, of_warp(m));
        must(cudaDeviceSynchronize());
        return solution.read();
    }
    int of_warp(const on_device& m) const { return rows_of_threads(m.rows, m.count).of_warp; }
    solve_progress<double>* at_progress() { return reinterpret_cast<solve_progress<double>*>(progress.data()); }
    row_order* at_order() { return reinterpret_cast<row_order*>(order.data()); }
    bool has_given_up() const { return progress.read()[3] != 0; }
    unsigned levels() const { return order.read()[0]; }

    int rows;
    device_array<unsigned> progress, order;
    device_array<double> solution;
};

template <bool Forward>
void check_kernels(const std::vector<int>& distances) {
    CAPTURE(Forward, distances.size());
    const int rows = 5000;
    const matrix_of_bands wide(rows, distances, 90, [](int i) { return i % 1000 == 500; });
    const on_device matrix(wide);
    kernels_of_solve<Forward> kernels(rows);
    kernels.begin();
    const std::vector<double> wanted = kernels.by_rows(matrix, false);
    CHECK(kernels.levels() == 0);

    kernels.begin();
    CHECK(kernels.in_order(matrix) == right_side(rows));  // there is no order yet
    CHECK(kernels.by_rows(matrix, true) == wanted);
    const std::vector<unsigned> of_host = wide.levels(Forward), learned = kernels.order.read();
    const unsigned deepest = *std::max_element(of_host.begin(), of_host.end());
    REQUIRE(kernels.levels() == deepest);
    std::vector<bool> is_there(static_cast<std::size_t>(rows));
    bool are_sorted = true, are_of_host = true;
    for (std::size_t i = 0; i < of_host.size(); ++i) {
        const unsigned row = learned[4 + i];
        REQUIRE(row < of_host.size());
        is_there[row] = true;
        are_sorted = are_sorted && (i == 0 || of_host[learned[4 + i - 1]] <= of_host[row]);
        are_of_host = are_of_host && learned[4 + of_host.size() + i] == of_host[i];
    }
    CHECK(std::count(is_there.begin(), is_there.end(), true) == rows);
    CHECK(are_sorted);
    CHECK(are_of_host);

    kernels.begin();
    CHECK(kernels.in_order(matrix) == wanted);  // all by itself
    CHECK_FALSE(kernels.has_given_up());
    CHECK(kernels.by_rows(matrix, true) == wanted);
    CHECK(kernels.levels() == deepest);

    // Rows that need those of their own level, and of later ones: some are solved in the order, and the rest by rows.
    const on_device other(matrix_of_bands(rows, {3, 55}, 80, [](int i) { return i % 900 == 400; }));
    kernels.begin();
    const std::vector<double> of_other = kernels.by_rows(other, false);
    kernels.begin();
    kernels.in_order(other);
    CHECK(kernels.has_given_up());
    CHECK(kernels.by_rows(other, true) == of_other);
    CHECK(kernels.levels() == 0);

    // A chain is not worth an order.
    const on_device chain(matrix_of_bands(rows, {1}));
    kernels.begin();
    const std::vector<double> of_chain = kernels.by_rows(chain, false);
    for (int times = 0; times < 2; ++times) {
        kernels.begin();
        kernels.in_order(chain);
        CHECK(kernels.by_rows(chain, true) == of_chain);
        CHECK(kernels.levels() == 0);
    }
    kernels.begin();
    CHECK(kernels.by_rows(matrix, true) == wanted);
    CHECK(kernels.levels() == deepest);
}

// What each of three launches finds, whose memory is written anew before it.
template <class Launch>
void check_launches(const device_array<double>& solution, const std::vector<double>& start, const std::vector<double>& wanted, const stream& on, Launch launch) {
    for (int times = 0; times < 3; ++times) {
        const_cast<device_array<double>&>(solution).write(start);
        launch();
        on.wait();
        CHECK(solution.read() == wanted);
    }
}

template <class Half>
void check_changes(Half half) {
    const int rows = 6000;
    const auto e = sparse::solve(inout(x), in(A), half);
    // Of one number of entries each: their memory stays where it is, and its contents change.
    const std::vector<std::vector<int>> distances{{70, 200}, {1, 2}, {64, 65}, {1500, 31}, {70, 200}};
    const matrix_of_bands first(rows, distances[0]);
    std::size_t most = 0;
    for (const auto& of_one : distances) most = std::max(most, matrix_of_bands(rows, of_one).columns.size());
    const std::vector<double> right = right_side(rows);
    device_array<int> begins(first.begins), columns(most);
    device_array<double> entries(most), solution(right);
    const stream on;
    const auto view = [&](std::size_t count) { return sparse::csr_view<double>{begins.data(), columns.data(), entries.data(), rows, rows, static_cast<index_t>(count)}; };
    auto exec = instantiate(e, x(solution.all()), A(view(first.columns.size())));
    for (const auto& of_one : distances) {
        matrix_of_bands m(rows, of_one);
        m.columns.resize(most);
        m.entries.resize(most);
        begins.write(m.begins);
        columns.write(m.columns);
        entries.write(m.entries);
        solution.write(right);
        run_on(on, e, x(solution.all()), A(view(first.columns.size())));
        on.wait();
        check_launches(solution, right, solution.read(), on, [&] { exec.launch(on); });
    }
    // Bound anew, to a matrix with fewer rows.
    const on_device smaller(matrix_of_bands(4000, {90, 300}));
    device_array<double> fewer(right_side(4000));
    run_on(on, e, x(fewer.all()), A(smaller.view()));
    on.wait();
    const std::vector<double> wanted = fewer.read();
    exec.update(x(fewer.all()), A(smaller.view()));
    check_launches(fewer, right_side(4000), wanted, on, [&] { exec.launch(on); });
}

// CUDA ends what graphs own on a thread of its own. Until then the memory of an order is not put aside.
bool is_put_aside() {
    for (int times = 0; times < 500; ++times) {
        {
            const core::held_mutex held(core::guard_of_memory_put_aside);
            if (core::memory_put_aside) return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

}  // namespace

TEST_CASE("a solve learns the order of rows, later ones take it, and give up where it is another matrix's", "[gpu][library_nodes]") {
    // Threads take 4, 8 and 16 entries at once.
    for (const std::vector<int>& distances : {std::vector{100, 137, 1000}, std::vector{100, 137, 333, 700, 1000, 1001}, std::vector{100, 110, 120, 137, 333, 400, 500, 610, 700, 711, 1000, 1001}}) {
        check_kernels<true>(distances);
        check_kernels<false>(distances);
    }
}

TEST_CASE("solutions have the same bits in any order of rows, also when the structure changes", "[gpu][library_nodes]") {
    check_changes(sparse::lower);
    check_changes(sparse::unit_upper);
}

TEST_CASE("a loop solves in the order that its first iteration learned", "[gpu][library_nodes]") {
    const int rows = 5000;
    const on_device matrix(matrix_of_bands(rows, {100, 137}));
    const auto e = seq(assign(rounds, 0), loop_while(rounds < 4, seq(copy(in(b), out(x)), sparse::solve(inout(x), in(A), sparse::upper), assign(rounds, rounds + 1))));
    const device_array<double> right(right_side(rows)), solution(right_side(rows)), once(right_side(rows));
    const stream on;
    run_on(on, sparse::solve(inout(x), in(A), sparse::upper), x(once.all()), A(matrix.view()));
    auto exec = instantiate(e, x(solution.all()), b(right.all()), A(matrix.view()));
    on.wait();
    check_launches(solution, right_side(rows), once.read(), on, [&] { exec.launch(on); });
}

TEST_CASE("graphs of others that a solve has joined keep its order, also without its executable", "[gpu][library_nodes]") {
    const int rows = 5000;
    const on_device matrix(matrix_of_bands(rows, {100, 137}));
    const auto solve = sparse::solve(inout(x), in(A), sparse::lower);
    const auto in_a_loop = seq(assign(rounds, 0), loop_while(rounds < 4, seq(copy(in(b), out(x)), solve, assign(rounds, rounds + 1))));
    const device_array<double> right(right_side(rows)), solution(right_side(rows)), once(right_side(rows));
    const stream on;
    run_on(on, solve, x(once.all()), A(matrix.view()));
    on.wait();
    const auto check = [&](const auto& e, auto... bindings) {
        core::graph_owner graph;
        {
            std::optional exec(instantiate(e, x(solution.all()), A(matrix.view()), bindings...));
            core::on_captured_streams = {&core::launch_in_capture, &core::run_in_capture};
            must(cudaStreamBeginCapture(on, cudaStreamCaptureModeThreadLocal));
            exec->launch(on);
            must(cudaStreamEndCapture(on, graph.put()));
            core::on_captured_streams = {};
        }
        CHECK(is_put_aside());
        core::free_memory_of_graphs();
        // What has been freed belongs to others now.
        const std::size_t words = row_order::bytes(rows) / sizeof(unsigned);
        const device_array<unsigned> first(words, ~0u), second(words, ~0u), third(words, ~0u);
        for (int times = 0; times < 2; ++times) {
            core::exec_owner made;
            must(cudaGraphInstantiate(made.put(), graph.get(), 0));
            if (times == 1) graph = {};
            check_launches(solution, right_side(rows), once.read(), on, [&] { must(cudaGraphLaunch(made.get(), on)); });
        }
        core::free_memory_of_graphs();
    };
    check(solve);
    check(in_a_loop, b(right.all()));
}

TEST_CASE("the order of a graph ends with it, and with each update of its solve", "[gpu][library_nodes]") {
    const int rows = 500;
    const on_device matrix(matrix_of_bands(rows, {100, 137})), other(matrix_of_bands(rows, {90}));
    const device_array<double> right(right_side(rows)), solution(right_side(rows));
    const stream on;
    const auto solve = sparse::solve(inout(x), in(A), sparse::lower);
    const auto in_a_loop = seq(assign(rounds, 0), loop_while(rounds < 4, seq(copy(in(b), out(x)), solve, assign(rounds, rounds + 1))));
    const auto check = [&](const auto& e, auto... bindings) {
        core::free_memory_of_graphs();
        {
            auto exec = instantiate(e, x(solution.all()), A(matrix.view()), bindings...);
            exec.launch(on);
            exec.update(A(other.view()));
            exec.launch(on);
            exec.update(A(matrix.view()));  // the graph keeps the first one
            exec.launch(on);
            on.wait();
            CHECK(is_put_aside());
            core::free_memory_of_graphs();
            CHECK(core::memory_put_aside == nullptr);
        }
        CHECK(is_put_aside());
        core::free_memory_of_graphs();
    };
    check(solve);
    check(in_a_loop, b(right.all()));
}
