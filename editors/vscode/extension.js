// Noether in Visual Studio Code: the language server, and commands that run the program.
"use strict";
const fs = require("fs");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { words, run, verdict } = require("./command.js");

const LANGUAGES = ["murphi", "prism", "prism-properties", "promela", "boolean"];
let client;
let channel;
const pages = new Map(); // the report pages that are open, by the path of their model

function settings() {
  const all = vscode.workspace.getConfiguration("noether");
  return { path: all.get("path"), arguments: all.get("arguments"), defines: all.get("defines") };
}

/** The model that a command is for: the argument of a lens, or what is being edited. It is saved first. */
async function modelPath(uri) {
  const chosen = uri ? vscode.Uri.parse(String(uri)) : vscode.window.activeTextEditor && vscode.window.activeTextEditor.document.uri;
  if (!chosen || chosen.scheme !== "file") {
    vscode.window.showErrorMessage("Noether: open a model that is a file first.");
    return undefined;
  }
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === chosen.toString());
  if (open && open.isDirty) await open.save();
  return chosen.fsPath;
}

/** Runs a command on the model, with a progress bar that can be cancelled. */
async function runOn(uri, what) {
  const path = await modelPath(uri);
  if (!path) return undefined;
  const given = settings();
  const title = what === "symmetry" ? "Noether: looking for symmetry" : "Noether: checking";
  const result = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (progress, token) =>
    run(given.path, words(what, path, given, fs.existsSync), token));
  if (result.code === -1) vscode.window.showErrorMessage(`Noether: ${given.path} cannot be run: ${result.errors} (see the setting noether.path)`);
  return { path, ...result };
}

function print(result) {
  channel.clear();
  channel.append(result.output + result.errors);
  channel.show(true);
}

async function check(uri) {
  const result = await runOn(uri, "check");
  if (!result || result.code === -1) return;
  print(result);
  const show = result.code === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  if (await show(`Noether: ${verdict(result.code)}.`, "Open the Report")) openReport(uri || vscode.Uri.file(result.path));
}

async function showSymmetry(uri) {
  const result = await runOn(uri, "symmetry");
  if (result && result.code !== -1) print(result);
}

/** The page is one file that needs no network; what it may do is what it brings along. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; font-src data:";
function guarded(page) {
  const meta = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return /<head[^>]*>/i.test(page) ? page.replace(/<head[^>]*>/i, (head) => head + meta) : meta + page;
}

async function openReport(uri) {
  const result = await runOn(uri, "report");
  if (!result || result.code === -1) return;
  if (!result.output) {
    print(result);
    return;
  }
  let page = pages.get(result.path);
  if (!page) {
    const title = `Report: ${result.path.split(/[\\/]/).pop()}`;
    page = vscode.window.createWebviewPanel("noether.report", title, vscode.ViewColumn.Beside, { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: true });
    page.onDidDispose(() => pages.delete(result.path));
    pages.set(result.path, page);
  }
  page.webview.html = guarded(result.output);
  page.reveal(undefined, true);
}

async function activate(context) {
  channel = vscode.window.createOutputChannel("Noether");
  const commands = { "noether.check": check, "noether.showSymmetry": showSymmetry, "noether.openReport": openReport };
  for (const [name, action] of Object.entries(commands)) context.subscriptions.push(vscode.commands.registerCommand(name, action));
  context.subscriptions.push(channel);
  const given = settings();
  client = new LanguageClient("noether", "Noether", { command: given.path, args: ["lsp"] }, {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    initializationOptions: { commands: "client", defines: given.defines },
    synchronize: { configurationSection: "noether" },
  });
  await client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate, guarded };
