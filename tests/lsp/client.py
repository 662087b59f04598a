"""A client of the language server: sends and receives messages over pipes, and keeps the texts it has opened as an editor does."""
import json
import os
import pathlib
import select
import subprocess
import time

PATIENCE = 60  # seconds of waiting for an answer: not a limit of speed


class Client:
    def __init__(self, binary, encoding="utf-16", options=None, start=True):
        self.process = subprocess.Popen([binary, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.encoding, self.number, self.got = encoding, 0, b""
        self.diagnostics, self.notifications, self.texts, self.versions, self.answers = {}, [], {}, {}, {}
        if start:
            self.capabilities = self.ask("initialize", {
                "processId": None, "rootUri": None, "initializationOptions": options or {},
                "capabilities": {"general": {"positionEncodings": [encoding]}}})["capabilities"]
            self.tell("initialized", {})

    # --- messages ---
    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def receive(self, patience=PATIENCE):
        """The next message, or None when none comes."""
        end = time.monotonic() + patience
        while True:
            head, separator, rest = self.got.partition(b"\r\n\r\n")
            if separator:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.got = rest[length:]
                    return json.loads(rest[:length])
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise EOFError("the server has ended")
            self.got += more

    def take(self, message):
        if "id" in message and "method" not in message:
            self.answers[message["id"]] = message
        elif message["method"] == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        else:
            self.notifications.append(message)

    def response(self, number, patience=PATIENCE):
        end = time.monotonic() + patience
        while number not in self.answers:
            message = self.receive(end - time.monotonic())
            if message is None:
                raise TimeoutError(f"no answer to {number}")
            self.take(message)
        return self.answers.pop(number)

    def ask(self, method, params):
        answer = self.response(self.begin(method, params))
        if "error" in answer:
            raise Refused(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    # --- texts ---
    def open(self, uri, text, language=""):
        self.texts[uri], self.versions[uri] = text, 1
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})

    def position(self, uri, offset):
        """Of an offset into the text, in characters of Python."""
        before = self.texts[uri][:offset]
        line = before.count("\n")
        last = before[before.rfind("\n") + 1:]
        return {"line": line, "character": len(last.encode()) if self.encoding == "utf-8" else len(last.encode("utf-16-le")) // 2}

    def offset(self, uri, position):
        lines = self.texts[uri].split("\n")
        line = lines[position["line"]]
        units = line.encode() if self.encoding == "utf-8" else line.encode("utf-16-le")
        size = position["character"] * (1 if self.encoding == "utf-8" else 2)
        shown = units[:size].decode("utf-8" if self.encoding == "utf-8" else "utf-16-le")
        return sum(len(one) + 1 for one in lines[:position["line"]]) + len(shown)

    def change(self, uri, start, end, text):
        """Replaces the characters start..end."""
        span = {"start": self.position(uri, start), "end": self.position(uri, end)}
        self.texts[uri] = self.texts[uri][:start] + text + self.texts[uri][end:]
        self.versions[uri] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]},
                                             "contentChanges": [{"range": span, "text": text}]})

    def settled(self, uri):
        """The diagnostics of the text as it is."""
        end = time.monotonic() + PATIENCE
        while self.diagnostics.get(uri, {}).get("version") != self.versions[uri]:
            message = self.receive(end - time.monotonic())
            if message is None:
                raise TimeoutError(f"no diagnostics of {uri}")
            self.take(message)
        return self.diagnostics[uri]["diagnostics"]

    def at(self, method, uri, offset, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri}, "position": self.position(uri, offset), **more})

    def of(self, method, uri, **more):
        return self.ask("textDocument/" + method, {"textDocument": {"uri": uri}, **more})

    def shown(self, uri, span):
        """The text of a range."""
        return self.texts[uri][self.offset(uri, span["start"]):self.offset(uri, span["end"])]

    def edited(self, uri, edits):
        """The text after the edits."""
        text = self.texts[uri]
        places = sorted(((self.offset(uri, e["range"]["start"]), self.offset(uri, e["range"]["end"]), e["newText"]) for e in edits), reverse=True)
        for start, end, new in places:
            text = text[:start] + new + text[end:]
        return text

    def close(self):
        """Ends the server as the protocol wants it; its exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(PATIENCE)


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


def uri_of(path):
    return pathlib.Path(path).resolve().as_uri()
