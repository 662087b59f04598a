// The lane diagram of a trace: a table with a column for each process and one for what they share.
const MOST_START_VALUES = 5;

function valueOf(value) {
  return value === null ? (run.faced ? "gone" : "undefined") : value;
}

function changeChip(entry, before, after, isStart, nameOf) {
  const box = el("span", { class: "change", "data-entry": entry });
  box.append(el("span", { class: "name" }, breakable(nameOf(entry)), " "));
  if (!isStart && !(run.faced && before === null)) box.append(el("span", { class: "old" }, valueOf(before)), " → ");
  box.append(el("span", { class: "new" }, valueOf(after)));
  return box;
}

// A record that changed in several fields is one thing that happened.
const FIELDS_FOR_ONE_CHIP = 3;

function groupByRecord(changes, nameOf) {
  const groups = new Map();
  for (const change of changes) {
    const name = nameOf(change[0]), dot = name.lastIndexOf("."), key = dot < 0 ? name : name.slice(0, dot);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(change);
  }
  return [...groups.entries()].flatMap(([name, group]) => (group.length >= FIELDS_FOR_ONE_CHIP ? [{ name, group }] : group.map((change) => ({ group: [change] }))));
}

function recordChip(name, group, before, nameOf) {
  const box = el("span", { class: "change", "data-entry": group[0][0] }, el("span", { class: "name" }, breakable(name), " "));
  const field = (entry) => nameOf(entry).slice(name.length + 1);
  if (group.every(([, value]) => value === null))
    return fill(box, {}, [el("span", { class: "old" }, group.map(([entry]) => before[entry]).filter(Boolean).join(", ")), " → ", el("span", { class: "new" }, "undefined")]);
  group.forEach(([entry, value], at) => box.append(at ? ", " : "", field(entry) + " ", el("span", { class: "new" }, valueOf(value))));
  return box;
}

// A change of a multiset: the elements added and removed.
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

function multisetChip(entry, before, after, nameOf) {
  const old = splitElements(before), now = splitElements(after);
  if (!old || !now) return null;
  const gone = [...old], came = [];
  for (const part of now) {
    const at = gone.indexOf(part);
    if (at >= 0) gone.splice(at, 1);
    else came.push(part);
  }
  const box = el("span", { class: "change", "data-entry": entry }, el("span", { class: "name" }, breakable(nameOf(entry)), " "));
  for (const part of gone) box.append(el("span", { class: "old" }, part), " ");
  for (const part of came) box.append(el("span", { class: "new" }, "+ " + part), " ");
  return box;
}

const fullName = (entry) => run.entries[entry][0];

// `changes`: those of this column that are wanted.
function laneCell(column, pinned, at, before, changes, isActor) {
  const cell = el("td", { class: "lane" + (column === SHARED ? " shared" : column === OTHERS ? " others" : "") + pinned, "data-lane": column });
  const shown = at === 0 ? changes.slice(0, column === OTHERS ? 0 : MOST_START_VALUES) : changes, nameOf = column === OTHERS ? fullName : shortName;
  for (const { name, group } of at === 0 ? shown.map((change) => ({ group: [change] })) : groupByRecord(shown, nameOf)) {
    const [entry, value] = group[0];
    cell.append(name ? recordChip(name, group, before, nameOf)
      : (at > 0 && multisetChip(entry, before[entry], value, nameOf)) || changeChip(entry, before[entry], value, at === 0, nameOf));
  }
  if (changes.length > shown.length) cell.append(el("span", { class: "more" }, (shown.length ? "and " : "") + digits(changes.length - shown.length) + (shown.length ? " more" : " values")));
  if (isActor) {
    cell.classList.add("actor");
    if (!shown.length) cell.append(el("span", { class: "dot" }));
  }
  if (at === 0) cell.classList.add("start");
  return cell;
}

// The automaton of an LTL property is named where it moves.
function movesAutomaton(trace, number) {
  return trace.automaton && number > 0 && trace.automaton.run[number] !== trace.automaton.run[number - 1];
}

function ruleButton(trace, step, at, pick) {
  const [, name, parameters] = run.faced ? [null, step.rule, null] : /^(.*?)(?: (\([^()]*: [^()]*\)))?$/s.exec(step.rule), number = stepOf(trace, at);
  const chance = trace.chances && at > 0 ? trace.chances[at] : null;
  return el("button", { class: "pick", type: "button", onclick: () => pick(at) },
    el("b", {}, String(number)),
    el("span", {}, (at === 0 ? "start: " : "") + name, parameters ? el("span", { class: "parameters" }, parameters.slice(1, -1)) : null,
      movesAutomaton(trace, number) ? el("span", { class: "parameters" }, "automaton: state " + trace.automaton.run[number]) : null,
      chance === null ? null : el("span", { class: "parameters" }, chance === 1 ? "with probability 1" : "with probability " + shortNumber(chance))));
}

const FAIR_WORDS = { moves: "moves in this step", disabled: "cannot move here", true: "is met here" };

function endNotes(trace, step, at) {
  const notes = (trace.fairness || []).filter((event) => event.step === stepOf(trace, at)).map((event) =>
    el("span", { class: "loop-note" }, event.requirement + (event.values ? " (" + event.values + ")" : "") + ": " + FAIR_WORDS[event.how]));
  if (step.fault) notes.push(el("span", { class: "end-note" }, "fails: " + step.fault, " ", lineLink(step.place[0])));
  if (stepOf(trace, at) === trace.end && trace.ending) notes.push(el("span", { class: "end-note" }, trace.ending));
  if (at === trace.steps.length - 1 && trace.loop !== null)
    notes.push(el("span", { class: "loop-note" }, "as after step " + trace.loop + ", and so on for ever"));
  if (trace.loop === stepOf(trace, at)) notes.push(el("span", { class: "loop-note" }, "a cycle begins here"));
  return notes;
}

// Rows between which a message passes have room for the arrow's ends.
function rowClass(trace, step, at, ends) {
  const number = stepOf(trace, at), classes = [];
  if (!trace.chances && (number === trace.end || step.fault)) classes.push(trace.isWitness ? "good" : "bad");
  if (trace.loop !== null && number > trace.loop) classes.push("looping");
  if (ends.sent.has(number)) classes.push("sends");
  if (ends.received.has(number)) classes.push("receives");
  return classes.join(" ");
}

// The number of rows in the page at a time.
const MOST_ROWS = 400;

function elsewhereRow(wide, count, word, act) {
  return el("tr", { class: "elsewhere" }, el("td", { colspan: wide },
    el("button", { class: "button", type: "button", onclick: act }, plural(count, word + " step"))));
}

// A process that is gone has no variables any more; where it stood says that it is gone.
function isGone([entry, value]) {
  return run.faced && value === null && run.entries[entry][0] !== laneTitle(run.entries[entry][1]);
}

// `view`: what the filters and toggles say now. `hooks`: what happens when a row is picked or pointed at.
function laneTable(trace, view, hooks) {
  const columns = columnsOf(trace, view), watch = { list: view.watches, shown: [] }, wide = columns.shown.length + 1 + (watch.list.length ? 1 : 0), body = el("tbody", {}), messages = view.arrows ? trace.messages : [];
  const ends = { sent: new Set(messages.map((message) => message.sent)), received: new Set(messages.map((message) => message.received)) };
  const values = stateAfter(trace, view.from - 1), last = Math.min(view.from + MOST_ROWS, trace.steps.length);
  if (view.from > 0) body.append(elsewhereRow(wide, view.from, "earlier", () => hooks.pick(view.from - 1)));
  for (let at = view.from; at < last; at++) {
    const step = trace.steps[at], byColumn = new Map(columns.shown.map((column) => [column, []]));
    for (const change of step.changes || []) {
      const column = byColumn.get(columns.of(run.entries[change[0]][1]));
      if (column && view.wanted(change[0]) && !isGone(change)) column.push(change);
    }
    if (trace.gap && at === trace.gap.at)
      body.append(el("tr", { class: "elsewhere" }, el("td", { colspan: wide, class: "muted" }, plural(trace.gap.skipped, "step") + " left out here")));
    const actors = new Set(at > 0 ? actorsOf(step).map(columns.of) : []);
    body.append(el("tr", { class: rowClass(trace, step, at, ends), "data-step": at,
      onclick: () => hooks.pick(at), onmouseenter: () => hooks.preview(at), onmouseleave: () => hooks.preview(null) },
      el("th", { scope: "row", class: "step" }, ruleButton(trace, step, at, hooks.pick), endNotes(trace, step, at)),
      watchCell(watch, values, step), columns.shown.map((column) => laneCell(column, pinClass(columns, column, hooks), at, values, byColumn.get(column), actors.has(column)))));
    for (const [entry, value] of step.changes || []) values[entry] = value;
  }
  if (last < trace.steps.length) body.append(elsewhereRow(wide, trace.steps.length - last, "later", () => hooks.pick(last)));
  const digitsOfStep = String(stepOf(trace, trace.steps.length - 1)).length;
  return el("table", { class: "lanes" + (columns.shown.length > FEW_COLUMNS ? " many" : ""), style: "--digits: " + Math.max(2, digitsOfStep) },
    el("caption", { hidden: true }, trace.claim),
    el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "step" }, "Step"), watch.list.length ? el("th", { scope: "col", class: "watched" }, "Watch") : null,
      columns.shown.map((column) => columnHead(column, columns, hooks)))), body);
}
