// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

// Built with -fmad=false. Loops over more elements than there are threads: those of variables that nodes use as their own stay on chip, and
// numbers that are rounded have the bits of a loop that is not one kernel.
namespace kept {

using namespace cograph;
using ways::device_array;
using ways::stream;

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct r : buffer<r, double> {} r;
inline constexpr struct p : buffer<p, double> {} p;
inline constexpr struct weights : buffer<weights, float> {} weights;
inline constexpr struct marks : buffer<marks, short> {} marks;
inline constexpr struct product_with_p : temp<product_with_p, double, struct x> {} product_with_p;
inline constexpr struct sometimes : temp<sometimes, float, struct x> {} sometimes;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct next_rr : scalar<next_rr, double> {} next_rr;
inline constexpr struct curvature : scalar<curvature, double> {} curvature;
inline constexpr struct most : scalar<most, double> {} most;
inline constexpr struct along : scalar<along, double> {} along;
inline constexpr struct back : scalar<back, double> {} back;
inline constexpr struct it : scalar<it, int> {} it;
inline constexpr struct steps : value<steps, int> {} steps;

struct multiply {
    COGRAPH_HD void operator()(index_t i, index_t n, const double* from, const float& weight, double& to) const {
        constexpr index_t apart = 517;
        to = (4.1 + weight) * from[i] - ((i >= apart ? from[i - apart] : 0) + (i + apart < n ? from[i + apart] : 0)) - ((i > 0 ? from[i - 1] : 0) + (i + 1 < n ? from[i + 1] : 0));
    }
};
struct product {
    COGRAPH_HD double operator()(index_t, const double& a, const double& b) const { return a * b; }
};
struct square_after_step {
    COGRAPH_HD double operator()(index_t, const double& step, const double& of, double& own) const {
        own -= step * of;
        return own * own;
    }
};
struct go_on {
    COGRAPH_HD void operator()(index_t, const double& step, const double& keep, const double& residual, float& point, double& direction) const {
        point += static_cast<float>(step * direction);
        direction = residual + keep * direction;
    }
};
struct mark {
    COGRAPH_HD void operator()(index_t i, const int& pass, short& to, float& own) const {
        if ((i + pass) % 3 == 0) to = static_cast<short>(to + pass + 1);
        own = own * 0.5f + static_cast<float>(pass);
    }
};
struct size_of_both {
    COGRAPH_HD double operator()(index_t, const float& a, const float& b) const { return std::fabs(a) + b; }
};
struct add_to {
    COGRAPH_HD void operator()(index_t, const float& from, float& own) const { own += from; }
};
constexpr auto step = seq(for_each(over(x), multiply{})(extent(x), in(p), in(weights[each]), out(product_with_p[each])), transform_reduce(over(x), product{}, plus{})(out(curvature), in(p[each]), in(product_with_p[each])), assign(along, rr / curvature),
                          transform_reduce(over(x), square_after_step{}, plus{})(out(next_rr), along, in(product_with_p[each]), inout(r[each])), assign(back, next_rr / rr), assign(rr, next_rr),
                          when(it % 3 != 1, for_each(over(x), mark{})(it, inout(marks[each]), inout(sometimes[each]))),
                          transform_reduce(over(x), size_of_both{}, maximum{})(out(most), in(x[each]), in(sometimes[each])),
                          for_each(over(x), go_on{})(along, back, in(r[each]), inout(x[each]), inout(p[each])), assign(it, it + 1));
constexpr auto solver = seq(fill(out(sometimes), 0.25f), assign(it, 0), assign(rr, 1.5), loop_while(it < steps && rr > 0.0, step), for_each(over(x), add_to{})(in(sometimes[each]), inout(x[each])));
static_assert(is_persistent(solver, at<3>));
static_assert(where_on_chip(solver, at<3>, x) == on_chip::kept_by_threads && where_on_chip(solver, at<3>, sometimes) == on_chip::kept_by_threads);

struct memory {
    device_array<float> x_;
    device_array<double> r_, p_;
    device_array<float> weights_;
    device_array<short> marks_;

    explicit memory(std::size_t n) : x_(n), r_(numbers(n)), p_(numbers(n)), weights_(floats(n)), marks_(n, 7) {}
    static std::vector<double> numbers(std::size_t n) {
        std::vector<double> all(n);
        for (std::size_t i = 0; i < n; ++i) all[i] = 1 + static_cast<double>(i * 2654435761u % 1000003) / 1000003;
        return all;
    }
    static std::vector<float> floats(std::size_t n) {
        std::vector<float> all(n);
        for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<float>(i % 13) / 13;
        return all;
    }
    auto bindings() { return std::tuple(x(x_.all()), r(r_.all()), p(p_.all()), weights(weights_.all()), marks(marks_.all())); }
    template <class E>
    auto make(const E& e, int of_steps) {
        return std::apply([&](auto... b) { return instantiate(e, b..., steps(of_steps)); }, bindings());
    }
    bool operator==(const memory& other) const {
        const auto same = [](const auto& a, const auto& b) {
            const auto mine = a.read(), others = b.read();
            return mine.size() == others.size() && std::memcmp(mine.data(), others.data(), mine.size() * sizeof mine[0]) == 0;
        };
        return same(x_, other.x_) && same(r_, other.r_) && same(p_, other.p_) && same(marks_, other.marks_);
    }
};
template <class A, class B>
bool same_scalars(A& a, B& b) {
    const auto same = [&](auto of) { return a.fetch(of) == b.fetch(of); };
    return same(rr) && same(next_rr) && same(curvature) && same(most) && same(it);
}

// A thread has one element, two, three, and as many as there is room for, in whole rows of threads or not; then more.
constexpr int row = 131'072;
inline constexpr int sizes[] = {1, 257, 8'193, row - 1, row, row + 1, row + 255, row + 256, 200'001, 2 * row - 1, 2 * row, 2 * row + 1, 2 * row + 257, 300'001, 3 * row, 3 * row + 1, 700'001, 6 * row, 6 * row + 1, 8 * row + 1, 2'000'001};

}  // namespace kept

TEST_CASE("elements that threads keep have the bits that they have in memory", "[gpu][kept]") {
    const kept::stream on;
    for (const int size : kept::sizes) {
        if (size != kept::row + 1 && size != 300'001 && leave_out::under_tool()) continue;
        DYNAMIC_SECTION(size << " elements") {
            const auto n = static_cast<std::size_t>(size);
            for (const int of_steps : {0, 1, 7}) {
                if (of_steps != 1 && leave_out::under_tool()) continue;
                kept::memory one(n), parted(n);
                auto whole = one.make(kept::solver, of_steps);
                auto nodes = parted.make(as_nodes(kept::solver), of_steps);
                for (int launch = 0; launch < 2; ++launch) {
                    whole.launch(on);
                    nodes.launch(on);
                    on.wait();
                    CHECK(kept::same_scalars(whole, nodes));
                    CHECK(whole.fetch(kept::it) == of_steps);
                    CHECK((one == parted));
                }
            }
        }
    }
}

TEST_CASE("an executable is updated to more elements than its threads, and to fewer", "[gpu][kept][rebinding]") {
    const kept::stream on;
    kept::memory first(100);
    auto moving = first.make(kept::solver, 3);
    for (const int size : {kept::row + 1, 300, 2 * kept::row + 77, kept::row, 7 * kept::row, kept::row + 5}) {
        const auto n = static_cast<std::size_t>(size);
        kept::memory moved(n), parted(n);
        auto nodes = parted.make(as_nodes(kept::solver), 3);
        std::apply([&](auto... b) { moving.update(b...); }, moved.bindings());
        moving.launch(on);
        nodes.launch(on);
        on.wait();
        INFO(size << " elements");
        CHECK(kept::same_scalars(moving, nodes));
        CHECK((moved == parted));
    }
}
