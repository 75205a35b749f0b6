// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/formula/computation.hpp>
#include <cograph/expr/node/node_spec.hpp>
#include <cograph/expr/variable/binding.hpp>

#include <cstdio>
#include <cstring>
#include <limits>

namespace cograph::core {

// A formula computed by the host as C++ does, except that integers that wrap around, division by zero and undefined
// shifts are faults: a run is refused instead of leaving the result to a device.
class checked_computation {
public:
    const char* fault = nullptr;  // the first

    template <int Offset, class Values>
    auto value(placeholder, Values const& values) {
        return number_at<Offset>(values);
    }
    template <int Offset, class T, class Values>
    T value(constant<T> const& of, Values const&) {
        return of.held;
    }
    template <int Offset, class Operation, class L, class Values>
    auto value(apply_unary<Operation, L> const& of, Values const& values) {
        return step<Operation>(value<Offset>(of.operand<0, L>::get(), values));
    }
    template <int Offset, class Operation, class L, class R, class Values>
    auto value(apply<Operation, L, R> const& of, Values const& values) {
        constexpr int next = Offset + L::arity;
        if constexpr (std::is_same_v<Operation, operation::both>)
            return value<Offset>(of.operand<0, L>::get(), values) && value<next>(of.operand<1, R>::get(), values);
        else if constexpr (std::is_same_v<Operation, operation::either>)
            return value<Offset>(of.operand<0, L>::get(), values) || value<next>(of.operand<1, R>::get(), values);
        else {
            const auto left = value<Offset>(of.operand<0, L>::get(), values);
            return step<Operation>(left, value<next>(of.operand<1, R>::get(), values));
        }
    }

private:
    template <class Operation, class... One>
    static constexpr bool is_one_of = (std::is_same_v<Operation, One> || ...);

    void set(const char* found) {
        if (!fault) fault = found;
    }

    template <class Operation, class A>
    auto step(A a) {
        using T = decltype(Operation::of(a));
        if constexpr (is_plain_integer<T> && is_one_of<Operation, operation::negative, operation::magnitude>) {
            T negated{};
            if ((is_one_of<Operation, operation::negative> || is_negative(a)) && __builtin_sub_overflow(T{}, +a, &negated)) {
                set("wraps around");
                return T{};
            }
        }
        return Operation::of(a);
    }
    template <class Operation, class A, class B>
    auto step(A a, B b) {
        using T = decltype(Operation::of(a, b));
        if constexpr (!is_plain_integer<T>) {
            return Operation::of(a, b);
        } else if constexpr (is_one_of<Operation, operation::sum, operation::difference, operation::product>) {
            T result{};
            bool wraps = false;
            if constexpr (is_one_of<Operation, operation::sum>)
                wraps = __builtin_add_overflow(+a, +b, &result);
            else if constexpr (is_one_of<Operation, operation::difference>)
                wraps = __builtin_sub_overflow(+a, +b, &result);
            else
                wraps = __builtin_mul_overflow(+a, +b, &result);
            if (wraps) set("wraps around");
            return result;
        } else if constexpr (is_one_of<Operation, operation::shift_left, operation::shift_right>) {
            if (!is_negative(b) && static_cast<unsigned long long>(b) < 8 * sizeof(T)) return Operation::of(a, b);
            set("shifts by more bits than there are, or by less than none");
            return T{};
        } else if constexpr (is_one_of<Operation, operation::bit_and, operation::bit_or, operation::bit_xor>) {
            return Operation::of(a, b);
        } else {
            bool wraps = !holds<T>(a) || !holds<T>(b);
            if constexpr (!is_one_of<Operation, operation::smaller, operation::larger>) {
                if (b == 0) {
                    set("divides by zero");
                    return T{};
                }
                if constexpr (std::is_signed_v<T>) wraps = wraps || (static_cast<T>(b) == -1 && static_cast<T>(a) == std::numeric_limits<T>::min());
            }
            if (!wraps) return Operation::of(a, b);
            set("wraps around");
            return T{};
        }
    }
};

// Why a number is no P.
inline void write_number(char* text, double number) { std::snprintf(text, most_fault_text, "is %.10g, which its type ", number); }
inline void write_number(char* text, long long number) { std::snprintf(text, most_fault_text, "is %lld, which its type ", number); }
inline void write_number(char* text, unsigned long long number) { std::snprintf(text, most_fault_text, "is %llu, which its type ", number); }
inline const char* add_type(char* text, name_view type) {
    const std::size_t length = std::strlen(text);
    std::snprintf(text + length, most_fault_text - length, "%.*s cannot hold", static_cast<int>(type.size), type.data);
    return text;
}
template <class P, class T>
const char* refuse_as(char* text, T number) {
    write_number(text, static_cast<choose<std::is_floating_point_v<T>, double, choose<std::is_signed_v<T>, long long, unsigned long long>>>(number));
    return add_type(text, type_name<P>().read());
}

}  // namespace cograph::core
