// The model, with remarks beside the lines.
const isPrism = run.language === "prism";
const isPromela = run.language === "promela";
const TOKEN = isPrism || isPromela ? /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(\b\d[\d.]*(?:[eE][-+]?\d+)?\b)|(\/\*)|([A-Za-z_]\w*)/g
  : /(--.*$)|("(?:[^"\\]|\\.)*")|(\b\d+\b)|(\/\*)|([A-Za-z_]\w*)/g;
const MURPHI_WORDS = "alias array assert assume begin boolean by case choose clear const cover ctl do else elsif end endalias endchoose " +
  "endexists endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch " +
  "endwhile enum error exists externfun externproc fair fairness false final for forall function if invariant ismember isundefined " +
  "liveness ltl multiset multisetadd multisetcount multisetremove multisetremovepred of pctl procedure put real record return " +
  "rule ruleset scalarset startstate switch then to true type undefine undefined union var while";
const PRISM_WORDS = "A C E F G I P Pmax Pmin R Rmax Rmin S U W X bool clock const ctmc double dtmc endinit endinvariant endmodule " +
  "endobservables endrewards endsystem false filter formula func global init int invariant label max mdp min module " +
  "nondeterministic observable observables pomdp popta prob probabilistic pta rate rewards stochastic system true";
const PROMELA_WORDS = "D_proctype _nr_pr _pid active always assert atomic bit bool break byte chan d_step do else empty eval eventually false fi for full " +
  "goto hidden if in init inline int len local ltl mtype nempty never next nfull notrace od of pid printf printm priority proctype provided " +
  "release run select short show skip timeout trace true typedef unless unsigned until weakuntil xr xs";
const KEYWORDS = new Set((isPrism ? PRISM_WORDS : isPromela ? PROMELA_WORDS : MURPHI_WORDS).split(" "));
const isKeyword = (word) => KEYWORDS.has(isPrism || isPromela ? word : word.toLowerCase());

// One line as pieces [class, text]; the state is whether it begins inside a comment.
function tokenise(line, inComment) {
  const pieces = [];
  let at = 0;
  const push = (kind, text) => text && pieces.push([kind, text]);
  while (at < line.length) {
    if (inComment) {
      const end = line.indexOf("*/", at), stop = end < 0 ? line.length : end + 2;
      push("c", line.slice(at, stop));
      at = stop;
      inComment = end < 0;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(line);
    if (!found) break;
    push("", line.slice(at, found.index));
    if (found[4]) {
      inComment = true;
      at = found.index;
      push("c", "/*");
      at += 2;
      continue;
    }
    push(found[1] ? "c" : found[2] ? "s" : found[3] ? "n" : isKeyword(found[0]) ? "k" : "", found[0]);
    at = found.index + found[0].length;
  }
  push("", line.slice(at));
  return { pieces, inComment };
}

// Remarks about lines: class for the line, remarks under it, underlined columns.
class Notes extends Map {
  at(line) {
    if (!this.has(line)) this.set(line, { classes: [], remarks: [], tally: null });
    return this.get(line);
  }

  verdict(property) {
    if (!property.line) return;
    if (property.verdict === "violated") this.at(property.line).classes.push("false");
    if (property.value) this.at(property.line).remarks.push([property.verdict, valueWords(property.value)]);
    else if (property.verdict !== "holds") this.at(property.line).remarks.push([property.verdict, verdictWord(property) + (property.verdict === "unknown" && property.reason ? ": " + property.reason : "")]);
  }
}

// The symmetry of a type, in words.
function usedWords(type) {
  const factor = run.answer.symmetry.factors.find((used) => used.type === type.name && used.degree === type.degree);
  return factor && factor.kind !== "full" ? factorWords(factor) : type.degree + " interchangeable elements";
}

const isElsewhere = (property) => run.elsewhere.includes(property.id);
const isGiven = (property) => run.given.includes(property.id); // on the command line

function collectNotes() {
  const notes = new Notes();
  const at = (line) => notes.at(line);
  for (const item of run.diagnostics) {
    if (!item.line || item.in_properties) continue;
    at(item.line).classes.push(item.severity);
    at(item.line).remarks.push([item.severity === "error" ? "violated" : "unknown", item.message + (item.hint ? " Hint: " + item.hint : "")]);
  }
  if (!run.answer) return notes;
  for (const type of run.types) if (type.line && type.used && type.degree > 1) at(type.line).classes.push("sym-used");
  for (const factor of run.answer.symmetry.excluded.filter(isDeclared))
    for (const item of factor.reasons) {
      at(item.line).classes.push("breach");
      at(item.line).remarks.push(["unknown", "breaks the symmetry of " + factor.type + ": " + item.message]);
    }
  for (const property of run.answer.results) if (!isElsewhere(property) && !isGiven(property)) notes.verdict(property);
  for (const rule of mergedRules()) {
    if (!rule.line) continue;
    if (!rule.fired && run.knows_dead_rules) at(rule.line).classes.push("never");
    at(rule.line).tally = !rule.fired ? (run.knows_dead_rules ? "never fires" : "not fired") : rule.fired === 1n ? "fired once" : "fired " + bigDigits(rule.fired) + " times";
  }
  for (const type of run.types) if (type.line && type.used && type.degree > 1)
    at(type.line).tally = type.name + ": " + usedWords(type);
  return notes;
}

function sourceLine(text, number, note, pieces, letter) {
  const row = el("div", { class: ["ln", ...(note ? note.classes : [])].join(" "), id: letter + number }, el("span", { class: "no" }, String(number)),
    el("code", {}, pieces.map(([kind, words]) => (kind ? el("span", { class: kind }, words) : words)), note && note.tally ? el("span", { class: "tally" }, note.tally) : null));
  for (const [verdict, words] of note ? note.remarks : []) row.append(el("div", { class: "remark " + verdict }, words));
  return row;
}

function sourceBox(text, letter, notes, label) {
  const box = el("div", { class: "source", tabindex: 0, role: "region", "aria-label": label });
  let inComment = false;
  text.forEach((line, at) => {
    const result = tokenise(line, inComment);
    inComment = result.inComment;
    box.append(sourceLine(line, at + 1, notes.get(at + 1), result.pieces, letter));
  });
  return box;
}

function sourceCard() {
  if (!lines.length) return null;
  return card("model", "Model", el("p", { class: "lead mono" }, run.model), sourceBox(lines, "L", collectNotes(), "Source of the model"));
}

// The property file, if there is one.
function propertyFileCard() {
  if (!propertyLines.length) return null;
  const notes = new Notes();
  for (const item of run.diagnostics)
    if (item.in_properties && item.line) {
      notes.at(item.line).classes.push(item.severity);
      notes.at(item.line).remarks.push([item.severity === "error" ? "violated" : "unknown", item.message + (item.hint ? " Hint: " + item.hint : "")]);
    }
  for (const property of run.answer ? run.answer.results : []) if (isElsewhere(property)) notes.verdict(property);
  return card("properties-file", "Property file", el("p", { class: "lead mono" }, run.properties.path),
    sourceBox(propertyLines, "P", notes, "Source of the properties"));
}

// Errors, with their lines.
function diagnosticsCard() {
  if (!run.diagnostics.length && !run.refusal) return null;
  const item = (diagnostic) => {
    const text = diagnostic.line ? (diagnostic.in_properties ? propertyLines : lines)[diagnostic.line - 1] || "" : "";
    const from = Math.max(0, diagnostic.column - 1), to = Math.min(text.length, from + Math.max(1, diagnostic.length));
    return el("div", { class: "diagnostic " + (diagnostic.severity === "error" ? "violated" : "unknown") },
      el("div", {}, chip(diagnostic.severity === "error" ? "violated" : "unknown", diagnostic.severity), " ", el("b", {}, diagnostic.message), " ", diagnostic.in_properties ? propertyLink(diagnostic.line) : lineLink(diagnostic.line) || (diagnostic.file ? el("span", { class: "muted" }, diagnostic.file) : null)),
      text ? el("pre", { tabindex: 0 }, text.slice(0, from), el("u", {}, text.slice(from, to)), text.slice(to)) : null,
      diagnostic.hint ? el("p", { class: "hint" }, "Hint: " + diagnostic.hint) : null);
  };
  return card("diagnostics", "Diagnostics", run.diagnostics.map(item),
    run.refusal && !run.diagnostics.some((diagnostic) => diagnostic.severity === "error") ? el("div", { class: "diagnostic violated" }, chip("violated", "refused"), " ", run.refusal) : null);
}
