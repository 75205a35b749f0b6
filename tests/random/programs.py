# SPDX-License-Identifier: Apache-2.0
"""Random well-formed expressions: what they are, whether they are well-formed, how they are written down.

A program is a tree of Node. Each leaf says which variables it reads and writes, how it is written in the language, and
what it does in plain C++; nothing here knows how the library plans. `problems` is the judge of well-formedness.
"""
import random
import re

INTEGERS = ["a", "b", "t", "u"]  # as long as a
DOUBLES = ["d", "e", "w"]  # as long as d
SIZED = ["p", "q"]  # as long as a formula says
BUFFERS = INTEGERS + DOUBLES + ["c"] + SIZED
TEMPS = ["t", "u", "w"] + SIZED
SCALARS = ["s0", "s1", "s2", "s3"]
REALS = ["r0", "r1"]
OWNED = ["own"]
COUNTERS = [f"i{d}" for d in range(6)]
ENUMERATIONS = ["hue"]
STRUCTS = ["both"]
MEMBERS = ["first", "second"]
VALUES = ["k", "v", "limit", "wish"]  # wish is an enumeration
COLORS = ["color::red", "color::green", "color::blue"]
MUST_WRITE_FIRST = set(TEMPS + OWNED)
# Of nodes that read neighbours: the shape, its rows and columns for n elements (no rows: one dimension), the radius.
NEAR = [("over({y})", None, "{n}", "2"), ("over<extent({y}) / 7, 7>()", "{n} / 7", "7", "1, 1"), ("over<3, extent({y}) / 3>()", "3", "{n} / 3", "1, 2"),
        ("over<extent({y}) / 64, 64>()", "{n} / 64", "64", "1, 1"), ("over<extent({y}) / 200, 200>()", "{n} / 200", "200", "1, 1")]
GROUPS = ("seq", "par", "nodes")  # nodes: as_nodes, whose part is left as it is written
EVERYTHING = frozenset(BUFFERS + SCALARS + REALS + OWNED + ENUMERATIONS + STRUCTS + COUNTERS)
MOST_PASSES = 400  # of a body in loops in loops
MOST_COUNTED = 10  # a counter's largest value


def home(name):
    """The variable whose extent this one has."""
    return "a" if name in INTEGERS else "d" if name in DOUBLES else "p" if name in SIZED else "c"


def sized_by(temp):
    """The variables that say how many elements a temp has."""
    return {"a", "k"} if temp in SIZED else {home(temp)}


def place(name):
    """Where the plain form finds a variable."""
    return ("h." if name in MUST_WRITE_FIRST else "given.") + name


def pointer(name):
    return place(name) + (".data()" if name in BUFFERS else "")


def count(name):
    return f"static_cast<index_t>({place(name)}.size())"


class Node:
    def __init__(self, kind, children=(), reads=(), writes=(), counts=(), text="", plain="", trips=1, most=None, every=1):
        self.kind = kind  # leaf seq par when switch while do repeat nodes
        self.children = list(children)
        self.reads = set(reads)  # of a leaf, or of a predicate
        self.writes = set(writes)
        self.counts = set(counts)  # whose extents alone are used
        self.text = text
        self.plain = plain
        self.trips = trips  # the most a loop's body runs
        self.most = most  # of a loop: a number or a value that limits its passes
        self.every = every  # of a loop: passes from one test to the next

    def touched(self):
        """All variables read and written below."""
        reads, writes = set(self.reads), set(self.writes)
        for child in self.children:
            r, w = child.touched()
            reads |= r
            writes |= w
        return reads, writes

    def names(self):
        """All variables that a run must know of."""
        reads, writes = self.touched()
        used = reads | writes | set().union(*(node.counts for node in self.walk()))
        return used.union(*(sized_by(name) for name in used if name in TEMPS))

    def size(self):
        return (self.kind not in GROUPS) + sum(child.size() for child in self.children)

    def cost(self):
        return (self.kind == "leaf") + self.trips * sum(child.cost() for child in self.children)

    def nesting(self):
        """Of loops and branches."""
        return (self.kind not in ("leaf", *GROUPS)) + max((child.nesting() for child in self.children), default=0)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


class Box:
    """A shape for as many elements as a variable has, and its loop in plain C++."""

    def __init__(self, shape, variable):
        text, rows, columns, self.radius = shape
        n = count(home(variable))
        columns = columns.format(n=n)
        self.text = text.format(y=home(variable))
        self.sides = f"{(rows or '1').format(n=n)}, {columns}"
        self.at = "row, column" if rows else "column"
        self.number = f"row * ({columns}) + column"

    def loop(self, step):
        return f"for_each_place({self.sides}, [&](index_t row, index_t column) {{ {step} }});"


def problems(node, defined=None):
    """What is ill-formed: variables that must be written first but are read, races of par, empty bodies, endless loops."""
    found = []
    flow(node, set(defined or ()), found)
    return found


def flow(node, defined, found):
    """Adds to `defined` what is written on every path."""
    def check_reads():
        found.extend(f"{name} is read before it is written" for name in sorted(node.reads & MUST_WRITE_FIRST - defined))

    if node.kind != "do":
        check_reads()
    if node.kind == "leaf":
        defined |= node.writes
    elif node.kind in GROUPS:
        if node.kind == "par":
            touched = [child.touched() for child in node.children]
            for i, (reads, writes) in enumerate(touched):
                others = set().union(*(r | w for j, (r, w) in enumerate(touched) if j != i))
                found += [f"a race on {name}" for name in writes & others]
        for child in node.children:
            flow(child, defined, found)
    else:
        if any(child.size() == 0 for child in node.children):
            found.append("an empty body")
        if node.kind in ("while", "do") and not node.reads & set().union(*(c.touched()[1] for c in node.children)):
            found.append("an endless loop")
        after = []
        for child in node.children:
            inside = set(defined)
            flow(child, inside, found)
            after.append(inside)
        if node.kind == "do":
            defined |= after[0]
            check_reads()
        if node.kind == "when" and len(node.children) == 2:
            defined |= after[0] & after[1]
    return defined


class Generator:
    def __init__(self, seed, most_nodes=60, most_depth=5, of_problem=False):
        self.random = random.Random(seed)
        self.most_depth = most_depth  # of loops and branches
        self.of_problem = of_problem  # only what problems of unequal lengths may have in a batch
        self.left = self.random.choice([4, 8, 12, 20] if of_problem else [4, 8, 12, 20, 30, 40, most_nodes])
        self.passes = 1  # the most that the body in hand runs

    def pick(self, names):
        return self.random.choice(list(names))

    def literal(self):
        return str(self.random.randrange(1, 100))

    # Leaves. `pool` holds the variables that may be used here, `defined` those that may be read.
    def leaf(self, pool, defined):
        in_batches = [self.mapped, self.made, self.gathered, self.grouped, self.first_ones, self.scanned, self.compacted, self.spread, self.summed, self.stored, self.reduced,
                      self.dotted, self.copied, self.filled, self.assigned, self.looked]
        others = [self.relaxed, self.poked, self.raw, self.raw_picked, self.enqueued, self.painted, self.barred]
        for _ in range(30):
            made = self.pick(in_batches + ([self.painted] if self.of_problem else others))(pool, defined)
            if made and not made.reads & MUST_WRITE_FIRST - defined and (made.reads | made.writes) <= pool | set(VALUES):
                return made
        return self.assigned(pool, defined)

    def two(self, pool, alike=True):
        """Two buffers of one length."""
        first = self.pick(BUFFERS)
        others = [x for x in BUFFERS if x != first and (not alike or home(x) == home(first))]
        return (first, self.pick(others)) if others else (first, None)

    def number(self):
        """A number that is not negative: a literal, a value, or what the host computes of values and extents."""
        return self.pick([self.literal(), self.literal(), "k", "v", "k", "v", self.computed_number()])

    def computed_number(self):
        x = f"extent({self.pick([x for x in BUFFERS if x not in SIZED] if self.of_problem else BUFFERS)})"
        return self.pick([f"{x} + {self.literal()}", f"{self.pick('kv')} * {x} % 1009", f"abs(v - {x})", f"ceil_div({x}, {self.pick('24')})",
                          f"min({x}, {self.literal()}) + (k > 2)", f"((v ^ {x}) & 255)", "2 * v + k", f"({x} << 2) % (k + 7)"])

    def mapped(self, pool, defined):
        x, y = self.two(pool)
        if not y:
            return None
        n = self.number()
        domain, bound = self.pick([(f"({y})", count(y)), (f"({home(y)})", count(y)), (f"<extent({y}) / 2>()", f"{count(y)} / 2"),
                                   (f"<min(extent({y}), k)>()", f"min({count(y)}, {place('k')})")])
        return Node("leaf", reads={x, y} | values_in(n) | values_in(domain), writes={y}, counts={y, home(y)} | counted_in(n),
                    text=f"for_each(over{domain}, combine{{}})(in({x}[each]), inout({y}[each]), {n})",
                    plain=f"for (index_t i = 0; i < {bound}; ++i) combine{{}}(i, {place(x)}[i], {place(y)}[i], {self.value(n)});")

    def value(self, n):
        return computed(n, values_in(n))

    def made(self, pool, defined):
        x, y = self.two(pool)
        if not y:
            return None
        n = self.number()
        return Node("leaf", reads={x} | values_in(n), writes={y}, counts=counted_in(n),
                    text=f"for_each(over({y}), make{{}})(in({x}[each]), out({y}[each]), {n})",
                    plain=f"for (index_t i = 0; i < {count(y)}; ++i) make{{}}(i, {place(x)}[i], {place(y)}[i], {self.value(n)});")

    def relaxed(self, pool, defined):
        x, y = self.two(pool)
        return self.near(x, y, Box(self.pick(NEAR), y)) if y else None

    def near(self, x, y, box, total=None):
        """Reads what is around an element; perhaps also joins what it writes, in an order that makes no difference."""
        n = self.number()
        arguments = f"in({x}[near<{box.radius}>]), {self.pick(['out', 'inout'])}({y}[each]), {n}"
        call = f"({box.at}, plain_neighbours<{self.types(x, y).split(',')[0]}>{{{pointer(x)}, {box.sides}, row, column}}, {place(y)}[{box.number}], {self.value(n)})"
        if total:
            op, start = self.pick([("plus", "0"), ("maximum", "std::numeric_limits<integer>::lowest()")])
            text, before = f"transform_reduce({box.text}, relaxed_term{{}}, {op}{{}})(out({total}), {arguments})", f"{place(total)} = {start}; "
            step = f"{place(total)} = {op}{{}}({place(total)}, relaxed_term{{}}{call});"
        else:
            text, before, step = f"for_each({box.text}, relax{{}})({arguments})", "", f"relax{{}}{call};"
        return Node("leaf", reads={x, y} | values_in(n), writes={y} | {total} - {None}, counts={home(y)} | counted_in(n), text=text, plain=before + box.loop(step))

    def drifted(self, y, box):
        n = self.number()
        return Node("leaf", reads={y} | values_in(n), writes={y}, counts={home(y)} | counted_in(n), text=f"for_each({box.text}, drift{{}})(inout({y}[each]), {n})",
                    plain=box.loop(f"drift{{}}({box.at}, {place(y)}[{box.number}], {self.value(n)});"))

    def taken(self, x, y, box):
        return Node("leaf", reads={x, y}, writes={y}, counts={home(y)}, text=f"for_each({box.text}, take{{}})(in({x}[each]), out({y}[each]))",
                    plain=box.loop(f"take{{}}({box.at}, {place(x)}[{box.number}], {place(y)}[{box.number}]);"))

    def swept(self, pool, defined):
        """The body of a loop that may keep a box in tiles: every node runs over the same one."""
        x, y = self.two(pool)
        if not y or not {x, y} <= pool or {x, y} & MUST_WRITE_FIRST - defined:
            return None
        box = Box(self.pick(NEAR), y)
        total = self.pick([s for s in SCALARS if s in pool] + [None, None])
        steps = [self.near(x, y, box, total), self.pick([self.near(y, x, box), self.taken(y, x, box)])]
        for _ in range(self.random.randrange(0, 2)):
            steps.insert(self.random.randrange(0, 3), self.drifted(self.pick([x, y]), box))
        return Node("seq", steps)

    def narrowed(self, depth, pool, defined):
        """The body of a loop over few elements and many: the nodes of its phases wait for each other, also in an inner loop."""
        wide = [x for x in ("a", "b", "d", "e") if x in pool]
        if not wide or not set(SIZED) <= pool:
            return None
        few, other = self.random.sample(SIZED, 2)
        pair = [self.gathered_from(few, other), self.gathered_from(other, few)]
        first = [pair[0]] if depth + 2 > self.most_depth else [pair[0], Node("repeat", [Node("seq", pair)], text="3", plain="3", trips=3)]
        steps = [self.gathered_from(self.pick(wide), few), self.pick(first), *pair, self.gathered_from(self.pick([few, other]), self.pick(wide))]
        if "c" in pool:
            steps.insert(self.random.randrange(1, 5), self.gathered_from(few, "c", "<40>()", "40"))
        self.left -= 2 * len(steps)
        return Node("seq", steps)

    def gathered(self, pool, defined):
        return self.gathered_from(*self.two(pool, alike=False))

    def gathered_from(self, x, y, domain=None, bound=None):
        stride = self.pick(["1", "3", "17"])
        return Node("leaf", reads={x}, writes={y},
                    text=f"for_each(over{domain or f'({y})'}, gather{{{stride}}})(in({x}), extent({x}), out({y}[each]))",
                    plain=f"for (index_t i = 0; i < {bound or count(y)}; ++i) gather{{{stride}}}(i, {pointer(x)}, {count(x)}, {place(y)}[i]);")

    def grouped(self, pool, defined):
        """Groups of threads, whose algorithms look at numbers all over x."""
        x, y = self.two(pool, alike=False)
        size = self.pick([1, 8, 32, 32, 64, 256])
        n = self.number()
        if size in (8, 64):
            return Node("leaf", reads={x, y} | values_in(n), writes={y}, counts=counted_in(n),
                        text=f"for_each(over({y}).group<{size}>().shared<integer>(most_kept), join_kept{{}})(in({x}), extent({x}), inout({y}[each]), {n})",
                        plain=f"for (index_t i = 0; i < {count(y)}; ++i) {{ integer kept[most_kept]{{}}; join_kept{{}}(alone, i, kept, {pointer(x)}, {count(x)}, {place(y)}[i], {self.value(n)}); }}")
        return Node("leaf", reads={x, y} | values_in(n), writes={y}, counts=counted_in(n),
                    text=f"for_each(over({y}).group<{size}>(), join_some{{}})(in({x}), extent({x}), inout({y}[each]), {n})",
                    plain=f"for (index_t i = 0; i < {count(y)}; ++i) join_some{{}}(alone, i, {pointer(x)}, {count(x)}, {place(y)}[i], {self.value(n)});")

    def first_ones(self, pool, defined):
        """As many as a scalar says that was computed just before: from less than none to all."""
        x, y = self.two(pool)
        if not y:
            return None
        s, total = self.random.sample(SCALARS, 2)
        z, n = self.pick(SCALARS + COUNTERS), self.literal()
        length, shape = f"({z} + {n}) % (extent({y}) + 1) - {self.pick('013')}", f"over({y}).first({s})"
        start = f"{place(s)} = {computed(length, {z})}; "
        node, loop, reads, writes = self.pick([
            (f"for_each({shape}, combine{{}})(in({x}[each]), inout({y}[each]), {n})",
             f"for (index_t i = 0; i < {place(s)}; ++i) combine{{}}(i, {place(x)}[i], {place(y)}[i], {n});", {x, y}, {y}),
            (f"for_each({shape}.group<32>(), join_some{{}})(in({x}), extent({x}), inout({y}[each]), {n})",
             f"for (index_t i = 0; i < {place(s)}; ++i) join_some{{}}(alone, i, {pointer(x)}, {count(x)}, {place(y)}[i], {n});", {x, y}, {y}),
            (f"transform_reduce({shape}, term{{}}, plus{{}})(out({total}), in({y}[each]), {n})",
             f"{place(total)} = fold(static_cast<std::size_t>(std::max<index_t>({place(s)}, 0)), integer(0), plus{{}}, "
             f"[&](index_t i) {{ return term{{}}(i, {place(y)}[i], {n}); }});", {y}, {total})])
        return Node("leaf", reads=reads | {z}, writes=writes | {s}, counts={y}, text=f"seq(assign({s}, {length}), {node})", plain=start + loop)

    def scanned(self, pool, defined):
        """Also with an operation of which the order matters."""
        x, y = self.two(pool)
        if not y:
            return None
        kind = self.pick(["inclusive", "exclusive"])
        op, joined = self.pick([("maximum{}, 0", "std::max(join, next)"), ("first_odd{}, 0", "first_odd{}(join, next)")])
        own = f"std::remove_reference_t<decltype({place(y)}[0])>"
        step = f"const auto next = static_cast<{own}>({place(x)}[i]); "
        put = f"{place(y)}[i] = join; "
        body = step + (f"join = {joined}; {put}" if kind == "inclusive" else f"{put}join = {joined}; ")
        return Node("leaf", reads={x}, writes={y}, text=f"{kind}_scan(in({x}), out({y}), {op})",
                    plain=f"{{ {own} join = 0; for (index_t i = 0; i < {count(y)}; ++i) {{ {body}}} }}")

    def compacted(self, pool, defined):
        """Behind the elements taken everything stays as it is."""
        x, y = self.two(pool)
        if not y:
            return None
        s = self.pick(SCALARS)
        return Node("leaf", reads={x, y}, writes={y, s}, text=f"copy_if(in({x}), out({y}), out({s}), picks{{}})",
                    plain=f"{place(s)} = 0; for (index_t i = 0; i < {count(x)}; ++i) if (picks{{}}({place(x)}[i])) {place(y)}[{place(s)}++] = {place(x)}[i];")

    def spread(self, pool, defined):
        y = self.pick(BUFFERS)
        s = self.pick(SCALARS + REALS + OWNED + COUNTERS)
        return Node("leaf", reads={s}, writes={y}, text=f"for_each(over({y}), ::random_programs::spread{{}})(out({y}), in({s}))",
                    plain=f"for (index_t i = 0; i < {count(y)}; ++i) ::random_programs::spread{{}}(i, {pointer(y)}, {place(s)});")

    def summed(self, pool, defined):
        x = self.pick(BUFFERS)
        s = self.pick(SCALARS + OWNED)
        op, start = self.pick([("plus", "0"), ("maximum", "std::numeric_limits<integer>::lowest()"),
                               ("minimum", "std::numeric_limits<integer>::max()")])
        n = self.number()
        return Node("leaf", reads={x} | values_in(n), writes={s}, counts=counted_in(n),
                    text=f"transform_reduce(over({x}), term{{}}, {op}{{}})(out({s}), in({x}[each]), {n})",
                    plain=f"{place(s)} = fold({place(x)}.size(), integer({start}), {op}{{}}, "
                          f"[&](index_t i) {{ return term{{}}(i, {place(x)}[i], {self.value(n)}); }});")

    def stored(self, pool, defined):
        x, y = self.two(pool)
        if not y:
            return None
        s = self.pick(SCALARS + OWNED)
        return Node("leaf", reads={x, y}, writes={y, s},
                    text=f"transform_reduce(over({y}), storing_term{{}}, plus{{}})(out({s}), in({x}[each]), inout({y}[each]))",
                    plain=f"{place(s)} = fold({place(y)}.size(), integer(0), plus{{}}, "
                          f"[&](index_t i) {{ return storing_term{{}}(i, {place(x)}[i], {place(y)}[i]); }});")

    def reduced(self, pool, defined):
        x = self.pick(BUFFERS)
        s = self.pick(SCALARS + OWNED if home(x) != "d" else REALS)
        kind = "integer" if home(x) != "d" else "double"
        op, start = self.pick([("plus", "0"), ("maximum", "maximum::identity<%s>()" % kind)])
        spelled = f"reduce(out({s}), in({x}))" if op == "plus" else f"reduce(out({s}), in({x}), {op}{{}})"
        return Node("leaf", reads={x}, writes={s}, text=spelled,
                    plain=f"{place(s)} = fold({place(x)}.size(), {kind}({start}), {op}{{}}, [&](index_t i) {{ return {place(x)}[i]; }});")

    def dotted(self, pool, defined):
        x = self.pick(BUFFERS)
        y = self.pick([y for y in BUFFERS if home(y) == home(x)])
        s = self.pick(SCALARS if home(x) != "d" else REALS)
        kind = "integer" if home(x) != "d" else "double"
        return Node("leaf", reads={x, y}, writes={s}, text=f"dot(out({s}), in({x}), in({y}))",
                    plain=f"{place(s)} = fold({place(x)}.size(), {kind}(0), plus{{}}, [&](index_t i) {{ return {place(x)}[i] * {place(y)}[i]; }});")

    def copied(self, pool, defined):
        x, y = self.two(pool)
        if not y:
            return None
        return Node("leaf", reads={x}, writes={y}, text=f"copy(in({x}), out({y}))", plain=f"{place(y)} = {place(x)};")

    def filled(self, pool, defined):
        y = self.pick(BUFFERS)
        n = self.number()
        kind = "double" if home(y) == "d" else "integer"
        return Node("leaf", reads=values_in(n), writes={y}, counts=counted_in(n), text=f"fill(out({y}), {n})",
                    plain=f"for (auto& element : {place(y)}) element = static_cast<{kind}>({self.value(n)});")

    def assigned(self, pool, defined):
        targets = [s for s in SCALARS + OWNED if s in pool] or ["s0"]
        s = self.pick(targets)
        readable = [x for x in SCALARS + COUNTERS + OWNED if x in pool and x not in MUST_WRITE_FIRST - defined] + members(pool)
        counted = self.pick(BUFFERS)
        terms = [self.pick(readable + [self.literal(), "k", "v", f"extent({counted})"]) for _ in range(self.random.randrange(1, 4))]
        if not any(x.isidentifier() or mentions(x, "both") for x in terms):
            terms.append("v")
        spelled = terms[0]
        for x in terms[1:]:
            op = self.pick(["+", "-", "+", "^", "&", "|", "min", "max"])
            spelled = f"{op}({spelled}, {x})" if op.isidentifier() else f"({spelled} {op} {x})"
        spelled = self.pick([f"({spelled}) % 1009"] * 4 + [f"abs({spelled}) % 1009", f"(~({spelled}) >> 1) % 1009", f"(({spelled}) << 2) % 1009",
                                                           f"ceil_div({spelled}, {self.literal()}) % 1009",
                                                           *[self.pick(real_terms(f"({spelled})", "1")) for _ in range(3)]])
        names = {x for x in terms if x.isidentifier()} | structs_in(spelled)
        if "both" in pool and self.random.random() < 0.3:
            member = self.pick(MEMBERS)
            return Node("leaf", reads=names | {"both"}, writes={"both"}, counts=counted_in(spelled), text=f"assign({member_of(member)}, {spelled})",
                        plain=f"{place('both')}.{member} = static_cast<integer>({computed(spelled, names)});")
        return Node("leaf", reads=names, writes={s}, counts=counted_in(spelled), text=f"assign({s}, {spelled})",
                    plain=f"{place(s)} = static_cast<integer>({computed(spelled, names)});")

    def looked(self, pool, defined):
        x = self.pick(BUFFERS)
        s = self.pick(SCALARS + OWNED)
        n = self.number()
        return Node("leaf", reads={x, s} | values_in(n), writes={s}, counts=counted_in(n),
                    text=f"single_task(look{{}})(inout({s}), in({x}), extent({x}), {n})",
                    plain=f"look{{}}({place(s)}, {pointer(x)}, {count(x)}, {self.value(n)});")

    def poked(self, pool, defined):
        x = self.pick(BUFFERS)
        s = self.pick(SCALARS + REALS + OWNED)
        return Node("leaf", reads={x, s}, writes={x}, text=f"single_task(poke{{}})(inout({x}), extent({x}), in({s}))",
                    plain=f"poke{{}}({pointer(x)}, {count(x)}, {place(s)});")

    def types(self, x, y):
        kind = {True: "double", False: "integer"}
        return f"{kind[home(x) == 'd']}, {kind[home(y) == 'd']}"

    def raw(self, pool, defined):
        x, y = self.two(pool)
        if not y:
            return None
        n = self.number()
        n = n if n != "k" else "v"
        types = self.types(x, y)
        marks = self.pick([(f"in({x})", f"inout({y})"), (x, y)])
        asked = self.pick(["", "", "", ".cluster(2)", ".priority(-1)", ".shared(1024)", ".programmatic()", ".programmatic()"])
        text = (f"kernel<raw_combine<{types}>, host_combine<{types}>>(over({y}).block({self.pick(['32', '128', '256'])}){asked})"
                f"({marks[0]}, {marks[1]}, extent({y}), {n})")
        plain = f"host_combine<{types}>({pointer(x)}, {pointer(y)}, static_cast<int>({count(y)}), {self.value(n)});"
        if "programmatic" in asked:  # behind another one it begins early
            text, plain = f"seq({text}, {text})", f"{plain} {plain}"
        return Node("leaf", reads={x, y} | values_in(n), writes={y}, counts=counted_in(n), text=text, plain=plain)

    def raw_picked(self, pool, defined):
        x = self.pick(BUFFERS)
        s = self.pick(SCALARS + OWNED)
        types = "double" if home(x) == "d" else "integer"
        n = self.pick([self.literal(), "v", self.computed_number()])
        asked = self.pick(["", "", ".cooperative()", ".shared(512)"])
        return Node("leaf", reads={x, s} | values_in(n), writes={s}, counts=counted_in(n),
                    text=f"kernel<raw_pick<{types}>, host_pick<{types}>>(grid({self.pick('12')}).block(32){asked})(in({x}), extent({x}), inout({s}), {n})",
                    plain=f"host_pick<{types}>({pointer(x)}, {count(x)}, &{place(s)}, {self.value(n)});")

    def enqueued(self, pool, defined):
        x, y = self.two(pool)
        if not y:
            return None
        n = self.number()
        types = self.types(x, y)
        return Node("leaf", reads={x, y} | values_in(n), writes={y}, counts=counted_in(n),
                    text=f"captured(enqueue_combine<{types}>{{}}, host_combine<{types}>).mode<capture_mode::thread>()"
                         f"(in({x}), inout({y}), extent({y}), {n})",  # other threads allocate meanwhile, and use the default stream
                    plain=f"host_combine<{types}>({pointer(x)}, {pointer(y)}, static_cast<int>({count(y)}), {self.value(n)});")

    def painted(self, pool, defined):
        chosen = self.pick(COLORS + ["wish"])
        return Node("leaf", reads={chosen} & set(VALUES), writes={"hue"}, text=f"assign(hue, {chosen})", plain=f"{place('hue')} = {self.value(chosen)};")

    def barred(self, pool, defined):
        """A barrier, where there are no branches beside it."""
        return Node("leaf", text="barrier()") if pool == EVERYTHING else None

    # Predicates: text, plain form, variables read.
    def condition(self, pool, defined):
        readable = [x for x in SCALARS + COUNTERS + OWNED if x in pool and x not in MUST_WRITE_FIRST - defined] + members(pool)
        buffers = [x for x in BUFFERS if x in pool and x not in MUST_WRITE_FIRST - defined]
        if buffers and self.random.random() < 0.2:
            x, n = self.pick(buffers), self.pick([self.literal(), self.computed_number()])
            return f"predicate(holds{{}})(in({x}), extent({x}), {n})", f"holds{{}}({pointer(x)}, {count(x)}, {self.value(n)})", {x} | values_in(n)
        terms = [self.array_term(buffers) if buffers and self.random.random() < 0.25 else
                 self.color_term() if "hue" in pool and self.random.random() < 0.1 else self.scalar_term(readable)
                 for _ in range(self.random.randrange(1, 4))]
        text, plain, names = terms[0]
        for more, more_plain, more_names in terms[1:]:
            op = self.pick(["&&", "||"])
            text, plain, names = f"({text} {op} {more})", f"({plain} {op} {more_plain})", names | more_names
        return text, plain, names

    def scalar_term(self, readable):
        x = self.pick(readable or ["v"])
        y = self.pick(readable + ["k", "v", "limit", f"extent({self.pick(BUFFERS)})"] + [self.literal() for _ in range(4)])
        few = self.pick(["1", "2", "6", "8"])
        left = self.pick([x, f"({x} + {self.literal()})", f"-{x}", f"{x} % 7", f"abs({x} - {self.literal()})", f"max({x}, {self.literal()})",
                          f"(({x} & {self.literal()}) | {few})", f"({x} ^ {self.literal()})", f"~{x}", f"({x} >> {few})", f"({x} << {few})",
                          f"ceil_div({x}, {few})", *[self.pick(real_terms(x, few)) for _ in range(4)]])
        text = self.pick([f"({left} {self.pick(['<', '>', '<=', '>=', '==', '!='])} {y})", f"!({left} > {y})",
                          f"({x if left.startswith(REAL) else left} % 3 == 1)", f"({x} > 3 && isfinite({left}) && !isnan({left}))",
                          self.pick([x, x, f"({x} & {few})", f"({x} % {few})"])])
        names = {name for name in (x, y) if name.isidentifier() and mentions(text, name)} | structs_in(text)
        return text, computed(text, names), names

    def color_term(self):
        order, other = self.pick(["==", "!=", "<"]), self.pick(COLORS + ["wish"])
        return f"(hue {order} {other})", f"({place('hue')} {order} {self.value(other)})", {"hue"} | {other} & set(VALUES)

    def array_term(self, buffers):
        """A question about all elements of an array, or of two."""
        x = self.pick(buffers)
        y = self.pick([y for y in buffers if home(y) == home(x)])
        n, few = self.pick([self.literal(), "v"]), self.pick(["0", "1", "7", "40"])
        op, order = self.pick(["<", ">=", "!="]), self.pick(["==", "<", ">"])
        of_x = f"number_where({count(x)}, [&](index_t i) {{ return divides{{}}({place(x)}[i], {self.value(n)}); }})"
        of_both = f"number_where({count(x)}, [&](index_t i) {{ return {place(x)}[i] {order} {place(y)}[i]; }})"
        of_distance = f"number_where({count(x)}, [&](index_t i) {{ return abs({place(x)}[i] - min({place(y)}[i], {self.value(n)})) < 40; }})"
        of_limit = f"number_where({count(x)}, [&](index_t i) {{ return {place(x)}[i] + 1 > {place('limit')}; }})"
        text, plain, names = self.pick([
            (f"any_of({x}, divides{{}}, {n})", f"({of_x} > 0)", {x, n}),
            (f"all_of({x}, divides{{}}, {n})", f"({of_x} == {count(x)})", {x, n}),
            (f"none_of({x}, divides{{}}, {n})", f"({of_x} == 0)", {x, n}),
            (f"count_if({x}, divides{{}}, {n}) {op} {few}", f"({of_x} {op} {few})", {x, n}),
            (f"max_abs({x}) {op} limit", f"(largest({pointer(x)}, {count(x)}) {op} {place('limit')})", {x, "limit"}),
            (f"all({x} {order} {y})", f"({of_both} == {count(x)})", {x, y}),
            (f"any({x} {order} {y})", f"({of_both} > 0)", {x, y}),
            (f"all(abs({x} - min({y}, {n})) < 40)", f"({of_distance} == {count(x)})", {x, y, n}),
            (f"none({x} + 1 > limit)", f"({of_limit} == 0)", {x, "limit"}),
        ])
        return f"({text})", plain, {name for name in names if name.isidentifier()}

    # Groups and control.
    def expression(self, depth, pool, defined, loops):
        """A tree; adds to `defined` what it surely writes."""
        node = self.any_expression(depth, pool, defined, loops)
        flow(node, defined, [])
        return node

    def any_expression(self, depth, pool, defined, loops):
        self.left -= 1
        if depth >= self.most_depth or self.left <= 0 or self.random.random() < 0.35:
            return self.labeled(self.leaf(pool, defined))
        kind = self.pick(["seq", "seq", "seq", "par", *([] if self.of_problem else ["nodes"]), "when", "else", "switch", "while", "while", "do", "repeat"])
        if kind == "seq":
            return self.sequence(depth, pool, defined, loops)
        if kind == "nodes":
            return Node("nodes", [self.expression(depth, pool, set(defined), loops)])
        if kind == "par":
            return self.parallel(depth, pool, defined, loops)
        if kind in ("when", "else", "switch"):
            return self.branch(kind, depth, pool, defined, loops)
        return self.loop(kind, depth, pool, defined, loops)

    def labeled(self, leaf):
        if self.random.random() < 0.1:
            leaf.text = f'label("a \\"node\\"", {leaf.text})'
        return leaf

    def sequence(self, depth, pool, defined, loops):
        inside = set(defined)
        children = [self.expression(depth, pool, inside, loops) for _ in range(self.random.randrange(1, 6))]
        return Node("seq", children)

    def parallel(self, depth, pool, defined, loops):
        """Branches that write disjoint shares of the variables, and read what nobody writes."""
        names = sorted(pool - set(VALUES) - set(COUNTERS[:loops]))
        self.random.shuffle(names)
        shared, rest = set(names[: len(names) // 4]), names[len(names) // 4:]
        branches = self.random.randrange(2, 4)
        children = []
        for i in range(branches):
            share = set(rest[i::branches]) | shared
            child = self.expression(depth, share, set(defined), loops)
            if not problems(Node("par", children + [child]), defined):
                children.append(child)
        return Node("par", children) if children else self.leaf(pool, defined)

    def branch(self, kind, depth, pool, defined, loops):
        cases = {"when": 1, "else": 2, "switch": self.random.randrange(1, 5)}[kind]
        if kind == "switch":
            readable = [x for x in SCALARS + COUNTERS if x in pool] or ["v"]
            x = self.pick(readable)
            shift = self.random.randrange(0, 2)
            text = self.pick([f"{x} % {cases + 1} - {shift}", f"({x} & 3) - {shift}", x])
            plain, reads = rename(text, x), {x}
            if "hue" in pool and self.random.random() < 0.2:
                text, plain, reads = "hue", f"static_cast<int>({place('hue')})", {"hue"}
        else:
            text, plain, reads = self.condition(pool, defined)
        children = [self.expression(depth + 1, pool, set(defined), loops) for _ in range(cases)]
        return Node("switch" if kind == "switch" else "when", children, reads=reads, counts=counted_in(text), text=text, plain=plain)

    def loop(self, kind, depth, pool, defined, loops):
        every = self.pick([1, 1, 1, 1, 2, 3]) if kind != "repeat" else 1
        trips = self.pick([n for n in (0, 1, 2, 3, 5) if self.passes * (n + 1 + every) <= MOST_PASSES] or [0])
        outside, self.passes = self.passes, self.passes * max(trips + 1 + every, 1)
        made = self.repeated(trips, depth, pool, defined, loops) if kind == "repeat" else self.tested(kind, trips, every, depth, pool, defined, loops)
        self.passes = outside
        return made

    def body(self, depth, pool, defined, loops):
        choice = 1 if self.of_problem else self.random.random()
        chosen = self.swept(pool, defined) if choice < 0.25 else self.narrowed(depth, pool, defined) if choice < 0.37 else None
        return chosen or self.expression(depth + 1, pool, set(defined), loops)

    def repeated(self, trips, depth, pool, defined, loops):
        """A scalar that says how often is read again before each pass; counters stay small."""
        number = self.pick([str(trips), str(trips), "k", f"abs(k - {trips})", *(name for name in COUNTERS if name in pool)])
        if number in COUNTERS and self.passes > MOST_PASSES // 4:
            number = str(trips)
        body = self.body(depth, pool, defined, loops)
        names = {name for name in VALUES + COUNTERS if mentions(number, name)}
        return Node("repeat", [body], reads=names, text=number, plain=rename(number, *names),
                    trips=3 if "k" in names else trips if number.isdigit() else MOST_COUNTED)

    def tested(self, kind, trips, every, depth, pool, defined, loops):
        counter = COUNTERS[loops]
        if loops >= 5 or counter not in pool:
            return self.leaf(pool, defined)
        body = self.body(depth, pool, defined, loops + 1)
        down = self.random.random() < 0.25  # to 0, and no further where a test comes late
        step = f"max({counter} - 1, 0)" if down else f"{counter} + 1"
        step = Node("leaf", reads={counter}, writes={counter}, text=f"assign({counter}, {step})", plain=f"{place(counter)} = {rename(step, counter)};")
        text, plain, reads = (counter, place(counter), {counter}) if down else (f"{counter} < {trips}", f"{place(counter)} < {trips}", {counter})
        if self.random.random() < 0.4:
            inside = set(defined)
            flow(body, inside, [])
            more = self.condition(pool, inside if kind == "do" else defined)
            if not more[0].startswith("predicate"):
                op = self.pick(["&&", "&&", "&&" if down else "||"])
                if op == "&&":
                    text, plain, reads = f"{text} && {more[0]}", f"{plain} && {more[1]}", reads | more[2]
                else:
                    text = f"({text} || {more[0]}) && {counter} < {trips + 2}"
                    plain = f"({plain} || {more[1]}) && {place(counter)} < {trips + 2}"
                    reads = reads | more[2]
        most = self.pick(["1", "2", "4", "k"] + (["0"] if kind == "while" else [])) if self.random.random() < 0.25 else None
        loop = Node(kind, [Node("seq", [body, step])], reads=reads | {most} & set(VALUES), counts=counted_in(text), text=text, plain=plain,
                    trips=trips + 1 + every, most=most, every=every)
        first = trips if down else 0
        start = Node("leaf", writes={counter}, text=f"assign({counter}, {first})", plain=f"{place(counter)} = {first};")
        return Node("seq", [start, loop])

    def program(self):
        children, defined = [], set()
        while self.left > 0:
            children.append(self.expression(0, set(EVERYTHING), defined, 0))
        tree = Node("seq", children)
        found = problems(tree)
        assert not found, found
        return tree


REAL = ("sqrt", "floor", "ceil(", "round", "fma")


def real_terms(x, few):
    """Integers that functions of floating-point numbers give, whatever computes them."""
    return [f"sqrt(({x} & 255) * ({x} & 255))", f"floor(sqrt({x} & 255))", f"ceil(sqrt({x} & 255))", f"round(exp({x} & 3))", f"floor(log(({x} & 7) + 2))",
            f"round(pow({x} & 7, 3))", f"round(tan({x} & 1))", f"ceil(cos({x} & 7))", f"floor(sin({x} & 7))", f"ceil(tanh({x} & 7))",
            f"fma({x} & 255, {x} & 15, {few})"]


def member_of(member):
    return f"member<&numbers::{member}>(both)"


def members(pool):
    return [member_of(member) for member in MEMBERS] if "both" in pool else []


def structs_in(formula):
    return {name for name in STRUCTS if mentions(formula, name)}


def values_in(formula):
    return {name for name in VALUES if mentions(formula, name)}


def counted_in(formula):
    return set(re.findall(r"extent\((\w+)\)", formula))


def computed(formula, names):
    """The plain form of a formula over these scalars and values, and over extents."""
    return re.sub(r"extent\((\w+)\)", lambda found: count(found[1]), rename(formula, *sorted(names)))


def mentions(text, name):
    return rename(text, name) != text


def rename(text, *names):
    """The plain form of variables in a formula."""
    for name in names:
        text = re.sub(rf"(?<![\w.]){name}(?!\w)", place(name), text)
    return text
