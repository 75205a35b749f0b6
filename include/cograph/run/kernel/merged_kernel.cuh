// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/control/order.hpp>
#include <cograph/plan/lowering/kernel_merging.hpp>
#include <cograph/run/launch/kernel_table.cuh>

namespace cograph::core {

// A part of a kernel of several nodes: runs on its parameters, from First on; for a condition, on its handle and
// those. Returns whether this thread goes on with the next part.
template <class Stage, int First, class Numbers>
struct stage_part;
template <class Stage, int First, int... I>
struct stage_part<Stage, First, std::integer_sequence<int, I...>> {
    template <class Pack>
    __device__ static bool run(Pack const& pack) {
        bool goes_on = true;
        Stage::run(last_block_context{goes_on}, parameter<First + I>(pack)...);
        return goes_on;
    }
};
template <class Condition, int First, class Numbers>
struct condition_part;
template <class Condition, int First, int... I>
struct condition_part<Condition, First, std::integer_sequence<int, I...>> {
    template <class Pack>
    __device__ static bool run(Pack const& pack) {
        cudaGraphSetConditional(parameter<First>(pack), setting<Condition>(Condition::of(parameter<First + 1 + I>(pack)...)));
        return true;
    }
};

// The nodes of merging.hpp: one thread, of a reduction one of the block that ends last, runs all but the first.
template <class... Part>
struct parts {};
template <int Threads, class Parts, class... P>
__global__ void __launch_bounds__(Threads) merged_kernel(P... p) {
    const parameter_pack<std::make_integer_sequence<int, sizeof...(P)>, P...> pack(p...);
    const auto run = [&]<class... Part>(parts<Part...>) { static_cast<void>((Part::run(pack) && ...)); };
    run(Parts{});
}

// The kernel of some codes, one after another.
template <class Parts, class Parameters, class... Code>
struct merged_codes;
template <class Parts, class... P>
struct merged_codes<Parts, list<std::type_identity<P>...>> {
    template <int Threads>
    static constexpr auto kernel = &merged_kernel<Threads, Parts, plain<P>...>;
};
template <class... Part, class... P, class Stage, class... Q, class... Code>
struct merged_codes<parts<Part...>, list<std::type_identity<P>...>, stage_code<Stage, Q...>, Code...>
    : merged_codes<parts<Part..., stage_part<Stage, sizeof...(P), std::make_integer_sequence<int, sizeof...(Q)>>>, list<std::type_identity<P>..., std::type_identity<Q>...>, Code...> {};
template <class... Part, class... P, class Condition, class... Q, class... Code>
struct merged_codes<parts<Part...>, list<std::type_identity<P>...>, condition_code<Condition, Q...>, Code...>
    : merged_codes<parts<Part..., condition_part<Condition, sizeof...(P), std::make_integer_sequence<int, sizeof...(Q)>>>,
                   list<std::type_identity<P>..., std::type_identity<cudaGraphConditionalHandle>, std::type_identity<Q>...>, Code...> {};

// How many codes an expression has: its own, then those of its children.
template <class Codes, class Children>
inline constexpr int code_count = 0;
template <class... Code, class... E>
inline constexpr int code_count<list<Code...>, list<E...>> = sizeof...(Code) + (0 + ... + code_count<typename E::codes, typename E::children>);

// The one with a number.
template <int Code, class E>
constexpr auto code_at(word<E>);
template <int Code, class... E>
constexpr auto code_among(list<E...> children) {
    constexpr int counts[] = {code_count<typename E::codes, typename E::children>..., 0};
    constexpr int child = child_with(Code, counts);
    return code_at<Code - sum_of(counts, child)>(word_at<child>(children));
}
template <int Code, class E>
constexpr auto code_at(word<E>) {
    constexpr int own = code_count<typename E::codes, list<>>;
    if constexpr (Code < own)
        return word_at<Code>(typename E::codes{});
    else
        return code_among<Code - own>(typename E::children{});
}
template <class Code>
Code code_in(word<Code>);
template <class E, int Row>
using code_of_node = decltype(code_in(code_at<plan_of<E>::view.nodes[Row].code>(word<E>{})));

// The merged kernels of E, in the order of their heads: of those codes, or of their replacements. A head of two
// kernels leads two.
template <class Code>
using same_code = Code;
template <class E, template <class> class InPlaceOf = same_code>
struct merged_kernels {
    static constexpr int node_at(int k, int part) {
        int r = merged_of<E>::nodes.heads[k];
        while (part-- > 0) r = merged_of<E>::nodes.next[r];
        return r;
    }
    static constexpr int nodes_of(int k) {
        int count = 0;
        for (int r = merged_of<E>::nodes.heads[k]; r >= 0; r = merged_of<E>::nodes.next[r]) ++count;
        return count;
    }
    static constexpr int threads_of(int k, int reducing) {
        const plan_node& head = plan_of<E>::view.nodes[node_at(k, 0)];
        if (head.kind == plan_node_kind::condition || head.from->traits->one_thread) return warp_lanes;
        return head.from->two_kernels ? reducing : persistent_threads;
    }
    template <int K, int Threads, int... I>
    static constexpr auto kernel(std::integer_sequence<int, I...>) {
        return merged_codes<parts<>, list<>, InPlaceOf<code_of_node<E, node_at(K, I)>>...>::template kernel<Threads>;
    }
    template <int K, int Reducing>
    static constexpr auto of = kernel<K, threads_of(K, Reducing)>(std::make_integer_sequence<int, nodes_of(K)>{});
    template <int... K>
    static const kernel_pair* table(std::integer_sequence<int, K...>) {
        static const kernel_pair all[] = {{(const void*)of<K, persistent_threads>, (const void*)of<K, small_block>}..., {nullptr, nullptr}};
        return all;
    }
    static const kernel_pair* all() { return table(std::make_integer_sequence<int, merged_of<E>::nodes.count>{}); }
};

// The data of a materialization for them; nothing if nodes stay kernels.
struct merged_tables {
    const int* head = nullptr;
    const int* next = nullptr;
    const int* heads = nullptr;
    const kernel_pair* kernels = nullptr;

    bool is_part(int r) const { return head && head[r] >= 0; }
    const kernel_pair* kernels_led_by(int head_node) const {
        int k = 0;
        while (heads[k] != head_node) ++k;
        return &kernels[k];
    }
};
template <class E, template <class> class InPlaceOf = same_code>
merged_tables merged_tables_of() {
#if defined(__CUDA_ARCH__)
    merged_kernels<E, InPlaceOf>::all();
    return {};
#else
    constexpr const auto& nodes = merged_of<E>::nodes;
    return {nodes.head, nodes.next, nodes.heads, merged_kernels<E, InPlaceOf>::all()};
#endif
}

}  // namespace cograph::core
