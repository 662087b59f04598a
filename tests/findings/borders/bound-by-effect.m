var n, x: 0..3;
function next(): 0..3; begin n := (n + 1) % 4; return n; end;
startstate n := 0; x := 0; end;
rule "r" x = 0 ==> for i := 1 to next() do x := i; end; end;
