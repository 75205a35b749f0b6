// SPDX-License-Identifier: Apache-2.0
#include "fake_objects.hpp"

#include <algorithm>
#include <cstring>

using namespace fake_runtime;

unsigned long long fake_runtime::first_parameter(cudaGraphNode_t node) { return node->first_parameter; }
unsigned long long fake_runtime::first_parameter_in_graph(cudaGraphNode_t node) { return node->first_parameter_in_graph; }
std::size_t fake_runtime::nodes_in(cudaGraph_t graph) {
    expect_alive(graph, __func__);
    std::size_t found = 0;
    for (const CUgraphNode_st* node = graph->nodes; node; node = node->next) ++found;
    return found;
}
cudaGraph_t fake_runtime::graph_of(cudaGraphExec_t exec) { return exec->of; }
fake_runtime::launched_shape fake_runtime::shape_of(cudaGraphNode_t node) { return node->shape; }
const void* fake_runtime::kernel_of(cudaGraphNode_t node) { return node->kernel; }
int fake_runtime::executables_with_priorities() { return with_priorities; }

#define ENTER() \
    if (const cudaError_t refused = enter(__func__); refused != cudaSuccess) return refused

namespace {

CUgraph_st* make_graph(CUgraph_st* root) {
    CUgraph_st* const graph = make<CUgraph_st>();
    graph->root = root ? root : graph;
    return graph;
}

void drop(CUuserObject_st* object, const char* call) {
    expect_alive(object, call);
    if (--object->references > 0) return;
    object->destroy(object->object);
    unmake(object, call);
    add(fake_runtime::count.user_objects, -1);
}
void retain(retained_object*& list, CUuserObject_st* object) {
    retained_object* const entry = make<retained_object>();
    entry->object = object;
    entry->next = list;
    list = entry;
}
void drop_all(retained_object* list, const char* call) {
    while (list) {
        retained_object* const next = list->next;
        drop(list->object, call);
        unmake(list, call);
        list = next;
    }
}

void unmake_graph(CUgraph_st* graph, const char* call);
void unmake_node(CUgraphNode_st* node, const char* call) {
    for (unsigned body = 0; body < node->body_count; ++body) unmake_graph(node->bodies[body], call);
    std::free(node->bodies);
    std::free(node->after);
    if (node->child) unmake_graph(node->child, call);
    unmake(node, call);
}
void unmake_graph(CUgraph_st* graph, const char* call) {
    for (CUgraphNode_st* node = graph->nodes; node;) {
        CUgraphNode_st* const next = node->next;
        unmake_node(node, call);
        node = next;
    }
    for (conditional_handle* handle = graph->handles; handle;) {
        conditional_handle* const next = handle->next;
        unmake(handle, call);
        handle = next;
    }
    for (CUgraphExec_st* exec = graph->executables; exec; exec = exec->next) exec->of = nullptr;
    drop_all(graph->retained, call);
    unmake(graph, call);
}

// Whether a node does something whenever its graph runs.
bool always_works(const CUgraphNode_st* node) {
    return node->type != cudaGraphNodeTypeConditional && !(node->child && !node->child->nodes);
}
// Marks as followed those in front of a node, with at most conditional nodes between, that always work; whether there are any.
bool follows_work(const CUgraphNode_st* node) {
    bool any = false;
    for (std::size_t i = 0; i < node->after_count; ++i) {
        CUgraphNode_st* const before = node->after[i];
        if (always_works(before)) before->followed = true;
        any |= always_works(before) || follows_work(before);
    }
    return any;
}
bool is_behind_a_conditional(const CUgraphNode_st* node) {
    for (std::size_t i = 0; i < node->after_count; ++i)
        if (node->after[i]->type == cudaGraphNodeTypeConditional) return true;
    return false;
}
// Launches fail now and then of graphs with a loop in whose body a kernel may follow itself: no other one need run before or behind
// it. Loops may hang in which conditional nodes run side by side: in a region each but the first is right behind another.
bool is_safe(const CUgraph_st* graph, bool in_body = false, bool in_loop = false) {
    int first_conditionals = 0;
    for (CUgraphNode_st* node = graph->nodes; node; node = node->next) {
        node->follows = follows_work(node);
        first_conditionals += node->type == cudaGraphNodeTypeConditional && !is_behind_a_conditional(node);
        for (unsigned body = 0; body < node->body_count; ++body)
            if (!is_safe(node->bodies[body], node->loops, in_loop || node->loops)) return false;
    }
    for (const CUgraphNode_st* node = graph->nodes; in_body && node; node = node->next)
        if (always_works(node) && !node->follows && !node->followed) return false;
    return !in_loop || first_conditionals <= 1;
}

CUgraphNode_st* add_node(CUgraph_st* graph, cudaGraphNodeType type) {
    CUgraphNode_st* const node = make<CUgraphNode_st>();
    node->graph = graph;
    node->type = type;
    node->next = graph->nodes;
    graph->nodes = node;
    return node;
}

cudaError_t add_kernel(CUgraphNode_st** to, CUgraph_st* graph, const cudaKernelNodeParamsV2& params) {
    if (!is_kernel(params.func)) return cudaErrorInvalidDeviceFunction;
    if (!fits_a_launch(params.func, params.gridDim, params.blockDim)) return cudaErrorInvalidValue;
    *to = add_node(graph, cudaGraphNodeTypeKernel);
    (*to)->kernel = params.func;
    (*to)->shape = {params.gridDim.x, params.blockDim.x};
    return cudaSuccess;
}

cudaError_t add_conditional(CUgraphNode_st** to, CUgraph_st* graph, cudaConditionalNodeParams& params, const char* call) {
    conditional_handle* const handle = reinterpret_cast<conditional_handle*>(params.handle);  // NOLINT(performance-no-int-to-ptr)
    expect_alive(handle, call);
    if (handle->graph != graph->root || handle->used) return cudaErrorInvalidValue;
    const unsigned most = params.type == cudaGraphCondTypeWhile ? 1 : params.type == cudaGraphCondTypeIf ? 2 : ~0u;
    if (params.size < 1 || params.size > most) return cudaErrorInvalidValue;
    handle->used = true;
    graph->root->has_conditionals = true;
    *to = add_node(graph, cudaGraphNodeTypeConditional);
    (*to)->loops = params.type == cudaGraphCondTypeWhile;
    (*to)->body_count = params.size;
    (*to)->bodies = static_cast<CUgraph_st**>(std::calloc(params.size, sizeof(CUgraph_st*)));
    for (unsigned body = 0; body < params.size; ++body) {
        (*to)->bodies[body] = make_graph(graph->root);
        (*to)->bodies[body]->in_body = true;
    }
    params.phGraph_out = (*to)->bodies;
    return cudaSuccess;
}

// A child graph is a copy.
CUgraph_st* copy_graph(const CUgraph_st* from, CUgraph_st* root) {
    CUgraph_st* const graph = make_graph(root);
    for (const CUgraphNode_st* node = from->nodes; node; node = node->next) {
        if (node->memory) stop(__func__, "a graph that allocates memory is copied");
        CUgraphNode_st* const copy = add_node(graph, node->type);
        copy->kernel = node->kernel;
        copy->copied_to = node->copied_to;
        copy->copied_from = node->copied_from;
        copy->host = node->host;
        copy->host_data = node->host_data;
        if (node->child) copy->child = copy_graph(node->child, root);
    }
    return graph;
}
cudaError_t add_child(CUgraphNode_st** to, CUgraph_st* graph, CUgraph_st* child, bool moves, const char* call) {
    expect_alive(child, call);
    if (child->has_conditionals || (child->allocates && !moves)) return cudaErrorNotSupported;
    if (moves && (child->root != child || child->executables || graph->in_body)) return cudaErrorInvalidValue;
    *to = add_node(graph, cudaGraphNodeTypeGraph);
    if (moves) {
        graph->root->allocates = graph->root->allocates || child->allocates;
        child->root = graph->root;
        add(fake_runtime::count.graphs, -1);
    }
    (*to)->child = moves ? child : copy_graph(child, graph->root);
    return cudaSuccess;
}

bool is_moved(const cudaChildGraphNodeParams& params) {
#if CUDART_VERSION >= 12090
    return params.ownership == cudaGraphChildGraphOwnershipMove;
#else
    return params.graph && false;
#endif
}

}  // namespace

void fake_runtime::capture_kernel(CUgraph_st* to, const void* function) { add_node(to, cudaGraphNodeTypeKernel)->kernel = function; }
void fake_runtime::capture_node(CUgraph_st* to, cudaGraphNodeType type, void* copied_to, void* copied_from) {
    CUgraphNode_st* const node = add_node(to, type);
    node->copied_to = copied_to;
    node->copied_from = copied_from;
}
void fake_runtime::capture_host_function(CUgraph_st* to, cudaHostFn_t function, void* data) {
    CUgraphNode_st* const node = add_node(to, cudaGraphNodeTypeHost);
    node->host = function;
    node->host_data = data;
}
void fake_runtime::capture_memory(CUgraph_st* to, cudaGraphNodeType type, void* memory) {
    add_node(to, type)->memory = memory;
    to->root->allocates = true;
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    ENTER();
    expect_alive(stream, __func__);
    if (stream->captured) return answer(cudaErrorIllegalState);
    stream->captured = make_graph(nullptr);
    stream->invalid = false;
    stream->strict = mode != cudaStreamCaptureModeRelaxed;
    stream->for_all = mode == cudaStreamCaptureModeGlobal;
    if (stream->for_all) add(global_captures, 1);
    capturing = stream;
    add(fake_runtime::count.captures, 1);
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* to) {
    *to = nullptr;
    expect_alive(stream, __func__);
    cudaError_t refused = enter(__func__);
    if (!stream->captured) return answer(cudaErrorIllegalState);
    if (refused == cudaSuccess && stream->invalid) refused = answer(cudaErrorStreamCaptureInvalidated);
    CUgraph_st* const graph = stream->captured;
    stream->captured = nullptr;
    if (stream->for_all) add(global_captures, -1);
    if (capturing == stream) capturing = nullptr;
    add(fake_runtime::count.captures, -1);
    if (refused != cudaSuccess) {  // a capture that became invalid ends without a graph
        unmake_graph(graph, __func__);
        return refused;
    }
    *to = graph;
    add(fake_runtime::count.graphs, 1);
    return cudaSuccess;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long*, cudaGraph_t* graph, const cudaGraphNode_t** after,
                                     const cudaGraphEdgeData**, std::size_t* count) {
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long*, cudaGraph_t* graph, const cudaGraphNode_t** after,
                                        std::size_t* count) {
#endif
    ENTER();
    *graph = captured_by(stream);
    *status = *graph ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (after) *after = nullptr;  // what is captured has no order here
    if (count) *count = 0;
    return cudaSuccess;
}
// Nodes of the graph that is captured into; what is captured behind them has no order here.
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData*, std::size_t count, unsigned) {
#else
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, std::size_t count, unsigned) {
#endif
    ENTER();
    CUgraph_st* const graph = captured_by(stream);
    if (!graph) return answer(cudaErrorIllegalState);
    for (std::size_t i = 0; i < count; ++i) {
        expect_alive(nodes[i], __func__);
        if (nodes[i]->graph != graph) return answer(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    const cudaError_t code = enter(__func__);
    expect_alive(node, __func__);
    if (capturing && capturing->captured == node->graph->root) return answer(cudaErrorIllegalState);
    CUgraphNode_st** at = &node->graph->nodes;
    while (*at != node) at = &(*at)->next;
    *at = node->next;
    for (CUgraphNode_st* other = node->graph->nodes; other; other = other->next)
        other->after_count = static_cast<std::size_t>(std::remove(other->after, other->after + other->after_count, node) - other->after);
    unmake_node(node, __func__);
    return code;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    ENTER();
    expect_alive(graph, __func__);
    std::size_t found = 0;
    for (CUgraphNode_st* node = graph->nodes; node; node = node->next, ++found)
        if (nodes && found < *count) nodes[found] = node;
    *count = found;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    ENTER();
    expect_alive(node, __func__);
    *type = node->type;
    return cudaSuccess;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
    ENTER();
    expect_alive(node, __func__);
    *child = node->child;
    return answer(node->child ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
    ENTER();
    expect_alive(node, __func__);
    *params = {};
    params->dstPtr.ptr = node->copied_to;
    params->srcPtr.ptr = node->copied_from;
    return answer(node->type == cudaGraphNodeTypeMemcpy ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
    ENTER();
    expect_alive(node, __func__);
    *params = {};
    params->dptr = node->memory;
    return answer(node->type == cudaGraphNodeTypeMemAlloc ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* memory) {
    ENTER();
    expect_alive(node, __func__);
    *static_cast<void**>(memory) = node->memory;
    return answer(node->type == cudaGraphNodeTypeMemFree ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphCreate(cudaGraph_t* to, unsigned) {
    ENTER();
    *to = make_graph(nullptr);
    add(fake_runtime::count.graphs, 1);
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t graph) {
    ENTER();
    expect_alive(graph, __func__);
    if (graph->root != graph || graph->has_conditionals || graph->allocates) return answer(cudaErrorNotSupported);
    *to = copy_graph(graph, nullptr);
    add(fake_runtime::count.graphs, 1);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    const cudaError_t code = enter(__func__);
    expect_alive(graph, __func__);
    if (graph->root != graph) stop(__func__, "the graph belongs to another");
    unmake_graph(graph, __func__);
    add(fake_runtime::count.graphs, -1);
    return code;
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t* to, void* object, cudaHostFn_t destroy, unsigned references, unsigned) {
    ENTER();
    *to = make<CUuserObject_st>();
    (*to)->object = object;
    (*to)->destroy = destroy;
    (*to)->references = references;
    add(fake_runtime::count.user_objects, 1);
    return cudaSuccess;
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
    ENTER();
    expect_alive(graph, __func__);
    expect_alive(object, __func__);
    if (count != 1 || flags != cudaGraphUserObjectMove) stop(__func__, "only one reference is moved here");
    retain(graph->retained, object);
    return cudaSuccess;
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned) {
    const cudaError_t code = enter(__func__);
    expect_alive(graph, __func__);
    retained_object** at = &graph->retained;
    while (*at && (*at)->object != object) at = &(*at)->next;
    retained_object* const entry = *at;
    if (!entry) return answer(cudaErrorInvalidValue);
    *at = entry->next;
    unmake(entry, __func__);
    drop(object, __func__);
    return code;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
    const cudaError_t code = enter(__func__);
    for (unsigned i = 0; i < count; ++i) drop(object, __func__);  // NOLINT(clang-analyzer-unix.Malloc)
    return code;
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* to, cudaGraph_t graph, unsigned, unsigned) {
    ENTER();
    expect_alive(graph, __func__);
    conditional_handle* const handle = make<conditional_handle>();
    handle->graph = graph->root;
    handle->next = graph->handles;
    graph->handles = handle;
    *to = reinterpret_cast<cudaGraphConditionalHandle>(handle);
    return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after, const cudaGraphEdgeData* kinds, std::size_t count,
                             cudaGraphNodeParams* params) {
#else
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after, const cudaGraphEdgeData* kinds, std::size_t count,
                                cudaGraphNodeParams* params) {
#endif
    ENTER();
    expect_alive(graph, __func__);
    for (std::size_t i = 0; i < count; ++i) {
        expect_alive(after[i], __func__);
        if (after[i]->graph != graph) return answer(cudaErrorInvalidValue);
    }
    cudaError_t refused = cudaSuccess;
    switch (params->type) {
        case cudaGraphNodeTypeKernel: refused = add_kernel(to, graph, params->kernel); break;
        case cudaGraphNodeTypeConditional: refused = add_conditional(to, graph, params->conditional, __func__); break;
        case cudaGraphNodeTypeGraph: refused = add_child(to, graph, params->graph.graph, is_moved(params->graph), __func__); break;
        case cudaGraphNodeTypeMemcpy:
            if (!fits_a_copy(params->memcpy.copyParams)) return answer(cudaErrorInvalidValue);
            [[fallthrough]];
        default: *to = add_node(graph, params->type); break;
    }
    if (refused == cudaSuccess && count > 0) {
        (*to)->after = static_cast<CUgraphNode_st**>(std::calloc(count, sizeof(CUgraphNode_st*)));
        (*to)->after_count = count;
        std::copy(after, after + count, (*to)->after);
        for (std::size_t i = 0; kinds && i < count; ++i)
            if (kinds[i].type == cudaGraphDependencyTypeProgrammatic) (*to)->programmatic = after[i]->programmatic = true;
    }
    return answer(refused);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t*, std::size_t count, const cudaKernelNodeParams* params) {
    ENTER();
    expect_alive(graph, __func__);
    if (count != 0) stop(__func__, "only nodes that wait for nothing are added here");
    cudaKernelNodeParamsV2 same{};
    same.func = params->func;
    same.gridDim = params->gridDim;
    same.blockDim = params->blockDim;
    return answer(add_kernel(to, graph, same));
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id, const cudaLaunchAttributeValue* value) {
    ENTER();
    expect_alive(node, __func__);
    if (node->type != cudaGraphNodeTypeKernel) return answer(cudaErrorInvalidValue);
    if (id == cudaLaunchAttributeClusterDimension) node->cluster = value->clusterDim.x * value->clusterDim.y * value->clusterDim.z;
    if (id == cudaLaunchAttributePriority) node->priority = value->priority;
    return answer(fits_a_cluster(node->kernel, node->cluster) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
    ENTER();
    expect_alive(node, __func__);
    if (node->type != cudaGraphNodeTypeKernel) return answer(cudaErrorInvalidValue);
    if (id == cudaLaunchAttributePriority) {
        value->priority = node->priority;
        return cudaSuccess;
    }
    value->deviceUpdatableKernelNode.devNode = reinterpret_cast<cudaGraphDeviceNode_t>(node);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* to, cudaGraph_t graph, cudaGraphInstantiateParams* params) {
    *to = nullptr;
    params->errNode_out = nullptr;
    if (const cudaError_t refused = enter(__func__); refused != cudaSuccess) {
        params->errNode_out = graph->nodes;  // the driver sometimes names a node: the last one here
        return refused;
    }
    expect_alive(graph, __func__);
    if (graph->root != graph || ((graph->has_conditionals || graph->allocates) && graph->executables)) return answer(cudaErrorInvalidValue);
    for (const conditional_handle* handle = graph->handles; handle; handle = handle->next)
        if (!handle->used) return answer(cudaErrorInvalidValue);
    if (!is_safe(graph)) return answer(cudaErrorLaunchFailure);
    *to = make<CUgraphExec_st>();
    (*to)->of = graph;
    (*to)->flags = params->flags;
    with_priorities += (params->flags & cudaGraphInstantiateFlagUseNodePriority) != 0;
    (*to)->next = graph->executables;
    graph->executables = *to;
    for (const retained_object* r = graph->retained; r; r = r->next) {
        retain((*to)->retained, r->object);
        ++r->object->references;
    }
    add(fake_runtime::count.executables, 1);
    return cudaSuccess;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
    ENTER();
    expect_alive(exec, __func__);
    *flags = exec->flags;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    const cudaError_t code = enter(__func__);
    expect_alive(exec, __func__);
    if (exec->of) {
        CUgraphExec_st** at = &exec->of->executables;
        while (*at != exec) at = &(*at)->next;
        *at = exec->next;
    }
    drop_all(exec->retained, __func__);
    unmake(exec, __func__);
    add(fake_runtime::count.executables, -1);
    return code;
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned) {
    ENTER();
    expect_alive(exec, __func__);
    expect_alive(node, __func__);
    if (node->graph->root->has_conditionals && node->type == cudaGraphNodeTypeKernel) return answer(cudaErrorLaunchFailure);  // of some launches
    if (node->programmatic) return answer(cudaErrorLaunchFailure);  // nobody says what such edges mean then
    const bool can_be = node->type == cudaGraphNodeTypeKernel || node->type == cudaGraphNodeTypeMemcpy || node->type == cudaGraphNodeTypeMemset;
    return answer(node->graph->root == exec->of && can_be ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    ENTER();
    expect_alive(exec, __func__);
    expect_alive(node, __func__);
    if (node->graph->root != exec->of || node->type != cudaGraphNodeTypeKernel || !is_kernel(params->func) ||
        !fits_a_launch(params->func, params->gridDim, params->blockDim) || !fits_a_cluster(params->func, node->cluster))
        return answer(cudaErrorInvalidValue);
    if (params->kernelParams) std::memcpy(&node->first_parameter, params->kernelParams[0], sizeof node->first_parameter);
    node->shape = {params->gridDim.x, params->blockDim.x};
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
    ENTER();
    expect_alive(node, __func__);
    if (node->type != cudaGraphNodeTypeKernel || !is_kernel(params->func) || !fits_a_launch(params->func, params->gridDim, params->blockDim) ||
        !fits_a_cluster(params->func, node->cluster))
        return answer(cudaErrorInvalidValue);
    if (params->kernelParams) std::memcpy(&node->first_parameter_in_graph, params->kernelParams[0], sizeof node->first_parameter_in_graph);
    node->kernel = params->func;
    return cudaSuccess;
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
    ENTER();
    expect_alive(exec, __func__);
    expect_alive(node, __func__);
    expect_alive(child, __func__);
    return answer(node->graph->root == exec->of && node->type == cudaGraphNodeTypeGraph && !child->allocates && !node->child->allocates ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
    ENTER();
    if (!graph) return answer(cudaErrorInvalidValue);
    expect_alive(graph, __func__);
    std::FILE* const file = std::fopen(path, "w");
    if (!file) return answer(cudaErrorOperatingSystem);
    std::fputs("digraph {}\n", file);
    std::fclose(file);
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
    ENTER();
    expect_alive(exec, __func__);
    if (stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread) expect_alive(stream, __func__);
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
    ENTER();
    if (!exec) return answer(cudaErrorInvalidValue);
    expect_alive(exec, __func__);
    if (stream && stream != cudaStreamLegacy && stream != cudaStreamPerThread) {
        expect_alive(stream, __func__);
        if (stream->captured) return answer(cudaErrorStreamCaptureUnsupported);
    }
    for (const CUgraphNode_st* node = exec->of ? exec->of->nodes : nullptr; node; node = node->next)
        if (node->host) node->host(node->host_data);
    return cudaSuccess;
}

}  // extern "C"
