// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/core/reason.hpp>

namespace cograph::reason {

// Possible mistakes in a call of a library; docs/errors has an entry for each.

template <class Routine, class Variable, class Other>
struct elements_of_a_call_differ : if_met<Routine>::template advises<struct give_its_memory_elements_of_one_type> {};

template <class Routine, class Variable>
struct library_has_no_such_elements : if_met<Routine>::template advises<struct use_elements_that_the_library_has> {};

template <class Routine, class Variable>
struct result_is_read_too : if_met<Routine>::template advises<struct mark_it_inout> {};

template <class Routine, class Variable>
struct input_is_overwritten : if_met<Routine>::template advises<struct mark_it_inout> {};

template <class Routine>
struct collective_is_in_a_body : if_met<Routine>::template advises<struct include_cograph_host_driven_or_bind_ranks_of_one_machine> {};

}  // namespace cograph::reason
