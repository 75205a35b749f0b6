// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cograph::core {

// The page of write_html: the parts before the plan, between the plan and the times, and after them. It loads
// nothing.
struct page_parts {
    const char* before_plan;
    const char* before_times;
    const char* after;
};

inline constexpr page_parts page = {
    R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>plan</title><link rel="icon" href="data:,">
<style>
body { margin: 0; font: 13px Helvetica, Arial, sans-serif; color: #222; background: #fff; overflow: hidden }
svg { position: fixed; inset: 0; width: 100vw; height: 100vh; cursor: grab; touch-action: none }
#bar { position: fixed; left: 10px; top: 10px; background: #fffd; border: 1px solid #bbb; border-radius: 6px; padding: 6px }
#about { position: fixed; right: 10px; top: 10px; width: 320px; max-height: 90vh; overflow: auto; background: #fffe; border: 1px solid #bbb;
  border-radius: 6px; padding: 8px 12px; white-space: pre-wrap; display: none }
.read { color: #c0392b } .written { color: #2456b8 }
.node rect { stroke: #777 } .node.on rect, .node.found rect { stroke: #d35400; stroke-width: 3 }
path { fill: none; stroke: #777 } path.read { stroke: #c0392b; stroke-dasharray: 4 } path.written { stroke: #2456b8; stroke-dasharray: 4 } path.on { stroke: #d35400; stroke-width: 2.5 }
</style></head><body>
<svg id="picture"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0L8 4L0 8z" style="fill:#777;stroke:none"/></marker></defs><g id="all"></g></svg>
<div id="bar"><input id="find" placeholder="find a node" size="14"> <button id="fit">fit</button> <span id="count"></span></div>
<div id="about"></div>
<script type="application/json" id="plan">)",
    R"(</script>
<script type="application/json" id="times">)",
    R"js(</script>
<script>
'use strict';
const get = id => document.getElementById(id), read = id => JSON.parse(get(id).textContent);
const shared_lists = ['shared_kernels', 'shared_kernels_if_too_many_elements'];
// Appends a plan.
const add = (whole, plan) => {
  const node = whole.nodes.length, variable = whole.variables.length, region = whole.regions.length;
  const moved = (o, by, ...keys) => { for (const key of keys) if (typeof o[key] === 'number') o[key] += by; return o; };
  plan.nodes.forEach(n => {
    moved(n, node, 'id', 'decides');
    moved(n, region, 'region');
    n.bodies = n.bodies?.map(b => b + region);
    n.accesses.forEach(a => moved(a, variable, 'variable'));
    if (n.launch) moved(n.launch, variable, 'over', 'first');
    whole.nodes.push(n);
  });
  whole.edges.push(...plan.edges.map(e => moved(e, node, 'from', 'to')));
  whole.lowering.push(...plan.lowering.map(l => moved(l, node, 'loop', 'within', 'because_of')));
  whole.branches.push(...plan.branches.map(b => moved(b, node, 'branch')));
  for (const kernels of shared_lists) whole[kernels].push(...plan[kernels].map(k => ({ nodes: k.nodes.map(n => n + node) })));
  whole.variables.push(...plan.variables);
  whole.regions.push(...plan.regions);
};
// The problem of a batch becomes a body of its node.
const opened = plan => {
  plan.nodes.filter(n => n.problem).forEach(n => { n.bodies = [plan.regions.length]; add(plan, n.problem); });
  return plan;
};
// Several expressions become one plan: each is a node with a body, and so are variables and events that several use.
const joined = given => {
  if (!given.expressions) return opened(given);
  const whole = { nodes: [], edges: [], variables: [], regions: [{}], lowering: [], branches: [], shared_kernels: [], shared_kernels_if_too_many_elements: [] }, of_part = [];
  const outermost = n => { whole.nodes.push({ id: whole.nodes.length, label: null, region: 0, accesses: [], ...n }); return whole.nodes.length - 1; };
  given.expressions.forEach(({ name, plan }, part) => {
    const own = of_part[part] = outermost({ name, kind: 'expression', bodies: [whole.regions.length] });
    add(whole, opened(plan));
    given.shared.forEach(s => {
      if (s.uses[0].expression !== part) return;
      const names = how => s.uses.filter(u => u[how]).map(u => given.expressions[u.expression].name).join(', ');
      s.id = outermost({ name: s.name ?? 'event', kind: s.event ? 'event' : 'variable', told: [names('written') && `written by ${names('written')}`, names('read') && `read by ${names('read')}`] });
    });
    given.shared.forEach(s => s.uses.forEach(u => {
      if (u.expression !== part) return;
      if (u.written) whole.edges.push({ from: own, to: s.id, use: 'written' });
      if (u.read) whole.edges.push({ from: s.id, to: own, use: 'read' });
    }));
  });
  return whole;
};
const plan = joined(read('plan')), times = read('times'), nodes = plan.nodes;
const make = (kind, attributes, parent, text) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', kind);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  if (text !== undefined) e.textContent = text;
  return parent.appendChild(e);
};
const members = plan.regions.map(() => []), before = nodes.map(() => []), lowered = new Map(), [shared, shared_if_many] = shared_lists.map(() => new Map());
nodes.forEach(n => members[n.region].push(n.id));
plan.edges.forEach(e => before[e.to].push(e.from));
plan.lowering.forEach(l => lowered.set(l.loop, l));
plan.branches.forEach(b => lowered.set(b.branch, b));
[shared, shared_if_many].forEach((of, i) => plan[shared_lists[i]].forEach(k => k.nodes.forEach(n => of.set(n, k.nodes))));
const name = n => (n.label ?? n.name) + (n.kind === 'condition' ? '?' : '');
const words = text => text.replaceAll('_', ' ');
const most = Math.max(1e-9, ...times.map(t => t ? t.share : 0));
const fill = n => {
  const t = times[n.id], how = lowered.get(n.id)?.as ?? '';
  if (t) return `rgb(255,${Math.round(255 - 117 * t.share / most)},${Math.round(255 - 157 * t.share / most)})`;
  if (how.includes('persistent')) return '#e3f1e5';
  return n.kind === 'condition' ? '#fff3d6' : n.told ? '#fdf6e3' : n.kind === 'expression' ? '#f8f9fb' : n.bodies ? '#eef2f8' : '#fff';
};
// Sizes from the inside out: nodes of a region in layers, by the longest path to them.
const box = [], gap = 26, line = 15;
const measure = region => {
  const level = new Map(), layers = [];
  for (const id of members[region]) {
    const at = Math.max(0, ...before[id].filter(b => level.has(b)).map(b => level.get(b) + 1));
    level.set(id, at);
    (layers[at] = layers[at] || []).push(id);
    const n = nodes[id], bodies = (n.bodies ?? []).map(measure);
    const own = 24 + 7 * Math.max(name(n).length, times[id] ? 16 : 0);
    box[id] = { w: Math.max(own, bodies.reduce((w, b) => w + b.w + 10, 10)), h: 26 + (times[id] ? line : 0), bodies };
    if (bodies.length) box[id].h += Math.max(...bodies.map(b => b.h)) + 14;
  }
  const rows = layers.map(ids => ({ ids, w: ids.reduce((w, id) => w + box[id].w + gap, -gap), h: Math.max(...ids.map(id => box[id].h)) }));
  return { region, rows, w: Math.max(30, ...rows.map(r => r.w)) + 20, h: rows.reduce((h, r) => h + r.h + gap, 20 - gap) + (rows.length ? 0 : gap) };
};
const place = (layout, x, y) => {
  y += 10;
  for (const row of layout.rows) {
    let at = x + (layout.w - row.w) / 2;
    for (const id of row.ids) {
      const b = box[id];
      b.x = at; b.y = y;
      let inner = at + (b.w - b.bodies.reduce((w, i) => w + i.w + 10, -10)) / 2;
      for (const body of b.bodies) { place(body, inner, y + 26 + (times[id] ? line : 0)); inner += body.w + 10; }
      at += b.w + gap;
    }
    y += row.h + gap;
  }
};
const whole = measure(0);
place(whole, 0, 0);
const all = get('all'), shapes = [], arrows = [];
nodes.forEach(n => {
  const b = box[n.id], g = shapes[n.id] = make('g', { class: 'node', 'data-id': n.id }, all), round = n.kind === 'condition' || n.told ? 12 : 4;
  make('rect', { x: b.x, y: b.y, width: b.w, height: b.h, rx: round, fill: fill(n) }, g);
  make('text', { x: b.x + b.w / 2, y: b.y + 17, 'text-anchor': 'middle', 'font-size': 12 }, g, name(n));
  const t = times[n.id];
  if (t) make('text', { x: b.x + b.w / 2, y: b.y + 31, 'text-anchor': 'middle', 'font-size': 10 }, g, `${t.median.toFixed(1)} us x ${t.calls}`);
});
plan.edges.forEach(e => {
  const a = box[e.from], b = box[e.to], x = a.x + a.w / 2, y = a.y + a.h, u = b.x + b.w / 2, v = b.y, bend = Math.max(10, (v - y) / 2);
  arrows.push([e, make('path', { d: `M${x} ${y}C${x} ${y + bend} ${u} ${v - bend} ${u} ${v - 1}`, 'marker-end': 'url(#tip)', class: e.use ?? '' }, all)]);
});
const tell = n => {
  const about = get('about'), put = (text, kind) => { const s = document.createElement('div'); s.textContent = text; s.className = kind ?? ''; about.append(s); };
  about.textContent = '';
  about.style.display = 'block';
  put(`${name(n)}${n.label ? `  (${n.name})` : ''}, ${n.kind}`);
  if (n.file) put(`${n.file}:${n.line}`);
  (n.told ?? []).filter(t => t).forEach(t => put(t, t.split(' ')[0]));
  const of = (what, list) => list.map(a => plan.variables[a.variable]?.name + (a.own_element ? '[each]' : '')).join(' ');
  const reads = n.accesses.filter(a => a.read && plan.variables[a.variable]), writes = n.accesses.filter(a => a.written && plan.variables[a.variable]);
  if (reads.length) put(`reads ${of('read', reads)}`, 'read');
  if (writes.length) put(`writes ${of('written', writes)}`, 'written');
  const how = lowered.get(n.id);
  if (how) {
    put(`runs as ${words(how.as)}`);
    const because = how.because_of ?? null;
    if (how.why && how.why !== 'persistent' && how.why !== how.as) put(`why not one kernel: ${words(how.why)}${because === null ? '' : `, because of ${name(nodes[because])}`}`);
  }
  const told = [shared, shared_if_many].map(of => of.get(n.id)?.map(i => name(nodes[i])).join(', '));
  if (told[0]) put(`one kernel: ${told[0]}`);
  if (told[1] && told[1] !== told[0]) put(`one kernel if a loop has too many elements: ${told[1]}`);
  if (n.launch) put(`launch: ${Object.entries(n.launch).map(([k, v]) => `${words(k)} ${k === 'over' && plan.variables[v] ? plan.variables[v].name : v}`).join(', ')}`);
  const t = times[n.id];
  if (t) put(`${t.calls} times, median ${t.median.toFixed(2)} us, ${(100 * t.share).toFixed(1)} % of the time`);
  shapes.forEach(s => s.classList.toggle('on', s.dataset.id == n.id));
  arrows.forEach(([e, path]) => path.classList.toggle('on', e.from === n.id || e.to === n.id));
};
all.addEventListener('pointerover', e => { const g = e.target.closest('.node'); if (g) tell(nodes[g.dataset.id]); });
// The picture is seen through a window: x, y and how large one unit is.
const picture = get('picture');
let seen = { x: 0, y: 0, k: 1 };
const show = () => all.setAttribute('transform', `translate(${seen.x} ${seen.y}) scale(${seen.k})`);
const zoom = (factor, x, y) => { seen = { x: x - (x - seen.x) * factor, y: y - (y - seen.y) * factor, k: seen.k * factor }; show(); };
const fit = () => {
  const k = Math.min(1.5, innerWidth / (whole.w + 20), innerHeight / (whole.h + 20));
  const least = Math.max(k, 0.25);  // a long plan begins at its top, readable
  seen = { x: (innerWidth - whole.w * least) / 2, y: k < least ? 40 : (innerHeight - whole.h * least) / 2, k: least };
  show();
};
picture.addEventListener('wheel', e => { e.preventDefault(); zoom(Math.exp(-e.deltaY / 400), e.clientX, e.clientY); }, { passive: false });
picture.addEventListener('pointerdown', e => picture.setPointerCapture(e.pointerId));
picture.addEventListener('pointermove', e => { if (e.buttons) { seen.x += e.movementX; seen.y += e.movementY; show(); } });
addEventListener('keydown', e => {
  if (e.target.tagName === 'INPUT') return;
  if (e.key === '+') zoom(1.25, innerWidth / 2, innerHeight / 2);
  if (e.key === '-') zoom(0.8, innerWidth / 2, innerHeight / 2);
  if (e.key === '0') fit();
});
get('fit').onclick = fit;
get('find').oninput = e => {
  const text = e.target.value, found = nodes.filter(n => text && name(n).includes(text));
  shapes.forEach(s => s.classList.toggle('found', found.some(n => n.id == s.dataset.id)));
  if (!found.length) return;
  const b = box[found[0].id];
  seen = { x: innerWidth / 2 - (b.x + b.w / 2), y: innerHeight / 3 - b.y, k: 1 };
  show();
  tell(found[0]);
};
const written = nodes.filter(n => n.file).length;
get('count').textContent = `${written} nodes, ${plan.edges.filter(e => !e.use).length} edges`;
document.title = `plan of ${written} nodes`;
fit();
</script></body></html>
)js"};

}  // namespace cograph::core
