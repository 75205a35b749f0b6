// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/kept_values.hpp>
#include <cograph/expr/function/operations.hpp>
#include <cograph/expr/node/launch_shape.hpp>

// With -rdc=true, nvcc gives unnamed namespaces names that are hidden, but leaves lambdas visible that capture their types.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace cograph::core {

// A stage is an algorithm written once, as a function of an execution context and its parameters. A context is one thread of the
// host, a whole grid, or a part of a larger kernel. Stages ask it for:
//   each(n, f)                                  f(i) for every i in [0, n), in any order
//   once(f)                                     f() by one thread
//   reduce(n, identity, op, term, scratch, out) *out = op over term(i), in the one order that every context keeps.
//   reduce_groups<Size>(the same)               the same, with term(i) called by groups of Size threads.
// A term may have a function `add` instead of being called (lane_order.hpp).
// A context of the host offers all four. A context on a device offers the work of its kernels: those over elements call a
// stage's `at` or `term` by themselves. A context with groups of threads may offer each_of_groups(group, n, f) as well.

// Which kernel runs a stage by itself.
struct one_thread {};
struct a_thread_an_element {};
struct few_elements_a_thread {};
struct few_planes_a_thread {};  // if it reads neighbours; else an element
struct a_tile_a_chunk {};
constexpr int elements_of_thread(const void*, argument const&, bool) { return 1; }
constexpr int elements_of_thread(const few_elements_a_thread*, argument const& domain, bool) { return few_elements(domain.variable->size); }
constexpr int elements_of_thread(const few_planes_a_thread*, argument const&, bool reads_neighbours) { return reads_neighbours ? few_planes : 1; }

struct for_each_stage {
    using threads = a_thread_an_element;
    static constexpr node_traits traits{.rule = "per_element", .size = &size_over_elements, .takes_shape = true, .counts_elements = true, .is_stage = true};

    // Its work for one element.
    template <class N, class F, class... P>
    COGRAPH_HD static void at(index_t i, N const&, F const& f, P const&... p) {
        unwrap(f)(i, at_element(p, i)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N n, P const&... p) {
        context.each(static_cast<index_t>(n), [&](index_t i) { at(i, n, p...); });
    }
};

// A stage whose function object F has no state: F is made at its use, and is no parameter of the kernel.
template <class Stage, class F>
struct stateless : Stage {
    template <class N, class... P>
    COGRAPH_HD static void at(index_t i, N const& n, P const&... p) {
        Stage::at(i, n, made_on_use<F>{}, p...);
    }
    template <class Few, class N, class... P>
    COGRAPH_HD static void at_few(Few few, index_t i, index_t stride, N const& n, P const&... p) {
        Stage::at_few(few, i, stride, n, made_on_use<F>{}, p...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N const& n, P const&... p) {
        Stage::run(context, n, made_on_use<F>{}, p...);
    }
};

// The same with fewer functions on the way, since these are the most: F is called at once.
template <class F>
struct stateless<for_each_stage, F> : for_each_stage {
    template <class N, class... P>
    COGRAPH_HD static void at(index_t i, N const&, P const&... p) {
        F()(i, at_element(p, i)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N const& n, P const&... p) {
        for_each_stage::run(context, n, made_on_use<F>{}, p...);
    }
};

struct single_task_stage {
    using threads = one_thread;
    static constexpr node_traits traits{.rule = "single", .size = &size_of_one_thread, .one_thread = true, .is_stage = true};
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class F, class... P>
    COGRAPH_HD static void run(Context const& context, F const& f, P const&... p) {
        context.once([&] { unwrap(f)(unwrap(p)...); });
    }
};

// How every context traverses elements and sums: tiles of 256 lanes take a chunk each. Lane l of chunk c takes the
// elements 256 c + l and, in order, every further stride, so that tiles that run at the same time access neighbouring
// memory. The lanes of a warp, then the warps of a tile, then the chunks' results are combined pairwise. All of it
// follows from n.
struct reduce_layout {
    static constexpr int lanes = 256;
    static constexpr int most_chunks = 512;

    int chunks = 1;

    COGRAPH_HD constexpr explicit reduce_layout(index_t n) {
        if (n > index_t{lanes} * most_chunks)
            chunks = most_chunks;
        else if (n > 0)
            chunks = static_cast<int>((n + lanes - 1) / lanes);
    }

    COGRAPH_HD constexpr index_t first(int chunk) const { return index_t{lanes} * chunk; }
    COGRAPH_HD constexpr index_t stride() const { return index_t{lanes} * chunks; }
};

// A ticket, then one partial result a chunk, aligned as the compiler takes it to be: for compute capability 10.0, nvcc reads and writes
// 32 bytes at once.
template <class T>
inline constexpr unsigned reduce_partials = alignof(T) > 16 ? alignof(T) : 16;
template <class T>
inline constexpr unsigned reduce_scratch = reduce_partials<T> + sizeof(T) * reduce_layout::most_chunks;

// Of a result: each of the 32 warps of a block keeps one in its shared memory, 48 kB, beside a few other bytes.
constexpr int most_result_bytes = (48 * 1024 - 16) / 32;

// As many blocks, of as many tiles as their share of the chunks needs, up to a limit.
constexpr launch_extent size_of_tiles(int chunks, int blocks, int most) {
    const int tiles = (chunks + blocks - 1) / blocks;
    return {blocks, static_cast<unsigned>(reduce_layout::lanes * (tiles < most ? tiles : most))};
}
// A tile for every chunk.
constexpr launch_extent size_over_chunks(const launch_request& asked) {
    const int chunks = reduce_layout(asked.elements).chunks;
    return size_of_tiles(chunks, (chunks + asked.most_tiles - 1) / asked.most_tiles, asked.most_tiles);
}

struct reduce_stage {
    using threads = a_tile_a_chunk;
    static constexpr node_traits traits{.rule = "per_chunk", .size = &size_over_chunks, .counts_elements = true, .reduces = true, .is_stage = true};

    // Whether a thread may need more registers than it has in a large block, for parameters P.
    template <class... P>
    static constexpr bool has_two_kernels = !(is_light<P> && ...);

    // The term of one element.
    template <class N, class F, class Op, class T, class... P>
    COGRAPH_HD static T term(index_t i, N const&, F const& f, Op const&, T const&, void*, reference<T> const&, P const&... p) {
        return unwrap(f)(i, at_element(p, i)...);
    }
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class Op, class T, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, Op const& op, T const& identity, void* scratch,
                               reference<T> out, P const&... p) {
        const auto of_element = [&](index_t i) -> T { return term(i, n, f, op, identity, scratch, out, p...); };
        context.reduce(static_cast<index_t>(n), identity, unwrap(op), of_element, scratch, out.at);
    }
};

template <class Stage, class... P>
struct stage_code {};

// The name of a library node: the stage's own, or that of its function object.
template <class K, class Stage>
constexpr lazy_name stage_name() {
    if constexpr (requires { Stage::name; })
        return Stage::name;
    else
        return {__PRETTY_FUNCTION__, 'K'};  // as type_name<K>() does, without one function for each node
}

// A library node. Domain is its first parameter if the stage counts elements; Key tells calls<Key> apart.
template <class Stage, class Key, class Domain, class... A>
struct stage_node {
    using self = stage_node;
    using children = list<>;
    using codes = list<stage_code<Stage, plain<typename A::parameter>...>>;
    using arguments = list<A...>;
    using kept_type = kept_pieces<kept_part_t<A>...>;
    static constexpr int leaves = 1;
    static constexpr node_spec tree{.kind = spec_kind::work,
                               .name = stage_name<Key, Stage>(),
                               .traits = &Stage::traits,
                               .arguments = arguments_of<A...>,
                               .argument_count = sizeof...(A),
                               .domain = Domain::describe,
                               .elements_a_thread = elements_of_thread(static_cast<typename Stage::threads*>(nullptr), Domain::describe, ((A::describe.near != nullptr) || ...)),
                               .identity = &identity_of_type<Key>,
                               .two_kernels = requires { requires Stage::template has_two_kernels<plain<typename A::parameter>...>; },
                               .in_box_order = requires { requires Stage::template is_in_box_order<plain<typename A::parameter>...>; }};
    record records[1];
    [[no_unique_address]] kept_type kept;
};

// The library's own nodes are named after their function, others after their function objects.
template <class Stage, class F>
word<Stage> named_stage(const stateless<Stage, F>*);
template <class Stage>
word<Stage> named_stage(const Stage*);
template <class Stage, class Key, class Domain, class... A>
constexpr auto word_of(const stage_node<Stage, Key, Domain, A...>*) {
    if constexpr (requires { Stage::name; })
        return decltype(named_stage(static_cast<const Stage*>(nullptr))){};
    else
        return word<Key>{};
}
template <class Stage, class Key, class Domain, class... A>
list<A...> operands_of(const stage_node<Stage, Key, Domain, A...>*);

}  // namespace cograph::core

#pragma GCC diagnostic pop
