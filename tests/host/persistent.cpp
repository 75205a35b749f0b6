// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/join/persistent.hpp>

#include <string>

// Loops that are to be one kernel, by their labels.
namespace persistent_loops {

using namespace cograph;

struct quad {
    double of[64];
};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct wide : scalar<wide, quad> {} wide;
struct norm {
    COGRAPH_HD void operator()(double& to, const quad& from) const { to = from.of[0]; }
};
struct first_to {
    COGRAPH_HD void operator()(double* to) const { to[0] = 1; }
};

template <class E>
std::string refusal(const E& e, const char* label) {
    try {
        require_persistent(e, label);
    } catch (const error& why) {
        return why.what();
    }
    return "";
}

TEST_CASE("a loop that is to be one kernel, by its label", "[host][persistent]") {
    const auto e = seq(label("filling", repeat(2, fill(out(x), 1))), label("norms", repeat(3, single_task(norm{})(out(s), in(wide)))),
                       label("writing", repeat(3, single_task(first_to{})(out(x)))), label("nodes", as_nodes(repeat(2, fill(out(x), 1)))));
    CHECK(refusal(e, "filling").empty());
    CHECK(node_count(require_persistent(e, "filling")) == node_count(e));
    const std::string norms = refusal(e, "norms");
    INFO(norms);
    CHECK(norms.find("'norms'") != std::string::npos);
    CHECK(norms.find("norm' uses a scalar that is too large (512; the most is 256)") != std::string::npos);
    CHECK(refusal(e, "writing").find("first_to' writes memory from one thread") != std::string::npos);
    CHECK(refusal(e, "nodes").find("is to stay nodes") != std::string::npos);
    CHECK(refusal(e, "nothing") == "cograph: 'nothing' is the label of no loop in this expression");
}

}  // namespace persistent_loops
