// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/error.cuh>

namespace cograph::core {

// Makes a device the current one while an executable is changed.
class device_scope {
public:
    explicit device_scope(int device) {
        check(cudaGetDevice(&before_), "cudaGetDevice", {"update"});
        if (before_ != device) check(cudaSetDevice(device), "cudaSetDevice", {"update"});
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
