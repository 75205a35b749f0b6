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

template <int Size, class Program, class... P, class Context>
struct host_code<batch_code<Size, Program, P...>, Context> {
    static std::int64_t run(const void* context, const void* const* parameters) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const pack_of<P...> batch(host_parameter<P>(parameters[I])...);
            const problem_stages stages;
            const problem_on_host alone{stages};
            char* const place = static_cast<char*>(held_at<2>(batch));
            static_cast<const Context*>(context)->each(static_cast<index_t>(held_at<0>(batch)), [&](index_t q) { Program::run(alone, batch, q, place); });
        }(std::index_sequence_for<P...>{});
        return 0;
    }
};

}  // namespace cograph::core
