// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include <cograph.cuh>

#include <cuda_pipeline_primitives.h>
#else
#include <cograph.hpp>
#endif
#include <cograph/launch_shape.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

// Greedy decoding of a small transformer as an expression: a group of threads for each row of a matrix, and the most likely token by a
// reduction over groups.
namespace decoding {

using namespace cograph;

constexpr int layers = 4, width = 256, heads = 4, head_width = width / heads, hidden = 1024, most_positions = 128;
constexpr int parts = 8, part_rows = width / parts;  // of the matrix behind a head, each by a group of its own
constexpr int in_a_load = 4;                         // floats
static_assert(heads == 4, "`activate` and `add_product` add up what four heads add to the state");

inline constexpr struct embedding : buffer<embedding, float> {} embedding;      // a row for each token
inline constexpr struct position_code : buffer<position_code, float> {} position_code;
inline constexpr struct to_heads : buffer<to_heads, float> {} to_heads;         // query, key and value of each layer
inline constexpr struct from_heads : buffer<from_heads, float> {} from_heads;
inline constexpr struct to_hidden : buffer<to_hidden, float> {} to_hidden;
inline constexpr struct from_hidden : buffer<from_hidden, float> {} from_hidden;
inline constexpr struct to_tokens : buffer<to_tokens, float> {} to_tokens;
inline constexpr struct tokens : buffer<tokens, int> {} tokens;                 // what was chosen, by position
inline constexpr struct state : temp<state, float, elements<width>> {} state;
inline constexpr struct query : temp<query, float, elements<width>> {} query;
inline constexpr struct keys : temp<keys, float, elements<layers * most_positions * width>> {} keys;
inline constexpr struct contents : temp<contents, float, elements<layers * most_positions * width>> {} contents;
inline constexpr struct seen : temp<seen, float, elements<heads * width>> {} seen;  // what each head adds to the state
inline constexpr struct inner : temp<inner, float, elements<hidden>> {} inner;
inline constexpr struct next : scalar<next, std::int64_t> {} next;              // the key of a token
inline constexpr struct position : scalar<position, int> {} position;
inline constexpr struct layer : scalar<layer, int> {} layer;
inline constexpr struct first_token : value<first_token, int> {} first_token;
inline constexpr struct last_token : value<last_token, int> {} last_token;
inline constexpr struct limit : value<limit, int> {} limit;                     // of positions

// Four numbers that are read at once.
struct alignas(16) four {
    float of[in_a_load];
};
COGRAPH_HD inline const four& four_at(const float* at) { return *reinterpret_cast<const four*>(at); }
COGRAPH_HD inline float& number_of(four* from, int k) { return from[k / in_a_load].of[k % in_a_load]; }
// Which products are contracted is said here, since compilers may choose differently in a kernel of one node and in one of several.
COGRAPH_HD inline float dot_of(const four& a, const four& b) { return fmaf(a.of[3], b.of[3], fmaf(a.of[2], b.of[2], fmaf(a.of[1], b.of[1], a.of[0] * b.of[0]))); }
COGRAPH_HD inline float sum_of(const four& a) { return (a.of[0] + a.of[1]) + (a.of[2] + a.of[3]); }
COGRAPH_HD inline four sum_of(const four& a, const four& b) { return {a.of[0] + b.of[0], a.of[1] + b.of[1], a.of[2] + b.of[2], a.of[3] + b.of[3]}; }

// A copy of four numbers to shared memory, which goes on while the thread does other work; zeros if they are not there. Each thread waits for its
// own copies.
COGRAPH_HD inline void begin_copy(four& to, const float* from, bool is_there = true) {
#ifdef __CUDA_ARCH__
    if (is_there) {
        __pipeline_memcpy_async(&to, from, sizeof to);
        return;
    }
#endif
    to = is_there ? four_at(from) : four{};
}
COGRAPH_HD inline void wait_for_copies() {
#ifdef __CUDA_ARCH__
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
}

// [row]
// Rows times a vector and, after them, the square of the vector.
template <int Count>
struct products {
    float of[Count];
};
struct add_products {
    template <int Count>
    COGRAPH_HD products<Count> operator()(products<Count> a, const products<Count>& b) const {
        for (int r = 0; r < Count; ++r) a.of[r] += b.of[r];
        return a;
    }
};
// Of the first Rows of Count, with a vector whose fours x(k) gives.
template <int Rows, int Count = Rows + 1, class Group, class Row, class X>
COGRAPH_HD products<Count> products_of(Group const& group, Row const& row, X const& x) {
    const auto term = [&](int k) {
        const four of_x = x(k);
        products<Count> all{};
        for (int r = 0; r < Count; ++r) all.of[r] = dot_of(r < Rows ? row(r, k) : of_x, of_x);
        return all;
    };
    return group.transform_reduce(width / in_a_load, term, add_products{}, products<Count>{});
}
// A row, which the threads of a group read before they need it.
template <int Length = width, class Group>
COGRAPH_HD auto row_of(Group const& group, const float* row) {
    return group.template collect<Length / in_a_load>([=](int k) { return four_at(row + in_a_load * k); });
}
// It times a vector whose mean square is made one.
template <class Group, class Row, class X>
COGRAPH_HD float normed_product(Group const& group, Row const& row, X const& x) {
    const products<2> all = products_of<1>(group, [&](int, int k) { return row(k); }, x);
    return all.of[0] / sqrtf(all.of[1] / width + 1e-5f);
}
// [/row]

COGRAPH_HD inline std::int64_t key_of(float logit, index_t token) {
    std::int32_t bits;
    std::memcpy(&bits, &logit, sizeof bits);
    if (bits < 0) bits ^= 0x7fffffff;
    return static_cast<std::int64_t>(bits) * 4294967296 + (4294967295 - token);
}
COGRAPH_HD inline index_t token_of(std::int64_t key) { return static_cast<index_t>(4294967295 - (key & 4294967295)); }
struct embed {
    COGRAPH_HD void operator()(index_t k, const float* embedded, const float* coded, std::int64_t token, int at, float& x) const {
        x = embedded[token_of(token) * width + k] + coded[at * width + k];
    }
};
// Query, key and value of a position.
struct project {
    template <class Group, class Own, class X>
    COGRAPH_HD static void row_times(Group const& group, index_t row, Own const& own, X const& x, int of, int at, float* q, float* k, float* v) {
        const float value = normed_product(group, own, x);
        const index_t column = row % width, place = (of * most_positions + at) * width + column;
        if (row < width)
            q[column] = value;
        else if (row < 2 * width)
            k[place] = value;
        else
            v[place] = value;
    }
    template <class Group>
    COGRAPH_HD auto prepare(Group const& group, index_t row, const float*, const float* weights, int of, int, float*, float*, float*) const {
        return row_of(group, weights + (of * 3 * width + row) * width);
    }
    template <class Group, class Own>
    COGRAPH_HD void finish(Group const& group, index_t row, Own const& own, const float* x, const float*, int of, int at, float* q, float* k, float* v) const {
        row_times(group, row, own, [=](int n) { return four_at(x + in_a_load * n); }, of, at, q, k, v);
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* x, const float* weights, int of, int at, float* q, float* k, float* v) const {
        finish(group, row, prepare(group, row, x, weights, of, at, q, k, v), x, weights, of, at, q, k, v);
    }
};
struct project_first {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* embedded, const float* coded, std::int64_t token, const float* weights, int at, float* q,
                               float* k, float* v) const {
        const float* const own = embedded + token_of(token) * width;
        project::row_times(group, row, row_of(group, weights + row * width),
                           [=](int n) { return sum_of(four_at(own + in_a_load * n), four_at(coded + at * width + in_a_load * n)); }, 0, at, q, k, v);
    }
};
// [attend]
// Each group finds what its head sees and multiplies it with some rows of the matrix behind the heads. All that it reads from memory it reads first.
// Its warps have some positions each, then rows.
constexpr int warps = 16, positions_of_warp = most_positions / warps, fours = head_width / in_a_load;
constexpr float lowest = -1e30f;
static_assert(positions_of_warp * in_a_load == 32 && part_rows == 2 * warps && 2 * fours == 32);
constexpr int key_pitch = fours + fours / in_a_load;  // from key to key: threads of a warp meet in no bank
struct room_of_head {  // positions by warp
    four keys[most_positions][key_pitch], content[most_positions][fours], weights[part_rows][fours];
    four quarters[most_positions];  // of scores
    four score[most_positions / in_a_load], weight[most_positions / in_a_load];
    float sum[warps], found[warps][head_width];
    four all_found[fours];
};
struct attend {
    struct nothing_else {};
    COGRAPH_HD static int place(int of, int other, int head, int column) { return (of * most_positions + other) * width + head * head_width + in_a_load * column; }
    COGRAPH_HD static int position_of(int warp, int n) { return n * warps + warp; }  // so that all warps have some from the beginning
    // Copies what earlier tokens have left, and weights.
    template <class Group>
    COGRAPH_HD nothing_else prepare(Group const& group, index_t part, room_of_head* room, const float*, const float* k, const float* v, const float* weights, int of, int at, float*) const {
        const int head = static_cast<int>(part) / parts, first = static_cast<int>(part) % parts * part_rows;
        group.template for_each_part<32>(warps, [&](auto const& warp, int number) {
            const int before = number * positions_of_warp;
            warp.for_each(32, [&](int lane) {
                const int own = lane / in_a_load, quarter = lane % in_a_load, half = lane / fours, column = lane % fours;
                const float* const own_key = k + place(of, position_of(number, own), head, quarter);
                const float* const own_content = v + place(of, position_of(number, half), head, column);
                for (int c = 0; c < fours / in_a_load; ++c)
                    begin_copy(room->keys[before + own][in_a_load * c + quarter], own_key + in_a_load * in_a_load * c, position_of(number, own) < at);
                for (int n = 0; n < positions_of_warp / 2; ++n)
                    begin_copy(room->content[before + 2 * n + half][column], own_content + 2 * n * warps * width, position_of(number, 2 * n + half) < at);
                begin_copy(room->weights[2 * number + half][column], weights + (of * width + first + 2 * number + half) * width + head * head_width + in_a_load * column);
            });
        });
        return {};
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t part, room_of_head* room, const float* q, const float* k, const float* v, const float* weights, int of, int at,
                               float* to) const {
        finish(group, part, prepare(group, part, room, q, k, v, weights, of, at, to), room, q, k, v, weights, of, at, to);
    }
    template <class Group>
    COGRAPH_HD void finish(Group const& group, index_t part, nothing_else, room_of_head* room, const float* q, const float* k, const float* v, const float*, int of, int at,
                           float* to) const {
        const int head = static_cast<int>(part) / parts, first = static_cast<int>(part) % parts * part_rows, count = at + 1;
        group.template for_each_part<32>(warps, [&](auto const& warp, int number) {
            const int before = number * positions_of_warp;
            warp.for_each(32, [&](int lane) {
                const int own = lane / in_a_load, quarter = lane % in_a_load, half = lane / fours, column = lane % fours;
                const float* const own_key = k + place(of, at, head, quarter);
                const float* const own_asked = q + head * head_width + in_a_load * quarter;
                four asked[fours / in_a_load], key[fours / in_a_load];
                for (int c = 0; c < fours / in_a_load; ++c) asked[c] = four_at(own_asked + in_a_load * in_a_load * c);
                if (position_of(number, own) == at)
                    for (int c = 0; c < fours / in_a_load; ++c) key[c] = four_at(own_key + in_a_load * in_a_load * c);
                wait_for_copies();
                if (position_of(number, own) != at)
                    for (int c = 0; c < fours / in_a_load; ++c) key[c] = room->keys[before + own][in_a_load * c + quarter];
                for (int n = 0; n < positions_of_warp / 2; ++n)
                    if (position_of(number, 2 * n + half) == at) begin_copy(room->content[before + 2 * n + half][column], v + place(of, at, head, column));
                float sum = 0;
                for (int c = 0; c < fours / in_a_load; ++c) sum += dot_of(asked[c], key[c]);
                room->quarters[before + own].of[quarter] = sum;
            });
            warp.for_each(positions_of_warp, [&](int n) {
                const bool is_there = position_of(number, n) < count;
                number_of(room->score, before + n) = is_there ? sum_of(room->quarters[before + n]) / sqrtf(static_cast<float>(head_width)) : lowest;
            });
        });
        group.template for_each_part<32>(warps, [&](auto const& warp, int number) {
            const int before = number * positions_of_warp;
            const auto most_of = [](const four& a) { return maximum{}(maximum{}(a.of[0], a.of[1]), maximum{}(a.of[2], a.of[3])); };
            const float most = warp.transform_reduce(most_positions / in_a_load, [&](int n) { return most_of(room->score[n]); }, maximum{}, lowest);
            warp.for_each(positions_of_warp, [&](int n) { number_of(room->weight, before + n) = expf(number_of(room->score, before + n) - most); });
            wait_for_copies();
            warp.sync();
            warp.for_each(head_width / 2, [&](int lane) {
                float all = 0, sum[2]{};
                for (int n = before; n < before + positions_of_warp; ++n) {
                    const float weight = number_of(room->weight, n);
                    all += weight;
                    for (int c = 0; c < 2; ++c) sum[c] = fmaf(weight, number_of(room->content[n], 2 * lane + c), sum[c]);
                }
                for (int c = 0; c < 2; ++c) room->found[number][2 * lane + c] = sum[c];
                if (lane == 0) room->sum[number] = all;
            });
        });
        group.for_each(head_width, [&](int column) {
            four all{}, sum{};  // of every fourth warp
            for (int warp = 0; warp < warps; ++warp) {
                all.of[warp % in_a_load] += room->sum[warp];
                sum.of[warp % in_a_load] += room->found[warp][column];
            }
            number_of(room->all_found, column) = sum_of(sum) / sum_of(all);
        });
        group.template for_each_part<fours>(part_rows, [&](auto const& half, int row) {
            to[head * width + first + row] = half.transform_reduce(fours, [&](int n) { return dot_of(room->weights[row][n], room->all_found[n]); }, plus{});
        });
    }
};
// [/attend]
struct activate {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* x, const float* added, const float* weights, int of, float& to) const {
        const float* const own = weights + (of * hidden + row) * width;
        const auto state_of = [=](int n) {
            const auto by = [=](int head) { return four_at(added + head * width + in_a_load * n); };
            return sum_of(four_at(x + in_a_load * n), sum_of(sum_of(by(0), by(1)), sum_of(by(2), by(3))));
        };
        const float value = normed_product(group, [=](int n) { return four_at(own + in_a_load * n); }, state_of);
        to = value / (1 + expf(-value));
    }
};
struct add_product {
    template <class Group>
    COGRAPH_HD auto prepare(Group const& group, index_t row, const float*, const float*, const float* weights, int of, float&) const {
        return row_of<hidden>(group, weights + (of * width + row) * hidden);
    }
    template <class Group, class Own>
    COGRAPH_HD void finish(Group const& group, index_t row, Own const& own, const float* from, const float* added, const float*, int, float& x) const {
        const float before = x + ((added[row] + added[width + row]) + (added[2 * width + row] + added[3 * width + row]));
        const auto term = [&](int n) { return dot_of(own(n), four_at(from + in_a_load * n)); };
        x = before + group.transform_reduce(hidden / in_a_load, term, plus{});  // all have read it before
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* from, const float* added, const float* weights, int of, float& x) const {
        finish(group, row, prepare(group, row, from, added, weights, of, x), from, added, weights, of, x);
    }
};
// A group has some tokens at once. The most likely one has the largest key: its logit, and of equal ones the first token.
constexpr int tokens_at_once = 4;
struct best_of_four {
    template <class Group>
    COGRAPH_HD std::int64_t operator()(Group const& group, index_t number, const float* x, const float* weights, index_t size) const {
        const index_t first = number * tokens_at_once, last = size / width - 1;
        const auto token = [=](int r) { return first + r < last ? first + r : last; };
        const auto row = [=](int r, int k) { return four_at(weights + token(r) * width + in_a_load * k); };
        const auto all = products_of<tokens_at_once, tokens_at_once>(group, row, [=](int n) { return four_at(x + in_a_load * n); });
        std::int64_t best = key_of(all.of[0], first);
        for (int r = 1; r < tokens_at_once; ++r) {
            const std::int64_t other = key_of(all.of[r], token(r));
            if (other > best) best = other;
        }
        return best;
    }
};
struct set_first {
    COGRAPH_HD void operator()(std::int64_t& chosen, int token) const { chosen = key_of(0, token); }
};
struct write_down {
    COGRAPH_HD void operator()(index_t k, std::int64_t chosen, int at, int& token) const {
        if (k == at) token = static_cast<int>(token_of(chosen));
    }
};
struct goes_on {
    COGRAPH_HD bool operator()(std::int64_t chosen, int at, int end, int most) const { return at < most && (at == 0 || token_of(chosen) != end); }
};

// [whole]
inline constexpr auto rows_of_heads = over<3 * width>().group<32>();
inline constexpr auto one_layer =
    seq(for_each(over<heads * parts>().group<512>().shared<room_of_head>(1), attend{})(in(query), in(keys), in(contents), in(from_heads), layer, position, inout(seen)),
        for_each(over(inner).group<32>(), activate{})(in(state), in(seen), in(to_hidden), layer, out(inner[each])),
        for_each(over(state).group<128>(), add_product{})(in(inner), in(seen), in(from_hidden), layer, inout(state[each])), assign(layer, layer + 1),
        when(layer < layers, for_each(rows_of_heads, project{})(in(state), in(to_heads), layer, position, out(query), inout(keys), inout(contents))));
inline constexpr auto one_token =
    seq(for_each(rows_of_heads, project_first{})(in(embedding), in(position_code), next, in(to_heads), position, out(query), inout(keys), inout(contents)),
        for_each(over(state), embed{})(in(embedding), in(position_code), next, position, out(state[each])), assign(layer, 0), loop_while(layer < layers, one_layer),
        transform_reduce(over<(extent(to_tokens) / width + tokens_at_once - 1) / tokens_at_once>().group<32>(), best_of_four{}, maximum{})(out(next), in(state), in(to_tokens), extent(to_tokens)),
        for_each(over(tokens), write_down{})(next, position, inout(tokens[each])), assign(position, position + 1));
inline constexpr auto whole = seq(fill(out(keys), 0.0f), fill(out(contents), 0.0f), fill(out(seen), 0.0f), single_task(set_first{})(out(next), first_token), assign(position, 0),
                                  label("tokens", loop_while(predicate(goes_on{})(next, position, last_token, limit), one_token, grid_of<whole_device>, block_of<512>)));
// [/whole]
static_assert(is_persistent(whole, "tokens"));

}  // namespace decoding
