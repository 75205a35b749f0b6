// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/stream/captured.hpp>
#include <cograph/plan/bind/frame.hpp>

#include <cstdint>

namespace cograph::core {

// A captured call as executors make it: enqueues its work on a stream and returns its status. If `bytes` is given it
// enqueues nothing, and writes the size of its workspace there.
using stream_function = std::int64_t (*)(stream_handle stream, const void* const* parameters, std::size_t* bytes);

template <class Code>
struct stream_code;

template <class F, class Host, class... P>
struct stream_code<captured_code<stream_first, F, Host, P...>> {
    static std::int64_t enqueue(stream_handle stream, const void* const* parameters, std::size_t*) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return stream_first::call(parameter_at<F>::read(parameters[0]), stream, parameter_at<P>::read(parameters[2 + I])...);
        }(std::index_sequence_for<P...>{});
    }
};

template <class F, class Host, class... P>
struct stream_code<captured_code<stream_last, F, Host, P...>> {
    static std::int64_t enqueue(stream_handle stream, const void* const* parameters, std::size_t* bytes) {
        const slot& memory = *static_cast<const slot*>(parameters[2]);
        std::size_t size = memory.count;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return stream_last::call(parameter_at<F>::read(parameters[0]), bytes ? nullptr : memory.pointer, bytes ? *bytes : size, stream,
                                     parameter_at<P>::read(parameters[3 + I])...);
        }(std::index_sequence_for<P...>{});
    }
};

}  // namespace cograph::core
