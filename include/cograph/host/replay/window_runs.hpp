// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/replay/node_runs.hpp>

namespace cograph::core {

// Runs a node over one window of its elements after another, each from several states, on copies of these elements
// alone, which stay in the cache. This is for nodes whose elements share no memory that the node writes: it tells
// whether a node is clean, and not what is wrong with it.
class window_runs {
public:
    window_runs(const frame& f, const host_function* codes, element_run& now, checked_memory& memory)
        : f_(f), codes_(codes), now_(now), memory_(memory) {}

    static constexpr index_t window = 4096;

    // Whether each element has its own part of all that the node writes, and whether windows pay for that number of elements.
    static bool fit(const std::vector<touched_variable>& touched, index_t elements) {
        for (const touched_variable& t : touched)
            if (t.tolerance >= 0 || t.unordered || !(t.by_element || t.is_result || !writes(t.how))) return false;
        return elements >= 2 * window;
    }

    // Whether the results of all windows are the same in both directions, whatever out variables held before and
    // what surrounds the variables; all of out is written, and nothing else. Notes the use of variables, for hints
    // if these are wanted.
    bool are_clean(const plan_node& r, std::vector<touched_variable>& touched, index_t elements, bool hints) {
        node_ = &r;
        elements_ = elements;
        parts_.clear();
        wholes_.clear();
        for (touched_variable& t : touched) {
            if (t.is_result)
                t.was_written = true;
            else if (t.by_element)
                parts_.emplace_back(t, memory_, static_cast<unsigned char>(parts_.size() % 2));
            else
                wholes_.push_back(t);
        }
        memory_.enter(wholes_);
        const bool clean = all_are_clean(hints);
        if (clean && hints) look_for_reads();
        memory_.leave(wholes_);
        for (const part& p : parts_) f_.slots[p.of->variable].pointer = p.master;
        for (const touched_variable& w : wholes_)
            for (touched_variable& t : touched)
                if (t.variable == w.variable) t.may_be_read = w.may_be_read;
        return clean;
    }

private:
    // A variable of which each element of the node has one element.
    struct part {
        touched_variable* of;
        std::size_t size, guard;
        unsigned char mark;  // what makes the bytes of its guards others than those of the part before
        char* master;
        std::vector<char> one, other, kept;  // guard, window, guard

        part(touched_variable& t, const checked_memory& memory, unsigned char different)
            : of(&t), size(memory.info(t.variable).size), guard(16 * size), mark(different), master(memory.present(t.variable)), one(bytes()), other(bytes()), kept(bytes()) {}
        std::size_t bytes() const { return 2 * guard + static_cast<std::size_t>(window) * size; }
        char* begin(std::vector<char>& of_run) const { return of_run.data() + guard; }
    };

    bool all_are_clean(bool hints) {
        for (index_t first = 0; first < elements_; first += window) {
            const index_t last = end_of_window(first);
            run(&part::one, first, last, element_order::ascending, 0xff);
            ones_.swap(now_terms_);
            run(&part::other, first, last, element_order::descending, 0x00);
            if (cannot_tell_ || ones_ != now_terms_ || !agree(first, last)) return false;
            for (part& p : parts_)
                if (hints && reads(p.of->how) && !(p.of->may_be_read && (p.of->was_written || !writes(p.of->how)))) disturb(p, first, last);
        }
        for (const touched_variable& w : wholes_)
            if (std::memcmp(memory_.master(w.variable), memory_.work(w.variable), memory_.bytes(w.variable)) != 0) return false;
        return true;
    }

    index_t end_of_window(index_t first) const { return first + window < elements_ ? first + window : elements_; }
    // One run of a window, in one of the copies. `but` has its contents already.
    void run(std::vector<char> part::* copy, index_t first, index_t last, element_order order, unsigned char byte, const part* but = nullptr) {
        for (part& p : parts_) {
            std::vector<char>& to = p.*copy;
            const std::size_t bytes = static_cast<std::size_t>(last - first) * p.size;
            char* const begin = p.begin(to);
            std::memset(to.data(), byte ^ p.mark, p.guard);
            std::memset(begin + bytes, byte ^ p.mark, p.guard);
            if (p.of->only_written())
                std::memset(begin, byte, bytes);
            else if (&p != but)
                std::memcpy(begin, p.master + first * static_cast<index_t>(p.size), bytes);
            // Elements count from the first of all, of which the copy has a few. NOLINTNEXTLINE(performance-no-int-to-ptr)
            f_.slots[p.of->variable].pointer = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(begin) - static_cast<std::uintptr_t>(first) * p.size);
        }
        for (const touched_variable& w : wholes_) memory_.surround(w.variable, byte);
        now_ = {};
        now_.order = order;
        now_.first = first;
        now_.last = last;
        now_.terms = &now_terms_;
        now_terms_.clear();
        run_node(f_, codes_, *node_, now_);
        cannot_tell_ = now_.cannot_tell;
    }

    // Whether the two runs did the same, and only what the access modes say.
    bool agree(index_t first, index_t last) {
        for (part& p : parts_) {
            const std::size_t bytes = static_cast<std::size_t>(last - first) * p.size;
            char *const a = p.begin(p.one), *const b = p.begin(p.other);
            for (char* const at : {a, b})
                if (const unsigned char byte = p.mark ^ (at == a ? 0xff : 0x00); !holds_byte(at - p.guard, p.guard, byte) || !holds_byte(at + bytes, p.guard, byte)) return false;
            if (std::memcmp(a, b, bytes) != 0) return false;
            const bool differs = !p.of->only_written() && std::memcmp(a, p.master + first * static_cast<index_t>(p.size), bytes) != 0;
            if (differs && !writes(p.of->how)) return false;
            p.of->was_written = p.of->was_written || differs || p.of->only_written();
        }
        for (const touched_variable& w : wholes_)
            if (!memory_.is_guarded(w.variable, 0x00)) return false;
        return true;
    }

    // Whether results of a window change with the contents of a variable.
    void disturb(part& p, index_t first, index_t last) {
        const std::size_t bytes = static_cast<std::size_t>(last - first) * p.size;
        char* const begin = p.begin(p.other);
        std::memcpy(begin, p.master + first * static_cast<index_t>(p.size), bytes);
        if (!memory_.can_be_disturbed(p.of->variable)) {
            p.of->may_be_read = true;
            return;
        }
        memory_.disturb(p.of->variable, begin, last - first);
        std::memcpy(p.begin(p.kept), begin, bytes);
        run(&part::other, first, last, element_order::ascending, 0xff, &p);
        p.of->may_be_read = p.of->may_be_read || differ(first, last);
        p.of->was_written = p.of->was_written || (writes(p.of->how) && std::memcmp(begin, p.begin(p.kept), bytes) != 0);
    }
    bool differ(index_t first, index_t last) {
        bool differs = ones_ != now_terms_;
        for (part& p : parts_)
            differs = differs || (writes(p.of->how) && std::memcmp(p.begin(p.one), p.begin(p.other), static_cast<std::size_t>(last - first) * p.size) != 0);
        return differs;
    }
    // The same for variables that arrive as pointers, which all windows share.
    void look_for_reads() {
        for (touched_variable& w : wholes_) {
            if (w.may_be_read) continue;
            w.may_be_read = !memory_.can_be_disturbed(w.variable);
            memory_.disturb(w.variable, memory_.work(w.variable), memory_.count(w.variable));
            void*& pointer = f_.slots[w.variable].pointer;
            for (index_t first = 0; !w.may_be_read && first < elements_; first += window) {
                const index_t last = end_of_window(first);
                run(&part::other, first, last, element_order::ascending, 0xff);
                ones_.swap(now_terms_);
                pointer = memory_.master(w.variable);
                run(&part::one, first, last, element_order::ascending, 0xff);
                pointer = memory_.work(w.variable);
                w.may_be_read = differ(first, last);
            }
            if (&w != &wholes_.back()) std::memcpy(memory_.work(w.variable), memory_.master(w.variable), memory_.bytes(w.variable));
        }
    }

    const frame& f_;
    const host_function* codes_;
    element_run& now_;
    checked_memory& memory_;
    const plan_node* node_ = nullptr;
    index_t elements_ = 0;
    std::vector<part> parts_;
    std::vector<touched_variable> wholes_;
    std::vector<char> ones_, now_terms_;  // of a reduction
    bool cannot_tell_ = false;
};

}  // namespace cograph::core
