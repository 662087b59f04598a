#!/usr/bin/env python3
"""tests/lsp/hostile.py BINARY [--edits N] [--seed S]: the language server, mistreated.

Broken frames and messages, requests in the wrong order, edits out of range, models that take long, and thousands of edits. It has to
answer what comes afterwards, end when it is told to, and not grow."""
import argparse
import json
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from client import Client, Refused, uri_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
passed = failed = 0
MODEL = "var x: 0..3;\nstartstate x := 0 end;\nrule x < 3 ==> x := x + 1 end;\n"


def expect(what, good, found=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f"{what}: {found}")


def code_of(client, number):
    return client.response(number).get("error", {}).get("code")


def lives(what, client):
    """It answers a request of one who has done nothing wrong."""
    client.tell("workspace/didChangeConfiguration", {"settings": {"noether": {"defines": {}}}})
    uri = f"file:///lives{len(client.texts)}.m"
    client.open(uri, MODEL)
    expect(f"{what}: goes on", not client.settled(uri), client.diagnostics)
    client.tell("textDocument/didClose", {"textDocument": {"uri": uri}})


def order(binary):
    client = Client(binary, start=False)
    expect("a request before initialize", code_of(client, client.begin("textDocument/hover", {})) == -32002)
    client.tell("textDocument/didOpen", {"textDocument": {"uri": "file:///a.m", "version": 1, "text": MODEL}})
    expect("initialize", "result" in client.response(client.begin("initialize", {"capabilities": {}})))
    expect("initialize twice", code_of(client, client.begin("initialize", {})) == -32600)
    expect("an unknown method", code_of(client, client.begin("textDocument/colour", {})) == -32601)
    expect("a text that is not open", code_of(client, client.begin("textDocument/hover", {"textDocument": {"uri": "file:///a.m"}})) == -32602)
    client.tell("textDocument/fold", {})
    client.tell("$/setTrace", {"value": "off"})
    lives("order", client)
    expect("shutdown", client.response(client.begin("shutdown", None)).get("result", 0) is None)
    expect("a request after shutdown", code_of(client, client.begin("textDocument/hover", {"textDocument": {"uri": "file:///lives0.m"}})) == -32600)
    client.tell("exit", None)
    expect("exit after shutdown", client.process.wait(60) == 0)
    client = Client(binary)
    client.tell("exit", None)
    expect("exit without shutdown", client.process.wait(60) == 1)
    client = Client(binary)
    client.process.stdin.close()
    expect("a client that is gone", client.process.wait(60) == 1)


def frames(binary):
    client = Client(binary)
    body = json.dumps({"jsonrpc": "2.0", "method": "x", "params": {}}).encode()
    for what, data in (
            ("garbage", b"\x00\xff GET / HTTP/1.1\r\n\r\n"), ("no length", b"Content-Type: x\r\n\r\n"),
            ("a length that is no number", b"Content-Length: many\r\n\r\n" + body),
            ("a negative length", b"Content-Length: -5\r\n\r\n" + body), ("length 0", b"Content-Length: 0\r\n\r\n"),
            ("too short a length", b"Content-Length: 10\r\n\r\n" + body),
            ("lower case", b"content-length: %d\r\n\r\n%s" % (len(body), body)),
            ("no JSON", b"Content-Length: 5\r\n\r\n{{{{{"), ("not UTF-8", b"Content-Length: 4\r\n\r\n\"\xff\xfe\""),
            ("a number", b"Content-Length: 2\r\n\r\n42"), ("an empty batch", b"Content-Length: 2\r\n\r\n[]"),
            ("a batch of nonsense", b"Content-Length: 11\r\n\r\n[1, null,{}]"[:-1]),
            ("deep nesting", b"Content-Length: 200000\r\n\r\n" + b"[" * 200000),
            ("a zero in a text", b"Content-Length: 16\r\n\r\n{\"a\": \"\\u0000\"} "),
            ("a long head", b"X: " + b"y" * 20000 + b"\r\n\r\n")):
        client.raw(data)
        lives(what, client)
    for message in ({}, {"id": 1}, {"method": 5}, {"id": {}, "method": "shutdown"}, {"id": [1], "method": "x"}, {"result": 1, "id": 77},
                    {"id": None, "method": "textDocument/hover", "params": 3}, {"id": 1.5, "method": "initialize"},
                    {"method": "textDocument/didOpen"}, {"method": "textDocument/didOpen", "params": [1]},
                    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///lives.m"}, "contentChanges": 4}},
                    {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///none.m"}, "contentChanges": []}},
                    {"method": "textDocument/didClose", "params": {"textDocument": {"uri": 4}}},
                    {"method": "$/cancelRequest", "params": {"id": "none"}}, {"method": "$/cancelRequest"},
                    {"method": "workspace/didChangeConfiguration", "params": {"settings": {"noether": {"defines": 3}}}}):
        client.send(message)
    lives("odd messages", client)
    client.close()
    # More than a message may have, announced and sent: it is skipped.
    client = Client(binary)
    length = 65 << 20
    client.raw(b"Content-Length: %d\r\n\r\n" % length)
    for _ in range(65):
        client.raw(b" " * (1 << 20))
    lives("a huge message", client)
    expect("which is reported", "at most" in client.answers[None]["error"]["message"], client.answers)
    client.close()
    client = Client(binary)
    client.raw(b"Content-Length: 99999999999999999999999\r\n\r\n" + body)
    client.process.stdin.close()
    expect("a length beyond all numbers", client.process.wait(60) == 1)


def ranges(binary):
    """Edits out of range are those of the nearest place; what is no edit changes nothing."""
    client = Client(binary)
    uri = "file:///ranges.m"
    client.open(uri, MODEL)
    client.settled(uri)
    last = {"line": 3, "character": 0}
    for span in ({"start": {"line": 99, "character": 0}, "end": {"line": 999, "character": 9}},
                 {"start": {"line": 2, "character": 4000000000}, "end": {"line": 2, "character": 99999999999}},
                 {"start": last, "end": {"line": 2**40, "character": 2**40}},
                 {"start": {"line": 1, "character": 5}, "end": {"line": 0, "character": 0}},
                 {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}},
                 {"start": {"line": "0", "character": 0}, "end": last}, {"start": 3}, {}, 7):
        client.versions[uri] += 1
        client.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": client.versions[uri]}, "contentChanges": [{"range": span, "text": " "}]})
        expect(f"the edit {span}", not client.settled(uri), client.diagnostics)
    for position in (last, {"line": 10**9, "character": 10**9}, {"line": 0, "character": 10**9}):
        expect("a position out of range", client.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position}) is None)
    for params in ({"position": {"line": -1, "character": 0}}, {"position": None}, {}):
        expect("no position", code_of(client, client.begin("textDocument/definition", {"textDocument": {"uri": uri}, **params})) == -32602)
    client.close()


def slow(binary):
    """A model whose symmetry takes long: other requests are answered, and what waits can be cancelled."""
    client = Client(binary)
    size = 60
    text = "type N: 0..%d;\nvar a: array [N] of array [N] of 0..3;\nstartstate begin for i: N do for j: N do a[i][j] := 0 end end end;\n" % size
    text += "".join(f'ruleset i: N; j: N do rule "r{k}" a[i][j] = {k % 4} & i + {k} != j ==> begin a[j][i] := {(k + 1) % 4} end end;\n' for k in range(40))
    uri = "file:///slow.m"
    client.open(uri, text)
    number = client.begin("textDocument/codeLens", {"textDocument": {"uri": uri}})
    client.tell("$/cancelRequest", {"id": number})
    answer = client.response(number)
    expect("cancelled, or answered before", answer.get("error", {}).get("code") == -32800 or "result" in answer, answer)
    number = client.begin("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}})
    client.change(uri, len(text), len(text), "\n")
    answer = client.response(number)
    expect("modified, or answered before", answer.get("error", {}).get("code") == -32801 or "result" in answer, answer)
    lives("a slow model", client)
    expect("it is ended", client.close() == 0)


ODD = [None, True, 0, -1, 2**31, 2**53 + 1, 1e300, "", "file:///lives.m", "\u202e\ud83d\ude00", [], {}, [[[]]], {"line": 0, "character": 0}, {"start": 1}]


def bent(value, rng):
    """The value with something else somewhere in it."""
    if rng.random() < 0.15 or not isinstance(value, (dict, list)) or not value:
        return rng.choice(ODD)
    changed = value.copy()
    key = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
    if rng.random() < 0.1:
        del changed[key]
    else:
        changed[key] = bent(value[key], rng)
    return changed


def monkey(binary, count, seed):
    """Messages of a session, bent: values replaced, bytes changed, frames cut. It answers all the same."""
    rng = random.Random(seed)
    uri = "file:///monkey.m"
    text = {"textDocument": {"uri": uri, "version": 2}}
    here = {"position": {"line": 2, "character": 5}}
    session = [("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "murphi", "version": 1, "text": MODEL}}),
               ("textDocument/didChange", {**text, "contentChanges": [{"range": {"start": here["position"], "end": here["position"]}, "text": " "}]}),
               ("textDocument/didClose", text), ("workspace/didChangeConfiguration", {"settings": {"noether": {"defines": {"N": 3}}}}),
               ("$/cancelRequest", {"id": 4}), ("textDocument/rename", {**text, **here, "newName": "z"}),
               *((f"textDocument/{name}", {**text, **here, "context": {"includeDeclaration": True}})
                 for name in ("definition", "hover", "references", "documentHighlight", "documentSymbol", "codeLens", "prepareRename", "formatting"))]
    client = Client(binary)
    for step in range(count):
        method, params = rng.choice(session)
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if rng.random() < 0.6:
            message["id"] = step + 1000
        message = bent(message, rng) if rng.random() < 0.7 else message
        if isinstance(message, dict) and message.get("method") in ("exit", "shutdown"):
            continue
        body = bytearray(json.dumps(message).encode())
        for _ in range(rng.choice((0, 0, 0, 1, 3))):
            body[rng.randrange(len(body))] = rng.randrange(256)
        length = len(body) + rng.choice((0,) * 12 + (-3, 2))
        client.raw(b"Content-Length: %d\r\n\r\n%s" % (length, bytes(body)))
        if step % 100 == 99:
            client.raw(b"\r\n\r\n")  # the end of a message that was cut
            client.answers.clear()
            client.diagnostics.clear()
            lives(f"monkey, seed {seed}, step {step}", client)
    expect("the monkey is done", client.close() == 0)


def resident(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def edits(binary, count, seed):
    """A monkey at the keyboard: after each few edits the server has the same text (its layout says so), and does not grow."""
    rng = random.Random(seed)
    client = Client(binary)
    path = ROOT / "examples/german.m"
    uri, start = uri_of(path), path.read_text()
    client.open(uri, start)
    client.settled(uri)
    early = 0
    pieces = ["x", " ", "\n", "end;", "(", "\"", "/*", "*/", "𝒳", "ruleset", "\t", "--", "é", "\r\n"]
    for step in range(count):
        text = client.texts[uri]
        at = rng.randrange(len(text) + 1)
        behind = min(len(text), at + rng.choice((0, 0, 1, 3, 30)))
        client.change(uri, at, behind, rng.choice(pieces) if rng.random() < 0.7 else "")
        if step % 100 == 99:  # back to what can be read
            client.change(uri, 0, len(client.texts[uri]), start)
            client.begin("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        while client.got or step % 200 == 199:
            message = client.receive(0.01)
            if message is None:
                break
            client.take(message)
        if step % 250 == 249:  # a pause, in which the text is read
            client.settled(uri)
        if step == count // 4:
            client.settled(uri)
            early = resident(client.process)
    client.settled(uri)
    late = resident(client.process)
    print(f"{count} edits: {early} KiB after a quarter of them, {late} KiB after all")
    if "asan" not in binary:  # which keeps what is freed
        expect(f"{count} edits, seed {seed}: memory is bounded", late < early + 8192, f"{early} KiB, then {late} KiB")
    text = client.texts[uri]
    client.change(uri, 0, len(text), start)
    expect("the text is in step", not [one for one in client.settled(uri) if one["severity"] == 1], client.diagnostics[uri])
    expect("the server lives", client.close() == 0)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary")
    arguments.add_argument("--edits", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    for part in (order, frames, ranges, slow):
        part(given.binary)
    monkey(given.binary, given.edits // 2, given.seed)
    edits(given.binary, given.edits, given.seed)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
