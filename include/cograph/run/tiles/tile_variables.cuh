// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/tiles/chip_memory.cuh>

namespace cograph::core {

// The variable to which one passes its elements, row by row; -1: it does not.
template <class Memory>
inline constexpr int passed_to = [] {
    if constexpr (requires { Memory::passed_to; })
        return Memory::passed_to;
    else
        return -1;
}();

// Whether it is an image of a large tile.
template <class Memory>
inline constexpr bool rows_pass = requires(Memory m) { m.move_up(); };

// The tile of a block, and the variables that it has on chip. Kept: by parameter of the kernel, the variable that it leads to, and whether it overwrites
// that one (number_on_chip). Near: by parameter, whether nodes get neighbours from it. Memory: the variables.
template <class Tile, class Kept, class Near, class... Memory>
class tile_variables;
template <class Tile, int... Kept, bool... Near, class... Memory>
class tile_variables<Tile, std::integer_sequence<int, Kept...>, std::integer_sequence<bool, Near...>, Memory...> {
public:
    using tile_type = Tile;
    static constexpr int elements_a_thread = Tile::elements_a_thread, rank = Tile::rank;
    static constexpr bool in_order = Tile::in_order;
    static constexpr int variables = sizeof...(Memory);
    using numbers = std::make_integer_sequence<int, variables>;

    // The variable on chip that parameter i is, or -1.
    COGRAPH_HD static constexpr int kept(int i) {
        constexpr int all[] = {Kept..., -1};
        return all[i] < 0 ? -1 : all[i] % number_of_second / 2;
    }
    COGRAPH_HD static constexpr bool overwrites(int i) {
        constexpr int all[] = {Kept..., -1};
        return all[i] >= 0 && all[i] % 2 == 1;
    }
    // Of two variables that take turns: whether it is the second.
    COGRAPH_HD static constexpr bool is_second(int i) {
        constexpr int all[] = {Kept..., -1};
        return all[i] >= number_of_second;
    }
    static constexpr bool takes_turns = ((Kept >= number_of_second) || ...);
    // Whether variables last for a row only.
    static constexpr bool passes_rows = ((passed_to<Memory> >= 0) || ...);
    COGRAPH_HD static constexpr bool is_near(int i) {
        constexpr bool all[] = {Near..., false};
        return all[i];
    }
    // How far away nodes read elements of variable k.
    COGRAPH_HD static constexpr int reads_away(int k) {
        constexpr int all[] = {reads_of<Memory>()...};
        return all[k];
    }
    // A bit for each variable whose halo blocks compute.
    static constexpr unsigned computed_halos = [] {
        unsigned bits = 0, bit = 1;
        ((bits |= computes_halo<Memory> ? bit : 0u, bit <<= 1), ...);
        return bits;
    }();

    Tile tile;
    // A warp decides how it runs parts of its elements.
    const unsigned inner_parts;
    const bool any;
    // The thread's element of the halo, if it has one.
    bool has_halo = false;
    int halo_row, halo_column;

    __device__ explicit tile_variables(box_sides const& box)
        : tile(box, largest_radius<1>() > largest_radius<2>() ? largest_radius<1>() : largest_radius<2>()), inner_parts(tile.inner_parts({largest_radius<1>(), largest_radius<2>(), largest_radius<0>()})), any(__any_sync(~0u, tile.any())) {}

    template <int K>
    __device__ auto& memory() {
        return own_parameter<K>(all_);
    }
    __device__ box_place<2> halo_place() const { return {index_t{halo_row} * tile.columns + halo_column, {halo_row, halo_column}, {tile.rows, tile.columns}}; }

    // In each phase of a group: before it and after it. Bits: of the variables that it writes.
    __device__ void find_again() {
        tile.find_again();
        each<~0u>([](auto& variable) { variable.find_again(); });
    }
    template <unsigned Bits>
    __device__ void begin_phase() {
        each<Bits>([&](auto& variable) { variable.begin(tile); });
    }
    // Good: how far around the tile each variable is right then.
    template <unsigned Bits>
    __device__ void end_phase(const int (&good)[variables]) {
        end_phase<Bits>(good, numbers{});
    }
    __device__ void get_good(int (&good)[variables]) { get_good(good, numbers{}); }

    // Before row Row of the thread's elements: what it needs of variables whose neighbours are read, and of others.
    template <unsigned Bits, int Row>
    __device__ void hold() {
        each<Bits>([&](auto& variable) {
            if constexpr (Tile::is_large)
                variable.template hold<Row>(tile);
            else
                variable.template hold<Row>();
        });
    }
    // A variable that a copy passes on begins each row with elements of the image, so that it does not last longer. So does the second variable of a large tile.
    template <unsigned Bits, int Row>
    __device__ void load() {
        each<Bits>([&](auto& variable) {
            if constexpr (requires { variable.template load<Row>(tile); })
                variable.template load<Row>(tile);
            else if constexpr (constexpr int image = passed_to<std::remove_reference_t<decltype(variable)>>; image >= 0)
                variable.template begin_row<Row>(memory<image>());
            else if constexpr (Tile::is_large) {
#pragma unroll
                for (int c = 0; c < Tile::own_columns; ++c) variable.own[Row * Tile::own_columns + c].fill(memory<0>().own[Row * Tile::own_columns + c].value);
            }
        });
    }
    // And after it.
    template <unsigned Bits, int Row>
    __device__ void leave() {
        each<Bits>([&](auto& variable) {
            if constexpr (requires { variable.template leave<Row>(tile); }) variable.template leave<Row>(tile);
        });
    }

    // The variables whose rows pass, in large tiles.
    static constexpr int images_in_turn = (0 + ... + rows_pass<Memory>);
    template <class F>
    __device__ void each_in_turn(F f) {
        each<~0u>([&](auto& variable) {
            if constexpr (rows_pass<std::remove_reference_t<decltype(variable)>>) f(variable);
        });
    }

    // The elements of halos that other blocks have written. True if threads of this block have to synchronize before they read them.
    template <unsigned Bits>
    __device__ bool fetch(auto const& context) {
        return fetch<Bits>(context, numbers{});
    }
    // The same of all variables, while the first warp waits for words.
    __device__ void fetch_beside_words(auto const& context) {
        each<~0u>([&](auto& variable) {
            if constexpr (requires { variable.template fetch<true>(tile, context); })
                variable.template fetch<true>(tile, context);
            else
                fetch_variable<true>(context, variable);
        });
    }

protected:
    // Borders: the memory through which blocks exchange elements. Gives the bytes of shared memory that the variables take.
    template <int... K, class... T>
    __device__ int fill(std::integer_sequence<int, K...>, char* borders, T*... memory_of) {
        int shared = 0;
        (begin_variable(memory<K>(), memory_of, shared, borders), ...);
        find_halo();
        (memory<K>().fill(tile), ...);
        return shared;
    }
    // FirstHasAll: the second of two variables has the elements of the first.
    template <bool FirstHasAll>
    __device__ void write_back() {
        write_back<FirstHasAll>(numbers{});
        each<~0u>([&](auto& variable) {
            if constexpr (requires { variable.clear(tile); }) variable.clear(tile);
        });
    }

private:
    template <unsigned Bits, class F>
    __device__ void each(F f) {
        each<Bits>(numbers{}, f);
    }
    template <unsigned Bits, int... K, class F>
    __device__ void each(std::integer_sequence<int, K...>, F f) {
        (of_variable<(Bits >> K & 1) != 0>(memory<K>(), f), ...);
    }
    template <bool Now, class M, class F>
    __device__ static void of_variable(M& variable, F f) {
        if constexpr (Now) f(variable);
    }

    template <class M>
    __device__ void begin_variable(M& variable, typename M::element* memory_of, int& shared, char*& borders) {
        variable.memory = memory_of;
        variable.changed = false;
        if constexpr (requires { variable.shared_bytes(tile); }) {
            variable.place(tile, shared, borders);
            shared += variable.shared_bytes(tile);
            borders += (2 * most_tile_blocks * M::border_elements * tile_border::exchanged_bytes(rank, sizeof(typename M::element)) + 255) / 256 * 256;
        }
    }
    __device__ void find_halo() {
        if constexpr (computed_halos != 0) each<~0u>([&](auto& variable) {
            if constexpr (requires { variable.find_halo(tile); }) {
                const index_t number = variable.find_halo(tile).number;
                has_halo = number >= 0;
                halo_row = static_cast<int>(number / tile.columns);
                halo_column = static_cast<int>(number % tile.columns);
            }
        });
    }
    template <bool FirstHasAll, int... K>
    __device__ void write_back(std::integer_sequence<int, K...>) {
        (write_back_variable<FirstHasAll, K>(), ...);
    }
    // If the first has all, the second need not last from one group of nodes to the next; in large tiles it is not kept. Others are only read, and of any type.
    template <bool FirstHasAll, int K>
    __device__ void write_back_variable() {
        auto& variable = memory<K>();
        if constexpr (constexpr int image = passed_to<std::remove_reference_t<decltype(variable)>>; image >= 0) {
            if (variable.changed) memory<image>().write_back_to(tile, variable.memory);
        } else if constexpr (!FirstHasAll || K == 0)
            variable.write_back(tile);
        else if constexpr (K == 1)
            if (variable.changed) memory<0>().write_back_to(tile, variable.memory);
    }

    template <unsigned Bits, int... K>
    __device__ void end_phase(const int (&good)[variables], std::integer_sequence<int, K...>) {
        (end_of_variable<(Bits >> K & 1) != 0>(memory<K>(), good[K]), ...);
    }
    template <bool Now, class M>
    __device__ void end_of_variable(M& variable, int good) {
        if constexpr (Now) variable.end(tile, good);
    }
    template <int... K>
    __device__ void get_good(int (&good)[variables], std::integer_sequence<int, K...>) {
        ((good[K] = memory<K>().good), ...);
    }
    template <unsigned Bits, int... K>
    __device__ bool fetch(auto const& context, std::integer_sequence<int, K...>) {
        bool any = false;
        ((any = fetch_variable<(Bits >> K & 1) != 0>(context, memory<K>()) || any), ...);
        return any;
    }
    template <bool Now, class M>
    __device__ bool fetch_variable(auto const& context, M& variable) {
        if constexpr (Now && requires { variable.fetch(tile, context); })
            return variable.fetch(tile, context);
        else
            return false;
    }

    template <class M>
    COGRAPH_HD static constexpr int reads_of() {
        if constexpr (requires { M::reads_away; })
            return M::reads_away;
        else
            return 0;
    }
    template <int Dimension>  // of planes, rows and columns
    COGRAPH_HD static constexpr int largest_radius() {
        int most = 0;
        ((most = radius<Dimension, Memory>() > most ? radius<Dimension, Memory>() : most), ...);
        return most;
    }
    template <int Dimension, class M>
    COGRAPH_HD static constexpr int radius() {
        if constexpr (requires { M::radius; })
            return Dimension == 0 ? M::radius.planes : Dimension == 1 ? M::radius.rows : M::radius.columns;
        else
            return 0;
    }

    template <class Numbers>
    struct table;
    template <int... K>
    struct table<std::integer_sequence<int, K...>> : numbered<K, Memory>... {};
    table<numbers> all_;
};

}  // namespace cograph::core
