// SPDX-License-Identifier: Apache-2.0
// CUDA 12 and 13.0 hide their memory resources behind this name.
#define LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE
#include <cuda/memory_resource>

#include "ways.cuh"

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// Where executables get their memory.
namespace {

using namespace cograph;
using ways::device_array;
using ways::must;
using ways::stream;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct a : temp<a, double, struct x> {} a;
inline constexpr struct b : temp<b, double, struct x> {} b;
inline constexpr struct c : temp<c, double, struct x> {} c;
inline constexpr struct sum : scalar<sum, double> {} sum;

constexpr auto around = seq(copy(in(x), out(a)), copy(in(a), out(b)), copy(in(b), out(c)), copy(in(c), out(x)), reduce(out(sum), in(x)));
constexpr auto once = seq(fill(out(a), 2), copy(in(a), out(x)), reduce(out(sum), in(x)));

// What a resource gave and got back.
struct ledger {
    int given = 0, returned = 0;
    std::size_t bytes = 0;
    int fails_at = -1;
    void* give(std::size_t size) {
        if (given == fails_at) throw std::runtime_error("the ledger is full");
        ++given;
        bytes += size;
        void* memory = nullptr;
        must(cudaMalloc(&memory, size));
        return memory;
    }
    void take(void* memory, std::size_t size) noexcept {
        if (cudaFree(memory) != cudaSuccess) return;  // and the counts tell
        ++returned;
        bytes -= size;
    }
};
struct new_resource : ledger {
    bool aligned = true;  // asked here: cudafe++ does not come back from a CHECK of Catch2 v3 in a class like this
    void* allocate_sync(std::size_t size, std::size_t alignment) {
        aligned = aligned && alignment >= 256;
        return give(size);
    }
    void deallocate_sync(void* memory, std::size_t size, std::size_t) noexcept { take(memory, size); }
};
struct old_resource : ledger {
    void* allocate(std::size_t size, std::size_t) { return give(size); }
    void deallocate(void* memory, std::size_t size, std::size_t) noexcept { take(memory, size); }
};
static_assert(core::plain_resource<std::pmr::memory_resource> && !core::plain_resource<pool>);

// A resource by CUDA's own concept, and the type that refers to any such resource: the names have changed with what they ask for.
template <class Calls>
struct cuda_resource : Calls {
    bool operator==(const cuda_resource& other) const { return this == &other; }
    [[maybe_unused]] friend void get_property(const cuda_resource&, cuda::mr::device_accessible) noexcept {}
};
#if CCCL_VERSION >= 3001000
using resource_of_cuda = cuda_resource<new_resource>;
using any_resource_of_cuda = cuda::mr::synchronous_resource_ref<cuda::mr::device_accessible>;
static_assert(cuda::mr::synchronous_resource_with<resource_of_cuda, cuda::mr::device_accessible>);
#else
using resource_of_cuda = cuda_resource<old_resource>;
using any_resource_of_cuda = cuda::mr::resource_ref<cuda::mr::device_accessible>;
static_assert(cuda::mr::resource_with<resource_of_cuda, cuda::mr::device_accessible>);
#endif

int functions_gave = 0, functions_took = 0;
void* give(std::size_t bytes) {
    void* memory = nullptr;
    must(cudaMalloc(&memory, bytes));
    ++functions_gave;
    return memory;
}
void take(void* memory) {
    ++functions_took;
    must(cudaFree(memory));
}

// Takes a while.
__global__ void spin(double* to) {
    const long long begin = clock64();
    while (clock64() - begin < 60'000'000) {
    }
    *to += 0;
}

template <class Exec>
void works(Exec& exec) {
    static const stream on;  // fetch waits on it
    exec.launch(on);
    exec.launch(on);
    on.wait();
}

// Two executables and an update with memory of a source, which these counts are of.
template <class Source>
void check_source(Source& source, const ledger& counts) {
    device_array<double> xs(std::size_t{1000}, 3);
    {
        auto exec = instantiate(around, use(source), x(xs.all()));
        const int given = counts.given;
        CHECK(given > 0);
        CHECK(counts.bytes == exec.memory_usage().bytes);
        works(exec);
        CHECK(exec.fetch(sum) == 3000);
        CHECK(counts.given == given);
        device_array<double> more(std::size_t{5000}, 1);
        exec.update(x(more.all()));
        works(exec);
        CHECK(exec.fetch(sum) == 5000);
        CHECK(counts.given == given + 1);
        auto other = instantiate(as_nodes(once), use(source), x(xs.all()));
        works(other);
    }
    CHECK(counts.bytes == 0);
    CHECK(counts.given == counts.returned);
}

}  // namespace

TEST_CASE("temps share memory on the device", "[gpu][memory]") {
    device_array<double> xs(std::size_t{1000}, 3);
    auto exec = instantiate(around, x(xs.all()));
    CHECK(exec.memory_usage().without_aliasing - exec.memory_usage().bytes == 8192);
    CHECK(exec.memory_usage().bytes == exec.memory_usage().lower_bound);
    works(exec);
    CHECK(exec.fetch(sum) == 3000);
}

TEST_CASE("memory of a resource, and of two functions", "[gpu][memory]") {
    device_array<double> xs(std::size_t{1000}, 3);
    new_resource newer;
    check_source(newer, newer);
    CHECK(newer.aligned);
    old_resource older;
    check_source(older, older);
    {
        auto exec = instantiate(around, use(give, take), x(xs.all()));
        works(exec);
    }
    CHECK(functions_gave == 2);
    CHECK(functions_took == 2);
    {
        auto exec = instantiate(once, use([](std::size_t n) { return give(n); }, [](void* memory) { take(memory); }), x(xs.all()));
        works(exec);
    }
    CHECK(functions_gave == functions_took);
}

TEST_CASE("memory of a resource of CUDA's, and of what refers to one", "[gpu][memory]") {
    resource_of_cuda source;
    check_source(source, source);
    any_resource_of_cuda reference(source);
    check_source(reference, source);
    {
        device_array<double> xs(std::size_t{1000}, 3);
        pool shared(use(reference));
        // [memory_of_temps_is_no_binding]
        auto exec = instantiate(around, use(shared), x(xs.all()));
        // [/memory_of_temps_is_no_binding]
        CHECK(shared.bytes() > 0);
        CHECK(source.bytes >= shared.bytes());
        works(exec);
        CHECK(exec.fetch(sum) == 3000);
    }
    CHECK(source.bytes == 0);
}

// Memory in the order of a stream: the functions say when it may be used, and given back.
// [stream_ordered]
struct stream_ordered {
    cudaStream_t on;
    void* allocate(std::size_t bytes, std::size_t) {
        void* memory = nullptr;
        must(cudaMallocAsync(&memory, bytes, on));
        must(cudaStreamSynchronize(on));  // instantiate clears scalars at once, on another stream
        return memory;
    }
    void deallocate(void* memory, std::size_t, std::size_t) noexcept { cudaFreeAsync(memory, on); }  // after the last launch
};
// [/stream_ordered]
TEST_CASE("memory of cudaMallocAsync", "[gpu][memory]") {
    const stream on;
    device_array<double> xs(std::size_t{1000}, 3);
    stream_ordered source{on};
    for (int again = 0; again < 3; ++again) {  // the pool of the device gives the same memory again
        auto exec = instantiate(around, use(source), x(xs.all()));
        exec.launch(on);
        CHECK(exec.fetch(sum) == 3000);
    }
    on.wait();
}

TEST_CASE("memory of the user's goes back when no launch uses it any more", "[gpu][memory]") {
    // Gives back at once, as a pool of the host's does, and notes whether work was left.
    struct watching {
        cudaStream_t on;
        int early = 0, returned = 0;
        void* allocate(std::size_t bytes, std::size_t) {
            void* memory = nullptr;
            must(cudaMalloc(&memory, bytes));
            kept.push_back(memory);
            return memory;
        }
        void deallocate(void*, std::size_t, std::size_t) {
            ++returned;
            early += cudaStreamQuery(on) == cudaErrorNotReady;
        }
        std::vector<void*> kept;
        explicit watching(cudaStream_t stream) : on(stream) {}
        watching(const watching&) = delete;
        watching& operator=(const watching&) = delete;
        ~watching() {
            for (void* memory : kept) cudaFree(memory);
        }
    };
    const auto e = seq(fill(out(a), 1), kernel<spin>(grid(1).block(1))(inout(a)), reduce(out(sum), in(a)), copy(in(a), out(x)));
    device_array<double> xs(std::size_t{1000}, 1);
    const stream on;
    watching source(on);
    SECTION("of a resource") {
        auto exec = instantiate(e, use(source), x(xs.all()));
        exec.launch(on);
    }
    SECTION("of a pool, of which one executable is gone") {
        std::optional<pool> shared(use(source));
        auto first = std::make_unique<decltype(instantiate(e, x(xs.all())))>(instantiate(e, use(*shared), x(xs.all())));
        first->launch(on);
        first.reset();
        shared.reset();
    }
    CHECK(source.returned >= 1);
    CHECK(source.early == 0);
    on.wait();
    CHECK(xs.read() == std::vector<double>(1000, 1));
}

TEST_CASE("an allocator that fails: the error names what the memory is for, and nothing is left", "[gpu][memory]") {
    device_array<double> xs(std::size_t{1000}, 3);
    const auto refusal = [&](auto run) {
        try {
            run();
        } catch (const error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    for (const int at : {0, 1}) {
        new_resource source;
        source.fails_at = at;
        const std::string words = refusal([&] { instantiate(around, use(source), x(xs.all())); });
        CHECK(words.find(at == 0 ? "'sum' " : "'a' ") != std::string::npos);  // what is kept, then temps
        CHECK(words.find("the allocator did not give") != std::string::npos);
        CHECK(words.find("the ledger is full") != std::string::npos);
        CHECK(source.bytes == 0);
    }
    CHECK(refusal([&] { instantiate(once, use([](std::size_t) -> void* { return nullptr; }, [](void*) {}), x(xs.all())); }).find("'sum' ") !=
          std::string::npos);
    static char odd[64];
    CHECK(refusal([&] { instantiate(once, use([](std::size_t) -> void* { return odd + 1; }, [](void*) {}), x(xs.all())); }).find("not aligned") !=
          std::string::npos);
    CHECK(refusal([&] { instantiate(once, x(xs.data(), std::size_t{1} << 38)); }).find("'a' cudaMalloc failed") != std::string::npos);

    new_resource source;
    auto exec = instantiate(around, use(source), x(xs.all()));
    source.fails_at = source.given;
    device_array<double> more(std::size_t{5000}, 1);
    CHECK(refusal([&] { exec.update(x(more.all())); }).find("'a' ") != std::string::npos);
    works(exec);
    CHECK(exec.fetch(sum) == 3000);
    source.fails_at = -1;
    exec.update(x(more.all()));
    works(exec);
    CHECK(exec.fetch(sum) == 5000);
}

TEST_CASE("executables of a pool share its memory, which lives as long as they do", "[gpu][memory]") {
    device_array<double> xs(std::size_t{1000}, 3), more(std::size_t{4000}, 1);
    new_resource source;
    {
        auto shared = std::make_unique<pool>(use(source));
        shared->reserve(1 << 14);
        CHECK(shared->bytes() == 1 << 14);
        auto first = instantiate(around, use(*shared), x(xs.all()));
        auto second = instantiate(once, use(*shared), x(more.all()));
        CHECK(shared->bytes() == std::size_t{4000} * 8);
        auto third = instantiate(as_nodes(around), use(*shared), x(more.all()));
        const std::size_t grown = shared->bytes();
        CHECK(grown >= 2 * std::size_t{4000} * 8);
        auto fourth = instantiate(once, use(*shared), x(xs.all()));
        CHECK(shared->bytes() == grown);
        shared.reset();
        for (int round = 0; round < 3; ++round) {
            works(first);
            CHECK(first.fetch(sum) == 3000 - (round > 0 ? 1000 : 0));
            works(second);
            CHECK(second.fetch(sum) == 8000);
            works(third);
            CHECK(third.fetch(sum) == 8000);
            works(fourth);
            CHECK(fourth.fetch(sum) == 2000);
        }
        auto moved = std::move(first);
        moved.update(x(more.all()));  // the pool is gone, what it had is not
        works(moved);
        CHECK(moved.fetch(sum) == 8000);
    }
    CHECK(source.bytes == 0);
    CHECK(source.given == source.returned);
}

TEST_CASE("a pool that cannot grow stays as it is", "[gpu][memory]") {
    device_array<double> xs(std::size_t{1000}, 3), more(std::size_t{4000}, 1);
    new_resource source;
    pool shared(use(source));
    auto first = instantiate(once, use(shared), x(xs.all()));
    const std::size_t before = shared.bytes();
    source.fails_at = source.given;
    CHECK_THROWS_AS(shared.reserve(1 << 20), error);
    CHECK_THROWS_AS(instantiate(once, use(shared), x(more.all())), error);
    CHECK(shared.bytes() == before);
    source.fails_at = -1;
    works(first);
    CHECK(first.fetch(sum) == 2000);
}
