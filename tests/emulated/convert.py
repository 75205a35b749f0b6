#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a copy of cograph.cuh and of all it includes that a host compiler reads as nvcc does: convert.py INCLUDE COPY

Kernels stay as they are, but for PTX, which becomes C++ of words.hpp. PTX or a word of CUDA's that is unknown here is an error."""
import re
import sys
from pathlib import Path

# What stands for PTX. {0} is the first operand.
INSTRUCTIONS = {
    "mov.u32 %0, %%dynamic_smem_size;": "{0} = emulated::dynamic_bytes();",
    "mov.u32 %0, %%cluster_nctaid.x;": "{0} = emulated::blocks_of_cluster();",
    "mapa.u64 %0, %0, %1;": "{0} = emulated::in_cluster({0}, {1});",
    "barrier.cluster.arrive.release;barrier.cluster.wait.acquire;": "emulated::arrive_in_cluster(); emulated::wait_in_cluster();",
    "barrier.cluster.arrive.release.aligned;": "emulated::arrive_in_cluster();",
    "barrier.cluster.wait.acquire.aligned;": "emulated::wait_in_cluster();",
    "barrier.cluster.arrive.release.aligned;barrier.cluster.wait.acquire.aligned;": "emulated::arrive_in_cluster(); emulated::wait_in_cluster();",
    "ld.acquire.gpu.global.u32 %0, [%1];": "{0} = emulated::load<unsigned>({1});",
    "ld.acquire.gpu.global.u64 %0, [%1];": "{0} = emulated::load<emulated::word>({1});",
    "ld.relaxed.gpu.global.u64 %0, [%1];": "{0} = emulated::load<emulated::word>({1});",
    "ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];": "emulated::load_both({0}, {1}, {2});",
    "{ .reg .pred asks; setp.ne.u32 asks, %2, 0; @asks ld.relaxed.gpu.global.u64 %0, [%1]; }": "if ({2}) {0} = emulated::load<emulated::word>({1});",
    "{ .reg .pred asks; setp.ne.u32 asks, %3, 0; @asks ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2]; }": "if ({3}) emulated::load_both({0}, {1}, {2});",
    "{.reg .b128 both;ld.acquire.gpu.global.b128 both, [%2];mov.b128 {%0, %1}, both;}": "emulated::load_both({0}, {1}, {2});",
    "{.reg .b128 both;ld.relaxed.gpu.global.b128 both, [%2];mov.b128 {%0, %1}, both;}": "emulated::load_both({0}, {1}, {2});",
    "st.relaxed.gpu.global.u64 [%0], %1;": "emulated::store<emulated::word>({0}, {1});",
    "st.release.gpu.global.u64 [%0], %1;": "emulated::store<emulated::word>({0}, {1});",
    "st.release.gpu.global.u32 [%0], %1;": "emulated::store<unsigned>({0}, {1});",
    "st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};": "emulated::store_both({0}, {1}, {2});",
    "{.reg .b128 both;mov.b128 both, {%1, %2};st.relaxed.gpu.global.b128 [%0], both;}": "emulated::store_both({0}, {1}, {2});",
    "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u64 [%1], %2; }": "if ({0}) emulated::store_shared<emulated::word>({1}, {2});",
    "{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.shared.u32 [%1], %2; }": "if ({0}) emulated::store_shared<unsigned>({1}, {2});",
    "red.relaxed.gpu.global.add.u64 [%0], %1;": "atomicAdd({0}, {1});",
    "red.relaxed.gpu.global.max.u64 [%0], %1;": "atomicMax({0}, {1});",
    "red.release.gpu.global.add.u32 [%0], 1;": "atomicAdd({0}, 1u);",
    "atom.release.gpu.global.inc.u32 %0, [%1], %2;": "{0} = atomicInc({1}, {2});",
    "bar.sync %0, %1;": "emulated::meet_in_part({0}, {1});",
    "cp.async.ca.shared.global [%0], [%1], %2;": "*to = *{1};",  # the name of what operand 0 is computed of
    "cp.async.commit_group;": "",
    "cp.async.wait_group %0;": "",
    "": "",  # what is there for nvcc's optimizer
}
STRING = r'"(?:[^"\\]|\\.)*"'
# Words that are not CUDA's, and those that only ask which compiler reads.
OTHER_WORDS = re.compile(r"__(builtin_|is_|has_|atomic_|ATOMIC_|CUDA|NVCC__|nv_is_|GNUC__|clang_|cplusplus|PRETTY_FUNCTION__|underlying_type)")


def end_of_brackets(text, begin):
    """Behind the bracket that closes the one at begin."""
    depth = 0
    for found in re.compile(STRING + r"|[()]").finditer(text, begin):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    sys.exit(f"a bracket is not closed: {text[begin:begin + 80]}")


def operands(text):
    """The expressions of an asm statement's outputs and inputs."""
    found, at = [], 0
    while here := re.compile(STRING + r"\s*(\()").search(text, at):
        at = end_of_brackets(text, here.start(1))
        found.append(text[here.start(1):at])
    return found


def without_asm(text, name):
    done, at = "", 0
    for found in re.finditer(r"\basm\b(?: volatile)?(\()", text):
        end = end_of_brackets(text, found.start(1))
        inside = text[found.end():end - 1]
        literals = re.match(rf"\s*(?:{STRING}\s*)+", inside)[0]
        ptx = "".join(re.findall(STRING, literals)).replace('"', "").replace(r"\n", "").replace(r"\t", "")
        if ptx not in INSTRUCTIONS:
            sys.exit(f"{name}: tests/emulated does not know this PTX: {ptx}\nadd C++ that does the same to INSTRUCTIONS in tests/emulated/convert.py")
        done += text[at:found.start()] + "{ " + re.sub(r"\{(\d)\}", lambda number: operands(inside)[int(number[1])], INSTRUCTIONS[ptx]) + " }"
        at = end + 1  # behind the semicolon
    return done + text[at:]


def convert(text, name, known):
    code = re.sub(r"//.*|" + STRING, "", text)
    for word in sorted(set(re.findall(r"\b__\w+", code)) - known):
        if not OTHER_WORDS.match(word):
            sys.exit(f"{name}: tests/emulated does not know {word}\nif it is CUDA's, add it to tests/emulated/words.hpp; if not, to OTHER_WORDS in tests/emulated/convert.py")
    text = without_asm(text, name)
    text = text.replace("__CUDACC__", "EMULATED_NVCC").replace("__CUDA_ARCH__ >=", "EMULATED_ARCHITECTURE >=")
    text = text.replace("#ifdef __CUDA_ARCH__", "#ifdef EMULATED_NVCC")  # of groups of threads, which the host does not simulate then
    text = re.sub(r"extern __shared__ (\w+) (\w+)\[\];", r"\n#define \2 (reinterpret_cast<\1*>(emulated::dynamic_memory()))\n", text)
    text = re.sub(r"__shared__ (alignas\(\w+\))", r"\1 __shared__", text)
    # Where a kernel becomes an address, its parameters are still known.
    text = re.sub(r"\(const void\*\)(?=[&\w])", "emulated::kernel->*", text)
    return text.replace("reinterpret_cast<const void*>(&", "(emulated::kernel->*&")


def main():
    include, copy = Path(sys.argv[1]), Path(sys.argv[2])
    known = set(re.findall(r"\b__\w+", (Path(__file__).parent / "words.hpp").read_text(encoding="utf-8")))
    names, converted = ["cograph.cuh"], {}
    while names:
        name = names.pop()
        if name in converted or not (include / name).exists():  # cograph/needs/a/later/compiler and such
            continue
        text = (include / name).read_text(encoding="utf-8")
        names += re.findall(r"#include <(cograph/[^>]*|cograph\.\w+)>", text)
        converted[name] = convert(text, name, known)
    for name, text in converted.items():
        to = copy / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")


main()
