// Quantities: the proved interval of each, and the convergence of its bounds.
// A text with all digits, or a number; null: nothing is known, or it is infinite.
function numberOf(number) {
  return number === null || number === "infinity" ? Infinity : number === "-infinity" ? -Infinity : Number(number);
}

function shortNumber(value) {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  return String(Number(value.toPrecision(10)));
}

// Longer fractions are only in the JSON answer.
const MOST_FRACTION = 40;
const isShortFraction = (value) => value.exact && value.exact.includes("/") && value.exact.length <= MOST_FRACTION;

function valueWords(value) {
  const lower = numberOf(value.lower), upper = numberOf(value.upper);
  if (value.range) return "from " + shortNumber(lower) + " to " + shortNumber(upper) + ", depending on the state";
  if (value.exact) return "= " + (isShortFraction(value) ? value.exact + " = " : "") + value.shown;
  if (lower === upper) return "= " + value.shown;
  return "≈ " + value.shown + ", between " + value.lower + " and " + value.upper;
}

function scaleOf(low, high) {
  const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
  return { low: low - room, high: high + room };
}

// Iterations are many and the first ones matter most: the axis grows by powers when there are more than a few hundred.
function iterationAxis(most) {
  const isLog = most > 300;
  const share = (value) => (isLog ? Math.log10(value + 1) / Math.log10(most + 1) : value / most);
  const marks = [];
  if (isLog) for (let mark = 1; mark <= most; mark *= 10) marks.push(mark);
  else for (let step = niceStep(most, 6), mark = 0; mark <= most; mark += Math.max(1, step)) marks.push(mark);
  return { share, marks, title: isLog ? "sweeps (logarithmic)" : "sweeps" };
}

function convergenceFrame(axis, label) {
  const inner = { width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom };
  const x = (value) => PLOT.left + inner.width * axis.share(value), picture = svg("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": label });
  for (const mark of axis.marks) picture.append(svg("text", { x: x(mark), y: PLOT.height - 20, "text-anchor": "middle" }, shortCount(mark)));
  picture.append(svg("line", { class: "axis", x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: PLOT.height - PLOT.bottom, y2: PLOT.height - PLOT.bottom }),
    svg("text", { x: PLOT.left + inner.width / 2, y: PLOT.height - 4, "text-anchor": "middle" }, axis.title));
  return { picture, x, height: inner.height };
}

function gridLine(picture, y, words) {
  picture.append(svg("line", { class: "grid", x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y, y2: y }),
    svg("text", { x: PLOT.left - 6, y: y + 4, "text-anchor": "end" }, words));
}

// A staircase: a bound stays until the next sweep that improves it.
function stairs(points, x, y) {
  return points.map(([at, value], number) => (number ? `H${x(at).toFixed(1)}V` : `M${x(at).toFixed(1)},`) + y(value).toFixed(1)).join("");
}

function boundsPlot(points, axis) {
  const finite = points.flatMap((point) => [point.lower, point.upper]).filter(Number.isFinite);
  const { low, high } = scaleOf(Math.min(...finite), Math.max(...finite));
  const { picture, x, height } = convergenceFrame(axis, "The lower and the upper bound after each sweep, until they meet");
  const y = (value) => PLOT.top + height - (height * (Math.max(low, Math.min(high, value)) - low)) / (high - low);
  for (let step = niceStep(high - low, 4), mark = Math.ceil(low / step) * step; mark <= high; mark += step) gridLine(picture, y(mark), String(Number(mark.toPrecision(6))));
  const lower = points.map((point) => [point.iteration, point.lower]), upper = points.map((point) => [point.iteration, point.upper]);
  const back = [...upper].reverse().map(([at, value], number) => (number ? "V" : `L${x(at).toFixed(1)},`) + `${y(value).toFixed(1)}H${x(at).toFixed(1)}`).join("");
  picture.append(svg("path", { class: "area", d: stairs(lower, x, y) + back + "Z" }),
    svg("path", { class: "curve", d: stairs(lower, x, y) }), svg("path", { class: "curve upper", d: stairs(upper, x, y) }));
  return el("div", { class: "plot" }, el("h3", {}, "Lower and upper bound"), picture);
}

function widthPlot(points, axis) {
  const widths = points.map((point) => [point.iteration, point.upper - point.lower]).filter(([, width]) => width > 0 && Number.isFinite(width));
  if (widths.length < 2) return null;
  const powers = widths.map(([, width]) => Math.log10(width)), low = Math.floor(Math.min(...powers)), high = Math.max(low + 1, Math.ceil(Math.max(...powers)));
  const { picture, x, height } = convergenceFrame(axis, "The width of the interval after each sweep, on a logarithmic scale");
  const y = (value) => PLOT.top + height - (height * (Math.log10(value) - low)) / (high - low);
  for (let power = low, step = Math.ceil((high - low) / 6); power <= high; power += step) gridLine(picture, y(10 ** power), "1e" + power);
  picture.append(svg("path", { class: "curve", d: stairs(widths, x, y) }));
  return el("div", { class: "plot" }, el("h3", {}, "Width of the interval"), picture);
}

function convergenceTable(points, name) {
  const some = points.length <= 60 ? points : points.filter((_, at) => at % Math.ceil(points.length / 60) === 0 || at === points.length - 1);
  return el("details", {}, el("summary", {}, "The same as a table"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Bounds by sweep of " + name }, el("table", { class: "list" },
    el("thead", {}, el("tr", {}, ["Sweep", "Lower", "Upper", "Width"].map((title) => el("th", { scope: "col", class: "number" }, title)))),
    el("tbody", {}, some.map((point) => el("tr", {}, [digits(point.iteration), shortNumber(point.lower), shortNumber(point.upper), (point.upper - point.lower).toPrecision(2)].map((words) => el("td", { class: "number" }, words))))))));
}

function convergenceView(property) {
  const points = (property.convergence || []).map((point) => ({ iteration: Number(point.iteration), lower: numberOf(point.lower), upper: numberOf(point.upper) }));
  const hasStory = points.length > 1 && points.some((point) => Number.isFinite(point.upper - point.lower));
  if (!hasStory) return el("p", { class: "muted" }, property.value.exact ? "Computed with fractions." : points.length ? "Known before the first iteration." : "Computed without iteration.");
  const axis = iterationAxis(Math.max(1, points[points.length - 1].iteration));
  return el("details", { class: "convergence" }, el("summary", {}, "How the bounds met, in " + plural(points[points.length - 1].iteration, "sweep")),
    el("div", { class: "pair" }, boundsPlot(points, axis), widthPlot(points, axis)), convergenceTable(points, property.name));
}

// A property that has a name of its own, as it is written.
function writtenAs(property) {
  const text = property.line && !isGiven(property) ? (isElsewhere(property) ? propertyLines : lines)[property.line - 1] || "" : "";
  const words = text.trim().replace(/;\s*(\/\/.*)?$/, "");
  return !words.includes(property.name) ? property.name : words.length < text.trim().length ? words : words + " …";
}

// The choices of a scheduler that attains the value (--witness).
function schedulerView(property) {
  const found = run.schedulers.find((scheduler) => scheduler.property === property.id);
  if (!found) return null;
  const row = ([state, rule, line]) => el("tr", {}, el("td", {}, el("code", {}, state)), el("th", { scope: "row" }, rule), el("td", {}, lineLink(line) || ""));
  return el("details", {}, el("summary", {}, "Choices of the scheduler in " + plural(found.count, "state")),
    found.count > found.choices.length ? el("p", { class: "muted" }, "The first " + found.choices.length + "; --json has all.") : null,
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scheduler of " + property.name }, el("table", { class: "list" },
      el("thead", {}, el("tr", {}, ["State", "Choice", "Where"].map((title) => el("th", { scope: "col" }, title)))), el("tbody", {}, found.choices.map(row)))));
}

function valueView(property, number) {
  const lower = numberOf(property.value.lower), upper = numberOf(property.value.upper), isExact = lower === upper;
  const view = run.traces.findIndex((trace) => trace.property === property.id);
  return el("section", { class: "quantity", "aria-labelledby": "value-" + number },
    el("h3", { id: "value-" + number }, el("code", {}, writtenAs(property)), " ", propertyPlace(property)),
    el("p", { class: "figure" }, el("b", {}, property.value.range ? shortNumber(lower) + " to " + shortNumber(upper) : property.value.shown), " ",
      isExact || property.value.exact ? el("span", { class: "muted" }, isShortFraction(property.value) ? "exactly " + property.value.exact : "exactly") : el("span", { class: "muted" }, "guaranteed between ", el("code", {}, property.value.lower), " and ", el("code", {}, property.value.upper), ", " + (upper - lower).toPrecision(2) + " apart")),
    view < 0 ? null : el("p", {}, el("a", { href: "#trace-" + (view + 1) }, "The most likely run to the goal")),
    convergenceView(property), schedulerView(property));
}

function valuesCard() {
  const found = run.answer.results.filter((property) => property.value);
  return found.length ? card("values", "Values", found.map(valueView)) : null;
}
