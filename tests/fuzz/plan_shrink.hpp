// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plan_tree.hpp"

namespace plan_fuzz {

// All trees that are one step simpler, the boldest steps first.
inline trees simpler(const tree& t) {
    trees all = t.children;
    const auto add = [&](auto change) {
        tree made = t;
        change(made);
        all.push_back(std::move(made));
    };
    if (is_group(t) || t.children.size() > 1)
        for (std::size_t i = 0; i < t.children.size(); ++i)
            add([&](tree& to) { to.children.erase(to.children.begin() + i); });
    for (std::size_t i = 0; i < t.children.size(); ++i) {
        if (!t.passes && (!is_group(t.children[i]) || !t.children[i].children.empty()))
            add([&](tree& to) { to.children[i] = sequence({}); });
        if (is_group(t) && is_group(t.children[i]))
            add([&](tree& to) {
                const trees below = std::move(to.children[i].children);
                to.children.erase(to.children.begin() + i);
                to.children.insert(to.children.begin() + i, below.begin(), below.end());
            });
    }
    if (!is_group(t) && t.kind != spec_kind::work && t.arguments.size() > 0 &&
        t.arguments[0].form != argument_form::counter)
        add([](tree& to) { to = work(to.arguments); });
    if (t.kind == spec_kind::parallel) add([](tree& to) { to.kind = spec_kind::sequence; });
    if (t.leaves > 1) add([](tree& to) { to.leaves = 1; });
    if (t.every > 1) add([](tree& to) { --to.every; });
    if (t.form != node_form::kernel) add([](tree& to) { to.form = node_form::kernel; });
    if (t.device_only) add([](tree& to) { to.device_only = false; });
    if (t.domain.form != argument_form::kept_value) add([](tree& to) { to.domain = kept_value; });
    for (std::size_t i = t.form == node_form::memory_copy; i < t.arguments.size(); ++i) {  // a copy keeps what it reads
        if (t.arguments[i].form != argument_form::counter || t.kind == spec_kind::work)
            add([&](tree& to) { to.arguments.erase(to.arguments.begin() + i); });
        if (t.arguments[i].each) add([&](tree& to) { to.arguments[i].each = false; });
        if (t.arguments[i].access != access_mode::read_write || !t.arguments[i].variable) continue;
        add([&](tree& to) { to.arguments[i].access = access_mode::read; });
        add([&](tree& to) { to.arguments[i].access = access_mode::write; });
    }
    for (std::size_t i = 0; i < t.children.size(); ++i)
        for (tree& child : simpler(t.children[i])) add([&](tree& to) { to.children[i] = std::move(child); });
    return all;
}

// A smallest tree that still fails, as far as single steps lead.
template <class Fails>
tree shrink(tree t, Fails fails) {
    for (bool found = true; found;) {
        found = false;
        for (tree& candidate : simpler(t)) {
            if (!fails(candidate)) continue;
            t = std::move(candidate);
            found = true;
            break;
        }
    }
    return t;
}

}  // namespace plan_fuzz
