// SPDX-License-Identifier: Apache-2.0
#include "ways.cuh"

#include <cograph/check_finite.cuh>
#include <cograph/nvtx.cuh>
#include <cograph/profile.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

using namespace cograph;

// Runs on a stream that are watched: for numbers that are not finite, for times, for ranges.
namespace watched_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct f : buffer<f, float> {} f;
inline constexpr struct h : buffer<h, __half> {} h;
inline constexpr struct b : buffer<b, __nv_bfloat16> {} b;
inline constexpr struct p : buffer<p, float2> {} p;
inline constexpr struct c : buffer<c, std::complex<double>> {} c;
inline constexpr struct k : buffer<k, unsigned> {} k;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct bits : value<bits, unsigned long long> {} bits;
inline constexpr struct where : value<where, int> {} where;

// Writes the low bits of a number into one element.
struct put_bits {
    template <class T>
    COGRAPH_HD void operator()(T* to, int at, unsigned long long what) const {
        memcpy(static_cast<void*>(to + at), &what, sizeof(T) < 8 ? sizeof(T) : 8);
    }
};
struct divide {
    COGRAPH_HD void operator()(index_t e, double& to, int pass) const { to /= pass == 2 && e == 5 ? 0.0 : 2.0; }
};
__global__ void spin(double* to, int microseconds) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < static_cast<unsigned long long>(microseconds) * 1000);
    to[0] = 1;
}

struct found {
    std::string text, variable, node;
    index_t element = -1, pass = -1;
    bool operator==(const found& other) const {
        return variable == other.variable && node == other.node && element == other.element && pass == other.pass;
    }
};
template <class F>
found not_finite(F run) {
    try {
        run();
    } catch (const not_finite_error& e) {
        return {e.what(), std::string(e.variable().data, e.variable().size), std::string(e.where().name.data, e.where().name.size), e.element(),
                e.iteration()};
    }
    return {};
}
bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

constexpr auto halving = label("halving", repeat(2, seq(assign(i, 0), loop_while(i < n, seq(label("halve", for_each(over(x), divide{})(inout(x[each]), i)),
                                                                              copy(in(x), out(t)), assign(i, i + 1))))));

TEST_CASE("the first number that is not finite is found where it was written", "[gpu][watched]") {
    const ways::stream on;
    const ways::device_array<double> xs(1000, 1.0);
    const ways::device_array<int> is(1, 0);
    CHECK(not_finite([&] { check_finite(on, halving, x(xs.all()), i(is.data()), n(2)); }).text == "");
    CHECK(xs.read() == std::vector<double>(1000, 1.0 / 16));

    const found one = not_finite([&] { check_finite(on, halving, x(xs.all()), i(is.data()), n(4)); });
    CHECK((one == found{"", "x", "halve", 5, 2}));
    CHECK(holds(one.text, "'halve'"));
    CHECK(holds(one.text, "watched.cu:"));
    CHECK(holds(one.text, "has written infinity to 'x', element 5, in iteration 2 of 'while'"));
    CHECK(holds(one.text, "in iteration 0 of 'halving'"));
    CHECK(is.read()[0] == 2);

    const found before = not_finite([&] { check_finite(on, halving, x(xs.all()), i(is.data()), n(4)); });
    CHECK((before == found{"", "x", "x", 5, -1}));
    CHECK(holds(before.text, "'x' holds infinity before the run, element 5"));
    // Infinity is no NaN; infinity divided by two is not either.
    CHECK(not_finite([&] { check_no_nan(on, halving, x(xs.all()), i(is.data()), n(2)); }).text == "");
}

template <class V, class T>
found put(V v, std::vector<T> start, unsigned long long what, int at, bool nan_only = false) {
    const auto e = seq(single_task(put_bits{})(inout(v), where, bits), assign(s, 1));
    const ways::stream on;
    const ways::device_array<T> memory(start);
    const ways::device_array<double> ss(1, 0.0);
    return not_finite([&] {
        if (nan_only)
            check_no_nan(on, e, v(memory.all()), where(at), bits(what), s(ss.data()));
        else
            check_finite(on, e, v(memory.all()), where(at), bits(what), s(ss.data()));
    });
}

TEST_CASE("numbers of every format are looked at", "[gpu][watched]") {
    const found at_seven{"", "", "put_bits", 7, -1};
    const auto same = [&](found seen, const char* name, const char* value) {
        seen.variable = seen.variable == name ? "" : "not this variable";
        return seen == at_seven && holds(seen.text, value);
    };
    CHECK(same(put(f, std::vector<float>(3000, 1.0f), 0x7f800000, 7), "f", " infinity"));
    CHECK(same(put(f, std::vector<float>(3000, 1.0f), 0xff800000, 7), "f", " -infinity"));
    CHECK(same(put(f, std::vector<float>(3000, 1.0f), 0xffc00000, 7), "f", " NaN"));
    CHECK(same(put(f, std::vector<float>(3000, 1.0f), 0x7f800001, 7, true), "f", " NaN"));
    CHECK(put(f, std::vector<float>(3000, 1.0f), 0x7f800000, 7, true).text == "");
    CHECK(put(f, std::vector<float>(3000, 1.0f), 0xff7fffff, 7).text == "");  // the lowest float
    CHECK(same(put(h, std::vector<__half>(9), 0x7c00, 7), "h", " infinity"));
    CHECK(same(put(h, std::vector<__half>(9), 0xfe00, 7), "h", " NaN"));
    CHECK(put(h, std::vector<__half>(9), 0xfbff, 7).text == "");
    CHECK(same(put(b, std::vector<__nv_bfloat16>(9), 0x7f80, 7), "b", " infinity"));
    CHECK(put(b, std::vector<__nv_bfloat16>(9), 0x7c00, 7).text == "");
    CHECK(same(put(p, std::vector<float2>(9), 0x7fc0000000000000, 7), "p", " NaN"));  // its second half
    CHECK(same(put(c, std::vector<std::complex<double>>(9), 0x7ff8000000000000, 7), "c", " NaN"));
    CHECK(put(k, std::vector<unsigned>(9), 0x7fc00000, 7).text == "");  // no floating-point number
    const double bad = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> tail(100000, 1.0);
    tail[99998] = tail[99999] = bad;
    CHECK(put(x, tail, 0, 7).element == 99998);
}

TEST_CASE("a profile has the time of each node", "[gpu][watched]") {
    constexpr auto work = seq(label("long", kernel<spin>(grid(1).block(1))(out(y), 200)),
                              repeat(n, seq(label("short", kernel<spin>(grid(1).block(1))(out(y), 50)), for_each(over(x), divide{})(inout(x[each]), 1))),
                              when(n > 100, label("never", fill(out(y), 0))));
    const ways::stream on;
    const ways::device_array<double> xs(1000, 1.0), ys(1, 0.0);
    const auto times = profile(on, work, x(xs.all()), y(ys.all()), n(100));

    // [times]
    const node_time& once = times.of(at<0>);
    const node_time& often = times.of(at<2>);
    // [/times]
    CHECK(once.calls == 1);
    CHECK(often.calls == 100);
    CHECK(times.of(calls<divide>).calls == 100);
    CHECK(times.of(at<5>).calls == 0);
    CHECK(often.where.name == core::name_view("short"));
    // A kernel that spins so long takes at least so long.
    CHECK(once.median > 199);
    CHECK(often.median > 49);
    CHECK(often.total > 4900);
    const node_time& longest = *std::max_element(times.nodes().begin(), times.nodes().end(),
                                                 [](const node_time& first, const node_time& second) { return first.total < second.total; });
    double share = 0;
    for (const node_time& node : times.nodes()) share += node.share;
    CHECK(share > 0.999);
    CHECK(share < 1.001);
    CHECK(times.nodes().size() == static_cast<std::size_t>(node_count(work)));
    CHECK(times.nodes()[1].is_condition);

    std::ostringstream table, picture;
    write_table(table, times);
    std::istringstream lines(table.str());
    std::string line, first;
    int count = 0;
    for (; std::getline(lines, line); ++count)
        if (count == 1) first = line;
    CHECK(count == 1 + 6);  // all that ran, with three conditions
    CHECK(holds(first, std::string(longest.where.name.data, longest.where.name.size).c_str()));
    CHECK(holds(first, (std::string(" ") + std::to_string(longest.calls) + " ").c_str()));
    CHECK(holds(table.str(), "short (watched.cu:"));
    write_dot(picture, work, times);
    CHECK(holds(picture.str(), " us x 100, "));
    CHECK(holds(picture.str(), "fillcolor=\"#f48a62\""));  // of the node that takes most
    CHECK(!holds(table.str(), "never"));
}

static_assert(diagnose<decltype(std::declval<node_times<std::remove_const_t<decltype(halving)>>>().of(at<0>))> ==
              reason::has_no_time_of_its_own<core::counted_loop>{});
#ifndef __CUDA_ARCH__  // bindings are asked about once, for the host
static_assert(diagnose<decltype(profile(nullptr, halving, n(1)))> == reason::unbound_variable<struct x>{});
static_assert(diagnose<decltype(check_finite(nullptr, halving, n(1)))> == reason::unbound_variable<struct x>{});
static_assert(diagnose<decltype(check_no_nan(nullptr, halving, n(1)))> == reason::unbound_variable<struct x>{});
static_assert(diagnose<decltype(nvtx::run_on(nullptr, halving, n(1)))> == reason::unbound_variable<struct x>{});
static_assert(diagnose<decltype(nvtx::instantiate(halving, n(1)))> == reason::unbound_variable<struct x>{});
static_assert(diagnose<decltype(nvtx::instantiate(as_nodes(halving), n(1)))> == reason::unbound_variable<struct x>{});
static_assert(diagnose<decltype(nvtx::instantiate(halving, use(std::declval<pool&>()), n(1)))> == reason::unbound_variable<struct x>{});
#endif

// A tool that reads NVTX, in this program: the ranges of one thread as they open and close.
bool attached = false;
std::string ranges;
int push_range(nvtxDomainHandle_t, const nvtxEventAttributes_t* attributes) {
    ranges += std::string("(") + attributes->message.ascii;
    return 0;
}
int pop_range(nvtxDomainHandle_t) {
    ranges += ")";
    return 0;
}

int attach(NvtxGetExportTableFunc_t get_table) {
    attached = true;
    const auto* const table = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable functions = nullptr;
    unsigned size = 0;
    if (!table || !table->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &size)) return 0;
    *functions[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push_range);
    *functions[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop_range);
    return 1;
}

TEST_CASE("ranges have the names of nodes", "[gpu][watched]") {
    constexpr auto work = label("work", seq(fill(out(x), 1), repeat(2, label("twice", copy(in(x), out(y))))));
    const ways::stream on;
    const ways::device_array<double> xs(10, 0.0), ys(10, 0.0);
    InitializeInjectionNvtx2_fnptr = &attach;  // NVTX calls it at its first call
    nvtx::domain();
    if (!attached) {
        WARN("another tool reads the ranges: skipped");
        return;
    }
    cograph::run_on(on, work, x(xs.all()), y(ys.all()));
    CHECK(ranges == "");
    const auto report = nvtx::run_on(on, work, x(xs.all()), y(ys.all()));
    CHECK(report.iterations(at<1>) == 2);
    CHECK(ranges == "(run_on work(work)(repeat?)(twice)(repeat?)(twice)(repeat?))");
    ranges.clear();
    auto exec = nvtx::instantiate(work, x(xs.all()), y(ys.all()));
    auto nodes = nvtx::instantiate(as_nodes(work), x(xs.all()), y(ys.all()));
    pool shared;
    nvtx::executable<decltype(work)::self> pooled = nvtx::instantiate(work, use(shared), x(xs.all()), y(ys.all()));
    exec.upload(on);
    exec.launch(on);
    nodes.launch(on);
    pooled.launch(on);
    on.wait();
    CHECK(ranges == "(instantiate work)(instantiate work)(instantiate work)(upload work)(launch work)(launch work)(launch work)");
    CHECK(ys.read() == std::vector<double>(10, 1.0));
}

}  // namespace watched_test
