// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/plan/batch/problem/problem_slices.hpp>
#include <cograph/plan/persistent/register_copies.hpp>

namespace cograph::core {

// The origin of a problem's parameter, as one number: how, and from which parameters of the batch, or which scalar.
enum class origin : unsigned char {
    none,      // made at its use, or the problem's own
    given,     // as the batch has it
    slice,     // the problem's part of memory: pointer and count
    distant,   // the same: pointer, count and distance
    between,   // the same: pointer, the largest count, begins and the count of all
    length,    // of such a part
    own_temp,  // in the place of those that run at once: offset and count
    scalar,    // the problem's copy
    element,   // one of an array of objects
    one,       // the number of elements of a scalar
    formula,   // a number of elements that the device computes: of which variable
    argument   // a formula of a node that the device computes: with which constants
};
constexpr int code_of(origin how, int at = 0) { return static_cast<int>(how) + 16 * at; }
COGRAPH_HD constexpr origin how_of(int code) { return static_cast<origin>(code % 16); }
COGRAPH_HD constexpr int place_in(int code) { return code / 16; }

// The initial value of a scalar's copy, and whether it is written back: one of an array, one that all problems read,
// or none.
constexpr int code_of_scalar(origin how, int at, bool stored) { return code_of(how, at) * 2 + stored; }

// Elements of which threads keep copies, if a thread has at most one: of variables that nodes write only as their own
// elements. Elements that others read go to memory too; elements of temps that are not may be as large as registers
// allow.
enum copy_flag : int {
    copy_filled = 1,   // read from memory before the program
    copy_through = 2,  // written to memory by the nodes
    copy_at_end = 4    // written to memory behind the program
};
constexpr unsigned most_bytes_of_temp_copy = 1024;

// The position of a loop's count among the parameters of a problem, and the parameter of the batch that receives it.
constexpr int most_parameters_of_batch = 1024;
constexpr int code_of_report(int counter, int at) { return counter * most_parameters_of_batch + at; }

// A variable of the problems as parameters of the batch: a number of them. Of memory, the second is the count of its
// elements. Parts that are not equally long are those of a variable.
// A formula over those gives the number of elements of a variable.
struct parts_of_problem {
    const variable_info* unequal_of = nullptr;
    bool are_distant = false;
    const variable_info* formula_of = nullptr;
};
struct shared_variable {
    const variable_info* info;
    share how;
    bool written;
    int parameters;
    parts_of_problem parts;
};

// By parameter of a problem, its origin, and the copies of scalars and elements of its threads.
template <int Parameters, int Variables>
struct parameter_origins {
    int of[Parameters + 1]{};
    int scalar[Variables + 1]{};           // a code for each copy
    int scalar_variable[Variables + 1]{};
    int scalars = 0;
    int copy[Parameters + 1]{};            // twice which copy of an element it leads to, and whether it writes through; or -1
    int element[Variables + 1]{};          // 8 times the origin, and flags
    int element_variable[Variables + 1]{};
    int elements = 0;
    int counter[Parameters + 1]{};         // by loop, the parameter that counts it
    int between[Variables + 1]{};          // by variable with unequal parts, its origin
    int betweens = 0;
    unsigned record[Parameters + 1]{};     // of a constant count, 1 + the number of its record after the batch's own
    int first_of[Variables + 2]{};         // by variable, its first parameter of the batch
    int limits[Parameters + 1]{};          // of a count that the device computes: how many parameters follow with a limit or none
    int limit[Parameters + 1]{};           // the origin of that, or -1
    int most[Parameters + 1]{};            // of such a count: the origin of that which no problem has more than, or -1

    // First: parameters of the batch before those of variables. Kept values of nodes follow those.
    constexpr parameter_origins(const node_spec& tree, const shared_variable* variables, int first) {
        argument flat[Parameters + 1]{};
        lowered_argument lowered[Parameters + 1]{};
        argument* to = flat;
        lowered_argument* of_node = lowered;
        int leaf = 0;
        flatten_parameters(tree, to, of_node, leaf);
        int begins[Variables + 2]{first}, copy_of[Variables + 1]{};
        for (int v = 0; v < Variables; ++v) {
            begins[v + 1] = begins[v] + variables[v].parameters;
            first_of[v] = begins[v];
            if (variables[v].how == share::each_memory && variables[v].parts.unequal_of) between[betweens++] = code_of(origin::between, begins[v]);
            if (variables[v].info->kind == variable_kind::scalar) copy_of[v] = add_scalar(variables[v], v, begins[v]);
        }
        int kept = begins[Variables], loops = 0;
        for (int i = 0; i < Parameters; ++i) {
            const argument& a = flat[i];
            copy[i] = -1;
            if (a.form == argument_form::count) record[i] = 1 + a.size;
            int v = 0;
            while (a.variable && variables[v].info != a.variable) ++v;
            const bool is_scalar = a.variable && a.variable->kind == variable_kind::scalar;
            const origin how = !a.variable                                   ? origin::none
                               : variables[v].how == share::each_memory ? (variables[v].parts.unequal_of ? origin::between : variables[v].parts.are_distant ? origin::distant : origin::slice)
                               : variables[v].how == share::each_object ? origin::element
                               : variables[v].how == share::own_temp    ? origin::own_temp
                                                                        : origin::given;
            switch (a.form) {
                case argument_form::pointer: of[i] = is_scalar ? code_of(origin::scalar, copy_of[v]) : code_of(how, begins[v]); break;
                case argument_form::object:
                    of[i] = code_of(how, begins[v]);
                    if (how == origin::element && lowered[i].counts) compute(variables, i, v, flat, lowered);
                    break;
                case argument_form::extent:
                    if (is_scalar)
                        of[i] = code_of(origin::one);
                    else if (variables[v].parts.unequal_of)
                        of[i] = code_of(origin::length, begins[number_among(variables, variables[v].parts.unequal_of)]);
                    else if (variables[v].parts.formula_of)
                        compute(variables, i, number_among(variables, variables[v].parts.formula_of), flat, lowered);
                    else
                        of[i] = code_of(origin::given, begins[v] + (variables[v].how != share::count));
                    break;
                case argument_form::computed:
                    if (differs(variables, *a.value)) {
                        of[i] = code_of(origin::argument, a.value->keeps ? kept++ : 0);
                        break;
                    }
                    [[fallthrough]];
                case argument_form::kept_value:
                case argument_form::count: of[i] = code_of(origin::given, kept++); break;
                case argument_form::counter:
                    if (a.size > 0) counter[loops++] = i;
                    break;
                default: break;
            }
        }
        for (int v = 0; v < Variables; ++v) add_elements(variables[v], v, flat, lowered);
    }

    // The origin of the number of elements of a variable, or of the number that a value has.
    constexpr int code_of_length(const shared_variable* variables, const variable_info* info) const {
        const int v = number_among(variables, info);
        if (variables[v].parts.unequal_of) return code_of(origin::length, first_of[number_among(variables, variables[v].parts.unequal_of)]);
        if (variables[v].how == share::each_object) return code_of(origin::element, first_of[v]);
        return code_of(origin::given, first_of[v] + (variables[v].how != share::count && variables[v].how != share::all_object));
    }

    // Whether a variable exists only in the copies of elements, if threads have those.
    constexpr bool is_only_copied(const shared_variable* variables, const variable_info* info) const {
        for (int c = 0; c < elements; ++c)
            if (variables[element_variable[c]].info == info) return (element[c] & (copy_filled | copy_through)) == 0;
        return false;
    }

private:
    static constexpr int number_among(const shared_variable* variables, const variable_info* info) {
        int v = 0;
        while (variables[v].info != info) ++v;
        return v;
    }
    static constexpr bool differs(const shared_variable* variables, const value_rule& formula) {
        for (int i = 0; i < formula.variable_count; ++i) {
            const shared_variable& v = variables[number_among(variables, formula.variables[i])];
            if (v.parts.unequal_of || (v.how == share::each_object && v.info->kind == variable_kind::value)) return true;
        }
        return false;
    }
    // A count that follows from variable v. A node has no more elements than the arrays of which it takes elements.
    constexpr void compute(const shared_variable* variables, int i, int v, const argument* flat, const lowered_argument* lowered) {
        of[i] = code_of(origin::formula, v);
        most[i] = -1;  // all temps of one formula have as much memory, also where that is another variable's
        for (int w = 0; w < Variables; ++w)
            if (variables[w].how == share::own_temp && variables[w].parts.formula_of == variables[v].info) most[i] = code_of(origin::given, first_of[w] + 1);
        for (int j = i + 1; lowered[i].counts && j < Parameters && !lowered[j].counts; ++j) {
            const bool is_array = flat[j].variable && flat[j].form == argument_form::pointer && flat[j].variable->kind != variable_kind::scalar && (flat[j].each || flat[j].near);
            limit[j] = is_array && !variables[number_among(variables, flat[j].variable)].parts.formula_of ? code_of_length(variables, flat[j].variable) : -1;
            ++limits[i];
        }
    }
    constexpr int add_scalar(const shared_variable& v, int number, int at) {
        const origin from = v.how == share::each_object ? origin::element : v.how == share::all_memory ? origin::given : origin::none;
        scalar[scalars] = code_of_scalar(from, at, v.written && from == origin::element);
        scalar_variable[scalars] = number;
        return scalars++;
    }
    constexpr void add_elements(const shared_variable& v, int number, const argument* flat, const lowered_argument* lowered) {
        const bool in_memory = v.how == share::each_memory || v.how == share::all_memory, is_temp = v.how == share::own_temp;
        if (v.info->kind == variable_kind::scalar || !(in_memory || is_temp)) return;
        if (v.info->size > (is_temp ? most_bytes_of_temp_copy : most_register_copy_bytes)) return;
        int own = -1;
        bool reached = false, written = false, written_elsewhere = false;
        const auto is_of = [&](int i) { return flat[i].variable == v.info && flat[i].form == argument_form::pointer; };
        for (int i = 0; i < Parameters; ++i) {
            if (!is_of(i)) continue;
            written = written || writes(flat[i].access);
            if (is_own_element(flat[i], lowered[i]))
                own = i;
            else
                reached = true, written_elsewhere = written_elsewhere || writes(flat[i].access);
        }
        if (own < 0 || written_elsewhere) return;
        const bool through = written && reached;
        for (int i = 0; i < Parameters; ++i)
            if (is_of(i) && is_own_element(flat[i], lowered[i])) copy[i] = 2 * elements + (through && writes(flat[i].access));
        element_variable[elements] = number;
        element[elements++] = 8 * of[own] + (in_memory ? copy_filled : 0) + (through ? copy_through : 0) + (written && in_memory && !through ? copy_at_end : 0);
    }
};

}  // namespace cograph::core
