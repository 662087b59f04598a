-- The goal is met in a start state, which an assumption leaves out.
var x: 0..2;
startstate begin x := 0; cover x = 0 "c"; end;
rule "r" x = 0 ==> begin x := 1; end;
assume "none" x = 2;
