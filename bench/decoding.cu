// SPDX-License-Identifier: Apache-2.0
// Greedy decoding of examples/decoding, 128 tokens of 8 192: microseconds a token, by a host loop by hand that copies each token back, by one
// kernel by hand, and by the library, node by node and as one kernel.
#include "decoding_by_hand.cuh"
#include "lowering.cuh"

#include "../examples/decoding/model.hpp"

#include <vector>

namespace {

using namespace cograph;
namespace d = decoding;
namespace hand = decoding_by_hand;
using bench::check;

constexpr int vocabulary = 8192, count = d::most_positions, first = 1, no_token = -1;

struct floats : bench::device_array<float> {
    explicit floats(const std::vector<float>& from) : bench::device_array<float>(from.size()) { check(cudaMemcpy(data, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice)); }
};

struct problem {
    d::model m{vocabulary};
    floats embedding{m.embedding}, position_code{m.position_code}, to_heads{m.to_heads}, from_heads{m.from_heads}, to_hidden{m.to_hidden}, from_hidden{m.from_hidden},
        to_tokens{m.to_tokens};
    bench::device_array<int> tokens{static_cast<std::size_t>(count)}, position{1};
    double margin = 0;
    std::vector<int> expected = d::plain_decoder(m).tokens(first, no_token, count, margin);

    void expect_right(const char* who) {
        std::vector<int> found(expected.size());
        check(cudaMemcpy(found.data(), tokens.data, found.size() * sizeof(int), cudaMemcpyDeviceToHost));
        bench::expect(found == expected, who);
        tokens.zero();
    }
};

class host_loop {
public:
    host_loop(const bench::gpu& g, problem& p)
        : g_(g), p_(p), x_(d::width), q_(d::width), seen_(d::width), inner_(d::hidden), k_(d::layers * d::most_positions * d::width), v_(k_.count), logits_(vocabulary), token_(1) {
        check(cudaMallocHost(&chosen_, sizeof(int)));
    }
    ~host_loop() { cudaFreeHost(chosen_); }
    host_loop(const host_loop&) = delete;

    void run() {
        int token = first;
        for (int at = 0; at < count; ++at) {
            hand::embed<<<1, d::width, 0, g_.stream>>>(p_.embedding.data, p_.position_code.data, token, at, x_.data);
            for (int layer = 0; layer < d::layers; ++layer) {
                hand::project<<<3 * d::width / 8, 256, 0, g_.stream>>>(x_.data, p_.to_heads.data, layer, at, q_.data, k_.data, v_.data);
                hand::attend<<<d::heads, d::most_positions, 0, g_.stream>>>(q_.data, k_.data, v_.data, layer, at, seen_.data);
                hand::add_product<<<d::width / 4, 128, 0, g_.stream>>>(seen_.data, p_.from_heads.data, layer, d::width, x_.data);
                hand::activate<<<d::hidden / 8, 256, 0, g_.stream>>>(x_.data, p_.to_hidden.data, layer, inner_.data);
                hand::add_product<<<d::width / 4, 128, 0, g_.stream>>>(inner_.data, p_.from_hidden.data, layer, d::hidden, x_.data);
            }
            hand::find_logits<<<vocabulary / 8, 256, 0, g_.stream>>>(x_.data, p_.to_tokens.data, logits_.data);
            hand::find_best<<<1, 1024, 0, g_.stream>>>(logits_.data, vocabulary, token_.data);
            check(cudaMemcpyAsync(chosen_, token_.data, sizeof(int), cudaMemcpyDeviceToHost, g_.stream));
            g_.wait();
            token = *chosen_;
            found_.push_back(token);
        }
        check(cudaMemcpy(p_.tokens.data, found_.data(), found_.size() * sizeof(int), cudaMemcpyHostToDevice));
        found_.clear();
    }

private:
    const bench::gpu& g_;
    problem& p_;
    bench::device_array<float> x_, q_, seen_, inner_, k_, v_, logits_;
    bench::device_array<int> token_;
    int* chosen_;
    std::vector<int> found_;
};

class one_kernel {
public:
    one_kernel(const bench::gpu& g, problem& p) : g_(g), p_(p), words_(hand::message_words) {
        static_assert(vocabulary == hand::blocks * hand::block_warps * 4);
        check(cudaFuncSetAttribute(hand::generate, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(hand::block_memory))));
    }
    void enqueue() {
        check(cudaMemsetAsync(words_.data, 0, words_.count * sizeof(unsigned long long), g_.stream));
        hand::model_weights weights{p_.embedding.data, p_.position_code.data, p_.to_heads.data, p_.from_heads.data, p_.to_hidden.data, p_.from_hidden.data, p_.to_tokens.data};
        int words = vocabulary, begin = first, last = no_token, most = count;
        void* parameters[] = {&weights, &words_.data, &words, &begin, &last, &most, &p_.tokens.data};
        check(cudaLaunchCooperativeKernel(hand::generate, hand::blocks, hand::threads, parameters, sizeof(hand::block_memory), g_.stream));
    }

private:
    const bench::gpu& g_;
    problem& p_;
    bench::device_array<unsigned long long> words_;
};

}  // namespace

int main() {
    const bench::gpu g;
    problem p;
    host_loop loop(g, p);
    loop.run();
    p.expect_right("the host loop");
    one_kernel by_hand(g, p);
    by_hand.enqueue();
    g.wait();
    p.expect_right("the kernel by hand");
    const auto make = [&](const auto& e) {
        return instantiate(e, d::embedding(p.embedding.data, p.embedding.count), d::position_code(p.position_code.data, p.position_code.count),
                           d::to_heads(p.to_heads.data, p.to_heads.count), d::from_heads(p.from_heads.data, p.from_heads.count),
                           d::to_hidden(p.to_hidden.data, p.to_hidden.count), d::from_hidden(p.from_hidden.data, p.from_hidden.count),
                           d::to_tokens(p.to_tokens.data, p.to_tokens.count), d::tokens(p.tokens.data, p.tokens.count), d::position(p.position.data), d::first_token(first),
                           d::last_token(no_token), d::limit(count));
    };
    auto nodes = make(as_nodes(d::whole));
    auto lowered = make(d::whole);
    const auto try_out = [&](auto& graph) {
        graph.launch(g.stream);
        g.wait();
        p.expect_right("the library");
    };
    try_out(nodes);
    try_out(lowered);
    std::printf("%d tokens of %d, the best was ahead by %.2g at least\n", count, vocabulary, p.margin);
    lowering::title();
    const auto cost = lowering::medians(9, [&] { return lowering::duration(g, [&] { loop.run(); }) / count; },
                                        [&] { return lowering::duration(g, [&] { by_hand.enqueue(); }) / count; },
                                        [&] { return lowering::duration(g, [&] { nodes.launch(g.stream); }) / count; },
                                        [&] { return lowering::duration(g, [&] { lowered.launch(g.stream); }) / count; });
    lowering::row("decoding, a token, host loop by hand", {cost[0], cost[2], cost[3]}, 34);
    lowering::row("decoding, a token, one kernel by hand", {cost[1], cost[2], cost[3]}, 34);
}
