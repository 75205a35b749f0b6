// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/argument.hpp>
#include <cograph/plan/persistent/register_copies.hpp>

#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace cograph::core {

// The parameters of a kernel by number.
template <int I, class T>
struct numbered {
    using type = T;
    T value;
};
template <class Numbers, class... T>
struct parameter_pack;
template <int... I, class... T>
struct parameter_pack<std::integer_sequence<int, I...>, T...> : numbered<I, T>... {
    __device__ explicit parameter_pack(T const&... values) : numbered<I, T>{values}... {}
};
template <int I, class T>
__device__ T const& parameter(numbered<I, T> const& p) {
    return p.value;
}

template <int I, class T>
__device__ T& own_parameter(numbered<I, T>& p) {
    return p.value;
}

// The parameters of a persistent kernel, and what they refer to (register_copies.hpp). parameter<I> is that of the I-th argument of its nodes.
// The parameters are no base: the compiler would look through all of them in every call of parameter<I>.
template <class Slot, class Place, class... P>
struct program_pack;
template <int... Slot, int... Place, class... P>
struct program_pack<std::integer_sequence<int, Slot...>, std::integer_sequence<int, Place...>, P...> {
    using by_number = parameter_pack<std::make_integer_sequence<int, sizeof...(P)>, P...>;
    by_number all;
    __device__ explicit program_pack(P const&... values) : all(values...) {}

    static constexpr int place[sizeof...(Place) + 1] = {Place..., -1};
    static constexpr int slot[sizeof...(P) + 1] = {Slot..., nothing_copied};  // by parameter
    COGRAPH_HD static constexpr int slot_of(int argument) { return slot[place[argument]]; }
    // An argument that leads to the elements of a copy; if there is none, -1.
    COGRAPH_HD static constexpr int leads_to(int copy) {
        for (int i = 0; i < static_cast<int>(sizeof...(Place)); ++i)
            if (copy_numbered(slot_of(i)) == copy) return i;
        return -1;
    }
    static constexpr int copies() {
        int count = 0;
        while (leads_to(count) >= 0) ++count;
        return count;
    }

    // The first parameter with a number; if there is none, -1.
    COGRAPH_HD static constexpr int numbered_as(int number) {
        for (int i = 0; i < static_cast<int>(sizeof...(P)); ++i)
            if (slot[i] == number) return i;
        return -1;
    }
    // Whether threads with several elements keep some, and those with one leave them in memory at the end alone.
    static constexpr bool keeps = (is_kept(Slot) || ...);

    // How many numbers sets of swapped buffers have: no more than one after the last that is in use.
    COGRAPH_HD static constexpr int sets() {
        int count = 0;
        for (int number : slot)
            if (number <= first_exchanged && (first_exchanged - number) / (most_in_set + 1) >= count) count = (first_exchanged - number) / (most_in_set + 1) + 1;
        return count;
    }
    COGRAPH_HD static constexpr int members(int set) {
        int count = 0;
        while (numbered_as(number_of_exchanged(set, count)) >= 0) ++count;
        return count;
    }
};
// Pack is not told apart from others by its many arguments, which would be found for each parameter.
template <int I, class Pack>
    requires requires { Pack::place; }
__device__ decltype(auto) parameter(Pack const& p) {
    return parameter<Pack::place[I]>(p.all);
}

// The same for a program that is to be compiled in less time: no code for elements beside that for pairs of them, which takes up to 4 % longer.
template <class Pack>
struct compact_pack : Pack {
    using Pack::Pack;
};
template <class Pack>
inline constexpr bool is_compact = false;
template <class Pack>
inline constexpr bool is_compact<compact_pack<Pack>> = true;

// The same for threads that have more than one element, nearly always: another kernel has those with one. Its reductions have no code of their own for few chunks:
// that took registers, and loads waited for additions. Conjugate gradients over 2048^2 took 3 % longer.
template <class Pack>
struct pack_of_many : Pack {
    using Pack::Pack;
};
template <class Pack>
inline constexpr bool is_of_many = false;
template <class Pack>
inline constexpr bool is_of_many<pack_of_many<Pack>> = true;

// The same for blocks of a whole grid that send results to each other, and need no barriers. InPairs: each of two chunks.
template <class Pack, bool InPairs>
struct sending_pack : Pack {
    using Pack::Pack;
};

template <int I, class T>
numbered<I, T> find_parameter(numbered<I, T> const&);
template <int I, class Pack>
using parameter_type = typename decltype(find_parameter<Pack::place[I]>(std::declval<typename Pack::by_number const&>()))::type;

// Copies of one element of each variable that has some; nothing, until they are filled.
template <class T>
union copy_of_element {
    T value;
    __device__ copy_of_element() {}
    __device__ void fill(const T& from) { ::new (static_cast<void*>(&value)) T(from); }
    __device__ void write_back(T& to) const {
        if constexpr (std::is_copy_assignable_v<T>)
            to = value;
        else
            memcpy(&to, &value, sizeof(T));
    }
};
template <class Pack, class Numbers = std::make_integer_sequence<int, Pack::copies()>>
struct element_copies;
template <class Pack, int... C>
struct element_copies<Pack, std::integer_sequence<int, C...>>
    : numbered<C, copy_of_element<std::remove_cvref_t<decltype(*parameter<Pack::leads_to(C)>(std::declval<Pack const&>()).at)>>>... {};

// The arguments of nodes that lead to copies, in order.
template <class Pack, class... Steps>
struct find_copied_arguments {
    static constexpr int most = (0 + ... + Steps::count);
    struct found {
        int number[most + 1]{};
        int count = 0;
        constexpr void add(int first, int many) {
            for (int i = first; i < first + many; ++i)
                if (copy_numbered(Pack::slot_of(i)) >= 0) number[count++] = i;
        }
        constexpr found() { (add(Steps::first, Steps::count), ...); }
    };
    static constexpr found all{};
    template <int... I>
    static std::integer_sequence<int, all.number[I]...> numbers(std::integer_sequence<int, I...>);
};
template <class Pack, class... Steps>
using copied_arguments = decltype(find_copied_arguments<Pack, Steps...>::numbers(std::make_integer_sequence<int, find_copied_arguments<Pack, Steps...>::all.count>{}));

// The part of memory that a parameter can write.
enum class written : unsigned char { nothing, copied, elsewhere };
template <class P, int Slot>
inline constexpr written written_by = written::nothing;
template <class T, int Slot>
inline constexpr written written_by<T*, Slot> = std::is_const_v<T> || std::is_void_v<T> ? written::nothing : written::elsewhere;
template <class T, int Slot>
inline constexpr written written_by<element_pointer<T>, Slot> =
    std::is_const_v<T> ? written::nothing : copy_numbered(Slot) >= 0 ? written::copied : written::elsewhere;

// Of such arguments one for each copy: the first of the program, so that groups of nodes share functions; and for each that nodes write one of those that do.
template <class Pack, int... Argument>
struct find_one_of_copy {
    struct found {
        int number[sizeof...(Argument) + 1]{};
        int count = 0;
        constexpr void add(int argument) {
            for (int k = 0; k < count; ++k)
                if (copy_numbered(Pack::slot_of(number[k])) == copy_numbered(Pack::slot_of(argument))) return;
            number[count++] = argument;
        }
    };
    static constexpr found read = [] {
        found all;
        (all.add(Pack::leads_to(copy_numbered(Pack::slot_of(Argument)))), ...);
        return all;
    }();
    static constexpr found changed = [] {
        found all;
        ((written_by<parameter_type<Argument, Pack>, Pack::slot_of(Argument)> == written::copied ? all.add(Argument) : void()), ...);
        return all;
    }();
    template <int... I>
    static std::integer_sequence<int, read.number[I]...> numbers_read(std::integer_sequence<int, I...>);
    template <int... I>
    static std::integer_sequence<int, changed.number[I]...> numbers_written(std::integer_sequence<int, I...>);
};
template <class Pack, int... Argument>
find_one_of_copy<Pack, Argument...> one_of_copy(std::integer_sequence<int, Argument...>);
template <class Pack, class... Steps>
using arguments_of_copies = decltype(one_of_copy<Pack>(copied_arguments<Pack, Steps...>{}));
template <class Pack, class... Steps>
using read_arguments = decltype(arguments_of_copies<Pack, Steps...>::numbers_read(std::make_integer_sequence<int, arguments_of_copies<Pack, Steps...>::read.count>{}));
template <class Pack, class... Steps>
using written_arguments = decltype(arguments_of_copies<Pack, Steps...>::numbers_written(std::make_integer_sequence<int, arguments_of_copies<Pack, Steps...>::changed.count>{}));

// A parameter that leads to a copy.
template <class T>
struct pointer_to_copy {
    T* at;
};
template <class T>
COGRAPH_HD constexpr T& at_element(pointer_to_copy<T> p, index_t) {
    return *p.at;
}

// The parameters as nodes get them for one element, whose copies stand for it.
template <class Pack>
struct pack_of_element {
    Pack const& pack;
    element_copies<Pack>& copies;

    template <int I>
    static constexpr int copy = copy_numbered(Pack::slot_of(I));

    // From memory and back. OnlyFilled: what has to be read before a loop begins.
    template <int I, bool OnlyFilled>
    __device__ void fill(index_t i) const {
        if constexpr (copy<I> >= 0 && (!OnlyFilled || is_filled(Pack::slot_of(I)))) own_parameter<copy<I>>(copies).fill(parameter<I>(pack).at[i]);
    }
    template <int I>
    __device__ void write_back(index_t i) const {
        if constexpr (written_by<parameter_type<I, Pack>, Pack::slot_of(I)> == written::copied)
            own_parameter<copy<I>>(copies).write_back(parameter<I>(pack).at[i]);
    }
};
template <int I, class Pack>
__device__ decltype(auto) parameter(pack_of_element<Pack> const& p) {
    constexpr int copy = pack_of_element<Pack>::template copy<I>;
    if constexpr (copy >= 0)
        return pointer_to_copy<std::remove_pointer_t<decltype(parameter_type<I, Pack>::at)>>{&own_parameter<copy>(p.copies).value};
    else
        return parameter<Pack::place[I]>(p.pack.all);
}
template <class Pack>
inline constexpr bool sends_results = false;
template <class Pack, bool InPairs>
inline constexpr bool sends_results<pack_of_element<sending_pack<Pack, InPairs>>> = true;
template <class Pack>
inline constexpr bool sends_in_pairs = false;
template <class Pack>
inline constexpr bool sends_in_pairs<pack_of_element<sending_pack<Pack, true>>> = true;

}  // namespace cograph::core
