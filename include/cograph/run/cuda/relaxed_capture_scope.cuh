// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace cograph::core {

// While this lives, this thread may do what CUDA forbids while a stream is captured, be it by another thread in global mode: free memory
// and ask or wait for events. None of these has to do with what is captured, and an end of an object cannot be refused.
class relaxed_capture_scope {
public:
    relaxed_capture_scope() : is_on_(cudaThreadExchangeStreamCaptureMode(&other_mode_) == cudaSuccess) {}
    ~relaxed_capture_scope() {
        if (is_on_) cudaThreadExchangeStreamCaptureMode(&other_mode_);
    }
    relaxed_capture_scope(const relaxed_capture_scope&) = delete;
    relaxed_capture_scope& operator=(const relaxed_capture_scope&) = delete;

private:
    cudaStreamCaptureMode other_mode_ = cudaStreamCaptureModeRelaxed;
    bool is_on_;
};

}  // namespace cograph::core
