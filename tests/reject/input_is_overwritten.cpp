// SPDX-License-Identifier: Apache-2.0
// reason: input_is_overwritten
// expect: input_is_overwritten<fft::inverse, waves>
// expect: mark_it_inout
#include "names.hpp"

#include <cograph/libraries/fft.hpp>

inline constexpr struct waves : buffer<waves, std::complex<float>> {} waves;
// [wrong]
const auto wrong = fft::inverse(out(x), in(waves));  // here
// [/wrong]
