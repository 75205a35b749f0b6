// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/algorithm/function_nodes.hpp>
#include <cograph/expr/formula/formula.hpp>
#include <cograph/expr/refused/algorithm/assign.hpp>

namespace cograph::core {

struct assign_formula : single_task_stage {
    static constexpr lazy_name name{"assign"};
    static constexpr node_traits traits = single_task_stage::traits.brief();
};

template <class S, class F, class... V>
constexpr auto assign_computed(computation<F, V...> c, record where) {
    return make_stage<assign_formula, assign_formula, grid_t::domain>(
        list<given<store<computed<F>>>, reference_to<out_t<S>>, formula_argument_t<V>...>{}, where,
        store<computed<F>>{as_operand<0>(computed<F>{as_operand<0>(c.function)})}, 0, V{}...);
}

// s = formula, in one thread: assign(alpha, rr / pAp).
template <class S, class Formula>
    requires is_fine<decltype(diagnose_assign_call(list<S, Formula>{}))>
constexpr auto assign(S, Formula what, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return assign_computed<S>(computation_of(what), {nullptr, file, line, grid(1).block(1).values});
}

}  // namespace cograph::core
