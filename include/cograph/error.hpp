// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/variable/printed_name.hpp>

#include <cstdio>
#include <exception>

namespace cograph::core {

// A node or a variable, as the user wrote it.
struct place {
    name_view name;
    const char* file = "";
    unsigned line = 0;
};

// A run-time error: names the node, its source line and, for CUDA calls, the call and the driver's message. Holds its
// text itself, so copying never throws.
class error : public std::exception {
public:
    error(place at, const char* what_is_wrong, name_view detail = {}) : where_(at) {
        const int name = static_cast<int>(at.name.size);
        int used = at.line ? std::snprintf(text_, sizeof text_, "cograph: '%.*s' (%s:%u) %s", name, at.name.data, at.file, at.line, what_is_wrong)
                   : name  ? std::snprintf(text_, sizeof text_, "cograph: '%.*s' %s", name, at.name.data, what_is_wrong)
                           : std::snprintf(text_, sizeof text_, "cograph: %s", what_is_wrong);
        if (detail.size > 0 && used < static_cast<int>(sizeof text_))
            std::snprintf(text_ + used, sizeof text_ - static_cast<std::size_t>(used), " %.*s", static_cast<int>(detail.size), detail.data);
    }

    const char* what() const noexcept override { return text_; }
    const place& where() const noexcept { return where_; }

private:
    place where_;
    char text_[1024];
};

}  // namespace cograph::core
