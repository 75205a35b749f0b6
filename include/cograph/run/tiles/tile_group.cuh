// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/group_member.cuh>
#include <cograph/run/tiles/chip_memory.cuh>

namespace cograph::core {

// The parameters of a persistent kernel with tiles, and its variables on chip.
template <class... Steps>
struct tile_group;
template <class Pack, class Tiles>
struct pack_with_tiles {
    Pack const& pack;
    Tiles& tiles;
    template <class... Steps>
    __device__ void run(persistent_context const& context) const {
        tile_group<Steps...>::run(context, *this);
    }
};
template <int I, class Pack, class Tiles>
__device__ decltype(auto) parameter(pack_with_tiles<Pack, Tiles> const& p) {
    return parameter<I>(p.pack);
}

// The parameters as nodes get them for element R of a thread. Written: a bit for each variable that nodes of the phase write.
template <class Pack, class Tiles, int R, bool Inner, unsigned Written>
struct pack_of_tile {
    Pack const& pack;
    Tiles& tiles;
};
template <bool Inner, int R, class Memory, class T, int... Radius>
__device__ auto near_in(Memory const& memory, near_pointer<T, Radius...>) {
    return memory.template near<Inner, R, Radius...>();
}
template <bool IsNear, bool Inner, int R, bool Writes, class Tiles, class Memory, class P>
__device__ auto on_chip_parameter(Tiles& tiles, Memory& memory, P const& p) {
    if constexpr (IsNear)
        return near_in<Inner, R>(memory, p);
    else if constexpr (Writes)
        return memory.template element_to_write<R>();
    else
        return memory.template element_to_read<R>(tiles.tile);
}
template <int I, class Pack, class Tiles, int R, bool Inner, unsigned Written>
__device__ decltype(auto) parameter(pack_of_tile<Pack, Tiles, R, Inner, Written> const& p) {
    constexpr int k = Tiles::kept(I);
    if constexpr (k >= 0)
        return on_chip_parameter<Tiles::is_near(I), Inner, R, (Written >> (k < 0 ? 0 : k) & 1) != 0>(p.tiles, p.tiles.template memory<k>(), parameter<I>(p.pack));
    else
        return parameter<I>(p.pack);
}

// What a thread's elements give: if the order matters, those of the upper half of its rows and of the lower one.
template <class T>
struct sums_of_halves {
    T half[2];
    __device__ explicit sums_of_halves(T const& start) : half{start, start} {}
};
template <class Tiles, class T>
using sums_in_tile = choose<Tiles::in_order && !__is_empty(T), sums_of_halves<T>, T>;
template <int Half, class T>
__device__ T& part_of(T& sum) {
    return sum;
}
template <int Half, class T>
__device__ T& part_of(sums_of_halves<T>& sum) {
    return sum.half[Half];
}

// The parameters as nodes get them for a thread's element around the tile.
template <class Pack, class Tiles, unsigned Written>
struct pack_around_tile {
    Pack const& pack;
    Tiles& tiles;
};
template <bool Writes, class Memory>
__device__ auto parameter_around(Memory& memory) {
    using T = typename Memory::element;
    return pointer_to_copy<choose<Writes, T, const T>>{&memory.element_around_tile.value};
}
template <int I, class Pack, class Tiles, unsigned Written>
__device__ decltype(auto) parameter(pack_around_tile<Pack, Tiles, Written> const& p) {
    constexpr int k = Tiles::kept(I);
    if constexpr (k >= 0)
        return parameter_around<(Written >> (k < 0 ? 0 : k) & 1) != 0>(p.tiles.template memory<k>());
    else
        return parameter<I>(p.pack);
}

template <class P>
inline constexpr bool is_element_written = false;
template <class T>
inline constexpr bool is_element_written<element_pointer<T>> = !std::is_const_v<T>;

// Nodes over the elements of a tile: in phases, between which the threads of a block synchronize. If some reduce, a
// barrier follows.
template <class... Steps>
struct tile_group {
    using leader = typename pick_type<0, Steps...>::type;
    using numbers = std::make_integer_sequence<int, sizeof...(Steps)>;
    static constexpr int members = sizeof...(Steps);
    COGRAPH_HD static constexpr int phase_of(int member) {
        constexpr barrier before[] = {Steps::before...};
        int phase = 0;
        for (int i = 1; i <= member; ++i) phase += before[i] == barrier::block;
        return phase;
    }
    COGRAPH_HD static constexpr int reductions_before(int member) {
        constexpr bool reduces[] = {Steps::stage::traits.reduces...};
        int count = 0;
        for (int i = 0; i < member; ++i) count += reduces[i];
        return count;
    }
    static constexpr int reductions = reductions_before(members);
    static constexpr int phases = phase_of(members - 1) + 1;
    // Members after the last reduction, which run while its words are on their way if the order of terms matters. Then phases are in two halves, with
    // numbers from `phases` on.
    COGRAPH_HD static constexpr bool is_behind(int member) { return reductions > 0 && reductions_before(member) == reductions; }
    COGRAPH_HD static constexpr bool in_phase(int member, int phase) {
        return phase_of(member) == phase % phases && (phase < phases || is_behind(member) == (phase >= 2 * phases));
    }
    COGRAPH_HD static constexpr bool has_members(int phase) {
        bool has = false;
        for (int i = 0; i < members; ++i) has = has || in_phase(i, phase);
        return has;
    }

    // The result of its only reduction.
    template <class Pack>
    __device__ static auto& result(Pack const& pack) {
        return *parameter<term_of_reduction(numbers{}) + 4>(pack).at;
    }
    // That of the iteration before, if its word did not tell it.
    template <class Pack, class Tiles>
    __device__ static void join_earlier(persistent_context const& context, Pack const& pack, Tiles& tiles) {
        join_earlier(context, pack, tiles, numbers{});
    }
    template <class Pack, class Tiles>
    __device__ static void run(persistent_context const& context, pack_with_tiles<Pack, Tiles> const& with) {
        with.tiles.template order<leader::before>(context);
        if (with.tiles.template fetch<read_near<Tiles, -1>()>(context)) __syncthreads();
        run(context, with.pack, with.tiles, numbers{}, std::make_integer_sequence<int, phases>{});
    }

private:
    template <class Step, int I>
    using member = group_member<Step, reductions_before(I)>;

    template <int... I>
    COGRAPH_HD static constexpr int term_of_reduction(std::integer_sequence<int, I...>) {
        int at = 0;
        ((at += term_of<Steps, I>()), ...);
        return at;
    }
    template <class Step, int I>
    COGRAPH_HD static constexpr int term_of() {
        if constexpr (Step::stage::traits.reduces)
            return member<Step, I>::term_at;
        else
            return 0;
    }
    template <class Step, int I, class Pack, class Tiles, class Sum>
    __device__ static void join_later(persistent_context const& context, Pack const& pack, Tiles& tiles, Sum const& sum) {
        if constexpr (Step::stage::traits.reduces) {
            const bool told = member<Step, I>::join_words(pack, sum, [&](auto how, unsigned long long word) { return tiles.template join<decltype(how)::value>(context, word); });
            tiles.keep_sum(sum, told);
        }
    }
    template <class Pack, class Tiles, int... I>
    __device__ static void join_earlier(persistent_context const& context, Pack const& pack, Tiles& tiles, std::integer_sequence<int, I...>) {
        const int chunks = context.tiles;
        (leave_earlier<Steps, I>(context, pack, tiles), ...);
        __syncthreads();
        (member<Steps, I>::template gather<false>(context, 0, 0, chunks, context.tiles_of_block, pack), ...);
        context.barrier_all.wait();
        (member<Steps, I>::join(context, chunks, pack), ...);
        if (chunks > 1) __syncthreads();
        (member<Steps, I>::finish(context, chunks, pack), ...);
        ++context.round;
    }
    template <class Step, int I, class Pack, class Tiles>
    __device__ static void leave_earlier(persistent_context const& context, Pack const& pack, Tiles& tiles) {
        if constexpr (Step::stage::traits.reduces) member<Step, I>::leave(context, 0, pack, tiles.template earlier_sum<decltype(member<Step, I>::start(pack))>());
    }

    template <class Pack, class Tiles, int... I, int... Phase>
    __device__ static void run(persistent_context const& context, Pack const& pack, Tiles& tiles, std::integer_sequence<int, I...>, std::integer_sequence<int, Phase...>) {
        parameter_pack<numbers, sums_in_tile<Tiles, decltype(member<Steps, I>::start(pack))>...> sums(sums_in_tile<Tiles, decltype(member<Steps, I>::start(pack))>(member<Steps, I>::start(pack))...);
        if constexpr (reductions > 0 && Tiles::in_order) {
            (run_half<phases + Phase>(pack, tiles, sums, std::integer_sequence<int, I...>{}), ...);
            tiles.begin_meeting();
            (leave_in_order<Steps, I>(pack, tiles, sums), ...);
            __syncthreads();
            (member<Steps, I>::bring_in_order(pack, tiles), ...);
            (run_half<2 * phases + Phase>(pack, tiles, sums, std::integer_sequence<int, I...>{}), ...);
            (member<Steps, I>::meet_in_order(pack, tiles), ...);
            tiles.fetch_all(context);
            __syncthreads();
            (member<Steps, I>::finish_in_order(pack), ...);
            if constexpr (!Tiles::is_quiet) context.barrier_all.wait();  // orders writes to memory
        } else {
            if constexpr (Tiles::tile_type::is_large)
                run_together(pack, tiles, sums, std::integer_sequence<int, Phase...>{});
            else
                (run_phase<Phase>(pack, tiles, sums, std::integer_sequence<int, I...>{}), ...);
            join_sums(context, pack, tiles, sums, std::integer_sequence<int, I...>{});
        }
    }
    // The member with reduction J, or -1.
    COGRAPH_HD static constexpr int member_with(int reduction) {
        constexpr bool reduces[] = {Steps::stage::traits.reduces...};
        for (int i = 0; i < members && reduction >= 0; ++i)
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
    // Reductions that join alike leave their terms in pairs.
    template <class Step, int I, class Pack, class Tiles, class Sums>
    __device__ static void leave_in_order(Pack const& pack, Tiles& tiles, Sums& sums) {
        if constexpr (Step::stage::traits.reduces) {
            constexpr int j = reductions_before(I), other = member_with(j % 2 == 0 ? j + 1 : j - 1);
            if constexpr (!joins_alike<Pack, I, other>())
                member<Step, I>::leave_in_order(pack, tiles, own_parameter<I>(sums));
            else if constexpr (other > I)
                member<Step, I>::leave_two_in_order(pack, tiles, own_parameter<I>(sums), own_parameter<other>(sums));
        }
    }
    template <class Pack, class Tiles, class Sums, int... I>
    __device__ static void join_sums(persistent_context const& context, Pack const& pack, [[maybe_unused]] Tiles& tiles, [[maybe_unused]] Sums& sums, std::integer_sequence<int, I...>) {
        if constexpr (reductions == 1 && Tiles::runs_ahead) {
            (join_later<Steps, I>(context, pack, tiles, own_parameter<I>(sums)), ...);
            return;
        }
        if constexpr (reductions == 1 && Tiles::joins_words)
            if ((member<Steps, I>::join_words(pack, own_parameter<I>(sums), [&](auto how, unsigned long long word) { return tiles.template join<decltype(how)::value>(context, word); }) ||
                 ...))
                return;
        if constexpr (reductions > 0 && !(reductions == 1 && Tiles::runs_ahead)) {
            const int chunks = context.tiles;
            constexpr bool alone = reductions == 1 && !Tiles::joins_words;
            (member<Steps, I>::leave(context, 0, pack, own_parameter<I>(sums)), ...);
            __syncthreads();
            (member<Steps, I>::template gather<alone>(context, 0, 0, chunks, context.tiles_of_block, pack), ...);
            bool known = false;
            if constexpr (alone)
                known = (member<Steps, I>::exchange(context, pack) || ...);
            else
                context.barrier_all.wait();
            if (!known) {
                (member<Steps, I>::join(context, chunks, pack), ...);
                if (chunks > 1) __syncthreads();
                (member<Steps, I>::finish(context, chunks, pack), ...);
            }
            ++context.round;
        }
    }

    template <int Phase, class Pack, class Tiles, class Sums, int... I>
    __device__ static void run_half(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, I...> all) {
        if constexpr (has_members(Phase)) run_phase<Phase>(pack, tiles, sums, all);
    }
    template <int Phase, class Pack, class Tiles, class Sums, int... I>
    __device__ static void run_phase(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, I...>) {
        constexpr unsigned writes = written<Phase, Tiles, Pack>();
        if constexpr (Phase > 0 && Tiles::rank != 2) __syncthreads();  // of two dimensions, others read from another copy
        tiles.find_again();
        tiles.template begin<writes>();
        if (tiles.any) run_parts<Phase, writes>(pack, tiles, sums, std::make_integer_sequence<int, Tiles::few / Tiles::tile_type::some>{});
        if constexpr ((writes & Tiles::computed_around) != 0) {
            if (tiles.has_around) (compute_around<in_phase(I, Phase), Steps>(pack_around_tile<Pack, Tiles, writes>{pack, tiles}, std::make_integer_sequence<int, Steps::count>{}), ...);
            __syncwarp();
        }
        int good[Tiles::variables];
        if constexpr (Tiles::tile_type::ghost > 0) {
            tiles.get_good(good);
            (find_good<in_phase(I, Phase), Steps, Pack, Tiles>(good, std::make_integer_sequence<int, Steps::count>{}), ...);
        }
        tiles.template end<writes>(good);
    }
    // All phases for a row before the next row: what is written in one phase is kept only for its row.
    template <class Pack, class Tiles, class Sums, int... Phase>
    __device__ static void run_together(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Phase...> all) {
        constexpr unsigned writes = (written<Phase, Tiles, Pack>() | ...);
        tiles.find_again();
        tiles.template begin<writes>();
        __syncwarp();
        if (tiles.any) {
            using rows = std::make_integer_sequence<int, Tiles::tile_type::own_rows>;
            if (tiles.inner_parts & 1)
                run_rows_together<true, writes>(pack, tiles, sums, rows{}, all);
            else
                run_rows_together<false, writes>(pack, tiles, sums, rows{}, all);
        }
        const int good[Tiles::variables]{};
        tiles.template end<writes>(good);
    }
    template <bool Inner, unsigned Writes, class Pack, class Tiles, class Sums, int... Row, class Phases>
    __device__ static void run_rows_together(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Row...>, Phases phases) {
        auto& image = tiles.template memory<0>();
        constexpr int passing = std::remove_cvref_t<decltype(image)>::passing;
        const auto start = image.here(tiles.tile);
        __syncwarp();
        (run_row_if<(Row < passing), Inner, Writes, Row>(pack, tiles, sums, phases), ...);
#pragma unroll(reductions > 0 ? 1 : 2)  // terms of reductions need registers
        for (int row = image.passing_rows(tiles.tile); row > 0; --row) {
            __syncwarp();
            run_row_together<Inner, Writes, passing>(pack, tiles, sums, phases);
            image.step_down(tiles.tile);
        }
        __syncwarp();
        image.leave_passing(tiles.tile);
        (run_row_if<(Row > passing), Inner, Writes, Row>(pack, tiles, sums, phases), ...);
        image.go_back(tiles.tile, start);
    }
    template <bool Now, bool Inner, unsigned Writes, int Row, class Pack, class Tiles, class Sums, class Phases>
    __device__ static void run_row_if(Pack const& pack, Tiles& tiles, Sums& sums, Phases phases) {
        if constexpr (Now) run_row_together<Inner, Writes, Row>(pack, tiles, sums, phases);
    }
    template <bool Inner, unsigned Writes, int Row, class Pack, class Tiles, class Sums, int... Phase>
    __device__ static void run_row_together(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Phase...>) {
        constexpr int columns = Tiles::tile_type::own_columns;
        constexpr unsigned near = read_near<Tiles, -1>();
        tiles.template hold<near, Row>();
        tiles.template load<~near, Row>();
        (run_elements<Phase, Inner, written<Phase, Tiles, Pack>(), Row * columns>(pack, tiles, sums, std::make_integer_sequence<int, columns>{}), ...);
        tiles.template leave<Writes, Row>();
    }
    template <bool Now, class Step, class Pack, class Tiles, unsigned Written, int... P>
    __device__ static void compute_around([[maybe_unused]] pack_around_tile<Pack, Tiles, Written> const& element, std::integer_sequence<int, P...> all) {
        if constexpr (Now && (written_by_step<Step, Tiles, Pack>(all) & Tiles::computed_around) != 0)
            Step::stage::at(element.tiles.place_around(), parameter<Step::first + P>(element)...);
    }
    // A step's results are right as far around the tile as all that it reads.
    template <bool Now, class Step, class Pack, class Tiles, int... P>
    __device__ static void find_good(int (&good)[Tiles::variables], std::integer_sequence<int, P...>) {
        if constexpr (Now) {
            int least = Tiles::tile_type::ghost;
            const auto reads = [&](int parameter) {
                const int k = Tiles::kept(parameter);
                if (k < 0 || Tiles::overwrites(parameter)) return;
                const int far = good[k] - (Tiles::is_near(parameter) ? Tiles::reads_away(k) : 0);
                if (far < least) least = far;
            };
            (reads(Step::first + P), ...);
            ((Tiles::kept(Step::first + P) >= 0 && is_element_written<parameter_type<Step::first + P, Pack>> ? void(good[Tiles::kept(Step::first + P)] = least) : void()), ...);
        }
    }
    template <int Phase, unsigned Written, class Pack, class Tiles, class Sums, int... Part>
    __device__ static void run_parts(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Part...>) {
        (run_part<Phase, Written, Part>(pack, tiles, sums), ...);
    }
    template <int Phase, unsigned Written, int Part, class Pack, class Tiles, class Sums>
    __device__ static void run_part(Pack const& pack, Tiles& tiles, Sums& sums) {
        if constexpr (Tiles::rank == 3)
            if (!tiles.tile.has_part(Part)) return;
        if (tiles.inner_parts >> Part & 1)
            run_part<Phase, true, Written, Part>(pack, tiles, sums);
        else
            run_part<Phase, false, Written, Part>(pack, tiles, sums);
    }
    template <int Phase, bool Inner, unsigned Written, int Part, class Pack, class Tiles, class Sums>
    __device__ static void run_part(Pack const& pack, Tiles& tiles, Sums& sums) {
        using tile = typename Tiles::tile_type;
        __syncwarp();  // for the compiler, which else doubts that all of the warp are here
        if constexpr (Tiles::rank != 2)
            run_elements<Phase, Inner, Written, Part * tile::some>(pack, tiles, sums, std::make_integer_sequence<int, tile::some>{});
        else
            run_rows<Phase, Inner, Written>(pack, tiles, sums, std::make_integer_sequence<int, tile::own_rows>{});
    }
    template <int Phase, bool Inner, unsigned Written, class Pack, class Tiles, class Sums, int... Row>
    __device__ static void run_rows(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, Row...>) {
        constexpr int columns = Tiles::tile_type::own_columns;
        ((tiles.template hold<read_near<Tiles, Phase>(), Row>(),
          run_elements<Phase, Inner, Written, Row * columns>(pack, tiles, sums, std::make_integer_sequence<int, columns>{})),
         ...);
    }
    // At an edge, the loads of all come before the tests whether the elements exist: the compiler may not move these reads after a branch.
    template <int Phase, bool Inner, unsigned Written, int First, class Pack, class Tiles, class Sums, int... R>
    __device__ static void run_elements(Pack const& pack, Tiles& tiles, Sums& sums, std::integer_sequence<int, R...> elements) {
        const parameter_pack<decltype(elements), decltype(parameters_in_phase<Phase>(pack_of_tile<Pack, Tiles, First + R, Inner, Written>{pack, tiles}, numbers{}))...> parameters(
            parameters_in_phase<Phase>(pack_of_tile<Pack, Tiles, First + R, Inner, Written>{pack, tiles}, numbers{})...);
        if constexpr (!Inner && Tiles::rank == 1) asm volatile("" ::: "memory");
        using tile = typename Tiles::tile_type;
        constexpr bool all = Inner || tile::ghost > 0 || tile::is_large, all_count = tile::ghost == 0 && (Inner || !tile::is_large);
        (run_element<Phase, (First + R) / (Tiles::few / 2)>(all || tiles.tile.exists(First + R), all_count || tiles.tile.is_of_tile(First + R), place_of<!Inner && tile::is_large>(tiles.tile, First + R), pack, parameter<R>(parameters), sums, numbers{}), ...);
        if constexpr (Tiles::rank == 1) asm volatile("" ::: "memory");
    }
    template <bool Clamps, class Tile>
    __device__ static auto place_of(Tile const& tile, int e) {
        if constexpr (Clamps)
            return tile.template place<true>(e);
        else
            return tile.place(e);
    }
    // The parameters of all nodes of a phase, for one element.
    template <int Phase, class Element, int... I>
    __device__ static auto parameters_in_phase(Element const& element, std::integer_sequence<int, I...>) {
        return parameter_pack<numbers, decltype(parameters_of_step<in_phase(I, Phase), Steps>(element, std::make_integer_sequence<int, Steps::count>{}))...>(
            parameters_of_step<in_phase(I, Phase), Steps>(element, std::make_integer_sequence<int, Steps::count>{})...);
    }
    struct no_parameters {};
    template <bool Now, class Step, class Element, int... P>
    __device__ static auto parameters_of_step(Element const& element, std::integer_sequence<int, P...> all) {
        if constexpr (Now)
            return parameter_pack<decltype(all), std::remove_cvref_t<decltype(parameter<Step::first + P>(element))>...>(parameter<Step::first + P>(element)...);
        else
            return no_parameters{};
    }
    template <int Phase, int Half, class Place, class Pack, class Parameters, class Sums, int... I>
    __device__ static void run_element(bool is_there, bool counts, Place const& place, Pack const& pack, Parameters const& parameters, Sums& sums, std::integer_sequence<int, I...>) {
        if (is_there) (call<in_phase(I, Phase), Half, Steps>(counts, place, pack, parameter<I>(parameters), own_parameter<I>(sums), std::make_integer_sequence<int, Steps::count>{}), ...);
    }
    template <bool Now, int Half, class Step, class Place, class Pack, class Parameters, class Sum, int... P>
    __device__ static void call([[maybe_unused]] bool counts, Place const& place, Pack const& pack, Parameters const& parameters, Sum& sum, std::integer_sequence<int, P...>) {
        if constexpr (Now && Step::stage::traits.reduces) {
            auto& part = part_of<Half>(sum);
            const auto term = static_cast<std::remove_reference_t<decltype(part)>>(Step::stage::term(place, parameter<P>(parameters)...));
            if (counts) part = unwrap(parameter<Step::first + 2>(pack))(part, term);
        } else if constexpr (Now)
            Step::stage::at(place, parameter<P>(parameters)...);
    }

    // A bit for each variable on chip that nodes of a phase write, and whose neighbours nodes of the group read.
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
    template <class Tiles, int Phase>  // of a phase, or of all (-1)
    COGRAPH_HD static constexpr unsigned read_near() {
        unsigned bits = 0;
        int member_number = 0;
        ((bits |= Phase < 0 || in_phase(member_number++, Phase) ? read_by_step<Tiles>(Steps::first, Steps::count) : 0u), ...);
        return bits;
    }
    template <class Tiles>
    COGRAPH_HD static constexpr unsigned read_by_step(int first, int count) {
        unsigned bits = 0;
        for (int p = first; p < first + count; ++p)
            if (Tiles::kept(p) >= 0 && Tiles::is_near(p)) bits |= 1u << Tiles::kept(p);
        return bits;
    }
};

}  // namespace cograph::core
