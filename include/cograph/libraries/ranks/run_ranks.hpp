// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/libraries/ranks/host_world.hpp>

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace cograph::nccl {

// Calls f(communicator) on one thread for each rank, and waits for them. Throws the exception of the first rank that failed.
template <class F>
void run_ranks(int ranks, F f) {
    core::host_world world(ranks);
    std::exception_ptr first;
    std::mutex guard;
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            const auto fail = [&](const char* what) {
                {
                    const std::lock_guard lock(guard);
                    if (!first) first = std::current_exception();
                }
                world.end(rank, what);
            };
            try {
                f(world.of_rank(rank));
                world.end(rank);
            } catch (const std::exception& problem) {
                fail(problem.what());
            } catch (...) {
                fail("something that is no std::exception");
            }
        });
    for (std::thread& thread : threads) thread.join();
    if (first) std::rethrow_exception(first);
}

}  // namespace cograph::nccl
