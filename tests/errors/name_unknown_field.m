-- expect: 13:5: error: the record has no field "adress"
-- hint: did you mean "address"?

var m: record address: 0..1; value: 0..1; end;
var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  m.adress := 1;
end;
