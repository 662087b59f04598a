// Watch expressions: what the user wants to see of each state, computed here from the values in the page.
const WATCH_TOKEN = /\s*(->|&&|\|\||<=|>=|!=|==|[-+*/%()!&|<>=]|\d+|[A-Za-z_]\w*(?:\(\d+\))?(?:\[[^\]]*\]|\.\w+)*)/y;
const entryOfName = new Map((run.entries || []).map(([name], entry) => [name, entry]));

function watchTokens(text) {
  const tokens = [];
  WATCH_TOKEN.lastIndex = 0;
  while (text.slice(WATCH_TOKEN.lastIndex).trim()) {
    const at = WATCH_TOKEN.lastIndex, found = WATCH_TOKEN.exec(text);
    if (!found) throw new Error("cannot read “" + text.slice(at).trim() + "”");
    tokens.push(found[1]);
  }
  return tokens;
}

// A value of the page is a text.
function watchValue(text) {
  return text === null ? null : /^-?\d+$/.test(text) ? Number(text) : text === "true" ? true : text === "false" ? false : text;
}

const isDefined = (...values) => values.every((value) => value !== null);
const WATCH_LEVELS = [
  { "->": (a, b) => !a || b },
  { "|": (a, b) => a || b, "||": (a, b) => a || b },
  { "&": (a, b) => a && b, "&&": (a, b) => a && b },
  { "=": (a, b) => a === b, "==": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => (b ? Math.trunc(a / b) : null), "%": (a, b) => (b ? a % b : null) },
];

// A name is a variable, or a value that some state has.
function watchName(name, known) {
  if (entryOfName.has(name)) return (values) => watchValue(values[entryOfName.get(name)]);
  if (!known.has(name)) throw new Error("no variable or value is called " + name);
  return () => watchValue(name);
}

// From the text to a function of the values of a state; it throws what is wrong.
function watchParse(text, trace) {
  const tokens = watchTokens(text), known = new Set([...trace.values, "true", "false"]);
  let at = 0;
  const binary = (level) => {
    if (level === WATCH_LEVELS.length) return unary();
    let left = binary(level + 1);
    while (Object.hasOwn(WATCH_LEVELS[level], tokens[at] || "")) {
      const operate = WATCH_LEVELS[level][tokens[at++]], first = left, second = binary(level + 1);
      left = (values) => {
        const a = first(values), b = second(values);
        return isDefined(a, b) ? operate(a, b) : null;
      };
    }
    return left;
  };
  const negated = (operand, operate) => (values) => (isDefined(operand(values)) ? operate(operand(values)) : null);
  const unary = () => {
    const token = tokens[at++];
    if (token === undefined) throw new Error("something is missing at the end");
    if (token === "!") return negated(unary(), (value) => !value);
    if (token === "-") return negated(unary(), (value) => -value);
    if (token === "(") {
      const inner = binary(0);
      if (tokens[at++] !== ")") throw new Error("a closing parenthesis is missing");
      return inner;
    }
    if (/^\d/.test(token)) return () => Number(token);
    if (!/^[A-Za-z_]/.test(token)) throw new Error("“" + token + "” stands where a value should");
    return watchName(token, known);
  };
  const whole = binary(0);
  if (at < tokens.length) throw new Error("“" + tokens[at] + "” is too much");
  return whole;
}

function watchText(value) {
  return value === null ? "undefined" : String(value);
}

// The watched values after the step, where they changed. `watch.shown`: those of the row before.
function watchCell(watch, before, step) {
  if (!watch.list.length) return null;
  const values = [...before], cell = el("td", { class: "watched" });
  for (const [entry, value] of step.changes || []) values[entry] = value;
  watch.list.forEach(({ text, evaluate }, at) => {
    const now = watchText(evaluate(values));
    if (now !== watch.shown[at]) cell.append(el("span", { class: "change" }, el("span", { class: "name" }, text + " "), el("span", { class: "new" }, now)));
    watch.shown[at] = now;
  });
  return cell;
}
