var x: -2147483648..3; y: 0..3; 
startstate begin x := -2147483647; y := 0; end;
rule "real" y = 0 ==> begin y := 4; end;
rule "limit" y = 0 ==> begin x := x - 1; end;
rule "on" x = -2147483648 ==> begin y := 3; x := 0; end;
invariant y < 3;
