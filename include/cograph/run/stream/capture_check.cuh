// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/heap_array.hpp>
#include <cograph/run/cuda/cuda_error.cuh>
#include <cograph/run/launch/non_kernel_code.cuh>

namespace cograph::core {

// Nodes that cannot be captured, found one by one: CUDA itself rejects them late and without a name.

// Looks through a captured graph; its errors are those of the call that was captured.
class captured_nodes {
public:
    captured_nodes(bool in_body, place at, bool may_allocate = false) : in_body_(in_body), may_allocate_(may_allocate), at_(at) {}

    // Throws at the first node, also of child graphs, that is not allowed at the graph's destination. Returns the
    // number of the graph's nodes.
    std::size_t check_all(cudaGraph_t graph) {
        std::size_t count = 0;
        const heap_memory memory = nodes_of(graph, count);
        const cudaGraphNode_t* const nodes = static_cast<cudaGraphNode_t*>(memory.get());
        for (std::size_t i = 0; i < count; ++i) check_node(nodes[i]);
        if (allocates_) check_allocations(nodes, count);
        return count;
    }
    // Whether it found nodes that allocate or free memory.
    bool allocates() const { return allocates_; }

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
            case cudaGraphNodeTypeMemFree: return check_allocates();
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
        captured_nodes(in_body_, at_).check_all(child);
    }

    void check_allocates() {
        if (!may_allocate_) refuse_anywhere("an allocation of memory", in_body_ && can_move_children ? "hand it a temp to work in, or let the host drive the loop" : "hand it a temp to work in");
        allocates_ = true;
    }
    // What a call allocates, it frees, and nothing else: a graph is launched again.
    void check_allocations(const cudaGraphNode_t* nodes, std::size_t count) {
        const heap_memory memory(2 * static_cast<index_t>(count), sizeof(void*));
        void** const allocated = static_cast<void**>(memory.get());
        void** const freed = allocated + count;
        for (std::size_t i = 0; i < count; ++i) {
            cudaGraphNodeType type{};
            check(cudaGraphNodeGetType(nodes[i], &type), "cudaGraphNodeGetType", at_, &log_);
            if (type == cudaGraphNodeTypeMemAlloc) {
                cudaMemAllocNodeParams params{};
                check(cudaGraphMemAllocNodeGetParams(nodes[i], &params), "cudaGraphMemAllocNodeGetParams", at_, &log_);
                allocated[i] = params.dptr;
            } else if (type == cudaGraphNodeTypeMemFree) {
                check(cudaGraphMemFreeNodeGetParams(nodes[i], &freed[i]), "cudaGraphMemFreeNodeGetParams", at_, &log_);
            }
        }
        const auto has = [count](void* const* all, const void* wanted) {
            for (std::size_t i = 0; i < count; ++i)
                if (all[i] == wanted) return true;
            return false;
        };
        for (std::size_t i = 0; i < count; ++i) {
            if (allocated[i] && !has(freed, allocated[i])) refuse_node("an allocation of memory", "the same call must free it, by cudaFreeAsync");
            if (freed[i] && !has(allocated, freed[i])) refuse_node("the free of memory", "the same call must have allocated it");
        }
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
                refuse_node("a copy from or to pageable host memory", "no loop or branch may hold it: use memory of cudaMallocHost, or let the host drive the loop");
        }
    }

    void refuse_anywhere(const char* what, const char* advice) {
        char text[128];
        std::snprintf(text, sizeof text, "no child graph may hold it: %s", advice);
        refuse_node(what, text);
    }
    void refuse_in_body(const char* what) {
        if (in_body_) refuse_node(what, "no loop or branch may hold it: put the call before or after it, or let the host drive the loop");
    }
    [[noreturn]] void refuse_node(const char* what, const char* why) {
        char text[256];
        std::snprintf(text, sizeof text, "captured %s: %s.", what, why);
        throw error(at_, text);
    }

    bool in_body_, may_allocate_, allocates_ = false;
    place at_;
    driver_log log_;
};

}  // namespace cograph::core
