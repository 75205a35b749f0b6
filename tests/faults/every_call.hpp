// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../catch.hpp"
#include "allocations.hpp"
#include "fake_runtime.hpp"

#include <cograph.cuh>

#include <cstdio>
#include <cstring>
#include <new>
#include <string>

// A piece of work, done again and again, each time with another call failing.
namespace every_call {

// The codes that calls fail with: of the host, of the device, of a lost context, of another driver.
inline constexpr cudaError_t codes[] = {cudaErrorMemoryAllocation, cudaErrorInvalidValue,          cudaErrorLaunchOutOfResources,
                                        cudaErrorIllegalAddress,   cudaErrorCallRequiresNewerDriver, cudaErrorUnknown};

inline bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
    for (const char* const one : names)
        if (name == one) return true;
    return false;
}
// Calls that nobody hears of when they fail: a destructor's, and those that ask why another failed.
inline bool is_silent(const std::string& call) {
    return is_one_of(call, {"cudaFree", "cudaFreeAsync", "cudaGraphDestroy", "cudaGraphExecDestroy", "cudaStreamDestroy", "cudaEventDestroy", "cudaEventQuery", "cudaUserObjectRelease", "cudaLogsCurrent", "cudaLogsDumpToMemory"});
}
// Calls that are made for a node, and whose errors name it.
inline bool is_for_a_node(const std::string& call) {
    return is_one_of(call, {"cudaGraphAddNode", "cudaGraphAddKernelNode", "cudaGraphConditionalHandleCreate", "cudaGraphKernelNodeSetAttribute", "cudaGraphNodeSetEnabled",
                            "cudaStreamCreate", "cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphGetNodes", "cudaGraphNodeGetType",
                            "cudaMemcpy3DAsync", "cudaUserObjectCreate", "cudaGraphRetainUserObject", "cudaLaunchHostFunc", "cudaEventRecord", "cudaStreamWaitEvent",
                            "cudaLaunchKernelExC", "cudaFuncSetAttribute", "cudaFuncGetAttributes", "cudaLaunchKernel", "cudaOccupancyMaxActiveBlocksPerMultiprocessor"});
}

// How often this thread has made a call since fake_runtime::expect().
inline int count_of(const char* name) {
    int count = 0;
    for (int i = 0; i < fake_runtime::calls(); ++i) count += std::string(fake_runtime::name_of_call(i)) == name;
    return count;
}

// What a run is refused with; nothing when it is not.
template <class Run>
std::string words_of(const Run& run) {
    try {
        run();
    } catch (const cograph::error& e) {
        return e.what();
    }
    return "";
}

struct outcome {
    bool threw = false, is_bad_alloc = false;
    cudaError_t code = cudaSuccess;
    std::string words, node;
    unsigned line = 0;
    cudaError_t left_behind = cudaSuccess;  // for the next call of cudaGetLastError
    long allocated = 0;                     // and not freed
    fake_runtime::live_objects objects;
};

// Runs the work; what is alive behind it is counted before anything else is allocated.
template <class Work>
outcome attempt(const Work& work, fake_runtime::failure which, int failing_allocation = -1) {
    outcome seen;
    cudaGetLastError();
    const long before = allocations::live();
    fake_runtime::expect(which);
    allocations::expect(failing_allocation);
    char words[1200] = "", node[200] = "";
    try {
        work();
    } catch (const cograph::error& e) {
        seen.threw = true;
        if (const auto* of_cuda = dynamic_cast<const cograph::cuda_error*>(&e)) seen.code = of_cuda->code();
        seen.line = e.where().line;
        std::snprintf(words, sizeof words, "%s", e.what());
        std::snprintf(node, sizeof node, "%.*s", static_cast<int>(e.where().name.size), e.where().name.data);
    } catch (const std::bad_alloc&) {
        seen.threw = seen.is_bad_alloc = true;
    }
    allocations::expect();
    seen.allocated = allocations::live() - before;
    seen.left_behind = cudaGetLastError();
    seen.objects = fake_runtime::live();
    seen.words = words;
    seen.node = node;
    return seen;
}

// The names of the calls that the work makes; none of them fails.
template <class Work>
std::vector<std::string> calls_of(const Work& work) {
    const outcome seen = attempt(work, {});
    INFO(seen.words);
    REQUIRE(!seen.threw);
    REQUIRE(seen.allocated == 0);
    REQUIRE(seen.left_behind == cudaSuccess);
    std::vector<std::string> names;
    for (int i = 0; i < fake_runtime::calls(); ++i) names.push_back(fake_runtime::name_of_call(i));
    return names;
}

// Whether the call that failed, which may be made for a node, was made for all of them.
inline bool is_for_all_nodes(const outcome& seen) { return is_one_of(seen.node, {"update", "instantiate", "launch"}); }

// A failure must be told, unless nobody could do anything about it, and must leave nothing behind.
inline void check_failure(const outcome& seen, const std::string& call, fake_runtime::failure which, bool names_nodes) {
    CHECK(seen.allocated == 0);
    if (!seen.threw) {
        CHECK(is_silent(call));
        return;
    }
    CHECK(seen.code == which.code);
    if (which.all_behind && is_silent(call)) return;  // the words are of a later call
    const std::string named = call == "<<<>>>" ? "cudaLaunchKernel" : call;
    CHECK(seen.words.find(named + " failed: ") != std::string::npos);
    CHECK(seen.left_behind == (which.all_behind ? seen.left_behind : cudaSuccess));
    CHECK((!names_nodes || !is_for_a_node(call) || is_for_all_nodes(seen) || (seen.line > 0 && !seen.node.empty())));
}

// How often calls and allocations were made to fail, told when the program ends.
struct tally {
    long calls = 0, allocations = 0;
    ~tally() { std::printf("%ld times a call failed, %ld times an allocation\n", calls, allocations); }
};
inline tally failed_so_far;

// Work that makes all it needs and destroys it. Objects that were alive before stay so.
template <class Work>
std::vector<std::string> fail_every_call(const Work& work, bool names_nodes = true) {
    const fake_runtime::live_objects before = fake_runtime::live();
    const std::vector<std::string> names = calls_of(work);
    CHECK(fake_runtime::live() == before);
    for (const bool all_behind : {false, true}) {
        for (const cudaError_t code : codes) {
            for (int i = 0; i < static_cast<int>(names.size()); ++i) {
                const fake_runtime::failure which{i, code, all_behind};
                const outcome seen = attempt(work, which);
                ++failed_so_far.calls;
                INFO("call " << i << ", " << names[static_cast<std::size_t>(i)] << (all_behind ? " and all behind it" : "") << ": code "
                             << static_cast<int>(code) << ", " << seen.words);
                check_failure(seen, names[static_cast<std::size_t>(i)], which, names_nodes);
                CHECK((seen.objects == before));
            }
            CHECK((calls_of(work) == names));
        }
    }
    return names;
}

template <class Work>
void fail_every_allocation(const Work& work) {
    const fake_runtime::live_objects before = fake_runtime::live();
    calls_of(work);
    attempt(work, {});
    const outcome clean = attempt(work, {});
    REQUIRE(!clean.threw);
    int failed = 0;
    for (;; ++failed) {
        const outcome seen = attempt(work, {}, failed);
        if (!seen.threw) break;
        ++failed_so_far.allocations;
        INFO("allocation " << failed);
        CHECK(seen.is_bad_alloc);
        CHECK(seen.allocated == 0);
        CHECK((seen.objects == before));
        CHECK(!attempt(work, {}).threw);
    }
    CHECK(failed > 0);
}

}  // namespace every_call
