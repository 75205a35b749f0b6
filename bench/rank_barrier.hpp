// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>

namespace bench {

// A barrier of ranks that are threads, or processes in whose shared memory it lies.
class rank_barrier {
public:
    explicit rank_barrier(int all) : ranks(all) {}
    void wait() {
        const int now = turn_.load();
        if (waiting_.fetch_add(1) + 1 == ranks) {
            waiting_.store(0);
            turn_.store(now + 1);
            return;
        }
        while (turn_.load() == now) std::this_thread::yield();
    }

    const int ranks;

private:
    std::atomic<int> waiting_{0}, turn_{0};
};

}  // namespace bench
