// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include "../faults/fake_objects.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

// The runtime of tests/faults, which keeps CUDA's rules, and what it has no need of: kernels run. The linker calls __wrap_f in place of f, which is then
// __real_f (--wrap).
namespace emulated {
namespace {

struct known_kernel {
    kernel_call call;
    const char* name;
};
std::map<const void*, known_kernel>& kernels() {  // known before main begins
    static std::map<const void*, known_kernel> all;
    return all;
}
std::map<cudaGraphNode_t, launch> launches;  // by node, as its executable was last told: graphs of these tests have one each
std::set<cudaGraphNode_t> disabled;
std::map<cudaGraphNode_t, unsigned long long> handles;  // of conditional nodes
std::map<unsigned long long, unsigned> decisions;       // by handle

void run_nodes(const CUgraph_st* graph);
void run_conditional(const CUgraphNode_st* node, unsigned const& decision) {
    if (!node->loops) fake_runtime::stop("tests/emulated", "a branch");
    while (decision != 0) run_nodes(node->bodies[0]);
}
void run_nodes(const CUgraph_st* graph) {
    std::vector<CUgraphNode_st*> in_order;  // each was made after those that it waits for
    for (CUgraphNode_st* node = graph->nodes; node; node = node->next) in_order.push_back(node);
    std::reverse(in_order.begin(), in_order.end());
    for (CUgraphNode_st* const node : in_order) {
        if (disabled.contains(node)) continue;
        if (node->type == cudaGraphNodeTypeConditional) {
            run_conditional(node, decisions[handles.at(node)]);
            continue;
        }
        if (node->type != cudaGraphNodeTypeKernel) fake_runtime::stop("tests/emulated", "a node that is no kernel");
        launch& what = launches.at(node);
        what.blocks_of_cluster = std::max(node->cluster, 1u);
        last = {kernels().at(what.kernel).name, what.grid.x, what.block.x, what.blocks_of_cluster};
        run(what);
    }
}

template <class Params>
launch launch_of(const Params& given, const void* kernel, unsigned shared_bytes) {
    launch what{kernel, kernels().at(kernel).call, {}, given.gridDim, given.blockDim, shared_bytes};
    for (std::size_t i = 0; i < what.call.bytes.size(); ++i) {
        const auto* const from = static_cast<const std::byte*>(given.kernelParams[i]);
        what.parameters.emplace_back(from, from + what.call.bytes[i]);
    }
    return what;
}

}  // namespace
}  // namespace emulated

extern "C" {

void __cudaRegisterFunction(void**, const char* function, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*);
cudaError_t __real_cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*, std::size_t,
                                    cudaGraphNodeParams*);
cudaError_t __real_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaKernelNodeParams*);
cudaError_t __real_cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned);
cudaError_t __real_cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t __real_cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);

cudaError_t __wrap_cudaGraphAddNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after, const cudaGraphEdgeData* kinds,
                                    std::size_t count, cudaGraphNodeParams* params) {
    const cudaError_t code = __real_cudaGraphAddNode(to, graph, after, kinds, count, params);
    if (code != cudaSuccess) return code;
    emulated::disabled.erase(*to);
    if (params->type == cudaGraphNodeTypeConditional) emulated::handles.insert_or_assign(*to, params->conditional.handle);
    if (params->type == cudaGraphNodeTypeKernel) emulated::launches.insert_or_assign(*to, emulated::launch_of(params->kernel, params->kernel.func, params->kernel.sharedMemBytes));
    return code;
}
cudaError_t __wrap_cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    const cudaError_t code = __real_cudaGraphExecKernelNodeSetParams(exec, node, params);
    if (code == cudaSuccess) emulated::launches.insert_or_assign(node, emulated::launch_of(*params, params->func, params->sharedMemBytes));
    return code;
}
cudaError_t __wrap_cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
    const cudaError_t code = __real_cudaGraphNodeSetEnabled(exec, node, enabled);
    if (code != cudaSuccess) return code;
    if (enabled)
        emulated::disabled.erase(node);
    else
        emulated::disabled.insert(node);
    return code;
}
cudaError_t __wrap_cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    const cudaError_t code = __real_cudaGraphLaunch(exec, stream);
    if (code == cudaSuccess) emulated::run_nodes(exec->of);
    return code;
}
cudaError_t __wrap_cudaDeviceGetAttribute(int* to, cudaDeviceAttr attribute, int device) {
    const cudaError_t code = __real_cudaDeviceGetAttribute(to, attribute, device);
    if (code == cudaSuccess && attribute == cudaDevAttrMultiProcessorCount) *to = emulated::multiprocessors;
    if (code == cudaSuccess && attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin) *to = emulated::shared_kib * 1024;
    return code;
}

}  // extern "C"

const void* emulated::note_kernel(const void* function, kernel_call call) {
    if (kernels().contains(function)) return function;
    Dl_info found{};
    if (dladdr(function, &found) == 0 || !found.dli_sname) fake_runtime::stop("tests/emulated", "a kernel without a name");
    kernels().emplace(function, known_kernel{std::move(call), found.dli_sname});
    __cudaRegisterFunction(nullptr, static_cast<const char*>(function), nullptr, found.dli_sname, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
    return function;
}
void emulated::decide(unsigned long long handle, unsigned value) { decisions[handle] = value; }
