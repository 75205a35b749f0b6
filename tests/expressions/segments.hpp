// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <cograph/launch_shape.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

// Reductions of segments of all lengths, alone and in a loop: empty ones, many in a chunk, and some that are longer than several chunks.
namespace expressions::segments {

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

inline constexpr struct terms : buffer<terms, int> {} terms;
inline constexpr struct offsets : buffer<offsets, int> {} offsets;
inline constexpr struct sums : buffer<sums, integer> {} sums;
inline constexpr struct maps : buffer<maps, affine> {} maps;
inline constexpr struct highest : temp<highest, int, struct sums> {} highest;
inline constexpr struct all_sums : scalar<all_sums, integer> {} all_sums;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct passes : value<passes, int> {} passes;

struct weighted {
    COGRAPH_HD integer operator()(index_t segment, index_t k, const int* of, int shift) const { return of[k] * (segment % 5 + 1) + k % 3 + shift; }
};
struct map_of {
    COGRAPH_HD affine operator()(index_t segment, index_t k, const int* of) const { return {of[k] % 7 + 1, static_cast<int>((k + segment) % 11)}; }
};
struct term_at {
    COGRAPH_HD int operator()(index_t, index_t k, const int* of) const { return of[k]; }
};
// What is written into all terms of a segment: its result is needed everywhere.
struct change {
    COGRAPH_HD void operator()(index_t k, int& term, const integer* of, index_t segments) const {
        term = static_cast<int>((term * 3 + of[k % segments] % 101 + k) % 1013);
    }
};
struct of_segment {
    COGRAPH_HD integer operator()(index_t, const integer& sum, const affine& map, const int& high) const { return sum + map.b + high; }
};

enum class kind { short_ones, one_long, sparse, long_ends, singles, one_for_all, with_margins };

struct all_of_them {
    std::vector<int> terms_, offsets_;
    std::vector<integer> sums_;
    std::vector<affine> maps_;
    integer all_ = 0;
    int i_ = 0, passes_ = 3;

    all_of_them() : all_of_them(kind::short_ones, 300) {}
    all_of_them(kind of, std::size_t n) : offsets_(n + 1), sums_(n, -1), maps_(n) {
        // Some terms before the first segment and behind the last one belong to none.
        if (of == kind::with_margins) offsets_[0] = 3000;
        for (std::size_t s = 0; s < n; ++s) {
            int length = static_cast<int>(s * 7 % 5);
            switch (of) {
                case kind::one_long: length = s == n / 2 ? 9'000 : static_cast<int>(s % 3); break;
                case kind::sparse: length = s % 50 == 0 ? static_cast<int>(s * 37 % 3'000) : 0; break;
                case kind::long_ends: length = s == 0 || s == n - 1 ? 20'000 : 0; break;
                case kind::singles: length = 1; break;
                case kind::one_for_all: length = s == 0 ? 2'048 * 4 : 0; break;
                default: break;
            }
            offsets_[s + 1] = offsets_[s] + length;
        }
        terms_.resize(static_cast<std::size_t>(offsets_[n]) + (of == kind::with_margins ? 2'500 : 0));
        for (std::size_t k = 0; k < terms_.size(); ++k) terms_[k] = static_cast<int>(k * 37 % 983);
    }
    static constexpr auto expression() {
        constexpr auto joins = seq(segmented_reduce(over(terms), weighted{}, plus{})(out(sums), in(offsets), in(terms), 2),
                                   segmented_reduce(over(terms), map_of{}, first_then{}, affine{})(out(maps), in(offsets), in(terms)),
                                   segmented_reduce(over(terms), term_at{}, maximum{}, 0)(out(highest), in(offsets), in(terms)),
                                   transform_reduce(over(sums), of_segment{}, plus{})(out(all_sums), in(sums[each]), in(maps[each]), in(highest[each])));
        return seq(joins, assign(i, 0),
                   loop_while(i < passes && all_sums != -7, seq(for_each(over(terms), change{})(inout(terms[each]), in(sums), extent(sums)), joins, assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(terms(at(terms_)), offsets(at(offsets_)), sums(at(sums_)), maps(at(maps_)), all_sums(at(all_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        const auto join = [&] {
            all_ = 0;
            for (std::size_t s = 0; s < sums_.size(); ++s) {
                integer sum = 0;
                affine map;
                int high = 0;
                for (index_t k = offsets_[s]; k < offsets_[s + 1]; ++k) {
                    sum += weighted{}(static_cast<index_t>(s), k, terms_.data(), 2);
                    map = first_then{}(map, map_of{}(static_cast<index_t>(s), k, terms_.data()));
                    high = std::max(high, terms_[static_cast<std::size_t>(k)]);
                }
                sums_[s] = sum;
                maps_[s] = map;
                all_ += sum + map.b + high;
            }
        };
        join();
        for (i_ = 0; i_ < passes_ && all_ != -7; ++i_) {
            for (std::size_t k = 0; k < terms_.size(); ++k)
                change{}(static_cast<index_t>(k), terms_[k], sums_.data(), static_cast<index_t>(sums_.size()));
            join();
        }
    }
    bool operator==(const all_of_them&) const = default;
};

// In loops, of segments that stay as they are or move, with two reductions of the results, of which the first reads what the second gave in the pass
// before. Few: blocks, so that a group of threads has many chunks.
enum class segments_in_loop { stay, stay_in_few_blocks, move };
inline constexpr struct largest : scalar<largest, integer> {} largest;
struct term_in_loop {
    COGRAPH_HD integer operator()(index_t, index_t k, const int* of) const { return of[k]; }
};
struct plus_last {
    COGRAPH_HD integer operator()(index_t s, integer sum, integer last) const { return sum * (s % 3 + 1) + last % 7; }
};
struct own_sum {
    COGRAPH_HD integer operator()(index_t, integer sum) const { return sum; }
};
struct move_terms {
    COGRAPH_HD void operator()(index_t k, int& term, integer all) const { term = static_cast<int>((term * 5 + all % 89 + k) % 997); }
};
struct move_offset {
    COGRAPH_HD void operator()(index_t s, int& offset, int pass, index_t count, index_t offsets_count) const {
        if (s > 0 && s < offsets_count - 1) offset = static_cast<int>(s * 8 + (pass * 5 + s * 3) % 7);
        if (s == offsets_count - 1) offset = static_cast<int>(count);
    }
};
template <segments_in_loop How>
struct in_a_loop {
    std::vector<int> terms_, offsets_;
    std::vector<integer> sums_;
    integer all_ = 0, largest_ = 3;
    int i_ = 0, passes_ = 4;

    in_a_loop() : in_a_loop(300) {}
    // With terms that belong to no segment.
    explicit in_a_loop(std::size_t n, std::size_t before = 0, std::size_t behind = 0) : terms_(before + 8 * n + behind), offsets_(n + 1), sums_(n, -1) {
        for (std::size_t k = 0; k < terms_.size(); ++k) terms_[k] = static_cast<int>(k * 31 % 971);
        for (std::size_t s = 0; s <= n; ++s) offsets_[s] = static_cast<int>(before + (s % 4 == 0 || s == n ? 8 * s : 8 * s - 5));  // every fourth is short
    }
    static constexpr auto expression() {
        constexpr auto pass = seq(segmented_reduce(over(terms), term_in_loop{}, plus{})(out(sums), in(offsets), in(terms)),
                                  transform_reduce(over(sums), plus_last{}, plus{})(out(all_sums), in(sums[each]), in(largest)),
                                  transform_reduce(over(sums), own_sum{}, maximum{})(out(largest), in(sums[each])),
                                  for_each(over(terms), move_terms{})(inout(terms[each]), in(all_sums)));
        constexpr auto goes_on = i < passes && all_sums != -7;
        if constexpr (How == segments_in_loop::move)
            return seq(assign(i, 0), loop_while(goes_on, seq(pass, for_each(over(offsets), move_offset{})(inout(offsets[each]), i, extent(terms), extent(offsets)), assign(i, i + 1))));
        else if constexpr (How == segments_in_loop::stay_in_few_blocks)
            return seq(assign(i, 0), loop_while(goes_on, seq(pass, assign(i, i + 1)), grid_of<2>, block_of<512>));
        else
            return seq(assign(i, 0), loop_while(goes_on, seq(pass, assign(i, i + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(terms(at(terms_)), offsets(at(offsets_)), sums(at(sums_)), all_sums(at(all_)), largest(at(largest_)), i(at(i_)), passes(passes_));
    }
    void compute() {
        for (i_ = 0; i_ < passes_ && all_ != -7; ++i_) {
            all_ = 0;
            integer most = std::numeric_limits<integer>::lowest();
            for (std::size_t s = 0; s < sums_.size(); ++s) {
                sums_[s] = 0;
                for (int k = offsets_[s]; k < offsets_[s + 1]; ++k) sums_[s] += terms_[static_cast<std::size_t>(k)];
                all_ += plus_last{}(static_cast<index_t>(s), sums_[s], largest_);
                most = std::max(most, sums_[s]);
            }
            largest_ = most;
            for (std::size_t k = 0; k < terms_.size(); ++k) move_terms{}(static_cast<index_t>(k), terms_[k], all_);
            if constexpr (How == segments_in_loop::move)
                for (std::size_t s = 0; s < offsets_.size(); ++s)
                    move_offset{}(static_cast<index_t>(s), offsets_[s], i_, static_cast<index_t>(terms_.size()), static_cast<index_t>(offsets_.size()));
        }
    }
    bool operator==(const in_a_loop&) const = default;
};

}  // namespace expressions::segments
