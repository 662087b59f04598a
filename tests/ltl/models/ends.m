-- A run may end before it is done: whether it counts is a choice.
var n: 0..2;

startstate begin n := 0 end;

rule "stop" n = 0 ==> begin n := 1 end;
rule "go" n != 1 ==> begin n := 2 end;

ltl "done" F n = 2;
ltl "rest" G (n = 1 -> X n = 1);
