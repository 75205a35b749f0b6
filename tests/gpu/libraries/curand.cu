// SPDX-License-Identifier: Apache-2.0
#include "../ways.cuh"

#include <curand.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

// cuRAND as a captured call, in a loop: its numbers against those of a second generator with the same seed, called by hand.
namespace {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct table : buffer<table, float> {} table;
inline constexpr struct pass : scalar<pass, int> {} pass;
inline constexpr struct passes : value<passes, int> {} passes;

void must(curandStatus_t status) {
    if (status != CURAND_STATUS_SUCCESS) throw std::runtime_error("cuRAND gave the status " + std::to_string(status));
}
// Seeded, so that calls do not allocate. In this order numbers are made by as many threads as divide a row, on any GPU.
struct generator {
    curandGenerator_t handle = nullptr;
    generator() {
        must(curandCreateGenerator(&handle, CURAND_RNG_PSEUDO_XORWOW));
        must(curandSetGeneratorOrdering(handle, CURAND_ORDERING_PSEUDO_LEGACY));
        must(curandSetPseudoRandomGeneratorSeed(handle, 4711));
        must(curandGenerateSeeds(handle));
        ways::must(cudaDeviceSynchronize());  // on the default stream, which ours does not wait for
    }
    ~generator() { curandDestroyGenerator(handle); }
    generator(const generator&) = delete;
    generator& operator=(const generator&) = delete;
};
struct uniform {
    curandGenerator_t handle;
    curandStatus_t operator()(cudaStream_t on, float* to, index_t n) const {
        const curandStatus_t status = curandSetStream(handle, on);
        return status == CURAND_STATUS_SUCCESS ? curandGenerateUniform(handle, to, static_cast<std::size_t>(n)) : status;
    }
};
struct keep {
    COGRAPH_HD void operator()(index_t i, const float& from, float* to, int row, index_t n) const { to[row * n + i] = from; }
};
auto rows_of_numbers(curandGenerator_t handle) {
    return seq(assign(pass, 0), loop_while(pass < passes, seq(captured(uniform{handle})(out(x), extent(x)),
                                                              for_each(over(x), keep{})(in(x[each]), inout(table), pass, extent(x)),
                                                              assign(pass, pass + 1))));
}

constexpr std::size_t row_size = 1 << 16;
constexpr int rows = 3;

std::vector<std::vector<float>> rows_in(const device_array<float>& table_memory) {
    const std::vector<float> from = table_memory.read();
    std::vector<std::vector<float>> to;
    for (int row = 0; row < rows; ++row)
        to.emplace_back(from.begin() + static_cast<std::ptrdiff_t>(row * row_size), from.begin() + static_cast<std::ptrdiff_t>((row + 1) * row_size));
    return to;
}

}  // namespace

TEST_CASE("numbers of cuRAND in a loop", "[gpu][curand]") {
    const stream on;
    device_array<float> xs(row_size), memory(rows * row_size);
    std::vector<std::vector<float>> by_hand;
    {
        const generator same;
        for (int row = 0; row < 2 * rows; ++row) {
            must(uniform{same.handle}(on, xs.data(), static_cast<index_t>(row_size)));
            on.wait();
            by_hand.push_back(xs.read());
        }
    }
    CHECK((by_hand[0] != by_hand[1]));
    const auto next = [&](int launch) { return std::vector(by_hand.begin() + rows * launch, by_hand.begin() + rows * (launch + 1)); };

    const generator eager;
    for (int run = 0; run < 2; ++run) {
        run_on(on, rows_of_numbers(eager.handle), x(xs.all()), table(memory.all()), passes(rows));
        on.wait();
        CHECK((rows_in(memory) == next(run)));
    }
    // The state of this generator is on the device: what replays a call goes on where it was.
    const generator replayed;
    auto exec = instantiate(rows_of_numbers(replayed.handle), x(xs.all()), table(memory.all()), passes(rows));
    for (int launch = 0; launch < 2; ++launch) {
        exec.launch(on);
        on.wait();
        CHECK((rows_in(memory) == next(launch)));
    }
}
