// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

#include <nvtx3/nvToolsExt.h>

// Named ranges for Nsight and whatever else reads NVTX: calls of cograph.cuh once more, in cograph::nvtx. cograph.cuh does not
// include this, and programs without these calls pay nothing.

namespace cograph::nvtx {

inline nvtxDomainHandle_t domain() {
    static const nvtxDomainHandle_t handle = nvtxDomainCreateA("cograph");
    return handle;
}

inline void push(const char* verb, core::name_view name, const char* behind = "") {
    char text[256];
    std::snprintf(text, sizeof text, "%s%.*s%s", verb, static_cast<int>(name.size), name.data, behind);
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = text;
    nvtxDomainRangePushEx(domain(), &attributes);
}
inline void pop() { nvtxDomainRangePop(domain()); }

// A range of this thread, while it lives.
class range {
public:
    range(const char* verb, core::name_view name) { push(verb, name); }
    ~range() { pop(); }
    range(const range&) = delete;
    range& operator=(const range&) = delete;
};

// The label of an expression, or a word for all that have none.
template <class E>
const char* name_of(E const& e) {
    return e.records[0].label ? e.records[0].label : "expression";
}

// Puts each launch of a run on a stream in a range.
class launch_ranges {
public:
    explicit launch_ranges(const core::frame& f) : f_(f) {}
    launch_ranges(launch_ranges&& other) noexcept : f_(other.f_), open_(other.open_) { other.open_ = false; }
    ~launch_ranges() {
        if (open_) pop();
    }

    void before(const core::row& r) {
        push("", core::place_of(f_, r).name, r.kind == core::row_kind::condition ? "?" : "");
        open_ = true;
    }
    void after(const core::row&) {
        pop();
        open_ = false;
    }

private:
    const core::frame& f_;
    bool open_ = false;
};

// run_on, in a range with one for each launch in it; conditions have a question mark.
template <class E, class... B>
    requires core::can_run<typename E::self, B...>
void run_on(cudaStream_t stream, E const& e, B... bindings) {
    const range whole("run_on ", name_of(e));
    core::run_watched(stream, e, [](const core::frame& f, const void* const*) { return launch_ranges(f); }, bindings...);
}
template <class E, class... B>
    requires(!core::can_run<typename E::self, B...>)
auto run_on(cudaStream_t, E const&, B...) -> decltype(core::mistake_of<struct nvtx_run_on_call, E, B...>(core::diagnose_run<typename E::self, B...>()));

// An executable whose launches and uploads are ranges. The label is borrowed.
template <class E>
class executable : public core::executable<E> {
public:
    executable(core::executable<E>&& plain, const char* name) : core::executable<E>(static_cast<core::executable<E>&&>(plain)), name_(name) {}

    void launch(cudaStream_t stream) {
        const range whole("launch ", name_);
        core::executable<E>::launch(stream);
    }
    void upload(cudaStream_t stream) {
        const range whole("upload ", name_);
        core::executable<E>::upload(stream);
    }

private:
    const char* name_;
};

// instantiate, in a range; of an expression or of node_by_node of one.
template <core::expression E, class... B>
    requires core::can_run<typename E::self, B...>
executable<typename E::self> instantiate(E const& e, B... bindings) {
    const range whole("instantiate ", name_of(e));
    return {core::instantiate(e, bindings...), name_of(e)};
}
template <core::expression E, class... B>
    requires core::can_run<typename E::self, B...>
executable<typename E::self> instantiate(core::node_by_node_t<E> of, B... bindings) {
    const range whole("instantiate ", name_of(of.e));
    return {core::instantiate(of, bindings...), name_of(of.e)};
}
template <core::expression E, class... B>
    requires(!core::can_run<typename E::self, B...>)
auto instantiate(E const&, B...) -> decltype(core::mistake_of<struct nvtx_instantiate_call, E, B...>(core::diagnose_run<typename E::self, B...>()));

}  // namespace cograph::nvtx
