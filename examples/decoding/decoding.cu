// SPDX-License-Identifier: Apache-2.0

// Greedy decoding: a small transformer with made weights chooses tokens until it chooses the last one, all in one kernel.

#include "../anywhere.hpp"
#include "../command_line.hpp"
#include "model.hpp"
#include "transformer.hpp"

#include <algorithm>
#include <cstdio>

namespace decoding {

struct options {
    int count = 12, vocabulary = 1024, first = 1;
};

constexpr const char* usage =
    R"(usage: decoding [--tokens N] [--vocabulary V] [--first T]
  --tokens N      how many tokens to choose at most, from 1 to 128 (default 12)
  --vocabulary V  how many tokens there are, from 2 to 32768 (default 1024)
  --first T       the token to begin with, from 1 to V - 1 (default 1)
)";

template <class T>
anywhere::array<T> copy_of(const std::vector<T>& from) {
    anywhere::array<T> to(from.size());
    std::copy(from.begin(), from.end(), to.data());
    return to;
}

int decode(const options& chosen) {
    if (chosen.first >= chosen.vocabulary) throw command_line::usage_error("--first: there are fewer tokens");
    const model m(static_cast<std::size_t>(chosen.vocabulary));
    double margin = 0;
    const int none = -1;
    const std::vector<int> expected = plain_decoder(m).tokens(chosen.first, none, chosen.count, margin);

    const auto embedded = copy_of(m.embedding), coded = copy_of(m.position_code), heads_in = copy_of(m.to_heads), heads_out = copy_of(m.from_heads);
    const auto hidden_in = copy_of(m.to_hidden), hidden_out = copy_of(m.from_hidden), last = copy_of(m.to_tokens);
    const anywhere::array<int> found(most_positions), reached(1);
    anywhere::run(whole, embedding(embedded.span()), position_code(coded.span()), to_heads(heads_in.span()), from_heads(heads_out.span()), to_hidden(hidden_in.span()),
                  from_hidden(hidden_out.span()), to_tokens(last.span()), tokens(found.span()), position(reached.data()), first_token(chosen.first), last_token(none),
                  limit(chosen.count));

    std::printf("%s: %d of %d tokens:", anywhere::way_to_run(), reached[0], chosen.vocabulary);
    for (int k = 0; k < std::min(reached[0], 12); ++k) std::printf(" %d", found[static_cast<std::size_t>(k)]);
    std::printf("%s; the best was ahead by %.2g at least\n", reached[0] > 12 ? " ..." : "", margin);
    // Where two tokens are nearly alike, single precision may take the other one.
    const bool right = reached[0] == chosen.count && (margin < 1e-3 || std::equal(expected.begin(), expected.end(), found.data()));
    if (!right) std::fprintf(stderr, "decoding: the tokens are wrong\n");
    return !right;
}

}  // namespace decoding

int main(int argc, char** argv) {
    return command_line::run("decoding", decoding::usage, [&] {
        decoding::options chosen;
        command_line::read(argc, argv, {{"--tokens", 1, decoding::most_positions, chosen.count}, {"--vocabulary", 2, 32768, chosen.vocabulary}, {"--first", 1, 32767, chosen.first}});
        return decoding::decode(chosen);
    });
}
