// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads linear programs: minimize cost' x where lower <= A x <= upper, and each x within its bounds.

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace lp {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct entry {
    int row, column;
    double value;
};
struct interval {
    double lower, upper;
};
struct problem {
    std::vector<entry> entries;
    std::vector<interval> rows;     // what each constraint allows
    std::vector<interval> columns;  // the bounds of each variable
    std::vector<double> cost;
    double constant = 0;
    bool maximizes = false;  // then cost and constant are those of the negated objective
};

/// What is wrong with a file.
class file_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A reader of MPS files, in the free format or in the fixed one with names that have no spaces. Continuous variables only.
class mps_reader {
public:
    explicit mps_reader(std::string name) : name_(std::move(name)) {}

    problem read(std::istream& in) {
        std::string text;
        while (!ended_ && std::getline(in, text)) {
            ++line_;
            if (text.size() > 10'000) fail("is longer than any line of an MPS file");
            if (!text.empty() && text.back() == '\r') text.pop_back();
            if (text.empty() || text[0] == '*') continue;
            std::vector<std::string> words;
            std::istringstream parts(text);
            for (std::string word; parts >> word;) words.push_back(word);
            if (words.empty()) continue;
            if (text[0] != ' ' && text[0] != '\t')
                begin(words);
            else
                take(words);
        }
        if (!ended_) fail("ends without ENDATA");
        if (found_.columns.empty()) fail("has no columns");
        for (const interval& of : found_.rows)
            if (!(of.lower <= of.upper)) fail("leaves a row nothing: its bounds cross");
        for (const interval& of : found_.columns)
            if (!(of.lower <= of.upper)) fail("leaves a variable nothing: its bounds cross");
        return std::move(found_);
    }

private:
    enum class section { none, sense, rows, columns, right_sides, ranges, bounds };
    static constexpr int no_row = -1;
    static constexpr int objective = -2;
    static constexpr int unused_objective = -3;

    [[noreturn]] void fail(const std::string& what) const { throw file_error(name_ + ":" + std::to_string(line_) + ": " + what); }

    void begin(const std::vector<std::string>& words) {
        const std::string& word = words[0];
        if (word == "NAME") {
            section_ = section::none;
        } else if (word == "OBJSENSE") {
            section_ = section::sense;
            if (words.size() > 1) take({words[1]});
        } else if (word == "ROWS") {
            section_ = section::rows;
        } else if (word == "COLUMNS") {
            section_ = section::columns;
        } else if (word == "RHS") {
            section_ = section::right_sides;
        } else if (word == "RANGES") {
            section_ = section::ranges;
        } else if (word == "BOUNDS") {
            section_ = section::bounds;
        } else if (word == "ENDATA") {
            ended_ = true;
        } else {
            fail("unknown section '" + word.substr(0, 40) + "'");
        }
    }
    void take(const std::vector<std::string>& words) {
        switch (section_) {
            case section::none: fail("stands in no section");
            case section::sense: take_sense(words); break;
            case section::rows: take_row(words); break;
            case section::columns: take_column(words); break;
            case section::right_sides: each_pair(words, [&](int row, double value) { set_right_side(row, value); }); break;
            case section::ranges: each_pair(words, [&](int row, double value) { set_range(row, value); }); break;
            case section::bounds: take_bound(words); break;
        }
    }

    void take_sense(const std::vector<std::string>& words) {
        if (words[0] == "MAX" || words[0] == "MAXIMIZE")
            found_.maximizes = true;
        else if (words[0] != "MIN" && words[0] != "MINIMIZE")
            fail("unknown sense '" + words[0].substr(0, 40) + "'");
    }
    void take_row(const std::vector<std::string>& words) {
        if (words.size() != 2 || words[0].size() != 1) fail("needs the kind of a row and its name");
        int number = static_cast<int>(found_.rows.size());
        switch (words[0][0]) {
            case 'N': number = has_objective_ ? unused_objective : objective; break;
            case 'E': found_.rows.push_back({0, 0}); break;
            case 'L': found_.rows.push_back({-infinity, 0}); break;
            case 'G': found_.rows.push_back({0, infinity}); break;
            default: fail("unknown kind of row '" + words[0] + "'");
        }
        has_objective_ = has_objective_ || number == objective;
        if (!row_numbers_.emplace(words[1], number).second) fail("names row '" + words[1].substr(0, 40) + "' again");
        if (number >= 0) kinds_.push_back(words[0][0]);
    }
    void take_column(const std::vector<std::string>& words) {
        if (words.size() > 1 && words[1] == "'MARKER'") fail("has integer variables, which are not of a linear program");
        if (words.size() != 3 && words.size() != 5) fail("needs a column and one or two rows with their values");
        if (found_.cost.empty() || words[0] != last_column_) {
            last_column_ = words[0];
            if (!column_numbers_.emplace(words[0], static_cast<int>(found_.cost.size())).second) fail("returns to column '" + words[0].substr(0, 40) + "'");
            found_.cost.push_back(0);
            found_.columns.push_back({0, infinity});
        }
        const int column = static_cast<int>(found_.cost.size()) - 1;
        for (std::size_t i = 1; i < words.size(); i += 2) {
            const int row = row_of(words[i]);
            const double value = number_of(words[i + 1]);
            if (row == objective)
                found_.cost.back() += found_.maximizes ? -value : value;
            else if (row >= 0 && value != 0)
                found_.entries.push_back({row, column, value});
        }
    }
    // Of lines with or without the name of a set in front.
    template <class F>
    void each_pair(const std::vector<std::string>& words, F set) {
        if (words.size() < 2 || words.size() > 5) fail("needs one or two rows with their values");
        for (std::size_t i = words.size() % 2; i < words.size(); i += 2) set(row_of(words[i]), number_of(words[i + 1]));
    }
    void set_right_side(int row, double value) {
        if (row == objective) found_.constant = found_.maximizes ? value : -value;
        if (row < 0) return;
        interval& of = found_.rows[static_cast<std::size_t>(row)];
        if (of.lower != -infinity) of.lower = value;
        if (of.upper != infinity) of.upper = value;
    }
    void set_range(int row, double value) {
        if (row < 0) fail("gives the objective a range");
        interval& of = found_.rows[static_cast<std::size_t>(row)];
        switch (kinds_[static_cast<std::size_t>(row)]) {
            case 'L': of.lower = of.upper - std::fabs(value); break;
            case 'G': of.upper = of.lower + std::fabs(value); break;
            default: (value < 0 ? of.lower : of.upper) += value;
        }
    }
    void take_bound(const std::vector<std::string>& words) {
        const std::string& kind = words[0];
        const bool has_value = kind == "UP" || kind == "LO" || kind == "FX";
        if (!has_value && kind != "FR" && kind != "MI" && kind != "PL") fail("unknown kind of bound '" + kind.substr(0, 40) + "'");
        const std::size_t least = has_value ? 3 : 2;
        if (words.size() < least || words.size() > least + 2) fail("needs a column" + std::string(has_value ? " and a value" : ""));
        const std::size_t at = words.size() > least ? 2 : 1;
        const auto found = column_numbers_.find(words[at]);
        if (found == column_numbers_.end()) fail("unknown column '" + words[at].substr(0, 40) + "'");
        interval& of = found_.columns[static_cast<std::size_t>(found->second)];
        const double value = has_value ? number_of(words[at + 1]) : 0;
        if (kind == "UP" || kind == "FX") of.upper = value;
        if (kind == "LO" || kind == "FX") of.lower = value;
        if (kind == "FR" || kind == "MI") of.lower = -infinity;
        if (kind == "FR" || kind == "PL") of.upper = infinity;
    }

    int row_of(const std::string& name) const {
        const auto found = row_numbers_.find(name);
        if (found == row_numbers_.end()) fail("unknown row '" + name.substr(0, 40) + "'");
        return found->second;
    }
    double number_of(const std::string& text) const {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        if (end == text.c_str() || *end != '\0' || !std::isfinite(number)) fail("needs a number, not '" + text.substr(0, 40) + "'");
        return number;
    }

    std::string name_;
    problem found_;
    section section_ = section::none;
    int line_ = 0;
    bool ended_ = false, has_objective_ = false;
    std::unordered_map<std::string, int> row_numbers_, column_numbers_;
    std::vector<char> kinds_;
    std::string last_column_;
};

}  // namespace lp
