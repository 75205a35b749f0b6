// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/join/captured_stream.cuh>
#include <cograph/run/memory/static_memory.cuh>

namespace cograph::core {

// Which call it is.
enum class call_role : unsigned char {
    alone,
    warmed_up,  // its function is called once before it is captured
    forward,
    forward_of_saved_arguments,  // backward reads some of its arguments in static memory
    backward
};

// Static memory of one call or of a pair, and the results of the last forward call of a pair.
struct memory_of_calls : static_memory {
    bool has_arguments = true;       // not if it ran on them themselves
    bool has_all_elements = true;    // not if their number differed from the sample arguments
};

// One argument of one call, and the static memory that stands for it; without a variable, a value.
struct call_memory {
    const variable_info* variable = nullptr;
    given_memory given = {}, at = {};
    bool in = false, out = false;
};

// The part of a callable that does not depend on types: moving arguments, and the reasons why a call is no launch.
class call_guard {
public:
    explicit call_guard(const callable_options& options) : options_(options), device_(check_gpu()) {
        if (options.memory.shared) options.memory.shared->check_device(device_, {});
    }

    // Checks of a call's stream and memory, with and without a graph, before anything is enqueued. Returns whether
    // the stream is being captured.
    static bool check_call(cudaStream_t stream, const call_memory* arguments, int count) {
        const bool captured = is_captured(stream, {"call"});
        for (int i = 0; i < count; ++i) check_apart(arguments, i, arguments[i]);
        return captured;
    }

    // Throws if a call writes other memory that overlaps one of its arguments.
    static void check_apart(const call_memory* arguments, int count, const call_memory& other) {
        for (const call_memory* a = arguments; a < arguments + count; ++a)
            if (a->out && other.out && meet(a->given, other.given)) refuse_overlap(*a->variable, *other.variable);
    }

    // Whether an argument has another number of elements than its example.
    static bool is_resized(const call_memory* arguments, int count) {
        bool is = false;
        for (const call_memory* a = arguments; a < arguments + count; ++a) is |= a->given.bytes != a->at.bytes;
        return is;
    }

    // A backward call uses the results of the last forward call.
    static void check_left(const memory_of_calls& memory, const call_memory* arguments, int count) {
        if (!memory.has_arguments)
            throw error({}, "A backward call reads arguments of the forward call in static memory, and the last forward call ran without its graph, on its "
                            "arguments themselves: give it such as the graph can take.");
        if (!memory.has_all_elements && count > 0 && !is_resized(arguments, count))
            throw error({}, "The last forward call had another number of elements than its examples, and this backward call has as many as its own: "
                            "call both with the same.");
    }

    // A call on a stream, and whether all is over that it enqueued.
    void note_call(cudaStream_t stream) {
        stream_ = stream;
        is_called_ = true;
        is_marked_ = false;
    }
    bool has_ended() { return !is_called_ || is_over(mark("query"), "query"); }
    void wait() {
        if (is_called_) wait_until_over(mark("wait"), "wait");
    }

    const memory_choice& memory() const { return options_.memory; }

    // There is no graph.
    void tell_of_no_graph(const char* why) { refuse(0, why); }
    // There is one, and it could not be changed to the needs of a call.
    void tell_of_graph_as_it_was(const char* why) { refuse(5, why); }

    // Whether a call can run on static memory; if not, says why.
    bool can_copy(const call_memory* arguments, int count) {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        if (device != device_) return refuse(1, "another device is current than when it was made");
        if (is_resized(arguments, count)) return refuse(2, "an argument has another number of elements than its example");
        for (const call_memory* a = arguments; a < arguments + count; ++a) {
            if (!options_.copies && a->given.memory != a->at.memory)
                return refuse(3, "an argument is not in its static memory, and copies are switched off");
        }
        if (overwrites(arguments, count, true) || overwrites(arguments, count, false))
            return refuse(4, "an argument is in the static memory of another one, and a copy would overwrite it");
        return true;
    }

    // Copies inputs in, or outputs out, if the addresses differ.
    static void copy(const call_memory* arguments, int count, bool in, cudaStream_t stream) {
        for (const call_memory* a = arguments; a < arguments + count; ++a)
            if (is_copied(*a, in))
                check(cudaMemcpyAsync(to(*a, in), from(*a, in), a->at.bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync", place{a->variable->name.read()});
    }

private:
    [[noreturn]] static void refuse_overlap(const variable_info& a, const variable_info& b) {
        const name_view name = b.name.read();
        core::refuse(place_of(a), "shares memory with '%.*s', and the call writes both: give each memory of its own", static_cast<int>(name.size), name.data);
    }
    static bool meet(const given_memory& a, const given_memory& b) {
        if (a.bytes == 0 || b.bytes == 0) return false;
        const char* const from = static_cast<const char*>(a.memory);
        const char* const other = static_cast<const char*>(b.memory);
        return from < other + b.bytes && other < from + a.bytes;
    }
    static bool is_copied(const call_memory& a, bool in) { return (in ? a.in : a.out) && a.at.bytes > 0 && a.given.memory != a.at.memory; }
    static char* from(const call_memory& a, bool in) { return static_cast<char*>(in ? a.given.memory : a.at.memory); }
    static char* to(const call_memory& a, bool in) { return static_cast<char*>(in ? a.at.memory : a.given.memory); }

    // Whether one of the copies writes to memory that it or a later one reads.
    static bool overwrites(const call_memory* arguments, int count, bool in) {
        for (int i = 0; i < count; ++i)
            for (int j = i; j < count; ++j) {
                const call_memory &a = arguments[i], &b = arguments[j];
                if (is_copied(a, in) && is_copied(b, in) && to(a, in) < from(b, in) + b.at.bytes && from(b, in) < to(a, in) + a.at.bytes) return true;
            }
        return false;
    }

    bool refuse(int reason, const char* why) {
        if (said_ >> reason & 1) return false;
        char text[1200];
        std::snprintf(text, sizeof text, "cograph: a callable runs without its graph: %s", why);
        options_.log.say(text, options_.log.context);
        said_ |= 1u << reason;  // not if it throws, which refuses every such call
        return false;
    }

    // An event after the last call.
    cudaEvent_t mark(const char* what) {
        const device_scope on(device_, {what});
        if (!over_.get()) check(cudaEventCreateWithFlags(over_.put(), cudaEventDisableTiming), "cudaEventCreateWithFlags", {what});
        if (!is_marked_) check(cudaEventRecord(over_.get(), stream_), "cudaEventRecord", {what});
        is_marked_ = true;
        return over_.get();
    }

    callable_options options_;
    int device_;
    cudaStream_t stream_ = nullptr;  // of the last call
    event_owner over_ = {};
    bool is_called_ = false, is_marked_ = false;
    unsigned said_ = 0;
};

}  // namespace cograph::core
