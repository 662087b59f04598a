// Why a formula is true or false: the formula with its deciding parts marked, and the tree of reasons.
function leavesOf(node) {
  return node.parts.length ? node.parts.flatMap(leavesOf) : [node];
}

// What is marked as one: an atom, or its negation.
function isMarked(node) {
  return !node.parts.length || (node.text.startsWith("!") && node.parts.length === 1 && !node.parts[0].parts.length && node.text.endsWith(node.parts[0].text));
}

// A part's text stands in its parent's text, in order; so marks are found by looking for it.
function markParts(node, out) {
  let rest = node.text;
  const seen = new Set();
  for (const part of node.parts) {
    if (seen.has(part.text)) continue; // the same body for another element
    const at = rest.indexOf(part.text);
    if (at < 0) continue;
    seen.add(part.text);
    out.append(rest.slice(0, at));
    if (isMarked(part)) out.append(el("mark", { class: part.outcome }, part.text));
    else markParts(part, out);
    rest = rest.slice(at + part.text.length);
  }
  out.append(rest);
}

function formulaMarked(root) {
  const box = el("div", { class: "formula" });
  if (!isMarked(root)) markParts(root, box);
  else box.append(el("mark", { class: root.outcome }, root.text));
  return box;
}

function tone(outcome) {
  return { false: "violated", true: "holds", fails: "violated" }[outcome] || "neutral";
}

// The body of a quantifier follows below: its head says enough.
function headOf(node) {
  const head = node.parts.length && node.parts[0].variable ? /^(?:forall|exists) .*? do /.exec(node.text) : null;
  return head ? head[0] + "…" : node.text;
}

// Parts of a formula of branching time are meant after some step of the run: a link goes there.
function stepLink(node, parent, number) {
  if (node.step === undefined || (parent && parent.step === node.step)) return null;
  return [el("a", { href: traceHash(number, node.step) }, "after step " + digits(node.step)), " "];
}

function reason(node, parent, number) {
  const item = el("li", {});
  if (node.variable) item.append(el("span", { class: "with" }, node.variable + " = " + node.witness), " ");
  item.append(chip(tone(node.outcome), node.outcome === "value" ? node.value : node.outcome), " ", ...(stepLink(node, parent, number) || []),
    el("code", {}, headOf(node)));
  if (node.terms.length)
    item.append(el("span", { class: "terms" }, node.terms.map(([name, value]) => name + " is " + value).join(", ")));
  if (node.outcome === "fails" && !node.parts.length) item.append(el("span", { class: "terms" }, node.value));
  if (node.note) item.append(el("span", { class: "terms" }, node.note));
  if (node.parts.length || node.omitted) {
    const list = el("ul", { class: "why" }, node.parts.map((part) => reason(part, node, number)));
    const isLater = node.parts.some((part) => part.step !== undefined && !part.variable);
    if (node.omitted) list.append(el("li", { class: "muted" }, "and " + node.outcome + (isLater ? " after " : " for ") + digits(node.omitted) + " more" + (isLater ? " steps" : "")));
    item.append(list);
  }
  return item;
}

// Of a deadlock: why no rule can be taken, each by its first instance.
function stuckView(rules) {
  const item = ({ rule, line, guard }) => el("li", {}, el("b", {}, rule), " ", lineLink(line), " ",
    guard ? [chip("neutral", "not enabled"), el("ul", { class: "why" }, reason(guard, null, 0))] : chip("neutral", "changes nothing"));
  return el("details", { open: rules.length <= 4 }, el("summary", {}, "Why no rule can move: the first instance of each rule"), el("ul", { class: "why" }, rules.map(item)));
}

// `number`: of the run that it is about.
function explanationView(root, number) {
  return el("details", { class: "reasons", open: leavesOf(root).length <= 12 }, el("summary", {}, "Why it is " + (root.outcome === "fails" ? "not defined here" : root.outcome)),
    el("ul", { class: "why" }, reason(root, null, number)));
}
