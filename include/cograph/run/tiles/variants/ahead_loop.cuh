// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/run_step.cuh>
#include <cograph/run/tiles/tile_group.cuh>

namespace cograph::core {

// The reductions of the group of a loop's body that has some.
template <class... Step>
struct reductions_of_body;
template <class Step, class... More>
struct reductions_of_body<Step, More...> : reductions_of_body<More...> {};
template <class... Step, class... More>
    requires((Step::stage::traits.reduces || ...))
struct reductions_of_body<fused_steps<Step...>, More...> {
    using type = typename tile_group<Step...>::reductions;
};
template <class... Inner, class... More>
struct reductions_of_body<steps<Inner...>, More...> : reductions_of_body<Inner..., More...> {};

// A loop whose predicate needs the result of a reduction in its body. Blocks do not wait for it: each runs the next iteration meanwhile. If the loop had
// ended before that one, it takes back what the iteration has changed.
template <class Loop>
struct ahead_loop;
template <class Rule, int First, int Count, barrier Before, barrier Again, class Body>
struct ahead_loop<control_step<Rule, First, Count, Before, Again, Body>> {
    using reductions = typename reductions_of_body<Body>::type;

    template <class Pack, class Tiles, class Scalars>
    __device__ static void run(auto const& context, pack_with_tiles<Pack, Tiles> const& with, Scalars& scalars) {
        constexpr auto numbers = std::make_integer_sequence<int, Count - 1>{};
        constexpr int count = sizeof(Pack::place) / sizeof(int) - 1;
        using parameters = std::make_integer_sequence<int, count>;
        index_t iteration = 0;
        unsigned answer = Rule::kind == spec_kind::do_while ? 1u : ask(iteration, with, numbers);
        if (answer == 1) {
            run_step<Body>::run(context, with);
            kept_counts<count> counts;
            for (;;) {
                iteration += Rule::every;
                const Scalars at_end = scalars;
                counts.save(with.pack, parameters{});
                with.tiles.save();
                run_step<Body>::run(context, with);
                const Scalars later = scalars;
                const auto result = reductions::result(with.pack);
                scalars = at_end;
                reductions::result(with.pack) = result;
                if (!with.tiles.sum.earlier_is_told()) reductions::join_earlier(context, with.pack, with.tiles);
                answer = ask(iteration, with, numbers);
                if (answer != 1) break;
                scalars = later;
            }
            counts.restore(with.pack, parameters{});
            with.tiles.restore();
        }
        parameter<First>(with).add(iteration, answer);
    }

private:
    template <class Pack, int... I>
    __device__ static unsigned ask(index_t iteration, Pack const& pack, std::integer_sequence<int, I...>) {
        return Rule::asks::of(iteration, parameter<First + 1 + I>(pack)...);
    }
    // What inner loops have counted.
    template <int Parameters>
    struct kept_counts {
        index_t iterations[Parameters], entries[Parameters];
        unsigned answers[Parameters];

        template <class Pack, int... I>
        __device__ void save(Pack const& pack, std::integer_sequence<int, I...>) {
            (save_one(I, parameter<I>(pack)), ...);
        }
        template <class Pack, int... I>
        __device__ void restore(Pack const& pack, std::integer_sequence<int, I...>) const {
            (restore_one(I, parameter<I>(pack)), ...);
        }

    private:
        template <class P>
        __device__ void save_one(int, P const&) {}
        __device__ void save_one(int i, loop_count const& count) {
            iterations[i] = count.iterations;
            entries[i] = count.entries;
            answers[i] = count.answer;
        }
        template <class P>
        __device__ void restore_one(int, P const&) const {}
        __device__ void restore_one(int i, loop_count const& count) const {
            count.iterations = iterations[i];
            count.entries = entries[i];
            count.answer = answers[i];
        }
    };
};

}  // namespace cograph::core
