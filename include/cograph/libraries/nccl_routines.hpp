// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/arithmetic.hpp>
#include <cograph/libraries/ranks/host_world.hpp>
#include <cograph/libraries/library_call.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

namespace cograph::nccl {

// The names of calls.
struct all_reduce;
struct all_gather;
struct reduce_scatter;
struct broadcast;
struct send;
struct receive;
struct exchange;
struct all_to_all;
struct agree;
reason::advises<struct write_all_reduce_world_out_y_in_x> how_to_call(all_reduce*);
reason::advises<struct write_all_gather_world_out_all_in_part> how_to_call(all_gather*);
reason::advises<struct write_reduce_scatter_world_out_part_in_all> how_to_call(reduce_scatter*);
reason::advises<struct write_broadcast_world_inout_x_root> how_to_call(broadcast*);
reason::advises<struct write_send_world_in_x_to> how_to_call(send*);
reason::advises<struct write_receive_world_inout_x_from> how_to_call(receive*);
reason::advises<struct write_all_to_all_world_out_y_in_x_slices> how_to_call(all_to_all*);
reason::advises<struct write_agree_world_in_s_name> how_to_call(agree*);
reason::advises<struct write_exchange_world_to_in_x_rank_from_inout_y_rank> how_to_call(exchange*);

// The slices of an all_to_all, in memory of the host that outlives their users. Rank r is sent elements sent[r] to
// sent[r + 1] of x, and its own become elements received[r] to received[r + 1] of y. A value: value<slices, nccl::slices>.
struct slices {
    const index_t* sent;
    const index_t* received;
};

}  // namespace cograph::nccl

// Calls of NCCL by ranks that are threads, or by one rank, for simulate and check.
namespace cograph::core::nccl_routine {

constexpr node_traits traits_of_collective(rank_role role, bool is_over_a_network) {
    node_traits of = captured_traits;
    of.of_ranks = role;
    if (is_over_a_network) of.is_for_the_root = &is_always_for_the_root;
    return of;
}
template <class P>
inline constexpr bool is_of_network = std::is_same_v<std::remove_cvref_t<P>, nccl::network_communicator>;
template <class Name, rank_role Role>
struct collective {
    using name = Name;
    template <class... P>
    static constexpr node_traits traits = traits_of_collective(Role, (is_of_network<P> || ...));
    template <class T>
    static constexpr bool has_elements = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, char> || std::is_same_v<T, std::int8_t> ||
                                         std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> ||
                                         std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;
};

inline void need_counts(const nccl::communicator& world, const char* call, bool fit, index_t to, index_t from) {
    if (fit) return;
    char text[200];
    std::snprintf(text, sizeof text, "%s: %lld elements do not become %lld by %d ranks.", call, static_cast<long long>(from), static_cast<long long>(to), world.size);
    throw error({}, text);
}
inline bool is_rank(const nccl::communicator& world, index_t rank) { return rank >= 0 && rank < world.size; }

using part_kind = host_world::part_kind;
inline void call_all(const nccl::communicator& world, const char* call, join_ranks join, index_t count, int root, const void* from, void* to) {
    if (world.host)
        world.host->call(world.rank, call, {{part_kind::of_all, root, count, 0, from, to, join, false}});
    else if (world.size == 1)
        join(1, &from, &to, count, 0);
    else
        throw error({}, "this communicator is one of GPUs: in a simulation ranks are threads, see nccl::run_ranks.");
}

template <class T, class Op>
T joined(int ranks, const void* const* from, index_t at) {
    T value = static_cast<const T*>(from[0])[at];
    for (int rank = 1; rank < ranks; ++rank) value = static_cast<T>(Op{}(value, static_cast<const T*>(from[rank])[at]));
    return value;
}
template <class T, class Op>
void join_reduced(int ranks, const void* const* from, void* const* to, index_t count, int) {
    for (index_t i = 0; i < count; ++i) {
        const T value = joined<T, Op>(ranks, from, i);
        for (int rank = 0; rank < ranks; ++rank) static_cast<T*>(to[rank])[i] = value;
    }
}
template <class T>
void join_gathered(int ranks, const void* const* from, void* const* to, index_t count, int) {
    for (int rank = 0; rank < ranks; ++rank)
        for (int other = 0; other < ranks; ++other)
            for (index_t i = 0; i < count; ++i) static_cast<T*>(to[rank])[other * count + i] = static_cast<const T*>(from[other])[i];
}
template <class T, class Op>
void join_scattered(int ranks, const void* const* from, void* const* to, index_t count, int) {
    for (int rank = 0; rank < ranks; ++rank)
        for (index_t i = 0; i < count; ++i) static_cast<T*>(to[rank])[i] = joined<T, Op>(ranks, from, rank * count + i);
}
template <class T>
void join_broadcast(int ranks, const void* const* from, void* const* to, index_t count, int root) {
    for (int rank = 0; rank < ranks; ++rank)
        for (index_t i = 0; rank != root && i < count; ++i) static_cast<T*>(to[rank])[i] = static_cast<const T*>(from[root])[i];
}

template <class Op>
struct all_reduce : collective<nccl::all_reduce, rank_role::gives_the_same> {
    template <class T>
    static void on_host(const nccl::communicator& world, T* to, index_t n, const T* from, index_t m) {
        need_counts(world, "all_reduce", n == m, n, m);
        call_all(world, "all_reduce", &join_reduced<T, Op>, n, 0, from, to);
    }
};
struct all_gather : collective<nccl::all_gather, rank_role::gives_the_same> {
    template <class T>
    static void on_host(const nccl::communicator& world, T* to, index_t n, const T* from, index_t m) {
        need_counts(world, "all_gather", n == m * world.size, n, m);
        call_all(world, "all_gather", &join_gathered<T>, m, 0, from, to);
    }
};
template <class Op>
struct reduce_scatter : collective<nccl::reduce_scatter, rank_role::gives_own> {
    template <class T>
    static void on_host(const nccl::communicator& world, T* to, index_t n, const T* from, index_t m) {
        need_counts(world, "reduce_scatter", n * world.size == m, n, m);
        call_all(world, "reduce_scatter", &join_scattered<T, Op>, n, 0, from, to);
    }
};
struct broadcast : collective<nccl::broadcast, rank_role::gives_the_same> {
    template <class T>
    static void on_host(const nccl::communicator& world, T* values, index_t n, index_t root) {
        if (!is_rank(world, root)) need_counts(world, "broadcast", false, n, n);
        call_all(world, "broadcast", &join_broadcast<T>, n, static_cast<int>(root), values, values);
    }
};

// Numbers that decide the same; also two that are none.
template <class T>
COGRAPH_HD constexpr bool is_same_number(T a, T b) {
    return a == b || (is_nan(a) && is_nan(b));
}
template <std::size_t N>
void tell_disagreement(char (&text)[N], const char* what, double first, int rank, double other) {
    std::snprintf(text, N, "ranks disagree in '%s': rank 0 has %g, and rank %d has %g.", what, first, rank, other);
}
// Whether a scalar is the same on all ranks.
struct agree : collective<nccl::agree, rank_role::compares> {
    template <class T>
    static void on_host(const nccl::communicator& world, const T* value, const char* where) {
        std::vector<T> all(static_cast<std::size_t>(world.size));
        call_all(world, "agree", &join_gathered<T>, 1, 0, value, all.data());
        for (std::size_t rank = 1; rank < all.size(); ++rank) {
            if (is_same_number(all[rank], all[0])) continue;
            char text[240];
            tell_disagreement(text, where, static_cast<double>(all[0]), static_cast<int>(rank), static_cast<double>(all[rank]));
            throw error({}, text);
        }
    }
};

// Parts of an exchange: memory, its number of elements and a rank. For ranks that do not exist, nothing is sent or received.
inline void add_parts(const nccl::communicator&, std::vector<host_world::part>&) {}
template <class T, class... More>
void add_parts(const nccl::communicator& world, std::vector<host_world::part>& to, T* memory, index_t n, index_t peer, More... more) {
    using part = host_world::part;
    const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    if (is_rank(world, peer)) {
        if constexpr (std::is_const_v<T>)
            to.push_back(part{part_kind::to_rank, static_cast<int>(peer), n, bytes, memory, nullptr, nullptr, false});
        else
            to.push_back(part{part_kind::from_rank, static_cast<int>(peer), n, bytes, nullptr, memory, nullptr, false});
    }
    add_parts(world, to, more...);
}
template <class Name>
struct exchange : collective<Name, rank_role::gives_own> {
    template <class... A>
    static void on_host(const nccl::communicator& world, A... parts) {
        std::vector<host_world::part> all;
        add_parts(world, all, parts...);
        if (all.empty()) return;
        if (!world.host) throw error({}, "a rank sends or receives by a communicator of GPUs: in a simulation ranks are threads, see nccl::run_ranks.");
        world.host->call(world.rank, std::is_same_v<Name, nccl::send> ? "send" : std::is_same_v<Name, nccl::receive> ? "receive" : "exchange",
                         static_cast<std::vector<host_world::part>&&>(all));
    }
};

inline void need_slices(const char* which, index_t in_slices, index_t given) {
    if (in_slices == given) return;
    char text[200];
    std::snprintf(text, sizeof text, "all_to_all: the slices %s have %lld elements, and there are %lld.", which, static_cast<long long>(in_slices), static_cast<long long>(given));
    throw error({}, text);
}
// Calls part(memory, elements, rank) for each slice that another rank sends or receives, and alone(to, from, elements) for one's own.
template <class T, class Part, class Own>
void each_slice(const nccl::communicator& world, T* to, index_t n, const T* from, index_t m, const nccl::slices& of, Part part, Own own) {
    if (!of.sent || !of.received) throw error({}, "all_to_all: its slices are null pointers.");
    need_slices("that a rank receives", of.received[world.size], n);
    need_slices("that a rank sends", of.sent[world.size], m);
    bool ascend = of.sent[0] == 0 && of.received[0] == 0;
    for (int rank = 0; rank < world.size; ++rank) ascend = ascend && of.sent[rank] <= of.sent[rank + 1] && of.received[rank] <= of.received[rank + 1];
    if (!ascend) throw error({}, "all_to_all: the begins of its slices must start at 0 and must not descend.");
    need_slices("that a rank receives from itself", of.received[world.rank + 1] - of.received[world.rank], of.sent[world.rank + 1] - of.sent[world.rank]);
    for (int rank = 0; rank < world.size; ++rank) {
        const index_t sent = of.sent[rank + 1] - of.sent[rank], received = of.received[rank + 1] - of.received[rank];
        if (rank == world.rank) {
            if (sent > 0) own(to + of.received[rank], from + of.sent[rank], sent);
            continue;
        }
        if (sent > 0) part(from + of.sent[rank], sent, rank);
        if (received > 0) part(to + of.received[rank], received, rank);
    }
}
struct all_to_all : collective<nccl::all_to_all, rank_role::gives_own> {
    template <class T>
    static void on_host(const nccl::communicator& world, T* to, index_t n, const T* from, index_t m, const nccl::slices& of) {
        std::vector<host_world::part> all;
        each_slice(world, to, n, from, m, of, [&](auto* memory, index_t count, index_t rank) { add_parts(world, all, memory, count, rank); },
                   [](T* own, const T* given, index_t count) { std::memcpy(own, given, static_cast<std::size_t>(count) * sizeof(T)); });
        if (all.empty()) return;
        if (!world.host) throw error({}, "this communicator is one of GPUs: in a simulation ranks are threads, see nccl::run_ranks.");
        world.host->call(world.rank, "all_to_all", static_cast<std::vector<host_world::part>&&>(all));
    }
};

}  // namespace cograph::core::nccl_routine
