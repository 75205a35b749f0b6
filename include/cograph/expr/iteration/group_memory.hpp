// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/group_nodes.hpp>
#include <cograph/expr/core/heap_array.hpp>
#include <cograph/expr/formula/host_value.hpp>
#include <cograph/expr/iteration/first_nodes.hpp>
#include <cograph/expr/refused/iteration/group_memory.hpp>

#include <cstring>

namespace cograph::core {

// Shared memory of groups of threads, which a node asks for: its function object gets a pointer to that of its group, after the number of the element.

// Bytes of elements for a group; groups follow one another in a block.
constexpr unsigned group_memory_alignment = 16;
COGRAPH_HD constexpr unsigned bytes_of_group(index_t count, unsigned size) {
    return count <= 0 ? 0 : (static_cast<unsigned>(count) * size + group_memory_alignment - 1) / group_memory_alignment * group_memory_alignment;
}

// In the shared memory of a block or, on the host, in memory for one group at a time. There its bytes are no numbers before they are written.
#ifdef __CUDACC__
__device__ inline unsigned char* shared_memory_of_groups() {
    extern __shared__ uint4 cograph_shared_memory_of_groups[];
    return reinterpret_cast<unsigned char*>(cograph_shared_memory_of_groups);
}
__device__ inline unsigned groups_with_memory(unsigned groups, unsigned bytes) {
    unsigned all;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(all));
    return groups * bytes <= all ? groups : all / bytes;
}
#endif
inline void* memory_of_host_group(unsigned bytes) {
    thread_local heap_memory memory;
    thread_local unsigned size = 0;
    if (bytes > size || size == 0) {
        memory = heap_memory(bytes / group_memory_alignment + 1, group_memory_alignment);
        size = bytes;
    }
    std::memset(memory.get(), 0xff, bytes);
    return memory.get();
}

// Says how many elements, in the type P of a parameter.
template <int Size, class T, class P>
struct group_memory {
    P count;

    COGRAPH_HD constexpr unsigned bytes() const { return bytes_of_group(static_cast<index_t>(count), sizeof(T)); }
};
template <int Size, class T, class P>
COGRAPH_HD T* at_element(group_memory<Size, T, P> const& memory, index_t) {
#ifdef __CUDA_ARCH__
    return reinterpret_cast<T*>(shared_memory_of_groups() + threadIdx.x / Size * memory.bytes());
#else
    return static_cast<T*>(memory_of_host_group(memory.bytes()));
#endif
}

// The argument that says it, N.
template <int Size, class T, class N>
struct group_memory_argument {
    using parameter = group_memory<Size, T, typename N::parameter>;
    static constexpr argument make() {
        argument made = N::describe;
        made.of_shared_memory = sizeof(T);
        return made;
    }
    static constexpr argument describe = make();
};
// Its variable, or those of its formula, in sentences.
template <int Size, class T, class N>
auto variable_of(const group_memory_argument<Size, T, N>*) -> decltype(variable_of(static_cast<const N*>(nullptr)));
template <int Size, class T, class N>
auto parts_of(const group_memory_argument<Size, T, N>*) -> decltype(parts_of(static_cast<const N*>(nullptr)));
template <int Size, class T, class N>
struct kept_part<group_memory_argument<Size, T, N>> : kept_part<N> {};
template <int Size, class T, class N>
struct call_value<group_memory_argument<Size, T, N>> {
    using type = T*;
};

// Numbers are kept as index_t, and formulas give one.
template <class N>
struct number_of_elements : as_argument<N> {};
template <class N>
    requires std::is_integral_v<N>
struct number_of_elements<N> {
    using type = given<index_t>;
};
template <class Operation, class... T>
    requires is_host_formula<formula<Operation, T...>>
struct number_of_elements<formula<Operation, T...>> {
    using type = host_value_t<index_t, formula<Operation, T...>>;
};

template <int Size>
struct group_stage_with_memory : group_stage<Size> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class F, class Memory, class... P>
    COGRAPH_HD static void run(Context const& context, N n, F const& f, Memory const& memory, P const&... p) {
        const thread_group<Size> group;
        const auto call = [&](index_t i) { group_stage<Size>::at(group, i, n, f, memory, p...); };
        if constexpr (requires { context.before_barrier; })
            group_stage<Size>::run_in_parts(context, group, static_cast<index_t>(n), memory.bytes(), f, memory, p...);
        else if constexpr (requires { context.each_of_groups(group, static_cast<index_t>(n), call, 0u); })
            context.each_of_groups(group, static_cast<index_t>(n), call, memory.bytes());
        else
            context.each(static_cast<index_t>(n), call);
    }
};
template <int Size, class F>
struct stateless<group_stage_with_memory<Size>, F> : stateless<group_stage<Size>, F> {
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class N, class... P>
    COGRAPH_HD static void run(Context const& context, N const& n, P const&... p) {
        group_stage_with_memory<Size>::run(context, n, made_on_use<F>{}, p...);
    }
};

template <int Size, class Shape, class T, class N, class F>
class group_memory_builder {
public:
    constexpr group_memory_builder(record at, F f, N n) : where(at), function(f), count(n) {}

    template <class... A>
    constexpr auto operator()(A... arguments) const {
        using stage = group_stage_with_memory<Size>;
        using memory = group_memory_argument<Size, T, typename number_of_elements<N>::type>;
        if constexpr (takes_small_extents<F, 3, A...>)
            return with_small_extents<F, 3>(*this, arguments...);
        else if constexpr (is_stateless<F>)
            return over_shape<stateless<stage, F>>(static_cast<const Shape*>(nullptr), list<memory, as_argument_t<A>...>{}, count, arguments...);
        else
            return over_shape<stage>(static_cast<const Shape*>(nullptr), list<given<F>, memory, as_argument_t<A>...>{}, function, count, arguments...);
    }

    // Refused calls.
    template <class... A>
        requires(!group_memory_call<Shape, T, N, F, Size, as_argument_t<A>...>)
    auto operator()(A...) const -> decltype(mistake_of<struct group_node, Shape, F, A...>(diagnose_group_memory<Shape, T, N, F, Size, as_argument_t<A>...>()));

private:
    record where;
    F function;
    N count;

    template <class Stage, class Any, class... A, class... V>
    constexpr auto over_shape(const Any*, list<A...>, V const&... values) const {
        using domain = typename Shape::domain;
        return make_stage<Stage, F, domain>(list<domain, A...>{}, where, 0, values...);
    }
    template <class Stage, class Whole, class Length, class... A, class... V>
    constexpr auto over_shape(const first_shape<Whole, Length>*, list<A...> rest, V const&... values) const {
        return make_stage<first_of<Stage>, F, typename Shape::domain>(first_arguments<Shape, Length>{} + rest, where, 0, Length{}, 0, values...);
    }
};

// f(group, i, memory, arguments...) for every i in the shape: for_each(over(rows).group<128>().shared<float>(n), f)(in(A), out(y[each])). The memory is the
// group's, n elements, and holds nothing when f begins.
template <class Shape, int Size, class T, class N, class F>
constexpr group_memory_builder<Size, Shape, T, N, F> for_each(shape_with_memory<group_shape<Shape, Size>, T, N> shape, F f, const char* file = __builtin_FILE(),
                                                              unsigned line = __builtin_LINE()) {
    return {{nullptr, file, line, values_of(shape)}, f, shape.count};
}

}  // namespace cograph::core
