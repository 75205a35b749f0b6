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

}  // namespace rounding

TEMPLATE_TEST_CASE("rounding: every way gives the same bits", "[gpu][rounding]", rounding::products<100>, rounding::products<20000>,
                   rounding::products<200000>) {
    ways::check_all_ways<TestType>();
}
