// SPDX-License-Identifier: Apache-2.0
// reason: not_a_stream
// errors: 3
// expect: not_a_stream<char
// expect: give_it_a_std_ostream
#include "names.hpp"

#include <cograph/page/html.hpp>

void write() {
    constexpr auto e = fill(out(x), 1);
    // [wrong]
    write_json("the_graph.json", e);  // here
    write_dot("the_graph.dot", e);    // here
    write_html("the_graph.html", e);  // here
    // [/wrong]
}
