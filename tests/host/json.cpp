// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>

#include <limits>
#include <sstream>
#include <string>

using namespace cograph;

namespace json_test {

template <class Write>
std::string written(Write write) {
    std::ostringstream to;
    core::json_text json(to);
    write(json);
    return to.str();
}
std::string quoted(const char* text) {
    return written([&](auto& json) { json.string(text); });
}

TEST_CASE("JSON strings hold no control characters and nothing that is no UTF-8") {
    CHECK(quoted("a\"b\\c/") == R"("a\"b\\c/")");
    CHECK(quoted("\n\r\t\f\b") == R"("\n\r\t\f\b")");
    CHECK(quoted("\x01\x10\x1f\x7f") == "\"\\u0001\\u0010\\u001f\x7f\"");
    CHECK(quoted("\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80") == "\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\"");
    const std::string replaced = "\xef\xbf\xbd";
    CHECK(quoted("\x80") == "\"" + replaced + "\"");
    CHECK(quoted("\xc3") == "\"" + replaced + "\"");
    CHECK(quoted("\xe2\x82(") == "\"" + replaced + replaced + "(\"");
    CHECK(quoted("\xc1\xbf") == "\"" + replaced + replaced + "\"");  // overlong
    CHECK(quoted("\xed\xbf\xbf") == "\"" + replaced + replaced + replaced + "\"");  // a surrogate
    CHECK(written([](auto& json) { json.string(core::name_view("ab\xc3\xbc", 3)); }) == "\"ab" + replaced + "\"");
}

TEST_CASE("JSON has commas between and numbers in full") {
    const std::string text = written([](auto& json) {
        json.open("{").key("a").number(0);
        json.key("b").open("[").close("]").key("c").open("[");
        json.number(std::numeric_limits<index_t>::min());
        json.number(std::numeric_limits<index_t>::max());
        json.reference(-1);
        json.reference(7);
        json.truth(true);
        json.close("]").close("}");
    });
    CHECK(text == R"({"a": 0, "b": [], "c": [-9223372036854775808, 9223372036854775807, null, 7, true]})");
}

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
struct take_next {
    COGRAPH_HD void operator()(index_t i, const double* from, const double& by, double& to) const { to += by * from[i == 0 ? 0 : i - 1]; }
};

TEST_CASE("JSON lists the variables whose elements threads may keep, of loops that are one kernel") {
    constexpr auto sweep = for_each(over(x), take_next{})(in(y), in(z[each]), inout(x[each]));
    const auto kept = [](const auto& e) {
        std::ostringstream to;
        write_json(to, e);
        const std::string text = to.str();
        const auto at = text.find("\"kept_by_threads\": ");
        return at == std::string::npos ? std::string() : text.substr(at + 19, text.find(']', at) - at - 18);
    };
    CHECK(kept(repeat(2, sweep)) == "[0, 2]");  // x and z: variables are numbered by first appearance
    CHECK(kept(repeat(2, seq(sweep, for_each(over(x), take_next{})(in(z), in(y[each]), inout(x[each]))))) == "[0]");
    CHECK(kept(as_nodes(repeat(2, sweep))).empty());
}

inline constexpr struct rows : value<rows, int> {} rows;
struct average {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const { to = (around.at_or(0, -1, 0) + around.at_or(0, 1, 0)) / 2; }
};
struct add_and_copy {
    COGRAPH_HD void operator()(index_t, index_t, const double& from, double& to, double& sum) const { sum += to = from; }
};

TEST_CASE("JSON and pictures list these variables of loops with tiles too, which may not fit") {
    constexpr auto sweeps = repeat(2, seq(for_each(over(extent(x), rows), average{})(in(x[near<1, 1>]), out(y[each])),
                                          for_each(over(extent(x), rows), add_and_copy{})(in(y[each]), out(x[each]), inout(z[each]))));
    static_assert(why_no_tiles(sweeps, at<0>) == tile_status::tiles);
    std::ostringstream json, dot;
    write_json(json, sweeps);
    write_dot(dot, sweeps);
    CHECK(json.str().find("\"kept_by_threads\": [5, 6]") != std::string::npos);  // y and z
    CHECK(dot.str().find("; without tiles threads may keep y, z<") != std::string::npos);
}

}  // namespace json_test
