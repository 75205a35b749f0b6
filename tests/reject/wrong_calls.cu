// SPDX-License-Identifier: Apache-2.0
// reason: argument_count_differs
// row: a wrong call of a callable
// errors: 8
// expect: argument_count_differs<call_after_its_stream<x, factor, y>, takes_parameters<3>, given_arguments<2>>
// expect: give_one_argument_for_each_parameter
// expect: elements_differ<y, holds_elements_of<float>, bound_to<double>>
// expect: value_does_not_convert<factor, is_of_type<float>, bound_to<std::span<float
// expect: bound_memory_is_const<y>
// expect: count_is_missing<x, float*>
// expect: stream_is_missing<callable_call>
// expect: call_it_with_a_stream_and_then_its_arguments
// expect: elements_differ<argument_number<2>, holds_elements_of<float>, bound_to<double>>
// expect: function_takes_no_such_examples<scale, std::span<const float
#include <cograph/callable.cuh>

using namespace cograph;
inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct y : buffer<y, float> {} y;
inline constexpr struct factor : value<factor, float> {} factor;
struct scaled {
    COGRAPH_HD void operator()(index_t, const float& from, float by, float& to) const { to = by * from; }
};
struct scale {
    void operator()(cudaStream_t, std::span<const float>, output_span<float>) const {}
};

void run(cudaStream_t stream, std::span<float> xs, std::span<float> ys, std::span<double> doubles, std::span<const float> constants) {
    auto call = make_callable(for_each(over(x), scaled{})(in(x[each]), factor, out(y[each])), arguments(in(x), in(factor), out(y)), {},
                              x(xs), factor(2.0f), y(ys));
    auto of_function = make_callable(scale{}, {}, std::span<const float>(xs), output(ys));
    // [wrong]
    call(stream, xs, ys);               // here
    call(stream, xs, 2.0f, doubles);    // here
    call(stream, xs, ys, ys);           // here
    call(stream, xs, 2.0f, constants);  // here
    call(stream, xs.data(), 2.0f, ys);  // here
    call(xs, 2.0f, ys);                 // here
    of_function(stream, doubles, ys);   // here
    make_callable(captured(scale{}).mode<capture_mode::thread>(), {}, std::span<const float>(xs));  // here
    // [/wrong]
}
