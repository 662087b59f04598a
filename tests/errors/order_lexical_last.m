-- expect: 5:18: error: expected ";" between statements, found "y"
--
-- errors: 2
var x: 0..3;
startstate x := 0
  y end;
rule x < 3 ==> x := x @ 1; end;
