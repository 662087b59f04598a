-- processes as records, whose numbers stand in `turn`: exchanged together with these; one variable is read by none
const n: 3;
type L: enum {N, T, C}; R: record l: L; w: boolean; end;
var a: R; s: boolean; b: R; k: 0..3; c: R; turn: 0..3; 
startstate s := false; a.l := N; a.w := false; b.l := N; b.w := false; c.l := N; c.w := false; turn := 0; k := 0; end;
rule "a1" a.l = N ==> a.l := T; end; rule "a2" a.l = T & !s ==> a.l := C; s := true; turn := 1; end; rule "a3" a.l = C ==> a.l := N; s := false; end;
rule "b1" b.l = N ==> b.l := T; end; rule "b2" b.l = T & !s ==> b.l := C; s := true; turn := 2; end; rule "b3" b.l = C ==> b.l := N; s := false; end;
rule "c1" c.l = N ==> c.l := T; end; rule "c2" c.l = T & !s ==> c.l := C; s := true; turn := 3; end; rule "c3" c.l = C ==> c.l := N; s := false; end;
invariant "m" !(a.l = C & b.l = C) & !(a.l = C & c.l = C) & !(b.l = C & c.l = C);
invariant "no" turn = 0 | a.l = N | b.l = N | c.l = N ;
