// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"

#include <cograph/callable.cuh>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

// Load: many threads with executables and callables of their own, one executable that threads share, a great many launches, a very long
// loop; results are right and memory stays what it was. Linked with the tests' own runtime, which runs no kernel, it shows
// ThreadSanitizer what the host does, and results are not looked at.
namespace {

using namespace cograph;
using device_memory::device_array;
using device_memory::must;
using device_memory::stream;

constexpr const char* usage =
    R"(usage: load [--seconds S] [--threads N] [--again N] [--launches N] [--passes N] [--only KIND,KIND...] [--beside-others] [--without-mutex]
  --seconds S      how long the threads work on their own (default 5)
  --threads N      how many there are (default 64)
  --again N        launches of each executable, and calls of each callable, before they get other values (default 2)
  --launches N     launches of one graph (default 100000)
  --passes N       passes of the long loop (default 10000000)
  --only KINDS     the only kinds of work. Threads on their own: library, nodes, kernels, captured, callable.
                   Eight threads with one executable: shared. One thread: launches, passes
  --beside-others  other processes use the device, so its memory is not watched
  --without-mutex  threads launch one executable at once, which is wrong: for ThreadSanitizer to see
)";

constexpr const char* kinds_of_threads[] = {"library", "nodes", "kernels", "captured", "callable"};
constexpr const char* other_kinds[] = {"shared", "launches", "passes"};

struct options {
    double seconds = 5, threads = 64, again = 2, launches = 100'000, passes = 10'000'000;
    std::vector<std::string> only;  // all, if empty
    bool without_mutex = false, beside_others = false;
    bool does(const std::string& kind) const { return only.empty() || std::find(only.begin(), only.end(), kind) != only.end(); }
    bool works_alone() const {
        return std::any_of(std::begin(kinds_of_threads), std::end(kinds_of_threads), [&](const char* kind) { return does(kind); });
    }
};

using clock_of_load = std::chrono::steady_clock;
const auto start_of_load = clock_of_load::now();
double seconds_so_far() { return std::chrono::duration<double>(clock_of_load::now() - start_of_load).count(); }

// What threads have done on their own.
struct counts {
    std::atomic<long> made{0}, launches{0}, conditional{0}, passes{0};
    void add_launches(long number, bool has_conditional_nodes, long passes_of_all) {
        launches += number;
        if (has_conditional_nodes) conditional += number;
        passes += passes_of_all;
    }
    void write(const char* when) const {
        std::printf("%s: %ld executables and callables, %ld launches, %ld of these of graphs with conditional nodes, %ld iterations\n", when, made.load(),
                    launches.load(), conditional.load(), passes.load());
        std::fflush(stdout);
    }
};

void expect([[maybe_unused]] bool fact, [[maybe_unused]] const char* what) {
#ifndef COGRAPH_FAKE_RUNTIME
    if (!fact) throw std::runtime_error(what);
#endif
}

inline constexpr struct x : buffer<x, int> {} x;
inline constexpr struct t : temp<t, int, struct x> {} t;
inline constexpr struct rounds : scalar<rounds, int> {} rounds;
inline constexpr struct sum : scalar<sum, long long> {} sum;
inline constexpr struct most : value<most, int> {} most;

struct add {
    int by;
    COGRAPH_HD void operator()(index_t, int& to) const { to += by; }
};
// A linear congruential generator (Numerical Recipes): passes that no compiler folds.
struct shuffle {
    COGRAPH_HD static unsigned next(unsigned number) { return number * 1664525u + 1013904223u; }
    COGRAPH_HD void operator()(index_t, int& number) const { number = static_cast<int>(next(static_cast<unsigned>(number))); }
};
__global__ void increment(int* to, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) ++to[i];
}

// Captured in thread mode, since other threads allocate meanwhile.
struct increments {
    void operator()(cudaStream_t on, int* to, index_t count) const {
        increment<<<static_cast<unsigned>((count + 255) / 256), 256, 0, on>>>(to, static_cast<int>(count));
    }
};

// Adds 2 * most to every element and the elements up: of library nodes, of kernels with a branch in the loop, of a captured call.
constexpr auto of_library_nodes =
    seq(assign(rounds, 0), copy(in(x), out(t)),
        loop_while(rounds < most, seq(for_each(over(t), add{2})(inout(t[each])), assign(rounds, rounds + 1))), copy(in(t), out(x)), reduce(out(sum), in(x)));
constexpr auto of_kernels =
    seq(assign(rounds, 0),
        loop_while(rounds < most, seq(kernel<increment>(over(x))(inout(x), extent(x)),
                                      when(rounds >= 0, kernel<increment>(over(x))(inout(x), extent(x))), assign(rounds, rounds + 1))),
        reduce(out(sum), in(x)));

constexpr auto of_captured_calls =
    seq(assign(rounds, 0),
        loop_while(rounds < most, seq(captured(increments{}).mode<capture_mode::thread>()(inout(x), extent(x)),
                                      for_each(over(x), add{1})(inout(x[each])), assign(rounds, rounds + 1))),
        reduce(out(sum), in(x)));

constexpr auto shuffled =
    seq(loop_while(rounds < most, seq(for_each(over(x), shuffle{})(inout(x[each])), assign(rounds, rounds + 1))), reduce(out(sum), in(x)));

constexpr std::size_t elements = 1000;

// Memory of one thread. It ends behind all threads: its end waits for the device, which CUDA refuses while another thread captures.
struct memory_of_thread {
    device_array<int> xs{elements}, longer{elements + elements / 3};
    device_array<long long> total{1};
};

// One thread's work until the deadline. Counts executables and callables when all is done with them.
template <class Clock>
void work_alone(Clock until, int number, const options& chosen, const memory_of_thread& own, counts& by_all) {
    const stream on;
    const device_array<int>&xs = own.xs, &longer = own.longer;
    long made = 0;
    long long in_xs = 0, in_longer = 0;  // what all their elements are
    const long times = static_cast<long>(chosen.again);
    const auto launch = [&](auto exec, int passes) {
        for (long again = 0; again < times; ++again) exec.launch(on);
        exec.update(most(passes + 1));
        exec.launch(on);
        in_xs += 2ll * (times * passes + passes + 1);
        expect(exec.fetch(sum) == in_xs * static_cast<long long>(xs.all().size()), "the sum of a thread's own executable is wrong");
        exec.update(x(longer.all()));
        exec.launch(on);
        in_longer += 2ll * (passes + 1);
        auto moved = std::move(exec);
        expect(moved.fetch(sum) == in_longer * static_cast<long long>(longer.all().size()), "the sum over other memory is wrong");
        ++made;
        ++by_all.made;
        by_all.add_launches(times + 2, moved.has_conditional_nodes(), (times + 2) * passes + 2);
    };
    const auto call = [&](int passes) {
        auto replay = make_callable(of_captured_calls, arguments(inout(x), in(most), out(sum)), {}, x(xs.all()), most(passes), sum(own.total.data()));
        expect(replay.is_graph(), "a thread's own callable is no graph");
        for (long call_number = 0; call_number <= times; ++call_number) {
            const int now = passes + (call_number == times);
            replay(on, xs.all(), now, own.total.all());
            in_xs += 2ll * now;
        }
        long long result = 0;
        must(cudaMemcpyAsync(&result, own.total.data(), sizeof result, cudaMemcpyDeviceToHost, on));
        on.wait();
        expect(result == in_xs * static_cast<long long>(xs.all().size()), "the sum of a thread's own callable is wrong");
        ++made;
        ++by_all.made;
        by_all.add_launches(times + 1, true, (times + 1) * passes + 1);
    };
    while (std::chrono::steady_clock::now() < until) {
        const int passes = 1 + (number + static_cast<int>(made)) % 7;
        if (chosen.does("library")) launch(instantiate(of_library_nodes, x(xs.all()), most(passes)), passes);
        if (chosen.does("nodes")) launch(instantiate(as_nodes(of_library_nodes), x(xs.all()), most(passes)), passes);
        if (chosen.does("kernels")) launch(instantiate(of_kernels, x(xs.all()), most(passes)), passes);
        if (chosen.does("captured")) launch(instantiate(of_captured_calls, x(xs.all()), most(passes)), passes);
        if (chosen.does("callable")) call(passes);
        if (chosen.does("kernels") && made % 16 == 0) {
            run_on(on, of_kernels, x(xs.all()), most(passes));
            in_xs += 2ll * passes;
        }
    }
    on.wait();
}

// Runs `work(number)` in so many threads, and throws what the first of them threw. Says so at once, since others may then wait for ever.
template <class Work>
void in_threads(int count, const Work& work) {
    std::vector<std::thread> threads;
    std::mutex guard;
    std::exception_ptr first;
    for (int number = 0; number < count; ++number)
        threads.emplace_back([&, number] {
            try {
                work(number);
            } catch (const std::exception& problem) {
                const std::lock_guard hold(guard);
                if (first) return;
                first = std::current_exception();
                std::printf("a thread failed after %.1f s: %s\n", seconds_so_far(), problem.what());
                std::fflush(stdout);
            }
        });
    for (std::thread& thread : threads) thread.join();
    if (first) std::rethrow_exception(first);
}

struct memory {
    long host, device;  // KiB in use
};
memory used() {
    long pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    std::size_t free = 0, all = 0;
    must(cudaMemGetInfo(&free, &all));
    return {resident * (sysconf(_SC_PAGESIZE) / 1024), static_cast<long>((all - free) / 1024)};
}

// A phase, run once to warm up and then measured, up to three times. What leaks grows every time; the driver's own pools are full
// after a while.
template <class Phase>
void measure(const char* name, [[maybe_unused]] const options& chosen, const Phase& phase) {
    phase(0.1);
    for (int left = 3; left > 0; --left) {
        must(cudaDeviceSynchronize());
        const memory before = used();
        const auto start = std::chrono::steady_clock::now();
        const double count = phase(1);
        must(cudaDeviceSynchronize());
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const memory after = used();
        std::printf("%-42s %12.0f in %8.2f s; host memory %ld -> %ld KiB, device %ld -> %ld KiB\n", name, count, seconds, before.host, after.host,
                    before.device, after.device);
        std::fflush(stdout);
#ifndef COGRAPH_FAKE_RUNTIME
        constexpr long noise = 16 * 1024;
        if (after.host > before.host + noise || (!chosen.beside_others && after.device > before.device + noise)) continue;
#endif
        return;
    }
    throw std::runtime_error("memory grows");
}

void run(const options& chosen) {
    const int threads = static_cast<int>(chosen.threads);
    if (chosen.works_alone()) measure("executables and callables made by threads", chosen, [&](double share) {
        const auto until = clock_of_load::now() + std::chrono::duration_cast<clock_of_load::duration>(std::chrono::duration<double>(share * chosen.seconds));
        counts all;
        const auto own = std::make_unique<memory_of_thread[]>(static_cast<std::size_t>(threads));
        try {
            in_threads(threads, [&](int number) { work_alone(until, number, chosen, own[static_cast<std::size_t>(number)], all); });
        } catch (...) {
            all.write("before the failure");
            throw;
        }
        all.write("in all threads");
        return static_cast<double>(all.made.load());
    });

    if (chosen.does("shared")) measure("launches of one executable by 8 threads", chosen, [&](double share) {
        const device_array<int> xs(elements);
        auto exec = instantiate(of_library_nodes, x(xs.all()), most(3));
        const long each_thread = static_cast<long>(share * chosen.launches / 100);
        std::mutex guard;  // one thread at a time uses an executable
        in_threads(8, [&](int) {
            const stream on;
            for (long i = 0; i < each_thread; ++i) {
                std::unique_lock hold(guard, std::defer_lock);
                if (!chosen.without_mutex) hold.lock();
                exec.launch(on);
            }
            on.wait();
        });
        exec.launch(nullptr);
        expect(exec.fetch(sum) == (8 * each_thread + 1) * 6 * static_cast<long long>(elements), "launches of threads are lost");
        return static_cast<double>(8 * each_thread);
    });

    if (chosen.does("launches")) measure("launches of one graph", chosen, [&](double share) {
        const device_array<int> xs(elements);
        const stream on;
        auto exec = instantiate(kernel<increment>(over(x))(inout(x), extent(x)), x(xs.all()));
        const long launches = static_cast<long>(share * chosen.launches);
        for (long i = 0; i < launches; ++i) exec.launch(on);
        on.wait();
        int first = 0;
        must(cudaMemcpy(&first, xs.data(), sizeof first, cudaMemcpyDeviceToHost));
        expect(first == static_cast<int>(launches), "launches are lost");
        return static_cast<double>(launches);
    });

    if (chosen.does("passes")) measure("passes of one loop", chosen, [&](double share) {
        const device_array<int> counter(1), numbers(elements);
        const stream on;
        const int passes = static_cast<int>(share * chosen.passes);
        auto exec = instantiate(shuffled, x(numbers.all()), rounds(counter.data()), most(passes));
        exec.launch(on);
        expect(exec.fetch(rounds) == passes, "passes are lost");
        unsigned expected = 0;
        for (int i = 0; i < passes; ++i) expected = shuffle::next(expected);
        expect(exec.fetch(sum) == static_cast<long long>(elements) * static_cast<int>(expected), "passes give other numbers");
        return static_cast<double>(passes);
    });
}

options parse(int count, char** arguments) {
    options chosen;
    for (int i = 1; i < count; ++i) {
        const std::string name = arguments[i];
        if (name == "--without-mutex" || name == "--beside-others") {
            (name == "--without-mutex" ? chosen.without_mutex : chosen.beside_others) = true;
            continue;
        }
        if (name == "--only" && i + 1 < count) {
            std::istringstream names(arguments[++i]);
            for (std::string kind; std::getline(names, kind, ',');) {
                const auto is_it = [&](const char* known) { return kind == known; };
                if (!std::any_of(std::begin(kinds_of_threads), std::end(kinds_of_threads), is_it) && !std::any_of(std::begin(other_kinds), std::end(other_kinds), is_it))
                    throw std::invalid_argument(usage);
                chosen.only.push_back(kind);
            }
            if (chosen.only.empty()) throw std::invalid_argument(usage);
            continue;
        }
        double* const to = name == "--seconds"    ? &chosen.seconds
                           : name == "--threads"  ? &chosen.threads
                           : name == "--again"    ? &chosen.again
                           : name == "--launches" ? &chosen.launches
                           : name == "--passes"   ? &chosen.passes
                                                  : nullptr;
        const double number = ++i < count ? std::atof(arguments[i]) : 0;
        if (!to || !(number > 0 && number < 2e9)) throw std::invalid_argument(usage);
        *to = number;
    }
    return chosen;
}

}  // namespace

int main(int argc, char** argv) try {
#ifndef COGRAPH_FAKE_RUNTIME
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no GPU: GPU tests skipped");
        return 0;
    }
#endif
    run(parse(argc, argv));
    return 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "load: %s\n", problem.what());
    return 1;
}
