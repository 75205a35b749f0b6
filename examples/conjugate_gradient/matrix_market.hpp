// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "csr.hpp"
#include "line_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <istream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sparse {

/// Reads one square matrix: coordinate format; real, integer or pattern; general or symmetric. Both triangles
/// of a symmetric matrix are stored, entries given twice are added, pattern entries are one. Memory follows
/// the entries that are there, never the counts that the file promises.
class matrix_market_reader {
public:
    explicit matrix_market_reader(std::istream& in) : lines_(in) {}

    csr_matrix read() {
        read_banner();
        read_size();
        read_entries();
        csr_matrix A = compress(rows_, std::move(entries_));
        if (!std::all_of(A.value.begin(), A.value.end(), [](double v) { return std::isfinite(v); }))
            lines_.fail("entries given twice add up to more than a double can hold");
        return A;
    }

private:
    static constexpr long long most = std::numeric_limits<int>::max() - 1;

    enum class field { real, integer, pattern };

    void read_banner() {
        if (!lines_.next_raw_line())
            fail("the file is empty; a Matrix Market file begins with %%MatrixMarket");
        if (lines_.keyword() != "%%matrixmarket")
            fail("the file does not begin with %%MatrixMarket; is it a Matrix Market file?");
        read_format();
        read_field();
        read_symmetry();
        lines_.expect_end_of_line("the banner");
    }

    void read_format() {
        const std::string object = lines_.keyword();
        if (object != "matrix") fail("the object is " + quoted(object) + "; it must be 'matrix'");
        const std::string format = lines_.keyword();
        if (format == "array") fail("the format 'array' holds a dense matrix; store it as 'coordinate'");
        if (format != "coordinate") fail("the format is " + quoted(format) + "; it must be 'coordinate'");
    }

    void read_field() {
        const std::string name = lines_.keyword();
        if (name == "complex") fail("complex matrices cannot be solved here; the field must be real");
        if (name == "real" || name == "double") field_ = field::real;
        else if (name == "integer") field_ = field::integer;
        else if (name == "pattern") field_ = field::pattern;
        else fail("the field is " + quoted(name) + "; it must be real, integer or pattern");
    }

    void read_symmetry() {
        const std::string name = lines_.keyword();
        if (name == "skew-symmetric") fail("a skew-symmetric matrix is never positive definite");
        if (name == "hermitian") fail("a Hermitian matrix is complex; a real one is declared 'symmetric'");
        if (name != "general" && name != "symmetric")
            fail("the symmetry is " + quoted(name) + "; it must be general or symmetric");
        symmetric_ = name == "symmetric";
    }

    void read_size() {
        if (!lines_.next_line()) fail("the file ends before the line 'rows columns entries'");
        const auto rows = lines_.number<long long>("number of rows");
        const auto columns = lines_.number<long long>("number of columns");
        promised_ = lines_.number<long long>("number of entries");
        lines_.expect_end_of_line("the sizes");
        if (rows < 1 || columns < 1 || promised_ < 1) fail("rows, columns and entries must be one or more");
        if (rows != columns)
            fail("the matrix is " + std::to_string(rows) + " by " + std::to_string(columns) +
                 "; a system of equations needs a square one");
        if (rows > most || promised_ > most)
            fail("the matrix is too large; rows and entries may be " + std::to_string(most) + " at most");
        rows_ = static_cast<int>(rows);
    }

    void read_entries() {
        for (long long k = 0; k < promised_; ++k) {
            if (!lines_.next_line())
                fail("the file ends after " + std::to_string(k) + " of " + std::to_string(promised_) +
                     " entries; it was cut short, or the number of entries is wrong");
            read_entry();
        }
        if (lines_.next_line())
            fail("there are more than the promised " + std::to_string(promised_) +
                 " entries; correct their number or remove this line");
        if (rows_ > 2 * promised_)
            fail("the matrix has more rows than its entries can fill, so it is singular");
    }

    void read_entry() {
        const int row = read_index("row");
        const int column = read_index("column");
        const double value = read_value();
        lines_.expect_end_of_line("the entry");
        if (symmetric_ && column > row)
            fail("entry (" + std::to_string(row + 1) + ", " + std::to_string(column + 1) +
                 ") lies above the diagonal; a symmetric file holds the lower triangle only");
        entries_.push_back({row, column, value});
        if (symmetric_ && row != column) entries_.push_back({column, row, value});
        if (entries_.size() > static_cast<std::size_t>(most))
            fail("the matrix is too large; it may store " + std::to_string(most) + " nonzeros at most");
    }

    /// Files count from one, the matrix from zero.
    int read_index(const std::string& what) {
        const auto i = lines_.number<long long>(what);
        if (i < 1 || i > rows_)
            fail("the " + what + " " + std::to_string(i) + " is not in 1 .. " + std::to_string(rows_));
        return static_cast<int>(i - 1);
    }

    double read_value() {
        if (field_ == field::pattern) return 1;
        if (field_ == field::integer) return static_cast<double>(lines_.number<long long>("value"));
        const auto value = lines_.number<double>("value");
        if (!std::isfinite(value)) fail("the value is not a finite number");
        return value;
    }

    [[noreturn]] void fail(const std::string& message) const { lines_.fail(message); }
    static std::string quoted(const std::string& text) { return line_reader::quoted(text); }

    line_reader lines_;
    field field_ = field::real;
    bool symmetric_ = false;
    int rows_ = 0;
    long long promised_ = 0;
    std::vector<coordinate> entries_;
};

/// Throws matrix_market_error when the text is not such a matrix.
inline csr_matrix read_matrix_market(std::istream& in) {
    return matrix_market_reader(in).read();
}

inline csr_matrix read_matrix_market(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw matrix_market_error(0, "cannot open the file: " + std::string(std::strerror(errno)));
    return read_matrix_market(file);
}

}  // namespace sparse
