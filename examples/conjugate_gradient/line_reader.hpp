// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <istream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace sparse {

/// Says what is wrong with a file and what to do. line() counts from one; zero is the file as a whole.
class matrix_market_error : public std::runtime_error {
public:
    matrix_market_error(long long line, const std::string& message)
        : std::runtime_error(line > 0 ? "line " + std::to_string(line) + ": " + message : message),
          line_(line) {}

    long long line() const { return line_; }

private:
    long long line_;
};

/// Takes a text apart: lines, words, numbers. Holds one line at a time, whatever the length of the text.
class line_reader {
public:
    explicit line_reader(std::istream& in) : in_(in) {}

    /// Moves to the next line; false at the end of the text. Blank lines and comments are skipped.
    bool next_line() {
        while (next_raw_line()) {
            const std::size_t first = std::min(rest_.find_first_not_of(blanks), rest_.size());
            if (rest_.substr(first).starts_with('%')) {
                if (too_long_) skip_line();
            } else if (too_long_) {
                fail("the line is longer than " + std::to_string(longest_line) + " characters");
            } else if (first < rest_.size()) {
                return true;
            }
        }
        return false;
    }

    /// The same, but takes a blank line or a comment as it is. The rest of an overlong line is another line.
    bool next_raw_line() {
        in_.getline(line_.data(), longest_line + 1);
        const auto count = static_cast<std::size_t>(in_.gcount());
        if (in_.bad()) fail("reading failed; is it a regular file?");
        if (in_.eof() && count == 0) return false;
        if (!too_long_) ++line_number_;
        too_long_ = in_.fail();
        if (too_long_) in_.clear();
        const bool newline = !too_long_ && !in_.eof();
        rest_ = std::string_view(line_.data(), count - newline);
        return true;
    }

    /// The next word of the line; empty at its end.
    std::string_view word() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        const std::string_view result = rest_.substr(0, rest_.find_first_of(blanks));
        rest_.remove_prefix(result.size());
        return result;
    }

    /// The next word in small letters.
    std::string keyword() {
        std::string result(word());
        for (char& c : result)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return result;
    }

    /// The next word as a number; `what` names it in errors.
    template <class T>
    T number(const std::string& what) {
        const std::string_view text = word();
        if (text.empty()) fail("the " + what + " is missing; was the file cut short?");
        const bool plus = text.starts_with('+') && !text.starts_with("+-");  // from_chars takes no plus sign
        const char* const end = text.data() + text.size();
        T result{};
        const auto [stop, error] = std::from_chars(text.data() + plus, end, result);
        if (error == std::errc::result_out_of_range)
            fail("the " + what + " " + quoted(text) + " is out of range");
        if (error != std::errc{} || stop != end)
            fail("the " + what + " " + quoted(text) + " is not " +
                 (std::is_integral_v<T> ? "an integer" : "a number"));
        return result;
    }

    void expect_end_of_line(const std::string& after) {
        const std::string_view text = word();
        if (!text.empty()) fail("unexpected " + quoted(text) + " after " + after);
    }

    [[noreturn]] void fail(const std::string& message) const {
        throw matrix_market_error(line_number_, message);
    }

    /// Fit for a terminal: short, and printable whatever the file holds.
    static std::string quoted(std::string_view text) {
        std::string result(text.substr(0, 40));
        for (char& c : result)
            if (c < ' ' || c > '~') c = '?';
        return "'" + result + (text.size() > 40 ? "...'" : "'");
    }

private:
    static constexpr int longest_line = 1024;  // the limit that the Matrix Market format sets
    static constexpr std::string_view blanks = " \t\r\v\f";

    void skip_line() {
        in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        too_long_ = false;
    }

    std::istream& in_;
    std::array<char, longest_line + 1> line_{};
    std::string_view rest_;  // what is left of the line
    long long line_number_ = 0;
    bool too_long_ = false;
};

}  // namespace sparse
