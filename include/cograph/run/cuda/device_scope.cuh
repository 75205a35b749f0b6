// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/cuda/cuda_error.cuh>

namespace cograph::core {

// Makes a device the current one while an executable is changed or asked.
class device_scope {
public:
    explicit device_scope(int device, place at = {"update"}) {
        check(cudaGetDevice(&before_), "cudaGetDevice", at);
        if (before_ != device) check(cudaSetDevice(device), "cudaSetDevice", at);
        changed_ = before_ != device;
    }
    ~device_scope() {
        if (changed_) cudaSetDevice(before_);
    }
    device_scope(const device_scope&) = delete;
    device_scope& operator=(const device_scope&) = delete;

private:
    int before_ = 0;
    bool changed_ = false;
};

}  // namespace cograph::core
