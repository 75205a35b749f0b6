// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake_runtime.hpp"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

// What the runtime's handles point to. All of it comes from calloc: operator new is the program's under test.

namespace fake_runtime {

inline constexpr unsigned long long alive = 0x6f2d'616c'6976'6521ull;

// Counted by kind, as live_objects lists them.
struct counters {
    std::atomic<long> memory, pinned, streams, events, pools, graphs, executables, captures, user_objects;
};
inline counters count;
inline void add(std::atomic<long>& to, long difference) { to.fetch_add(difference, std::memory_order_relaxed); }

[[noreturn]] inline void stop(const char* call, const char* what) {
    std::fprintf(stderr, "fake runtime: %s: %s\n", call, what);
    std::abort();
}

// Notes a call of this thread, and says whether it fails.
cudaError_t enter(const char* call);
cudaError_t answer(cudaError_t code);

template <class T>
T* make() {
    T* const object = static_cast<T*>(std::calloc(1, sizeof(T)));
    if (!object) std::abort();
    object->mark = alive;
    return object;
}
template <class T>
void expect_alive(const T* object, const char* call) {
    if (!object || object->mark != alive) stop(call, "the object is not alive");
}
template <class T>
void unmake(T* object, const char* call) {
    expect_alive(object, call);
    object->mark = 0;
    std::free(object);
}

bool is_kernel(const void* function);
bool fits_a_launch(const void* function, dim3 grid, dim3 block);
bool fits_a_cluster(const void* function, unsigned blocks);
bool fits_a_copy(const cudaMemcpy3DParms& params);

// What a stream captures in place of doing it; null where it captures nothing.
CUgraph_st* captured_by(cudaStream_t stream);
void capture_kernel(CUgraph_st* to, const void* function);
void capture_node(CUgraph_st* to, cudaGraphNodeType type, void* copied_to = nullptr, void* copied_from = nullptr);
void capture_host_function(CUgraph_st* to, cudaHostFn_t function, void* data);
void capture_memory(CUgraph_st* to, cudaGraphNodeType type, void* memory);

}  // namespace fake_runtime

struct conditional_handle {
    unsigned long long mark;
    CUgraph_st* graph;
    conditional_handle* next;
    bool used;
};

// What graphs and executables own together, until the last of them is gone.
struct CUuserObject_st {
    unsigned long long mark;
    void* object;
    cudaHostFn_t destroy;
    unsigned references;
};
struct retained_object {
    unsigned long long mark;
    CUuserObject_st* object;
    retained_object* next;
};

struct CUgraphNode_st {
    unsigned long long mark;
    CUgraph_st* graph;
    CUgraphNode_st* next;
    CUgraphNode_st** after;  // those that it waits for
    std::size_t after_count;
    bool follows, followed;  // is_safe
    cudaGraphNodeType type;
    CUgraph_st** bodies;  // of a conditional node
    bool loops;           // the same
    unsigned body_count;
    CUgraph_st* child;    // of a child graph node
    const void* kernel;
    void *copied_to, *copied_from;  // of a copy
    void* memory;         // that it allocates or frees
    int priority;         // of a kernel
    unsigned cluster;    // blocks of one
    bool programmatic;   // an edge from or to it
    cudaHostFn_t host;   // of a captured host function: launches run it
    void* host_data;
    unsigned long long first_parameter;  // as an executable was last told
    unsigned long long first_parameter_in_graph;  // as the node itself was
    fake_runtime::launched_shape shape;  // the same
};

struct CUgraph_st {
    unsigned long long mark;
    CUgraph_st* root;  // itself, but of bodies and of child graphs the graph that owns them
    CUgraphNode_st* nodes;
    conditional_handle* handles;
    CUgraphExec_st* executables;
    retained_object* retained;
    bool has_conditionals;
    bool allocates;  // it or a child graph has nodes of memory
    bool in_body;    // of a conditional node
};

struct CUgraphExec_st {
    unsigned long long mark;
    CUgraph_st* of;  // null when the graph is destroyed
    CUgraphExec_st* next;
    retained_object* retained;
    unsigned long long flags;
};

struct CUstream_st {
    unsigned long long mark;
    CUgraph_st* captured;  // what is being captured
    bool invalid;  // a capture that did what no capture may
    bool strict;   // a capture that forbids this thread to allocate
    bool for_all;  // and all others
    bool blocks;   // the default stream: a capture forbids this thread to launch there. CUDA forbids it to all threads
};

// How many executables this thread has made whose kernels have priorities.
inline thread_local int with_priorities = 0;

// What this thread captures, on the stream where it began last; null: nothing.
inline thread_local CUstream_st* capturing = nullptr;
inline std::atomic<long> global_captures{0};  // of all threads

struct CUevent_st {
    unsigned long long mark;
};

struct CUmemPoolHandle_st {
    unsigned long long mark;
};
