// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/error.hpp>
#include <cograph/expr/core/config.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

// Ranks as threads of one process: simulate calls these in place of NCCL. If all ranks wait, none waits for ever: each call ends with an
// error that names the place of every rank.

struct ncclComm;  // an ncclComm_t points to one

namespace cograph::core {
class host_world;
}
namespace cograph::nccl {

// A rank and its way to the others. Bound like any value: value<world, nccl::communicator>.
struct communicator {
    ncclComm* device = nullptr;         // of NCCL
    core::host_world* host = nullptr;  // of ranks that are threads
    int rank = 0;
    int size = 1;
};

// One whose calls put host work into what is captured, as NCCL does over a network: value<world, nccl::network_communicator>.
// No conditional body may hold its collectives; the host drives loops around them. Bound to a communicator.
struct network_communicator : communicator {
    constexpr network_communicator() = default;
    constexpr network_communicator(const communicator& of) : communicator(of) {}
};

}  // namespace cograph::nccl

namespace cograph::core {

// Joins memory of all ranks, in the order of the ranks.
using join_ranks = void (*)(int ranks, const void* const* from, void* const* to, index_t count, int root);

class host_world {
public:
    enum class part_kind : unsigned char { of_all, to_rank, from_rank };
    struct part {
        part_kind kind = part_kind::of_all;
        int peer = 0;           // or the root
        index_t count = 0;
        std::size_t bytes = 0;  // that are sent or received
        const void* from = nullptr;
        void* to = nullptr;
        join_ranks join = nullptr;
        bool done = false;
    };

    explicit host_world(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}
    host_world(const host_world&) = delete;
    host_world& operator=(const host_world&) = delete;

    nccl::communicator of_rank(int rank) { return {nullptr, this, rank, static_cast<int>(ranks_.size())}; }

    // One call of a rank; returns when its parts are done. After a failure none begins: memory of ranks that left must not be touched.
    void call(int rank, const char* name, std::vector<part> parts) {
        std::unique_lock lock(guard_);
        throw_if_broken();
        state& own = at(rank);
        own.call = name;
        ++own.calls;
        own.parts = static_cast<std::vector<part>&&>(parts);
        match();
        while (is_waiting(own)) {
            look_for_deadlock();
            throw_if_broken();
            changed_.wait(lock);
        }
    }
    // A rank does nothing more; its exception ends the others.
    void end(int rank, const char* failure = nullptr) {
        const std::lock_guard lock(guard_);
        at(rank).ended = true;
        if (failure && broken_.empty()) broken_ = "rank " + std::to_string(rank) + " failed: " + failure;
        look_for_deadlock();
        changed_.notify_all();
    }

private:
    struct state {
        std::vector<part> parts;
        const char* call = "";
        long long calls = 0;
        bool ended = false;
    };
    state& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    static part* first_open(state& of, part_kind kind, int peer) {
        for (part& p : of.parts)
            if (!p.done && p.kind == kind && (kind == part_kind::of_all || p.peer == peer)) return &p;
        return nullptr;
    }
    static bool is_waiting(const state& of) {
        for (const part& p : of.parts)
            if (!p.done) return true;
        return false;
    }
    int size() const { return static_cast<int>(ranks_.size()); }
    void throw_if_broken() const {
        if (!broken_.empty()) throw error({}, broken_.c_str());
    }

    void match() {
        for (int rank = 0; rank < size(); ++rank)
            for (part& sent : at(rank).parts) {
                if (sent.kind != part_kind::to_rank || sent.done) continue;
                part* const received = first_open(at(sent.peer), part_kind::from_rank, rank);
                if (received) copy(rank, sent, *received);
            }
        join_all();
        changed_.notify_all();
    }
    void copy(int rank, part& sent, part& received) {
        if (sent.bytes != received.bytes) {
            disagree("rank " + std::to_string(rank) + " sends " + std::to_string(sent.bytes) + " bytes, and rank " + std::to_string(sent.peer) + " receives " +
                     std::to_string(received.bytes));
            return;
        }
        if (sent.bytes > 0) std::memcpy(received.to, sent.from, sent.bytes);
        sent.done = received.done = true;
    }
    void join_all() {
        std::vector<part*> all;
        std::vector<const void*> from;
        std::vector<void*> to;
        for (int rank = 0; rank < size(); ++rank) {
            part* const own = first_open(at(rank), part_kind::of_all, 0);
            if (!own) return;
            all.push_back(own);
            from.push_back(own->from);
            to.push_back(own->to);
        }
        for (int rank = 1; rank < size(); ++rank)
            if (all[static_cast<std::size_t>(rank)]->join != all[0]->join || all[static_cast<std::size_t>(rank)]->count != all[0]->count ||
                all[static_cast<std::size_t>(rank)]->peer != all[0]->peer) {
                disagree("ranks 0 and " + std::to_string(rank) + " do not make the same call: " + where(0) + ", " + where(rank));
                return;
            }
        all[0]->join(size(), from.data(), to.data(), all[0]->count, all[0]->peer);
        for (part* own : all) own->done = true;
    }
    void disagree(const std::string& how) {
        if (broken_.empty()) broken_ = how;
    }
    std::string where(int rank) {
        const state& of = at(rank);
        if (!is_waiting(of)) return "rank " + std::to_string(rank) + (of.ended ? " has ended" : " runs");
        std::string text = "rank " + std::to_string(rank) + " waits in " + of.call + " (its call " + std::to_string(of.calls) + ")";
        for (const part& p : of.parts) {
            if (p.done) continue;
            if (p.kind == part_kind::of_all) return text + " of " + std::to_string(p.count) + " elements";
            return text + (p.kind == part_kind::to_rank ? " to rank " : " from rank ") + std::to_string(p.peer);
        }
        return text;
    }
    // Every rank waits or has ended: nothing will change that.
    void look_for_deadlock() {
        if (!broken_.empty()) return;
        bool waits = false;
        for (const state& of : ranks_) {
            if (!of.ended && !is_waiting(of)) return;
            waits = waits || is_waiting(of);
        }
        if (!waits) return;
        std::string text = "deadlock:";
        for (int rank = 0; rank < size(); ++rank) text += (rank > 0 ? "; " : " ") + where(rank);
        broken_ = text;
        changed_.notify_all();
    }

    std::mutex guard_;
    std::condition_variable changed_;
    std::vector<state> ranks_;
    std::string broken_;  // why no call succeeds any more
};

}  // namespace cograph::core
