// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/batch/problem_steps.hpp>

namespace cograph::core {

// A parameter of a problem whose threads have one element at most: that of a copy leads there.
template <bool Through, class P>
struct copied_parameter;
template <class T>
struct copied_parameter<false, element_pointer<T>> {
    using type = own_element<T>;
};
template <class T>
struct copied_parameter<true, element_pointer<T>> {
    using type = through_element<T>;
};
template <int Copy, class P>
struct parameter_of_thread {
    using type = typename copied_parameter<Copy % 2 == 1, P>::type;
};
template <class P>
struct parameter_of_thread<-1, P> {
    using type = problem_parameter<P>;
};

// One problem as a whole.
template <class Steps, class... Inner, int... From, class... Scalar, int... ScalarCode, int... Copy, class... Element, int... ElementCode, int... Unequal, int... Report>
struct problem_program<Steps, list<Inner...>, std::integer_sequence<int, From...>, list<Scalar...>, std::integer_sequence<int, ScalarCode...>,
                       std::integer_sequence<int, Copy...>, list<Element...>, std::integer_sequence<int, ElementCode...>, std::integer_sequence<int, Unequal...>,
                       std::integer_sequence<int, Report...>> {
    using scalar_numbers = std::make_integer_sequence<int, sizeof...(Scalar)>;
    using copies = copies_of<scalar_numbers, Scalar...>;
    using element_numbers = std::make_integer_sequence<int, sizeof...(Element)>;
    using elements = copies_of<element_numbers, Element...>;
    static constexpr bool keeps_elements = sizeof...(Element) > 0;

    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Batch>
    COGRAPH_HD static void run(Context const& context, Batch const& batch, index_t q, char* place) {
        if (has_no_part(context, batch, q)) return;
        copies own;
        take(own, batch, q, scalar_numbers{});
        const pack_of<problem_parameter<Inner>...> pack(parameter_of_problem<From, Inner>(batch, own, q, place)...);
        problem_step<Steps>::run(context, pack);
        context.meet();
        if (!context.leads()) return;
        give(own, batch, q, scalar_numbers{});
        (report<Report>(batch, pack, q), ...);
    }

    // Whether each of a number of threads has at most one element of all that it may keep copies of.
    template <class Batch>
    COGRAPH_HD static bool has_one_element([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t threads) {
        return keeps_elements && ((held_at<place_in(ElementCode / 8) + 1>(batch) <= threads) && ...);
    }
    // The same if it does.
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Batch>
    COGRAPH_HD static void run_one_element(Context const& context, Batch const& batch, index_t q, char* place) {
        if (has_no_part(context, batch, q)) return;
        copies own;
        elements own_elements;
        take(own, batch, q, scalar_numbers{});
        fill(context.rank(), own_elements, batch, q, place, element_numbers{});
        const pack_of<typename parameter_of_thread<Copy, Inner>::type...> pack(one_element_parameter<From, Copy, Inner>(batch, own, own_elements, q, place)...);
        if constexpr (Context::has_one_tile) {
            if (problem_step<Steps>::template is_filled<typename Context::asks_whether_filled>(pack))
                problem_step<Steps>::run(typename Context::filled{}, pack);
            else
                problem_step<Steps>::run(context, pack);
        } else {
            problem_step<Steps>::run(context, pack);
        }
        context.meet();
        empty(context.rank(), own_elements, batch, q, place, element_numbers{});
        if (!context.leads()) return;
        give(own, batch, q, scalar_numbers{});
        (report<Report>(batch, pack, q), ...);
    }

private:
    // A problem with a part that is not in its array, or too long, or with a wrong number of elements, is not solved.
    COGRAPH_EXEC_CHECK_OFF
    template <class Context, class Batch>
    COGRAPH_HD static bool has_no_part([[maybe_unused]] Context const& context, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (sizeof...(Unequal) > 0 || (is_count_of_problem<Inner> || ...)) {
            if ((is_part<place_in(Unequal)>(batch, q) && ...) && has_right_counts(batch, q)) return false;
            if (context.leads()) ((held_at<Report % most_parameters_of_batch>(batch)[q] = {0, 0, ending::overflow}), ...);
            return true;
        } else {
            return false;
        }
    }
    template <class Batch>
    COGRAPH_HD static bool has_right_counts([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr ((is_count_of_problem<Inner> || ...))
            return (is_right_count<Inner>(batch, q) && ...);
        else
            return true;
    }
    template <class P, class Batch>
    COGRAPH_HD static bool is_right_count([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (is_count_of_problem<P>)
            return counts_in_problem<P>::is_right(batch, q);
        else
            return true;
    }
    template <int Code, class Batch, class Pack>
    COGRAPH_HD static void report(Batch const& batch, Pack const& pack, index_t q) {
        const problem_count& count = held_at<Code / most_parameters_of_batch>(pack);
        held_at<Code % most_parameters_of_batch>(batch)[q] = {count.iterations, static_cast<unsigned>(count.entries), count.entries == 0 ? ending::none : ending_for(count.answer)};
    }
    template <class Batch, int... S>
    COGRAPH_HD static void take([[maybe_unused]] copies& own, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, std::integer_sequence<int, S...>) {
        (take_one<ScalarCode / 2>(copy_at<S>(own), batch, q), ...);
    }
    template <int Code, class Copied, class Batch>
    COGRAPH_HD static void take_one([[maybe_unused]] Copied& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (how_of(Code) == origin::element) copy.take(held_at<place_in(Code)>(batch)[q]);
        if constexpr (how_of(Code) == origin::given) copy.take(*held_at<place_in(Code)>(batch).at);
    }
    template <class Batch, int... S>
    COGRAPH_HD static void give([[maybe_unused]] copies& own, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, std::integer_sequence<int, S...>) {
        (give_one<ScalarCode>(copy_at<S>(own), batch, q), ...);
    }
    template <int Code, class Copied, class Batch>
    COGRAPH_HD static void give_one([[maybe_unused]] Copied const& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q) {
        if constexpr (Code % 2 == 1) copy.give(held_at<place_in(Code / 2)>(batch)[q]);
    }

    template <int Code, class T, class Batch>
    COGRAPH_HD static T* memory_of(Batch const& batch, index_t q, char* place) {
        if constexpr (how_of(Code) == origin::slice)
            return const_cast<T*>(held_at<place_in(Code)>(batch) + q * held_at<place_in(Code) + 1>(batch));
        else if constexpr (how_of(Code) == origin::distant)
            return const_cast<T*>(held_at<place_in(Code)>(batch) + q * held_at<place_in(Code) + 2>(batch));
        else if constexpr (how_of(Code) == origin::between)
            return const_cast<T*>(held_at<place_in(Code)>(batch) + static_cast<index_t>(held_at<place_in(Code) + 2>(batch)[q]));
        else if constexpr (how_of(Code) == origin::own_temp)
            return reinterpret_cast<T*>(place + held_at<place_in(Code)>(batch));
        else
            return const_cast<T*>(held_at<place_in(Code)>(batch));
    }
    template <int Code, class Batch>
    COGRAPH_HD static bool has_element([[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, index_t i) {
        if constexpr (how_of(Code) == origin::between)
            return i < static_cast<index_t>(held_at<place_in(Code) + 2>(batch)[q + 1]) - static_cast<index_t>(held_at<place_in(Code) + 2>(batch)[q]);
        else
            return i < held_at<place_in(Code) + 1>(batch);
    }
    template <int FromCode, int CopyCode, class P, class Batch>
    COGRAPH_HD static auto one_element_parameter(Batch const& batch, copies& own, [[maybe_unused]] elements& own_elements, index_t q, char* place) {
        using type = typename parameter_of_thread<CopyCode, P>::type;
        if constexpr (CopyCode < 0)
            return parameter_of_problem<FromCode, P>(batch, own, q, place);
        else if constexpr (CopyCode % 2 == 1)
            return type{&copy_at<CopyCode / 2>(own_elements).value, parameter_of_problem<FromCode, P>(batch, own, q, place).at};
        else
            return type{&copy_at<CopyCode / 2>(own_elements).value};
    }
    template <class Batch, int... C>
    COGRAPH_HD static void fill(index_t i, elements& own, Batch const& batch, index_t q, char* place, std::integer_sequence<int, C...>) {
        (fill_one<ElementCode, Element>(i, copy_at<C>(own), batch, q, place), ...);
    }
    template <int Code, class T, class Copied, class Batch>
    COGRAPH_HD static void fill_one([[maybe_unused]] index_t i, [[maybe_unused]] Copied& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, [[maybe_unused]] char* place) {
        if constexpr ((Code & copy_filled) != 0)
            if (has_element<Code / 8>(batch, q, i)) copy.take(memory_of<Code / 8, T>(batch, q, place)[i]);
    }
    template <class Batch, int... C>
    COGRAPH_HD static void empty(index_t i, elements& own, Batch const& batch, index_t q, char* place, std::integer_sequence<int, C...>) {
        (empty_one<ElementCode, Element>(i, copy_at<C>(own), batch, q, place), ...);
    }
    template <int Code, class T, class Copied, class Batch>
    COGRAPH_HD static void empty_one([[maybe_unused]] index_t i, [[maybe_unused]] Copied const& copy, [[maybe_unused]] Batch const& batch, [[maybe_unused]] index_t q, [[maybe_unused]] char* place) {
        if constexpr ((Code & copy_at_end) != 0)
            if (has_element<Code / 8>(batch, q, i)) copy.give(memory_of<Code / 8, T>(batch, q, place)[i]);
    }
};

}  // namespace cograph::core
