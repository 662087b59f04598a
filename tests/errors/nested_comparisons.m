-- expect: 12:7: error: comparisons are nested too deeply in indices
-- hint: give the indices names: alias i: ... do
type
  P: scalarset(2);
var
  a: array [boolean] of P; q: P;
startstate
  undefine a;
  undefine q;
end;
rule
  a[a[a[a[a[a[a[a[a[q = q] = q] = q] = q] = q] = q] = q] = q] = q] = q ==>
begin
end;
