// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/stream/host_arguments.hpp>

struct CUstream_st;  // the target of a cudaStream_t

namespace cograph::core {

using stream_handle = CUstream_st*;

// The size of a workspace, as CUB takes it: by reference, also through a lambda that takes it by value.
class workspace_size {
public:
    explicit workspace_size(std::size_t& bytes) : bytes_(&bytes) {}
    operator std::size_t&() const { return *bytes_; }

private:
    std::size_t* bytes_;
};

// How a captured function object is called: stream first, as most do, or as CUB has it.
struct stream_first {
    static constexpr bool sized = false;
    static constexpr int first = 1;  // the position of its first argument
    template <class F, class... T>
    static constexpr bool takes = host_callable<F, stream_handle, T...>;
    template <class F, class... T>
    using result = host_result<F, stream_handle, T...>;
    template <class F, class... T>
    static std::int64_t call(const F& f, stream_handle stream, T&&... value) {
        return status_of(f, stream, static_cast<T&&>(value)...);
    }
};
struct stream_last {
    static constexpr bool sized = true;
    static constexpr int first = 2;
    template <class F, class... T>
    static constexpr bool takes = host_callable<F, void*, workspace_size, T..., stream_handle>;
    template <class F, class... T>
    using result = host_result<F, void*, workspace_size, T..., stream_handle>;
    template <class F, class... T>
    static std::int64_t call(const F& f, void* memory, std::size_t& bytes, stream_handle stream, T&&... value) {
        return status_of(f, memory, workspace_size(bytes), static_cast<T&&>(value)..., stream);
    }
};

// Used if there is no host implementation.
struct no_host_implementation_t {};

template <capture_mode Mode, bool WarmsUp>
struct capture_options {};

}  // namespace cograph::core
