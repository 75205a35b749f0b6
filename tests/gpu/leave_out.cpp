// SPDX-License-Identifier: Apache-2.0
#include "leave_out.hpp"

#include "../catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

bool is_on(const char* variable) {
    const char* const value = std::getenv(variable);
    return value && std::strcmp(value, "1") == 0;
}
bool without_conditionals() {
    static const bool on = is_on("COGRAPH_TESTS_WITHOUT_CONDITIONALS");
    return on;
}

bool has_conditionals(cudaGraph_t graph) {
    std::size_t count = 0;
    if (cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess) std::abort();
    std::vector<cudaGraphNode_t> nodes(count);
    if (count > 0 && cudaGraphGetNodes(graph, nodes.data(), &count) != cudaSuccess) std::abort();
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type{};
        if (cudaGraphNodeGetType(node, &type) != cudaSuccess) std::abort();
        if (type == cudaGraphNodeTypeConditional) return true;
        cudaGraph_t child = nullptr;
        if (type != cudaGraphNodeTypeGraph) continue;
        if (cudaGraphChildGraphNodeGetGraph(node, &child) != cudaSuccess) std::abort();
        if (has_conditionals(child)) return true;
    }
    return false;
}

// Executables that hold conditional nodes; a handle may be used again.
std::set<cudaGraphExec_t>& with_conditionals() {
    static std::set<cudaGraphExec_t> all;
    return all;
}
cudaError_t note(cudaError_t made, const cudaGraphExec_t* exec, cudaGraph_t graph) {
    if (made != cudaSuccess || !without_conditionals()) return made;
    with_conditionals().erase(*exec);
    if (has_conditionals(graph)) with_conditionals().insert(*exec);
    return made;
}

void tell(const char* what) {
    const std::string test(Catch::getResultCapture().getCurrentTestName());
    std::printf("left out %s: %s\n", what, test.c_str());
    std::fflush(stdout);
}
// Ends the test as a failed REQUIRE does, without a failure.
[[noreturn]] void end_test(const char* why) {
    tell(why);
    throw Catch::TestFailureException();
}
void end_test_at(cudaGraphExec_t exec, cudaStream_t stream) {
    if (with_conditionals().count(exec) == 0) return;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess && status != cudaStreamCaptureStatusNone)
        return;  // refused anyway
    end_test("from a launch of conditional nodes on");
}

}  // namespace

bool leave_out::under_tool() {
    static const bool on = is_on("COGRAPH_TESTS_UNDER_TOOL");
    return on;
}
bool leave_out::launch_of(cudaGraph_t graph) {
    if (!without_conditionals() || !has_conditionals(graph)) return false;
    tell("a launch of conditional nodes");
    return true;
}

// The linker sends the calls of the library and of the tests here (--wrap), and those to __real_ to CUDA.
// NOLINTBEGIN(clang-diagnostic-reserved-identifier)
extern "C" {
cudaError_t __real_cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags);
cudaError_t __real_cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 unsigned long long flags);
cudaError_t __real_cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams* params);
cudaError_t __real_cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t __real_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t __real_cudaMemGetInfo(std::size_t* free, std::size_t* all);

cudaError_t __wrap_cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return note(__real_cudaGraphInstantiate(exec, graph, flags), exec, graph);
}
cudaError_t __wrap_cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                 unsigned long long flags) {
    return note(__real_cudaGraphInstantiateWithFlags(exec, graph, flags), exec, graph);
}
cudaError_t __wrap_cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                                  cudaGraphInstantiateParams* params) {
    return note(__real_cudaGraphInstantiateWithParams(exec, graph, params), exec, graph);
}
cudaError_t __wrap_cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    end_test_at(exec, stream);
    return __real_cudaGraphUpload(exec, stream);
}
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    end_test_at(exec, stream);
    return __real_cudaGraphLaunch(exec, stream);
}
cudaError_t __wrap_cudaMemGetInfo(std::size_t* free, std::size_t* all) {
    if (leave_out::under_tool()) end_test("from a look at free memory on");
    return __real_cudaMemGetInfo(free, all);
}
}
// NOLINTEND(clang-diagnostic-reserved-identifier)
