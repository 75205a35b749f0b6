// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/run/tiles/exchange/joined_words.cuh>
#include <cograph/run/tiles/exchange/neighbour_flags.cuh>
#include <cograph/run/tiles/exchange/results_in_order.cuh>
#include <cograph/run/tiles/tile_variables.cuh>
#include <cograph/run/tiles/variants/saved_iteration.cuh>

namespace cograph::core {

// All that a kernel with tiles has on chip, and how its blocks meet: those of two dimensions by words, which tell results, others by flags between neighbours.
// How: bits of plan/tiles/tiled_code.hpp.
template <class Tile, int How, class Kept, class Near, class... Memory>
class tiles_on_chip : public tile_variables<Tile, Kept, Near, Memory...> {
    using base = tile_variables<Tile, Kept, Near, Memory...>;

public:
    using base::tile, base::elements_a_thread, base::rank, base::in_order;
    static constexpr bool is_tight = (How & tiles_are_tight) != 0;
    // Whether reductions need no barrier that orders writes to memory.
    static constexpr bool writes_no_memory = (How & tiles_write_no_memory) != 0, joins_words = rank == 2 && writes_no_memory;
    // Whether the second of two variables has the elements of the first at the end of each iteration: if tiles may be large, and the two do not take turns.
    static constexpr bool first_has_all = (How & tiles_may_be_large) != 0 && (How & tiles_take_turns) == 0;
    // Whether blocks run an iteration before they know that it should run.
    static constexpr bool runs_ahead = joins_words && (How & tiles_may_run_ahead) != 0 && !Tile::is_large && (elements_a_thread <= most_with_spare_registers || first_has_all);

    // Whether several warps join the words of blocks. Steps of threads with few elements are too short for that: blocks would wait for the words.
    static constexpr bool joins_in_parts = !Tile::overlaps && elements_a_thread > most_with_spare_registers;
    // Else the warp that joins the words of all blocks. If blocks run ahead, these are the words of the last meeting, and the first warp sends its block's meanwhile.
    // Threads with few elements have registers for words that are asked for before.
    static constexpr int joining_warp = runs_ahead && Tile::overlaps ? 1 : 0;
    static constexpr bool asks_early = joining_warp != 0 && elements_a_thread <= most_with_spare_registers;

    // Of words: for each reduction of a group, if their order matters.
    static constexpr int tables = in_order ? How / tables_of_words : 1;

    __device__ explicit tiles_on_chip(box_sides const& box) : base(box) {}

    // Memory: of the words or flags, followed by the borders of each variable whose neighbours are read.
    template <class... T>
    __device__ void begin(char* memory, T*... memory_of) {
        meeting.begin(memory);
        saved_.at = this->fill(typename base::numbers{}, memory + tables * tile_flag_bytes, memory_of...);
        __syncthreads();
    }
    __device__ void end(auto const& context) {
        context.barrier_all.wait();  // until then others may read the initial contents and borders
        if constexpr (rank != 2) meeting.end(tile);
        this->template write_back<first_has_all>();
        if constexpr (joins_words || in_order) meeting.end(tile);
    }

    template <barrier B>
    __device__ void order(auto const& context) {
        if constexpr (B == barrier::block && rank != 2) __syncthreads();
        if constexpr (B == barrier::neighbours && rank != 2)  // of two dimensions, blocks wait for the elements themselves
            if (!all_have_met) meeting.wait(context, tile);
        if constexpr (B == barrier::grid) context.barrier_all.wait();
    }
    // The words of all threads, joined; if blocks run ahead, those of the iteration before. Meanwhile halos arrive, which the next nodes are likely to read.
    template <word_join Join>
    __device__ unsigned long long join(auto const& context, unsigned long long word) {
        const bool has_words = !runs_ahead || has_met_;  // of a meeting before, if blocks run ahead. Not by its number: after 2^32 meetings numbers begin again
        has_met_ = true;
        if constexpr (joins_in_parts)
            return join_parts<Join>(context, word, has_words);
        else
            return join_all<Join>(context, word, has_words);
    }

    // Of blocks that run ahead.
    __device__ void save() { saved_.save(*this); }
    __device__ void restore() { saved_.restore(*this); }

private:
    // One warp waits for the words of all blocks.
    template <word_join Join>
    __device__ unsigned long long join_all(auto const& context, unsigned long long word, bool has_words) {
        __shared__ unsigned long long of_warps[warp_lanes], joined;
        meeting.begin_meeting();
        [[maybe_unused]] typename joined_words<Tile>::asked_words asked;
        if constexpr (asks_early)
            if (Tile::warp() == joining_warp) meeting.ask(meeting.meetings() - 1, asked);
        __syncwarp();
        word = meeting.template join_in_warp<Join>(word);
        if (Tile::lane() == 0) of_warps[Tile::warp()] = word;
        __syncthreads();
        if (Tile::warp() == 0) {
            word = meeting.template join_in_warp<Join>(Tile::lane() < Tile::warps() ? of_warps[Tile::lane()] : 0);
            if constexpr (runs_ahead) {
                const unsigned long long earlier = own_word_;
                own_word_ = word;
                word = earlier;
            }
            if (gridDim.x > 1) meeting.send(runs_ahead ? own_word_ : word);
        }
        const bool joins_blocks = gridDim.x > 1 && has_words;
        if (Tile::warp() == (joins_blocks ? joining_warp : 0)) {
            if (joins_blocks) {
                const unsigned which = runs_ahead ? meeting.meetings() - 1 : meeting.meetings();
                if constexpr (asks_early)
                    word = meeting.template join_asked<Join>(which, asked);
                else
                    word = meeting.template join_blocks<Join>(which);
            }
            if (Tile::lane() == 0) joined = word;
        }
        this->fetch_beside_words(context);
        __syncthreads();
        return joined;
    }
    // Some warps wait for the words of a part of the blocks each, and all threads join these. A block that runs ahead sends its word when its halo is there, and
    // its threads meet once.
    template <word_join Join>
    __device__ unsigned long long join_parts(auto const& context, unsigned long long word, bool has_words) {
        constexpr int parts = joined_words<Tile>::parts;
        __shared__ unsigned long long of_warps[2][warp_lanes], of_parts[2][parts], of_block[2];  // by turns
        meeting.begin_meeting();
        const unsigned turn = meeting.meetings() % 2, which = meeting.meetings() - (runs_ahead ? 1 : 0);
        __syncwarp();
        word = meeting.template join_in_warp<Join>(word);
        if (Tile::lane() == 0) of_warps[turn][Tile::warp()] = word;
        const auto tell = [&] {
            if (Tile::warp() != 0) return;
            const unsigned long long own = meeting.template join_in_warp<Join>(Tile::lane() < Tile::warps() ? of_warps[turn][Tile::lane()] : 0);
            if (gridDim.x > 1)
                meeting.send(own);
            else if (Tile::lane() == 0)
                of_block[turn] = own;
        };
        if constexpr (!runs_ahead) {
            __syncthreads();
            tell();
        }
        const bool joins = gridDim.x > 1 && has_words && Tile::warp() < parts;
        [[maybe_unused]] typename joined_words<Tile>::asked_word asked;
        if constexpr (Tile::is_large) this->template fetch<~0u>(context);  // its threads have no registers for a word meanwhile
        if (!is_tight && joins) meeting.ask_part(which, Tile::warp(), asked);
        __syncwarp();
        if constexpr (!Tile::is_large) this->fetch_beside_words(context);
        if (joins) {
            unsigned long long part;
            if constexpr (is_tight)
                part = meeting.template join_part<Join>(which, Tile::warp());
            else
                part = meeting.template join_part<Join>(which, Tile::warp(), asked);
            if (Tile::lane() == 0) of_parts[turn][Tile::warp()] = part;
        }
        __syncthreads();
        if constexpr (runs_ahead) tell();
        if (!has_words) return 0;
        if (gridDim.x == 1) return of_block[which % 2];
        return meeting.template join_parts<Join>(of_parts[turn]);
    }

    struct nothing_saved {
        int at;
    };
    choose<runs_ahead, saved_elements<elements_a_thread, first_has_all, typename base::numbers, typename Memory::element...>, nothing_saved> saved_;

public:
    choose<rank != 2, neighbour_flags, choose<in_order, results_in_order<Tile, tables>, joined_words<Tile>>> meeting;
    bool all_have_met = false;  // the blocks, since they sent elements
    saved_sum sum;              // of the thread, if its block runs ahead

private:
    unsigned long long own_word_ = 0;  // of the block, if it runs ahead
    bool has_met_ = false;
};

}  // namespace cograph::core
