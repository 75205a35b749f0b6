// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/reasons/batch_reasons.hpp>  // first: compilers print by which files they came to it

#include <cograph/expr/algorithm/transform_reduce.hpp>
#include <cograph/expr/control/loop_state.hpp>
#include <cograph/plan/refused/batch/outcomes.hpp>

namespace cograph::core {

// The report of a loop in one problem.
struct loop_outcome {
    index_t iterations = 0;  // of its body, in all
    unsigned entries = 0;    // how often it was met
    ending ended = ending::none;
};
// The same of all problems.
struct outcome_summary {
    index_t problems = 0;
    index_t least = 0, largest = 0, sum = 0;  // of the iterations of a problem
    index_t limits = 0, overflows = 0;        // how many problems ended so
};

struct summary_of_one {
    COGRAPH_HD constexpr outcome_summary operator()(index_t, const loop_outcome& one) const {
        return {1, one.iterations, one.iterations, one.iterations, one.ended == ending::limit, one.ended == ending::overflow};
    }
};
struct join_summaries {
    COGRAPH_HD constexpr outcome_summary operator()(const outcome_summary& a, const outcome_summary& b) const {
        if (a.problems == 0) return b;
        if (b.problems == 0) return a;
        return {a.problems + b.problems, a.least < b.least ? a.least : b.least, a.largest < b.largest ? b.largest : a.largest, a.sum + b.sum, a.limits + b.limits, a.overflows + b.overflows};
    }
};
constexpr outcome_summary summarize(const loop_outcome* outcomes, std::size_t count) {
    outcome_summary all;
    for (std::size_t q = 0; q < count; ++q) all = join_summaries()(all, summary_of_one()(0, outcomes[q]));
    return all;
}
// The same of a span, a vector or an array.
template <class Range>
    requires requires(const Range& all) { static_cast<const loop_outcome*>(all.data()); all.size(); }
constexpr outcome_summary summarize(const Range& all) {
    return summarize(all.data(), all.size());
}

struct summarize_outcomes : reduce_stage {
    static constexpr lazy_name name{"summarize"};
};

// out = the summary of an array of outcomes, as a node: summarize(out(total), in(ends)).
template <class V, class W>
    requires is_fine<decltype(diagnose_summary<V, W>())>
constexpr auto summarize(out_t<V> result, in_t<W>, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return reduce_builder<summarize_outcomes, over_t<W>, summary_of_one, join_summaries, outcome_summary>{{nullptr, file, line, {}}, {}, {}, {}}(result, each_of<in_t<W>>{});
}

}  // namespace cograph::core
