-- expect: 12:10: error: a variable cannot run over record {a: boolean}
--

var
  x: 0..3;

startstate
  x := 0;
end;

rule begin
  for i: record a: boolean; end do x := 0; end;
end;
