// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/order.hpp>
#include <cograph/plan/deciding.hpp>
#include <cograph/run/code.cuh>

namespace cograph::core {

// A part of a kernel that also decides: what runs on Count of its parameters, from First on.
template <class Stage, int First, int Count>
struct stage_part {
    template <class Pack>
    __device__ static bool run(cudaGraphConditionalHandle, Pack const& pack) {
        return call(pack, std::make_integer_sequence<int, Count>{});
    }

private:
    template <class Pack, int... I>
    __device__ static bool call(Pack const& pack, std::integer_sequence<int, I...>) {
        bool goes_on = true;
        Stage::run(last_block_context{goes_on}, parameter<First + I>(pack)...);
        return goes_on;
    }
};
template <class Condition, int First, int Count>
struct condition_part {
    template <class Pack>
    __device__ static bool run(cudaGraphConditionalHandle handle, Pack const& pack) {
        return call(handle, pack, std::make_integer_sequence<int, Count>{});
    }

private:
    template <class Pack, int... I>
    __device__ static bool call(cudaGraphConditionalHandle handle, Pack const& pack, std::integer_sequence<int, I...>) {
        cudaGraphSetConditional(handle, setting<Condition>(Condition::of(parameter<First + I>(pack)...)));
        return true;
    }
};

// A reduction or a node of one thread, others of one thread behind it, and the condition: one thread of the block that ends
// last runs all but the first.
template <class... Part>
struct parts {};
template <class Parts, class... P>
__global__ void __launch_bounds__(persistent_threads) deciding_kernel(cudaGraphConditionalHandle handle, P... p) {
    const parameter_pack<std::make_integer_sequence<int, sizeof...(P)>, P...> pack(p...);
    const auto run = [&]<class... Part>(parts<Part...>) { static_cast<void>((Part::run(handle, pack) && ...)); };
    run(Parts{});
}

// The kernel of some codes, one after another.
template <class Parts, class Parameters, class... Code>
struct joined_codes;
template <class... Part, class... P, class Stage, class... Q, class... Code>
struct joined_codes<parts<Part...>, list<std::type_identity<P>...>, stage_code<Stage, Q...>, Code...>
    : joined_codes<parts<Part..., stage_part<Stage, sizeof...(P), sizeof...(Q)>>, list<std::type_identity<P>..., std::type_identity<Q>...>, Code...> {};
template <class... Part, class... P, class Condition, class... Q>
struct joined_codes<parts<Part...>, list<std::type_identity<P>...>, condition_code<Condition, Q...>> {
    static constexpr auto kernel =
        &deciding_kernel<parts<Part..., condition_part<Condition, sizeof...(P), sizeof...(Q)>>, plain<P>..., plain<Q>...>;
};

// The code of a row of E: a condition behind a pass of a loop is the second of its loop's.
template <class Code>
Code code_in(list<Code>, std::false_type);
template <class First, class Second>
First code_in(list<First, Second>, std::false_type);
template <class First, class Second>
Second code_in(list<First, Second>, std::true_type);
template <class N>
typename N::codes codes_in(word<N>);
template <class E, int Row>
struct code_of_row {
    static constexpr int leaf = plan_of<E>::view.rows[Row].leaf;
    static constexpr bool again = is_second_condition(plan_of<E>::view, Row);
    using type = decltype(code_in(decltype(codes_in(node_at<leaf>(word<E>{}))){}, std::bool_constant<again>{}));
};

// The kernels of E that also decide, in the order in which deciding_rows finds them.
template <class E>
struct deciding_kernels {
    static constexpr int first_of(int k) { return deciding_of<E>::rows.first[deciding_of<E>::rows.conditions[k]]; }
    static constexpr int rows_of(int k) { return deciding_of<E>::rows.conditions[k] - first_of(k) + 1; }
    template <int K, int... I>
    static constexpr auto kernel(std::integer_sequence<int, I...>) {
        return joined_codes<parts<>, list<>, typename code_of_row<E, first_of(K) + I>::type...>::kernel;
    }
    template <int K>
    static constexpr auto of = kernel<K>(std::make_integer_sequence<int, rows_of(K)>{});
    template <int... K>
    static const void* const* table(std::integer_sequence<int, K...>) {
        static const void* const all[] = {(const void*)of<K>..., nullptr};
        return all;
    }
    static const void* const* all() { return table(std::make_integer_sequence<int, deciding_of<E>::rows.count>{}); }
};

// What a materialization needs of them; nothing, where nodes stay kernels.
struct deciding_tables {
    const int* into = nullptr;   // by row: the condition that it is a part of, or -1
    const int* first = nullptr;  // by condition: its first row
    const int* conditions = nullptr;
    const void* const* kernels = nullptr;
    int count = 0;

    bool is_part(int r) const { return into && into[r] >= 0; }
    const void* kernel_of(int condition) const {
        int k = 0;
        while (conditions[k] != condition) ++k;
        return kernels[k];
    }
};
template <class E>
deciding_tables deciding_tables_of() {
#if defined(__CUDA_ARCH__)
    deciding_kernels<E>::all();
    return {};
#else
    constexpr const auto& rows = deciding_of<E>::rows;
    return {rows.into, rows.first, rows.conditions, deciding_kernels<E>::all(), rows.count};
#endif
}

}  // namespace cograph::core
