// SPDX-License-Identifier: Apache-2.0

// Feeds the reader with anything. Build and run:
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined fuzz_matrix_market.cpp -o fuzz_matrix_market
//   ./fuzz_matrix_market -max_len=4096 CORPUS_FOLDER
// Files in tests/host/data make a good start for the corpus.

#include "matrix_market.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

namespace {

void require(bool fact) {
    if (!fact) std::abort();
}

/// What every matrix that the reader returns must satisfy.
void check(const sparse::csr_matrix& A) {
    require(A.rows > 0 && A.row_begin.size() == static_cast<std::size_t>(A.rows) + 1);
    require(A.row_begin.front() == 0 && static_cast<std::size_t>(A.row_begin.back()) == A.nonzeros());
    require(A.column.size() == A.nonzeros());
    for (std::size_t i = 0; i + 1 < A.row_begin.size(); ++i) {
        require(A.row_begin[i] <= A.row_begin[i + 1]);
        int before = -1;
        for (auto k = static_cast<std::size_t>(A.row_begin[i]);
             k < static_cast<std::size_t>(A.row_begin[i + 1]); ++k) {
            require(before < A.column[k] && A.column[k] < A.rows && std::isfinite(A.value[k]));
            before = A.column[k];
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream text(std::string(data, data + size));
    try {
        check(sparse::read_matrix_market(text));
    } catch (const sparse::matrix_market_error& error) {
        for (const char* c = error.what(); *c != '\0'; ++c) require(' ' <= *c && *c <= '~');
    }
    return 0;
}
