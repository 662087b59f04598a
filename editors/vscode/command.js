// The command lines of the extension, and running them. Knows nothing of the editor, so that tests need none.
"use strict";
const { spawn } = require("child_process");

/** Options for constants: {"N": 4} becomes -D N=4. */
function defineWords(defines) {
  return Object.entries(defines || {}).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
}

/** A file of properties is checked with the model of its name: the first of these that is there. */
const MODEL_EXTENSIONS = [".m", ".prism", ".pm", ".nm", ".sm", ".pml", ".bp"];
function operands(path, isThere) {
  const match = /^(.*)\.(props|pctl|csl)$/.exec(path);
  const model = match && MODEL_EXTENSIONS.map((extension) => match[1] + extension).find(isThere);
  return model ? [model, path] : [path];
}

/** The words after the program for "check", "symmetry" or "report". */
function words(what, path, settings, isThere) {
  const tail = [...defineWords(settings.defines), "--", ...operands(path, isThere)];
  if (what === "symmetry") return ["symmetry", ...tail];
  const options = ["check", ...(settings.arguments || [])];
  return what === "report" ? [...options, "--report", "-", ...tail] : [...options, ...tail];
}

/** Runs the program; a promise of its exit code and output. `token` ends it. */
function run(program, list, token) {
  return new Promise((resolve) => {
    const child = spawn(program, list, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => (output += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk) => (errors += chunk));
    child.on("error", (error) => resolve({ code: -1, output, errors: error.message }));
    child.on("close", (code) => resolve({ code, output, errors }));
    if (token) token.onCancellationRequested(() => child.kill("SIGINT"));
  });
}

/** What an exit code of a check means. */
function verdict(code) {
  const known = ["every property holds", "some property is violated", "the model or the command is wrong", "unknown: a limit was reached"];
  return known[code] || "the program could not be run";
}

module.exports = { words, run, verdict };
