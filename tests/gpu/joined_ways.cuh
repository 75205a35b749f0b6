// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ways.cuh"

#include <cograph/join/captured_stream.cuh>

// A test expression as a part of a capture.
namespace joined_ways {

using device_memory::must;

// While this lives, launches and runs join captures, as cograph/join/capture.cuh lets them in a whole program.
struct joining {
    joining() { cograph::core::on_captured_streams = {&cograph::core::launch_in_capture, &cograph::core::run_in_capture}; }
    ~joining() { cograph::core::on_captured_streams = {}; }
    joining(const joining&) = delete;
    joining& operator=(const joining&) = delete;
};

// A launch and a run join captures, whose graphs are launched twice: against plain C++.
template <class Case>
void check_joined(const Case& start = {}) {
    using ways::expression_of;
    Case once = start;
    once.compute();
    Case twice = once;
    twice.compute();
    const device_memory::stream on, elsewhere;
    const auto check_captured = [&](auto capture) {
        Case here = start;
        device_memory::device_place place;
        cograph::core::graph_owner graph;
        expressions::with_bindings(here, place, [&](auto... b) {
            const joining on_captures;
            capture(graph, b...);
        });
        cograph::core::exec_owner exec;
        must(cudaGraphInstantiate(exec.put(), graph.get(), 0));
        for (const Case* expected : {&once, &twice}) {
            must(cudaGraphLaunch(exec.get(), elsewhere));
            elsewhere.wait();
            place.bring_back();
            CHECK((here == *expected));
        }
    };
    SECTION("a launch") {
        check_captured([&](auto& graph, auto... b) {
            auto exec = cograph::instantiate(expression_of<Case>, b...);
            must(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal));
            exec.launch(on);
            must(cudaStreamEndCapture(on, graph.put()));
        });
    }
    SECTION("a run") {
        check_captured([&](auto& graph, auto... b) {
            must(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal));
            cograph::run_on(on, expression_of<Case>, b...);
            must(cudaStreamEndCapture(on, graph.put()));
        });
    }
    cograph::core::free_memory_of_graphs();
}

}  // namespace joined_ways
