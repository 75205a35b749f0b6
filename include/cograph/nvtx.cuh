// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>
#include <cograph/run/refused/nvtx.cuh>

#include <nvtx3/nvToolsExt.h>

// Named ranges for Nsight and whatever else reads NVTX: calls of cograph.cuh once more, in cograph::nvtx. cograph.cuh does not
// include this, and programs without these calls pay nothing.

namespace cograph::nvtx {

// The domain of all these ranges.
inline nvtxDomainHandle_t domain() {
    static const nvtxDomainHandle_t handle = nvtxDomainCreateA("cograph");
    return handle;
}

}  // namespace cograph::nvtx

namespace cograph::core {

inline void open_range(const char* verb, name_view name, const char* behind = "") {
    char text[256];
    std::snprintf(text, sizeof text, "%s%.*s%s", verb, static_cast<int>(name.size), name.data, behind);
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = text;
    nvtxDomainRangePushEx(nvtx::domain(), &attributes);
}
inline void close_range() { nvtxDomainRangePop(nvtx::domain()); }

// A range of this thread, while it lives.
class named_range {
public:
    named_range(const char* verb, name_view name) { open_range(verb, name); }
    ~named_range() { close_range(); }
    named_range(const named_range&) = delete;
    named_range& operator=(const named_range&) = delete;
};

// Puts each launch of a run on a stream in a range.
class launch_ranges {
public:
    explicit launch_ranges(const frame& f) : f_(f) {}
    launch_ranges(launch_ranges&& other) noexcept : f_(other.f_), open_(other.open_) { other.open_ = false; }
    ~launch_ranges() {
        if (open_) close_range();
    }

    void before(const plan_node& r) {
        open_range("", place_of(f_, r).name, r.kind == plan_node_kind::condition ? "?" : "");
        open_ = true;
    }
    void after(const plan_node&) {
        close_range();
        open_ = false;
    }

private:
    const frame& f_;
    bool open_ = false;
};

// The label of an expression, or a word for all that have none.
template <expression E>
const char* range_name(E const& e) {
    const char* const label = e.records[first_named(E::tree)].label;
    return label ? label : "expression";
}

}  // namespace cograph::core

namespace cograph::nvtx {

// run_on, in a range with one for each launch in it; conditions have a question mark.
template <core::expression E, class... B>
    requires core::can_run<typename E::self, B...>
core::loop_report<typename E::self> run_on(cudaStream_t stream, E const& e, B... bindings) {
    const core::named_range whole("run_on ", core::range_name(e));
    core::loop_report<typename E::self> report;
    core::run_watched(report, stream, e, [](const core::frame& f, const void* const*) { return core::launch_ranges(f); }, bindings...);
    return report;
}

// An executable whose launches and uploads are ranges. The label is borrowed.
template <class E>
class executable : public core::executable<E> {
public:
    executable(core::executable<E>&& plain, const char* name) : core::executable<E>(static_cast<core::executable<E>&&>(plain)), name_(name) {}

    void launch(cudaStream_t stream) {
        const core::named_range whole("launch ", name_);
        core::executable<E>::launch(stream);
    }
    void upload(cudaStream_t stream) {
        const core::named_range whole("upload ", name_);
        core::executable<E>::upload(stream);
    }

private:
    const char* name_;
};

// instantiate, in a range.
template <core::expression E, class... B>
    requires core::can_run<typename E::self, B...>
executable<typename E::self> instantiate(E const& e, core::memory_choice memory, B... bindings) {
    const core::named_range whole("instantiate ", core::range_name(e));
    return {core::instantiate(e, memory, bindings...), core::range_name(e)};
}
template <core::expression E, class... B>
    requires core::can_run<typename E::self, B...>
executable<typename E::self> instantiate(E const& e, B... bindings) {
    return nvtx::instantiate(e, core::memory_choice{}, bindings...);
}

}  // namespace cograph::nvtx
