-- expect: 6:12: error: "deadlock" is a word of ctl formulas, not of ltl
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ltl "a" G !deadlock;
