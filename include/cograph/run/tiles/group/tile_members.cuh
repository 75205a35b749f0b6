// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/group/tile_member.cuh>

#include <type_traits>
#include <utility>

namespace cograph::core {

// Whether a parameter is an element that a node writes.
template <class P>
inline constexpr bool is_element_written = false;
template <class T>
inline constexpr bool is_element_written<element_pointer<T>> = !std::is_const_v<T>;

// The members of a group of nodes over the elements of a tile, in phases, between which the threads of a block synchronize.
template <class... Steps>
struct tile_members {
    static constexpr int count = sizeof...(Steps);
    using numbers = std::make_integer_sequence<int, count>;
    // The phase of a member, and how many of those before it reduce.
    COGRAPH_HD static constexpr int phase_of(int member) {
        constexpr barrier before[] = {Steps::before...};
        int phase = 0;
        for (int i = 1; i <= member; ++i) phase += before[i] == barrier::block;
        return phase;
    }
    COGRAPH_HD static constexpr int reductions_before(int member) {
        constexpr bool reduces[] = {Steps::stage::traits.reduces...};
        int before = 0;
        for (int i = 0; i < member; ++i) before += reduces[i];
        return before;
    }
    static constexpr int reductions = reductions_before(count);
    static constexpr int phases = phase_of(count - 1) + 1;
    // If the order of terms matters, members behind the last reduction run while its words are on their way. Then a phase has two halves: its number plus
    // `phases`, and plus twice as many.
    COGRAPH_HD static constexpr bool is_behind(int member) { return reductions > 0 && reductions_before(member) == reductions; }
    COGRAPH_HD static constexpr bool in_phase(int member, int phase) {
        return phase_of(member) == phase % phases && (phase < phases || is_behind(member) == (phase >= 2 * phases));
    }
    COGRAPH_HD static constexpr bool has_members(int phase) {
        bool has = false;
        for (int i = 0; i < count; ++i) has = has || in_phase(i, phase);
        return has;
    }

    template <class Step, int I>
    using member = tile_member<Step, reductions_before(I)>;

    // The member with reduction J, or -1.
    COGRAPH_HD static constexpr int member_with(int reduction) {
        constexpr bool reduces[] = {Steps::stage::traits.reduces...};
        for (int i = 0; i < count && reduction >= 0; ++i)
            if (reduces[i] && reductions_before(i) == reduction) return i;
        return -1;
    }
    // Whether member I joins by the same operation as member Other, and without an object.
    template <class Pack, int I, int Other>
    COGRAPH_HD static constexpr bool joins_alike() {
        if constexpr (Other < 0)
            return false;
        else {
            using one = member<typename pick_type<I, Steps...>::type, I>;
            using two = member<typename pick_type<Other, Steps...>::type, Other>;
            using operation = typename one::template operation_of<Pack>;
            return std::is_same_v<decltype(one::start(std::declval<Pack const&>())), decltype(two::start(std::declval<Pack const&>()))> &&
                   std::is_same_v<operation, typename two::template operation_of<Pack>> && std::is_empty_v<std::remove_cvref_t<operation>>;
        }
    }

    // A bit for each variable on chip that members of a phase write.
    template <int Phase, class Tiles, class Pack>
    COGRAPH_HD static constexpr unsigned written() {
        unsigned bits = 0;
        int member_number = 0;
        ((bits |= in_phase(member_number++, Phase) ? written_by_step<Steps, Tiles, Pack>(std::make_integer_sequence<int, Steps::count>{}) : 0u), ...);
        return bits;
    }
    template <class Step, class Tiles, class Pack, int... P>
    COGRAPH_HD static constexpr unsigned written_by_step(std::integer_sequence<int, P...>) {
        return (0u | ... | (Tiles::kept(Step::first + P) >= 0 && is_element_written<parameter_type<Step::first + P, Pack>> ? 1u << Tiles::kept(Step::first + P) : 0u));
    }
    // Of two variables that take turns: whether members write the second; and whether they read it first.
    template <class Tiles, class Pack>
    COGRAPH_HD static constexpr bool writes_second() {
        return (touches_second<true, Steps, Tiles, Pack>(std::make_integer_sequence<int, Steps::count>{}) || ...);
    }
    template <class Tiles, class Pack>
    COGRAPH_HD static constexpr bool begins_with_second() {
        constexpr bool writes = ((written_by_step<Steps, Tiles, Pack>(std::make_integer_sequence<int, Steps::count>{}) != 0) || ...);
        return writes ? !writes_second<Tiles, Pack>() : (touches_second<false, Steps, Tiles, Pack>(std::make_integer_sequence<int, Steps::count>{}) || ...);
    }
    template <bool Writes, class Step, class Tiles, class Pack, int... P>
    COGRAPH_HD static constexpr bool touches_second(std::integer_sequence<int, P...>) {
        return ((Tiles::is_second(Step::first + P) && is_element_written<parameter_type<Step::first + P, Pack>> == Writes) || ...);
    }
    // A bit for each variable on chip whose neighbours members of a phase read; of all phases if it is -1.
    template <class Tiles, int Phase>
    COGRAPH_HD static constexpr unsigned read_near() {
        unsigned bits = 0;
        int member_number = 0;
        ((bits |= Phase < 0 || in_phase(member_number++, Phase) ? read_by_step<Tiles>(Steps::first, Steps::count) : 0u), ...);
        return bits;
    }
    template <class Tiles>
    COGRAPH_HD static constexpr unsigned read_by_step(int first, int parameters) {
        unsigned bits = 0;
        for (int p = first; p < first + parameters; ++p)
            if (Tiles::kept(p) >= 0 && Tiles::is_near(p)) bits |= 1u << Tiles::kept(p);
        return bits;
    }
};

}  // namespace cograph::core
