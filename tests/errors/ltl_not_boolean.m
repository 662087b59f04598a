-- expect: 6:11: error: a property must be boolean, not 0..3
--
var x: boolean; y: 0..3;
startstate begin x := false; y := 0; end;
ruleset i: 0..3 do rule "r" x ==> begin x := false; end; end;
ltl "a" G y;
