// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hunt.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#ifdef __CUDACC__
#include <cograph.cuh>
#endif

namespace random_programs {

constexpr const char* usage = R"(A longer hunt than the test's, of a failure that comes now and then:
  --passes N    over all programs (default 1)
  --threads N   that do so at once (default 1)
  --launches N  more of each graph, whose results are not looked at (default 0)
  --overlap     lets graphs with conditional nodes run at once
  --only N      runs program number N alone
)";

// Runs them all and says how it went; the exit code.
template <class Run>
int report(int argument_count, char** arguments, int programs, Run run) {
    int passes = 1, threads = 1;
    for (int i = 1; i < argument_count; ++i) {
        const std::string option = arguments[i];
        int* const to = option == "--passes" ? &passes : option == "--threads" ? &threads : option == "--launches" ? &more_launches : option == "--only" ? &only : nullptr;
        const bool has_number = to && i + 1 < argument_count;
        if (has_number) *to = std::atoi(arguments[++i]);
#ifdef __CUDACC__
        if (option == "--overlap") cograph::allow_concurrent_graphs(true);
#endif
        if (!has_number && option != "--overlap") {
            std::printf("%s", usage);
            return 2;
        }
    }
#ifdef __CUDACC__
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("no GPU: GPU tests skipped\n");
        return 0;
    }
#endif
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a hunt that is ended from outside has told what it knows
    std::atomic<int> wrong = 0, passed = 0;
    const auto work = [&] {
        for (int pass = 0; pass < passes && wrong == 0; ++pass) {
            wrong += run();
            if (passes * threads > 1) std::printf("passes over all programs so far: %d\n", ++passed);
        }
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    std::printf("%d random programs, %d ways went wrong; %d were batches, %d with unequal parts; %d had phases\n", programs, wrong.load(), batches.load(), unequal_batches.load(), with_phases.load());
    if (only < 0 && std::min<int>(batches, unequal_batches) < (programs + programs_a_batch / 2) / programs_a_batch) {  // rounded: none of one, one of eight
        std::printf("too few were batches: fewer than one of %d\n", programs_a_batch);
        return 1;
    }
    if (only < 0 && with_phases < programs / programs_with_phases) {
        std::printf("too few had phases: fewer than one of %d\n", programs_with_phases);
        return 1;
    }
    return wrong != 0;
}

}  // namespace random_programs
