-- expect: 14:11: error: a property calls "bump", which changes variables
-- hint: what is only asked must not change the state: make the change in the body of a rule
--

var
  x: 0..3;

startstate
  x := 0;
end;

function bump(): boolean; begin x := 1; return true; end;

invariant bump();
