// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>
#include <cograph/plan/report/text.hpp>

namespace cograph::core {

// The escape sequence of a character that a JSON string may not hold (RFC 8259, section 7), or null.
class json_escape {
public:
    const char* operator()(char c) {
        switch (c) {
            case '"': return "\\\"";
            case '\\': return "\\\\";
            case '\b': return "\\b";
            case '\f': return "\\f";
            case '\n': return "\\n";
            case '\r': return "\\r";
            case '\t': return "\\t";
            default: break;
        }
        if (static_cast<unsigned char>(c) >= 0x20) return nullptr;
        text_[4] = c < 0x10 ? '0' : '1';
        text_[5] = "0123456789abcdef"[c & 0xf];
        return text_;
    }

private:
    char text_[7] = "\\u0000";
};

// Writes JSON piece by piece; puts the commas. Out is any stream with operator<< for const char*.
template <class Out>
class json_text {
public:
    explicit json_text(Out& out) : out_(out) {}

    json_text& open(const char* bracket) {
        separate();
        out_ << bracket;
        first_ = true;
        return *this;
    }
    json_text& close(const char* bracket) {
        out_ << bracket;
        first_ = false;
        return *this;
    }
    json_text& key(const char* name) {
        string(name);
        out_ << ": ";
        first_ = true;
        return *this;
    }
    // Puts the next value on a line of its own.
    json_text& line() {
        breaks_ = true;
        return *this;
    }

    void string(name_view text) {
        separate();
        out_ << "\"";
        write_escaped(out_, text, json_escape{});
        out_ << "\"";
    }
    void number(index_t value) {
        char digits[24];
        char* at = digits + sizeof digits;
        *--at = 0;
        const bool negative = value < 0;
        do {
            const int digit = static_cast<int>(value % 10);
            *--at = static_cast<char>('0' + (digit < 0 ? -digit : digit));
            value /= 10;
        } while (value != 0);
        if (negative) *--at = '-';
        word(at);
    }
    void truth(bool value) { word(value ? "true" : "false"); }
    void null() { word("null"); }
    // Members of an object.
    void string(const char* name, name_view text) { key(name).string(text); }
    void number(const char* name, index_t value) { key(name).number(value); }
    void truth(const char* name, bool value) { key(name).truth(value); }
    void reference(const char* name, int id) { key(name).reference(id); }

    // A number that is none when it is negative.
    void reference(int id) {
        if (id < 0)
            null();
        else
            number(id);
    }

private:
    void word(const char* text) {
        separate();
        out_ << text;
    }
    void separate() {
        if (!first_) out_ << ",";
        if (breaks_)
            out_ << "\n  ";
        else if (!first_)
            out_ << " ";
        first_ = breaks_ = false;
    }

    Out& out_;
    bool first_ = true;
    bool breaks_ = false;
};

}  // namespace cograph::core
