// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/batch/problem_program.hpp>
#include <cograph/host/host_code.hpp>
#include <cograph/host/serial_context.hpp>

namespace cograph::core {

// On the host a problem runs from its beginning to its end in one thread. The context of the run says in which order they do.
struct problem_stages : serial_context {
    mutable bool overflows = false;  // in a loop with lengths: whether one was beyond its capacity
};
struct problem_on_host {
    problem_stages const& stages;
    problem_stages const& of_stages() const { return stages; }
    void meet() const {}
    bool leads() const { return true; }
};

// The number of a read that a problem may not make, by the parameters of its nodes.
template <class Program>
struct reads_in_problem;
template <class Steps, class... Inner, int... From, class... More>
struct reads_in_problem<problem_program<Steps, list<Inner...>, std::integer_sequence<int, From...>, More...>> {
    static constexpr bool may_be_refused = (sees_elements_around<problem_parameter<Inner>> || ...);

    template <class Batch>
    static std::int64_t number(refused_read const& read, Batch const& batch, index_t q, char* place) {
        typename problem_program<Steps, list<Inner...>, std::integer_sequence<int, From...>, More...>::copies own;
        int position = 0, found = -1;
        ((found = found < 0 && leads<From, Inner>(read, batch, own, q, place) ? position : found, ++position), ...);
        return number_of({found, read.too_far, {read.offset[0], read.offset[1], read.offset[2]}});
    }

private:
    template <int From_, class P, class Batch, class Copies>
    static bool leads([[maybe_unused]] refused_read const& read, [[maybe_unused]] Batch const& batch, [[maybe_unused]] Copies& own, [[maybe_unused]] index_t q, [[maybe_unused]] char* place) {
        if constexpr (sees_elements_around<problem_parameter<P>>)
            return parameter_of_problem<From_, P>(batch, own, q, place).at == read.memory;
        else
            return false;
    }
};

template <int Size, class Program, class... P, class Context>
struct host_code<batch_code<Size, Program, P...>, Context> {
    static std::int64_t run(const void* context, const void* const* parameters) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            const pack_of<P...> batch(host_parameter<P>(parameters[I])...);
            const problem_stages stages;
            const problem_on_host alone{stages};
            char* const place = static_cast<char*>(held_at<2>(batch));
            std::int64_t refused = 0;
            static_cast<const Context*>(context)->each(static_cast<index_t>(held_at<0>(batch)), [&](index_t q) {
                if constexpr (reads_in_problem<Program>::may_be_refused) {
                    try {
                        if (refused == 0) Program::run(alone, batch, q, place);
                    } catch (refused_read const& read) {
                        refused = reads_in_problem<Program>::number(read, batch, q, place);
                    }
                } else {
                    Program::run(alone, batch, q, place);
                }
            });
            return refused;
        }(std::index_sequence_for<P...>{});
    }
};

}  // namespace cograph::core
