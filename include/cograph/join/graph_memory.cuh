// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

namespace cograph::core {

// Memory that work in a foreign graph uses. The graph owns it by a user object, and so does everything that is
// instantiated from the graph. CUDA ends user objects on its own thread, in which no CUDA function may be called.
// There the memory is put aside; it is freed when work joins a graph next, or by free_memory_of_graphs().
struct [[gnu::visibility("default")]] graph_memory {
    common_memory kept = {}, shared = {};
    heap_object more{nullptr, nullptr};
    graph_memory* next = nullptr;
};
[[gnu::visibility("default")]] inline graph_memory* memory_put_aside = nullptr;
[[gnu::visibility("default")]] inline pthread_mutex_t guard_of_memory_put_aside = PTHREAD_MUTEX_INITIALIZER;

inline void CUDART_CB put_memory_aside(void* memory) {
    graph_memory* const of = static_cast<graph_memory*>(memory);
    const held_mutex held(guard_of_memory_put_aside);
    of->next = memory_put_aside;
    memory_put_aside = of;
}

// Whether graphs own the memory of executables whose launches joined them, as they do at first. CUDA takes some 2 us more for each launch of a
// graph that owns something. Without it, an executable must outlive the graphs.
[[gnu::visibility("default")]] inline bool graphs_own_memory = true;
inline void let_graphs_own_memory(bool own) { graphs_own_memory = own; }

// Frees the memory of joined work whose graphs and executables are gone.
inline void free_memory_of_graphs() {
    graph_memory* list = nullptr;
    {
        const held_mutex held(guard_of_memory_put_aside);
        list = memory_put_aside;
        memory_put_aside = nullptr;
    }
    const relaxed_capture_scope allowed;
    while (list) {
        graph_memory* const over = list;
        list = over->next;
        delete over;
    }
}

// Gives memory to a graph; takes it back unless it is to stay.
class memory_lease {
public:
    memory_lease() = default;
    ~memory_lease() {
        if (!graph_) return;
        cudaGraphReleaseUserObject(graph_, object_, 1);
        free_memory_of_graphs();
    }
    memory_lease(const memory_lease&) = delete;
    memory_lease& operator=(const memory_lease&) = delete;

    void give(cudaGraph_t graph, graph_memory&& memory, place at, driver_log& log) {
        if (!memory.kept.get() && !memory.shared.get() && !memory.more.get()) return;
        graph_memory* const given = new graph_memory(static_cast<graph_memory&&>(memory));
        const cudaError_t created = cudaUserObjectCreate(&object_, given, &put_memory_aside, 1, cudaUserObjectNoDestructorSync);
        if (created != cudaSuccess) delete given;
        check(created, "cudaUserObjectCreate", at, &log);
        const cudaError_t retained = cudaGraphRetainUserObject(graph, object_, 1, cudaGraphUserObjectMove);
        if (retained != cudaSuccess) {
            cudaUserObjectRelease(object_, 1);
            free_memory_of_graphs();
        }
        check(retained, "cudaGraphRetainUserObject", at, &log);
        graph_ = graph;
    }
    void stay() { graph_ = nullptr; }

private:
    cudaGraph_t graph_ = nullptr;
    cudaUserObject_t object_ = nullptr;
};

}  // namespace cograph::core
