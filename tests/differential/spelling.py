"""The same model, spelled in other ways: long ends of blocks, upper case, the operators of the other dialect, comments."""

import re

TOKEN = re.compile(r'"[^"]*"|\w+|==>|=>|:=|\.\.|->|<=|>=|!=|<<|>>|\s+|.')
OPENERS = {"if": "endif", "for": "endfor", "while": "endwhile", "switch": "endswitch", "alias": "endalias",
           "ruleset": "endruleset", "rule": "endrule", "startstate": "endstartstate", "choose": "endchoose",
           "function": "endfunction", "procedure": "endprocedure", "record": "endrecord", "forall": "endforall",
           "exists": "endexists"}
OTHERS = {"=": ["=="], "!=": ["≠"], "!": ["¬"], "->": ["→"], "<=": ["≤"], ">=": ["≥"], "==>": ["⇒"], ":=": ["≔"], "*": ["×"],
          "/": ["÷", "∕"], "-": ["−"], "forall": ["∀"], "exists": ["∃"], "&": ["&&", "∧"], "|": ["||", "∨"]}
KEYWORDS = set(OPENERS) | {
    "array", "assert", "begin", "boolean", "by", "case", "clear", "const", "do", "else", "elsif", "end", "enum", "error", "false",
    "invariant", "ismember", "isundefined", "of", "put", "return", "scalarset", "then", "to", "true", "type", "undefine", "union",
    "var", "multiset", "multisetadd", "multisetcount", "multisetremove", "multisetremovepred", "undefined", "cover", "assume", "liveness", "final"}


class Speller:
    def __init__(self, random, has_bits):
        self.random, self.open = random, []
        self.habits = {habit for habit in ("long", "case", "colon", "other", "comments", "semicolons", "bare", "hexadecimal", "quotes")
                       if random.random() < 0.5}
        self.others = {token: spelling for token, spelling in OTHERS.items() if not (has_bits and token in "&|")}

    def does(self, habit, probability=0.4):
        return habit in self.habits and self.random.random() < probability

    def token(self, text):
        if text in OPENERS:
            self.open.append(text)
        elif text == "end" and self.open:
            opener = self.open.pop()
            text = OPENERS[opener] if self.does("long", 0.7) else text
        elif text == "do" and self.does("colon"):
            return ":"
        if text in self.others and self.does("other"):
            return self.random.choice(self.others[text])
        if text.isdigit() and self.does("hexadecimal"):
            return hex(int(text))
        if text.startswith('"') and self.does("quotes"):
            return f"“{text[1:-1]}”"
        if (text in KEYWORDS or text.startswith("end")) and self.does("case"):
            return self.random.choice([text.upper(), text.capitalize()])
        return text

    def line(self, text):
        text = "".join(self.token(token) for token in TOKEN.findall(text))
        if self.does("comments", 0.1):
            text += "  -- not a comment: /* \"end;"
        return "/* a comment; -- of\n   two lines */ " + text if self.does("comments", 0.05) else text


def is_bare(lines, i):
    """May `begin` be missing here?"""
    before = lines[i - 1].strip() if i else ""
    return lines[i].strip() == "begin" and (before == "==>" or before.startswith(("startstate", "function", "procedure")))


def ends_block(line):
    return line.strip().startswith(("end;", "else", "elsif", "case "))


def respell(lines, random, has_bits):
    speller, spelled = Speller(random, has_bits), []
    for i, line in enumerate(lines):
        if line.startswith("--"):
            spelled.append(line)
            continue
        if is_bare(lines, i) and speller.does("bare"):
            continue
        if line.startswith(" ") and line.endswith(";") and i + 1 < len(lines):
            if ends_block(lines[i + 1]) and lines[i + 1].startswith(" ") and speller.does("semicolons", 0.3):
                line = line[:-1]
            elif ":=" in line and speller.does("semicolons", 0.1):
                line += ";"
        spelled.append(speller.line(line))
    return spelled
