-- In the start state the first assumption reads an undefined value, and the second one is false. The first is asked first.
var x: boolean; y: boolean;
startstate begin y := false; end;
rule "on" true ==> begin y := !y; end;
assume "read" x | y;
assume "false" y;
