// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/graph/materialize.cuh>
#include <cograph/run/kernel/no_op_kernel.cuh>
#include <cograph/run/memory/memory.cuh>

namespace cograph::core {

// Pointers that many nodes take and that change often are written into the nodes by a kernel before the graph, all at
// once on the device; by the host each would take cudaGraphExecKernelNodeSetParams. CUDA calls such nodes device-updatable:
// they launch as fast as others, and take longer to be made.

constexpr int most_updated_variables = 32;      // variables
constexpr int fewest_updated_nodes = 16;    // nodes of one: measured, below that the host is as fast

struct device_update_entry {
    cudaGraphDeviceNode_t node;
    unsigned offset;  // of the parameter, in bytes
    unsigned value;
};
struct device_update_values {
    void* of[most_updated_variables];
};

// A template, so that only programs that ask for it have the kernel.
template <int Threads>
__global__ void update_nodes(const device_update_entry* entries, int count, device_update_values values) {
    const int i = static_cast<int>(blockIdx.x) * Threads + static_cast<int>(threadIdx.x);
    if (i < count) cudaGraphKernelNodeSetParam(entries[i].node, entries[i].offset, &values.of[entries[i].value], sizeof(void*));
}
constexpr int device_update_threads = 128;

// Whether a node's kernel can be written into from the device.
inline bool can_update_on_device(const plan_node& r) {
    return r.kind != plan_node_kind::conditional && r.from->traits->is_kernel && !r.from->traits->persistent;
}

// Which variables of a graph are updated, and their places.
struct device_update_plan {
    const void* kernel = nullptr;  // null: none
    const void* nothing = nullptr;  // as in graph_tables
    heap_memory memory;            // of value_of
    int* value_of = nullptr;       // by variable: its number, or -1
    int values = 0;
    int entries = 0, noted = 0;
    heap_memory table;             // of device_update_entry
    owned_memory on_device;
    cudaGraphNode_t head = nullptr;

    int of(int variable) const { return kernel ? value_of[variable] : -1; }

    // Chooses the parameters that are updated, and adds the kernel before the graph; none if nothing is worth it.
    static cudaGraphNode_t begin(device_update_plan& plan, const frame& f, const bool* updatable, const graph_tables& t, driver_log& log) {
        plan.nothing = t.nothing;
        plan.choose(f, updatable, t.merged, log);
        if (!plan.kernel) return nullptr;
        call c;
        plan.describe(f, c);
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeKernel;
        params.kernel.func = c.params.func;
        params.kernel.gridDim = c.params.gridDim;
        params.kernel.blockDim = c.params.blockDim;
        params.kernel.kernelParams = c.params.kernelParams;
        check(add_node(&plan.head, t.bodies[0], nullptr, nullptr, 0, &params), "cudaGraphAddNode", {"update"}, &log);
        return plan.head;
    }
    // Sends the table to the device, on which the graph must be before it is launched.
    static void end(device_update_plan& plan, cudaGraphExec_t exec, driver_log& log) {
        plan.turn_off(exec, log);
        plan.upload(log);
        check(cudaGraphUpload(exec, cudaStreamPerThread), "cudaGraphUpload", {}, &log);
        check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize", {}, &log);
    }

    // Lets the first kernel write what the frame says now, in launches from now on.
    void turn_on(const frame& f, cudaGraphExec_t exec, bool was_on, driver_log& log) const {
        call c;
        describe(f, c);
        check(cudaGraphExecKernelNodeSetParams(exec, head, &c.params), "cudaGraphExecKernelNodeSetParams", {"update"}, &log);
        if (!was_on && !nothing) check(cudaGraphNodeSetEnabled(exec, head, 1), "cudaGraphNodeSetEnabled", {"update"}, &log);
    }
    void turn_off(cudaGraphExec_t exec, driver_log& log) const {
        if (!nothing) return check(cudaGraphNodeSetEnabled(exec, head, 0), "cudaGraphNodeSetEnabled", {"update"}, &log);
        const cudaKernelNodeParams params = disabled_nodes(nothing, 0);
        check(cudaGraphExecKernelNodeSetParams(exec, head, &params), "cudaGraphExecKernelNodeSetParams", {"update"}, &log);
    }

    // Chooses, of the variables that are often rebound, those that many kernels take and no other node does.
    void choose(const frame& f, const bool* updatable, const merged_tables& merged, driver_log& log) {
        memory = heap_memory(f.plan.count.variables, sizeof(int));
        value_of = static_cast<int*>(memory.get());
        const heap_memory counts(2 * index_t{f.plan.count.variables}, sizeof(int));
        int* const uses = static_cast<int*>(counts.get());
        int* const elsewhere = uses + f.plan.count.variables;
        each_pointer(f, [&](int r, int v) { can_update_on_device(f.plan.nodes[r]) && !merged.is_part(r) ? ++uses[v] : ++elsewhere[v]; });
        for (int v = 0; v < f.plan.count.variables; ++v) {
            const bool chosen = v < f.plan.count.named && updatable[v] && elsewhere[v] == 0 && uses[v] >= fewest_updated_nodes && values < most_updated_variables;
            value_of[v] = chosen ? values++ : -1;
            if (chosen) entries += uses[v];
        }
        if (values == 0) {
            kernel = nullptr;
            return;
        }
        table = heap_memory(entries, sizeof(device_update_entry));
        on_device = owned_memory(device_memory, bytes(), {}, &log);
    }

    // Makes a node one that can be written into, if it takes a chosen variable, and notes the place.
    static void note_node(device_update_plan& plan, const frame& f, const plan_node& r, const cudaGraphNodeParams& params, cudaGraphNode_t node, driver_log& log) {
        if (can_update_on_device(r) && params.kernel.func != plan.nothing) plan.note(f, r, params.kernel.func, node, log);
    }
    void note(const frame& f, const plan_node& r, const void* kernel_of_node, cudaGraphNode_t node, driver_log& log) {
        cudaGraphDeviceNode_t handle = nullptr;
        const int hidden = r.kind == plan_node_kind::condition;  // parameters before those: the condition's handle
        const lowered_argument* const lowered = lowering_of(*r.from).arguments;
        int again = 0;  // arguments that the kernel has as earlier parameters
        for (int i = 0; i < r.argument_count; ++i) {
            if (lowered && lowered[i].again) {
                ++again;
                continue;
            }
            const int at = f.plan.arguments[r.first_argument + i];
            if (r.from->arguments[i].form != argument_form::pointer || of(at) < 0) continue;
            if (!handle) handle = make_updatable(f, r, node, log);
            std::size_t offset = 0, size = 0;
            check_node_call(cudaFuncGetParamInfo(kernel_of_node, static_cast<std::size_t>(i + hidden - again), &offset, &size), "cudaFuncGetParamInfo", f, r, &log);
            static_cast<device_update_entry*>(table.get())[noted++] = {handle, static_cast<unsigned>(offset), static_cast<unsigned>(of(at))};
        }
    }

    void upload(driver_log& log) {
        check(cudaMemcpyAsync(on_device.get(), table.get(), bytes(), cudaMemcpyHostToDevice, cudaStreamPerThread), "cudaMemcpyAsync", {}, &log);
        table = {};
    }
    std::size_t bytes() const { return static_cast<std::size_t>(entries) * sizeof(device_update_entry); }

    // The arguments of the first kernel; live as long as their targets.
    struct call {
        void* entries;
        int count;
        device_update_values values;
        void* parameters[3];
        cudaKernelNodeParams params;
    };
    void describe(const frame& f, call& c) const {
        c = {};
        c.entries = on_device.get();
        c.count = noted;
        for (int v = 0; v < f.plan.count.named; ++v)
            if (of(v) >= 0) c.values.of[of(v)] = f.slots[v].pointer;
        c.parameters[0] = &c.entries;
        c.parameters[1] = &c.count;
        c.parameters[2] = &c.values;
        c.params.func = const_cast<void*>(kernel);
        c.params.gridDim = dim3(static_cast<unsigned>((entries + device_update_threads - 1) / device_update_threads));
        c.params.blockDim = dim3(device_update_threads);
        c.params.kernelParams = c.parameters;
    }

private:
    template <class F>
    static void each_pointer(const frame& f, F visit) {
        for (int i = 0; i < f.plan.count.nodes; ++i) {
            const plan_node& r = f.plan.nodes[i];
            for (int a = 0; a < r.argument_count; ++a)
                if (r.from->arguments[a].form == argument_form::pointer) visit(i, f.plan.arguments[r.first_argument + a]);
        }
    }

    static cudaGraphDeviceNode_t make_updatable(const frame& f, const plan_node& r, cudaGraphNode_t node, driver_log& log) {
        cudaLaunchAttributeValue value{};
        value.deviceUpdatableKernelNode.deviceUpdatable = 1;
        check_node_call(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value), "cudaGraphKernelNodeSetAttribute", f, r, &log);
        check_node_call(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value), "cudaGraphKernelNodeGetAttribute", f, r, &log);
        return value.deviceUpdatableKernelNode.devNode;
    }
};

// Its functions, for programs that need them.
struct device_update_code {
    const void* kernel;
    cudaGraphNode_t (*begin)(device_update_plan&, const frame&, const bool* updatable, const graph_tables&, driver_log&);
    void (*note_node)(device_update_plan&, const frame&, const plan_node&, const cudaGraphNodeParams&, cudaGraphNode_t, driver_log&);
    void (*end)(device_update_plan&, cudaGraphExec_t, driver_log&);
};

}  // namespace cograph::core
