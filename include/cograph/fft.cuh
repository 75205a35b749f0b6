// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transforms of cuFFT as nodes: fft::forward(out(waves), in(heat)). cograph.cuh does not include this.

#include <cograph.cuh>
#include <cograph/libraries/fft.hpp>
#include <cograph/libraries/library_handles.cuh>

#include <cufft.h>

#include <array>

namespace cograph::core::fft_routine {

// cuFFT has no words for its codes.
inline const char* words_of(cufftResult code) {
    switch (code) {
        case CUFFT_ALLOC_FAILED: return "CUFFT_ALLOC_FAILED";
        case CUFFT_INVALID_PLAN: return "CUFFT_INVALID_PLAN";
        case CUFFT_INVALID_SIZE: return "CUFFT_INVALID_SIZE";
        case CUFFT_INVALID_TYPE: return "CUFFT_INVALID_TYPE";
        case CUFFT_INVALID_VALUE: return "CUFFT_INVALID_VALUE";
        case CUFFT_INTERNAL_ERROR: return "CUFFT_INTERNAL_ERROR";
        case CUFFT_EXEC_FAILED: return "CUFFT_EXEC_FAILED";
        case CUFFT_SETUP_FAILED: return "CUFFT_SETUP_FAILED";
        case CUFFT_UNALIGNED_DATA: return "CUFFT_UNALIGNED_DATA";
        case CUFFT_NOT_SUPPORTED: return "CUFFT_NOT_SUPPORTED";
        default: return "a code of cufftResult";
    }
}
inline void must_succeed(cufftResult code, const char* call) {
    if (code != CUFFT_SUCCESS) refuse_library_call(call, words_of(code), nullptr);
}

// Plans are made in the call that asks for a workspace, which is not captured, and kept until the process ends: graphs use their tables.
class kept_plans {
public:
    struct plan {
        cufftHandle handle = 0;
        std::size_t bytes = 0;
        bool made = false;
    };
    // A plan that no other thread uses meanwhile.
    class in_use {
    public:
        in_use(std::unique_lock<std::mutex> lock, const plan& found) : lock_(static_cast<std::unique_lock<std::mutex>&&>(lock)), plan_(&found) {}
        const plan* operator->() const { return plan_; }

    private:
        std::unique_lock<std::mutex> lock_;
        const plan* plan_;
    };
    static in_use find(const transform_sides& s, cufftType type) {
        static kept_plans all;
        std::unique_lock lock(all.guard_);
        int device = 0;
        core::must_succeed(cudaGetDevice(&device), "cudaGetDevice");
        plan& kept = all.plans_[{device, type, s.dimensions, s.side[0], s.side[1], s.side[2], s.count}];
        if (!kept.made) make(kept, s, type);
        return {static_cast<std::unique_lock<std::mutex>&&>(lock), kept};
    }

private:
    static void make(plan& to, const transform_sides& s, cufftType type) {
        long long sides[3];
        for (int i = 0; i < s.dimensions; ++i) sides[i] = s.side[3 - s.dimensions + i];
        must_succeed(cufftCreate(&to.handle), "cufftCreate");
        cufftResult code = cufftSetAutoAllocation(to.handle, 0);
        if (code == CUFFT_SUCCESS) code = cufftMakePlanMany64(to.handle, s.dimensions, sides, nullptr, 1, 0, nullptr, 1, 0, type, s.count, &to.bytes);
        if (code != CUFFT_SUCCESS) cufftDestroy(to.handle);
        must_succeed(code, "cufftMakePlanMany64");
        to.made = true;
    }
    std::mutex guard_;
    std::map<std::array<long long, 7>, plan> plans_;
};

template <class To, class From>
constexpr cufftType type_of() {
    constexpr bool is_single = std::is_same_v<real_t<To>, float>;
    if (is_real<From>) return is_single ? CUFFT_R2C : CUFFT_D2Z;
    if (is_real<To>) return is_single ? CUFFT_C2R : CUFFT_Z2D;
    return is_single ? CUFFT_C2C : CUFFT_Z2Z;
}
template <class To, class From>
cufftResult execute(cufftHandle plan, To* to, From* from, int direction) {
    constexpr cufftType type = type_of<To, From>();
    void* const read = const_cast<std::remove_cv_t<From>*>(from);
    if constexpr (type == CUFFT_R2C) return cufftExecR2C(plan, static_cast<cufftReal*>(read), reinterpret_cast<cufftComplex*>(to));
    if constexpr (type == CUFFT_D2Z) return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(read), reinterpret_cast<cufftDoubleComplex*>(to));
    if constexpr (type == CUFFT_C2R) return cufftExecC2R(plan, static_cast<cufftComplex*>(read), to);
    if constexpr (type == CUFFT_Z2D) return cufftExecZ2D(plan, static_cast<cufftDoubleComplex*>(read), to);
    if constexpr (type == CUFFT_C2C) return cufftExecC2C(plan, static_cast<cufftComplex*>(read), reinterpret_cast<cufftComplex*>(to), direction);
    if constexpr (type == CUFFT_Z2Z) return cufftExecZ2Z(plan, static_cast<cufftDoubleComplex*>(read), reinterpret_cast<cufftDoubleComplex*>(to), direction);
}
template <class To, class From>
void transform_on_device(const transform_sides& s, bool inverse, void* work, std::size_t& bytes, cudaStream_t on, To* to, From* from) {
    if (s.count == 0) return;
    const kept_plans::in_use plan = kept_plans::find(s, type_of<To, From>());
    if (!work) {
        bytes = plan->bytes;
        return;
    }
    must_succeed(cufftSetStream(plan->handle, on), "cufftSetStream");
    must_succeed(cufftSetWorkArea(plan->handle, work), "cufftSetWorkArea");
    must_succeed(execute(plan->handle, to, from, inverse ? CUFFT_INVERSE : CUFFT_FORWARD), "cufftExec");
}
template <bool Inverse, class To, class From, class... Side>
void enqueue_call(transform<Inverse>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, To* to, index_t to_size, From* from, index_t from_size,
                  Side... side) {
    transform_on_device(sides_of_transform<To, From>(to_size, from_size, side...), Inverse, work, bytes, on, to, from);
}
template <bool Inverse, class T, class... Side>
void enqueue_call(transform_in_place<Inverse>, handle_of_the_library, void* work, std::size_t& bytes, cudaStream_t on, T* values, index_t size, Side... side) {
    transform_on_device(sides_of_transform<T, T>(size, size, side...), Inverse, work, bytes, on, values, values);
}

}  // namespace cograph::core::fft_routine
