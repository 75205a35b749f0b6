// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph.cuh>

namespace ways {

// A condition, as a part of a kernel of several rows, that is stored where the host reads it.
template <class Condition>
struct stored_condition {
    template <class Context, class... P>
    __device__ static void run(Context, unsigned* value, P... p) {
        *value = Condition::of(p...);
    }
};
template <class Code>
struct stored_code {
    using type = Code;
};
template <class Condition, class... P>
struct stored_code<cograph::core::condition_code<Condition, P...>> {
    using type = cograph::core::stage_code<stored_condition<Condition>, unsigned*, P...>;
};
template <class Code>
using with_stored_conditions = typename stored_code<Code>::type;

template <class Planned>
struct merged_rows_of {
    static cograph::core::merged_tables tables() {
        if constexpr (cograph::core::may_merge(Planned::tree))
            return cograph::core::merged_tables_of<Planned, with_stored_conditions>();
        else
            return {};
    }

    // Runs rows that share a kernel as that kernel, where its first row is.
    template <class Watch>
    struct runner : cograph::core::eager_run<Watch> {
        using base = cograph::core::eager_run<Watch>;
        using base::base;
        using base::run;

    private:
        using plan_node = cograph::core::plan_node;

        void run(const plan_node& r) override {
            const int at = static_cast<int>(&r - this->f_.plan.nodes);
            if (!merged_.is_part(at))
                base::run(r);
            else if (merged_.head[at] == at)
                launch(at);
        }

        void launch(int head) {
            const cograph::core::frame& f = this->f_;
            const plan_node& first = f.plan.nodes[head];
            unsigned* values[cograph::core::most_merged_nodes];
            const void* parameters[cograph::core::most_parameters];
            const void** to = parameters;
            int stored = 0;
            for (int part = head; part >= 0; part = merged_.next[part]) {
                const plan_node& r = f.plan.nodes[part];
                if (r.kind == cograph::core::plan_node_kind::condition) {
                    values[stored] = this->device_value_ + stored;
                    *to++ = &values[stored++];
                }
                parameter_addresses(f, r, to);
                to += r.argument_count;
            }
            const auto [kernel, shape] = launch_of(f, first, this->kernels_[first.code], &this->log_, merged_.kernels_led_by(head));
            cograph::core::launch_attributes attributes(shape);
            this->launch_kernel(first, kernel, shape, attributes, parameters);
            this->behind_programmatic_ = false;
            stored = 0;
            for (int part = head; part >= 0; part = merged_.next[part])
                if (f.plan.nodes[part].kind == cograph::core::plan_node_kind::condition) this->read_back(f.plan.nodes[part], values[stored++]);
        }

        const cograph::core::merged_tables merged_ = tables();
    };
};

// Eagerly, as instantiate lowers it: the same kernels, those that several nodes share as well, but in place of conditional nodes the
// host, which reads the conditions. So tools see what runs in loops and branches.
template <class E, class... B>
void run_lowered(cudaStream_t on, const E& e, B... bindings) {
    using planned = cograph::core::lowered<E>;
    cograph::loop_report<E> report;
    cograph::core::run_planned<planned, merged_rows_of<planned>::template runner>(report.loops, on, e, cograph::core::no_stream_watch{},
                                                                               bindings...);
}

}  // namespace ways
