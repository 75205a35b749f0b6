// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"
#include "documented_order.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

using namespace expressions::boxes;
using cograph::core::tile_kind;
using emulated::check;

TEST_CASE("kernels on the CPU: tiles that overlap, whose warps fill 256 threads or not") {
    check(settled_by_function(130, 140), 9, {tile_kind::overlapping, 8, 9, 480});
    check(settled_by_function(50, 70), 9, {tile_kind::overlapping, 4, 9, 256});
    check(tested_rarely(49, 83), 9, {tile_kind::overlapping, 4, 8, 288});
}

TEST_CASE("kernels on the CPU: tiles of sixteen elements a thread, which several warps join") {
    check(settled_by_function(200, 120), 4, {tile_kind::plain, 16, 4, 512});
    check(tested_rarely(200, 120), 4, {tile_kind::plain, 16, 4, 512});
}

TEST_CASE("kernels on the CPU: large tiles") {
    check(settled_by_function(129, 200), 4, {tile_kind::large, 36, 4, 256});
    check(tested_rarely(131, 130), 4, {tile_kind::large, 36, 4, 256});
    check(there_and_told(129, 200), 4, {tile_kind::large, 36, 4, 256});
}

TEST_CASE("kernels on the CPU: large tiles of which a part is on chip, more or less of it") {
    check(tested_rarely(514, 130), 4, {tile_kind::in_part, 36, 4, 512});
    check(tested_rarely(258, 130), 2, {tile_kind::in_part, 36, 2, 512}, 163);
    check(there_and_told(514, 130), 4, {tile_kind::in_part, 36, 4, 512});
}

TEST_CASE("kernels on the CPU: two variables that change each other") {
    check(reacting(50, 70), 9, {tile_kind::plain, 4, 6, 256});
    check(reacting(200, 120), 4, {tile_kind::plain, 16, 4, 512});
    check(reacting(129, 67), 4, {tile_kind::plain, 16, 4, 512});
}

TEST_CASE("kernels on the CPU: tall tiles, or a part of them, on chip") {
    check(reacting(400, 120), 4, {tile_kind::tall, 18, 4, 512});
    check(reacting(256, 67), 2, {tile_kind::tall, 18, 2, 512});
    check(reacting(600, 120), 4, {tile_kind::tall, 18, 4, 512});
    check(reacting(514, 130), 6, {tile_kind::tall, 18, 6, 512}, 163);
    check(reacting_from_afar(50, 70), 9, {tile_kind::plain, 4, 6, 256});
    check(reacting_from_afar(400, 120), 4, {tile_kind::tall, 18, 4, 512});
    check(reacting_from_afar(514, 130), 6, {tile_kind::tall, 18, 6, 512});
    check(waving(200, 120), 4, {tile_kind::plain, 16, 4, 512});
    check(waving(400, 120), 4, {tile_kind::tall, 18, 4, 512});
    check(waving(600, 67), 2, {tile_kind::tall, 18, 2, 512}, 163);
}

TEST_CASE("kernels on the CPU: boxes that change, and the kind of their tiles") {
    emulated::check_updates<tested_rarely>({{49, 83}, {131, 130}, {514, 130}, {5, 4}, {200, 120}}, 4);
}

TEST_CASE("kernels on the CPU: a box in one block") { check(settled_by_function(37, 53), 9, {tile_kind::plain, 16, 1, 256}); }

TEST_CASE("kernels on the CPU: variables that are only read, on chip and in memory") {
    check(conducted(50, 70), 9, {tile_kind::overlapping, 4, 9, 256});
    check(conducted(130, 140), 9, {tile_kind::overlapping, 8, 9, 480});
    check(conducted(129, 200), 4, {tile_kind::large, 36, 4, 256});
    check(conducted_step_by_step(514, 130), 4, {tile_kind::in_part, 36, 4, 512});
}

// Elements are indices of a table, whose pointer is a value: the function is called for none but those of the box.
inline constexpr struct table : value<table, const integer*> {} table;
struct looked_up {
    int rows_, columns_;
    std::vector<integer> x_, y_;
    inline static const std::vector<integer> numbers = some_numbers(prime);
    inline static bool is_outside = false;

    looked_up(int of_rows, int of_columns) : rows_(of_rows), columns_(of_columns), x_(some_numbers(static_cast<std::size_t>(of_rows * of_columns))), y_(x_.size()) {}

    struct look_up {
        COGRAPH_HD void operator()(index_t row, index_t, neighbours<integer, 1, 1> around, const integer* in_table, integer& to) const {
            const integer at = around.at_or(3, 0, 1) + around.at_or(4, -1, 0);
            if (at < 0 || at > 2 * prime)
                is_outside = true;
            else
                to = in_table[at % prime] + row % 2;
        }
    };
    static constexpr auto expression() {
        return repeat(passes, seq(for_each(over(rows, columns), look_up{})(in(x[near<1, 1>]), table, out(y[each])), copy(in(y), out(x))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), y(at(y_)), table(numbers.data()), passes(5), rows(rows_), columns(columns_));
    }
    void compute() {
        for (int pass = 0; pass < 5; ++pass) {
            for (index_t row = 0; row < rows_; ++row)
                for (index_t column = 0; column < columns_; ++column)
                    y_[static_cast<std::size_t>(row * columns_ + column)] =
                        numbers[static_cast<std::size_t>((value_at(x_, rows_, columns_, row, column + 1, 3) + value_at(x_, rows_, columns_, row - 1, column, 4)) % prime)] + row % 2;
            x_ = y_;
        }
    }
    bool operator==(const looked_up&) const = default;
};
TEST_CASE("kernels on the CPU: a function that looks up elements in a table") {
    check(looked_up(50, 70), 9, {tile_kind::plain, 4, 6, 256});
    check(looked_up(129, 200), 4, {tile_kind::tall, 18, 4, 512});
    check(looked_up(257, 200), 4, {tile_kind::tall, 18, 4, 512});
    check(looked_up(257, 200), 1, {});
    CHECK(!looked_up::is_outside);
}

// Numbers that are rounded: two sums of them are joined in patches, which blocks send each other.
inline constexpr struct plate : buffer<plate, double> {} plate;
inline constexpr struct next_plate : buffer<next_plate, double> {} next_plate;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct weighted : scalar<weighted, double> {} weighted;
struct summed_in_patches {
    int rows_, columns_;
    std::vector<double> plate_, next_;
    double total_ = 0, weighted_ = 0;

    summed_in_patches(int of_rows, int of_columns) : rows_(of_rows), columns_(of_columns), plate_(static_cast<std::size_t>(of_rows * of_columns)), next_(plate_.size()) {
        for (std::size_t i = 0; i < plate_.size(); ++i) plate_[i] = 1 + static_cast<double>(i * 2654435761u % 1000003) / 1000003;
    }

    static double mean(double above, double below, double left, double right) { return (above + below / 2 + (left + right)) / 4; }
    struct relax {
        COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const {
            to = mean(around.at_or(0, -1, 0), around.at_or(1, 1, 0), around.at_or(0.5, 0, -1), around.at_or(0.25, 0, 1));
        }
    };
    struct change {
        COGRAPH_HD double operator()(index_t row, index_t, double before, double after) const { return before - after * (1 + static_cast<double>(row % 3)); }
    };
    struct weigh {
        COGRAPH_HD double operator()(index_t, index_t column, double after) const { return after * (1 + static_cast<double>(column % 7)); }
    };
    static constexpr auto expression() {
        constexpr auto box = over(rows, columns).in_patches();
        return repeat(passes, seq(for_each(box, relax{})(in(plate[near<1, 1>]), out(next_plate[each])),
                                  transform_reduce(box, change{}, plus{}, 0.25)(out(total), in(plate[each]), in(next_plate[each])),
                                  transform_reduce(box, weigh{}, plus{})(out(weighted), in(next_plate[each])), copy(in(next_plate), out(plate))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(plate(at(plate_)), next_plate(at(next_)), total(at(total_)), weighted(at(weighted_)), passes(2), rows(rows_), columns(columns_));
    }
    void compute() {
        const auto element = [&](int row, int column) -> double& { return plate_[static_cast<std::size_t>(row * columns_ + column)]; };
        for (int pass = 0; pass < 2; ++pass) {
            std::vector<double> terms, weighted_terms;
            for (int row = 0; row < rows_; ++row)
                for (int column = 0; column < columns_; ++column) {
                    double& next = next_[static_cast<std::size_t>(row * columns_ + column)];
                    next = mean(row > 0 ? element(row - 1, column) : 0, row + 1 < rows_ ? element(row + 1, column) : 1, column > 0 ? element(row, column - 1) : 0.5,
                                column + 1 < columns_ ? element(row, column + 1) : 0.25);
                    terms.push_back(change{}(row, column, element(row, column), next));
                    weighted_terms.push_back(weigh{}(row, column, next));
                }
            const auto join = [&](const std::vector<double>& all, double identity) {
                return documented_order::join_box(all, static_cast<std::size_t>(rows_), static_cast<std::size_t>(columns_), identity, [](double a, double b) { return a + b; }, true);
            };
            total_ = join(terms, 0.25);
            weighted_ = join(weighted_terms, 0);
            plate_ = next_;
        }
    }
    bool operator==(const summed_in_patches&) const = default;
};
TEST_CASE("kernels on the CPU: sums over a large box in patches, all of it on chip or a part") {
    check(summed_in_patches(1030, 1031), 132, {tile_kind::large, 36, 128, 512});
    check(summed_in_patches(1030, 1031), 132, {tile_kind::in_part, 36, 128, 512}, 110);
}
