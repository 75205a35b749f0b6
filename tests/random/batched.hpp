// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hunt.hpp"
#include "vocabulary.hpp"

#include <cograph/batch.hpp>

#ifdef __CUDACC__
#include "../device_memory.cuh"

#include <cograph/batch.cuh>
#endif

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// A random program as a batch of problems, where all of it can be in one: with equally many elements each, and with parts of unequal lengths.
namespace random_programs {

constexpr int problems_of_batch = 3;

inline constexpr struct begins_of_a : buffer<begins_of_a, int> {} begins_of_a;
inline constexpr struct begins_of_d : buffer<begins_of_d, int> {} begins_of_d;
inline constexpr struct longest_a : value<longest_a, int> {} longest_a;
inline constexpr struct longest_d : value<longest_d, int> {} longest_d;

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
    // Where the parts of problems begin, and how many elements the longest has.
    template <class T>
    std::span<int> begins(std::vector<T> memory::*member) {
        std::vector<int> all{0};
        for (const memory& one : of_) all.push_back(all.back() + static_cast<int>((one.*member).size()));
        return keep(std::move(all), [](memory&, const int*&) {});
    }
    template <class T>
    int longest(std::vector<T> memory::*member) const {
        std::size_t most = 0;
        for (const memory& one : of_) most = std::max(most, (one.*member).size());
        return static_cast<int>(most);
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

// Whether a program may be a batch of problems with such parts.
template <class E, class Problems, class... Parts>
constexpr bool can_be_batched(Problems, core::list<Parts...>) {
    if constexpr (core::is_fine<decltype(core::diagnose_parts<E>())> && core::is_fine<decltype(core::diagnose_parameters<E>())>)
        return core::is_fine<decltype(core::diagnose_batch<Problems, E, Parts...>())>;
    else
        return false;
}

template <class Problems, class E, class... Parts>
constexpr auto batch_of_parts(Problems problems, const E& problem, core::list<Parts...>) {
    return batch(problems, problem)(Parts{}...);
}

// Each problem begins with other memory, and may have fewer elements than the longest.
inline std::vector<memory> memory_of_problems(const memory& start, bool unequal) {
    std::vector<memory> given(problems_of_batch, start);
    integer more = 0;
    for (memory& one : given) {
        one.s0 += more;
        one.s3 -= 100 * more;
        for (integer& element : one.a) element = wrap(element + more * more);
        for (double& element : one.d) element += static_cast<double>(more);
        if (unequal) one.v += 5 * more;
        const std::size_t share = unequal && more != 1 ? 3 + 2 * static_cast<std::size_t>(more) : 1;
        one.a.resize(start.a.size() / share);
        one.b.resize(start.b.size() / share);
        one.d.resize(start.d.size() / share);
        one.e.resize(start.e.size() / share);
        ++more;
    }
    return given;
}

// Whether a batch goes wrong. bind: gives a place to its bindings, and those to run, which runs the batch.
template <class Program, template <class> class Elements, class Bind, class Run>
bool is_wrong_in_a_batch(const char* title, const char* way, std::vector<memory> given, Bind bind, Run run) {
    std::vector<memory> expected = given;
    for (memory& one : expected) {
        inner_memory inner(one);
        Program::compute(one, inner);
    }
    batch_place<Elements> at(given);
    bind(given[0], at, run);
    at.bring_back();
    if (given == expected) return false;
    std::printf("%s: a batch%s differs from the plain form\n", title, way);
    return true;
}
template <class Program, class E, class Bind>
int wrong_in_a_batch(const char* title, const char* on_host, [[maybe_unused]] const char* on_gpu, const E& all, const std::vector<memory>& given, Bind bind) {
    int wrong = is_wrong_in_a_batch<Program, elements_on_host>(title, on_host, given, bind, [&](auto... bindings) { simulate(all, bindings...); });
#ifdef __CUDACC__
    wrong += is_wrong_in_a_batch<Program, device_memory::device_array>(title, on_gpu, given, bind, [&](auto... bindings) {
        const device_memory::stream on;
        auto exec = instantiate(all, bindings...);
        exec.launch(on);
        on.wait();
    });
#endif
    return wrong;
}

// How many ways of a batch go wrong.
template <class Program>
int wrong_in_a_batch(const char* title, const memory& start) {
    static constexpr auto expression = Program::expression();
    using E = std::remove_const_t<decltype(expression)>;
    constexpr auto problems = Program::problems();
    int wrong = 0;
    if constexpr (can_be_batched<E>(problems, Program::equal_parts())) {
        ++batches;
        static constexpr auto equal = batch_of_parts(problems, expression, Program::equal_parts());
        wrong += wrong_in_a_batch<Program>(title, "", " on a GPU", equal, memory_of_problems(start, false),
                                           [](memory& given, auto& at, auto run) { Program::with_equal(given, at, run); });
        if constexpr (!std::is_same_v<decltype(Program::equal_parts()), decltype(Program::unequal_parts())> && can_be_batched<E>(problems, Program::unequal_parts())) {
            ++unequal_batches;
            static constexpr auto unequal = batch_of_parts(problems, expression, Program::unequal_parts());
            wrong += wrong_in_a_batch<Program>(title, " of unequal lengths", " of unequal lengths on a GPU", unequal, memory_of_problems(start, true),
                                               [](memory& given, auto& at, auto run) { Program::with_unequal(given, at, run); });
        }
    }
    return wrong;
}

}  // namespace random_programs
