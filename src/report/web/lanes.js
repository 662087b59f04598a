// The lane diagram of a trace: a table with a column for each process and one for what they share.
const MOST_START_VALUES = 5;

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

// Lanes in which something happens, or which the reasons name; the others are hidden until asked for.
function activeLanes(trace) {
  const active = new Set();
  trace.steps.forEach((step, at) => {
    if (step.lane !== SHARED) active.add(step.lane);
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

function valueOf(value) {
  return value === null ? "undefined" : value;
}

function changeChip(entry, before, after, isStart) {
  const box = el("span", { class: "change", "data-entry": entry });
  box.append(el("span", { class: "name" }, breakable(shortName(entry)), " "));
  if (!isStart) box.append(el("span", { class: "old" }, valueOf(before)), " → ");
  box.append(el("span", { class: "new" }, valueOf(after)));
  return box;
}

// A record that changed in several fields is one thing that happened.
const FIELDS_FOR_ONE_CHIP = 3;

function groupByRecord(changes) {
  const groups = new Map();
  for (const change of changes) {
    const name = shortName(change[0]), dot = name.lastIndexOf("."), key = dot < 0 ? name : name.slice(0, dot);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(change);
  }
  return [...groups.entries()].flatMap(([name, group]) => (group.length >= FIELDS_FOR_ONE_CHIP ? [{ name, group }] : group.map((change) => ({ group: [change] }))));
}

function recordChip(name, group, before) {
  const box = el("span", { class: "change", "data-entry": group[0][0] }, el("span", { class: "name" }, breakable(name), " "));
  const field = (entry) => shortName(entry).slice(name.length + 1);
  if (group.every(([, value]) => value === null))
    return fill(box, {}, [el("span", { class: "old" }, group.map(([entry]) => before[entry]).filter(Boolean).join(", ")), " → ", el("span", { class: "new" }, "undefined")]);
  group.forEach(([entry, value], at) => box.append(at ? ", " : "", field(entry) + " ", el("span", { class: "new" }, valueOf(value))));
  return box;
}

// Of a multiset: what came and went, not both wholes.
function splitElements(value) {
  if (value === null || !value.startsWith("{")) return null;
  const parts = [];
  let depth = 0, from = 1;
  for (let i = 0; i < value.length; i++) {
    if ("{[(".includes(value[i])) depth++;
    if ("}])".includes(value[i])) depth--;
    if ((value[i] === "," && depth === 1) || (i === value.length - 1 && i > from)) {
      parts.push(value.slice(from, i).trim());
      from = i + 1;
    }
  }
  return parts.map((part) => part.replace(/(\{|, )\w+: undefined(?=[,}])/g, (all, before) => (before === "{" ? "{" : "")).replace("{, ", "{"));
}

function multisetChip(entry, before, after) {
  const old = splitElements(before), now = splitElements(after);
  if (!old || !now) return null;
  const gone = [...old], came = [];
  for (const part of now) {
    const at = gone.indexOf(part);
    if (at >= 0) gone.splice(at, 1);
    else came.push(part);
  }
  const box = el("span", { class: "change", "data-entry": entry }, el("span", { class: "name" }, breakable(shortName(entry)), " "));
  for (const part of gone) box.append(el("span", { class: "old" }, part), " ");
  for (const part of came) box.append(el("span", { class: "new" }, "+ " + part), " ");
  return box;
}

function laneCell(lane, step, at, before, wanted) {
  const cell = el("td", { class: "lane" + (lane === SHARED ? " shared" : ""), "data-lane": lane });
  const changes = (step.changes || []).filter(([entry]) => run.entries[entry][1] === lane && wanted(entry));
  const shown = at === 0 ? changes.slice(0, MOST_START_VALUES) : changes;
  for (const { name, group } of at === 0 ? shown.map((change) => ({ group: [change] })) : groupByRecord(shown)) {
    const [entry, value] = group[0];
    cell.append(name ? recordChip(name, group, before)
      : (at > 0 && multisetChip(entry, before[entry], value)) || changeChip(entry, before[entry], value, at === 0));
  }
  if (changes.length > shown.length) cell.append(el("span", { class: "more" }, "and " + (changes.length - shown.length) + " more"));
  if (at > 0 && lane === step.lane) {
    cell.classList.add("actor");
    if (!shown.length) cell.append(el("span", { class: "dot" }));
  }
  if (at === 0) cell.classList.add("start");
  return cell;
}

function ruleButton(step, number, at, pick) {
  const [, name, parameters] = /^(.*?)(?: (\([^()]*: [^()]*\)))?$/s.exec(step.rule);
  return el("button", { class: "pick", type: "button", onclick: () => pick(at) },
    el("b", {}, String(number)),
    el("span", {}, (at === 0 && number === 0 ? "start: " : "") + name, parameters ? el("span", { class: "parameters" }, parameters.slice(1, -1)) : null));
}

function endNotes(trace, step, at) {
  const notes = [];
  if (step.fault) notes.push(el("span", { class: "end-note" }, "fails: " + step.fault, " ", lineLink(step.place[0])));
  if (trace.first + at === trace.end && trace.ending) notes.push(el("span", { class: "end-note" }, trace.ending));
  if (at === trace.steps.length - 1 && trace.loop !== null)
    notes.push(el("span", { class: "loop-note" }, "as after step " + trace.loop + ", and so on for ever"));
  if (trace.loop === trace.first + at) notes.push(el("span", { class: "loop-note" }, "a loop begins here"));
  return notes;
}

// Rows between which a message passes have room for the arrow's ends.
function rowClass(trace, step, at, view) {
  const number = trace.first + at, classes = [];
  if (number === trace.end || step.fault) classes.push(trace.isWitness ? "good" : "bad");
  if (trace.loop !== null && number > trace.loop) classes.push("looping");
  if (view.arrows && trace.messages.some((message) => message.sent === number)) classes.push("sends");
  if (view.arrows && trace.messages.some((message) => message.received === number)) classes.push("receives");
  return classes.join(" ");
}

// `view`: what the filters and toggles say now. `hooks`: what happens when a row is picked or pointed at.
function laneTable(trace, view, hooks) {
  const active = activeLanes(trace);
  const shown = run.lanes.map((_, lane) => lane).filter((lane) => view.idle || active.has(lane)).concat([SHARED]);
  const heads = shown.map((lane) => el("th", { scope: "col", class: "lane", "data-lane": lane }, laneTitle(lane),
    lane === SHARED ? null : el("small", {}, /^\d/.test(run.lanes[lane].name) ? run.lanes[lane].type : "")));
  const body = el("tbody", {});
  let values = new Array(run.entries.length).fill(null);
  trace.steps.forEach((step, at) => {
    const row = el("tr", { "data-step": at, class: rowClass(trace, step, at, view),
      onclick: () => hooks.pick(at), onmouseenter: () => hooks.preview(at), onmouseleave: () => hooks.preview(null) },
      el("th", { scope: "row", class: "step" }, ruleButton(step, trace.first + at, at, hooks.pick), endNotes(trace, step, at)),
      shown.map((lane) => laneCell(lane, step, at, values, view.wanted)));
    values = [...values];
    for (const [entry, value] of step.changes || []) values[entry] = value;
    body.append(row);
  });
  return el("table", { class: "lanes" },
    el("caption", { hidden: true }, trace.claim),
    el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "step" }, "Step"), heads)), body);
}
