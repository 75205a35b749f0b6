// SPDX-License-Identifier: Apache-2.0

// One graph with all that surrounds a computation: the host makes the input, copies bring it to the device and the progress of
// the loop back, the host sums up, and an event tells a second graph on another stream.

#include "../anywhere.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

using namespace cograph;

// [variables]
inline constexpr struct factors : host_buffer<factors, double> {} factors;    // any memory of the host
inline constexpr struct samples : pinned_buffer<samples, double> {} samples;  // of cudaMallocHost
inline constexpr struct progress : pinned_buffer<progress, double> {} progress;
inline constexpr struct factor : temp<factor, double, struct factors> {} factor;
inline constexpr struct x : temp<x, double> {} x;
inline constexpr struct largest : scalar<largest, double> {} largest;
inline constexpr struct done : value<done, CUevent_st*> {} done;  // a cudaEvent_t
// [/variables]

struct report {
    double first = 0, sum = 0;
};

struct shrink {
    COGRAPH_HD double operator()(index_t, double& value, double by) const { return value *= by; }
};

// [expression]
auto whole_run(report& to, int calls) {
    const auto make = [calls](double* values, index_t n) {
        for (index_t i = 0; i < n; ++i) values[i] = static_cast<double>(calls + i);
    };
    const auto sum_up = [&to](const double* values, index_t n) {
        to.first = values[0];
        to.sum = 0;
        for (index_t i = 0; i < n; ++i) to.sum += values[i];
    };
    return seq(host(make)(out(samples), extent(samples)),
               copy(in(samples), out(x)),
               copy(in(factors), out(factor)),
               do_while(seq(transform_reduce(over(x), shrink{}, maximum_or_nan{})(out(largest), inout(x[each]), in(factor[each])),
                            copy(in(largest), out(progress))),  // in every iteration
                        largest > 1.0),
               copy(in(x), out(samples)),
               host(sum_up)(in(samples), extent(samples)),
               record(done));
}
// [/expression]

// [wait]
// For another stream: does not look before the first graph has recorded `done`.
auto second_look(double& least) {
    const auto find_least = [&least](const double* values, index_t n) { least = *std::min_element(values, values + n); };
    return seq(wait(done)(out(samples)), host(find_least)(in(samples), extent(samples)));
}
// [/wait]

// [ping-pong]
// Two graphs on two streams hand one buffer to and fro: one fills it, the other one looks at it.
inline constexpr struct ball : buffer<ball, double> {} ball;
inline constexpr struct turn : scalar<turn, double> {} turn;
inline constexpr struct sum : scalar<sum, double> {} sum;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct most : scalar<most, double> {} most;
inline constexpr struct is_filled : value<is_filled, CUevent_st*> {} is_filled;
inline constexpr struct is_read : value<is_read, CUevent_st*> {} is_read;

struct serve {
    COGRAPH_HD void operator()(index_t i, double& to, double number) const { to = number + static_cast<double>(i % 2); }
};
constexpr auto ping = seq(assign(turn, turn + 1.0),
                          wait(is_read)(out(ball)),
                          for_each(over(ball), serve{})(out(ball[each]), in(turn)),
                          record(is_filled)(in(ball)));  // after its writers
constexpr auto pong = seq(wait(is_filled)(out(ball)),
                          reduce(out(most), in(ball), maximum{}),
                          reduce(out(sum), in(ball)),
                          assign(total, total + sum),
                          record(is_read)(inout(ball)));  // after its readers, too: now it may be filled again
static_assert(ordered(pong, at<1>, at<4>) && ordered(pong, at<2>, at<4>));
// [/ping-pong]

// [barrier]
struct cell {
    double* at;
};
inline constexpr struct to_write : view<to_write, cell> {} to_write;
inline constexpr struct to_read : view<to_read, cell> {} to_read;  // leads to the same memory, which the plan cannot know
inline constexpr struct taken : scalar<taken, double> {} taken;

struct put {
    COGRAPH_HD void operator()(cell to, double value) const { *to.at = value; }
};
struct take {
    COGRAPH_HD void operator()(cell from, double& to) const { to = *from.at; }
};
constexpr auto hand_over = seq(single_task(put{})(inout(to_write), 7.0), barrier(), single_task(take{})(in(to_read), out(taken)));
static_assert(ordered(hand_over, calls<put>, calls<take>));
// [/barrier]

// [boxes]
inline constexpr struct image : buffer<image, float> {} image;
inline constexpr struct tile : buffer<tile, float> {} tile;

// Four rows of eight elements, from the middle of an image with rows of 64.
constexpr auto cut_out = copy(in(image), out(tile), box{.width = 8, .height = 4, .from_begin = 20 * 64 + 16, .from_pitch = 64});
// [/boxes]

// Memory of the host that the device reaches by itself.
class pinned_memory {
public:
    explicit pinned_memory(std::size_t count) : own_(count) {
        data_ = own_.data();
#ifdef __CUDACC__
        if (anywhere::has_gpu()) anywhere::succeed(cudaMallocHost(&data_, count * sizeof(double)));
#endif
    }
    ~pinned_memory() {
#ifdef __CUDACC__
        if (anywhere::has_gpu()) cudaFreeHost(data_);
#endif
    }
    pinned_memory(const pinned_memory&) = delete;
    pinned_memory& operator=(const pinned_memory&) = delete;
    std::span<double> span() const { return {data_, own_.size()}; }

private:
    std::vector<double> own_;
    double* data_ = nullptr;
};

bool cuts_right() {
    const anywhere::array<float> from(64 * 64), to(32);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
    anywhere::run(cut_out, image(from.span()), tile(to.span()));
    bool right = true;
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 8; ++column) right = right && to[row * 8 + column] == from[(20 + row) * 64 + 16 + column];
    return right;
}

bool hands_over() {
    const anywhere::array<double> shared(1), result(1);
    anywhere::run(hand_over, to_write({shared.data()}), to_read({shared.data()}), taken(result.data()));
    return result[0] == 7;
}

void play(int rounds, std::span<double> memory, double* turns, double* totals, double* largest_seen) {
#ifdef __CUDACC__
    if (anywhere::has_gpu()) {
        cudaEvent_t events[2] = {};
        cudaStream_t streams[2] = {};
        for (cudaEvent_t& event : events) anywhere::succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        for (cudaStream_t& stream : streams) anywhere::succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        // [play]
        auto first = instantiate(ping, ball(memory), turn(turns), is_filled(events[0]), is_read(events[1]));
        auto second = instantiate(pong, ball(memory), most(largest_seen), total(totals), is_filled(events[0]), is_read(events[1]));
        for (int round = 0; round < rounds; ++round) {
            first.launch(streams[0]);   // waits for the second of the round before, as that was launched
            second.launch(streams[1]);
        }
        // [/play]
        for (cudaStream_t stream : streams) anywhere::succeed(cudaStreamSynchronize(stream));
        for (cudaStream_t stream : streams) anywhere::succeed(cudaStreamDestroy(stream));
        for (cudaEvent_t event : events) anywhere::succeed(cudaEventDestroy(event));
        return;
    }
#endif
    CUevent_st* const none = nullptr;
    for (int round = 0; round < rounds; ++round) {
        simulate(ping, ball(memory), turn(turns), is_filled(none), is_read(none));
        simulate(pong, ball(memory), most(largest_seen), total(totals), is_filled(none), is_read(none));
    }
}

bool plays_right() {
    const int rounds = 100;
    const anywhere::array<double> memory(100000), results(3);
    results[0] = results[1] = 0;
    play(rounds, memory.span(), &results[0], &results[1], &results[2]);
    const double n = static_cast<double>(memory.size());
    return results[0] == rounds && results[1] == n * rounds * (rounds + 1) / 2 + n / 2 * rounds && results[2] == rounds + 1;
}

// Runs both expressions: as graphs, on a stream each, which only the event orders.
void run_both(std::span<double> factor_of_each, std::span<double> values, std::span<double> seen, report& result, double& least) {
#ifdef __CUDACC__
    if (anywhere::has_gpu()) {
        cudaEvent_t event = nullptr;
        cudaStream_t stream = nullptr, other = nullptr;
        anywhere::succeed(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        anywhere::succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        anywhere::succeed(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
        auto first = instantiate(whole_run(result, 1), factors(factor_of_each), samples(values), progress(seen), x(values.size()), done(event));
        auto second = instantiate(second_look(least), samples(values), done(event));
        first.launch(stream);
        second.launch(other);
        anywhere::succeed(cudaStreamSynchronize(other));
        anywhere::succeed(cudaStreamDestroy(other));
        anywhere::succeed(cudaStreamDestroy(stream));
        anywhere::succeed(cudaEventDestroy(event));
        return;
    }
#endif
    CUevent_st* const none = nullptr;
    simulate(whole_run(result, 1), factors(factor_of_each), samples(values), progress(seen), x(values.size()), done(none));
    simulate(second_look(least), samples(values), done(none));
}

int main(int argc, char**) try {
    anywhere::take_no_arguments(argc);
    const std::size_t n = 1000;
    std::vector<double> three_quarters(n, 0.75);
    const pinned_memory values(n), seen(1);
    report result;
    double least = 0;
    run_both(three_quarters, values.span(), seen.span(), result, least);

    // 1 .. n, times 0.75 until the largest is at most 1.
    const double shrunk = std::pow(0.75, std::ceil(std::log(static_cast<double>(n)) / std::log(4.0 / 3)));
    const double expected = shrunk * static_cast<double>(n) * static_cast<double>(n + 1) / 2;
    std::printf("%s: sum %.6f, largest %.6f\n", anywhere::way_to_run(), result.sum, seen.span()[0]);
    const auto is_near = [](double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); };
    const bool right = is_near(result.first, shrunk) && is_near(result.sum, expected) && is_near(seen.span()[0], shrunk * static_cast<double>(n)) &&
                       is_near(least, shrunk) && cuts_right() && hands_over() && plays_right();
    return right ? 0 : 1;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "host_work: %s\n", problem.what());
    return 1;
}
