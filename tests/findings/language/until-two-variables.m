-- The quantifier between the brackets has two variables, with a semicolon between them.
type T: 0..1;
var x: T; b: boolean;
startstate begin x := 0; b := false; end;
rule "on" x = 0 ==> begin x := 1; b := true; end;
rule "back" x = 1 ==> begin x := 0; end;
ctl "until" A[exists i: T; j: boolean do x = i & b = j end U b];
