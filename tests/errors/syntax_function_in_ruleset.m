-- expect: 12:3: error: expected a rule, found "function"
--

var
  x: 0..3;

startstate
  x := 0;
end;

ruleset i: 0..3 do
  function f(): boolean; begin return true; end;
  rule begin x := i; end;
end;
