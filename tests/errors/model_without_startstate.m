-- expect: error: the model has no start state
-- hint: add: startstate begin ... end;

var x: 0..3;
rule begin x := 1; end;
