// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __CUDACC__
#include <cograph.cuh>
#else
#include <cograph.hpp>
#endif

#include <cmath>

// Greedy decoding of a small transformer as an expression: a group of threads for each row of a matrix, and the most likely token by a
// reduction over groups.
namespace decoding {

using namespace cograph;

constexpr int layers = 4, width = 256, heads = 4, head_width = width / heads, hidden = 1024, most_positions = 128;
constexpr int parts = 8, part_rows = width / parts;  // of the matrix behind a head, each by a group of its own
constexpr int in_a_load = 4;                         // floats

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
inline constexpr struct seen : temp<seen, float, elements<width * heads>> {} seen;  // what each head adds to the state
inline constexpr struct inner : temp<inner, float, elements<hidden>> {} inner;
inline constexpr struct next : scalar<next, found_element<float>> {} next;      // its index is a token
inline constexpr struct position : scalar<position, int> {} position;
inline constexpr struct layer : scalar<layer, int> {} layer;
inline constexpr struct first_token : value<first_token, int> {} first_token;
inline constexpr struct last_token : value<last_token, int> {} last_token;
inline constexpr struct limit : value<limit, int> {} limit;                     // of positions

// [row]
struct sum_and_square {
    float sum, square;
};
struct add_both {
    COGRAPH_HD sum_and_square operator()(sum_and_square a, sum_and_square b) const { return {a.sum + b.sum, a.square + b.square}; }
};
// A row times a vector, given by x(k), whose mean square is one.
template <class Group, class X>
COGRAPH_HD float normed_product(Group const& group, const float* row, X const& x) {
    const auto term = [&](int k) {
        const float of_x = x(k);
        return sum_and_square{row[k] * of_x, of_x * of_x};
    };
    const sum_and_square all = group.transform_reduce(width, term, add_both{}, sum_and_square{0, 0});
    return all.sum / sqrtf(all.square / width + 1e-5f);
}
// [/row]

// Four numbers that are read at once.
struct alignas(16) four {
    float of[in_a_load];
};
COGRAPH_HD inline const four& four_at(const float* at) { return *reinterpret_cast<const four*>(at); }
COGRAPH_HD inline float dot_of(const four& a, const four& b) { return a.of[0] * b.of[0] + a.of[1] * b.of[1] + a.of[2] * b.of[2] + a.of[3] * b.of[3]; }
COGRAPH_HD inline float sum_of(const four& a) { return (a.of[0] + a.of[1]) + (a.of[2] + a.of[3]); }

struct embed {
    COGRAPH_HD float operator()(index_t k, const float* embedded, const float* coded, index_t token, int at) const { return embedded[token * width + k] + coded[at * width + k]; }
    COGRAPH_HD void operator()(index_t k, const float* embedded, const float* coded, const found_element<float>& token, int at, float& x) const {
        x = (*this)(k, embedded, coded, token.index, at);
    }
};
// Query, key and value of a position.
struct project {
    template <class Group, class X>
    COGRAPH_HD static void row_times(Group const& group, index_t row, X const& x, const float* weights, int of, int at, float* q, float* k, float* v) {
        const float value = normed_product(group, weights + (of * 3 * width + row) * width, x);
        const index_t column = row % width, place = (of * most_positions + at) * width + column;
        if (row < width)
            q[column] = value;
        else if (row < 2 * width)
            k[place] = value;
        else
            v[place] = value;
    }
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* x, const float* weights, int of, int at, float* q, float* k, float* v) const {
        row_times(group, row, [=](int column) { return x[column]; }, weights, of, at, q, k, v);
    }
};
struct project_first {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* embedded, const float* coded, const found_element<float>& token, const float* weights, int at, float* q,
                               float* k, float* v) const {
        const index_t of_token = token.index;
        project::row_times(group, row, [=](int column) { return embed{}(column, embedded, coded, of_token, at); }, weights, 0, at, q, k, v);
    }
};
// [attend]
// Each group finds what its head sees and multiplies it with some rows of the matrix behind the heads. All that it reads from memory it reads first.
struct room_of_head {
    four content[most_positions][head_width / in_a_load], weights[part_rows][head_width / in_a_load];
    float scores[most_positions][in_a_load], weight[most_positions];
    four sums[32][head_width / in_a_load], found[head_width / in_a_load];
    float products[part_rows][head_width / in_a_load];
};
struct attend {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t part, room_of_head* room, const float* q, const float* k, const float* v, const float* weights, int of, int at,
                               float* to) const {
        constexpr int fours = head_width / in_a_load, slices = 32;
        const int head = static_cast<int>(part) / parts, first = static_cast<int>(part) % parts * part_rows, count = at + 1;
        const auto place = [&](int position, int column) { return (of * most_positions + position) * width + head * head_width + in_a_load * column; };
        group.for_each(part_rows * fours, [&](int n) {
            const int row = n / fours, column = n % fours, position = n / in_a_load, quarter = n % in_a_load;
            room->weights[row][column] = four_at(weights + (of * width + first + row) * width + head * head_width + in_a_load * column);
            for (int other = row; other < count; other += part_rows) room->content[other][column] = four_at(v + place(other, column));
            if (position >= count) return;
            float sum = 0;
            for (int c = 0; c < fours / in_a_load; ++c)
                sum += dot_of(four_at(q + head * head_width + in_a_load * (in_a_load * c + quarter)), four_at(k + place(position, in_a_load * c + quarter)));
            room->scores[position][quarter] = sum;
        });
        const auto score = [&](int position) { return sum_of(four_at(room->scores[position])) / sqrtf(static_cast<float>(head_width)); };
        const float most = group.transform_reduce(count, score, maximum{});
        const auto weigh = [&](int position) { return room->weight[position] = expf(score(position) - most); };
        const float all = group.transform_reduce(count, weigh, plus{});
        group.for_each(slices * fours, [&](int n) {
            const int slice = n / fours, column = n % fours;
            four sum{};
            for (int other = slice; other < count; other += slices)
                for (int c = 0; c < in_a_load; ++c) sum.of[c] += room->weight[other] * room->content[other][column].of[c];
            room->sums[slice][column] = sum;
        });
        group.for_each(head_width, [&](int column) {
            float sum = 0;
            for (int slice = 0; slice < slices; ++slice) sum += room->sums[slice][column / in_a_load].of[column % in_a_load];
            room->found[column / in_a_load].of[column % in_a_load] = sum / all;
        });
        group.for_each(part_rows * fours, [&](int n) { room->products[n / fours][n % fours] = dot_of(room->weights[n / fours][n % fours], room->found[n % fours]); });
        group.for_each(part_rows, [&](int row) {
            float sum = 0;
            for (int c = 0; c < fours; ++c) sum += room->products[row][c];
            to[(first + row) * heads + head] = sum;
        });
    }
};
// [/attend]
struct activate {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* x, const float* added, const float* weights, int of, float& to) const {
        const float value = normed_product(group, weights + (of * hidden + row) * width, [=](int k) { return x[k] + sum_of(four_at(added + heads * k)); });
        to = value / (1 + expf(-value));
    }
};
struct add_product {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* from, const float* added, const float* weights, int of, float& x) const {
        const float* const own = weights + (of * width + row) * hidden;
        const float before = x + sum_of(four_at(added + heads * row));
        x = before + group.transform_reduce(hidden, [&](int k) { return own[k] * from[k]; }, plus{});  // all have read it before
    }
};
struct token_with_logit {
    template <class Group>
    COGRAPH_HD found_element<float> operator()(Group const& group, index_t token, const float* x, const float* weights) const {
        return {normed_product(group, weights + token * width, [=](int k) { return x[k]; }), token};
    }
};
struct more_likely {
    COGRAPH_HD found_element<float> operator()(found_element<float> a, found_element<float> b) const {
        if (a.index < 0 || b.index < 0) return a.index < 0 ? b : a;
        return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
    }
};
struct set_first {
    COGRAPH_HD void operator()(found_element<float>& chosen, int token) const { chosen = {0, token}; }
};
struct write_down {
    COGRAPH_HD void operator()(index_t k, const found_element<float>& chosen, int at, int& token) const {
        if (k == at) token = static_cast<int>(chosen.index);
    }
};
struct goes_on {
    COGRAPH_HD bool operator()(const found_element<float>& chosen, int at, int end, int most) const { return at < most && (at == 0 || chosen.index != end); }
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
        transform_reduce(over<extent(to_tokens) / width>().group<32>(), token_with_logit{}, more_likely{}, found_element<float>{0, -1})(out(next), in(state), in(to_tokens)),
        for_each(over(tokens), write_down{})(next, position, inout(tokens[each])), assign(position, position + 1));
inline constexpr auto whole = seq(fill(out(keys), 0.0f), fill(out(contents), 0.0f), fill(out(seen), 0.0f), single_task(set_first{})(out(next), first_token), assign(position, 0),
                                  label("tokens", loop_while(predicate(goes_on{})(next, position, last_token, limit), one_token)));
// [/whole]
static_assert(is_persistent(whole, "tokens"));

}  // namespace decoding
