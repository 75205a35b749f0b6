// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vocabulary.hpp"

#include <cograph/batch.hpp>

#ifdef __CUDACC__
#include "../device_memory.cuh"

#include <cograph/batch.cuh>
#endif

#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

// A random program as a batch of problems, where all of it can be in one.
namespace random_programs {

constexpr int problems_of_batch = 3;

// Elements where the batch runs.
template <class T>
class elements_on_host {
public:
    explicit elements_on_host(std::vector<T> elements) : elements_(std::move(elements)) {}
    std::span<T> all() { return elements_; }
    const std::vector<T>& read() const { return elements_; }

private:
    std::vector<T> elements_;
};

// What each problem has of a member of memory, one behind the other; given back at the end.
template <template <class> class Elements>
class batch_place {
public:
    explicit batch_place(std::vector<memory>& of) : of_(of) {}

    template <class T>
    std::span<T> operator()(std::vector<T> memory::*member) {
        std::vector<T> all;
        for (const memory& one : of_) all.insert(all.end(), (one.*member).begin(), (one.*member).end());
        return keep(std::move(all), [member](memory& one, const T*& from) {
            for (T& element : one.*member) element = *from++;
        });
    }
    template <class T>
    std::span<T> operator()(T memory::*member) {
        std::vector<T> all;
        for (const memory& one : of_) all.push_back(one.*member);
        return keep(std::move(all), [member](memory& one, const T*& from) { one.*member = *from++; });
    }
    void bring_back() const {
        for (const auto& one : back_) one();
    }

private:
    template <class T, class Give>
    std::span<T> keep(std::vector<T> all, Give give) {
        const auto kept = std::make_shared<Elements<T>>(std::move(all));
        back_.push_back([this, kept, give] {
            const std::vector<T> found = kept->read();
            const T* from = found.data();
            for (memory& one : of_) give(one, from);
        });
        return kept->all();
    }

    std::vector<memory>& of_;
    std::vector<std::function<void()>> back_;
};

template <class E>
constexpr bool can_be_batched() {
    int leaf = 0;
    return core::find_obstacle(E::tree, leaf).why == core::lowering_status::persistent && core::is_fine<decltype(core::diagnose_parameters<E>())>;
}

// Whether a batch of problems goes wrong, each of which begins with other memory. run: of the batch, with its bindings.
template <class Program, template <class> class Elements, class E, class Run>
bool is_wrong_in_a_batch(const char* title, const char* way, const E& all, const memory& start, Run run) {
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
    batch_place<Elements> at(given);
    Program::with_batch(given[0], at, [&](auto... bindings) { run(all, bindings...); });
    at.bring_back();
    if (given == expected) return false;
    std::printf("%s: a batch%s differs from the plain form\n", title, way);
    return true;
}

// How many ways of a batch go wrong.
template <class Program>
int wrong_in_a_batch(const char* title, const memory& start) {
    static constexpr auto expression = Program::expression();
    using E = std::remove_const_t<decltype(expression)>;
    if constexpr (can_be_batched<E>()) {
        static constexpr auto all = Program::batched(expression);
        int wrong = is_wrong_in_a_batch<Program, elements_on_host>(title, "", all, start, [](const auto& solve, auto... bindings) { simulate(solve, bindings...); });
#ifdef __CUDACC__
        wrong += is_wrong_in_a_batch<Program, device_memory::device_array>(title, " on a GPU", all, start, [](const auto& solve, auto... bindings) {
            const device_memory::stream on;
            auto exec = instantiate(solve, bindings...);
            exec.launch(on);
            on.wait();
        });
#endif
        return wrong;
    } else {
        return 0;
    }
}

}  // namespace random_programs
