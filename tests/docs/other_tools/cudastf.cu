// SPDX-License-Identifier: Apache-2.0

// The loop of docs/coming-from.md in CUDASTF: fragments.py compiles it, and runs it on a GPU, if it is given the folder of CCCL.
// nvcc -std=c++20 -arch=native --extended-lambda --expt-relaxed-constexpr -I $CCCL/cudax/include -I $CCCL/libcudacxx/include -I $CCCL/cub -I $CCCL/thrust ... -lcuda

#include <cuda/experimental/stf.cuh>

#include <cstddef>
#include <cstdio>
#include <vector>

using namespace cuda::experimental::stf;

int main() {
    std::vector<double> x(1000, 1.0);
    const double limit = 0.3;
    const auto numbers = make_slice(x.data(), x.size());

    // [loop]
    stackable_ctx ctx;
    auto lx = ctx.logical_data(numbers);
    {
        auto loop = ctx.while_graph_scope();
        ctx.parallel_for(lx.shape(), lx.rw())
            ->*[] __device__(std::size_t i, auto x) { x(i) /= 2; };
        loop.update_cond(lx.read())
            ->*[limit] __device__(auto x) { return x(0) > limit; };
    }
    ctx.finalize();
    // [/loop]

    std::printf("%g\n", x[0]);
    return x[0] == 0.25 ? 0 : 1;
}
