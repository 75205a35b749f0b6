// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/config.hpp>

#include <cmath>
#include <type_traits>

namespace cograph::core::sparse_routine {

// A divisor that is known before its dividend: the quotient has the same bits as a division, and takes five operations. A reciprocal's product is
// within two units in the last place. Each correction takes its remainder, which is exact. The first one leaves less than one unit, and the second one rounds as a
// division does (Markstein 1990). Both need numbers whose remainders neither overflow nor underflow; others are divided.
template <class T>
class known_divisor {
public:
    COGRAPH_HD explicit known_divisor(T divisor) : divisor_(divisor), reciprocal_(T(1) / divisor) {}
    COGRAPH_HD T divide(T dividend) const {
        using std::fma;
        if (!is_usual(dividend) || !is_usual(divisor_)) return dividend / divisor_;
        const T rough = dividend * reciprocal_;
        const T close = fma(fma(-rough, divisor_, dividend), reciprocal_, rough);
        return fma(fma(-close, divisor_, dividend), reciprocal_, close);
    }

private:
    static constexpr T least = std::is_same_v<T, float> ? T(0x1p-48) : T(0x1p-448);
    COGRAPH_HD static bool is_usual(T x) {
        const T size = x < 0 ? -x : x;
        return size >= least && size <= 1 / least;
    }
    T divisor_, reciprocal_;
};

}  // namespace cograph::core::sparse_routine
