-- expect: 8:1: error: expected ":=" in a statement, found "end"
-- hint: "--" begins a comment; write x := x - 1
-- errors: 1
var x: 0..3;
startstate x := 3; end;
rule x > 0 ==>
  x--;
end;
