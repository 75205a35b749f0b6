// SPDX-License-Identifier: Apache-2.0
// What it costs to bind one variable of an executable anew, by how many of its nodes use it; and the launch behind it.
#include "bench.cuh"

#include <cograph.cuh>

#include <memory>
#include <string>

namespace {

using namespace cograph;

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct y : buffer<y, int> {} y;

constexpr unsigned threads = 32;
__global__ void step(int* c) {
    if (threadIdx.x == 0) *c += 1;
}

template <int N, class V>
constexpr auto chain_over(V v) {
    if constexpr (N == 1) {
        return kernel<step>(grid(1).block(threads))(inout(v));
    } else {
        constexpr auto tenth = chain_over<N / 10>(V{});
        return seq(tenth, tenth, tenth, tenth, tenth, tenth, tenth, tenth, tenth, tenth);
    }
}

// So many nodes that use x, beside a thousand that use y.
template <int N>
constexpr auto nodes_of_x = seq(chain_over<N>(x), chain_over<1000>(y));

struct by_hand_graph : by_hand::graph {
    std::vector<cudaGraphNode_t> nodes;
    by_hand_graph(int uses, int* first, int* other) {
        for (int* at : {first, other}) {
            cudaGraphNode_t previous{};
            for (int i = 0; i < (at == first ? uses : 1000); ++i) {
                previous = by_hand::add_kernel(handle, i == 0 ? by_hand::nodes() : by_hand::nodes(previous), step, {1, threads}, at);
                if (at == first) nodes.push_back(previous);
            }
        }
        instantiate();
    }
    void update(int* to) const {
        void* parameters[] = {&to};
        for (const cudaGraphNode_t node : nodes) {
            cudaKernelNodeParams p{};
            p.func = reinterpret_cast<void*>(step);
            p.gridDim = dim3(1);
            p.blockDim = dim3(threads);
            p.kernelParams = parameters;
            bench::check(cudaGraphExecKernelNodeSetParams(executable, node, &p));
        }
    }
};

enum class part { update, launch, all };

// Where a graph lies in memory moves what its updates and launches take: two graphs by hand that are the same differ by up to a tenth.
// So there are three of each, and each is once made first, second and third.
constexpr int graphs = 3;
// Of one graph in a row. The first is not counted: it finds less of the graph in the host's cache than those behind it. An even number,
// so that each is told another pointer every time.
constexpr int rounds = 4;

template <class Update, class Launch>
double time_of(part which, const bench::gpu& g, int* first, int* second, Update update, Launch launch) {
    double sum = 0;
    for (int i = 0; i < graphs; ++i)
        for (int round = 0; round < rounds; ++round) {
            g.wait();
            const double begin = bench::now();
            update(i, round % 2 == 0 ? second : first);
            const double middle = bench::now();
            launch(i);
            const double end = bench::now();
            g.wait();
            const double over = bench::now();
            if (round == 0) continue;
            sum += which == part::update ? middle - begin : which == part::launch ? end - middle : over - begin;
        }
    return sum / (graphs * (rounds - 1));
}

template <int N>
void measure(const bench::gpu& g) {
    bench::device_array<int> a(8), b(8), c(8);
    const auto make_hand = [&] { return std::make_unique<by_hand_graph>(N, a.data, c.data); };
    const auto make_plain = [&] { return instantiate(nodes_of_x<N>, x(a.data, 8), y(c.data, 8)); };
    const auto make_updatable = [&] { return instantiate(nodes_of_x<N>, device_updatable(x(a.data, 8)), y(c.data, 8)); };
    std::vector<decltype(make_hand())> hand;
    std::vector<decltype(make_plain())> plain;
    std::vector<decltype(make_updatable())> rebound;
    for (int i = 0; i < graphs; ++i)
        for (int k = 0; k < 3; ++k) switch ((i + k) % 3) {
            case 0: hand.push_back(make_hand()); break;
            case 1: plain.push_back(make_plain()); break;
            default: rebound.push_back(make_updatable());
        }
    const auto compare = [&](auto& library, part which, const std::string& what, double target) {
        const auto cost = bench::compare(
            20,
            [&] {
                return time_of(which, g, a.data, b.data, [&](int i, int* to) { hand[i]->update(to); }, [&](int i) { hand[i]->launch(g.stream); });
            },
            [&] {
                return time_of(which, g, a.data, b.data, [&](int i, int* to) { library[i].update(x(to, 8)); },
                               [&](int i) { library[i].launch(g.stream); });
            });
        bench::row(what.c_str(), cost, target);
    };
    const std::string name = std::to_string(N) + " nodes of x";
    compare(plain, part::update, name + ", update: host (us)", 1.02);
    compare(rebound, part::update, name + ", device_updatable, update: host (us)", 0);
    compare(plain, part::launch, name + ", launch behind it: host (us)", 1.02);
    compare(rebound, part::launch, name + ", device_updatable, launch behind it: host (us)", 1.02);
    compare(plain, part::all, name + ", until it is over (us)", 1.02);
    compare(rebound, part::all, name + ", device_updatable, until it is over (us)", 1.02);

    const auto launch_hand = [&] { hand[0]->launch(g.stream); };
    const auto launch_updatable = [&] { rebound[0].launch(g.stream); };
    bench::row((name + ", device_updatable, later launches: host (us)").c_str(),
               bench::compare(60, [&] { return bench::on_idle_stream(g, launch_hand); }, [&] { return bench::on_idle_stream(g, launch_updatable); }), 1.02);
    bench::row((name + ", device_updatable, later launches: device (us)").c_str(),
               bench::compare(20, [&] { return bench::back_to_back(g, 10, launch_hand); }, [&] { return bench::back_to_back(g, 10, launch_updatable); }), 1.02);
    const auto time_to = [&](const auto& make) {
        return [&] {
            const double begin = bench::now();
            const auto made = make();
            return (bench::now() - begin) / (N + 1000);
        };
    };
    bench::row((name + ": build + instantiate, a node (us)").c_str(), bench::compare(20, time_to(make_hand), time_to(make_plain)), 1.1);
    bench::row((name + ", device_updatable: build + instantiate, a node (us)").c_str(), bench::compare(20, time_to(make_hand), time_to(make_updatable)));

    // All did the same work: as many launches of each.
    bench::check(cudaDeviceSynchronize());
    a.zero(), b.zero();
    for (int* const to : {a.data, b.data})
        for (int i = 0; i < graphs; ++i) {
            hand[i]->update(to), hand[i]->launch(g.stream);
            rebound[i].update(x(to, 8)), rebound[i].launch(g.stream);
            plain[i].update(x(to, 8)), plain[i].launch(g.stream);
        }
    g.wait();
    bench::expect(a.first() == 3 * graphs * N && b.first() == 3 * graphs * N, "update");
}

}  // namespace

int main() {
    bench::gpu g;
    bench::title("update");
    measure<1>(g);
    measure<10>(g);
    measure<100>(g);
    measure<1000>(g);
}
