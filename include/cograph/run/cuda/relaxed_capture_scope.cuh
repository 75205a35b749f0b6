// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace cograph::core {

// While this lives, this thread may make calls that CUDA forbids during captures, even of another thread in global
// mode: free memory, and query or wait for events. None of these affects the capture, and the end of an object cannot
// be refused.
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
