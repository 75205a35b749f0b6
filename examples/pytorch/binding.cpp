// SPDX-License-Identifier: Apache-2.0

// The operator cograph_cg::solve of PyTorch: on a GPU in PyTorch's current stream and in memory of PyTorch's allocator, on a CPU as a simulation.

#include "cg.hpp"

#include <torch/extension.h>
#include <torch/library.h>

#ifdef COGRAPH_CG_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

#include <cstddef>
#include <string>
#include <tuple>

namespace {

using at::Tensor;

cg::equations checked(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance, std::int64_t most) {
    const auto number = values.scalar_type(), index = row_begins.scalar_type();
    TORCH_CHECK_TYPE(number == at::kFloat || number == at::kDouble, "cograph_cg: values must be float32 or float64, not ", number);
    TORCH_CHECK_TYPE(b.scalar_type() == number, "cograph_cg: b must be of the type of values, ", number, ", not ", b.scalar_type());
    TORCH_CHECK_TYPE(index == at::kInt || index == at::kLong, "cograph_cg: indices must be int32 or int64, not ", index);
    TORCH_CHECK_TYPE(columns.scalar_type() == index, "cograph_cg: crow_indices and col_indices must be of one type");
    for (const Tensor* one : {&row_begins, &columns, &values, &b}) {
        TORCH_CHECK_VALUE(one->dim() == 1, "cograph_cg: each tensor must have one dimension; a batch is solved system by system");
        TORCH_CHECK_VALUE(one->layout() == at::kStrided && one->is_contiguous(), "cograph_cg: each tensor must be contiguous: call .contiguous()");
        TORCH_CHECK_VALUE(one->device() == values.device(), "cograph_cg: all tensors must be on one device: ", one->device(), " and ", values.device());
    }
    TORCH_CHECK_VALUE(b.size(0) > 0 && row_begins.size(0) == b.size(0) + 1, "cograph_cg: crow_indices must have one element more than b, which has ", std::to_string(b.size(0)));
    TORCH_CHECK_VALUE(columns.size(0) == values.size(0), "cograph_cg: col_indices and values must have one length");
    TORCH_CHECK_VALUE(tolerance > 0 && tolerance < 1, "cograph_cg: tolerance must lie between 0 and 1");
    TORCH_CHECK_VALUE(most >= 1 && most <= 2'000'000'000, "cograph_cg: max_iterations must be from 1 to 2000000000");
    return {.n = b.size(0),
            .is_double = number == at::kDouble,
            .is_64_bit = index == at::kLong,
            .row_begins = row_begins.const_data_ptr(),
            .columns = columns.const_data_ptr(),
            .values = values.const_data_ptr(),
            .b = b.const_data_ptr(),
            .x = nullptr,
            .workspace = nullptr,
            .iterations = nullptr,
            .tolerance = tolerance,
            .most = static_cast<int>(most)};
}

template <class Run>
std::tuple<Tensor, Tensor> solve(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance,
                                 std::int64_t most, Run run) {
    cg::equations s = checked(row_begins, columns, values, b, tolerance, most);
    const Tensor x = at::empty_like(b), iterations = at::empty({1}, b.options().dtype(at::kInt));
    s.x = x.mutable_data_ptr();
    s.iterations = iterations.mutable_data_ptr<int>();
    try {
        run(s);
    } catch (const std::exception& problem) {
        TORCH_CHECK(false, "cograph_cg: ", problem.what());
    }
    return {x, iterations};
}

std::tuple<Tensor, Tensor> solve_cpu(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance,
                                     std::int64_t most) {
    return solve(row_begins, columns, values, b, tolerance, most, [](const cg::equations& s) { cg::solve_on_host(s); });
}

#ifdef COGRAPH_CG_CUDA
// Working memory of executables, from PyTorch's caching allocator. Its memory may be in use on the current stream until then, and
// instantiate clears a part of it at once.
// [allocator]
void* allocate(std::size_t bytes) {
    void* const memory = c10::cuda::CUDACachingAllocator::raw_alloc(bytes);
    C10_CUDA_CHECK(cudaStreamSynchronize(c10::cuda::getCurrentCUDAStream()));
    return memory;
}
void deallocate(void* memory) { c10::cuda::CUDACachingAllocator::raw_delete(memory); }
// [/allocator]

template <class Run>
std::tuple<Tensor, Tensor> on_gpu(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance,
                                  std::int64_t most, Run run) {
    const c10::cuda::CUDAGuard guard(values.device());
    return solve(row_begins, columns, values, b, tolerance, most, [&](cg::equations s) {
        s.allocate = &allocate;
        s.deallocate = &deallocate;
        run(s, c10::cuda::getCurrentCUDAStream().stream());
    });
}
std::tuple<Tensor, Tensor> solve_cuda(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance,
                                      std::int64_t most) {
    return on_gpu(row_begins, columns, values, b, tolerance, most,
                  [&](const cg::equations& s, void* stream) { cg::solve_on_device(s, stream, values.device().index()); });
}
// For measurements (bench.py): the same call with an empty kernel in place of the solver, which is what any operator takes; and launches
// of one executable from here.
std::tuple<Tensor, Tensor> launch_nothing(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance,
                                          std::int64_t most) {
    return on_gpu(row_begins, columns, values, b, tolerance, most, [](const cg::equations&, void* stream) { cg::launch_nothing(stream); });
}
std::tuple<Tensor, double> time_launches(const Tensor& row_begins, const Tensor& columns, const Tensor& values, const Tensor& b, double tolerance,
                                         std::int64_t most, std::int64_t times) {
    double found = 0;
    const auto [x, iterations] = on_gpu(row_begins, columns, values, b, tolerance, most,
                                        [&](const cg::equations& s, void* stream) { found = cg::time_launches(s, stream, static_cast<int>(times)); });
    return {x, found};
}
#endif

}  // namespace

TORCH_LIBRARY(cograph_cg, library) {
    library.def("solve(Tensor crow_indices, Tensor col_indices, Tensor values, Tensor b, float tolerance, int max_iterations) -> (Tensor, Tensor)");
#ifdef COGRAPH_CG_CUDA
    library.def("launch_nothing(Tensor crow_indices, Tensor col_indices, Tensor values, Tensor b, float tolerance, int max_iterations) -> (Tensor, Tensor)");
    library.def("time_launches(Tensor crow_indices, Tensor col_indices, Tensor values, Tensor b, float tolerance, int max_iterations, int times) -> (Tensor, float)");
#endif
}
TORCH_LIBRARY_IMPL(cograph_cg, CPU, library) { library.impl("solve", &solve_cpu); }
#ifdef COGRAPH_CG_CUDA
TORCH_LIBRARY_IMPL(cograph_cg, CUDA, library) {
    library.impl("solve", &solve_cuda);
    library.impl("launch_nothing", &launch_nothing);
    library.impl("time_launches", &time_launches);
}
#endif

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) { module.doc() = "registers cograph_cg::solve"; }
