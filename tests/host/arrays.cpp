// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/join/strided.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Arrays of others: tensors as DLPack describes them, and mdspans.
namespace arrays_of_others {

using namespace cograph;
using namespace cograph::reason;

// DLPack 1.0, by its members.
enum device_types { on_host = 1, on_cuda = 2, on_vulkan = 7 };
struct DLDevice {
    device_types device_type = on_host;
    std::int32_t device_id = 0;
};
struct DLDataType {
    std::uint8_t code = 2, bits = 32;
    std::uint16_t lanes = 1;
};
struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
    struct {
        std::uint32_t major, minor;
    } version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);
    std::uint64_t flags;
    DLTensor dl_tensor;
};

// What std::mdspan has, of two dimensions, rows so far apart.
template <class T>
struct matrix {
    using element_type = T;
    struct mapping_type {
        int rows, columns, pitch;
        constexpr int required_span_size() const { return rows == 0 ? 0 : (rows - 1) * pitch + columns; }
    };
    T* first;
    mapping_type map;
    constexpr T* data_handle() const { return first; }
    constexpr const mapping_type& mapping() const { return map; }
    constexpr bool is_exhaustive() const { return map.pitch == map.columns; }
    static constexpr std::size_t rank() { return 2; }
    constexpr int extent(std::size_t d) const { return d == 0 ? map.rows : map.columns; }
    constexpr int stride(std::size_t d) const { return d == 0 ? map.pitch : 1; }
};

inline constexpr struct x : buffer<x, float> {} x;
inline constexpr struct i : buffer<i, int> {} i;
inline constexpr struct flags : buffer<flags, bool> {} flags;
inline constexpr struct here : host_buffer<here, float> {} here;

template <class Run>
std::string refusal(const Run& run) {
    try {
        run();
    } catch (const error& why) {
        return why.what();
    }
    return "";
}

struct tensor_of_six {
    std::vector<float> memory{0, 1, 2, 3, 4, 5};
    std::array<std::int64_t, 2> shape{2, 3}, strides{3, 1};
    DLTensor tensor() { return {memory.data(), {}, 2, {}, shape.data(), strides.data(), 0}; }
};

TEST_CASE("a tensor is bound with all its elements", "[host][arrays]") {
    tensor_of_six t;
    // [bind]
    DLTensor tensor = t.tensor();
    simulate(fill(out(x), 7), x(tensor));
    // [/bind]
    CHECK(t.memory == std::vector<float>(6, 7));
    tensor.strides = nullptr;
    tensor.byte_offset = 2 * sizeof(float);
    t.shape = {2, 2};
    simulate(fill(out(x), 1), x(tensor));
    CHECK(t.memory == std::vector<float>{7, 7, 1, 1, 1, 1});
    t.shape = {0, 2};
    CHECK(x(tensor).count == 0);
    // A stride of what has one element says nothing.
    t.shape = {1, 2};
    t.strides = {99, 1};
    tensor.strides = t.strides.data();
    CHECK(x(tensor).count == 2);
    DLManagedTensor managed{t.tensor(), nullptr, nullptr};
    CHECK(x(managed).pointer == t.memory.data());
    const DLManagedTensorVersioned versioned{{1, 0}, nullptr, nullptr, 0, t.tensor()};
    CHECK(x(versioned).count == 2);
}

TEST_CASE("a tensor that is not what a variable holds is refused with the variable's name", "[host][arrays]") {
    tensor_of_six t;
    const auto changed = [&](const auto& change) {
        DLTensor tensor = t.tensor();
        change(tensor);
        return tensor;
    };
    CHECK(refusal([&] { i(t.tensor()); }) == "cograph: 'i' holds elements of int, and the tensor has floating-point numbers of 32 bits");
    CHECK(refusal([&] { x(changed([](DLTensor& d) { d.dtype.bits = 64; })); }) == "cograph: 'x' holds elements of float, and the tensor has floating-point numbers of 64 bits");
    CHECK(refusal([&] { x(changed([](DLTensor& d) { d.dtype = {0, 32, 1}; })); }) == "cograph: 'x' holds elements of float, and the tensor has signed integers of 32 bits");
    CHECK(refusal([&] { x(changed([](DLTensor& d) { d.dtype = {2, 16, 2}; })); }).find("of 16 bits, several in each") != std::string::npos);
    CHECK(refusal([&] { flags(changed([](DLTensor& d) { d.dtype = {1, 8, 1}; })); }).find("has unsigned integers of 8 bits") != std::string::npos);
    CHECK(flags(changed([](DLTensor& d) { d.dtype = {6, 8, 1}; })).count == 6);
    CHECK(refusal([&] { x(changed([](DLTensor& d) { d.device.device_type = on_vulkan; })); }).find("'x' is bound to an array that is on a device of another kind") != std::string::npos);
    CHECK(refusal([&] { here(changed([](DLTensor& d) { d.device.device_type = on_cuda; })); }).find("'here' is bound to an array that is on a GPU") != std::string::npos);
    CHECK(refusal([&] { x(changed([](DLTensor& d) { d.byte_offset = 2; })); }).find("not aligned to its elements") != std::string::npos);
    t.strides = {1, 2};  // a transposed matrix
    CHECK(refusal([&] { x(t.tensor()); }) == "cograph: 'x' is bound to an array that has strides: its elements do not follow each other in row-major order. Make it contiguous");
    t.strides = {3, 1};
    t.shape = {2, 2};  // a part of each row
    CHECK(refusal([&] { x(t.tensor()); }).find("has strides") != std::string::npos);
    const DLManagedTensorVersioned read_only{{1, 0}, nullptr, nullptr, 1, t.tensor()};
    CHECK(refusal([&] { x(read_only); }).find("may only be read") != std::string::npos);
}

TEST_CASE("an mdspan is bound if its mapping is exhaustive", "[host][arrays]") {
    std::vector<float> memory(6, 1);
    const matrix<float> whole{memory.data(), {2, 3, 3}};
    simulate(fill(out(x), 7), x(whole));
    CHECK(memory == std::vector<float>(6, 7));
    CHECK(x(matrix<const float>{memory.data(), {2, 3, 3}}).count == 6);
    CHECK(refusal([&] { x(matrix<float>{memory.data(), {2, 2, 3}}); }) ==
          "cograph: 'x' is bound to an array that leaves out elements between its own: bind an mdspan whose mapping is exhaustive");
}
static_assert(diagnose<decltype(x(std::declval<matrix<double>&>()))> == elements_differ<struct x, holds_elements_of<float>, bound_to<double>>{});
static_assert(diagnose<decltype(simulate(fill(out(x), 1), x(std::declval<matrix<const float>>())))> == bound_memory_is_const<struct x>{});

TEST_CASE("arrays with strides are gathered and scattered when they are asked to be", "[host][arrays]") {
    tensor_of_six t;
    std::vector<float> packed(6), half(2);
    t.shape = {3, 2};
    t.strides = {1, 3};  // a transposed matrix
    CHECK(gather(strided<const float>(t.tensor()), std::span(packed)).data() == packed.data());
    CHECK(packed == std::vector<float>{0, 3, 1, 4, 2, 5});
    for (float& number : packed) number *= 10;
    scatter(std::span<const float>(packed), strided<float>(t.tensor()));
    CHECK(t.memory == std::vector<float>{0, 10, 20, 30, 40, 50});
    gather(strided(t.memory.data() + 5, 2, -3), std::span(half));
    CHECK(half == std::vector<float>{50, 20});
    gather(strided(matrix<float>{t.memory.data() + 1, {2, 1, 3}}), std::span(half));
    CHECK(half == std::vector<float>{10, 40});
    DLTensor dense = t.tensor();
    dense.strides = nullptr;
    gather(strided<float>(DLManagedTensor{dense, nullptr, nullptr}), std::span(packed));
    CHECK(packed == t.memory);
    t.shape = {0, 2};
    gather(strided<float>(t.tensor()), std::span<float>());
    // One element many times, and a number without dimensions.
    t.shape = {2, 3};
    t.strides = {0, 0};
    gather(strided<float>(t.tensor()), std::span(packed));
    CHECK(packed == std::vector<float>(6, 0));
    DLTensor number = t.tensor();
    number.ndim = 0;
    CHECK(strided<float>(number).size() == 1);

    CHECK(refusal([&] { gather(strided<const float>(t.tensor()), std::span(half)); }) == "cograph: 'gather' is given an array of 6 elements, and memory for 2");
    CHECK(refusal([&] { strided<int>(t.tensor()); }) == "cograph: 'strided' is given a tensor with elements of another type");
    number.ndim = 9;
    CHECK(refusal([&] { strided<float>(number); }) == "cograph: 'strided' is given an array of more than eight dimensions");
    number.ndim = 1;
    number.byte_offset = 2;
    CHECK(refusal([&] { strided<float>(number); }).find("not aligned") != std::string::npos);
    const DLManagedTensorVersioned read_only{{1, 0}, nullptr, nullptr, 1, t.tensor()};
    CHECK(strided<const float>(read_only).size() == 6);
    CHECK(refusal([&] { strided<float>(read_only); }).find("may only be read") != std::string::npos);
}

// Views that say how far elements are apart.
// [view_may_leave_elements_out]
constexpr auto contiguous_part(std::span<float> all) { return x(all.first(2)); }
// [/view_may_leave_elements_out]
struct every_second {
    float* data() const;
    int size() const;
    int stride() const;
};
static_assert(std::is_same_v<decltype(contiguous_part({})), decltype(x(std::span<float>()))>);
static_assert(diagnose<decltype(x(std::declval<every_second&>()))> == view_may_leave_elements_out<struct x, every_second>{});

}  // namespace arrays_of_others
