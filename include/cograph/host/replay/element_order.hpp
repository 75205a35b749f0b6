// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/box/box_stages.hpp>
#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/host/replay/shuffled_order.hpp>
#include <cograph/host/serial_context.hpp>
#include <cograph/expr/core/heap_array.hpp>

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace cograph::core {

// In which order a node's elements run while it is checked. All orders but the first have two halves with different elements, and
// call `middle` between them.
enum class element_order : unsigned char {
    ascending,
    descending,  // the upper half, then the lower
    by_bit,      // descending: those whose number has a bit, then the others
    shuffled,    // in blocks, by a seed: those that a hash chooses, then the others
    listed       // as a list says, without halves
};

inline constexpr index_t no_element = -1;
inline constexpr index_t most_checked_well = 8192;  // nodes over more elements run in fewer orders
inline constexpr index_t most_in_all_halves = 128;    // up to so many, any two elements are in different halves of one of the first runs

// The numbers that a node's elements have among those of its domain, if it runs over a part of them.
struct element_numbers {
    std::vector<index_t> all;  // ascending
    template <class Number>
    void note(index_t count, index_t of_domain, Number number) {
        for (index_t k = 0; k < count; ++k)
            if (const index_t i = number(k); i < of_domain) all.push_back(i);
    }
};

// One run of a node: the instructions for its context, and its observations.
struct element_run {
    element_order order = element_order::ascending;
    int bit = 0;
    std::uint64_t seed = 0;
    const index_t* list = nullptr;  // of `count` elements
    index_t count = 0;
    bool backwards = false;  // the list from its end
    index_t first = 0, last = no_element;  // ascending and descending: a window; all from `first` on without a last
    std::vector<char>* terms = nullptr;    // a reduction writes the terms of the window here, and has no result
    element_numbers* numbers = nullptr;    // a node over a part of the elements writes their numbers here, and does nothing else
    void (*middle)(void*) = nullptr;
    void* whom = nullptr;

    index_t elements = 0;                    // that the node runs over; 0: it has none
    index_t nan_left_out = no_element;       // the first term of a reduction that is NaN, if the result is not
    bool cannot_tell = false;                // the bytes of terms mean nothing
    bool computes_nan = false;               // a condition's formula gives NaN from numbers that are not

    void is_in_the_middle() const {
        if (middle) middle(whom);
    }
};

template <class Place, class F>
void visit_blocks(const element_run& run, index_t n, const shuffled_elements& order, Place const& place, F const& f) {
    for (const bool first_half : {true, false}) {
        for (index_t turn = 0; turn < order.blocks; ++turn) {
            const index_t of = order.block_at(turn), first = order.first_turn(of, first_half), begin = of * order.block;
            const index_t last = first + order.block / 2;
            if (begin + order.block <= n)
                for (index_t t = first; t < last; ++t) f(begin + place(t));
            else
                for (index_t t = first; t < last; ++t)
                    if (const index_t i = begin + place(t); i < n) f(i);
        }
        if (first_half) run.is_in_the_middle();
    }
}
template <class F>
void visit_shuffled(const element_run& run, index_t n, F const& f) {
    const shuffled_elements order(run.seed, n);
    if (!order.are_many()) return visit_blocks(run, n, order, [&](index_t nth) { return order.place_at(nth); }, f);
    const sorted_places places(order);
    visit_blocks(run, n, order, [&](index_t nth) -> index_t { return places.of[nth]; }, f);
}
template <class F>
void visit_by_bit(const element_run& run, index_t n, F const& f) {
    const index_t half = index_t{1} << run.bit;
    for (const index_t offset : {half, index_t{0}}) {
        for (index_t begin = (n - 1) / (2 * half) * 2 * half + offset; begin >= 0; begin -= 2 * half)
            for (index_t i = (begin + half < n ? begin + half : n) - 1; i >= begin; --i) f(i);
        if (offset > 0) run.is_in_the_middle();
    }
}
template <class F>
void visit(const element_run& run, index_t n, F const& f) {
    const index_t last = run.last < 0 || run.last > n ? n : run.last, middle = run.first + (last - run.first) / 2;
    switch (run.order) {
        case element_order::ascending:
            for (index_t i = run.first; i < last; ++i) f(i);
            break;
        case element_order::descending:
            for (index_t i = last - 1; i >= middle; --i) f(i);
            run.is_in_the_middle();
            for (index_t i = middle - 1; i >= run.first; --i) f(i);
            break;
        case element_order::by_bit: visit_by_bit(run, n, f); break;
        case element_order::shuffled: visit_shuffled(run, n, f); break;
        case element_order::listed:
            for (index_t k = 0; k < run.count; ++k) f(run.list[run.backwards ? run.count - 1 - k : k]);
            break;
    }
}

// An execution context of the host whose elements run as an element_run says. Terms of reductions are found in that order and
// joined in the one that every context keeps. If the operation declares that its order does not matter, they are joined backwards.
struct checking_context {
    element_run* now;

    template <class F>
    void each(index_t n, F f) const {
        now->elements = n;
        visit(*now, n, f);
    }

    element_numbers* numbers() const { return now->numbers; }

    template <class F>
    void once(F f) const {
        f();
    }

    template <class T, class Op, class Term>
    void reduce(index_t n, T const& identity, Op op, Term term, void* scratch, T* out) const {
        reduce_groups<1>(n, identity, op, term, scratch, out);
    }
    template <class T, class Op, class Term>
    void reduce_in_order(box_order const& order, index_t n, T const& identity, Op op, Term term, void* scratch, T* out) const {
        reduce_all(n, identity, [&](index_t i) -> T { return term(i); }, out, [&](auto const& found) {
            const auto of_element = [&](box_place<2> const& place) -> T { return found(place.number); };
            serial_context{}.reduce(order.is_cut() ? order.positions() : n, identity, op, terms_in_order<decltype(of_element)>{order, of_element}, scratch, out);
        });
    }
    template <int Size, class T, class Op, class Term>
    void reduce_groups(index_t n, T const& identity, Op op, Term term, void* scratch, T* out) const {
        reduce_all(n, identity, term, out, [&](auto const& found) {
            const bool backwards = joins_in_any_order<Op> && now->order != element_order::ascending;
            serial_context{}.reduce_groups<Size>(n, identity, op, [&](index_t i) -> T { return found(backwards ? n - 1 - i : i); }, scratch, out);
        });
    }

private:
    // Join gets a function that gives the term of an element.
    template <class T, class Term, class Join>
    void reduce_all(index_t n, T const& identity, Term const& term, T* out, Join const& join) const {
        now->elements = n;
        if (now->terms) return note_terms<T>(n, term);
        if (now->order == element_order::ascending) {
            join([&](index_t i) -> T { return seen(i, term(i)); });
        } else {
            terms<T> found(n);
            if (now->order == element_order::listed)  // the others count for nothing
                for (index_t i = 0; i < n; ++i) found.set(i, identity);
            visit(*now, n, [&](index_t i) { found.set(i, term(i)); });
            join([&](index_t i) -> T { return found[i]; });
        }
        if constexpr (std::is_floating_point_v<T>)
            if (is_nan(*out)) now->nan_left_out = no_element;
    }

    template <class T, class Term>
    void note_terms(index_t n, Term term) const {
        if constexpr (std::is_trivially_copyable_v<T>) {
            now->terms->resize(static_cast<std::size_t>((now->last < n ? now->last : n) - now->first) * sizeof(T));
            visit(*now, n, [&](index_t i) {
                const T value = term(i);
                std::memcpy(now->terms->data() + static_cast<std::size_t>(i - now->first) * sizeof(T), &value, sizeof(T));
            });
        } else {
            now->cannot_tell = true;
        }
    }
    template <class T>
    T seen(index_t i, T const& value) const {
        if constexpr (std::is_floating_point_v<T>)
            if (is_nan(value) && (now->nan_left_out == no_element || i < now->nan_left_out)) now->nan_left_out = i;
        return value;
    }

    // A term need not have a default constructor.
    template <class T>
    class terms {
    public:
        explicit terms(index_t n) : memory_(heap_memory::raw(static_cast<std::size_t>(n) * sizeof(T) + alignof(T))) {
            char* const begin = static_cast<char*>(memory_.get());
            first_ = begin + (alignof(T) - reinterpret_cast<std::uintptr_t>(begin) % alignof(T)) % alignof(T);
        }
        void set(index_t i, T const& value) { ::new (static_cast<void*>(first_ + i * static_cast<index_t>(sizeof(T)))) T(value); }
        T const& operator[](index_t i) const { return *std::launder(reinterpret_cast<const T*>(first_ + i * static_cast<index_t>(sizeof(T)))); }

    private:
        heap_memory memory_;
        char* first_;
    };
};

}  // namespace cograph::core
