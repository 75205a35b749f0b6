// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cstdint>

// Scans, compaction and the extreme elements, alone and in loops.
namespace expressions::scans {

using namespace cograph;

using integer = std::int64_t;
// x -> a x + b, modulo a prime: joining is associative, and the order matters.
struct affine {
    int a = 1, b = 0;
    bool operator==(const affine&) const = default;
};
struct first_then {
    COGRAPH_HD affine operator()(affine f, affine g) const { return {f.a * g.a % 1009, (f.b * g.a + g.b) % 1009}; }
};

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct sums : buffer<sums, integer> {} sums;
inline constexpr struct before : temp<before, integer, struct x> {} before;
inline constexpr struct maps : buffer<maps, affine> {} maps;
inline constexpr struct joins : buffer<joins, affine> {} joins;
inline constexpr struct taken : buffer<taken, int> {} taken;
inline constexpr struct count : scalar<count, int> {} count;
inline constexpr struct largest : scalar<largest, found_element<int>> {} largest;
inline constexpr struct least : scalar<least, found_element<int>> {} least;
inline constexpr struct others : buffer<others, int> {} others;
inline constexpr struct chosen : buffer<chosen, int> {} chosen;
inline constexpr struct chosen_count : scalar<chosen_count, integer> {} chosen_count;
inline constexpr struct few : scalar<few, int> {} few;
inline constexpr struct marks : buffer<marks, integer> {} marks;
inline constexpr struct sometimes : buffer<sometimes, int> {} sometimes;
inline constexpr struct how_often : scalar<how_often, int> {} how_often;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct times : value<times, int> {} times;

struct divides {
    int by;
    COGRAPH_HD bool operator()(int number) const { return number % by == 0; }
};
struct change {
    COGRAPH_HD void operator()(index_t at, const integer& sum, const integer& left, int& own) const {
        own = static_cast<int>((own * 3 + sum % 101 + left % 7 + at) % 1013);
    }
};
struct replace {
    COGRAPH_HD void operator()(index_t at, int here, const affine& map, const affine& join, affine& own) const {
        own = {(map.a + here) % 1009, (join.b + static_cast<int>(at % 5)) % 1009};
    }
};

struct all_of_them {
    std::vector<int> x_, taken_;
    std::vector<integer> sums_;
    std::vector<affine> maps_, joins_;
    int count_ = -1, i_ = 0, times_ = 3;
    found_element<int> largest_{0, 0}, least_{0, 0};

    all_of_them() : all_of_them(700) {}
    explicit all_of_them(std::size_t n) : x_(n), taken_(n, -1), sums_(n), maps_(n), joins_(n) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<int>(at * 37 % 983), maps_[at] = {static_cast<int>(at % 13 + 1), static_cast<int>(at % 7)};
    }
    static constexpr auto expression() {
        constexpr auto scans = seq(inclusive_scan(in(x), out(sums)), exclusive_scan(in(x), out(before), maximum{}, 0), inclusive_scan(in(maps), out(joins), first_then{}, affine{}));
        constexpr auto looks = seq(copy_if(in(x), out(taken), out(count), divides{3}), max_element(out(largest), in(x)), min_element(out(least), in(x)));
        constexpr auto changes = seq(for_each(over(x), change{})(in(sums[each]), in(before[each]), inout(x[each])),
                                     for_each(over(maps), replace{})(in(i), in(joins[each]), in(joins[each]), out(maps[each])));
        return seq(scans, looks, assign(i, 0), loop_while(i < times && count != -7, seq(changes, scans, looks, assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), sums(at(sums_)), maps(at(maps_)), joins(at(joins_)), taken(at(taken_)), count(at(count_)), largest(at(largest_)),
                          least(at(least_)), i(at(i_)), times(times_));
    }
    void compute() {
        const std::size_t n = x_.size();
        std::vector<integer> highest(n);
        const auto scan_and_look = [&] {
            integer sum = 0, most = 0;
            affine joined;
            count_ = 0;
            largest_ = least_ = {0, -1};
            for (std::size_t at = 0; at < n; ++at) {
                sums_[at] = sum += x_[at];
                highest[at] = most;
                if (x_[at] > most) most = x_[at];
                joins_[at] = joined = first_then{}(joined, maps_[at]);
                if (x_[at] % 3 == 0) taken_[static_cast<std::size_t>(count_++)] = x_[at];
                if (largest_.index < 0 || x_[at] > largest_.value) largest_ = {x_[at], static_cast<index_t>(at)};
                if (least_.index < 0 || x_[at] < least_.value) least_ = {x_[at], static_cast<index_t>(at)};
            }
        };
        scan_and_look();
        for (i_ = 0; i_ < times_; ++i_) {
            for (std::size_t at = 0; at < n; ++at) {
                change{}(static_cast<index_t>(at), sums_[at], highest[at], x_[at]);
                replace{}(static_cast<index_t>(at), i_, joins_[at], joins_[at], maps_[at]);
            }
            scan_and_look();
        }
    }
    bool operator==(const all_of_them&) const = default;
};

// So many elements that chunks are longer than the least.
struct in_long_chunks {
    std::vector<int> x_, taken_;
    std::vector<integer> sums_;
    int count_ = 0, i_ = 0;

    in_long_chunks() : x_(2'100'000), taken_(x_.size()), sums_(x_.size()) {
        for (std::size_t at = 0; at < x_.size(); ++at) x_[at] = static_cast<int>(at * 37 % 983);
    }
    static constexpr auto expression() {
        return seq(assign(i, 0), loop_while(i < 2, seq(inclusive_scan(in(x), out(sums)), copy_if(in(x), out(taken), out(count), divides{3}), assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), sums(at(sums_)), taken(at(taken_)), count(at(count_)), i(at(i_)));
    }
    void compute() {
        integer sum = 0;
        count_ = 0;
        i_ = 2;
        for (std::size_t at = 0; at < x_.size(); ++at) {
            sums_[at] = sum += x_[at];
            if (x_[at] % 3 == 0) taken_[static_cast<std::size_t>(count_++)] = x_[at];
        }
    }
    bool operator==(const in_long_chunks&) const = default;
};

// Scans of what functions give, over first elements, too; partitions; compaction of first elements.
struct of_functions {
    std::vector<int> x_, taken_, others_, chosen_, sometimes_;
    std::vector<integer> sums_, marks_;
    std::vector<affine> joins_;
    int count_ = -1, few_ = 0, i_ = 0, times_ = 3, how_often_ = -1;
    integer chosen_count_ = -1;

    of_functions() : of_functions(700, 333) {}
    of_functions(std::size_t n, int first) : x_(n), taken_(n, -1), others_(n + 3, -1), chosen_(n, -1), sometimes_(n, -1), sums_(n), marks_(n, -9), joins_(n), few_(first) {
        for (std::size_t at = 0; at < n; ++at) x_[at] = static_cast<int>(at * 37 % 983);
    }
    struct scaled {
        COGRAPH_HD integer operator()(index_t at, int number, int by) const { return at % 3 + integer{number} * by; }
    };
    struct map_at {
        COGRAPH_HD affine operator()(index_t at, const int* all, index_t n) const { return {all[n - 1 - at] % 7 + 1, static_cast<int>(at % 5)}; }
    };
    struct change {
        COGRAPH_HD void operator()(index_t at, integer sum, integer mark, const affine& join, int& own) const {
            own = static_cast<int>((own * 3 + sum % 101 + mark % 7 + join.b + at) % 1013);
        }
    };
    struct fewer {
        COGRAPH_HD void operator()(int& first) const { first = first * 2 / 3; }
    };
    static constexpr auto expression() {
        constexpr auto all = seq(transform_inclusive_scan(over(x), scaled{}, plus{})(out(sums), in(x[each]), times),
                                 transform_exclusive_scan(over(x).first(few), scaled{}, maximum{}, 3)(out(marks), in(x[each]), times),
                                 transform_inclusive_scan(over(x), map_at{}, first_then{}, affine{})(out(joins), in(x), extent(x)),
                                 partition_copy(in(x), out(taken), out(others), out(count), divides{3}), copy_if(over(x).first(few), divides{2})(in(x), out(chosen), out(chosen_count)));
        return seq(all, assign(i, 0),
                   loop_while(i < times && count != -7 && chosen_count != -7,
                              seq(for_each(over(x), change{})(in(sums[each]), in(marks[each]), in(joins[each]), inout(x[each])), single_task(fewer{})(inout(few)), all,
                                  when(i < 2, seq(inclusive_scan(in(x), out(sometimes), maximum{}), copy_if(in(x), out(chosen), out(how_often), divides{5}))), assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), taken(at(taken_)), others(at(others_)), chosen(at(chosen_)), sums(at(sums_)), marks(at(marks_)), joins(at(joins_)), count(at(count_)),
                          few(at(few_)), chosen_count(at(chosen_count_)), sometimes(at(sometimes_)), how_often(at(how_often_)), i(at(i_)), times(times_));
    }
    void compute() {
        const std::size_t n = x_.size();
        const auto all = [&] {
            integer sum = 0, most = 3;
            affine joined;
            count_ = 0;
            chosen_count_ = 0;
            std::size_t rest = 0;
            for (std::size_t at = 0; at < n; ++at) {
                const index_t k = static_cast<index_t>(at);
                sums_[at] = sum += scaled{}(k, x_[at], times_);
                joins_[at] = joined = first_then{}(joined, map_at{}(k, x_.data(), static_cast<index_t>(n)));
                if (x_[at] % 3 == 0)
                    taken_[static_cast<std::size_t>(count_++)] = x_[at];
                else
                    others_[rest++] = x_[at];
                if (k >= few_) continue;
                marks_[at] = most;
                if (scaled{}(k, x_[at], times_) > most) most = scaled{}(k, x_[at], times_);
                if (x_[at] % 2 == 0) chosen_[static_cast<std::size_t>(chosen_count_++)] = x_[at];
            }
        };
        all();
        for (i_ = 0; i_ < times_; ++i_) {
            for (std::size_t at = 0; at < n; ++at) change{}(static_cast<index_t>(at), sums_[at], marks_[at], joins_[at], x_[at]);
            fewer{}(few_);
            all();
            if (i_ >= 2) continue;
            how_often_ = 0;
            for (std::size_t at = 0; at < n; ++at) {
                sometimes_[at] = at > 0 && sometimes_[at - 1] > x_[at] ? sometimes_[at - 1] : x_[at];
                if (x_[at] % 5 == 0) chosen_[static_cast<std::size_t>(how_often_++)] = x_[at];
            }
        }
    }
    bool operator==(const of_functions&) const = default;
};

}  // namespace expressions::scans
