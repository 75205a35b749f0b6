// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words.hpp"  // before the library

#include <cograph.cuh>

#include "catch.hpp"
#include "device_place.cuh"
#include "expressions/boxes.hpp"

#include <cstddef>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

namespace emulated {

// A kernel with tiles, and how it is launched.
struct launched_tiles {
    cograph::core::tile_kind kind;
    int elements;  // a thread has room for
    unsigned blocks, threads, blocks_of_cluster = 1;
    bool operator==(launched_tiles const&) const = default;
};
inline std::ostream& operator<<(std::ostream& to, launched_tiles const& l) {
    return to << "tiles of kind " << static_cast<int>(l.kind) << " and " << l.elements << " elements, " << l.blocks << " blocks of " << l.threads
              << " threads, clusters of " << l.blocks_of_cluster;
}
inline launched_tiles last_tiles() {
    const std::size_t kind = last.kernel.find("9tile_kindE");  // behind the number of elements, as in Li16ELNS0_9tile_kindE0E
    if (last.kernel.find("11tile_kernelI") == std::string::npos || kind == std::string::npos) return {};
    return {static_cast<cograph::core::tile_kind>(last.kernel[kind + 11] - '0'), std::atoi(&last.kernel[last.kernel.rfind("Li", kind) + 2]),
            last.blocks, last.threads, last.blocks_of_cluster};
}

struct instantiates {
    template <class E, class... B>
    auto operator()(E const& e, B... bindings) const {
        return cograph::instantiate(e, bindings...);
    }
};
// Launches in several orders of threads and blocks, on a GPU of so many multiprocessors with so much shared memory, against plain C++. Looks at what was
// launched.
template <class Case, class Look, class Make = instantiates>
void check_launches(Case const& start, int on_multiprocessors, int with_shared_kib, Look look, Make make = {}) {
    multiprocessors = on_multiprocessors;
    shared_kib = with_shared_kib;
    Case expected = start, here = start;
    device_memory::device_place place;
    const device_memory::stream stream;
    auto exec =
        expressions::with_bindings(here, place, [&](auto... bindings) { return make(expressions::expression_of<Case>, bindings...); });
    for (seed = 0; seed < 3; ++seed) {
        expected.compute();
        exec.launch(stream);
        stream.wait();
        place.bring_back();
        INFO("seed " << seed);
        CHECK(here == expected);
        look();
    }
}
// An executable that is bound to one box after another, larger ones and smaller ones, against plain C++.
template <class Case, class Make = instantiates>
void check_updates(std::vector<Case> const& in_turn, int on_multiprocessors, Make make = {}) {
    multiprocessors = on_multiprocessors;
    shared_kib = 227;
    seed = 0;
    std::vector<Case> here = in_turn;
    device_memory::device_place place;
    const device_memory::stream stream;
    auto exec = expressions::with_bindings(here[0], place, [&](auto... bindings) { return make(expressions::expression_of<Case>, bindings...); });
    for (std::size_t at = 0; at < here.size(); ++at) {
        if (at > 0) expressions::with_bindings(here[at], place, [&](auto... bindings) { exec.update(bindings...); });
        Case expected = in_turn[at];
        expected.compute();
        exec.launch(stream);
        stream.wait();
        place.bring_back();
        INFO("box " << at);
        CHECK(here[at] == expected);
    }
}
template <class Case>
void check(Case const& start, int on_multiprocessors, launched_tiles const& tiles, int with_shared_kib = 227) {
    check_launches(start, on_multiprocessors, with_shared_kib, [&] { CHECK(last_tiles() == tiles); });
}

}  // namespace emulated
