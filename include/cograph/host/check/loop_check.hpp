// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/frame.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace cograph::core {

// Finds loops that cannot end: an iteration begins with memory in a state in which an earlier one began, so all that follows is the
// same again. A loop that counts its iterations ends all the same.
class loop_check {
public:
    explicit loop_check(const frame& f) : f_(f), loops_(static_cast<std::size_t>(f.plan.count.conditions)) {}

    // After a condition; whether its loop may end yet.
    bool goes_on(const plan_node& r) {
        if (!decides(r)) return true;
        known_loop& loop = loops_[static_cast<std::size_t>(r.condition - f_.plan.count.named)];
        const int owner = f_.plan.regions[r.region].owner;
        const bool ends_an_iteration = owner >= 0 && f_.plan.nodes[owner].condition == r.condition;
        if (!ends_an_iteration) {
            loop = {};
            return true;
        }
        if (!may_be_endless(f_.plan.nodes[owner], r)) return true;
        const std::uint64_t state = state_of(f_.plan.nodes[owner]);
        if (loop.iterations > 0 && loop.state == state) return false;
        // Brent's way to find a cycle: the state at powers of two is kept.
        if ((loop.iterations & (loop.iterations - 1)) == 0) loop.state = state;
        ++loop.iterations;
        return true;
    }

private:
    struct known_loop {
        index_t iterations = 0;
        std::uint64_t state = 0;
    };

    // A loop without a limit, of nodes whose memory is all known.
    bool may_be_endless(const plan_node& loop, const plan_node& condition) const {
        if (loop.control == spec_kind::repeat) return false;
        const argument* const arguments = condition.from->arguments;
        if (condition.argument_count > 1 && (arguments[1].form == argument_form::count || arguments[1].form == argument_form::object)) return false;
        return all_is_known(loop);
    }
    bool all_is_known(const plan_node& conditional) const {
        for (int body = conditional.first_region; body < conditional.first_region + conditional.region_count; ++body)
            for (int i = f_.plan.regions[body].first_node; i >= 0; i = f_.plan.nodes[i].next) {
                const plan_node& r = f_.plan.nodes[i];
                if (r.kind == plan_node_kind::conditional && !all_is_known(r)) return false;
                if (r.kind == plan_node_kind::work && r.from->traits->captures) return false;
                for (int a = 0; a < r.argument_count; ++a) {
                    const argument& used = r.from->arguments[a];
                    if (used.variable && used.variable->kind == variable_kind::view && writes(used.access)) return false;
                }
            }
        return true;
    }

    std::uint64_t state_of(const plan_node& loop) const {
        std::uint64_t state = 14695981039346656037u;
        for (int a = loop.first_access; a < loop.first_access + loop.access_count; ++a) {
            const int v = f_.plan.accesses[a].variable;
            if (v >= f_.plan.count.named || !writes(f_.plan.accesses[a].how)) continue;
            const slot& s = f_.slots[v];
            if (s.pointer && !s.object) state = add(state, static_cast<const char*>(s.pointer), s.count * f_.plan.variables[v].info->size);
        }
        return state;
    }
    static std::uint64_t mixed(std::uint64_t a) {
        a = (a ^ a >> 32) * 0xd6e8feb86659fd93u;
        return (a ^ a >> 32) * 0xd6e8feb86659fd93u;
    }
    // Four sums side by side: one after another would wait for its product.
    static std::uint64_t add(std::uint64_t state, const char* memory, std::size_t bytes) {
        std::uint64_t lanes[4] = {state, state + 1, state + 2, state + 3};
        std::size_t at = 0;
        for (; at + 32 <= bytes; at += 32)
            for (int l = 0; l < 4; ++l) {
                std::uint64_t word;
                std::memcpy(&word, memory + at + 8 * l, 8);
                lanes[l] = (lanes[l] ^ word) * 0x9e3779b97f4a7c15u;
                lanes[l] ^= lanes[l] >> 29;
            }
        for (; at < bytes; ++at) lanes[0] = (lanes[0] ^ static_cast<unsigned char>(memory[at])) * 0x100000001b3u;
        return mixed(lanes[0]) + mixed(lanes[1] + 1) * 3 + mixed(lanes[2] + 2) * 5 + mixed(lanes[3] + 3) * 7;
    }

    const frame& f_;
    std::vector<known_loop> loops_;
};

}  // namespace cograph::core
