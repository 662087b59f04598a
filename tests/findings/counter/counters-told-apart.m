type S: scalarset(3); E: enum {A, B, C}; var a: array [S] of E; b: array [S] of boolean; x: boolean;
startstate for l: S do a[l] := A; b[l] := false; end; x := false; end;
ruleset p: S do rule "c" a[p] = A ==> a[p] := C; end; rule "b" a[p] = C & x ==> a[p] := B; end; end;
rule "x" true ==> x := !x; end;
ruleset p: S do rule "r" a[p] = C & !b[p] ==> if exists q: S do a[q] = A end then if exists r: S do a[r] = B end then else b[p] := true; end; end; end; end;
invariant "n" forall p: S do !b[p] end;
