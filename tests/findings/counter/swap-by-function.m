type S: scalarset(3); E: enum {A, B, C}; R: record a: boolean; b: boolean; end;
var c: array [S] of boolean; x: boolean; y: 0..3; u: boolean; arr: array [0..2] of 0..3; r: R; r2: R; p: S; e: E; rs: array [0..1] of R;
function f(): R; var t: R; begin t.a := r.b; t.b := r.a; return t; end;ruleset s: S do startstate for l: S do c[l] := false; end; x := false; y := 0; for i: 0..2 do arr[i] := 0; end; r.a := true; r.b := false; r2.a := false; r2.b := false; p := s; e := A; for i: 0..1 do rs[i].a := false; rs[i].b := false; end; end; end;
ruleset s: S do rule "t" !c[s] ==> c[s] := true; end; end;
rule "r" true ==> r := f(); end; invariant "n" r.a != r.b;
