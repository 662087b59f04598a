-- expect: 14:3: error: a liveness property cannot have the parameter "n"
-- hint: its parameters are booleans, enums and ranges

type node: scalarset(2);
var p: node;
var
  x: 0..3;

startstate
  x := 0;
end;

ruleset n: node do
  liveness "all" p = n;
end;
