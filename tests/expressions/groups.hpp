// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cstdint>

// Nodes whose elements are each of a group of threads: rows of a table, of lengths from nothing to several times the group's size.
namespace expressions::groups {

using namespace cograph;

using integer = std::int64_t;
// x -> a x + b, modulo a prime: joining is associative, and the order matters.
struct affine {
    int a = 1, b = 0, unused = 0;
    bool operator==(const affine&) const = default;
};
struct first_then {
    COGRAPH_HD affine operator()(affine f, affine g) const { return {f.a * g.a % 1009, (f.b * g.a + g.b) % 1009, 0}; }
};
constexpr int room_of_row = 96;
COGRAPH_HD constexpr int length_of(index_t row) { return static_cast<int>(row * 7 % (room_of_row + 1)); }

struct found_in_row {
    integer sum = -1, total = -1, largest = -1, least = -1;
    int largest_at = -1, least_at = -1;
    bool any = false, all = false;
    affine joined;
    bool operator==(const found_in_row&) const = default;
};

inline constexpr struct table : buffer<table, integer> {} table;
inline constexpr struct sums : buffer<sums, integer> {} sums;
inline constexpr struct joins : buffer<joins, affine> {} joins;
inline constexpr struct found : buffer<found, found_in_row> {} found;
inline constexpr struct highest : temp<highest, integer, struct found> {} highest;
inline constexpr struct all_of_them : scalar<all_of_them, integer> {} all_of_them;
inline constexpr struct total : scalar<total, integer> {} total;
inline constexpr struct highest_of_all : scalar<highest_of_all, integer> {} highest_of_all;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;
inline constexpr struct length_of_room : value<length_of_room, int> {} length_of_room;

// Adds to each number of a row what stands behind it, beginning at the next row's end: by raw ranks, and so in two steps.
struct mix {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, integer* of_table, int shift) const {
        integer* const own = of_table + row * room_of_row;
        const int n = length_of(row);
        for (int k = group.rank(); k < n; k += group.size()) own[k] = (own[k] * 5 + k + shift) % 997;
        group.sync();
    }
};
struct look {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const integer* of_table, integer* to_sums, affine* to_joins, found_in_row& to) const {
        const integer* const own = of_table + row * room_of_row;
        const int n = length_of(row);
        const auto number = [&](int k) { return own[k]; };
        const auto map = [&](int k) { return affine{static_cast<int>(own[k] % 7 + 1), k, 0}; };
        integer* const own_sums = to_sums + row * room_of_row;
        found_in_row of_row;
        of_row.sum = group.transform_reduce(n, number, plus{});
        const auto largest = group.max_element(n, number);
        const auto least = group.min_element(n, [&](int k) { return own[k] / 16; });
        of_row.largest = largest.value, of_row.largest_at = static_cast<int>(largest.index);
        of_row.least = least.value, of_row.least_at = static_cast<int>(least.index);
        of_row.any = group.any(n, [&](int k) { return own[k] > 900; });
        of_row.all = group.all(n, [&](int k) { return own[k] < 950; });
        group.inclusive_scan(n, number, plus{}, [&](int k, integer upto) { own_sums[k] = upto; });
        of_row.total = group.exclusive_scan(n, [&](int k) { return own_sums[n - 1 - k]; }, plus{}, [&](int k, integer before) { to_joins[row * room_of_row + k].unused = static_cast<int>(before % 1000); });
        of_row.joined = group.inclusive_scan(n, map, first_then{}, [&](int k, affine upto) { to_joins[row * room_of_row + k].a = upto.b; }, affine{});
        group.exclusive_scan(n, map, first_then{}, [&](int k, affine before) { to_joins[row * room_of_row + k].b = before.b; }, affine{});
        if (group.rank() == 0) to = of_row;
    }
};
struct take_highest {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const integer* of_table, const found_in_row& in, integer& to) const {
        to = group.transform_reduce(static_cast<index_t>(length_of(row)), [&](index_t k) { return of_table[row * room_of_row + k]; }, maximum{}, integer{0}) + in.least_at;
    }
};
struct of_element {
    COGRAPH_HD integer operator()(index_t row, const integer& high, const found_in_row& in) const { return high + in.sum + row; }
};

struct sum_of_row {
    template <class Group>
    COGRAPH_HD integer operator()(Group const& group, index_t row, const integer* of_table, const found_in_row& in) const {
        return group.transform_reduce(length_of(row), [&](int k) { return of_table[row * room_of_row + k]; }, plus{}) % 1009 * (row % 7 + 1) + in.least_at;
    }
};

template <int Size>
struct rows {
    static constexpr int size = Size;
    std::vector<integer> table_, sums_;
    std::vector<affine> joins_;
    std::vector<found_in_row> found_;
    integer all_ = 0, total_ = 0, highest_ = 0;
    int i_ = 0, passes_ = 3;

    rows() : rows(150) {}
    explicit rows(std::size_t n) : table_(n * room_of_row), sums_(n * room_of_row), joins_(n * room_of_row), found_(n) {
        for (std::size_t at = 0; at < table_.size(); ++at) table_[at] = static_cast<integer>(at * 37 % 983);
    }
    static constexpr auto expression() {
        constexpr auto shape = over(found).template group<Size>();
        constexpr auto reductions = seq(transform_reduce(shape, sum_of_row{}, plus{})(out(total), in(table), in(found[each])),
                                        transform_reduce(shape, sum_of_row{}, maximum{}, -5)(out(highest_of_all), in(table), in(found[each])));
        constexpr auto once = seq(for_each(shape, mix{})(inout(table), 1), for_each(shape, look{})(in(table), inout(sums), inout(joins), out(found[each])), reductions);
        constexpr auto pass = seq(for_each(shape, mix{})(inout(table), in(i)), for_each(shape, look{})(in(table), inout(sums), inout(joins), out(found[each])),
                                  for_each(over(found).template group<Size == 32 ? 64 : 32>(), take_highest{})(in(table), in(found[each]), out(highest[each])),
                                  transform_reduce(over(found), of_element{}, plus{})(out(all_of_them), in(highest[each]), in(found[each])), reductions, assign(i, i + 1));
        return seq(once, assign(i, 0), loop_while(i < passes && all_of_them != 1, pass));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(table(at(table_)), sums(at(sums_)), joins(at(joins_)), found(at(found_)), all_of_them(at(all_)), total(at(total_)), highest_of_all(at(highest_)), i(at(i_)),
                          passes(passes_));
    }
    void compute() {
        const std::size_t n = found_.size();
        const auto reduce_rows = [&] {
            total_ = 0;
            highest_ = -5;
            for (std::size_t row = 0; row < n; ++row) {
                const integer term = found_[row].sum % 1009 * static_cast<integer>(row % 7 + 1) + found_[row].least_at;
                total_ += term;
                highest_ = std::max(highest_, term);
            }
        };
        const auto pass = [&](int shift) {
            for (std::size_t row = 0; row < n; ++row) {
                integer* const own = table_.data() + row * room_of_row;
                integer* const own_sums = sums_.data() + row * room_of_row;
                affine* const own_joins = joins_.data() + row * room_of_row;
                const int length = length_of(static_cast<index_t>(row));
                for (int k = 0; k < length; ++k) own[k] = (own[k] * 5 + k + shift) % 997;
                found_in_row& of_row = found_[row] = {0, 0, 0, 0, -1, -1, false, true, {}};
                for (int k = 0; k < length; ++k) {
                    of_row.sum += own[k];
                    own_sums[k] = of_row.sum;
                    if (of_row.largest_at < 0 || own[k] > of_row.largest) of_row.largest = own[k], of_row.largest_at = k;
                    if (of_row.least_at < 0 || own[k] / 16 < of_row.least) of_row.least = own[k] / 16, of_row.least_at = k;
                    of_row.any |= own[k] > 900;
                    of_row.all &= own[k] < 950;
                    own_joins[k].b = of_row.joined.b;
                    of_row.joined = first_then{}(of_row.joined, {static_cast<int>(own[k] % 7 + 1), k, 0});
                    own_joins[k].a = of_row.joined.b;
                }
                for (int k = 0; k < length; ++k) {
                    own_joins[k].unused = static_cast<int>(of_row.total % 1000);
                    of_row.total += own_sums[length - 1 - k];
                }
            }
        };
        pass(1);
        reduce_rows();
        for (i_ = 0; i_ < passes_ && all_ != 1; ++i_) {
            pass(i_);
            reduce_rows();
            all_ = 0;
            for (std::size_t row = 0; row < n; ++row) {
                integer high = 0;
                for (int k = 0; k < length_of(static_cast<index_t>(row)); ++k) high = std::max(high, table_[row * room_of_row + static_cast<std::size_t>(k)]);
                all_ += high + found_[row].least_at + found_[row].sum + static_cast<integer>(row);
            }
        }
    }
    bool operator==(const rows&) const = default;
};

// Branches around groups, and groups with shared memory: in a loop that is one kernel, and in one that is not, since one thread writes memory.
// There the nodes are predicated.
struct note_pass {
    COGRAPH_HD void operator()(integer* to, int pass) const { to[0] = to[0] * 3 % 1009 + pass; }
};
struct turn_row {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, integer* room, integer* of_table, int shift) const {
        integer* const own = of_table + row * room_of_row;
        const int n = length_of(row);
        group.for_each(n, [&](int k) { room[k] = own[k] * 5 + shift; });
        group.template for_each_part<8>((n + 7) / 8, [&](auto const& part, int eight) {
            const int first = 8 * eight, count = n - first < 8 ? n - first : 8;
            const integer last = part.transform_reduce(count, [&](int k) { return first + k; }, maximum{}, 0);
            part.for_each(count, [&](int k) { own[first + k] = (room[n - 1 - first - k] + static_cast<int>(last) - count + 1 + k) % 997; });
        });
    }
};
struct join_row {
    int shift;
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, int* room, const integer* of_table, integer& to) const {
        const int n = length_of(row) % 33;
        group.copy(n, of_table + row * room_of_row, room);
        to = group.transform_reduce(n, [&](int k) { return integer{room[n - 1 - k]} * (k + shift); }, plus{});
    }
};
template <int Size>
struct chosen {
    std::vector<integer> table_, sums_;
    std::vector<found_in_row> found_;
    integer total_ = 0;
    int i_ = 0, passes_ = 5, room_ = room_of_row;

    chosen() : chosen(40) {}
    explicit chosen(std::size_t n) : table_(n * room_of_row), sums_(n + 1), found_(n) {
        for (std::size_t at = 0; at < table_.size(); ++at) table_[at] = static_cast<integer>(at * 37 % 983);
    }
    static constexpr auto expression() {
        constexpr auto rows = over(found).template group<Size>();
        constexpr auto branch =
            when(i % 3 == 1, for_each(rows.template shared<integer>(length_of_room), turn_row{})(inout(table), in(i)),
                 otherwise(seq(transform_reduce(over(found).template group<32>(), sum_of_row{}, plus{})(out(total), in(table), in(found[each])),
                               for_each(over(found).template group<16>().template shared<int>(32), join_row{3})(in(table), inout(sums[each])))));
        constexpr auto further = seq(branch, for_each(rows, mix{})(inout(table), 2),
                                     for_each(over(found).first(i).template group<8>().template shared<integer>(length_of_room + 4), turn_row{})(inout(table), 1));
        return seq(assign(i, 0), loop_while(i < passes, seq(single_task(note_pass{})(inout(sums), in(i)), further, assign(i, i + 1))), assign(i, 0),
                   loop_while(i < passes, seq(further, assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(table(at(table_)), sums(at(sums_)), found(at(found_)), total(at(total_)), i(at(i_)), passes(passes_), length_of_room(room_));
    }
    integer* row(std::size_t number) { return table_.data() + number * room_of_row; }
    void turn(std::size_t number, int shift) {
        std::vector<integer> kept(room_of_row);
        const int n = length_of(static_cast<index_t>(number));
        for (int k = 0; k < n; ++k) kept[static_cast<std::size_t>(k)] = row(number)[k] * 5 + shift;
        for (int k = 0; k < n; ++k) row(number)[k] = (kept[static_cast<std::size_t>(n - 1 - k)] + k) % 997;
    }
    void pass() {
        if (i_ % 3 != 1) total_ = 0;
        for (std::size_t r = 0; r < found_.size(); ++r) {
            const int n = length_of(static_cast<index_t>(r));
            if (i_ % 3 == 1) {
                turn(r, i_);
                continue;
            }
            integer sum = 0, joined = 0;
            for (int k = 0; k < n; ++k) sum += row(r)[k];
            for (int k = 0; k < n % 33; ++k) joined += row(r)[n % 33 - 1 - k] * (k + 3);
            total_ += sum % 1009 * static_cast<integer>(r % 7 + 1) + found_[r].least_at;
            sums_[r] = joined;
        }
        for (std::size_t r = 0; r < found_.size(); ++r)
            for (int k = 0; k < length_of(static_cast<index_t>(r)); ++k) row(r)[k] = (row(r)[k] * 5 + k + 2) % 997;
        for (std::size_t r = 0; r < found_.size() && static_cast<int>(r) < i_; ++r) turn(r, 1);
    }
    void compute() {
        for (int loop = 0; loop < 2; ++loop)
            for (i_ = 0; i_ < passes_; ++i_) {
                if (loop == 0) note_pass{}(sums_.data(), i_);
                pass();
            }
    }
    bool operator==(const chosen&) const = default;
};

// The only reductions of their nodes. The value that each begins with is the result in some passes. Of real numbers it may be zero, which can have two signs.
inline constexpr struct bound_of_all : scalar<bound_of_all, integer> {} bound_of_all;
inline constexpr struct least_of_all : scalar<least_of_all, double> {} least_of_all;
inline constexpr struct most_of_all : scalar<most_of_all, double> {} most_of_all;
inline constexpr struct of_passes : scalar<of_passes, double> {} of_passes;
struct shifted_row {
    template <class Group>
    COGRAPH_HD integer operator()(Group const& group, index_t row, const integer* of_table, int pass) const {
        return group.transform_reduce(length_of(row), [&](int k) { return of_table[row * room_of_row + k]; }, plus{}) % 1009 + 900 * pass;
    }
};
struct above {
    template <class Group>
    COGRAPH_HD double operator()(Group const& group, index_t row, const integer* of_table, integer bound) const {
        const auto number = [&](int k) { return static_cast<double>(of_table[row * room_of_row + k]); };
        return group.transform_reduce(length_of(row), number, maximum{}, 0.0) / 4 + static_cast<double>(bound) / 4 - 600;
    }
};
struct below {
    template <class Group>
    COGRAPH_HD double operator()(Group const& group, index_t row, const integer* of_table, double least) const {
        return group.transform_reduce(length_of(row), [&](int k) { return static_cast<double>(of_table[row * room_of_row + k]); }, minimum{}, 400.0) / 4 + least;
    }
};
template <int Size>
struct bounds {
    std::vector<integer> table_;
    std::vector<found_in_row> found_;
    integer bound_ = 0;
    double least_ = 0, most_ = 0, of_passes_ = 0;
    int i_ = 0, passes_ = 4;
    bounds() : bounds(150) {}
    explicit bounds(std::size_t n) : table_(n * room_of_row), found_(n) {
        for (std::size_t at = 0; at < table_.size(); ++at) table_[at] = static_cast<integer>(at * 37 % 983);
    }
    static constexpr auto expression() {
        constexpr auto shape = over(found).template group<Size>();
        constexpr auto reductions = seq(transform_reduce(shape, shifted_row{}, maximum{}, 1950)(out(bound_of_all), in(table), in(i)),
                                        transform_reduce(shape, above{}, minimum{}, -37.5)(out(least_of_all), in(table), in(bound_of_all)),
                                        transform_reduce(shape, below{}, maximum{}, 0.0)(out(most_of_all), in(table), in(least_of_all)));
        return seq(assign(i, 0), loop_while(i < passes, seq(reductions, assign(of_passes, 3 * of_passes + bound_of_all + least_of_all + 2 * most_of_all), assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(table(at(table_)), found(at(found_)), bound_of_all(at(bound_)), least_of_all(at(least_)), most_of_all(at(most_)), of_passes(at(of_passes_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        for (i_ = 0; i_ < passes_; ++i_) {
            bound_ = 1950, least_ = -37.5, most_ = 0;
            for_rows([&](integer sum, integer, integer) { bound_ = std::max(bound_, sum % 1009 + 900 * i_); });
            for_rows([&](integer, integer, integer high) { least_ = std::min(least_, static_cast<double>(high) / 4 + static_cast<double>(bound_) / 4 - 600); });
            const double least = least_;
            for_rows([&](integer, integer low, integer) { most_ = std::max(most_, static_cast<double>(low) / 4 + least); });
            of_passes_ = 3 * of_passes_ + static_cast<double>(bound_) + least_ + 2 * most_;
        }
    }
    // With the sum, the least number up to 400 and the largest from 0.
    template <class F>
    void for_rows(F f) {
        for (std::size_t row = 0; row < found_.size(); ++row) {
            integer sum = 0, low = 400, high = 0;
            for (int k = 0; k < length_of(static_cast<index_t>(row)); ++k) {
                const integer number = table_[row * room_of_row + static_cast<std::size_t>(k)];
                sum += number, low = std::min(low, number), high = std::max(high, number);
            }
            f(sum, low, high);
        }
    }
    bool operator==(const bounds&) const = default;
};

// Work in two parts, of which the first reads what no node writes, and in a persistent kernel runs before the barrier in front of the node. Then each row reads the
// results of all rows.
inline constexpr struct weights : buffer<weights, integer> {} weights;
inline constexpr struct latest : buffer<latest, integer> {} latest;
inline constexpr struct reach : scalar<reach, int> {} reach;
inline constexpr struct weighed : temp<weighed, integer, struct latest> {} weighed;
struct weigh {
    int shift;
    template <class Group>
    COGRAPH_HD auto prepare(Group const& group, index_t row, const integer* of_weights, const integer*, index_t, integer&) const {
        return group.template collect<room_of_row>([=](int k) { return of_weights[row * room_of_row + k]; });
    }
    template <class Group, class Own>
    COGRAPH_HD void finish(Group const& group, index_t row, Own const& own, const integer*, const integer* of_rows, index_t count, integer& to) const {
        to = group.transform_reduce(room_of_row, [&](int k) { return own(k) * of_rows[(row + 7 * k + shift) % count]; }, plus{}) % 1009;
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const integer* of_weights, const integer* of_rows, index_t count, integer& to) const {
        finish(group, row, prepare(group, row, of_weights, of_rows, count, to), of_weights, of_rows, count, to);
    }
};
struct copied_to_room {
    int count = 0;
};
struct weigh_in_room {
    template <class Group>
    COGRAPH_HD copied_to_room prepare(Group const& group, index_t row, integer* room, const integer* of_weights, const integer*, index_t, integer&) const {
        group.copy(room_of_row, of_weights + row * room_of_row, room);
        return {length_of(row)};
    }
    template <class Group>
    COGRAPH_HD void finish(Group const& group, index_t row, copied_to_room copied, integer* room, const integer*, const integer* of_rows, index_t count, integer& to) const {
        to = group.transform_reduce(copied.count, [&](int k) { return room[copied.count - 1 - k] * of_rows[(row + k) % count]; }, plus{}) % 997;
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, integer* room, const integer* of_weights, const integer* of_rows, index_t count, integer& to) const {
        finish(group, row, prepare(group, row, room, of_weights, of_rows, count, to), room, of_weights, of_rows, count, to);
    }
};
struct weight_of_row {
    template <class Group>
    COGRAPH_HD integer operator()(Group const& group, index_t row, const integer* of_weights, const integer* of_rows, index_t count) const {
        const integer own = group.transform_reduce(length_of(row), [&](int k) { return of_weights[row * room_of_row + k]; }, plus{});
        return own * group.transform_reduce(5, [&](int k) { return of_rows[(row + 11 * k) % count]; }, plus{}) % 1013;
    }
};
template <int Size>
struct prepared {
    std::vector<integer> weights_, latest_;
    integer total_ = 0, highest_ = 0;
    int i_ = 0, passes_ = 6, reach_ = 0;

    prepared() : prepared(150) {}
    explicit prepared(std::size_t n) : weights_(n * room_of_row), latest_(n) {
        for (std::size_t at = 0; at < weights_.size(); ++at) weights_[at] = static_cast<integer>(at * 37 % 983);
        for (std::size_t at = 0; at < n; ++at) latest_[at] = static_cast<integer>(at % 13);
    }
    static constexpr auto expression() {
        constexpr auto shape = over(latest).template group<Size>();
        constexpr auto pass = seq(for_each(shape, weigh{2})(in(weights), in(latest), extent(latest), out(weighed[each])),
                                  when(i % 3 != 1, for_each(shape.template shared<integer>(room_of_row), weigh_in_room{})(in(weights), in(weighed), extent(latest), inout(latest[each]))),
                                  transform_reduce(shape, weight_of_row{}, plus{})(out(total), in(weights), in(latest), extent(latest)),
                                  for_each(shape, weigh{5})(in(weights), in(latest), extent(latest), out(weighed[each])),
                                  assign(reach, min(i, 1)), for_each(over(latest).first(reach).template group<Size>(), weigh{1})(in(weights), in(weighed), extent(latest), out(latest[each])),
                                  transform_reduce(shape, weight_of_row{}, maximum{}, -5)(out(highest_of_all), in(weights), in(latest), extent(latest)), assign(i, i + 1));
        return seq(assign(i, 0), loop_while(i < passes && total != 1, pass));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(weights(at(weights_)), latest(at(latest_)), total(at(total_)), highest_of_all(at(highest_)), i(at(i_)), reach(at(reach_)), passes(passes_));
    }
    void compute() {
        const std::size_t n = latest_.size();
        std::vector<integer> of_rows(n);
        const auto weight = [&](std::size_t row, std::size_t k) { return weights_[row * room_of_row + k]; };
        const auto find = [&](std::size_t row, std::size_t shift, const std::vector<integer>& others) {
            integer sum = 0;
            for (std::size_t k = 0; k < room_of_row; ++k) sum += weight(row, k) * others[(row + 7 * k + shift) % n];
            return sum % 1009;
        };
        const auto length = [](std::size_t row) { return static_cast<std::size_t>(length_of(static_cast<index_t>(row))); };
        const auto term = [&](std::size_t row) {
            integer own = 0, of_others = 0;
            for (std::size_t k = 0; k < length(row); ++k) own += weight(row, k);
            for (std::size_t k = 0; k < 5; ++k) of_others += latest_[(row + 11 * k) % n];
            return own * of_others % 1013;
        };
        for (i_ = 0; i_ < passes_ && total_ != 1; ++i_) {
            for (std::size_t row = 0; row < n; ++row) of_rows[row] = find(row, 2, latest_);
            for (std::size_t row = 0; row < n && i_ % 3 != 1; ++row) {
                integer sum = 0;
                for (std::size_t k = 0; k < length(row); ++k) sum += weight(row, length(row) - 1 - k) * of_rows[(row + k) % n];
                latest_[row] = sum % 997;
            }
            total_ = 0;
            for (std::size_t row = 0; row < n; ++row) total_ += term(row);
            for (std::size_t row = 0; row < n; ++row) of_rows[row] = find(row, 5, latest_);
            reach_ = std::min(i_, 1);
            for (std::size_t row = 0; row < n && static_cast<int>(row) < reach_; ++row) latest_[row] = find(row, 1, of_rows);
            highest_ = -5;
            for (std::size_t row = 0; row < n; ++row) highest_ = std::max(highest_, term(row));
        }
    }
    bool operator==(const prepared&) const = default;
};

using in_two_parts = std::tuple<prepared<32>, prepared<128>>;
using branches = std::tuple<chosen<128>>;
using bounded = std::tuple<bounds<32>, bounds<256>>;
using cases = std::tuple<rows<1>, rows<4>, rows<16>, rows<32>, rows<64>, rows<512>, rows<1024>>;

}  // namespace expressions::groups
