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
constexpr int parts = 32, part_width = head_width / parts;  // of a head, each by a group of its own

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
inline constexpr struct scores : temp<scores, float, elements<heads * parts * most_positions>> {} scores;
inline constexpr struct seen : temp<seen, float, elements<width>> {} seen;      // what attention found
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
// A row times a vector whose mean square is one.
template <class Group>
COGRAPH_HD float normed_product(Group const& group, const float* row, const float* x) {
    const auto term = [&](int k) { return sum_and_square{row[k] * x[k], x[k] * x[k]}; };
    const sum_and_square all = group.transform_reduce(width, term, add_both{}, sum_and_square{0, 0});
    return all.sum / sqrtf(all.square / width + 1e-5f);
}
// [/row]

struct embed {
    COGRAPH_HD void operator()(index_t k, const float* embedded, const float* coded, const found_element<float>& token, int at, float& x) const {
        x = embedded[token.index * width + k] + coded[at * width + k];
    }
};
struct project {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* x, const float* weights, int of, int at, float* q, float* k, float* v) const {
        const float value = normed_product(group, weights + (of * 3 * width + row) * width, x);
        const index_t column = row % width, place = (of * most_positions + at) * width + column;
        if (row < width)
            q[column] = value;
        else if (row < 2 * width)
            k[place] = value;
        else
            v[place] = value;
    }
};
// Each group finds how much its head looks at each position, and then some columns of what it sees.
struct attend {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t part, const float* q, const float* k, const float* v, int of, int at, float* score, float* to) const {
        const index_t head = part / parts * head_width, first = part % parts * part_width;
        const float* const own = q + head;
        float* const weight = score + part * most_positions;
        const auto place = [&](int other) { return (of * most_positions + other) * width + head; };
        const int count = at + 1;
        group.for_each(count, [&](int other) {
            const float* const key = k + place(other);
            float sum = 0;
            for (int c = 0; c < head_width; ++c) sum += own[c] * key[c];
            weight[other] = sum / sqrtf(static_cast<float>(head_width));
        });
        const float most = group.transform_reduce(count, [&](int other) { return weight[other]; }, maximum{});
        group.for_each(count, [&](int other) { weight[other] = expf(weight[other] - most); });
        const float sum = group.transform_reduce(count, [&](int other) { return weight[other]; }, plus{});
        for (index_t c = first; c < first + part_width; ++c)
            to[head + c] = group.transform_reduce(count, [&](int other) { return weight[other] * v[place(other) + c]; }, plus{}) / sum;
    }
};
struct add_product {
    int columns;
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* from, const float* weights, int of, float& x) const {
        const float* const own = weights + (of * width + row) * columns;
        const float sum = group.transform_reduce(columns, [&](int k) { return own[k] * from[k]; }, plus{});
        const float before = x;
        group.sync();  // all have read it
        if (group.rank() == 0) x = before + sum;
    }
};
struct activate {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t row, const float* x, const float* weights, int of, float& to) const {
        const float value = normed_product(group, weights + (of * hidden + row) * width, x);
        to = value / (1 + expf(-value));
    }
};
struct token_with_logit {
    template <class Group>
    COGRAPH_HD found_element<float> operator()(Group const& group, index_t token, const float* x, const float* weights) const {
        return {normed_product(group, weights + token * width, x), token};
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
inline constexpr auto one_layer =
    seq(for_each(over<3 * width>().group<32>(), project{})(in(state), in(to_heads), layer, position, out(query), inout(keys), inout(contents)),
        for_each(over<heads * parts>().group<32>(), attend{})(in(query), in(keys), in(contents), layer, position, inout(scores), out(seen)),
        for_each(over(state).group<32>(), add_product{width})(in(seen), in(from_heads), layer, inout(state[each])),
        for_each(over(inner).group<32>(), activate{})(in(state), in(to_hidden), layer, out(inner[each])),
        for_each(over(state).group<128>(), add_product{hidden})(in(inner), in(from_hidden), layer, inout(state[each])), assign(layer, layer + 1));
inline constexpr auto one_token =
    seq(for_each(over(state), embed{})(in(embedding), in(position_code), next, position, out(state[each])), assign(layer, 0), loop_while(layer < layers, one_layer),
        transform_reduce(over<extent(to_tokens) / width>().group<32>(), token_with_logit{}, more_likely{}, found_element<float>{0, -1})(out(next), in(state), in(to_tokens)),
        for_each(over(tokens), write_down{})(next, position, inout(tokens[each])), assign(position, position + 1));
inline constexpr auto whole = seq(fill(out(keys), 0.0f), fill(out(contents), 0.0f), fill(out(scores), 0.0f), single_task(set_first{})(out(next), first_token), assign(position, 0),
                                  label("tokens", loop_while(predicate(goes_on{})(next, position, last_token, limit), one_token)));
// [/whole]
static_assert(is_persistent(whole, "tokens"));

}  // namespace decoding
