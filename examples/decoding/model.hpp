// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transformer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace decoding {

/// Weights that are made, the same everywhere.
struct model {
    std::vector<float> embedding, position_code, to_heads, from_heads, to_hidden, from_hidden, to_tokens;

    explicit model(std::size_t vocabulary)
        : embedding(made(vocabulary * width, 1, 1)), position_code(made(most_positions * width, 2, 2)), to_heads(made(layers * 3 * width * width, 0.15f, 3)),
          from_heads(made(layers * width * width, 0.15f, 4)), to_hidden(made(layers * hidden * width, 0.15f, 5)), from_hidden(made(layers * width * hidden, 0.08f, 6)),
          to_tokens(made(vocabulary * width, 0.3f, 7)) {}

private:
    static std::vector<float> made(std::size_t count, float scale, std::uint32_t seed) {
        std::vector<float> all(count);
        std::uint32_t bits = seed * 2654435761u + 12345u;
        for (float& one : all) {
            bits = bits * 1664525u + 1013904223u;
            one = scale * (static_cast<float>(bits >> 8) / 8388608.0f - 1);
        }
        return all;
    }
};

/// The tokens by plain loops in double precision. margin: how far the best token was ahead of the second one, at least.
class plain_decoder {
public:
    explicit plain_decoder(const model& weights) : m_(weights) {}

    std::vector<int> tokens(int first, int last, int most, double& margin) {
        std::vector<int> chosen;
        std::vector<std::vector<std::vector<double>>> key(layers), content(layers);
        margin = 1e9;
        for (int token = first; static_cast<int>(chosen.size()) < most && (chosen.empty() || token != last); chosen.push_back(token)) {
            const std::size_t at = chosen.size();
            std::vector<double> x(width);
            for (std::size_t k = 0; k < width; ++k) x[k] = static_cast<double>(m_.embedding[static_cast<std::size_t>(token) * width + k]) + static_cast<double>(m_.position_code[at * width + k]);
            for (std::size_t l = 0; l < layers; ++l) {
                const std::vector<double> all = product(m_.to_heads, l, 3 * width, normed(x));
                key[l].emplace_back(all.begin() + width, all.begin() + 2 * width);
                content[l].emplace_back(all.begin() + 2 * width, all.end());
                add(x, product(m_.from_heads, l, width, attended(all, key[l], content[l])));
                std::vector<double> activated = product(m_.to_hidden, l, hidden, normed(x));
                for (double& value : activated) value /= 1 + std::exp(-value);
                add(x, product(m_.from_hidden, l, width, activated));
            }
            const std::vector<double> logit = product(m_.to_tokens, 0, m_.to_tokens.size() / width, normed(x));
            token = static_cast<int>(std::max_element(logit.begin(), logit.end()) - logit.begin());
            for (std::size_t other = 0; other < logit.size(); ++other)
                if (static_cast<int>(other) != token) margin = std::min(margin, logit[static_cast<std::size_t>(token)] - logit[other]);
        }
        return chosen;
    }

private:
    static std::vector<double> product(const std::vector<float>& weights, std::size_t of, std::size_t rows, const std::vector<double>& from) {
        std::vector<double> to(rows);
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t k = 0; k < from.size(); ++k) to[r] += static_cast<double>(weights[(of * rows + r) * from.size() + k]) * from[k];
        return to;
    }
    static std::vector<double> normed(std::vector<double> x) {
        double square = 0;
        for (double value : x) square += value * value;
        for (double& value : x) value /= std::sqrt(square / width + 1e-5);
        return x;
    }
    static void add(std::vector<double>& x, const std::vector<double>& more) {
        for (std::size_t k = 0; k < x.size(); ++k) x[k] += more[k];
    }
    static std::vector<double> attended(const std::vector<double>& asked, const std::vector<std::vector<double>>& key, const std::vector<std::vector<double>>& content) {
        std::vector<double> to(width), score(key.size());
        for (std::size_t head = 0; head < width; head += head_width) {
            double sum = 0;
            for (std::size_t t = 0; t < key.size(); ++t) {
                score[t] = 0;
                for (std::size_t c = head; c < head + head_width; ++c) score[t] += asked[c] * key[t][c];
                sum += score[t] = std::exp(score[t] / std::sqrt(static_cast<double>(head_width)));
            }
            for (std::size_t t = 0; t < key.size(); ++t)
                for (std::size_t c = head; c < head + head_width; ++c) to[c] += score[t] / sum * content[t][c];
        }
        return to;
    }

    const model& m_;
};

}  // namespace decoding
