// SPDX-License-Identifier: Apache-2.0
#include "../../examples/conjugate_gradient/matrix_market.hpp"

#include "../catch.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace {

using sparse::csr_matrix;
using sparse::matrix_market_error;

csr_matrix read(const std::string& text) {
    std::istringstream in(text);
    return sparse::read_matrix_market(in);
}

/// The error that a text is refused with: "line N: ...", or "" when it is taken.
std::string refusal(const std::string& text) {
    try {
        read(text);
        return {};
    } catch (const matrix_market_error& error) {
        return error.what();
    }
}

bool starts_with(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}

std::string banner(const std::string& kind) {
    return "%%MatrixMarket matrix coordinate " + kind + "\n";
}

const std::string general = banner("real general");
const std::string symmetric = banner("real symmetric");

const std::filesystem::path data = std::filesystem::path(__FILE__).parent_path() / "data";

using ints = std::vector<int>;
using doubles = std::vector<double>;

}  // namespace

TEST_CASE("a general matrix is sorted by row and column") {
    const csr_matrix A = read(general + "3 3 4\n3 1 7.5\n1 3 -2e1\n1 1 .5\n2 2 +3\n");
    CHECK(A.rows == 3);
    CHECK(A.nonzeros() == 4);
    CHECK(A.row_begin == ints{0, 2, 3, 4});
    CHECK(A.column == ints{0, 2, 1, 0});
    CHECK(A.value == doubles{0.5, -20, 3, 7.5});
}

TEST_CASE("both triangles of a symmetric matrix are stored") {
    const csr_matrix A = read(symmetric + "3 3 4\n1 1 4\n2 2 5\n3 1 -1\n3 3 6\n");
    CHECK(A.row_begin == ints{0, 2, 3, 5});
    CHECK(A.column == ints{0, 2, 1, 0, 2});
    CHECK(A.value == doubles{4, -1, 5, -1, 6});
}

TEST_CASE("pattern entries are one") {
    const csr_matrix A = read(banner("pattern symmetric") + "2 2 2\n2 1\n2 2\n");
    CHECK(A.row_begin == ints{0, 1, 3});
    CHECK(A.value == doubles{1, 1, 1});
}

TEST_CASE("integers are read exactly as far as a double goes") {
    const csr_matrix A = read(banner("integer general") + "2 2 2\n1 1 -9007199254740991\n2 2 +7\n");
    CHECK(A.value == doubles{-9007199254740991.0, 7});
}

TEST_CASE("entries given twice are added") {
    const csr_matrix A = read(general + "2 2 5\n1 1 1\n2 2 3\n1 1 0.5\n2 1 0\n1 1 0.25\n");
    CHECK(A.row_begin == ints{0, 1, 3});
    CHECK(A.column == ints{0, 0, 1});
    CHECK(A.value == doubles{1.75, 0, 3});

    const csr_matrix B = read(symmetric + "2 2 4\n2 1 1\n1 1 9\n2 2 9\n2 1 2\n");
    CHECK(B.value == doubles{9, 3, 3, 9});
}

TEST_CASE("duplicates in neighbouring rows and equal columns stay apart") {
    const csr_matrix A = read(general + "3 3 3\n1 2 1\n2 2 2\n3 2 3\n");
    CHECK(A.row_begin == ints{0, 1, 2, 3});
    CHECK(A.value == doubles{1, 2, 3});
}

TEST_CASE("rows without entries are empty") {
    const csr_matrix A = read(general + "4 4 2\n2 1 1\n2 4 2\n");
    CHECK(A.row_begin == ints{0, 0, 2, 2, 2});
}

TEST_CASE("the layout of the text is free where the format leaves it free") {
    const std::string entries = "2 2 2\n1 1 1\n2 2 1\n";
    CHECK(refusal("%%MATRIXMARKET Matrix COORDINATE Real GENERAL\n" + entries) == "");
    CHECK(refusal("%%MatrixMarket\tmatrix  coordinate real general \r\n" + entries) == "");
    CHECK(refusal(general + "% comment\n%\n\n  \t\n   % indented\n" + entries) == "");
    CHECK(refusal(general + "%" + std::string(1'000'000, 'x') + "\n" + entries) == "");
    CHECK(refusal(general + "2 2 2\r\n1 1 1\r\n2 2 1\r\n\r\n") == "");
    CHECK(refusal(general + "2 2 2\n1 1 1\n2 2 1") == "");
    CHECK(refusal(general + "2 2 2\n\t1   1\t1 \n% between\n\n2 2 1\n% after\n\n") == "");
    CHECK(refusal(general + "2 2 2\n1 1 1\n2 2 1" + std::string(1018, ' ') + "\n") == "");
    CHECK(refusal(banner("double general") + entries) == "");
}

TEST_CASE("numbers in every spelling") {
    const csr_matrix A = read(general + "2 2 4\n1 1 1.E+3\n1 2 -.5e-1\n2 1 +1e+2\n2 2 4.9e-324\n");
    CHECK(A.value == doubles{1000, -0.05, 100, 4.9406564584124654e-324});
    for (const std::string wrong :
         {"1.0d3", "1,5", "0x10", "--1", "+-1", "+", "-", ".", "e5", "1e", "1e5.0", "one", "1_0"})
        CHECK(refusal(general + "1 1 1\n1 1 " + wrong + "\n") ==
              "line 3: the value '" + wrong + "' is not a number");
}

TEST_CASE("errors name the line") {
    try {
        read(general + "% comment\n\n% " + std::string(5000, 'x') + "\n2 2 2\n1 1 1\n\n2 x 1\n");
        FAIL("taken");
    } catch (const matrix_market_error& error) {
        CHECK(error.line() == 8);
        CHECK(std::string(error.what()) == "line 8: the column 'x' is not an integer");
    }
}

TEST_CASE("wrong banners are refused") {
    CHECK(starts_with(refusal(""), "the file is empty"));
    CHECK(starts_with(refusal("\n"), "line 1: the file does not begin with %%MatrixMarket"));
    CHECK(starts_with(refusal("2 2 2\n"), "line 1: the file does not begin with %%MatrixMarket"));
    CHECK(starts_with(refusal(std::string(100'000, '%')),
                      "line 1: the file does not begin with %%MatrixMarket"));
    CHECK(starts_with(refusal(std::string(100'000, '\0')),
                      "line 1: the file does not begin with %%MatrixMarket"));
    CHECK(starts_with(refusal("%%MatrixMarket\n"), "line 1: the object is ''"));
    CHECK(starts_with(refusal("%%MatrixMarket vector coordinate real general\n"),
                      "line 1: the object is 'vector'"));
    CHECK(starts_with(refusal("%%MatrixMarket matrix array real general\n"), "line 1: the format 'array'"));
    CHECK(
        starts_with(refusal("%%MatrixMarket matrix dense real general\n"), "line 1: the format is 'dense'"));
    CHECK(starts_with(refusal(banner("complex general")), "line 1: complex matrices"));
    CHECK(starts_with(refusal(banner("quaternion general")), "line 1: the field is 'quaternion'"));
    CHECK(starts_with(refusal(banner("real")), "line 1: the symmetry is ''"));
    CHECK(starts_with(refusal(banner("real skew-symmetric")), "line 1: a skew-symmetric matrix"));
    CHECK(starts_with(refusal(banner("real hermitian")), "line 1: a Hermitian matrix"));
    CHECK(refusal(banner("real general please")) == "line 1: unexpected 'please' after the banner");
}

TEST_CASE("wrong sizes are refused") {
    CHECK(starts_with(refusal(general), "line 1: the file ends before the line"));
    CHECK(starts_with(refusal(general + "% only a comment"), "line 2: the file ends before the line"));
    CHECK(starts_with(refusal(general + "2 2\n"), "line 2: the number of entries is missing"));
    CHECK(refusal(general + "2 2 2 2\n") == "line 2: unexpected '2' after the sizes");
    CHECK(refusal(general + "2.0 2 2\n") == "line 2: the number of rows '2.0' is not an integer");
    CHECK(starts_with(refusal(general + "0 0 0\n"), "line 2: rows, columns and entries must be"));
    CHECK(starts_with(refusal(general + "2 2 0\n"), "line 2: rows, columns and entries must be"));
    CHECK(starts_with(refusal(general + "-2 -2 4\n"), "line 2: rows, columns and entries must be"));
    CHECK(starts_with(refusal(general + "2 3 2\n"), "line 2: the matrix is 2 by 3"));
}

TEST_CASE("huge sizes are refused without the memory that they ask for") {
    CHECK(starts_with(refusal(general + "2147483646 2147483646 2147483646\n1 1 1\n"),
                      "line 3: the file ends after 1 of"));
    CHECK(starts_with(refusal(general + "2147483646 2147483646 1\n1 1 1\n"),
                      "line 3: the matrix has more rows"));
    CHECK(starts_with(refusal(general + "2147483647 2147483647 1\n1 1 1\n"),
                      "line 2: the matrix is too large"));
    CHECK(starts_with(refusal(general + "1 1 9223372036854775807\n1 1 1\n"),
                      "line 2: the matrix is too large"));
    CHECK(starts_with(refusal(general + "1 1 9223372036854775808\n1 1 1\n"),
                      "line 2: the number of entries '922"));
}

TEST_CASE("wrong entries are refused") {
    const auto entry = [](const std::string& line) {
        return refusal(general + "2 2 2\n1 1 1\n" + line + "\n");
    };
    CHECK(entry("0 1 1") == "line 4: the row 0 is not in 1 .. 2");
    CHECK(entry("1 0 1") == "line 4: the column 0 is not in 1 .. 2");
    CHECK(entry("3 1 1") == "line 4: the row 3 is not in 1 .. 2");
    CHECK(entry("1 -1 1") == "line 4: the column -1 is not in 1 .. 2");
    CHECK(entry("4294967297 1 1") == "line 4: the row 4294967297 is not in 1 .. 2");
    CHECK(entry("1 18446744073709551617 1") == "line 4: the column '18446744073709551617' is out of range");
    CHECK(entry("1 1.5 1") == "line 4: the column '1.5' is not an integer");
    CHECK(starts_with(entry("1"), "line 4: the column is missing"));
    CHECK(starts_with(entry("1 1"), "line 4: the value is missing"));
    CHECK(entry("1 1 1 1") == "line 4: unexpected '1' after the entry");
    CHECK(entry("1 1 nan") == "line 4: the value is not a finite number");
    CHECK(entry("1 1 -INF") == "line 4: the value is not a finite number");
    CHECK(entry("1 1 1e400") == "line 4: the value '1e400' is out of range");
    CHECK(entry("1 1 " + std::string(900, '9')) ==
          "line 4: the value '" + std::string(40, '9') + "...' is out of range");
    CHECK(entry("1 1 " + std::string(1021, '9')) == "line 4: the line is longer than 1024 characters");
    CHECK(entry(std::string("1 1 \0\x1b[31m\xff", 11)) == "line 4: the value '??[31m?' is not a number");
}

TEST_CASE("entries must fit the field and the symmetry") {
    CHECK(refusal(banner("integer general") + "1 1 1\n1 1 1.0\n") ==
          "line 3: the value '1.0' is not an integer");
    CHECK(refusal(banner("integer general") + "1 1 1\n1 1 9223372036854775808\n") ==
          "line 3: the value '9223372036854775808' is out of range");
    CHECK(refusal(banner("pattern general") + "1 1 1\n1 1 1\n") == "line 3: unexpected '1' after the entry");
    CHECK(starts_with(refusal(symmetric + "2 2 3\n1 1 1\n1 2 1\n2 2 1\n"),
                      "line 4: entry (1, 2) lies above the diagonal"));
    CHECK(starts_with(refusal(general + "1 1 2\n1 1 1.7e308\n1 1 1.7e308\n"), "line 4: entries given twice"));
}

TEST_CASE("the number of entries must be right") {
    CHECK(starts_with(refusal(general + "2 2 3\n1 1 1\n2 2 1\n"),
                      "line 4: the file ends after 2 of 3 entries"));
    CHECK(starts_with(refusal(general + "2 2 1\n1 1 1\n2 2 1\n"),
                      "line 4: there are more than the promised 1 entries"));
    CHECK(starts_with(refusal(general + "9 9 4\n1 1 1\n2 2 1\n3 3 1\n4 4 1\n"),
                      "line 6: the matrix has more rows"));
}

TEST_CASE("a text cut anywhere is refused or a matrix of that size") {
    const std::string whole = symmetric + "% comment\n3 3 4\n1 1 4.25\n2 2 -5e-1\n3 1 -1\n3 3 66";
    for (std::size_t length = 0; length < whole.size() - 1; ++length) {
        INFO("after " << length << " characters");
        CHECK(refusal(whole.substr(0, length)) != "");
    }
    CHECK(read(whole.substr(0, whole.size() - 1)).value.back() == 6);  // nothing can tell
}

TEST_CASE("files that cannot be read are refused") {
    CHECK_THROWS_AS(sparse::read_matrix_market(std::string("no/such/file.mtx")), matrix_market_error);
    CHECK_THROWS_AS(sparse::read_matrix_market(data.string()), matrix_market_error);
}

TEST_CASE("of the files beside this test the good are read and the bad refused") {
    int good = 0;
    int bad = 0;
    for (const auto& file : std::filesystem::directory_iterator(data)) {
        const std::string name = file.path().filename().string();
        INFO(name);
        if (starts_with(name, "good_")) {
            ++good;
            CHECK_NOTHROW(sparse::read_matrix_market(file.path().string()));
        } else if (starts_with(name, "bad_")) {
            ++bad;
            CHECK_THROWS_AS(sparse::read_matrix_market(file.path().string()), matrix_market_error);
        }
    }
    CHECK(good > 0);
    CHECK(bad > 0);
}

#ifdef COGRAPH_TEST_DATA
TEST_CASE("matrices from applications") {
    struct expected {
        const char* name;
        int rows;
        std::size_t nonzeros;
    };
    const std::filesystem::path folder = COGRAPH_TEST_DATA;
    for (const auto& [name, rows, nonzeros] :
         {expected{"494_bus.mtx", 494, 1666}, expected{"1138_bus.mtx", 1138, 4054},
          expected{"bcsstk01.mtx", 48, 400}, expected{"bcspwr10.mtx", 5300, 21842}}) {
        INFO(name);
        if (!std::filesystem::exists(folder / name)) {
            WARN("skipped: there is no " << name);
            continue;
        }
        const csr_matrix A = sparse::read_matrix_market((folder / name).string());
        CHECK(A.rows == rows);
        CHECK(A.nonzeros() == nonzeros);
        CHECK(!sparse::find_asymmetry(A.view()));
        CHECK(!sparse::find_nonpositive_diagonal(A.view()));
    }
}
#endif

TEST_CASE("a matrix is looked at before it is solved") {
    const csr_matrix good = read(symmetric + "2 2 3\n1 1 2\n2 1 1\n2 2 2\n");
    CHECK(!sparse::find_asymmetry(good.view()));
    CHECK(!sparse::find_nonpositive_diagonal(good.view()));
    CHECK(sparse::entry(good.view(), 1, 0) == 1);
    doubles product(2);
    sparse::multiply(good.view(), doubles{1, 10}, product);
    CHECK(product == doubles{12, 21});
    CHECK(sparse::relative_residual(good.view(), doubles{1, 1}, doubles{3, 3}) == 0);

    const csr_matrix lopsided = read(general + "2 2 3\n1 1 2\n1 2 1\n2 2 2\n");
    CHECK(sparse::find_asymmetry(lopsided.view()) == std::pair(0, 1));
    CHECK(sparse::find_nonpositive_diagonal(read(symmetric + "2 2 1\n1 1 2\n").view()) == 1);
    CHECK(sparse::find_nonpositive_diagonal(read(symmetric + "2 2 2\n1 1 0\n2 2 1\n").view()) == 0);
}

TEST_CASE("the five-point Laplacian") {
    const csr_matrix A = sparse::poisson(3);
    CHECK(A.rows == 9);
    CHECK(A.nonzeros() == 33);
    CHECK(sparse::entry(A.view(), 4, 4) == 4);
    CHECK(sparse::entry(A.view(), 4, 1) == -1);
    CHECK(sparse::entry(A.view(), 2, 3) == 0);
    CHECK(!sparse::find_asymmetry(A.view()));
}
