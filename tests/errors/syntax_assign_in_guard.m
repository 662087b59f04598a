-- expect: 6:18: error: expected ";" between statements, found "==>"
-- hint: a guard stands before ==> and compares with =
var x: boolean;
startstate begin x := false; end;

rule x := false  ==>
begin
  x := !x;
end;
