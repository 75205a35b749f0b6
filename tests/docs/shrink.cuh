// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recipes.hpp"

#include <cuda_runtime.h>

#include <exception>
#include <optional>

// The shared library of docs/howto.md: guide.cu calls its function, and other_tools/share_memory.py calls it from Python.
namespace recipes {

// [shared library]
// Built by nvcc -shared -Xcompiler -fPIC, called with memory that another program owns.
class smoother {
public:
    void operator()(double* data, index_t n, double least, cudaStream_t stream) {
        if (graph) graph->update(x(data, n), limit(least));
        else graph.emplace(instantiate(converge, x(data, n), limit(least)));
        graph->launch(stream);
    }

private:
    std::optional<executable<decltype(converge)::self>> graph;
};

extern "C" int shrink_tensor(double* data, long long n, double least, void* stream) noexcept try {
    static thread_local smoother run;  // keeps the graph from call to call
    run(data, static_cast<index_t>(n), least, static_cast<cudaStream_t>(stream));
    return 0;
} catch (const std::exception&) {
    return 1;
}
// [/shared library]

}  // namespace recipes
