// Opens the reports in headless Chromium and uses them as a person would. See run.py.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const [, , executablePath, folder] = process.argv;
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tests = [];

function test(name, report, act, options = {}) {
  tests.push({ name, report, act, options });
}

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

function same(actual, wanted, what) {
  expect(JSON.stringify(actual) === JSON.stringify(wanted), `${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
}

const text = (page, selector) => page.locator(selector).first().innerText();
const count = (page, selector) => page.locator(selector).count();
const where = (page) => text(page, ".where");
const stateTitle = (page) => text(page, ".state h3");

async function accessibility(page, rules) {
  // The page's policy forbids other scripts, so the tests bring theirs by the debugger.
  await page.evaluate(axe);
  const { violations } = await page.evaluate((only) => window.axe.run(document, { resultTypes: ["violations"], ...(only ? { runOnly: only } : {}) }), rules);
  expect(!violations.length, violations.map((item) => `${item.id}: ${item.nodes.slice(0, 3).map((node) => node.html + " " + node.failureSummary).join(" | ")}`).join("\n"));
}

for (const report of ["holds", "violated", "liveness", "broken-symmetry", "bad", "dead", "choice", "broken", "asked-badly", "experiment"])
  test(`${report}: accessible`, report, (page) => accessibility(page, null));
// Only colours differ in the dark.
for (const report of ["violated", "liveness", "broken-symmetry", "bad", "dead", "choice", "broken", "experiment"])
  test(`${report}: contrast in the dark`, report, (page) => accessibility(page, ["color-contrast"]), { colorScheme: "dark" });
for (const report of ["symmetric", "hostile", "limit"]) test(`${report}: opens`, report, async (page) => expect(await page.locator("h1").isVisible(), "no title"));

test("holds: the verdict, the properties, the reduction", "holds", async (page) => {
  same(await text(page, "h1"), "Every property holds", "title");
  expect((await page.title()) === "german.m: every property holds", "page title");
  same(await count(page, "#properties tbody tr"), 5, "properties");
  same(await count(page, "#properties .chip.holds"), 5, "verdicts");
  expect((await text(page, ".facts")).includes("28,088"), "states");
  expect((await text(page, "#symmetry")).includes("1,105,434"), "represented");
  same(await count(page, "#symmetry .chip.holds"), 2, "types used");
  same(await count(page, "#search svg rect"), 35, "levels");
  same(await count(page, ".source .ln.sym-used"), 2, "declarations marked");
  same(await count(page, ".trace"), 0, "runs");
});

test("violated: the banner names the property and the length", "violated", async (page) => {
  same(await text(page, "h1"), "Violated", "title");
  expect((await text(page, "#verdict p")).includes("“An exclusive copy is the only copy” is violated after 9 steps"), "sentence");
  same(await text(page, "#properties tbody tr th"), "invariant “An exclusive copy is the only copy”", "violated first");
});

test("violated: the false part is marked, with its reasons", "violated", async (page) => {
  same(await text(page, ".formula mark.false"), "Cache[b].State = Invalid", "false part");
  const why = await text(page, ".why");
  expect(why.includes("a = NODE_2") && why.includes("b = NODE_1") && why.includes("Cache[NODE_1].State is Shared"), why);
});

test("violated: lanes and messages", "violated", async (page) => {
  same(await page.locator(".lanes thead th.lane").allInnerTexts(), ["NODE_1", "NODE_2", "Shared"], "lanes");
  same(await count(page, ".lanes tbody tr"), 10, "steps");
  same(await count(page, ".arrows.over text"), 5, "messages");
  same(await count(page, ".arrows.under .pending"), 1, "messages on their way");
  await page.getByLabel("2 idle lanes").check();
  same(await page.locator(".lanes thead th.lane").allInnerTexts(), ["NODE_1", "NODE_2", "NODE_3", "NODE_4", "Shared"], "all lanes");
  await page.getByLabel("messages").uncheck();
  same(await count(page, ".arrows.over text"), 0, "messages switched off");
});

test("violated: stepping by buttons, clicks and the slider", "violated", async (page) => {
  same(await where(page), "Step 9 of 9", "begins at the end");
  await page.getByRole("button", { name: "Step back" }).click();
  same(await where(page), "Step 8 of 9", "back");
  same(await stateTitle(page), "State after step 8", "state follows");
  await page.getByRole("button", { name: "First step" }).click();
  same(await where(page), "Step 0 of 9", "first");
  expect(await page.getByRole("button", { name: "Step back" }).isDisabled(), "nothing before the first");
  await page.locator(".lanes tbody tr").nth(4).click();
  same(await where(page), "Step 4 of 9", "click");
  same(await page.locator(".state .changed").evaluateAll((rows) => rows.map((row) => row.dataset.name)),
    ["CurCmd", "CurPtr", "Chan2[NODE_1].Cmd", "Chan2[NODE_1].Data", "ShrSet[NODE_1]"], "changes");
  same(await page.locator(".lanes tr.now").getAttribute("data-step"), "4", "row marked");
  await page.getByRole("slider").fill("6");
  same(await where(page), "Step 6 of 9", "slider");
});

test("violated: the keyboard", "violated", async (page) => {
  const offset = () => page.evaluate(() => window.scrollY);
  await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 500 && !(await offset()); i++) await page.waitForTimeout(20);
  expect((await offset()) > 0, "the page has not moved");
  same(await where(page), "Step 9 of 9", "with the focus nowhere the page scrolls");
  await page.keyboard.press("k");
  same(await where(page), "Step 8 of 9", "a letter steps");
  await page.keyboard.press("j");
  same(await where(page), "Step 9 of 9", "and forward");
  await page.locator(".stage").focus();
  const before = await offset();
  for (let i = 0; i < 250 && (await offset()) <= before; i++) { // first the diagram, then the page
    await page.keyboard.press("ArrowDown");
    await page.waitForTimeout(20);
  }
  expect((await offset()) > before, "the page has not moved");
  same(await where(page), "Step 9 of 9", "at the end the page scrolls on");
  await page.locator(".state").focus();
  await page.keyboard.press("ArrowUp");
  same(await where(page), "Step 9 of 9", "the state scrolls by itself");
  await page.locator(".pick").nth(2).focus();
  await page.keyboard.press("Enter");
  same(await where(page), "Step 2 of 9", "enter on a step");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  same(await where(page), "Step 4 of 9", "down, right");
  same(await page.evaluate(() => document.activeElement.querySelector("b").textContent), "4", "the focus goes along");
  await page.keyboard.press("ArrowLeft");
  same(await where(page), "Step 3 of 9", "left");
  await page.keyboard.press("End");
  same(await where(page), "Step 9 of 9", "end");
  await page.keyboard.press("Home");
  same(await where(page), "Step 0 of 9", "home");
  same(await count(page, '.pick[aria-current="step"]'), 1, "one current step");
});

test("violated: everything can be reached with Tab", "violated", async (page) => {
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.className || document.activeElement.tagName));
  }
  for (const part of ["skip", "button", "pick", "stage", "state", "source"]) expect(reached.has(part), `${part} is not reached: ${[...reached]}`);
});

test("violated: pointing at a step shows its state", "violated", async (page) => {
  await page.locator(".lanes tbody tr").nth(3).hover();
  expect((await stateTitle(page)).startsWith("State after step 3"), "preview");
  same(await where(page), "Step 9 of 9", "the step stays");
  await page.locator("h1").hover();
  same(await stateTitle(page), "State after step 9", "and back");
});

test("violated: the counterexample is first, and above the fold", "violated", async (page) => {
  const top = (selector) => page.locator(selector).first().evaluate((part) => part.getBoundingClientRect().top);
  for (const part of [".formula", '.lanes tr[data-step="1"]', ".state h3", ".state [data-name]"]) expect((await top(part)) < 900, `${part} is at ${await top(part)}`);
  same(await page.locator(".stage").evaluate((stage) => [stage.scrollTop, stage.scrollLeft]), [0, 0], "the run begins with its first step");
  same(await stateTitle(page), "State after step 9", "the state is the last one");
  const order = await page.locator("main > *").evaluateAll((parts) => parts.map((part) => part.id || part.className));
  same(order.slice(0, 4), ["verdict", "trace-1", "facts", "properties"], "order");
});

test("fails: the state in which the step fails, and why", "fails", async (page) => {
  same(await stateTitle(page), "State before step 2, which fails", "title");
  same(await text(page, ".state .fault"), "assertion failed: few line 5", "why");
  same(await page.locator('.state [data-name="n"] dd').innerText(), "0 1", "the state before, with what changed");
  same(await page.locator('.state [data-name="last"] del').innerText(), "undefined", "an undefined value is an old one, too");
});

test("undefined: a run-time error says what and where", "undefined", async (page) => {
  expect((await text(page, "#verdict p")).includes('after 4 steps: "last" is undefined'), await text(page, "#verdict p"));
  same(await text(page, "#properties tbody tr a"), "line 5", "where");
});

test("violated: the head of the table covers what is scrolled behind it", "violated", async (page) => {
  await page.locator(".stage").evaluate((stage) => { stage.scrollTop = stage.querySelector(".arrows.over text").getBoundingClientRect().top - stage.getBoundingClientRect().top - 8; });
  const isCovered = await page.locator(".arrows.over text").first().evaluate((label) => {
    const box = label.getBoundingClientRect();
    label.ownerSVGElement.style.pointerEvents = "auto"; // arrows let the mouse through
    const top = document.elementsFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)[0];
    return Boolean(top && top.closest("thead"));
  });
  expect(isCovered, "the label of an arrow is before the head");
});

test("waits: the automaton is named where it moves", "waits", async (page) => {
  expect((await text(page, "#verdict p")).startsWith("LTL property “whoever waits gets in” is violated by a run that ends in a cycle"), await text(page, "#verdict p"));
  expect((await text(page, ".trace h2")).startsWith('Counterexample to LTL property "'), await text(page, ".trace h2"));
  const said = await page.locator(".trace .pick").allInnerTexts();
  same(said.filter((words) => words.includes("automaton: state")).length, 1, "named once");
});

test("violated: what the verdicts mean", "violated", async (page) => {
  await page.getByText("What the verdicts mean").click();
  same(await page.locator(".legend dt").allInnerTexts(), ["unknown", "violated"], "those that occur");
  expect(await page.locator(".legend dd").first().isVisible(), "and what they say");
});

test("violated: finding steps", "violated", async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("shared");
  const said = () => page.locator(".found").innerText();
  const seen = [];
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press("Enter");
    seen.push([await said(), await where(page)]);
    expect((await page.locator(".lanes tr.now").innerText()).toLowerCase().includes("shared"), "the step has it");
  }
  expect(seen[0][0].startsWith("1 of ") && seen[1][0].startsWith("2 of "), JSON.stringify(seen));
  await page.keyboard.press("Shift+Enter");
  same([await said(), await where(page)], seen[1], "back");
  await page.getByLabel("Find").fill("no such thing");
  await page.keyboard.press("Enter");
  same(await said(), "no step", "nothing");
});

test("violated: watch expressions", "violated", async (page) => {
  await page.getByText("Filter, watch, compare").click();
  const box = page.getByLabel("Watch", { exact: true }), wrong = () => text(page, ".wrong");
  const watch = async (words) => { await box.fill(words); await box.press("Enter"); };
  await watch("Cache[NODE_1].State = Shared & Cache[NODE_2].State = Exclusive");
  same(await page.locator(".state [data-watch] dd").innerText(), "true", "true at the end");
  await page.getByRole("button", { name: "First step" }).click();
  same(await page.locator(".state [data-watch] dd").innerText(), "false", "and not before");
  same(await page.locator("td.watched .new").allInnerTexts(), ["false", "true"], "where it changes");
  for (const [words, said] of [["1 +", "missing"], ["Nonsense = 1", "no variable or value is called Nonsense"], ["(1", "parenthesis"], ["1 2", "too much"], ["'x'", "cannot read"]]) {
    await watch(words);
    expect((await wrong()).includes(said), `${words}: ${await wrong()}`);
  }
  await watch("1 + 2 * 3 - -4 = 11 -> !(5 % 3 != 2)");
  same(await page.locator(".state [data-watch] dd").allInnerTexts(), ["false", "true"], "arithmetic");
  await watch("Cache[NODE_1].Data");
  same((await page.locator(".state [data-watch] dd").allInnerTexts())[2], "undefined", "what has no value");
  await page.getByRole("button", { name: "Watch Cache[NODE_1].Data no more" }).click();
  same(await count(page, ".state [data-watch]"), 2, "removed");
});

test("violated: any two steps compared", "violated", async (page) => {
  await page.getByText("Filter, watch, compare").click();
  await page.getByLabel("Compare with step").fill("0");
  same(await stateTitle(page), "Step 0 and step 9 differ in", "title");
  same(await count(page, ".state [data-name]:not(.changed)"), 0, "differences only");
  expect((await count(page, ".state .changed")) > 3, "several");
  await page.getByLabel("Compare with step").fill("9");
  expect((await text(page, ".state")).includes("The two states do not differ"), "the same");
  await page.getByLabel("Compare with step").fill("");
  same(await stateTitle(page), "State after step 9", "as before");
});

test("violated: lanes are pinned and moved", "violated", async (page) => {
  const heads = () => page.locator(".lanes thead th.lane").allInnerTexts();
  await page.getByRole("button", { name: "Pin lane Shared" }).click();
  same(await heads(), ["Shared", "NODE_1", "NODE_2"], "pinned first");
  await page.getByRole("button", { name: "Pin lane NODE_1" }).focus();
  await page.keyboard.press("ArrowRight");
  same(await heads(), ["Shared", "NODE_2", "NODE_1"], "moved by keys");
  same(await where(page), "Step 9 of 9", "the step stays");
  await page.getByRole("button", { name: "Pin lane Shared" }).click();
  await page.locator(".lanes thead th.lane", { hasText: "NODE_1" }).dragTo(page.locator(".lanes thead th.lane", { hasText: "NODE_2" }));
  same((await heads()).indexOf("NODE_1") < (await heads()).indexOf("NODE_2"), true, "moved by the mouse");
});

test("violated: the footer says what was run", "violated", async (page) => {
  const foot = await text(page, "footer");
  expect(/noether check .*german-bug\.m --report .*violated\.html -q/.test(foot), foot);
  expect(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/.test(foot) && /model [0-9a-f]{16}/.test(foot), foot);
});

test("crowd: the lane that decides stays in sight", "crowd", async (page) => {
  same((await page.locator(".lanes thead th.lane").allInnerTexts())[0], "Shared", "what the invariant reads");
  await page.getByLabel("88 other lanes").check();
  await page.locator(".stage").evaluate((stage) => { stage.scrollLeft = 3000; });
  await page.waitForTimeout(100);
  const [head, stage] = await page.evaluate(() => [document.querySelector("thead .pinned"), document.querySelector(".stage")].map((part) => part.getBoundingClientRect().left));
  expect(head >= stage && head < stage + 400, `the pinned head is at ${head}, the stage at ${stage}`);
});

test("deep: numbers of five digits have room", "deep", async (page) => {
  const isClear = await page.locator(".lanes tr.now .pick").evaluate((pick) => {
    const range = document.createRange();
    range.selectNodeContents(pick.querySelector("b"));
    return range.getBoundingClientRect().right <= pick.querySelector("span").getBoundingClientRect().left;
  });
  expect(isClear, "the number reaches into the name of the rule");
});

test("violated: filtering variables", "violated", async (page) => {
  await page.getByText("Filter, watch, compare").click();
  await page.getByLabel("Only variables named").fill("state, curcmd");
  const names = await page.locator(".state [data-name]").evaluateAll((rows) => rows.map((row) => row.dataset.name));
  same(names, ["CurCmd", ...[1, 2, 3, 4].map((i) => `Cache[NODE_${i}].State`)], "state");
  const chips = await page.locator(".lanes .change .name").allInnerTexts();
  expect(chips.length && chips.every((name) => /State|CurCmd/.test(name)), `chips ${chips}`);
  await page.getByLabel("Only variables named").fill("no such variable");
  same(await count(page, ".state [data-name]"), 0, "nothing");
  await page.getByLabel("Only variables named").fill("");
  same(await count(page, ".state h4"), 5, "everything");
});

test("violated: the address follows, and leads back", "violated", async (page) => {
  await page.locator(".lanes tbody tr").nth(5).click();
  same(await page.evaluate(() => location.hash), "#step=5", "address");
  await page.evaluate(() => { location.hash = "#step=2"; });
  await page.waitForFunction(() => document.querySelector(".where").textContent === "Step 2 of 9");
});

test("violated: a link to a step", "violated", async (page) => {
  same(await where(page), "Step 3 of 9", "step of the address");
  expect(await page.locator(".lanes tr.now").isVisible(), "row in sight");
  same(await page.locator(".lanes tr.now").getAttribute("data-step"), "3", "row marked");
}, { hash: "#step=3" });

test("violated: a link beyond the end", "violated", async (page) => same(await where(page), "Step 9 of 9", "the last step"), { hash: "#step=12" });

test("violated: lines lead to the source", "violated", async (page) => {
  await page.locator("#properties tbody a", { hasText: "line 194" }).click();
  expect(await page.locator("#L194").isVisible(), "line in sight");
  expect((await text(page, "#L194")).includes("An exclusive copy"), "the line itself");
  same(await count(page, ".source .ln.false"), 1, "marked");
});

test("experiment: the table, a plot for each value that varies, the command", "experiment", async (page) => {
  same(await text(page, "h1"), "Experiment", "title");
  same(await count(page, "tbody tr"), 9, "rows");
  same(await count(page, "svg.plot"), 2, "a constant value needs no plot");
  same(await page.locator("svg.plot > title").allTextContents(), ["P=? [ F s=1 ]", 'R{"sent <b>"}=? [ F s>0 ]'], "titles");
  const ticks = (await page.locator("svg.plot").first().locator("text").allTextContents()).map((words) => words.trim());
  expect(ticks.includes("0.9") && ticks.includes("0.92") && ticks.includes("2") && !ticks.includes("0"), `ticks ${ticks}`);
  expect((await text(page, "footer")).includes("tries=1:9"), await text(page, "footer"));
});

test("deadlock: the last step says so", "deadlock", async (page) => {
  expect((await text(page, "#verdict p")).startsWith("A deadlock is reached"), "sentence");
  expect((await text(page, ".lanes tr.bad")).includes("from here no rule leads to another state"), "ending");
});

test("stuck: why nothing can move", "stuck", async (page) => {
  const why = await text(page, ".trace .why");
  expect(why.includes("left (p: 0)") && why.includes("has[0] is true") && why.includes("fork[1] is false"), why);
  same((await page.locator(".lanes thead th.lane").allInnerTexts()).map((head) => head.split(/\s+/).join(" ")), ["0 P", "1 P", "2 P"], "nothing is shared");
  same(await page.locator(".state h4").allInnerTexts(), ["P 0", "P 1", "P 2"], "numbers with their type");
});

test("attack: the reasons go through both quantifiers", "attack", async (page) => {
  const why = await text(page, ".why");
  expect(why.includes("r = Responder_1") && why.includes("i = Initiator_1") && why.includes("initiator[Initiator_1].partner is Intruder_1"), why);
  same(await text(page, ".formula mark.false"), "initiator[i].partner = r", "false part");
  await page.getByLabel("1 idle lane").check();
  same(await page.locator(".lanes thead th.lane").allInnerTexts(), ["Initiator_1", "Responder_1", "Intruder_1", "Shared"], "lanes of three types");
});

// Where arrows begin and end, as lanes.
async function arrowEnds(page) {
  return page.evaluate(() => {
    const lanes = [...document.querySelectorAll(".lanes thead th.lane")].map((head) => [head.innerText, head.getBoundingClientRect()]);
    const lane = (x) => lanes.find(([, box]) => x >= box.left && x <= box.right)[0];
    return [...document.querySelectorAll(".arrows.under path")].map((path) => {
      const [from, to] = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())];
      const left = path.ownerSVGElement.getBoundingClientRect().left;
      return lane(from.x + left) + " to " + lane(to.x + left);
    });
  });
}

test("network: arrows lead from sender to receiver", "network", async (page) => {
  same(await page.locator(".arrows.over text").allTextContents(), ["Ask", "Answer", "Ask"], "labels");
  same((await arrowEnds(page)).slice(0, 2), ["P_1 to P_2", "P_2 to P_1"], "ends");
});

test("channels: lanes are processes, and arrows lead from each send to its receive", "channels", async (page) => {
  same((await page.locator(".lanes thead th.lane").allInnerTexts()).sort(), ["Helper(2)", "Receiver(1)", "Sender(0)", "Shared"], "lanes");
  same(await page.locator(".arrows.over text").allTextContents(), ["q!work,1", "q!work,2", "hand!n"], "labels");
  same(await arrowEnds(page), ["Sender(0) to Receiver(1)", "Sender(0) to Receiver(1)", "Helper(2) to Sender(0)"], "ends");
  const steps = await page.locator(".lanes tbody th.step").allInnerTexts();
  expect(steps.some((step) => step.includes("Helper(2):5 hand!n -> Sender(0):6 hand?x")), "a rendezvous names both");
  expect((await text(page, ".lanes")).includes("[[work, 1]]"), "what is in the channel");
});

test("violated: arrows lead to and from what is shared", "violated", async (page) => {
  const ends = (await arrowEnds(page)).sort();
  same(ends, ["NODE_1 to Shared", "NODE_2 to Shared", "Shared to NODE_1", "Shared to NODE_1", "Shared to NODE_2"], "ends");
});

test("liveness: the run shows where hope ends", "liveness", async (page) => {
  same(await where(page), "Step 4 of 6", "begins where the goal is lost");
  expect((await text(page, ".lanes tr.bad")).includes("never again"), "ending");
  expect((await text(page, ".lanes tr.bad")).includes("a cycle begins here"), "begin of the cycle");
  expect((await text(page, ".lanes tbody tr:last-child")).includes("as after step 4, and so on for ever"), "end of the cycle");
  same(await count(page, ".arrows .loop path"), 1, "the way back");
});

test("lasso: a run that ends in a cycle", "lasso", async (page) => {
  same(await page.locator(".lanes thead th.lane").allInnerTexts(), ["P_1", "P_2", "Shared"], "also the one that nothing happens to");
  same(await count(page, ".arrows .loop path"), 1, "the way back");
  expect((await text(page, ".trace-head")).includes("then a cycle"), "heading");
  expect((await text(page, ".formula")).includes("AF"), "formula");
});

test("lasso: why it is false, step by step", "lasso", async (page) => {
  same(await text(page, ".formula mark.false"), "busy[p]", "false part");
  const why = await text(page, ".why");
  expect(why.includes("p = P_1") && why.includes("for ever: the run is a cycle"), why);
  const links = page.locator(".why a");
  same(await links.allInnerTexts(), ["after step 0", "after step 1"], "steps");
  await links.nth(1).click();
  same(await where(page), "Step 1 of 2", "the link leads there");
});

test("broken: what no single run shows is said", "broken", async (page) => {
  const why = await text(page, ".why");
  expect(why.includes("after step 2") && why.includes("p = P_1") && why.includes("no run from here leads to where it would be true"), why);
});

test("values: numbers with their intervals", "values", async (page) => {
  same(await text(page, "h1"), "Every property holds", "title");
  same(await count(page, "#values .quantity"), 1, "one number");
  expect((await text(page, "#values .figure")).includes("0.793402777"), await text(page, "#values .figure"));
  expect((await text(page, "#P7")).includes("0.793402777"), "in the file");
  same(await count(page, "#model .k"), await page.locator("#model .k", { hasText: /^(dtmc|formula|module|endmodule|init|label)$/ }).count(), "words of the language");
  expect((await count(page, "#model .c")) >= 6, "comments");
});

test("choice: the interval, how it was found, and the run", "choice", async (page) => {
  same(await text(page, "h1"), "Violated", "title");
  const best = page.locator("#values .quantity").first();
  same(await best.locator("h3 code").innerText(), '"best": Pmax=? [ F "home" ]', "as it is written");
  const [lower, upper] = (await best.locator(".figure code").allInnerTexts()).map(Number);
  expect(lower <= 8 / 9 && 8 / 9 <= upper && upper - lower < 1e-5, `between ${lower} and ${upper}`);
  expect((await best.locator(".figure b").innerText()).startsWith("0.8888"), "digits");
  await best.getByText("Choices of the scheduler in 3 states").click();
  same(await best.locator(".scroll tbody tr").nth(1).innerText().then((words) => words.split("\t").slice(0, 2)), ["s = 1", "[on] walker"], "scheduler");
  const heads = await page.locator(".trace-head").allInnerTexts();
  same(heads.length, 2, "runs");
  expect(heads[0].includes("under a scheduler that attains the value") && heads[0].includes("2 steps, with probability 0.2 in total"), heads[0]);
  same((await page.locator("#trace-1 .lanes tbody th").allInnerTexts()).map((words) => words.split(/\s*\n\s*/)),
    [["0", "start: the initial state"], ["1", "[safe] walker", "with probability 0.25"], ["2", "[on] walker", "with probability 0.8"]], "steps");
  await best.locator("a", { hasText: "most likely run" }).click();
  await page.locator("#trace-1 .stage").focus();
  await page.keyboard.press("Home");
  same(await where(page), "Step 0 of 2", "stepping");
  same(await page.locator("#trace-1 .state [data-name='s'] dd").innerText(), "0", "state");
});

test("coin: how the bounds met", "coin", async (page) => {
  same(await text(page, "h1"), "Every property holds", "title");
  const tails = page.locator("#values .quantity", { hasText: "all_tails" });
  const [lower, upper] = (await tails.locator(".figure code").allInnerTexts()).map(Number);
  same(await tails.locator("svg").count(), 2, "bounds and width");
  same(await tails.locator(".curve.upper").count(), 1, "upper bound");
  expect(!(await tails.locator("svg").first().isVisible()), "plots are folded");
  await tails.locator(".convergence > summary").click();
  expect(await tails.locator("svg").first().isVisible(), "and unfold");
  await tails.getByText("The same as a table").click();
  const rows = await tails.locator("tbody tr").allInnerTexts(), last = rows[rows.length - 1].split("\t").map(Number);
  expect(rows.length > 5 && Math.abs(last[1] - lower) < 1e-9 && Math.abs(last[2] - upper) < 1e-9, `table ends with ${last}, not ${lower} and ${upper}`);
  same(await count(page, "#symmetry .chip.holds"), 1, "copies of a module");
  expect((await count(page, ".trace")) >= 4 && (await count(page, ".trace details:not([open])")) >= 1, "many runs: the first are open");
  expect((await page.locator("#trace-1 .lanes thead th.lane").allInnerTexts()).includes("process1"), "lanes are modules");
  expect((await count(page, "#trace-1 .actor")) >= 10 && (await count(page, "#trace-1 .actor.shared")) === 0, "who moves");
});

test("coin: commands as they are written, with a count for each copy", "coin", async (page) => {
  const first = page.locator("#coverage tbody tr", { hasText: "copies" }).first();
  expect(/^\[.*\] .*->.*;/.test(await first.locator("code").innerText()), await first.innerText());
  await first.locator("summary").click();
  const copies = (await first.locator("li").allInnerTexts()).map((words) => Number(words.replace(/.*: /, "").replaceAll(",", "")));
  const total = Number((await first.locator("td.number").innerText()).replaceAll(",", ""));
  expect(copies.length >= 2 && copies.reduce((sum, one) => sum + one, 0) === total, `${copies} of ${total}`);
});

test("coin: a link to a run that is folded", "coin", async (page) => {
  expect(await page.locator("#trace-4 .lanes").isVisible(), "open");
  same(await text(page, "#trace-4 .where"), (await text(page, "#trace-4 .where")).replace(/Step \d+/, "Step 2"), "step");
}, { hash: "#trace=4&step=2" });

test("choice: a link to a step of the second run", "choice", async (page) =>
  same(await text(page, "#trace-2 .where"), "Step 0 of 1", "step"), { hash: "#trace=2&step=0" });

test("choice: a bound that is violated says the number", "choice", async (page) =>
  expect((await page.locator("#properties tr", { hasText: "P>=0.99" }).innerText()).match(/the least value is 0(?![.0-9])/), "remark"));

test("given: a property of the command line has no line", "given", async (page) => {
  same(await page.locator("#properties tr", { hasText: "P=? [ X s1=0 ]" }).locator("a").count(), 0, "no link");
  expect((await page.locator("#properties tr", { hasText: "P=? [ X s1=0 ]" }).innerText()).includes("given by --property"), "where");
  same(await count(page, "#properties-file .remark"), 1, "one value in the file");
  same(await count(page, "#model .remark"), 0, "none in the model");
});

test("asked badly: the file of properties has the error", "asked-badly", async (page) => {
  expect((await text(page, "#P3")).includes("Nonsense"), "line marked");
  same(await count(page, "#properties-file .ln.error"), 1, "error");
  same(await count(page, "#model .ln.error"), 0, "not in the model");
  same(await text(page, ".diagnostic u"), "Nonsense", "underlined");
});

test("refused: where, and why", "refused", async (page) => {
  same(await text(page, "h1"), "Not checked", "title");
  expect((await count(page, "#model .ln.error")) >= 1, "line marked");
});

test("complete: its symmetry is named", "complete", async (page) =>
  expect((await text(page, "#symmetry")).includes("permutations of the processes"), await text(page, "#symmetry")));

test("crowd: many lanes share one", "crowd", async (page) => {
  const heads = () => page.locator(".lanes thead th.lane").allInnerTexts();
  same((await heads()).filter((head) => !head.startsWith("P_")), ["Shared", "88 others"], "lanes");
  same((await heads()).length, 14, "a dozen, the others, and what is shared");
  expect((await text(page, ".lanes tbody tr:nth-child(2) td.others")).startsWith("at[P_1]"), "whole names there");
  same(await text(page, ".state h4"), "Shared", "what changed comes first");
  same((await page.locator(".state h4").allInnerTexts())[1], "P_100", "what changed comes first");
  await page.getByLabel("88 other lanes").check();
  same((await heads()).length, 101, "all that take part");
  await page.getByText("Filter, watch, compare").click();
  await page.getByLabel("Only variables named").fill("P_7]");
  same(await page.locator(".state [data-name]").evaluateAll((rows) => rows.map((row) => row.dataset.name)), ["at[P_7].in", "at[P_7].rounds"], "one of them");
});

test("deep: a long run, from its beginning to its end", "deep", async (page) => {
  same(await where(page), "Step 10000 of 10000", "the end");
  expect(!(await text(page, ".trace-head")).includes("left out"), await text(page, ".trace-head"));
  await page.keyboard.press("k");
  same(await page.locator(".state [data-name='x'] dd").innerText(), "9998 9999", "value");
  await page.locator(".stage").focus();
  await page.keyboard.press("Home");
  same(await where(page), "Step 0 of 10000", "the beginning");
  same(await count(page, ".lanes tbody tr[data-step]"), 400, "rows at a time");
  await page.getByRole("button", { name: "9,601 later steps" }).click();
  same(await where(page), "Step 400 of 10000", "beyond them");
  await page.keyboard.press("End");
  same(await page.locator(".lanes tr.now").getAttribute("data-step"), "10000", "the last row");
  expect((await count(page, "#search svg rect")) <= 1000, "bars");
}, { hash: "" });

test("deeper: the middle of a very long run is left out", "deeper", async (page) => {
  same(await where(page), "Step 30000 of 30000", "the end");
  expect((await text(page, ".trace-head")).includes("10,001 steps in the middle of this run are left out"), await text(page, ".trace-head"));
  same(await page.locator(".state [data-name='x'] dd").innerText(), "29999 30000", "value at the end");
  await page.evaluate(() => { location.hash = "#step=20001"; });
  await page.waitForFunction(() => document.querySelector(".where").textContent.startsWith("Step 20001 "));
  same(await page.locator(".state [data-name='x'] dd").innerText(), "9999 20001", "value behind the gap");
  expect((await page.locator(".lanes tbody").innerText()).includes("10,001 steps left out here"), "the gap is shown");
  await page.evaluate(() => { location.hash = "#step=9999"; });
  await page.waitForFunction(() => document.querySelector(".where").textContent.startsWith("Step 9999 "));
  same(await page.locator(".state [data-name='x'] dd").innerText(), "9998 9999", "value before the gap");
}, { hash: "" });

for (const report of ["violated", "choice", "crowd", "deep", "channels", "bad", "holds"])
  test(`${report}: a narrow window`, report, async (page) => {
    same(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, "sideways");
    expect(await page.locator("nav a").last().isVisible(), "links");
  }, { width: 375 });

test("deeper: a link to a step that is left out", "deeper", async (page) => same(await where(page), "Step 20001 of 30000", "the nearest"), { hash: "#step=12345" });

test("strange: any text is shown as it is", "strange", async (page) => {
  expect((await text(page, "#properties")).includes("\u4e2d\u6587 {{data}} $& $1"), "property");
  expect((await text(page, ".lanes")).includes("step \u{1f600}") && (await text(page, ".lanes")).includes("<b>"), "rule");
  expect((await text(page, "#L1")).includes("\u00e4\u00f6 \u{1f600} \\u0000"), "source");
});

test("ring: rotations, and why no more", "ring", async (page) => {
  const words = await text(page, "#symmetry");
  expect(words.includes("can be rotated") && words.includes("distinguished otherwise"), words);
});

test("elsewhere: a property in a file of its own has no line in the model", "elsewhere", async (page) => {
  same(await count(page, "#model .ln.false"), 0, "no line of the model marked");
  same(await count(page, "#properties-file .ln"), 2, "the file is shown");
  await page.locator("#properties a", { hasText: "line 1 of the properties" }).click();
  expect(await page.locator("#P1.false").isVisible(), "line marked, and in sight");
  expect((await text(page, "#P1")).includes("violated"), "remark");
  same(await text(page, ".formula mark.false"), "!ExGntd", "the negation is what is false");
});

test("limit: unknown, with the reason", "limit", async (page) => {
  same(await text(page, "h1"), "Unknown", "title");
  expect((await text(page, "#verdict")).includes("state limit"), await text(page, "#verdict"));
});

test("symmetric: depth first has no levels to plot", "symmetric", async (page) => {
  same(await count(page, "#search svg"), 0, "no plot");
});

test("broken symmetry: the line is marked", "broken-symmetry", async (page) => {
  expect((await count(page, ".source .ln.breach")) >= 1, "breach in the source");
  expect((await text(page, "#symmetry")).includes("distinguished"), "words");
});

test("bad: diagnostics and their lines", "bad", async (page) => {
  same(await text(page, "h1"), "Not checked", "title");
  expect((await count(page, ".diagnostic")) >= 1, "diagnostics");
  expect((await text(page, "#diagnostics")).includes("y"), "what is wrong");
  expect((await count(page, ".source .ln.error")) >= 1, "line marked");
  same(await count(page, ".diagnostic u"), await count(page, ".diagnostic pre"), "underlined");
});

test("hostile: names stay names", "hostile", async (page) => {
  same(await page.evaluate(() => window.broken), undefined, "script from the model");
  same(await count(page, "main img, main b[onmouseover], main script"), 0, "elements from the model");
  expect((await text(page, "#properties")).includes("<b onmouseover=alert(1)>&amp; {{script}}"), "name as it is");
  expect((await page.title()).includes("<img src=x onerror='window.broken = 5'> & \"quoted\" {{data}}.m"), await page.title());
  expect((await text(page, "#file")).includes("{{data}}.m"), "name of the file");
  expect((await text(page, ".lanes")).includes("<img src=x onerror='window.broken = 4'>"), "rule as it is");
});

test("long: a hundred steps", "long", async (page) => {
  same(await count(page, ".lanes tbody tr"), 101, "steps");
  await page.locator(".stage").focus();
  await page.keyboard.press("Home");
  same(await where(page), "Step 0 of 100", "first");
  same(await page.locator(".state [data-name='turn'] dd").innerText(), "0", "value");
  await page.getByRole("slider").fill("50");
  same(await page.locator(".state [data-name='turn'] dd").innerText(), "49 50", "value");
});

test("dead: a rule that never fires is flagged", "dead", async (page) => {
  same(await text(page, "#coverage tbody tr th"), "never", "first");
  same(await text(page, "#coverage .chip"), "never fires", "flag");
  same(await count(page, ".source .ln.never"), 1, "in the source");
});

// A page of each kind that tests ask for, for one test after the other: to open another takes longer than most tests do. A report keeps
// nothing in the browser, so what is loaded anew is new; what a test that failed has left is thrown away.
async function openPage(browser, pages, options) {
  const kind = JSON.stringify([options.colorScheme, options.width]);
  if (!pages.has(kind)) {
    const context = await browser.newContext({ colorScheme: options.colorScheme || "light", viewport: { width: options.width || 1400, height: 900 }, offline: true });
    const page = await context.newPage(), complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => /^(file|data):/.test(request.url()) || complaints.push("asks for " + request.url()));
    page.setDefaultTimeout(30000);
    pages.set(kind, { kind, context, page, complaints });
  }
  const opened = pages.get(kind);
  await opened.page.mouse.move(0, 0);
  await opened.page.goto("about:blank"); // else another part of the same report would not be loaded
  opened.complaints.length = 0;
  return opened;
}

async function runTest(browser, pages, { name, report, act, options }) {
  const { kind, context, page, complaints } = await openPage(browser, pages, options);
  const begin = Date.now();
  try {
    await page.goto("file://" + path.join(folder, report + ".html") + (options.hash || ""));
    await act(page);
    expect(!complaints.length, `the console says ${complaints.join("; ")}`);
    return true;
  } catch (error) {
    console.log(`FAIL ${name}: ${error.message}`);
    pages.delete(kind);
    await context.close();
    return false;
  } finally {
    if (process.env.TIMES) console.log(name, Date.now() - begin);
  }
}

// Two browsers at a time, each with the next test that nobody has taken.
const waiting = [...tests];
let passed = 0;
async function runSome() {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] }), pages = new Map();
  while (waiting.length) {
    const isGood = await runTest(browser, pages, waiting.shift());
    passed += isGood;
  }
  await browser.close();
}
await Promise.all([runSome(), runSome()]);
console.log(`${passed} passed, ${tests.length - passed} failed`);
process.exit(passed === tests.length ? 0 : 1);
