// The columns of the lane diagram: which lanes are shown, which are pinned, and in which order.
// Processes that the reasons name: the witnesses of the formula, and what the ending says.
function namesIn(trace) {
  const names = new Set((trace.ending || "").match(/\w+/g) || []);
  const visit = (node) => {
    if (node.witness) names.add(node.witness);
    node.parts.forEach(visit);
  };
  if (trace.explanation && trace.explanation.outcome === "false") visit(trace.explanation);
  return names;
}

// At most this many lanes have a column of their own; the others share one, until asked for.
const OTHERS = -2, MOST_LANES = 12;

// The processes that take the step; in PRISM models the name of the rule lists the modules.
function actorsOf(step) {
  if (step.partner !== undefined) return [step.lane, step.partner];
  if (step.lane !== SHARED || !run.chain) return [step.lane];
  const modules = new Set(step.rule.replace(/^\[.*?\] */, "").split(", "));
  const named = run.lanes.flatMap((lane, at) => (modules.has(lane.name) ? [at] : []));
  return named.length ? named : [SHARED];
}

// Lanes in which something happens, or which the reasons name; the others are hidden until asked for.
function activeLanes(trace) {
  const active = new Set();
  trace.steps.forEach((step, at) => {
    if (at > 0) for (const lane of actorsOf(step)) active.add(lane);
    if (at > 0) for (const [entry] of step.changes || []) active.add(run.entries[entry][1]);
  });
  for (const message of trace.messages) {
    active.add(message.from);
    if (message.to !== null) active.add(message.to);
  }
  const named = namesIn(trace);
  run.lanes.forEach((lane, at) => named.has(lane.name) && active.add(at));
  active.add(SHARED);
  return active;
}

// If many lanes are active, those that the reasons name come first, then those that changed last.
function chosenLanes(trace, active) {
  const named = namesIn(trace), last = new Map();
  trace.steps.forEach((step, at) => {
    for (const lane of actorsOf(step)) last.set(lane, at);
    for (const [entry] of at ? step.changes || [] : []) last.set(run.entries[entry][1], at);
  });
  const rank = (lane) => (named.has(run.lanes[lane].name) ? trace.steps.length : 0) + (last.get(lane) || 0);
  return new Set([...active].filter((lane) => lane !== SHARED).sort((a, b) => rank(b) - rank(a)).slice(0, MOST_LANES));
}

// Is there anything that belongs to no process?
function hasShared(trace) {
  return !run.lanes.length || run.entries.some(([, lane]) => lane === SHARED) || trace.steps.some((step, at) => at > 0 && actorsOf(step).includes(SHARED)) ||
    trace.messages.some((message) => message.from === SHARED || message.to === SHARED);
}

// The lanes that decide: those of the processes and of the variables that the reasons name, the shared ones too.
function decisiveLanes(trace) {
  const named = namesIn(trace), lanes = new Set(run.lanes.flatMap((lane, at) => (named.has(lane.name) ? [at] : [])));
  const laneOfName = new Map(run.entries.map(([name, lane]) => [name, lane]));
  const visit = (node) => {
    for (const [name] of node.terms) if (laneOfName.has(name)) lanes.add(laneOfName.get(name));
    node.parts.forEach(visit);
  };
  if (trace.explanation) visit(trace.explanation);
  return lanes;
}

// More columns than fit: then the lanes that decide are pinned, as far as there is room beside them.
const FEW_COLUMNS = 6, MOST_PINS_AT_FIRST = 3, MOST_PINS_IN_SIGHT = 4;

function firstPins(trace, view) {
  const { shown } = columnsOf(trace, view), decisive = decisiveLanes(trace);
  return shown.length <= FEW_COLUMNS ? [] : shown.filter((column) => decisive.has(column)).slice(-MOST_PINS_AT_FIRST);
}

// The columns, from left to right, and in which of them a lane is: the pinned ones first, then as the user moved them.
function columnsOf(trace, view) {
  const active = activeLanes(trace), all = run.lanes.map((_, lane) => lane).filter((lane) => view.idle || active.has(lane));
  const isCrowd = all.length > MOST_LANES && !view.crowd, chosen = isCrowd ? chosenLanes(trace, active) : null;
  const shared = hasShared(trace) ? [SHARED] : [];
  const found = isCrowd ? [OTHERS, ...all.filter((lane) => chosen.has(lane)), ...shared] : [...all, ...shared];
  const rank = (column) => (view.pins.includes(column) ? 0 : 2) + (view.order.includes(column) ? view.order.indexOf(column) / view.order.length : 1);
  const shown = [...found].sort((a, b) => rank(a) - rank(b) || found.indexOf(a) - found.indexOf(b)), seen = new Set(shown);
  return { shown, of: (lane) => (seen.has(lane) ? lane : isCrowd ? OTHERS : lane), hidden: isCrowd ? all.length - chosen.size : 0 };
}

// Before the column that is at that place now.
function moveColumn(trace, view, column, place) {
  const { shown } = columnsOf(trace, view), rest = shown.filter((other) => other !== column);
  rest.splice(Math.max(0, Math.min(rest.length, place)), 0, column);
  view.order = rest;
}

function togglePin(view, column) {
  view.pins = view.pins.includes(column) ? view.pins.filter((other) => other !== column) : [...view.pins, column];
}

const PIN = "M5 1.5h6v1.3l-1 .7v3.6l2.2 2V10.4H8.7V15L8 15.8 7.3 15v-4.6H3.8V9.1l2.2-2V3.5l-1-.7z";

// The name of a lane; a button pins it, its arrow keys and the mouse move it.
function columnHead(column, columns, hooks) {
  const title = column === OTHERS ? plural(columns.hidden, "other") : laneTitle(column), place = columns.shown.indexOf(column), isPinned = hooks.isPinned(column);
  const small = column < 0 ? null : el("small", {}, /^\d/.test(run.lanes[column].name) ? run.lanes[column].type : "");
  if (column === OTHERS) return el("th", { scope: "col", class: "lane", "data-lane": column }, title);
  const pin = el("button", { class: "pin", type: "button", "aria-pressed": String(isPinned), "aria-label": "Pin lane " + laneName(column), title: "Pin this lane; the left and right arrow keys, or the mouse, move it",
    onclick: () => hooks.pin(column), onkeydown: (event) => {
      const to = { ArrowLeft: place - 1, ArrowRight: place + 1 }[event.key];
      if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      hooks.move(column, to);
    } }, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: PIN })));
  return el("th", { scope: "col", class: "lane" + pinClass(columns, column, hooks), "data-lane": column, draggable: "true",
    ondragstart: (event) => event.dataTransfer.setData("text/plain", "lane " + column),
    ondragover: (event) => event.preventDefault(),
    ondrop: (event) => {
      const from = /^lane (-?\d+)$/.exec(event.dataTransfer.getData("text/plain"));
      event.preventDefault();
      if (from) hooks.move(Number(from[1]), place);
    } }, title, pin, small);
}

// The first pinned columns stay in sight when the diagram is scrolled sideways.
function pinClass(columns, column, hooks) {
  const place = columns.shown.indexOf(column);
  return hooks.isPinned(column) && place < MOST_PINS_IN_SIGHT ? " pinned pin-" + place : "";
}
