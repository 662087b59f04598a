-- expect: 6:9: error: expected an expression, found "["
-- hint: "[]" is written G
var a, b: boolean; x: 0..3;
startstate begin a := false; b := false; x := 0; end;
ruleset i: 0..3 do rule "enter" x = i ==> begin x := 0; a := !a; b := !b; end; end;
ltl "p" [] a;
