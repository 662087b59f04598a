-- as three.m, but c leaves in another way: only a and b are exchanged
type L: enum {N, T, C};
var s: boolean; a: L; b: L; c: L;
startstate s := false; a := N; b := N; c := N; end;
rule "a1" a = N ==> a := T; end; rule "a2" a = T & !s ==> a := C; s := true; end; rule "a3" a = C ==> a := N; s := false; end;
rule "b1" b = N ==> b := T; end; rule "b2" b = T & !s ==> b := C; s := true; end; rule "b3" b = C ==> b := N; s := false; end;
rule "c1" c = N ==> c := T; end; rule "c2" c = T & !s ==> c := C; s := true; end; rule "c3" c = C ==> c := T; s := false; end;
invariant "m" !(a = C & b = C) & !(a = C & c = C) & !(b = C & c = C);
