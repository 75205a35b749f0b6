// SPDX-License-Identifier: Apache-2.0
#include <cograph.hpp>

using namespace cograph;

namespace flow_test {

inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct j : scalar<j, int> {} j;
inline constexpr struct s : scalar<s, int> {} s;
inline constexpr struct r : scalar<r, int> {} r;
inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct t : temp<t, int, struct x> {} t;

constexpr auto set = assign(s, 1);
constexpr auto use = assign(r, s);
constexpr auto step = assign(i, i + 1);

// Read before it is written: its value before the launch matters.
static_assert(is_input(use, s) && !is_input(use, r) && is_output(use, r) && !is_output(use, s));
static_assert(is_input(seq(use, set), s) && !is_input(seq(set, use), s));
static_assert(is_mutated(seq(use, set), s) && !is_mutated(seq(set, use), s));
static_assert(is_input(step, i) && is_mutated(step, i), "i = i + 1 reads before it writes");
static_assert(is_input(use, j) == false && !reads(use, j) && !writes(use, j),
              "what does not occur is nothing");
static_assert(is_input(assign(s, n), n) && !is_mutated(assign(s, n), n));
static_assert(!is_output(fill(out(t), 0), t), "a temp ends with the launch");

// par is program order too.
static_assert(!is_input(seq(par(set, step), use), s));

// A loop that tests first may not run: what it writes does not count behind it, but inside it does.
static_assert(is_input(seq(loop_while(i < 3, seq(step, set)), use), s));
static_assert(!is_input(loop_while(i < 3, seq(step, set, use)), s));
static_assert(is_input(loop_while(i < 3, seq(step, use, set)), s),
              "the first pass reads what was there before");
static_assert(!is_input(seq(set, loop_while(i < 3, seq(step, use, set))), s));
static_assert(is_input(loop_while(s < 3, set), s) && !is_input(seq(set, loop_while(s < 3, set)), s));

// So with repeat, however often it runs.
static_assert(is_input(seq(repeat(3, set), use), s) && is_input(seq(repeat(n, set), use), s));
static_assert(is_input(repeat(s, step), s) && !is_input(seq(set, repeat(s, step)), s));

// do_while runs at least once, and tests behind its body.
static_assert(!is_input(seq(do_while(seq(step, set), i < 3), use), s));
static_assert(!is_input(do_while(set, s < 3), s) && is_input(do_while(step, i < s), s));
static_assert(is_input(do_while(seq(step, use, set), i < 3), s));

// A branch counts when both ways write.
static_assert(is_input(seq(when(i > 0, set), use), s));
static_assert(!is_input(seq(when(i > 0, set, otherwise(assign(s, 2))), use), s));
static_assert(is_input(seq(when(i > 0, set, otherwise(step)), use), s));
static_assert(is_input(seq(when(i > 0, step, otherwise(set)), use), s));
static_assert(is_input(seq(when(i > 0, seq(), otherwise(set)), use), s));
static_assert(!is_input(seq(set, when(i > 0, seq(), otherwise(set)), use), s),
              "written before stays written");
static_assert(is_input(when(i > 0, set, otherwise(use)), s) && !is_input(when(i > 0, seq(set, use)), s));
static_assert(!is_input(seq(when(i > 0, seq(set, assign(j, 1)), otherwise(seq(assign(j, 2), set))), use,
                            assign(r, j)),
                        s));
static_assert(!is_input(seq(when(i > 0, seq(set, assign(j, 1)), otherwise(seq(assign(j, 2), set))), use,
                            assign(r, j)),
                        j));

// Whatever numbers variables and bodies happen to have.
static_assert(is_input(seq(when(i > 0, assign(i, 0), otherwise(set)), assign(i, s)), s));
static_assert(is_input(seq(when(i > 0, seq(), otherwise(when(i > 1, seq(), otherwise(set)))), use), s));
template <int... I>
constexpr bool holds_behind_loops() {
    return is_input(seq(loop_while(j < I, assign(j, j + 1))..., when(i > 0, step, otherwise(set)), use), s);
}
static_assert(holds_behind_loops<1, 2, 3>() && holds_behind_loops<1>() && holds_behind_loops<1, 2>());
static_assert(is_input(seq(repeat(1, step), when(i > 0, step, otherwise(set)), use), s));
static_assert(is_input(seq(repeat(1, repeat(1, step)), when(i > 0, step, otherwise(set)), use), s));

// A switch may select nothing.
static_assert(is_input(seq(switch_on(i, set, assign(s, 2)), use), s));
static_assert(!is_input(switch_on(i, seq(set, use), seq(assign(s, 2), use)), s));
static_assert(is_input(switch_on(i, set, use), s), "one case writes nothing for another");

// Nested.
static_assert(!is_input(seq(do_while(when(i > 0, set, otherwise(seq(step, set))), s < 3), use), s));
static_assert(is_input(
    seq(when(i > 0, do_while(set, s < 1), otherwise(loop_while(j < 3, seq(assign(j, j + 1), set)))), use),
    s));
static_assert(!is_input(seq(when(i > 0, do_while(set, s < 1),
                                 otherwise(seq(loop_while(j < 3, seq(assign(j, j + 1), set)), set))),
                            use),
                        s));
static_assert(is_input(seq(loop_while(i < 3, seq(step, do_while(set, s < 1))), use), s));

// Library nodes write all of what is marked out.
static_assert(!is_input(seq(fill(out(x), 1), reduce(out(s), in(x))), x) &&
              is_input(reduce(out(s), in(x)), x));
static_assert(!is_input(seq(copy(in(x), out(t)), copy(in(t), out(x))), t) &&
              is_mutated(seq(copy(in(x), out(t)), copy(in(t), out(x))), x));

// A node writes, and reads, of x[each] as many elements as its shape counts: where declarations say how many, all that is read must
// have been written. Of other sizes a run finds out.
inline constexpr struct two : temp<two, int, elements<2>> {} two;
inline constexpr struct eight : temp<eight, int, elements<8>> {} eight;
inline constexpr struct ten : temp<ten, int, elements<extent(eight) + extent(two)>> {} ten;
struct set_element {
    COGRAPH_HD void operator()(index_t, int& to) const { to = 1; }
};
struct add_element {
    COGRAPH_HD void operator()(index_t, const int& from, int& to) const { to += from; }
};
template <class Shape, class Temp>
constexpr auto write_some(Shape shape, Temp temp) {
    return for_each(over(shape), set_element{})(out(temp[each]));
}
template <class Shape>
constexpr auto read_some(Shape shape) {
    return for_each(over(shape), add_element{})(in(ten[each]), inout(x[each]));
}
constexpr auto read_all = reduce(out(r), in(ten));
static_assert(is_input(seq(write_some(two, ten), read_all), ten) && !is_input(seq(write_some(ten, ten), read_all), ten));
static_assert(!is_input(seq(write_some(two, ten), read_some(two)), ten) && is_input(seq(write_some(two, ten), read_some(eight)), ten));
static_assert(!is_input(seq(write_some(two, ten), write_some(eight, ten), read_some(eight)), ten), "the first two, then the first eight");
static_assert(!is_input(seq(write_some(n, ten), read_all), ten) && !is_input(seq(write_some(3, ten), read_all), ten) &&
                  !is_input(seq(write_some(two, t), copy(in(t), out(x))), t),
              "a run knows");
static_assert(is_input(seq(write_some(two, ten), read_some(n), read_all), ten) && !is_input(seq(write_some(two, ten), read_some(n)), ten));
static_assert(!is_input(seq(fill(out(ten), 0), write_some(two, ten), read_all), ten) &&
              !is_input(seq(copy(in(x), out(ten)), write_some(two, ten), read_all), ten));
static_assert(is_input(seq(write_some(two, ten), when(i > 0, fill(out(ten), 0)), read_all), ten));
static_assert(!is_input(seq(when(i > 0, write_some(two, ten), otherwise(write_some(eight, ten))), read_some(two)), ten));
static_assert(is_input(seq(when(i > 0, write_some(two, ten), otherwise(write_some(eight, ten))), read_some(eight)), ten));
static_assert(is_input(seq(when(i > 0, write_some(eight, ten), otherwise(write_some(two, ten))), read_some(eight)), ten));
static_assert(!is_input(seq(write_some(two, ten), when(i > 0, fill(out(ten), 0), otherwise(seq(write_some(eight, ten), write_some(ten, ten)))), read_all), ten));
static_assert(is_input(seq(write_some(two, ten), repeat(3, seq(read_all, fill(out(ten), 0)))), ten));
static_assert(is_input(seq(write_some(two, ten), for_each(over(two), add_element{})(in(x[each]), inout(ten[each])), read_all), ten));

}  // namespace flow_test
