#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the plans that a program writes as JSON: check.py SCHEMA PROGRAM. Checks them against the schema, that what they
refer to is there, and that strings arrive as they were written; then that a wrong plan would be found."""

import copy
import json
import subprocess
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}


def errors(value, schema, root, at="plan"):
    """What is wrong with a value by a schema; knows the keywords that the schema uses, and no others."""
    for word, rule in schema.items():
        if word in ("description", "title", "$schema", "$defs"):
            continue
        elif word == "$ref":
            yield from errors(value, root if rule == "#" else root["$defs"][rule.removeprefix("#/$defs/")], root, at)
        elif word == "type":
            kinds = [rule] if isinstance(rule, str) else rule
            if not any(isinstance(value, TYPES[k]) and (k == "boolean" or not isinstance(value, bool)) for k in kinds):
                yield f"{at}: {value!r} is no {rule}"
                return
        elif word == "const":
            if value != rule:
                yield f"{at}: {value!r} is not {rule!r}"
        elif word == "enum":
            if value not in rule:
                yield f"{at}: {value!r} is none of {rule}"
        elif word == "anyOf":
            if all(list(errors(value, s, root, at)) for s in rule):
                yield f"{at}: {value!r} fits none"
        elif word == "minimum":
            if value < rule:
                yield f"{at}: {value} is below {rule}"
        elif word == "minItems":
            if len(value) < rule:
                yield f"{at}: too few"
        elif word == "maxItems":
            if len(value) > rule:
                yield f"{at}: too many"
        elif word == "items":
            for i, item in enumerate(value):
                yield from errors(item, rule, root, f"{at}[{i}]")
        elif word == "required":
            for name in rule:
                if name not in value:
                    yield f"{at}: {name} is missing"
        elif word == "properties":
            for name in value.keys() & rule.keys():
                yield from errors(value[name], rule[name], root, f"{at}.{name}")
        elif word == "additionalProperties":
            for name in value.keys() - schema["properties"].keys():
                yield f"{at}: {name} is unknown"
        else:
            sys.exit(f"check.py does not know the schema's word {word}")


def check_references(plan, in_batch=False):
    variables, regions, nodes = plan["variables"], plan["regions"], plan["nodes"]
    for table in (variables, regions, nodes):
        assert [entry["id"] for entry in table] == list(range(len(table)))
    assert regions[0] == {"id": 0, "owner": None, "kind": "graph", "body": None}
    for node in nodes:
        assert all(a["variable"] < len(variables) for a in node["accesses"])
        assert len({a["variable"] for a in node["accesses"]}) == len(node["accesses"])
        control, condition = node["kind"] in ("loop", "branch"), node["kind"] == "condition"
        assert ("bodies" in node) == control and ("decides" in node) == condition
        assert ("check_every" in node) == ("at_most" in node) == (node["kind"] == "loop")
        assert ("launch" in node) == ("opaque" in node) == (not control and not condition)
        for body, region in enumerate(node.get("bodies", [])):
            assert regions[region]["owner"] == node["id"] and regions[region]["body"] == body
        if condition:
            decided = nodes[node["decides"]]
            assert decided["position"] == node["position"] and decided["kind"] in ("loop", "branch")
            assert node["region"] in [decided["region"], *decided["bodies"]]
        if "problem" in node:
            check_references(node["problem"], True)
        launch = node.get("launch")
        if launch:
            given, counted = launch["rule"] == "given", launch["rule"] in ("per_element", "per_chunk", "per_group")
            assert ("grid" in launch) == given and (("over" in launch) != ("count" in launch)) == counted
    for edge in plan["edges"]:
        assert edge["from"] < edge["to"] and nodes[edge["from"]]["region"] == nodes[edge["to"]]["region"]
    if in_batch:
        assert plan["lowering"] == plan["branches"] == plan["shared_kernels"] == plan["shared_kernels_if_too_many_elements"] == []
        return
    loops = [n["id"] for n in nodes if n["kind"] == "loop"]
    assert [entry["loop"] for entry in plan["lowering"]] == loops
    for entry in plan["lowering"]:
        runs_alone = entry["as"] in ("nodes", "unrolled_nodes", "driven_by_host")
        assert (entry["within"] is None) == (entry["because_of"] is not None) == runs_alone
        assert (entry["why"] != "persistent") == runs_alone
    branches = [n["id"] for n in nodes if n["kind"] == "branch"]
    assert [entry["branch"] for entry in plan["branches"]] == branches
    for entry in plan["branches"]:
        whole = {"persistent": "part_of_persistent_kernel", "predicated": "predicated_kernels", "driven_by_host": "driven_by_host"}
        assert entry["as"] == whole.get(entry["why"], "conditional_node")
    check_shared_kernels(nodes, plan["shared_kernels"], ("per_element",))
    check_shared_kernels(nodes, plan["shared_kernels_if_too_many_elements"], ("per_element", "per_chunk"))


def check_shared_kernels(nodes, kernels, fused_rules):
    shared = [n for entry in kernels for n in entry["nodes"]]
    assert len(set(shared)) == len(shared) and all(nodes[n]["kind"] in ("kernel", "condition") for n in shared)
    for entry in kernels:
        first, *others = [nodes[n] for n in entry["nodes"]]
        fused = first["kind"] != "condition" and first["launch"]["rule"] == "per_element"
        assert all(o["kind"] == "condition" or o["launch"]["rule"] == "single" or (fused and o["launch"]["rule"] in fused_rules) for o in others)


LABELS = ["plain", 'quote " backslash \\ slash /', "tab \t newline \n return \r feed \f back \b", "\x01\x02\x1f\x7f", "ü € 😀",
          "bad \ufffd \ufffd \ufffd\ufffd \ufffd\ufffd\ufffd \ufffd\ufffd \ufffd\ufffd\ufffd\ufffd end",
          "\ufffd\ufffd\ufffd\ufffd|\U0010ffff|\ufffd\ufffd\ufffd|\ufffd", "", "</script> \u2028"]


def main(schema_path, program):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    everything, empty, unrolled, lengths, driven, solved_each, cubes, several, *labelled = json.loads(subprocess.run([program], check=True, capture_output=True).stdout.decode("utf-8"))
    assert several.keys() == {"cograph", "expressions", "shared"} and several["cograph"] == 1
    assert [one["name"] for one in several["expressions"]] == ["first", 'an "empty" one', "all"]
    assert several["expressions"][2]["plan"] == everything
    assert several["shared"] == [{"name": "x", "event": False, "uses": [{"expression": 0, "variable": 0, "read": True, "written": True},
                                                                        {"expression": 2, "variable": 0, "read": True, "written": True}]}]
    for plan in [everything, empty, unrolled, lengths, driven, solved_each, cubes, *labelled, *(one["plan"] for one in several["expressions"])]:
        found = list(errors(plan, schema, schema))
        assert not found, "\n".join(found)
        check_references(plan)

    batches = [n for n in solved_each["nodes"] if "problem" in n]
    assert [n["name"] for n in batches] == ["batch"] and solved_each["lowering"] == solved_each["branches"] == []
    assert {n["kind"] for n in batches[0]["problem"]["nodes"]} == {"kernel", "condition", "loop", "branch"}
    assert [n["file"].endswith("plans.cpp") for n in batches[0]["problem"]["nodes"] if n["label"] == "in a problem"] == [True]
    assert empty["nodes"] == [] and empty["variables"] == [] and len(empty["regions"]) == 1
    assert [entry["as"] for entry in driven["lowering"]] == ["driven_by_host", "persistent_kernel"]
    assert [entry["as"] for entry in driven["branches"]] == ["driven_by_host"]
    assert [entry["as"] for entry in unrolled["lowering"]] == ["unrolled_nodes"] and unrolled["shared_kernels"] == []
    names = {list_of: [[cubes["nodes"][n]["name"] for n in entry["nodes"]] for entry in cubes[list_of]] for list_of in ("shared_kernels", "shared_kernels_if_too_many_elements")}
    assert names == {"shared_kernels": [], "shared_kernels_if_too_many_elements": [["move", "larger"], ["move", "move"]]} and cubes["lowering"][0]["as"] == "persistent_kernel"
    assert [entry.get("iterations_in_passes") for entry in cubes["lowering"]] == [None, 2]
    assert [plan["nodes"][0]["label"] for plan in labelled] == LABELS
    assert {n["kind"] for n in everything["nodes"]} == {"kernel", "condition", "loop", "branch"}
    assert {v["kind"] for v in everything["variables"]} == {"buffer", "scalar", "value", "view", "temp", "count"}
    assert {r["kind"] for r in everything["regions"]} == {"graph", "loop_while", "do_while", "repeat", "when", "switch_on"}
    assert [entry["as"] for entry in everything["lowering"]] == ["nodes", "persistent_kernel", "nodes",
                                                               "persistent_kernel", "part_of_persistent_kernel"]
    assert [[nodes_of["launch"]["rule"] for nodes_of in (everything["nodes"][n] for n in entry["nodes"]) if "launch" in nodes_of]
            for entry in everything["shared_kernels"]][0] == ["per_element", "per_element"]
    assert [entry["why"] for entry in everything["branches"]] == ["predicated", "predicated", "predicated"]
    nodes, variables = everything["nodes"], {v["name"]: v for v in everything["variables"]}
    assert nodes[everything["lowering"][0]["because_of"]]["name"] == "smooth" and everything["lowering"][0]["why"] == "opaque_node"
    assert variables["y"]["like"] == variables["x"]["id"] and variables["z"]["element"] == "float"
    assert variables["y"]["size"] is None and variables["w"]["size"] == [
        2, {"extent_of": variables["x"]["id"]}, "*", {"extent_of": variables["n"]["id"]}, "-"]
    counted = variables["over<...>"]
    assert counted["size"] == [{"extent_of": variables["x"]["id"]}, {"extent_of": variables["n"]["id"]}, "-"] and not counted["read"]
    behind = [i for i, n in enumerate(nodes) if n.get("launch") and n["launch"].get("over") == counted["id"]][0] + 1
    assert nodes[behind]["name"] == "fill" and {"variable": variables["n"]["id"], "read": True, "written": False, "own_element": False} in nodes[behind]["accesses"]
    assert variables["A"]["element"] == "matrix" and variables["A"]["element_size"] == 16
    assert nodes[0]["label"] == 'init: <"x">' and nodes[0]["name"] == "fill" and nodes[0]["file"].endswith("plans.cpp")
    loops = {n["label"]: n for n in nodes if n["kind"] == "loop"}
    assert loops["checked"]["check_every"] == 2 and loops["checked"]["at_most"] == 50
    assert loops[None]["check_every"] == 1 and loops[None]["at_most"] is None
    assert [n["copy"] for n in nodes if n["label"] == "checked body"] == [0, 1]
    assert any(n["position"] is None for n in nodes)
    given = [n["launch"] for n in nodes if n.get("launch") and n["launch"]["rule"] == "given"]
    assert given == [{"rule": "given", "grid": [4, 2, 1], "block": [32, 4, 1], "shared": 1024,
                      "priority": 0, "cooperative": False, "programmatic": False}]
    assert any(n.get("launch") and n["launch"].get("count") == 77 for n in nodes)
    assert [n["launch"]["group"] for n in nodes if n.get("launch") and n["launch"]["rule"] == "per_group"] == [4]

    length = [v["id"] for v in lengths["variables"] if v["name"] == "i"]
    assert [n["launch"]["first"] for n in lengths["nodes"] if n.get("launch") and "first" in n["launch"]] == 3 * length

    # Each of these plans is wrong.
    def broken(change):
        plan = copy.deepcopy(everything)
        change(plan)
        return plan

    for change in (lambda p: p.update(cograph=2), lambda p: p.pop("edges"), lambda p: p.update(more=1),
                   lambda p: p["nodes"][0].pop("file"), lambda p: p["nodes"][0].update(kind="kernels"),
                   lambda p: p["nodes"][0].update(line="1"), lambda p: p["nodes"][0].update(region=True),
                   lambda p: p["variables"][0].update(like=-1), lambda p: p["variables"][0].update(size=["^"]), lambda p: p["lowering"][0].update(why="because"),
                   lambda p: given and p["nodes"][4]["launch"].update(grid=[1, 1])):
        assert list(errors(broken(change), schema, schema)), "a wrong plan fits the schema"
    print(f"{7 + len(labelled)} plans fit the schema")


if __name__ == "__main__":
    main(*sys.argv[1:])
