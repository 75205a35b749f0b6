// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/expr/function/lane_order.hpp>
#include <cograph/plan/batch/problem_frame.hpp>
#include <cograph/plan/batch/problem_variables.hpp>
#include <cograph/plan/persistent/program.hpp>

#include <cstring>

namespace cograph::core {

// A batch as a node: the program of E, which a persistent kernel would run for all, run for each problem.

// Where a parameter of a problem comes from, as one number: how, and from which parameters of the batch, or which scalar.
enum class origin : unsigned char {
    none,      // made where it is used, or the problem's own
    given,     // as the batch has it
    slice,     // the problem's part of memory: pointer and count
    own_temp,  // in the place of those that run at once: offset
    scalar,    // the problem's copy
    element,   // one of an array of objects
    one        // the number of elements of a scalar
};
constexpr int code_of(origin how, int at = 0) { return static_cast<int>(how) + 8 * at; }
COGRAPH_HD constexpr origin how_of(int code) { return static_cast<origin>(code % 8); }
COGRAPH_HD constexpr int place_in(int code) { return code / 8; }

// Where the copy of a scalar starts, and whether it goes back there: one of an array, one that all problems read, or nowhere.
constexpr int code_of_scalar(origin how, int at, bool stored) { return code_of(how, at) * 2 + stored; }

// The first parameters of a batch: what it counts, its queue, memory for the temps of problems that run at once, bytes of each place.
constexpr int leading_parameters = 4;
constexpr unsigned queue_bytes = 128;

// Temps of a problem lie in the shared memory of the block where they take no more than so many bytes.
template <int Size>
constexpr std::size_t shared_place = Size == 1 ? 0 : Size * 64 < 16 * 1024 ? Size * 64 : 16 * 1024;

// Threads of a problem.
constexpr bool is_problem_group(int size) { return size == 1 || (is_group_size(size) && size >= warp_lanes); }
constexpr int largest_group(const node_spec& tree) {
    int largest = tree.traits->threads_of_group;
    if (tree.kind == spec_kind::work && tree.traits->counts_elements && largest == 0) largest = 1;
    for (int i = 0; i < tree.child_count; ++i)
        if (const int below = largest_group(*tree.children[i]); below > largest) largest = below;
    return largest;
}
// One where nothing runs over elements; else a warp, or as many as a group in it has.
constexpr int chosen_group(const node_spec& tree) {
    const int largest = largest_group(tree);
    return largest == 0 ? 1 : largest < warp_lanes ? warp_lanes : largest;
}

// Blocks: as many as an H200 can hold at once, or as there are problems. Small ones where problems have a thread each, which spreads them.
template <int Size>
constexpr int threads_of_block = Size >= 64 ? Size : Size == 1 ? 32 : 128;
template <int Size>
constexpr launch_extent size_of_batch(const launch_request& asked) {
    constexpr int of_block = threads_of_block<Size> / Size;
    constexpr index_t most = 132 * 2048 / threads_of_block<Size>;
    const index_t needed = (asked.elements + of_block - 1) / of_block;
    return {needed < 1 ? 1 : needed < most ? needed : most, static_cast<unsigned>(threads_of_block<Size>)};
}
template <int Size>
constexpr index_t problems_at_once(index_t problems) {
    const index_t places = size_of_batch<Size>({problems, 0, 1, 1}).blocks * (threads_of_block<Size> / Size);
    return problems < 0 ? 0 : problems < places ? problems : places;
}
template <int Size>
inline constexpr node_traits batch_traits{.rule = "per_group", .size = &size_of_batch<Size>, .takes_shape = true, .counts_elements = true, .threads_of_group = Size};

// Elements of which threads keep copies, where a thread has one at most: of variables that nodes write as their own elements alone. What
// others read goes to memory too; of temps alone, such elements may be as large as registers.
enum copy_flag : int {
    copy_filled = 1,   // read from memory before the program
    copy_through = 2,  // written to memory by the nodes
    copy_at_end = 4    // written to memory behind the program
};
constexpr unsigned most_bytes_of_temp_copy = 1024;

// A program without names. From: by parameter of a problem. Scalars: the types of its copies of them. Copies: by parameter, which copy of an
// element it leads to, twice, and whether it writes through; or -1. Elements: the types of those.
template <class Steps, class Parameters, class From, class Scalars, class ScalarCodes, class Copies, class Elements, class ElementCodes>
struct problem_program;
template <int Size, class Program, class... P>
struct batch_code {};

template <class Domain, int Size, class E, class... S>
struct batch_node;

// The whole of which problems have parts, among slices.
template <class V, class... U, class... W>
constexpr auto whole_among(list<slices_of<U, W>...>) {
    constexpr int at = first_true<std::is_same_v<U, V>...>();
    if constexpr (at < static_cast<int>(sizeof...(U)))
        return word_at<at>(list<W...>{});
    else
        return word<V>{};
}

// What follows from the types of a batch.
template <class Domain, int Size, class E, class... S>
struct batch_of {
    using node = batch_node<Domain, Size, E, S...>;
    using expression = E;
    using domain = Domain;
    static constexpr int size = Size;
    using own_arguments = decltype(arguments_below<E>::find());
    using variables = variables_below<E>;
    static constexpr slice_list slices = core::slices<S...>::view;

    template <class V>
    static constexpr share share_of() {
        return core::share_of(core::slices<S...>::view, planned_in<E, V>);
    }
    // The whole of which problems have parts.
    template <class V>
    static constexpr auto whole_of(word<V>) {
        return whole_among<V>(list<S...>{});
    }

    template <access_mode Access, class W>
    static constexpr auto memory_of(word<W>) {
        return list<accessed<W, Access>>{};
    }
    template <class V>
    static constexpr auto arguments_of_variable(word<V>) {
        constexpr share how = share_of<V>();
        if constexpr (how == share::each_memory)
            return decltype(memory_of<use_of_whole(planned_in<E, V>)>(whole_of(word<V>{}))){} + list<problem_number<batch_of, problem_quantity::count, V>>{};
        else if constexpr (how == share::each_object)
            return memory_of<use_of_whole(planned_in<E, V>)>(whole_of(word<V>{}));
        else if constexpr (how == share::all_object)
            return list<accessed<V, planned_in<E, V>.read ? access_mode::read : access_mode::none>>{};
        else if constexpr (how == share::all_memory && V::kind == variable_kind::scalar)
            return list<accessed<V, access_mode::read>>{};
        else if constexpr (how == share::all_memory)
            return list<accessed<V, planned_in<E, V>.read ? access_mode::read : access_mode::none>, extent_t<V>>{};
        else if constexpr (how == share::own_temp)
            return list<problem_number<batch_of, problem_quantity::offset, V>, problem_number<batch_of, problem_quantity::count, V>>{};
        else if constexpr (how == share::count)
            return list<problem_number<batch_of, problem_quantity::count, V>>{};
        else
            return list<>{};
    }

    // What nodes keep, and what the host computes of it, is passed as it is.
    template <int I, class A>
    static constexpr auto passed(word<A>) {
        constexpr argument_form form = A::describe.form;
        if constexpr (form == argument_form::computed)
            return list<problem_value<batch_of, I, typename A::parameter>>{};
        else if constexpr (form == argument_form::kept_value || form == argument_form::count)
            return list<A>{};
        else
            return list<>{};
    }

    template <class... V>
    static constexpr auto of_variables(list<V...>) {
        return (list<>{} + ... + decltype(arguments_of_variable(word<V>{})){});
    }
    template <class... A, int... I>
    static constexpr auto of_nodes(list<A...>, std::integer_sequence<int, I...>) {
        return (list<>{} + ... + decltype(passed<I>(word<A>{})){});
    }
    template <class... A>
    static constexpr auto numbers(list<A...>) {
        return std::make_integer_sequence<int, sizeof...(A)>{};
    }
    using arguments = decltype(list<Domain, scratch<queue_bytes>, problem_places<batch_of>, problem_number<batch_of, problem_quantity::bytes, void>>{} +
                               of_variables(variables{}) + of_nodes(own_arguments{}, numbers(own_arguments{})));

    // By parameter of a problem, its origin; the same of the scalars it has copies of.
    template <class... A>
    static constexpr int count(list<A...>) {
        return sizeof...(A);
    }
    struct origins {
        int of[core::count_parameters(E::tree) + 1]{};
        int scalar[core::count_parameters(E::tree) + 1]{};
        int scalar_variable[core::count_parameters(E::tree) + 1]{};
        int scalars = 0;
        int copy[core::count_parameters(E::tree) + 1]{};
        int element[core::count_parameters(E::tree) + 1]{};
        int element_variable[core::count_parameters(E::tree) + 1]{};
        int elements = 0;
    };
    template <class... A, class... V>
    static constexpr origins find_origins(list<A...>, list<V...>) {
        constexpr const variable_info* infos[] = {&info_of<V>..., nullptr};
        constexpr share shares[] = {share_of<V>()..., share::count};
        constexpr bool stored[] = {planned_in<E, V>.written..., false};
        constexpr int widths[] = {count(decltype(arguments_of_variable(word<V>{})){})..., 0};
        constexpr argument described[] = {A::describe..., argument{argument_form::kept_value}};
        origins all;
        int passed = leading_parameters + sum_of(widths, sizeof...(V));
        int copy_of[sizeof...(V) + 1]{};
        for (int v = 0, at = leading_parameters; v < static_cast<int>(sizeof...(V)); at += widths[v++]) {
            if (infos[v]->kind != variable_kind::scalar) continue;
            const origin start = shares[v] == share::each_object ? origin::element : shares[v] == share::all_memory ? origin::given : origin::none;
            all.scalar[all.scalars] = code_of_scalar(start, at, stored[v] && start == origin::element);
            all.scalar_variable[all.scalars] = v;
            copy_of[v] = all.scalars++;
        }
        for (int i = 0; i < static_cast<int>(sizeof...(A)); ++i) {
            const argument& a = described[i];
            int v = 0, at = leading_parameters;
            while (a.variable && infos[v] != a.variable) at += widths[v++];
            switch (a.form) {
                case argument_form::pointer:
                    all.of[i] = infos[v]->kind == variable_kind::scalar       ? code_of(origin::scalar, copy_of[v])
                                : shares[v] == share::each_memory ? code_of(origin::slice, at)
                                : shares[v] == share::own_temp    ? code_of(origin::own_temp, at)
                                                                  : code_of(origin::given, at);
                    break;
                case argument_form::object: all.of[i] = code_of(shares[v] == share::each_object ? origin::element : origin::given, at); break;
                case argument_form::extent:
                    all.of[i] = infos[v]->kind == variable_kind::scalar ? code_of(origin::one) : code_of(origin::given, at + widths[v] - 1);
                    break;
                case argument_form::kept_value:
                case argument_form::count:
                case argument_form::computed: all.of[i] = code_of(origin::given, passed++); break;
                default: all.of[i] = code_of(origin::none);
            }
        }
        find_copies(all, infos, shares, static_cast<int>(sizeof...(V)));
        return all;
    }
    static constexpr void find_copies(origins& all, const variable_info* const* infos, const share* shares, int variables_count) {
        constexpr int count = core::count_parameters(E::tree);
        argument flat[count + 1]{};
        lowered_argument of[count + 1]{};
        argument* to = flat;
        lowered_argument* to_of = of;
        int leaf = 0;
        flatten_parameters(E::tree, to, to_of, leaf);
        for (int i = 0; i < count; ++i) all.copy[i] = -1;
        for (int v = 0; v < variables_count && Size > 1; ++v) {
            const variable_info* const info = infos[v];
            const bool in_memory = shares[v] == share::each_memory || shares[v] == share::all_memory, is_temp = shares[v] == share::own_temp;
            if (info->kind == variable_kind::scalar || !(in_memory || is_temp)) continue;
            if (info->size > (is_temp ? most_bytes_of_temp_copy : most_register_copy_bytes)) continue;
            int own = -1;
            bool reached = false, written = false, written_elsewhere = false;
            for (int i = 0; i < count; ++i) {
                if (flat[i].variable != info || flat[i].form != argument_form::pointer) continue;
                written = written || writes(flat[i].access);
                if (is_own_element(flat[i], of[i]))
                    own = i;
                else
                    reached = true, written_elsewhere = written_elsewhere || writes(flat[i].access);
            }
            if (own < 0 || written_elsewhere) continue;
            const bool through = written && reached;
            for (int i = 0; i < count; ++i)
                if (flat[i].variable == info && flat[i].form == argument_form::pointer && is_own_element(flat[i], of[i]))
                    all.copy[i] = 2 * all.elements + (through && writes(flat[i].access));
            all.element_variable[all.elements] = v;
            all.element[all.elements++] = 8 * all.of[own] + (in_memory ? copy_filled : 0) + (through ? copy_through : 0) + (written && in_memory && !through ? copy_at_end : 0);
        }
    }
    static constexpr origins from = find_origins(own_arguments{}, variables{});

    // Its code.
    template <class T>
    static constexpr list<plain<typename T::element>> element_type_of(word<T>) {
        return {};
    }
    template <int... At, class... V>
    static constexpr auto element_types(list<V...> all) {
        return (list<>{} + ... + decltype(element_type_of(word_at<At>(all))){});
    }
    template <int... I, int... C, int... D, class... A, class... P>
    static auto code(std::integer_sequence<int, I...>, std::integer_sequence<int, C...>, std::integer_sequence<int, D...>, list<A...>, list<P...>)
        -> batch_code<Size,
                      problem_program<gathered<typename program_of<E, E, 0, 0>::type>, list<plain<typename A::parameter>...>,
                                      std::integer_sequence<int, from.of[I]...>, decltype(element_types<from.scalar_variable[C]...>(variables{})),
                                      std::integer_sequence<int, from.scalar[C]...>, std::integer_sequence<int, from.copy[I]...>,
                                      decltype(element_types<from.element_variable[D]...>(variables{})), std::integer_sequence<int, from.element[D]...>>,
                      plain<typename P::parameter>...>;
    using codes = list<decltype(code(numbers(own_arguments{}), std::make_integer_sequence<int, from.scalars>{}, std::make_integer_sequence<int, from.elements>{},
                                     own_arguments{}, arguments{}))>;

    // As data: numbers of its own record come first, those of its nodes behind it.
    struct argument_table {
        argument all[count(arguments{}) + 1]{};
    };
    template <class... P>
    static constexpr argument_table describe(list<P...>) {
        argument_table all{{P::describe..., argument{argument_form::kept_value}}};
        constexpr int counts = core::count_parameters(E::tree);
        argument flat[counts + 1]{};
        lowered_argument of[counts + 1]{};
        argument* to = flat;
        lowered_argument* to_of = of;
        int leaf = 1;
        flatten_parameters(E::tree, to, to_of, leaf);
        for (int i = 0; i < counts; ++i)
            if (flat[i].form == argument_form::count) all.all[place_in(from.of[i])].size = flat[i].size;
        return all;
    }
    static constexpr argument_table table = describe(arguments{});
};

template <class Domain, int Size, class E, class... S>
struct batch_node {
    using self = batch_node;
    using children = list<>;
    using batch = batch_of<Domain, Size, E, S...>;
    using codes = typename batch::codes;
    using arguments = typename batch::arguments;
    using kept_type = typename E::kept_type;
    static constexpr int leaves = 1 + E::leaves;
    static constexpr node_spec tree{.kind = spec_kind::work,
                                    .name = {"batch"},
                                    .traits = &batch_traits<Size>,
                                    .arguments = batch::table.all,
                                    .argument_count = batch::count(arguments{}),
                                    .leaves = leaves,
                                    .domain = Domain::describe};
    record records[leaves];
    [[no_unique_address]] kept_type kept;
};

// Argument number I of an expression, counted through its nodes: of which node, and as which of its own.
struct argument_place {
    int leaf = 0, own = 0;
};
constexpr bool find_argument(const node_spec& tree, int& left, argument_place& at) {
    if (left < tree.argument_count) {
        at.own = left;
        return true;
    }
    left -= tree.argument_count;
    if (!is_group(tree)) at.leaf += tree.leaves;
    for (int i = 0; i < tree.child_count; ++i)
        if (find_argument(*tree.children[i], left, at)) return true;
    return false;
}
constexpr argument_place place_of_argument(const node_spec& tree, int number) {
    argument_place at;
    find_argument(tree, number, at);
    return at;
}
inline const void* computed_number(const frame& f, argument_place at) {
    for (int r = 0; r < f.plan.count.nodes; ++r) {
        const plan_node& here = f.plan.nodes[r];
        if (here.kind != plan_node_kind::conditional && here.leaf == at.leaf && at.own < here.argument_count)
            return f.slots[f.plan.arguments[here.first_argument + at.own]].number;
    }
    return nullptr;
}

template <class B, problem_quantity What, class V, int I>
const char* compute_problem_number(const void* (*)(const void*, const variable_info&), const void* run, const void*, void* to, char*) {
    using E = typename B::expression;
    const frame& batch = *static_cast<const frame*>(run);
    problem_frame problem(plan_to_run<E>(), batch, node_of_number(batch, B::node::tree, to), B::slices);
    index_t number = 0;
    if constexpr (What == problem_quantity::bytes) {
        problem.complete();
        number = static_cast<index_t>(problem.bytes_before(B::slices, nullptr));
    } else if constexpr (What == problem_quantity::count) {
        number = static_cast<index_t>(problem.slots[number_of(problem, &info_of<V>)].count);
    } else if constexpr (What == problem_quantity::offset) {
        number = static_cast<index_t>(problem.bytes_before(B::slices, &info_of<V>));
    } else {
        problem.complete();
        std::memcpy(to, computed_number(problem, place_of_argument(E::tree, I)), most_number_bytes);
        return nullptr;
    }
    std::memcpy(to, &number, sizeof number);
    return nullptr;
}

template <class B>
size_result size_of_places(const size_rule&, size_result (*)(const void*, const variable_info&), const void* run) {
    const frame& batch = *static_cast<const frame*>(run);
    std::int64_t most = 0;
    for (int r = 0; r < batch.plan.count.nodes; ++r) {
        const plan_node& here = batch.plan.nodes[r];
        if (here.from != &B::node::tree) continue;
        const problem_frame problem(plan_to_run<typename B::expression>(), batch, here, B::slices);
        const std::size_t bytes = problem.bytes_before(B::slices, nullptr);
        const index_t at_once = problems_at_once<B::size>(domain_size(batch, here));
        const index_t places = bytes <= shared_place<B::size> && at_once > 1 ? 1 : at_once;  // on the host there is one
        if (places > 0 && bytes > static_cast<std::size_t>(PTRDIFF_MAX / places)) return {0, "have more bytes than memory can hold"};
        const std::int64_t all = static_cast<std::int64_t>(bytes) * places;
        if (all > most) most = all;
    }
    return {most, nullptr};
}

template <class Domain, int Size, class E, class... S>
word<struct batch_of_problems> word_of(const batch_node<Domain, Size, E, S...>*);
template <class Domain, int Size, class E, class... S>
typename batch_of<Domain, Size, E, S...>::arguments operands_of(const batch_node<Domain, Size, E, S...>*);
template <class Domain, int Size, class E, class... S>
list<E> members_of(const batch_node<Domain, Size, E, S...>*);

}  // namespace cograph::core
