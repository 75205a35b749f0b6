// SPDX-License-Identifier: Apache-2.0
// Function objects without COGRAPH_HD in a graph: each must be named in a warning, since on a GPU it would do nothing.
#include "../names.hpp"

#include <cograph.cuh>

struct of_element {
    void operator()(index_t, float& x) const { x *= 2; }
};
struct with_state {
    float factor;
    void operator()(index_t, float& x) const { x *= factor; }
};
struct of_term {
    float operator()(index_t, float x) const { return x * x; }
};
struct of_one_thread {
    void operator()(float& s) const { s += 1; }
};
struct of_test {
    bool operator()(float s) const { return s > 1; }
};
struct of_elements {
    bool operator()(float x) const { return x > 1; }
};
struct in_loop {
    void operator()(index_t, float& x) const { x *= 2; }
};

void run() {
    instantiate(seq(for_each(over(x), of_element{})(inout(x[each])),
                    for_each(over(x), with_state{2})(inout(x[each])),
                    transform_reduce(over(x), of_term{}, plus{})(out(s), in(x[each])),
                    single_task(of_one_thread{})(inout(s)),
                    when(predicate(of_test{})(in(s)), fill(out(y), 0)),
                    when(any_of(x, of_elements{}), fill(out(y), 1)),
                    do_while(seq(for_each(over(x), in_loop{})(inout(x[each])), assign(s, s - 1)), s > 0)),
                x(memory), y(memory));
}
