// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/variable/variable_info.hpp>

#include <cstdio>

namespace cograph::core {

// Arrays of others that cannot be bound; only a run knows.

[[noreturn]] inline void refuse_tensor(const variable_info& v, const char* why) {
    char text[200];
    std::snprintf(text, sizeof text, "is bound to an array that %s", why);
    throw error({v.name.read()}, text);
}
[[noreturn]] inline void refuse_elements(const variable_info& v, int code, int bits, int lanes) {
    constexpr const char* kinds[] = {"signed integers", "unsigned integers", "floating-point numbers", "handles", "bfloats", "complex numbers", "booleans"};
    char text[256];
    const name_view type = v.element.read();
    std::snprintf(text, sizeof text, "holds elements of %.*s, and the tensor has %s of %d bits%s", static_cast<int>(type.size), type.data,
                  code >= 0 && code < 7 ? kinds[code] : "elements", bits, lanes == 1 ? "" : ", several in each");
    throw error({v.name.read()}, text);
}

}  // namespace cograph::core
