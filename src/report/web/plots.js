// States by depth, and the frontier over time.
const PLOT = { width: 560, height: 230, left: 58, right: 12, top: 12, bottom: 36 };

function niceStep(most, count) {
  const raw = most / count, power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw);
}

function shortCount(value) {
  if (value >= 1e9) return value / 1e9 + " G";
  if (value >= 1e6) return value / 1e6 + " M";
  return value >= 1e4 ? value / 1e3 + " k" : digits(value);
}

// isCounted: the x axis counts bars, which have a width, from 0.
function plotFrame(mostX, mostY, xTitle, xLabel, label, isCounted) {
  const inner = { width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom };
  const x = (value) => PLOT.left + (inner.width * value) / mostX, y = (value) => PLOT.top + inner.height - (inner.height * value) / mostY;
  const picture = svg("svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": label });
  const step = Math.max(niceStep(mostY, 4), 1);
  for (let value = 0; value <= mostY; value += step) {
    picture.append(svg("line", { class: "grid", x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(value), y2: y(value) }),
      svg("text", { x: PLOT.left - 6, y: y(value) + 4, "text-anchor": "end" }, shortCount(value)));
  }
  const across = isCounted ? Math.max(1, niceStep(mostX, 8)) : niceStep(mostX, 6);
  for (let value = 0; isCounted ? value < mostX : value <= mostX * 1.0001; value += across)
    picture.append(svg("text", { x: x(isCounted ? value + 0.5 : value), y: PLOT.height - 20, "text-anchor": "middle" }, xLabel(value)));
  picture.append(svg("line", { class: "axis", x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y(0), y2: y(0) }),
    svg("text", { x: PLOT.left + inner.width / 2, y: PLOT.height - 4, "text-anchor": "middle" }, xTitle));
  return { picture, x, y };
}

// In deep searches a bar shows the average number of states of several levels.
function levelWords(depth) {
  const { together, count } = run.levels;
  return together === 1 ? "depth " + digits(depth) : "depth " + digits(depth) + " to " + digits(Math.min(depth + together, count) - 1);
}

function depthPlot(levels) {
  const { together, count } = run.levels, most = Math.max(...levels.map((level) => level.mean)), deepest = levels.find((level) => level.mean === most).depth;
  const label = "States first reached at each depth; the most, " + digits(Math.round(most)) + (together > 1 ? " on average" : "") + ", at " + levelWords(deepest);
  const { picture, x, y } = plotFrame(count, most, "depth", (value) => digits(value), label, true);
  const width = x(together) - x(0), gap = width > 6 ? 2 : width > 3 ? 0.5 : 0;
  for (const { depth, states, mean } of levels)
    picture.append(svg("rect", { class: "fill", x: x(depth) + gap / 2, y: y(mean), width: Math.max(0.5, width - gap), height: y(0) - y(mean) },
      svg("title", {}, levelWords(depth) + ": " + plural(states, "state"))));
  return el("div", { class: "plot" }, el("h3", {}, "States by depth"), picture);
}

function frontierPlot(levels) {
  const last = levels[levels.length - 1], end = Math.max(run.answer.statistics.seconds, last.seconds, 1e-6), most = Math.max(...levels.map((level) => level.mean));
  const inMilliseconds = end < 1;
  const label = (value) => (inMilliseconds ? +(value * 1000).toFixed(2) : +value.toFixed(2)) + "";
  const { picture, x, y } = plotFrame(end, most, inMilliseconds ? "milliseconds" : "seconds", label, "Size of the frontier over time");
  let path = `M${x(0)},${y(0)}`;
  for (const level of levels) path += `L${x(level.seconds).toFixed(1)},${y(level.mean).toFixed(1)}`;
  path += `L${x(end).toFixed(1)},${y(run.answer.complete ? 0 : last.mean).toFixed(1)}`;
  picture.append(svg("path", { class: "area", d: path + `L${x(end).toFixed(1)},${y(0)}Z` }), svg("path", { class: "curve", d: path }));
  return el("div", { class: "plot" }, el("h3", {}, "Frontier over time"), picture);
}

function levelTable(levels) {
  return el("details", {}, el("summary", {}, "The same as a table"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "States by depth" }, el("table", { class: "list" },
    el("thead", {}, el("tr", {}, ["Depth", "States", "Begun after"].map((title) => el("th", { scope: "col", class: "number" }, title)))),
    el("tbody", {}, levels.map((level) => el("tr", {}, [levelWords(level.depth).replace("depth ", ""), digits(level.states), seconds(level.seconds)].map((words) => el("td", { class: "number" }, words))))))));
}

function searchCard() {
  const { together, count } = run.levels;
  const levels = run.levels.items.map(([states, begun], at) => ({ depth: at * together, states, seconds: begun, mean: Number(states) / Math.min(together, count - at * together) }));
  if (!levels.length && run.chain) return null;
  if (!levels.length) return card("search", "Search", el("p", { class: "muted" }, "This search does not proceed level by level, so there is no plot."));
  return card("search", "Search", el("div", { class: "pair" }, depthPlot(levels), frontierPlot(levels)), levelTable(levels));
}
