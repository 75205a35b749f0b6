// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/heap_array.hpp>
#include <cograph/run/cuda/cuda_error.cuh>

namespace cograph::core {

// Nodes that cannot be captured, found one by one: CUDA itself rejects them late and without a name.

// Looks through a captured graph; its errors are those of the call that was captured.
class captured_nodes {
public:
    captured_nodes(bool in_body, place at) : in_body_(in_body), at_(at) {}

    // Throws at the first node, also of child graphs, that is not allowed at the graph's destination. Returns the
    // number of the graph's nodes.
    std::size_t check_all(cudaGraph_t graph) {
        std::size_t count = 0;
        const heap_memory memory = nodes_of(graph, count);
        for (std::size_t i = 0; i < count; ++i) check_node(static_cast<cudaGraphNode_t*>(memory.get())[i]);
        return count;
    }

    // How many nodes of a type a graph has.
    std::size_t count_of(cudaGraph_t graph, cudaGraphNodeType wanted) {
        std::size_t count = 0, found = 0;
        const heap_memory memory = nodes_of(graph, count);
        for (std::size_t i = 0; i < count; ++i) {
            cudaGraphNodeType type{};
            check(cudaGraphNodeGetType(static_cast<cudaGraphNode_t*>(memory.get())[i], &type), "cudaGraphNodeGetType", at_, &log_);
            found += type == wanted;
        }
        return found;
    }

private:
    heap_memory nodes_of(cudaGraph_t graph, std::size_t& count) {
        check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes", at_, &log_);
        heap_memory memory(static_cast<index_t>(count), sizeof(cudaGraphNode_t));
        if (count > 0) check(cudaGraphGetNodes(graph, static_cast<cudaGraphNode_t*>(memory.get()), &count), "cudaGraphGetNodes", at_, &log_);
        return memory;
    }
    void check_node(cudaGraphNode_t node) {
        cudaGraphNodeType type{};
        check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType", at_, &log_);
        switch (type) {
            case cudaGraphNodeTypeConditional: return refuse_anywhere("a loop or branch of CUDA's own", "write it as a part of the expression");
            case cudaGraphNodeTypeMemAlloc:
            case cudaGraphNodeTypeMemFree: return refuse_anywhere("an allocation of memory", "hand it a temp to work in");
            case cudaGraphNodeTypeHost: return refuse_in_body("a host function");
            case cudaGraphNodeTypeEventRecord: return refuse_in_body("the record of an event");
            case cudaGraphNodeTypeWaitEvent: return refuse_in_body("the wait for an event");
            case cudaGraphNodeTypeExtSemaphoreSignal: return refuse_in_body("the signal of a semaphore");
            case cudaGraphNodeTypeExtSemaphoreWait: return refuse_in_body("the wait for a semaphore");
            case cudaGraphNodeTypeMemcpy: return check_copy(node);
            case cudaGraphNodeTypeGraph: return check_child(node);
            default: return;
        }
    }

    void check_child(cudaGraphNode_t node) {
        cudaGraph_t child = nullptr;
        check(cudaGraphChildGraphNodeGetGraph(node, &child), "cudaGraphChildGraphNodeGetGraph", at_, &log_);
        check_all(child);
    }

    // Host memory that CUDA does not know is pageable.
    void check_copy(cudaGraphNode_t node) {
        if (!in_body_) return;
        cudaMemcpy3DParms copy{};
        check(cudaGraphMemcpyNodeGetParams(node, &copy), "cudaGraphMemcpyNodeGetParams", at_, &log_);
        for (const void* memory : {copy.srcPtr.ptr, copy.dstPtr.ptr}) {
            if (!memory) continue;
            cudaPointerAttributes attributes{};
            check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes", at_, &log_);
            if (attributes.type == cudaMemoryTypeUnregistered)
                refuse_node("a copy from or to pageable host memory", "no loop or branch may hold it: use memory of cudaMallocHost");
        }
    }

    void refuse_anywhere(const char* what, const char* advice) {
        char text[128];
        std::snprintf(text, sizeof text, "no child graph may hold it: %s", advice);
        refuse_node(what, text);
    }
    void refuse_in_body(const char* what) {
        if (in_body_) refuse_node(what, "no loop or branch may hold it: put the call before or after it");
    }
    [[noreturn]] void refuse_node(const char* what, const char* why) {
        char text[256];
        std::snprintf(text, sizeof text, "captured %s: %s.", what, why);
        throw error(at_, text);
    }

    bool in_body_;
    place at_;
    driver_log log_;
};

}  // namespace cograph::core
