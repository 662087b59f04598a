"""Random models over one or two small ranges, with rules that name elements, compute neighbours, or treat all alike."""
import random

GUARDS = ("a[{x}] = {k}", "a[{x}] != {k}", "b[{x}]", "!b[{x}]", "p = {x}", "p != {x}", "b[{x}] & a[{y}] = {k}",
          "a[{x}] = a[{y}]", "forall z: T do a[z] = {k} end", "exists z: T do z != {x} & b[z] end",
          "exists z: T do b[z] & a[z] = {k} end")
UPDATES = ("a[{x}] := {k};", "b[{x}] := !b[{x}];", "b[{x}] := {t};", "p := {x};", "a[{x}] := a[{y}];",
           "for z: T do b[z] := {t}; end;", "for z: T do if b[z] then a[z] := {k}; end; end;",
           "if b[{x}] then p := {y}; else p := {x}; end;", "a[{x}] := {k}; b[{y}] := {t};")
PROPERTIES = ("forall z: T do b[z] -> a[z] = 0 | a[z] = 1 end", "exists z: T do !b[z] | a[z] = 1 end", "!b[{c}] | p = {c} | true",
              "forall z: T do forall y: T do b[z] & b[y] -> true end end")


def element(rng, n, style, parameter):
    """An element, as an expression: named, a parameter, or one computed from it."""
    if parameter and (style != "named" or rng.random() < 0.3):
        ring = f"({parameter} % {n}) + 1"
        choices = {"alike": [parameter], "named": [parameter, str(rng.randint(1, n))],
                   "ring": [parameter, ring], "split": [parameter, parameter]}
        return rng.choice(choices[style])
    return str(rng.randint(1, n))


def fill(rng, text, n, style, parameter):
    return text.format(x=element(rng, n, style, parameter), y=element(rng, n, style, parameter),
                       k=rng.randint(0, 1), t=rng.choice(("true", "false")), c=rng.randint(1, n))


def rule(rng, n, number):
    style = rng.choice(("alike", "named", "ring", "split", "alike"))
    parameter = "" if style == "named" and rng.random() < 0.6 else "i"
    guard = fill(rng, rng.choice(GUARDS), n, style, parameter)
    if style == "split":
        guard = f"i {rng.choice(('<', '<=', '>', '!='))} {rng.randint(1, n)} & {guard}"
    body = " ".join(fill(rng, rng.choice(UPDATES), n, style, parameter) for _ in range(rng.randint(1, 2)))
    text = f'rule "{number}" {guard} ==> begin {body} end;'
    return f"ruleset i: T do {text} end;" if parameter else text


def twins(rng, n, number):
    """The same rule written out for several elements: exchanging them exchanges the rules."""
    guard, update = rng.choice(GUARDS), rng.choice(UPDATES)
    k, t, chosen = rng.randint(0, 1), rng.choice(("true", "false")), rng.sample(range(1, n + 1), rng.randint(2, n))
    return "\n".join(f'rule "{number}.{e}" {guard.format(x=e, y=e, k=k, t=t, c=e)} ==> begin '
                     f'{update.format(x=e, y=e, k=k, t=t, c=e)} end;' for e in chosen)


def start(rng, n):
    return rng.choice((
        "startstate begin for z: T do a[z] := 0; b[z] := false; end; p := 1; end;",
        "ruleset s: T do startstate begin for z: T do a[z] := 0; b[z] := false; end; p := s; end; end;",
        "startstate begin for z: T do a[z] := 0; b[z] := z = 1; end; undefine p; end;",
        "ruleset s: T do startstate begin for z: T do a[z] := 1; b[z] := z = s; end; p := s; end; end;"))


def model(seed):
    rng = random.Random(seed)
    n = rng.choice((3, 3, 3, 4))
    rules = [(twins if rng.random() < 0.25 else rule)(rng, n, k) for k in range(rng.randint(1, 3))]
    prop = f'invariant "i" {rng.choice(PROPERTIES).format(c=rng.randint(1, n))};' if rng.random() < 0.5 else ""
    return (f"type T: 1..{n};\nvar a: array [T] of 0..1; b: array [T] of boolean; p: T;\n"
            + start(rng, n) + "\n" + "\n".join(rules) + "\n" + prop + "\n")
