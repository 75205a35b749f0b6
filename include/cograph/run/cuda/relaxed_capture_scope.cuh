// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace cograph::core {

// While this lives, this thread may do what CUDA forbids while a stream is captured, be it by another thread in global mode: free memory
// and ask or wait for events. None of these has to do with what is captured, and an end of an object cannot be refused.
class beside_captures {
public:
    beside_captures() : is_on_(cudaThreadExchangeStreamCaptureMode(&other_mode_) == cudaSuccess) {}
    ~beside_captures() {
        if (is_on_) cudaThreadExchangeStreamCaptureMode(&other_mode_);
    }
    beside_captures(const beside_captures&) = delete;
    beside_captures& operator=(const beside_captures&) = delete;

private:
    cudaStreamCaptureMode other_mode_ = cudaStreamCaptureModeRelaxed;
    bool is_on_;
};

}  // namespace cograph::core
