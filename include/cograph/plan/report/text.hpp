// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/node/node_spec.hpp>

namespace cograph::core {

// The output of a plan.

// The number of bytes of the UTF-8 character at a position; 0 if the bytes there are not UTF-8 (RFC 3629, section 4).
constexpr int character_length(name_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return at + i < text.size ? static_cast<unsigned char>(text.data[at + i]) : 0u; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < low || byte(1) > high) return 0;
    const int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    for (int i = 2; i < length; ++i)
        if (byte(static_cast<std::size_t>(i)) < 0x80 || byte(static_cast<std::size_t>(i)) > 0xbf) return 0;
    return length;
}

// Writes text with the escapes of a format: escape(c) is the replacement of a one-byte character, or null if it needs
// none. Bytes that are not UTF-8 become U+FFFD. Out is any stream with operator<< for const char*.
template <class Out, class Escape>
void write_escaped(Out& out, name_view text, Escape escape) {
    for (std::size_t at = 0; at < text.size;) {
        const int length = character_length(text, at);
        char bytes[5] = {};
        for (int i = 0; i < length; ++i) bytes[i] = text.data[at + static_cast<std::size_t>(i)];
        const char* const replaced = length == 1 ? escape(bytes[0]) : nullptr;
        out << (length == 0 ? "\xef\xbf\xbd" : replaced ? replaced : bytes);
        at += length == 0 ? 1 : static_cast<std::size_t>(length);
    }
}

// The replacements of Graphviz's HTML-like labels, which allow no control characters.
inline const char* escape_for_dot(char c) {
    switch (c) {
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '&': return "&amp;";
        case '"': return "&quot;";
        case '\\': return "\\\\";  // \N and \G stand for names there, too
        case '\n': return "<br/>";
        case '\t': return " ";
        case 0x7f: return "\xef\xbf\xbd";
        default: return static_cast<unsigned char>(c) < 0x20 ? "\xef\xbf\xbd" : nullptr;
    }
}

}  // namespace cograph::core
