-- full symmetry but for a rule that is never enabled; 4n + 1 orbits with n processes
const n: 6;
type P: 1..n; L: enum {N, T, C};
var st: array [P] of L; tok: P; broken: boolean;
startstate for p: P do st[p] := N; end; broken := false; undefine tok; end;
ruleset p: P do
  rule "try" st[p] = N ==> st[p] := T; end;
  rule "enter" st[p] = T & forall q: P do st[q] != C end ==> st[p] := C; tok := p; end;
  rule "leave" st[p] = C ==> st[p] := N; end;
end;
rule "never" broken & !isundefined(tok) & tok > 3 ==> tok := 1; end;
invariant "mutex" forall p: P do forall q: P do p = q | st[p] != C | st[q] != C end end;
