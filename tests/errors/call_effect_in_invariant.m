-- expect: 13:11: error: a property calls "bump", which changes variables
--

var
  x: 0..3;

startstate
  x := 0;
end;

function bump(): boolean; begin x := 1; return true; end;

invariant bump();
