#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages in headless Chromium: site_test.py BROWSER FOLDER [PAGE...]

Every page must load its pictures and write nothing to the console; on the site, the first page must fit a screen, the search must find loop_while, entries of errors have their code folded, the
cheat sheet is one printed page, and a dark system gets a dark page. With pages, which lie in FOLDER and are
those of write_html, only these are opened: each must draw all of its nodes, tell of one under the pointer, zoom, and find a node by name.
"""
import base64
import functools
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import websocket

# What a user does with a page of write_html. Gives what is wrong, or nothing.
USE_PLAN = """(() => {
  const all = document.getElementById('all'), about = document.getElementById('about'), picture = document.getElementById('picture');
  const drawn = [...document.querySelectorAll('.node')], seen = all.getAttribute('transform');
  if (drawn.length !== plan.nodes.length || !drawn.length) return 'nodes are missing';
  if (document.querySelectorAll('path[marker-end]').length !== plan.edges.length) return 'edges are missing';
  const boxes = drawn.map(g => g.getBBox());
  if (boxes.some(b => !(b.width > 0 && b.height > 0))) return 'a node has no size';
  drawn.at(-1).dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
  if (!about.textContent.includes(plan.nodes.at(-1).name)) return 'the node under the pointer is not told of';
  picture.dispatchEvent(new WheelEvent('wheel', {deltaY: -200, clientX: 300, clientY: 300, cancelable: true}));
  if (all.getAttribute('transform') === seen) return 'no zoom';
  const find = document.getElementById('find');
  find.value = plan.nodes[0].label ?? plan.nodes[0].name;
  find.dispatchEvent(new Event('input'));
  if (!document.querySelector('.node.found')) return 'no node is found';
  const loop = plan.lowering.find(l => l.as === 'nodes');
  if (loop) {
    drawn[loop.loop].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
    if (!about.textContent.includes('why not one kernel')) return 'no reason why a loop is no kernel';
  }
  for (const k of plan.shared_kernels_if_too_many_elements) {
    drawn[k.nodes.at(-1)].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
    if (!shared.has(k.nodes.at(-1)) && !about.textContent.includes('one kernel if a loop has too many elements')) return 'a kernel of several nodes is not told';
  }
  const timed = times.findIndex(t => t);
  if (timed >= 0) {
    drawn[timed].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
    if (!about.textContent.includes('median')) return 'no time';
  }
  const given = read('plan');
  for (const s of given.shared ?? []) {
    const at = plan.nodes.findIndex(n => n.told && n.name === (s.name ?? 'event'));
    if (at < 0) return 'something that expressions share is missing';
    drawn[at].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
    if (!s.uses.every(u => about.textContent.includes(given.expressions[u.expression].name))) return 'the users of a shared variable are not told';
  }
  const inside = (at, box = boxes[at]) => drawn.filter((g, i) => i !== at && boxes[i].x >= box.x && boxes[i].x + boxes[i].width <= box.x + box.width && boxes[i].y >= box.y && boxes[i].y + boxes[i].height <= box.y + box.height).length;
  for (const e of given.expressions ?? [])
    if (inside(plan.nodes.findIndex(n => n.kind === 'expression' && n.name === e.name)) !== e.plan.nodes.length) return 'an expression has not its nodes in it';
  for (const n of given.nodes ?? [])
    if (n.problem && inside(n.id) !== n.problem.nodes.length) return 'a batch has not the nodes of its problem in it';
  return '';
})()"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


class Tab:
    """A page of a browser, driven through the DevTools protocol."""

    def __init__(self, port):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?about:blank", method="PUT")
        target = json.load(urllib.request.urlopen(request, timeout=10))
        self.socket = websocket.create_connection(target["webSocketDebuggerUrl"], timeout=30, suppress_origin=True)
        self.count, self.said = 0, []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.count:
                return message.get("result", {})
            self.note(message)

    def note(self, message):
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif message.get("method") == "Runtime.exceptionThrown":
            self.said.append(json.dumps(parameters["exceptionDetails"].get("exception", {}).get("description", "exception")))
        elif message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.said.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))

    def ask(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        return result["exceptionDetails"]["exception"]["description"] if "exceptionDetails" in result else result.get("result", {}).get("value")

    def wait_for(self, script, seconds=20):
        end = time.time() + seconds
        while time.time() < end:
            value = self.ask(script)
            if value:
                return value
            time.sleep(0.1)
        return None

    def open(self, address):
        self.said.clear()
        self.call("Page.navigate", url=address)
        self.wait_for(f"location.href.startsWith({json.dumps(address.split('?')[0])}) && document.readyState == 'complete'")


def start(browser, profile):
    process = subprocess.Popen([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                                "--remote-debugging-port=0", f"--user-data-dir={profile}", "about:blank"],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    for line in process.stderr:
        if "DevTools listening on" in line:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, int(line.rsplit(":", 1)[1].split("/")[0])
    sys.exit("the browser did not start")


def main(browser, folder, pages):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    problems = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process, port = start(browser, profile)
        try:
            tab = Tab(port)
            for page in pages or ("", "tutorial/jacobi/", "performance/"):
                tab.open(address + page)
                count = tab.ask("document.images.length")
                tab.ask("for (const i of document.images) i.loading = 'eager'")
                loaded = tab.wait_for("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
                problems += [] if loaded or not count else [f"{page}: pictures do not load"]
                problems += [f"{page}: no pictures"] if not pages and not count else []
                told = tab.wait_for("document.title")
                if pages:
                    wrong = tab.ask(USE_PLAN)
                    problems += [f"{page}: {wrong}"] if wrong != "" else []
                problems += [f"{page}: the console says {text}" for text in tab.said]
                print(f"/{page}: {told}; {count} pictures")
            if not pages:
                tab.call("Emulation.setDeviceMetricsOverride", width=1440, height=1800, deviceScaleFactor=1, mobile=False)
                tab.open(address)
                seen = tab.ask("['#why', '#not-for-you-if', '#install', '.columns.wide'].every(e => document.querySelector(e).getBoundingClientRect().bottom <= innerHeight)")
                problems += [] if seen is True else [f"the first page: Why, Not for you if and Install are not on a screen of 1440 x 1800 ({seen})"]
                tab.call("Emulation.clearDeviceMetricsOverride")
                tab.open(address + "errors/nodes/#identity_is_missing")
                folded = tab.wait_for("document.querySelectorAll('details pre').length")
                problems += [] if folded else ["errors/nodes/: no entry has its code folded"]
                problems += [] if tab.ask("document.getElementById('identity_is_missing') !== null") else ["errors/nodes/: an anchor is missing"]
                tab.open(address + "cheat-sheet/")
                printed = re.search(rb"/Count (\d+)", base64.b64decode(tab.call("Page.printToPDF").get("data", "")))
                problems += [] if printed and printed[1] == b"1" else ["cheat-sheet/: not one printed page"]
                tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
                tab.open(address + "glossary/")
                tab.ask("localStorage.clear()")
                tab.call("Page.reload")
                is_dark = tab.wait_for("document.body.dataset.mdColorScheme == 'slate'")
                problems += [] if is_dark else ["the site is not dark on a system that is"]
                tab.call("Emulation.setEmulatedMedia", features=[])
                tab.open(address + "?q=loop_while")
                found = tab.wait_for("[...document.querySelectorAll('.md-search-result__link')].map(a => a.textContent).join(' ').includes('loop_while')")
                problems += [] if found else ["the search does not find loop_while"]
                print("search: loop_while found" if found else "search: nothing")
                problems += [f"search: the console says {text}" for text in tab.said]
        finally:
            process.terminate()
            process.wait(timeout=20)
    for problem in problems:
        print(problem)
    return bool(problems)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
