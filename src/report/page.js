// The report's page: steps through a trace. `D` is what html.cpp wrote; a step is one row of the trace.
(() => {
'use strict';
const D = JSON.parse(document.getElementById('data').textContent);
const S = D.strings, steps = D.steps, n = steps.length;
const $ = id => document.getElementById(id);
const theme = $('theme');
theme.onclick = () => {
  const dark = getComputedStyle(document.documentElement).colorScheme === 'dark' ||
    (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'light' : 'dark';
};
if (!n) return;

// A step: lane, file, line, depth, function, changes (name, value, place, variable)*, notes*, reads (name, value, writer)*,
// call: function and (name, value, place, variable)*, text, cycles, variables that ended, frame. What is empty is [], and left out at the end.
const lane = s => s[0], file = s => s[1], line = s => s[2], depth = s => s[3], fn = s => S[s[4]];
const text = s => typeof s[9] === 'number' ? S[s[9]] : (D.files[file(s)].lines[line(s) - 1] ?? '').trim();
const el = (tag, className, content) => {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (content !== undefined) e.textContent = content;
  return e;
};

// What is known after a step: frames and positions of every thread, memory. Kept at some steps, so that going back is quick.
const kEvery = 2048;
const kept = new Map();
let state, stateAt = -1;
const copy = s => ({
  lanes: s.lanes.map(l => l && {at: l.at, frames: l.frames.map(f => ({...f, locals: new Map(f.locals)}))}),
  memory: new Map(s.memory)});
// The members of "{x = 1, y = {2, 3}}", or its elements: what is added to its name, and the value. Nothing of what is no list.
function membersOf(text, indexed) {
  const all = [];
  if (text[0] !== '{' || text === '{...}') return all;
  let depth = 0, quote = '', begin = 1;
  for (let k = 1; k < text.length; k++) {
    const c = text[k];
    if (quote) { if (c === '\\') k++; else if (c === quote) quote = ''; continue; }
    if (c === '"' || c === "'") quote = c;
    else if ((depth === 0 && c === '}') || (depth === 0 && c === ',')) {
      const item = text.slice(begin, k), named = /^([A-Za-z_]\w*) = /.exec(item);
      if (indexed) { if (item !== '...') all.push(['[' + all.length + ']', item]); }
      else if (named) all.push(['.' + named[1], item.slice(named[0].length)]);
      else all.push(...membersOf(item, false));  // of a struct or union without a name
      begin = k + 2;
    } else if (c === '{') depth++;
    else if (c === '}') depth--;
  }
  return all;
}
// A text after one of its characters was written; null: not known.
function poke(text, at, value) {
  const whole = /^([LuU]?)"(.*)"$/s.exec(text);
  if (!whole) return null;
  const letters = whole[2].match(/\\(?:u[0-9a-f]{4}|U[0-9a-f]{8}|x[0-9a-f]+|[0-7]{3}|.)|[^\\]/gs) ?? [];
  const letter = /^[LuU]?'(.+)'$/s.exec(value);
  if (at >= letters.length || (!letter && value !== '0')) return null;
  if (letter) letters[at] = letter[1] === '"' ? '\\"' : letter[1] === "\\'" ? "'" : letter[1];
  else letters.length = at;
  return `${whole[1]}"${letters.join('')}"`;
}
// What is known of a variable: by its number and, if it is in memory, the part of it. Of a whole object and its parts, only what
// was written last is shown: the other would be out of date. What is written in part is shown by its parts from then on.
function write(values, variable, place, name, value, i) {
  const of = variable + '|';
  if (place) {
    for (const part of place.matchAll(/[.[]/g)) {
      const outer = place.slice(0, part.index), whole = values.get(of + outer);
      if (!whole) continue;
      const index = /^\[(\d+)\]$/.exec(place.slice(part.index)), text = index && poke(whole[1], +index[1], value);
      if (text) { values.set(of + outer, [outer, text, i]); return; }
      values.delete(of + outer);
      for (const [more, inside] of membersOf(whole[1], part[0] === '[')) values.set(of + outer + more, [outer + more, inside, whole[2]]);
    }
    const range = /^(.*)\[(\d+)\.\.(\d+)\]$/.exec(place), base = of + (range ? range[1] : place);
    const element = /^(.*)\[(\d+)\]/.exec(place);
    for (const key of [...values.keys()]) {
      if (!key.startsWith(of)) continue;
      const inside = key.startsWith(base) && '.['.includes(key[base.length] ?? ' ');
      if (!range && inside && /^["{?]/.test(value)) values.delete(key);
      if (range && inside) {
        const at = parseInt(key.slice(base.length + 1), 10);
        if (key.includes('..') || (at >= +range[2] && at <= +range[3])) values.delete(key);
      }
      const known = element && key.startsWith(of + element[1] + '[') && /^\[(\d+)\.\.(\d+)\]$/.exec(key.slice((of + element[1]).length));
      if (!known || +element[2] < +known[1] || +element[2] > +known[2]) continue;
      const [, list, when] = values.get(key);
      values.delete(key);
      membersOf(list, true).forEach(([, inside], k) => {
        const one = `${element[1]}[${+known[1] + k}]`;
        values.set(of + one, [one, inside, when]);
      });
    }
  }
  values.set(of + place, [place || name, value, i]);
}
function frameOf(s, k, id) {
  for (const l of [s.lanes[k], ...s.lanes]) {
    if (!l) continue;
    for (let d = l.frames.length - 1; d >= 0; d--) if (l.frames[d].id === id) return l.frames[d];
  }
  return null;
}
function put(s, f, k, from, i, c) {
  const variable = c[from + 3], place = S[c[from + 2]], owner = D.owners[variable] ?? 0;
  const to = !place ? f.locals : owner ? frameOf(s, k, owner)?.locals : s.memory;
  if (to) write(to, variable, place, S[c[from]], S[c[from + 1]], i);
}
function apply(s, i) {
  const step = steps[i], d = depth(step), k = lane(step), id = typeof step[12] === 'number' ? step[12] : 0;
  const l = s.lanes[k] ??= {at: i, frames: []};
  l.at = i;
  if (D.firmware && k === 0) delete s.lanes[1];  // no interrupt is under way
  if (l.frames.length > d + 1) l.frames.length = d + 1;
  while (l.frames.length < d + 1) l.frames.push({id: 0, fn: '', line: 0, locals: new Map()});
  let f = l.frames[d];
  if (f.fn !== fn(step) || f.id !== id) {
    f = l.frames[d] = {id, fn: fn(step), line: 0, locals: new Map()};
    const call = d > 0 && l.frames[d - 1].call;
    if (call && S[call[0]] === f.fn) for (let c = 1; c < call.length; c += 4) put(s, f, k, c, i, call);
  }
  f.line = line(step);
  f.call = step[8];
  for (const variable of step[11] || [])
    for (const values of [f.locals, s.memory])
      for (const key of [...values.keys()]) if (key.startsWith(variable + '|')) values.delete(key);
  const changes = step[5] || [];
  for (let c = 0; c < changes.length; c += 4) put(s, f, k, c, i, changes);
}
function stateOf(i) {
  if (stateAt > i || stateAt < 0) {
    let from = Math.floor(i / kEvery) * kEvery;
    while (from > 0 && !kept.has(from)) from -= kEvery;
    state = from > 0 ? copy(kept.get(from)) : {lanes: [], memory: new Map()};
    stateAt = from > 0 ? from : -1;
  }
  while (stateAt < i) {
    apply(state, ++stateAt);
    if (stateAt % kEvery === 0 && stateAt && !kept.has(stateAt)) kept.set(stateAt, copy(state));
  }
  return state;
}

// The list: rows and folded rounds; only what can be seen is in the document.
const kHeight = 22;
const open = new Set();
let list = [];
function build() {
  list = [];
  const add = parts => {
    for (const p of parts) {
      if (typeof p === 'number') { list.push(p); continue; }
      if (open.has(p)) {
        list.push(p);
        for (let i = p.begin; i < p.end; i++) list.push(i);
      } else {
        add(p.first);
        list.push(p);
        add(p.last);
      }
    }
  };
  add(D.parts);
  rows.style.height = list.length * kHeight + 'px';
}
const trace = $('trace'), rows = $('rows'), lanes = D.lanes.length;
trace.classList.toggle('lanes', lanes > 1);
$('app').classList.toggle('single', lanes <= 1);
if (lanes > 3) {
  trace.classList.add('wide');
  for (const name of trace.querySelectorAll('.head span')) name.textContent = name.textContent.replace(/^thread (\d+) \((.*)\)$/, 'T$1 $2');
  $('app').classList.add('many');
}
if (D.firmware) trace.classList.add('chip');  // the number of the line after that of the cycle
trace.style.setProperty('--lanes', lanes);
const shortName = k => D.firmware ? 'PI'[k] : 'T' + k;
const foldText = p => open.has(p) ? `▾ ${p.rounds} rounds (fold)` : '▸ ' + p.text;
let hits = [], now = 0, everything = false;
function rowOf(entry, at) {
  const row = el('div', 'row');
  if (!everything) row.style.top = at * kHeight + 'px';
  if (typeof entry !== 'number') {
    row.classList.add('fold');
    row.append(el('span', 'n'), el('span', 'c', foldText(entry)));
    row.onclick = () => toggle(entry);
    return row;
  }
  const s = steps[entry];
  row.id = 'row' + entry;
  row.setAttribute('role', 'option');
  row.setAttribute('aria-selected', entry === now);
  if (entry === now) row.classList.add('on');
  if (hitSet.has(entry)) row.classList.add('hit');
  if (entry === n - 1 && D.violated) row.classList.add('bad');
  row.append(el('span', 'n', (typeof s[10] === 'number' ? `@${s[10]} ` : '') + String(line(s) || '').padStart(D.firmware ? 4 : 0)));
  for (let k = 0; k < lanes; k++) {
    const cell = el('span', 'c');
    if (k === lane(s)) {
      cell.classList.add('mine');
      const what = el('span', 't', ' '.repeat(2 * Math.min(depth(s), 8)) + text(s)), more = said(s);
      if (more) what.append(el('b', '', '  → ' + more));
      cell.title = what.textContent.trim();
      if (lanes > 1) cell.append(el('span', k % 2 ? 'who one' : 'who', shortName(k)));
      cell.append(what);
    }
    row.append(cell);
  }
  row.onclick = () => go(entry);
  return row;
}
function said(s) {
  const out = [], c = s[5] || [];
  for (let k = 0; k < c.length; k += 4) if (!D.firmware || !line(s) || !/^r\d+$/.test(S[c[k]])) out.push(S[c[k]] + ' = ' + S[c[k + 1]]);
  const call = s[8] || [], given = [];
  for (let k = 1; k < call.length; k += 4) given.push(S[call[k]] + ' = ' + S[call[k + 1]]);
  if (given.length) out.push(`${S[call[0]]}(${given.join(', ')})`);
  for (const note of s[6] || []) out.push(S[note]);
  return out.join(', ');
}
function draw() {
  const from = everything ? 0 : Math.max(0, Math.floor((trace.scrollTop - 400) / kHeight));
  const to = everything ? Math.min(list.length, 5000) : Math.min(list.length, Math.ceil((trace.scrollTop + trace.clientHeight + 400) / kHeight));
  const some = document.createDocumentFragment();
  for (let k = from; k < to; k++) some.append(rowOf(list[k], k));
  rows.replaceChildren(some);
}
function toggle(p) {
  open.has(p) ? open.delete(p) : open.add(p);
  build();
  draw();
}
/// Opens folds until the step is in the list. Its place there.
function reveal(i) {
  for (let guard = 0; guard < 50; guard++) {
    const at = list.indexOf(i);
    if (at >= 0) return at;
    const hidden = list.find(p => typeof p !== 'number' && !open.has(p) && p.begin <= i && i < p.end);
    if (!hidden) return 0;
    open.add(hidden);
    build();
  }
  return 0;
}

// Source
const source = $('source'), sourceName = $('source-name');
let shown = -1, marked = [];
function showFile(f) {
  if (shown === f) return;
  shown = f;
  sourceName.textContent = D.files[f].name;
  const some = document.createDocumentFragment();
  D.files[f].lines.forEach((t, i) => {
    const row = el('div');
    row.append(el('span', 'who'), el('span', 'n', i + 1), el('span', '', t || ' '));
    if (D.violated && D.violated.file === f && D.violated.line === i + 1) row.classList.add('bad');
    some.append(row);
  });
  source.replaceChildren(some);
  marked = [];
}
function showSource() {
  const s = steps[now];
  showFile(file(s));
  for (const row of marked) { row.classList.remove('now', 'there'); row.firstChild.textContent = ''; }
  marked = [];
  const mark = (k, at, active) => {
    const row = file(steps[at]) === shown && source.children[line(steps[at]) - 1];
    if (!row) return;
    row.classList.add(active ? 'now' : 'there');
    if (lanes > 1) row.firstChild.textContent += (row.firstChild.textContent ? ',' : '') + shortName(k);
    marked.push(row);
    if (active) {
      const pane = source.parentElement, top = row.offsetTop - pane.clientHeight / 2;
      if (row.offsetTop < pane.scrollTop + 60 || row.offsetTop > pane.scrollTop + pane.clientHeight - 60) pane.scrollTop = top;
    }
  };
  state.lanes.forEach((l, k) => l && k !== lane(s) && !gone(k) && mark(k, l.at, false));
  mark(lane(s), now, true);
}

// Variables and stacks
const values = $('values');
const lastOf = [];
steps.forEach((s, i) => lastOf[lane(s)] = i);
const gone = k => D.ended?.[k] && now > lastOf[k];
function table(map, local) {
  const t = el('table'), count = new Map();
  for (const [name] of map.values()) count.set(name, (count.get(name) ?? 0) + 1);
  for (const [name, value, at] of map.values()) {
    const row = el('tr', at === now ? 'new' : ''), left = count.get(name) - 1;
    count.set(name, left);
    // An inner block has a variable of the same name.
    row.append(el('td', '', left > 0 && local ? name + ' (of an outer block)' : name), el('td', '', value));
    t.append(row);
  }
  return t;
}
function showValues() {
  const some = document.createDocumentFragment(), s = steps[now], reads = s[7] || [];
  for (const note of s[6] || []) if (!S[note].includes(' was written by ')) some.append(el('p', 'note', S[note]));
  for (let k = 0; k < reads.length; k += 3) {
    const writer = reads[k + 2] - 1;
    if (writer < 0 || lane(steps[writer]) === lane(s)) continue;
    const p = el('p', 'note', `${S[reads[k]]} = ${S[reads[k + 1]]} was written by ${D.lanes[lane(steps[writer])]}, `);
    const a = el('a', '', `line ${line(steps[writer])}`);
    a.href = '#step=' + (writer + 1);
    p.append(a);
    some.append(p);
  }
  const order = [lane(s), ...state.lanes.keys()].filter((k, i, all) => all.indexOf(k) === i);
  for (const k of order) {
    const l = state.lanes[k];
    if (!l || gone(k)) continue;
    some.append(el('h3', '', D.lanes[k] + (k === lane(s) ? ' (this step)' : '')));
    const frames = l.frames.map((f, d) => [f, d]).filter(([f]) => f.fn).reverse();
    frames.slice(0, k === lane(s) ? 12 : 4).forEach(([f]) => {
      some.append(el('div', '', f.fn + (f.line ? ' : ' + f.line : '')));
      if (f.locals.size) some.append(table(f.locals, true));
    });
    const shown = k === lane(s) ? 12 : 4;
    if (frames.length > shown) some.append(el('div', 'soft', `and ${frames.length - shown} calls further out`));
  }
  if (state.memory.size) {
    some.append(el('h3', '', D.firmware ? 'variables, ports and registers' : 'static and on the heap'));
    const newest = [...state.memory].sort((a, b) => b[1][2] - a[1][2]).slice(0, 200);
    some.append(table(new Map(newest)));
    if (state.memory.size > 200) some.append(el('div', 'soft', `and ${state.memory.size - 200} that changed earlier`));
  }
  values.replaceChildren(some);
}

const where = $('where'), live = $('live');
function go(i, silent) {
  now = Math.max(0, Math.min(n - 1, i));
  stateOf(now);
  const at = reveal(now), top = at * kHeight;
  if (top < trace.scrollTop + 40 || top > trace.scrollTop + trace.clientHeight - 66) trace.scrollTop = top - trace.clientHeight / 2;
  draw();
  showSource();
  showValues();
  const s = steps[now], cell = rows.querySelector('.row.on')?.children[lane(s) + 1];
  if (cell && (cell.offsetLeft - 60 < trace.scrollLeft || cell.offsetLeft + cell.offsetWidth > trace.scrollLeft + trace.clientWidth))
    trace.scrollLeft = cell.offsetLeft - 70;
  where.textContent = `${now + 1} / ${n}` + (typeof s[10] === 'number' ? `, cycle ${s[10]}` : '');
  trace.setAttribute('aria-activedescendant', 'row' + now);
  live.textContent = `Step ${now + 1} of ${n}, ${D.lanes[lane(s)]}, ${fn(s)} line ${line(s)}: ${text(s)}. ${said(s)}`;
  if (!silent) try { history.replaceState(null, '', '#step=' + (now + 1)); } catch { location.hash = 'step=' + (now + 1); }
}
function over(by) {
  const s = steps[now];
  for (let i = now + by; i >= 0 && i < n; i += by)
    if (lane(steps[i]) === lane(s) && depth(steps[i]) <= depth(s)) return go(i);
  go(by > 0 ? n - 1 : 0);
}
function out() {
  const s = steps[now];
  for (let i = now + 1; i < n; i++)
    if (lane(steps[i]) === lane(s) && depth(steps[i]) < depth(s)) return go(i);
  go(n - 1);
}

// Search
let hitSet = new Set();
const search = $('search'), found = $('found');
function find() {
  const words = search.value.trim().toLowerCase();
  hits = [];
  if (words) for (let i = 0; i < n; i++) {
    const s = steps[i];
    if ((text(s) + ' ' + said(s) + ' ' + fn(s) + ' ' + line(s)).toLowerCase().includes(words)) hits.push(i);
  }
  hitSet = new Set(hits);
  found.textContent = words ? `${hits.length} found` : '';
  draw();
}
search.oninput = find;
search.onkeydown = e => {
  if (e.key === 'Escape') { search.value = ''; find(); trace.focus(); }
  if (e.key !== 'Enter' || !hits.length) return;
  const next = e.shiftKey ? hits.findLast(i => i < now) ?? hits[hits.length - 1] : hits.find(i => i > now) ?? hits[0];
  go(next);
};

const commands = {first: () => go(0), back: () => go(now - 1), next: () => go(now + 1), over: () => over(1), out,
  violation: () => go(n - 1), folds: () => {
    const all = [];
    const add = parts => parts.forEach(p => { if (typeof p !== 'number') { all.push(p); } });
    add(D.parts);
    const closed = all.some(p => !open.has(p));
    open.clear();
    if (closed) all.forEach(p => open.add(p));
    build();
    go(now);
  }};
for (const [name, f] of Object.entries(commands)) if ($(name)) $(name).onclick = f;
const keys = {ArrowRight: commands.next, ArrowLeft: commands.back, ArrowDown: () => over(1), ArrowUp: () => over(-1),
  Home: commands.first, End: commands.violation, o: commands.out, f: commands.folds, '/': () => search.focus()};
addEventListener('keydown', e => {
  if (e.target === search || e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
  if (e.target.tagName === 'SUMMARY') return;
  keys[e.key]();
  e.preventDefault();
});
trace.onscroll = draw;
addEventListener('resize', draw);
addEventListener('beforeprint', () => { everything = true; draw(); });
addEventListener('afterprint', () => { everything = false; draw(); });
const fromHash = () => { const m = /step=(\d+)/.exec(location.hash); return m ? +m[1] - 1 : -1; };
addEventListener('hashchange', () => { if (fromHash() >= 0 && fromHash() !== now) go(fromHash(), true); });
build();
go(fromHash() >= 0 ? fromHash() : D.violated ? n - 1 : 0, true);
document.documentElement.dataset.ready = Math.round(performance.now());
})();
