// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/replay/checked_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

namespace cograph::core {

// Comparisons of the results of runs of a node.

template <class Word>
bool are_unlike_words(const char* a, const char* b) {
    Word x, y;
    std::memcpy(&x, a, sizeof(Word));
    std::memcpy(&y, b, sizeof(Word));
    return x != y;
}
// Whether the bytes of two elements differ: a call of memcmp for each of many takes longer than their node.
inline bool are_unlike(const char* a, const char* b, std::size_t size) {
    if (size == 8) return are_unlike_words<std::uint64_t>(a, b);
    if (size == 4) return are_unlike_words<std::uint32_t>(a, b);
    return std::memcmp(a, b, size) != 0;
}

// Calls f(i) for every element whose bytes differ, in order, until it returns true; gives that element, or -1.
template <class F>
index_t find_different(const char* a, const char* b, index_t count, std::size_t size, F f) {
    const index_t block = 1 + 4096 / static_cast<index_t>(size);
    for (index_t begin = 0; begin < count; begin += block) {
        const index_t end = begin + block < count ? begin + block : count;
        const std::size_t at = static_cast<std::size_t>(begin) * size;
        if (std::memcmp(a + at, b + at, static_cast<std::size_t>(end - begin) * size) == 0) continue;
        for (index_t i = begin; i < end; ++i)
            if (are_unlike(a + i * static_cast<index_t>(size), b + i * static_cast<index_t>(size), size) && f(i)) return i;
    }
    return -1;
}

// The first element that differs from `before` in the middle, and from the middle at the end; -1 if there is none. If
// `before` is null, all of its bytes are `byte`.
template <class Word>
index_t find_changed_twice(const void* before, Word byte, const void* middle, const void* end, index_t count) {
    const Word* const b = static_cast<const Word*>(before);
    const Word* const m = static_cast<const Word*>(middle);
    const Word* const e = static_cast<const Word*>(end);
    for (index_t from = 0; from < count; from += 512) {
        const index_t to = from + 512 < count ? from + 512 : count;
        bool any = false;
        if (b)
            for (index_t i = from; i < to; ++i) any |= (b[i] != m[i]) & (m[i] != e[i]);
        else
            for (index_t i = from; i < to; ++i) any |= (byte != m[i]) & (m[i] != e[i]);
        for (index_t i = from; any && i < to; ++i)
            if ((b ? b[i] : byte) != m[i] && m[i] != e[i]) return i;
    }
    return -1;
}
inline index_t find_changed_twice(const char* before, unsigned char byte, const char* middle, const char* end, index_t count, std::size_t size) {
    switch (size) {
        case 1: return find_changed_twice<std::uint8_t>(before, byte, middle, end, count);
        case 2: return find_changed_twice<std::uint16_t>(before, static_cast<std::uint16_t>(byte * 0x0101u), middle, end, count);
        case 4: return find_changed_twice<std::uint32_t>(before, byte * 0x01010101u, middle, end, count);
        case 8: return find_changed_twice<std::uint64_t>(before, byte * 0x0101010101010101u, middle, end, count);
        default: break;
    }
    const index_t step = static_cast<index_t>(size);
    return find_different(middle, end, count, size, [&](index_t i) {
        return before ? std::memcmp(before + i * step, middle + i * step, size) != 0 : !holds_byte(middle + i * step, size, byte);
    });
}

// Whether two elements that differ in their bytes are one result all the same: both NaN, or near each other in a variable that is
// changed by atomic operations.
template <class T>
bool are_alike(const char* a, const char* b, int words, double distance) {
    for (int w = 0; w < words; ++w) {
        T x, y;
        std::memcpy(&x, a + w * static_cast<int>(sizeof(T)), sizeof(T));
        std::memcpy(&y, b + w * static_cast<int>(sizeof(T)), sizeof(T));
        const double apart = static_cast<double>(x < y ? y - x : x - y);
        if (!(x == y || (is_nan(x) && is_nan(y)) || apart <= distance)) return false;
    }
    return true;
}
template <class T>
double largest_magnitude(const char* memory, index_t words) {
    double most = 0;
    for (index_t w = 0; w < words; ++w) {
        T x;
        std::memcpy(&x, memory + w * static_cast<index_t>(sizeof(T)), sizeof(T));
        const double size = static_cast<double>(x < 0 ? -x : x);
        if (size > most) most = size;
    }
    return most;
}

// Orders elements by their bytes.
struct byte_order {
    std::size_t size;
    bool operator()(const char* a, const char* b) const { return std::memcmp(a, b, size) < 0; }
};

class result_comparison {
public:
    explicit result_comparison(const checked_memory& memory) : memory_(memory) {}

    // The first element of a variable in which a run, begun at `start`, differs from stored results, begun with the
    // variables' contents; -1 if there is none. Elements that neither has written do not count.
    index_t find(const touched_variable& t, const run_start& start, const char* kept) const {
        const int v = t.variable;
        const char* const work = memory_.work(v);
        const index_t size = static_cast<index_t>(memory_.info(v).size);
        const bool poisoned = start.poison >= 0 && t.only_written() && (start.poisoned == run_start::all || start.poisoned == v);
        const bool unset = start.unset == v;
        const unsigned char byte = unset ? start.unset_byte : static_cast<unsigned char>(start.poison);
        const auto may_be_unwritten = [&](index_t i) { return (poisoned || unset) && holds_byte(work + i * size, static_cast<std::size_t>(size), byte); };
        if (t.unordered) return differ_as_sets(v, work, kept, byte, may_be_unwritten) ? 0 : -1;
        const auto is_unwritten = [&](index_t i) { return may_be_unwritten(i) && std::memcmp(kept + i * size, memory_.master(v) + i * size, static_cast<std::size_t>(size)) == 0; };
        number_format format{};
        double distance = -2;
        return find_different(work, kept, memory_.count(v), static_cast<std::size_t>(size), [&](index_t i) {
            if (is_unwritten(i)) return false;
            if (distance < -1) {
                format = format_of(memory_.info(v));
                distance = t.tolerance < 0 ? -1 : t.tolerance * magnitude(v, format, kept);
            }
            const char *const a = work + i * size, *const b = kept + i * size;
            if (t.alike) return !t.alike(a, b);
            if (format.bytes == 8) return !are_alike<double>(a, b, format.words, distance);
            if (format.bytes == 4) return !are_alike<float>(a, b, format.words, distance);
            return true;
        });
    }

private:
    double magnitude(int v, const number_format& format, const char* memory) const {
        const index_t words = memory_.count(v) * format.words;
        return format.bytes == 8 ? largest_magnitude<double>(memory, words) : format.bytes == 4 ? largest_magnitude<float>(memory, words) : 0;
    }
    // An element that holds the byte a run began with was given that value, or is unwritten and stands for what the variable held.
    template <class Unwritten>
    bool differ_as_sets(int v, const char* work, const char* kept, unsigned char byte, Unwritten may_be_unwritten) const {
        const std::size_t size = memory_.info(v).size;
        std::vector<const char*> written, held, all;
        for (index_t i = 0; i < memory_.count(v); ++i) {
            const index_t at = i * static_cast<index_t>(size);
            if (may_be_unwritten(i))
                held.push_back(memory_.master(v) + at);
            else
                written.push_back(work + at);
            all.push_back(kept + at);
        }
        const byte_order less{size};
        std::sort(written.begin(), written.end(), less);
        std::sort(held.begin(), held.end(), less);
        std::sort(all.begin(), all.end(), less);
        if (!std::includes(all.begin(), all.end(), written.begin(), written.end(), less)) return true;
        std::vector<const char*> others;
        std::set_difference(all.begin(), all.end(), written.begin(), written.end(), std::back_inserter(others), less);
        std::erase_if(others, [&](const char* element) { return holds_byte(element, size, byte); });
        return !std::includes(held.begin(), held.end(), others.begin(), others.end(), less);
    }

    const checked_memory& memory_;
};

}  // namespace cograph::core
