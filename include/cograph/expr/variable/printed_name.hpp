// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cograph::core {

// Characters that live as long as the program; not zero-terminated.
struct name_view {
    const char* data = "";
    std::size_t size = 0;

    constexpr name_view() = default;
    constexpr name_view(const char* text) : data(text) {
        while (text[size]) ++size;
    }
    constexpr name_view(const char* text, std::size_t length) : data(text), size(length) {}

    friend constexpr bool operator==(name_view a, name_view b) {
        if (a.size != b.size) return false;
        for (std::size_t i = 0; i < a.size; ++i)
            if (a.data[i] != b.data[i]) return false;
        return true;
    }
};

// The value of `mark` in a compiler's description of a template ("... [with T = ns::spmv]"), without its namespaces.
constexpr name_view printed_argument(const char* text, char mark) {
    std::size_t begin = 0;
    while (text[begin] && text[begin] != '[') ++begin;
    while (text[begin] && !(text[begin] == mark && (text[begin + 1] == '=' || text[begin + 2] == '=' || text[begin + 1] == ')'))) ++begin;
    while (text[begin] && text[begin] != '=') ++begin;
    while (text[begin] == '=' || text[begin] == ' ' || text[begin] == '&' || (text[begin] == '(' && text[begin + 1] == '&')) ++begin;
    std::size_t end = begin;
    std::size_t last = begin;
    for (int depth = 0; text[end]; ++end) {
        const char c = text[end];
        if (depth == 0 && (c == ']' || c == ')' || c == ';' || (c == ',' && text[end + 1] == ' '))) break;
        if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
        if (depth == 0 && c == ':' && text[end + 1] == ':') last = end + 2;
    }
    return {text + last, end - last};
}

// A name that is found only when somebody asks: reading a thousand of them in constant evaluation takes a second.
struct lazy_name {
    const char* text = "";
    char mark = 0;  // 0: the text itself

    constexpr name_view read() const { return mark ? printed_argument(text, mark) : name_view(text); }
};

template <class T>
constexpr lazy_name type_name() {
    return {__PRETTY_FUNCTION__, 'T'};
}

template <auto F>
constexpr lazy_name function_name() {
    return {__PRETTY_FUNCTION__, 'F'};
}

// FNV-1a (Fowler, Noll, Vo), 64 bit.
constexpr std::size_t hash_of(const char* text) {
    std::size_t hash = 14695981039346656037ull;
    for (; *text; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 1099511628211ull;
    return hash;
}

template <class T>
constexpr std::size_t type_hash() {
    return hash_of(__PRETTY_FUNCTION__);
}

}  // namespace cograph::core
