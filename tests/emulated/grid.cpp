// SPDX-License-Identifier: Apache-2.0
#include "grid.hpp"

#include "fiber.hpp"
#include "words.hpp"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <random>
#include <semaphore>
#include <string_view>
#include <thread>
#include <utility>

namespace emulated {
namespace {

constexpr std::size_t stack_bytes = 128 << 10;
constexpr unsigned lanes = 32;

// Pages between pages that nobody may touch. What lies there ends where they end.
class pages {
public:
    explicit pages(std::size_t bytes)
        : bytes_((bytes + page - 1) / page * page),
          all_(mmap(nullptr, bytes_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (all_ == MAP_FAILED || (bytes_ > 0 && mprotect(static_cast<char*>(all_) + page, bytes_, PROT_READ | PROT_WRITE) != 0))
            stop("no memory for a block");
    }
    ~pages() { munmap(all_, bytes_ + 2 * page); }
    pages(const pages&) = delete;
    pages& operator=(const pages&) = delete;
    char* end() const { return static_cast<char*>(all_) + page + bytes_; }

private:
    static constexpr std::size_t page = 4096;
    std::size_t bytes_;
    void* all_;
};

struct gpu_thread {
    gpu_thread(unsigned its_number, char* its_stack, void (*function)()) : number(its_number), stack(its_stack), context(its_stack + stack_bytes, function) {}
    unsigned number;
    const char* stack;
    fiber context;
    unsigned cluster_meeting = 0;  // where it arrived last
    const char* waits = nullptr;   // for what
};

// Where all threads of a block or of a warp, or some of them, wait for the last of them. What they give is there until the meeting after the next one.
struct meeting {
    unsigned expected, number = 0;
    std::vector<gpu_thread*> waiting = {};
    word given[2][lanes] = {};
    word* here() { return given[number % 2]; }
};

struct gpu_block {
    gpu_block(unsigned its_number, launch const& what)
        : number(its_number),
          running(what.block.x),
          all{what.block.x},
          stacks(stack_bytes * what.block.x),
          shared(what.shared_bytes),
          dynamic(shared.end() - what.shared_bytes) {
        for (unsigned begin = 0; begin < what.block.x; begin += lanes) warps.push_back({std::min(lanes, what.block.x - begin)});
    }
    unsigned number, running;  // threads that have not returned
    meeting all;
    std::vector<meeting> warps;
    std::map<std::pair<unsigned, unsigned>, meeting> parts_of_warps = {};  // by warp and mask
    std::map<int, meeting> parts = {};  // by the number of their barrier
    pages stacks, shared;
    char* dynamic;
    char* behind_static = nullptr;  // shared memory of constant size
    std::deque<gpu_thread> threads = {};
    std::deque<gpu_thread*> ready = {}, later = {};  // later: when other blocks had their turn
    std::binary_semaphore turn{0};
    std::thread runs = {};
};

struct gpu_cluster {
    unsigned arrived = 0, meeting = 0;
};

struct gpu_grid {
    launch const& what;
    std::mt19937 random;
    std::vector<void*> parameters = {};
    std::deque<gpu_block> blocks = {};
    std::vector<gpu_block*> running = {};
    std::vector<gpu_cluster> clusters = {};
    std::binary_semaphore ended{0};
    std::uint64_t changes = 0, seen_changes = 0, turns_without = 0;

    bool is_random() const { return seed > 1; }
    bool happens_once_in(unsigned times) { return is_random() && random() % times == 0; }
    unsigned char junk() const { return static_cast<unsigned char>(seed == 1 ? 0xff : 0x4d * seed); }
    gpu_cluster& cluster_of(gpu_block const& b) { return clusters[b.number / what.blocks_of_cluster]; }
};

gpu_grid* grid = nullptr;
thread_local gpu_block* block = nullptr;
thread_local gpu_thread* current = nullptr;

void report_and_stop() {
    for (gpu_block const* b : grid->running) {
        std::fprintf(stderr, "block %u:", b->number);
        for (gpu_thread const& t : b->threads)
            if (t.waits && (t.number == 0 || b->threads[t.number - 1].waits != t.waits))
                std::fprintf(stderr, " %s from thread %u", t.waits, t.number);
        std::fprintf(stderr, "\n");
    }
    stop("nothing goes on any more");
}

// By a thread that something has put where it goes on.
void pause(const char* waits) {
    current->waits = waits;
    current->context.pause();
    current->waits = nullptr;
}
void meet(meeting& m, const char* what) {
    if (!m.waiting.empty() && std::string_view(m.waiting.front()->waits) != what) stop("threads of a warp meet at different places");
    m.waiting.push_back(current);
    if (m.waiting.size() == m.expected) {
        block->ready.insert(block->ready.end(), m.waiting.begin(), m.waiting.end());
        m.waiting.clear();
        ++m.number;
        std::fill_n(m.here(), lanes, 0);
        note_change();
    }
    pause(what);
}

gpu_block* next_block() {
    const std::size_t count = grid->running.size();
    if (grid->is_random()) return grid->running[grid->random() % count];
    const auto own = std::find(grid->running.begin(), grid->running.end(), block) - grid->running.begin();
    return grid->running[(static_cast<std::size_t>(own) + (seed == 0 ? 1 : count - 1)) % count];
}
void give_turn_away() {
    if (std::exchange(grid->seen_changes, grid->changes) != grid->changes) grid->turns_without = 0;
    if (++grid->turns_without > 1000 * grid->running.size()) report_and_stop();
    gpu_block* const next = next_block();
    if (next == block) return;
    next->turn.release();
    block->turn.acquire();
}
gpu_thread* take_ready() {
    std::deque<gpu_thread*>& ready = block->ready;
    if (grid->is_random()) std::swap(ready.front(), ready[grid->random() % ready.size()]);
    gpu_thread* const taken = seed == 1 ? ready.back() : ready.front();
    seed == 1 ? ready.pop_back() : ready.pop_front();
    return taken;
}

void run_thread() {
    try {
        grid->what.call.run(grid->what.kernel, grid->parameters.data());
    } catch (std::exception const& e) {
        stop(e.what());
    }
    if (*current->stack != 0) stop("a stack is too small");
    --block->running;
    note_change();
    current->context.pause();
}

// A thread's own variables lie in front of what its pointer leads to (the ABI of x86-64), those of the program last. A block's thread sets those that are not
// shared memory after this.
void fill_static_memory(char* end, unsigned char junk) {
    std::size_t bytes = 0;
    const auto ask_first = [](dl_phdr_info* program, std::size_t, void* to) {
        for (int i = 0; i < program->dlpi_phnum; ++i) {
            const auto& part = program->dlpi_phdr[i];
            if (part.p_type == PT_TLS) *static_cast<std::size_t*>(to) = (part.p_memsz + part.p_align - 1) / part.p_align * part.p_align;
        }
        return 1;  // the others are libraries
    };
    dl_iterate_phdr(ask_first, &bytes);
    std::memset(end - bytes, junk, bytes);
}

void run_block(gpu_block& own) {
    own.turn.acquire();
    own.behind_static = static_cast<char*>(__builtin_thread_pointer());
    fill_static_memory(own.behind_static, grid->junk());
    block = &own;
    blockIdx = {own.number, 0, 0};
    blockDim = grid->what.block;
    gridDim = grid->what.grid;
    while (own.running > 0) {
        if (own.ready.empty() || grid->happens_once_in(1000)) give_turn_away();
        if (own.ready.empty()) own.ready.swap(own.later);
        if (own.ready.empty()) report_and_stop();
        current = take_ready();
        threadIdx = {current->number, 0, 0};
        current->context.resume();
    }
    gpu_block* const next = next_block();
    std::erase(grid->running, block);
    if (grid->running.empty())
        grid->ended.release();
    else
        (next == block ? grid->running.front() : next)->turn.release();
}

}  // namespace

void stop(const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "emulated kernel, block %u, thread %u: %s\n", blockIdx.x, threadIdx.x, what);
    _exit(1);
}

void run(launch const& what) {
    if (what.grid.y * what.grid.z * what.block.y * what.block.z != 1) stop("a launch of several dimensions");
    gpu_grid all{what, std::mt19937(seed)};
    grid = &all;
    for (std::vector<std::byte> const& p : what.parameters) all.parameters.push_back(const_cast<std::byte*>(p.data()));
    all.clusters.resize(what.grid.x / what.blocks_of_cluster);
    for (unsigned number = 0; number < what.grid.x; ++number) {
        gpu_block& b = all.blocks.emplace_back(number, what);
        if (what.shared_bytes > 0) std::memset(b.dynamic, all.junk(), what.shared_bytes);
        for (unsigned t = 0; t < what.block.x; ++t) b.ready.push_back(&b.threads.emplace_back(t, b.stacks.end() - stack_bytes * (t + 1), &run_thread));
        all.running.push_back(&b);
    }
    for (gpu_block& b : all.blocks) b.runs = std::thread([&b] { run_block(b); });
    all.running[all.is_random() ? all.random() % what.grid.x : 0]->turn.release();
    all.ended.acquire();
    for (gpu_block& b : all.blocks) b.runs.join();
    grid = nullptr;
}

char* dynamic_memory() { return block->dynamic; }
unsigned dynamic_bytes() { return grid->what.shared_bytes; }
unsigned blocks_of_cluster() { return grid->what.blocks_of_cluster; }
void* in_cluster(void* own, unsigned number) {
    gpu_block const& other = grid->blocks[block->number / grid->what.blocks_of_cluster * grid->what.blocks_of_cluster + number];
    char* const at = static_cast<char*>(own);
    const bool is_dynamic = at >= block->dynamic && at < block->shared.end();
    return is_dynamic ? other.dynamic + (at - block->dynamic) : other.behind_static - (block->behind_static - at);
}
bool meet_in_block(bool own) {
    meeting& m = block->all;
    const word* const said = m.here();
    m.here()[0] |= own;
    meet(m, "__syncthreads");
    return *said != 0;
}
const word* meet_in_warp(const char* what, unsigned mask, word own) {
    const unsigned warp = current->number / lanes;
    if (block->warps[warp].expected != lanes || (mask >> current->number % lanes & 1) == 0) stop("a warp meets without a thread");
    meeting& m = mask == ~0u ? block->warps[warp] : block->parts_of_warps.try_emplace({warp, mask}, meeting{static_cast<unsigned>(std::popcount(mask))}).first->second;
    const word* const all = m.here();
    m.here()[current->number % lanes] = own;
    meet(m, what);
    return all;
}
void meet_in_part(int barrier, int threads) {
    meeting& m = block->parts.try_emplace(barrier, meeting{static_cast<unsigned>(threads)}).first->second;
    if (m.expected != static_cast<unsigned>(threads)) stop("a barrier of other threads than before");
    meet(m, "bar.sync");
}
void arrive_in_cluster() {
    gpu_cluster& c = grid->cluster_of(*block);
    current->cluster_meeting = c.meeting;
    if (++c.arrived < grid->what.blocks_of_cluster * grid->what.block.x) return;
    c.arrived = 0;
    ++c.meeting;
    note_change();
}
void wait_in_cluster() {
    while (grid->cluster_of(*block).meeting == current->cluster_meeting) wait_for_others();
}
void wait_for_others() {
    block->later.push_back(current);
    pause("a value");
}
void may_wait() {
    if (!grid->happens_once_in(16)) return;
    block->ready.push_back(current);
    pause("its turn");
}
void note_change() { ++grid->changes; }

}  // namespace emulated
