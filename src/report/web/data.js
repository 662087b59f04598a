// The data of the page. All of it is text from a model: it is shown with textContent, never as HTML.
const run = JSON.parse(document.getElementById("data").textContent);
const SHARED = -1;

const linesOf = (text) => text.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
const lines = run.source === null ? [] : linesOf(run.source);
const propertyLines = run.properties ? linesOf(run.properties.text) : [];

function digits(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

// Counts and orders of groups may have hundreds of digits: then the size is what matters.
function bigDigits(number) {
  const all = String(number);
  if (all.length <= 18) return digits(all);
  const power = String(all.length - 1).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);
  return all[0] + "." + all.slice(1, 3) + " × 10" + power;
}

function plural(count, noun) {
  return bigDigits(count) + " " + noun + (String(count) === "1" ? "" : "s");
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function seconds(value) {
  if (value < 0.0005) return "under 1 ms";
  if (value < 1) return (value * 1000).toFixed(value < 0.01 ? 1 : 0) + " ms";
  if (value < 60) return value.toFixed(value < 10 ? 2 : 1) + " s";
  return Math.floor(value / 60) + " min " + Math.floor(value % 60) + " s";
}

function bytes(value) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (value = Number(value); value >= 1024 && unit < 4; unit++) value /= 1024;
  return value.toFixed(unit && value < 100 ? 1 : 0) + " " + units[unit];
}

// The title of a property.
function titleOf(property) {
  if (property.kind === "deadlock") return "no deadlock";
  if (property.kind === "runtime") return "no run-time error";
  if (property.kind === "quantity") return property.name;
  if (property.kind === "ctl" || property.kind === "ltl") return property.kind.toUpperCase() + " property" + (property.name ? " “" + property.name + "”" : "");
  return property.kind + (property.name ? " “" + property.name + "”" : "");
}

function verdictWord(property) {
  if (property.value && property.verdict === "holds") return "value";
  const isCover = property.kind === "cover";
  if (property.verdict === "holds") return isCover ? "met" : "holds";
  if (property.verdict === "violated") return isCover ? "not met" : "violated";
  return "unknown";
}

// Steps are written as the numbers of a rule, and of entries and their new values (-1: undefined).
function unpackSteps(trace) {
  trace.steps = trace.steps.map((numbers) => {
    const [rule, line, lane, partner] = trace.rules[numbers[0]], changes = [];
    for (let i = 1; i < numbers.length; i += 2) changes.push([numbers[i], numbers[i + 1] < 0 ? null : trace.values[numbers[i + 1]]]);
    return { rule, line, lane, partner, changes };
  });
  if (trace.failure) Object.assign(trace.steps[trace.steps.length - 1], trace.failure, { changes: undefined });
}

// The middle of a very long run is left out: rows, and the numbers of their steps (null: it has no row).
function stepOf(trace, row) {
  return trace.gap && row >= trace.gap.at ? row + trace.gap.skipped : row;
}

function rowOf(trace, step) {
  if (!trace.gap || step < trace.gap.at) return step;
  return step < trace.gap.at + trace.gap.skipped ? null : step - trace.gap.skipped;
}

// The value of every entry after a step; null is undefined. Steps are stored as differences.
function stateAfter(trace, step) {
  const values = new Array(run.entries.length).fill(null);
  for (let i = 0; i <= step; i++)
    for (const [entry, value] of trace.steps[i].changes || []) values[entry] = value;
  return values;
}

// In its own lane a name needs no index: Cache[NODE_2].State is Cache.State, and S(0).k is k.
function shortName(entry) {
  const [name, lane] = run.entries[entry];
  if (run.faced && lane !== SHARED) return name === laneTitle(lane) ? "at" : name.replace(laneTitle(lane) + ".", "");
  return lane === SHARED ? name : name.replace("[" + run.lanes[lane].name + "]", "");
}

// Was the type declared to be interchangeable, or only analysed?
function isDeclared(factor) {
  return run.types.some((type) => type.name === factor.type && type.degree === factor.degree && type.declared);
}

function laneTitle(lane) {
  return lane === SHARED ? "Shared" : run.lanes[lane].name;
}

// A number alone needs its type.
function laneName(lane) {
  return lane !== SHARED && /^\d/.test(run.lanes[lane].name) ? run.lanes[lane].type + " " + run.lanes[lane].name : laneTitle(lane);
}
