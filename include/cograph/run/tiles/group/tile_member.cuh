// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/group/group_member.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

// One node of a group over the elements of a tile: its results may come by words of all threads, or in the order of a box.
template <class Step, int J, bool Reduces = Step::stage::traits.reduces>
struct tile_member : group_member<Step, J> {
    template <class Pack, class Join>
    __device__ static bool join_words(Pack const&, no_sum, Join const&) {
        return false;
    }
    template <class Pack, class Meeting>
    __device__ static void leave_in_order(Pack const&, Meeting const&, no_sum) {}
    template <class Pack, class Meeting>
    __device__ static void bring_in_order(Pack const&, Meeting const&) {}
    template <class Pack, class Meeting>
    __device__ static void meet_in_order(Pack const&, Meeting const&) {}
    template <class Pack>
    __device__ static void finish_in_order(Pack const&) {}
};
template <class Step, int J>
struct tile_member<Step, J, true> : group_member<Step, J> {
    using base = group_member<Step, J>;
    using base::term_at, base::start, base::operation;
    template <class Pack>
    using word = typename base::template word<Pack>;
    template <class Pack>
    using operation_of = decltype(unwrap(parameter<term_at + 1>(std::declval<Pack const&>())));

    // A group's only reduction, whose values Join combines as words of all threads; true if that gives the result.
    template <class Pack, class T, class Join>
    __device__ static bool join_words(Pack const& pack, T sum, Join const& join) {
        using how = std::integral_constant<word_join, word<Pack>::how>;
        if constexpr (how::value == word_join::sum)
            if (start(pack) != 0) return false;
        if constexpr (how::value == word_join::none)
            return false;
        else
            return word<Pack>::tells(join(how{}, word<Pack>::of(sum)), *parameter<term_at + 4>(pack).at);
    }

    // In a kernel with tiles that follow the order of a box.
    template <class Pack, class Meeting, class Sums>
    __device__ static void leave_in_order(Pack const& pack, Meeting const& meeting, Sums const& sums) {
        meeting.template leave_in_order<J>(sums.half[0], sums.half[1], operation(pack));
    }
    template <class Pack, class Meeting, class Sums>
    __device__ static void leave_two_in_order(Pack const& pack, Meeting const& meeting, Sums const& sums, Sums const& of_next) {
        decltype(start(pack)) upper[] = {sums.half[0], of_next.half[0]}, lower[] = {sums.half[1], of_next.half[1]};
        meeting.template leave_two_in_order<J>(upper, lower, operation(pack));
    }
    template <class Pack, class Meeting>
    __device__ static void bring_in_order(Pack const& pack, Meeting const& meeting) {
        meeting.template bring_in_order<J>(start(pack), operation(pack));
    }
    template <class Pack, class Meeting>
    __device__ static void meet_in_order(Pack const& pack, Meeting const& meeting) {
        meeting.template meet_in_order<J, decltype(start(pack))>(operation(pack));
    }
    template <class Pack>
    __device__ static void finish_in_order(Pack const& pack) {
        *parameter<term_at + 4>(pack).at = *results_of_tile<J, decltype(start(pack))>();
    }
};

}  // namespace cograph::core
