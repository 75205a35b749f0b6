// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

// Built with -fmad=false: numbers that are rounded, in nodes that share a kernel. Without that option nvcc may round the product
// of one node and the sum of the next once.
namespace rounding {

using namespace cograph;

inline constexpr struct a : buffer<a, double> {} a;
inline constexpr struct b : buffer<b, double> {} b;
inline constexpr struct c : buffer<c, double> {} c;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct a> {} t;
inline constexpr struct k : scalar<k, int> {} k;
inline constexpr struct p : scalar<p, double> {} p;
inline constexpr struct q : scalar<q, double> {} q;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct u : scalar<u, double> {} u;

struct multiply {
    COGRAPH_HD void operator()(index_t, const double& x, const double& z, double& to) const { to = x * z; }
};
struct add {
    COGRAPH_HD void operator()(index_t, const double& x, const double& z, double& to) const { to = x + z; }
};

// Products that the next node adds to, which cancels all but their rounding, and one that a dot needs, too.
template <int Count>
struct products {
    std::vector<double> a_, b_, c_, y_ = std::vector<double>(Count);
    double p_ = 1 + 1e-9, q_ = 1 - 1e-9, s_ = 0, u_ = 0;
    int k_ = 0;
    products() {
        for (int i = 0; i < Count; ++i) {
            a_.push_back(1 + (i % 1013 + 1) * 1e-9);
            b_.push_back(1 - (i % 499 + 1) * 1e-9);
            c_.push_back(-(a_.back() * b_.back()));
        }
    }

    static constexpr auto expression() {
        return seq(assign(k, 0), loop_while(k < 2, seq(for_each(over(a), multiply{})(in(a[each]), in(b[each]), out(t[each])),
                                                       for_each(over(a), add{})(in(t[each]), in(c[each]), out(y[each])),
                                                       dot(out(s), in(a), in(b)), fill(out(t), 0),
                                                       assign(u, p * q), assign(s, u + s), assign(u, s - p), assign(k, k + 1))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), c(at(c_)), y(at(y_)), p(at(p_)), q(at(q_)), s(at(s_)), u(at(u_)), k(at(k_)));
    }
    // By simulation: the sum of a dot has an order that plain loops have not.
    void compute() {
        products found = *this;
        expressions::run_simulated(found);
        *this = found;
    }
    bool operator==(const products&) const = default;
};

inline constexpr struct rows : value<rows, int> {} rows;
inline constexpr struct columns : value<columns, int> {} columns;

// With contraction, nvcc rounds its products otherwise where all rows around are known to be in the box.
struct mix {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> around, double& to) const {
        double above = *around * 0.37;
        if (around.inside(-1, 0)) above += around.at(-1, 0) * 0.61;
        double below = *around * 0.21;
        if (around.inside(1, 0)) below += around.at(1, 0) * 0.77;
        to = (above * 0.23 + below * 0.27) + (around.at_or(1.1, 0, -1) * 0.26 + around.at_or(1.3, 0, 1) * 0.25);
    }
};
struct take {
    COGRAPH_HD void operator()(index_t, index_t, double from, double& to) const { to = from; }
};

// In tiles whose blocks also compute elements around them, of four and of eight elements a thread, and in a block alone.
struct mixed {
    int rows_, columns_;
    std::vector<double> a_, b_;

    mixed(int height, int width) : rows_(height), columns_(width), b_(static_cast<std::size_t>(height) * static_cast<std::size_t>(width)) {
        for (std::size_t at = 0; at < b_.size(); ++at) a_.push_back(1 + static_cast<double>(at * at % 983) / 977);
    }
    static constexpr auto expression() {
        constexpr auto all = over(rows, columns);
        return repeat(9, seq(for_each(all, mix{})(in(a[near<1, 1>]), out(b[each])), for_each(all, take{})(in(b[each]), out(a[each]))));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(a(at(a_)), b(at(b_)), rows(rows_), columns(columns_));
    }
    void compute() {
        mixed found = *this;
        expressions::run_simulated(found);
        *this = found;
    }
    bool operator==(const mixed&) const = default;
};
static_assert(core::tiles_of_loop<std::remove_cvref_t<decltype(mixed::expression())>>::layout.may_overlap);

}  // namespace rounding

TEMPLATE_TEST_CASE("rounding: every way gives the same bits", "[gpu][rounding]", rounding::products<100>, rounding::products<20000>,
                   rounding::products<200000>) {
    ways::check_all_ways<TestType>();
}

TEST_CASE("rounding: tiles give the same bits", "[gpu][rounding]") {
    SECTION("in a block") { ways::check_all_ways(rounding::mixed(37, 53)); }
    SECTION("with a last row of tiles of five rows") { ways::check_all_ways(rounding::mixed(149, 251)); }
    SECTION("with many elements a thread") { ways::check_all_ways(rounding::mixed(402, 650)); }
}
