#!/usr/bin/env python3
"""tests/lsp/run.py BINARY: the language server, asked by a client that plays editing sessions over the example models.

For each model: it is opened, and has no error; every use of a name leads to a definition that spells it; renaming to a new name
and reading again gives the same names; an error that is typed in is reported where it was typed, and is gone when it is taken back."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import Client, Refused, uri_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = sys.argv[1]
FEW = 5  # names of each model that are looked at closely

passed = failed = 0


def expect(what, good, found=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"{what}: {found}")


def refuses(what, part, ask):
    try:
        answer = ask()
        expect(what, False, f"not refused: {str(answer)[:200]}")
    except Refused as refused:
        expect(what, part in refused.message, refused)


def words(text, kinds):
    """Offsets of names in code: comments and strings are blanked out."""
    code = re.sub(kinds, lambda match: re.sub(r"\S", " ", match.group()), text, flags=re.S)
    return [match.start() for match in re.finditer(r"\b[A-Za-z_]\w*\b", code)]


COMMENTS = {".m": r'--[^\n]*|/\*.*?\*/|"[^"\n]*"', ".prism": r'//[^\n]*|"[^"\n]*"', ".bp": r"//[^\n]*|/\*.*?\*/", ".pml": r'//[^\n]*|/\*.*?\*/|"[^"\n]*"'}


def errors(found):
    return [one for one in found if one["severity"] == 1]


def play(client, path, defines_at_least):
    """A session over one model."""
    uri, text = uri_of(path), path.read_text()
    client.open(uri, text)
    found = errors(client.settled(uri))
    name = path.name
    expect(f"{name}: no error", not found, found[:1])
    outline = client.of("documentSymbol", uri)
    expect(f"{name}: an outline", len(outline) > 2, len(outline))
    for symbol in outline:
        inside = symbol["range"]["start"]["line"] <= symbol["selectionRange"]["start"]["line"] <= symbol["range"]["end"]["line"]
        expect(f"{name}: {symbol['name']} holds its name", inside, symbol)
    offsets = words(text, COMMENTS[path.suffix])
    defined = {}
    for offset in offsets[:: max(1, len(offsets) // 60)]:
        place = client.at("definition", uri, offset)
        spelled = re.match(r"\w+", text[offset:]).group()
        if place and place["uri"] == uri:
            shown = client.shown(uri, place["range"])
            expect(f"{name}: {spelled} at {offset} is defined as itself", shown == spelled, shown)
            defined.setdefault(json.dumps(place["range"]), (spelled, client.offset(uri, place["range"]["start"])))
    expect(f"{name}: definitions are found", len(defined) >= defines_at_least, len(defined))
    renamed = 0
    for spelled, offset in list(defined.values())[:FEW]:
        hover = client.at("hover", uri, offset)
        expect(f"{name}: {spelled} has a description", hover and spelled in hover["contents"]["value"], hover)
        uses = client.at("references", uri, offset, context={"includeDeclaration": True})
        expect(f"{name}: {spelled} has uses", uses and all(client.shown(uri, one["range"]) == spelled for one in uses if one["uri"] == uri), uses)
        expect(f"{name}: and they are highlighted", len(client.at("documentHighlight", uri, offset)) == len(uses))
        try:
            edit = client.at("rename", uri, offset, newName="Zz_new_name")
        except Refused:
            continue
        renamed += 1
        changed = client.edited(uri, edit["changes"][uri])
        expect(f"{name}: {spelled} is renamed", changed.count("Zz_new_name") == len(uses) and changed.replace("Zz_new_name", spelled) == text)
    expect(f"{name}: something can be renamed", renamed > 0)
    for bad in ("1x", "a b", "", "if" if path.suffix != ".prism" else "module", list(defined.values())[-1][0]):
        refuses(f"{name}: renaming to {bad!r}", "", lambda: client.at("rename", uri, list(defined.values())[0][1], newName=bad))
    lenses = client.of("codeLens", uri)
    expect(f"{name}: a lens to check it", any(one["command"]["command"] == "noether.check" for one in lenses))
    # Typing: a line that is wrong, character by character, and away again.
    at = text.index("\n", offsets[len(offsets) // 2]) + 1
    for i, typed in enumerate("@@\n"):
        client.change(uri, at + i, at + i, typed)
    found = errors(client.settled(uri))
    line = text[:at].count("\n")
    expect(f"{name}: the error is reported where it is", any(abs(one["range"]["start"]["line"] - line) <= 1 for one in found), (line, found))
    place = client.at("definition", uri, list(defined.values())[0][1])
    expect(f"{name}: names are known while there is an error", place is not None)
    refuses(f"{name}: no renaming while there is an error", "error", lambda: client.at("rename", uri, list(defined.values())[0][1], newName="Zz_new_name"))
    refuses(f"{name}: no layout while there is an error", "", lambda: client.of("formatting", uri, options={}))
    client.change(uri, at, at + 3, "")
    expect(f"{name}: the error is gone", not errors(client.settled(uri)) and client.texts[uri] == text)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def symmetry(client):
    path = ROOT / "examples/german.m"
    uri, text = uri_of(path), path.read_text()
    client.open(uri, text)
    client.settled(uri)
    for place, wanted in (("NODE: scalarset", "interchangeable: 4 elements"), ("Chan1, Chan2", "NODE: interchangeable: 4 elements"),
                          ("n: NODE", "NODE: interchangeable: 4 elements")):
        hover = client.at("hover", uri, text.index(place))["contents"]["value"]
        expect(f"german.m: the symmetry of {place}", wanted in hover, hover)
    titles = [one["command"]["title"] for one in client.of("codeLens", uri)]
    expect("german.m: the symmetry as a lens", "interchangeable: 4 elements" in titles, titles)
    rules = [child["name"] for symbol in client.of("documentSymbol", uri) for child in symbol["children"]]
    expect("german.m: rules stand below their rulesets", "Store" in rules, rules)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def scopes(client):
    """Names that hide others; fields of records of one structure; a name that would be captured."""
    uri = "file:///scopes.m"
    text = """type T: 0..1; A: record f: T; g: T end; B: record f: T; g: T end;
var x: T; a: A; b: B; y: array [T] of T;
startstate begin x := 0; clear a; b := a; for i: T do y[i] := 0 end end;
ruleset x: T do rule "r" y[x] = 0 ==> var i: T; begin i := x; y[i] := 1; a.f := b.f end end;
rule "s" x = 0 ==> begin x := 1 end;
invariant "i" forall i: T do y[i] <= 1 end;
"""
    client.open(uri, text)
    expect("scopes: no error", not errors(client.settled(uri)), client.diagnostics[uri])
    places = client.at("references", uri, text.index("x: T; a"), context={"includeDeclaration": True})
    expect("scopes: the global variable", len(places) == 4, places)
    places = client.at("references", uri, text.index("x: T do"), context={"includeDeclaration": True})
    expect("scopes: the parameter that hides it", len(places) == 3, places)
    edit = client.at("rename", uri, text.index("f: T; g"), newName="first")
    expect("scopes: fields that are compared by structure go together", len(edit["changes"][uri]) == 4, edit)
    refuses("scopes: a name there is", "already", lambda: client.at("rename", uri, text.index("x: T; a"), newName="i"))
    refuses("scopes: a keyword", "no name", lambda: client.at("rename", uri, text.index("x: T; a"), newName="ruleset"))
    refuses("scopes: a keyword of the other dialect", "no name", lambda: client.at("rename", uri, text.index("x: T; a"), newName="cover"))
    refuses("scopes: nothing to rename", "no name", lambda: client.at("prepareRename", uri, text.index("begin")))
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def properties(client):
    """A file of properties is read with the model beside it, as it stands in the editor."""
    model, props = ROOT / "examples/herman.prism", ROOT / "examples/herman.props"
    uri, text = uri_of(props), props.read_text()
    client.open(uri, text)
    expect("herman.props: no error", not errors(client.settled(uri)), client.diagnostics[uri])
    label = text.index('"stable"')
    place = client.at("definition", uri, label + 1)
    expect("herman.props: a label leads to the model", place and place["uri"] == uri_of(model), place)
    changed = model.read_text().replace('"stable"', '"settled"')
    client.open(uri_of(model), changed)
    client.change(uri, len(text), len(text), "\n")
    found = errors(client.settled(uri))
    expect("herman.props: the model in the editor counts", any("stable" in one["message"] for one in found), found)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri_of(model)}})


def macros(client):
    """What stands in a macro cannot be renamed, and says so."""
    uri = "file:///macros.pml"
    text = "#define busy (x == 1)\nbyte x, y;\nactive proctype P() {\n  do\n  :: busy -> y = 2; x = 0\n  :: else -> x = 1\n  od\n}\n"
    client.open(uri, text)
    expect("macros: no error", not errors(client.settled(uri)), client.diagnostics[uri])
    refuses("macros: x", "cannot be renamed", lambda: client.at("rename", uri, text.index("x, y"), newName="z"))
    edit = client.at("rename", uri, text.index("y;"), newName="z")
    expect("macros: y", len(edit["changes"][uri]) == 2, edit)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def encodings():
    """Positions behind characters outside of ASCII, in both encodings; and edits between them."""
    text = "-- Ä 𝒳 \u202e ✓\nvar x: boolean; -- 𝒳\nstartstate /* 𝒳𝒳 */ x := false end;\nrule /* ✓ */ x := !y end;\n"
    for encoding in ("utf-8", "utf-16"):
        client = Client(BINARY, encoding)
        expect(f"{encoding}: agreed", client.capabilities["positionEncoding"] == encoding, client.capabilities)
        uri = "file:///%E2%9C%93.m"
        client.open(uri, text)
        found = errors(client.settled(uri))
        expect(f"{encoding}: one error", len(found) == 1 and client.shown(uri, found[0]["range"]) == "y", found)
        place = client.at("definition", uri, text.index("x := f"))
        expect(f"{encoding}: a definition", place and client.shown(uri, place["range"]) == "x" and place["range"]["start"]["line"] == 1, place)
        client.change(uri, text.index("y end"), text.index("y end") + 1, "x")
        expect(f"{encoding}: an edit behind them", not errors(client.settled(uri)), client.diagnostics[uri])
        edits = client.of("formatting", uri, options={})
        expect(f"{encoding}: the layout keeps comments", client.edited(uri, edits).split("\n")[0] == text.split("\n")[0], edits)
        expect(f"{encoding}: ends well", client.close() == 0)


def layout(client):
    """The edits make what noether format writes."""
    uri = "file:///layout.m"
    text = "var x:0..3;\n   y :boolean;\nstartstate begin\nx:=0;\n  y:=x=0?true:false;\nend;\n\n\n\nrule x<3==>x:=x+1;end;"
    client.open(uri, text)
    edited = client.edited(uri, client.of("formatting", uri, options={"tabSize": 8}))
    wanted = "var x: 0..3;\n  y: boolean;\nstartstate begin\n  x := 0;\n  y := x = 0 ? true : false;\nend;\n\nrule x < 3 ==> x := x+1; end;\n"
    expect("layout.m", edited == wanted, edited)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def settings():
    """Constants that a model leaves open come from the settings."""
    text = "dtmc\nconst int N;\nmodule m x: [0..N] init 0; [] x<N -> (x'=x+1); endmodule\n"
    for options, wanted in (({}, True), ({"defines": {"N": 3}}, False)):
        client = Client(BINARY, options=options)
        client.open("file:///open.prism", text)
        found = errors(client.settled("file:///open.prism"))
        expect(f"settings {options}", bool(found) == wanted, found)
        client.open("file:///other.m", "var x: 0..1; startstate x := 0 end; rule x := 1 - x end;")
        expect(f"settings {options}: of another model", not errors(client.settled("file:///other.m")))
        client.close()


def commands(client):
    path = ROOT / "examples/peterson.m"
    client.ask("workspace/executeCommand", {"command": "noether.check", "arguments": [uri_of(path)]})
    while not any(one["method"] == "window/showMessage" for one in client.notifications):
        client.take(client.receive())
    said = client.notifications[-1]["params"]["message"]
    expect("a check by the server", "holds" in said, said)
    refuses("an unknown command", "unknown", lambda: client.ask("workspace/executeCommand", {"command": "rm", "arguments": ["x"]}))


def main():
    client = Client(BINARY)
    for name, least in (("german.m", 10), ("peterson.m", 5), ("needham-schroeder.m", 8), ("mutex.prism", 3), ("herman.prism", 3),
                        ("shared-coin.prism", 3), ("peterson.pml", 3), ("snoopy-cache.pml", 5), ("client-server.pml", 3)):
        play(client, ROOT / "examples" / name, least)
    play(client, ROOT / "tests/models/boolean/bell.bp", 3)
    for session in (symmetry, scopes, properties, macros, layout, commands):
        session(client)
    expect("the server ends well", client.close() == 0)
    encodings()
    settings()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
