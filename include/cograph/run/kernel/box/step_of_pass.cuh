// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/expr/box/near.hpp>
#include <cograph/plan/fusion/steps_in_a_pass.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

// The steps of a pass over memory, for kernels over boxes of two and of three dimensions.

// Elements around one in an array of 9 or 27, of which the compiler leaves out those that no one uses.
template <class T, int... Radius>
struct near_in_array {
    const T* own;
    box_place<sizeof...(Radius)> place;  // of the elements that the box has around it, one at each side
};
template <class T, int... Radius>
__device__ neighbours<T, Radius...> arrive(near_in_array<T, Radius...> const& p, box_place<sizeof...(Radius)> const&) {
    if constexpr (sizeof...(Radius) == 2)
        return {p.own, p.place, 3};
    else
        return {p.own, p.place, 9, 3};
}

// The compiler may not join operations of one step to those of another.
template <class T>
__device__ void keep_apart(T& value) {
    if constexpr (std::is_same_v<T, double>)
        asm volatile("" : "+d"(value));
    else if constexpr (std::is_same_v<T, float>)
        asm volatile("" : "+f"(value));
}

// A step for an element, whose neighbours and result are given.
template <class Step>
struct call_of_step;
template <class Stage, int... Place, int Read, class T, int... Radius, int Written, bool MayLookUp>
struct call_of_step<step_of_pass<Stage, std::integer_sequence<int, Place...>, Read, near_pointer<T, Radius...>, Written, MayLookUp>> {
    static constexpr bool may_look_up = MayLookUp;
    static constexpr int place[] = {Place...};
    static constexpr int memory_read = place[Read], memory_written = place[Written], first_side = Stage::traits.first_side;
    using element = std::remove_const_t<T>;
    using around = near_in_array<element, Radius...>;
    using around_in_memory = near_pointer<T, Radius...>;

    template <class At, class Given, class Around, class To>
    __device__ static void run(At const& at, Given const& given, Around const& near, To& to) {
        run_with(std::make_integer_sequence<int, sizeof...(Place)>{}, at, given, near, pointer_to_copy<To>{&to});
    }

private:
    template <int... I, class At, class Given, class Around, class To>
    __device__ static void run_with(std::integer_sequence<int, I...>, At const& at, Given const& given, Around const& near, To const& to) {
        Stage::at(at, argument<I>(given, near, to)...);
    }
    template <int I, class Given, class Around, class To>
    __device__ static decltype(auto) argument(Given const& given, Around const& near, To const& to) {
        if constexpr (I == Read)
            return (near);
        else if constexpr (I == Written)
            return (to);
        else
            return (parameter<place[I]>(given));
    }
};

// The arrays of a pass, and the sides of its box.
template <bool Keeps, class U, class Given, class... Step>
struct arrays_of_pass {
    static constexpr int steps = sizeof...(Step);
    template <int I>
    using call = call_of_step<typename pick_type<I, Step...>::type>;
    using T = typename call<0>::element;
    Given const& given;

    __device__ const T* from() const { return parameter<call<0>::memory_read>(given).at; }
    __device__ T* to() const { return parameter<call<steps - 1>::memory_written>(given).at; }
    __device__ U* kept() const {
        if constexpr (Keeps)
            return parameter<call<steps - 2>::memory_written>(given).at;
        else
            return nullptr;
    }
    template <int D>
    __device__ index_t side() const {
        return static_cast<index_t>(unwrap(parameter<call<0>::first_side + D>(given)));
    }
};

}  // namespace cograph::core
