// SPDX-License-Identifier: Apache-2.0

// Compares the planner with brute force on random trees. With libFuzzer the input decides what grows:
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
//       -DCOGRAPH_FUZZ_EXACT -I../../include fuzz_plan.cpp -o fuzz_plan
//   ./fuzz_plan -max_len=4096
// Without it, numbered trees, here a million from number 1, of which every test run tries 400 000:
//   g++ -std=c++20 -O2 -DCOGRAPH_FUZZ_NUMBERS -I../../include fuzz_plan.cpp -o fuzz_plan_numbers
//   ./fuzz_plan_numbers 1 1000000

#include "plan.hpp"

#include <cstdio>
#include <cstdlib>

#ifdef COGRAPH_FUZZ_NUMBERS

int main(int argc, char** argv) {
    const unsigned long long first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    const unsigned long long count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000000;
    unsigned long long rows = 0, edges = 0, widest = 0;
    for (unsigned long long number = first; number < first + count; ++number) {
        const plan_fuzz::tree t = plan_fuzz::random_tree(number);
        const std::string found = plan_fuzz::report(t);
        if (!found.empty()) {
            std::printf("tree %llu: %s\n", number, found.c_str());
            return EXIT_FAILURE;
        }
        const plan_fuzz::planted seeds(t);
        const plan_fuzz::run_time_plan plan(seeds.root());
        rows += plan.count.nodes;
        edges += plan.count.edges;
        for (int r = 0; r < plan.count.regions; ++r)
            if (plan.regions.data()[r].node_count > static_cast<int>(widest))
                widest = plan.regions.data()[r].node_count;
    }
    std::printf("%llu trees agree: %llu rows, %llu edges, at most %llu rows in a region\n", count, rows,
                edges, widest);
}

#else

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    plan_fuzz::dice d(data, size);
    const std::string found = plan_fuzz::report(plan_fuzz::grow_with_forms(d, d));
    if (!found.empty()) {
        std::fprintf(stderr, "%s\n", found.c_str());
        std::abort();
    }
    return 0;
}

#endif
