// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/bind/check.hpp>

#include <cstdint>

namespace cograph::core {

// A read of x[near<...>] that a node may not make, as a number that is not 0: which parameter, whether beyond the radius, and how
// far along each dimension. (The function object finds it on the host, and knows no names.)
struct numbered_read {
    int parameter;
    bool too_far;
    int offset[3];
};
constexpr int most_told_offset = 32767;
constexpr std::int64_t number_of(const numbered_read& read) {
    std::int64_t number = 1 + 2 * read.parameter + read.too_far;
    for (const int by : read.offset)
        number = number * 65536 + (by < -most_told_offset ? -most_told_offset : by > most_told_offset ? most_told_offset : by) + most_told_offset;
    return number;
}
constexpr numbered_read read_of(std::int64_t number) {
    numbered_read read{};
    for (int d = 2; d >= 0; --d) {
        read.offset[d] = static_cast<int>(number % 65536) - most_told_offset;
        number /= 65536;
    }
    read.parameter = static_cast<int>((number - 1) / 2);
    read.too_far = (number - 1) % 2 != 0;
    return read;
}

// An argument by its number: of a node that runs an expression, counted through that one's nodes.
constexpr const argument* argument_inside(const node_spec& tree, int& left) {
    if (left < tree.argument_count) return tree.arguments + left;
    left -= tree.argument_count;
    for (int i = 0; i < tree.child_count; ++i)
        if (const argument* const found = argument_inside(*tree.children[i], left)) return found;
    return nullptr;
}
inline bool may_refuse_read(const plan_node& r) { return r.from->traits->box_rank != 0 || r.from->inside; }
[[noreturn]] inline void refuse_read(const frame& f, const plan_node& r, std::int64_t number) {
    numbered_read read = read_of(number);
    const argument& asked = r.from->inside ? *argument_inside(*r.from->inside->tree, read.parameter) : r.from->arguments[read.parameter];
    const name_view name = asked.variable->name.read();
    char offset[64] = "", radius[64] = "";
    int length = 0, more = 0;
    for (int d = 0; d < asked.near->rank; ++d) {
        length += std::snprintf(offset + length, sizeof offset - static_cast<std::size_t>(length), d == 0 ? "%d" : ", %d", read.offset[d]);
        more += std::snprintf(radius + more, sizeof radius - static_cast<std::size_t>(more), d == 0 ? "%d" : ", %d", asked.near->along[d]);
    }
    if (read.too_far)
        refuse(place_of(f, r), "reads %.*s.at(%s), beyond %.*s[near<%s>]", static_cast<int>(name.size), name.data, offset, static_cast<int>(name.size), name.data, radius);
    refuse(place_of(f, r), "reads %.*s.at(%s) of an element at an edge, which has no such neighbour: test inside(%s) first", static_cast<int>(name.size), name.data, offset, offset);
}

constexpr bool has_neighbours(const node_spec& tree) {
    for (int i = 0; i < tree.argument_count; ++i)
        if (tree.arguments[i].near) return true;
    for (int i = 0; i < tree.child_count; ++i)
        if (has_neighbours(*tree.children[i])) return true;
    return tree.inside && has_neighbours(*tree.inside->tree);
}
constexpr bool has_neighbours(const plan_view& p) {
    for (int r = 0; r < p.count.nodes; ++r) {
        for (int i = 0; i < p.nodes[r].argument_count; ++i)
            if (p.nodes[r].from->arguments[i].near) return true;
        if (p.nodes[r].from->inside && has_neighbours(*p.nodes[r].from->inside->tree)) return true;
    }
    return false;
}

}  // namespace cograph::core
