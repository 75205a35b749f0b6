// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../catch.hpp"
#include "allocations.hpp"
#include "fake_runtime.hpp"

#include <cograph.cuh>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

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
    return is_one_of(call, {"cudaFree", "cudaFreeAsync", "cudaFreeHost", "cudaGraphDestroy", "cudaGraphExecDestroy", "cudaStreamDestroy", "cudaEventDestroy", "cudaEventQuery", "cudaEventSynchronize", "cudaUserObjectRelease", "cudaGraphReleaseUserObject", "cudaGraphDestroyNode", "cudaThreadExchangeStreamCaptureMode", "cudaLogsCurrent", "cudaLogsDumpToMemory"});
}
// Calls that are made once more where they fail; nobody need hear of it where that goes well.
inline bool is_made_again(const std::string& call) { return call == "cudaGraphExecKernelNodeSetParams"; }
// Calls that are made for a node, whose errors name it and its line; for_all: what errors name where such a call is for no node alone.
struct call_for_a_node {
    const char* name;
    std::array<const char*, 4> for_all = {};
};
inline constexpr call_for_a_node calls_for_a_node[] = {
    {"cudaGraphAddNode", {"update", "run_on"}}, {"cudaGraphAddKernelNode"}, {"cudaGraphConditionalHandleCreate"}, {"cudaGraphKernelNodeSetAttribute"}, {"cudaGraphKernelNodeSetParams"},
    {"cudaGraphNodeSetEnabled", {"update"}}, {"cudaGraphExecKernelNodeSetParams", {"update"}}, {"cudaGraphExecChildGraphNodeSetParams"},
    {"cudaStreamCreateWithFlags"}, {"cudaStreamBeginCapture"}, {"cudaStreamEndCapture"}, {"cudaGraphGetNodes"}, {"cudaGraphNodeGetType"},
    {"cudaGraphChildGraphNodeGetGraph"}, {"cudaGraphMemcpyNodeGetParams"}, {"cudaMemcpy3DAsync"}, {"cudaUserObjectCreate", {"launch", "run_on", "add_to", "call"}}, {"cudaGraphRetainUserObject", {"launch", "run_on", "add_to", "call"}}, {"cudaLaunchHostFunc"},
    {"cudaEventRecord", {"launch", "update"}}, {"cudaStreamWaitEvent", {"launch", "update", "loops"}}, {"cudaLaunchKernelExC"}, {"cudaFuncSetAttribute"}, {"cudaFuncGetAttributes"},
    {"cudaLaunchKernel"}, {"cudaOccupancyMaxActiveBlocksPerMultiprocessor"}};

// Calls that an update makes for a captured call: where one fails, it makes a new graph instead, and nobody hears of the first.
inline bool is_of_a_capture(const std::string& call) {
    return is_one_of(call, {"cudaStreamCreateWithFlags", "cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphGetNodes", "cudaGraphNodeGetType",
                            "cudaGraphExecChildGraphNodeSetParams"});
}

// How often this thread has made a call since fake_runtime::expect().
inline int count_of(const char* name) {
    int count = 0;
    for (int i = 0; i < fake_runtime::calls(); ++i) count += std::string(fake_runtime::name_of_call(i)) == name;
    return count;
}

// All of them.
inline std::vector<std::string> names_of_calls() {
    std::vector<std::string> names;
    for (int i = 0; i < fake_runtime::calls(); ++i) names.push_back(fake_runtime::name_of_call(i));
    return names;
}

inline bool holds(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
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
    return names_of_calls();
}

// A failure must be told, unless nobody could do anything about it.
inline void check_told(const outcome& seen, const std::string& call, fake_runtime::failure which) {
    if (!seen.threw) {
        CHECK(is_silent(call));
        return;
    }
    CHECK(seen.code == which.code);
    if (which.after_all && is_silent(call)) return;  // the words are of a later call
    const std::string named = call == "<<<>>>" ? "cudaLaunchKernel" : call;
    CHECK(seen.words.find(named + " failed: ") != std::string::npos);
}

// And with the node that the call was made for.
inline void check_told_with_node(const outcome& seen, const std::string& call, fake_runtime::failure which) {
    check_told(seen, call, which);
    for (const call_for_a_node& one : calls_for_a_node) {
        if (!seen.threw || call != one.name) continue;
        bool is_for_all = false;
        for (const char* const what : one.for_all) is_for_all |= what && seen.node == what;
        CHECK((is_for_all || (seen.line > 0 && !seen.node.empty())));
    }
}

// How often calls and allocations were made to fail, told when the program ends.
struct tally {
    long calls = 0, allocations = 0;
    ~tally() { std::printf("%ld times a call failed, %ld times an allocation\n", calls, allocations); }
};
inline tally failed_so_far;

// Work that makes all it needs and destroys it. Objects that were alive before stay so. A failure leaves nothing behind; how it must
// show is up to a check. The work is done again behind each failure, and then makes the same calls as ever.
template <class Work, class Check>
std::vector<std::string> fail_every_call(const Work& work, const Check& check) {
    const fake_runtime::live_objects before = fake_runtime::live();
    const std::vector<std::string> names = calls_of(work);
    CHECK(fake_runtime::live() == before);
    for (const bool after_all : {false, true}) {
        for (const cudaError_t code : codes) {
            for (int i = 0; i < static_cast<int>(names.size()); ++i) {
                const std::string& call = names[static_cast<std::size_t>(i)];
                const fake_runtime::failure which{i, code, after_all, is_made_again(call)};
                const outcome seen = attempt(work, which);
                ++failed_so_far.calls;
                INFO("call " << i << ", " << call << (after_all ? " and all behind it" : "") << ": code " << static_cast<int>(code) << ", " << seen.words);
                CHECK(seen.allocated == 0);
                CHECK((seen.objects == before));
                CHECK((seen.left_behind == cudaSuccess || after_all || is_silent(call)));
                check(seen, call, which);
                CHECK((calls_of(work) == names));
            }
        }
    }
    return names;
}
template <class Work>
std::vector<std::string> fail_every_call(const Work& work) {
    return fail_every_call(work, check_told_with_node);
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
