// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

// Elements and results that are structs: sums by operations that are named, one pass that gives several numbers, and a struct of the state
// of a solver, in loops however they are lowered.
namespace expressions::structs {

using namespace cograph;

struct alignas(16) quad {
    float x, y, z, w;
    friend bool operator==(const quad&, const quad&) = default;
};
struct summary {
    std::int64_t sum, squares;
    double least, most;
    index_t count;
    friend bool operator==(const summary&, const summary&) = default;
};
struct workspace {
    double time, history[20];
    std::int64_t rounds, total;
    friend bool operator==(const workspace&, const workspace&) = default;
};
static_assert(sizeof(summary) == 40 && sizeof(workspace) == 184);

inline constexpr struct p : buffer<p, quad> {} p;
inline constexpr struct q : buffer<q, quad> {} q;
inline constexpr struct x : buffer<x, std::int64_t> {} x;
inline constexpr struct inner : scalar<inner, float> {} inner;
inline constexpr struct parts : scalar<parts, quad> {} parts;
inline constexpr struct all : scalar<all, summary> {} all;
inline constexpr struct odd : scalar<odd, summary> {} odd;
inline constexpr struct work : scalar<work, workspace> {} work;
inline constexpr struct hits : scalar<hits, int> {} hits;
inline constexpr struct far : value<far, float> {} far;

struct multiply {
    COGRAPH_HD float operator()(const quad& a, const quad& b) const { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
};
struct multiply_each {
    COGRAPH_HD quad operator()(const quad& a, const quad& b) const { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
};
struct add {
    COGRAPH_HD quad operator()(const quad& a, const quad& b) const { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
};
struct first_minus_last {
    COGRAPH_HD float operator()(const quad& a) const { return a.x - a.w; }
};
struct axpy {
    float by;
    COGRAPH_HD void operator()(index_t, quad& to, const quad& from) const {
        to.x += by * from.x;
        to.y += by * from.y;
        to.z += by * from.z;
        to.w += by * from.w;
    }
};

// What stands for one element, for none, and for two of these.
struct summarize {
    bool odd_alone;
    COGRAPH_HD summary operator()(index_t, const std::int64_t& of) const {
        return odd_alone && of % 2 == 0 ? none() : summary{of, of * of, static_cast<double>(of), static_cast<double>(of), 1};
    }
    COGRAPH_HD static constexpr summary none() { return {0, 0, 1e300, -1e300, 0}; }
};
struct join {
    template <class T>
    COGRAPH_HD static constexpr T identity() {
        return summarize::none();
    }
    COGRAPH_HD summary operator()(const summary& a, const summary& b) const {
        return {a.sum + b.sum, a.squares + b.squares, a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most, a.count + b.count};
    }
};

// Small integers, so that no order of additions rounds.
inline std::vector<quad> quads(int count, int from) {
    std::vector<quad> made(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        made[static_cast<std::size_t>(i)] = {static_cast<float>((i + from) % 5), static_cast<float>(i % 3 - 1), static_cast<float>((from * i) % 2), 1.f};
    return made;
}

template <int N>
struct vectors {
    std::vector<quad> p_ = quads(N, 1), q_ = quads(N, 2);
    float inner_ = 0;
    quad parts_ = {};
    int hits_ = 0;

    static constexpr auto expression() {
        return seq(dot(out(inner), in(p), in(q), multiply{}, plus{}), dot(out(parts), in(p), in(q), multiply_each{}, add{}, quad{}), cograph::assign(hits, 0),
                   loop_while(max_abs(p, first_minus_last{}) < far && hits < 9,
                              seq(for_each(over(p), axpy{2})(inout(p[each]), in(q[each])), dot(out(inner), in(p), in(q), multiply{}, plus{}),
                                  dot(out(parts), in(p), in(p), multiply_each{}, add{}, quad{}), cograph::assign(hits, hits + 1),
                                  when(cograph::any(member<&quad::y>(p) > far) || member<&quad::x>(parts) < 0, cograph::assign(member<&quad::z>(parts), inner)))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(p(at(p_)), q(at(q_)), inner(at(inner_)), parts(at(parts_)), hits(at(hits_)), far(20.f));
    }
    void sum(const std::vector<quad>& a, const std::vector<quad>& b) {
        parts_ = {};
        for (std::size_t i = 0; i < a.size(); ++i) parts_ = add{}(parts_, multiply_each{}(a[i], b[i]));
    }
    void multiply_all() {
        inner_ = 0;
        for (std::size_t i = 0; i < p_.size(); ++i) inner_ += multiply{}(p_[i], q_[i]);
    }
    void compute() {
        multiply_all();
        sum(p_, q_);
        for (hits_ = 0; hits_ < 9; ++hits_) {
            float most = 0;
            for (const quad& of : p_) most = std::fmax(most, std::fabs(first_minus_last{}(of)));
            if (!(most < 20)) break;
            for (std::size_t i = 0; i < p_.size(); ++i) axpy{2}(0, p_[i], q_[i]);
            multiply_all();
            sum(p_, p_);
            bool is_far = false;
            for (const quad& of : p_) is_far = is_far || of.y > 20;
            if (is_far) parts_.z = inner_;
        }
    }
    bool operator==(const vectors&) const = default;
};

// One pass gives five numbers; two such passes, which share no barrier, are joined with a small one.
template <int N>
struct summaries {
    std::vector<std::int64_t> x_ = std::vector<std::int64_t>(N);
    summary all_ = {}, odd_ = {};
    workspace work_ = {0.5, {1, 2, 3}, 0, 0};

    summaries() {
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = static_cast<std::int64_t>(i * 7919 % 1009) - 500;
    }
    static constexpr auto passed = member<&workspace::rounds>(work);
    static constexpr auto expression() {
        return seq(cograph::assign(passed, 0),
                   loop_while(passed < 6 && member<&workspace::time>(work) < 1e6,
                              seq(transform_reduce(over(x), summarize{false}, join{})(out(all), in(x[each])), transform_reduce(over(x), summarize{true}, join{})(out(odd), in(x[each])),
                                  reduce(out(hits), in(x), maximum{}), single_task(record_in{})(inout(work), in(all), in(odd), in(hits)),
                                  for_each(over(x), change{})(inout(x[each]), in(work)), cograph::assign(passed, passed + 1))),
                   cograph::assign(member<&workspace::total>(work), member<&workspace::total>(work) % 1'000'003));
    }
    struct record_in {
        COGRAPH_HD void operator()(workspace& to, const summary& of_all, const summary& of_odd, const int& most) const {
            to.history[to.rounds] = of_all.least + of_odd.most + most;
            to.history[19 - to.rounds] += static_cast<double>(of_odd.count - of_all.count);
            to.total += of_all.sum + of_odd.sum + of_all.squares % 1000;
            to.time = to.time * 1.5 + 1;
        }
    };
    struct change {
        COGRAPH_HD void operator()(index_t i, std::int64_t& value, const workspace& now) const { value = (value * 3 + i + now.total % 100) % 1009 - 504; }
    };
    int hits_ = 0;
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), all(at(all_)), odd(at(odd_)), work(at(work_)), hits(at(hits_)));
    }
    static summary whole(const std::vector<std::int64_t>& of, bool odd_alone) {
        summary found = summarize::none();
        for (std::int64_t value : of) found = join{}(found, summarize{odd_alone}(0, value));
        return found;
    }
    void compute() {
        for (work_.rounds = 0; 6 > work_.rounds && 1e6 > work_.time; ++work_.rounds) {
            all_ = whole(x_, false);
            odd_ = whole(x_, true);
            hits_ = static_cast<int>(*std::max_element(x_.begin(), x_.end()));
            record_in{}(work_, all_, odd_, hits_);
            for (std::size_t i = 0; i < x_.size(); ++i) change{}(static_cast<index_t>(i), x_[i], work_);
        }
        work_.total %= 1'000'003;
    }
    bool operator==(const summaries&) const = default;
};

// A value of many bytes, which several nodes of a loop use: it is one parameter.
struct table {
    std::int64_t of[2500];
};
inline constexpr struct numbers : value<numbers, table> {} numbers;

template <int N>
struct tables {
    std::vector<std::int64_t> x_ = std::vector<std::int64_t>(N, 3);
    int hits_ = 0;

    static constexpr auto expression() {
        return seq(cograph::assign(hits, 0),
                   loop_while(hits < 5, seq(for_each(over(x), add_entry{})(inout(x[each]), numbers, hits), for_each(over(x), add_last{})(inout(x[each]), numbers),
                                            cograph::assign(hits, hits + 1))));
    }
    struct add_entry {
        COGRAPH_HD void operator()(index_t i, std::int64_t& value, const table& from, const int& pass) const { value = (value + from.of[(i + pass) % 2500]) % 10007; }
    };
    struct add_last {
        COGRAPH_HD void operator()(index_t, std::int64_t& value, const table& from) const { value = value * 3 + from.of[2499]; }
    };
    static table made() {
        table entries{};
        for (int i = 0; i < 2500; ++i) entries.of[i] = i * 7 % 1009;
        return entries;
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(x(at(x_)), hits(at(hits_)), numbers(made()));
    }
    void compute() {
        const table entries = made();
        for (hits_ = 0; hits_ < 5; ++hits_)
            for (std::size_t i = 0; i < x_.size(); ++i) {
                add_entry{}(static_cast<index_t>(i), x_[i], entries, hits_);
                add_last{}(0, x_[i], entries);
            }
    }
    bool operator==(const tables&) const = default;
};

using small_cases = std::tuple<vectors<1>, vectors<1000>, summaries<1>, summaries<300>, tables<3>>;
using cases = std::tuple<vectors<1>, vectors<1000>, vectors<40000>, summaries<1>, summaries<300>, summaries<5000>, summaries<150000>, tables<100>, tables<20000>>;

}  // namespace expressions::structs
