// SPDX-License-Identifier: Apache-2.0

// The solver as handlers of XLA's foreign function interface: one for CUDA, where it is built with nvcc, and one for the CPU, a simulation.

#include "../pytorch/cg.hpp"

#include <xla/ffi/api/ffi.h>

#include <string>

namespace ffi = xla::ffi;

namespace {

using buffer = ffi::AnyBuffer;

ffi::Error wrong(const std::string& what) { return ffi::Error::InvalidArgument("cograph_cg: " + what); }

template <class Run>
ffi::Error solve(const buffer& row_begins, const buffer& columns, const buffer& values, const buffer& b, ffi::Result<buffer>& x,
                 ffi::Result<buffer>& iterations, ffi::Result<buffer>& workspace, double tolerance, std::int32_t most, Run run) {
    const auto number = values.element_type(), index = row_begins.element_type();
    if (number != ffi::F32 && number != ffi::F64) return wrong("values must be float32 or float64");
    if (b.element_type() != number) return wrong("b must be of the type of values");
    if (index != ffi::S32 && index != ffi::S64) return wrong("indices must be int32 or int64");
    if (columns.element_type() != index) return wrong("indptr and indices must be of one type");
    for (const buffer* one : {&row_begins, &columns, &values, &b})
        if (one->dimensions().size() != 1) return wrong("each array must have one dimension; use vmap for a batch");
    const std::int64_t n = b.dimensions()[0];
    if (n < 1 || row_begins.dimensions()[0] != n + 1) return wrong("indptr must have one element more than b");
    if (columns.dimensions()[0] != values.dimensions()[0]) return wrong("indices and data must have one length");
    if (!(tolerance > 0 && tolerance < 1) || most < 1) return wrong("tolerance must lie between 0 and 1, max_iterations must be positive");
    const cg::equations system{.n = n,
                               .is_double = number == ffi::F64,
                               .is_64_bit = index == ffi::S64,
                               .row_begins = row_begins.untyped_data(),
                               .columns = columns.untyped_data(),
                               .values = values.untyped_data(),
                               .b = b.untyped_data(),
                               .x = x->untyped_data(),
                               .workspace = workspace->untyped_data(),
                               .iterations = static_cast<int*>(iterations->untyped_data()),
                               .tolerance = tolerance,
                               .most = most};
    if (workspace->size_bytes() < cg::workspace_bytes(system)) return wrong("the workspace of the Python module is too small for this library");
    try {
        run(system);
    } catch (const std::exception& problem) {
        return ffi::Error::Internal(std::string("cograph_cg: ") + problem.what());
    }
    return ffi::Error::Success();
}

ffi::Error on_cpu(buffer row_begins, buffer columns, buffer values, buffer b, ffi::Result<buffer> x, ffi::Result<buffer> iterations,
                  ffi::Result<buffer> workspace, double tolerance, std::int32_t most) {
    return solve(row_begins, columns, values, b, x, iterations, workspace, tolerance, most, [](const cg::equations& s) { cg::solve_on_host(s); });
}

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(cograph_cg_cpu, on_cpu,
                              ffi::Ffi::Bind().Arg<buffer>().Arg<buffer>().Arg<buffer>().Arg<buffer>().Ret<buffer>().Ret<buffer>().Ret<buffer>()
                                  .Attr<double>("tolerance").Attr<std::int32_t>("max_iterations"));

#ifdef __CUDACC__

namespace {

ffi::Error on_cuda(cudaStream_t stream, buffer row_begins, buffer columns, buffer values, buffer b, ffi::Result<buffer> x, ffi::Result<buffer> iterations,
                   ffi::Result<buffer> workspace, double tolerance, std::int32_t most) {
    return solve(row_begins, columns, values, b, x, iterations, workspace, tolerance, most, [&](const cg::equations& s) {
        int device = 0;
        cudaGetDevice(&device);
        cg::solve_on_device(s, stream, device);
    });
}

}  // namespace

namespace {
auto binding() {
    return ffi::Ffi::Bind().Ctx<ffi::PlatformStream<cudaStream_t>>().Arg<buffer>().Arg<buffer>().Arg<buffer>().Arg<buffer>().Ret<buffer>().Ret<buffer>()
        .Ret<buffer>().Attr<double>("tolerance").Attr<std::int32_t>("max_iterations");
}
}  // namespace

// The whole loop is one kernel, so XLA may capture it into a command buffer. Over more than 2^22 equations it has conditional nodes, which
// CUDA does not take there.
XLA_FFI_DEFINE_HANDLER_SYMBOL(cograph_cg_cuda, on_cuda, binding(), {ffi::Traits::kCmdBufferCompatible});
XLA_FFI_DEFINE_HANDLER_SYMBOL(cograph_cg_large_cuda, on_cuda, binding());

// For tests.
extern "C" int cograph_cg_captured_calls() { return cg::captured_calls(); }

#endif
