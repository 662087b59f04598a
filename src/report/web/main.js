// Puts the page together, and keeps the address in step with it.
(run.traces || []).forEach(unpackSteps);
const views = run.answer ? run.traces.map((trace, number) =>
  new TraceView(trace, number, run.answer.results.find((result) => result.id === trace.property))) : [];

function navigation(sections) {
  const names = { verdict: "Verdict", properties: "Properties", values: "Values", diagnostics: "Diagnostics", "trace-1": "Run", symmetry: "Symmetry", coverage: "Rules", search: "Search", model: "Model" };
  return sections.filter((section) => names[section.id]).map((section) => el("a", { href: "#" + section.id }, names[section.id]));
}

function footer() {
  const parts = [run.tool, run.date];
  if (run.hash) parts.push("model " + run.hash);
  if (run.answer) {
    parts.push("engine " + run.answer.engine);
    parts.push(...Object.entries(run.answer.defines).map(([name, value]) => name + " = " + value));
    parts.push(...Object.entries(run.answer.options).map(([name, value]) => "--" + name + " " + value));
  }
  return [run.command ? el("p", {}, el("code", {}, run.command)) : "", el("p", {}, parts.join(" · "))];
}

// A counterexample is what the reader came for: it is first.
function orderOfSections() {
  const first = views.length && views[0].property.verdict === "violated" ? views[0] : null;
  const others = views.filter((view) => view !== first).map((view) => view.element);
  return [hero(), first ? first.element : null, facts(), diagnosticsCard(), propertiesCard(), valuesCard(), ...others, symmetryCard(), coverageCard(), searchCard()];
}

function build() {
  const main = document.getElementById("main");
  const sections = run.answer ? orderOfSections() : [hero(), diagnosticsCard()];
  sections.push(propertyFileCard(), sourceCard());
  const shown = sections.filter(Boolean);
  main.replaceChildren(...shown);
  document.getElementById("file").textContent = run.model;
  document.getElementById("nav").replaceChildren(...navigation(shown));
  document.getElementById("foot").replaceChildren(...footer());
  activeView = views[0] || null;
  for (const view of views) view.settle();
}

// #step=12 or #trace=2&step=12
function follow(scrolls) {
  const found = /^#(?:trace=(\d+)&)?step=(\d+)$/.exec(location.hash);
  const view = found && views[Number(found[1] || 1) - 1];
  if (!view) return;
  view.open();
  const row = rowOf(view.trace, Number(found[2]));
  view.pick(row === null ? view.trace.gap.at : row, true);
  if (scrolls) view.element.querySelector(".tools").scrollIntoView({ block: "start" });
  view.reveal();
}

build();
follow(true);
window.addEventListener("hashchange", () => follow(true));
window.addEventListener("resize", () => views.forEach((view) => view.arrange()));
document.addEventListener("keydown", letterKey);
