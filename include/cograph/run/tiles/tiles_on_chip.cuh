// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/persistent/word_join.hpp>
#include <cograph/run/kernel/parameter_pack.cuh>
#include <cograph/run/persistent/grid_barrier.cuh>
#include <cograph/run/tiles/tile_group.cuh>

namespace cograph::core {

// All that a kernel with tiles has on chip.
template <class Tile, int Way, class Kept, class Near, class... Memory>
class tiles_on_chip;
template <class Tile, int Way, int... Kept, bool... Near, class... Memory>
class tiles_on_chip<Tile, Way, std::integer_sequence<int, Kept...>, std::integer_sequence<bool, Near...>, Memory...> {
public:
    using tile_type = Tile;
    static constexpr int few = Tile::few, rank = Tile::rank;
    // Whether reductions need no barrier that orders writes to memory.
    static constexpr bool is_quiet = (Way & tiles_are_quiet) != 0, joins_words = rank == 2 && is_quiet;
    static constexpr bool in_order = Tile::in_order;
    static constexpr int tables = in_order ? Way / tables_of_words : 1;
    // Whether blocks run an iteration before they know that it should run.
    static constexpr bool saves_first_alone = (Way & tiles_may_be_large) != 0;
    static constexpr bool runs_ahead = joins_words && (Way & tiles_may_run_ahead) != 0 && !Tile::is_large && (few <= most_few_in_tile || (saves_first_alone && Tile::ghost == 0));
    // The variable on chip that parameter i is, or -1.
    COGRAPH_HD static constexpr int kept(int i) {
        constexpr int all[] = {Kept..., -1};
        return all[i] < 0 ? -1 : all[i] / 2;
    }
    COGRAPH_HD static constexpr bool overwrites(int i) {
        constexpr int all[] = {Kept..., -1};
        return all[i] >= 0 && all[i] % 2 == 1;
    }
    // How far away nodes read elements of a variable on chip.
    static constexpr int variables = sizeof...(Memory);
    COGRAPH_HD static constexpr int reads_away(int k) {
        constexpr int all[] = {reads_of<Memory>()...};
        return all[k];
    }
    COGRAPH_HD static constexpr bool is_near(int i) {
        constexpr bool all[] = {Near..., false};
        return all[i];
    }

    // A bit for each variable that blocks compute around their tiles.
    static constexpr unsigned computed_around = [] {
        unsigned bits = 0, bit = 1;
        ((bits |= computes_around<Memory> ? bit : 0u, bit <<= 1), ...);
        return bits;
    }();

    Tile tile;
    // A warp decides how it runs parts of its elements.
    const unsigned inner_parts;
    const bool any;

    __device__ explicit tiles_on_chip(box_sides const& box) : tile(box), inner_parts(tile.inner_parts({most_around<1>(), most_around<2>(), most_around<0>()})), any(__any_sync(~0u, tile.any())) {}

    template <int K>
    __device__ auto& memory() {
        return own_parameter<K>(all_);
    }
    // Flags: a number for each block, followed by the borders of each variable whose neighbours are read.
    template <int... K, class... T>
    __device__ void begin(std::integer_sequence<int, K...>, char* flags, T*... memory_of) {
        int shared = 0;
        flags_ = reinterpret_cast<unsigned*>(flags);
        char* borders = flags + tables * tile_flag_bytes;
        (begin_variable(memory<K>(), memory_of, shared, borders), ...);
        saved_at_ = shared;
        find_around();
        (memory<K>().fill(tile), ...);
        __syncthreads();
    }
    template <int... K>
    __device__ void end(persistent_context const& context, std::integer_sequence<int, K...>) {
        context.barrier_all.wait();  // until then others may read the initial contents and borders
        if (rank != 2 && threadIdx.x == 0) *flag_of(tile.number) = 0;
        (write_back_variable<K>(), ...);
        each<~0u>(numbers{}, [&](auto& memory) {
            if constexpr (requires { memory.clear(tile); }) memory.clear(tile);
        });
        const int words = in_order ? 2 * word_copies * tables : word_turns * word_copies;
        if ((joins_words || in_order) && static_cast<int>(threadIdx.x) < words) word_of<unsigned long long>(threadIdx.x, tile.number)->clear();
    }

    template <barrier B>
    __device__ void order(persistent_context const& context) {
        if constexpr (B == barrier::block && rank != 2) __syncthreads();
        if constexpr (B == barrier::neighbours && rank != 2) wait_for_neighbours(context);  // of two dimensions, blocks wait for the elements themselves
        if constexpr (B == barrier::grid) context.barrier_all.wait();
    }
    template <unsigned Bits>
    __device__ bool fetch(persistent_context const& context) {
        return fetch<Bits>(context, numbers{});
    }
    template <unsigned Bits, int Row>
    __device__ void hold() {
        each<Bits>(numbers{}, [](auto& memory) { memory.template hold<Row>(); });
    }
    // The words of all threads, joined; if blocks run ahead, those of the iteration before. Meanwhile the elements around the tile arrive, which the next nodes are likely to read.
    template <word_join Join>
    __device__ unsigned long long join(persistent_context const& context, unsigned long long word) {
        __shared__ unsigned long long of_warps[warp_lanes], joined;
        ++meeting_;
        __syncwarp();
        word = join_in_warp<Join>(word);
        if (Tile::lane() == 0) of_warps[Tile::warp()] = word;
        __syncthreads();
        if (Tile::warp() == 0) {
            word = join_in_warp<Join>(Tile::lane() < Tile::warps() ? of_warps[Tile::lane()] : 0);
            if constexpr (runs_ahead) {
                const unsigned long long earlier = own_word_;
                own_word_ = word;
                word = earlier;
            }
            if (gridDim.x > 1) send_word(runs_ahead ? own_word_ : word);
        }
        if constexpr (Tile::is_large) fetch<~0u>(context);  // all warps fetch some
        if (Tile::warp() == 0) {
            if (gridDim.x > 1 && (!runs_ahead || meeting_ > 1)) word = join_blocks<Join>(runs_ahead ? meeting_ - 1 : meeting_);
            if (Tile::lane() == 0) joined = word;
        }
        fetch_beside_words(context, numbers{});
        __syncthreads();
        return joined;
    }
    // The terms of all threads in the order of the box, for the J-th reduction of a group: each warp joins those of its two halves.
    template <int J, class T, class Op>
    __device__ void leave_in_order(T upper, T lower, Op const& op) const {
        const int lane = Tile::lane();
        const bool is_first = lane < warp_lanes / 2;
        __syncwarp();
        const T other = shuffle_words(is_first ? lower : upper, [](unsigned word) { return __shfl_xor_sync(~0u, word, warp_lanes / 2); });
        T value = is_first ? op(upper, other) : op(other, lower);
#pragma unroll
        for (int by = warp_lanes / 4; by > 0; by /= 2) value = op(value, shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(~0u, word, by); }));
        if (lane % (warp_lanes / 2) == 0) results_of_warps<J, T>(0)[2 * Tile::warp() + lane / (warp_lanes / 2)] = value;
    }
    // The same of two reductions, the J-th and the next one: after the first step, each half of these lanes goes on with one of them.
    template <int J, class T, class Op>
    __device__ void leave_two_in_order(T (&upper)[2], T (&lower)[2], Op const& op) const {
        constexpr int half = warp_lanes / 2, quarter = warp_lanes / 4;
        const int lane = Tile::lane();
        const bool is_first = lane < half, is_second = (lane & quarter) != 0;
        const auto exchange = [](T const& value, int by) { return shuffle_words(value, [&](unsigned word) { return __shfl_xor_sync(~0u, word, by); }); };
        __syncwarp();
        const auto begin_with = [&](int which) {
            const T exchanged_with = exchange(is_first ? lower[which] : upper[which], half);
            return is_first ? op(upper[which], exchanged_with) : op(exchanged_with, lower[which]);
        };
        const T one = begin_with(0), two = begin_with(1), other = exchange(is_second ? one : two, quarter);
        T value = is_second ? op(other, two) : op(one, other);
#pragma unroll
        for (int by = quarter / 2; by > 0; by /= 2) value = op(value, shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(~0u, word, by); }));
        if (lane % quarter == 0) (is_second ? results_of_warps<J + 1, T>(0) : results_of_warps<J, T>(0))[2 * Tile::warp() + lane / half] = value;
    }
    // The J-th warp joins those of its block, and sends the result to all blocks.
    template <int J, class T, class Op>
    __device__ void bring_in_order(T identity, Op const& op) const {
        if (Tile::warp() != J) return;
        const int lane = Tile::lane();
        const auto join = [&](T const& value, int by) { return op(value, shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(~0u, word, by); })); };
        T value = results_of_warps<J, T>(0)[lane];
        value = join(join(join(value, 16), 8), 4);  // the warps of a chunk
        const auto of_lane = [&](int in_warp) { return shuffle_words(value, [&](unsigned word) { return __shfl_sync(~0u, word, in_warp); }); };
        const T first = of_lane(0), second = of_lane(2), third = of_lane(1), fourth = of_lane(3);
        value = op(op(op(identity, first), second), op(op(identity, third), fourth));  // chunks 256 apart, then 16
        if (lane < word_copies) word_of<T>(table_of<J> + this_meeting(lane), static_cast<int>(blockIdx.x))->put(value, meeting_);
    }
    // Then it joins those of all blocks.
    template <int J, class T, class Op>
    __device__ void meet_in_order(Op const& op) const {
        if (Tile::warp() != J) return;
        const int lane = Tile::lane();
        const auto join = [&](T const& value, int by) { return op(value, shuffle_words(value, [&](unsigned word) { return __shfl_down_sync(~0u, word, by); })); };
        constexpr int parts = most_tile_blocks / warp_lanes;
        copy_of_element<T> found[parts];
        unsigned missing;
        do {
            missing = 0;
#pragma unroll
            for (int i = 0; i < parts; ++i)
                missing |= word_of<T>(table_of<J> + this_meeting(static_cast<int>(blockIdx.x) % word_copies), lane + i * warp_lanes)->get(found[i].value, meeting_) ? 0u : 1u;
        } while (missing != 0);
        T value = op(op(found[0].value, found[2].value), op(found[1].value, found[3].value));
        value = join(join(join(join(join(value, 16), 8), 4), 2), 1);
        if (lane == 0) *results_of_tile<J, T>() = value;
    }
    __device__ void begin_meeting() { ++meeting_; }
    __device__ void fetch_all(persistent_context const& context) { fetch<~0u>(context); }

    // Of blocks that run ahead. Of the thread's sum of each iteration, the one before is kept, too, for results that words do not tell.
    template <class T>
    __device__ void keep_sum(const T& sum, bool earlier_is_told) {
        earlier_told_ = earlier_is_told;
        earlier_sum_ = latest_sum_;
        memcpy(&latest_sum_, &sum, sizeof(T));
    }
    __device__ bool earlier_told() const { return earlier_told_; }
    template <class T>
    __device__ T earlier_sum() const {
        copy_of_element<T> sum;
        memcpy(&sum.value, &earlier_sum_, sizeof(T));
        return sum.value;
    }
    __device__ void save() { save(numbers{}); }
    __device__ void restore() { restore(numbers{}); }
    __device__ void find_again() {
        tile.find_again();
        each<~0u>(numbers{}, [](auto& memory) { memory.find_again(); });
    }
    // Of those whose neighbours are not read. The second variable of a large tile begins each row with elements of the first, so that it does not last longer.
    template <unsigned Bits, int Row>
    __device__ void load() {
        each<Bits>(numbers{}, [&](auto& variable) {
            if constexpr (requires { variable.template load<Row>(); })
                variable.template load<Row>();
            else
#pragma unroll
                for (int c = 0; c < Tile::own_columns; ++c) variable.own[Row * Tile::own_columns + c].fill(memory<0>().own[Row * Tile::own_columns + c].value);
        });
    }
    template <unsigned Bits, int Row>
    __device__ void leave() {
        each<Bits>(numbers{}, [&](auto& memory) {
            if constexpr (requires { memory.template leave<Row>(tile); }) memory.template leave<Row>(tile);
        });
    }
    template <unsigned Bits>
    __device__ void begin() {
        each<Bits>(numbers{}, [&](auto& memory) { memory.begin(tile); });
    }
    template <unsigned Bits>
    __device__ void end(const int (&good)[variables]) {
        end<Bits>(good, numbers{});
    }
    // How far around the tile each variable is right.
    __device__ void get_good(int (&good)[variables]) { get_good(good, numbers{}); }

    // The thread's element around the tile, if it has one.
    bool has_around = false;
    int around_row, around_column;
    __device__ box_place<2> place_around() const { return {index_t{around_row} * tile.columns + around_column, {around_row, around_column}, {tile.rows, tile.columns}}; }

private:
    __device__ void find_around() {
        if constexpr (computed_around != 0) each<~0u>(numbers{}, [&](auto& memory) {
            if constexpr (requires { memory.find_around(tile); }) {
                const index_t number = memory.find_around(tile).number;
                has_around = number >= 0;
                around_row = static_cast<int>(number / tile.columns);
                around_column = static_cast<int>(number % tile.columns);
            }
        });
    }
    template <int J>
    static constexpr unsigned table_of = J * 2 * word_copies;
    using numbers = std::make_integer_sequence<int, sizeof...(Memory)>;

    // In large tiles the first variable has the elements of the other one, too, which is not kept.
    template <int K>
    __device__ void write_back_variable() {
        auto& variable = memory<K>();
        if constexpr (!Tile::is_large || K == 0)
            variable.write_back(tile);
        else if (variable.changed)
            memory<0>().write_back_to(tile, variable.memory);
    }
    template <unsigned Bits, int... K>
    __device__ void end(const int (&good)[variables], std::integer_sequence<int, K...>) {
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
    template <class M>
    COGRAPH_HD static constexpr int reads_of() {
        if constexpr (requires { M::reads_away; })
            return M::reads_away;
        else
            return 0;
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
    template <unsigned Bits, int... K>
    __device__ bool fetch(persistent_context const& context, std::integer_sequence<int, K...>) {
        bool any = false;
        ((any = fetch_variable<(Bits >> K & 1) != 0>(context, memory<K>()) || any), ...);
        return any;
    }
    template <int... K>
    __device__ void fetch_beside_words(persistent_context const& context, std::integer_sequence<int, K...>) {
        (fetch_beside_words(context, memory<K>()), ...);
    }
    template <class M>
    __device__ void fetch_beside_words(persistent_context const& context, M& variable) {
        if constexpr (requires { variable.template fetch<true>(tile, context); })
            variable.template fetch<true>(tile, context);
        else
            fetch_variable<true>(context, variable);
    }
    template <bool Now, class M>
    __device__ bool fetch_variable(persistent_context const& context, M& variable) {
        if constexpr (Now && requires { variable.fetch(tile, context); })
            return variable.fetch(tile, context);
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

    template <word_join Join>
    __device__ static unsigned long long join_two(unsigned long long a, unsigned long long b) {
        if constexpr (Join == word_join::sum)
            return a + b;
        else
            return a > b ? a : b;
    }
    template <word_join Join>
    __device__ static unsigned long long join_in_warp(unsigned long long word) {
#if __CUDA_ARCH__ >= 800
        constexpr bool in_halves = Join == word_join::largest;
#else
        constexpr bool in_halves = false;
#endif
        if constexpr (in_halves) {
            const unsigned high = static_cast<unsigned>(word >> 32), highest = __reduce_max_sync(~0u, high);
            const unsigned low = __reduce_max_sync(~0u, high == highest ? static_cast<unsigned>(word) : 0u);
            return static_cast<unsigned long long>(highest) << 32 | low;
        } else {
#pragma unroll
            for (int by = warp_lanes / 2; by > 0; by /= 2) word = join_two<Join>(word, __shfl_xor_sync(~0u, word, by));
            return word;
        }
    }

    // The words of all blocks, joined by the first warp of each, which has its block's. Words have numbers beside them, as elements have; so blocks wait for
    // the words themselves, and no fence stands between a word and its arrival. Each is sent to several copies of the table, because it takes long if
    // all blocks read the same one.
    template <word_join Join>
    __device__ unsigned long long join_blocks(unsigned meeting) const {
        const int lane = Tile::lane();
        constexpr int parts = most_tile_blocks / warp_lanes;
        unsigned long long found[parts] = {};
        bool all;
        do {
            exchanged<unsigned long long>::found_words asked[parts];
#pragma unroll
            for (int i = 0; i < parts; ++i) asked[i] = word_of<unsigned long long>(copy_of(meeting, static_cast<int>(blockIdx.x) % word_copies), lane + i * warp_lanes)->ask();
            all = true;
#pragma unroll
            for (int i = 0; i < parts; ++i) {
                const bool arrived = exchanged<unsigned long long>::value_of(asked[i], found[i], meeting), is_there = lane + i * warp_lanes < static_cast<int>(gridDim.x);
                all = all && (arrived || !is_there);
                if (!is_there) found[i] = 0;
            }
        } while (!all);
        unsigned long long word = found[0];
#pragma unroll
        for (int i = 1; i < parts; ++i) word = join_two<Join>(word, found[i]);
        return join_in_warp<Join>(word);
    }
    // The same of this meeting where results follow the order of the box: those of the last one are beside them.
    __device__ unsigned this_meeting(int copy) const { return (meeting_ & 1) * word_copies + static_cast<unsigned>(copy); }
    __device__ void send_word(unsigned long long word) const {
        const int lane = Tile::lane();
        if (lane < word_copies) word_of<unsigned long long>(copy_of(meeting_, lane), static_cast<int>(blockIdx.x))->put(word, meeting_);
    }
    // A copy of the table of a meeting. A block that has the words of one meeting may send those of the next but one, while others still wait for those of
    // the meeting before: so there are four in turn.
    __device__ static unsigned copy_of(unsigned meeting, int copy) { return meeting % word_turns * word_copies + static_cast<unsigned>(copy); }
    template <class T>
    __device__ exchanged<T>* word_of(unsigned copy, int block) const {
        static_assert(sizeof(exchanged<T>) <= sizeof(exchanged<unsigned long long>));
        return reinterpret_cast<exchanged<T>*>(reinterpret_cast<exchanged<unsigned long long>*>(flags_) + copy * most_tile_blocks + block);
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
        if (threadIdx.x < Tile::tiles_around) {
            const int block = tile.beside(static_cast<int>(threadIdx.x));
            unsigned seen = epoch_;
            if (block >= 0) do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag_of(block)) : "memory");
            } while (static_cast<int>(seen - epoch_) < 0);
        }
        __syncthreads();
    }

    template <int Dimension>  // of planes, rows and columns
    COGRAPH_HD static constexpr int most_around() {
        int most = 0;
        ((most = around<Dimension, Memory>() > most ? around<Dimension, Memory>() : most), ...);
        return most;
    }
    template <int Dimension, class M>
    COGRAPH_HD static constexpr int around() {
        if constexpr (requires { M::around; })
            return Dimension == 0 ? M::around.planes : Dimension == 1 ? M::around.rows : M::around.columns;
        else
            return 0;
    }

    // What an iteration would change: of threads with few elements in registers, of others in shared memory. The second of two variables has the elements
    // of the first at the end of each iteration if tiles may be large.
    template <int K>
    static constexpr bool has_its_own = K == 0 || !saves_first_alone;
    template <int... K>
    __device__ void save(std::integer_sequence<int, K...>) {
        (save_variable<K>(), ...);
    }
    template <int K>
    __device__ void save_variable() {
        auto& saved = own_parameter<K>(saved_);
        if constexpr (has_its_own<K>)
#pragma unroll
            for (int e = 0; e < few; ++e) saved.save(e, memory<K>().own[e], saved_at_);
        saved.changed = memory<K>().changed;
    }
    template <int... K>
    __device__ void restore(std::integer_sequence<int, K...>) {
        (restore_variable<K>(), ...);
    }
    template <int K>
    __device__ void restore_variable() {
        const auto& saved = own_parameter<has_its_own<K> ? K : 0>(saved_);
#pragma unroll
        for (int e = 0; e < few; ++e) saved.restore(e, memory<K>().own[e], saved_at_);
        memory<K>().changed = own_parameter<K>(saved_).changed;
    }
    template <class T>
    struct saved_in_registers {
        copy_of_element<T> elements[few];
        bool changed;
        __device__ void save(int e, copy_of_element<T> const& from, int) { elements[e].fill(from.value); }
        __device__ void restore(int e, copy_of_element<T>& to, int) const { to.fill(elements[e].value); }
    };
    template <class T>
    struct saved_in_memory {
        bool changed;
        __device__ static T* place(int e, int at) { return reinterpret_cast<T*>(tile_memory + at) + e * static_cast<int>(blockDim.x) + threadIdx.x; }
        __device__ static void save(int e, copy_of_element<T> const& from, int at) { from.write_back(*place(e, at)); }
        __device__ static void restore(int e, copy_of_element<T>& to, int at) { to.fill(*place(e, at)); }
    };
    template <class T>
    using saved_elements = choose<few <= most_few_in_tile, saved_in_registers<T>, saved_in_memory<T>>;
    template <class Numbers>
    struct saved_table;
    template <int... K>
    struct saved_table<std::integer_sequence<int, K...>> : numbered<K, saved_elements<typename Memory::element>>... {};
    struct nothing_saved {};

    template <class Numbers>
    struct table;
    template <int... K>
    struct table<std::integer_sequence<int, K...>> : numbered<K, Memory>... {};
    table<numbers> all_;
    choose<runs_ahead, saved_table<numbers>, nothing_saved> saved_;
    int saved_at_ = 0;  // the place in shared memory, in bytes
    unsigned* flags_ = nullptr;
    unsigned epoch_ = 0;
    unsigned meeting_ = 0;  // the number of the last one
    unsigned long long own_word_ = 0, earlier_sum_ = 0, latest_sum_ = 0;  // of the block, and of the thread
    bool earlier_told_ = true;
};

}  // namespace cograph::core
