// A counterexample or witness: the diagram, the controls, the state beside it.
function wantedBy(filter) {
  const words = filter.toLowerCase().split(",").map((word) => word.trim()).filter(Boolean);
  return (entry) => !words.length || words.some((word) => run.entries[entry][0].toLowerCase().includes(word));
}

function stateRow(entry, before, after) {
  const isChanged = before !== after;
  const shown = valueOf(after);
  return el("div", { class: isChanged ? "changed" : null, "data-name": run.entries[entry][0] },
    el("dt", {}, breakable(shortName(entry))),
    el("dd", {}, isChanged && !(run.faced && before === null) && !valueOf(before).startsWith("{") ? [el("del", {}, valueOf(before)), " "] : null, shown));
}

const MOST_GROUPS = 24;

// `base`: the row to compare with, where only differences are shown; null: the one before.
function stateGroups(trace, step, wanted, base) {
  const after = stateAfter(trace, step), before = base !== null ? stateAfter(trace, base) : step > 0 ? stateAfter(trace, step - 1) : after;
  const groups = new Map();
  after.forEach((value, entry) => {
    const lane = run.entries[entry][1];
    if (!wanted(entry) || (value === null && before[entry] === null) || (base !== null && value === before[entry])) return;
    if (!groups.has(lane)) groups.set(lane, []);
    groups.get(lane).push(stateRow(entry, before[entry], value));
  });
  const isChanged = (rows) => rows.some((row) => row.className === "changed");
  const isCrowd = groups.size > MOST_LANES; // then what changed comes first
  const sorted = [...groups.entries()].sort((a, b) => (isCrowd ? isChanged(b[1]) - isChanged(a[1]) : 0) || a[0] - b[0]);
  return { shown: sorted.slice(0, MOST_GROUPS), hidden: Math.max(0, sorted.length - MOST_GROUPS) };
}

function nothingShown(trace, step, base) {
  if (trace.steps[step].fault) return "The start fails, so there is no state.";
  return base === null ? "No variable of that name has a value here." : "The two states do not differ.";
}

function watchedState(trace, step, watches) {
  if (!watches.length || trace.steps[step].fault) return "";
  const values = stateAfter(trace, step);
  return el("div", {}, el("h4", {}, "Watch"), el("dl", {}, watches.map(({ text, evaluate }) =>
    el("div", { "data-watch": text }, el("dt", {}, text), el("dd", {}, watchText(evaluate(values)))))));
}

// A step that fails has no state after it: what is shown is the state in which it was taken.
function stateTitle(trace, step, base) {
  if (trace.steps[step].fault) return step === 0 ? "No state" : "State before step " + stepOf(trace, step) + ", which fails";
  return base === null ? "State after step " + stepOf(trace, step) : "Step " + stepOf(trace, base) + " and step " + stepOf(trace, step) + " differ in";
}

function showState(panel, trace, step, view, isPreview) {
  const fault = trace.steps[step].fault, base = fault || view.base === null || trace.steps[view.base].fault ? null : view.base;
  const { shown: groups, hidden } = fault && step === 0 ? { shown: [], hidden: 0 } : stateGroups(trace, fault ? step - 1 : step, view.wanted, base);
  const title = stateTitle(trace, step, base);
  panel.replaceChildren(el("h3", {}, title + " ", isPreview ? el("small", {}, "(pointed at)") : null), watchedState(trace, step, view.watches),
    fault ? el("p", { class: "fault" }, fault, " ", lineLink(trace.steps[step].place[0])) : "",
    ...groups.map(([lane, rows]) => el("div", {}, el("h4", {}, laneName(lane)), el("dl", {}, rows))),
    hidden ? el("p", { class: "nothing muted" }, "and " + plural(hidden, "more lane") + "; “Only variables named” finds them") : "",
    groups.length ? "" : el("p", { class: "nothing muted" }, nothingShown(trace, step, base)));
}

// Rows whose rule, or what they change, has the text.
function findSteps(trace, words) {
  const text = words.trim().toLowerCase();
  if (!text) return [];
  return trace.steps.flatMap((step, row) => {
    const has = step.rule.toLowerCase().includes(text) ||
      (step.changes || []).some(([entry, value]) => run.entries[entry][0].toLowerCase().includes(text) || valueOf(value).toLowerCase().includes(text));
    return has ? [row] : [];
  });
}

function traceHash(number, step) {
  return number === 0 ? "#step=" + step : "#trace=" + (number + 1) + "&step=" + step;
}

const MOST_OPEN_RUNS = 3;

class TraceView {
  constructor(trace, number, property) {
    this.trace = trace;
    this.number = number;
    this.property = property;
    this.trace.isWitness = property.verdict === "holds";
    this.view = { from: 0, idle: false, crowd: false, arrows: true, filter: "", wanted: () => true, pins: [], order: [], watches: [], base: null };
    this.view.pins = firstPins(trace, this.view);
    this.step = rowOf(trace, trace.end);
    this.build();
  }

  build() {
    const last = this.trace.steps.length - 1;
    this.canvas = el("div", { class: "canvas" });
    this.stage = el("div", { class: "stage", tabindex: 0, role: "region", "aria-label": "Steps of run " + (this.number + 1), onscroll: () => this.slide() }, this.canvas);
    this.panel = el("div", { class: "state", tabindex: 0, role: "region", "aria-label": "State in run " + (this.number + 1) });
    this.live = el("span", { class: "where", "aria-live": "polite" });
    this.slider = el("input", { type: "range", min: 0, max: last, "aria-label": "Step", oninput: () => this.pick(Number(this.slider.value)) });
    this.first = this.button("First step", "M2 2h2v12H2zM14 2v12L5 8z", () => this.pick(0));
    this.back = this.button("Step back", "M12 2v12L3 8z", () => this.pick(this.step - 1));
    this.next = this.button("Step forward", "M4 2v12l9-6z", () => this.pick(this.step + 1));
    this.end = this.button("Last step", "M12 2h2v12h-2zM2 2v12l9-6z", () => this.pick(last));
    this.element = el("section", { id: "trace-" + (this.number + 1), class: "card trace", "aria-labelledby": "trace-title-" + (this.number + 1) },
      this.heading(), ...this.body());
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", () => { activeView = this; });
    this.element.addEventListener("pointerdown", () => { activeView = this; });
    this.draw();
  }

  // If there are many runs only the first ones are open. The steps come before the reasons, which may be many lines.
  body() {
    const { explanation, stuck, formula } = this.trace;
    const parts = [explanation && !stuck ? formulaMarked(explanation) : formula && !stuck ? el("div", { class: "formula" }, formula) : null, this.tools(),
      el("div", { class: "split" }, this.stage, this.panel), stuck ? stuckView(stuck) : explanation ? explanationView(explanation, this.number) : null];
    if (this.number < MOST_OPEN_RUNS) return parts;
    this.fold = el("details", { ontoggle: () => this.settle() }, el("summary", {}, "Step through it"), parts);
    return [this.fold];
  }

  // What needs the layout. The run opens with its first steps in sight, and with the state at its end beside them, where the formula is false; a run of
  // which not all steps are in the page opens at its end.
  settle() {
    this.arrange();
    if (this.view.from > 0) this.reveal();
  }

  open() {
    if (this.fold) this.fold.open = true;
  }

  heading() {
    const steps = this.trace.end;
    const gap = this.trace.gap, cut = gap ? el("p", { class: "muted" }, plural(gap.skipped, "step") + " in the middle of this run are left out; --json and --trace have all.") : null;
    const states = this.trace.automaton ? el("details", {}, el("summary", {}, "The automaton of the negation"),
      el("ul", {}, this.trace.automaton.states.map((line) => el("li", {}, line)))) : null;
    const fails = this.trace.fails ? el("p", {}, "What fails: " + this.trace.fails) : null;
    return el("div", { class: "trace-head" },
      el("h2", { id: "trace-title-" + (this.number + 1) }, capital(this.trace.claim.replace(/^(\w+ \w+) (ltl|ctl) "/, (_, words, logic) => words + " " + logic.toUpperCase() + ' property "'))),
      el("span", { class: "muted" }, plural(steps, "step"), this.trace.chances ? (this.trace.is_cut ? " and more" : "") + ", with probability " + shortNumber(this.trace.chance) + " in total" : null, this.trace.loop !== null ? ", then a cycle" : null, this.property.line ? [" · ", propertyPlace(this.property)] : null), cut, fails, states);
  }

  button(title, path, act) {
    return el("button", { class: "button", type: "button", "aria-label": title, title, onclick: act },
      svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path })));
  }

  tools() {
    const idleCount = run.lanes.length + 1 - activeLanes(this.trace).size;
    const crowdCount = columnsOf(this.trace, this.view).hidden;
    const toggle = (name, words) => el("label", {}, el("input", { type: "checkbox", checked: this.view[name], onchange: (event) => {
      this.view[name] = event.target.checked;
      this.draw();
    } }), " " + words);
    return el("div", { class: "tools" }, this.first, this.back, this.live, this.next, this.end, this.slider, ...this.findTool(), el("span", { class: "gap" }),
      this.trace.messages.length ? toggle("arrows", "messages") : null,
      crowdCount > 0 ? toggle("crowd", plural(crowdCount, "other lane")) : null,
      idleCount > 0 ? toggle("idle", plural(idleCount, "idle lane")) : null, this.moreTools());
  }

  field(name, words, attributes) {
    const id = name + "-" + this.number, input = el("input", { id, ...attributes });
    return [el("label", { for: id }, words), input];
  }

  // Steps whose rule, or what they change, has the text: Enter goes to the next one.
  findTool() {
    const said = el("span", { class: "muted found", "aria-live": "polite" });
    const [label, input] = this.field("find", "Find", { type: "search", placeholder: "rule, variable or value", onkeydown: (event) => {
      if (event.key === "Enter") this.find(input.value, event.shiftKey ? -1 : 1, said);
    }, oninput: () => { said.textContent = ""; } });
    this.finder = input;
    return [label, input, said];
  }

  find(words, direction, said) {
    const found = findSteps(this.trace, words);
    if (!found.length) {
      said.textContent = words.trim() ? "no step" : "";
      return;
    }
    const later = found.findIndex((row) => row > this.step), earlier = found.findLastIndex((row) => row < this.step);
    const at = direction > 0 ? (later < 0 ? 0 : later) : earlier < 0 ? found.length - 1 : earlier;
    this.pick(found[at]);
    said.textContent = digits(at + 1) + " of " + digits(found.length);
  }

  // What not everybody needs.
  moreTools() {
    const filter = this.field("filter", "Only variables named", { type: "search", placeholder: "State, Chan", oninput: (event) => this.filter(event.target.value) });
    const last = stepOf(this.trace, this.trace.steps.length - 1);
    const compare = this.field("compare", "Compare with step", { type: "number", min: 0, max: last, placeholder: "the one before", oninput: (event) => this.compare(event.target.value) });
    return el("details", { class: "more-tools" }, el("summary", {}, "Filter, watch, compare"), el("div", { class: "tools" }, ...filter, ...this.watchTool(), ...compare));
  }

  watchTool() {
    const wrong = el("span", { class: "wrong", role: "status" }), list = el("span", { class: "watches" });
    const [label, input] = this.field("watch", "Watch", { type: "text", placeholder: "State = Idle & count > 2", onkeydown: (event) => {
      if (event.key !== "Enter" || !input.value.trim()) return;
      try {
        this.view.watches.push({ text: input.value.trim(), evaluate: watchParse(input.value, this.trace) });
        input.value = wrong.textContent = "";
      } catch (error) {
        wrong.textContent = error.message;
      }
      showWatches();
    } });
    const showWatches = () => {
      list.replaceChildren(...this.view.watches.map((watch) => el("button", { class: "button", type: "button", "aria-label": "Watch " + watch.text + " no more", onclick: () => {
        this.view.watches = this.view.watches.filter((other) => other !== watch);
        showWatches();
      } }, watch.text + " ×")));
      this.draw();
    };
    return [label, input, list, wrong];
  }

  compare(words) {
    const step = words.trim() === "" ? null : Number(words), row = step === null ? null : rowOf(this.trace, step);
    this.view.base = row !== null && Number.isInteger(row) && row >= 0 && row < this.trace.steps.length ? row : null;
    this.mark();
  }

  filter(words) {
    this.view.filter = words;
    this.view.wanted = wantedBy(words);
    this.draw();
  }

  // The rows around the step that is picked.
  frame() {
    const rows = this.trace.steps.length;
    if (this.step >= this.view.from && this.step < this.view.from + MOST_ROWS) return false;
    this.view.from = Math.max(0, Math.min(rows - MOST_ROWS, this.step - MOST_ROWS / 2));
    return true;
  }

  draw() {
    this.frame();
    this.canvas.replaceChildren(laneTable(this.trace, this.view, { pick: (at) => this.pick(at), preview: (at) => this.preview(at),
      isPinned: (column) => this.view.pins.includes(column), pin: (column) => this.changeColumns(column, () => togglePin(this.view, column)),
      move: (column, place) => this.changeColumns(column, () => moveColumn(this.trace, this.view, column, place)) }));
    this.rows = new Map([...this.canvas.querySelectorAll("tbody tr[data-step]")].map((row) => [Number(row.dataset.step), row]));
    this.marked = null;
    this.mark();
    this.arrange();
  }

  // The focus goes along when its row is replaced.
  redraw() {
    const hasFocus = this.canvas.contains(document.activeElement);
    this.draw();
    if (hasFocus) this.rows.get(this.step).querySelector(".pick").focus({ preventScroll: true });
  }

  changeColumns(column, change) {
    change();
    this.draw();
    const pin = this.canvas.querySelector(`thead [data-lane="${column}"] .pin`);
    if (pin) pin.focus();
  }

  // Where pinned columns stay: one beside the other, after the steps. On a narrow page there is no room for that.
  placePins() {
    const table = this.canvas.querySelector(".lanes"), heads = [...table.querySelectorAll("thead .pinned")];
    let left = table.querySelector("thead .step").offsetWidth;
    heads.forEach((head, number) => {
      table.style.setProperty("--pin-" + number, left + "px");
      left += head.offsetWidth;
    });
    this.hasPins = heads.length > 0 && left < this.stage.clientWidth * 0.75;
    table.classList.toggle("sticks", this.hasPins);
  }

  // Arrows to lanes that stay follow them.
  slide() {
    if (!this.hasPins || this.sliding || this.stage.scrollLeft === this.slidTo) return;
    this.sliding = requestAnimationFrame(() => {
      this.sliding = null;
      this.slidTo = this.stage.scrollLeft;
      this.arrange();
    });
  }

  // Arrows need the layout: again when that changes.
  arrange() {
    this.placePins();
    drawArrows(this.canvas, this.trace, this.view);
    lightArrows(this.canvas, stepOf(this.trace, this.step));
  }

  markRow(row, isNow) {
    row.classList.toggle("now", isNow);
    if (isNow) row.querySelector(".pick").setAttribute("aria-current", "step");
    else row.querySelector(".pick").removeAttribute("aria-current");
  }

  mark() {
    if (this.marked) this.markRow(this.marked, false);
    this.marked = this.rows.get(this.step);
    this.markRow(this.marked, true);
    const last = this.trace.steps.length - 1;
    this.live.textContent = "Step " + stepOf(this.trace, this.step) + " of " + stepOf(this.trace, last);
    this.slider.value = this.step;
    this.first.disabled = this.back.disabled = this.step === 0;
    this.next.disabled = this.end.disabled = this.step === last;
    showState(this.panel, this.trace, this.step, this.view, false);
    lightArrows(this.canvas, stepOf(this.trace, this.step));
  }

  pick(step, quietly) {
    this.step = Math.max(0, Math.min(this.trace.steps.length - 1, step));
    if (!this.frame()) this.mark();
    else this.redraw();
    if (quietly) return;
    history.replaceState(null, "", traceHash(this.number, stepOf(this.trace, this.step)));
    this.reveal();
  }

  // Scrolls the diagram, not the page.
  reveal() {
    const row = this.rows.get(this.step);
    const top = row.offsetTop - 60, bottom = row.offsetTop + row.offsetHeight + 20;
    if (top < this.stage.scrollTop) this.stage.scrollTop = top;
    else if (bottom > this.stage.scrollTop + this.stage.clientHeight) this.stage.scrollTop = bottom - this.stage.clientHeight;
    this.revealActor(row.querySelector(".actor"), row.querySelector("th").offsetWidth);
  }

  // The process that moves, beside the column of the steps, which stays.
  revealActor(cell, left) {
    if (!cell) return;
    const { scrollLeft, clientWidth } = this.stage, begin = cell.offsetLeft, end = begin + cell.offsetWidth;
    if (begin < scrollLeft + left) this.stage.scrollLeft = begin - left;
    else if (end > scrollLeft + clientWidth) this.stage.scrollLeft = end - clientWidth;
  }

  preview(step) {
    showState(this.panel, this.trace, step === null ? this.step : step, this.view, step !== null && step !== this.step);
  }

  // Only while the diagram has the focus; at its ends the page scrolls as it would.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const last = this.trace.steps.length - 1;
    const to = { ArrowDown: this.step + 1, ArrowRight: this.step + 1, ArrowUp: this.step - 1, ArrowLeft: this.step - 1, Home: 0, End: last }[event.key];
    if (to === undefined || to < 0 || to > last || to === this.step) return;
    event.preventDefault();
    this.pick(to);
    if (event.target.matches(".pick")) this.rows.get(this.step).querySelector(".pick").focus({ preventScroll: true });
  }
}

// The run that letters are for: the one used last, at first the first one.
let activeView = null;

// Letters that scroll nothing, wherever the focus is, unless it is where text is written.
function letterKey(event) {
  if (!activeView || event.target.matches("input, textarea, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "j") activeView.pick(activeView.step + 1);
  else if (event.key === "k") activeView.pick(activeView.step - 1);
  else if (event.key === "/") {
    event.preventDefault();
    activeView.open();
    activeView.finder.focus();
  }
}
