// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/persistent/persistent_kernel.cuh>
#include <cograph/run/tiles/tile_group.cuh>

namespace cograph::core {

// All that a kernel with tiles has on chip.
template <class Tile, class Kept, class Near, class... Memory>
class tiles_on_chip;
template <class Tile, int... Kept, bool... Near, class... Memory>
class tiles_on_chip<Tile, std::integer_sequence<int, Kept...>, std::integer_sequence<bool, Near...>, Memory...> {
public:
    static constexpr int few = Tile::few;
    // Of parameter I, the variable on chip, or -1.
    COGRAPH_HD static constexpr int kept(int i) {
        constexpr int all[] = {Kept..., -1};
        return all[i];
    }
    COGRAPH_HD static constexpr bool is_near(int i) {
        constexpr bool all[] = {Near..., false};
        return all[i];
    }

    Tile tile;
    // Elements that are run together; more would need too many registers. A warp decides what it does with them.
    static constexpr int some = few < 4 ? few : 4;
    const unsigned inner_parts;
    const bool any;

    __device__ tiles_on_chip(int rows, int columns) : tile(rows, columns), inner_parts(tile.template inner_parts<some>(most_rows(), most_columns())), any(__any_sync(~0u, tile.mine > 0)) {}

    template <int K>
    __device__ auto& memory() {
        return own_parameter<K>(all_);
    }
    // Flags: a number for each block, followed by the borders of each variable in shared memory.
    template <int... K, class... T>
    __device__ void begin(std::integer_sequence<int, K...>, char* flags, T*... memory_of) {
        int shared = 0;
        flags_ = reinterpret_cast<unsigned*>(flags);
        char* borders = flags + tile_flag_bytes;
        (begin_variable(memory<K>(), memory_of, shared, borders), ...);
        (memory<K>().fill(tile), ...);
        __syncthreads();
    }
    template <int... K>
    __device__ void end(persistent_context const& context, std::integer_sequence<int, K...>) {
        context.barrier_all.wait();  // until then others may read the initial contents, and flags
        if (threadIdx.x == 0) *flag_of(tile.number) = 0;
        (memory<K>().write_back(tile), ...);
    }

    template <barrier B>
    __device__ void order(persistent_context const& context) {
        if constexpr (B == barrier::block) __syncthreads();
        if constexpr (B == barrier::neighbours) wait_for_neighbours(context);
        if constexpr (B == barrier::grid) context.barrier_all.wait();
    }
    template <unsigned Bits>
    __device__ bool fetch() {
        return fetch<Bits>(numbers{});
    }
    __device__ void find_again() {
        tile.find_again();
        each<~0u>(numbers{}, [](auto& memory) { memory.find_again(); });
    }
    template <unsigned Bits>
    __device__ void begin() {
        each<Bits>(numbers{}, [&](auto& memory) { memory.begin(tile); });
    }
    template <unsigned Bits>
    __device__ void end() {
        each<Bits>(numbers{}, [&](auto& memory) { memory.end(tile); });
    }

private:
    using numbers = std::make_integer_sequence<int, sizeof...(Memory)>;

    template <class M>
    __device__ void begin_variable(M& variable, typename M::element* memory_of, int& shared, char*& borders) {
        variable.memory = memory_of;
        variable.changed = false;
        if constexpr (requires { variable.image(); }) {
            variable.place(tile, shared, borders);
            shared += tile.shape.bytes(M::around.rows, M::around.columns, sizeof(typename M::element));
            borders += (2 * most_tile_blocks * M::border_elements * sizeof(typename M::element) + 255) / 256 * 256;
        }
    }
    template <unsigned Bits, int... K>
    __device__ bool fetch(std::integer_sequence<int, K...>) {
        bool any = false;
        ((any = fetch_variable<(Bits >> K & 1) != 0>(memory<K>()) || any), ...);
        return any;
    }
    template <bool Now, class M>
    __device__ bool fetch_variable(M& variable) {
        if constexpr (Now)
            return variable.fetch(tile);
        else
            return false;
    }
    template <unsigned Bits, int... K, class F>
    __device__ void each(std::integer_sequence<int, K...>, F f) {
        (of_variable<(Bits >> K & 1) != 0>(memory<K>(), f), ...);
    }
    template <bool Now, class M, class F>
    __device__ static void of_variable(M& variable, F f) {
        if constexpr (Now) f(variable);
    }

    __device__ unsigned* flag_of(int block) const { return flags_ + 16 * block; }
    // Waits until the blocks whose tiles are next to this one have reached such a barrier equally often. Earlier
    // writes of one are seen by the others.
    __device__ void wait_for_neighbours(persistent_context const& context) {
        if (context.barrier_all.shares_memory()) {
            context.barrier_all.wait();
            return;
        }
        ++epoch_;
        __syncthreads();
        if (threadIdx.x == 0) asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag_of(tile.number)), "r"(epoch_) : "memory");
        if (threadIdx.x < 9) {
            const int block = tile.next(static_cast<int>(threadIdx.x) / 3 - 1, static_cast<int>(threadIdx.x) % 3 - 1);
            unsigned seen = epoch_;
            if (block >= 0) do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag_of(block)) : "memory");
            } while (static_cast<int>(seen - epoch_) < 0);
        }
        __syncthreads();
    }

    COGRAPH_HD static constexpr int most_rows() {
        int most = 0;
        ((most = rows_around<Memory>() > most ? rows_around<Memory>() : most), ...);
        return most;
    }
    COGRAPH_HD static constexpr int most_columns() {
        int most = 0;
        ((most = columns_around<Memory>() > most ? columns_around<Memory>() : most), ...);
        return most;
    }
    template <class M>
    COGRAPH_HD static constexpr int rows_around() {
        if constexpr (requires { M::around; })
            return M::around.rows;
        else
            return 0;
    }
    template <class M>
    COGRAPH_HD static constexpr int columns_around() {
        if constexpr (requires { M::around; })
            return M::around.columns;
        else
            return 0;
    }

    template <class Numbers>
    struct table;
    template <int... K>
    struct table<std::integer_sequence<int, K...>> : numbered<K, Memory>... {};
    table<numbers> all_;
    unsigned* flags_ = nullptr;
    unsigned epoch_ = 0;
};

template <class P>
inline constexpr bool is_near_parameter = false;
template <class T, int... Radius>
inline constexpr bool is_near_parameter<near_pointer<T, Radius...>> = true;

template <class P>
using element_of_parameter = std::remove_cvref_t<decltype(*std::declval<P>().at)>;

// A whole loop as one kernel whose blocks have a tile each, of a box of rows and columns; of a row if it has one
// dimension.
template <class Code, int Few>
struct tiled_run;
template <class Plain, class Program, int Rank, int Sides, unsigned Own, class Kept, int... First, class... Variable, int Few>
struct tiled_run<tiled_code<Plain, Program, Rank, Sides, Own, Kept, std::integer_sequence<int, First...>, Variable...>, Few> {
    using variables = std::make_integer_sequence<int, sizeof...(Variable)>;
    using tile = tile_of_block<Rank, Few>;

    template <int... Slot, int... Source, bool... Stored, int... Scalar, class... P>
    __device__ static void run(char* memory, std::integer_sequence<int, Slot...>, std::integer_sequence<int, Source...>, std::integer_sequence<bool, Stored...>,
                               std::integer_sequence<int, Scalar...> scalars, P const&... p) {
        using numbers = std::make_integer_sequence<int, sizeof...(P)>;
        const parameter_pack<numbers, P...> given(p...);
        [[maybe_unused]] parameter_pack<decltype(scalars), scalar_of<decltype(parameter<Source>(given))>...> copies(*parameter<Source>(given).at...);
        using local_pack = program_pack<std::integer_sequence<int, Slot...>, numbers, kept_parameter<P>...>;
        const local_pack local(local_parameter<Slot>(p, copies)...);
        using on_chip = tiles_on_chip<tile, Kept, std::integer_sequence<bool, is_near_parameter<P>...>, chip_memory<element_of_parameter<decltype(parameter<First>(given))>, Variable, tile>...>;

        kernel_barrier all(reinterpret_cast<barrier_memory*>(memory));
        unsigned iteration = 0;
        bool overflows = false;
        const persistent_context context{all, memory + persistent_meeting_bytes, iteration, overflows};
        if (context.leads()) parameter<0>(given).clear();
        const int first_side = static_cast<int>(static_cast<index_t>(unwrap(parameter<Sides>(given))));
        on_chip tiles(Rank == 1 ? 1 : first_side, Rank == 1 ? first_side : static_cast<int>(static_cast<index_t>(unwrap(parameter<Sides + (Rank > 1)>(given)))));
        tiles.begin(variables{}, memory + Own, const_cast<element_of_parameter<decltype(parameter<First>(given))>*>(parameter<First>(given).at)...);
        run_step<Program>::run(context, pack_with_tiles<local_pack, on_chip>{local, tiles});
        tiles.end(context, variables{});
        if (context.leads()) store_counts<kept_parameter<P>...>(local);
        if (all.leaves_last() && threadIdx.x == 0) (store_scalar<Stored>(parameter<Source>(given), parameter<Scalar>(copies)), ...);
    }
};

template <class Code, int Few, class Slot, class Source, class Stored, class... P>
__global__ void __launch_bounds__(most_tile_threads(Few), 1) tile_kernel(void* memory, P... p) {
    tiled_run<Code, Few>::run(static_cast<char*>(memory), Slot{}, Source{}, Stored{}, std::make_integer_sequence<int, length_of<Source>>{}, p...);
}

// The kernels of a loop that may have tiles: without them, and with few elements a thread or more.
template <class Code>
struct kernels_with_tiles;
template <class Program, class Slot, class Place, class Source, class Stored, class... P, class Tiled, int Rank, int Sides, unsigned Own, class Kept, class First, class... Variable>
struct kernels_with_tiles<tiled_code<persistent_code<Program, Slot, Place, Source, Stored, P...>, Tiled, Rank, Sides, Own, Kept, First, Variable...>> {
    using plain = persistent_code<Program, Slot, Place, Source, Stored, P...>;
    using code = tiled_code<plain, Tiled, Rank, Sides, Own, Kept, First, Variable...>;
    static kernel_choice all() {
        const kernel_pair any{(const void*)sized_kernel<plain, persistent_threads>, (const void*)sized_kernel<plain, small_block>};
        return {any, any, {(const void*)&tile_kernel<code, most_tile_elements_a_thread, Slot, Source, Stored, P...>, (const void*)&tile_kernel<code, few_tile_elements, Slot, Source, Stored, P...>}};
    }
};

}  // namespace cograph::core
