-- expect: 14:6: error: the guard of a rule calls "bump", which changes variables
-- hint: what is only asked must not change the state: make the change in the body of a rule
--

var
  x: 0..3;

startstate
  x := 0;
end;

function bump(): boolean; begin x := 1; return true; end;

rule bump() ==> begin x := 0; end;
