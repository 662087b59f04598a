// The overview: the banner, the figures, the properties; the symmetry; the rules.
const ICONS = { holds: "M5 12.5l4.5 4.5L19 7.5", violated: "M6 6l12 12M18 6L6 18", unknown: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.6v.1", neutral: "M12 6v8M12 17.6v.1" };

// Of a run that ends in a step that fails.
const failingStep = (trace) => trace.steps.find((step) => step.fault) || null;

function faultWords(trace) {
  const step = failingStep(trace);
  return step ? ": " + step.fault : "";
}

// Is there no state, though the search ended? Then assumptions leave out every start state.
const isEmpty = () => run.answer.verdict === "holds" && run.answer.complete && Number(run.answer.statistics.states) === 0
  && ["explicit", "symbolic"].includes(run.answer.engine);

function sentence() {
  const answer = run.answer;
  if (!answer) return run.refusal || "The model has errors: nothing was checked.";
  const violated = answer.results.filter((result) => result.verdict === "violated");
  const unknown = answer.results.filter((result) => result.verdict === "unknown");
  const rest = (answer.stopped_by ? " The search stopped: " + answer.stopped_by + "." : "") +
    (answer.shortened ? " There was no time to write runs." : "");
  if (violated.length === 1) {
    const trace = run.traces.find((candidate) => candidate.property === violated[0].id);
    const after = trace && trace.loop !== null && ["ctl", "ltl"].includes(violated[0].kind) ? " by a run that ends in a cycle" : trace ? (trace.end === 0 ? " in a start state" : " after " + plural(trace.end, "step")) : "";
    const name = titleOf(violated[0]);
    return (violated[0].kind === "deadlock" ? "A deadlock is reached" : violated[0].kind === "runtime" ? "A run-time error occurs"
      : capital(name) + " is violated") + after + (violated[0].kind === "runtime" && trace ? faultWords(trace) : "") + "." + rest;
  }
  if (violated.length) return plural(violated.length, "property").replace("propertys", "properties") + " are violated." + rest;
  if (unknown.length) return plural(unknown.length, "property").replace("propertys", "properties") + " could not be decided." + rest;
  if (isEmpty()) return "Every start state breaks an assumption.";
  const values = answer.results.filter((result) => result.value);
  if (values.length === 1) return values[0].name + " " + valueWords(values[0].value) + ".";
  if (values.length) return plural(values.length, "value") + ", each in a guaranteed interval.";
  if (run.chain && !answer.results.some((result) => result.kind === "quantity")) return "No property was given; only run-time errors were searched for. Properties are read from a file: noether check MODEL FILE.";
  const doubt = answer.statistics.expected_omissions !== null ? " This holds up to hash collisions: the expected number of missed states is " + Number(answer.statistics.expected_omissions).toPrecision(2) + "." : "";
  return "Checked in every reachable state of the model." + doubt;
}

function hero() {
  const verdict = run.answer && !isEmpty() ? run.answer.verdict : "neutral";
  const isQuery = run.answer && run.answer.results.every((property) => property.value || property.kind !== "quantity") && run.answer.results.some((property) => property.value);
  const title = { holds: isQuery ? "Computed" : "Every property holds", violated: "Violated", unknown: "Unknown", neutral: "Not checked" }[verdict];
  return el("section", { id: "verdict", class: "card hero " + verdict, "aria-labelledby": "verdict-title" },
    el("span", { class: "badge", "aria-hidden": "true" }, svg("svg", { viewBox: "0 0 24 24" }, svg("path", { d: ICONS[verdict] }))),
    el("h1", { id: "verdict-title" }, title), el("p", {}, sentence()));
}

// How many states each stored one represents.
function reduction(statistics) {
  if (!statistics.represented || !Number(statistics.states)) return null;
  return Number(BigInt(statistics.represented) * 100n / BigInt(statistics.states)) / 100;
}

function times(factor) {
  return "× " + (factor >= 100 ? bigDigits(BigInt(Math.round(factor))) : factor.toFixed(1).replace(/\.0$/, ""));
}

// What the number of states means, and what each takes.
function storedHow(statistics) {
  const size = statistics.bytes_per_state && statistics.states >= 1000 ? statistics.bytes_per_state.toFixed(1) + " bytes each" : null;
  const manner = [statistics.is_partial_order_reduced ? "of a partial-order reduction" : null,
    run.answer.options && run.answer.options["process-death"] === "any" ? "processes disappear in any order" : null];
  return [...manner, size].filter(Boolean).join(", ") || null;
}

function facts() {
  const statistics = run.answer.statistics, factor = reduction(statistics);
  const fact = (title, value, small) => el("div", { class: "fact" }, el("dt", {}, title), el("dd", {}, value, small ? el("small", {}, small) : null));
  return el("dl", { class: "facts" },
    fact("States stored", bigDigits(statistics.states), storedHow(statistics)),
    factor && factor > 1.004 ? fact("Reduction by symmetry", times(factor), "for " + (statistics.represented_is_exact ? "" : "about ") + bigDigits(statistics.represented) + " states") : null,
    fact("Rules fired", (statistics.rules_fired_is_exact ? "" : "at least ") + bigDigits(statistics.rules_fired)),
    run.chain ? null : fact("Depth", digits(statistics.depth), run.answer.complete ? "explored completely" : "search stopped early"),
    fact("Time", seconds(statistics.seconds)), fact("Memory", bytes(statistics.peak_bytes), "at most"));
}

function faultPlace(trace) {
  const step = failingStep(trace);
  return (step && lineLink(step.place[0])) || "";
}

function propertyRow(property) {
  const number = run.traces.findIndex((trace) => trace.property === property.id);
  const isViolated = property.verdict === "violated";
  return el("tr", {}, el("td", {}, chip(property.verdict, verdictWord(property))), el("th", { scope: "row" }, titleOf(property)),
    el("td", { class: "muted" }, [property.value ? valueWords(property.value) : "", property.reason].filter(Boolean).join("; ")), el("td", {}, propertyPlace(property) || (number < 0 ? "" : faultPlace(run.traces[number]))),
    el("td", {}, number < 0 ? "" : el("a", { href: "#trace-" + (number + 1) }, isViolated ? "counterexample" : property.value ? "run" : "witness")));
}

function propertyTable(properties) {
  return el("table", { class: "list" }, el("thead", {}, el("tr", {}, ["Verdict", "Property", "Remark", "Where", "Run"].map((title) => el("th", { scope: "col" }, title)))),
    el("tbody", {}, properties.map(propertyRow)));
}

const VERDICT_WORDS = {
  holds: "true in every reachable state, or for every run, of the model with the constants it has here. Other sizes are other models.",
  met: "some reachable state makes it true.",
  "not met": "no reachable state makes it true.",
  violated: "there is a run that makes it false; the run was replayed before it was shown.",
  unknown: "the search ended before this was decided. It says nothing of what the answer is.",
  value: "a number that was computed, with an interval that contains the exact value.",
};

function verdictLegend(properties) {
  const words = [...new Set(properties.map(verdictWord))].filter((word) => VERDICT_WORDS[word]);
  return el("details", { class: "legend" }, el("summary", {}, "What the verdicts mean"),
    el("dl", {}, words.map((word) => el("div", {}, el("dt", {}, word), el("dd", {}, VERDICT_WORDS[word])))));
}

function propertiesCard() {
  const isStatement = (property) => (property.kind === "assertion" || property.kind === "error") && property.verdict !== "violated";
  const results = run.answer.results, statements = results.filter(isStatement);
  const order = { violated: 0, unknown: 1, holds: 2 };
  const shown = (statements.length > 6 ? results.filter((property) => !isStatement(property)) : [...results]).sort((a, b) => order[a.verdict] - order[b.verdict]);
  return card("properties", "Properties", propertyTable(shown), statements.length > 6
    ? el("details", {}, el("summary", {}, plural(statements.length, "assertion") + " and error statements that are not violated"), propertyTable(statements)) : null, verdictLegend(results));
}

const FACTOR_WORDS = {
  full: (count) => count + " elements are interchangeable",
  cyclic: (count) => "the ring of " + count + " can be rotated",
  dihedral: (count) => "the ring of " + count + " can be rotated and reflected",
  wreath: (count) => count + " elements in blocks: elements of a block are interchangeable, and so are the blocks",
  generic: (count) => count + " elements have some symmetry",
};

// What the factor moves: a whole type, or some of its elements, or elements of several types together.
function movedBy(factor) {
  if (!factor.sets || factor.sets.every((set) => set.is_whole)) return factor.sets && factor.sets.length > 1 ? factor.sets.map((set) => set.type).join(" with ") : factor.type || "";
  return factor.sets.map((set) => set.type + " {" + set.elements.slice(0, 12).join(", ") + (set.elements.length > 12 ? ", …" : "") + "}").join(" with ");
}

// Elements of several types that move together are as many as those of one.
function factorWords(factor) {
  const isTogether = factor.sets && factor.sets.every((set) => set.elements.length === factor.sets[0].elements.length);
  return (FACTOR_WORDS[factor.kind] || FACTOR_WORDS.generic)(isTogether ? factor.sets[0].elements.length : factor.degree);
}

function factorRow(factor) {
  const words = factorWords(factor);
  return el("div", { class: "factor" }, chip("holds", "used"), el("div", {}, el("b", {}, movedBy(factor)), ": " + words + " (order " + bigDigits(factor.order) + ")"));
}

// A type without full symmetry: which lines distinguish its elements.
function excludedRow(factor) {
  const keepsSome = run.answer.symmetry.factors.some((used) => used.type === factor.type || (used.sets || []).some((set) => set.type === factor.type));
  return el("div", { class: "factor" }, chip("unknown", keepsSome ? "no more" : "not used"), el("div", {}, el("b", {}, factor.type || ""),
    ": its " + factor.degree + " elements are distinguished" + (keepsSome ? " otherwise" : "") + ", by",
    el("ul", {}, factor.reasons.map((reason) => el("li", {}, lineLink(reason.line), ": " + reason.message)))));
}

function reductionBars() {
  const statistics = run.answer.statistics, factor = reduction(statistics);
  if (!factor || factor <= 1.004) return null;
  const bar = (share) => el("div", { class: "track" }, el("div", { class: "bar", style: "width:" + Math.max(0.3, share) + "%" }));
  const whole = bar(100);
  whole.classList.add("whole");
  return el("div", { class: "reduction" }, el("span", {}, "without symmetry"), whole, el("span", {}, plural(statistics.represented, "state")),
    el("span", {}, "stored"), bar(100 / factor), el("span", {}, plural(statistics.states, "state")));
}

function symmetryCard() {
  const symmetry = run.answer.symmetry;
  const order = symmetry.order === "1" ? null : el("p", { class: "lead" }, "A group of order " + bigDigits(symmetry.order) + (symmetry.factors.length > 1
    ? ": " + symmetry.factors.map(movedBy).join(" × ") : "") + ". One state represents its orbit under these permutations.");
  const excluded = symmetry.excluded.filter((factor) => factor.reasons.length);
  const rows = [...symmetry.factors.filter((factor) => factor.degree > 1).map(factorRow), ...excluded.filter(isDeclared).map(excludedRow)];
  const others = excluded.filter((factor) => !isDeclared(factor));
  const line = run.words.split("\n")[0].replace(/^symmetry: /, "");
  const words = line === "group of order 1" ? "No two elements of the model are interchangeable." : capital(line) + ".";
  const isOwn = ["adaptive", "complete"].includes(run.answer.engine); // they find theirs during the search
  if (isOwn) return card("symmetry", "Symmetry", el("p", { class: "muted" }, words), reductionBars());
  return card("symmetry", "Symmetry", order, rows.length ? rows : el("p", { class: "muted" }, words), reductionBars(),
    others.length ? el("details", {}, el("summary", {}, "Other types that were analysed"), others.map(excludedRow)) : null);
}

// In PRISM models a command has a rule for each outcome and each copy of its module: they are one row, the command as it
// is written, with a count for each copy.
function mergedRules() {
  const merged = new Map();
  for (const { name, line, fired } of run.answer.statistics.rules || []) {
    const key = !run.chain ? merged.size : line || name;
    if (!merged.has(key)) merged.set(key, { name, line, fired: 0n, copies: new Map() });
    const rule = merged.get(key);
    rule.fired += BigInt(fired);
    rule.copies.set(name, (rule.copies.get(name) || 0n) + BigInt(fired));
  }
  return [...merged.values()];
}

// The command, from its line to the semicolon.
function commandText(line) {
  const text = lines.slice(line - 1, line + 4).map((part) => part.replace(/\/\/.*/, "").trim()).join(" "), end = text.indexOf(";");
  return text.startsWith("[") ? (end < 0 ? text : text.slice(0, end + 1)) : null;
}

function ruleTitle(rule) {
  const command = run.chain && rule.line ? commandText(rule.line) : null, copies = [...rule.copies];
  if (!command) return copies.length > 1 ? copies.map(([name]) => name).join("; ") : rule.name;
  return [el("code", {}, command), copies.length === 1 ? el("small", { class: "muted" }, " " + rule.name)
    : el("details", {}, el("summary", {}, plural(copies.length, "copy").replace("copys", "copies")), el("ul", {}, copies.map(([name, fired]) => el("li", {}, name + ": " + bigDigits(fired)))))];
}

function coverageRow(rule, most) {
  const isWhole = run.knows_dead_rules;
  return el("tr", {}, el("th", { scope: "row" }, ruleTitle(rule)), el("td", {}, lineLink(rule.line) || ""),
    el("td", { class: "number" }, rule.fired ? bigDigits(rule.fired) : chip("unknown", isWhole ? "never fires" : run.answer.complete ? "not seen" : "not yet")),
    el("td", { class: "share" }, el("div", { class: "bar", style: "width:" + (rule.fired ? Math.max(0.4, 100 * Number(rule.fired) / most) : 0) + "%" })));
}

function coverageTable(rules, most) {
  return el("table", { class: "list" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Rule"), el("th", { scope: "col" }, "Where"), el("th", { scope: "col", class: "number" }, "Fired"), el("td", {}))),
    el("tbody", {}, rules.map((rule) => coverageRow(rule, most))));
}

const MOST_RULES = 60;

function coverageCard() {
  const rules = mergedRules();
  if (!rules.length) return null;
  const most = rules.reduce((greatest, rule) => Math.max(greatest, Number(rule.fired)), 1), never = rules.filter((rule) => !rule.fired);
  const lead = !never.length ? "Every rule fires in some reachable state."
    : run.knows_dead_rules ? plural(never.length, "rule") + (never.length === 1 ? " fires" : " fire") + " in no reachable state: this part of the model is dead code."
    : plural(never.length, "rule") + (run.answer.complete ? (never.length === 1 ? " was" : " were") + " not fired in the explored states." : " had not fired when the search stopped.");
  const sorted = [...never, ...rules.filter((rule) => rule.fired)], rest = sorted.slice(MOST_RULES);
  return card("coverage", "Rules", el("p", { class: "lead" }, lead), coverageTable(sorted.slice(0, MOST_RULES), most),
    rest.length ? el("details", {}, el("summary", {}, plural(rest.length, "more rule")), coverageTable(rest, most)) : null);
}
