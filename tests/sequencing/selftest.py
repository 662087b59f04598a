#!/usr/bin/python3
"""The sequencing test must see each kind of expression without an order, and nothing else. The first three have the shapes that gave
wrong results on one architecture only."""
import pathlib
import subprocess
import sys
import tempfile

try:
    import clang.cindex  # noqa: F401
except ImportError:
    print("sequencing: skipped: there is no python3-clang")
    sys.exit(0)

RUN = pathlib.Path(__file__).with_name("run.py")
HEAD = """
struct pair { int a, b; };
struct list { struct pair pair; int items[4]; int *more; };
int get(int *x); int look(const int *x); int take(int a, int b); int both(int *x, int y);
int change(struct pair *p); int sum(const struct pair *p); void print(const char *format, ...);
const char *why(int value, const char *reason); int compute(int value, const char **reason);
#define ADD(p, v) take(get(p), (v))
"""
SEEN = {
    "reason beside the call that sets it": "const char *f(int v) { const char *r = 0; return why(compute(v, &r), r); }",
    "result after the call that sets it": "int f(void) { int r = 0; return take(get(&r), r); }",
    "result before the call that sets it": "int f(void) { int r = 0; return take(r, get(&r)); }",
    "deep inside an argument": "int f(void) { int r = 0; return take(1 + (get(&r) ? 2 : 3), look(&r)); }",
    "two calls that write": "int f(void) { int r = 0; return take(get(&r), get(&r)); }",
    "an operator": "int f(void) { int r = 0; return get(&r) + r; }",
    "a comparison": "int f(void) { int r = 0; return r == get(&r); }",
    "an initialiser": "int f(void) { int r = 0; struct pair p = {get(&r), r}; return sum(&p); }",
    "a compound literal": "int f(void) { int r = 0; return sum(&(struct pair){get(&r), r}); }",
    "an index on the left": "void f(int *a) { int r = 0; a[r] = get(&r); }",
    "a compound assignment": "int f(void) { int r = 0; r += get(&r); return r; }",
    "an array": "int f(void) { int a[2] = {0}; return take(get(a), a[1]); }",
    "a part of what is written": "int f(void) { struct pair p = {0}; return take(change(&p), p.a); }",
    "the whole of what is written": "int f(void) { struct pair p = {0}; return take(get(&p.a), change(&p)); }",
    "a part by a pointer": "int f(struct list *l) { return take(get(&l->pair.a), l->pair.a); }",
    "a pointer that moves": "int f(struct list *l) { return take(change((struct pair *)&l), l->pair.a); }",
    "inside a macro": "int f(void) { int r = 0; return ADD(&r, r); }",
    "after a variadic call": "void f(void) { int r = 0; print(\"%d %d\", get(&r), r); }",
}
UNSEEN = {
    "other variables": "int f(void) { int r = 0, s = 0; return take(get(&r), s); }",
    "other parts": "int f(void) { struct pair p = {0}; return take(get(&p.a), p.b); }",
    "a pointer to const": "int f(void) { int r = 0; return take(look(&r), r); }",
    "&&": "int f(void) { int r = 0; return get(&r) && r; }",
    "||": "int f(void) { int r = 0; return get(&r) || r; }",
    "a comma": "int f(void) { int r = 0; return get(&r), r; }",
    "?:": "int f(void) { int r = 0; return get(&r) ? r : 0; }",
    "an assignment to what is written": "int f(void) { int r = 0; r = get(&r); return r; }",
    "statements": "int f(void) { int r = 0, s = get(&r); return take(s, r); }",
    "the address only": "int f(void) { int r = 0; return both(&r, get(&r)); }",
    "sizeof": "int f(void) { int r = 0; return take(get(&r), (int)sizeof r); }",
}


def problems(code):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.c"
        path.write_text(HEAD + code + "\n")
        done = subprocess.run([sys.executable, RUN, path], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


failed = 0
for cases, expected in ((SEEN, 1), (UNSEEN, 0)):
    for name, code in cases.items():
        status, output = problems(code)
        if status != expected or (expected and ("in no order" not in output or ", 1 problems" not in output)):
            failed += 1
            print(f"{name}: expected {expected} problems of\n    {code}\n{output}")
print(f"{len(SEEN) + len(UNSEEN) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
