// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vocabulary.hpp"

#include <cograph/batch.hpp>

#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <vector>

// A random program as a batch of problems, where all of it can be in one.
namespace random_programs {

constexpr int problems_of_batch = 3;

// What each problem has of a member of memory, one behind the other; given back at the end.
class batch_place {
public:
    explicit batch_place(std::vector<memory>& of) : of_(of) {}

    template <class T>
    std::span<T> operator()(std::vector<T> memory::*member) {
        const auto all = std::make_shared<std::vector<T>>();
        for (const memory& one : of_) all->insert(all->end(), (one.*member).begin(), (one.*member).end());
        back_.push_back([this, member, all] {
            std::size_t from = 0;
            for (memory& one : of_)
                for (T& element : one.*member) element = (*all)[from++];
        });
        return *all;
    }
    template <class T>
    std::span<T> operator()(T memory::*member) {
        const auto all = std::make_shared<std::vector<T>>();
        for (const memory& one : of_) all->push_back(one.*member);
        back_.push_back([this, member, all] {
            std::size_t from = 0;
            for (memory& one : of_) one.*member = (*all)[from++];
        });
        return *all;
    }
    void bring_back() const {
        for (const auto& one : back_) one();
    }

private:
    std::vector<memory>& of_;
    std::vector<std::function<void()>> back_;
};

template <class E>
constexpr bool can_be_batched() {
    int leaf = 0;
    return core::find_obstacle(E::tree, leaf).why == core::lowering_status::persistent && core::is_fine<decltype(core::diagnose_parameters<E>())>;
}

// Whether a batch of problems goes wrong, each of which begins with other memory.
template <class Program>
bool goes_wrong_in_a_batch(const char* title, const memory& start) {
    static constexpr auto expression = Program::expression();
    using E = std::remove_const_t<decltype(expression)>;
    if constexpr (can_be_batched<E>()) {
        static constexpr auto all = Program::batched(expression);
        std::vector<memory> given(problems_of_batch, start);
        integer more = 0;
        for (memory& one : given) {
            one.s0 += more;
            one.s3 -= 100 * more;
            for (integer& element : one.a) element = wrap(element + more * more);
            for (double& element : one.d) element += static_cast<double>(more);
            ++more;
        }
        std::vector<memory> expected = given;
        for (memory& one : expected) {
            inner_memory inner(one);
            Program::compute(one, inner);
        }
        batch_place at(given);
        Program::with_batch(given[0], at, [](auto... bindings) { simulate(all, bindings...); });
        at.bring_back();
        if (given == expected) return false;
        std::printf("%s: a batch differs from the plain form\n", title);
        return true;
    } else {
        return false;
    }
}

}  // namespace random_programs
