// Puts the page together, and keeps the address in step with it.
(run.traces || []).forEach(unpackSteps);
const views = run.answer ? run.traces.map((trace, number) =>
  new TraceView(trace, number, run.answer.results.find((result) => result.id === trace.property))) : [];

function navigation(sections) {
  const names = { verdict: "Verdict", properties: "Properties", values: "Values", diagnostics: "Diagnostics", "trace-1": "Run", symmetry: "Symmetry", coverage: "Rules", search: "Search", model: "Model" };
  return sections.filter((section) => names[section.id]).map((section) => el("a", { href: "#" + section.id }, names[section.id]));
}

function footer() {
  const parts = [run.tool];
  if (run.answer) {
    parts.push("engine " + run.answer.engine);
    parts.push(...Object.entries(run.answer.defines).map(([name, value]) => name + " = " + value));
    parts.push(...Object.entries(run.answer.options).map(([name, value]) => "--" + name + " " + value));
  }
  return parts.join(" · ");
}

function build() {
  const main = document.getElementById("main");
  const sections = [hero()];
  if (run.answer) {
    sections.push(diagnosticsCard(), propertiesCard(), valuesCard(), ...views.map((view) => view.element), symmetryCard(), coverageCard(), searchCard());
  } else {
    sections.push(diagnosticsCard());
  }
  sections.push(propertyFileCard(), sourceCard());
  const shown = sections.filter(Boolean);
  main.replaceChildren(...shown);
  if (run.answer) shown[0].after(facts());
  document.getElementById("file").textContent = run.model;
  document.getElementById("nav").replaceChildren(...navigation(shown));
  document.getElementById("foot").textContent = footer();
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
// Arrow keys step through the first run even before anything in it has the focus.
document.addEventListener("keydown", (event) => {
  if (views.length && (document.activeElement === document.body || document.activeElement.id === "main") && event.key.startsWith("Arrow") && !event.defaultPrevented)
    views[0].key(event);
});
