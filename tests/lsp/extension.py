#!/usr/bin/env python3
"""tests/lsp/extension.py: the extension for Visual Studio Code without the editor: its manifest, its command lines, its package, and
that it can be loaded and its commands run against a stand-in for the editor."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "editors/vscode"
passed = failed = 0


def expect(what, good, found=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"{what}: {found}")


def manifest():
    package = json.loads((FOLDER / "package.json").read_text())
    version = re.search(r"project\(noether VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    expect("the version is Noether's", package["version"] == version, package["version"])
    code = (FOLDER / "extension.js").read_text()
    for command in package["contributes"]["commands"]:
        expect(f"{command['command']} is registered", f'"{command["command"]}"' in code)
    for grammar in package["contributes"]["grammars"]:
        path = ROOT / "editors" / grammar["path"].removeprefix("./")
        expect(f"{grammar['path']} is there", path.exists() and json.loads(path.read_text())["scopeName"] == grammar["scopeName"])
    for language in package["contributes"]["languages"]:
        expect(f"{language['id']} has a configuration", json.loads((FOLDER / language["configuration"]).read_text()))
    lenses = set(re.findall(r'"(noether\.\w+)"', (ROOT / "src/lsp/answer.c").read_text()))
    known = {command["command"] for command in package["contributes"]["commands"]}
    expect("what lenses ask for is known", lenses <= known, lenses - known)
    table = (ROOT / "src/driver/option_table.h").read_text()
    for option in re.findall(r'"--(\w+)"', (FOLDER / "command.js").read_text()):
        expect(f"--{option} is an option", f'"{option}"' in table)


def package():
    with tempfile.TemporaryDirectory() as place:
        out = pathlib.Path(place) / "noether.vsix"
        done = subprocess.run([FOLDER / "package.sh", "--offline", out], capture_output=True, text=True)
        expect("it is packaged", done.returncode == 0 and out.exists(), done.stderr)
        names = set(zipfile.ZipFile(out).namelist())
        needed = {"extension.vsixmanifest", "[Content_Types].xml", "extension/package.json", "extension/extension.js", "extension/command.js",
                  "extension/LICENSE", "extension/README.md", "extension/textmate/murphi.tmLanguage.json"}
        expect("all is in it", needed <= names, needed - names)


STAND_IN = r"""
const Module = require("module");
const calls = { commands: {}, panels: [], shown: [], client: null, text: "" };
const editor = {
  Uri: { parse: (text) => ({ scheme: "file", fsPath: decodeURIComponent(new URL(text).pathname), toString: () => text }), file: (path) => ({ scheme: "file", fsPath: path, toString: () => "file://" + path }) },
  ViewColumn: { Beside: -2 }, ProgressLocation: { Notification: 15 },
  commands: { registerCommand: (name, action) => { calls.commands[name] = action; return { dispose() {} }; } },
  workspace: { textDocuments: [], getConfiguration: () => ({ get: (name) => ({ path: process.argv[2], arguments: ["--time", "30"], defines: {} })[name] }) },
  window: {
    createOutputChannel: () => ({ clear() {}, append: (text) => (calls.text += text), show() {}, dispose() {} }),
    withProgress: (options, task) => task({}, { onCancellationRequested() {} }),
    showInformationMessage: async (text) => { calls.shown.push(text); }, showWarningMessage: async (text) => { calls.shown.push(text); },
    showErrorMessage: async (text) => { calls.shown.push("error: " + text); },
    createWebviewPanel: (kind, title, column) => { const panel = { title, column, webview: {}, reveal() {}, onDidDispose() {} }; calls.panels.push(panel); return panel; },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? editor
  : name === "vscode-languageclient/node" ? { LanguageClient: class { constructor(...words) { calls.client = words; } async start() {} async stop() {} } }
  : load(name, ...rest);
(async () => {
  const extension = require(process.argv[3] + "/extension.js");
  await extension.activate({ subscriptions: [] });
  await calls.commands["noether.check"](process.argv[4]);
  await calls.commands["noether.showSymmetry"](process.argv[4]);
  await calls.commands["noether.openReport"](process.argv[4]);
  await extension.deactivate();
  console.log(JSON.stringify({ shown: calls.shown, text: calls.text, title: calls.panels[0].title, column: calls.panels[0].column,
    html: calls.panels[0].webview.html.slice(0, 4000), server: calls.client[2], selector: calls.client[3].documentSelector.length }));
})();
"""


def sessions():
    """Its commands, with the real program."""
    if not shutil.which("node"):
        print("node is not installed: the commands are not run")
        return
    model = (ROOT / "examples/german-bug.m").as_uri()
    with tempfile.TemporaryDirectory() as place:
        script = pathlib.Path(place) / "stand_in.js"
        script.write_text(STAND_IN)
        done = subprocess.run(["node", script, ROOT / "build/noether", FOLDER, model], capture_output=True, text=True)
    expect("it runs", done.returncode == 0, done.stderr)
    if done.returncode:
        return
    said = json.loads(done.stdout)
    expect("the server is started", said["server"]["args"] == ["lsp"] and said["selector"] == 5, said["server"])
    expect("a check says what it found", said["shown"] and "violated" in said["shown"][0], said["shown"])
    expect("its output is shown", "violated" in said["text"], said["text"][:200])
    expect("the symmetry is shown", "NODE" in said["text"])
    expect("the page stands beside the model", said["column"] == -2 and "german-bug" in said["title"], said["title"])
    expect("the page is guarded", "Content-Security-Policy" in said["html"] and "<html" in said["html"].lower(), said["html"][:300])


manifest()
package()
sessions()
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
