// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph.hpp>
#include <cograph/host_driven.hpp>
#include <cograph/libraries/nccl.hpp>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace cograph;

namespace {

inline constexpr struct world : value<world, nccl::communicator> {} world;
inline constexpr struct far : value<far, nccl::network_communicator> {} far;
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct z : buffer<z, double> {} z;
inline constexpr struct all_of_x : buffer<all_of_x, double> {} all_of_x;
inline constexpr struct here : scalar<here, double> {} here;
inline constexpr struct everywhere : scalar<everywhere, double> {} everywhere;
inline constexpr struct iterations : scalar<iterations, int> {} iterations;
inline constexpr struct slices : value<slices, nccl::slices> {} slices;
inline constexpr struct left : value<left, int> {} left;
inline constexpr struct right : value<right, int> {} right;

struct halve {
    COGRAPH_HD double operator()(index_t, double& element) const { return element *= 0.5; }
};

// [fall]
// Each rank halves numbers of its own until the sum over all is small: the ranks decide as one.
auto fall() {
    return seq(assign(iterations, 0), do_while(host_driven(seq(transform_reduce(over(x), halve{}, plus{})(out(here), inout(x[each])),
                                                           nccl::all_reduce(world, out(everywhere), in(here)),
                                                           assign(iterations, iterations + 1))),
                                           everywhere > 1.0));
}
// [/fall]
// What ranks that do not fit together end with.
template <class F>
std::string failure_of(int ranks, F f) {
    try {
        nccl::run_ranks(ranks, f);
    } catch (const std::exception& problem) {
        return problem.what();
    }
    return "";
}
bool says(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("ranks that are threads sum up, gather, scatter and broadcast") {
    std::atomic<int> right_ones = 0;
    nccl::run_ranks(3, [&](nccl::communicator own) {
        const auto rank = static_cast<double>(own.rank);
        std::vector<double> xs{rank + 1, 10 * rank, -rank}, ys(3), all(9), one(1);
        double least = 0, mine = rank + 5;
        simulate(seq(nccl::all_reduce(world, out(y), in(x)), nccl::all_gather(world, out(all_of_x), in(x)), nccl::reduce_scatter(world, out(z), in(x), maximum{}),
                     nccl::all_reduce(world, out(everywhere), in(here), minimum{}), nccl::broadcast(world, inout(x), 2)),
                 world(own), x(std::span(xs)), y(std::span(ys)), all_of_x(std::span(all)), z(std::span(one)), here(&mine), everywhere(&least));
        right_ones += ys == std::vector<double>{6, 30, -3};
        right_ones += all == std::vector<double>{1, 0, 0, 2, 10, -1, 3, 20, -2};
        right_ones += one[0] == std::vector<double>{3, 20, 0}[static_cast<std::size_t>(own.rank)];
        right_ones += least == 5;
        right_ones += xs == std::vector<double>{3, 20, -2};
    });
    CHECK(right_ones == 15);
}

TEST_CASE("ranks exchange halos, of which those at the ends have one") {
    std::vector<std::vector<double>> seen(4);
    nccl::run_ranks(4, [&](nccl::communicator own) {
        std::vector<double> xs(2, own.rank), ys(2, -1), zs(2, -1);
        const auto e = nccl::exchange(world, nccl::to(in(x), left), nccl::from(inout(y), left), nccl::to(in(x), right), nccl::from(inout(z), right));
        simulate(e, world(own), x(std::span(xs)), y(std::span(ys)), z(std::span(zs)), left(own.rank - 1), right(own.rank + 1));
        seen[static_cast<std::size_t>(own.rank)] = {ys[0], zs[1]};
    });
    CHECK(seen == std::vector<std::vector<double>>{{-1, 1}, {0, 2}, {1, 3}, {2, -1}});
    std::vector<double> got(2);
    nccl::run_ranks(2, [&](nccl::communicator own) {
        std::vector<double> xs(2, own.rank + 7);
        if (own.rank == 0)
            simulate(nccl::send(world, in(x), 1), world(own), x(std::span(xs)));
        else
            simulate(nccl::receive(world, inout(y), 0), world(own), y(std::span(got)));
    });
    CHECK(got == std::vector<double>{7, 7});
}

TEST_CASE("ranks send each rank a slice of its own length") {
    // Rank r has r + 1 elements for each rank above it, one for itself, and nothing for those below.
    std::vector<std::vector<double>> seen(3);
    const auto lengths = [](int rank, int other) { return other > rank ? rank + 1 : other == rank ? 1 : 0; };
    const auto deal = [&](nccl::communicator own, std::size_t missing) {
        std::vector<index_t> sent{0}, received{0};
        for (int other = 0; other < own.size; ++other) {
            sent.push_back(sent.back() + lengths(own.rank, other));
            received.push_back(received.back() + lengths(other, own.rank));
        }
        std::vector<double> xs(static_cast<std::size_t>(sent.back()), own.rank), ys(static_cast<std::size_t>(received.back()) - missing, -1);
        for (std::size_t i = 0; i < xs.size(); ++i) xs[i] += 0.125 * static_cast<double>(i);
        simulate(nccl::all_to_all(world, out(y), in(x), slices), world(own), x(std::span(xs)), y(std::span(ys)), slices(nccl::slices{sent.data(), received.data()}));
        seen[static_cast<std::size_t>(own.rank)] = ys;
    };
    nccl::run_ranks(3, [&](nccl::communicator own) { deal(own, 0); });
    CHECK(seen == std::vector<std::vector<double>>{{0}, {0.125, 1}, {0.25, 1.125, 1.25, 2}});
    CHECK(says(failure_of(3, [&](nccl::communicator own) { deal(own, own.rank == 2 ? 1 : 0); }), "all_to_all: the slices that a rank receives have 4 elements, and there are 3."));
    std::vector<double> one{5}, same(1);
    const index_t alone[] = {0, 1};
    simulate(nccl::all_to_all(world, out(y), in(x), slices), world({}), x(std::span(one)), y(std::span(same)), slices(nccl::slices{alone, alone}));
    CHECK(same == one);
    CHECK(says(failure_of(1, [&](nccl::communicator own) {
        simulate(nccl::all_to_all(world, out(y), in(x), slices), world(own), x(std::span(one)), y(std::span(same)), slices(nccl::slices{nullptr, nullptr}));
    }), "its slices are null pointers"));
    std::vector<double> four{1, 2, 3, 4}, to(4, -1);
    for (index_t begin : {-2, 2}) {
        const index_t shifted[] = {begin, 4};
        CHECK(says(failure_of(1, [&](nccl::communicator own) {
            simulate(nccl::all_to_all(world, out(y), in(x), slices), world(own), x(std::span(four)), y(std::span(to)), slices(nccl::slices{shifted, shifted}));
        }), "the begins of its slices must start at 0"));
    }
    CHECK(to == std::vector<double>(4, -1));
}

TEST_CASE("a loop of collectives makes as many iterations on every rank, and one rank needs no other") {
    for (int ranks : {1, 2, 5}) {
        std::vector<int> counts(static_cast<std::size_t>(ranks));
        // [threads]
        nccl::run_ranks(ranks, [&](nccl::communicator own) {
            std::vector<double> xs(1000, own.rank + 1);
            simulate(fall(), world(own), x(std::span(xs)), iterations(&counts[static_cast<std::size_t>(own.rank)]));
        });
        // [/threads]
        const int wanted = static_cast<int>(std::ceil(std::log2(ranks * (ranks + 1) / 2 * 1000.0)));
        for (int count : counts) CHECK(count == wanted);
    }
    // Without being asked, the host drives a loop over a network.
    const auto over_a_network = label("fall", do_while(seq(transform_reduce(over(x), halve{}, plus{})(out(here), inout(x[each])), nccl::all_reduce(far, out(everywhere), in(here))), everywhere > 1.0));
    CHECK(is_host_driven(over_a_network, "fall"));
    std::vector<index_t> made(3);
    nccl::run_ranks(3, [&](nccl::communicator own) {
        std::vector<double> xs(1000, own.rank + 1);
        made[static_cast<std::size_t>(own.rank)] = simulate(over_a_network, far(own), x(std::span(xs))).iterations("fall");
    });
    CHECK(made == std::vector<index_t>(3, 13));
    std::vector<double> xs(1000, 1);
    int count = 0;
    simulate(fall(), world({}), x(std::span(xs)), iterations(&count));
    CHECK(count == 10);
}

TEST_CASE("ranks that wait for each other for ever are told where they wait") {
    const auto both_receive = failure_of(2, [](nccl::communicator own) {
        std::vector<double> xs(2);
        simulate(nccl::receive(world, inout(x), 1 - own.rank), world(own), x(std::span(xs)));
    });
    CHECK(says(both_receive, "deadlock: rank 0 waits in receive (its call 1) from rank 1; rank 1 waits in receive (its call 1) from rank 0"));
    const auto one_leaves = failure_of(3, [](nccl::communicator own) {
        std::vector<double> xs(2), ys(2);
        for (int i = 0; i < (own.rank == 1 ? 1 : 2); ++i) simulate(nccl::all_reduce(world, out(y), in(x)), world(own), x(std::span(xs)), y(std::span(ys)));
    });
    CHECK(says(one_leaves, "deadlock: rank 0 waits in all_reduce (its call 2) of 2 elements; rank 1 has ended; rank 2 waits in all_reduce (its call 2) of 2 elements"));
}

TEST_CASE("ranks that call differently, and ranks that fail, end the others") {
    const auto other_sizes = failure_of(2, [](nccl::communicator own) {
        std::vector<double> xs(static_cast<std::size_t>(2 + own.rank)), ys(xs.size());
        simulate(nccl::all_reduce(world, out(y), in(x)), world(own), x(std::span(xs)), y(std::span(ys)));
    });
    CHECK(says(other_sizes, "ranks 0 and 1 do not make the same call: rank 0 waits in all_reduce (its call 1) of 2 elements, rank 1 waits in all_reduce (its call 1) of 3 elements"));
    const auto other_bytes = failure_of(2, [](nccl::communicator own) {
        std::vector<double> xs(static_cast<std::size_t>(2 + own.rank));
        if (own.rank == 0)
            simulate(nccl::send(world, in(x), 1), world(own), x(std::span(xs)));
        else
            simulate(nccl::receive(world, inout(x), 0), world(own), x(std::span(xs)));
    });
    CHECK(says(other_bytes, "rank 0 sends 16 bytes, and rank 1 receives 24"));
    const auto fails = failure_of(2, [](nccl::communicator own) {
        if (own.rank == 1) throw std::runtime_error("no matrix");
        std::vector<double> xs(2), ys(2);
        simulate(nccl::all_reduce(world, out(y), in(x)), world(own), x(std::span(xs)), y(std::span(ys)));
    });
    CHECK((says(fails, "no matrix")));
    std::vector<double> two(2), three(3);
    CHECK_THROWS_AS(simulate(nccl::all_gather(world, out(y), in(x)), world({}), x(std::span(two)), y(std::span(three))), error);
    CHECK_THROWS_AS(simulate(nccl::send(world, in(x), 1), world({nullptr, nullptr, 0, 2}), x(std::span(two))), error);
}

TEST_CASE("a rank that calls after another has failed touches no memory of those that left") {
    core::host_world ranks(3);
    auto left_behind = std::make_unique<double>(1);
    std::thread first([&] {
        std::vector<core::host_world::part> sends{{core::host_world::part_kind::to_rank, 2, 1, sizeof(double), left_behind.get(), nullptr, nullptr}};
        try {
            ranks.call(0, "send", std::move(sends));
        } catch (const error&) {
            left_behind.reset();
        }
    });
    ranks.end(1, "no matrix");
    first.join();
    REQUIRE(!left_behind);
    double received = 7;
    std::vector<core::host_world::part> receives{{core::host_world::part_kind::from_rank, 0, 1, sizeof(double), nullptr, &received, nullptr}};
    CHECK_THROWS_AS(ranks.call(2, "receive", std::move(receives)), error);
    CHECK(received == 7);
}

TEST_CASE("ranks that decide differently are told apart before they wait for each other") {
    const auto counted = [](int differing) {
        return failure_of(3, [&](nccl::communicator own) {
            int count = own.rank == differing ? 7 : 5;
            simulate(nccl::agree(world, in(iterations), "falling"), world(own), iterations(&count));
        });
    };
    CHECK(counted(-1).empty());
    CHECK(says(counted(2), "ranks disagree in 'falling': rank 0 has 5, and rank 2 has 7"));
    int alone = 3;
    simulate(nccl::agree(world, in(iterations), "falling"), world({}), iterations(&alone));
}
